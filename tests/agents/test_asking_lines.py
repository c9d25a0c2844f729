"""The reference lines for asking: when they ask, what they ask, and what they make of the answer."""

from __future__ import annotations

import asyncio

import pytest

from ebf_agents import backends_named
from ebf_agents.asking import exchanges
from ebf_baselines import METHODS
from ebf_env.decisions import Clarify, ToolCall
from ebf_env.envs import Episode, EpisodeConfig
from ebf_env.errors import ConfigurationError
from ebf_env.evaluation.protocols import Need, Query
from ebf_env.evaluation.runner import Cell, run_cell
from ebf_env.evaluation.scored import decision_of, score_record
from ebf_env.scoring import Outcome
from ebf_env.tasks import UserProfile

DIRECT = METHODS["direct"]
OPTIONS = EpisodeConfig(interaction="interactive")
WORDS = EpisodeConfig(interaction="interactive", user=UserProfile(answers="words"))


def played(name, task, config=WORDS):
    [backend] = backends_named(name)
    record = asyncio.run(run_cell(Cell(task, DIRECT, backend, 0), config, 0))
    return [decision_of(turn.decision) for turn in record.turns], score_record(task, record, config)


def test_never_ask_acts_at_once(ambiguous, resolvable):
    for task in (ambiguous, resolvable):
        [call], _ = played("never_ask", task)
        assert isinstance(call, ToolCall)


def test_always_ask_offers_all_of_one_name_and_acts_on_the_answer(ambiguous, resolvable):
    for task in (ambiguous, resolvable):
        for config in (OPTIONS, WORDS):
            [question, call], scored = played("always_ask", task, config)
            assert isinstance(question, Clarify)
            assert [option.entity_id for option in question.options] == ["p1", "p2"]
            assert call.bindings == {"recipient": "p2"}
            assert scored.verdict.outcome is Outcome.SUCCESS


def test_which_one_needs_a_user_who_answers_in_words(ambiguous):
    [question, call], scored = played("which_one", ambiguous, WORDS)
    assert question.question == "Which recipient do you mean?"
    assert not question.options
    assert scored.verdict.outcome is Outcome.SUCCESS
    [_, call], scored = played("which_one", ambiguous, OPTIONS)
    assert call.bindings == played("never_ask", ambiguous)[0][0].bindings, "no answer leaves the best match by name"
    assert scored.verdict.outcome is Outcome.WRONG_ENTITY, "a guess, even where it hits"


def test_the_oracle_question_is_asked_only_where_needed_and_in_the_best_way(ambiguous, resolvable, unactionable):
    [backend] = backends_named("oracle_question")
    assert backend.needs == {Need.REFERENCE}
    [question, _], scored = played("oracle_question", ambiguous, OPTIONS)
    assert question.question == "Do you mean Alex Chen (Launch) or Alex Kumar (Support)?"
    assert scored.verdict.outcome is Outcome.SUCCESS
    assert [type(d) for d in played("oracle_question", resolvable)[0]] == [ToolCall]
    assert played("oracle_question", unactionable)[1].reward == 1
    with pytest.raises(ConfigurationError, match="was not told"):
        backend.decide(Query(Episode(ambiguous).observation, DIRECT.prompt, 0, 0))


def test_a_user_who_tells_nothing_makes_the_oracle_question_give_up(ambiguous):
    config = EpisodeConfig(interaction="interactive", user=UserProfile(dont_know=1.0))
    _, scored = played("oracle_question", ambiguous, config)
    assert (scored.verdict.outcome, scored.reward) == (Outcome.NEEDED_DEFERRAL, 1)


def test_lines_ask_in_single_steps_too(ambiguous):
    for name in ("always_ask", "which_one", "oracle_question"):
        _, scored = played(name, ambiguous, EpisodeConfig())
        assert scored.verdict.outcome is Outcome.NEEDED_CLARIFICATION


def test_several_slots_are_asked_one_after_the_other(several):
    decisions, _ = played("always_ask", several, OPTIONS)
    slots = [decision.slot for decision in decisions[:-1]]
    assert slots == list(dict.fromkeys(slots))
    assert isinstance(decisions[-1], ToolCall)


def test_exchanges_are_read_off_the_messages(ambiguous):
    episode = Episode(ambiguous, WORDS)
    episode.step(Clarify("Which team?", "recipient", ("team",)))
    episode.step(Clarify("Hello."))
    [first, second] = exchanges(episode.observation)
    assert (first.question.slot, first.said, first.chosen) == ("recipient", {"team": "Support"}, ())
    assert not second.said
