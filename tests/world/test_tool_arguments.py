"""Arguments are never a reason to fail: what cannot be used is left out, with a note, and the write happens."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typed_world import ARGUMENTS, bind, fingerprint, run, typed_world, usable_arguments

from ebf_env.json_types import JSON
from ebf_env.world import TOOLS, Difference, WorldState

WORLD = typed_world()
ALL = sorted(TOOLS)
WRITES = [name for name in ALL if not TOOLS[name].is_read]

UNUSABLE: dict[str, list[JSON]] = {
    "string": [None, 17, True, ["text"], {"text": "text"}],
    "date-time": [None, 17, "", "tomorrow at three", "2026-13-40T25:61:00Z", "2026-03-09T15:00:00", "2026-03-09", []],
    "date": [None, 17, "", "soon", "2026-02-30", "2026-03-09T15:00:00Z", "09/03/2026", {}],
    "number": [None, "1234.5", True, -1, -0.5, [1], {}, 10**400],
    "integer": [None, "5", True, 2.5, [1], {}],
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
def test_an_event_that_would_end_before_it_starts_keeps_its_times_and_is_written(
    name: str, start: str, end: str
) -> None:
    trace, ignored, status = outcome(name, {"start": start, "end": end})
    assert status == "ok"
    assert ignored == ["start", "end"]
    assert trace == outcome(name, {})[0]


def test_a_new_start_that_lies_before_the_old_end_is_used_alone() -> None:
    trace, ignored, _ = outcome("reschedule_event", {"start": "2026-03-04T09:00:00+01:00"})
    assert ignored is None
    assert "2026-03-04T09:00:00+01:00" in trace


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
    assert state.difference() == Difference()


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
ARGUMENT_NAMES = sorted({p.name for spec in TOOLS.values() for p in spec.parameters})


@settings(max_examples=100, deadline=None, derandomize=True)
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
