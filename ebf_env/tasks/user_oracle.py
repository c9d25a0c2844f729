"""The user who answers an agent's questions: rule-based, deterministic, and never volunteering anything.

What kind of user it is says a :class:`~ebf_env.tasks.user_profile.UserProfile`. An answer depends on what the user
means, on what they see, and on the question; never on whether the question was needed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from typing import Final, TypeAlias

from ebf_env.decisions import Clarify
from ebf_env.json_types import JSON, JSONObject
from ebf_env.tasks.answer_words import AnswerWords
from ebf_env.tasks.common_ground import LAST_RESORT, CommonGround, effort, plain
from ebf_env.tasks.labels import Label
from ebf_env.tasks.questions import Asks, QuestionReader, Understood
from ebf_env.tasks.task import Task
from ebf_env.tasks.user_profile import UserProfile
from ebf_env.world.binding import Binding, as_ids

DONT_KNOW = "I don't know either."
NONE_OF_THOSE = "None of those."
OFFER_OPTIONS = "I can't tell from that. Tell me the options you see."
TOO_MANY = "That is too many to choose from. Give me a few."
UNCLEAR = "I don't know what you are asking about."
NO_MORE = "I can't say more than I said."
OUT_OF_PATIENCE = "Just do what you think is right."

MAX_OPTIONS = 10
"""A question with more options is not answered: the user is no search engine."""

_MAX_DESCRIBED: Final = 3
"""Most facts that a user describes a record by."""


class Reply(StrEnum):
    """What an answer tells."""

    CHOSEN = "chosen"
    """Some of the options are meant."""

    SAID = "said"
    """Something of what is meant."""

    NONE = "none"
    """None of what was offered is meant."""

    DONT_KNOW = "dont_know"
    """The user cannot say."""

    NO_MORE = "no_more"
    """There is nothing to say beyond the instruction."""

    NOT_UNDERSTOOD = "not_understood"
    """The question asked nothing that could be told."""

    OUT_OF_PATIENCE = "out_of_patience"
    """The user answers no more questions."""


_USUAL: Final = {
    Reply.NONE: NONE_OF_THOSE,
    Reply.DONT_KNOW: DONT_KNOW,
    Reply.NO_MORE: NO_MORE,
    Reply.OUT_OF_PATIENCE: OUT_OF_PATIENCE,
}

Said: TypeAlias = Mapping[str, JSON]
"""Field to value, or to a list of values where several records are meant; None: there is none."""


@dataclass(frozen=True, slots=True)
class UserAnswer:
    """What the user says to a question.

    Attributes:
        text: the words.
        chosen: slot to the options chosen; empty where the question told nothing apart.
        said: slot to what the user said of what they mean.
        reply: what the answer tells.
    """

    text: str
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    said: Mapping[str, Said] = field(default_factory=dict)
    reply: Reply = Reply.NOT_UNDERSTOOD

    def to_message(self) -> JSONObject:
        """The answer as a message of the conversation."""
        message: dict[str, JSON] = {"role": "user", "content": self.text}
        if self.chosen:
            message["chosen"] = [entity_id for ids in self.chosen.values() for entity_id in ids]
        if self.said:
            message["said"] = {path: value for said in self.said.values() for path, value in said.items()}
        return message


class _Mood(StrEnum):
    """What a user has in mind about a slot."""

    KNOWS = "knows"
    UNSURE = "unsure"
    ELSEWHERE = "elsewhere"
    """They mean something that is not there."""


@dataclass(frozen=True)
class UserOracle:
    """Answers questions about a task.

    The user knows what they meant: the gold entity of a resolvable slot, the task's ``intent`` for another. A slot with
    neither is one the user could not tell either.

    Attributes:
        task: the task.
        profile: what kind of user it is.
        means: slots that are taken to mean something else than the task says, for what-if questions.
    """

    task: Task
    profile: UserProfile = field(default_factory=UserProfile)
    means: Mapping[str, Binding] = field(default_factory=dict)

    @cached_property
    def ground(self) -> CommonGround:
        """What the user sees."""
        return CommonGround(self.task)

    @cached_property
    def reader(self) -> QuestionReader:
        """How the user understands questions."""
        return QuestionReader(self.task, self.ground)

    def supposing(self, slot: str, meant: Binding) -> UserOracle:
        """The same user, willing and patient, who means something else by a slot."""
        told = self.profile.model_copy(update={"dont_know": 0.0, "neither": 0.0, "paraphrase": 0.0, "patience": None})
        other = UserOracle(self.task, told, {slot: meant})
        other.__dict__.update(ground=self.ground, reader=self.reader)
        return other

    def meaning(self, slot: str) -> Binding | None:
        """What the user means by a slot, or None where they could not say or mean nothing that is there."""
        if slot in self.means:
            return self.means[slot]
        gold = self.task.bindings.get(slot)
        if gold is None and self._mood(slot) is not _Mood.KNOWS:
            return None
        return gold or self.task.intent.get(slot)

    @property
    def open_slots(self) -> tuple[str, ...]:
        """The slots that have no gold entity."""
        return tuple(slot for slot, bound in self.task.bindings.items() if bound is None)

    @property
    def could_say(self) -> bool:
        """Whether the user could tell every slot that has no gold entity, and would."""
        patience = self.profile.patience
        patient = patience is None or len(self.open_slots) <= patience
        return patient and all(self.meaning(slot) is not None for slot in self.open_slots)

    def told_by(self, slot: str, chosen: Collection[str], said: Said | None = None) -> Binding | None:
        """What is meant by a slot without gold, once the answers so far tell it; else None.

        Of a slot that takes many, the entities that the instruction itself names need not be asked about: those that a
        mention of the slot has as its gold.

        Args:
            slot: the slot.
            chosen: the options chosen so far.
            said: what was said so far; it tells what is meant once nothing else that the mention denotes fits it.
        """
        meant = self.meaning(slot)
        if meant is None or self.task.bindings.get(slot) is not None:
            return None
        clear = {i for m in self.task.mentions if m.slot == slot and m.gold is not None for i in as_ids(m.gold)}
        known = clear | set(chosen)
        if said:
            fitting = {i for i in self.ground.denoted(slot) if self.ground.fits(i, said)}
            if fitting <= set(as_ids(meant)):
                known |= fitting
        return meant if set(as_ids(meant)) <= known else None

    def answer(self, question: Clarify, asked: int = 0) -> UserAnswer:
        """The answer to one question.

        The user picks those of a few options that they mean. A question is about the slot it names; one that names none
        is about the only slot that could take every option. A question without options, with too many, or about nothing
        in particular tells nothing apart; a user who answers in words (``UserProfile.answers``) also answers questions
        about fields, open ones, and free text.

        Args:
            question: the question.
            asked: how many questions came before it.
        """
        if self.profile.patience is not None and asked >= self.profile.patience:
            return self._plain(Reply.OUT_OF_PATIENCE, asked)
        if len({option.entity_id for option in question.options}) > MAX_OPTIONS:
            return UserAnswer(TOO_MANY)
        if not question.options and self.profile.answers == "options":
            return UserAnswer(OFFER_OPTIONS)
        understood = self.reader.read(question)
        if understood.slot is None or understood.asks is Asks.NOTHING:
            return UserAnswer(UNCLEAR)
        slot = understood.slot
        if slot not in self.means and self._mood(slot) is _Mood.UNSURE:
            return self._plain(Reply.DONT_KNOW, asked)
        meant = as_ids(self.meaning(slot))
        if not meant:
            return self._nothing_meant(understood, slot, asked)
        match understood.asks:
            case Asks.OPTIONS:
                return self._of_options(slot, understood.options, meant, asked)
            case Asks.ATTRIBUTES:
                return self._saying(slot, self._values_of(meant, understood.paths), meant, asked)
            case Asks.VALUES:
                said = self._confirmed(meant, understood.values)
                return self._saying(slot, said, meant, asked) if said else self._plain(Reply.NONE, asked)
            case _:
                said = self.description(slot, meant)
                return self._saying(slot, said, meant, asked) if said else self._plain(Reply.NO_MORE, asked)

    # --- answers ---

    def _of_options(self, slot: str, offered: Sequence[str], meant: Collection[str], asked: int) -> UserAnswer:
        chosen = tuple(entity_id for entity_id in offered if entity_id in meant)
        if not chosen:
            return self._plain(Reply.NONE, asked)
        places = [offered.index(i) + 1 for i in chosen]
        text = self._words(asked).chosen(places, [self.task.world[i].label for i in chosen])
        return UserAnswer(text, {slot: chosen}, reply=Reply.CHOSEN)

    def _saying(self, slot: str, said: Said, meant: Sequence[str], asked: int) -> UserAnswer:
        text = self._words(asked).said(said, self.ground.label_path(meant[0]), self.task.now)
        return UserAnswer(text, said={slot: said}, reply=Reply.SAID)

    def _nothing_meant(self, understood: Understood, slot: str, asked: int) -> UserAnswer:
        """The answer of a user who has nothing in mind that is there."""
        elsewhere = self._mood(slot) is _Mood.ELSEWHERE
        if self.task.label is Label.AMBIGUOUS and not elsewhere:
            return self._plain(Reply.DONT_KNOW, asked)
        of_records = understood.asks in (Asks.OPTIONS, Asks.VALUES)
        return self._plain(Reply.NONE if of_records else Reply.NO_MORE, asked)

    def _plain(self, reply: Reply, asked: int) -> UserAnswer:
        return UserAnswer(self._words(asked).plain(reply, _USUAL[reply]), reply=reply)

    def _values_of(self, meant: Sequence[str], paths: Sequence[str]) -> dict[str, JSON]:
        """What is meant says in some fields; of several records, all of it."""
        said: dict[str, JSON] = {}
        for path in paths:
            values = {plain(v): v for i in meant for v in self._at(i, path)}
            said[path] = None if not values else next(iter(values.values())) if len(values) == 1 else [*values.values()]
        return said

    def _at(self, entity_id: str, path: str) -> Sequence[JSON]:
        return (entity_id,) if path == "id" else self.ground.facts(entity_id).get(path, ())

    def _confirmed(self, meant: Sequence[str], asked: Mapping[str, Sequence[JSON]]) -> dict[str, JSON]:
        """Of the values asked about, those that what is meant has."""
        said: dict[str, JSON] = {}
        for path, values in asked.items():
            true = [v for v in values if any(self.ground.holds(i, path, v) for i in meant)]
            if true:
                said[path] = true[0] if len(true) == 1 else true
        return said

    def description(self, slot: str, meant: Sequence[str]) -> dict[str, JSON]:
        """The fewest facts that single out some records among the surface candidates of a slot.

        Facts that people use are preferred to identifiers. Where no few of them single the records out, those that
        leave the fewest others; empty where no fact leaves fewer.
        """
        others = [i for i in self.reader.candidates(slot) if i not in meant]
        paths = sorted(dict.fromkeys(p for i in meant for p in self.ground.facts(i)), key=effort)
        single = [p for p in paths if all(len(self._at(i, p)) == 1 for i in meant)]
        facts = [(p, self._values_of(meant, [p])[p]) for p in single]
        told = [_Fact(p, v, frozenset(o for o in others if self.ground.fits(o, {p: v}))) for p, v in facts]
        useful = [fact for fact in told if len(fact.others) < len(others) or not others]
        speaking = [fact for fact in useful if effort(fact.path) < LAST_RESORT]
        best = _fewest(speaking, len(others))
        if len(speaking) < len(useful) and _left_by(best, len(others)) > _left_by(useful, len(others)):
            best = _fewest(useful, len(others))
        return {fact.path: fact.value for fact in best}

    # --- draws ---

    def _mood(self, slot: str) -> _Mood:
        profile = self.profile
        if profile.dont_know and self._draw("mood", slot) < profile.dont_know:
            return _Mood.UNSURE
        is_open = self.task.bindings.get(slot) is None and slot in self.task.intent
        if is_open and profile.neither and self._draw("elsewhere", slot) < profile.neither:
            return _Mood.ELSEWHERE
        return _Mood.KNOWS

    def _words(self, asked: int) -> AnswerWords:
        rate = self.profile.paraphrase
        varied = rate > 0 and self._draw("whether", str(asked)) < rate
        return AnswerWords(self._draw("words", str(asked)) if varied else None)

    def _draw(self, what: str, which: str) -> float:
        """A number from 0 up to 1 that depends on the profile's seed, the task and what it is for."""
        text = f"{self.profile.seed}/{self.task.task_id}/{what}/{which}"
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:7], "big") / (1 << 56)


