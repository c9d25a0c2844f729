from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from ebf_baselines.causal.planning import Action, Cost, Facts, frontier, minimal_plans, relevant

FACTS = [f"f{n}" for n in range(6)]
some_facts = st.frozensets(st.sampled_from(FACTS), max_size=2)


@st.composite
def problems(draw: st.DrawFn) -> tuple[tuple[Action, ...], Facts, Facts]:
    count = draw(st.integers(0, 6))
    actions = tuple(
        Action(
            f"a{number}",
            draw(some_facts),
            draw(st.frozensets(st.sampled_from(FACTS), min_size=1, max_size=2)),
            draw(st.integers(0, 2)),
            draw(st.integers(0, 2)),
            draw(st.sampled_from([False, False, False, True])),
        )
        for number in range(count)
    )
    return actions, draw(some_facts), draw(st.frozensets(st.sampled_from(FACTS), min_size=1, max_size=2))


def settled(state: Facts, actions: tuple[Action, ...]) -> Facts:
    for _ in actions:
        for action in actions:
            if action.silent and action.requires <= state:
                state |= action.produces
    return state


def every_plan(actions: tuple[Action, ...], state: Facts, goals: Facts) -> dict[tuple[str, ...], Cost]:
    """Every sequence of distinct steps after which the goals hold, by trying all."""
    steps = [action for action in actions if not action.silent]
    plans: dict[tuple[str, ...], Cost] = {}
    for length in range(len(steps) + 1):
        for sequence in permutations(steps, length):
            here = settled(state, actions)
            for action in sequence:
                if not action.requires <= here:
                    break
                here = settled(here | action.produces, actions)
            else:
                if goals <= here:
                    cost = (length, sum(a.risk for a in sequence), sum(a.cost for a in sequence))
                    plans[tuple(a.name for a in sequence)] = cost
    return plans


@settings(max_examples=150, deadline=None)
@given(problems())
def test_finds_exactly_the_cheapest_plans(problem: tuple[tuple[Action, ...], Facts, Facts]) -> None:
    actions, state, goals = problem
    tried = every_plan(actions, state, goals)
    plans = minimal_plans(actions, state, goals)
    if not tried:
        assert plans is None
        return
    least = min(tried.values())
    assert plans is not None
    assert plans.cost == least
    found = {tuple(action.name for action in plan) for plan in plans}
    cheapest = {names for names, cost in tried.items() if cost == least}
    assert found == cheapest
    expected = {names[0] for names in cheapest if names}
    first = frontier(actions, state, goals)
    assert {action.name for action in first} == expected
    assert list(first) == sorted(first, key=lambda a: (a.risk, a.cost, a.name))


@settings(max_examples=80, deadline=None)
@given(problems(), st.randoms(use_true_random=False))
def test_order_and_irrelevant_actions_change_nothing(problem: tuple[tuple[Action, ...], Facts, Facts], rng) -> None:
    actions, state, goals = problem
    others = tuple(Action(f"x{n}", frozenset({FACTS[n % 6]}), frozenset({f"other{n}"})) for n in range(25))
    shuffled = [*actions, *others]
    rng.shuffle(shuffled)
    assert frontier(shuffled, state, goals) == frontier(actions, state, goals)
    assert {a.name for a in relevant(shuffled, state, goals)} == {a.name for a in relevant(actions, state, goals)}


def test_relevance_reaches_back_through_requirements() -> None:
    search = Action("search", frozenset(), frozenset({"seen"}))
    bind = Action("bind", frozenset({"seen"}), frozenset({"bound"}), silent=True)
    share = Action("share", frozenset({"bound"}), frozenset({"done"}))
    other = Action("other", frozenset({"seen"}), frozenset({"else"}))
    everything = (search, bind, share, other)
    assert relevant(everything, frozenset(), frozenset({"done"})) == (search, bind, share)
    assert frontier(everything, frozenset(), frozenset({"done"})) == (search,)
    assert frontier(everything, frozenset({"seen"}), frozenset({"done"})) == (share,)
    assert frontier(everything, frozenset({"done"}), frozenset({"done"})) == ()
    assert minimal_plans((bind, share), frozenset(), frozenset({"done"})) is None


def test_fewer_steps_beat_less_risk_and_less_risk_beats_less_cost() -> None:
    risky = Action("risky", frozenset(), frozenset({"goal"}), risk=5)
    first = Action("first", frozenset(), frozenset({"half"}))
    second = Action("second", frozenset({"half"}), frozenset({"goal"}))
    assert frontier((risky, first, second), frozenset(), frozenset({"goal"})) == (risky,)
    safe = Action("safe", frozenset(), frozenset({"goal"}), risk=1, cost=9)
    assert frontier((risky, safe), frozenset(), frozenset({"goal"})) == (safe,)
