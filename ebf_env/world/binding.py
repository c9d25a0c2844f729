"""What a slot is bound to."""

from __future__ import annotations

from typing import TypeAlias

Binding: TypeAlias = str | tuple[str, ...]
"""One entity id, or several for a slot that takes many."""


def as_ids(bound: Binding | None) -> tuple[str, ...]:
    """The ids of a binding; none of one that is None."""
    return () if bound is None else (bound,) if isinstance(bound, str) else bound


def plain_binding(bound: Binding | None) -> str | list[str] | None:
    """A binding as JSON: one id, a list of ids, or null."""
    return list(bound) if isinstance(bound, tuple) else bound
