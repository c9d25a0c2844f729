"""What stands at a place of a text: a name or a value that some record has, mistyped ones too."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ebf_baselines.resolution.common_words import is_common
from ebf_baselines.resolution.lexicon import (
    DETERMINERS,
    FIRST,
    LAST,
    NEXT,
    PREPOSITIONS,
    STOPWORDS,
    Concept,
    concepts_of_word,
    types_of_noun,
)
from ebf_baselines.resolution.nodes import (
    NameWord,
    Node,
)
from ebf_baselines.resolution.store import Named, RecordStore
from ebf_baselines.resolution.text import ENDS, Text
from ebf_env.json_types import JSONObject


@dataclass(frozen=True, slots=True)
class Name:
    """Words that the name of some record holds.

    Attributes:
        end: the place after them.
        words: what was said, and what it may be.
        records: numbers of the records whose names hold them all.
        wrong: how many typing mistakes that takes.
    """

    end: int
    words: tuple[NameWord, ...]
    records: frozenset[int]
    wrong: int


@dataclass(frozen=True, slots=True)
class Value:
    """Words that are a value of some record.

    Attributes:
        end: the place after them.
        said: the words.
        values: the values they may be, and how many typing mistakes that takes.
    """

    end: int
    said: tuple[str, ...]
    values: tuple[tuple[Named, int], ...]


class Places(Text, ABC):
    """Finds names and values."""

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
        super().__init__(store, text, number, now, user, wanted, earlier)
        self._names: dict[int, Name | None] = {}
        self._values: dict[int, Value | None] = {}

    def _name_at(self, i: int) -> Name | None:
        """The name that begins here, whether or not it is meant as one."""
        if i not in self._names:
            self._names[i] = self._find_name(i)
        return self._names[i]

    def _find_name(self, i: int) -> Name | None:
        """The longest run of words that some record's name holds."""
        found: frozenset[int] | None = None
        words: list[NameWord] = []
        for j in range(i, len(self.tokens)):
            near = self._near_names(j)
            if not words and near and near[0][1] and is_common(self.words[j]):
                break
            if not near and words and self.words[j] in self.store.name_vocabulary:
                near = ((self.words[j], 0),)
            holders = frozenset(n for word, _ in near for n in self.store.named(word))
            both = holders if found is None else found & holders
            if not both:
                break
            found = both
            words.append(NameWord(self.words[j], near))
        ends = {variant[-1] for n in found or () for variant in self.store.names[n]}
        while words and words[-1].said in STOPWORDS and words[-1].said not in ends:
            words.pop()
        if found is None or all(word.said.isdigit() for word in words):
            return None
        return Name(i + len(words), tuple(words), found, sum(word.near[0][1] for word in words))

    def _near_names(self, i: int) -> tuple[tuple[str, int], ...]:
        """The words of the store's names that the word here may be; an everyday word is none of them by mistake."""
        token = self.tokens[i]
        if not token.is_word:
            return ()
        word = token.word
        if word in STOPWORDS and not (token.is_capital and i and not self.shouted):
            return ()
        if is_common(word) and token.is_capital and i and self.cased and word not in self.store.name_vocabulary:
            return ()
        return self.store.name_spellings(word)

    def _value_at(self, i: int) -> Value | None:
        """The value that begins here."""
        if i not in self._values:
            self._values[i] = self._find_value(i)
        return self._values[i]

    def _find_value(self, i: int) -> Value | None:
        """The longest values of the store that stand at a place, mistyped ones too."""
        token = self.tokens[i]
        if not token.is_word:
            return None
        least = 2 if token.word in STOPWORDS or token.word in PREPOSITIONS else 1
        best: dict[int, dict[tuple[str, ...], int]] = {}
        for near, off in self.store.value_spellings(token.word):
            if off and is_common(token.word):
                continue
            for words in self.store.values_beginning(near):
                wrong = self._matches(i, words) if len(words) >= least else None
                if wrong is not None:
                    best.setdefault(len(words), {})[words] = wrong
        if not best:
            return self._version_at(i)
        length = max(best)
        values = tuple((named, wrong) for words, wrong in best[length].items() for named in self.store.values(words))
        return Value(i + length, tuple(self.words[i : i + length]), values)

    def _version_at(self, i: int) -> Value | None:
        """A version in two words: "version 2" for "v2"."""
        number = self._word(i + 1)
        if Concept.VERSION not in concepts_of_word(self.words[i]) or not number.isdigit():
            return None
        words = (f"v{number}",)
        values = tuple((named, 0) for named in self.store.values(words))
        return Value(i + 2, words, values) if values else None

    def _matches(self, i: int, words: tuple[str, ...]) -> int | None:
        """Typing mistakes with which words stand at a place, or None."""
        if i + len(words) > len(self.tokens):
            return None
        total = 0
        for said, word in zip(self.words[i : i + len(words)], words, strict=True):
            wrong = 0 if said == word else dict(self.store.value_spellings(said)).get(word)
            if wrong is None:
                return None
            total += wrong
        return total

    # Rules for and against, the plainest first.
    def _is_fit_name(self, i: int, name: Name) -> bool:
        """Whether words that some name holds are meant as a name here: "send Will the plan", not "I will send"."""
        token, word = self.tokens[i], self.words[i]
        if token.is_capital and i and not self.shouted and self.words[i - 1] not in ENDS:
            return True
        led = self._in_reference(i)
        if led and self._is_said_before(name):
            return True
        if self.cased and not token.is_capital and all(self.store.records[n].type == "person" for n in name.records):
            return False
        if name.wrong and self._word(name.end) == "of" and not led:
            return False
        if not is_common(word) and (token.is_capital or not self.cased):
            return True
        coverage = self._coverage(name)
        if name.end - i > 1 and name.wrong <= 1:
            everyday = all(is_common(w.said) for w in name.words)
            return coverage >= 1 or not everyday or (led and self.words[i - 1] not in ("a", "an"))
        if is_common(word) and not (name.end < len(self.words) and self._noun(self.words[name.end])):
            return coverage == 1 and name.wrong == 0 and led
        if name.wrong and coverage < 1 and not led:
            return False
        return coverage >= 1 or self._goes_on_as_name(name, led=led)

    def _is_said_before(self, name: Name) -> bool:
        """Whether a reference before was made by a name with these words."""
        said = {w.said for w in name.words}
        return any(node.names and said <= {w.said for w in node.names} for node in (*self.earlier, *self.nodes))

    def _coverage(self, name: Name) -> float:
        """Which part of a record's name was said, of the record where it is most."""
        return max(
            len(name.words) / len(variant)
            for n in name.records
            for variant in self.store.names[n]
            if any(near in variant for near, _ in name.words[0].near)
        )

    def _goes_on_as_name(self, name: Name, *, led: bool) -> bool:
        """Whether part of a name is followed as a name would be: by its noun, a preposition, a mark, a time."""
        first = any(
            variant[0] == near
            for n in name.records
            for variant in self.store.names[n]
            for near, _ in name.words[0].near
        )
        following = self._word(name.end) or "."
        noun = bool(types_of_noun(following))
        known = (
            following in PREPOSITIONS
            or following in STOPWORDS
            or noun
            or bool(concepts_of_word(following))
            or not following[0].isalnum()
            or name.end in self.times
        )
        return (first or noun) and (known or led)

    def _in_reference(self, i: int) -> bool:
        """Whether a determiner or a preposition precedes."""
        before = self.words[i - 1] if i else ""
        return before in DETERMINERS or before in PREPOSITIONS or before in LAST or before in FIRST or before in NEXT

    @abstractmethod
    def _noun(self, word: str) -> frozenset[str]:
        """The types of record that a noun stands for."""
