"""Logical forms and their two solvers, held against each other and against the words they stand for."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ebf_env.envs import Episode
from ebf_env.errors import WorldError
from ebf_env.tasks import Condition, Label, Task, User
from ebf_env.tasks.starter import starter_suite
from ebf_env.world import TOOLS, Entity, World
from ebf_env.world.references import (
    Beside,
    Equals,
    Form,
    Named,
    NamesUser,
    Not,
    ObservationSolver,
    Pick,
    ReferredBy,
    Related,
    Situation,
    Window,
    Within,
    denotation,
    form_from_json,
    form_to_json,
)

NOW = "2026-03-11T10:15:00+01:00"


def task_over(world: World, *, now: str | None = NOW, user: dict | None = None) -> Task:
    return Task(
        "t", "x", world, (TOOLS["search_directory"],), "search_directory", {}, Label.RESOLVABLE, Condition.UNAMBIGUOUS,
        "directory", now=now, user=User(user or {}), typed=False,
    )  # fmt: skip


def both(form: Form, world: World, *, now: str | None = NOW, user: dict | None = None) -> set[str]:
    """What a form denotes, by both solvers."""
    first = denotation(form, Situation(world, now, (user or {}).get("id")))
    second = ObservationSolver(Episode(task_over(world, now=now, user=user)).observation.text()).denotation(form)
    assert first == second
    return set(first)


@pytest.fixture(scope="module")
def company() -> World:
    """The starter suite's world, with the ids of some records by what they are called."""
    return starter_suite().tasks[0].world


def called(world: World, form: Form, **kwargs: object) -> set[str]:
    return {world[i].label for i in both(form, world, **kwargs)}


ALEX = Form("person", (Named(("Alex",)),))


def test_names_are_compared_word_by_word_without_case_and_diacritics(company):
    assert called(company, ALEX) == {"Alex Petrović", "Alex Varga"}
    assert called(company, Form("person", (Named(("PETROVIC",)),))) == {"Alex Petrović"}
    assert called(company, Form("person", (Named(("Petro",)),))) == set()
    assert len(both(Form("person", (Named(("daniel", "brandt")),)), company)) == 2


def test_values_relations_and_their_inverses(company):
    support = Form("person", (Named(("Alex",)), Equals("team", "Support")))
    assert len(both(support, company)) <= 1
    owned = Form("document", (Related("owner", Form("person", (Named(("Zofia",)),))),))
    attached = Form("document", (ReferredBy("messages.attachments", Form("email_thread")),))
    for form in (owned, attached):
        assert both(form, company)
    assert both(Form("document", (*owned.tests, Not(owned.tests[0]))), company) == set()


def test_my_and_the_latest(company):
    user = next(e for e in company.of_type("person") if e.label.startswith("Maren"))
    mine = Form("calendar_event", (NamesUser("attendees"),))
    assert both(mine, company, user={"id": user.id})
    assert both(mine, company) == set()
    last = Form("ticket", (), Pick("created_at", "last"))
    assert len(both(last, company)) == 1


def small(*rows: dict) -> World:
    return World(
        Entity(
            str(row["id"]), str(row.get("type", "ticket")), {k: v for k, v in row.items() if k not in ("id", "type")}
        )
        for row in rows
    )


def test_equal_values_share_a_rank_and_ranks_skip_nothing():
    world = small({"id": "a", "v": "v2"}, {"id": "b", "v": "v2"}, {"id": "c", "v": "v10"}, {"id": "d"})
    assert both(Form("ticket", (), Pick("v", "first")), world) == {"a", "b"}
    assert both(Form("ticket", (), Pick("v", "last")), world) == {"c"}
    assert both(Form("ticket", (), Pick("v", "first", 2)), world) == {"c"}
    assert both(Form("ticket", (), Pick("v", "first", 3)), world) == set()


def test_a_pick_comes_after_all_tests():
    world = small(
        {"id": "a", "kind": "bug", "n": 1}, {"id": "b", "kind": "bug", "n": 2}, {"id": "c", "kind": "incident", "n": 0}
    )
    assert both(Form("ticket", (Equals("kind", "bug"),), Pick("n", "first")), world) == {"a"}


