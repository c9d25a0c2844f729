"""What a generated task says of itself, held against what can be recomputed from it.

A suite whose header names a generator holds tasks of one shape: each has its certificate, its number, the risk of its
tool, one record the user may not touch. What only the generator knew (which of two cues of one field decides, say)
cannot be recomputed; ``docs/audit.md`` lists it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ebf_env.json_types import JSON, JSONObject
from ebf_env.tasks import Condition, Label, Task
from ebf_env.tasks.proof import MentionProof
from ebf_env.world.references import Equals, Form, Named, Not, ReferredBy, Test
from ebf_generators.blocks import PLACES
from ebf_generators.conditions.condition import PLANS, Contrast, cues_of
from ebf_generators.cues import Cue

_OPAQUE: Final = re.compile(r"[2-9a-z]{12}")
"""Ids of tasks and families, which say nothing."""

_LEAST_ACTING: Final = 2
"""Tools on every menu that do more than look records up: with one, there is nothing to choose."""

_SIDES: Final = {4: 2, 9: 3}
"""Numbers of cells, and of the rows and columns they stand in."""

_MENTION_KEYS: Final = {"slot", "surface", "denotes"}


def _is_number(value: JSON) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: JSON) -> bool:
    return isinstance(value, str) and bool(value)


def _is_text_or_null(value: JSON) -> bool:
    return value is None or _is_text(value)


def _is_list(value: JSON) -> bool:
    return isinstance(value, list | tuple)


_CERTIFICATE: Final[Mapping[str, tuple[str, Callable[[JSON], bool]]]] = {
    "row": ("a number", _is_number),
    "column": ("a number", _is_number),
    "cells": ("4 or 9", lambda value: _is_number(value) and value in _SIDES),
    "delexicalised": ("text", _is_text),
    "mentions": ("a list", _is_list),
    "cue": ("text or null", _is_text_or_null),
    "place": ("mention, instruction or history", lambda value: value in ("mention", "instruction", "history")),
    "hop": ("text or null", _is_text_or_null),
    "over_specified": ("true or false", lambda value: isinstance(value, bool)),
}
"""Every key of a certificate, with what its value is."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What a suite's header says of every task.

    Attributes:
        config: the generator's configuration.
        families: whether all cells of a contrast block are tasks.
    """

    config: JSONObject
    families: bool


def misstated(task: Task, position: int, proofs: Sequence[MentionProof | None], stated: Stated) -> Iterator[str]:
    """What a generated task says of itself otherwise than it is, one sentence each.

    Args:
        task: the task.
        position: its number in the file.
        proofs: for every mention its proof.
        stated: what the header says.
    """
    yield from _field_faults(task, position, stated)
    yield from _user_faults(task)
    yield from _menu_faults(task)
    yield from _form_faults(task)
    certificate = task.certificate
    if certificate is None:
        yield "certificate: there is none"
        return
    faults = list(_shape_faults(task, certificate))
    yield from faults
    first = proofs[0] if proofs else None
    if not faults and first is not None:
        yield from _certificate_faults(task, certificate, first)
        yield from _condition_faults(task, certificate, first)


# --- fields ---


def _field_faults(task: Task, position: int, stated: Stated) -> Iterator[str]:
    yield from _header_faults(task, stated)
    if task.index != position:
        yield f"index: it is {task.index}, in the file the task is number {position}"
    if not _OPAQUE.fullmatch(task.task_id):
        yield "task_id: it is none of those a generator gives, which say nothing"
    if stated.families and not (task.family and _OPAQUE.fullmatch(task.family)):
        yield f"family: it is {task.family!r}, and the suite has all cells of each block"
    if not stated.families and task.family is not None:
        yield f"family: it is {task.family!r}, and the suite has single cells"
    if task.domain != task.spec.domain:
        yield f"domain: it is {task.domain!r}, that of {task.tool} is {task.spec.domain!r}"
    if task.risk is not None:
        yield f"risk: it is annotated as {task.risk.value!r}; a generated task has the risk of its tool"
    if has_odd_turn(task):
        yield "history: a turn is something else than a role and what it says"
    if not task.typed:
        yield "typed: records of generated tasks fit their types"


def _header_faults(task: Task, stated: Stated) -> Iterator[str]:
    for name in ("split", "visibility"):
        if getattr(task, name) != stated.config.get(name):
            yield f"{name}: it is {getattr(task, name)!r}, the header says {stated.config.get(name)!r}"
    for name, value in (("domains", task.domain), ("tools", task.tool), ("difficulties", task.difficulty)):
        allowed = stated.config.get(name)
        if isinstance(allowed, list | tuple) and value not in allowed:
            yield f"{name}: the header does not have {value!r}"
    risks = stated.config.get("risks")
    if isinstance(risks, list | tuple) and risks and task.spec.risk.value not in risks:
        yield f"risks: the header does not have {task.spec.risk.value!r}"


def has_odd_turn(task: Task) -> bool:
    """Whether a turn of the conversation is not what a generator writes."""
    return any(set(turn) != {"role", "content"} or not isinstance(turn["content"], str) for turn in task.history)


def _user_faults(task: Task) -> Iterator[str]:
    user, world = task.user, task.world
    try:
        aware = task.now is not None and datetime.fromisoformat(task.now).tzinfo is not None
    except ValueError:
        aware = False
    if not aware:
        yield f"now: {task.now!r} is no time with a UTC offset"
    if user.id is None:
        yield "user: there is none"
        return
    person = world.get(user.id)
    for name in ("name", "email", "team"):
        held = None if person is None else person.get(name)
        if user.fields.get(name) != held:
            yield f"user.{name}: it is {user.fields.get(name)!r}, the record says {held!r}"
    precondition = task.spec.precondition(task.mentions[0].slot) if task.mentions else None
    changes = precondition is not None and precondition.changes
    hidden, read_only = user.permissions.hidden, user.permissions.read_only
    if (len(hidden), len(read_only)) != ((0, 1) if changes else (1, 0)):
        wanted = "one record is to be read-only" if changes else "one record is to be hidden"
        yield f"permissions: {wanted}, {len(hidden)} are hidden and {len(read_only)} read-only"


def _menu_faults(task: Task) -> Iterator[str]:
    acting = sum(not spec.is_read for spec in task.tools)
    if acting < _LEAST_ACTING:
        yield f"tools: {acting} on the menu do more than look records up, {_LEAST_ACTING} are to"


def _form_faults(task: Task) -> Iterator[str]:
    for number, mention in enumerate(task.mentions):
        if mention.form is None:
            yield f"mentions.{number}.form: there is none"
    mentioned = {mention.slot for mention in task.mentions}
    for slot in task.bindings:
        if slot not in mentioned:
            yield f"mentions: none is of the slot {slot!r}"


# --- certificates ---


def _shape_faults(task: Task, certificate: JSONObject) -> Iterator[str]:
    for key, (expected, fits) in _CERTIFICATE.items():
        if key not in certificate:
            yield f"certificate.{key}: there is none"
        elif not fits(certificate[key]):
            yield f"certificate.{key}: it is {certificate[key]!r}, expected {expected}"
    for key in certificate:
        if key not in _CERTIFICATE:
            yield f"certificate.{key}: there is no such key"
    mentions = certificate.get("mentions")
    if isinstance(mentions, list | tuple):
        if len(mentions) != len(task.mentions):
            yield f"certificate.mentions: {len(mentions)} are there, the task has {len(task.mentions)}"
        for number, mention in enumerate(mentions):
            if not isinstance(mention, Mapping) or set(mention) != _MENTION_KEYS:
                yield f"certificate.mentions.{number}: expected {', '.join(sorted(_MENTION_KEYS))}"
    side = _SIDES.get(cells) if isinstance(cells := certificate.get("cells"), int) else None
    for key in ("row", "column"):
        place = certificate.get(key)
        if side is not None and isinstance(place, int) and not 0 <= place < side:
            yield f"certificate.{key}: it is {place}, of {side}"


def _certificate_faults(task: Task, certificate: JSONObject, first: MentionProof) -> Iterator[str]:
    hop = first.form.tests[0] if first.step is not None else None
    path = getattr(hop, "path", None)
    if certificate["hop"] != path:
        yield f"certificate.hop: it is {certificate['hop']!r}, the form has {path!r}"
    inner = first.step or first
    if certificate["over_specified"] is not bool(inner.idle):
        yield f"certificate.over_specified: it is {certificate['over_specified']}, {len(inner.idle)} tests are idle"
    only_named = _is_only_named(inner.form)
    if only_named and certificate["cue"] is not None:
        yield f"certificate.cue: it is {certificate['cue']!r}, and the form asks for a name alone"
    if certificate["place"] not in (PLACES[task.difficulty or 1] if certificate["cue"] else ("mention",)):
        yield f"certificate.place: it is {certificate['place']!r}, which no such task has"
    if not only_named and not any(_holds_of(cue, inner.form) for _, cue in _cues(task, certificate, inner.form)):
        yield f"certificate.cue: it is {certificate['cue']!r}, and the form asks for something else"


def _is_only_named(form: Form) -> bool:
    return form.pick is None and all(isinstance(test, Named) for test in form.tests)


def _cues(task: Task, certificate: JSONObject, form: Form) -> list[tuple[Condition, Cue]]:
    """The cues of a name that blocks of a task's base condition can turn on, and what a task is of they decide."""
    if task.base_condition is None or task.base_condition not in PLANS:
        return []
    return [(of, cue) for of, cue in cues_of(task.base_condition, form.type) if cue.name == certificate["cue"]]


