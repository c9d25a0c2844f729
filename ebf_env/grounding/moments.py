"""When a record says something is: a field's value read as a day, an instant, or a time of day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from email.utils import parsedate_to_datetime
from functools import lru_cache

from ebf_env.grounding.time_lexicon import TABLE
from ebf_env.json_types import JSON

_EPOCHS = range(10**9, 4_102_444_800)  # ten digits or more, up to the year 2100
_TIME = r"(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*([ap])?\.?(?:m\.?)?"
_ZONE = r"\s*(z|utc|gmt|[+-]\d\d:?\d\d)?"
_CLOCK = rf"(?:(?:\s*,?\s+(?:at\s+)?|t){_TIME}{_ZONE})?"
_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+)?"
_SHAPES = tuple(
    (order, re.compile(_WEEKDAY + pattern + _CLOCK, re.ASCII | re.IGNORECASE))
    for order, pattern in (
        ("ymd", r"(\d{4})-(\d\d)-(\d\d)"),
        ("ymd", r"(\d{4})/(\d{1,2})/(\d{1,2})"),
        ("dmy", r"(\d{1,2})\.(\d{1,2})\.(\d{4})"),
        ("dmy", r"(\d{1,2})(?:st|nd|rd|th)?[ -](?:of )?([a-z]{3,9})\.?,?[ -](\d{4})"),
        ("mdy", r"([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})"),
    )
)
_OF_DAY = re.compile(_TIME, re.ASCII | re.IGNORECASE)
_MAIL = re.compile(r"(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d(?::\d\d)? (?:[+-]\d{4}|[a-z]{3})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Moment:
    """A day, an instant (with or without a time zone) or a time of day, as a record gives it."""

    value: date | datetime | time


def parse_moment(value: JSON) -> Moment | None:
    """The moment that a field's value is, or ``None`` if it is none.

    Reads ISO 8601 days and times, ``2026/03/03``, ``03.03.2026``, ``3 Mar 2026``, ``March 3, 2026``, each with a time
    or without, times of day (``15:30``), RFC 2822, and whole numbers that count seconds since 1970 up to the year 2100,
    from ten digits on. Dates with slashes that end in the year are not read: their order is not known.
    """
    if isinstance(value, str):
        return _parsed(value.strip()) if 4 <= len(value) <= 60 else None
    if isinstance(value, int) and not isinstance(value, bool) and value in _EPOCHS:
        return Moment(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=value))
    return None


@lru_cache(maxsize=1 << 14)
def _parsed(text: str) -> Moment | None:
    try:
        return _read(text)
    except (ValueError, OverflowError, IndexError, TypeError):
        return None


def _read(text: str) -> Moment | None:
    for order, shape in _SHAPES:
        match = shape.fullmatch(text)
        if match is None:
            continue
        parts = dict(zip(order, match.groups(), strict=False))
        month = parts["m"]
        if month.isalpha():
            word = TABLE.get(month.lower())
            if word is None or word.role != "month":
                return None
            month = str(word.number)
        day = date(int(parts["y"]), int(month), int(parts["d"]))
        clock = match.groups()[3:]
        if clock[0] is None:
            return Moment(day)
        return Moment(datetime.combine(day, _time_of_day(clock[:4]), tzinfo=_offset(clock[4])))
    if _MAIL.fullmatch(text):
        return Moment(parsedate_to_datetime(text))
    match = _OF_DAY.fullmatch(text)
    return Moment(_time_of_day(match.groups())) if match is not None else None


def _time_of_day(parts: tuple[str | None, ...]) -> time:
    hour, minute, second = (int(part or 0) for part in parts[:3])
    if parts[3] is not None:
        if not 1 <= hour <= 12:
            raise ValueError(f"no hour {hour!r} of a twelve-hour clock")
        hour = hour % 12 + (12 if parts[3].lower() == "p" else 0)
    return time(hour, minute, second)


def _offset(text: str | None) -> timezone | None:
    if text is None:
        return None
    if text[0] not in "+-":
        return UTC
    minutes = int(text[1:3]) * 60 + int(text[-2:])
    return timezone(timedelta(minutes=minutes if text[0] == "+" else -minutes))
