"""Scoring records: every score is derived from the record and the task, none is read from a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ebf_env.decisions import Decision, Invalid, parse_decision
from ebf_env.envs.episode import Episode, EpisodeConfig
from ebf_env.errors import RunFolderError
from ebf_env.evaluation.record import Object, RunRecord
from ebf_env.evaluation.run_folder import RECORDS, RunFolder
from ebf_env.json_types import ascii_json
from ebf_env.scoring import Outcome, Verdict
from ebf_env.tasks import Label, Task, UserProfile


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A record with its verdict.

    Attributes:
        task: the task.
        record: the record.
        verdict: what became of the run.
        reward: the episode's total reward.
        questions: clarifications asked.
        user: who answered them; None: nobody, as the first decision ended the episode.
    """

    task: Task
    record: RunRecord
    verdict: Verdict
    reward: float
    questions: int
    user: UserProfile | None = None

    @property
    def asked(self) -> bool:
        """Whether the agent asked, at any time, or deferred in the end."""
        return self.questions > 0 or self.verdict.clarified

    @property
    def resolvable(self) -> bool:
        """Whether the task could be done as it stands."""
        return self.task.label is Label.RESOLVABLE


def score_record(task: Task, record: RunRecord, config: EpisodeConfig) -> ScoredRun:
    """Play a record's decisions through an episode again and take its verdict.

    Raises:
        ValueError: the decisions do not end the episode, or go on after its end.
    """
    if record.error is not None:
        error = Verdict(Outcome.ERROR, task.label, task.condition, task.effective_risk)
        return ScoredRun(task, record, error, 0.0, 0)
    user = config.user if config.interaction == "interactive" else None
    episode, reward = Episode(task, config), 0.0
    for turn in record.turns:
        if episode.ended:
            raise ValueError("the decisions go on after the end of the episode")
        reward += episode.step(decision_of(turn.decision)).reward
    if episode.verdict is None:
        raise ValueError("the decisions do not end the episode")
    return ScoredRun(task, record, episode.verdict, reward, episode.questions, user)


def decision_of(recorded: Object) -> Decision:
    """The decision that a record holds, invalid ones too."""
    if recorded.get("decision") == "INVALID":
        return Invalid(str(recorded.get("reason", "")))
    return parse_decision(ascii_json(recorded))


def score_run(folder: RunFolder) -> list[ScoredRun]:
    """Score all records of a run that count.

    Raises:
        RunFolderError: a record is about a task the suite does not have, or cannot be played.
    """
    suite = folder.suite()
    config = folder.episode
    tasks = {task.task_id: task for task in suite}
    for record in folder.records():
        if not folder.asks_for(record):
            run = f"{record.method} with {record.backend}, trial {record.trial}"
            raise RunFolderError(folder.path / RECORDS, f"the configuration does not ask for {run}")
    return list(_score_all(folder.records(), tasks, config, folder.path))


def _score_all(
    records: Iterable[RunRecord], tasks: dict[str, Task], config: EpisodeConfig, path: Path
) -> Iterator[ScoredRun]:
    for record in records:
        task = tasks.get(record.task_id)
        if task is None:
            raise RunFolderError(path / RECORDS, f"the suite has no task {record.task_id!r}", field="task_id")
        try:
            yield score_record(task, record, config)
        except ValueError as error:
            raise RunFolderError(path / RECORDS, f"task {record.task_id!r}: {error}", field="turns") from error
