"""The first solver: one record after the other, one test after the other, over the world itself.

It is written to be read and believed. The second solver (``indexed``) answers the same question from the rendered
observation by set algebra; the two share no code, and a property test holds them equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from functools import lru_cache
from typing import TypeAlias

from ebf_env.json_types import JSON
from ebf_env.world.entity import Entity
from ebf_env.world.references.form import (
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
    Within,
)
from ebf_env.world.search import names_of, words
from ebf_env.world.store import World


@dataclass(frozen=True, slots=True)
class Situation:
    """What a form is read in.

    Attributes:
        world: the records.
        now: the time, for windows.
        user_id: the acting user, for "my".
    """

    world: World
    now: str | None = None
    user_id: str | None = None


LARGE_WORLD = 1_000
"""Number of records above which a form is not tried on all of a type."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A form read in a situation: what each of its tests holds of, so that parts of the form are read with it.

    Attributes:
        form: the form.
        situation: what it is read in.
        candidates: ids of all records of the form's type.
        held: for each test, ids of those of which it holds.
    """

    form: Form
    situation: Situation
    candidates: frozenset[str]
    held: tuple[frozenset[str], ...]

    def denotation(self, tests: Iterable[int], pick: Pick | None) -> frozenset[str]:
        """Ids of the records denoted by a form with only some of the tests, and with that pick.

        Args:
            tests: numbers of the tests.
            pick: which of the records that pass.
        """
        passing = self.candidates.intersection(*(self.held[number] for number in tests))
        return passing if pick is None else _picked(pick, [self.situation.world[i] for i in passing])

    @property
    def denoted(self) -> frozenset[str]:
        """Ids of the records the form denotes."""
        return self.denotation(range(len(self.held)), self.form.pick)


def read(form: Form, situation: Situation) -> Reading:
    """Try every test of a form on every record of its type.

    In a large world, tests are tried on the records that some test leads to by an index (a name, a reference) and on
    those put into the world, and on all others only where no test leads anywhere. What is denoted by the form, or by a
    part of it with such a test, is the same; a part without one is read among those records alone.
    """
    entities: Sequence[Entity] = situation.world.of_type(form.type)
    if len(situation.world) > LARGE_WORLD and (led_to := _led_to(form, situation)) is not None:
        entities = [entity for entity in map(situation.world.get, sorted(led_to)) if entity is not None]
    checks = [_check(test, situation) for test in form.tests]
    held = tuple(frozenset([entity.id for entity in entities if holds(entity)]) for holds in checks)
    return Reading(form, situation, frozenset([entity.id for entity in entities]), held)


def _led_to(form: Form, situation: Situation) -> set[str] | None:
    """Ids of the records of the form's type that one of its tests leads to, or that were put into the world."""
    world, found, leads = situation.world, set[str](), False
    for test in form.tests:
        match test:
            case Named(wanted, loose):
                found.update(world.named(form.type, wanted, same_word if loose else None))
            case ReferredBy(path, inner):
                others = denotation(inner, situation)
                found.update(value for other in others for value in _at(world[other], path) if isinstance(value, str))
            case Related(path, inner):
                others = denotation(inner, situation)
                found.update(r.source for other in others for r in world.referrers(other) if r.path == path)
            case Equals("id", str(value)):
                found.add(value)
            case _:
                continue
        leads = True
    if not leads:
        return None
    put, _ = world.overlay()
    found.update(entity.id for entity in put)
    return {i for i in found if (entity := world.get(i)) is not None and entity.type == form.type}


def denotation(form: Form, situation: Situation) -> frozenset[str]:
    """Ids of the records a form denotes."""
    return read(form, situation).denoted


# --- tests ---


def _check(test: Test, situation: Situation) -> Callable[[Entity], bool]:
    """Whether a test holds, as a function of the record."""
    match test:
        case Equals(path, value, loose):
            if loose:
                return lambda entity: any(_is_like(found, str(value)) for found in _at(entity, path))
            return lambda entity: any(type(found) is type(value) and found == value for found in _at(entity, path))
        case Named(wanted, loose):
            asked = frozenset(word for text in wanted for word in _words(text))
            holds_all = _has_all_loosely if loose else frozenset.issubset
            return lambda entity: any(holds_all(asked, _word_set(name)) for name in names_of(entity))
        case Within(path, window):
            now = situation.now
            if now is None:
                return lambda _: False
            first, after = window.days(now)
            zone = datetime.fromisoformat(now).tzinfo
            return lambda entity: any(first <= day < after for day in _days(entity, path, zone))
        case Related(path, form):
            meant = denotation(form, situation)
            return lambda entity: any(isinstance(value, str) and value in meant for value in _at(entity, path))
        case ReferredBy(path, form):
            referring = denotation(form, situation)
            named = {
                value for other in referring for value in _at(situation.world[other], path) if isinstance(value, str)
            }
            return lambda entity: entity.id in named
        case NamesUser(path):
            user_id = situation.user_id
            return lambda entity: user_id is not None and user_id in _at(entity, path)
        case Beside():
            return _check_beside(test, situation)
        case Not(inner):
            holds = _check(inner, situation)
            return lambda entity: not holds(entity)


def _check_beside(test: Beside, situation: Situation) -> Callable[[Entity], bool]:
    others = denotation(test.form, situation)
    limit = _least(situation.world[next(iter(others))], test.other_path) if len(others) == 1 else None

    def holds(entity: Entity) -> bool:
        own = _least(entity, test.path)
        if own is None or limit is None or own[0] != limit[0]:
            return False
        return own > limit if test.side == "after" else own < limit

    return holds


