"""Causal planning over facts: what is relevant to a goal, its cheapest plans, and what they can begin with.

Causal minimal tool filtering (arXiv 2606.06284): an action is (requires, produces, risk, cost) over facts, facts once
true stay true. All functions are pure and know nothing of tools, records or words.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

Fact: TypeAlias = str
Facts: TypeAlias = frozenset[Fact]
Cost: TypeAlias = tuple[int, int, int]
"""Steps, risk and cost, compared in this order."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something that can be done.

    Attributes:
        name: what it is called; names tell actions apart.
        requires: facts that must hold before.
        produces: facts that hold after.
        risk: how bad it is if it goes wrong.
        cost: what doing it takes.
        silent: whether it is no step of its own but happens by itself as soon as its requirements hold.
    """

    name: str
    requires: Facts
    produces: Facts
    risk: int = 0
    cost: int = 0
    silent: bool = False

    @property
    def price(self) -> Cost:
        """What it adds to a plan's cost."""
        return (0, 0, 0) if self.silent else (1, self.risk, self.cost)


def relevant(actions: Iterable[Action], state: Facts, goals: Facts) -> tuple[Action, ...]:
    """Relevant(s, G): what can contribute to a goal, by backward chaining to a fixpoint, in the given order.

    R = G minus s; every action that produces something in R is relevant, and what it requires and s lacks joins R.
    """
    actions = tuple(actions)
    producers: dict[Fact, list[Action]] = {}
    for action in actions:
        for fact in action.produces:
            producers.setdefault(fact, []).append(action)
    wanted, open_facts, found = set(goals - state), list(goals - state), set[str]()
    while open_facts:
        for action in producers.get(open_facts.pop(), ()):
            found.add(action.name)
            fresh = action.requires - state - wanted
            wanted |= fresh
            open_facts.extend(fresh)
    return tuple(action for action in actions if action.name in found)


@dataclass(frozen=True, slots=True)
class Plans:
    """All cheapest plans, as the graph of the states they pass through.

    Attributes:
        start: the state they begin in.
        ends: the states they end in.
        cost: of each of them.
        into: by state, the last steps of the cheapest ways into it, and the states those were made in.
    """

    start: Facts
    ends: tuple[Facts, ...]
    cost: Cost
    into: dict[Facts, list[tuple[Facts, Action]]]

    def first_steps(self) -> tuple[Action, ...]:
        """What a cheapest plan can begin with, ordered by (risk, cost, name)."""
        seen, waiting, first = set(self.ends), list(self.ends), dict[str, Action]()
        while waiting:
            for before, action in self.into.get(waiting.pop(), ()):
                if before == self.start:
                    first[action.name] = action
                elif before not in seen:
                    seen.add(before)
                    waiting.append(before)
        return tuple(sorted(first.values(), key=lambda action: (action.risk, action.cost, action.name)))

    def __iter__(self) -> Iterator[tuple[Action, ...]]:
        """The plans one by one, each a sequence of steps."""
        for end in self.ends:
            yield from self._ways_into(end)

    def _ways_into(self, state: Facts) -> Iterator[tuple[Action, ...]]:
        if state == self.start:
            yield ()
            return
        for before, action in self.into[state]:
            for way in self._ways_into(before):
                yield (*way, action)


def minimal_plans(actions: Iterable[Action], state: Facts, goals: Facts) -> Plans | None:
    """All cheapest plans that make every goal true, by uniform-cost search over relevant actions; None: there is none.

    Plans are compared by (steps, risk, cost), in this order.
    """
    useful = relevant(actions, state, goals)
    silent = [action for action in useful if action.silent]
    steps = [action for action in useful if not action.silent]
    start = _settled(state, silent)
    best: dict[Facts, Cost] = {start: (0, 0, 0)}
    into: dict[Facts, list[tuple[Facts, Action]]] = {}
    ends: list[Facts] = []
    bound: Cost | None = None
    tie = count()
    waiting: list[tuple[Cost, int, Facts]] = [((0, 0, 0), next(tie), start)]
    while waiting:
        cost, _, here = heapq.heappop(waiting)
        if bound is not None and cost > bound:
            break
        if cost > best[here]:
            continue
        if goals <= here:
            bound = cost
            ends.append(here)
            continue
        for action in steps:
            if not action.requires <= here or action.produces <= here:
                continue
            there = _settled(here | action.produces, silent)
            steps_so_far, risk, price = (a + b for a, b in zip(cost, action.price, strict=True))
            total = (steps_so_far, risk, price)
            known = best.get(there)
            if known is None or total < known:
                best[there], into[there] = total, [(here, action)]
                heapq.heappush(waiting, (total, next(tie), there))
            elif total == known:
                into[there].append((here, action))
    return None if bound is None else Plans(start, tuple(ends), bound, into)


def frontier(actions: Iterable[Action], state: Facts, goals: Facts) -> tuple[Action, ...]:
    """What a cheapest plan can begin with, ordered by (risk, cost, name); empty: no plan, or nothing left to do."""
    plans = minimal_plans(actions, state, goals)
    return () if plans is None else plans.first_steps()


def _settled(state: Facts, silent: list[Action]) -> Facts:
    """The state after everything that happens by itself has happened."""
    waiting = [action for action in silent if not action.produces <= state]
    while True:
        ready = [action for action in waiting if action.requires <= state]
        if not ready:
            return state
        state = state.union(*(action.produces for action in ready))
        waiting = [action for action in waiting if not action.produces <= state]
