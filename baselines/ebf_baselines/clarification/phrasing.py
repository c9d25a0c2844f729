"""Questions in the words of a person who asks which record is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ebf_baselines.clarification.visible import Attribute, folded, spoken
from ebf_baselines.resolution.store import Record
from ebf_env.grounding.text import words_of
from ebf_env.json_types import JSON
from ebf_env.tasks.wording import field_words, listed, modifier, ordinal

_BARE: Final = frozenset(
    {
        "team",
        "department",
        "role",
        "region",
        "country",
        "location",
        "city",
        "company",
        "status",
        "version",
        "stage",
        "tier",
        "industry",
        "category",
        "kind",
        "start",
        "scheduled_for",
    }
)
"""Fields whose values speak for themselves in brackets."""

_ADDED: Final = {
    "customer_account": "account",
    "account": "account",
    "vendor": "vendor",
    "project": "project",
    "opportunity": "opportunity",
}
"""Types that people say after a name."""

_NOUNS: Final = {
    "person": "person",
    "email_thread": "thread",
    "calendar_event": "event",
    "customer_account": "account",
    "payment_run": "payment run",
}
_LEADING: Final = re.compile(
    r"^(?:(?:the|a|an|my|our|your|their|this|that|these|those|with|to|for|from|of|on|about)\s+)+", re.IGNORECASE
)
_TAIL: Final = re.compile(
    r"\s+(?:who|whom|whose|that|which|from|in|at|on|of|for|with|by|about|called|named)\s.*$", re.IGNORECASE | re.DOTALL
)
_PRONOUNS: Final = frozenset({"it", "that", "this", "one", "them", "they", "him", "her", "he", "she", "those", "these"})
_LONGEST: Final = 4
"""Most words of a mention that are said back."""


class Phrasing:
    """Words a question.

    Args:
        said: the mention, as it was said.
        records: the candidates.
        year: the current year, which days go without.
    """

    def __init__(self, said: str, records: Sequence[Record], year: int | None) -> None:
        self._records, self.year = records, year
        self._labels = [record.label for record in records]
        self._types = {record.type for record in records}
        self._head = self._head_of(said)

    def open(self) -> str:
        """The question where nothing is known to ask about."""
        return f"Which {self._head} do you mean?"

    def of_options(self, chosen: Sequence[Attribute], alike: Sequence[bool]) -> str:
        """The question that offers the candidates.

        Args:
            chosen: what they are told apart by.
            alike: for each candidate, whether it sounds the same as another and is told by its id.
        """
        details = [a for a in chosen if not a.is_label]
        if len(set(map(folded, self._labels))) == 1 and len(self._records) > 1:
            ones = [f"the {self._one(details, n, alike[n])}" for n in range(len(self._records))]
            question = f"Which {self._head} do you mean: {listed(ones)}?"
        else:
            ones = [self._bracketed(details, n, alike[n]) for n in range(len(self._records))]
            question = f"Do you mean {listed(ones)}?"
        return f"{question} I see nothing else that tells them apart." if any(alike) else question

    def of_attribute(self, attribute: Attribute, values: Sequence[JSON], most: int) -> str:
        """The question for one attribute, with its likeliest values.

        Args:
            attribute: what is asked for.
            values: its values, the likeliest first.
            most: how many of them are named.
        """
        named = [spoken(value, self.year) for value in values[:most]]
        other = "somebody else" if attribute.linked == "person" else "another one"
        choice = listed([*named, other] if len(values) > most else named)
        return f"{self._wanted(attribute)}: {choice}?"

    # --- parts ---

    def _wanted(self, attribute: Attribute) -> str:
        name, key = field_words(attribute.path), attribute.path.split(".")[0]
        one = self._head if self._types == {"person"} else f"the {self._head} you mean"
        if attribute.is_label:
            return f"Which {self._head} do you mean"
        if attribute.linked == "person":
            return f"Who is the {name} of {one}"
        if key in ("team", "tier", "sprint"):
            return f"Which {name} is {one} {'in' if key == 'sprint' else 'on'}"
        if key in ("region", "country", "location", "city", "industry", "folder", "category"):
            return f"Which {name} is {one} in"
        if key in ("start", "scheduled_for"):
            return f"When is {one}"
        if key in ("role", "status", "version", "stage", "priority", "kind"):
            return f"What {name} is {one}" if key == "kind" else f"Which {name} does {one} have"
        return f"What is the {name} of {one}"

    def _one(self, details: Sequence[Attribute], number: int, alike: bool) -> str:
        parts = [self._modifier(a, number) for a in details if a.values[number]]
        if alike:
            described = f" {' and '.join(parts)}" if parts else ""
            return f"{ordinal(number + 1)}{described} ({self._records[number].id})"
        lacking = [f"without {field_words(a.path)}" for a in details if not a.values[number]]
        return f"one {' and '.join(parts or lacking[:1])}" if parts or lacking else "other one"

    def _bracketed(self, details: Sequence[Attribute], number: int, alike: bool) -> str:
        parts = [
            ", ".join(spoken(v, self.year) for v in a.values[number])
            if a.path in _BARE and not any(isinstance(v, bool) for v in a.values[number])
            else self._modifier(a, number)
            for a in details
            if a.values[number]
        ]
        if alike:
            parts.append(self._records[number].id)
        label = self._labels[number]
        return f"{label} ({', '.join(parts)})" if parts else label

    def _modifier(self, attribute: Attribute, number: int) -> str:
        values = attribute.values[number]
        said: JSON = values[0] if len(values) == 1 and isinstance(values[0], bool) else None
        if said is None:
            said = listed([spoken(value, self.year) for value in values], "and")
        return modifier(attribute.path, said)

    def _head_of(self, said: str) -> str:
        head = _TAIL.sub("", _LEADING.sub("", said.strip().strip(".,;:!?\"'")))
        head = re.sub(r"'s$", "", head.strip())
        same = self._labels[0] if len(set(map(folded, self._labels))) == 1 else ""
        kind = next(iter(self._types)) if len(self._types) == 1 else ""
        noun = _NOUNS.get(kind, kind.replace("_", " ")) or "one"
        said_words = set(words_of(head))
        is_other = bool(same) and said_words.isdisjoint(words_of(same))
        if said_words <= _PRONOUNS or len(head.split()) > _LONGEST or is_other:
            head = same or noun
        added = _ADDED.get(kind)
        return f"{head} {added}" if added and added not in head.casefold().split() and head != noun else head
