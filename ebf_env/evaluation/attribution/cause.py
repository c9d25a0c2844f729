"""The causes of wrong and unneeded outcomes, and which outcomes have one."""

from __future__ import annotations

from enum import StrEnum

from ebf_env.scoring import Outcome


class Cause(StrEnum):
    """Why a run came out wrong, or asked or deferred where it need not have."""

    RETRIEVAL_MISS = "retrieval_miss"
    """A record that is meant, or leads to the one meant, was not among those shown; of a tie, all but one or all."""

    CUE_NOT_READ = "cue_not_read"
    """The record has the name the mention says and fails a cue; or a question offers several records of that name."""

    CUE_MISREAD = "cue_misread"
    """The record is exactly what the mention denotes with one cue read wrong in a definite way
    (:func:`~ebf_env.scoring.misreading.misreadings`), or the agent cites as evidence the field of a cue that it
    fails."""

    NAME_NOT_READ = "name_not_read"
    """The record is neither called what the mention says nor related to what is."""

    TIE_BROKEN = "tie_broken"
    """One of several records that the mention fits alike was taken without asking."""

    NOT_PERMITTED = "not_permitted"
    """The mention fits the record, and the user may not do this with it."""

    WRONG_SLOT = "wrong_slot"
    """The record is the right one of another slot, or fills an optional slot that nobody mentioned."""

    LEFT_OUT = "left_out"
    """Nothing wrong was bound, and a mentioned record was not: an optional slot is empty, or one of several missing."""

    STALE_RECORD = "stale_record"
    """The record fits by what it says itself, against a newer notice of change."""

    PROPAGATED = "propagated"
    """The record follows from a wrong one in the step before: another of the same name was taken there."""

    ANSWERED_CLARIFICATION_IGNORED = "answered_clarification_ignored"
    """The user was asked and said which, or none of those, and what was done goes against the answer."""

    INVENTED_ID = "invented_id"
    """A slot was bound to an id that no record has, or none that the user may see."""

    MALFORMED = "malformed"
    """No readable decision, no such tool or slot, a required slot left empty, or a record of the wrong type."""

    WRONG_TOOL = "wrong_tool"
    """The right tool was in the menu, and another one was called."""

    TOOL_NOT_SHOWN = "tool_not_shown"
    """The right tool was not in the menu shown."""

    OUT_OF_STEPS = "out_of_steps"
    """An interactive episode had no decision left after one more search or look."""

    GATE_TOO_STRICT = "gate_too_strict"
    """The proposal was right, and the execution policy made a question or a deferral of it."""

    NEEDLESS_QUESTION = "needless_question"
    """Asked or deferred with everything in sight that tells which one is meant."""

    UNATTRIBUTED = "unattributed"
    """None of these can be told: a mention has no logical form, or the record holds no decision."""


ATTRIBUTED = frozenset(
    {
        Outcome.WRONG_ENTITY,
        Outcome.WRONG_TOOL,
        Outcome.WRONG_TOOL_AND_ENTITY,
        Outcome.INVALID,
        Outcome.UNNEEDED_CLARIFICATION,
        Outcome.UNNEEDED_DEFERRAL,
    }
)
"""The outcomes that have a cause: all that are wrong or unneeded. A failed service has none."""
