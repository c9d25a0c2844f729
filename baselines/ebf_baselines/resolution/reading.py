"""Reading an instruction: which records it refers to, and what it says of each.

English is read from left to right. A reference begins with a name, a noun or a determiner; what follows it (values,
times, other records, with the words around them) is said of the innermost reference that can take it. What can be said
of what follows from the store: a value is one that some record has, a relation one that records of the two types have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ebf_baselines.resolution.attachment import CERTAIN
from ebf_baselines.resolution.lexicon import (
    PREPOSITIONS,
    concepts_of_field,
    concepts_of_word,
)
from ebf_baselines.resolution.nodes import (
    Node,
    RelationCue,
    TimeCue,
    ValueCue,
)
from ebf_baselines.resolution.store import RecordStore
from ebf_baselines.resolution.text import ENDS
from ebf_baselines.resolution.time_cues import TimeCues
from ebf_baselines.resolution.value_cues import ValueCues
from ebf_env.json_types import JSONObject

_BY_MAIL: Final = (["by", "email"], ["by", "mail"], ["by", "post"])
_PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class Read:
    """What texts refer to.

    Attributes:
        nodes: the references, in order.
        loose: values and times that are said of none of them for sure.
    """

    nodes: list[Node]
    loose: list[ValueCue | TimeCue]


def read(
    store: RecordStore,
    texts: Sequence[str],
    now: datetime | None = None,
    user: JSONObject | None = None,
    wanted: frozenset[str] = frozenset(),
) -> Read:
    """The references of some texts.

    Args:
        store: the records they may be about.
        texts: what the user said, oldest first; the last one is the instruction.
        now: when it was said.
        user: who says it.
        wanted: the types that the slots of the tools on offer take.
    """
    found = Read([], [])
    for number, text in enumerate(texts):
        one = _Walk(store, text, number, now, user or {}, wanted, found.nodes)
        found.nodes.extend(one.read())
        found.loose.extend(one.loose)
    return found


class _Walk(ValueCues, TimeCues):
    """Reads one text from left to right."""

    def read(self) -> list[Node]:
        """All references of the text."""
        i = 0
        while i < len(self.tokens):
            i = self._step(i) if self.tokens[i].is_word else self._mark(i)
        return self.nodes

    def _step(self, i: int) -> int:
        """Read what begins with a word, by the first rule that knows it; returns where it ends."""
        for rule in (self._relative_time, self._in_order, self._time, self._me, self._node, self._value):
            if taken := rule(i):
                return taken
        self._keep_loose(i)
        if taken := self._unknown(i):
            return taken
        if not self._closes(i):
            self.pending.append(self.words[i])
        return i + 1

    def _mark(self, i: int) -> int:
        """Read a mark: one that ends a sentence ends what can be said of its references."""
        word = self.words[i]
        if word in ENDS and not self._within_number(i):
            self.stack, self.pending = [], []
            self.sentence += 1
        elif word == ",":
            self.pending.append(",")
        return i + 1

    def _within_number(self, i: int) -> bool:
        """Whether a mark is part of a number or a time: "2.5", "10:30"."""
        token = self.tokens[i]
        return token.end < len(self.text) and self.text[token.end].isalnum() and token.word in ".:"

    def _closes(self, i: int) -> bool:
        """Whether a word says how the record before it belongs to another: "with the plan tagged alpha enclosed"."""
        word = self.words[i]
        if self.pending or len(self.stack) < _PAIR or not word.endswith("ed"):
            return False
        if self._word(i + 1) in PREPOSITIONS - {"to"} and self.words[i + 1 : i + 3] not in _BY_MAIL:
            return False
        inner = self.stack[-1]
        outer = inner.parent
        if outer is None or outer not in self.stack:
            return False
        paths = self.schema.paths(outer.types, inner.types)
        if not any(concepts_of_field(kind, path) & concepts_of_word(word) for kind, path in paths):
            return False
        for k, cue in enumerate(outer.cues):
            if isinstance(cue, RelationCue) and cue.node is inner and cue.hint[:1] in (("with",), ("having",)):
                outer.cues[k] = RelationCue(cue.span, (*cue.hint, word), cue.negated, inner, CERTAIN)
                inner.top = -CERTAIN
                self._close(outer)
                return True
        return False
