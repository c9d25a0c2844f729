"""The paper's fifth method: what is proposed is executed only if its bindings stand out from the alternatives."""

from __future__ import annotations

from typing import Final

from ebf_baselines.gate import GatePolicy
from ebf_baselines.method import ComposedMethod
from ebf_baselines.prompting import BIND, JOB, MAY_CLARIFY, SCORES, words
from ebf_baselines.retrieval import retrieved_candidates
from ebf_env.evaluation.protocols import Prompt, Want

METHOD: Final = ComposedMethod(
    Prompt("confidence_gate", 1, words(JOB, BIND, MAY_CLARIFY, SCORES), frozenset({Want.SCORES})),
    "What is proposed is executed if the scores of its bindings pass tau and delta, else the user is asked "
    "(paper, sections IV-C and V-E).",
    candidates=retrieved_candidates,
    policy=GatePolicy(),
)
