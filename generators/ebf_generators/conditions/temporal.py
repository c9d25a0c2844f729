"""Temporal: a time tells the records apart, relative to now, to another record, or by order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ebf_env.json_types import JSON
from ebf_env.tasks import Condition
from ebf_env.world.references import Equals
from ebf_generators.company import Row
from ebf_generators.conditions.condition import NONE_TO_TWO, ONE_OR_TWO, Plan, register_condition
from ebf_generators.cues import (
    DISTANT_FUTURE,
    DISTANT_PAST,
    FUTURE,
    PAST,
    BesideAnchor,
    Cue,
    Deal,
    During,
    Extreme,
    Hold,
    Value,
)
from ebf_generators.phrasing.patterns import by_all, by_split
from ebf_generators.stage import Rows, Stage


def event_on(stage: Stage, row: Row, day: int) -> None:
    """Move an event to a day; it keeps its hour and length as far as it has them."""
    begin = 30 * stage.bits.between(16, 31)
    row["start"], row["end"] = stage.company.moment(day, begin), stage.company.moment(day, begin + 60)


def created_on(stage: Stage, row: Row, day: int) -> None:
    """Say when a record was made; what came after it moves to the same day."""
    row["created_at"] = stage.company.moment(day, 360 + stage.bits.below(50))
    if "updated_at" in row:
        row["updated_at"] = stage.company.moment(day, 420 + stage.bits.below(50))


def updated_on(stage: Stage, row: Row, day: int) -> None:
    """Say when a record was changed; it was made before."""
    row["updated_at"] = stage.company.moment(day, 420 + stage.bits.below(50))
    if "created_at" in row:
        row["created_at"] = stage.company.moment(day - stage.bits.between(5, 60))


def last_message_on(stage: Stage, row: Row, day: int) -> None:
    """Move a thread so that its last message was sent on a day."""
    messages = row["messages"]
    assert isinstance(messages, list)  # noqa: S101 -- threads are made with messages
    moved: list[JSON] = []
    for back, message in enumerate(reversed(messages)):
        assert isinstance(message, dict)  # noqa: S101 -- as above
        moved.insert(0, {**message, "sent_at": stage.company.moment(day - 3 * back, 420)})
    row["messages"] = moved
    row["started_at"] = stage.company.moment(day - 3 * (len(messages) - 1), 400)
    row["updated_at"] = stage.company.moment(day, 440)


def _date(path: str) -> Callable[[Stage, Row, int], None]:
    def write(stage: Stage, row: Row, day: int) -> None:
        row[path] = stage.company.day(day)

    return write


class Sprint(Cue):
    """The sprint of a ticket, told from the current one, which is known of the user."""

    def draw(self, stage: Stage, asked: int, fillers: int) -> Deal:
        """Draw sprints close to the current one."""
        words = {0: "this sprint", -1: "the last sprint", -2: "the sprint before last", 1: "the next sprint"}
        offsets = stage.bits.shuffled([*words])[:asked]
        values = tuple(
            Value(words[o], (name := f"Sprint {stage.company.sprint + o}"), Equals("sprint", name)) for o in offsets
        )
        return Deal(values, tuple(f"Sprint {stage.company.sprint - 3 - n}" for n in range(fillers)))

    def deal(self, stage: Stage, rows: Rows, holders: Sequence[tuple[str, Hold]]) -> None:
        """Write the sprint."""
        for entity_id, hold in holders:
            rows.row(entity_id)["sprint"] = hold


UPDATED = by_split("updated {v}; changed {v} | last edited {v}; that was touched {v} | revised {v}; amended {v}")
CREATED = by_split("created {v}; set up {v} | added {v}; that was opened {v} | made {v}; that came in {v}")


def _number_of_start(stage: Stage, row: Row, number: int) -> None:
    row["start"], row["end"] = stage.company.moment(number, 600), stage.company.moment(number, 660)


register_condition(
    Plan(Condition.TEMPORAL, (ONE_OR_TWO, ONE_OR_TWO, NONE_TO_TWO)),
    During(
        name="start",
        type_name="calendar_event",
        path="start",
        spans=FUTURE,
        write=event_on,
        pre=by_all("{v}'s"),
        post=by_split(
            "taking place {v}; that starts {v} | happening {v}; that we have {v} | coming up {v}; that begins {v}"
        ),
    ),
    BesideAnchor(
        name="beside",
        type_name="calendar_event",
        path="start",
        write=event_on,
        post=by_split(
            "after {v}; that comes after {v} | following {v}; later than {v} | once {v} is over; that follows {v}"
        ),
        earlier=by_split(
            "before {v}; that comes before {v} | ahead of {v}; earlier than {v} | prior to {v}; that precedes {v}"
        ),
    ),
    Extreme(
        name="first",
        type_name="calendar_event",
        path="start",
        write=_number_of_start,
        post=by_split(
            "that comes last; latest in the calendar"
            " | at the end of the row; furthest out"
            " | with the latest date; that is last in line"
        ),
        pre=by_all("the last"),
        least_pre=by_all("the first"),
        least=by_split(
            "that comes first; earliest in the calendar"
            " | at the start of the row; nearest in time"
            " | with the earliest date; that is first in line"
        ),
    ),
    During(name="updated", type_name="document", path="updated_at", spans=PAST, write=updated_on, post=UPDATED),
    During(name="created", type_name="document", path="created_at", spans=PAST, write=created_on, post=CREATED),
    During(name="created", type_name="folder", path="created_at", spans=PAST, write=created_on, post=CREATED),
    During(
        name="active",
        type_name="email_thread",
        path="updated_at",
        spans=PAST,
        write=last_message_on,
        post=by_split(
            "last active {v}; that was last answered {v}"
            " | that went quiet {v}; most recently answered {v}"
            " | that got its newest message {v}; with its final mail {v}"
        ),
    ),
    During(name="created", type_name="ticket", path="created_at", spans=PAST, write=created_on, post=CREATED),
    Sprint(
        name="sprint",
        type_name="ticket",
        post=by_split("from {v}; in {v} | planned for {v}; of {v} | that belongs to {v}; on the list of {v}"),
        joins=False,
    ),
    During(
        name="renewal",
        type_name="customer_account",
        path="renewal_date",
        spans=DISTANT_FUTURE,
        write=_date("renewal_date"),
        post=by_split(
            "that renews {v}; up for renewal {v}"
            " | whose contract ends {v}; renewing {v}"
            " | with a renewal due {v}; whose renewal comes {v}"
        ),
    ),
    During(
        name="close date",
        type_name="opportunity",
        path="close_date",
        spans=DISTANT_FUTURE,
        write=_date("close_date"),
        post=by_split(
            "that should close {v}; due {v}"
            " | expected to close {v}; closing {v}"
            " | with a close date {v}; to be signed {v}"
        ),
    ),
    During(
        name="end",
        type_name="project",
        path="end_date",
        spans=DISTANT_FUTURE,
        write=_date("end_date"),
        post=by_split(
            "that ends {v}; due to finish {v}"
            " | running out {v}; that wraps up {v}"
            " | whose end comes {v}; that is over {v}"
        ),
    ),
    During(
        name="joined",
        type_name="person",
        path="start_date",
        spans=DISTANT_PAST,
        write=_date("start_date"),
        post=by_split(
            "who joined {v}; who started {v} | hired {v}; who came on board {v} | who began here {v}; taken on {v}"
        ),
    ),
)
