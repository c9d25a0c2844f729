"""The gate as the execution policy of a method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ebf_baselines.gating.conversation import exchanges, opened
from ebf_baselines.gating.evidence import unheld
from ebf_baselines.gating.gate import UNKNOWN_TOOL, Execute, checked, decided, judged
from ebf_baselines.gating.sight import Sight, sight_of
from ebf_baselines.gating.thresholds import Acts
from ebf_env.decisions import Decision, Defer, Evidence, ToolCall
from ebf_env.envs.observation import Observation
from ebf_env.world.binding import as_ids

UNVERIFIED: Final = "unverified_evidence"


@dataclass(frozen=True, slots=True)
class ResolverGate:
    """Executes a proposed call if it binds just what the instruction denotes, surely enough; else asks or defers.

    A search is let through: it binds nothing. So is opening a record in a world that is being searched, where the
    instruction asks for something else. What is no call stays the backend's own decision.

    Attributes:
        thresholds: when it acts; None: the certificate that ships with the package.
        provenance: whether every binding must have evidence that holds in the records, and every piece of evidence that
            comes with the proposal too: otherwise nothing is executed.
    """

    thresholds: Acts | None = None
    provenance: bool = False

    def __call__(self, observation: Observation, proposal: Decision) -> Decision:
        """What becomes of a proposal.

        Raises:
            ScorerMismatchError: the certificate is for another scorer.
        """
        if not isinstance(proposal, ToolCall):
            return proposal
        thresholds = checked(self.thresholds, "resolver")
        spec = observation.tool(proposal.tool)
        if spec is None:
            return Defer(f"{UNKNOWN_TOOL}: {proposal.tool}")
        if spec.is_search:
            return proposal
        sight = sight_of(observation)
        if spec.is_read and _looks_around(observation, sight, spec.name):
            return proposal
        if self.provenance and (false := unheld(sight.store, proposal.evidence)) is not None:
            return Defer(f"{UNVERIFIED}: {_claim(false)}")
        talk = tuple(exchanges(observation.messages))
        decision = decided(
            judged(sight, proposal, spec, talk, ruled_out=ruled_out(observation)), thresholds, spec.risk, talk
        )
        if not isinstance(decision, Execute):
            return decision
        if self.provenance and (missing := _unproven(decision)) is not None:
            return Defer(f"{UNVERIFIED}: nothing in the records shows that {missing} is meant")
        return decision.call


def _looks_around(observation: Observation, sight: Sight, tool: str) -> bool:
    """Whether records are being looked up, and a tool is not the one that is asked for."""
    found = sight.tools_left(ruled_out(observation))
    searched = any(message.get("role") == "tool" for message in observation.messages)
    return searched and found.get(tool, 0.0) < max(found.values(), default=0.0)


def ruled_out(observation: Observation) -> frozenset[str]:
    """The tools that are known not to be asked for: reads after which the episode went on."""
    return frozenset(tool for tool, _ in opened(observation.messages))


def _claim(piece: Evidence) -> str:
    return f"{piece.field} of {piece.source_id or piece.entity_id} is not {piece.value!r}"


def _unproven(decision: Execute) -> str | None:
    proven = {(piece.slot, piece.entity_id) for piece in decision.evidence}
    for slot, bound in decision.call.bindings.items():
        for entity_id in as_ids(bound):
            if (slot, entity_id) not in proven:
                return entity_id
    return None
