"""What the user wants done, inferred from the words alone.

The words of the instruction are held against the lexicon: what deeds are called, what kinds of record are called, and
what says both at once. Nothing of the tools offered enters, so offering more of them cannot change the goal, and the
task's right tool is never known here.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from math import log1p
from typing import Final, NamedTuple

from ebf_baselines.causal.goal import GOALS, Deed, Goal, goal_of
from ebf_baselines.causal.lexicon import ASIDES, BEFORE_LABELS, BEFORE_QUESTIONS, BEFORE_VERBS, DEEDS, NOUNS, RELATIVE
from ebf_baselines.causal.lexicon import GOALS as GOAL_PHRASES
from ebf_baselines.causal.words import Match, PhraseBook, Sentence, sentences, stems
from ebf_env.world.entity import ANY_TYPE

DEED_WEIGHTS: Final = (0.1, 0.25, 0.6, 0.8)
GOAL_WEIGHTS: Final = (0.15, 0.3, 0.5, 0.75)
NOUN_WEIGHTS: Final = (0.2, 0.35, 0.8, 0.85)
ASIDE: Final = 0.3
"""What counts in a sentence that only says which record is meant."""
UNLICENSED: Final = 0.45
"""What counts of a single word that could be a verb where verbs do not stand."""
UNLICENSED_PHRASE: Final = 0.75
"""What counts of a longer phrase there."""
CLAUSE: Final = 5
"""Words of a relative clause that are taken for a description."""
LABEL: Final = 0.15
"""What counts of one where values of records stand."""
HISTORY: Final = 0.35
"""What counts of what the user said before."""
REACH: Final = 8.0
"""Words after which a noun has half its weight for the deed before it."""
BEFORE: Final = 0.7
"""What counts of a noun before the deed."""
TYPE: Final = 0.5
"""What a type that is mentioned is worth for a goal of which nothing else is said."""
MARGIN: Final = 0.6
"""Goals this near to the best are not told apart."""
PUBLISHING: Final = (Deed.SENT, Deed.REPLIED, Deed.COMMENTED)
"""Deeds that a draft is short of."""
LEAST: Final = 1e-3
"""Evidence that is none."""
CERTAIN: Final = 0.999
"""The most that words can make certain."""
UNTYPED: Final = 0.25
"""What a deed is worth for a type that is not mentioned."""


class RankedGoal(NamedTuple):
    """A goal and how much speaks for it: 0 is nothing, the sum of independent evidence has no upper bound."""

    goal: Goal
    score: float


_phrases: Final = (
    PhraseBook[Deed | Goal | None]()
    .add(DEEDS.items(), DEED_WEIGHTS)
    .add(((goal_of(*key), said) for key, said in GOAL_PHRASES.items()), GOAL_WEIGHTS)
    .add([(None, ASIDES)], (1.0, 1.0, 1.0, 1.0))
)
"""What phrases mean: a deed, a goal, or (None) that the sentence is an aside."""
_nouns: Final = PhraseBook[str](str).add(NOUNS.items(), NOUN_WEIGHTS)
_before_verbs: Final = frozenset(stems(BEFORE_VERBS))
_before_questions: Final = frozenset(stems(BEFORE_QUESTIONS))
_before_labels: Final = frozenset(stems(BEFORE_LABELS))
_goals_on: Final = {
    kind: tuple(goal for goal in GOALS if goal.type == kind and goal.deed is not Deed.FOUND) for kind in NOUNS
}
"""What may be wanted of a record that is merely mentioned; a search has to be asked for."""
_goals_of: Final = {deed: tuple({goal_of(deed, kind) for kind in NOUNS}) for deed in Deed}


@lru_cache(maxsize=4096)
def ranked_goals(instruction: str, history: tuple[str, ...] = ()) -> tuple[RankedGoal, ...]:
    """The goals that anything speaks for, best first; ties by name.

    Args:
        instruction: what the user asks for.
        history: what the user said before, oldest first; it counts less.
    """
    evidence = _Evidence()
    for words in sentences(instruction):
        evidence.add(words, 1.0)
    for text in history:
        for words in sentences(text):
            evidence.add(words, HISTORY)
    # Rounded, so that nothing hangs on the order in which sums were made.
    ranked = [RankedGoal(goal, round(score, 6)) for goal, score in evidence.scores().items() if score > LEAST]
    return tuple(sorted(ranked, key=lambda candidate: (-candidate.score, candidate.goal)))


def near_best(ranked: tuple[RankedGoal, ...], reachable: Collection[Goal]) -> tuple[RankedGoal, ...]:
    """The best of the goals that can be reached, and those within ``MARGIN`` of it."""
    within = [candidate for candidate in ranked if candidate.goal in reachable]
    return tuple(candidate for candidate in within if candidate.score >= within[0].score - MARGIN)


@lru_cache(maxsize=4096)
def mentioned_types(text: str) -> frozenset[str]:
    """The types of record a text plainly speaks of."""
    strong = NOUN_WEIGHTS[2]
    return frozenset(m.meaning for words in sentences(text) for m in _nouns.matches(words.words) if m.weight >= strong)


class _Evidence:
    """What speaks for deeds, types and goals; independent pieces add up as chances do (noisy or)."""

    def __init__(self) -> None:
        self._deeds: dict[Deed, float] = {}
        self._aims: dict[Deed, dict[str, float]] = {}
        self._types: dict[str, float] = {}
        self._goals: dict[Goal, float] = {}

    def add(self, sentence: Sentence, scale: float) -> None:
        """Take the words of a sentence into account."""
        words = sentence.stems
        phrases = _phrases.matches(words)
        if any(said.meaning is None and (said.begin <= 1 or words[said.begin] == "in") for said in phrases):
            scale *= ASIDE
        described = _described(words)
        nouns = _nouns.matches(sentence.words)
        for noun in nouns:
            self._types[noun.meaning] = max(self._types.get(noun.meaning, 0.0), scale * noun.weight)
        deeds: dict[Deed, float] = {}
        goals: dict[Goal, float] = {}
        for said in phrases:
            meaning = said.meaning
            if meaning is None:
                continue
            weight = scale * _standing(said, words, described)
            if isinstance(meaning, Goal):
                goals[meaning] = max(goals.get(meaning, 0.0), weight)
                continue
            deeds[meaning] = max(deeds.get(meaning, 0.0), weight)
            aims = self._aims.setdefault(meaning, {})
            for noun in nouns:
                aim = scale * noun.weight * _nearness(said, noun)
                if aim > aims.get(noun.meaning, 0.0):
                    aims[noun.meaning] = aim
        for deed, weight in deeds.items():
            self._deeds[deed] = _either(self._deeds.get(deed, 0.0), weight)
        for goal, weight in goals.items():
            self._goals[goal] = _either(self._goals.get(goal, 0.0), weight)

    def scores(self) -> dict[Goal, float]:
        """How much speaks for each goal: its own words, its deed's, and those of its type near them or anywhere.

        A record that people have no everyday word for is meant only where no kind of record is spoken of.
        """
        scores: dict[Goal, float] = {}
        for kind, chance in self._types.items():
            mentioned = TYPE * _strength(chance)
            for goal in _goals_on[kind]:
                scores[goal] = mentioned
        for deed, chance in self._deeds.items():
            strength = _strength(chance)
            typed = dict.fromkeys(_goals_of[deed], UNTYPED)
            for kind, aim in self._aims.get(deed, {}).items():
                goal = goal_of(deed, kind)
                typed[goal] = max(typed[goal], UNTYPED + (1 - UNTYPED) * aim)
            for goal, share in typed.items():
                scores[goal] = scores.get(goal, 0.0) + strength * share
        for goal, chance in self._goals.items():
            scores[goal] = scores.get(goal, 0.0) + _strength(chance)
        self._draft(scores)
        if self._types:
            return {goal: score for goal, score in scores.items() if goal.type != ANY_TYPE}
        return scores

    def _draft(self, scores: dict[Goal, float]) -> None:
        """What speaks for publishing a thing speaks for drafting it, where drafting is spoken of."""
        said = min(1.0, _strength(self._deeds.get(Deed.DRAFTED, 0.0)))
        for goal in _goals_of[Deed.DRAFTED]:
            published = max(scores.get(Goal(deed, goal.type), 0.0) for deed in PUBLISHING)
            scores[goal] = scores.get(goal, 0.0) + said * published


def _strength(chance: float) -> float:
    """Independent evidence as a sum: minus the logarithm of the chance that all of it misleads."""
    return -log1p(-min(chance, CERTAIN))


def _either(one: float, other: float) -> float:
    return 1 - (1 - one) * (1 - other)


def _described(words: tuple[str, ...]) -> frozenset[int]:
    """The places in relative clauses, which say which record is meant: ``the person who is invited to``."""
    places: set[int] = set()
    for at, word in enumerate(words):
        if word in RELATIVE and at and words[at - 1] not in _before_questions:
            places.update(range(at, at + CLAUSE))
    return frozenset(places)


def _standing(match: Match[Deed | Goal | None], words: tuple[str, ...], described: frozenset[int]) -> float:
    """The weight of a phrase where it stands: less for what is rather a name or a description, none if negated."""
    if match.begin in described:
        return match.weight * LABEL
    before = words[max(0, match.begin - 3) : match.begin]
    if "not" in before and "forget" not in before:
        return 0.0
    if not before or before[-1] in _before_verbs:
        return match.weight
    if match.words > 1:
        return match.weight * UNLICENSED_PHRASE
    return match.weight * (LABEL if before[-1] in _before_labels else UNLICENSED)


def _nearness(deed: Match[Deed | Goal | None], noun: Match[str]) -> float:
    """From 1 for a noun within the words of a deed or right after it, falling with the words between."""
    if noun.begin >= deed.end:
        return REACH / (REACH + noun.begin - deed.end)
    if noun.end <= deed.begin:
        return BEFORE * REACH / (REACH + deed.begin - noun.end)
    return 1.0
