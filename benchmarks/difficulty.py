"""How far chance and string similarity get on a fresh suite: what a suite must not give away.

``python benchmarks/difficulty.py`` prints, for resolvable tasks by condition, how often the first records of the right
types are wrong beside what chance gives, and how often the records most similar to what is said are, for the similarity
that does best.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict

from rapidfuzz import fuzz, process

from ebf_env.envs import Episode
from ebf_env.tasks import Label, Task
from ebf_env.world.binding import as_ids
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator

SCORERS = (fuzz.ratio, fuzz.partial_ratio, fuzz.token_sort_ratio, fuzz.token_set_ratio, fuzz.WRatio)


def similar(task: Task, candidates: dict[str, dict[str, str]], queries: dict[str, str]) -> dict[str, bool]:
    """Whether each similarity, of each text of a record to each text of the task, binds every slot rightly."""
    right: dict[str, bool] = {}
    for view in ("label", "record"):
        for said, query in queries.items():
            for scorer in SCORERS:
                hits = True
                for slot, gold in task.gold_bindings.items():
                    texts = {i: shown[view] for i, shown in candidates[slot].items()}
                    best = process.extract(query, texts, scorer=scorer, limit=len(as_ids(gold)))
                    hits = hits and {key for _, _, key in best} == set(as_ids(gold))
                right[f"{scorer.__name__} of {said} and {view}"] = hits
    return right


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    generator = Generator(SuiteConfig(tasks=options.tasks, seed=options.seed, split="test"))
    wrong: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    hits, chances = [], []
    for task in generator.tasks():
        if task.label is not Label.RESOLVABLE:
            continue
        observation = Episode(task).observation
        candidates: dict[str, dict[str, dict[str, str]]] = {}
        chance, first = 1.0, True
        for slot, gold in task.gold_bindings.items():
            precondition = task.spec.precondition(slot)
            assert precondition is not None  # noqa: S101 -- checked with the task
            shown = observation.candidates(precondition.entity_type)
            candidates[slot] = {e.id: {"label": e.entity.label, "record": json.dumps(e.entity.fields)} for e in shown}
            count = len(as_ids(gold))
            chance *= 1 / math.comb(len(shown), count)
            first = first and {e.id for e in shown[:count]} == set(as_ids(gold))
        hits.append(first)
        chances.append(chance)
        said = " ".join([*(str(turn["content"]) for turn in task.history), task.instruction])
        begin, end = task.mentions[0].span
        queries = {"everything": said, "the instruction": task.instruction, "the mention": task.instruction[begin:end]}
        for name, right in similar(task, candidates, queries).items():
            wrong[task.condition.value][name].append(not right)
    expected, error = sum(chances), math.sqrt(sum(c * (1 - c) for c in chances))
    print(f"first records: {sum(hits)} of {len(hits)} right, chance {expected:.1f} +- {error:.1f} (1 s.e.)")
    for condition, scorers in sorted(wrong.items()):
        name, values = min(scorers.items(), key=lambda item: sum(item[1]) / len(item[1]))
        print(f"{condition:18s} {len(values):5d} tasks   least wrong {sum(values) / len(values):6.1%}   {name}")


if __name__ == "__main__":
    main()
