"""Families as groups: folds that do not cut them, labels permuted within them, and errors clustered by them."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from ebf_generators.audit.matrices import Floats, Ints

FOLDS = 5
PERMUTATIONS = 200
LABELS = 3
"""Act, clarify, defer."""


def generator_for(purpose: str) -> np.random.Generator:
    """The random numbers of one criterion: the same in every run."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([20_260_311, zlib.crc32(purpose.encode())])))


def folds_of(families: Ints) -> Ints:
    """The fold of every task: whole families, dealt at random. Labels play no part, so that they can be permuted."""
    size = int(families.max()) + 1
    fold: Ints = generator_for("folds").permutation(size) % FOLDS
    return fold[families]


class LabelPermuter:
    """Draws labels as they might be if they had nothing to do with anything else.

    Within a family that has several labels they are permuted among its tasks; families that have but one are permuted
    as wholes, each keeping one label for all its tasks.

    Args:
        families: for every task the number of its family.
        labels: for every task its label.
    """

    def __init__(self, families: Ints, labels: Ints) -> None:
        self._families, self._labels = families, labels
        size = int(families.max()) + 1
        least = np.full(size, LABELS)
        most = np.full(size, -1)
        np.minimum.at(least, families, labels)
        np.maximum.at(most, families, labels)
        self._single = np.flatnonzero(least == most)
        self._label_of = least
        self._order = np.argsort(families, kind="stable")
        self._mixed = (least != most)[families]

    def draw(self, random: np.random.Generator) -> Ints:
        """One permutation of the labels."""
        label_of = self._label_of.copy()
        label_of[self._single] = label_of[random.permutation(self._single)]
        drawn = label_of[self._families]
        shuffled = np.lexsort((random.random(len(self._labels)), self._families))
        within = np.empty_like(drawn)
        within[self._order] = self._labels[shuffled]
        return np.where(self._mixed, within, drawn)


def clustered_variance(residuals: Floats, variances: Floats, families: Ints) -> float:
    """Variance of a sum of residuals: as if they were independent, or as the families' sums scatter, what is more."""
    sums = np.bincount(families, weights=residuals)
    return max(float(variances.sum()), float((sums**2).sum()))


def numbered(names: Sequence[object]) -> Ints:
    """Numbers for names, in the order of their first appearance."""
    known: dict[object, int] = {}
    return np.array([known.setdefault(name, len(known)) for name in names], np.int64)
