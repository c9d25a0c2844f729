"""The fixed words of the two protocols: what stands in a prompt beside the method's words and the observation.

A change of any of them is a new version of the protocol's format (a test holds the hashes).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final

from ebf_agents.llm.settings import ProtocolName
from ebf_env.evaluation.protocols import Prompt, Want

FORMAT_VERSIONS: Final[Mapping[ProtocolName, int]] = {"json": 2, "tools": 2}
"""Raised with every change of the words below, of how observations are rendered, or of the schemas."""

RECORDS: Final = (
    "Decide what an assistant with tools in a company's systems does next.\n\n"
    "Records are grouped by type and listed one a line as: id | name | field=value; field=value. A value may be the id "
    "of another record. Lists are written as [value,value], parts of a record as {field=value; field=value}. Times "
    "without a UTC offset have that of the time at the top. The user may not change records with access=view."
)
"""How to read the records, in both protocols."""

JSON_ANSWER: Final = """\
Tools are listed as name(slot: type) {arguments}. A slot marked ? is optional, one marked [] takes a list of ids.

Answer with one JSON object and nothing else, in one of these forms:
to act: {"decision": "ACT", "tool": "name", "bindings": {"slot": "id"}, "arguments": {"name": "value"}}
to ask: {"decision": "CLARIFY", "clarification_question": "text", "slot": "slot", "options": ["id", "id"]}
to defer: {"decision": "DEFER", "reason": "no_referent"}
"arguments" may be left out. A reason is no_referent, not_permitted or other."""
"""The paper's answer format."""

JSON_WANTS: Final[Mapping[Want, str]] = {
    Want.SCORES: 'Add to the object: "scores": {"slot": {"id": 0.9, "id": 0.05}}, the likely records of every slot.',
    Want.EVIDENCE: 'Add to the object: "provenance": '
    '[{"slot": "slot", "entity_id": "id", "source_id": "id of the record read", "field": "field", "value": "value"}].',
}
"""How what a method wants beside the decision is written, in the JSON protocol."""

TOOLS_ANSWER: Final = "Answer with exactly one tool call: the tool that does what is asked, clarify, or defer."
"""How a decision is made in the tools protocol."""

TOOLS_WANTS: Final[Mapping[Want, str]] = {
    Want.SCORES: "Give the likely records of every slot in the parameter scores.",
    Want.EVIDENCE: "Give the evidence for every binding in the parameter provenance.",
}
"""How what a method wants beside the decision is written, in the tools protocol."""

CLARIFY_TOOL: Final = "Ask the user which record is meant."
QUESTION: Final = "the question"
SLOT: Final = "the slot it is about"
OPTIONS: Final = "ids of the records that fit"
DEFER_TOOL: Final = "Do nothing, and say why."
REASON: Final = "why"
"""What the two tools that act on nothing, and their parameters, are for."""

LAYOUT: Final = """\
Time: {now}
User: {user}

Conversation before:
{history}

Records:
{records}

Tools:
{tools}

{method}

The user now says: {instruction}"""
"""The first user message; paragraphs with nothing in them are left out.

What the methods of a task have in common stands first, from the system message to the records, so that a server that
keeps what prompts begin with reads it once for all of them.
"""

NO_RECORDS: Final = "none in sight yet"
RESULT: Final = "Result of {tool}: {content}"
REMARK: Final = "[system] {content}"
UNREADABLE: Final = "(an answer that could not be read)"


def system_words(protocol: ProtocolName) -> str:
    """The system message: the protocol's words, the same for all methods."""
    return "\n\n".join([RECORDS, JSON_ANSWER if protocol == "json" else TOOLS_ANSWER])


def method_words(protocol: ProtocolName, prompt: Prompt) -> str:
    """The method's words, then the protocol's about what it wants beside the decision."""
    wants = JSON_WANTS if protocol == "json" else TOOLS_WANTS
    return "\n\n".join([prompt.text, *(words for want, words in wants.items() if want in prompt.wants)])


def prompt_label(protocol: ProtocolName, prompt: Prompt) -> str:
    """What tells one prompt from another: template, versions, and a hash of all fixed words."""
    return (
        f"{prompt.name}/{prompt.version} {protocol}/{FORMAT_VERSIONS[protocol]} "
        f"{_digest(prompt.sha256, *_protocol_words(protocol))[:12]}"
    )


def format_sha256(protocol: ProtocolName) -> str:
    """Hash of a protocol's own words."""
    return _digest(*_protocol_words(protocol))


def _protocol_words(protocol: ProtocolName) -> tuple[str, ...]:
    shared = (RECORDS, LAYOUT, NO_RECORDS, RESULT, REMARK, UNREADABLE)
    if protocol == "json":
        return (*shared, JSON_ANSWER, *JSON_WANTS.values())
    about_tools = (CLARIFY_TOOL, QUESTION, SLOT, OPTIONS, DEFER_TOOL, REASON)
    return (*shared, TOOLS_ANSWER, *TOOLS_WANTS.values(), *about_tools)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8")).hexdigest()
