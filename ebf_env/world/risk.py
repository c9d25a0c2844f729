"""Risk levels and action types (paper, Table I and section V-D)."""

from __future__ import annotations

from enum import StrEnum


class RiskLevel(StrEnum):
    """How bad acting on the wrong entity is (paper, Table I)."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def weight(self) -> int:
        """The risk weight r(t) of paper section III, with the authors' published values 1, 2, 4, 5."""
        return {"low": 1, "medium": 2, "high": 4, "critical": 5}[self.value]


class ActionType(StrEnum):
    """What kind of action a tool performs (paper, section V-D; the last three are this project's)."""

    RETRIEVE = "retrieve"
    DRAFT = "draft"
    SEND = "send"
    SHARE = "share"
    UPDATE = "update"
    ASSIGN = "assign"
    RESCHEDULE = "reschedule"
    CLOSE = "close"
    DELETE = "delete"
    CANCEL = "cancel"
    SCHEDULE = "schedule"
    ESCALATE = "escalate"
    OTHER = "other"
