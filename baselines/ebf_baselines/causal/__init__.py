"""Causal minimal tool filtering (arXiv 2606.06284), entity-aware (paper, section V-E), and which tool is meant."""

from ebf_baselines.causal.menu import causal_menu, inferred_goals
from ebf_baselines.causal.posterior import SURE, tool_posterior, tool_posterior_of

__all__ = ["SURE", "causal_menu", "inferred_goals", "tool_posterior", "tool_posterior_of"]