def test_after_and_before_compare_with_one_record():
    rows = [
        {"id": f"e{n}", "type": "calendar_event", "title": t, "start": f"2026-03-{n:02}T09:00:00+01:00"}
        for n, t in enumerate(("Sync", "Kickoff", "Sync", "Sync"), 10)
    ]
    world = small(*rows)
    kickoff = Form("calendar_event", (Named(("kickoff",)),))
    after = Form("calendar_event", (Named(("sync",)), Beside("start", "after", kickoff, "start")))
    assert both(after, world) == {"e12", "e13"}
    assert both(Form("calendar_event", after.tests, Pick("start", "first")), world) == {"e12"}
    before = Form("calendar_event", (Beside("start", "before", kickoff, "start"),))
    assert both(before, world) == {"e10"}
    unclear = Form("calendar_event", (Beside("start", "after", Form("calendar_event", (Named(("sync",)),)), "start"),))
    assert both(unclear, world) == set()


def test_equality_keeps_kinds_of_values_apart():
    world = small(
        {"id": "a", "x": 1},
        {"id": "b", "x": True},
        {"id": "c", "x": "1"},
        {"id": "d", "x": [1, 2]},
        {"id": "e", "x": 1.0},
    )
    assert both(Form("ticket", (Equals("x", 1),)), world) == {"a", "d"}
    assert both(Form("ticket", (Equals("x", True),)), world) == {"b"}
    assert both(Form("ticket", (Equals("x", "1"),)), world) == {"c"}


WINDOWS = [
    (Window("day"), "2026-03-11", "2026-03-12"),
    (Window("day", 1), "2026-03-12", "2026-03-13"),
    (Window("day", -1), "2026-03-10", "2026-03-11"),
    (Window("week"), "2026-03-09", "2026-03-16"),
    (Window("week", 1), "2026-03-16", "2026-03-23"),
    (Window("week", 1, 1), "2026-03-17", "2026-03-18"),
    (Window("week", -1, 4), "2026-03-06", "2026-03-07"),
    (Window("month"), "2026-03-01", "2026-04-01"),
    (Window("month", -3), "2025-12-01", "2026-01-01"),
    (Window("month", 10), "2027-01-01", "2027-02-01"),
    (Window("quarter"), "2026-01-01", "2026-04-01"),
    (Window("quarter", 1), "2026-04-01", "2026-07-01"),
    (Window("quarter", -1), "2025-10-01", "2026-01-01"),
    (Window("year", -1), "2025-01-01", "2026-01-01"),
]


@pytest.mark.parametrize(("window", "first", "after"), WINDOWS)
def test_windows_cover_the_days_their_words_say(window, first, after):
    assert tuple(day.isoformat() for day in window.days(NOW)) == (first, after)
    assert Window.from_json(window.to_json()) == window
    world = small({"id": "first", "at": first}, {"id": "after", "at": after})
    assert both(Form("ticket", (Within("at", window),)), world) == {"first"}


def test_days_are_those_of_the_speakers_time_zone():
    world = small({"id": "late", "at": "2026-03-11T23:30:00+00:00"}, {"id": "early", "at": "2026-03-10T23:30:00+00:00"})
    today = Form("ticket", (Within("at", Window("day")),))
    assert both(today, world) == {"early"}
    assert both(today, world, now="2026-03-11T10:15:00+00:00") == {"late"}
    assert both(today, world, now=None) == set()


# --- the two solvers agree on anything ---

WORDS = ("Alex", "ÁLEX", "plan", "Ødegård", "v2", "sync-up")
VALUES = st.sampled_from(
    [
        "a",
        "b",
        "v2",
        "v10",
        "Sprint 3",
        "P1",
        1,
        2.5,
        True,
        "2026-03-11",
        "2026-03-12T00:30:00+02:00",
        "2026-03-10T23:30:00+00:00",
    ]
)
TYPES = ("person", "document", "email_thread")