# --- names and words ---


def _words(text: str) -> list[str]:
    """The folded words of a text, each part between blanks folded once and remembered: most come again and again."""
    return [word for part in text.split() for word in _words_of_part(part)]


_words_of_part = lru_cache(maxsize=1 << 16)(lambda part: tuple(words(part)))

_word_set = lru_cache(maxsize=1 << 12)(lambda text: frozenset(_words(text)))


def _has_all_loosely(asked: frozenset[str], held: frozenset[str]) -> bool:
    return all(word in held or any(same_word(own, word) for own in held) for word in asked)


def _is_like(found: JSON, value: str) -> bool:
    """Whether a value is a text of the words of another, each perhaps mistyped."""
    return isinstance(found, str) and (found == value or same_words(found, value))


@lru_cache(maxsize=1 << 16)
def same_words(text: str, other: str) -> bool:
    """Whether two texts have the same words, at least one, in any order, but for words that are mistyped."""
    held, wanted = _words(text), _words(other)
    if len(held) != len(wanted) or not held:
        return False
    return sorted(held) == sorted(wanted) or _can_be_paired(held, wanted)


def _can_be_paired(held: list[str], wanted: list[str]) -> bool:
    """Whether each word held can have a word wanted of its own that it agrees with (by augmenting paths)."""
    partner: dict[int, int] = {}

    def find(place: int, tried: set[int]) -> bool:
        for other, word in enumerate(wanted):
            if other not in tried and same_word(held[place], word):
                tried.add(other)
                if other not in partner or find(partner[other], tried):
                    partner[other] = place
                    return True
        return False

    return all(find(place, set()) for place in range(len(held)))


@lru_cache(maxsize=1 << 16)
def same_word(word: str, other: str) -> bool:
    """Whether a careful reader takes two folded words for the same, one of them mistyped perhaps."""
    if word == other:
        return True
    shorter = min(len(word), len(other))
    most = 2 if shorter >= 8 else 1 if shorter >= 4 else 0
    if most == 0 or abs(len(word) - len(other)) > most or word.isdecimal() or other.isdecimal():
        return False
    return _mistakes(word, other, most) <= most


def _mistakes(word: str, other: str, most: int) -> int:
    """Optimal string alignment distance; where it is greater than ``most``, something greater than ``most``.

    Row by row: ``row[j]`` is the distance of what was read of a word to ``other[:j]``; the least of a row never falls.
    """
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(word, 1):
        row = [i]
        for j, wanted in enumerate(other, 1):
            least = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == wanted:
                least = min(least, before[j - 2] + 1)
            row.append(least)
        if min(row) > most:
            return most + 1
        before, last = last, row
    return last[-1]


# --- values ---


def _at(entity: Entity, path: str) -> list[JSON]:
    """Every value at a path of fields; lists on the way are walked through."""
    if path == "id":
        return [entity.id]
    first, *rest = path.split(".")
    values = _items(entity.fields.get(first))
    for step in rest:
        values = [item for value in values if isinstance(value, Mapping) for item in _items(value.get(step))]
    return values


def _items(value: JSON) -> list[JSON]:
    """The items of a list, and of the lists in it; a value that is none stands for itself, null for nothing."""
    if value is None or isinstance(value, str):
        return [] if value is None else [value]
    return [leaf for item in value for leaf in _items(item)] if isinstance(value, _LISTS) else [value]


_LISTS = (list, tuple)


def _days(entity: Entity, path: str, zone: tzinfo | None) -> Iterator[date]:
    """The calendar days of the times and dates in a field, in a time zone."""
    for value in _at(entity, path):
        moment = _moment(value)
        if moment is not None:
            aware = moment.tzinfo is not None and zone is not None
            yield moment.astimezone(zone).date() if aware else moment.date()


def _moment(value: JSON) -> datetime | None:
    """A time or date in the extended form of ISO 8601."""
    if not isinstance(value, str) or value[4:5] != "-":
        return None
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None


Rank: TypeAlias = tuple[int, float]


def rank_of(value: JSON) -> Rank | None:
    """What a value is ordered by: numbers and versions by number, times by instant, dates by day; None for the rest.

    A version is text whose last run of digits is its number (``v3``, ``Sprint 11``, ``P1``).
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return 0, float(value)
    return _rank_of_text(value) if isinstance(value, str) else None


@lru_cache(maxsize=1 << 16)
def _rank_of_text(value: str) -> Rank | None:
    moment = _moment(value)
    if moment is not None:
        return 1, (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    digits = "".join(c if c in "0123456789" else " " for c in value).split()
    return (2, float(digits[-1])) if digits else None


def _least(entity: Entity, path: str) -> Rank | None:
    ranks = [rank for value in _at(entity, path) if (rank := rank_of(value)) is not None]
    return min(ranks) if ranks else None


def _picked(pick: Pick, passing: Iterable[Entity]) -> frozenset[str]:
    ranked = [(rank, entity.id) for entity in passing if (rank := _least(entity, pick.path)) is not None]
    values = sorted({rank for rank, _ in ranked}, reverse=pick.order == "last")
    if len(values) < pick.rank:
        return frozenset()
    return frozenset(entity_id for rank, entity_id in ranked if rank == values[pick.rank - 1])
