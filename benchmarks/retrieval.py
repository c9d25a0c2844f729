"""How many records retrieval shows, and how often those that are meant are among them.

``python benchmarks/retrieval.py`` prints, by split and noise, the recall of gold records and the mean number of records
shown of those in sight, for the retrieval that ``entity_retrieval`` and the gated methods use.
"""

from __future__ import annotations

import argparse

from ebf_baselines.retrieval import retrieved_candidates
from ebf_env.envs import Episode
from ebf_env.world.binding import as_ids
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator

SPLITS, NOISES = ("train", "val", "test"), ("none", "medium", "high")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=600)
    parser.add_argument("--seed", type=int, default=5)
    arguments = parser.parse_args()
    print(f"{'split':8s}{'noise':8s}{'gold':>8s}{'recall':>9s}{'shown':>8s}{'in sight':>10s}")
    for split in SPLITS:
        for noise in NOISES:
            generator = Generator(SuiteConfig(split=split, seed=arguments.seed, noise=noise))
            gold = found = shown = sight = 0
            for task in generator.tasks(0, arguments.tasks):
                observation = Episode(task).observation
                ids = {entity.id for entity in retrieved_candidates(observation)}
                meant = {entity_id for bound in task.bindings.values() for entity_id in as_ids(bound)}
                gold, found = gold + len(meant), found + len(meant & ids)
                shown, sight = shown + len(ids), sight + len(observation.entities)
            means = shown / arguments.tasks, sight / arguments.tasks
            print(f"{split:8s}{noise:8s}{gold:8d}{found / gold:9.1%}{means[0]:8.1f}{means[1]:10.1f}")


if __name__ == "__main__":
    main()
