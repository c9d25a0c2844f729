"""The user who answers an agent's questions: rule-based, deterministic, and never volunteering anything."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from ebf_env.decisions import Clarify
from ebf_env.json_types import JSON, JSONObject
from ebf_env.tasks.labels import Label
from ebf_env.tasks.task import Task
from ebf_env.world.binding import Binding, as_ids

DONT_KNOW = "I don't know either."
NONE_OF_THOSE = "None of those."
OFFER_OPTIONS = "I can't tell from that. Tell me the options you see."
TOO_MANY = "That is too many to choose from. Give me a few."
UNCLEAR = "I don't know what you are asking about."

MAX_OPTIONS = 10
"""A question with more options is not answered: the user is no search engine."""


@dataclass(frozen=True, slots=True)
class UserAnswer:
    """What the user says to a question.

    Attributes:
        text: the words.
        chosen: slot to the options chosen; empty where the question told nothing apart.
    """

    text: str
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def to_message(self) -> JSONObject:
        """The answer as a message of the conversation."""
        message: dict[str, JSON] = {"role": "user", "content": self.text}
        if self.chosen:
            message["chosen"] = [entity_id for ids in self.chosen.values() for entity_id in ids]
        return message


@dataclass(frozen=True, slots=True)
class UserOracle:
    """Answers questions that offer options, by option.

    The user knows what they meant: the gold entity of a resolvable slot, the task's ``intent`` for another. A slot with
    neither is one the user could not tell either.
    """

    task: Task

    def meaning(self, slot: str) -> Binding | None:
        """What the user means by a slot, or None where they could not say."""
        return self.task.bindings.get(slot) or self.task.intent.get(slot)

    @property
    def could_say(self) -> bool:
        """Whether the user could tell every slot that has no gold entity."""
        return all(self.meaning(slot) is not None for slot in self.task.bindings)

    def told_by(self, slot: str, chosen: Collection[str]) -> Binding | None:
        """What is meant by a slot without gold, once the options chosen so far tell it; else None.

        Of a slot that takes many, the entities that the instruction itself names need not be asked about: those that a
        mention of the slot has as its gold.
        """
        meant = self.task.intent.get(slot)
        if meant is None or self.task.bindings.get(slot) is not None:
            return None
        clear = {i for m in self.task.mentions if m.slot == slot and m.gold is not None for i in as_ids(m.gold)}
        return meant if set(as_ids(meant)) <= clear | set(chosen) else None

    def answer(self, question: Clarify) -> UserAnswer:
        """The answer to one question.

        The user picks those of a few options that they mean. A question is about the slot it names; one that names none
        is about the only slot that could take every option. A question without options, with too many, or about nothing
        in particular tells nothing apart.
        """
        offered = list(dict.fromkeys(option.entity_id for option in question.options))
        if not offered:
            return UserAnswer(OFFER_OPTIONS)
        if len(offered) > MAX_OPTIONS:
            return UserAnswer(TOO_MANY)
        slot = self._slot_asked_about(question.slot, offered)
        if slot is None:
            return UserAnswer(UNCLEAR)
        meant = self.meaning(slot)
        chosen = tuple(entity_id for entity_id in offered if entity_id in as_ids(meant))
        if chosen:
            positions = " and ".join(_ordinal(offered.index(i) + 1) for i in chosen)
            names = ", ".join(self.task.world[i].label for i in chosen)
            return UserAnswer(f"The {positions}: {names}.", {slot: chosen})
        return UserAnswer(DONT_KNOW if meant is None and self.task.label is Label.AMBIGUOUS else NONE_OF_THOSE)

    def _slot_asked_about(self, named: str | None, offered: Collection[str]) -> str | None:
        if named is not None and named in self.task.bindings:
            return named
        fitting = [slot for slot in self.task.bindings if self._could_all_fill(slot, offered)]
        return fitting[0] if len(fitting) == 1 else None

    def _could_all_fill(self, slot: str, offered: Collection[str]) -> bool:
        precondition = self.task.spec.precondition(slot)
        entities = [self.task.world.get(entity_id) for entity_id in offered]
        return precondition is not None and all(e is not None and precondition.accepts(e.type) for e in entities)


def _ordinal(number: int) -> str:
    suffix = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"
