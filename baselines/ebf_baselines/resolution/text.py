"""A text as it is read: its words, and the references found in it so far.

Every part of the reader stands on this one. Two things say where it is: the stack, the references that something said
next may belong to (innermost last), and the pending words, those since the last reference or cue.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from ebf_baselines.resolution.lexicon import (
    DETERMINERS,
    NEGATION_PHRASES,
    NEGATIONS,
    Concept,
)
from ebf_baselines.resolution.nodes import (
    Cue,
    Node,
    TimeCue,
    ValueCue,
)
from ebf_baselines.resolution.spelling import corrected
from ebf_baselines.resolution.store import Named, RecordStore
from ebf_env.grounding.text import Token, tokens_of
from ebf_env.grounding.times import TimeExpression, find_times
from ebf_env.json_types import JSONObject

ENDS: Final = frozenset(".?!;:")
GENITIVE: Final = ("'s", "\u2019s")
ATTRIBUTES: Final = frozenset(
    {
        Concept.TAG, Concept.STATUS, Concept.STAGE, Concept.PRIORITY, Concept.SENSITIVITY, Concept.TIER, Concept.REGION,
        Concept.ROLE, Concept.TEAM, Concept.PLACE, Concept.COMPONENT, Concept.VERSION, Concept.INDUSTRY,
        Concept.CATEGORY, Concept.KIND, Concept.SPRINT, Concept.IDENTIFIER,
    }
)  # fmt: skip
"""What a record has by itself, rather than another record that has to do with it."""
_KEPT_MARKS: Final = frozenset(".?!;:,()").union(GENITIVE)


class Text:
    """One text and how far it is read.

    Args:
        store: the records it may be about.
        text: what was said.
        number: which of the texts it is.
        now: when it was said.
        user: who says it.
        wanted: the types that the slots of the tools on offer take.
        earlier: the references of the texts before.
    """

    def __init__(
        self,
        store: RecordStore,
        text: str,
        number: int,
        now: datetime | None,
        user: JSONObject,
        wanted: frozenset[str],
        earlier: Sequence[Node],
    ) -> None:
        self.store, self.schema, self.number, self.user = store, store.schema, number, user
        self.wanted, self.earlier = wanted, list(earlier)
        original, self.text = corrected(text, (store.name_vocabulary, store.value_vocabulary))
        tokens = tokens_of(self.text)
        kept = [k for k, t in enumerate(tokens) if t.is_word or t.word in _KEPT_MARKS]
        self.original = [original[k] for k in kept]
        self.tokens: list[Token] = [tokens[k] for k in kept]
        self.words = [t.word for t in self.tokens]
        self.times = self._times(find_times(self.text, now))
        self.shouted = self.text.isupper()
        self.cased = not self.shouted and any(
            t.is_capital and self.words[k - 1] not in ENDS for k, t in enumerate(self.tokens) if k
        )
        self.nodes: list[Node] = []
        self.stack: list[Node] = []
        self.pending: list[str] = []
        self.ahead: list[Cue] = []
        self.loose: list[ValueCue | TimeCue] = []
        self.sentence = 0

    def _times(self, found: Sequence[TimeExpression]) -> dict[int, tuple[int, TimeExpression]]:
        """Token number of the beginning to the number after the end, and the expression."""
        begins = {t.begin: i for i, t in enumerate(self.tokens)}
        placed = {}
        for time in found:
            begin = begins.get(time.span[0])
            if begin is None:
                continue
            end = begin
            while end < len(self.tokens) and self.tokens[end].begin < time.span[1]:
                end += 1
            placed[begin] = (end, time)
        return placed

    def _word(self, k: int) -> str:
        """The word at a place, or nothing past the end."""
        return self.words[k] if k < len(self.words) else ""

    def _past_determiners(self, k: int) -> int:
        """The first place from here on where no article or the like stands."""
        while self._word(k) in DETERMINERS:
            k += 1
        return k

    def _span(self, i: int, j: int) -> tuple[int, int, int]:
        """Where some words stand in what was said, before its spelling was corrected."""
        return (self.number, self.original[i].begin, self.original[j - 1].end)

    def _new_node(self, i: int, j: int) -> Node:
        """A reference of some words, led up to by what is pending."""
        _, begin, end = self._span(i, j)
        return Node(self.number, self.sentence, begin, end, end, gap=tuple(self.pending))

    def _hint(self) -> tuple[str, ...]:
        """The words that lead up to a cue."""
        return tuple(w for w in self.pending if w != ",")

    def _kinds(self, values: Sequence[tuple[Named, int]]) -> set[str]:
        """The types of the records that have one of some values."""
        return {self.store.records[n].type for named, _ in values for n, _ in named.holders}

    def _is_negated(self, words: Sequence[str]) -> bool:
        """Whether words deny what follows: "not by", "other than"."""
        if any(w in NEGATIONS for w in words):
            return True
        pairs = [tuple(words[k : k + 2]) for k in range(len(words))]
        return any(pair in NEGATION_PHRASES for pair in pairs)

    def _joins(self, gap: Sequence[str]) -> bool:
        """Whether what follows is said of what something was said of already: "kept by Ana and ..."."""
        return bool(gap) and gap[0] in ("and", "but") and any(node.cues for node in self.stack)

    def _close(self, node: Node) -> None:
        """What follows is said of this reference or of those around it."""
        for outer in self.stack[: self.stack.index(node)]:
            outer.end = max(outer.end, node.end)
        del self.stack[self.stack.index(node) + 1 :]

    def _say(self, node: Node, cue: Cue, end: int) -> None:
        """Note what is said of the innermost reference by words that end before ``end``."""
        node.cues.append(cue)
        node.end = self.original[end - 1].end
        self.pending = []
