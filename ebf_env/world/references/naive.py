"""The first solver: one record after the other, one test after the other, over the world itself.

It is written to be read and believed. The second solver (``indexed``) answers the same question from the rendered
observation by set algebra; the two share no code, and a property test holds them equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TypeAlias

from ebf_env.json_types import JSON
from ebf_env.world.entity import ENTITY_TYPES, Entity
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
from ebf_env.world.search import words
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


def denotation(form: Form, situation: Situation) -> frozenset[str]:
    """Ids of the records a form denotes."""
    passing = [
        entity
        for entity in situation.world.of_type(form.type)
        if all(_holds(test, entity, situation) for test in form.tests)
    ]
    if form.pick is None:
        return frozenset(entity.id for entity in passing)
    return frozenset(entity.id for entity in _picked(form.pick, passing))


def _holds(test: Test, entity: Entity, situation: Situation) -> bool:
    match test:
        case Equals(path, value):
            return any(type(found) is type(value) and found == value for found in _at(entity, path))
        case Named(wanted):
            return any(set(_folded(wanted)) <= set(words(name)) for name in names_of(entity))
        case Within(path, window):
            if situation.now is None:
                return False
            first, after = window.days(situation.now)
            return any(
                first <= day < after for day in (_day(value, situation.now) for value in _at(entity, path)) if day
            )
        case Related(path, form):
            meant = denotation(form, situation)
            return any(value in meant for value in _at(entity, path))
        case ReferredBy(path, form):
            referring = denotation(form, situation)
            return any(entity.id in _at(situation.world[other], path) for other in referring)
        case NamesUser(path):
            return situation.user_id is not None and situation.user_id in _at(entity, path)
        case Beside():
            return _is_beside(entity, test, situation)
        case Not(inner):
            return not _holds(inner, entity, situation)


def _folded(wanted: tuple[str, ...]) -> list[str]:
    return [folded for word in wanted for folded in words(word)]


def names_of(entity: Entity) -> Iterator[str]:
    """What a record is called: its label, and its aliases."""
    schema = ENTITY_TYPES.get(entity.type)
    label = entity.get(schema.label_field) if schema else entity.label
    if isinstance(label, str):
        yield label
    aliases = entity.get("aliases")
    for alias in aliases if isinstance(aliases, list | tuple) else ():
        if isinstance(alias, str):
            yield alias


def _at(entity: Entity, path: str) -> list[JSON]:
    """Every value at a path of fields; lists on the way are walked through."""
    values: list[JSON] = [entity.id] if path == "id" else [entity.fields]
    for step in () if path == "id" else path.split("."):
        values = [value.get(step) for value in values if isinstance(value, Mapping)]
        values = [item for value in values for item in (value if isinstance(value, list | tuple) else [value])]
    return [value for value in values if value is not None]


def _day(value: JSON, now: str) -> date | None:
    """The calendar day of a time or date, in the time zone of now."""
    moment = _moment(value)
    if moment is None:
        return None
    zone = datetime.fromisoformat(now).tzinfo
    return moment.astimezone(zone).date() if moment.tzinfo is not None and zone is not None else moment.date()


def _moment(value: JSON) -> datetime | None:
    """A time or date in the extended form of ISO 8601."""
    if not isinstance(value, str) or value[4:5] != "-":
        return None
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None


Rank: TypeAlias = tuple[int, float | str]


def rank_of(value: JSON) -> Rank | None:
    """What a value is ordered by: numbers and versions by number, times by instant, dates by day; None for the rest.

    A version is text whose last run of digits is its number (``v3``, ``Sprint 11``, ``P1``).
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return 0, float(value)
    if not isinstance(value, str):
        return None
    moment = _moment(value)
    if moment is not None:
        return 1, (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    digits = "".join(c if c in "0123456789" else " " for c in value).split()
    return (2, float(digits[-1])) if digits else None


def _picked(pick: Pick, passing: list[Entity]) -> list[Entity]:
    ranked = [(rank, entity) for entity in passing if (rank := _least(entity, pick.path)) is not None]
    values = sorted({rank for rank, _ in ranked}, reverse=pick.order == "last")
    if len(values) < pick.rank:
        return []
    return [entity for rank, entity in ranked if rank == values[pick.rank - 1]]


def _least(entity: Entity, path: str) -> Rank | None:
    ranks = [rank for value in _at(entity, path) if (rank := rank_of(value)) is not None]
    return min(ranks) if ranks else None


def _is_beside(entity: Entity, test: Beside, situation: Situation) -> bool:
    others = denotation(test.form, situation)
    if len(others) != 1:
        return False
    own, other = _least(entity, test.path), _least(situation.world[next(iter(others))], test.other_path)
    if own is None or other is None or own[0] != other[0]:
        return False
    return own > other if test.side == "after" else own < other
