"""The paper's third method: causal minimal tool filtering, with no check of entities (arXiv 2606.06284)."""

from __future__ import annotations

from typing import Final

from ebf_baselines.causal import causal_menu
from ebf_baselines.method import ComposedMethod
from ebf_baselines.prompting import ACT, BIND, JOB, words
from ebf_env.evaluation.protocols import Prompt

METHOD: Final = ComposedMethod(
    Prompt("cmtf_only", 1, words(JOB, BIND, ACT)),
    "The tools that a cheapest plan to the inferred goal can begin with are shown, and what is proposed is executed "
    "(paper, section V-E).",
    menu=causal_menu,
)
