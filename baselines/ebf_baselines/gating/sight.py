"""What is known of one instruction: the records, the instruction read against them, and which tool it asks for.

Reading is most of what a decision costs, and whoever proposes a call and whoever gates it look at the same
observation, so what was read last is kept for a while.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Final

from ebf_baselines.causal import tool_posterior_of
from ebf_baselines.resolution.resolver import Reading, SlotMeaning
from ebf_baselines.resolution.store import RecordStore
from ebf_env.envs.observation import Observation
from ebf_env.json_types import JSONObject
from ebf_env.world import ToolSpec

TURNS: Final = 3
"""How many of the user's last turns are read beside the instruction."""

KEPT: Final = 8
"""Most observations whose reading is kept."""

NOTHING_SAID: Final = 0.1
"""How much a tool counts less for each record that it requires and nothing was said of."""


@dataclass(frozen=True)
class Sight:
    """An instruction, read against the records there are.

    Attributes:
        store: the records.
        texts: what the user said, oldest first; the last is the instruction.
        now: when it was said.
        user: who said it.
        tools: the tools on offer, searches included; with none, no tool is judged.
    """

    store: RecordStore
    texts: tuple[str, ...]
    now: datetime | None = None
    user: JSONObject | None = None
    tools: tuple[ToolSpec, ...] = ()
    wanted: frozenset[str] = frozenset()
    _bound: dict[str, Mapping[str, SlotMeaning]] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def reading(self) -> Reading:
        """The instruction, read."""
        types = {p.entity_type for spec in self.tools for p in spec.preconditions}
        return Reading(self.store, self.texts, self.now, self.user, self.wanted | types)

    def bind(self, spec: ToolSpec) -> Mapping[str, SlotMeaning]:
        """What fills the slots of a tool."""
        if spec.name not in self._bound:
            self._bound[spec.name] = self.reading.bind(spec)
        return self._bound[spec.name]

    @cached_property
    def tool_probabilities(self) -> dict[str, float]:
        """How likely each tool on offer that is no search is the one asked for; what is missing to 1: none of them.

        What the words say of the action and of the types of record, and whether anything was said of what a tool
        requires.
        """
        said = tool_posterior_of(self.texts[-1], self.texts[:-1], self.tools, self.reading.kinds())
        specs = {spec.name: spec for spec in self.tools}
        weights = {name: p * (self._fit(specs[name]) if p > _NEVER else 1.0) for name, p in said.items()}
        total = sum(weights.values()) + max(0.0, 1.0 - sum(said.values()))
        return {name: weight / total for name, weight in weights.items()} if total > 0 else weights

    def _fit(self, spec: ToolSpec) -> float:
        silent = sum(
            meaning.precondition.required and not any(m.ref is not None and not m.ref.is_bare for m in meaning.meanings)
            for meaning in self.bind(spec).values()
        )
        return float(NOTHING_SAID**silent)

    def tool_margin(self, tool: str, ruled_out: frozenset[str] = frozenset()) -> float:
        """By how much a tool is likelier than any other on offer, from 0 to 1; 1 where tools are not judged.

        Args:
            tool: the tool.
            ruled_out: tools that are known not to be asked for.
        """
        if not self.tools:
            return 1.0
        found = self.tools_left(ruled_out)
        rival = max((p for name, p in found.items() if name != tool), default=0.0)
        return min(1.0, max(0.0, found.get(tool, 0.0) - rival))

    def tools_left(self, ruled_out: frozenset[str]) -> dict[str, float]:
        """``tool_probabilities``, given that some tools are not asked for."""
        found = self.tool_probabilities
        gone = sum(found.get(name, 0.0) for name in ruled_out)
        if not gone:
            return found
        left = max(1.0 - gone, _NEVER)
        return {name: min(p / left, 1.0) for name, p in found.items() if name not in ruled_out}


_NEVER: Final = 1e-3
"""Tools less likely than this are not looked at closely."""


class _Recent:
    """What was looked at last, by the identity of what an observation holds; it is kept alive as long as its key."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, tuple[Observation, Sight]] = OrderedDict()

    def get(self, observation: Observation) -> Sight:
        key = (
            *map(id, (observation.entities, observation.history, observation.user, observation.tools)),
            observation.instruction,
            observation.now,
        )
        found = self._kept.pop(key, None)
        if found is None:
            found = observation, _look(observation)
        self._kept[key] = found
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found[1]


_RECENT: Final = _Recent()


def sight_of(observation: Observation) -> Sight:
    """What is known of an observation."""
    return _RECENT.get(observation)


def _look(observation: Observation) -> Sight:
    return Sight(
        RecordStore.of_observation(observation),
        (*said_before(observation.history), observation.instruction),
        moment_of(observation.now),
        observation.user,
        observation.tools,
    )


def said_before(history: Sequence[JSONObject]) -> tuple[str, ...]:
    """The user's last turns in a conversation, oldest first."""
    said = (turn.get("content") for turn in history if turn.get("role") == "user")
    return tuple(text for text in said if isinstance(text, str))[-TURNS:]


def moment_of(text: str | None) -> datetime | None:
    """A time as it is written in observations; None where it cannot be read."""
    try:
        return None if text is None else datetime.fromisoformat(text)
    except ValueError:
        return None
