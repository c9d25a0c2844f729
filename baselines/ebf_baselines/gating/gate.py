"""``ActionGate``: Algorithm 1 of the paper, for the environment's agents and for anybody else's."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, TypeAlias

from ebf_baselines.calibration import GateCertificate
from ebf_baselines.calibration.bayes import UNNEEDED
from ebf_baselines.gating.conversation import Exchange, Tone, answered, exchanges
from ebf_baselines.gating.judging import Judgement, judge
from ebf_baselines.gating.scorer import resolver_id, shipped_certificate
from ebf_baselines.gating.sight import Sight, moment_of, said_before
from ebf_baselines.gating.thresholds import Acts
from ebf_baselines.resolution.resolver import Meaning, SlotMeaning
from ebf_baselines.resolution.store import RecordStore
from ebf_env.decisions import Clarify, Defer, Evidence, ToolCall
from ebf_env.json_types import JSONObject
from ebf_env.world import EntityPrecondition, RiskLevel, ToolSpec
from ebf_env.world.binding import as_ids

Scorer: TypeAlias = Literal["resolver", "own"]

MAX_CANDIDATES: Final = 5
"""Most candidates that a low-risk read is answered with (paper, section IV-E)."""

MAX_QUESTIONS: Final = 3
"""Most questions about one slot."""

UNKNOWN_TOOL: Final = "unknown_tool"
UNCLEAR: Final = "unclear"
"""The reason where a question was asked and the answer does not tell."""


@dataclass(frozen=True, slots=True)
class Execute:
    """The call may be executed.

    Attributes:
        call: the call, its slots bound to ids.
        evidence: what the records say that each binding rests on.
        score: least s1.
        margin: least s1 - s2.
        dropped: optional slots that were bound although nobody mentioned them, and are bound no longer.
    """

    call: ToolCall
    evidence: tuple[Evidence, ...] = ()
    score: float = 1.0
    margin: float = 1.0
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidates:
    """A low-risk read is answered with the few records that may be meant, instead of a question.

    Attributes:
        slot: the slot they may fill.
        calls: the call for each of them, the likeliest first.
        question: what would have been asked.
    """

    slot: str
    calls: tuple[ToolCall, ...]
    question: Clarify


Decided: TypeAlias = Execute | Clarify | Defer


class ActionGate:
    """Lets a tool call through only if it binds just what the instruction denotes; else asks, or says why not.

    It looks records up and never changes any, nor does it execute anything.

    Args:
        store: the records, e.g. ``RecordStore.of_dicts(rows)``.
        certificate: thresholds; None: the certificate that ships with the package.
        scorer: ``resolver`` reads the instruction; ``own`` trusts the scores that come with the call.
        tools: the tools on offer. With them, it also asks where another tool is as likely meant; without, the tool is
            taken as given.
        candidates: most records that a low-risk read is answered with where it is not clear which is meant; 0: it asks.

    Raises:
        ScorerMismatchError: the certificate was made for another scorer.
        ConfigurationError: there is no certificate for a model's own scores; thresholds have to be given.
    """

    def __init__(
        self,
        store: RecordStore,
        certificate: Acts | None = None,
        scorer: Scorer = "resolver",
        *,
        tools: Collection[ToolSpec] = (),
        candidates: int = 0,
    ) -> None:
        self.store, self.scorer, self.tools = store, scorer, tuple(tools)
        self.candidates = min(candidates, MAX_CANDIDATES)
        self.thresholds = checked(certificate, scorer)

    def decide(
        self,
        instruction: str,
        call: ToolCall,
        spec: ToolSpec | None,
        history: Sequence[JSONObject] = (),
        now: datetime | str | None = None,
        user: JSONObject | None = None,
        messages: Sequence[JSONObject] = (),
    ) -> Execute | Candidates | Clarify | Defer:
        """What becomes of a proposed call.

        Args:
            instruction: what the user asked for.
            call: what the agent proposes; slots may hold ids or names.
            spec: the tool; None or one of another name: it is not known, and nothing is executed.
            history: earlier turns, as ``{"role": "user", "content": ...}``.
            now: the time it is said at, for "today" and "next week"; None: such words tell nothing.
            user: who says it (``id``, ``name``, ...), for "my" and "mine".
            messages: questions of the gate and their answers so far, as in an observation's ``messages``.

        Returns:
            ``Execute``, a structured question, or a deferral with its reason: ``no_referent``, ``not_permitted``,
            ``unknown_tool``, ``unknown_slot``, or ``unclear`` where questions did not help. ``Candidates`` only of a
            gate that was told to.
        """
        if spec is None or spec.name != call.tool:
            return Defer(f"{UNKNOWN_TOOL}: {call.tool}")
        sight = Sight(
            self.store,
            (*said_before(history), instruction),
            moment_of(now) if isinstance(now, str) else now,
            user,
            self.tools,
            frozenset(p.entity_type for p in spec.preconditions),
        )
        return self.gate(sight, call, spec, tuple(exchanges(messages)))

    def gate(
        self, sight: Sight, call: ToolCall, spec: ToolSpec, talk: Sequence[Exchange] = ()
    ) -> Execute | Candidates | Clarify | Defer:
        """What becomes of a proposed call whose instruction was read already."""
        judgement = judged(sight, call, spec, talk, self.scorer)
        decision = decided(judgement, self.thresholds, spec.risk, talk)
        if self.candidates and isinstance(decision, Clarify) and spec.is_read and spec.risk is RiskLevel.LOW:
            return _as_candidates(judgement.call, decision, self.candidates, spec) or decision
        return decision


def checked(certificate: Acts | None, scorer: Scorer) -> Acts:
    """The thresholds to use.

    Raises:
        ScorerMismatchError: they were certified for another scorer.
    """
    if certificate is None:
        return shipped_certificate()
    if isinstance(certificate, GateCertificate) and scorer == "resolver":
        own = resolver_id()
        certificate.check_scorer(own.name, own.sha256)
    return certificate


def judged(
    sight: Sight,
    call: ToolCall,
    spec: ToolSpec,
    talk: Sequence[Exchange] = (),
    scorer: Scorer = "resolver",
    ruled_out: frozenset[str] = frozenset(),
) -> Judgement:
    """Judge a call by what was read and what the user has answered since."""
    slots = sight.bind(spec) if scorer == "resolver" else own_meanings(sight, call, spec)
    if talk:
        slots = answered(sight.store, slots, talk)
    return judge(sight, call, spec, slots, ruled_out)


def own_meanings(sight: Sight, call: ToolCall, spec: ToolSpec) -> dict[str, SlotMeaning]:
    """What slots mean by the scores that come with a call; a slot without scores is as sure as the call is."""
    found: dict[str, SlotMeaning] = {}
    for precondition in spec.preconditions:
        bound = as_ids(call.bindings.get(precondition.slot))
        scores = call.scores.get(precondition.slot)
        if not bound and not precondition.required:
            continue
        found[precondition.slot] = SlotMeaning(precondition, _own(precondition, bound, scores))
    return found


def _own(
    precondition: EntityPrecondition, bound: tuple[str, ...], scores: Mapping[str, float] | None
) -> tuple[Meaning, ...]:
    if scores is None:
        return tuple(Meaning(None, {i: 1.0}, 0.0) for i in bound)
    rest = dict(sorted(scores.items(), key=lambda item: -item[1]))
    if not precondition.many or len(bound) < 2:
        return (Meaning(None, rest, max(0.0, 1.0 - sum(rest.values()))),)
    others = {i: p for i, p in rest.items() if i not in bound}
    return tuple(
        Meaning(None, dict(sorted({i: scores.get(i, 0.0), **others}.items(), key=lambda item: -item[1])), 0.0)
        for i in bound
    )


def decided(
    judgement: Judgement, thresholds: Acts, risk: RiskLevel, talk: Sequence[Exchange] = ()
) -> Execute | Clarify | Defer:
    """What becomes of a call that was judged.

    A question that was asked already is not asked again; where the user could not tell, or questions did not help, the
    call is deferred. A question about the action that the user could not answer leaves it to what is worth more.
    """
    if judgement.refusal is not None:
        return judgement.refusal
    asked = {exchange.question.question for exchange in talk}
    for doubt in judgement.doubts:
        if thresholds.acts(doubt.score, doubt.margin, risk):
            continue
        about = [exchange for exchange in talk if exchange.question.slot == doubt.slot]
        if doubt.slot is None and about and _is_worth_it(doubt.p, risk):
            continue
        if len(about) >= MAX_QUESTIONS or any(e.tone in (Tone.UNSURE, Tone.IMPATIENT) for e in about if not e.tells):
            return Defer(UNCLEAR)
        question = doubt.ask()
        if question.question in asked:
            return Defer(UNCLEAR)
        return question
    return Execute(judgement.call, judgement.call.evidence, judgement.score, judgement.margin, judgement.dropped)


def _is_worth_it(p: float, risk: RiskLevel) -> bool:
    """Whether acting is worth more than giving up, where the user was asked about the action and could not tell.

    Acting is worth p - (1 - p) weight, an unneeded deferral -.25 (``RewardConfig``). No certificate speaks of it.
    """
    return p - (1 - p) * risk.weight >= -UNNEEDED


def _as_candidates(call: ToolCall, question: Clarify, most: int, spec: ToolSpec) -> Candidates | None:
    precondition = spec.precondition(question.slot) if question.slot is not None else None
    ids = tuple(option.entity_id for option in question.options)
    if precondition is None or not 0 < len(ids) <= most or not _others_bound(spec, call, precondition.slot):
        return None
    calls = tuple(
        replace(call, bindings={**call.bindings, precondition.slot: (i,) if precondition.many else i}) for i in ids
    )
    return Candidates(precondition.slot, calls, question)


def _others_bound(spec: ToolSpec, call: ToolCall, slot: str) -> bool:
    return all(p.slot in call.bindings for p in spec.preconditions if p.required and p.slot != slot)
