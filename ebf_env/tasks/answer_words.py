"""The words of a user's answer: the usual ones, or others that say the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ebf_env.json_types import JSON
from ebf_env.tasks.wording import field_words, modifier, ordinal, value_text

_PLAIN: Final[Mapping[str, tuple[str, ...]]] = {
    "none": ("Neither of those.", "No, none of them.", "It is not among those."),
    "dont_know": ("I don't know.", "I couldn't say.", "No idea, sorry."),
    "no_more": ("That is all I know about it.", "I have nothing to add to what I said.", "I only know what I said."),
    "out_of_patience": (
        "Please just go ahead.",
        "I have no time for more questions, use your judgement.",
        "You decide, please.",
    ),
}
_CHOSEN: Final = ("I mean the {places}: {names}.", "{names}, the {places}.", "The {places}, {names}, please.")
_NAMED: Final = ("I mean {what}.", "That would be {what}.", "It's {what}.", "{what}, please.")
_THE_ONE: Final = ("I mean the one {what}.", "It's the one {what}.", "The one {what}, please.")


@dataclass(frozen=True, slots=True)
class AnswerWords:
    """How answers are worded.

    Attributes:
        draw: a number from 0 up to 1 that picks among other wordings; None: the usual one.
    """

    draw: float | None = None

    def plain(self, reply: str, usual: str) -> str:
        """An answer that tells nothing about a record."""
        return self._one_of(_PLAIN[reply], usual)

    def chosen(self, places: Sequence[int], names: Sequence[str]) -> str:
        """An answer that picks options by their place."""
        where, who = " and ".join(map(ordinal, places)), ", ".join(names)
        return self._one_of(_CHOSEN, "The {places}: {names}.").format(places=where, names=who)

    def said(self, said: Mapping[str, JSON], label_path: str | None, now: str | None) -> str:
        """An answer that says something of a record: its name, what it is like, or both."""
        named = value_text(said[label_path], now) if label_path is not None and said.get(label_path) else None
        parts = [_part(path, value, now) for path, value in said.items() if path != label_path]
        what = " ".join([*([named] if named else []), *_joined(parts)])
        if named is None:
            return self._one_of(_THE_ONE, "The one {what}.").format(what=what)
        return self._one_of(_NAMED, "{what}.").format(what=what)

    def _one_of(self, others: Sequence[str], usual: str) -> str:
        return usual if self.draw is None else others[int(self.draw * len(others))]


def _part(path: str, value: JSON, now: str | None) -> str:
    return f"with the {field_words(path)} {value}" if path == "id" else modifier(path, value, now)


def _joined(parts: Sequence[str]) -> list[str]:
    return [" and ".join(parts)] if parts else []
