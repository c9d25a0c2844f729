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
            message["chosen"] = {slot: list(ids) for slot, ids in self.chosen.items()}
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

        The user picks those of the options that they mean; where the question does not name its slot, the options tell
        which it is about. A question without options tells nothing apart.
        """
        offered = [option.entity_id for option in question.options]
        if not offered:
            return UserAnswer(OFFER_OPTIONS)
        asked = question.slot
        slots = [asked] if asked is not None and asked in self.task.bindings else list(self.task.bindings)
        for slot in slots:
            meant = self.meaning(slot)
            chosen = tuple(dict.fromkeys(i for i in offered if meant is not None and i in as_ids(meant)))
            if chosen:
                positions = " and ".join(_ordinal(offered.index(i) + 1) for i in chosen)
                names = ", ".join(self.task.world[i].label for i in chosen)
                return UserAnswer(f"The {positions}: {names}.", {slot: chosen})
        if self.task.label is Label.AMBIGUOUS and len(slots) == 1 and self.meaning(slots[0]) is None:
            return UserAnswer(DONT_KNOW)
        return UserAnswer(NONE_OF_THOSE)


def _ordinal(number: int) -> str:
    suffix = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"
