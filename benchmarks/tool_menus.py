"""What the tool filters keep: recall, size, and time of the menus of ``semantic_filter`` and ``cmtf_only``.

``python benchmarks/tool_menus.py --split val`` makes tasks of a split, one of each contrast block, and prints for each
filter the share of tasks whose right tool is in the menu, how large the menu is of how many tools offered, how often
the one tool the filter would choose (nearest in meaning; best goal) is a wrong one, and the processor time of one
decision. Splits share no wording: the lexicon of ``cmtf_only`` was written on ``train`` and ``val``, so ``test`` says
what it does with words it was not made for.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ebf_baselines.causal import causal_menu, inferred_goals
from ebf_baselines.causal.contracts import contract_of
from ebf_baselines.causal.goals import ranked_goals
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


if __name__ == "__main__":
    main()
