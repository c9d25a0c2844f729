"""Randomness of a task: one block of raw bits, drawn once.

A task's bits depend on the generator version, the suite's seed, the split and the task's number alone. NumPy guarantees
the streams of ``SeedSequence`` and of a ``BitGenerator``'s ``random_raw`` (NEP 19); it does not guarantee those of
``Generator`` methods, so every draw here is computed from raw bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

import numpy as np

GENERATOR_VERSION: Final = 1
"""Raised whenever the same seed would give another task."""

_SPLIT_KEYS: Final = {"train": 1, "val": 2, "test": 3}
_BLOCK: Final = 512
_WORD: Final = 1 << 64

Item = TypeVar("Item")


class Bits:
    """Draws from the raw bits of one task; further blocks are fetched as they are needed.

    Args:
        seed: the suite's seed.
        split: the split.
        number: the task's, or block's, number.
        stream: tells apart what is drawn for different purposes under one number.
    """

    __slots__ = ("_generator", "_words")

    def __init__(self, seed: int, split: str, number: int, stream: int = 0) -> None:
        entropy = [GENERATOR_VERSION, seed, _SPLIT_KEYS[split], number, stream]
        self._generator = np.random.PCG64(np.random.SeedSequence(entropy))
        self._words: list[int] = []

    def _next(self) -> int:
        if not self._words:
            self._words = self._generator.random_raw(_BLOCK).tolist()
        return self._words.pop()

    def below(self, bound: int) -> int:
        """A whole number from 0 to ``bound - 1``, uniform to within 2**-64 * bound."""
        return (self._words.pop() if self._words else self._next()) * bound >> 64

    def between(self, least: int, most: int) -> int:
        """A whole number from ``least`` to ``most``, both included."""
        return least + ((self._words.pop() if self._words else self._next()) * (most - least + 1) >> 64)

    def chance(self, probability: float) -> bool:
        """True with that probability."""
        return self._next() < probability * _WORD

    def choice(self, items: Sequence[Item]) -> Item:
        """One item."""
        return items[(self._words.pop() if self._words else self._next()) * len(items) >> 64]

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in random order (Fisher and Yates)."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
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
