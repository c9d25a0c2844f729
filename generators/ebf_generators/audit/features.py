"""What a classifier that must fail gets to see of a task: sets of features, each a piece of text.

Records are described without what is unique to them: their ids are masked, long numbers reduced to their length and
times to what they are relative to now, so that the number of features stays bounded however large a suite is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache

from ebf_env.envs import ObservedEntity
from ebf_env.tasks import Task
from ebf_env.world.search import words
from ebf_generators.audit.sight import Scalar, Sight, leaves, texts_of

_MODULI = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16)
_TIME = re.compile(r"\d{4}-\d\d-\d\d")
_OPAQUE = re.compile(r"(?=.*\d)(?=.*[a-z])\w{6,}")
_LONGEST_GRAM = 4


@lru_cache(maxsize=1 << 16)
def tokens(text: str) -> tuple[str, ...]:
    """The words of a text; numbers of three digits and more as their length, long mixtures of both as one token."""
    return tuple(
        f"#{len(word)}" if word.isdigit() and len(word) > 2 else "#id" if _OPAQUE.fullmatch(word) else word
        for word in words(text)
    )


@lru_cache(maxsize=1 << 16)
def instant(text: str) -> float | None:
    """A time or date in ISO 8601 as seconds since 1970, a date as its midnight in UTC; None for other text."""
    if not _TIME.match(text):
        return None
    try:
        moment = datetime.fromisoformat(text)
        return (moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def said_words(task: Task) -> Iterator[str]:
    """The words of instruction and history, one feature each."""
    for text in (task.instruction, *texts_of(task.history)):
        for token in tokens(text):
            yield f"word:{token}"


def instruction_features(task: Task) -> Iterator[str]:
    """Words and pairs of neighbours of instruction and history, and how the instruction ends."""
    yield from said_words(task)
    for text in (task.instruction, *texts_of(task.history)):
        said = tokens(text)
        for first, second in zip(("^", *said), (*said, "$"), strict=True):
            yield f"pair:{first} {second}"
    yield f"ends:{task.instruction[-1]}"


def record_features(record: ObservedEntity, sight: Sight) -> Iterator[str]:
    """The fields of one record and the words of their values."""
    kind, now = record.type, sight.task.now
    moment = None if now is None else instant(now)
    if not record.may_change:
        yield f"{kind} is read-only"
    for path, value in leaves(record.entity.fields):
        name = f"{kind}.{path}"
        yield name
        yield from _value_features(name, value, sight, moment)


def _value_features(name: str, value: Scalar, sight: Sight, now: float | None) -> Iterator[str]:
    if isinstance(value, bool):
        yield f"{name}={value}"
    elif isinstance(value, int | float):
        small = isinstance(value, int) and abs(value) < 100
        yield f"{name}={value}" if small else f"{name}~10^{len(str(abs(int(value)))) - 1}"
    elif value in sight.types:
        yield f"{name}=@{'user' if value == sight.task.user.id else sight.types[value]}"
    elif (moment := instant(value)) is not None:
        yield f"{name}:{value[:7]}"
        yield f"{name} on day {datetime.fromtimestamp(moment, UTC).isoweekday()}"
        if now is not None:
            days = int(abs(moment - now) // 86_400)
            yield f"{name} {'after' if moment > now else 'before'} now"
            yield f"{name} {'after' if moment > now else 'before'} now by 2^{days.bit_length()} days"
    else:
        for token in tokens(value):
            yield f"{name}:{token}"


def world_features(sight: Sight) -> Iterator[str]:
    """Everything shown but what is said: records, their numbers, how often values recur, user, tools and time."""
    held = Counter(feature for record in sight.records for feature in set(record_features(record, sight)))
    most: dict[str, int] = {}
    distinct: Counter[str] = Counter()
    for feature, count in held.items():
        yield feature
        if count > 1:
            yield f"{feature} *{min(count, 4)}"
        name = re.split("[:=~ ]", feature, maxsplit=1)[0]
        if name != feature:
            most[name] = max(most.get(name, 0), count)
            distinct[name] += 1
    for name, count in most.items():
        yield f"most alike {name}={count}"
        yield f"distinct {name}={distinct[name]}"
    for kind, count in Counter(sight.types.values()).items():
        yield f"count {kind}={count}"
    task = sight.task
    for path, value in leaves(dict(task.user.fields)):
        if path != "id":
            yield from _value_features(f"user.{path}", value, sight, None)
    for spec in task.tools:
        yield f"tool {spec.name}"
    if task.now is not None and (moment := instant(task.now)) is not None:
        yield f"now on day {datetime.fromtimestamp(moment, UTC).isoweekday()}"
        yield f"now:{task.now[:7]}"
        yield f"now at {task.now[11:13]}"


def metadata_features(sight: Sight, single_cells: bool) -> Iterator[str]:
    """What a suite file says of a task beside its content: number, id, domain, difficulty, the order of tools, ...

    Args:
        sight: the task.
        single_cells: whether the suite samples single cells, whose ``base_condition`` is no more than their condition.
    """
    task = sight.task
    index = sight.position if task.index is None else task.index
    yield f"domain={task.domain}"
    yield f"difficulty={task.difficulty}"
    if not single_cells:
        yield f"base_condition={task.base_condition.value if task.base_condition else None}"
    yield f"visibility={task.visibility}"
    yield from (f"index mod {modulus}={index % modulus}" for modulus in _MODULI)
    for place, spec in enumerate(task.tools):
        yield f"tool {place}={spec.name}"
    for before, after in zip(task.tools, task.tools[1:], strict=False):
        yield f"tool {before.name} before {after.name}"
    name = f"^{task.task_id.casefold()}$"
    for length in range(1, _LONGEST_GRAM + 1):
        yield from (f"id:{name[i : i + length]}" for i in range(len(name) - length + 1))


def tool_features(task: Task) -> Iterator[str]:
    """The gold tool, its risk and the domain, alone and together."""
    risk = task.effective_risk.value
    yield f"tool={task.tool}"
    yield f"risk={risk}"
    yield f"domain={task.domain}"
    yield f"tool={task.tool} risk={risk}"
    yield f"domain={task.domain} risk={risk}"


def count_features(sight: Sight) -> Iterator[str]:
    """Lengths and numbers: of what is said, of records, tools, turns and mentions."""
    task = sight.task
    said = sum(map(len, texts_of(task.history)))
    yield f"characters={len(task.instruction)}"
    yield from (f"characters/{width}={len(task.instruction) // width}" for width in (4, 16))
    yield f"words={len(tokens(task.instruction))}"
    yield f"turns={len(task.history)}"
    yield f"characters of turns/32={said // 32}"
    yield f"tools={len(task.tools)}"
    yield f"mentions={len(task.mentions)}"
    yield f"records={len(task.world)}"
    yield f"records in sight={len(sight.records)}"
    for kind, count in _counts(sight).items():
        yield f"{kind}={count}"


def _counts(sight: Sight) -> Mapping[str, int]:
    return Counter(sight.types.values())
