"""How fast tasks are made and episodes begin, beside a yardstick in the same run.

``python benchmarks/tasks.py`` prints the cost of each operation in microseconds of processor time and as a multiple
of one step of Gymnasium's CartPole-v1, measured in turn with it, round by round; the multiples compare across
machines, the microseconds do not. A task is drawn, rendered as an observation, certified by both solvers (one of
which reads that), and its world digested.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import gymnasium as gym

import ebf_env
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator
from ebf_generators.suites import generate

ROUNDS, TASKS, STEPS = 15, 150, 4000
"""Rounds, tasks of each operation in a round, and steps of the yardstick before and after."""


def microseconds(operation: Callable[[], object], repeats: int) -> float:
    """Mean processor time of one call."""
    began = time.process_time()
    for _ in range(repeats):
        operation()
    return (time.process_time() - began) / repeats * 1e6


def report(name: str, operation: Callable[[], object], yardstick: Callable[[], object], target: str = "") -> None:
    """Print the median over rounds of the time of one call, and of its ratio to the yardstick around it."""
    operation()
    times, ratios = [], []
    for _ in range(ROUNDS):
        before = microseconds(yardstick, STEPS)
        cost = microseconds(operation, TASKS)
        after = microseconds(yardstick, STEPS)
        times.append(cost)
        ratios.append(2 * cost / (before + after))
    print(f"{name:52s} {statistics.median(times):9.1f} us {statistics.median(ratios):8.1f} CartPole steps   {target}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", type=int, default=100_000, help="records of the large world; 0 leaves it out")
    large = parser.parse_args().large
    cartpole = gym.make("CartPole-v1")
    cartpole.reset(seed=0)

    def step() -> None:
        _, _, terminated, truncated, _ = cartpole.step(0)
        if terminated or truncated:
            cartpole.reset()

    print(f"CartPole-v1: {1e6 / microseconds(step, 20_000):,.0f} steps a second")

    def making(config: SuiteConfig) -> Callable[[], object]:
        generator, numbers = Generator(config), count()

        return lambda: generator.task(next(numbers)).world.digest

    report("a task in contrast blocks", making(SuiteConfig()), step, "target 100")
    report("a single task, its block drawn for it alone", making(SuiteConfig(families=False)), step)
    endless = ebf_env.EntityBindingEnv()
    endless.reset(seed=0)
    report("reset() with a fresh task", endless.reset, step, "target 1.3 times a task")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "suite.jsonl"
        generate(SuiteConfig(tasks=ROUNDS * TASKS + 1), path)
        loaded = ebf_env.EntityBindingEnv(path)
    loaded.reset(seed=0)
    for what in ("first", "again"):  # the first report begins every task once, one of them a second time
        report(f"reset() from a loaded suite, {what}", loaded.reset, step, "target 10")
    if large:
        began = time.process_time()
        big = Generator(SuiteConfig(world_size=large, visibility="search"))
        print(f"a world of {large:,} records, drawn and indexed: {time.process_time() - began:.2f} s   target 8 s")
        numbers = count()
        began = time.process_time()
        for _ in range(500):
            big.task(next(numbers))
        print(f"a task in it: {(time.process_time() - began) / 500 * 1e3:.2f} ms   target 5 ms")


if __name__ == "__main__":
    main()
