"""Arguments are never a reason to fail: what cannot be used is left out, with a note, and the write happens."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typed_world import ARGUMENTS, bind, fingerprint, run, typed_world, usable_arguments

from ebf_env.json_types import JSON
from ebf_env.world import TOOLS, Activity, Entity, WorldState

WORLD = typed_world()
ALL = sorted(TOOLS)
WRITES = [name for name in ALL if not TOOLS[name].is_read]

UNUSABLE: dict[str, list[JSON]] = {
    "string": [None, 17, True, ["text"], {"text": "text"}],
    "date-time": [None, 17, "", "tomorrow at three", "2026-13-40T25:61:00Z", "2026-03-09T15:00:00", "2026-03-09", []],
    "date": [None, 17, "", "soon", "2026-02-30", "2026-03-09T15:00:00Z", "09/03/2026", {}],
    "number": [None, "1234.5", True, -1, -0.5, [1], {}, 10**400, float("nan"), float("inf"), float("-inf")],
    "integer": [None, "5", True, 2.5, [1], {}, float("nan"), float("inf")],
}
OUTSIDE_A_CLOSED_LIST: list[JSON] = ["platinum", "", "ACTIVE", "at risk"]


def unusable(name: str, argument: str, kind: str) -> list[JSON]:
    """Values that an argument of a tool cannot use."""
    closed = (name, argument) == ("update_customer_record", "status")
    return UNUSABLE[kind] + (OUTSIDE_A_CLOSED_LIST if closed else [])


def outcome(name: str, arguments: dict[str, JSON]) -> tuple[str, JSON, JSON]:
    """The difference a call leaves, the arguments it says it ignored, and its status."""
    state = WorldState(WORLD)
    result = run(TOOLS[name], bind(TOOLS[name], optional=True), arguments, state=state)
    state.freeze().check()
    return fingerprint(state.difference()), result.content.get("ignored_arguments"), result.content["status"]


@pytest.mark.parametrize(
    ("name", "argument", "kind"), [(name, p.name, p.type) for name in ALL for p in TOOLS[name].parameters]
)
def test_an_argument_that_cannot_be_used_is_ignored_with_a_note_and_the_call_goes_through(
    name: str, argument: str, kind: str
) -> None:
    expected = outcome(name, {})[0]
    for value in unusable(name, argument, kind):
        assert outcome(name, {argument: value}) == (expected, [argument], "ok"), value


@pytest.mark.parametrize("name", ALL)
def test_an_argument_the_tool_does_not_have_is_ignored_and_the_others_are_used(name: str) -> None:
    usable = usable_arguments(TOOLS[name])
    expected = outcome(name, usable)[0]
    for argument in ("no_such_argument", "", "id", "revision", "thread_id", "recipient:person"):
        assert outcome(name, {argument: "x", **usable}) == (expected, [argument], "ok")


@pytest.mark.parametrize("name", [name for name in ALL if TOOLS[name].preconditions])
def test_a_slot_given_as_an_argument_binds_nothing(name: str) -> None:
    slot = TOOLS[name].preconditions[0].slot
    trace, ignored, _ = outcome(name, {slot: "p_kim"})
    assert ignored == [slot]
    assert trace == outcome(name, {})[0]


@pytest.mark.parametrize("name", ALL)
def test_usable_arguments_are_used_without_a_note(name: str) -> None:
    spec = TOOLS[name]
    trace, ignored, status = outcome(name, usable_arguments(spec))
    assert (ignored, status) == (None, "ok")
    if spec.parameters and not spec.is_read:
        assert trace != outcome(name, {})[0]


@pytest.mark.parametrize(
    ("name", "argument"),
    [(name, p.name) for name in WRITES for p in TOOLS[name].parameters if p.name not in ("start", "end")],
)
def test_every_single_argument_of_a_write_shows_in_the_difference(name: str, argument: str) -> None:
    value = usable_arguments(TOOLS[name])[argument]
    trace, ignored, _ = outcome(name, {argument: value})
    assert ignored is None
    assert str(value) in trace
    assert str(value) not in outcome(name, {})[0]


SEVERAL = [name for name in ALL if len(TOOLS[name].parameters) > 1]


@pytest.mark.parametrize("name", SEVERAL)
def test_only_the_argument_at_fault_is_left_out(name: str) -> None:
    spec = TOOLS[name]
    for p in spec.parameters:
        others = {argument: value for argument, value in usable_arguments(spec).items() if argument != p.name}
        expected = outcome(name, others)[0]
        for value in unusable(name, p.name, p.type):
            for arguments in ({p.name: value, **others}, {**others, p.name: value}):
                assert outcome(name, arguments) == (expected, [p.name], "ok"), value


@pytest.mark.parametrize("name", SEVERAL)
def test_only_the_argument_that_can_be_used_is_used(name: str) -> None:
    spec = TOOLS[name]
    for p in spec.parameters:
        usable = usable_arguments(spec)[p.name]
        bad = {q.name: unusable(name, q.name, q.type)[-1] for q in spec.parameters if q.name != p.name}
        assert outcome(name, {**bad, p.name: usable}) == (outcome(name, {p.name: usable})[0], list(bad), "ok")
        assert outcome(name, {p.name: usable, **bad}) == (outcome(name, {p.name: usable})[0], list(bad), "ok")


def test_an_attempt_that_left_no_valid_record_leaves_nothing_behind() -> None:
    state = WorldState(WORLD)
    arguments: dict[str, JSON] = {"title": "", "start": "noon", "end": "one", "location": "Room 1"}
    result = run(TOOLS["schedule_event"], bind(TOOLS["schedule_event"]), arguments, state=state)
    difference = state.difference()
    assert result.content["ignored_arguments"] == ["title", "start", "end"]
    assert [entity.id for entity in difference.created] == ["new_calendar_event_1"]
    assert difference.created[0].get("location") == "Room 1"
    assert difference.activity == (Activity("schedule_event", "create", "new_calendar_event_1"),)


def test_an_answer_names_ten_ignored_arguments_at_most_and_only_the_beginning_of_their_names() -> None:
    arguments: dict[str, JSON] = {f"{number:02}{'x' * 1000}": 1 for number in range(30)}
    _, ignored, status = outcome("send_email", {**arguments, "body": "hi"})
    assert status == "ok"
    assert ignored == [name[:60] for name in list(arguments)[:10]]


@pytest.mark.parametrize("name", ["schedule_event", "reschedule_event"])
@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2026-03-09T16:00:00+01:00", "2026-03-09T15:00:00+01:00"),
        ("2026-03-09T16:00:00+01:00", "2026-03-09T16:00:00+01:00"),
        ("2026-03-09T16:00:00Z", "2026-03-09T16:30:00+01:00"),
    ],
    ids=["before", "the same moment", "before, in another zone"],
)
def test_an_event_that_would_end_before_it_starts_is_written_without_that_end(name: str, start: str, end: str) -> None:
    assert outcome(name, {"start": start, "end": end}) == (outcome(name, {"start": start})[0], ["end"], "ok")


@pytest.mark.parametrize("name", ["schedule_event", "reschedule_event"])
def test_what_a_call_does_does_not_depend_on_the_order_of_its_arguments(name: str) -> None:
    arguments: dict[str, JSON] = {"start": "2026-03-09T16:00:00+01:00", "end": "2026-03-09T15:00:00+01:00"}
    assert outcome(name, arguments) == outcome(name, dict(reversed(arguments.items())))


MOVES: dict[str, tuple[dict[str, JSON], dict[str, JSON], dict[str, JSON]]] = {
    "later": (
        {"start": "2026-03-04T10:00:00+01:00", "end": "2026-03-04T11:30:00+01:00"},
        {"start": "2026-03-09T15:00:00+01:00"},
        {"start": "2026-03-09T15:00:00+01:00", "end": "2026-03-09T16:30:00+01:00"},
    ),
    "earlier, before the old end": (
        {"start": "2026-03-04T10:00:00+01:00", "end": "2026-03-04T11:30:00+01:00"},
        {"start": "2026-03-04T09:00:00+01:00"},
        {"start": "2026-03-04T09:00:00+01:00", "end": "2026-03-04T10:30:00+01:00"},
    ),
    "into another zone": (
        {"start": "2026-03-04T10:00:00+01:00", "end": "2026-03-04T10:00:00Z"},
        {"start": "2026-03-04T09:00:00-05:00"},
        {"start": "2026-03-04T09:00:00-05:00", "end": "2026-03-04T10:00:00-05:00"},
    ),
    "over midnight": (
        {"start": "2026-02-28T09:00:00Z", "end": "2026-03-02T09:00:00Z"},
        {"start": "2027-12-30T23:30:00+00:00"},
        {"start": "2027-12-30T23:30:00+00:00", "end": "2028-01-01T23:30:00+00:00"},
    ),
    "with an end of its own": (
        {"start": "2026-03-04T10:00:00+01:00", "end": "2026-03-04T11:30:00+01:00"},
        {"start": "2026-03-09T15:00:00+01:00", "end": "2026-03-09T15:10:00+01:00"},
        {"start": "2026-03-09T15:00:00+01:00", "end": "2026-03-09T15:10:00+01:00"},
    ),
    "only the end": (
        {"start": "2026-03-04T10:00:00+01:00", "end": "2026-03-04T11:30:00+01:00"},
        {"end": "2026-03-04T10:15:00+01:00"},
        {"start": "2026-03-04T10:00:00+01:00", "end": "2026-03-04T10:15:00+01:00"},
    ),
    "an event without an end": (
        {"start": "2026-03-04T10:00:00+01:00"},
        {"start": "2026-03-09T15:00:00+01:00"},
        {"start": "2026-03-09T15:00:00+01:00"},
    ),
    "an event without times": ({}, {"start": "2026-03-09T15:00:00Z"}, {"start": "2026-03-09T15:00:00Z"}),
    "an event without a start, before its end": (
        {"end": "2026-03-04T11:30:00+01:00"},
        {"start": "2026-03-04T11:00:00+01:00"},
        {"start": "2026-03-04T11:00:00+01:00", "end": "2026-03-04T11:30:00+01:00"},
    ),
}


@pytest.mark.parametrize(("before", "arguments", "after"), MOVES.values(), ids=MOVES.keys())
def test_an_event_that_is_moved_keeps_its_length(
    before: dict[str, JSON], arguments: dict[str, JSON], after: dict[str, JSON]
) -> None:
    state = WorldState(WORLD.derive([Entity("e", "calendar_event", {"title": "Review", **before})]))
    content = run(TOOLS["reschedule_event"], {"event": "e"}, arguments, state=state).content
    assert content == {"status": "ok"}
    assert {name: state["e"].get(name) for name in ("start", "end") if name in state["e"].fields} == after
    state.freeze().check()


NO_MOVES: dict[str, dict[str, JSON]] = {
    "a start without an offset": {"start": "2026-03-09T15:00:00"},
    "a day": {"start": "2026-03-09"},
    "words": {"start": "tomorrow at three"},
    "an end before the start it has": {"end": "2026-03-04T09:00:00+01:00"},
}


@pytest.mark.parametrize("arguments", NO_MOVES.values(), ids=NO_MOVES.keys())
def test_an_event_that_cannot_be_moved_stays_where_it_is_and_is_written(arguments: dict[str, JSON]) -> None:
    assert outcome("reschedule_event", arguments) == (outcome("reschedule_event", {})[0], list(arguments), "ok")


def test_a_move_to_the_end_of_all_days_does_not_fail() -> None:
    _, ignored, status = outcome("reschedule_event", {"start": "9999-12-31T23:59:59-12:00"})
    assert (ignored, status) == (["start"], "ok")


def test_a_write_whose_text_argument_is_empty_is_not_lost() -> None:
    for name in ("schedule_event", "draft_document", "update_document"):
        assert outcome(name, {"title": ""})[0] == outcome(name, {})[0]
    assert outcome("send_email", {"subject": ""})[0] == outcome("send_email", {})[0]


def test_very_long_text_is_taken_as_it_is() -> None:
    trace, ignored, _ = outcome("send_email", {"body": "x" * 50_000})
    assert ignored is None
    assert "x" * 50_000 in trace


@pytest.mark.parametrize("amount", [0, 0.0, 1e308, 10**15], ids=repr)
def test_an_amount_of_any_size_is_taken(amount: JSON) -> None:
    assert outcome("update_opportunity", {"amount": amount})[1] is None


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ({"limit": 0}, 1),
        ({"limit": -5}, 1),
        ({"limit": 10**30}, 4),
        ({"limit": 2, "offset": -3}, 2),
        ({"offset": 10**30}, 0),
        ({"offset": -(10**30)}, 4),
    ],
    ids=str,
)
def test_a_search_with_numbers_out_of_range_answers_with_the_nearest_it_can_do(
    arguments: dict[str, JSON], shown: int
) -> None:
    state = WorldState(WORLD)
    content = run(TOOLS["search_directory"], {}, arguments, state=state).content
    results = content["results"]
    assert isinstance(results, list)
    assert (len(results), content["total"]) == (shown, 4)
    assert not state.difference().writes


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
ARGUMENT_NAMES = sorted({p.name for spec in TOOLS.values() for p in spec.parameters})


@settings(max_examples=50, deadline=None, derandomize=True)
@given(
    st.sampled_from(ALL),
    st.dictionaries(
        st.sampled_from(ARGUMENT_NAMES) | st.text(max_size=5), ANY_JSON | st.sampled_from([*ARGUMENTS.values()])
    ),
)
def test_no_arguments_make_a_call_fail_or_lose_its_write(name: str, arguments: dict[str, JSON]) -> None:
    state = WorldState(WORLD)
    result = run(TOOLS[name], bind(TOOLS[name]), arguments, state=state)
    assert result.content["status"] == "ok"
    assert state.difference().writes is (name in WRITES)
    state.freeze().check()
