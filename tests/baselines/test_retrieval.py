"""Retrieved candidates: recall first."""

from __future__ import annotations

import statistics

import pytest

from ebf_baselines.retrieval import retrieve, retrieved_candidates
from ebf_env.envs import Episode
from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.world import Entity
from ebf_env.world.binding import as_ids
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator


def seen(instruction: str, *entities: Entity, history: tuple[dict[str, str], ...] = ()) -> Observation:
    return Observation(instruction, None, None, history, (), tuple(map(ObservedEntity, entities)))


def ids(observation: Observation, k: int = 8) -> list[str]:
    return [found.entity.id for found in retrieve(observation, k)]


ALEX = Entity("p1", "person", {"name": "Alex Chen", "team": "Launch"})
KUMAR = Entity("p2", "person", {"name": "Alex Kumar", "team": "Support"})
ZOE = Entity("p3", "person", {"name": "Zoé Martín", "aliases": ["Zozo"]})
TICKET = Entity("t1", "ticket", {"title": "Checkout crash", "reporter": "p3"})
OTHER = Entity("t2", "ticket", {"title": "Login loop", "reporter": "p1"})


def test_who_shares_words_by_name_is_retrieved_and_nobody_else():
    assert ids(seen("mail Alex from support", ZOE, KUMAR, ALEX)) == ["p2", "p1"]
    scores = {found.entity.id: found.score for found in retrieve(seen("mail Alex from support", ZOE, KUMAR, ALEX))}
    assert scores["p2"] > scores["p1"] > 0


@pytest.mark.parametrize("said", ["mail zoe", "mail MARTIN", "ping Zozo", "mail Martni"])
def test_words_match_without_case_diacritics_and_small_slips(said: str):
    assert ids(seen(said, ALEX, ZOE)) == ["p3"]


def test_what_hangs_together_with_a_named_record_comes_too():
    assert ids(seen("thank whoever reported the checkout crash", ALEX, ZOE, TICKET, OTHER)) == ["p3", "t1"]
    assert ids(seen("open the ticket that Zoé filed", ZOE, OTHER, TICKET)) == ["p3", "t1"]


def test_the_conversation_counts():
    history = ({"role": "user", "content": "It is about Kumar."}, {"role": "assistant", "content": "Sure."})
    assert ids(seen("send him a note", ALEX, ZOE, KUMAR, history=history)) == ["p2"]


def test_at_most_k_of_a_type_and_what_ties_with_them():
    crowd = [Entity(f"q{n}", "person", {"name": f"Alex Number{n}"}) for n in range(20)]
    assert len(ids(seen("mail Alex", *crowd), k=3)) == 20
    assert ids(seen("mail Alex Number7", *crowd), k=1) == ["q7"]


def test_nothing_in_sight_gives_nothing():
    assert retrieved_candidates(seen("mail Alex")) == ()
    assert ids(seen("", ALEX)) == []


@pytest.mark.parametrize(("noise", "least"), [("none", 0.97), ("medium", 0.9)])
def test_gold_records_of_generated_tasks_are_retrieved(noise: str, least: float):
    generator = Generator(SuiteConfig(split="val", seed=11, noise=noise))
    found, wanted, shares = 0, 0, []
    for number in range(150):
        task = generator.task(number)
        observation = Episode(task).observation
        shown = {entity.id for entity in retrieved_candidates(observation)}
        shares.append(len(shown) / len(observation.entities))
        gold = {entity_id for bound in task.bindings.values() for entity_id in as_ids(bound)}
        wanted += len(gold)
        found += len(gold & shown)
    assert found / wanted >= least
    assert statistics.mean(shares) < 0.6
