"""What a question asks: which slot it is about, and whether it offers options, asks for fields, or is open.

Free text is read by rule: values of the records that the mention may be about are looked for in it, then names of their
fields; what is left must be an open question in the mention's own words. What matches nothing asks nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from ebf_env.decisions import Clarify
from ebf_env.json_types import JSON
from ebf_env.tasks.common_ground import CommonGround, plain
from ebf_env.tasks.task import Task
from ebf_env.tasks.wording import IDENTIFIERS, field_words, value_text
from ebf_env.world.search import words

MAX_READ: Final = 500
"""Most records whose values are looked for in a free text."""

_ASKS: Final = re.compile(
    r"\b(which|who|whom|whose|what|where|when|mean|meant|specify|clarify|refer|referring|intend|confirm)\b|\?",
    re.IGNORECASE,
)
_ASKING_WORDS: Final = frozenset(
    words(
        """which who whom whose what where when mean meant specify clarify refer referring intend intended confirm could
    can do does did would will should please sorry tell know exactly exact right correct want wish need there several
    many more than found see two three both multiple different following option options choose pick select between
    not sure really actually just so but if like looking talking about here person one first"""
    )
)
"""Words that ask, and say nothing of what is asked about."""


class Asks(StrEnum):
    """What kind of question it is."""

    OPTIONS = "options"
    """Which of these records?"""

    ATTRIBUTES = "attributes"
    """What does the record that is meant say in these fields?"""

    VALUES = "values"
    """Does the record that is meant have any of these values?"""

    OPEN = "open"
    """Which one?"""

    NOTHING = "nothing"
    """Nothing that can be told."""


@dataclass(frozen=True, slots=True)
class Understood:
    """A question as it is understood.

    Attributes:
        asks: the kind.
        slot: the slot it is about; None where that is not clear.
        options: ids of the records offered, without repetition.
        paths: fields asked for.
        values: by field, the values asked about.
    """

    asks: Asks
    slot: str | None = None
    options: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    values: Mapping[str, tuple[JSON, ...]] = field(default_factory=dict)


class QuestionReader:
    """Reads questions about one task; what is right in it is not looked at.

    Args:
        task: the task.
        ground: what the user sees of it.
    """

    def __init__(self, task: Task, ground: CommonGround) -> None:
        self._task, self._ground = task, ground

    def read(self, question: Clarify) -> Understood:
        """What a question asks."""
        offered = tuple(dict.fromkeys(option.entity_id for option in question.options))
        if offered:
            slot = self._named(question) or self._only(s for s in self._slots if self._could_all_fill(s, offered))
            return Understood(Asks.OPTIONS if slot else Asks.NOTHING, slot, offered)
        if question.attributes:
            return self._of_attributes(question)
        return self._of_text(question)

    # --- kinds of question ---

    def _of_attributes(self, question: Clarify) -> Understood:
        slots = [named] if (named := self._named(question)) is not None else self._slots
        found = {slot: paths for slot in slots if (paths := self._paths(slot, question.attributes))}
        slot = self._only(found) or self._only(s for s in found if self._is_in(s, question.question))
        return Understood(Asks.ATTRIBUTES, slot, paths=found[slot]) if slot is not None else Understood(Asks.NOTHING)

    def _paths(self, slot: str, attributes: Sequence[str]) -> tuple[str, ...]:
        ids = self.candidates(slot)
        found = [self._ground.path_of(name, ids) for name in attributes]
        return tuple(dict.fromkeys(path for path in found if path is not None))

    def _of_text(self, question: Clarify) -> Understood:
        text, named = question.question, self._named(question)
        slots = [named] if named is not None else self._slots
        by_values = {slot: values for slot in slots if (values := self._values_in(text, slot))}
        if by_values:
            most = max(map(len, by_values.values()))
            slot = self._only(s for s, values in by_values.items() if len(values) == most)
            if slot is not None:
                return Understood(Asks.VALUES, slot, values=by_values[slot])
            slot = self._only(s for s in by_values if self._is_in(s, text))
            return Understood(Asks.VALUES, slot, values=by_values[slot]) if slot else Understood(Asks.NOTHING)
        by_fields = {slot: paths for slot in slots if (paths := self._fields_in(text, slot))}
        slot = self._only(by_fields) or self._only(s for s in by_fields if self._is_in(s, text))
        if slot is not None:
            return Understood(Asks.ATTRIBUTES, slot, paths=by_fields[slot])
        return self._open(text, named)

    def _open(self, text: str, named: str | None) -> Understood:
        if not text.strip():
            return Understood(Asks.OPEN, named) if named is not None else Understood(Asks.NOTHING)
        left = [w for w in self._ground.content_words(text) if w not in _ASKING_WORDS]
        slot = named or self._only(self._slots) or self._only(s for s in self._slots if self._is_in(s, text))
        if slot is None or not _ASKS.search(text):
            return Understood(Asks.NOTHING)
        about = self._words_about(slot) | self._common_words
        grounded = not left or any(w in about or w.removesuffix("s") in about for w in left)
        return Understood(Asks.OPEN, slot) if grounded else Understood(Asks.NOTHING)

    # --- slots ---

    @property
    def _slots(self) -> list[str]:
        return list(self._task.bindings)

    def _named(self, question: Clarify) -> str | None:
        return question.slot if question.slot in self._task.bindings else None

    @staticmethod
    def _only(slots: Collection[str] | Iterator[str]) -> str | None:
        found = list(slots)
        return found[0] if len(found) == 1 else None

    def _could_all_fill(self, slot: str, offered: Collection[str]) -> bool:
        precondition = self._task.spec.precondition(slot)
        entities = [self._task.world.get(entity_id) for entity_id in offered]
        return precondition is not None and all(e is not None and precondition.accepts(e.type) for e in entities)

    def _is_in(self, slot: str, text: str) -> bool:
        """Whether a text speaks of a slot: by its name, its type, or the words it is mentioned by."""
        about = self._words_about(slot)
        said = (word for word in words(text) if word not in _ASKING_WORDS)
        return any(word in about or word.removesuffix("s") in about for word in said)

    def _words_about(self, slot: str) -> frozenset[str]:
        precondition = self._task.spec.precondition(slot)
        kind = "" if precondition is None else precondition.entity_type
        spoken = self._ground.spoken(slot) if any(m.slot == slot for m in self._task.mentions) else ()
        called = [w for i in self.candidates(slot)[:MAX_READ] for w in self._called(i)]
        return frozenset([*words(slot.replace("_", " ")), *words(kind.replace("_", " ")), *spoken, *called])

    @property
    def _common_words(self) -> frozenset[str]:
        """The words of the instruction and of what can be done: what both sides speak of."""
        deeds = (spec.name.replace("_", " ") for spec in self._task.tools)
        return frozenset([*words(self._task.instruction), *(word for deed in deeds for word in words(deed))])

    def _called(self, entity_id: str) -> list[str]:
        entity = self._ground.entity(entity_id)
        return [] if entity is None else words(entity.label)

    def candidates(self, slot: str) -> list[str]:
        """What the mention may be about: the surface candidates and what is denoted, in a fixed order."""
        return sorted(self._ground.surface(slot) | self._ground.denoted(slot))

    # --- free text ---

    def _values_in(self, text: str, slot: str) -> dict[str, tuple[JSON, ...]]:
        """By field, the values that a text names and that not all candidates have; a longer one hides shorter ones."""
        ids = self.candidates(slot)[:MAX_READ]
        said = words(text)
        holders: dict[tuple[str, str], list[str]] = {}
        kept: dict[tuple[str, str], JSON] = {}
        for entity_id in ids:
            for path, value in self._speakable(entity_id):
                key = path, plain(value)
                holders.setdefault(key, []).append(entity_id)
                kept.setdefault(key, value)
        spans: list[tuple[int, int, tuple[str, str]]] = []
        for key, value in kept.items():
            for form in {value_text(value, self._task.now), value_text(value), str(value)}:
                wanted = words(form)
                spans += [(begin, begin + len(wanted), key) for begin in _places(wanted, said)]
        longest = [s for s in spans if not any(o[0] <= s[0] and s[1] <= o[1] and o[:2] != s[:2] for o in spans)]
        found: dict[str, list[JSON]] = {}
        for _, _, key in longest:
            if len(holders[key]) < len(ids) or len(ids) == 1:
                values = found.setdefault(key[0], [])
                if kept[key] not in values:
                    values.append(kept[key])
        return {path: tuple(values) for path, values in found.items()}

    def _speakable(self, entity_id: str) -> Iterator[tuple[str, JSON]]:
        yield "id", entity_id
        for path, values in self._ground.facts(entity_id).items():
            for value in values:
                if not isinstance(value, bool) and len(str(value)) > 1:
                    yield path, value

    def _fields_in(self, text: str, slot: str) -> tuple[str, ...]:
        """The fields that a text names, of those that differ among the candidates."""
        said = words(text)
        ids = self.candidates(slot)[:MAX_READ]
        found: dict[str, None] = {}
        for path in dict.fromkeys(path for entity_id in ids for path in self._ground.facts(entity_id)):
            names = words(field_words(path))
            short = path.split(".")[-1] in IDENTIFIERS
            if any(_places(form, said) for form in (names, [*names[:-1], f"{names[-1]}s"])) and (short or _asks(said)):
                found[path] = None
        about = frozenset(self._ground.spoken(slot))
        return tuple(path for path in found if not about.issuperset(words(field_words(path))))


def _asks(said: Sequence[str]) -> bool:
    return any(word in ("which", "what", "whose", "who", "when", "where") for word in said)


def _places(wanted: Sequence[str], said: Sequence[str]) -> list[int]:
    """Where words stand in others, one after the other."""
    size = len(wanted)
    if not size:
        return []
    return [n for n in range(len(said) - size + 1) if list(said[n : n + size]) == list(wanted)]
