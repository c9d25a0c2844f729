"""Words of a text in the forms a lexicon is looked up by, and phrases found among them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Generic, NamedTuple, Self, TypeVar

GAP: Final = "*"
"""In a phrase: up to ``MAX_GAP`` words between the word before and the word after."""

MAX_GAP: Final = 14

_SENTENCE_END: Final = re.compile(r"(?<=[.!?;:])\s+|\n+")
WORD: Final = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")

_IRREGULAR: Final[Mapping[str, str]] = {
    "sent": "send",
    "gave": "give",
    "given": "give",
    "giving": "give",
    "told": "tell",
    "wrote": "write",
    "written": "write",
    "writing": "write",
    "brought": "bring",
    "got": "get",
    "getting": "get",
    "took": "take",
    "taken": "take",
    "made": "make",
    "held": "hold",
    "paid": "pay",
    "putting": "put",
    "said": "say",
    "says": "say",
    "saying": "say",
    "done": "do",
    "went": "go",
    "kept": "keep",
    "knew": "know",
    "known": "know",
    "seen": "see",
    "note": "note",
    "noted": "note",
    "noting": "note",
    "n't": "not",
    "cannot": "not",
    "without": "not",
    "never": "not",
    "nobody": "not",
    "nothing": "not",
    "need": "need",
    "feed": "feed",
    "during": "during",
    "something": "something",
    "anything": "anything",
    "everything": "everything",
    "thing": "thing",
}

Meaning = TypeVar("Meaning")


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """A word without the endings of verbs: ``sharing``, ``shared`` and ``share`` are one; plurals are not touched."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) >= len(ending) + 3:
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
                return word[:-1]
            if word.endswith("ll") and len(word) > 4:
                return word[:-1]
            break
    if word.endswith("e") and len(word) >= 4:
        return word[:-1]
    if word.endswith("i") and len(word) > 3:
        return word[:-1] + "y"
    return word[:-1] if word.endswith("ll") and len(word) > 5 else word


@lru_cache(maxsize=1 << 16)
def forms_of(token: str) -> tuple[str, ...]:
    """The stems a written word stands for: ``don't`` is two, ``Alex's`` is one."""
    head, mark, tail = token.replace("\u2019", "'").partition("'")
    if not mark:
        return (stem(head),)
    if tail == "t":
        return (stem(head.removesuffix("n")), "not") if head not in ("can", "won") else (head, "not")
    return (stem(head),) if tail == "s" else (stem(head), tail)


def stems(text: str) -> tuple[str, ...]:
    """The stems of a text, in order."""
    return tuple(form for token in WORD.findall(text.lower()) for form in forms_of(token))


class Sentence(NamedTuple):
    """A sentence as written words and as their stems, one for one."""

    words: tuple[str, ...]
    stems: tuple[str, ...]


def sentence_parts(text: str) -> list[str]:
    """The sentences of a text as they are written."""
    return _SENTENCE_END.split(text)


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text."""
    found = []
    for part in sentence_parts(text.lower()):
        pairs = [(token, form) for token in WORD.findall(part) for form in forms_of(token)]
        if pairs:
            written, stemmed = zip(*pairs, strict=True)
            found.append(Sentence(written, stemmed))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Phrase(Generic[Meaning]):
    """Words that mean something: ``rest`` are the words after the first, each with whether words may come between."""

    meaning: Meaning
    weight: float
    rest: tuple[tuple[str, bool], ...]


class Match(NamedTuple, Generic[Meaning]):
    """A phrase found from word ``begin`` to before word ``end``."""

    meaning: Meaning
    weight: float
    begin: int
    end: int
    words: int


class PhraseBook(Generic[Meaning]):
    """Phrases by their first and last words.

    A phrase is written in plain words; ``*`` lets words come between, ``a|b`` are alternatives, a leading ``~`` or
    ``~~`` marks weak evidence.
    """

    def __init__(self, form: Callable[[str], str] = stem) -> None:
        """An empty book.

        Args:
            form: the form in which words are compared; texts are searched in the same.
        """
        self._form = form
        self._phrases: dict[str, dict[str, list[Phrase[Meaning]]]] = {}

    def add(self, entries: Iterable[tuple[Meaning, str]], weights: tuple[float, float, float, float]) -> Self:
        """Add phrases; of one that is given twice for a meaning the first counts.

        Args:
            entries: what the phrases mean, and the phrases separated by commas.
            weights: of very weak and weak phrases, of those of one word, and of longer ones.
        """
        known: set[tuple[Meaning, tuple[str, ...]]] = set()
        for meaning, listed in entries:
            for written in filter(None, (part.strip() for part in listed.split(","))):
                plain = written.lstrip("~")
                marks = len(written) - len(plain)
                for words in _alternatives(plain.split()):
                    if (meaning, words) not in known:
                        known.add((meaning, words))
                        weight = weights[2 - marks] if marks else weights[2 if len(words) == 1 else 3]
                        self._add(meaning, weight, words)
        return self

    def _add(self, meaning: Meaning, weight: float, words: tuple[str, ...]) -> None:
        rest, gap = [], False
        for word in words[1:]:
            if word == GAP:
                gap = True
            else:
                rest.append((self._form(word), gap))
                gap = False
        first = self._form(words[0])
        last = rest[-1][0] if rest else first
        by_last = self._phrases.setdefault(first, {})
        by_last.setdefault(last, []).append(Phrase(meaning, weight, tuple(rest)))

    def matches(self, words: tuple[str, ...]) -> list[Match[Meaning]]:
        """Every phrase found in a sentence, in order of their first words."""
        found: list[Match[Meaning]] = []
        present = frozenset(words)
        for begin, word in enumerate(words):
            by_last = self._phrases.get(word)
            if by_last is None:
                continue
            for last in by_last.keys() & present:
                for phrase in by_last[last]:
                    end = _end_of(phrase.rest, words, begin + 1)
                    if end:
                        found.append(Match(phrase.meaning, phrase.weight, begin, end, 1 + len(phrase.rest)))
        return found


def _alternatives(words: list[str]) -> list[tuple[str, ...]]:
    spelled: list[tuple[str, ...]] = [()]
    for word in words:
        spelled = [(*before, choice) for before in spelled for choice in word.split("|")]
    return spelled


def _end_of(rest: tuple[tuple[str, bool], ...], words: tuple[str, ...], at: int) -> int:
    """The place after a phrase whose first word ends before ``at``; 0 where it is not there."""
    for word, gap in rest:
        if gap:
            try:
                at = words.index(word, at, at + MAX_GAP + 1) + 1
            except ValueError:
                return 0
        elif at < len(words) and words[at] == word:
            at += 1
        else:
            return 0
    return at
