"""A small linear classifier, judged as one must be judged that is meant to fail."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse  # type: ignore[import-untyped]

from ebf_generators.audit.groups import FOLDS, PERMUTATIONS, LabelPermuter, folds_of, generator_for
from ebf_generators.audit.matrices import Floats, Ints

_STRETCH = math.sqrt(1 + FOLDS / (FOLDS - 1))
"""Nadeau and Bengio: the variance of a mean over J folds is (1 / J + tested / fitted), not 1 / J, times that of one."""

_RARE, _FEW = 40, 1000
"""A label of fewer tasks among so few is too rare for predictions made once."""

_REFITTED = 120
_ENOUGH = 10
"""To so many permutations classifiers are fitted, or until so many are as far from .5 as what was found."""

_PENALTY = 1.0
_NEWTON_STEPS = 4
_CG_STEPS = 6
_CG_TOLERANCE = 0.1
_TOLERANCE = 1e-2
_SHORTEST_STEP = 1e-3
_SMALL = 1e-9


@dataclass(frozen=True, slots=True)
class Skill:
    """How well a classifier does on families it was not fitted to.

    Attributes:
        auc: one-vs-rest area under the curve, the mean over the labels; .5 is chance.
        p: share of permutations of the labels, the true one among them, whose area is as far from .5.
        weights: of every feature for every label, the mean over the folds.
    """

    auc: float
    p: float
    weights: Floats


def skill(
    features: sparse.csr_array,
    labels: Ints,
    families: Ints,
    judged: Ints,
    purpose: str,
    on_fit: Callable[[], None] = lambda: None,
) -> Skill:
    """Fit on four fifths of the families, predict the fifth, five times over.

    Areas are computed within folds and pooled by their numbers of pairs, so that differences between folds play no
    part. The permutations relabel what was predicted. That leaves out that folds share what they are fitted to, which
    makes areas scatter more, so their distances from .5 are stretched as Nadeau and Bengio (2003, Inference for the
    Generalization Error) correct the error of cross-validation; without that, one of twenty harmless suites would be
    called significant at .01. Where a label is too rare for that, classifiers are fitted anew to every permutation.

    Args:
        features: tasks by features, 0 or 1.
        labels: for every task its label, 0 to 2.
        families: for every task the number of its family.
        judged: the labels the mean is taken over; no task has another.
        purpose: names the random numbers used.
        on_fit: called after each fold.
    """
    fold = folds_of(families)
    order = np.argsort(fold, kind="stable")
    labels = labels[order]
    biased = sparse.csr_array(sparse.hstack([features[order], np.ones((len(labels), 1))]))
    parts = _Folds(biased, np.searchsorted(fold[order], np.arange(FOLDS + 1)), judged)
    ranks, weights = parts.predicted(labels, on_fit)
    found = parts.area(ranks, labels)
    permuter, random = LabelPermuter(families[order], labels), generator_for(purpose)
    rarest = min(int((labels == label).sum()) for label in judged)
    if rarest < _RARE and len(labels) <= _FEW:
        p = _p_by_fitting(parts, found, permuter, random)
    else:
        drawn = (parts.area(ranks, permuter.draw(random)) for _ in range(PERMUTATIONS))
        p = (1 + sum(_STRETCH * abs(area - 0.5) >= abs(found - 0.5) - _SMALL for area in drawn)) / (1 + PERMUTATIONS)
    return Skill(found, p, weights)


def _p_by_fitting(parts: _Folds, found: float, permuter: LabelPermuter, random: np.random.Generator) -> float:
    """The p of an area among those of classifiers fitted to permuted labels; large ones are not drawn to the end."""
    as_far = 1
    for number in range(1, _REFITTED + 1):
        labels = permuter.draw(random)
        as_far += abs(parts.area(parts.predicted(labels)[0], labels) - 0.5) >= abs(found - 0.5) - _SMALL
        if as_far > _ENOUGH:
            return as_far / (1 + number)
    return as_far / (1 + _REFITTED)


@dataclass(frozen=True)
class _Folds:
    """Tasks in the order of their folds.

    Attributes:
        features: tasks by features, the last of which all of them have.
        bounds: where each fold begins, and the end.
        judged: the labels the mean is taken over.
    """

    features: sparse.csr_array
    bounds: Ints
    judged: Ints

    def predicted(self, labels: Ints, on_fit: Callable[[], None] = lambda: None) -> tuple[Floats, Floats]:
        """Ranks of the tasks within their folds, for every label, and the mean weights of the classifiers."""
        ranks = np.zeros((len(labels), len(self.judged)))
        weights = np.zeros((self.features.shape[1] - 1, len(self.judged)))
        places = np.arange(len(labels))
        for begin, end in zip(self.bounds, self.bounds[1:], strict=False):
            others = (places < begin) | (places >= end)
            fitted = fit(self.features[others], labels[others], self.judged)
            scores = predict(self.features[begin:end], fitted)
            ranks[begin:end] = _ranks(np.round(scores, 9))
            weights += fitted[:-1] / FOLDS
            on_fit()
        return ranks, weights

    def area(self, ranks: Floats, labels: Ints) -> float:
        """Mean over the labels of the area under the curve."""
        starts = self.bounds[:-1]
        own = labels[:, None] == self.judged[None, :]
        positives = np.add.reduceat(own, starts, axis=0, dtype=np.int64)
        wins = np.add.reduceat(ranks * own, starts, axis=0) - positives * (positives + 1) / 2
        pairs = (positives * (np.diff(self.bounds)[:, None] - positives)).sum(axis=0)
        areas = wins.sum(axis=0)[pairs > 0] / pairs[pairs > 0]
        return float(areas.mean()) if len(areas) else 0.5


def _ranks(scores: Floats) -> Floats:
    """Ranks within each column, from 1; equal scores share the mean of theirs."""
    ranks = np.empty_like(scores)
    for column in range(scores.shape[1]):
        _, places, counts = np.unique(scores[:, column], return_inverse=True, return_counts=True)
        ranks[:, column] = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


def fit(features: sparse.csr_array, labels: Ints, judged: Ints) -> Floats:
    """Multinomial logistic regression with a quadratic penalty on all weights but those of the last feature, the bias.

    Newton's method with preconditioned conjugate gradients. Sums are NumPy's own, not the linear algebra library's, so
    that the last digits do not depend on its number of threads.
    """
    targets = (labels[:, None] == judged[None, :]).astype(np.float64)
    weights = np.zeros((features.shape[1], len(judged)))
    penalty = np.full((features.shape[1], 1), _PENALTY)
    penalty[-1] = 0.0
    across = features.T.tocsr()
    scores = predict(features, weights)
    loss = -(scores * targets).sum()
    for _ in range(_NEWTON_STEPS):
        chances = np.exp(scores)
        step = _newton_step(features, across, chances, across @ (targets - chances) - penalty * weights, penalty)
        length, before = 1.0, loss
        while length > _SHORTEST_STEP:
            tried = weights + length * step
            scores = predict(features, tried)
            loss = (penalty * tried**2).sum() / 2 - (scores * targets).sum()
            if loss <= before:
                weights = tried
                break
            length /= 2
        if before - loss < _TOLERANCE * abs(before):
            break
    return weights


def _newton_step(
    features: sparse.csr_array, across: sparse.csr_array, chances: Floats, left: Floats, penalty: Floats
) -> Floats:
    """The step to the minimum of the loss's second-order expansion, by conjugate gradients.

    Args:
        features: tasks by features.
        across: features by tasks.
        chances: of every label, as they are predicted now.
        left: the direction of steepest descent.
        penalty: of every feature.
    """
    scale = across @ (chances * (1 - chances)) + penalty + _SMALL
    step = np.zeros_like(left)
    ahead = left / scale
    force = (left * ahead).sum()
    enough = _CG_TOLERANCE**2 * force
    for _ in range(_CG_STEPS):
        if force <= enough:
            break
        change = features @ ahead
        change = chances * (change - (chances * change).sum(axis=1, keepdims=True))
        bent = across @ change + penalty * ahead
        length = force / (ahead * bent).sum()
        step += length * ahead
        left = left - length * bent
        scaled = left / scale
        after = (left * scaled).sum()
        ahead = scaled + after / force * ahead
        force = after
    return step


def predict(features: sparse.csr_array, weights: Floats) -> Floats:
    """Log probabilities of the labels."""
    scores = features @ weights
    scores -= scores.max(axis=1, keepdims=True)
    logs: Floats = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return logs
