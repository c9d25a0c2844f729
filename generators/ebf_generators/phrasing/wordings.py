"""Wordings of tools: what people say when they want a tool called, for each split another set.

A wording names the slots it has a mention for as ``{slot}``; the mention stands there later, as a noun phrase ("the
pricing plan Dana owns") or a pronoun ("it"). A domain's wordings are one module of ``ebf_generators.phrasing.tools``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ebf_env.errors import ConfigurationError
from ebf_env.world import TOOLS
from ebf_generators.pools import SPLITS, Split

Slots = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wordings:
    """What is said for one tool in one split.

    Attributes:
        do: bare verb phrases without a full stop ("share {document} with {recipient}"), which fit "Could you ...?".
        say: whole sentences, with their full stop or question mark, that ask for it another way ("{recipient} should be
            able to open {document}."); none has the tool's own verb.
    """

    do: tuple[str, ...]
    say: tuple[str, ...]


_WORDINGS: Final[dict[str, dict[Slots, dict[Split, Wordings]]]] = {}


def register_wordings(tool: str, slots: Slots, **splits: Wordings) -> None:
    """Add what people say for a tool when they mention these of its slots.

    Raises:
        ConfigurationError: an unknown tool, slot or split, a wording without one of the slots, or one said twice.
    """
    if tool not in TOOLS:
        raise ConfigurationError(f"wordings for {tool!r}, which is no registered tool")
    if set(splits) != set(SPLITS):
        raise ConfigurationError(f"wordings for {tool!r} need the splits {', '.join(SPLITS)}")
    unknown = [slot for slot in slots if TOOLS[tool].precondition(slot) is None]
    if unknown:
        raise ConfigurationError(f"wordings for {tool!r} name {unknown[0]!r}, which is no slot of it")
    known = _WORDINGS.setdefault(tool, {})
    if slots in known:
        raise ConfigurationError(f"wordings for {tool!r} with {', '.join(slots)} are registered twice")
    said: set[str] = set()
    for split in SPLITS:
        for text in (*splits[split].do, *splits[split].say):
            if sorted(re.findall(r"{(\w+)}", text)) != sorted(slots):
                raise ConfigurationError(f"the wording {text!r} of {tool!r} does not mention {', '.join(slots)} once")
            if text in said:
                raise ConfigurationError(f"the wording {text!r} of {tool!r} is there twice")
            said.add(text)
    known[slots] = {split: splits[split] for split in SPLITS}


def wordings_of(tool: str) -> Mapping[Slots, Mapping[Split, Wordings]]:
    """What is said for a tool, by the slots mentioned and by split; empty where nothing is registered."""
    return _WORDINGS.get(tool, {})


def worded_tools() -> Sequence[str]:
    """The tools that have wordings, in the order of registration."""
    return tuple(_WORDINGS)


def own_verb(tool: str) -> str:
    """The verb a tool is called by: ``share`` of ``share_document``."""
    return tool.split("_", 1)[0]
