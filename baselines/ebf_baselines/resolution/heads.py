"""The nouns a reference is made of, and the words of order before them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ebf_baselines.resolution.lexicon import (
    COMPOUND_HEADS,
    FIRST,
    FIRST_PERSON,
    GENERIC,
    GROUPS,
    LAST,
    NEXT,
    ORDINALS,
    PARTICIPLES,
    PREPOSITIONS,
    RELATIONAL,
    RELATIVE,
    SIZES,
    STOPWORDS,
    VENUES,
    concepts_of_word,
    types_of_noun,
    word_set,
)
from ebf_baselines.resolution.nodes import (
    NameWord,
    OrderCue,
)
from ebf_baselines.resolution.places import Places
from ebf_env.grounding.text import words_of

_MOST: Final = word_set("most least more")
_RECENT: Final = word_set("recent recently newly current")


class Heads(Places):
    """Tells nouns for records from other nouns, and reads what puts records in order."""

    def _noun(self, word: str) -> frozenset[str]:
        """The types of record there are, or are asked for, that a noun stands for."""
        return types_of_noun(word) & (self.store.types | self.wanted) or self._called(word) or self._field(word)

    def _field(self, word: str) -> frozenset[str]:
        """The types of the records that a field of this name holds: "the proposal of the deal"."""
        return frozenset(
            target
            for (_, target), paths in self.schema.relations.items()
            for path in paths
            if path in (word, word + "s")
        )

    def _called(self, word: str) -> frozenset[str]:
        """The types of the store that are called by a noun, or end in it."""
        singular = word.removesuffix("s")
        return frozenset(kind for kind in self.store.types if words_of(kind)[-1:] in ((word,), (singular,)))

    def _types(self, records: frozenset[int], nouns: Sequence[str]) -> frozenset[str] | None:
        """The types a reference may be of, by its name and its nouns; where they disagree, the name says it."""
        by_noun: frozenset[str] | None = None
        for kinds in (types_of_noun(noun) for noun in reversed(nouns) if noun not in GENERIC):
            by_noun = kinds if by_noun is None else (by_noun & kinds or by_noun)
        foreign = frozenset(kind for noun in nouns for kind in self._called(noun) or self._field(noun))
        if foreign:
            by_noun = foreign | (by_noun or frozenset())
        by_name = frozenset(self.store.records[n].type for n in records)
        if by_noun is None:
            return by_name or None
        return (by_name & by_noun or by_name) if records else by_noun

    def _is_noun(self, j: int, names: tuple[NameWord, ...]) -> bool:
        """Whether a noun for a type of record closes the reference here: "the plan Ana wrote", not "the plan room"."""
        word = self.words[j]
        if j + 1 >= len(self.tokens) or word == "whoever" or (self.pending == ["'s"] and word in RELATIONAL):
            return True
        after = self.words[j + 1]
        if not self.tokens[j + 1].is_word or after in PREPOSITIONS | RELATIVE | STOPWORDS | LAST | FIRST:
            return True
        if not names and (after in VENUES or after in COMPOUND_HEADS):
            return False
        if after in PARTICIPLES and concepts_of_word(after):
            return True
        if types_of_noun(after) and not types_of_noun(after) & types_of_noun(word):
            return bool(names)
        if j + 1 in self.times or after.endswith(("ed", "ing")) or concepts_of_word(after) or after in FIRST_PERSON:
            return True
        if names or not after.isalpha():
            return True
        name = self._name_at(j + 1)
        return bool(name and self._is_fit_name(j + 1, name)) or bool(self._value_at(j + 1))

    def _is_compound(self, j: int) -> bool:
        """Whether a noun only tells what kind of the next noun is meant: "the account owner"."""
        after = self.words[j + 1] if j + 1 < len(self.words) else ""
        return after in RELATIONAL and bool(self._noun(after)) and not self._noun(after) & self._noun(self.words[j])

    def _is_group(self, nouns: Sequence[str]) -> bool:
        """Whether nouns stand for several records that are not singled out: "the open tickets"."""
        return bool(nouns) and (
            nouns[-1] in GROUPS or (nouns[-1].endswith("s") and bool(types_of_noun(nouns[-1].removesuffix("s"))))
        )

    def _goes_on(self, j: int) -> bool:
        """Whether the reference has its name or noun still to come: after "the draft", or "the Berlin"."""
        if j >= len(self.tokens) or (self.words[j] == "of" and j + 1 < len(self.tokens)):
            return False
        name, value = self._name_at(j), self._value_at(j)
        return (
            bool(name and self._is_fit_name(j, name))
            or bool(self._noun(self.words[j]))
            or self.words[j] in GENERIC
            or bool(value and value.end < len(self.tokens) and self._goes_on(value.end))
        )

    def _head_follows(self, k: int) -> bool:
        """Whether what words of order are said of stands here: after "the latest", "the second"."""
        if k >= len(self.tokens) or not self.tokens[k].is_word:
            return False
        word, name, value = self.words[k], self._name_at(k), self._value_at(k)
        return (
            bool(types_of_noun(word))
            or word in GENERIC
            or word in ("version", "revision", "of")
            or bool(name and (self._is_fit_name(k, name) or self._in_reference(k)))
            or bool(value and self._goes_on(value.end))
        )

    def _order(self, j: int) -> tuple[OrderCue, int] | None:
        """A superlative or an ordinal here, and where it ends: "second latest", "most recently opened", "next"."""
        begin, rank = j, 1
        if self.words[j] in ORDINALS and j + 1 < len(self.words):
            rank, following = ORDINALS[self.words[j]], self.words[j + 1]
            if following in LAST | FIRST:
                j += 1
            elif following in ("most", "to") and j + 2 < len(self.words):
                j += 2
            else:
                return self._ordinal(j, rank)
        if self.words[j] in _MOST and j + 1 < len(self.words):
            return self._most(begin, j, rank)
        return self._superlative(begin, j, rank)

    def _ordinal(self, j: int, rank: int) -> tuple[OrderCue, int] | None:
        """As in "the third ticket"; a rank below zero counts from the end: "the penultimate ticket"."""
        if j + 1 in self.times or not self._head_follows(j + 1):
            return None
        return OrderCue(self._span(j, j + 1), (), False, last=rank < 0, rank=2 if rank < 0 else rank), j + 1

    def _most(self, begin: int, j: int, rank: int) -> tuple[OrderCue, int] | None:
        """As in "the most recent ticket", "the least recently opened one"."""
        follow = self.words[j + 1]
        if follow not in _RECENT:
            return None
        hint: tuple[str, ...] = ()
        k = j + 2
        if follow != "recent" and concepts_of_word(self._word(k)):
            hint = (self.words[k],)
            k += 1
        if not self._head_follows(k) and not hint:
            return None
        return OrderCue(self._span(begin, k), hint, False, last=self.words[j] != "least", rank=abs(rank)), k

    def _superlative(self, begin: int, j: int, rank: int) -> tuple[OrderCue, int] | None:
        """As in "the latest ticket", "the last opened one", "the next meeting"."""
        word, k = self.words[j], j + 1
        if j in self.times:
            return None
        if word in NEXT and self._head_follows(k):
            return OrderCue(self._span(begin, k), (), False, last=False, rank=abs(rank), coming=True), k
        if word not in LAST and word not in FIRST:
            return None
        hint: tuple[str, ...] = ()
        if concepts_of_word(self._word(k)) and self.words[k].endswith("ed"):
            hint = (self.words[k],)
            k += 1
        if not self._head_follows(k):
            return None
        size = (word,) if word in SIZES else ()
        return OrderCue(self._span(begin, k), (*hint, *size), False, last=word in LAST, rank=abs(rank)), k
