"""Provenance: the records and fields that a binding rests on, and whether they say what is claimed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ebf_baselines.resolution.nodes import Cue, OrderCue, RelationCue, TimeCue, UnknownCue, UserCue, ValueCue
from ebf_baselines.resolution.resolver import Meaning, SlotMeaning
from ebf_baselines.resolution.store import Record, RecordStore, leaves_of
from ebf_env.decisions import Evidence
from ebf_env.json_types import JSON

_EARLIEST: Final = 1e-6
"""Posterior below which a record is no runner-up."""


def evidence_for(store: RecordStore, slot: str, meaning: SlotMeaning) -> Iterator[Evidence]:
    """Why the records that a slot is bound to are meant: what fields say, and why the next best is not.

    Every piece with a field can be checked against the store.
    """
    for one in meaning.meanings:
        best = one.best
        if best is None:
            continue
        lost = _why_not(store, one)
        for fact in one.facts.get(best, ()):
            if is_held(store, fact.source, fact.path, fact.value):
                yield Evidence(slot, best, fact.source, fact.path, fact.value, round(fact.weight, 4), lost)
                lost = None
        record = store.get(best)
        if record is not None and not any(is_held(store, f.source, f.path, f.value) for f in one.facts.get(best, ())):
            yield from _chosen(slot, record, lost)


def _chosen(slot: str, record: Record, lost: str | None) -> Iterator[Evidence]:
    """What a record is called that the user chose, or that was found without a field that says so."""
    path = record.label_field
    value: JSON = record.fields.get(path) if path is not None else None
    if path is None:
        leaf = next(leaves_of(record.fields), None)
        path, value = (leaf.path, leaf.value) if leaf is not None else (None, None)
    if path is not None:
        yield Evidence(slot, record.id, record.id, path, value, 0.0, lost)


def _why_not(store: RecordStore, meaning: Meaning) -> str | None:
    """Why the next best record lost, in words."""
    others = [i for i, p in meaning.scores.items() if i != meaning.best and p > _EARLIEST]
    if not others:
        return "no other record fits as well"
    record = store.get(others[0])
    called = f"{record.label} ({record.id})" if record is not None else others[0]
    failed = meaning.failed.get(others[0], [])
    if not failed:
        return f"the next best, {called}, fits less well by name"
    return f"the next best, {called}, fails: {'; '.join(map(_words, failed))}"


def _words(cue: Cue) -> str:
    negation = "not " if cue.negated else ""
    match cue:
        case ValueCue() | UnknownCue():
            return f"{negation}{' '.join((*cue.hint, *cue.said))}"
        case TimeCue():
            return f"{negation}the time that was said ({' '.join(cue.hint)})" if cue.hint else f"{negation}the time"
        case OrderCue():
            return "its place in the order"
        case UserCue():
            return f"{negation}having to do with the user"
        case RelationCue():
            return f"{negation}{' '.join((*cue.hint, *(word.said for word in cue.node.names)))}".strip() or "a relation"


def is_held(store: RecordStore, source: str | None, path: str | None, value: JSON) -> bool:
    """Whether a record of the store has a value in a field, in the same spelling but for case and blanks around it."""
    record = store.get(source) if source is not None else None
    if record is None or path is None or value is None:
        return False
    if record.holds(path, value) or (path in ("id", "type") and value == getattr(record, path)):
        return True
    if isinstance(value, list | tuple | Mapping):
        return record.fields.get(path) == value
    wanted = str(value).strip().casefold()
    return any(leaf.path == path and str(leaf.value).strip().casefold() == wanted for leaf in leaves_of(record.fields))


def unheld(store: RecordStore, evidence: tuple[Evidence, ...]) -> Evidence | None:
    """The first piece of evidence that claims a field of a record to say what it does not; None: all are true.

    Free text claims nothing that could be checked.
    """
    for piece in evidence:
        if piece.field is None and piece.value is None:
            continue
        if not is_held(store, piece.source_id or piece.entity_id, piece.field, piece.value):
            return piece
    return None
