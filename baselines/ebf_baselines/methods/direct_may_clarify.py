"""The direct method with leave to ask: a control that the paper's threats to validity call for (section VII)."""

from __future__ import annotations

from typing import Final

from ebf_baselines.method import ComposedMethod
from ebf_baselines.prompting import BIND, JOB, MAY_CLARIFY, words
from ebf_env.evaluation.protocols import Prompt

METHOD: Final = ComposedMethod(
    Prompt("direct_may_clarify", 1, words(JOB, BIND, MAY_CLARIFY), may_ask=True),
    "Everything is shown, asking and deferring are allowed, and what is proposed is executed.",
)
