"""Time windows relative to now: what "tomorrow", "last week" or "in March" cover.

The conventions are public: days are calendar days in the time zone of ``now``, weeks begin on Monday, quarters in
January, April, July and October. A window is half-open: its begin belongs to it, its end does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal, TypeAlias, cast

from ebf_env.errors import WorldError
from ebf_env.json_types import JSON, JSONObject

Unit: TypeAlias = Literal["day", "week", "month", "quarter", "year"]

_UNITS: tuple[Unit, ...] = ("day", "week", "month", "quarter", "year")


@dataclass(frozen=True, slots=True)
class Window:
    """A span of whole days.

    Attributes:
        unit: how long it is.
        offset: how many units after the one that holds now; negative: before it.
        weekday: only that day of the week it covers (0 Monday to 6 Sunday); only with ``unit="week"``.
    """

    unit: Unit
    offset: int = 0
    weekday: int | None = None

    def days(self, now: str) -> tuple[date, date]:
        """First day, and first day after it, for a time ``now`` (ISO 8601).

        Raises:
            WorldError: ``now`` is no time.
        """
        try:
            today = datetime.fromisoformat(now).date()
        except ValueError as error:
            raise WorldError(f"expected an ISO 8601 time, got {now!r}", field="now") from error
        begin = _begin(today, self.unit)
        first = _shift(begin, self.unit, self.offset)
        if self.weekday is not None:
            first += timedelta(days=self.weekday)
            return first, first + timedelta(days=1)
        return first, _shift(first, self.unit, 1)

    def to_json(self) -> dict[str, JSON]:
        """The window as JSON."""
        content: dict[str, JSON] = {"unit": self.unit, "offset": self.offset}
        if self.weekday is not None:
            content["weekday"] = self.weekday
        return content

    @classmethod
    def from_json(cls, content: JSONObject) -> Window:
        """The window of a JSON object.

        Raises:
            WorldError: it is none.
        """
        unit, offset, weekday = content.get("unit"), content.get("offset", 0), content.get("weekday")
        whole = isinstance(offset, int) and (weekday is None or (isinstance(weekday, int) and 0 <= weekday <= 6))
        if unit not in _UNITS or not whole or (weekday is not None and unit != "week"):
            raise WorldError(f"{dict(content)!r} is no time window", field="window")
        return cls(unit, cast("int", offset), cast("int | None", weekday))


def _begin(day: date, unit: Unit) -> date:
    match unit:
        case "day":
            return day
        case "week":
            return day - timedelta(days=day.weekday())
        case "month":
            return day.replace(day=1)
        case "quarter":
            return date(day.year, day.month - (day.month - 1) % 3, 1)
        case "year":
            return date(day.year, 1, 1)


def _shift(first: date, unit: Unit, count: int) -> date:
    """``count`` units after ``first``, which begins a unit."""
    match unit:
        case "day":
            return first + timedelta(days=count)
        case "week":
            return first + timedelta(weeks=count)
        case "year":
            return date(first.year + count, 1, 1)
        case "month" | "quarter":
            months = first.year * 12 + first.month - 1 + count * (3 if unit == "quarter" else 1)
            return date(months // 12, months % 12 + 1, 1)
