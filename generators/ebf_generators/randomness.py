"""Randomness of a task: a stream of raw bits, fetched in blocks.

A task's bits depend on the generator version, the suite's seed, the split and the task's number alone. NumPy guarantees
the streams of ``SeedSequence`` and of a ``BitGenerator``'s ``random_raw`` (NEP 19); it does not guarantee those of
``Generator`` methods, so every draw here is computed from raw bits.

What draws very often takes :attr:`Bits.word` and computes from it itself, since a call of a method costs more than the
draw: ``items[word() % len(items)]`` is an item, ``word() < 0.3 * WORDS`` holds in three cases of ten, and one word does
for both (``items[word % len(items)]`` where it holds), as long as there are few items.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Final, TypeVar

import numpy as np

from ebf_env.errors import ConfigurationError

GENERATOR_VERSION: Final = 1
"""Raised whenever the same seed would give another task."""

WORDS: Final = 1 << 32
"""How many different words there are; words are uniform from 0 to ``WORDS - 1``."""

_SPLIT_KEYS: Final = {"train": 1, "val": 2, "test": 3}
_BLOCK: Final = 288

Item = TypeVar("Item")


class Bits:
    """Draws from the raw bits of one task; further blocks are fetched as they are needed.

    Args:
        seed: the suite's seed, below 2**64.
        split: the split.
        number: the task's, or block's, number, below 2**64.
        stream: tells apart what is drawn for different purposes under one number, below 2**32.

    Attributes:
        word: gives the next 32 bits, as a number. The words are the halves of the generator's raw numbers, lower half
            first.

    Raises:
        ConfigurationError: a number that is negative or too large.
    """

    __slots__ = ("word",)

    word: Callable[[], int]

    def __init__(self, seed: int, split: str, number: int, stream: int = 0) -> None:
        for name, value, most in (("seed", seed, 64), ("number", number, 64), ("stream", stream, 32)):
            if value < 0 or value >> most:
                raise ConfigurationError(f"the {name} is {value!r}, expected a whole number from 0 to 2**{most} - 1")
        entropy = np.array(
            [
                GENERATOR_VERSION, seed % WORDS, seed // WORDS, _SPLIT_KEYS[split], number % WORDS, number // WORDS,
                stream,
            ],
            dtype=np.uint32,
        )  # fmt: skip
        generator = np.random.SFC64(np.random.SeedSequence(entropy))
        self.word = chain.from_iterable(iter(partial(_block, generator), None)).__next__

    def below(self, bound: int) -> int:
        """A whole number from 0 to ``bound - 1``; each is as likely as any other, to within 2**-32."""
        if bound <= WORDS:
            return self.word() % bound
        drawn = 0
        for _ in range(bound.bit_length() // 32 + 2):
            drawn = drawn * WORDS + self.word()
        return drawn % bound

    def between(self, least: int, most: int) -> int:
        """A whole number from ``least`` to ``most``, both included."""
        return least + self.below(most - least + 1)

    def chance(self, probability: float) -> bool:
        """True with that probability."""
        return self.word() < probability * WORDS

    def choice(self, items: Sequence[Item]) -> Item:
        """One item."""
        return items[self.word() % len(items)]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in random order (Fisher and Yates)."""
        result, word = list(items), self.word
        for last in range(len(result) - 1, 0, -1):
            other = word() % (last + 1)
            result[last], result[other] = result[other], result[last]
        return result

    def sample(self, items: Sequence[Item], count: int) -> list[Item]:
        """Different items, in random order; all of them where there are fewer."""
        size, count = len(items), min(count, len(items))
        moved: dict[int, int] = {}
        result: list[Item] = []
        for place in range(count):
            drawn = place + self.below(size - place)
            result.append(items[moved.get(drawn, drawn)])
            moved[drawn] = moved.get(place, place)
        return result


def _block(generator: np.random.SFC64) -> list[int]:
    """The next words, in the same order on machines of either endianness."""
    raw = generator.random_raw(_BLOCK).astype("<u8", copy=False)
    words: list[int] = raw.view("<u4").tolist()
    return words
