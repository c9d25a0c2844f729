"""What the user has answered in the course of an episode, and what that leaves of what a slot may mean."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from ebf_baselines.resolution.resolver import Meaning, SlotMeaning
from ebf_baselines.resolution.store import Record, RecordStore, leaves_of
from ebf_env.decisions import Clarify, ToolCall, parse_decision
from ebf_env.json_types import JSON, JSONObject
from ebf_env.world.binding import as_ids


class Tone(StrEnum):
    """What an answer is that names no record and says nothing of one."""

    NONE = "none"
    """None of what was offered."""

    UNSURE = "unsure"
    """The user cannot tell, or has no more to say."""

    IMPATIENT = "impatient"
    """The user wants no more questions."""

    OTHER = "other"
    """Not understood, or not an answer."""


_TONES: Final = (
    (Tone.IMPATIENT, re.compile(r"\b(just (do|go)|go ahead|no time|your (own )?judge?ment|you decide)\b", re.I)),
    (Tone.NONE, re.compile(r"^\W*(no\b.*\bnone|none|neither|not (any|one) of|it is not among|nothing of)\b", re.I)),
    (
        Tone.UNSURE,
        re.compile(
            r"\b(don'?t know|do not know|not sure|no idea|could(n'?t| not) say|can(no|')t say more|nothing to add|"
            r"all i know|only know)\b",
            re.I,
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question that was asked, and what the user answered.

    Attributes:
        question: the question.
        chosen: ids of the options chosen.
        said: what the user said of what they mean, by field.
        tone: what kind of answer it is where nothing was chosen or said.
    """

    question: Clarify
    chosen: tuple[str, ...] = ()
    said: Mapping[str, JSON] | None = None
    tone: Tone = Tone.OTHER

    @property
    def tells(self) -> bool:
        """Whether the answer tells something of what is meant."""
        return bool(self.chosen or self.said)


def exchanges(messages: Iterable[JSONObject]) -> Iterator[Exchange]:
    """The questions asked so far, each with its answer, read off the messages of an episode."""
    asked: Clarify | None = None
    for message in messages:
        content = message.get("content")
        if message.get("role") == "assistant":
            decision = parse_decision(content) if isinstance(content, str) else None
            asked = decision if isinstance(decision, Clarify) else None
        elif message.get("role") == "user" and asked is not None:
            chosen, said = message.get("chosen"), message.get("said")
            yield Exchange(
                asked,
                tuple(str(i) for i in chosen) if isinstance(chosen, list | tuple) else (),
                said if isinstance(said, Mapping) else None,
                _tone(content) if isinstance(content, str) else Tone.OTHER,
            )
            asked = None


def opened(messages: Iterable[JSONObject]) -> set[tuple[str, str]]:
    """(tool, id) of the records that calls were made on in an episode which went on after them.

    An episode goes on only after searches, and after reads that were not what it is about.
    """
    made: set[tuple[str, str]] = set()
    asked: ToolCall | None = None
    for message in messages:
        content = message.get("content")
        if message.get("role") == "assistant":
            decision = parse_decision(content) if isinstance(content, str) else None
            asked = decision if isinstance(decision, ToolCall) else None
        elif message.get("role") == "tool" and asked is not None:
            made.update((asked.tool, i) for bound in asked.bindings.values() for i in as_ids(bound))
            asked = None
    return made


def _tone(text: str) -> Tone:
    return next((tone for tone, pattern in _TONES if pattern.search(text)), Tone.OTHER)


def answered(store: RecordStore, slots: Mapping[str, SlotMeaning], talk: Sequence[Exchange]) -> dict[str, SlotMeaning]:
    """What slots mean after what the user has answered."""
    found = dict(slots)
    for exchange in talk:
        slot = exchange.question.slot
        if slot is None or slot not in found:
            continue
        known = found[slot]
        index = _open_meaning(known, exchange)
        if index is None:
            continue
        told = _told(store, known, known.meanings[index], exchange)
        found[slot] = replace(known, meanings=(*known.meanings[:index], *told, *known.meanings[index + 1 :]))
    return found


def _open_meaning(slot: SlotMeaning, exchange: Exchange) -> int | None:
    """Which of several mentions of a slot an answer is about: the least sure one that the options belong to."""
    offered = {option.entity_id for option in exchange.question.options}
    ranked = sorted(range(len(slot.meanings)), key=lambda n: (slot.meanings[n].margin, slot.meanings[n].score))
    return next(
        (n for n in ranked if not offered or offered & slot.meanings[n].scores.keys()), ranked[0] if ranked else None
    )


def _told(store: RecordStore, slot: SlotMeaning, meaning: Meaning, exchange: Exchange) -> tuple[Meaning, ...]:
    """What a mention means after an answer; several mentions, where several records were chosen for a slot of many."""
    if exchange.chosen and slot.precondition.many:
        return tuple(replace(meaning, scores={entity_id: 1.0}, none=0.0) for entity_id in exchange.chosen)
    if exchange.chosen:
        return (replace(meaning, scores=dict.fromkeys(exchange.chosen, 1.0 / len(exchange.chosen)), none=0.0),)
    return (_narrowed(store, slot, meaning, exchange),)


def _narrowed(store: RecordStore, slot: SlotMeaning, meaning: Meaning, exchange: Exchange) -> Meaning:
    if exchange.said:
        kind = slot.precondition.entity_type
        fitting = {i: p for i, p in meaning.scores.items() if _fits(store, i, exchange.said)}
        if not fitting or sum(fitting.values()) < _LITTLE:
            of_type = [r for r in store.records if slot.precondition.accepts(r.type) or kind == "any"]
            fitting = {r.id: meaning.scores.get(r.id, _LITTLE) for r in of_type if _fits(store, r.id, exchange.said)}
        return _scaled(meaning, fitting, meaning.none if not fitting else 0.0)
    if exchange.tone is Tone.NONE:
        offered = {option.entity_id for option in exchange.question.options}
        return _scaled(meaning, {i: p for i, p in meaning.scores.items() if i not in offered}, max(meaning.none, _NONE))
    return meaning


_LITTLE: Final = 0.01
_NONE: Final = 0.03
"""Least weight of "none of these", once the user has said so of some."""


def _scaled(meaning: Meaning, scores: Mapping[str, float], none: float) -> Meaning:
    total = sum(scores.values()) + none
    if total <= 0:
        return replace(meaning, scores={}, none=1.0)
    ranked = sorted(scores.items(), key=lambda item: -item[1])
    return replace(meaning, scores={i: p / total for i, p in ranked}, none=none / total)


def _fits(store: RecordStore, entity_id: str, said: Mapping[str, JSON]) -> bool:
    record = store.get(entity_id)
    return record is not None and all(_holds(store, record, path, value) for path, value in said.items())


def _holds(store: RecordStore, record: Record, path: str, value: JSON) -> bool:
    """Whether a record has a value in a field; a linked record is known by its id and by its name."""
    wanted = {str(v).casefold() for v in (value if isinstance(value, list | tuple) else [value])}
    if value is None:
        return True
    if path == "id":
        return record.id.casefold() in wanted
    found = set()
    for leaf in leaves_of(record.fields):
        other = store.get(leaf.value) if isinstance(leaf.value, str) else None
        if leaf.path == path or path.startswith(f"{leaf.path}."):
            found.add(str(leaf.value).casefold())
            if other is not None:
                found.add(other.label.casefold())
    return bool(found & wanted)
