"""Fields and values of records in the words that people use when they ask or answer which one is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

from ebf_env.json_types import JSON

_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

LABEL_NAMES: Final = frozenset({"name", "title", "subject", "label"})
"""Fields that usually hold what a record is called."""

IDENTIFIERS: Final = frozenset(
    {"id", "email", "key", "number", "account_number", "vendor_number", "code", "uuid", "url", "phone", "external_id"}
)
"""Fields that identify a record without saying anything of it: people use them when nothing else is left."""

_MODIFIERS: Final = {
    "team": "from the {} team",
    "department": "from the {} department",
    "role": "who is {}",
    "title": "called {}",
    "name": "called {}",
    "subject": "called {}",
    "company": "at {}",
    "employer": "at {}",
    "manager": "who reports to {}",
    "location": "in {}",
    "region": "in {}",
    "country": "in {}",
    "city": "in {}",
    "timezone": "in the time zone {}",
    "industry": "in {}",
    "tier": "on the {} tier",
    "owner": "owned by {}",
    "organizer": "organized by {}",
    "assignee": "assigned to {}",
    "reporter": "reported by {}",
    "updated_by": "last changed by {}",
    "approver": "approved by {}",
    "lead": "led by {}",
    "attendees": "with {}",
    "participants": "with {}",
    "members": "with {}",
    "contacts": "with {} as a contact",
    "folder": "in the folder {}",
    "project": "of the project {}",
    "account": "for {}",
    "vendor": "from {}",
    "parent": "under {}",
    "version": "in version {}",
    "status": "that is {}",
    "stage": "at the stage {}",
    "priority": "with priority {}",
    "sprint": "in {}",
    "component": "about {}",
    "kind": "that is a {}",
    "start": "on {}",
    "end": "that ends on {}",
    "due_date": "due on {}",
    "close_date": "closing on {}",
    "renewal_date": "renewing on {}",
    "start_date": "who started on {}",
    "end_date": "that ends on {}",
    "scheduled_for": "scheduled for {}",
    "created_at": "from {}",
    "started_at": "begun on {}",
    "issued_at": "issued on {}",
    "updated_at": "last changed on {}",
    "sensitivity": "that is {}",
    "tags": "tagged {}",
    "labels": "labelled {}",
}


def field_words(path: str) -> str:
    """What a field is called; of a linked record's label, the field that links it."""
    parts = path.split(".")
    if len(parts) > 1 and parts[-1] in LABEL_NAMES:
        parts = parts[:-1]
    return " ".join(part.replace("_", " ").removesuffix(" at") for part in parts)


def value_text(value: JSON, now: str | None = None) -> str:
    """A value as people write it: days and times with weekday and month, the year only where it is another one.

    Args:
        value: text, number, truth value, nothing, or a list of these.
        now: the time it is said at.
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, int | float):
        return f"{value:,.10g}"
    if isinstance(value, str):
        return _moment_text(value, now) if _DAY.match(value) else value.replace("_", " ") if _is_code(value) else value
    if isinstance(value, Sequence):
        return listed([value_text(item, now) for item in value], "and")
    return str(value)


def _is_code(value: str) -> bool:
    return "_" in value and value.islower() and value.replace("_", "").isalpha()


def _moment_text(value: str, now: str | None) -> str:
    try:
        moment: date = datetime.fromisoformat(value) if len(value) > 10 else date.fromisoformat(value)
    except ValueError:
        return value
    return moment_text(moment, None if now is None else int(now[:4]) if now[:4].isdigit() else None)


def moment_text(moment: date, year: int | None = None) -> str:
    """A day or an instant as people write it ("Tue 3 March, 14:00"), with its year unless it is the one given."""
    text = f"{_WEEKDAYS[moment.weekday()]} {moment.day} {_MONTHS[moment.month - 1]}"
    if moment.year != year:
        text += f" {moment.year}"
    return f"{text}, {moment:%H:%M}" if isinstance(moment, datetime) else text


def modifier(path: str, value: JSON, now: str | None = None) -> str:
    """What a value adds to a noun: "in EMEA", "from the Launch team", "owned by Dana Ruiz"."""
    said = value_text(value, now)
    parts = path.split(".")
    key = parts[0] if len(parts) > 1 and parts[-1] in LABEL_NAMES else parts[-1]
    if value is None:
        return f"without {field_words(path)}"
    if isinstance(value, bool):
        return f"that is {'' if value else 'not '}{field_words(path)}"
    if key == "team" and said.casefold().split()[-1:] == ["team"]:
        return f"from the {said}"
    pattern = _MODIFIERS.get(key)
    return f"with the {field_words(path)} {said}" if pattern is None else pattern.format(said)


def listed(items: Sequence[str], word: str = "or") -> str:
    """Items as a list of words: "a", "a or b", "a, b or c"."""
    return f"{', '.join(items[:-1])} {word} {items[-1]}" if len(items) > 1 else "".join(items)


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, ..."""
    suffix = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"
