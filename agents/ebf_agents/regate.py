"""A finished run's proposals, given again, so that another gate can be tried on them without asking the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ebf_env.errors import ConfigurationError, ServiceError
from ebf_env.evaluation.protocols import Answer, Need, Query
from ebf_env.evaluation.record import TurnRecord
from ebf_env.evaluation.run_folder import RunFolder
from ebf_env.evaluation.scored import decision_of
from ebf_env.json_types import JSONObject


@dataclass(frozen=True, slots=True)
class RegateBackend:
    """What one backend proposed under one method, with its scores and evidence, before any gate.

    Attributes:
        path: the run's folder.
        suite: hash of the suite it ran on.
        method: the method it ran under.
        backend: its name in the run.
        model: what answered.
        turns: the first turn, by task and trial.
        name: key of the records.
    """

    path: Path
    suite: str
    method: str
    backend: str
    model: str
    turns: Mapping[tuple[str, int], TurnRecord]
    name: str
    needs: ClassVar[frozenset[Need]] = frozenset({Need.TASK_ID})
    recorded: ClassVar[bool] = False
    concurrency: ClassVar[int] = 1

    def config(self) -> JSONObject:
        """What identifies it in a run's configuration: the run it stems from, wherever that lies."""
        return {
            "kind": "regate",
            "run": self.path.name,
            "suite": self.suite,
            "method": self.method,
            "backend": self.backend,
        }

    async def answer(self, query: Query) -> Answer:
        """The recorded proposal.

        Raises:
            ServiceError: none was recorded for the task and trial, or it is asked for a second decision.
        """
        turn = self.turns.get((query.task_id or "", query.trial))
        if turn is None or query.observation.step:
            raise ServiceError(f"no proposal of {self.backend} under {self.method} was recorded for this step")
        return Answer(turn.raw_response, notes=tuple(turn.notes), decision=decision_of(turn.proposal or turn.decision))


def regate_backends(path: str | Path) -> tuple[RegateBackend, ...]:
    """One backend for each method and backend of a finished run.

    Raises:
        RunFolderError: it is no run folder.
        ConfigurationError: its episodes are interactive (other decisions would have had other answers), or it holds no
            record without an error.
    """
    folder = RunFolder.open(path)
    if folder.episode.interaction != "single_step":
        raise ConfigurationError(f"regate:{path}: the run is interactive, and other decisions get other answers")
    found: dict[tuple[str, str], dict[tuple[str, int], TurnRecord]] = {}
    models: dict[str, str] = {}
    for record in folder.records():
        if record.error is None and record.turns:
            turns = found.setdefault((record.method, record.backend), {})
            turns[record.task_id, record.trial] = record.turns[0]
            models[record.backend] = record.model
    if not found:
        raise ConfigurationError(f"regate:{path}: the run holds no proposal")
    several = len({method for method, _ in found}) > 1
    suite = str(folder.info.suite.get("sha256", ""))
    return tuple(
        RegateBackend(
            Path(path),
            suite,
            method,
            backend,
            models[backend],
            turns,
            f"regate:{backend}@{method}" if several else f"regate:{backend}",
        )
        for (method, backend), turns in found.items()
    )
