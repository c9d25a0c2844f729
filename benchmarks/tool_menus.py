"""What the tool filters keep, and how well the tool meant is told: menus, first choices and probabilities.

``python benchmarks/tool_menus.py --split val`` makes tasks of a split, one of each contrast block, and prints for each
filter the share of tasks whose right tool is in the menu, how large the menu is of how many tools offered, how often
the one tool the filter would choose (nearest in meaning; best goal) is a wrong one, and the processor time of one
decision.

A second table is about ``tool_posterior``: how often its most probable tool is the right one, how large a share of the
tasks it can be trusted on (the surest ones of which 99.5 % are right; those at least as sure as ``SURE``, which was
fixed on requests of writers left out of the training), how far its probabilities are from frequencies, and the time of
one decision; by words alone, and told which types of record have a name that is spoken of.

Splits share no wording: the lexicon was written on ``train`` and ``val``, the weights were learned with wordings of
``train``, so ``test`` says what they do with words they were not made for.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ebf_baselines.causal import SURE, causal_menu, inferred_goals, tool_posterior
from ebf_baselines.causal.classifier import judged
from ebf_baselines.causal.contracts import contract_of
from ebf_baselines.causal.goals import ranked_goals
from ebf_baselines.causal.menu import said_before
from ebf_baselines.causal.words import WORD
from ebf_baselines.meaning import DEFAULT_K, SemanticMenu, embedded, similarities, tool_text
from ebf_env.envs.episode import Episode
from ebf_env.envs.observation import Observation
from ebf_env.tasks import Task
from ebf_env.world import ToolSpec
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator


@dataclass(frozen=True, slots=True)
class Filter:
    """A tool filter and the one tool it would choose.

    Attributes:
        name: what it is called.
        menu: the tools it shows.
        choice: the name of the tool it puts first; None: it has no first.
        anew: makes a decision as costly as the first on its instruction, with its tools known.
    """

    name: str
    menu: Callable[[Observation], tuple[ToolSpec, ...]]
    choice: Callable[[Observation], str | None]
    anew: Callable[[Observation], None]


def nearest(observation: Observation) -> str | None:
    """The tool nearest in meaning to the instruction."""
    return observation.tools[int(np.argmax(similarities(observation)))].name


def know_tools(observation: Observation) -> None:
    """Leave nothing embedded but the tools."""
    embedded.cache_clear()
    for spec in observation.tools:
        embedded(tool_text(spec))


def of_best_goal(observation: Observation) -> str | None:
    """The first tool that reaches the best goal that any tool reaches."""
    reaching = {goal: spec.name for spec in reversed(observation.tools) for goal in contract_of(spec).goals}
    return next((reaching[ranked.goal] for ranked in inferred_goals(observation) if ranked.goal in reaching), None)


def measure(tool_filter: Filter, seen: Sequence[tuple[Task, Observation]]) -> str:
    """A line of the table."""
    sizes, times, kept, wrong = [], [], 0, 0
    for _, observation in seen[:50]:
        tool_filter.menu(observation)
    for task, observation in seen:
        tool_filter.anew(observation)
        began = time.process_time_ns()
        menu = tool_filter.menu(observation)
        times.append((time.process_time_ns() - began) / 1e3)
        sizes.append(len(menu))
        kept += task.tool in {spec.name for spec in menu}
        wrong += tool_filter.choice(observation) != task.tool
    return (
        f"{tool_filter.name:22s} {kept / len(seen):8.2%} {statistics.mean(sizes):9.2f} {max(sizes):9d} "
        f"{wrong / len(seen):10.2%} {statistics.median(times):10.0f} us"
    )


TRUSTED = 0.995
NAMES = ("title", "subject", "name", "key", "number")


def named_kinds(observation: Observation) -> dict[str, float]:
    """By type, the largest share of the words of a record's name that are spoken; of people any one of their names."""
    said = _words(" ".join((*said_before(observation), observation.instruction)))
    kinds: dict[str, float] = {}
    for shown in observation.entities:
        for field in NAMES:
            name = _words(str(shown.entity.fields.get(field, "")))
            if name:
                share = float(bool(name & said)) if shown.type == "person" else len(name & said) / len(name)
                kinds[shown.type] = max(kinds.get(shown.type, 0.0), share)
    return kinds


def _words(text: str) -> set[str]:
    return {word.removesuffix("'s") for word in WORD.findall(text.lower())}


def judge(name: str, seen: Sequence[tuple[Task, Observation]], *, look: bool) -> str:
    """A line of the second table."""
    surest, right, times = [], [], []
    for task, observation in seen:
        kinds = named_kinds(observation) if look else None
        ranked_goals.cache_clear()
        judged.cache_clear()
        began = time.process_time_ns()
        chances = tool_posterior(observation, kinds)
        times.append((time.process_time_ns() - began) / 1e3)
        best = max(chances, key=lambda tool: chances[tool])
        surest.append(chances[best])
        right.append(best == task.tool)
    sure, correct = np.array(surest), np.array(right)
    order = np.argsort(-sure, kind="stable")
    accuracy = np.cumsum(correct[order]) / np.arange(1, len(order) + 1)
    covered = int(np.max(np.flatnonzero(accuracy >= TRUSTED), initial=-1)) + 1
    at_least = sure >= SURE
    bins = np.minimum((sure * 10).astype(int), 9)
    error = sum(abs(correct[bins == b].mean() - sure[bins == b].mean()) * (bins == b).mean() for b in np.unique(bins))
    among = correct[at_least].mean() if at_least.any() else float("nan")
    return (
        f"{name:22s} {correct.mean():8.2%} {covered / len(order):12.1%} {at_least.mean():10.1%} {among:10.2%} "
        f"{error:11.3f} {statistics.median(times):10.0f} us"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=("train", "val", "test"), default="val")
    parser.add_argument("--tasks", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0, help="the suite's seed")
    parser.add_argument("--domains", nargs="*", default=(), help="of the tools called; none: the paper's five")
    parser.add_argument("--k", type=int, default=DEFAULT_K, help="tools that the semantic filter shows")
    chosen = parser.parse_args()
    more = {"domains": tuple(chosen.domains)} if chosen.domains else {}
    generator = Generator(SuiteConfig(split=chosen.split, seed=chosen.seed, families=False, **more))
    tasks = [generator.task(number) for number in range(chosen.tasks)]
    seen = [(task, Episode(task).observation) for task in tasks]
    offered = statistics.mean(len(observation.tools) for _, observation in seen)
    print(f"{chosen.tasks:,} tasks of {chosen.split}, seed {chosen.seed}, {offered:.2f} tools offered on average")
    print(f"{'filter':22s} {'recall':>8s} {'mean size':>9s} {'largest':>9s} {'wrong tool':>10s} {'median time':>13s}")
    for tool_filter in (
        Filter(f"semantic_filter (k={chosen.k})", SemanticMenu(chosen.k), nearest, know_tools),
        Filter("cmtf_only", causal_menu, of_best_goal, lambda _: ranked_goals.cache_clear()),
    ):
        print(measure(tool_filter, seen))
    print(
        f"{'tool_posterior':22s} {'right':>8s} {'at 99.5 %':>12s} {'sure':>10s} {'right then':>10s} "
        f"{'calibration':>11s} {'median time':>13s}"
    )
    for name, look in (("words alone", False), ("with types named", True)):
        print(judge(name, seen, look=look))


if __name__ == "__main__":
    main()
