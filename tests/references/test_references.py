"""Logical forms and their two solvers, held against each other and against the words they stand for."""

from __future__ import annotations

import json

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
    same_word,
    same_words,
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


# --- mistyped words ---

SAME = [
    ("varga", "varga"),
    ("varga", "vargas"),
    ("varga", "vagra"),
    ("petrovic", "petrovci"),
    ("kickoff", "kicoff"),
    ("c0mpany", "company"),
    ("onboarding", "onbordign"),
    ("philippine", "filippine"),
    ("al", "al"),
    ("2026", "2026"),
]
OTHER = [
    ("philippa", "filippa"),
    ("varga", "vgara"),
    ("alex", "ale"),
    ("ann", "anna"),
    ("2026", "2025"),
    ("varga", "vraag"),
    ("kickoff", "kickers"),
    ("petrovic", "petro"),
    ("q3fy", "2026"),
    ("abcdefgh", "bcadefhg"),
    ("launch", "lunhc"),
]


def alone(**fields: object) -> ObservationSolver:
    """The second solver before one record, a person."""
    entities = [{"id": "a", "type": "person", **fields}]
    return ObservationSolver(json.dumps({"now": None, "user": None, "entities": entities}))


@pytest.mark.parametrize(("one", "other", "same"), [(*p, True) for p in SAME] + [(*p, False) for p in OTHER])
def test_a_careful_reader_forgives_one_mistake_in_four_letters_and_two_in_eight(one, other, same):
    for word, wanted in ((one, other), (other, one)):
        assert same_word(word, wanted) is same
        named = Form("person", (Named((wanted,), loose=True),))
        assert both(named, small({"id": "a", "type": "person", "name": word})) == ({"a"} if same else set())


LETTERS = st.text("abc1", max_size=10)


@settings(max_examples=600, deadline=None)
@given(LETTERS, LETTERS)
def test_both_solvers_forgive_the_same_mistakes(word, wanted):
    seen = alone(name=word).denotation(Form("person", (Named((wanted,), loose=True),)))
    assert bool(seen) == (not wanted or same_word(word, wanted))


def test_loose_names_and_values(company):
    assert called(company, Form("person", (Named(("Petrovci",), loose=True),))) == {"Alex Petrović"}
    assert called(company, Form("person", (Named(("Petrovci",)),))) == set()
    world = small({"id": "a", "team": "Custmer Succes"}, {"id": "b", "team": ["Sales", "succcess, CUSTOMER"]})
    team = Equals("team", "Customer Success", loose=True)
    assert both(Form("ticket", (team,)), world) == {"a", "b"}
    assert both(Form("ticket", (Not(team),)), world) == set()
    assert both(Form("ticket", (Equals("team", "Customer Success"),)), world) == set()


def test_words_of_a_value_are_paired_one_to_one():
    assert same_words("plan plan review", "review plan plan")
    assert not same_words("plan plan review", "review review plan")
    assert not same_words("launch plan", "launch plan draft")
    chain = ("abcd", "abzd", "abcy")  # the middle one agrees with both others, which do not agree with each other
    assert same_words(f"{chain[0]} {chain[1]}", f"{chain[0]} {chain[2]}")
    assert not same_words(f"{chain[1]} {chain[1]}", f"{chain[2]} {chain[0]}")


def test_values_without_words_are_alike_only_if_equal():
    world = small({"id": "a", "x": "?"}, {"id": "b", "x": "!"}, {"id": "c", "x": 3})
    assert both(Form("ticket", (Equals("x", "?", loose=True),)), world) == {"a"}
    assert both(Form("ticket", (Equals("x", "3", loose=True),)), world) == set()


def test_only_text_is_compared_loosely():
    with pytest.raises(WorldError, match="only text is compared loosely, not 3"):
        Equals("x", 3, loose=True)


def test_json_says_that_a_test_is_loose_only_where_it_is():
    strict, loose = (Form("t", (Named(("a",), flag), Equals("x", "y", flag))) for flag in (False, True))
    assert "loose" not in json.dumps(form_to_json(strict))
    assert json.dumps(form_to_json(loose)).count('"loose": true') == 2


