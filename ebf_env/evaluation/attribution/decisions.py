"""The cause of a run, by the kind of its last decision."""

from __future__ import annotations

from ebf_env.decisions import Clarify, Decision, Defer, Invalid, ToolCall, check_call
from ebf_env.evaluation.attribution.case import Case, recorded_decision
from ebf_env.evaluation.attribution.cause import ATTRIBUTED, Cause
from ebf_env.evaluation.attribution.records import cause_of_wrong_entity
from ebf_env.evaluation.scored import ScoredRun
from ebf_env.scoring import Outcome, judge
from ebf_env.world.binding import as_ids


def cause_of(run: ScoredRun) -> Cause | None:
    """The cause of a run's outcome; None where it is right or the service failed."""
    if run.verdict.outcome not in ATTRIBUTED:
        return None
    if not run.record.turns:
        return Cause.UNATTRIBUTED
    case, last = Case.of(run.task, run.record, run.user), run.record.turns[-1]
    decision = recorded_decision(last.decision)
    if isinstance(decision, Clarify | Defer) and last.proposal is not None:
        held_back = _of_proposal(case, recorded_decision(last.proposal))
        if held_back is not None:
            return held_back
    return _of_decision(case, run.verdict.outcome, decision)


def _of_proposal(case: Case, proposal: Decision) -> Cause | None:
    """The cause of what an execution policy held back; None where that was no call that ends the episode."""
    if isinstance(proposal, Clarify | Defer) or (isinstance(proposal, ToolCall) and case.explores(proposal)):
        return None
    checked = check_call(proposal, case.task.tools, case.lookup) if isinstance(proposal, ToolCall) else proposal
    outcome = judge(case.task, checked, case.told.meant).outcome
    return Cause.GATE_TOO_STRICT if outcome is Outcome.SUCCESS else _of_decision(case, outcome, proposal)


def _of_decision(case: Case, outcome: Outcome, decision: Decision) -> Cause:
    match outcome, decision:
        case (Outcome.INVALID, ToolCall()):
            return _of_invalid_call(case, decision)
        case (Outcome.INVALID, Invalid()):
            return Cause.MALFORMED
        case (Outcome.WRONG_TOOL | Outcome.WRONG_TOOL_AND_ENTITY, ToolCall()):
            if case.lacks_the_tool():
                return Cause.TOOL_NOT_SHOWN
            return Cause.OUT_OF_STEPS if case.explores(decision) else Cause.WRONG_TOOL
        case (Outcome.WRONG_ENTITY, ToolCall()):
            return cause_of_wrong_entity(case, decision)
        case (Outcome.UNNEEDED_CLARIFICATION, Clarify()):
            return _of_question(case, decision)
        case (Outcome.UNNEEDED_DEFERRAL, Defer()):
            return _of_deferral(case)
    return Cause.UNATTRIBUTED


def _of_invalid_call(case: Case, call: ToolCall) -> Cause:
    bound = [(slot, entity_id) for slot, ids in call.bindings.items() for entity_id in as_ids(ids)]
    if any(case.lookup(entity_id) is None for _, entity_id in bound):
        return Cause.INVENTED_ID
    swapped = call.tool == case.task.tool and any(_is_swapped(case, slot, entity_id) for slot, entity_id in bound)
    return Cause.WRONG_SLOT if swapped else Cause.MALFORMED


def _is_swapped(case: Case, slot: str, entity_id: str) -> bool:
    """Whether a slot that the right tool has is bound to what another slot means."""
    if case.task.spec.precondition(slot) is None or entity_id in as_ids(case.gold.get(slot)):
        return False
    return case.is_of_another_slot(slot, entity_id)


def _of_deferral(case: Case) -> Cause:
    if case.lacks_the_tool():
        return Cause.TOOL_NOT_SHOWN
    if case.told.chosen:
        return Cause.ANSWERED_CLARIFICATION_IGNORED
    return Cause.RETRIEVAL_MISS if _misses_a_record(case) else Cause.NEEDLESS_QUESTION


def _of_question(case: Case, question: Clarify) -> Cause:
    if case.lacks_the_tool():
        return Cause.TOOL_NOT_SHOWN
    if question.slot is not None and case.told.chosen.get(question.slot):
        return Cause.ANSWERED_CLARIFICATION_IGNORED
    if _misses_a_record(case):
        return Cause.RETRIEVAL_MISS
    return Cause.CUE_NOT_READ if _offers_namesakes(case, question) else Cause.NEEDLESS_QUESTION


def _misses_a_record(case: Case) -> bool:
    """Whether a record that had to be bound, or found first, was not shown."""
    if any(case.is_out_of_sight((entity_id,)) for bound in case.gold.values() for entity_id in as_ids(bound)):
        return True
    return case.shown is not None and any(case.first_step_is_out_of_sight(case.meanings(s)[0]) for s in case.gold)


def _offers_namesakes(case: Case, question: Clarify) -> bool:
    """Whether a question offers two or more records, all of which have the name that a mention says."""
    options = {option.entity_id for option in question.options}
    slots = [question.slot] if question.slot in case.gold else list(case.gold)
    return len(options) > 1 and any(
        all(case.has_the_name(meaning.form, entity_id) for entity_id in options)
        for slot in slots
        if slot is not None
        for meaning in case.meanings(slot)[0]
    )
