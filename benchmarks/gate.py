"""The gate where its guarantee is claimed, under shift, and beside what has none: ``python benchmarks/gate.py``.

Two suites of fresh tasks, one of a family, with medium noise: of the `val` distribution, which the shipped certificate
is calibrated on, and of `test`, whose names and wordings are others. Every row gives the rates over all tasks, and the
Clopper-Pearson 95 % upper bound of wrong entities, over all tasks and over those of critical risk. ``--grid`` adds the
rows by noise, difficulty, condition and domain; the frozen paraphrases (``paraphrases.jsonl.gz``) come at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import multiprocessing
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from ebf_agents import backends_named
from ebf_agents.llm import BackendOptions
from ebf_baselines import METHODS
from ebf_baselines.calibration import clopper_pearson
from ebf_env.decisions import Clarify, Defer, parse_decision
from ebf_env.envs.episode import Episode
from ebf_env.evaluation.protocols import Query
from ebf_env.scoring import Outcome
from ebf_env.tasks import Label, Task, read_suite
from ebf_env.world import RiskLevel
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator

PARAPHRASES: Final = Path(__file__).with_name("paraphrases.jsonl.gz")
SEEN: Final = frozenset(f"p{k:03d}" for k in (*range(10), *range(11, 18), 20, 21, 22))
"""Paraphrases that whoever wrote the patterns of the tool posterior (``training/goals``) had seen: left out."""

GATED: Final = ("confidence_gate", "entity_cmtf_provenance")
PLAIN: Final = ("direct", "semantic_filter", "cmtf_only", "entity_retrieval")
_BATCH: Final = 100
_WRONG_TOOL: Final = frozenset({Outcome.WRONG_TOOL, Outcome.WRONG_TOOL_AND_ENTITY})


@dataclass(frozen=True, slots=True)
class Case:
    """What became of one task under one method."""

    condition: str
    domain: str
    difficulty: int | None
    label: Label
    risk: RiskLevel
    outcome: Outcome
    asked: bool


def play(task: Task, method: str, backend: str) -> Case:
    """One decision on one task."""
    (answering,) = backends_named(backend, BackendOptions())
    episode, chosen = Episode(task), METHODS[method]
    seen = episode.observation
    query = Query(chosen.show(seen), chosen.prompt, 0, 0, sight=seen)
    answer = asyncio.run(answering.answer(query))
    proposal = answer.decision if answer.decision is not None else parse_decision(answer.text)
    decision = chosen.decide(seen, proposal)
    verdict = episode.step(decision).verdict
    if verdict is None:
        raise RuntimeError(f"the decision on {task.task_id} does not end the episode")
    asked = isinstance(decision, Clarify | Defer) or verdict.clarified
    return Case(
        task.condition.value, task.domain, task.difficulty, task.label, task.effective_risk, verdict.outcome, asked
    )


def _some(config: SuiteConfig, method: str, backend: str, indices: Sequence[int]) -> list[Case]:
    generator = Generator(config)
    return [play(generator.task(index), method, backend) for index in indices]


def cases(config: SuiteConfig, method: str, backend: str, workers: int) -> list[Case]:
    """What becomes of every task of a suite that is drawn on the way."""
    parts = [tuple(range(k, min(k + _BATCH, config.tasks))) for k in range(0, config.tasks, _BATCH)]
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        return [case for part in pool.map(partial(_some, config, method, backend), parts) for case in part]


def row(title: str, found: Iterable[Case]) -> list[str]:
    """The rates of some cases, in percent."""
    every = list(found)
    resolvable = [c for c in every if c.label is Label.RESOLVABLE]
    ambiguous = [c for c in every if c.label is Label.AMBIGUOUS]
    critical = [c for c in every if c.risk is RiskLevel.CRITICAL]

    def share(of: Sequence[Case], holds: Callable[[Case], bool]) -> str:
        return f"{100 * sum(map(holds, of)) / len(of):.2f}" if of else "-"

    def bound(of: Sequence[Case]) -> str:
        if not of:
            return "-"
        wrong = sum(c.outcome is Outcome.WRONG_ENTITY for c in of)
        return f"{100 * clopper_pearson(wrong, len(of), 0.9).high:.2f}"

    return [
        title,
        f"{len(every):,}",
        share(resolvable, lambda c: c.outcome is Outcome.SUCCESS),
        share(resolvable, lambda c: c.asked),
        share(ambiguous, lambda c: c.asked),
        share(every, lambda c: c.outcome is Outcome.WRONG_ENTITY),
        bound(every),
        bound(critical),
        share(every, lambda c: c.outcome in _WRONG_TOOL),
    ]


def rows(arguments: argparse.Namespace) -> Iterator[list[str]]:
    """The rows of the table, as they are measured."""

    def config(split: str, tasks: int, **more: object) -> SuiteConfig:
        settings = {"tasks": tasks, "split": split, "seed": arguments.seed, "families": False, "noise": "medium"}
        return SuiteConfig.model_validate({**settings, **more})

    for split in ("val", "test"):
        for method in GATED:
            found = cases(config(split, arguments.tasks), method, "resolver", arguments.workers)
            yield row(f"{split} {method} resolver", found)
            if method == GATED[0] and arguments.grid:
                for name in ("condition", "domain", "difficulty"):
                    for value in sorted({getattr(c, name) for c in found}):
                        yield row(f"  {name} {value}", (c for c in found if getattr(c, name) == value))
        if arguments.grid:
            for noise in ("none", "high"):
                found = cases(config(split, arguments.few, noise=noise), GATED[0], "resolver", arguments.workers)
                yield row(f"  noise {noise}", found)
    for backend, method in itertools.product(("lexical", "resolver"), PLAIN):
        yield row(f"test {method} {backend}", cases(config("test", arguments.few), method, backend, arguments.workers))
    for method in GATED:
        yield row(
            f"paraphrases {method} resolver",
            (play(task, method, "resolver") for task in read_suite(PARAPHRASES) if task.task_id not in SEEN),
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=20_000, help="tasks of each split for the gated methods")
    parser.add_argument("--few", type=int, default=2_000, help="tasks for every other row")
    parser.add_argument("--seed", type=int, default=2_026, help="of the suites; another than any that was tuned on")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--grid", action="store_true", help="rows by noise, difficulty, condition and domain too")
    arguments = parser.parse_args()
    table = Table(title="rates in percent; bounds: one-sided 95 %, Clopper-Pearson", box=None)
    table.add_column("suite, method, backend", no_wrap=True)
    for heading in ("n", "completion", "over-ask", "true amb.", "wrong ent.", "bound", "crit.", "wrong tool"):
        table.add_column(heading, justify="right")
    for cells in rows(arguments):
        print("\t".join(cells), file=sys.stderr, flush=True)
        table.add_row(*cells)
    Console(width=150).print(table)


if __name__ == "__main__":
    main()
