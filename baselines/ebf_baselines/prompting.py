"""The words that methods' prompts are made of.

A method's prompt says what the job is and when to act, ask or defer; how an answer is written is a matter of the
backend's protocol, which adds its own words. A change of any of these words is a new version of the prompts they stand
in (a test holds the hashes).
"""

from __future__ import annotations

from typing import Final

JOB: Final = (
    "You are an assistant with tools in a company's systems. You are given what a user asks for, the time it is said "
    "at, the user, earlier turns of the conversation, the tools, and records of the systems. Decide what to do next: "
    "call one tool, binding each of its slots to the ids of the records that the user means."
)
"""What every method is for."""

BIND: Final = (
    "Read every part of the request, of the conversation and of the records that tells which record is meant: names, "
    "attributes, dates relative to the given time, and relations between records. Use ids exactly as they are "
    "listed. Bind only slots that the user speaks of."
)
"""How slots are bound."""

ACT: Final = "Act now: answer with a tool call. Do not ask the user and do not defer; choose the best match."
"""The policy of the action-oriented methods (paper, section V-E)."""

MAY_CLARIFY: Final = (
    "If exactly one record fits each thing that is mentioned, act. If several fit equally well and nothing tells them "
    "apart, ask the user which one is meant, offering the records that fit. If none fits, or the user may not change "
    "the one that does, defer and say why: no_referent or not_permitted."
)
"""The policy of the methods that may ask."""

SCORES: Final = (
    "Give with your answer, for every slot, how likely each record is the one that is meant: numbers from 0 to 1 that "
    "add up to at most 1; what is missing to 1 is the chance that none of them is."
)
"""What a confidence gate needs."""

EVIDENCE: Final = (
    "Give with your answer, for every binding, the evidence: which field of which record has which value that shows "
    "that this record is meant. Copy values exactly."
)
"""What provenance needs (paper, section IV-F)."""


def words(*parts: str) -> str:
    """Paragraphs of a prompt as one text."""
    return "\n\n".join(parts)
