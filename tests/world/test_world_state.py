"""The state of an episode: an overlay of writes on a world that never changes, and the difference it makes."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from timing import TRIES, seconds
from typed_world import fingerprint, typed_world

from ebf_env.json_types import JSON
from ebf_env.world import Activity, Difference, Entity, FieldChange, World, WorldState


def thing(entity_id: str, **fields: JSON) -> Entity:
    return Entity(entity_id, "thing", fields)


@pytest.fixture
def state() -> WorldState:
    """A state on a world of three things."""
    return WorldState(World([thing("a", n=1), thing("b", n=2, tag="x"), thing("c", n=3)]))


def test_reads_fall_through_to_the_world(state: WorldState) -> None:
    assert state.get("a") == state["a"] == thing("a", n=1)
    assert state.get("zz") is None
    with pytest.raises(KeyError, match="zz"):
        state["zz"]


def test_a_written_record_hides_the_one_of_the_world(state: WorldState) -> None:
    state.put(thing("a", n=10))
    assert state["a"] == thing("a", n=10)
    assert state.world["a"] == thing("a", n=1)


def test_a_deleted_record_is_gone_from_the_state_and_not_from_the_world(state: WorldState) -> None:
    state.delete("a")
    assert state.get("a") is None
    with pytest.raises(KeyError, match="a"):
        state["a"]
    assert "a" in state.world


def test_records_stand_in_the_order_of_the_world_and_new_ones_after_them(state: WorldState) -> None:
    state.put(thing("z"))
    state.put(thing("y"))
    state.put(thing("b", n=20))
    state.delete("a")
    assert [entity.id for entity in state.entities()] == ["b", "c", "z", "y"]
    assert next(iter(state.entities())) == thing("b", n=20)


def test_an_untouched_state_makes_no_difference(state: WorldState) -> None:
    assert state.difference() == Difference()
    assert not state.difference().writes


def test_the_difference_lists_created_changed_deleted_and_logged(state: WorldState) -> None:
    state.put(thing("z", n=9))
    state.put(thing("b", n=20, more="y"))
    state.delete("c")
    state.log(Activity("get_thing", "view", "a"))
    assert state.difference() == Difference(
        created=(thing("z", n=9),),
        changed=(
            FieldChange("b", "n", 2, 20),
            FieldChange("b", "tag", "x", None),
            FieldChange("b", "more", None, "y"),
        ),
        deleted=("c",),
        activity=(Activity("get_thing", "view", "a"),),
    )
    assert state.difference().writes


@pytest.mark.parametrize(
    ("act", "writes"),
    [
        (lambda s: s.put(thing("z")), True),
        (lambda s: s.put(thing("a", n=5)), True),
        (lambda s: s.delete("a"), True),
        (lambda s: s.log(Activity("get_thing", "view", "a")), False),
        (lambda s: s.put(thing("a", n=1)), False),
        (lambda s: s.delete("zz"), False),
    ],
    ids=["create", "change", "delete", "view", "put what is there", "delete nothing"],
)
def test_only_what_alters_a_record_counts_as_a_write(
    state: WorldState, act: Callable[[WorldState], None], writes: bool
) -> None:
    act(state)
    assert state.difference().writes is writes
    assert (state.freeze() != state.world) is writes


def test_a_record_created_and_deleted_again_makes_no_difference(state: WorldState) -> None:
    state.put(thing("z"))
    state.delete("z")
    assert state.difference() == Difference()
    assert state.freeze() == state.world


def test_a_record_changed_and_changed_back_makes_no_difference(state: WorldState) -> None:
    state.put(thing("a", n=10))
    state.put(thing("a", n=1))
    assert state.difference() == Difference()


def test_a_record_deleted_and_written_again_is_changed_and_not_created(state: WorldState) -> None:
    state.delete("a")
    state.put(thing("a", n=10))
    assert state.difference() == Difference(changed=(FieldChange("a", "n", 1, 10),))
    assert [entity.id for entity in state.entities()] == ["a", "b", "c"]


def test_everything_done_is_logged_in_order_and_views_are_told_apart(state: WorldState) -> None:
    entries = [
        Activity("get", "view", "b"),
        Activity("edit", "update", "c", {"n": 1}),
        Activity("open", "view", "a"),
        Activity("purge", "delete", "c"),
        Activity("get", "view", "b"),
    ]
    for entry in entries:
        state.log(entry)
    assert state.difference().activity == tuple(entries)
    assert state.difference().viewed == ("b", "a", "b")


def test_reset_forgets_writes_deletions_activity_and_the_ids_given_out(state: WorldState) -> None:
    first = state.new_id("thing")
    state.put(thing(first))
    state.put(thing("a", n=10))
    state.delete("b")
    state.log(Activity("get", "view", "c"))
    state.reset()
    assert state.difference() == Difference()
    assert list(state.entities()) == list(state.world.entities())
    assert state.new_id("thing") == first


def test_new_ids_are_new_and_the_same_for_the_same_writes(state: WorldState) -> None:
    def ids(one: WorldState) -> list[str]:
        given_out = []
        for kind in ("thing", "ticket", "thing"):
            given_out.append(one.new_id(kind))
            one.put(Entity(given_out[-1], kind, {}))
        return given_out

    first, second = ids(state), ids(WorldState(state.world))
    assert first == second
    assert len(set(first)) == 3
    assert not set(first) & set(state.world)


def test_a_new_id_is_none_that_the_world_or_a_write_has() -> None:
    free = WorldState(World()).new_id("thing")
    taken = WorldState(World([thing(free)]))
    second = taken.new_id("thing")
    assert second != free
    written = WorldState(World([thing(free)]))
    written.put(thing(second))
    assert written.new_id("thing") not in {free, second}


def test_a_new_id_is_never_that_of_a_record_that_was_there(state: WorldState) -> None:
    free = WorldState(World()).new_id("thing")
    state.put(thing(free))
    state.delete(free)
    second = state.new_id("thing")
    assert second != free
    state.put(thing(second))
    state.delete(second)
    third = state.fork().new_id("thing")
    assert third not in {free, second}
    emptied = WorldState(World([thing(free), thing(second)]))
    emptied.delete(free)
    emptied.delete(second)
    assert emptied.new_id("thing") == third


UNLIKE: dict[str, tuple[dict[str, JSON], dict[str, JSON], list[FieldChange]]] = {
    "one and true": ({"n": 1}, {"n": True}, [FieldChange("x", "n", 1, True)]),
    "zero and false": ({"n": 0}, {"n": False}, [FieldChange("x", "n", 0, False)]),
    "one and one point nought": ({"n": 1}, {"n": 1.0}, [FieldChange("x", "n", 1, 1.0)]),
    "one and true in a list": ({"n": [1]}, {"n": [True]}, [FieldChange("x", "n", [1], [True])]),
    "one and true deep inside": (
        {"n": {"a": [1]}},
        {"n": {"a": [True]}},
        [FieldChange("x", "n", {"a": [1]}, {"a": [True]})],
    ),
    "null and absent": ({"n": None}, {}, [FieldChange("x", "n", None, None)]),
    "absent and null": ({}, {"n": None}, [FieldChange("x", "n", None, None)]),
    "absent and null deep inside": ({"n": {}}, {"n": {"a": None}}, [FieldChange("x", "n", {}, {"a": None})]),
    "null and false": ({"n": None}, {"n": False}, [FieldChange("x", "n", None, False)]),
    "null and empty text": ({"n": None}, {"n": ""}, [FieldChange("x", "n", None, "")]),
    "a list in another order": ({"n": [1, 2]}, {"n": [2, 1]}, [FieldChange("x", "n", [1, 2], [2, 1])]),
}


@pytest.mark.parametrize(("before", "after", "changes"), UNLIKE.values(), ids=UNLIKE.keys())
def test_values_that_are_written_differently_are_different(
    before: dict[str, JSON], after: dict[str, JSON], changes: list[FieldChange]
) -> None:
    state = WorldState(World([thing("x", **before)]))
    state.put(thing("x", **after))
    difference = state.difference()
    assert list(difference.changed) == changes
    assert [type(change.after) for change in difference.changed] == [type(change.after) for change in changes]
    assert difference.writes
    assert state.freeze() != state.world


def test_values_that_are_written_alike_are_no_difference() -> None:
    state = WorldState(World([thing("x", n={"a": 1, "b": [2, "é"]}, m=(1, 2))]))
    state.put(thing("x", m=[1, 2], n={"b": [2, "é"], "a": 1}))
    assert state.difference() == Difference()
    assert state.freeze() == state.world


def test_a_record_that_becomes_one_of_another_type_is_changed() -> None:
    state = WorldState(World([thing("x", n=1), thing("y", n=1)]))
    state.put(Entity("x", "idea", {"n": 1}))
    state.put(Entity("y", "idea", {"n": 2}))
    assert state.difference() == Difference(
        changed=(
            FieldChange("x", "type", "thing", "idea"),
            FieldChange("y", "type", "thing", "idea"),
            FieldChange("y", "n", 1, 2),
        )
    )


FIELD_VALUES: st.SearchStrategy[JSON] = st.none() | st.booleans() | st.integers(0, 1) | st.just([])
ANY_FIELDS = st.dictionaries(st.sampled_from("ab"), FIELD_VALUES, max_size=2)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.sampled_from(["thing", "idea"]), ANY_FIELDS, st.sampled_from(["thing", "idea"]), ANY_FIELDS)
def test_there_is_a_difference_exactly_if_the_digest_is_another(
    kind: str, before: dict[str, JSON], new_kind: str, after: dict[str, JSON]
) -> None:
    state = WorldState(World([Entity("x", kind, before)]))
    state.put(Entity("x", new_kind, after))
    assert state.difference().writes is (state.freeze().digest != state.world.digest)


def test_a_fork_is_independent_until_it_is_adopted(state: WorldState) -> None:
    state.put(thing("a", n=10))
    fork = state.fork()
    fork.put(thing("z"))
    fork.delete("b")
    fork.log(Activity("get", "view", "c"))
    state.put(thing("c", n=30))
    assert state.get("z") is None
    assert state.difference().activity == ()
    assert fork["a"] == thing("a", n=10)
    assert fork["c"] == thing("c", n=3)
    state.adopt(fork)
    assert fingerprint(state.difference()) == fingerprint(fork.difference())
    assert state.get("b") is None


# --- against a model ---

ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.sampled_from("abcxyz"), st.integers(0, 3)),
        st.tuples(st.just("delete"), st.sampled_from("abcxyz"), st.just(0)),
        st.tuples(st.just("reset"), st.just("a"), st.just(0)),
    ),
    max_size=12,
)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(ACTIONS)
def test_a_state_behaves_as_a_copied_dictionary_would(actions: list[tuple[str, str, int]]) -> None:
    world = World([thing("a", n=1), thing("b", n=2), thing("c", n=3)])
    start = {entity.id: entity for entity in world.entities()}
    state, model = WorldState(world), dict(start)
    for action, entity_id, number in actions:
        match action:
            case "put":
                state.put(thing(entity_id, n=number))
                model[entity_id] = thing(entity_id, n=number)
            case "delete":
                state.delete(entity_id)
                model.pop(entity_id, None)
            case _:
                state.reset()
                model = dict(start)
    assert {entity.id: entity for entity in state.entities()} == model
    difference = state.difference()
    assert {entity.id: entity for entity in difference.created} == {i: e for i, e in model.items() if i not in start}
    assert set(difference.deleted) == start.keys() - model.keys()
    assert {change.entity_id: change.after for change in difference.changed} == {
        i: e.get("n") for i, e in model.items() if i in start and e != start[i]
    }
    frozen = state.freeze()
    assert list(frozen.entities()) == list(state.entities())
    assert frozen == World(model.values())
    assert world == World(start.values())


def test_a_frozen_state_is_a_world_of_its_own() -> None:
    world = typed_world()
    before = deepcopy(list(world.entities()))
    state = WorldState(world.derive(remove=["d_memo"]))
    state.put(Entity("d_budget", "document", {"title": "Budget 2027"}))
    state.delete("t_lunch")
    frozen = state.freeze()
    frozen.check()
    assert frozen["d_budget"].get("title") == "Budget 2027"
    state.put(Entity("d_budget", "document", {"title": "Later"}))
    assert frozen["d_budget"].get("title") == "Budget 2027"
    assert "t_lunch" not in frozen
    assert "d_memo" not in frozen
    assert list(world.entities()) == before


def test_reset_costs_the_same_on_a_small_and_on_a_large_world() -> None:
    def seconds_to_reset(size: int) -> float:
        state, best = WorldState(World(thing(f"i{number}", n=number) for number in range(size))), float("inf")
        for _ in range(50):
            for number in range(90):
                state.put(thing(f"i{number}", n=-1))
                state.log(Activity("get", "view", f"i{number}"))
            best = min(best, seconds(state.reset))
        assert state.difference() == Difference()
        return best

    assert any(seconds_to_reset(20_000) < 20 * seconds_to_reset(100) + 1e-5 for _ in range(TRIES))
