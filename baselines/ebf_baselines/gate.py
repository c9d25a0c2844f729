"""The execution policy of the gated methods, on a model's own decision, scores and evidence.

A mention m with candidates of scores s1 >= s2 >= ... is resolved if s1 >= tau and s1 - s2 >= delta (paper, section
IV-C). A slot that the model gave no scores for is left to its decision; where evidence is asked for, a binding without
any that the records bear out is not resolved (section IV-F).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ebf_env.decisions import Clarify, Decision, Evidence, Option, ToolCall
from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.json_types import JSON
from ebf_env.world.binding import as_ids

DEFAULT_TAU: Final = 0.7
DEFAULT_DELTA: Final = 0.2
_ROUNDING: Final = 1e-9
"""Scores are decimals as a model writes them: .7 and .5 differ by .2."""

MAX_OPTIONS: Final = 5
"""Most records a question offers."""


def is_resolved(scores: Mapping[str, float], bound: tuple[str, ...], tau: float, delta: float) -> bool:
    """Resolved(m) for a slot: every record bound passes tau, and beats every other by delta.

    Args:
        scores: entity id to score in [0, 1]; what is not scored has 0.
        bound: the records bound to the slot.
        tau: least score of what is bound.
        delta: least distance to what is not.
    """
    least = min((scores.get(entity_id, 0.0) for entity_id in bound), default=0.0)
    best_other = max((score for entity_id, score in scores.items() if entity_id not in bound), default=0.0)
    return least >= tau - _ROUNDING and least - best_other >= delta - _ROUNDING


def is_borne_out(evidence: Evidence, records: Mapping[str, ObservedEntity]) -> bool:
    """Whether a record in sight has the value that a piece of evidence says it has; free text proves nothing."""
    source = records.get(evidence.source_id or evidence.entity_id or "")
    if source is None or evidence.field is None or evidence.value is None:
        return False
    return any(_same(found, evidence.value) for found in _values(source.entity.to_json(), evidence.field.split(".")))


def _values(value: JSON, path: list[str]) -> Iterator[JSON]:
    if isinstance(value, list | tuple):
        yield value
        for item in value:
            yield from _values(item, path)
    elif not path:
        yield value
    elif isinstance(value, Mapping) and path[0] in value:
        yield from _values(value[path[0]], path[1:])


def _same(found: JSON, said: JSON) -> bool:
    if isinstance(found, list | tuple) or isinstance(said, list | tuple):
        return (
            list(found) == list(said) if isinstance(found, list | tuple) and isinstance(said, list | tuple) else False
        )
    return found == said or str(found).strip().casefold() == str(said).strip().casefold()


@dataclass(frozen=True, slots=True)
class GatePolicy:
    """Executes a proposed call only if every binding of it is resolved; else asks about the first that is not.

    Attributes:
        tau: least score of a record that is bound.
        delta: least distance to the best other record.
        evidence: whether every binding needs evidence that the records bear out.
    """

    tau: float = DEFAULT_TAU
    delta: float = DEFAULT_DELTA
    evidence: bool = False

    def __call__(self, observation: Observation, proposal: Decision) -> Decision:
        """What becomes of a proposal."""
        if not isinstance(proposal, ToolCall):
            return proposal
        records = {shown.id: shown for shown in observation.entities}
        for slot, binding in proposal.bindings.items():
            bound = as_ids(binding)
            if not all(entity_id in records for entity_id in bound):
                continue  # the environment refuses what is invented or malformed; no question could mend it
            scores = proposal.scores.get(slot)
            if scores is not None and not is_resolved(scores, bound, self.tau, self.delta):
                return _question(proposal, slot, _ranked(scores, bound, records), records)
            if self.evidence and not self._has_evidence(proposal, bound, records):
                return _question(proposal, slot, _ranked(scores or {}, bound, records), records)
        return proposal

    def _has_evidence(self, call: ToolCall, bound: tuple[str, ...], records: Mapping[str, ObservedEntity]) -> bool:
        proven = {e.entity_id for e in call.evidence if is_borne_out(e, records)}
        return all(entity_id in proven for entity_id in bound)


def _ranked(
    scores: Mapping[str, float], bound: tuple[str, ...], records: Mapping[str, ObservedEntity]
) -> tuple[str, ...]:
    """What a question offers: the records bound and those scored, best first."""
    ids = dict.fromkeys([*bound, *sorted(scores, key=lambda entity_id: -scores[entity_id])])
    types = {records[entity_id].type for entity_id in bound}
    return tuple(i for i in ids if i in records and records[i].type in types)[:MAX_OPTIONS]


def _question(call: ToolCall, slot: str, ids: tuple[str, ...], records: Mapping[str, ObservedEntity]) -> Clarify:
    names = [f"{records[i].entity.label} ({i})" for i in ids]
    listed = " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    others = {other: bound for other, bound in call.bindings.items() if other != slot}
    return Clarify(
        f"Do you mean {listed}?",
        slot,
        options=tuple(Option(i, {"name": records[i].entity.label}) for i in ids),
        tool=call.tool,
        bindings=others,
        evidence=call.evidence,
        scores=call.scores,
    )
