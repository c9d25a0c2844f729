"""Criterion 1: what a classifier finds that sees only a part of a task, from which the label must not follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ebf_generators.audit.classifier import Skill, skill
from ebf_generators.audit.features import (
    count_features,
    instruction_features,
    metadata_features,
    tool_features,
    world_features,
)
from ebf_generators.audit.groups import FOLDS, numbered
from ebf_generators.audit.matrices import FeatureIds, FeatureNames, Floats, Ints, Rows
from ebf_generators.audit.report import Finding, Verdict, not_applicable, verdict_of
from ebf_generators.audit.sight import Sight

VIEWS: Mapping[str, str] = {
    "instruction": "label from the instruction alone",
    "world": "label from the world alone",
    "metadata": "label from metadata alone",
    "tool": "label from tool, risk and domain alone",
    "counts": "label from lengths and counts alone",
}
"""Parts of a task from which the label must not follow."""

NEAR_CHANCE = (0.45, 0.55)
LEAST_P = 0.01
_IN_TASKS = 3
"""A feature of fewer tasks tells a classifier nothing about other families."""


def views_of(sight: Sight, names: FeatureNames, single_cells: bool) -> dict[str, FeatureIds]:
    """The features of a task in every view."""
    return {
        "instruction": names.ids(instruction_features(sight.task)),
        "world": names.ids(world_features(sight)),
        "metadata": names.ids(metadata_features(sight, single_cells)),
        "tool": names.ids(tool_features(sight.task)),
        "counts": names.ids(count_features(sight)),
    }


@dataclass(frozen=True)
class Population:
    """The tasks classifiers are fitted to.

    Attributes:
        labels: of every task of the suite.
        families: of every task of the suite.
        single_cells: whether the suite samples single cells, so that families are not contrast blocks.
        names: names of features, for what stands out.
    """

    labels: Ints
    families: Ints
    single_cells: bool
    names: Mapping[int, str]


def judge_view(view: str, rows: Rows, population: Population, on_fit: Callable[[], None]) -> Finding:
    """Fit one classifier and judge it."""
    criterion, title = f"shortcut.{view}", VIEWS[view]
    limit = (
        f"p > {LEAST_P}" if population.single_cells else f"AUC {NEAR_CHANCE[0]} to {NEAR_CHANCE[1]}, or p > {LEAST_P}"
    )
    owners = np.array(rows.owners, np.int64)
    labels, families = population.labels[owners], population.families[owners]
    in_families = [len(np.unique(families[labels == label])) for label in range(3)]
    judged = np.flatnonzero(np.array(in_families) >= FOLDS)
    if len(judged) < 2:
        why = f"fewer than two labels occur in {FOLDS} families or more"
        return not_applicable(criterion, title, limit, why, len(owners))
    features, ids = rows.matrix(_IN_TASKS)
    kept = np.isin(labels, judged)
    found = skill(features[kept], labels[kept], numbered(families[kept].tolist()), judged, f"shortcut.{view}", on_fit)
    near = NEAR_CHANCE[0] <= found.auc <= NEAR_CHANCE[1] and not population.single_cells
    passed = near or found.p > LEAST_P
    notes = ["single cells: judged by p alone"] if population.single_cells else []
    if not passed:
        notes.append("telling: " + ", ".join(_telling(found, ids, population.names)))
    return Finding(
        criterion,
        title,
        f"AUC {found.auc:.3f}, p {found.p:.3f}",
        limit,
        int(kept.sum()),
        verdict_of(passed),
        "; ".join(notes),
        {"auc": found.auc, "p": found.p, "features": len(ids)},
    )


def _telling(found: Skill, ids: FeatureIds, names: Mapping[int, str], most: int = 3) -> list[str]:
    strength: Floats = np.abs(found.weights).max(axis=1)
    best = np.argsort(-strength, kind="stable")[:most]
    return [repr(names.get(int(ids[place]), "?")) for place in best]


def skipped_views() -> list[Finding]:
    """The findings where classifiers were not wanted."""
    why = "left out as asked (--no-classifiers)"
    return [
        Finding(f"shortcut.{view}", title, "-", "-", 0, Verdict.NOT_APPLICABLE, why) for view, title in VIEWS.items()
    ]
