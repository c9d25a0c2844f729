"""Words of a text: where they stand, how they are compared, and which are near each other."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA

_TOKEN: Final = re.compile(r"['\u2019]s\b|[^\W_]+|[^\w\s]|_")
_WORD: Final = re.compile(r"[^\W_]+")
_UNDECOMPOSED: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ß": "ss", "\u0131": "i"}
)


@lru_cache(maxsize=1 << 16)
def fold(text: str) -> str:
    """A text without case and diacritics."""
    if text.isascii():
        return text.lower()
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return plain.casefold().translate(_UNDECOMPOSED)


@lru_cache(maxsize=1 << 16)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, folded; underscores, hyphens and marks part words."""
    return tuple(_WORD.findall(fold(text)))


class Token(NamedTuple):
    """A word or a mark of a text.

    Attributes:
        begin: where it begins, in characters.
        end: where it ends.
        text: as it is written.
        word: folded; a mark stands for itself.
    """

    begin: int
    end: int
    text: str
    word: str

    @property
    def is_word(self) -> bool:
        """Whether it is a word, not a mark."""
        return self.text[0].isalnum()

    @property
    def is_capital(self) -> bool:
        """Whether it begins with a capital letter."""
        return self.text[0].isupper()


@lru_cache(maxsize=4096)
def tokens_of(text: str) -> tuple[Token, ...]:
    """The words and marks of a text; ``'s`` at the end of a word is a mark of its own."""
    return tuple(Token(m.start(), m.end(), m.group(), fold(m.group())) for m in _TOKEN.finditer(text))


# --- mistyped words ---

_SHORT: Final = 4
_LONG: Final = 8


def allowance(word: str) -> int:
    """How many typing mistakes leave a word recognisable: none up to three characters, two from eight on, else one.

    Where two words are compared, the shorter one counts; numbers are never mistyped.
    """
    if len(word) < _SHORT or word.isdigit():
        return 0
    return 1 if len(word) < _LONG else 2


@lru_cache(maxsize=1 << 16)
def mistakes(word: str, other: str) -> int | None:
    """Typing mistakes between two words (restricted Damerau-Levenshtein), or None where they are two words."""
    if word == other:
        return 0
    allowed = min(allowance(word), allowance(other))
    if not allowed or abs(len(word) - len(other)) > allowed:
        return None
    distance = OSA.distance(word, other, score_cutoff=allowed)
    return distance if distance <= allowed else None


@dataclass(frozen=True, slots=True)
class Near:
    """A known word and how many typing mistakes it is away."""

    word: str
    mistakes: int


class Vocabulary:
    """Known words, among which those near a word are found fast.

    A word shares nearly all its letters with one that is a mistake or two away, so sets of letters, as bits, leave few
    to be compared.

    Args:
        words: the known words.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._known = frozenset(words)
        self._words = sorted(word for word in self._known if allowance(word))
        self._letters: NDArray[np.uint32] = np.array([_letters(word) for word in self._words], dtype=np.uint32)
        self._lengths: NDArray[np.int16] = np.array([len(word) for word in self._words], dtype=np.int16)
        self._cache: dict[str, tuple[Near, ...]] = {}

    def __contains__(self, word: str) -> bool:
        return word in self._known

    def __len__(self) -> int:
        return len(self._known)

    def near(self, word: str) -> tuple[Near, ...]:
        """The known words that a word may be, nearest first."""
        found = self._cache.get(word)
        if found is None:
            found = self._cache[word] = self._look_up(word)
        return found

    def _look_up(self, word: str) -> tuple[Near, ...]:
        exact = (Near(word, 0),) if word in self._known else ()
        allowed = allowance(word)
        if not allowed or not self._words:
            return exact
        apart = np.bitwise_count(self._letters ^ np.uint32(_letters(word)))
        maybe = np.flatnonzero((apart <= 2 * allowed) & (np.abs(self._lengths - len(word)) <= allowed))
        others = [(self._words[i], mistakes(word, self._words[i])) for i in maybe.tolist()]
        near = [Near(other, wrong) for other, wrong in others if wrong]
        return (*exact, *sorted(near, key=lambda one: (one.mistakes, one.word)))


def _letters(word: str) -> int:
    bits = 0
    for character in word:
        bits |= 1 << (ord(character) & 31)
    return bits
