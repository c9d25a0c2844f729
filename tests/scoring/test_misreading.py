"""Forms of what a mention is taken for: cues read wrong, changes not noticed, names alone."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebf_env.scoring.misreading import as_recorded, by_name, misreadings, names_said, through_names
from ebf_env.tasks import Condition
from ebf_env.tasks.proof import first_step, prove
from ebf_env.world.references import (
    Beside,
    Equals,
    Form,
    Named,
    NamesUser,
    Not,
    Pick,
    ReferredBy,
    Related,
    Window,
    Within,
    form_from_json,
    form_to_json,
)
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator

PLAN = Named(("launch", "plan"))
ALEX = Form("person", (Named(("Alex",)), Equals("team", "Launch")))
KICKOFF = Form("calendar_event", (Named(("kickoff",)),))


def document(*tests, pick=None) -> Form:
    return Form("document", (PLAN, *tests), pick)


def windows(window: Window) -> set[Window]:
    """The windows that one is misread as."""
    return {form.tests[1].window for form in misreadings(document(Within("updated_at", window)))}


def test_a_superlative_is_read_the_other_way_round_or_off_by_one():
    assert list(misreadings(document(pick=Pick("version", "last")))) == [
        document(pick=Pick("version", "first")),
        document(pick=Pick("version", "last", 2)),
    ]
    assert {form.pick for form in misreadings(document(pick=Pick("version", "first", 2)))} == {
        Pick("version", "last", 2),
        Pick("version", "first", 1),
        Pick("version", "first", 3),
    }


def test_a_negation_is_dropped_and_what_it_negates_misread():
    draft = Equals("status", "draft")
    assert list(misreadings(document(Not(draft)))) == [document(draft)]
    week = Within("updated_at", Window("week"))
    assert document(Not(Within("updated_at", Window("week", 1)))) in misreadings(document(Not(week)))
    assert list(misreadings(document(Not(NamesUser("owner"))))) == [document(NamesUser("owner"))]


def test_a_window_is_shifted_or_turned_round():
    assert windows(Window("day")) == {Window("day", 1), Window("day", -1)}
    assert windows(Window("week", 1)) == {Window("week", 2), Window("week", 0), Window("week", -1)}
    assert windows(Window("week", -1, weekday=2)) == {Window("week", n, weekday=2) for n in (-2, 0, 1)}


def test_before_is_taken_for_after_and_mine_for_anothers():
    after = Form("calendar_event", (Beside("start", "after", KICKOFF, "end"),))
    assert list(misreadings(after)) == [Form("calendar_event", (Beside("start", "before", KICKOFF, "end"),))]
    assert list(misreadings(document(NamesUser("owner")))) == [document(Not(NamesUser("owner")))]


def test_a_relation_is_taken_for_another_between_the_same_kinds():
    ticket = Form("ticket", (Related("reporter", ALEX),))
    paths = {form.tests[0].path for form in misreadings(ticket)}
    assert paths == {"assignee", "updated_by", "comments.author"}
    attached = Form("document", (ReferredBy("attachments", Form("ticket", (Named(("bug",)),))),))
    assert not list(misreadings(attached)), "a ticket names documents in no other field"
    assert not list(misreadings(Form("unheard_of", (Related("x", Form("of")),))))


def test_forms_within_the_form_are_misread():
    latest = Form("document", (PLAN,), Pick("version", "last"))
    through = Form("email_thread", (Related("messages.attachments", latest),))
    inner = [form.tests[0].form for form in misreadings(through)]
    assert inner == list(misreadings(latest))
    beside = Form("calendar_event", (Beside("start", "after", Form("ticket", (), Pick("key", "last")), "start"),))
    assert len(list(misreadings(beside))) == 3


def test_names_and_values_are_never_misread():
    assert not list(misreadings(document(Equals("version", "v1"), Equals("tags", "legal"))))


# --- changes not noticed, names alone ---

NOTICE = Form("change_notice", (Equals("field", "team"), Equals("value", "Launch")))


def test_what_a_notice_says_is_asked_of_the_record_itself():
    moved = Form("person", (Named(("Alex",)), ReferredBy("record", NOTICE)))
    assert as_recorded(moved) == ALEX
    theirs = Form("ticket", (Related("assignee", moved), Not(ReferredBy("record", NOTICE))))
    assert as_recorded(theirs) == Form("ticket", (Related("assignee", ALEX), Not(Equals("team", "Launch"))))


def test_forms_without_a_readable_notice_are_left_as_they_are():
    assert as_recorded(document(Equals("status", "draft"))) is None
    some_notice = Form("change_notice", (Equals("field", "team"),))
    assert as_recorded(Form("person", (ReferredBy("record", some_notice),))) is None


def test_a_mention_by_name_keeps_no_cue():
    assert by_name(document(Equals("version", "v2"), pick=Pick("updated_at", "last"))) == document()
    assert list(names_said(ALEX)) == [Form("person", (Named(("Alex",)),))]
    assert through_names(ALEX) is None


def test_of_two_steps_the_first_ones_name_counts_by_whatever_relation():
    filed = Form("ticket", (Related("reporter", ALEX),))
    alexes = Form("person", (Named(("Alex",)),))
    assert through_names(filed) == by_name(filed) == Form("ticket", (Related("reporter", alexes),))
    assert Form("ticket", (Related("assignee", alexes),)) in names_said(filed)
    boss = Form("person", (ReferredBy("manager", ALEX),))
    assert list(names_said(boss)) == [Form("person", (ReferredBy("manager", alexes),)), alexes]


# --- all forms ---

PATHS = st.sampled_from(["owner", "reporter", "start", "manager"])
TYPES = st.sampled_from(["person", "ticket", "document", "calendar_event", "gadget"])
UNITS = st.sampled_from(["day", "week", "month", "quarter", "year"])


def a_test(forms: st.SearchStrategy[Form]) -> st.SearchStrategy:
    plain = st.one_of(
        st.builds(Equals, PATHS, st.sampled_from(["a", 1, True])),
        st.builds(Named, st.just(("a", "b"))),
        st.builds(Within, PATHS, st.builds(Window, UNITS, st.integers(-3, 3))),
        st.builds(Within, PATHS, st.builds(Window, st.just("week"), st.integers(-2, 2), st.integers(0, 6))),
        st.builds(NamesUser, PATHS),
        st.builds(Related, PATHS, forms),
        st.builds(ReferredBy, PATHS, forms),
        st.builds(Beside, PATHS, st.sampled_from(["after", "before"]), forms, PATHS),
    )
    return st.one_of(plain, plain.map(Not))


PICKS = st.none() | st.builds(Pick, PATHS, st.sampled_from(["first", "last"]), st.integers(1, 4))
FORMS = st.recursive(
    st.builds(Form, TYPES, st.just(()), PICKS),
    lambda inner: st.builds(Form, TYPES, st.lists(a_test(inner), max_size=3).map(tuple), PICKS),
    max_leaves=6,
)


@given(FORMS)
def test_every_misreading_is_another_form_of_the_same_type_in_one_place(form):
    others = list(misreadings(form))
    assert len({repr(other) for other in others}) == len(others), "none comes twice"
    for other in others:
        assert other != form
        assert other.type == form.type
        assert form_from_json(form_to_json(other)) == other
        differing = sum(one != two for one, two in zip(form.tests, other.tests, strict=True))
        assert differing + (form.pick != other.pick) == 1
        assert all(test in other.tests for test in form.tests if isinstance(test, Named))


@given(FORMS)
def test_a_misread_superlative_can_be_misread_back(form):
    for other in misreadings(form):
        if other.pick != form.pick:
            assert form in misreadings(other)


@given(FORMS)
def test_what_is_recorded_holds_no_readable_notice(form):
    recorded = as_recorded(form)
    assert recorded is None or as_recorded(recorded) is None


@pytest.fixture(scope="module")
def forms() -> list[Form]:
    conditions = (Condition.TEMPORAL, Condition.DOCUMENT_VERSION, Condition.STALE, Condition.CROSS_SYSTEM)
    tasks = Generator(SuiteConfig(seed=4, conditions=conditions)).tasks(0, 240)
    return [form_from_json(mention.form) for task in tasks for mention in task.mentions]


def test_the_forms_of_generated_tasks_have_misreadings_of_many_kinds(forms):
    kinds = Counter[str]()
    for form in forms:
        for other in misreadings(form):
            for one, two in zip(form.tests, other.tests, strict=True):
                if one != two:
                    kinds[type(one).__name__] += 1
            kinds["Pick"] += form.pick != other.pick
        assert set(names_said(form)) >= {by_name(form)}
        assert (through_names(form) is None) == (first_step(form) is None)
    assert {"Within", "Related", "ReferredBy", "Not"} <= {kind for kind, number in kinds.items() if number}


def test_nothing_but_the_name_is_what_a_string_matcher_finds():
    for task in Generator(SuiteConfig(seed=5)).tasks(0, 60):
        for proof in prove(task).mentions:
            if proof.step is None:
                named = tuple(test for test in proof.form.tests if isinstance(test, Named))
                assert by_name(proof.form) == Form(proof.form.type, named)
