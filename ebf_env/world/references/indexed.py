"""The second solver: set algebra over what an observation shows.

It reads the text an agent reads and nothing else: no store, no typed model, no schema. It is independent of the first
solver (``naive``) on purpose: what both agree on does not hang on a mistake in either.
"""

from __future__ import annotations

import json
import re
import unicodedata
from datetime import date, datetime, timedelta, timezone
from functools import lru_cache
from itertools import chain

import orjson
from rapidfuzz.distance import OSA

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

_LEAST_LENGTHS = {1: 4, 2: 8}
"""Mistakes in a word that is still read as meant, and the characters both spellings need to have for that."""

Ids = frozenset[str]


class ObservationSolver:
    """Answers what forms denote among the records of one rendered observation.

    Whole numbers of more than 64 bits are read as floating point numbers.

    Args:
        observation: the observation's text.
    """

    def __init__(self, observation: str) -> None:
        try:
            content = orjson.loads(observation)
        except orjson.JSONDecodeError:  # halves of surrogate pairs
            content = json.loads(observation)
        self._now: str | None = content["now"]
        user = content["user"]
        self._user: str | None = user.get("id") if isinstance(user, dict) else None
        self._records: dict[str, JSONObject] = {record["id"]: record for record in content["entities"]}

    def denotation(self, form: Form) -> Ids:
        """Ids of the records in sight that a form denotes."""
        left = frozenset(entity_id for entity_id, record in self._records.items() if record["type"] == form.type)
        for test in form.tests:
            left &= self._satisfying(test, left)
        if form.pick is None:
            return left
        keyed: dict[tuple[str, float], set[str]] = {}
        for entity_id in left:
            key = self._key(entity_id, form.pick.path)
            if key is not None:
                keyed.setdefault(key, set()).add(entity_id)
        order = sorted(keyed, reverse=form.pick.order == "last")
        return frozenset(keyed[order[form.pick.rank - 1]]) if form.pick.rank <= len(order) else frozenset()

    def _values(self, entity_id: str, path: str) -> list[JSON]:
        return _leaves(self._records[entity_id], path.split("."))

    def _key(self, entity_id: str, path: str) -> tuple[str, float] | None:
        """The least of a record's values at a path that has a place in an order."""
        keys = [key for value in self._values(entity_id, path) if (key := _typed_key(value)) is not None]
        return min(keys, default=None)

    def _naming(self, path: str, ids: Ids, among: Ids) -> Ids:
        """Those that name one of the ids at a path."""
        return frozenset([i for i in among for v in self._values(i, path) if isinstance(v, str) and v in ids])

    def _satisfying(self, test: Test, among: Ids) -> Ids:
        match test:
            case Equals(path, value, loose):
                same = _same_text if loose else _same_value
                return frozenset([i for i in among for found in self._values(i, path) if same(found, value)])
            case Named(wanted, loose):
                tokens = frozenset[str]().union(*map(_tokens, wanted))
                holds = _covers if loose else frozenset.issuperset
                return frozenset([i for i in among for name in _called(self._records[i]) if holds(name, tokens)])
            case Within(path, window):
                return self._inside(path, window, among)
            case Related(path, form):
                return self._naming(path, self.denotation(form), among)
            case ReferredBy(path, form):
                named = (value for other in self.denotation(form) for value in self._values(other, path))
                return frozenset(value for value in named if isinstance(value, str))
            case NamesUser(path):
                return frozenset() if self._user is None else self._naming(path, frozenset((self._user,)), among)
            case Beside():
                return self._beside(test, among)
            case Not(inner):
                return among - self._satisfying(inner, among)

    def _inside(self, path: str, window: Window, among: Ids) -> Ids:
        if self._now is None:
            return frozenset()
        now = datetime.fromisoformat(self._now)
        first, after = _bounds(window, now)
        days = ((i, _local_day(value, now)) for i in among for value in self._values(i, path))
        return frozenset(i for i, day in days if day is not None and first <= day < after)

    def _beside(self, test: Beside, among: Ids) -> Ids:
        others = self.denotation(test.form)
        limits = [self._key(other, test.other_path) for other in others]
        if len(limits) != 1 or limits[0] is None:
            return frozenset()
        kind, limit = limits[0]
        sign = 1 if test.side == "after" else -1
        keys = ((i, self._key(i, test.path)) for i in among)
        return frozenset(i for i, key in keys if key is not None and key[0] == kind and sign * (key[1] - limit) > 0)


def _called(record: JSONObject) -> list[frozenset[str]]:
    """The words of each name of a record: of its label, which is the first of the name keys it has, and its aliases."""
    names: list[JSON] = []
    for key in _NAME_KEYS:
        if isinstance(record.get(key), str):
            names.append(record[key])
            break
    aliases = record.get("aliases")
    if isinstance(aliases, list):
        names += aliases
    return [_distinct_tokens(name) for name in names if isinstance(name, str)]


@lru_cache(maxsize=1 << 12)
def _distinct_tokens(text: str) -> frozenset[str]:
    return frozenset(_tokens(text))


def _tokens(text: str) -> list[str]:
    return list(chain.from_iterable(map(_tokens_of, text.split())))


@lru_cache(maxsize=1 << 16)
def _tokens_of(text: str) -> tuple[str, ...]:
    letters = (c for c in unicodedata.normalize("NFKD", text) if unicodedata.combining(c) == 0)
    folded = "".join(_LETTERS.get(c, c) for c in "".join(letters).casefold())
    return tuple(token for token in re.split(r"\W+", folded) if token)


def _covers(name: frozenset[str], tokens: frozenset[str]) -> bool:
    """Whether every token that a name lacks is one of its words mistyped."""
    return all(any(_near(token, word) for word in name) for token in tokens - name)


@lru_cache(maxsize=1 << 16)
def _near(one: str, other: str) -> bool:
    """Whether two tokens are one word, mistyped."""
    most = OSA.distance(one, other, score_cutoff=2)
    if most == 0 or most > 2:
        return most == 0
    no_number = not re.fullmatch(r"\d+", one) and not re.fullmatch(r"\d+", other)
    return no_number and min(len(one), len(other)) >= _LEAST_LENGTHS[most]


def _same_value(found: JSON, value: JSON) -> bool:
    return found == value and type(found) is type(value)


def _same_text(found: JSON, value: JSON) -> bool:
    return isinstance(found, str) and (found == value or _pair_off(found, str(value)))


@lru_cache(maxsize=1 << 16)
def _pair_off(one: str, other: str) -> bool:
    """Whether the words of two texts pair off: with each word, the sets of places taken grow by one place."""
    words, wanted = _tokens(one), _tokens(other)
    if not words or len(words) != len(wanted):
        return False
    taken = {0}
    for token in wanted:
        places = [1 << place for place, word in enumerate(words) if _near(token, word)]
        taken = {before | place for before in taken for place in places if not before & place}
    return bool(taken)


def _leaves(value: JSON, steps: list[str]) -> list[JSON]:
    if steps and isinstance(value, dict):
        return _leaves(value.get(steps[0]), steps[1:])
    if isinstance(value, list):
        return [leaf for item in value for leaf in _leaves(item, steps)]
    return [] if steps or value is None else [value]


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
