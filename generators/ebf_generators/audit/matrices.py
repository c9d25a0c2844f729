"""Sparse 0/1 features of many tasks, kept as numbers, and made into a matrix in the end."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import sparse  # type: ignore[import-untyped]

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
FeatureIds: TypeAlias = npt.NDArray[np.uint32]
Places: TypeAlias = npt.NDArray[np.int32]
"""Numbers of rows and columns: there are many, and they are small."""


class FeatureNames:
    """Numbers of features (CRC-32 of their text, the same in every process), and the names met since last asked.

    A process that numbers features hands the names it meets for the first time to the one that collects them.
    """

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self._fresh: dict[int, str] = {}

    def ids(self, features: Iterable[str]) -> FeatureIds:
        """Numbers of a set of features, ascending."""
        return np.unique(np.fromiter(map(self.id, features), np.uint32))

    def id(self, feature: str) -> int:
        """The number of one feature."""
        number = self._known.get(feature)
        if number is None:
            number = self._known[feature] = zlib.crc32(feature.encode("utf-8", "surrogatepass"))
            self._fresh[number] = feature
        return number

    def take_fresh(self) -> dict[int, str]:
        """Names met since the last call."""
        fresh, self._fresh = self._fresh, {}
        return fresh


@dataclass
class Rows:
    """Rows of features, one for each task (or slot) seen, with the number of whom they describe.

    Attributes:
        owners: for each row the number of its task (or slot).
        lengths: for each row how many features it has.
        ids: the features of all rows.
    """

    owners: array[int] = field(default_factory=lambda: array("q"))
    lengths: array[int] = field(default_factory=lambda: array("q"))
    ids: array[int] = field(default_factory=lambda: array("I"))

    def add(self, owner: int, ids: FeatureIds) -> None:
        """Add a row."""
        self.owners.append(owner)
        self.lengths.append(len(ids))
        self.ids.frombytes(ids.tobytes())

    def row_numbers(self) -> Places:
        """For each feature the number of its row."""
        return np.repeat(np.arange(len(self.owners), dtype=np.int32), np.array(self.lengths, np.int64))

    def columns(self) -> tuple[FeatureIds, Places]:
        """The different features, ascending, and for each feature of all rows its place among them."""
        ids = np.array(self.ids, np.uint32)
        distinct = np.unique(ids)
        return distinct, np.searchsorted(distinct, ids).astype(np.int32)

    def matrix(self, least: int) -> tuple[sparse.csr_array, FeatureIds]:
        """A 0/1 matrix of rows by features, of those in at least ``least`` rows but not in all, and their numbers."""
        distinct, places = self.columns()
        held = np.bincount(places, minlength=len(distinct))
        kept = (held >= least) & (held < len(self.owners))
        here = kept[places]
        column = np.cumsum(kept, dtype=np.int32) - 1
        pairs = (self.row_numbers()[here], column[places[here]])
        shape = (len(self.owners), int(kept.sum()))
        return sparse.csr_array((np.ones(len(pairs[0])), pairs), shape=shape), distinct[kept]


def summed(values: Floats, rows: Ints, columns: Places, width: int) -> sparse.csr_array:
    """A matrix of values, those of one row and column added up; the same rows and columns give the same places."""
    shape = (int(rows.max()) + 1 if len(rows) else 0, width)
    matrix = sparse.csr_array((values, (rows.astype(np.int32), columns)), shape=shape)
    matrix.sum_duplicates()
    return matrix
