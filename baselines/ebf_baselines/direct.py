"""The paper's first method: instruction, state and all tools in, a tool call out."""

from __future__ import annotations

from ebf_baselines.method import ComposedMethod

direct = ComposedMethod("direct", "Everything is shown and what is proposed is executed (paper, section V-E).")
