"""The paper's first method: instruction, state and all tools in, a tool call out."""

from __future__ import annotations

from typing import Final

from ebf_baselines.method import ComposedMethod
from ebf_baselines.prompting import ACT, BIND, JOB, words
from ebf_env.evaluation.protocols import Prompt

METHOD: Final = ComposedMethod(
    Prompt("direct", 1, words(JOB, BIND, ACT)),
    "Everything is shown and what is proposed is executed (paper, section V-E).",
)
