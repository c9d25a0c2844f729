"""Which attributes to ask for: those that are expected to tell most, for what it takes to ask for them.

A question about attributes splits the candidates into cells that sound the same. Its expected information gain is the
entropy of the cells under the posterior (Settles 2009, section 3.3; for questions to users Rao and Daumé III 2018,
arXiv:1805.04655); every attribute costs a little, so that nothing is asked for that hardly tells anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import log2
from typing import Final

from ebf_baselines.clarification.visible import Attribute

MAX_ATTRIBUTES: Final = 3
"""Most attributes asked for at once."""

_CONSIDERED: Final = 12
"""Most attributes whose combinations are tried."""

_MISSING: Final = 0.3
"""What it costs, in bits, if a candidate surely has no value."""

_LABEL_FACTOR: Final = 2.0
"""How much more a name must be worth than another attribute: who knew the whole name would have said it."""

_ROUNDING: Final = 1e-9


def entropy(probabilities: Iterable[float]) -> float:
    """The entropy in bits."""
    return -sum(p * log2(p) for p in probabilities if p > 0)


def information_gain(codes: Sequence[Sequence[int]], posterior: Sequence[float]) -> float:
    """The expected information gain in bits of an answer that says in which cell the candidate lies that is meant.

    Args:
        codes: for each attribute, a number for each candidate; a cell is what has the same numbers throughout.
        posterior: the candidates' probabilities.
    """
    cells: dict[tuple[int, ...], float] = {}
    for key, p in zip(zip(*codes, strict=True), posterior, strict=True):
        cells[key] = cells.get(key, 0.0) + p
    return entropy(cells.values())


def best_attributes(attributes: Sequence[Attribute], posterior: Sequence[float]) -> tuple[Attribute, ...]:
    """The attributes, at most three, of the greatest gain less cost; none where no attribute is worth its cost.

    Args:
        attributes: what can be asked for.
        posterior: the candidates' probabilities.
    """
    columns = [(a, a.codes, a.cost + _MISSING * _share_missing(a, posterior)) for a in attributes]
    columns.sort(key=lambda column: column[2] - information_gain([column[1]], posterior))  # else in the records' order
    columns = columns[:_CONSIDERED]
    most = entropy(posterior)
    cheapest = min((cost for _, _, cost in columns), default=0.0)
    best: tuple[Attribute, ...] = ()
    worth = _ROUNDING
    for size in range(1, MAX_ATTRIBUTES + 1):
        if most - size * cheapest <= worth:
            break
        for subset in combinations(columns, size):
            cost = sum(column[2] for column in subset)
            if most - cost <= worth:
                continue
            net = information_gain([column[1] for column in subset], posterior) - cost
            if net > worth + _ROUNDING:
                best, worth = tuple(column[0] for column in subset), net
    return best


def telling_apart(
    chosen: Sequence[Attribute], attributes: Sequence[Attribute], size: int
) -> tuple[tuple[Attribute, ...], tuple[int, ...]]:
    """Attributes that tell all candidates apart that can be, beginning with those chosen.

    Last resorts (identifiers, and what belongs to parts of records) are taken only where nothing else splits what is
    left.

    Returns:
        The attributes, and for each candidate the number of its cell.
    """
    kept = list(chosen)
    cells = _cells([a.codes for a in kept], size)
    for last_resort in (False, True):
        left = [a for a in attributes if a.is_last_resort is last_resort and a not in kept]
        while len(set(cells)) < size and left:
            ranked = [(len(set(_cells([cells, a.codes], size))), -a.cost, a) for a in left]
            count, _, best = max(ranked, key=lambda one: one[:2])
            if count <= len(set(cells)):
                break
            kept.append(best)
            left.remove(best)
            cells = _cells([cells, best.codes], size)
    return tuple(kept), cells


def best_single(attributes: Sequence[Attribute], posterior: Sequence[float], listed: int) -> Attribute | None:
    """The attribute to ask for by itself, where there are too many candidates to offer.

    Only the likeliest values are named; all others count as one answer. What candidates are called is asked for only
    where nothing else tells half as much.

    Args:
        attributes: what can be asked for.
        posterior: the candidates' probabilities.
        listed: how many values the question can name.
    """

    def worth(attribute: Attribute) -> float:
        masses: dict[int, float] = {}
        for code, p in zip(attribute.codes, posterior, strict=True):
            masses[code] = masses.get(code, 0.0) + p
        ranked = sorted(masses.values(), reverse=True)
        named = [*ranked[:listed], sum(ranked[listed:])]
        return entropy(named) - attribute.cost - _MISSING * _share_missing(attribute, posterior)

    ranked = [(worth(a) / (_LABEL_FACTOR if a.is_label else 1.0), a) for a in attributes if not a.is_last_resort]
    gain, best = max(ranked, key=lambda one: one[0], default=(0.0, None))
    return best if gain > 0 else None


def _share_missing(attribute: Attribute, posterior: Sequence[float]) -> float:
    return sum(p for values, p in zip(attribute.values, posterior, strict=True) if not values)


def _cells(codes: Sequence[Sequence[int]], size: int) -> tuple[int, ...]:
    if not codes:
        return (0,) * size
    seen: dict[tuple[int, ...], int] = {}
    return tuple(seen.setdefault(key, len(seen)) for key in zip(*codes, strict=True))
