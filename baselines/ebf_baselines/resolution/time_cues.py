"""Times, places in an order and the user, said after a reference: "opened last week", "I sent"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ebf_baselines.resolution.attachment import concepts, content
from ebf_baselines.resolution.heads import Heads
from ebf_baselines.resolution.lexicon import (
    FIRST,
    FIRST_PERSON,
    LAST,
    POSSESSIONS,
    PREPOSITIONS,
    RELATIVE,
    Concept,
    concepts_of_field,
    concepts_of_word,
    word_set,
)
from ebf_baselines.resolution.nodes import (
    Node,
    OrderCue,
    TimeCue,
    UserCue,
)
from ebf_baselines.resolution.text import GENITIVE

_BECOMES: Final = word_set("to until till by into")
_ORDER: Final = word_set("first last latest earliest longest")
_HAVING: Final = word_set("have had ve am was just")
_FEW: Final = 5


class TimeCues(Heads):
    """Reads times, orders after their reference, and the first person."""

    def _time(self, i: int) -> int:
        """A time that begins here: returns where it ends, 0 if there is none."""
        if i not in self.times:
            return 0
        end, time = self.times[i]
        name = self._name_at(i)
        if name and name.end >= end and name.end - i > 1:
            return 0
        if any((value := self._value_at(k)) and value.end >= end and value.end - k > 1 for k in range(i, end)):
            return 0
        possessive = self.words[end - 1] in GENITIVE or self.words[end - 1].endswith("s")
        if possessive and self._goes_on(end):
            return 0
        hint = self._hint()
        if self.stack and not (hint and hint[-1] in _BECOMES):
            cue = TimeCue(self._span(i, end), hint, self._is_negated(hint), time)
            node = self._holder_of_time(hint)
            if node is None:
                self.loose.append(cue)
            else:
                self._say(node, cue, end)
                self._close(node)
        self.pending = []
        return end

    def _holder_of_time(self, hint: tuple[str, ...]) -> Node | None:
        """The reference a time is said of: one with such a time ("*opened* last week"), or any that has times."""
        said = concepts(content(hint))
        for node in reversed(self.stack):
            for kind in node.types or ():
                fields = [concepts_of_field(kind, path) for path in self.schema.times.get(kind, ())]
                if any(f & said for f in fields):
                    return node
        if len(hint) > _FEW:
            return None
        for node in reversed(self.stack):
            if node.types is None:
                continue
            timed = [kind for kind in node.types if self.schema.times.get(kind)]
            if timed and (not said or "person" not in node.types) and (hint or "person" not in node.types):
                return node
        return None

    def _me(self, i: int) -> int:
        """The user, said of a reference: "I opened", "from me", "in my name"; returns where it ends, or 0."""
        if self.words[i] not in FIRST_PERSON or not self.stack:
            return 0
        gap = list(self._hint())
        if self.words[i] == "my":
            return self._possession(i, gap)
        said = self._as_first_person(i, gap)
        if said is None:
            return 0
        hint, end = said
        about = concepts(hint)
        for node in reversed(self.stack):
            paths = frozenset() if node.pronoun else self.schema.paths(node.types, frozenset({"person"}))
            if any(concepts_of_field(kind, path) & about for kind, path in paths):
                self._say(node, UserCue(self._span(i, end), hint, self._is_negated(gap)), end)
                self._close(node)
                return end
        return 0

    def _possession(self, i: int, gap: Sequence[str]) -> int:
        """As in "in my name", "under my care" after a reference."""
        noun = self._word(i + 1)
        gap = gap[1:] if gap[:1] == ["and"] else gap
        if len(gap) != 1 or gap[0] not in PREPOSITIONS or noun not in POSSESSIONS:
            return 0
        self._say(self.stack[-1], UserCue(self._span(i, i + 2), (*gap, noun), False), i + 2)
        return i + 2

    def _as_first_person(self, i: int, gap: Sequence[str]) -> tuple[tuple[str, ...], int] | None:
        """The words that say what the user has to do with a record, and where they end."""
        if self.words[i] != "i":
            return None if not gap or gap == ["to"] or gap[-1] == "for" else (tuple(gap), i + 1)
        if self._word(i + 1) == "am" and concepts(gap):
            return tuple(gap), i + 2
        if any(w not in RELATIVE for w in gap):
            return None
        j = i + 1
        while j <= i + 3 and self._word(j) in _HAVING:
            j += 1
        return ((self.words[j],), j + 1) if concepts_of_word(self._word(j)) else None

    def _in_order(self, i: int) -> int:
        """A place in an order after the reference it is said of: returns where it ends, 0 if there is none."""
        if not self.stack:
            return 0
        found = self._as_first(i) or self._that_comes_last(i) or self._in_version(i)
        if found is None:
            return 0
        cue, end = found
        self._say(self.stack[-1], cue, end)
        return end

    def _as_first(self, i: int) -> tuple[OrderCue, int] | None:
        """As in "as originally written", "as last edited"."""
        if self.words[i : i + 2] in (["as", "originally"], ["as", "first"]):
            end = min(i + 3, len(self.tokens))
            return OrderCue(self._span(i, end), ("version",), False, last=False), end
        if self.words[i : i + 2] == ["as", "last"] and concepts_of_word(self._word(i + 2)):
            return OrderCue(self._span(i, i + 3), (self.words[i + 2],), False, last=True), i + 3
        return None

    def _that_comes_last(self, i: int) -> tuple[OrderCue, int] | None:
        """As in "the meeting that starts first"."""
        word, hint = self.words[i], tuple(content(self.pending))
        if word not in _ORDER or i in self.times or not hint or self.pending[0] not in RELATIVE:
            return None
        if not all(concepts_of_word(w) or w in ("comes", "came") for w in hint) or self._head_follows(i + 1):
            return None
        return OrderCue(self._span(i, i + 1), hint, False, last=word in ("last", "latest")), i + 1

    def _in_version(self, i: int) -> tuple[OrderCue, int] | None:
        """As in "in its latest version"."""
        if self.words[i] not in ("in", "at", "with", "to") or self._word(i + 1) not in ("its", "their", "the"):
            return None
        word, noun = self._word(i + 2), self._word(i + 3)
        if word not in LAST | FIRST or Concept.VERSION not in concepts_of_word(noun):
            return None
        return OrderCue(self._span(i, i + 4), (noun,), False, last=word in LAST), i + 4