def test_halves_of_surrogate_pairs_are_read():
    assert alone(name="Al\ud800 Varga").denotation(Form("person", (Named(("varga",)),))) == {"a"}


# --- time ---

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

WORDS = ("Alex", "ÁLEX", "plan", "Ødegård", "v2", "sync-up", "Petrovský", "onboarding", "2026")


@st.composite
def spellings(draw: st.DrawFn) -> str:
    """A word, perhaps with mistakes in it."""
    word = draw(st.sampled_from(WORDS))
    for _ in range(draw(st.sampled_from([0, 0, 1, 1, 2, 3]))):
        place = draw(st.integers(0, len(word) - 1))
        before, letter, after = word[:place], word[place], word[place + 1 :]
        mistyped = [f"{before}x{after}", f"{before}{after}", f"{before}e{letter}{after}", f"{before}{after}{letter}"]
        word = draw(st.sampled_from(mistyped)) or word
    return word


TITLES = st.lists(spellings(), max_size=3).map(" ".join)
VALUES = st.one_of(
    TITLES,
    st.sampled_from(
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
    ),
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
            name_key: draw(TITLES),
        }
        for field in ("x", "y"):
            row[field] = draw(st.one_of(st.none(), VALUES, st.lists(VALUES | st.lists(VALUES, max_size=2), max_size=2)))
        row["owner"] = draw(st.sampled_from([None, *ids]))
        row["messages"] = [
            {"attachments": draw(st.lists(st.sampled_from(ids), max_size=2))} for _ in range(draw(st.integers(0, 2)))
        ]
        if draw(st.booleans()):
            row["aliases"] = draw(st.lists(spellings(), max_size=2))
        rows.append({key: value for key, value in row.items() if value is not None})
    return small(*rows)


PATHS = st.sampled_from(["x", "y", "owner", "messages.attachments", "messages", "none.such"])
UNITS = st.sampled_from(["day", "week", "month", "quarter", "year"])
WINDOW = st.one_of(
    st.builds(Window, UNITS, st.integers(-2, 2)),
    st.builds(Window, st.just("week"), st.integers(-2, 2), st.integers(0, 6)),
)


def a_test(forms: st.SearchStrategy[Form]) -> st.SearchStrategy:
    plain = st.one_of(
        st.builds(Equals, PATHS, VALUES),
        st.builds(Equals, PATHS, TITLES, st.just(True)),
        st.builds(Named, st.lists(spellings(), min_size=1, max_size=2).map(tuple), st.booleans()),
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


@st.composite
def loosely_said(draw: st.DrawFn) -> tuple[World, Form]:
    """A world, and a form that speaks of one of its records in the record's own words, mistyped perhaps."""
    world = draw(worlds())
    record = draw(st.sampled_from(list(world.entities())))
    titles = [record.label, *(value for value in (record.get("x"), record.get("y")) if isinstance(value, str))]
    said = draw(st.permutations(draw(st.sampled_from(titles)).split()))
    said = [word[:1] + draw(st.sampled_from(["", "e"])) + word[1:] for word in said] or ["plan"]
    named = Named(tuple(said[: draw(st.integers(1, 3))]), loose=True)
    test = draw(st.sampled_from([named, *(Equals(path, " ".join(said), loose=True) for path in ("x", "y"))]))
    return world, Form(record.type, (draw(st.sampled_from([test, Not(test)])),))


@settings(max_examples=150, deadline=None)
@given(loosely_said())
def test_the_two_solvers_agree_on_mistyped_words(case):
    world, form = case
    both(form, world)


@settings(deadline=None)
@given(st.text(max_size=12))
def test_both_solvers_fold_words_of_every_script_alike(name):
    world = small({"id": "a", "type": "person", "name": name})
    for form in (Form("person", (Named((name.upper(), "x")),)), Form("person", (Named((name.lower(),)),))):
        both(form, world)


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
    {"type": "t", "tests": [{"test": "equals", "path": "x", "value": 3, "loose": True}]},
    {"type": "t", "tests": [{"test": "named", "words": []}]},
    {"type": "t", "tests": [{"test": "named", "words": ["a"], "loose": 1}]},
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
