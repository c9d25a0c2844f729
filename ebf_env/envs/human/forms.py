"""Logical forms in plain words, for people who want to know why a mention denotes what it does."""

from __future__ import annotations

from datetime import date, timedelta

from ebf_env.world.references import (
    Beside,
    Equals,
    Form,
    Named,
    NamesUser,
    Not,
    Pick,
    ReferredBy,
    Related,
    Test,
    Window,
    Within,
)

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NEAR_DAYS = {-1: "yesterday", 0: "today", 1: "tomorrow"}
_LOOSELY = " or nearly so"
_NEAR_UNITS = {-1: "last", 0: "this", 1: "next"}


def form_in_words(form: Form, now: str | None, idle: tuple[int, ...] = ()) -> str:
    """What a form asks for.

    Args:
        form: the form.
        now: the time its windows are relative to.
        idle: numbers of its tests that change nothing.
    """
    tests = [
        test_in_words(test, now) + (" (not needed)" if number in idle else "") for number, test in enumerate(form.tests)
    ]
    return "; ".join([form.type.replace("_", " "), *tests, *([_pick_in_words(form.pick)] if form.pick else [])])


def test_in_words(test: Test, now: str | None) -> str:
    """What one test asks of a record."""
    match test:
        case Equals(path, value, loose):
            return f"{_field(path)} is {value}" + (_LOOSELY if loose else "")
        case Named(words, loose):
            return f'named "{" ".join(words)}"' + (_LOOSELY if loose else "")
        case Within(path, window):
            return f"{_field(path)} is {window_in_words(window, now)}"
        case Related(path, form):
            return f"{_field(path)} is a ({form_in_words(form, now)})"
        case ReferredBy(path, form):
            return f"is {_field(path)} of a ({form_in_words(form, now)})"
        case NamesUser(path):
            return f"{_field(path)} is the user"
        case Beside(path, side, form, other_path):
            return f"{_field(path)} is {side} {_field(other_path)} of the ({form_in_words(form, now)})"
        case Not(inner):
            return f"not: {test_in_words(inner, now)}"


def window_in_words(window: Window, now: str | None) -> str:
    """A time window, with the days it covers where now is known."""
    unit, offset = window.unit, window.offset
    if unit == "day" and offset in _NEAR_DAYS:
        text = _NEAR_DAYS[offset]
    elif offset in _NEAR_UNITS:
        text = f"{_NEAR_UNITS[offset]} {unit}"
    else:
        text = f"{abs(offset)} {unit}s {'ago' if offset < 0 else 'ahead'}"
    if window.weekday is not None:
        text = f"{_WEEKDAYS[window.weekday]} {text}"
    if now is None:
        return text
    first, after = window.days(now)
    last = after - timedelta(days=1)
    return f"{text} ({_day(first)})" if first == last else f"{text} ({_day(first)} to {_day(last)})"


def _pick_in_words(pick: Pick) -> str:
    rank = "" if pick.rank == 1 else f"number {pick.rank} from the "
    return f"of these {rank or 'the '}{pick.order} by {_field(pick.path)}"


def _field(path: str) -> str:
    return path.replace(".", " ").replace("_", " ")


def _day(day: date) -> str:
    return f"{day:%a} {day.day} {day:%b %Y}"
