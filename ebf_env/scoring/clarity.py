"""How good a question is, told from the task alone: no judge, and nothing the agent says of itself.

A question is held against D, what the mention denotes (METHODS: ``abs(D)``), and against what the user would answer to
it for each of its members. Free text counts as the user understands it, so that a model's own words are scored too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from ebf_env.decisions import Clarify
from ebf_env.json_types import JSON, canonical_json
from ebf_env.scoring.formulation import bits_gained, discrimination, minimality
from ebf_env.tasks import Conversation, Task, UserOracle, UserProfile
from ebf_env.tasks.common_ground import CommonGround, effort, plain
from ebf_env.tasks.questions import Asks, Understood
from ebf_env.tasks.user_oracle import Reply, UserAnswer
from ebf_env.tasks.wording import IDENTIFIERS
from ebf_env.world.binding import as_ids

_LISTENING: Final = UserProfile(answers="words")
"""A user who takes in every kind of question, for what a question is worth whoever is asked."""

_MOST_NEEDED: Final = 3
"""Most attributes that are tried for the fewest needed; where these do not do, as many as it takes one by one."""


@dataclass(frozen=True, slots=True)
class QuestionScore:
    """What one question is worth.

    Attributes:
        asks: what kind of question it is.
        slot: the slot it is about; None where that is not clear.
        denoted: abs(D) of the slot; 0 where the slot is not clear.
        needed: whether the slot is one that the instruction leaves open to two or more.
        grounded: whether it is understood, every option exists, may be seen and used and fits the slot, and every value
            equals the store's.
        bits: expected information gain over D, each member being as likely as the others.
        discriminative: bits over log2 abs(D); None where D holds fewer than two.
        used: attributes used; None where the question uses none.
        fewest: fewest attributes that tell apart all members of D that any tell apart, identifiers (an address, a
            number) being used only where nothing else does; None where none do.
        minimal: attributes used over fewest needed, 1 is best; None where either is undefined.
        redundant: whether it asks for what the instruction, or an answer before, has said.
        reply: what the user's answer told.
    """

    asks: Asks
    slot: str | None
    denoted: int
    needed: bool
    grounded: bool
    bits: float
    discriminative: float | None
    used: int | None
    fewest: int | None
    minimal: float | None
    redundant: bool
    reply: Reply


def score_questions(task: Task, questions: Iterable[Clarify], user: UserProfile | None = None) -> list[QuestionScore]:
    """The score of each question of an episode, in order.

    Args:
        task: the task.
        questions: what was asked.
        user: who answered; None: nobody, as the first decision ended the episode.
    """
    conversation = Conversation(UserOracle(task, user or UserProfile()))
    scorer = _Scorer(task)
    scores = []
    for question in questions:
        before = {slot: dict(said) for slot, said in conversation.said.items()}
        told = frozenset(conversation.told) | frozenset(conversation.chosen)
        scores.append(scorer.score(question, before, told, conversation.ask(question)))
    return scores


class _Scorer:
    def __init__(self, task: Task) -> None:
        self._task = task
        self._user = UserOracle(task, _LISTENING)
        self._ground: CommonGround = self._user.ground

    def score(
        self, question: Clarify, said: Mapping[str, Mapping[str, JSON]], told: frozenset[str], answer: UserAnswer
    ) -> QuestionScore:
        understood = self._user.reader.read(question)
        slot = understood.slot
        denoted = self._open_denotation(slot) if slot is not None else []
        bits = bits_gained(self._cells(question, slot, denoted)) if slot is not None else 0.0
        used = self._used(question, understood)
        fewest = self._fewest(denoted) if len(denoted) > 1 else None
        return QuestionScore(
            understood.asks,
            slot,
            len(denoted),
            slot is not None and self._task.bindings.get(slot) is None and len(denoted) > 1,
            self._is_grounded(question, understood),
            bits,
            discrimination(bits, len(denoted)),
            len(used) or None,
            fewest,
            minimality(len(used), fewest),
            self._is_redundant(slot, used, denoted, said, told),
            answer.reply,
        )

    def _open_denotation(self, slot: str) -> list[str]:
        """D; of a slot that takes many, without what the instruction leaves no doubt about."""
        clear: set[str] = set()
        if self._task.bindings.get(slot) is None:
            clear = {i for m in self._task.mentions if m.slot == slot for i in as_ids(m.gold)}
        return sorted(self._ground.denoted(slot) - clear)

    # --- grounded ---

    def _is_grounded(self, question: Clarify, understood: Understood) -> bool:
        if understood.slot is None or understood.asks is Asks.NOTHING:
            return False
        precondition = self._task.spec.precondition(understood.slot)
        for option in question.options:
            entity = self._ground.entity(option.entity_id)
            if entity is None or precondition is None or not precondition.accepts(entity.type):
                return False
            if precondition.changes and not self._task.user.permissions.may_change(entity.id):
                return False
            if not all(self._ground.holds(entity.id, path, value) for path, value in option.values.items()):
                return False
        ids = list(understood.options) or self._user.reader.candidates(understood.slot)
        return all(
            self._ground.path_of(name, ids) is not None or any(self._ground.has(i, name) for i in ids)
            for name in question.attributes
        )

    # --- discriminative ---

    def _cells(self, question: Clarify, slot: str, denoted: Sequence[str]) -> list[int]:
        """How many members of D lead to each different answer."""
        precondition = self._task.spec.precondition(slot)
        many = precondition is not None and precondition.many
        counts: dict[str, int] = {}
        for entity_id in denoted:
            answer = self._user.supposing(slot, (entity_id,) if many else entity_id).answer(question)
            key = _heard(question, answer)
            counts[key] = counts.get(key, 0) + 1
        return list(counts.values())

    # --- minimal ---

    def _used(self, question: Clarify, understood: Understood) -> frozenset[str]:
        """The fields that a question tells records apart by."""
        if understood.slot is None:
            return frozenset()
        ids = list(understood.options) or self._user.reader.candidates(understood.slot)
        names = {name for option in question.options for name in option.values} or set(question.attributes)
        names = names or {*understood.paths, *understood.values}
        return frozenset(self._ground.path_of(name, ids) or name for name in names)

    def _fewest(self, denoted: Sequence[str]) -> int | None:
        paths = sorted({p for i in denoted for p in self._ground.facts(i)}, key=lambda p: (effort(p), p))
        told = {path: [self._code(i, path) for i in denoted] for path in paths}
        telling = [path for path in paths if len(set(told[path])) > 1]
        speaking = [told[path] for path in telling if path.split(".")[-1] not in IDENTIFIERS]
        everything = [told[path] for path in telling]
        most = _cells_of(everything)
        if most < 2:
            return None
        columns = speaking if _cells_of(speaking) == most else everything
        for size in range(1, _MOST_NEEDED + 1):
            if any(_cells_of(subset) == most for subset in combinations(columns, size)):
                return size
        return _one_by_one(columns, most)

    def _code(self, entity_id: str, path: str) -> frozenset[str]:
        return frozenset(map(plain, self._ground.facts(entity_id).get(path, ())))

    # --- redundant ---

    def _is_redundant(
        self,
        slot: str | None,
        used: frozenset[str],
        denoted: Sequence[str],
        said: Mapping[str, Mapping[str, JSON]],
        told: frozenset[str],
    ) -> bool:
        """Whether a slot that was told is asked about again, or a field whose value was said.

        A field that the instruction speaks of counts where all that is denoted agrees in it: then the answer is in the
        instruction.
        """
        if slot is None:
            return False
        precondition = self._task.spec.precondition(slot)
        if slot in told and not (precondition is not None and precondition.many):
            return True
        if used & said.get(slot, {}).keys():
            return True
        stated = self._ground.stated(slot)
        return any(
            path.split(".")[0] in stated and len({self._code(i, path) for i in denoted}) == 1
            for path in used
            if denoted
        )


def _heard(question: Clarify, answer: UserAnswer) -> str:
    """What tells an answer apart from others: options by what the question says of them."""
    values = {option.entity_id: option.values for option in question.options}
    chosen = [
        canonical_json(dict(values[i])) if values[i] else i for ids in answer.chosen.values() for i in as_ids(ids)
    ]
    said = [canonical_json(dict(said)) for said in answer.said.values()]
    return canonical_json([answer.reply.value, chosen, said])


def _one_by_one(columns: Sequence[Sequence[frozenset[str]]], most: int) -> int:
    """How many columns it takes, each time adding the one that splits most."""
    kept: list[Sequence[frozenset[str]]] = []
    while _cells_of(kept) < most:
        kept.append(max(columns, key=lambda column: _cells_of([*kept, column])))
    return len(kept)


def _cells_of(columns: Sequence[Sequence[frozenset[str]]]) -> int:
    """How many different rows columns have; without any, all rows are alike."""
    return len(set(zip(*columns, strict=True))) if columns else 1
