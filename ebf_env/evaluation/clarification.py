"""The metrics of questions: how often agents ask where that is right, and how good what they ask is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ebf_env.decisions import Clarify
from ebf_env.evaluation.scored import ScoredRun, decision_of
from ebf_env.scoring.clarity import QuestionScore, score_questions
from ebf_env.scoring.formulation import asking_precision, asking_recall
from ebf_env.tasks import Label, UserOracle
from ebf_env.tasks.user_oracle import Reply

_TELLING = (Reply.CHOSEN, Reply.SAID)


@dataclass(frozen=True, slots=True)
class AskedRun:
    """A run with the scores of its questions.

    Attributes:
        run: the run.
        questions: the score of each question, in order.
    """

    run: ScoredRun
    questions: tuple[QuestionScore, ...]

    @property
    def needed(self) -> bool:
        """Whether a mention denotes two or more: the label says so, and is proven to."""
        return self.run.task.label is Label.AMBIGUOUS

    @property
    def answered(self) -> bool:
        """Whether an answer told something."""
        return self.run.user is not None and any(question.reply in _TELLING for question in self.questions)

    @property
    def fewest_questions(self) -> int:
        """The optimum: one for each slot left open, none where the user could not tell them or asking is not right."""
        if not self.needed:
            return 0
        if self.run.user is None:
            return 1
        user = UserOracle(self.run.task, self.run.user)
        return len(user.open_slots) if user.could_say else 0


def asked_runs(runs: Iterable[ScoredRun]) -> list[AskedRun]:
    """Runs with the scores of their questions, from their records and tasks alone."""
    found = []
    for run in runs:
        decisions = [decision_of(turn.decision) for turn in run.record.turns] if run.record.error is None else []
        questions = [decision for decision in decisions if isinstance(decision, Clarify)]
        found.append(AskedRun(run, tuple(score_questions(run.task, questions, run.user)) if questions else ()))
    return found


@dataclass(frozen=True, slots=True)
class ClarificationMetric:
    """A number over a group of runs.

    Attributes:
        name: its key in reports.
        title: its column heading.
        of: the number, None where it is not defined.
        meaning: what it says.
        percent: whether it is a fraction, printed in percent.
    """

    name: str
    title: str
    of: Callable[[Sequence[AskedRun]], float | None]
    meaning: str
    percent: bool = True


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _over_questions(value: Callable[[QuestionScore], float | None]) -> Callable[[Sequence[AskedRun]], float | None]:
    return lambda runs: _mean(value(question) for run in runs for question in run.questions)


def _right_and_asked(runs: Sequence[AskedRun]) -> int:
    return sum(run.needed and bool(run.questions) for run in runs)


def _precision(runs: Sequence[AskedRun]) -> float | None:
    return asking_precision(_right_and_asked(runs), sum(bool(run.questions) for run in runs))


def _recall(runs: Sequence[AskedRun]) -> float | None:
    return asking_recall(_right_and_asked(runs), sum(run.needed for run in runs))


CLARIFICATION_METRICS = (
    ClarificationMetric(
        "questions",
        "quest- ions",
        lambda runs: sum(len(run.questions) for run in runs),
        "questions asked, in all",
        percent=False,
    ),
    ClarificationMetric("precision", "preci- sion", _precision, "of runs with a question, those that needed one"),
    ClarificationMetric("recall", "recall", _recall, "of runs that needed a question, those with one"),
    ClarificationMetric(
        "over_asking",
        "over- asking",
        lambda runs: _mean(run.run.asked for run in runs if run.run.resolvable),
        "asked or deferred over all resolvable runs",
    ),
    ClarificationMetric(
        "grounded",
        "groun- ded",
        _over_questions(lambda q: q.grounded),
        "understood; every option exists, is permitted, and has the values that are said of it",
    ),
    ClarificationMetric(
        "discriminative",
        "discri- mina- tive",
        _over_questions(lambda q: q.discriminative),
        "bits gained / log2 abs(D), over questions about two or more",
    ),
    ClarificationMetric(
        "minimal",
        "mini- mal",
        _over_questions(lambda q: q.minimal),
        "attributes used / fewest needed; 1 is best",
        percent=False,
    ),
    ClarificationMetric(
        "redundant", "redun- dant", _over_questions(lambda q: q.redundant), "asks what was said; must be 0"
    ),
    ClarificationMetric(
        "answered",
        "ans- wered",
        lambda runs: _mean(q.reply in _TELLING for run in runs if run.run.user is not None for q in run.questions),
        "questions whose answer told something, in interactive episodes",
    ),
    ClarificationMetric(
        "sufficient",
        "suffi- cient",
        lambda runs: _mean(run.run.verdict.task_success for run in runs if run.answered),
        "answered episodes that end with the right action",
    ),
    ClarificationMetric(
        "extra_questions",
        "extra quest.",
        lambda runs: _mean(len(run.questions) - run.fewest_questions for run in runs if run.run.record.error is None),
        "questions asked less the optimum, per run",
        percent=False,
    ),
)
"""The columns of ``ebf report --clarification``."""
