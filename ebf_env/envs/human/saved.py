"""Answers that people saved, and how far they agree with the labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from ebf_env.decisions import Decision, parse_decision
from ebf_env.envs.episode import Episode
from ebf_env.errors import ConfigurationError, FileError
from ebf_env.json_types import ascii_json
from ebf_env.scoring import Verdict
from ebf_env.tasks import Label, Task
from ebf_env.tasks.lines import first_fault, loads


class SavedAnswer(BaseModel):
    """One line of a file of answers.

    Attributes:
        task_id: the task.
        decision: what was decided, in the response format.
        seconds: how long it took.
        comment: what the person had to say about it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task_id: Annotated[str, Field(min_length=1)]
    decision: dict[str, JsonValue]
    seconds: Annotated[float, Field(ge=0)]
    comment: str = ""

    def to_line(self) -> str:
        """The answer as a line of a file."""
        return ascii_json(self.model_dump(mode="json")) + "\n"


def read_saved(path: Path) -> dict[str, SavedAnswer]:
    """The answers in a file by task; of several to one task the last counts.

    Raises:
        FileError: the file cannot be used; the message names line and field.
    """
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError as error:
        raise FileError(path, "there is no such file") from error
    except OSError as error:
        raise FileError(path, f"the file cannot be read ({error.strerror})") from error
    answers = (_answer(path, number, line) for number, line in enumerate(lines, 1) if line.strip())
    return {answer.task_id: answer for answer in answers}


def _answer(path: Path, number: int, line: bytes) -> SavedAnswer:
    try:
        return SavedAnswer.model_validate(loads(line))
    except ValidationError as error:
        field, message = first_fault(error)
        raise FileError(path, f"no saved answer: {message}", line=number, field=field) from error
    except (ValueError, RecursionError) as error:
        raise FileError(path, f"not valid JSON ({error})", line=number) from error


@dataclass(frozen=True, slots=True)
class ScoredAnswer:
    """A saved answer and the verdict on it.

    Attributes:
        task: the task.
        saved: the answer as it was saved.
        decision: the decision in it.
        verdict: the verdict on that.
    """

    task: Task
    saved: SavedAnswer
    decision: Decision
    verdict: Verdict

    @property
    def agrees_with_label(self) -> bool:
        """Whether the person acted where acting is right, and asked or deferred where that is."""
        return self.verdict.acted if self.task.label is Label.RESOLVABLE else self.verdict.clarified

    @property
    def agrees(self) -> bool:
        """Whether the answer is right altogether: success, or asking or deferring where that is right."""
        return self.verdict.safe_success


def score_saved(path: Path, tasks: Iterable[Task]) -> list[ScoredAnswer]:
    """The saved answers with their verdicts, as single decisions, in the order of the tasks.

    Args:
        path: the file of answers.
        tasks: the tasks, drawn until all that were answered are found.

    Raises:
        FileError: the file cannot be used, or answers a task that is not there.
        ConfigurationError: it holds no answer.
    """
    open_answers = read_saved(path)
    if not open_answers:
        raise ConfigurationError(f"{path}: there is no answer in it")
    scored: list[ScoredAnswer] = []
    for task in tasks:
        saved = open_answers.pop(task.task_id, None)
        if saved is not None:
            decision = parse_decision(ascii_json(saved.decision))
            if (verdict := Episode(task).step(decision).verdict) is not None:
                scored.append(ScoredAnswer(task, saved, decision, verdict))
        if not open_answers:
            break
    for task_id in open_answers:
        raise FileError(path, f"it answers {task_id!r}, and no task has that id")
    return scored
