"""Names in a proposed call: a string that is no id is looked up, so that no name slips into an API call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ebf_baselines.resolution.store import RecordStore
from ebf_env.grounding.text import words_of
from ebf_env.json_types import JSON
from ebf_env.world import EntityPrecondition

MOST: Final = 50
"""Most records that a name is taken to stand for."""


@dataclass(frozen=True, slots=True)
class Named:
    """What is proposed for a slot.

    Attributes:
        ids: ids of records of the slot's type, in order, where every string stands for exactly one.
        unclear: ids of the records that a string may stand for that stands for several.
        unknown: strings that stand for no record of the slot's type.
    """

    ids: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def named(store: RecordStore, precondition: EntityPrecondition, bound: JSON) -> Named:
    """The records that a proposed binding stands for: by id, by whole name or alias, by part of a name."""
    ids: list[str] = []
    unclear: list[str] = []
    unknown: list[str] = []
    for item in bound if isinstance(bound, list | tuple) else () if bound is None else (bound,):
        text = str(item) if isinstance(item, str | int) and not isinstance(item, bool) else ""
        record = store.get(text)
        found = [record.id] if record is not None else called(store, precondition, text)
        if record is not None and not precondition.accepts(record.type):
            found = []
        if len(found) == 1:
            ids.append(found[0])
        elif found:
            unclear += found[:MOST]
        else:
            unknown.append(text)
    return Named(tuple(dict.fromkeys(ids)), tuple(dict.fromkeys(unclear)), tuple(unknown))


def called(store: RecordStore, precondition: EntityPrecondition, text: str) -> list[str]:
    """Ids of the records of a slot's type that are called so."""
    said = words_of(text)
    if not said:
        return []
    holders = set(store.named(said[0])).intersection(*(store.named(word) for word in said[1:]))
    fitting = sorted(n for n in holders if precondition.accepts(store.records[n].type))
    whole = [n for n in fitting if said in store.names[n]]
    parts = [n for n in fitting if any(set(said) <= set(name) for name in store.names[n])]
    return [store.records[n].id for n in (whole or parts)]
