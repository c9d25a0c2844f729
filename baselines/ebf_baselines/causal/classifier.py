"""The learned part of goal inference: how much the words of a request speak for each goal.

A multinomial logistic regression over the features of :mod:`ebf_baselines.causal.features`. A goal's logit is the sum
of a part for its deed and a part for its type, a bias, and what the lexicon says, whose weight was learned with them;
so goals that nothing was learned for can be judged by their deed and type. ``training/goals`` makes the weights.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ebf_baselines.causal.contracts import contract_of
from ebf_baselines.causal.features import features, key
from ebf_baselines.causal.goal import Goal
from ebf_baselines.causal.goals import ranked_goals
from ebf_env.world import TOOLS

Floats = NDArray[np.float32]

WEIGHTS: Final = Path(__file__).with_name("weights.npz")
GOALS: Final[tuple[Goal, ...]] = tuple(
    sorted({contract_of(spec).goals[0] for spec in TOOLS.values() if not spec.is_search})
)
"""The goals that were learned: those of the tools of this package."""
DEEDS: Final = tuple(sorted({goal.deed for goal in GOALS}))
TYPES: Final = tuple(sorted({goal.type for goal in GOALS}))
PARTS: Final[Floats] = np.array(
    [[goal.deed is deed for goal in GOALS] for deed in DEEDS]
    + [[goal.type == kind for goal in GOALS] for kind in TYPES],
    np.float32,
)
"""Parts (deeds, then types) x goals: which parts a goal's logit is the sum of."""
UNLEARNED: Final = -2.0
"""The bias of a goal that nothing was learned for; a hundred tools that nobody speaks of take little from the best."""


class Weights(NamedTuple):
    """What was learned.

    Attributes:
        vocabulary: the words that count.
        rows: the row of the table by the key of a feature.
        table: features x parts, in steps.
        scale: the size of a step, for each part.
        bias: of each goal.
        lexicon: the weights of the three figures of ``of_lexicon``.
    """

    vocabulary: frozenset[str]
    rows: dict[int, int]
    table: NDArray[np.int8]
    scale: Floats
    bias: Floats
    lexicon: Floats


def goal_of_tool(tool: str) -> Goal:
    """The goal of a tool of this package."""
    return contract_of(TOOLS[tool]).goals[0]


def scale_of(feature: str) -> float:
    """How large the value of a feature is that is there: less where its words are features of their own."""
    if " " in feature:
        return 0.7
    return 0.5 if "*" in feature else 1.0


def of_lexicon(text: str, said_before: Sequence[str]) -> Floats:
    """Three figures of the lexicon (3 x goals): a goal's score, the root of it, and whether it is the highest."""
    scores = dict(ranked_goals(text, tuple(said_before)))
    best = max(scores.values(), default=0.0)
    found = np.array([scores.get(goal, 0.0) for goal in GOALS], np.float32)
    return np.stack([found, np.sqrt(found), (found >= best - 1e-6) & (found > 0)]).astype(np.float32)


class Judged(NamedTuple):
    """What the words of a request speak for.

    Attributes:
        goals: the logit of each learned goal.
        parts: of each deed and each type.
    """

    goals: dict[Goal, float]
    parts: dict[str, float]

    def logit(self, goal: Goal) -> float:
        """A goal's logit; of one that was not learned by its deed and its type, as far as these were."""
        known = self.goals.get(goal)
        if known is None:
            known = self.parts.get(goal.deed.value, 0.0) + self.parts.get(goal.type, 0.0) + UNLEARNED
        return known


@lru_cache(maxsize=4096)
def judged(text: str, said_before: tuple[str, ...] = ()) -> Judged:
    """Judge a request by its words."""
    weights = learned()
    present = features(text, said_before, weights.vocabulary)
    rows = [row for row in map(weights.rows.get, map(key, present)) if row is not None]
    parts = weights.table[np.array(rows, np.intp)].sum(axis=0, dtype=np.int32) * weights.scale
    logits = parts @ PARTS + weights.bias + weights.lexicon @ of_lexicon(text, said_before)
    # Rounded, so that nothing hangs on how a machine adds.
    named = zip((*(deed.value for deed in DEEDS), *TYPES), parts.round(4).tolist(), strict=True)
    return Judged(dict(zip(GOALS, logits.round(4).tolist(), strict=True)), dict(named))


@cache
def learned(path: Path = WEIGHTS) -> Weights:
    """Read the weights."""
    with np.load(path) as stored:
        vocabulary = frozenset(bytes(stored["vocabulary"]).decode().split("\n"))
        rows = {number: row for row, number in enumerate(stored["keys"].tolist())}
        return Weights(vocabulary, rows, stored["table"], stored["scale"], stored["bias"], stored["lexicon"])


def write(
    path: Path,
    vocabulary: frozenset[str],
    names: Sequence[str],
    table: Floats,
    bias: Floats,
    lexicon: Floats,
    largest: int,
) -> None:
    """Store weights, rounded to 255 steps; of the features the ``largest`` that matter most."""
    matter = np.abs(table).max(axis=1)
    kept = np.sort(np.argsort(-matter, kind="stable")[:largest])
    scale = np.abs(table).max(axis=0) / 127
    arrays = {
        "vocabulary": np.frombuffer("\n".join(sorted(vocabulary)).encode(), np.uint8),
        "keys": np.array([key(names[at]) for at in kept], np.uint32),
        "table": np.rint(table[kept] / scale).astype(np.int8),
        "scale": scale.astype(np.float32),
        "bias": bias.astype(np.float32),
        "lexicon": lexicon.astype(np.float32),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, array in arrays.items():
            buffer = io.BytesIO()
            np.save(buffer, array)
            archive.writestr(
                zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0)), buffer.getvalue(), zipfile.ZIP_DEFLATED
            )
