"""Suites of any size: tasks drawn in chunks by several processes, written in order, counted on the way.

Chunks are whole turns of the schedule, so that no block is drawn twice; which process draws a chunk makes no difference
to its bytes.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from typing import Final

from ebf_env.json_types import JSON
from ebf_env.tasks import Task
from ebf_env.tasks.destination import destination
from ebf_env.tasks.suite import SuiteInfo, SuiteWriter, task_line
from ebf_env.world.search import words
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import WORLD_NAME, Generator
from ebf_generators.randomness import GENERATOR_VERSION
from ebf_generators.workers import Part, start_method
from ebf_generators.workers import workers as processes

COUNTED: Final = ("condition", "base_condition", "label", "domain", "tool", "risk", "difficulty")
"""What the trailer counts tasks by."""


@dataclass(slots=True)
class Tally:
    """What is counted of tasks; tallies of chunks add up."""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in COUNTED})
    cells: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    instructions: set[int] = field(default_factory=set)
    plain: set[int] = field(default_factory=set)
    bigrams: set[int] = field(default_factory=set)
    bigram_count: int = 0
    families: set[str] = field(default_factory=set)
    two_steps: int = 0

    def add(self, task: Task) -> None:
        """Count a task."""
        for name, value in {
            "condition": task.condition.value,
            "base_condition": task.base_condition.value if task.base_condition else "none",
            "label": task.label.value,
            "domain": task.domain,
            "tool": task.tool,
            "risk": task.effective_risk.value,
            "difficulty": str(task.difficulty),
        }.items():
            self.counts[name][value] += 1
        self.cells[task.condition.value, task.domain, task.tool] += 1
        said = [*(str(turn["content"]) for turn in task.history), task.instruction]
        self.instructions.add(_hash(" ".join(said)))
        certificate = task.certificate or {}
        self.plain.add(_hash(str(certificate.get("delexicalised"))))
        self.two_steps += certificate.get("hop") is not None
        tokens = words(task.instruction)
        self.bigrams.update(_hash(f"{first} {second}") for first, second in pairwise(tokens))
        self.bigram_count += max(len(tokens) - 1, 0)
        if task.family is not None:
            self.families.add(task.family)

    def merge(self, other: Tally) -> None:
        """Add what another tally counted."""
        for name, counter in other.counts.items():
            self.counts[name].update(counter)
        self.cells.update(other.cells)
        self.instructions |= other.instructions
        self.plain |= other.plain
        self.bigrams |= other.bigrams
        self.families |= other.families
        self.bigram_count += other.bigram_count
        self.two_steps += other.two_steps

    def statistics(self) -> dict[str, JSON]:
        """What a trailer says."""
        counts: dict[str, JSON] = {name: dict(sorted(counter.items())) for name, counter in self.counts.items()}
        return {
            **counts,
            "families": len(self.families),
            "two_step_tasks": self.two_steps,
            "distinct_instructions": len(self.instructions),
            "distinct_delexicalised_instructions": len(self.plain),
            "distinct_2": round(len(self.bigrams) / self.bigram_count, 6) if self.bigram_count else 0.0,
        }


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


Drawn = tuple[list[tuple[str, bytes]], Tally]


def _checked(generator: Generator) -> Generator:
    """The generator, with the large world checked once, so that tasks check only what they add to it."""
    if generator.base is not None:
        generator.base.check()
    return generator


def _drawing(config: SuiteConfig, generator: Generator | None) -> Callable[[Part], Drawn]:
    """What draws chunks in a process, from a generator that it shares or from one of its own."""
    return partial(_draw, generator or _checked(Generator(config)))


def _draw(generator: Generator, chunk: Part) -> Drawn:
    lines, tally = [], Tally()
    for task in generator.tasks(*chunk):
        lines.append((task.task_id, task_line(task, world=generator.world_name)))
        tally.add(task)
    return lines, tally


def name_of(config: SuiteConfig) -> str:
    """The name of a suite that was given none."""
    return f"{config.mix}-{config.split}-{config.tasks}-seed{config.seed}"


def info_of(config: SuiteConfig, generator: Generator, name: str) -> SuiteInfo:
    """What a generated suite says of itself."""
    return SuiteInfo(
        name=name,
        source="generated",
        generator_version=GENERATOR_VERSION,
        seed=config.seed,
        pools=generator.pools.source,
        config=config.model_dump(mode="json"),
    )


def generate(
    config: SuiteConfig,
    path: str | Path,
    *,
    workers: int = 1,
    name: str | None = None,
    replace: bool = True,
    on_tasks: Callable[[int], None] | None = None,
) -> tuple[str, Tally]:
    """Write the suite of a configuration; the same configuration gives the same bytes, whatever the workers.

    Args:
        config: what the suite is made of.
        path: the file; with ``.gz`` it is compressed.
        workers: processes that draw tasks.
        name: the suite's name; None: one that tells mix, split and seed.
        replace: whether a file that is there may be replaced.
        on_tasks: called with how many more tasks were written; with 0 when the drawing begins.

    Returns:
        The hash of the suite's lines, and what was counted.

    Raises:
        ConfigurationError: settings that clash; nothing is written.
        SuiteError: the file cannot be written, or may not be replaced.
    """
    destination(path, replace=replace)
    generator = _checked(Generator(config))
    tally = Tally()
    # the processes begin before the file is open and before anything is shown, so that they share neither with us
    with (
        _drawn(generator, workers) as drawn,
        SuiteWriter(path, info_of(config, generator, name or name_of(config)), replace=replace) as writer,
    ):
        if on_tasks is not None:
            on_tasks(0)
        if generator.base is not None:
            writer.add_world(WORLD_NAME, generator.base)
        for lines, counted in drawn:
            for task_id, line in lines:
                writer.add_line(task_id, line)
            tally.merge(counted)
            if on_tasks is not None:
                on_tasks(len(lines))
        writer.statistics = tally.statistics()
    return writer.sha256, tally


@contextlib.contextmanager
def _drawn(generator: Generator, count: int) -> Iterator[Iterator[Drawn]]:
    config, size = generator.config, generator.chunk
    chunks = [(begin, min(begin + size, config.tasks)) for begin in range(0, config.tasks, size)]
    count = min(count, len(chunks))
    if count <= 1:
        yield (_draw(generator, chunk) for chunk in chunks)
        return
    method = start_method()
    with processes(count, method, partial(_drawing, config, generator if method == "fork" else None)) as drawing:
        yield drawing.draw(chunks)
