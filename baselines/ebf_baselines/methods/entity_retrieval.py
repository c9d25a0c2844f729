"""The paper's fourth method: candidates are retrieved and shown, and the model selects among them."""

from __future__ import annotations

from typing import Final

from ebf_baselines.method import ComposedMethod
from ebf_baselines.prompting import ACT, BIND, JOB, words
from ebf_baselines.retrieval import retrieved_candidates
from ebf_env.evaluation.protocols import Prompt

METHOD: Final = ComposedMethod(
    Prompt("entity_retrieval", 1, words(JOB, BIND, ACT)),
    "Retrieved candidates are shown and what is proposed is executed (paper, section V-E).",
    candidates=retrieved_candidates,
)
