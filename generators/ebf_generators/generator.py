"""The generator: tasks by number.

Task number i belongs to block number b(i), which is a matter of the configuration's schedule alone; a block depends on
the generator version, the seed, the split and its number. So a task is the same however many are asked for, in whatever
order, by however many workers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from ebf_env.envs import Episode
from ebf_env.errors import ConfigurationError
from ebf_env.tasks import Condition, Task
from ebf_env.tasks.proof import prove
from ebf_env.tasks.task import MAX_FULL_ENTITIES
from ebf_env.world import World
from ebf_generators.blocks import UnprovenError, draft
from ebf_generators.cells import Cells
from ebf_generators.company import Company
from ebf_generators.conditions.condition import PLANS, Counts
from ebf_generators.config import PAPER_DOMAINS, PAPER_MIX, SuiteConfig
from ebf_generators.noise import corrupt_company, profile
from ebf_generators.pools import Pools, default_pools, fresh_pools, halves
from ebf_generators.randomness import Bits
from ebf_generators.recipes import conditions_of, draw_recipe, tools_of
from ebf_generators.stage import Stage

ATTEMPTS: Final = 40
"""How often a block is drawn anew where a draw turned out not to prove what it should."""

KEPT_BLOCKS: Final = 8
"""Blocks kept in memory, for tasks asked for out of order."""

SINGLES: Final = 64
"""How many single tasks in a row are best drawn together."""

WORLD_NAME: Final = "company"
"""Name of the world line that tasks in a large world refer to."""

_COMPANY_STREAM: Final = (1 << 20) + 1
"""The stream that the company of a large world is drawn from."""

_ORDER_STREAM: Final = 1 << 20
"""The stream that single tasks' conditions are shuffled by, apart from those of the attempts at a block."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """One block of the schedule's cycle."""

    condition: Condition
    counts: Counts

    @property
    def cells(self) -> int:
        return len(self.counts) * len(self.counts[0])


class Generator:
    """Makes the tasks of a configuration by their numbers.

    Args:
        config: what the suite is made of.

    Raises:
        ConfigurationError: settings that clash.
    """

    def __init__(self, config: SuiteConfig) -> None:
        self.config = config
        self.pools: Pools = (
            fresh_pools(config.split, config.locales, seed=config.seed)
            if config.locales
            else default_pools(config.split)
        )
        self._tools = tools_of(config)
        self._domains = tuple(domain for domain in config.domains if domain not in PAPER_DOMAINS)
        self._noise = profile(config.noise)
        wanted = conditions_of(config)
        rounds = max(len(PLANS[condition].shapes) for condition in wanted)
        self._cycle = [
            _Turn(condition, PLANS[condition].shapes[turn % len(PLANS[condition].shapes)])
            for turn in range(rounds)
            for condition in wanted
        ]
        self._ends = list(accumulate(turn.cells for turn in self._cycle))
        self._kept: OrderedDict[int, list[Task]] = OrderedDict()
        self._company: Company | None = None
        self.base: World | None = None
        if config.world_size > MAX_FULL_ENTITIES:
            background, self.pools = halves(self.pools)
            bits = Bits(config.seed, config.split, 0, _COMPANY_STREAM)
            self._company = Company(bits, background, domains=self._domains)
            self._company.fill(config.world_size)
            if self._noise.operators:
                corrupt_company(bits, self._company, self._noise)
            self.base = self._company.world().index()

    @property
    def world_name(self) -> str | None:
        """Name of the world line that tasks refer to; None where each has a world of its own."""
        return None if self.base is None else WORLD_NAME

    @property
    def chunk(self) -> int:
        """How many tasks in a row are best drawn together: whole blocks of all conditions."""
        return self._ends[-1] if self.config.has_families else SINGLES

    def task(self, index: int) -> Task:
        """The task of a number."""
        if not self.config.has_families:
            return self._single(index)
        block, place = self._place_of(index)
        if block not in self._kept:
            self._kept[block] = self._block(block)
            if len(self._kept) > KEPT_BLOCKS:
                self._kept.popitem(last=False)
        return self._kept[block][place]

    def tasks(self, begin: int = 0, end: int | None = None) -> Iterator[Task]:
        """The tasks from one number to another, in order."""
        for index in range(begin, self.config.tasks if end is None else end):
            yield self.task(index)

    # --- schedule ---

    def _place_of(self, index: int) -> tuple[int, int]:
        """Number of the block a task belongs to, and its place in it."""
        cycle, rest = divmod(index, self._ends[-1])
        turn = bisect_right(self._ends, rest)
        first = self._ends[turn - 1] if turn else 0
        return cycle * len(self._cycle) + turn, rest - first

    def _first_of(self, block: int) -> int:
        """Number of the first task of a block."""
        cycle, turn = divmod(block, len(self._cycle))
        return cycle * self._ends[-1] + (self._ends[turn - 1] if turn else 0)

    def _turn(self, block: int) -> _Turn:
        return self._cycle[block % len(self._cycle)]

    def _single_condition(self, index: int) -> Condition | None:
        """The condition of a task of the paper's mix; None in the balanced one, where any cell of a block will do."""
        if self.config.mix != "paper":
            return None
        shares = [condition for condition, share in PAPER_MIX.items() for _ in range(share)]
        cycle, place = divmod(index, len(shares))
        order = Bits(self.config.seed, self.config.split, cycle, _ORDER_STREAM)
        return order.shuffled(shares)[place]

    # --- blocks ---

    def _cells(self, block: int, attempt: int, turn: _Turn) -> tuple[Cells, int]:
        config = self.config
        bits = Bits(config.seed, config.split, block, attempt)
        recipe = draw_recipe(bits, turn.condition, turn.counts, self._tools, config.difficulties)
        stage = Stage(bits, self.pools, self._domains, self._noise, self._company)
        size = 0 if self.base is not None else config.world_size
        cells = Cells(draft(recipe, stage, size), config.visibility, self.base)
        return cells, recipe.difficulty

    def _block(self, block: int) -> list[Task]:
        def make(attempt: int) -> list[Task]:
            cells, difficulty = self._cells(block, attempt, self._turn(block))
            return [
                self._certified(cells.task(*cell, split=self.config.split, index=index, difficulty=difficulty), cells)
                for index, cell in enumerate(cells.order, start=self._first_of(block))
            ]

        return self._proven(make, block)

    def _single(self, index: int) -> Task:
        condition = self._single_condition(index)

        def make(attempt: int) -> list[Task]:
            if condition is None:
                turn = self._turn(index)
            else:
                shapes = PLANS[condition].shapes
                turn = _Turn(condition, shapes[index % len(shapes)])
            cells, difficulty = self._cells(index, attempt, turn)
            for cell in cells.order:
                task = cells.task(*cell, split=self.config.split, index=index, difficulty=difficulty)
                if condition is None or task.condition is condition:
                    return [replace(self._certified(task, cells), family=None)]
            raise UnprovenError("no cell of the block has the condition")

        return self._proven(make, index)[0]

    def _proven(self, make: Callable[[int], list[Task]], block: int) -> list[Task]:
        faults = ""
        for attempt in range(ATTEMPTS):
            try:
                return make(attempt)
            except UnprovenError as error:
                faults = str(error)
        raise ConfigurationError(f"block {block} could not be drawn in {ATTEMPTS} attempts: {faults}")

    def _certified(self, task: Task, cells: Cells) -> Task:
        shown = task.visibility == "full" and len(task.world) <= MAX_FULL_ENTITIES
        proof = prove(task, Episode(task).observation.text() if shown else None)
        return replace(task, certificate=cells.certificate(task, proof))
