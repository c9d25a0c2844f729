"""The paper's fifth method: what is proposed is executed only if its bindings stand out from the alternatives."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ebf_baselines.gate import GatePolicy
from ebf_baselines.gating import ResolverGate
from ebf_baselines.gating.thresholds import thresholds_from
from ebf_baselines.method import ComposedMethod
from ebf_baselines.prompting import BIND, JOB, MAY_CLARIFY, SCORES, words
from ebf_baselines.retrieval import retrieved_candidates
from ebf_env.evaluation.protocols import Prompt, Want

METHOD: Final = ComposedMethod(
    Prompt("confidence_gate", 1, words(JOB, BIND, MAY_CLARIFY, SCORES), frozenset({Want.SCORES}), may_ask=True),
    "What is proposed is executed if it binds just what the instruction denotes, by calibrated scores that pass the "
    "certified tau and delta; else the user is asked (paper, sections IV-C and V-E).",
    candidates=retrieved_candidates,
    policy=ResolverGate(),
)


def variant(argument: str) -> ComposedMethod:
    """The method with other thresholds: ``own``, ``TAU/DELTA`` or a certificate's file.

    Raises:
        ConfigurationError: it is none of these, or the certificate is for another scorer.
    """
    policy = GatePolicy() if argument == "own" else ResolverGate(thresholds_from(argument))
    return replace(METHOD, prompt=replace(METHOD.prompt, name=f"{METHOD.name}:{argument}"), policy=policy)
