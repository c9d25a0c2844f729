"""Wordings of the calendar tools."""

from __future__ import annotations

from ebf_generators.phrasing.wordings import Wordings, register_wordings

register_wordings(
    "get_event",
    ("event",),
    train=Wordings(
        do=(
            "get me the details of {event} from the calendar",
            "get {event} from the calendar and tell me when it starts",
            "open {event} in the calendar",
            "show me the calendar entry for {event}",
            "check in the calendar when {event} starts",
            "look at {event} in the calendar and tell me who is invited",
        ),
        say=(
            "When does {event} start, according to the calendar?",
            "Who is invited to {event}, according to the calendar?",
            "I want to see the calendar entry for {event}.",
            "I need to know from the calendar when {event} starts.",
            "What does the calendar entry for {event} say?",
        ),
    ),
    val=Wordings(
        do=(
            "get hold of the diary entry for {event} and read it to me",
            "bring me the diary entry for {event}",
            "look up the room and the guest list for {event} in the diary",
            "look inside the diary entry for {event} and report which room is booked",
            "find out from the diary entry for {event} how long it runs",
        ),
        say=(
            "Which room is booked for {event}, going by the diary?",
            "How long does {event} run, going by the diary?",
            "Could I take a peek at the diary entry for {event}?",
            "Nobody has shown me the diary entry for {event} so far.",
        ),
    ),
    test=Wordings(
        do=(
            "get the time and place of {event} for me",
            "give me the time and place of {event}",
            "state the place and the participants of {event}",
            "view the booking for {event} and brief me on it",
            "inspect the booking for {event} and list its participants for me",
        ),
        say=(
            "The time and place of {event} have slipped my mind.",
            "Fill me in on the time, the place and the participants of {event}.",
            "A rundown of the booking for {event} would be handy.",
            "I was never told the place and the duration of {event}.",
        ),
    ),
)

register_wordings(
    "schedule_event",
    ("attendees",),
    train=Wordings(
        do=(
            "schedule a new meeting with {attendees}",
            "schedule a half-hour meeting with {attendees} in the calendar",
            "set up a half-hour slot with {attendees}",
            "set up a new meeting with {attendees} in the calendar",
            "put a new half-hour meeting with {attendees} on the calendar",
        ),
        say=(
            "I need a new half-hour meeting with {attendees} on the calendar.",
            "There should be a new meeting with {attendees} in the calendar.",
            "Could a half-hour slot be set up with {attendees}?",
            "I want to meet for half an hour with {attendees}, so set up a slot in the calendar.",
        ),
    ),
    val=Wordings(
        do=(
            "schedule one hour in the diary for a chat with {attendees}",
            "schedule a fresh call in the diary with {attendees}",
            "book an hour in the diary with {attendees}",
            "block out an hour in the diary for a call with {attendees}",
            "create a diary entry for a call with {attendees}",
        ),
        say=(
            "Would you mind booking an hour in the diary with {attendees}?",
            "A call with {attendees} ought to be booked in the diary.",
            "Can an hour be blocked out in the diary for a chat with {attendees}?",
            "I would like to have a chat with {attendees}, so book an hour in the diary.",
        ),
    ),
    test=Wordings(
        do=(
            "have a separate twenty-minute get-together scheduled with {attendees}",
            "arrange a twenty-minute appointment with {attendees}",
            "organize a twenty-minute get-together with {attendees}",
            "make an appointment with {attendees}",
            "fix a time for a get-together with {attendees}",
        ),
        say=(
            "A twenty-minute appointment with {attendees} is to be arranged.",
            "Let us have a twenty-minute get-together arranged with {attendees}.",
            "I would be happy to have an appointment with {attendees} organized.",
            "It makes sense to arrange a twenty-minute get-together with {attendees}.",
        ),
    ),
)

