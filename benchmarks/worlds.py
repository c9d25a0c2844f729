"""How fast worlds are drawn, derived and searched, beside a yardstick in the same run.

``python benchmarks/worlds.py`` prints the cost of each operation in microseconds and as a multiple of one step of
Gymnasium's CartPole-v1, measured in turn with it, round by round; the multiples compare across machines, the
microseconds do not. ``--size`` sets how many entities the large world has.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Callable
from itertools import count

import gymnasium as gym

from ebf_env.world import Entity, Permissions, World, WorldState
from ebf_generators.company import Company
from ebf_generators.pools import default_pools
from ebf_generators.randomness import Bits

ROUNDS, ROUND = 41, 0.02
"""How many rounds, and how many seconds of each operation are in one."""


def microseconds(operation: Callable[[], object], repeats: int) -> float:
    """Mean time of one call, on the processor: what else runs on the machine is not counted."""
    began = time.process_time()
    for _ in range(repeats):
        operation()
    return (time.process_time() - began) / repeats * 1e6


def measured(operation: Callable[[], object], yardstick: Callable[[], object]) -> tuple[float, float]:
    """Medians over rounds of the time of one call, and of its ratio to a call of the yardstick before and after."""
    microseconds(operation, 5)  # what is made once
    repeats = max(1, int(ROUND * 1e6 / microseconds(operation, 5)))
    times, ratios = [], []
    for _ in range(ROUNDS):
        before, cost, after = (
            microseconds(yardstick, 500),
            microseconds(operation, repeats),
            microseconds(yardstick, 500),
        )
        times.append(cost)
        ratios.append(2 * cost / (before + after))
    return statistics.median(times), statistics.median(ratios)


def once(name: str, operation: Callable[[], object]) -> None:
    """Print how long something takes that is done once for a world, and the most memory the process ever had."""
    began = time.process_time()
    operation()
    seconds = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{name:44s} {seconds:9.2f} s   peak {peak:6.0f} MB")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=100_000, help="entities of the large world")
    size = parser.parse_args().size
    cartpole = gym.make("CartPole-v1")
    cartpole.reset(seed=0)

    def step() -> None:
        _, _, terminated, truncated, _ = cartpole.step(0)
        if terminated or truncated:
            cartpole.reset()

    pools, numbers = default_pools("train"), count()

    def company(entities: int) -> World:
        drawn = Company(Bits(0, "train", next(numbers)), pools)
        drawn.fill(entities)
        return drawn.world()

    def show(name: str, operation: Callable[[], object]) -> None:
        cost, ratio = measured(operation, step)
        print(f"{name:44s} {cost:9.1f} us  {ratio:7.1f} CartPole steps")

    print(f"CartPole-v1 step {statistics.median(microseconds(step, 500) for _ in range(ROUNDS)):.1f} us")
    show("a company of 40", lambda: company(40))

    worlds: list[World] = []
    once(f"a company of {size}", lambda: worlds.append(company(size)))
    [world] = worlds
    someone = world.of_type("person")[-1]
    once("index of searches", lambda: WorldState(world).search("", (), Permissions(), slice(1)))
    once("index of names", lambda: world.named("person", ["nobody"]))
    once("relations backwards", lambda: world.referrers(someone.id))
    once("digest", lambda: world.digest)
    once("check", world.check)

    fresh = [Entity(f"focal_{number}", e.type, e.fields) for number, e in enumerate(company(40).of_type("document"))]
    put = [*(Entity(e.id, e.type, {"title": e.fields["title"]}) for e in fresh), someone, *world.of_type("project")[:2]]

    def derived() -> World:
        return world.derive(put)

    def search(query: str, *types: str) -> Callable[[], object]:
        return lambda: WorldState(derived()).search(query, types, Permissions(), slice(10))

    everyone, hidden = Permissions(), Permissions(hidden=frozenset({someone.id}))
    print(f"a world derived from it, {len(put)} records put, and on that:")
    for name, operation in {
        "nothing": derived,
        "search people by name": search(someone.label, "person"),
        "search documents by a subject and a kind": search("pricing plan", "document", "folder"),
        "search everything for what begins with a": search("a"),
        "search everything by the year": search("2026"),
        "search with a hidden record": lambda: WorldState(derived()).search("plan", ("document",), hidden, slice(10)),
        "list all people": lambda: WorldState(derived()).search("", ("person",), everyone, slice(10)),
        "people of a name": lambda: derived().named("person", someone.label.split()),
        "ids of a type with changes": lambda: derived().ids_of_type("person"),
        "records of a type with changes": lambda: derived().of_type("person"),
        "records of a type without": lambda: derived().of_type("ticket"),
        "referrers": lambda: derived().referrers(someone.id),
        "digest": lambda: derived().digest,
        "check": lambda: derived().check(),
    }.items():
        show(f"  {name}", operation)


if __name__ == "__main__":
    main()
