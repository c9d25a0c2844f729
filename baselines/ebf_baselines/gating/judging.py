"""The gate's judgement of a call: what the instruction denotes in each slot, and whether the call binds just that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from rapidfuzz.distance import OSA

from ebf_baselines.gating.asking import about_action, about_record, likely
from ebf_baselines.gating.evidence import evidence_for
from ebf_baselines.gating.naming import Named, named
from ebf_baselines.gating.sight import Sight
from ebf_baselines.resolution.resolver import Meaning, SlotMeaning
from ebf_env.decisions import Clarify, Defer, ToolCall
from ebf_env.grounding.text import words_of
from ebf_env.world import EntityPrecondition, ToolSpec
from ebf_env.world.binding import Binding, as_ids
from ebf_env.world.entity import ANY_TYPE

NOT_PERMITTED: Final = "not_permitted"
NO_REFERENT: Final = "no_referent"

FITS: Final = 0.75
"""Least share of what is said of a mention that a notice of withdrawn access must say too."""

_LITTLE: Final = frozenset(
    words_of("a an the of to for in on at by with and or is was that this who which whose it from as")
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a gate makes of a call, whatever its thresholds.

    Attributes:
        call: the call with ids for names, without slots that nobody mentioned, and with scores and evidence.
        score: least s1 over the mentions; 0 where nothing may be executed.
        margin: least s1 - s2 over the mentions, and of the tool over other tools.
        refusal: the answer where nothing may be executed, whatever the scores.
        doubts: questions for what is not sure, with the score and margin that it has, in the order of asking.
        dropped: optional slots that were bound although nobody mentioned them.
    """

    call: ToolCall
    score: float
    margin: float
    refusal: Clarify | Defer | None = None
    doubts: tuple[Doubt, ...] = ()
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that the call takes for granted, how sure it is, and what to ask about it.

    Attributes:
        slot: the slot; None where it is the tool.
        score: least s1 of the slot; 1 for the tool, whose probability the certificate knows by its margin alone.
        margin: least s1 - s2 of the slot, or of the tool.
        ask: words the question.
        p: the tool's probability; 1 for slots.
    """

    slot: str | None
    score: float
    margin: float
    ask: _Question
    p: float = 1.0


@dataclass(frozen=True, slots=True)
class _Question:
    """A question that is only worded where it is asked."""

    sight: Sight
    spec: ToolSpec
    slot: str | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    bound: Mapping[str, Binding] = field(default_factory=dict)
    meaning: Meaning = field(default_factory=lambda: Meaning(None))

    def __call__(self) -> Clarify:
        if self.slot is None:
            return about_action(self.sight, self.spec)
        return about_record(self.sight, self.spec, self.slot, self.weights, self.bound, self.meaning)


def judge(
    sight: Sight,
    call: ToolCall,
    spec: ToolSpec,
    slots: Mapping[str, SlotMeaning] | None = None,
    ruled_out: frozenset[str] = frozenset(),
) -> Judgement:
    """Judge a call against what its instruction denotes.

    Args:
        sight: the instruction, read.
        call: what is proposed; slots may hold names.
        spec: the tool that it calls.
        slots: what the slots mean, where the user has told more than the instruction says; None: what was read.
        ruled_out: tools that are known not to be asked for.
    """
    return _Judge(sight, call, spec, sight.bind(spec) if slots is None else slots, ruled_out).judgement()


class _Judge:
    def __init__(
        self,
        sight: Sight,
        call: ToolCall,
        spec: ToolSpec,
        slots: Mapping[str, SlotMeaning],
        ruled_out: frozenset[str],
    ) -> None:
        self.sight, self.call, self.spec, self.ruled_out = sight, call, spec, ruled_out
        self.store = sight.store
        self.slots = {p.slot: slots[p.slot] for p in spec.preconditions if p.slot in slots}
        self.proposed = {p.slot: named(self.store, p, _plain(call.bindings.get(p.slot))) for p in spec.preconditions}

    def judgement(self) -> Judgement:
        unknown = [slot for slot in self.call.bindings if self.spec.precondition(slot) is None]
        if unknown:
            return self._refused(Defer(f"unknown_slot: {self.spec.name} has no slot {unknown[0]!r}"))
        refusal = next(self._refusals(), None)
        if refusal is not None:
            return self._refused(refusal)
        tool = self.spec.name
        p = self.sight.tools_left(self.ruled_out).get(tool, 0.0) if self.sight.tools else 1.0
        margin = self.sight.tool_margin(tool, self.ruled_out)
        doubts = [*self._doubts(), Doubt(None, 1.0, margin, self._question(None), p)]
        score, margin = min(d.score for d in doubts), min(d.margin for d in doubts)
        return Judgement(self._whole_call(), score, margin, None, tuple(doubts), self._dropped)

    def _refused(self, refusal: Clarify | Defer) -> Judgement:
        return Judgement(self.call, 0.0, 0.0, refusal, (), self._dropped)

    @property
    def _dropped(self) -> tuple[str, ...]:
        return tuple(slot for slot, named in self.proposed.items() if named != Named() and slot not in self.slots)

    # --- what can never be executed ---

    def _refusals(self) -> Iterator[Defer]:
        missing = False
        for slot, known in self.slots.items():
            precondition = known.precondition
            ids = (*self.proposed[slot].ids, *as_ids(known.binding))
            if any(m.forbidden for m in known.meanings):
                yield Defer(NOT_PERMITTED)
            if precondition.changes and any(not self._may_change(i) for i in ids):
                yield Defer(NOT_PERMITTED)
            silent = not any(m.ref and not m.ref.is_bare for m in known.meanings)
            if precondition.required and silent and names_withdrawn(self.sight):
                yield Defer(NOT_PERMITTED)
            absent = [m for m in known.meanings if is_absent(m)]
            if any(is_withdrawn(self.sight, m) for m in absent):
                yield Defer(NOT_PERMITTED)
            missing = missing or bool(absent)
        if missing:
            yield Defer(NO_REFERENT)

    def _may_change(self, entity_id: str) -> bool:
        record = self.store.get(entity_id)
        return record is None or record.may_change

    # --- what is not sure ---

    def _doubts(self) -> Iterator[Doubt]:
        for slot, known in self.slots.items():
            proposed = self.proposed[slot]
            read = as_ids(known.binding)
            meaning = min(known.meanings, key=lambda m: (m.margin, m.score), default=Meaning(None))
            if set(proposed.ids) == set(read) and read and not proposed.unclear and not proposed.unknown:
                score, margin = known.score, known.margin
                if not known.precondition.many and len(read) > 1:
                    score = margin = 0.0
                yield Doubt(slot, score, margin, self._question(slot, likely(known, meaning), meaning))
                continue
            yield Doubt(slot, 0.0, 0.0, self._question(slot, self._in_question(slot, known, meaning), meaning))
        for precondition in self.spec.preconditions:
            if precondition.slot not in self.slots and self._is_out_of_sight(precondition):
                yield Doubt(precondition.slot, 0.0, 0.0, self._question(precondition.slot))

    def _is_out_of_sight(self, precondition: EntityPrecondition) -> bool:
        """Whether the instruction speaks of a kind of record of which none is known, so that it could not be read."""
        kind = precondition.entity_type
        if precondition.required or kind in self.store.types or kind == ANY_TYPE:
            return False
        said = words_of(self.sight.texts[-1])
        noun = words_of(kind)
        return any(said[n : n + len(noun)] == noun for n in range(len(said)))

    def _in_question(self, slot: str, known: SlotMeaning, meaning: Meaning) -> dict[str, float]:
        """The records that what is proposed and what was said may mean, where they are not the same."""
        proposed = self.proposed[slot]
        weights = likely(known, meaning)
        best = max(weights.values(), default=1.0)
        of_proposal = [i for i in (*proposed.ids, *proposed.unclear) if self._fills(known.precondition, i)]
        settled = {m.best for m in known.meanings if m is not meaning} if known.precondition.many else set()
        for entity_id in of_proposal:
            if entity_id not in weights and entity_id not in settled:
                weights[entity_id] = best
        if weights:
            return weights
        return dict.fromkeys((r.id for r in self.store.records if self._fills(known.precondition, r.id)), 1.0)

    def _fills(self, precondition: EntityPrecondition, entity_id: str) -> bool:
        record = self.store.get(entity_id)
        return (
            record is not None and precondition.accepts(record.type) and (record.may_change or not precondition.changes)
        )

    def _question(
        self, slot: str | None, weights: Mapping[str, float] | None = None, meaning: Meaning | None = None
    ) -> _Question:
        bound = {other: b for other, b in self._bindings().items() if other != slot}
        return _Question(self.sight, self.spec, slot, weights or {}, bound, meaning or Meaning(None))

    # --- the call ---

    def _bindings(self) -> dict[str, Binding]:
        found: dict[str, Binding] = {}
        for slot, known in self.slots.items():
            ids = self.proposed[slot].ids
            if ids:
                found[slot] = ids if known.precondition.many else ids[0]
        return found

    def _whole_call(self) -> ToolCall:
        evidence = [e for slot, known in self.slots.items() for e in evidence_for(self.store, slot, known)]
        scores = {slot: leading(known) for slot, known in self.slots.items()}
        return replace(
            self.call, tool=self.spec.name, bindings=self._bindings(), evidence=tuple(evidence), scores=scores
        )


def _plain(bound: Binding | None) -> str | list[str] | None:
    return list(bound) if isinstance(bound, tuple) else bound


LEADING: Final = 5
"""Most records of a slot whose scores a call carries."""


def leading(known: SlotMeaning) -> dict[str, float]:
    """The scores of the likeliest records of a slot."""
    ranked = sorted(known.scores.items(), key=lambda item: -item[1])[: max(LEADING, len(known.meanings))]
    return {entity_id: round(p, 6) for entity_id, p in ranked}


def is_absent(meaning: Meaning) -> bool:
    """Whether something was said that most likely no record is meant by."""
    return meaning.ref is not None and not meaning.ref.is_bare and meaning.none > meaning.score


def is_withdrawn(sight: Sight, meaning: Meaning) -> bool:
    """Whether a notice says that access to what is mentioned was withdrawn.

    All words of its name are in the notice, and most of what else is said of it.
    """
    if not sight.store.withdrawn or meaning.ref is None:
        return False
    names = [word.said for word in meaning.ref.names]
    all_said = {
        word
        for node in meaning.ref.nodes
        for word in words_of(sight.texts[node.text][node.begin : node.end])
        if word not in _LITTLE
    }
    for _, held in sight.store.withdrawn:
        if names and all(_in(word, held) for word in names):
            fitting = sum(_in(word, held) for word in all_said)
            if fitting >= FITS * len(all_said):
                return True
    return False


def names_withdrawn(sight: Sight) -> bool:
    """Whether the user's words hold all that a notice of withdrawn access says of the record it is about."""
    said = frozenset(word for text in sight.texts for word in words_of(text))
    for _, held in sight.store.withdrawn:
        telling = held - _LITTLE - _OF_NOTICES
        if telling and all(_in(word, said) for word in telling):
            return True
    return False


_OF_NOTICES: Final = frozenset(words_of("your access entry record withdrawn removed revoked has been"))


def _in(word: str, held: frozenset[str]) -> bool:
    return word in held or (len(word) > 3 and any(OSA.distance(word, other, score_cutoff=1) <= 1 for other in held))
