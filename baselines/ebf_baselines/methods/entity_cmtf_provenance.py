"""The paper's sixth method: tools by their preconditions, the gate, and evidence for every binding."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ebf_baselines.causal import causal_menu
from ebf_baselines.gate import GatePolicy
from ebf_baselines.gating import ResolverGate
from ebf_baselines.gating.thresholds import thresholds_from
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
        may_ask=True,
    ),
    "Tools are filtered causally; what is proposed is executed if it passes the gate and every binding has evidence, "
    "and no evidence says what the records do not, else the user is asked (paper, sections IV and V-E).",
    menu=causal_menu,
    candidates=retrieved_candidates,
    policy=ResolverGate(provenance=True),
)


def variant(argument: str) -> ComposedMethod:
    """The method with other thresholds: ``own``, ``TAU/DELTA`` or a certificate's file.

    Raises:
        ConfigurationError: it is none of these, or the certificate is for another scorer.
    """
    own = argument == "own"
    policy = GatePolicy(evidence=True) if own else ResolverGate(thresholds_from(argument), provenance=True)
    return replace(METHOD, prompt=replace(METHOD.prompt, name=f"{METHOD.name}:{argument}"), policy=policy)