@dataclass(frozen=True, slots=True)
class _Fact:
    """Something that could be said of what is meant, and the other records it is true of."""

    path: str
    value: JSON
    others: frozenset[str]


def _left_by(facts: Sequence[_Fact], others: int) -> int:
    """How many other records facts leave."""
    return len(frozenset.intersection(*(fact.others for fact in facts))) if facts else others


def _fewest(facts: Sequence[_Fact], others: int) -> tuple[_Fact, ...]:
    """The fewest facts that leave no other record; where a few cannot, a few that leave as few as they can."""
    best: tuple[_Fact, ...] = ()
    left = others or 1
    for size in range(1, _MAX_DESCRIBED + 1):
        for chosen in sorted(combinations(facts, size), key=lambda c: sum(effort(fact.path) for fact in c)):
            remaining = _left_by(chosen, others)
            if remaining < left:
                best, left = chosen, remaining
            if not left:
                return best
    return best


class Conversation:
    """What a user has told an agent in one episode.

    Args:
        user: the user.

    Attributes:
        answers: every question with its answer.
        told: what slots without gold mean, once told.
        chosen: by slot, the options chosen.
        said: by slot, what was said of what is meant.
    """

    def __init__(self, user: UserOracle) -> None:
        self.user = user
        self.answers: list[tuple[Clarify, UserAnswer]] = []
        self.told: dict[str, Binding] = {}
        self.chosen: dict[str, frozenset[str]] = {}
        self.said: dict[str, dict[str, JSON]] = {}

    def ask(self, question: Clarify) -> UserAnswer:
        """Ask the user, and keep what the answer tells."""
        answer = self.user.answer(question, len(self.answers))
        self.answers.append((question, answer))
        for slot, ids in answer.chosen.items():
            self.chosen[slot] = self.chosen.get(slot, frozenset()) | set(ids)
        for slot, said in answer.said.items():
            self.said[slot] = {**self.said.get(slot, {}), **said}
        for slot in (*answer.chosen, *answer.said):
            meant = self.user.told_by(slot, self.chosen.get(slot, ()), self.said.get(slot))
            if meant is not None:
                self.told[slot] = meant
        return answer

    @property
    def silent(self) -> frozenset[str]:
        """The slots without gold that no further question would tell."""
        patience = self.user.profile.patience
        spent = patience is not None and len(self.answers) >= patience
        return frozenset(
            slot
            for slot in self.user.open_slots
            if slot not in self.told and (spent or self.user.meaning(slot) is None)
        )
