"""Wrong first bindings that propagate: the wrong record found first leads to the wrong record acted on.

A mention may mean a record only through another one ("whoever reported the checkout crash"). An agent that takes the
wrong crash mails the wrong person, though it followed the relation rightly. This tells such failures from others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ebf_env.errors import WorldError
from ebf_env.tasks import Task
from ebf_env.tasks.proof import first_step
from ebf_env.world.binding import Binding, as_ids
from ebf_env.world.references import (
    Equals,
    Form,
    Named,
    ReferredBy,
    Related,
    Situation,
    denotation,
    form_from_json,
)


def steps_of(task: Task) -> int:
    """How many records have to be found for the mention that takes most: 2 where one is meant through another."""
    return 2 if any(first_step(form) is not None for _, form in _forms(task)) else 1


def follows_a_wrong_step(task: Task, bindings: Mapping[str, Binding]) -> bool | None:
    """Whether a wrong entity is what a wrong first binding leads to.

    Returns:
        None where no mention takes two steps, or the entities of those that do are right.
    """
    result: bool | None = None
    situation = Situation(task.world, task.now, task.user.id)
    for slot, form in _forms(task):
        inner, gold = first_step(form), set(as_ids(task.bindings.get(slot)))
        wrong = set(as_ids(bindings.get(slot))) - gold
        if inner is None or not wrong or not gold:
            continue
        called = Form(inner.type, tuple(test for test in inner.tests if isinstance(test, Named)))
        rivals = denotation(called, situation) - denotation(inner, situation)
        led_to = {
            led
            for rival in rivals
            for led in denotation(_through(form, inner.type, rival), situation)
            if led not in gold
        }
        result = bool(result) or wrong <= led_to
    return result


def _forms(task: Task) -> list[tuple[str, Form]]:
    forms = []
    for mention in task.mentions:
        if mention.form is not None:
            try:
                forms.append((mention.slot, form_from_json(mention.form)))
            except WorldError:
                continue  # an unreadable form is the proof's to report
    return forms


def _through(form: Form, type_name: str, entity_id: str) -> Form:
    """The form with what has to be found first put as one record."""
    one = Form(type_name, (Equals("id", entity_id),))
    tests = tuple(replace(test, form=one) if isinstance(test, Related | ReferredBy) else test for test in form.tests)
    return Form(form.type, tests)
