"""Logical forms of what a reader takes a mention for: a cue read wrong, a change not noticed, nothing but a name read.

Each function makes forms from a form and looks at no world. What they denote is what a reader who makes that mistake
would bind, so a wrong record tells which mistake it goes with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ebf_env.tasks.proof import first_step
from ebf_env.world import ENTITY_TYPES
from ebf_env.world.entity import ANY_TYPE
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


def misreadings(form: Form) -> Iterator[Form]:
    """The form with one cue read wrong in a definite way, each way in turn.

    - a superlative the other way round, or an ordinal off by one;
    - a negation dropped;
    - before taken for after;
    - a window one unit too early or too late, or last taken for next;
    - what is the user's own taken for what is another's;
    - a relation taken for another one between the same kinds of records (who reported a ticket, who has it);
    - any of these in a form within the form.

    No misreading equals the form, none comes twice, and all have the form's type. Names and values are never misread:
    there is no definite other value that a reader would take.
    """
    for number, test in enumerate(form.tests):
        for other in _misread(form.type, test):
            yield replace(form, tests=(*form.tests[:number], other, *form.tests[number + 1 :]))
    if form.pick is not None:
        for pick in _mispicked(form.pick):
            yield replace(form, pick=pick)


def _misread(type_name: str, test: Test) -> Iterator[Test]:
    match test:
        case Not(inner):
            yield inner
            yield from (Not(other) for other in _misread(type_name, inner) if not isinstance(other, Not))
        case NamesUser():
            yield Not(test)
        case Within(path, window):
            yield from (Within(path, other) for other in _misplaced(window))
        case Beside(side=side):
            yield replace(test, side="before" if side == "after" else "after")
            yield from (replace(test, form=other) for other in misreadings(test.form))
        case Related() | ReferredBy():
            yield from _other_relations(type_name, test)
            yield from (replace(test, form=other) for other in misreadings(test.form))
        case Equals() | Named():
            return


def _mispicked(pick: Pick) -> Iterator[Pick]:
    yield replace(pick, order="first" if pick.order == "last" else "last")
    yield replace(pick, rank=pick.rank + 1)
    if pick.rank > 1:
        yield replace(pick, rank=pick.rank - 1)


def _misplaced(window: Window) -> Iterator[Window]:
    offsets = dict.fromkeys((window.offset + 1, window.offset - 1, -window.offset))
    yield from (replace(window, offset=offset) for offset in offsets if offset != window.offset)


def _other_relations(type_name: str, test: Related | ReferredBy) -> Iterator[Related | ReferredBy]:
    """The test by every other field that names records of the same type."""
    holder, named = (type_name, test.form.type) if isinstance(test, Related) else (test.form.type, type_name)
    schema = ENTITY_TYPES.get(holder)
    for path, target in schema.references.items() if schema is not None else ():
        if path != test.path and target in (named, ANY_TYPE):
            yield replace(test, path=path)


def as_recorded(form: Form) -> Form | None:
    """The form read off the records themselves, by somebody who does not see the notices of change.

    What a notice says of a field is asked of the record's own field instead. None where no notice is asked for.
    """
    tests = tuple(_as_recorded(test) for test in form.tests)
    return None if tests == form.tests else replace(form, tests=tests)


def _as_recorded(test: Test) -> Test:
    match test:
        case ReferredBy(_, Form("change_notice", tests)):
            said = {t.path: t for t in tests if isinstance(t, Equals)}
            field, value = said.get("field"), said.get("value")
            if field is None or value is None:
                return test
            return Equals(str(field.value), value.value, value.loose)
        case Related(form=inner) | ReferredBy(form=inner) | Beside(form=inner):
            return replace(test, form=as_recorded(inner) or inner)
        case Not(inner_test):
            return Not(_as_recorded(inner_test))
        case _:
            return test


def through_names(form: Form) -> Form | None:
    """What a mention that takes two steps leads to from every record called as its first step is.

    None where the mention takes one step.
    """
    inner = first_step(form)
    if inner is None:
        return None
    return replace(form, tests=tuple(_through(test, by_name(inner)) for test in form.tests))


def by_name(form: Form) -> Form:
    """The form without its cues: what is called as the mention says, or led to by what is."""
    named = tuple(test for test in form.tests if isinstance(test, Named))
    return through_names(form) or Form(form.type, named)


def names_said(form: Form) -> Iterator[Form]:
    """Forms of the records that have something of the names a mention says.

    These are the records called so. Where the mention says no name but that of its first step, they are what any
    relation leads to from records called so, and those records themselves, if they are of the type that is meant.
    """
    yield by_name(form)
    inner = first_step(form)
    if inner is None:
        return
    [test] = form.tests
    if isinstance(test, Related | ReferredBy):
        for other in _other_relations(form.type, test):
            yield replace(form, tests=(_through(other, by_name(inner)),))
    if inner.type == form.type:
        yield by_name(inner)


def _through(test: Test, form: Form) -> Test:
    return replace(test, form=form) if isinstance(test, Related | ReferredBy) else test
