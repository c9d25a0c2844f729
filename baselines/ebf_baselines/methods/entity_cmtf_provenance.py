"""The paper's sixth method: tools by their preconditions, the gate, and evidence for every binding."""

from __future__ import annotations

from typing import Final

from ebf_baselines.causal import causal_menu
from ebf_baselines.gate import GatePolicy
from ebf_baselines.method import ComposedMethod
from ebf_baselines.prompting import BIND, EVIDENCE, JOB, MAY_CLARIFY, SCORES, words
from ebf_baselines.retrieval import retrieved_candidates
from ebf_env.evaluation.protocols import Prompt, Want

METHOD: Final = ComposedMethod(
    Prompt(
        "entity_cmtf_provenance",
        1,
        words(JOB, BIND, MAY_CLARIFY, SCORES, EVIDENCE),
        frozenset({Want.SCORES, Want.EVIDENCE}),
    ),
    "Tools are filtered causally; what is proposed is executed if its scores pass tau and delta and every binding has "
    "evidence that the records bear out, else the user is asked (paper, sections IV and V-E).",
    menu=causal_menu,
    candidates=retrieved_candidates,
    policy=GatePolicy(evidence=True),
)
