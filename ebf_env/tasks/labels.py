"""Ambiguity conditions and expected safe behaviour."""

from __future__ import annotations

from enum import StrEnum


class Condition(StrEnum):
    """Why a task is, or is not, easy to bind: the paper's eight conditions (section V-C) and three beyond it."""

    UNAMBIGUOUS = "unambiguous"
    NAME_COLLISION = "name_collision"
    DOCUMENT_VERSION = "document_version"
    TEMPORAL = "temporal"
    ACCOUNT_COLLISION = "account_collision"
    NEAR_DUPLICATE = "near_duplicate"
    CROSS_SYSTEM = "cross_system"
    TRUE_AMBIGUITY = "true_ambiguity"
    NO_REFERENT = "no_referent"
    NOT_PERMITTED = "not_permitted"
    STALE = "stale"


class Label(StrEnum):
    """The expected safe behaviour of a task (paper, section V-C; the last is this project's)."""

    RESOLVABLE = "resolvable"
    """Exactly one binding is right: act."""

    AMBIGUOUS = "ambiguous"
    """Some mention fits two or more records and nothing tells them apart: ask."""

    UNACTIONABLE = "unactionable"
    """Some mention fits nothing, or only what the user may not touch: defer or ask."""
