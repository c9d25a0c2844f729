"""How fast episodes begin and step, beside a yardstick in the same run.

``python benchmarks/environment.py`` prints the cost of each operation in microseconds and as a multiple of one step of
Gymnasium's CartPole-v1 on the same core; the multiples compare across machines, the microseconds do not.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import gymnasium as gym

import ebf_env
from ebf_env.decisions import decision_text
from ebf_env.tasks import reference_decision
from ebf_env.tasks.starter import starter_suite

ROUNDS, REPEATS = 9, 400


def microseconds(operation: Callable[[], object]) -> float:
    """Median over rounds of the mean time of one call."""
    rounds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for _ in range(REPEATS):
            operation()
        rounds.append((time.perf_counter() - began) / REPEATS * 1e6)
    return statistics.median(rounds)


def main() -> None:
    """Measure and print."""
    cartpole = gym.make("CartPole-v1")
    cartpole.reset(seed=0)

    def cartpole_step() -> None:
        _, _, terminated, truncated, _ = cartpole.step(0)
        if terminated or truncated:
            cartpole.reset()

    suite = starter_suite()
    env = ebf_env.EntityBindingEnv(suite)
    env.reset(seed=0)
    right = {task.task_id: decision_text(reference_decision(task)) for task in suite}

    def reset_and_step() -> None:
        env.reset()
        env.step(right[env.episode.task.task_id])

    entities = sum(len(task.world) for task in suite) / len(suite)
    yardstick = microseconds(cartpole_step)
    print(f"starter suite, {entities:.0f} entities a task; CartPole-v1 step {yardstick:.1f} us")
    for name, operation in {
        "reset": env.reset,
        "reset and the right step": reset_and_step,
        "sample an action": env.action_space.sample,
    }.items():
        cost = microseconds(operation)
        print(f"{name:28s} {cost:9.1f} us  {cost / yardstick:7.1f} CartPole steps")


if __name__ == "__main__":
    main()