register_wordings(
    "invite_attendee",
    ("event", "attendee"),
    train=Wordings(
        do=(
            "invite {attendee} to {event}",
            "invite {attendee} to {event} in the calendar",
            "add {attendee} to the attendees of {event}",
            "add {attendee} to {event} in the calendar",
            "add {attendee} as one more attendee to {event}",
        ),
        say=(
            "I want {attendee} to be one of the attendees of {event}.",
            "The attendees of {event} should include {attendee}.",
            "Could the attendees of {event} include {attendee} as well?",
            "I need {attendee} added to {event} in the calendar.",
        ),
    ),
    val=Wordings(
        do=(
            "invite {attendee} along to {event} as a guest",
            "invite {attendee} as an extra guest to {event}",
            "put {attendee} on the guest list of {event}",
            "write {attendee} onto the guest list of {event}",
            "have {attendee} join {event} as an extra guest",
        ),
        say=(
            "Would you mind putting {attendee} on the guest list of {event}?",
            "The guest list of {event} ought to have {attendee} on it.",
            "Can the guest list of {event} be extended to {attendee}?",
            "An extra guest is fine for {event}, so put {attendee} on the guest list.",
        ),
    ),
    test=Wordings(
        do=(
            "have {attendee} invited to {event} as a participant",
            "bring {attendee} into {event} as a further participant",
            "enter {attendee} as a meeting participant for {event}",
            "register {attendee} as a further participant for {event}",
            "make {attendee} a meeting participant for {event}",
        ),
        say=(
            "The booking for {event} is to list {attendee} as a further participant.",
            "Let us bring {attendee} into {event} as a further participant.",
            "I would be happy to have {attendee} registered as a participant for {event}.",
            "It makes sense to bring {attendee} into {event} as a meeting participant.",
        ),
    ),
)

register_wordings(
    "reschedule_event",
    ("event",),
    train=Wordings(
        do=(
            "reschedule {event} to a later slot",
            "reschedule {event} so that it starts half an hour later",
            "move {event} to a later slot in the calendar",
            "move {event} in the calendar by half an hour",
            "change the start of {event} to half an hour later",
        ),
        say=(
            "{event} should start half an hour later.",
            "{event} needs a later slot in the calendar.",
            "Could {event} start half an hour later?",
            "I want {event} moved to a later slot in the calendar.",
            "I cannot make the start of {event}, so move it by half an hour.",
        ),
    ),
    val=Wordings(
        do=(
            "reschedule {event} in the diary, an hour on from its present slot",
            "reschedule {event} by an hour and tell the guests",
            "postpone {event} by an hour",
            "shift {event} by an hour in the diary",
            "have {event} begin an hour earlier in the diary",
        ),
        say=(
            "Would you mind postponing {event} by an hour?",
            "{event} ought to begin an hour earlier.",
            "Can {event} be shifted by an hour in the diary?",
            "I am running an hour behind, so postpone {event} by that much.",
        ),
    ),
    test=Wordings(
        do=(
            "have {event} rescheduled for a different time of day",
            "defer {event} by twenty minutes",
            "delay {event} by twenty minutes",
            "adjust the timing of {event} by twenty minutes",
            "transfer {event} to a different time of day",
        ),
        say=(
            "The timing of {event} does not suit me; let it take place at a different time of day.",
            "{event} is to be deferred by twenty minutes.",
            "I would be happy to have {event} delayed by twenty minutes.",
            "It makes sense to hold {event} at a different time of day, so adjust the booking.",
        ),
    ),
)

register_wordings(
    "cancel_event",
    ("event",),
    train=Wordings(
        do=(
            "cancel {event} in the calendar",
            "cancel {event} and let everybody invited know",
            "take {event} off the calendar",
            "remove {event} from the calendar and tell everybody invited",
            "drop {event} from the calendar",
        ),
        say=(
            "{event} should be taken off the calendar.",
            "Could {event} be taken off the calendar?",
            "We do not need to meet for {event}, so take it off the calendar.",
            "I want {event} dropped, and everybody invited should know.",
        ),
    ),
    val=Wordings(
        do=(
            "cancel {event} and clear the slot in the diary",
            "cancel {event} for all guests",
            "scrap {event} and tell the guests",
            "strike {event} from the diary",
            "call a halt to {event}, so that none of the guests turn up",
        ),
        say=(
            "Would you mind striking {event} from the diary?",
            "{event} ought to be called off, and the guests told.",
            "Can {event} be scrapped, so that none of the guests turn up?",
            "There is no point in holding {event}, so strike it from the diary.",
        ),
    ),
    test=Wordings(
        do=(
            "have {event} cancelled without a replacement",
            "abandon {event} and release the meeting room",
            "withdraw the booking for {event} and inform the participants",
            "ensure that {event} does not go ahead, and inform the participants",
            "revoke the booking for {event}",
        ),
        say=(
            "{event} is not to go ahead at all; do inform the participants.",
            "The booking for {event} is to be withdrawn without a replacement.",
            "I would be happy to have {event} abandoned altogether.",
            "It makes sense to abandon {event} and release the meeting room.",
        ),
    ),
)
