"""What a request looks like to the learned part of goal inference: words, what follows what, and lexicon classes.

A feature is a short string; requests are compared by which features they have, not by how often. Words that no
training text used leave a placeholder, so that a record's name shapes what stands around it without being learned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final
from zlib import crc32

from ebf_baselines.causal.words import WORD, forms_of, sentence_parts

UNKNOWN: Final = "_"
"""Stands for words that are not in the vocabulary; several in a row are one."""
NUMBER: Final = "#"
WINDOW: Final = 7
"""Words between which a pair is still noticed."""
EARLIER: Final = "<"
"""Begins the features of what the user said before."""


def key(feature: str) -> int:
    """The number a feature is stored under."""
    return crc32(feature.encode())


_NO_PLURALS: Final = frozenset(
    (
        "this",
        "is",
        "was",
        "has",
        "does",
        "its",
        "his",
        "hers",
        "yes",
        "us",
        "as",
        "always",
        "perhaps",
        "thus",
        "plus",
        "news",
    )
)


@lru_cache(maxsize=1 << 16)
def singular(word: str) -> str:
    """A word without the ``s`` of plurals and of the third person."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is", "'s")) or word in _NO_PLURALS:
        return word
    return word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]


@lru_cache(maxsize=1 << 16)
def _forms(written: str) -> tuple[str, ...]:
    if any(letter.isdigit() for letter in written):
        return (NUMBER,)
    return forms_of(singular(written.replace("\u2019", "'")))


def tokens(sentence: str) -> list[str]:
    """The words of a sentence as learned: stems, singular; whatever holds a figure alike."""
    return [form for written in WORD.findall(sentence.lower()) for form in _forms(written)]


def known_only(words: Sequence[str], vocabulary: frozenset[str]) -> list[str]:
    """The words with placeholders for those outside the vocabulary."""
    kept: list[str] = []
    for word in words:
        if word in vocabulary:
            kept.append(word)
        elif not kept or kept[-1] != UNKNOWN:
            kept.append(UNKNOWN)
    return kept


def features(text: str, said_before: Sequence[str], vocabulary: frozenset[str]) -> set[str]:
    """Every feature of a request."""
    found: set[str] = set()
    for sentence in sentence_parts(text):
        found.update(_of_sentence(known_only(tokens(sentence), vocabulary)))
    for turn in said_before:
        for sentence in sentence_parts(turn):
            words = known_only(tokens(sentence), vocabulary)
            found.update(EARLIER + word for word in words)
    return found


def _of_sentence(words: list[str]) -> Iterator[str]:
    """Words, two and three in a row with the ends of the sentence, and pairs further apart."""
    yield from words
    row = ["^", *words, "$"]
    for at in range(len(row) - 1):
        yield f"{row[at]} {row[at + 1]}"
        if at + 2 < len(row):
            yield f"{row[at]} {row[at + 1]} {row[at + 2]}"
        first = row[at]
        if first == UNKNOWN:
            continue
        for second in row[at + 2 : at + 1 + WINDOW]:
            if second != UNKNOWN:
                yield f"{first}*{second}"
