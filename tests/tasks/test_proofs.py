"""Labels of hand-written tasks, proven: what the words ask for, as logical forms, solved by brute force."""

from __future__ import annotations

import dataclasses

import pytest

from ebf_env.envs import Episode
from ebf_env.tasks import Condition, Label, Task
from ebf_env.tasks.proof import Proof, condition_holds, prove
from ebf_env.tasks.starter import starter_suite
from ebf_env.world.references import (
    Equals,
    Form,
    Named,
    NamesUser,
    Not,
    Pick,
    ReferredBy,
    Related,
    Window,
    Within,
    form_to_json,
)

SUITE = starter_suite()


def named(kind: str, *words: str) -> Form:
    return Form(kind, (Named(words),))


def owner(*words: str) -> Related:
    return Related("owner", named("person", *words))


LEILA, PRIYA, NADIA, SOREN = (named("person", name) for name in ("Leila", "Priya", "Nadia", "Søren"))
TOMAS = Related("assignee", named("person", "Tomás"))
PENTEST = Form("document", (Named(("penetration", "test", "summary")),))
LARKSPUR_SYNC = (Named(("Larkspur", "sync")), Within("start", Window("week", 1, 1)))


def looked_after(*words: str) -> Form:
    return Form("person", (ReferredBy("owner", named("customer_account", *words)),))


def kickoff_with(contact: str) -> Form:
    people = Related("account", Form("customer_account", (Related("contacts", named("person", contact)),)))
    return Form("calendar_event", (Named(("rollout", "kickoff")), people))


def deal_of(*words: str) -> Form:
    return Form("opportunity", (Named(("Fjordline",)), owner(*words)))


def renewing_in(month: int) -> Form:
    return Form("customer_account", (Named(("Larkspur",)), Within("renewal_date", Window("month", month - 3))))


FORMS: dict[str, dict[str, Form]] = {
    "starter-07": {
        "Marta's mail about the late credit note": Form(
            "email_thread", (Related("messages.sender", named("person", "Marta")),)
        ),
        "Leila": LEILA,
    },
    "starter-09": {
        "tomorrow's Fjordline sync": Form(
            "calendar_event", (Named(("Fjordline", "sync")), Within("start", Window("day", 1)))
        )
    },
    "starter-11": {
        "my one-on-one with Alex on Friday": Form(
            "calendar_event",
            (
                Named(("1:1",)),
                NamesUser("attendees"),
                Related("attendees", named("person", "Alex")),
                Within("start", Window("week", 0, 4)),
            ),
        )
    },
    "starter-14": {
        "whoever looks after Larkspur Foods UK": looked_after("Larkspur", "Foods", "UK"),
        "next Tuesday's Larkspur sync": Form("calendar_event", LARKSPUR_SYNC),
    },
    "starter-17": {"the rollout kickoff with Camille's people": kickoff_with("Camille")},
    "starter-19": {"the penetration test summary": PENTEST, "Nadia": NADIA},
    "starter-21": {
        "the Kestrel launch plan that version 3 replaced": Form(
            "document",
            (
                Named(("Kestrel", "launch", "plan")),
                ReferredBy("previous_version", Form("document", (Equals("version", "3"),))),
            ),
        )
    },
    "starter-22": {
        "the old Kestrel launch plan": Form(
            "document", (Named(("Kestrel", "launch", "plan")), Equals("status", "archived"))
        )
    },
    "starter-23": {"the retro write-up from Zofia": Form("document", (Named(("retro", "notes")), owner("Zofia")))},
    "starter-29": {"the Larkspur account that renews in September": renewing_in(9)},
    "starter-30": {"the Larkspur account that renews in April": renewing_in(4)},
    "starter-31": {"the Larkspur account that renews in June": renewing_in(6)},
    "starter-32": {"the Fjordline deal Dana is working on": deal_of("Dana")},
    "starter-33": {"the Fjordline deal Daniel is working on": deal_of("Daniel")},
    "starter-39": {
        "the oldest bug on Tomás's plate": Form("ticket", (Equals("kind", "bug"), TOMAS), Pick("created_at", "first"))
    },
    "starter-40": {
        "the newest bug on Tomás's plate": Form("ticket", (Equals("kind", "bug"), TOMAS), Pick("created_at", "last"))
    },
}
FORMS["starter-08"] = FORMS["starter-07"]
FORMS["starter-10"] = FORMS["starter-09"]
FORMS["starter-12"] = FORMS["starter-11"]
FORMS["starter-18"] = {"the rollout kickoff with Marta's people": kickoff_with("Marta")}
FORMS["starter-20"] = FORMS["starter-19"]


