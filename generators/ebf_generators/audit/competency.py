"""Criterion 3: no token tells the label, and no token of a record tells that it is the one meant.

Gardner et al. (Competency Problems, arXiv 2104.08646) hold the share of a label among the inputs with a token against
its share among all, in units of the binomial error. Inputs have to be independent for that; the cells of a family are
not. So the unit is a family: a token's share in it is the share of the label among its cells that hold the token, the p
of a token is the mean over the families that hold it, and n is their number. A share over several cells scatters less
than a single draw, so the error is on the safe side.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from scipy import special  # type: ignore[import-untyped]

from ebf_generators.audit.matrices import FeatureIds, Floats, Ints, Rows, summed
from ebf_generators.audit.report import Finding, not_applicable, verdict_of

SIGNIFICANCE = 0.01
_LEAST_FAMILIES = 20
_LEAST_SPREAD = 5.0
"""Least n p (1 - p): below it, the normal approximation would call chance significant."""
_LEAST_EXCESS = 0.03


def _bound(tests: int) -> float:
    """The two-sided Bonferroni line for that many tests."""
    return -float(special.ndtri(SIGNIFICANCE / (2 * tests)))


def judge_label_tokens(
    criterion: str, title: str, rows: Rows, labels: Ints, families: Ints, names: Mapping[int, str]
) -> Finding:
    """Whether some token tells that a task is resolvable.

    Args:
        criterion: key of the finding.
        title: title of the finding.
        rows: tokens of tasks.
        labels: for every task of the suite its label.
        families: for every task of the suite the number of its family.
        names: names of tokens.
    """
    limit = "Bonferroni .01"
    owners = np.array(rows.owners, np.int64)
    if not len(owners):
        return not_applicable(criterion, title, limit, "there is no task")
    resolvable, family = (labels[owners] == 0).astype(np.float64), families[owners]
    held = np.bincount(family)
    shares = np.bincount(family, weights=resolvable)[held > 0] / held[held > 0]
    base = float(shares.mean())
    ids, places = rows.columns()
    row = rows.row_numbers()
    cells = summed(np.ones(len(row)), family[row], places, len(ids))
    share = summed(resolvable[row], family[row], places, len(ids)).data / cells.data
    count = np.bincount(cells.indices, minlength=len(ids))
    spread = base * (1 - base)
    tested = np.flatnonzero((count >= _LEAST_FAMILIES) & (count * spread >= _LEAST_SPREAD))
    if not len(tested):
        why = f"no token occurs in {_LEAST_FAMILIES} families and could be told from chance"
        return not_applicable(criterion, title, limit, why, len(owners))
    mean = np.bincount(cells.indices, weights=share, minlength=len(ids))[tested] / count[tested]
    z = (mean - base) / np.sqrt(spread / count[tested])
    return _finding(
        criterion,
        title,
        z,
        np.ones(len(z), np.bool_),
        [
            f"{names.get(int(ids[place]), '?')!r} resolvable in {rate:.0%} of {count[place]} families"
            for place, rate in _top(z, tested, mean)
        ],
        {"base_rate": base},
    )


def _top(z: Floats, tested: Ints, rate: Floats, most: int = 3) -> list[tuple[int, float]]:
    order = np.argsort(-np.abs(z), kind="stable")[:most]
    return [(int(tested[place]), float(rate[place])) for place in order]


def _finding(
    criterion: str,
    title: str,
    z: Floats,
    large: npt.NDArray[np.bool_],
    top: list[str],
    values: Mapping[str, float],
    also: str = "",
) -> Finding:
    bound = _bound(len(z))
    worst = float(np.abs(z).max())
    over = int(((np.abs(z) > bound) & large).sum())
    passed = not over
    return Finding(
        criterion,
        title,
        f"max |z| {worst:.2f}, {over} over" if over else f"max |z| {worst:.2f}",
        f"|z| <= {bound:.2f}{also}",
        len(z),
        verdict_of(passed),
        "" if passed else ", ".join(top),
        {"max_z": worst, "bound": bound, "over": over, "top": list(top), **values},
    )


# --- which candidate is meant ---


@dataclass(frozen=True, slots=True)
class Contrast:
    """How the features of the record meant stand out among its surface candidates.

    Attributes:
        ids: the features that some of the candidates have and some have not.
        excess: for each, whether the one meant has it (0 or 1) less the share of candidates that have.
        variance: of the same, were the one meant drawn at random.
    """

    ids: FeatureIds
    excess: npt.NDArray[np.float32]
    variance: npt.NDArray[np.float32]


def contrast(candidates: Sequence[FeatureIds], meant: int) -> Contrast:
    """Compare the features of candidates, one of which is meant."""
    ids, counts = np.unique(np.concatenate(candidates), return_counts=True)
    telling = counts < len(candidates)
    ids, share = ids[telling], counts[telling] / len(candidates)
    own = np.isin(ids, candidates[meant])
    return Contrast(ids, (own - share).astype(np.float32), (share * (1 - share)).astype(np.float32))


@dataclass
class Contrasts:
    """The contrasts of many slots.

    Attributes:
        rows: features of each slot; its owner is the number of the slot's task.
        excess: of all features of all rows.
        variance: of all features of all rows.
    """

    rows: Rows = field(default_factory=Rows)
    excess: array[float] = field(default_factory=lambda: array("f"))
    variance: array[float] = field(default_factory=lambda: array("f"))

    def add(self, owner: int, found: Contrast) -> None:
        """Add a slot."""
        self.rows.add(owner, found.ids)
        self.excess.frombytes(found.excess.tobytes())
        self.variance.frombytes(found.variance.tobytes())


def judge_record_tokens(
    criterion: str, title: str, contrasts: Contrasts, families: Ints, names: Mapping[int, str]
) -> Finding:
    """Whether some feature of a record tells that it is the one meant, whatever is said."""
    limit = f"Bonferroni .01, or within {_LEAST_EXCESS} of chance"
    owners = np.array(contrasts.rows.owners, np.int64)
    if not len(owners):
        return not_applicable(criterion, title, limit, "no slot has one gold among two surface candidates or more")
    ids, places = contrasts.rows.columns()
    family = families[owners][contrasts.rows.row_numbers()]
    excess, variance = np.array(contrasts.excess, np.float64), np.array(contrasts.variance, np.float64)
    sums = summed(excess, family, places, len(ids))
    in_families = np.bincount(sums.indices, minlength=len(ids))
    clustered = np.bincount(sums.indices, weights=sums.data**2, minlength=len(ids))
    independent = np.bincount(places, weights=variance, minlength=len(ids))
    tested = np.flatnonzero((in_families >= _LEAST_FAMILIES) & (independent >= _LEAST_SPREAD))
    if not len(tested):
        why = f"no feature sets candidates apart in {_LEAST_FAMILIES} families"
        return not_applicable(criterion, title, limit, why, len(owners))
    total = np.bincount(places, weights=excess, minlength=len(ids))[tested]
    mean = total / np.bincount(places, minlength=len(ids))[tested]
    z = total / np.sqrt(np.maximum(clustered, independent)[tested])
    return _finding(
        criterion,
        title,
        z,
        np.abs(mean) > _LEAST_EXCESS,
        [
            f"{names.get(int(ids[place]), '?')!r} {rate:+.0%} over chance in {in_families[place]} families"
            for place, rate in _top(z, tested, mean)
        ],
        {},
        f", or within {_LEAST_EXCESS} of chance",
    )
