"""Choosing questions: what is asked, in which words, and that it is grounded and tells apart."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from timing import TRIES, seconds

from ebf_baselines.clarification import Inquiry, Stated, Visible, ask, entropy, information_gain
from ebf_baselines.resolution.store import Record, RecordStore
from ebf_env.envs import Episode, EpisodeConfig
from ebf_env.scoring.clarity import score_questions
from ebf_env.tasks import UserProfile
from ebf_env.tasks.common_ground import CommonGround
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator

NOW = datetime(2026, 3, 2, tzinfo=UTC)


def person(entity_id, name, **fields):
    return Record(entity_id, "person", {"name": name, **fields})


def account(entity_id, **fields):
    return Record(entity_id, "customer_account", {"name": "Acme", **fields})


def event(entity_id, start):
    return Record(entity_id, "calendar_event", {"title": "Sync", "start": start})


STORE = RecordStore(
    [
        person("p1", "Alex Chen", team="Launch", email="a@example.com"),
        person("p2", "Alex Kumar", team="Customer Success", email="b@example.com"),
        account("a1", region="EMEA", owner="p1"),
        account("a2", region="APAC", owner="p2"),
        account("a3", region="EMEA", owner="p2"),
        event("e1", "2026-03-03T14:00:00+01:00"),
        event("e2", "2026-03-10T14:00:00+01:00"),
        Record("d1", "document", {"title": "Launch plan"}),
        Record("d2", "document", {"title": "Launch plan"}),
        *(
            person(f"q{n}", f"Alex {name}", team=("Launch", "Support", "Sales")[n % 3], email=f"{n}@example.com")
            for n, name in enumerate(("Abel", "Cole", "Eder", "Gray", "Ito", "Kern", "Moss"))
        ),
        Record("t1", "ticket", {"title": "Crash", "reporter": "p1", "key": "K-1"}),
        Record("t2", "ticket", {"title": "Crash", "reporter": "p1", "key": "K-2"}),
    ]
)


def question(said, *ids, stated=(), hidden=(), **more):
    return ask(Inquiry(STORE, "slot", said, dict.fromkeys(ids, 1.0), stated, hidden, NOW, **more))


@pytest.mark.parametrize(
    ("said", "ids", "text", "attributes"),
    [
        ("Alex", ("p1", "p2"), "Do you mean Alex Chen (Launch) or Alex Kumar (Customer Success)?", ("team",)),
        ("Acme", ("a1", "a2"), "Which Acme account do you mean: the one in EMEA or the one in APAC?", ("region",)),
        (
            "our Acme account",
            ("a1", "a3"),
            "Which Acme account do you mean: the one owned by Alex Chen or the one owned by Alex Kumar?",
            ("owner.name",),
        ),
        (
            "the sync",
            ("e1", "e2"),
            "Which sync do you mean: the one on Tue 3 March, 14:00 or the one on Tue 10 March, 14:00?",
            ("start",),
        ),
        (
            "launch plan",
            ("d1", "d2"),
            "Which launch plan do you mean: the 1st (d1) or the 2nd (d2)? I see nothing else that tells them apart.",
            ("id",),
        ),
        (
            "the crash",
            ("t1", "t2"),
            "Which crash do you mean: the one with the key K-1 or the one with the key K-2?",
            ("key",),
        ),
        ("Alex", tuple(f"q{n}" for n in range(7)), "Which team is Alex on: Launch, Support or Sales?", ("team",)),
        ("Alex", ("p1",), "Do you mean Alex Chen?", ()),
        ("Zoe", (), "Which Zoe do you mean?", ()),
    ],
)
def test_questions_are_what_a_person_would_send(said, ids, text, attributes):
    asked = question(said, *ids)
    assert (asked.question, asked.attributes) == (text, attributes)
    assert len(asked.options) == (0 if len(ids) > 5 else len(ids))


def test_what_was_stated_is_not_asked_nor_told_as_new():
    for stated in (Stated("team", "Launch"), Stated("team"), Stated(value="launch")):
        asked = question("Alex from launch", "p1", "p2", stated=(stated,))
        assert asked.attributes == ("name",)
        assert asked.question == "Do you mean Alex Chen or Alex Kumar?"
    owners = question("Acme", "a1", "a3", stated=(Stated("owner"),))
    assert owners.attributes == ("id",)


def test_nothing_hidden_is_named():
    asked = question("Acme", "a1", "a3", hidden=("p1", "p2"))
    assert asked.attributes == ("id",)
    assert not any("Alex" in str(option.values) for option in asked.options)
    assert [o.entity_id for o in question("Acme", "a1", "a2", "a3", hidden=("a1",)).options] == ["a2", "a3"]


def test_two_attributes_are_taken_only_where_it_takes_two():
    asked = question("Acme", "a1", "a2", "a3")
    assert set(asked.attributes) == {"region", "owner.name"}
    assert asked.options[0].values == {"region": "EMEA", "owner.name": "Alex Chen"}


def test_the_likeliest_come_first_and_options_can_be_insisted_on():
    weights = {f"q{n}": n + 1.0 for n in range(7)}
    asked = ask(Inquiry(STORE, "slot", "Alex", weights, only_options=True))
    assert [option.entity_id for option in asked.options] == ["q6", "q5", "q4", "q3", "q2"]
    many = RecordStore([person(f"z{n}", f"Alex {n}", team=f"T{n}") for n in range(9)])
    asked = ask(Inquiry(many, "slot", "Alex", {f"z{n}": 1.0 / (n + 1) for n in range(9)}))
    assert asked.question == "Which team is Alex on: T0, T1, T2, T3, T4 or another one?"


def test_gain_is_the_entropy_of_what_sounds_the_same():
    assert entropy([0.5, 0.5]) == 1
    assert information_gain([(0, 0, 1, 1)], [0.25] * 4) == 1
    assert information_gain([(0, 0, 1, 1), (0, 1, 0, 1)], [0.25] * 4) == 2
    assert information_gain([(0, 0, 0, 0)], [0.25] * 4) == 0


VALUES = st.sampled_from(["red", "blue", "Red ", "green", None])


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(VALUES, VALUES, VALUES, st.sampled_from(["Plan", "Plan B"])), min_size=2, max_size=8),
    st.data(),
)
def test_every_option_is_grounded_and_all_options_sound_different(rows, data):
    store = RecordStore(
        [
            Record(f"r{n}", "document", {"title": title, **{k: v for k, v in zip("abc", row, strict=False) if v}})
            for n, (*row, title) in enumerate(rows)
        ]
    )
    weights = {f"r{n}": data.draw(st.floats(0, 1)) for n in range(len(rows))}
    asked = ask(Inquiry(store, "slot", "plan", weights))
    assert len(asked.options) <= 5
    if len(rows) > 5 and not asked.options:
        assert len(asked.attributes) == 1
        return
    said = set()
    for option in asked.options:
        record = store.get(option.entity_id)
        assert record is not None
        for path, value in option.values.items():
            assert value == (record.id if path == "id" else record.fields[path])
        said.add(tuple(sorted((path, str(value).strip().casefold()) for path, value in option.values.items())))
    assert len(said) == len(asked.options)
    telling = {a.path for a in Visible(store, [o.entity_id for o in asked.options]).attributes()}
    assert set(asked.attributes) <= telling | {"id"}


def test_questions_about_generated_tasks_are_grounded_discriminative_minimal_and_never_redundant():
    generator = Generator(SuiteConfig(split="val", seed=8))
    scores = []
    for number in range(160):
        task = generator.task(number)
        store = RecordStore.of_observation(Episode(task, EpisodeConfig(visibility="full")).observation)
        for slot in task.bindings:
            ids = CommonGround(task).denoted(slot)
            if task.bindings[slot] is not None or len(ids) < 2:
                continue
            asked = ask(Inquiry(store, slot, "", dict.fromkeys(sorted(ids), 1.0), only_options=True))
            scores += score_questions(task, [asked], UserProfile())
    assert len(scores) >= 40
    assert all(score.grounded for score in scores)
    assert all(not score.redundant for score in scores)
    offered = [score for score in scores if score.denoted <= 5]
    assert all(score.discriminative == pytest.approx(1) for score in offered)
    assert sum(score.minimal == 1 for score in offered) >= 0.9 * len(offered)


def test_five_candidates_take_little_time_and_ten_thousand_are_restricted_first():
    crowd = [
        person(f"z{n}", f"Alex {n}", team=f"T{n % 9}", role=f"R{n % 17}", location=f"L{n % 5}", manager=f"z{n // 7}")
        for n in range(10_000)
    ]
    store = RecordStore(crowd)
    few = Inquiry(store, "slot", "Alex", {f"z{n}": 1.0 for n in range(5)})
    many = Inquiry(store, "slot", "Alex", {f"z{n}": 1.0 / (n + 1) for n in range(10_000)})
    ask(few), ask(many)
    assert seconds(lambda: ask(few), TRIES) < 0.002
    assert seconds(lambda: ask(many), TRIES) < 0.05
    assert ask(many).attributes == ("team",)
