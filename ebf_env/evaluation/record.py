"""Run records: everything needed to score a run again, and no score."""

from __future__ import annotations

from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue

Object: TypeAlias = dict[str, JsonValue]


class TurnRecord(BaseModel):
    """One decision of a run.

    Attributes:
        raw_response: the backend's own text.
        decision: the decision that was executed, in the response format; evidence and scores are in it.
        proposal: what the backend proposed, where the method's execution policy made something else of it.
        tools_shown: names of the tools in the menu.
        candidates_shown: ids of the records shown.
        prompt: which prompt a prompted backend was given: template, version, and hash of its fixed words.
        usage: as the service reports it.
        notes: what happened on the way.
        seconds: how long the backend took.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    raw_response: str
    decision: Object
    proposal: Object | None = None
    tools_shown: list[str] = []
    candidates_shown: list[str] = []
    prompt: str | None = None
    usage: Object = {}
    notes: list[str] = []
    seconds: float = 0.0


RunKey: TypeAlias = tuple[str, int, str, str]
"""Task, trial, method and backend: what a record is about."""


class RunRecord(BaseModel):
    """One run of one method and backend on one task.

    Attributes:
        task_id: the task.
        trial: number of the repetition, from 0.
        method: the method.
        backend: the backend's name.
        model: what answered.
        attempt: 1, or more where earlier attempts ended in an error.
        turns: the decisions, in order.
        error: why there is no verdict, where the service failed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task_id: str
    trial: int = Field(ge=0)
    method: str
    backend: str
    model: str
    attempt: int = Field(default=1, ge=1)
    turns: list[TurnRecord] = []
    error: str | None = None

    @property
    def key(self) -> RunKey:
        """What the record is about."""
        return self.task_id, self.trial, self.method, self.backend

    def substance(self) -> Object:
        """The record without what may differ between equal runs: usage, timing and attempt."""
        return self.model_dump(mode="json", exclude={"attempt": True, "turns": {"__all__": {"usage", "seconds"}}})
