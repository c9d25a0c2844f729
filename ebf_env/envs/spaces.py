"""The spaces of the text environment: JSON texts as ``gymnasium.spaces.Text``, with a sample that means something."""

from __future__ import annotations

import json
import string
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from gymnasium.error import CustomSpaceError
from gymnasium.spaces import Text
from gymnasium.vector.utils.shared_memory import create_shared_memory

from ebf_env.decisions import Clarify, Decision, Defer, Option, ToolCall, decision_text
from ebf_env.decisions.extraction import MAX_CHARS
from ebf_env.envs.observation import OBSERVATION_KEYS, Observation, ObservedEntity
from ebf_env.world import TOOLS, Entity, ToolSpec
from ebf_env.world.binding import Binding

MAX_OBSERVATION_CHARS = 2_000_000
"""Longest observation text."""

CHARACTERS = string.printable


class _JsonText(Text):
    """A text space whose members are JSON objects."""

    def __init__(self, max_length: int, seed: int | np.random.Generator | None) -> None:
        super().__init__(max_length, charset=CHARACTERS, seed=seed)

    def _no_mask(self, mask: object, probability: object) -> None:
        if mask is not None or probability is not None:
            raise ValueError(f"{type(self).__name__} draws whole JSON objects and takes no character mask")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Text) and self.max_length == other.max_length

    __hash__ = None  # type: ignore[assignment]  # as every Gymnasium space

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.max_length})"


class ObservationSpace(_JsonText):
    """ASCII JSON objects with the keys of an observation, in their order."""

    def __init__(self, max_length: int = MAX_OBSERVATION_CHARS, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(max_length, seed)

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is the text of an observation."""
        if not (isinstance(x, str) and x.isascii() and len(x) <= self.max_length):
            return False
        try:
            value = json.loads(x)
        except ValueError:
            return False
        return isinstance(value, dict) and tuple(value) == OBSERVATION_KEYS

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """A small observation, well-formed and meaningless."""
        self._no_mask(mask, probability)
        names = self.np_random.choice(sorted(TOOLS), size=3, replace=False)
        people = [
            ObservedEntity(Entity(f"p{number}", "person", {"name": _word(self.np_random), "email": "p@example.com"}))
            for number in range(int(self.np_random.integers(1, 5)))
        ]
        instruction = " ".join(_word(self.np_random) for _ in range(4))
        return Observation(instruction, None, None, (), tuple(TOOLS[str(n)] for n in names), tuple(people)).text()


def _word(rng: np.random.Generator) -> str:
    return "".join(rng.choice(list(string.ascii_lowercase), size=5))


@create_shared_memory.register
def _no_shared_memory(space: ObservationSpace, n: int = 1, ctx: object = None) -> NoReturn:
    """Gymnasium's shared memory does not carry texts from one step to the next; it then says how to go without."""
    raise CustomSpaceError("texts cannot be kept in shared memory; pass shared_memory=False to the vector environment")


class DecisionSpace(_JsonText):
    """Texts of up to ``max_length`` characters; those that hold no decision cost a penalty.

    ``sample`` draws decisions that fit the schema: with the tools and records of the current episode once the
    environment was reset, otherwise with registered tools and made-up ids.
    """

    def __init__(self, max_length: int = MAX_CHARS, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(max_length, seed)
        self._shown: Observation | None = None

    def show(self, observation: Observation) -> None:
        """Draw from the tools and records of this observation from now on."""
        self._shown = observation

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is a text short enough to be read."""
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """A random decision: acting, asking and deferring are equally likely."""
        self._no_mask(mask, probability)
        if self._shown is None:
            return decision_text(random_decision(self.np_random, tuple(TOOLS.values())))
        return decision_text(random_decision(self.np_random, self._shown.tools, self._shown.ids_by_type()))


def random_decision(
    rng: np.random.Generator, tools: Sequence[ToolSpec], ids: Mapping[str, Sequence[str]] | None = None
) -> Decision:
    """A decision drawn uniformly.

    Act, ask or defer; a tool all of whose mandatory slots can be filled; one record for each of them.

    Args:
        rng: source of randomness.
        tools: the tools offered.
        ids: entity type to ids of records in sight; None makes ids up.
    """
    fitting = [t for t in tools if ids is None or all(ids.get(p.entity_type) for p in t.preconditions if p.required)]
    kind = int(rng.integers(3)) if fitting else 2
    if kind == 2:
        return Defer("drawn at random")
    tool = fitting[int(rng.integers(len(fitting)))]
    required = [p for p in tool.preconditions if p.required]
    if kind == 0:
        bindings: dict[str, Binding] = {}
        for p in required:
            drawn = _draw(rng, p.entity_type, ids)
            bindings[p.slot] = (drawn,) if p.many else drawn
        return ToolCall(tool.name, bindings)
    if not required:
        return Clarify("What do you mean?", tool=tool.name)
    p = required[int(rng.integers(len(required)))]
    options = tuple(Option(i) for i in dict.fromkeys(_draw(rng, p.entity_type, ids) for _ in range(2)))
    return Clarify(f"Which {p.slot.replace('_', ' ')} do you mean?", p.slot, options=options, tool=tool.name)


def _draw(rng: np.random.Generator, entity_type: str, ids: Mapping[str, Sequence[str]] | None) -> str:
    if ids is None:
        return f"{entity_type}_{int(rng.integers(1000))}"
    known = ids[entity_type]
    return known[int(rng.integers(len(known)))]
