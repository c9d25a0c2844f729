"""Causal minimal tool filtering (arXiv 2606.06284), entity-aware (paper, section V-E)."""

from ebf_baselines.causal.menu import causal_menu, inferred_goals

__all__ = ["causal_menu", "inferred_goals"]
