"""What is left of pools when some words are reserved for the records a task is about."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ebf_env.world.search import words
from ebf_generators.pools.pools import Pools


@lru_cache(maxsize=1 << 16)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, folded; the same texts are asked for again and again."""
    return tuple(words(text))


class FreePools:
    """The entries of pools none of whose words is reserved.

    Reserving a word costs no more than taking its entries out, so that drawing needs no check.

    Args:
        pools: the pools.

    Attributes:
        taken: the reserved words.
        lists: name of a list to the entries that are left. Where none is left, to all of them: something has to be
            drawn.
    """

    __slots__ = ("_pools", "_reserved", "lists", "taken")

    def __init__(self, pools: Pools) -> None:
        self._pools: Final = pools
        self._reserved: dict[str, set[int]] = {}
        self.taken: Final[set[str]] = set()
        self.lists: Final[dict[str, Sequence[str]]] = dict(pools.lists)

    def reserve(self, text: str) -> None:
        """Take out all entries that hold one of the words of a text."""
        for word in words_of(text):
            if word not in self.taken:
                self.taken.add(word)
                for name, number in self._pools.places.get(word, ()):
                    self._take_out(name, number)

    def is_free(self, text: str) -> bool:
        """Whether a text holds no reserved word."""
        return not self.taken or self.taken.isdisjoint(words_of(text))

    def _take_out(self, name: str, number: int) -> None:
        reserved = self._reserved.setdefault(name, set())
        reserved.add(number)
        left = list(self._pools.lists[name])
        for place in sorted(reserved, reverse=True):
            del left[place]
        self.lists[name] = left or self._pools.lists[name]