def with_forms(task: Task) -> Task:
    """A task whose mentions bear their logical forms."""
    forms = FORMS[task.task_id]
    said = {task.instruction[slice(*mention.span)]: mention for mention in task.mentions}
    assert set(forms) == set(said), task.task_id
    mentions = (dataclasses.replace(mention, form=form_to_json(forms[words])) for words, mention in said.items())
    return dataclasses.replace(task, mentions=tuple(mentions)).check()


def proof_of(task: Task) -> Proof:
    return prove(task, Episode(task).observation.text())


@pytest.mark.parametrize("task_id", sorted(FORMS))
def test_labels_bindings_and_conditions_of_hand_written_tasks_are_proven(task_id):
    task = with_forms(SUITE[task_id])
    proof = proof_of(task)
    assert proof.unproven == ()
    assert proof.faults == ()


def test_the_proven_tasks_cover_labels_and_conditions():
    tasks = [SUITE[task_id] for task_id in FORMS]
    assert {task.label for task in tasks} == set(Label)
    assert {task.condition for task in tasks} >= {
        Condition.UNAMBIGUOUS,
        Condition.DOCUMENT_VERSION,
        Condition.TEMPORAL,
        Condition.ACCOUNT_COLLISION,
        Condition.NEAR_DUPLICATE,
        Condition.CROSS_SYSTEM,
        Condition.TRUE_AMBIGUITY,
        Condition.NO_REFERENT,
        Condition.NOT_PERMITTED,
    }


def changed(task_id: str, **changes: object) -> tuple[str, ...]:
    return proof_of(dataclasses.replace(with_forms(SUITE[task_id]), **changes)).faults  # type: ignore[arg-type]


def test_a_wrong_gold_a_wrong_label_and_a_wrong_condition_are_faults():
    task = with_forms(SUITE["starter-09"])
    other = next(e.id for e in task.world.of_type("calendar_event") if e.id != task.bindings["event"])
    mentions = (dataclasses.replace(task.mentions[0], gold=other),)
    [fault] = changed("starter-09", bindings={"event": other}, mentions=mentions)
    assert fault.startswith("event: the mention denotes ")
    assert changed("starter-22", label=Label.UNACTIONABLE) == (
        "the label is 'unactionable', the mentions prove 'ambiguous'",
    )
    assert changed("starter-09", condition=Condition.CROSS_SYSTEM) == (
        "the condition is 'cross_system', and of no mention that holds",
    )


def test_taking_a_fact_out_of_the_world_turns_the_proof():
    task = with_forms(SUITE["starter-32"])
    dana = next(e.id for e in task.world.of_type("person") if e.label.startswith("Dana"))
    other = next(e for e in task.world.of_type("opportunity") if e.label == "Fjordline Nordic kiosks")
    moved = dataclasses.replace(other, fields={**other.fields, "owner": dana})
    assert changed("starter-32", world=task.world.derive([moved]))[0].startswith("opportunity: the mention denotes")


def test_a_mention_without_a_form_proves_nothing():
    proof = proof_of(SUITE["starter-09"])
    assert proof.unproven == ("event",)
    assert proof.faults == ()


def test_what_only_repeats_is_called_idle():
    plain = Form("document", (Named(("Kestrel", "launch", "plan")), Equals("version", "2")))
    told_twice = Form("document", (*plain.tests, Not(Equals("version", "3"))))
    task = SUITE["starter-21"]
    for form, idle in ((plain, ()), (told_twice, (2,))):
        mention = dataclasses.replace(task.mentions[0], form=form_to_json(form))
        [found] = proof_of(dataclasses.replace(task, mentions=(mention,))).mentions
        assert found.idle == idle


def test_every_condition_is_told_from_every_other_on_the_task_that_shows_it():
    shown = {
        Condition.UNAMBIGUOUS: "starter-20",
        Condition.TEMPORAL: "starter-09",
        Condition.DOCUMENT_VERSION: "starter-21",
        Condition.TRUE_AMBIGUITY: "starter-22",
        Condition.NO_REFERENT: "starter-31",
        Condition.NOT_PERMITTED: "starter-19",
        Condition.CROSS_SYSTEM: "starter-17",
        Condition.ACCOUNT_COLLISION: "starter-29",
    }
    for condition, task_id in shown.items():
        task = with_forms(SUITE[task_id])
        proof = proof_of(task).mentions[0]
        assert condition_holds(condition, task, proof)
        if condition in (
            Condition.UNAMBIGUOUS,
            Condition.TRUE_AMBIGUITY,
            Condition.NO_REFERENT,
            Condition.NOT_PERMITTED,
        ):
            others = [c for c in Condition if c is not condition and condition_holds(c, task, proof)]
            assert others == []