def _holds_of(cue: Cue, form: Form) -> bool:
    """Whether what a form asks for last can be what a cue asks for, by the field it is about."""
    path = getattr(cue, "path", None) or getattr(getattr(cue, "of", None), "path", None)
    if path is None:
        return True
    if form.pick is not None:
        return bool(form.pick.path == path)
    return bool(form.tests) and path in _paths(form.tests[-1])


def _paths(test: Test) -> list[str]:
    """The field a test is about; of a notice of change, the field that changed."""
    match test:
        case Not(inner):
            return _paths(inner)
        case ReferredBy(path, Form(type="change_notice", tests=tests)):
            return [path, *(str(one.value) for one in tests if isinstance(one, Equals) and one.path == "field")]
        case Named():
            return []
        case _:
            return [test.path]


# --- conditions ---


def _condition_faults(task: Task, certificate: JSONObject, first: MentionProof) -> Iterator[str]:
    base = task.base_condition
    if base is None or base not in PLANS:
        shown = base.value if base else None
        yield f"base_condition: it is {shown!r}, and no block is about that"
        return
    plan = PLANS[base]
    inner = (first.step or first).form
    labels = {_LABELS[meeting] for shape in plan.shapes for row in shape for meeting in row}
    if plan.contrast is Contrast.PERMISSION:
        labels = {Label.RESOLVABLE, Label.UNACTIONABLE}
    if task.label not in labels:
        yield f"base_condition: no task of a block about {base.value!r} is {task.label.value}"
    if (plan.contrast is Contrast.NAME) is not _is_only_named(inner):
        yield f"base_condition: it is {base.value!r}, which does not go with what the form asks for"
    if task.label is Label.RESOLVABLE:
        cues = _cues(task, certificate, inner)
        allowed = {base} if plan.nearly or plan.contrast is Contrast.NAME else {of for of, _ in cues}
        if task.condition not in allowed:
            yield f"base_condition: it is {base.value!r}, and the condition {task.condition.value!r}"
    counts = {len(shape) * len(shape[0]) for shape in plan.shapes}
    if certificate["cells"] not in counts:
        yield f"certificate.cells: a block about {base.value!r} does not have {certificate['cells']}"


_LABELS: Final = {0: Label.UNACTIONABLE, 1: Label.RESOLVABLE, 2: Label.AMBIGUOUS}
"""Labels by how many records meet what is asked for."""
