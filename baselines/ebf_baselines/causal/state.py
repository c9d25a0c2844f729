"""What holds before a decision, as facts: what is in sight, and what may be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ebf_baselines.causal.contracts import Contract, seen
from ebf_baselines.causal.planning import Facts
from ebf_env.envs.observation import Observation
from ebf_env.world.entity import ANY_TYPE


@dataclass(frozen=True, slots=True)
class Sight:
    """The types of record in sight.

    Attributes:
        holds: facts ``seen(type)`` as the observation shows them.
        certain: those of them that are beyond doubt. What was looked up need not hold the record that is meant, so
            nothing is certain in an episode in which records have to be looked up.
    """

    holds: Facts
    certain: Facts

    @property
    def is_looked_up(self) -> bool:
        """Whether records have to be looked up."""
        return self.holds != self.certain or not self.holds

    @property
    def cases(self) -> tuple[Facts, ...]:
        """The states it could be: as it looks, and as if what was looked up were not there."""
        return (self.holds,) if self.holds == self.certain else (self.holds, self.certain)


def sight_of(observation: Observation, contracts: Mapping[str, Contract]) -> Sight:
    """What is in sight.

    A search that was made counts as having brought into sight what it finds, even if it found nothing: so a plan goes
    on after it.

    Args:
        observation: what the agent sees.
        contracts: of the tools offered, by name.
    """
    types = {shown.entity.type for shown in observation.entities}
    called = {str(message.get("tool")) for message in observation.messages}
    made = [contract for name, contract in contracts.items() if name in called]
    searches = [contract for contract in made if contract.is_search]
    looked_up = bool(searches) or not types
    types.update(kind for contract in searches for kind in contract.finds)
    holds = _facts(types)
    return Sight(holds, frozenset() if looked_up else holds)


def _facts(types: Iterable[str]) -> Facts:
    facts = frozenset(map(seen, types))
    return facts | {seen(ANY_TYPE)} if facts else facts
