"""The second solver: set algebra over indexes of what an observation shows.

It reads the text an agent reads and nothing else: no store, no typed model, no schema. It is independent of the first
solver (``naive``) on purpose: what both agree on does not hang on a mistake in either.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta, timezone
from functools import cached_property

from ebf_env.json_types import JSON, JSONObject
from ebf_env.world.references.form import (
    Beside,
    Equals,
    Form,
    Named,
    NamesUser,
    Not,
    ReferredBy,
    Related,
    Test,
    Within,
)
from ebf_env.world.references.windows import Window

_NAME_KEYS = ("name", "title", "subject")
_LETTERS = {
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "æ": "ae",
    "œ": "oe",
    "\N{LATIN SMALL LETTER DOTLESS I}": "i",
}
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)  # noqa: UP017 -- written out: the other solver has its own way

Ids = frozenset[str]


class ObservationSolver:
    """Answers what forms denote among the records of one rendered observation.

    Args:
        observation: the observation's text.
    """

    def __init__(self, observation: str) -> None:
        content = json.loads(observation)
        self._now: str | None = content["now"]
        user = content["user"]
        self._user: JSON = user.get("id") if isinstance(user, dict) else None
        self._records: dict[str, JSONObject] = {record["id"]: record for record in content["entities"]}
        self._postings: dict[str, dict[str, set[str]]] = {}

    def denotation(self, form: Form) -> Ids:
        """Ids of the records in sight that a form denotes."""
        left = self._of_type.get(form.type, frozenset())
        for test in form.tests:
            left &= self._satisfying(test, left)
        if form.pick is None:
            return left
        keyed: dict[tuple[str, float], set[str]] = {}
        for entity_id in left:
            keys = [key for value in self._values(entity_id, form.pick.path) if (key := _typed_key(value)) is not None]
            if keys:
                keyed.setdefault(min(keys), set()).add(entity_id)
        order = sorted(keyed)
        if form.pick.order == "last":
            order.reverse()
        return frozenset(keyed[order[form.pick.rank - 1]]) if form.pick.rank <= len(order) else frozenset()

    @cached_property
    def _of_type(self) -> Mapping[str, Ids]:
        groups: dict[str, set[str]] = {}
        for entity_id, record in self._records.items():
            groups.setdefault(str(record["type"]), set()).add(entity_id)
        return {name: frozenset(ids) for name, ids in groups.items()}

    @cached_property
    def _names(self) -> Mapping[str, list[set[str]]]:
        return {
            entity_id: [set(_tokens(name)) for name in _called(record)] for entity_id, record in self._records.items()
        }

    def _posting(self, path: str) -> Mapping[str, set[str]]:
        """For every value at a path, as JSON text, the records that have it there."""
        if path not in self._postings:
            posting = self._postings[path] = {}
            for entity_id in self._records:
                for value in self._values(entity_id, path):
                    posting.setdefault(json.dumps(value), set()).add(entity_id)
        return self._postings[path]

    def _values(self, entity_id: str, path: str) -> list[JSON]:
        return _walk(self._records[entity_id], path.split("."))

    def _with_any(self, path: str, values: Iterable[JSON]) -> Ids:
        posting = self._posting(path)
        return frozenset().union(*(posting.get(json.dumps(value), ()) for value in values))

    def _satisfying(self, test: Test, among: Ids) -> Ids:
        match test:
            case Equals(path, value):
                return self._with_any(path, [value])
            case Named(wanted):
                tokens = {token for word in wanted for token in _tokens(word)}
                return frozenset(i for i in among if any(tokens <= name for name in self._names[i]))
            case Within(path, window):
                return self._inside(path, window, among)
            case Related(path, form):
                return self._with_any(path, self.denotation(form))
            case ReferredBy(path, form):
                named = (value for other in self.denotation(form) for value in self._values(other, path))
                return frozenset(value for value in named if isinstance(value, str))
            case NamesUser(path):
                return frozenset() if self._user is None else self._with_any(path, [self._user])
            case Beside():
                return self._beside(test, among)
            case Not(inner):
                return among - self._satisfying(inner, among)

    def _inside(self, path: str, window: Window, among: Ids) -> Ids:
        if self._now is None:
            return frozenset()
        now = datetime.fromisoformat(self._now)
        first, after = _bounds(window, now)
        found = set()
        for entity_id in among:
            for value in self._values(entity_id, path):
                day = _local_day(value, now)
                if day is not None and first <= day < after:
                    found.add(entity_id)
        return frozenset(found)

    def _beside(self, test: Beside, among: Ids) -> Ids:
        others = list(self.denotation(test.form))
        if len(others) != 1:
            return frozenset()
        limits = [key for value in self._values(others[0], test.other_path) if (key := _typed_key(value)) is not None]
        if not limits:
            return frozenset()
        limit = min(limits)
        found = set()
        for entity_id in among:
            keys = [key for value in self._values(entity_id, test.path) if (key := _typed_key(value)) is not None]
            if keys and min(keys)[0] == limit[0] and (min(keys) > limit if test.side == "after" else min(keys) < limit):
                found.add(entity_id)
        return frozenset(found)


def _called(record: JSONObject) -> list[str]:
    first = next((record[key] for key in _NAME_KEYS if isinstance(record.get(key), str)), None)
    aliases = record.get("aliases")
    more = aliases if isinstance(aliases, list) else []
    return [name for name in [first, *more] if isinstance(name, str)]


def _tokens(text: str) -> list[str]:
    letters = [c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) not in ("Mn", "Mc", "Me")]
    folded = "".join(_LETTERS.get(c, c) for c in "".join(letters).casefold())
    return [token for token in re.split(r"\W+", folded) if token]


def _walk(value: JSON, steps: list[str]) -> list[JSON]:
    if isinstance(value, list):
        return [leaf for item in value for leaf in _walk(item, steps)]
    if not steps:
        return [] if value is None else [value]
    return _walk(value.get(steps[0]), steps[1:]) if isinstance(value, Mapping) else []


def _moment(value: JSON) -> datetime | None:
    if not isinstance(value, str) or not re.match(r".{4}-", value, re.DOTALL):
        return None
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None


def _typed_key(value: JSON) -> tuple[str, float] | None:
    """Kind of value, and its place among those of its kind."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return "number", float(value)
    moment = _moment(value)
    if moment is not None:
        aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=_EPOCH.tzinfo)
        return "time", (aware - _EPOCH).total_seconds()
    runs = re.findall(r"[0-9]+", value) if isinstance(value, str) else []
    return ("version", float(runs[-1])) if runs else None


def _local_day(value: JSON, now: datetime) -> date | None:
    moment = _moment(value)
    if moment is None:
        return None
    offset = now.utcoffset()
    if moment.tzinfo is None or offset is None:
        return moment.date()
    return (_EPOCH + (moment - _EPOCH) + offset).date()


def _bounds(window: Window, now: datetime) -> tuple[date, date]:
    """First day of a window, and the first after it, by counting on a calendar."""
    today = now.date()
    if window.unit in ("day", "week"):
        length = 1 if window.unit == "day" else 7
        begin = today - timedelta(days=today.isoweekday() - 1 if window.unit == "week" else 0)
        begin += timedelta(days=length * window.offset)
        if window.weekday is not None:
            begin += timedelta(days=window.weekday)
            length = 1
        return begin, begin + timedelta(days=length)
    months = {"month": 1, "quarter": 3, "year": 12}[window.unit]
    block = (today.year * 12 + today.month - 1) // months + window.offset
    return _month(block * months), _month((block + 1) * months)


def _month(number: int) -> date:
    return date(number // 12, number % 12 + 1, 1)
