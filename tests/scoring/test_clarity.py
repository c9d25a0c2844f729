"""The scores of questions, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from math import log2

import pytest

from ebf_env.decisions import Clarify, Option
from ebf_env.scoring.clarity import score_questions
from ebf_env.scoring.formulation import asking_precision, asking_recall, bits_gained, discrimination, minimality
from ebf_env.tasks import Mention, User, UserProfile
from ebf_env.tasks.questions import Asks
from ebf_env.tasks.user_oracle import Reply
from ebf_env.world import Entity, Permissions

WORDS = UserProfile(answers="words")


def person(entity_id: str, name: str, team: str, location: str) -> Entity:
    fields = {"name": name, "email": f"{entity_id}@example.com", "team": team, "location": location, "status": "active"}
    return Entity(entity_id, "person", fields)


@pytest.fixture(scope="module")
def four(ambiguous):
    """Four Alexes of one name: two teams, two places, so that two fields tell them apart."""
    crowd = [
        person("p1", "Alex Chen", "Launch", "Rome"),
        person("p2", "Alex Chen", "Launch", "Oslo"),
        person("p4", "Alex Chen", "Support", "Rome"),
        person("p5", "Alex Chen", "Support", "Oslo"),
    ]
    form = {"type": "person", "tests": [{"test": "named", "words": ["alex"]}]}
    return replace(
        ambiguous, world=ambiguous.world.derive(crowd), mentions=(Mention((6, 10), "recipient", form=_form(form)),)
    ).check()


def _form(form):
    from ebf_env.world.references import Form, Named, form_to_json

    return form_to_json(Form(form["type"], (Named(("alex",)),)))


def score(task, *questions, user=WORDS):
    return score_questions(task, questions, user)


def offer(*options: tuple[str, dict]) -> Clarify:
    return Clarify("?", "recipient", options=tuple(Option(i, values) for i, values in options))


def test_the_equations():
    assert bits_gained([1, 1, 1, 1]) == 2
    assert bits_gained([2, 2]) == 1
    assert bits_gained([4]) == 0
    assert bits_gained([1, 3]) == pytest.approx(0.25 * 2 + 0.75 * log2(4 / 3))
    assert discrimination(1, 4) == 0.5
    assert discrimination(0, 1) is None
    assert (minimality(2, 1), minimality(1, 2), minimality(0, 1), minimality(1, None)) == (2, 1, None, None)
    assert (asking_precision(1, 4), asking_recall(1, 2), asking_precision(0, 0)) == (0.25, 0.5, None)


def test_a_field_of_two_values_halves_four(four):
    [of_team] = score(four, Clarify("Which team?", "recipient", ("team",)))
    assert (of_team.asks, of_team.denoted, of_team.needed) == (Asks.ATTRIBUTES, 4, True)
    assert (of_team.bits, of_team.discriminative) == (1, 0.5)
    assert (of_team.used, of_team.fewest, of_team.minimal) == (1, 2, 1)
    assert of_team.grounded
    assert not of_team.redundant
    assert of_team.reply is Reply.SAID
    [both] = score(four, Clarify("?", "recipient", ("team", "location")))
    assert (both.bits, both.discriminative, both.used, both.minimal) == (2, 1, 2, 1)
    [three] = score(four, Clarify("?", "recipient", ("team", "location", "status")))
    assert (three.discriminative, three.minimal) == (1, 1.5)


def test_options_are_told_apart_by_what_is_said_of_them(four):
    everyone = [
        (i, {"team": team, "location": place})
        for i, team, place in (
            ("p1", "Launch", "Rome"),
            ("p2", "Launch", "Oslo"),
            ("p4", "Support", "Rome"),
            ("p5", "Support", "Oslo"),
        )
    ]
    [full] = score(four, offer(*everyone))
    assert (full.bits, full.discriminative, full.minimal, full.grounded) == (2, 1, 1, True)
    [alike] = score(four, offer(*[(i, {"name": "Alex Chen"}) for i, _ in everyone]))
    assert (alike.discriminative, alike.grounded) == (0, True), "four options that sound the same tell nothing"
    [two] = score(four, offer(*everyone[:2]))
    assert two.bits == pytest.approx(0.25 * 2 + 0.25 * 2 + 0.5 * 1)


@pytest.mark.parametrize(
    ("question", "grounded"),
    [
        (offer(("p1", {"team": "launch"})), True),
        (offer(("p1", {"team": "Support"})), False),
        (offer(("p1", {"planet": "Mars"})), False),
        (offer(("nobody", {})), False),
        (offer(("d1", {})), False),
        (Clarify("Which restaurant?"), False),
        (Clarify("?", "recipient", ("planet",)), False),
        (Clarify("Which Alex?"), True),
    ],
)
def test_what_is_grounded(four, question, grounded):
    assert score(four, question)[0].grounded is grounded


def test_an_option_that_is_hidden_or_fixed_is_not_grounded(four, make_task):
    hidden = replace(four, user=User({"id": "p3"}, Permissions(hidden=frozenset({"p1"}))))
    assert not score(hidden, offer(("p1", {})))[0].grounded
    assert score(hidden, offer(("p2", {})))[0].denoted == 3
    task = make_task(
        tools=("delete_document",),
        tool="delete_document",
        bindings={"document": "d2"},
        user=User({"id": "p3"}, Permissions(read_only=frozenset({"d1"}))),
    )
    assert not score(task, Clarify("?", "document", options=(Option("d1"),)))[0].grounded


def test_asking_for_what_was_said_is_redundant(four):
    twice = Clarify("Which team?", "recipient", ("team",))
    first, second, other = score(four, twice, twice, Clarify("?", "recipient", ("location",)))
    assert (first.redundant, second.redundant, other.redundant) == (False, True, False)
    told, after = score(four, offer(("p1", {}), ("p2", {})), Clarify("?", "recipient", ("location",)))
    assert not told.redundant
    assert after.redundant, "the option was chosen already"


def test_a_field_that_the_instruction_speaks_of_is_redundant(four):
    from ebf_env.world.references import Equals, Form, Named, form_to_json

    form = form_to_json(Form("person", (Named(("alex",)), Equals("team", "Support"))))
    mention = Mention((6, 23), "recipient", form=form)
    task = replace(four, instruction="Email Alex from support.", mentions=(mention,), intent={"recipient": "p4"})
    team, place = score(task, Clarify("?", "recipient", ("team",)), Clarify("?", "recipient", ("location",)))
    assert (team.redundant, team.discriminative, team.denoted) == (True, 0, 2)
    assert (place.redundant, place.discriminative, place.minimal) == (False, 1, 1)


def test_free_text_is_scored_as_it_is_understood(four):
    [asked] = score(four, Clarify("The Alex Chen in Rome or the one in Oslo?"))
    assert (asked.asks, asked.bits, asked.grounded, asked.used) == (Asks.VALUES, 1, True, 1)
    [opened] = score(four, Clarify("Which Alex?"))
    assert (opened.asks, opened.discriminative, opened.used, opened.minimal) == (Asks.OPEN, 1, None, None)
    [silent] = score(four, Clarify("Which Alex?"), user=UserProfile())
    assert (silent.discriminative, silent.reply) == (1, Reply.NOT_UNDERSTOOD), "worth it, but this user did not answer"
