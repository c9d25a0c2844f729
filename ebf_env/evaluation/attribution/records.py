"""The cause of a wrong entity: the first wrong slot, the first wrong record bound to it, and what it is instead."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ebf_env.decisions import CheckedCall, ToolCall, check_call
from ebf_env.evaluation.attribution.case import Case, Meaning
from ebf_env.evaluation.attribution.cause import Cause
from ebf_env.scoring.formulation import same_entities
from ebf_env.scoring.misreading import as_recorded, misreadings, through_names
from ebf_env.tasks import Condition, Label
from ebf_env.world.binding import as_ids
from ebf_env.world.references import Named, Not


def cause_of_wrong_entity(case: Case, call: ToolCall) -> Cause:
    """The cause of a call of the right tool on a wrong entity; for its precedence see the package."""
    checked = check_call(call, case.task.tools, case.lookup)
    if not isinstance(checked, CheckedCall):
        return Cause.UNATTRIBUTED
    for slot, gold in case.gold.items():
        bound = checked.bindings.get(slot)
        if gold is None or not same_entities(bound, gold):
            return _of_slot(case, slot, as_ids(bound), call)
    return Cause.WRONG_SLOT if checked.bindings.keys() - case.gold.keys() else Cause.UNATTRIBUTED


def _of_slot(case: Case, slot: str, ids: tuple[str, ...], call: ToolCall) -> Cause:
    meant = as_ids(case.gold[slot])
    right = meant or [i for mention in case.task.mentions if mention.slot == slot for i in as_ids(mention.gold)]
    wrong = next((entity_id for entity_id in ids if entity_id not in right), None)
    meanings, complete = case.meanings(slot, ids)
    if case.told.is_disregarded_by(slot, ids):
        return Cause.ANSWERED_CLARIFICATION_IGNORED
    if wrong is not None and (cause := _of_denoted(case, slot, wrong, meanings)) is not None:
        return cause
    if case.first_step_is_out_of_sight(meanings):
        return Cause.RETRIEVAL_MISS
    if wrong is not None and any(_follows_a_namesake(case, meaning, wrong) for meaning in meanings):
        return Cause.PROPAGATED
    missing = [{i} for i in meant if i not in ids] if meant else [meaning.permitted for meaning in meanings]
    if any(map(case.is_out_of_sight, missing)):
        return Cause.RETRIEVAL_MISS
    if wrong is None:
        return Cause.LEFT_OUT
    if case.is_of_another_slot(slot, wrong):
        return Cause.WRONG_SLOT
    if not complete:
        return _without_forms(case, slot, wrong)
    return _of_undenoted(case, slot, wrong, ids, meanings, call)


def _of_denoted(case: Case, slot: str, wrong: str, meanings: Sequence[Meaning]) -> Cause | None:
    """The cause where a mention does fit the record, else None."""
    for meaning in meanings:
        if wrong in meaning.visible - meaning.permitted:
            return Cause.NOT_PERMITTED
        if case.gold[slot] is None and wrong in meaning.permitted and len(meaning.permitted) > 1:
            tie_in_sight = case.shown is None or len(meaning.permitted & case.shown) > 1
            return Cause.TIE_BROKEN if tie_in_sight else Cause.RETRIEVAL_MISS
    return None


def _of_undenoted(
    case: Case, slot: str, wrong: str, ids: Collection[str], meanings: Sequence[Meaning], call: ToolCall
) -> Cause:
    """The cause where every mention has a form, and what is permitted of none of them holds the record."""
    if any(wrong in meaning.permitted for meaning in meanings):
        return Cause.UNATTRIBUTED  # the forms contradict the gold
    recorded = (as_recorded(meaning.form) for meaning in meanings)
    if any(form is not None and wrong in case.denoted(form) for form in recorded):
        return Cause.STALE_RECORD
    taken_for = (case.denoted(form) for meaning in meanings for form in misreadings(meaning.form))
    if any(wrong in found and found <= set(ids) for found in taken_for):
        return Cause.CUE_MISREAD
    if not any(case.has_the_name(meaning.form, wrong) for meaning in meanings):
        return Cause.NAME_NOT_READ
    cited = any(_cites_a_failed_cue(meaning, slot, wrong, call) for meaning in meanings)
    return Cause.CUE_MISREAD if cited else Cause.CUE_NOT_READ


def _without_forms(case: Case, slot: str, wrong: str) -> Cause:
    """What label and rights tell of a record, where some mention has no form."""
    if case.gold[slot] is not None:
        return Cause.UNATTRIBUTED
    if case.task.label is Label.AMBIGUOUS:
        return Cause.TIE_BROKEN
    precondition = case.task.spec.precondition(slot)
    fixed = precondition is not None and precondition.changes and wrong in case.task.user.permissions.read_only
    return Cause.NOT_PERMITTED if fixed and case.task.condition is Condition.NOT_PERMITTED else Cause.UNATTRIBUTED


def _follows_a_namesake(case: Case, meaning: Meaning, entity_id: str) -> bool:
    """Whether another record of the first step's name leads to a record, and the right one does not."""
    form = through_names(meaning.form)
    return form is not None and entity_id not in meaning.visible and entity_id in case.denoted(form)


def _cites_a_failed_cue(meaning: Meaning, slot: str, entity_id: str, call: ToolCall) -> bool:
    """Whether the call's evidence for a record is a field that a cue asks about, and the record fails the cue."""
    cited = {
        evidence.field
        for evidence in call.evidence
        if evidence.slot in (None, slot) and entity_id in (evidence.entity_id, evidence.source_id)
    }
    return bool(cited) and not cited.isdisjoint(_failed_cues(meaning, entity_id))


def _failed_cues(meaning: Meaning, entity_id: str) -> Iterator[str]:
    """The fields of the cues that do not hold of a record; the superlative's, where all others hold."""
    holds = True
    for test, holders in zip(meaning.form.tests, meaning.reading.held, strict=True):
        if entity_id in holders:
            continue
        holds, cue = False, test
        while isinstance(cue, Not):
            cue = cue.test
        if not isinstance(cue, Named):
            yield cue.path
    if holds and meaning.form.pick is not None:
        yield meaning.form.pick.path
