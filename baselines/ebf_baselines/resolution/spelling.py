"""What a word may be a mistyped form of: a name or a value of the store, or an everyday word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ebf_baselines.resolution.common_words import KNOWN_WORDS, is_common
from ebf_env.grounding.text import Token, Vocabulary, tokens_of

_EVERYDAY: Final = Vocabulary(KNOWN_WORDS)
_SHORTEST: Final = 5


def spellings(word: str, vocabulary: Vocabulary, count: Callable[[str], int]) -> tuple[tuple[str, int], ...]:
    """The words of a store that a word may stand for, with the typing mistakes assumed, fewest first.

    A word of the store stands for itself, and for what may be a mistyped form of it in a record. A word that is neither
    in the store nor an everyday one stands for those near it, and, where it is clear what was meant (an everyday word,
    or one that several records have), for mistyped forms of that in records.

    Args:
        word: the word as said, folded.
        vocabulary: the words of the store.
        count: in how many records a word of the store stands.
    """
    direct = [(near.word, near.mistakes) for near in vocabulary.near(word)]
    mistyped = [(other, wrong) for other, wrong in direct if not wrong or not is_common(other)]
    if is_common(word):
        return tuple(mistyped)
    found = dict(direct)
    if word in vocabulary:
        if count(word) > 1:
            return tuple(mistyped)
        found = dict(mistyped)
        meant = [(near.word, near.mistakes) for near in _EVERYDAY.near(word)]
    else:
        meant = [*direct, *((near.word, near.mistakes) for near in _EVERYDAY.near(word) if near.word not in found)]
    for other, wrong in meant:
        for near in vocabulary.near(other):
            if near.word not in found and (near.mistakes == 0 or not is_common(near.word)):
                found[near.word] = wrong + near.mistakes
    return tuple(sorted(found.items(), key=lambda item: (item[1], item[0])))


def corrected(text: str, known: Sequence[Vocabulary]) -> tuple[tuple[Token, ...], str]:
    """The words of a text, and the text with everyday words that were mistyped set right.

    Words that may be names or values of the store are left alone.
    """
    tokens = tokens_of(text)
    parts: list[str] = []
    at = 0
    for token in tokens:
        parts.append(text[at : token.begin])
        parts.append(_correct(token, known))
        at = token.end
    parts.append(text[at:])
    mended = "".join(parts)
    return (tokens, mended) if len(tokens_of(mended)) == len(tokens) else (tokens, text)


def _correct(token: Token, known: Sequence[Vocabulary]) -> str:
    word = token.word
    if not token.is_word or len(word) < _SHORTEST or is_common(word) or any(v.near(word) for v in known):
        return token.text
    near = _EVERYDAY.near(word)
    if len(near) == 1 and near[0].mistakes == 1:
        return near[0].word
    return token.text
