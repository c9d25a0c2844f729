"""The question to ask about a slot, from the records that come into question and how likely each is meant."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from heapq import nlargest
from typing import Final

from ebf_baselines.clarification.choosing import best_attributes, best_single, telling_apart
from ebf_baselines.clarification.phrasing import Phrasing
from ebf_baselines.clarification.visible import Attribute, Visible, folded, single
from ebf_baselines.resolution.store import RecordStore
from ebf_env.decisions import Clarify, Option
from ebf_env.json_types import JSON
from ebf_env.world.binding import Binding

MAX_OPTIONS: Final = 5
"""Most records that a question offers."""

MAX_WEIGHED: Final = 100
"""Most candidates whose attributes are compared: the most likely ones."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What the instruction has said already.

    Attributes:
        path: the field; None where only the value is known.
        value: the value; None where only the field is known.
    """

    path: str | None = None
    value: JSON = None


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What a question is to be asked about.

    Attributes:
        store: the records.
        slot: the slot.
        said: the mention, as it was said.
        weights: ids of the records that come into question (a conformal set, say) to posterior weights, which need not
            add up to one.
        stated: what must not be asked for, nor told as new.
        hidden: ids of records that must not be named, neither themselves nor as what others link to.
        now: the time, for days of another year.
        only_options: whether the question must offer records, however many there are.
        tool: the tool in mind.
        bindings: what is bound already.
    """

    store: RecordStore
    slot: str
    said: str
    weights: Mapping[str, float]
    stated: Collection[Stated] = ()
    hidden: Collection[str] = ()
    now: datetime | None = None
    only_options: bool = False
    tool: str | None = None
    bindings: Mapping[str, Binding] = field(default_factory=dict)


def ask(inquiry: Inquiry) -> Clarify:
    """The question to ask.

    Up to five candidates are offered, each with the values that tell it from the others; the attributes are those of
    the greatest expected information gain less their cost, and as many more as it takes to tell all options apart.
    More candidates are first asked about by one attribute. Without any candidate the question is open. Ids are said
    only where nothing else that may be said tells records apart.
    """
    likeliest = nlargest(MAX_WEIGHED, inquiry.weights.items(), key=lambda item: item[1])
    visible = Visible(inquiry.store, (entity_id for entity_id, _ in likeliest), inquiry.hidden)
    phrasing = Phrasing(inquiry.said, visible.records, None if inquiry.now is None else inquiry.now.year)
    if not visible.records:
        return _clarify(inquiry, phrasing.open())
    if len(visible.records) > MAX_OPTIONS and not inquiry.only_options:
        attribute = best_single(_askable(visible, inquiry.stated), _posterior(inquiry, visible), MAX_OPTIONS)
        if attribute is not None:
            values = _by_weight(attribute, _posterior(inquiry, visible))
            return _clarify(inquiry, phrasing.of_attribute(attribute, values, MAX_OPTIONS), (attribute.path,))
    offered = Visible(inquiry.store, [record.id for record in visible.records[:MAX_OPTIONS]], inquiry.hidden)
    return _offering(inquiry, offered, phrasing)


def _offering(inquiry: Inquiry, offered: Visible, phrasing: Phrasing) -> Clarify:
    attributes = _askable(offered, inquiry.stated)
    telling = [attribute for attribute in attributes if not attribute.is_last_resort]
    chosen, cells = telling_apart(
        best_attributes(telling, _posterior(inquiry, offered)), attributes, len(offered.records)
    )
    options: list[Option] = []
    alike: list[bool] = []
    for number, record in enumerate(offered.records):
        values: dict[str, JSON] = {a.path: single(a.values[number]) for a in chosen if a.values[number]}
        is_alike = cells.count(cells[number]) > 1
        if is_alike:
            values["id"] = record.id
        elif not chosen and record.label_field is not None:
            values[record.label_field] = record.label
        alike.append(is_alike)
        options.append(Option(record.id, values))
    paths = [attribute.path for attribute in chosen] + (["id"] if any(alike) else [])
    shown = Phrasing(inquiry.said, offered.records, phrasing.year)
    return _clarify(inquiry, shown.of_options(chosen, alike), tuple(paths), tuple(options))


def _clarify(
    inquiry: Inquiry, question: str, attributes: tuple[str, ...] = (), options: tuple[Option, ...] = ()
) -> Clarify:
    return Clarify(question, inquiry.slot, attributes, options, inquiry.tool, inquiry.bindings)


def _posterior(inquiry: Inquiry, visible: Visible) -> list[float]:
    weights = [max(inquiry.weights[record.id], 0.0) for record in visible.records]
    total = sum(weights)
    return [weight / total for weight in weights] if total > 0 else [1 / len(weights)] * len(weights)


def _askable(visible: Visible, stated: Collection[Stated]) -> list[Attribute]:
    """The attributes that may be asked for: none that was stated, nor one that would tell a stated value as new."""
    paths = {s.path.split(".")[0] for s in stated if s.path is not None}
    values = {folded(s.value) for s in stated if s.value is not None}
    return [
        attribute
        for attribute in visible.attributes()
        if attribute.path.split(".")[0] not in paths
        and (attribute.is_label or values.isdisjoint(folded(v) for held in attribute.values for v in held))
    ]


def _by_weight(attribute: Attribute, posterior: Sequence[float]) -> list[JSON]:
    """The values of an attribute, the likeliest first; values that sound the same once."""
    masses: dict[str, float] = {}
    spelled: dict[str, JSON] = {}
    for values, p in zip(attribute.values, posterior, strict=True):
        for value in values:
            masses[folded(value)] = masses.get(folded(value), 0.0) + p
            spelled.setdefault(folded(value), value)
    return [spelled[key] for key in sorted(masses, key=lambda key: -masses[key])]
