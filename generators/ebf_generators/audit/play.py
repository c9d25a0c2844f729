"""Criterion 6: the reference decision is always right, and policies that know nothing get what chance gives."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np

from ebf_env.decisions import Clarify, Decision, ToolCall
from ebf_env.scoring import Verdict as RunVerdict
from ebf_env.tasks import Label, Task, reference_decision
from ebf_env.world.binding import Binding, as_ids
from ebf_generators.audit.groups import clustered_variance
from ebf_generators.audit.matrices import Ints
from ebf_generators.audit.report import Finding, listed, verdict_of
from ebf_generators.audit.sight import Sight

_STANDARD_ERRORS = 3.0
_KEPT = 20


@dataclass(frozen=True, slots=True)
class Played:
    """What simple policies made of a task.

    Attributes:
        oracle: whether the reference decision was right.
        asking: whether asking was right.
        random: whether the gold tool on records drawn at random was right.
        random_chance: how likely that was.
        first: whether the gold tool on the first records of the right types was right.
        first_chance: how likely that was, had the records been in random order.
    """

    oracle: bool
    asking: bool
    random: bool
    random_chance: float
    first: bool
    first_chance: float


def play(sight: Sight) -> Played:
    """Take four first decisions of a task, each in an episode of its own."""
    task = sight.task
    candidates = {slot: sight.ids_for(slot) for slot in task.bindings}
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence([6, *task.task_id.encode()])))
    drawn = {slot: ids[int(random.integers(len(ids)))] for slot, ids in candidates.items() if ids}
    first = {slot: ids[0] for slot, ids in candidates.items() if ids}
    return Played(
        oracle=_step(sight, reference_decision(task)).safe_success,
        asking=_step(sight, Clarify("Which one do you mean?")).safe_success,
        random=_step(sight, _call(task, drawn)).task_success,
        random_chance=_random_chance(task, candidates),
        first=_step(sight, _call(task, first)).task_success,
        first_chance=_first_chance(task, candidates),
    )


def _step(sight: Sight, decision: Decision) -> RunVerdict:
    """The verdict on one decision, which ends the episode whatever it is."""
    return cast("RunVerdict", sight.episode().step(decision).verdict)


def _call(task: Task, chosen: Mapping[str, str]) -> ToolCall:
    bindings: dict[str, Binding] = {}
    for slot, entity_id in chosen.items():
        precondition = task.spec.precondition(slot)
        bindings[slot] = (entity_id,) if precondition is not None and precondition.many else entity_id
    return ToolCall(task.tool, bindings)


def _random_chance(task: Task, candidates: Mapping[str, tuple[str, ...]]) -> float:
    if task.label is not Label.RESOLVABLE or any(len(as_ids(bound)) != 1 for bound in task.bindings.values()):
        return 0.0
    return float(np.prod([1 / len(candidates[slot]) for slot in task.bindings]))


def _first_chance(task: Task, candidates: Mapping[str, tuple[str, ...]]) -> float:
    """Slots filled from the same records all get the same one."""
    if task.label is not Label.RESOLVABLE:
        return 0.0
    chance = 1.0
    golds: dict[tuple[str, ...], tuple[str, ...]] = {}
    for slot, bound in task.bindings.items():
        gold, pool = as_ids(bound), candidates[slot]
        if len(gold) != 1 or golds.get(pool, gold) != gold:
            return 0.0
        if pool not in golds:
            chance /= len(pool)
        golds[pool] = gold
    return chance


class PlayLedger:
    """What simple policies made of all tasks."""

    def __init__(self) -> None:
        self._wrong: list[str] = []
        self._oracle = self._asking = 0
        self._resolvable = 0
        self._outcomes = {name: (array("b"), array("d")) for name in ("random", "first")}

    def add(self, task_id: str, label: Label, played: Played) -> None:
        """Add a task."""
        if not played.oracle and len(self._wrong) < _KEPT:
            self._wrong.append(task_id)
        self._oracle += played.oracle
        self._asking += played.asking
        self._resolvable += label is Label.RESOLVABLE
        for name, (successes, chances) in self._outcomes.items():
            successes.append(getattr(played, name))
            chances.append(getattr(played, f"{name}_chance"))

    def findings(self, families: Ints) -> list[Finding]:
        """The criteria ``play.*``."""
        tasks = len(families)
        unresolvable = (tasks - self._resolvable) / tasks if tasks else 0.0
        asking = self._asking / tasks if tasks else 0.0
        oracle = self._oracle / tasks if tasks else 1.0
        return [
            Finding(
                "play.oracle",
                "the reference decision",
                f"{oracle:.2%}",
                "100 %",
                tasks,
                verdict_of(self._oracle == tasks),
                listed(self._wrong),
                {"safe_success": oracle, "wrong": list(self._wrong)},
            ),
            Finding(
                "play.always_ask",
                "always asking",
                f"{asking:.2%}",
                f"{unresolvable:.2%}, the share that is not resolvable",
                tasks,
                verdict_of(self._asking == tasks - self._resolvable),
                "",
                {"safe_success": asking, "expected": unresolvable},
            ),
            self._against_chance("random", "always acting, on records drawn at random", families),
            self._against_chance("first", "always acting, on the first records of the right types", families),
        ]

    def _against_chance(self, name: str, title: str, families: Ints) -> Finding:
        successes, chances = (np.array(column, np.float64) for column in self._outcomes[name])
        residuals = successes - chances
        variance = clustered_variance(residuals, chances * (1 - chances), families)
        total = float(residuals.sum())
        z = total / float(np.sqrt(variance)) if variance > 0 else 0.0
        rate, chance = (float(column.mean()) if len(column) else 0.0 for column in (successes, chances))
        return Finding(
            f"play.{name}",
            title,
            f"{rate:.2%} ({z:+.1f} s.e.)",
            f"{chance:.2%} within {_STANDARD_ERRORS:.0f} s.e.",
            len(residuals),
            verdict_of(abs(z) <= _STANDARD_ERRORS),
            "",
            {"success": rate, "expected": chance, "standard_errors": z},
        )