@st.composite
def worlds(draw: st.DrawFn) -> World:
    ids = [f"r{n}" for n in range(draw(st.integers(1, 7)))]
    rows = []
    for entity_id in ids:
        name_key = draw(st.sampled_from(["name", "title", "subject"]))
        kind = {"name": "person", "title": "document", "subject": "email_thread"}[name_key]
        row: dict = {
            "id": entity_id,
            "type": kind,
            name_key: " ".join(draw(st.lists(st.sampled_from(WORDS), max_size=3))),
        }
        for field in ("x", "y"):
            row[field] = draw(st.one_of(st.none(), VALUES, st.lists(VALUES, max_size=2)))
        row["owner"] = draw(st.sampled_from([None, *ids]))
        row["messages"] = [
            {"attachments": draw(st.lists(st.sampled_from(ids), max_size=2))} for _ in range(draw(st.integers(0, 2)))
        ]
        if draw(st.booleans()):
            row["aliases"] = draw(st.lists(st.sampled_from(WORDS), max_size=2))
        rows.append({key: value for key, value in row.items() if value is not None})
    return small(*rows)


PATHS = st.sampled_from(["x", "y", "owner", "messages.attachments", "none.such"])
UNITS = st.sampled_from(["day", "week", "month", "quarter", "year"])
WINDOW = st.one_of(
    st.builds(Window, UNITS, st.integers(-2, 2)),
    st.builds(Window, st.just("week"), st.integers(-2, 2), st.integers(0, 6)),
)


def a_test(forms: st.SearchStrategy[Form]) -> st.SearchStrategy:
    plain = st.one_of(
        st.builds(Equals, PATHS, VALUES),
        st.builds(Named, st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(tuple)),
        st.builds(Within, PATHS, WINDOW),
        st.builds(NamesUser, PATHS),
        st.builds(Related, PATHS, forms),
        st.builds(ReferredBy, PATHS, forms),
        st.builds(Beside, PATHS, st.sampled_from(["after", "before"]), forms, PATHS),
    )
    return st.one_of(plain, st.builds(Not, plain))


PICKS = st.one_of(st.none(), st.builds(Pick, PATHS, st.sampled_from(["first", "last"]), st.integers(1, 3)))
BARE = st.builds(Form, st.sampled_from(TYPES), st.just(()), PICKS)
FORMS = st.recursive(
    BARE,
    lambda inner: st.builds(Form, st.sampled_from(TYPES), st.lists(a_test(inner), max_size=3).map(tuple), PICKS),
    max_leaves=4,
)


@settings(max_examples=400, deadline=None)
@given(
    worlds(), FORMS, st.sampled_from([NOW, "2026-01-01T00:00:00-08:00", None]), st.sampled_from([None, {"id": "r0"}])
)
def test_the_two_solvers_agree_on_every_form_over_every_world(world, form, now, user):
    both(form, world, now=now, user=user)


@given(FORMS)
def test_forms_survive_json(form):
    assert form_from_json(form_to_json(form)) == form


BAD = [
    None,
    {},
    {"type": 3},
    {"type": "t", "tests": {}},
    {"type": "t", "tests": [{"test": "odd"}]},
    {"type": "t", "tests": [{"test": "equals", "path": "x", "value": None}]},
    {"type": "t", "tests": [{"test": "named", "words": []}]},
    {"type": "t", "tests": [{"test": "within", "path": "x", "window": {"unit": "fortnight"}}]},
    {"type": "t", "tests": [{"test": "within", "path": "x", "window": {"unit": "day", "weekday": 2}}]},
    {"type": "t", "tests": [{"test": "beside", "path": "x", "side": "left", "form": {"type": "t"}, "other_path": "x"}]},
    {"type": "t", "pick": {"path": "x", "order": "middle"}},
    {"type": "t", "pick": {"path": "x", "order": "last", "rank": 0}},
]


@pytest.mark.parametrize("content", BAD)
def test_what_is_no_form_is_refused(content):
    with pytest.raises(WorldError):
        form_from_json(content)
