"""The user who answers questions: every kind of question, every kind of user."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import gymnasium as gym
import pytest

import ebf_env  # noqa: F401  (registers the environment)
from ebf_env.decisions import Clarify, Defer, Option, ToolCall
from ebf_env.envs import Episode, EpisodeConfig
from ebf_env.errors import ConfigurationError
from ebf_env.scoring import Outcome
from ebf_env.tasks import Conversation, Label, User, UserOracle, UserProfile, reference_decision
from ebf_env.tasks.common_ground import CommonGround
from ebf_env.tasks.user_oracle import DONT_KNOW, NO_MORE, NONE_OF_THOSE, OUT_OF_PATIENCE, UNCLEAR, Reply
from ebf_env.tasks.user_profile import parse_user_profile
from ebf_env.tasks.wording import modifier, value_text
from ebf_env.world import Entity, Permissions
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator

WORDS = UserProfile(answers="words")
IN_WORDS = EpisodeConfig(interaction="interactive", user=WORDS)
EITHER = Clarify("?", "recipient", options=(Option("p1"), Option("p2")))


def answer(task, question, profile=WORDS, asked=0):
    return UserOracle(task, profile).answer(question, asked)


@pytest.fixture(scope="module")
def generated():
    generator = Generator(SuiteConfig(split="val", seed=8))
    return tuple(generator.task(number) for number in range(80))


# --- kinds of question ---


def test_options_are_answered_by_option(ambiguous):
    given = answer(ambiguous, EITHER)
    assert given.text == "The 2nd: Alex Kumar."
    assert given.to_message() == {"role": "user", "content": "The 2nd: Alex Kumar.", "chosen": ["p2"]}
    assert answer(ambiguous, Clarify("?", "recipient", options=(Option("p1"),))).text == NONE_OF_THOSE


def test_a_question_for_a_field_is_answered_by_its_value(ambiguous):
    given = answer(ambiguous, Clarify("Which team?", "recipient", ("team",)))
    assert given.to_message() == {
        "role": "user",
        "content": "The one from the Support team.",
        "said": {"team": "Support"},
    }
    assert answer(ambiguous, Clarify("?", "recipient", ("shoe_size",))).text == UNCLEAR
    both = answer(ambiguous, Clarify("?", "recipient", ("team", "name")))
    assert both.said["recipient"] == {"team": "Support", "name": "Alex Kumar"}
    assert both.text == "Alex Kumar from the Support team."


def test_a_linked_record_is_said_by_its_label_and_never_by_its_id(make_task):
    task = make_task(
        instruction="Open the plan.",
        tools=("read_document",),
        tool="read_document",
        bindings={"document": None},
        intent={"document": "d1"},
        label=Label.AMBIGUOUS,
        condition="true_ambiguity",
    )
    given = answer(task, Clarify("Whose?", "document", ("owner",)))
    assert given.said["document"] == {"owner.name": "Alex Chen"}
    assert given.text == "The one owned by Alex Chen."
    hidden = replace(task, user=User({"id": "p3"}, Permissions(hidden=frozenset({"p1"}))))
    assert answer(hidden, Clarify("Whose?", "document", ("owner",))).text == UNCLEAR, "as if there were no owner"
    opened = answer(task, Clarify("Which plan do you mean?"))
    assert opened.said["document"] == {"version": "v1"}


def test_an_open_question_is_answered_by_the_fewest_facts(ambiguous, make_task):
    given = answer(ambiguous, Clarify("Which Alex?"))
    assert given.said["recipient"] == {"name": "Alex Kumar"}
    assert given.text == "Alex Kumar."
    twins = [
        Entity("p1", "person", {"name": "Alex Chen", "email": "a@example.com", "team": "Launch", "status": "active"}),
        Entity("p2", "person", {"name": "Alex Chen", "email": "b@example.com", "team": "Support", "status": "active"}),
        Entity("p9", "person", {"name": "Alex Roe", "email": "c@example.com", "team": "Support", "status": "active"}),
    ]
    task = replace(ambiguous, world=ambiguous.world.derive(twins))
    given = answer(task, Clarify("Which Alex?"))
    assert given.said["recipient"] == {"name": "Alex Chen", "team": "Support"}
    assert given.text == "Alex Chen from the Support team."


@pytest.mark.parametrize(
    ("text", "said", "reply"),
    [
        ("Do you mean Alex Chen or Alex Kumar?", "Alex Kumar.", Reply.SAID),
        ("Is it Alex Chen?", NONE_OF_THOSE, Reply.NONE),
        ("The Alex in Launch or the one in Support?", "The one from the Support team.", Reply.SAID),
        ("Alex Chen (Launch) or Alex Kumar (Support)?", "Alex Kumar from the Support team.", Reply.SAID),
        ("Which team is Alex on?", "The one from the Support team.", Reply.SAID),
        ("Which one do you mean?", "Alex Kumar.", Reply.SAID),
        ("Whom should I send this to?", "Alex Kumar.", Reply.SAID),
        ("I found two people called Alex. Which one should get the email?", "Alex Kumar.", Reply.SAID),
        (
            "Sorry, did you want Alex Chen from the Launch team (alex.chen@example.com), or the other Alex?",
            NONE_OF_THOSE,
            Reply.NONE,
        ),
        ("Who should receive it, which recipient?", "Alex Kumar.", Reply.SAID),
        ("Is p2 right?", "The one with the id p2.", Reply.SAID),
        ("Which restaurant do you like?", UNCLEAR, Reply.NOT_UNDERSTOOD),
        ("Hello.", UNCLEAR, Reply.NOT_UNDERSTOOD),
        ("", UNCLEAR, Reply.NOT_UNDERSTOOD),
    ],
)
def test_free_text_is_read_by_the_candidates_values(ambiguous, text, said, reply):
    given = answer(ambiguous, Clarify(text))
    assert (given.text, given.reply) == (said, reply)


def test_a_question_without_a_slot_is_about_what_its_words_say(several):
    assert answer(several, Clarify("Which one?")).text == UNCLEAR, "there are three slots"
    assert answer(several, Clarify("Which recipient?")).said == {"recipient": {"name": "Dana Ruiz"}}
    assert set(answer(several, Clarify("Which thread do you mean?")).said) <= {"thread"}


def test_the_default_user_answers_options_alone(ambiguous):
    for question in (Clarify("Which Alex?"), Clarify("Alex Chen?"), Clarify("?", "recipient", ("team",))):
        assert answer(ambiguous, question, UserProfile()).text.startswith("I can't tell from that.")


# --- kinds of user ---


def test_a_user_who_does_not_know_says_so_to_every_question(ambiguous, resolvable):
    profile = UserProfile(answers="words", dont_know=1.0)
    for task in (ambiguous, resolvable):
        for question in (EITHER, Clarify("Which Alex?"), Clarify("?", "recipient", ("team",))):
            assert answer(task, question, profile).text == DONT_KNOW
    episode = Episode(ambiguous, EpisodeConfig(interaction="interactive", user=profile))
    episode.step(EITHER)
    assert episode.step(Defer("nobody knows")).reward == 1


def test_a_user_who_means_something_else_says_neither_and_deferring_is_right(ambiguous, resolvable):
    profile = UserProfile(answers="words", neither=1.0)
    assert answer(ambiguous, EITHER, profile).text == NONE_OF_THOSE
    assert answer(ambiguous, Clarify("Which Alex?"), profile).text == NO_MORE
    assert answer(resolvable, EITHER, profile).chosen, "the instruction says which one, so that one is meant"
    episode = Episode(ambiguous, EpisodeConfig(interaction="interactive", user=profile))
    episode.step(EITHER)
    assert not episode.answered
    assert episode.step(Defer("none of them")).reward == 1


def test_patience_runs_out_and_nothing_more_is_told(ambiguous):
    profile = UserProfile(patience=1)
    conversation = Conversation(UserOracle(ambiguous, profile))
    assert conversation.ask(Clarify("Which one?")).reply is Reply.NOT_UNDERSTOOD
    assert conversation.ask(EITHER).text == OUT_OF_PATIENCE
    assert not conversation.told
    assert conversation.silent == {"recipient"}
    assert UserOracle(ambiguous, profile).could_say
    assert not UserOracle(ambiguous, UserProfile(patience=0)).could_say


def test_a_paraphrase_has_other_words_and_says_the_same(ambiguous):
    questions = (EITHER, Clarify("Which Alex?"), Clarify("?", "recipient", ("team",)), Clarify("Is it Alex Chen?"))
    for question in questions:
        usual = answer(ambiguous, question)
        texts = set()
        for seed in range(30):
            other = answer(ambiguous, question, UserProfile(answers="words", paraphrase=1.0, seed=seed))
            assert (other.chosen, other.said, other.reply) == (usual.chosen, usual.said, usual.reply)
            texts.add(other.text)
        assert len(texts) >= 3
        assert usual.text not in texts


def test_draws_depend_on_seed_task_and_question_alone_and_have_the_rate(ambiguous):
    def knows(seed: int) -> bool:
        profile = UserProfile(dont_know=0.3, seed=seed)
        first, second = (answer(ambiguous, EITHER, profile) for _ in range(2))
        assert first == second
        return bool(first.chosen)

    assert 0.6 < sum(knows(seed) for seed in range(400)) / 400 < 0.8


def test_answers_to_needed_and_unneeded_questions_are_alike(ambiguous, resolvable):
    for question in (EITHER, Clarify("Which Alex?"), Clarify("?", "recipient", ("team",)), Clarify("Alex Kumar?")):
        assert answer(ambiguous, question).to_message() == answer(resolvable, question).to_message()


# --- what an answer tells ---


def test_acting_on_what_was_said_is_right_once_it_tells_which_one(ambiguous):
    episode = Episode(ambiguous, IN_WORDS)
    asked = episode.step(Clarify("Which team is Alex on?", "recipient", ("team",)))
    assert asked.observation.messages[-1]["said"] == {"team": "Support"}
    done = episode.step(ToolCall("send_email", {"recipient": "p2"}))
    assert done.verdict.outcome is Outcome.SUCCESS
    assert episode.succeeded_in_world()


def test_what_does_not_tell_them_apart_leaves_acting_a_guess(ambiguous):
    episode = Episode(ambiguous, IN_WORDS)
    episode.step(Clarify("?", "recipient", ("status",)))
    assert episode.observation.messages[-1]["said"] == {"status": "active"}
    assert episode.step(ToolCall("send_email", {"recipient": "p2"})).verdict.outcome is Outcome.WRONG_ENTITY


def test_the_reference_asks_about_everything_denoted_and_gives_up_where_nothing_can_be_told(ambiguous):
    ground = CommonGround(ambiguous)
    question = reference_decision(ambiguous, interactive=True, offering=ground.denoted)
    assert [option.entity_id for option in question.options] == ["p1", "p2"]
    assert isinstance(reference_decision(ambiguous, interactive=True, silent={"recipient"}), Defer)


def test_generated_tasks_are_told_alike_and_name_nothing_hidden(generated):
    told = 0
    for task in generated:
        user = UserOracle(task, WORDS)
        for slot in task.bindings:
            given = user.answer(Clarify("", slot))
            text = json.dumps(given.to_message())
            for hidden in task.user.permissions.hidden:
                assert hidden not in text
                assert task.world[hidden].label not in given.text
            if given.reply is Reply.SAID:
                assert all(user.ground.fits(i, given.said[slot]) for i in _ids(user.meaning(slot)))
                told += task.bindings[slot] is None and user.told_by(slot, (), given.said[slot]) is not None
    assert told >= 15


def _ids(bound):
    return (bound,) if isinstance(bound, str) else bound


# --- settings ---


def test_a_profile_is_read_from_a_command_line():
    assert parse_user_profile("words") == WORDS
    assert parse_user_profile("answers=words, dont_know=.25,patience=3") == UserProfile(
        answers="words", dont_know=0.25, patience=3
    )
    assert parse_user_profile("options") == UserProfile()
    for wrong in ("chatty", "dont_know=2", "mood=bad", "seed=1,seed=2"):
        with pytest.raises(ConfigurationError):
            parse_user_profile(wrong)


def test_the_environment_takes_a_profile():
    env = gym.make("EntityBinding-v0", interaction="interactive", user={"answers": "words"})
    assert env.unwrapped.config.user == WORDS
    with pytest.raises(ConfigurationError, match="there is no setting 'mood'"):
        gym.make("EntityBinding-v0", user={"mood": "bad"})


def test_values_are_said_as_people_say_them():
    assert value_text("2026-03-03T14:00:00+01:00", "2026-01-01") == "Tue 3 March, 14:00"
    assert value_text("2025-12-31", "2026-01-01") == "Wed 31 December 2025"
    assert value_text(277000.0) == "277,000"
    assert value_text("in_progress") == "in progress"
    assert value_text(["a", "b"]) == "a and b"
    assert modifier("owner.name", "Dana Ruiz") == "owned by Dana Ruiz"
    assert modifier("team", "Launch team") == "from the Launch team"
    assert modifier("escalated", value=False) == "that is not escalated"
    spoken = [value_text(f"2026-0{m}-01", "2026") for m in range(1, 10)]
    assert all(a != b for a, b in pairwise(spoken))
