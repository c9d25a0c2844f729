"""Criterion 5: an observation holds what it may hold, and nothing that gives the label or the gold away."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from ebf_env.envs.observation import OBSERVATION_KEYS
from ebf_env.json_types import JSON, ascii_json, quick_ascii_json
from ebf_env.tasks import Task
from ebf_env.world import ENTITY_TYPES
from ebf_env.world.binding import as_ids
from ebf_generators.audit.report import Finding, listed, verdict_of
from ebf_generators.audit.sight import Sight

_KEPT = 20
_LEAST_ID = 4
"""Shorter ids of tasks and families are looked for as whole values only, and shorter numbers as ids not at all."""


def leaks_of(sight: Sight) -> Iterator[str]:
    """What an observation should not hold, one sentence each."""
    task, text = sight.task, sight.text
    keys = tuple(json.loads(text))
    if keys != OBSERVATION_KEYS:
        yield f"the observation has the keys {', '.join(keys)}"
    if not sight.whole and '"entities":[]' not in text:
        yield "the observation of a world that has to be searched shows records"
    yield from _named_secrets(task, text)
    yield from _gold_ids(task, text)


def _named_secrets(task: Task, text: str) -> Iterator[str]:
    legitimate = _legitimate_keys(task)
    for key in sorted((_HIDDEN_KEYS | set(_keys_in(task.certificate))) - legitimate):
        if f"{_quoted(key)}:" in text:
            yield f"the observation has a key {key!r}"
    values = {
        "condition": task.condition.value,
        "base_condition": task.base_condition.value if task.base_condition else None,
        "label": task.label.value,
        "split": task.split,
        "family": task.family,
        "task_id": task.task_id,
    }
    for name, value in values.items():
        if value and _holds(text, value, name):
            yield f"the observation names the {name}, {value!r}"


def _holds(text: str, value: str, name: str) -> bool:
    """Whether a text holds a value: a whole string, or any part of one where it is no word of everyday language."""
    quoted = _quoted(value)
    if text.count(quoted) > text.count(f"{quoted}:"):
        return True
    telling = "_" in value if name in ("condition", "base_condition") else name in ("family", "task_id")
    return telling and len(value) >= _LEAST_ID and not value.isdigit() and _occurs(quoted[1:-1], text)


def _gold_ids(task: Task, text: str) -> Iterator[str]:
    said = {
        "the instruction": quick_ascii_json(task.instruction),
        "the history": quick_ascii_json(list(task.history)),
        "a tool": " ".join(spec.schema_text for spec in task.tools),
        "the user": quick_ascii_json({name: value for name, value in task.user.fields.items() if name != "id"}),
    }
    meant = (*task.bindings.values(), *task.intent.values())
    for entity_id in sorted({i for bound in meant for i in as_ids(bound)}):
        escaped = _quoted(entity_id)[1:-1]
        if entity_id.isdigit() and len(entity_id) < _LEAST_ID:
            continue
        for where, part in said.items():
            if _occurs(escaped, part):
                yield f"{where} names the gold id {entity_id!r}"
        if text.count(escaped) > text.count(f'"{escaped}"') and _occurs_within(escaped, text):
            yield f"the gold id {entity_id!r} stands in a longer text"


def _occurs(part: str, text: str) -> bool:
    """Whether a word occurs in a text."""
    return part in text and any(True for _ in _places(part, text))


def _occurs_within(part: str, text: str) -> bool:
    """Whether a word occurs in a JSON text other than as a whole string."""
    return any(text[begin - 1] != '"' or text[begin + len(part)] != '"' for begin in _places(part, text))


def _places(part: str, text: str) -> Iterator[int]:
    """Where a word begins in a text that has more on both sides of it."""
    return (found.start() for found in re.finditer(rf"(?<![\w-]){re.escape(part)}(?![\w-])", text))


def _quoted(text: str) -> str:
    return ascii_json(text)


def _keys_in(value: JSON) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield key
            yield from _keys_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _keys_in(item)


def _legitimate_keys(task: Task) -> frozenset[str]:
    """Keys that observations have anyway: their own, those of schemas of the tools, and those of registered types."""
    return _FIELDS.union(*(_schema_keys(spec.schema_text) for spec in task.tools))


@lru_cache(maxsize=4096)
def _schema_keys(schema: str) -> frozenset[str]:
    return frozenset(_keys_in(json.loads(schema)))


_HIDDEN_KEYS = frozenset(
    {
        "base_condition",
        "bindings",
        "certificate",
        "condition",
        "difficulty",
        "family",
        "intent",
        "label",
        "mentions",
        "permissions",
        "split",
        "task_id",
    }
)
"""Fields of a task that tell what is right, or what the task is about."""

_FIELDS = frozenset({"id", "type", "access", "role", "content", *OBSERVATION_KEYS}).union(
    *(schema.model.model_fields for schema in ENTITY_TYPES.values())
)


class LeakLedger:
    """Counts observations that hold what they should not."""

    def __init__(self) -> None:
        self._tasks = self._leaking = 0
        self._kept: list[str] = []

    def add(self, task_id: str, leaks: tuple[str, ...]) -> None:
        """Add what one observation holds."""
        self._tasks += 1
        self._leaking += bool(leaks)
        self._kept.extend(f"{task_id}: {leak}" for leak in leaks[: _KEPT - len(self._kept)])

    def finding(self) -> Finding:
        """The criterion ``observation``."""
        return Finding(
            "observation",
            "observations hold only what they may",
            f"{self._leaking:,} with leaks",
            "0 observations with leaks",
            self._tasks,
            verdict_of(not self._leaking),
            listed(self._kept),
            {"leaking": self._leaking, "leaks": list(self._kept)},
        )
