"""The state of an episode: an overlay of writes on a world that never changes, and the difference it makes."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typed_world import fingerprint, typed_world

from ebf_env.json_types import JSON
from ebf_env.world import Difference, Entity, FieldChange, View, World, WorldState


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


def test_the_difference_lists_created_changed_deleted_and_viewed(state: WorldState) -> None:
    state.put(thing("z", n=9))
    state.put(thing("b", n=20, more="y"))
    state.delete("c")
    state.view("get_thing", "a")
    assert state.difference() == Difference(
        created=(thing("z", n=9),),
        changed=(
            FieldChange("b", "n", 2, 20),
            FieldChange("b", "tag", "x", None),
            FieldChange("b", "more", None, "y"),
        ),
        deleted=("c",),
        viewed=(View("get_thing", "a"),),
    )
    assert state.difference().writes


@pytest.mark.parametrize(
    ("act", "writes"),
    [
        (lambda s: s.put(thing("z")), True),
        (lambda s: s.put(thing("a", n=5)), True),
        (lambda s: s.delete("a"), True),
        (lambda s: s.view("get_thing", "a"), False),
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


def test_every_view_is_logged_in_order(state: WorldState) -> None:
    for tool, entity_id in [("get", "b"), ("open", "a"), ("get", "b")]:
        state.view(tool, entity_id)
    assert state.difference().viewed == (View("get", "b"), View("open", "a"), View("get", "b"))


def test_reset_forgets_writes_deletions_views_and_the_ids_given_out(state: WorldState) -> None:
    first = state.new_id("thing")
    state.put(thing(first))
    state.put(thing("a", n=10))
    state.delete("b")
    state.view("get", "c")
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


def test_a_fork_is_independent_until_it_is_adopted(state: WorldState) -> None:
    state.put(thing("a", n=10))
    fork = state.fork()
    fork.put(thing("z"))
    fork.delete("b")
    fork.view("get", "c")
    state.put(thing("c", n=30))
    assert state.get("z") is None
    assert state.difference().viewed == ()
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


@settings(max_examples=80, deadline=None, derandomize=True)
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
                state.view("get", f"i{number}")
            begin = perf_counter()
            state.reset()
            best = min(best, perf_counter() - begin)
        assert state.difference() == Difference()
        return best

    assert seconds_to_reset(20_000) < 20 * seconds_to_reset(100) + 1e-5
