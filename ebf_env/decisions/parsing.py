"""Reading a decision out of a model's text, and writing one.

Strict about meaning, tolerant about packaging. Tolerated: code fences, prose or reasoning around the JSON object, raw
control characters inside strings, trailing commas, upper or lower case of the decision, a slot name with a type suffix
(``recipient:person``), ids in a list or in an object ``{"entity_id": ...}``, bindings as a list of slots, null or empty
bindings (read as not bound). Never tolerated: two different decisions, a key given twice with different values, a
decision that is missing or unknown, text that is cut off. What cannot be understood is :class:`Invalid` with a reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from ebf_env.decisions.decision import Clarify, Decision, Defer, Evidence, Invalid, Option, ToolCall
from ebf_env.decisions.extraction import UnreadableError, json_objects
from ebf_env.json_types import JSON, JSONObject, ascii_json, canonical_json, shown
from ebf_env.world.binding import Binding, as_ids, plain_binding

_KEYWORDS = {"ACT", "CLARIFY", "DEFER"}


def parse_decision(text: str) -> Decision:
    """The decision in a model's answer, or :class:`Invalid`; never raises."""
    try:
        different = {canonical_json(decision_json(d)): d for d in map(_decision, json_objects(text, vital="decision"))}
    except UnreadableError as error:
        return Invalid(str(error))
    if len(different) > 1:
        return Invalid(f"the answer holds {len(different)} different decisions")
    return next(iter(different.values()))


# --- reading its meaning ---


def _decision(value: JSONObject) -> Decision:
    keyword = value.get("decision")
    if not isinstance(keyword, str) or keyword.strip().upper() not in _KEYWORDS:
        raise UnreadableError(f"'decision' is {shown(keyword)}, expected 'ACT', 'CLARIFY' or 'DEFER'")
    evidence, scores = tuple(_evidence(value.get("provenance"))), _scores(value.get("scores"))
    tool = _optional_text(value, "tool")
    match keyword.strip().upper():
        case "ACT":
            if not tool:
                raise UnreadableError("the decision is ACT, but 'tool' names no tool")
            return ToolCall(
                tool, _bindings(value.get("bindings")), _arguments(value.get("arguments")), evidence, scores
            )
        case "CLARIFY":
            return Clarify(
                _optional_text(value, "clarification_question") or "",
                _slot_name(slot) if (slot := _optional_text(value, "slot")) else None,
                tuple(item for item in _list(value.get("attributes")) if isinstance(item, str)),
                tuple(_options(value.get("options"))),
                tool,
                _bindings_if_any(value.get("bindings")),
                evidence,
                scores,
            )
        case _:
            return Defer(_optional_text(value, "reason") or "", evidence, scores)


def _list(value: JSON) -> list[JSON]:
    return list(value) if isinstance(value, list) else []


def _optional_text(value: JSONObject, key: str) -> str | None:
    given = value.get(key)
    if given is None:
        return None
    if not isinstance(given, str):
        raise UnreadableError(f"{key!r} is {shown(given)}, expected text")
    return given.strip()


def _slot_name(name: str) -> str:
    return name.split(":", 1)[0].strip()


def _bindings(value: JSON) -> dict[str, Binding]:
    if value is None:
        return {}
    if isinstance(value, list):
        pairs: list[tuple[str, JSON]] = []
        for item in value:
            if not isinstance(item, Mapping) or not isinstance(slot := item.get("slot"), str):
                raise UnreadableError('\'bindings\' is a list whose items are not {"slot": ..., "entity_id": ...}')
            pairs.append((slot, item))
    elif isinstance(value, Mapping):
        pairs = list(value.items())
    else:
        raise UnreadableError(f"'bindings' is {shown(value)}, expected an object from slot to entity id")
    result: dict[str, Binding] = {}
    merged: dict[str, dict[str, None]] = {}
    for raw_slot, raw in pairs:
        slot, bound = _slot_name(raw_slot), _bound(raw_slot, raw)
        if bound is None:
            continue
        if slot in result and as_ids(result[slot]) != as_ids(bound) and not isinstance(value, list):
            raise UnreadableError(f"the slot {shown(slot)} is bound twice to different entities")
        merged.setdefault(slot, {}).update(dict.fromkeys(as_ids(bound)))
        result.setdefault(slot, bound)
    return {slot: tuple(ids) if len(ids) > 1 else result[slot] for slot, ids in merged.items()}


def _bound(slot: str, raw: JSON) -> Binding | None:
    if raw is None:
        return None
    if isinstance(raw, str):
        return raw.strip() or None
    if isinstance(raw, int) and not isinstance(raw, bool):
        return str(raw)
    if isinstance(raw, Mapping):
        keys = [key for key in ("entity_id", "id") if raw.get(key) is not None]
        if not keys and ("entity_id" in raw or "id" in raw):
            return None
        if len(keys) == 1 and not isinstance(raw[keys[0]], Mapping):
            return _bound(slot, raw[keys[0]])
    if isinstance(raw, list):
        items = [_bound(slot, item) for item in raw]
        if not any(isinstance(item, tuple) for item in items):
            return tuple(dict.fromkeys(item for item in items if isinstance(item, str))) or None
    raise UnreadableError(f"the slot {shown(slot)} is bound to {shown(raw)}, expected an entity id or a list of ids")


def _bindings_if_any(value: JSON) -> dict[str, Binding]:
    try:
        return _bindings(value)
    except UnreadableError:
        return {}


def _arguments(value: JSON) -> JSONObject:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise UnreadableError(f"'arguments' is {shown(value)}, expected an object")
    return value


def _evidence(value: JSON) -> Iterator[Evidence]:
    for item in [value] if isinstance(value, str | Mapping) else _list(value):
        if isinstance(item, str):
            yield Evidence(text=item)
        elif isinstance(item, Mapping):
            slot, entity_id = _text_of(item.get("slot")), _text_of(item.get("entity_id"))
            slot = _slot_name(slot) if slot else None
            given = item.get("evidence")
            if isinstance(given, list | Mapping):
                for part in [given] if isinstance(given, Mapping) else given:
                    yield _evidence_record(part, slot, entity_id)
            else:
                yield _evidence_record(item, slot, entity_id)


def _evidence_record(item: JSON, slot: str | None, entity_id: str | None) -> Evidence:
    if not isinstance(item, Mapping):
        return Evidence(slot, entity_id, text=_text_of(item))
    weight = item.get("weight")
    number = (
        float(weight)
        if isinstance(weight, int | float) and not isinstance(weight, bool) and abs(weight) < 1e300
        else None
    )
    return Evidence(
        slot,
        entity_id,
        _text_of(item.get("source_id")),
        _text_of(item.get("field")),
        item.get("value"),
        number,
        _text_of(item.get("evidence")),
    )


def _text_of(value: JSON) -> str | None:
    return None if value is None else value if isinstance(value, str) else ascii_json(value)


def _options(value: JSON) -> Iterator[Option]:
    for item in _list(value):
        if isinstance(item, str):
            yield Option(item)
        elif isinstance(item, Mapping):
            entity_id = item.get("entity_id", item.get("id"))
            values = item.get("values")
            if isinstance(entity_id, int) and not isinstance(entity_id, bool):
                entity_id = str(entity_id)
            if isinstance(entity_id, str):
                yield Option(entity_id, values if isinstance(values, Mapping) else {})


Scores: TypeAlias = dict[str, dict[str, float]]


def _scores(value: JSON) -> Scores:
    if not isinstance(value, Mapping):
        return {}
    result: Scores = {}
    for slot, by_id in value.items():
        if isinstance(by_id, Mapping):
            usable = {
                entity_id: float(score)
                for entity_id, score in by_id.items()
                if isinstance(score, int | float) and not isinstance(score, bool) and 0 <= score <= 1
            }
            if usable:
                result[_slot_name(slot)] = usable
    return result


# --- writing ---


def decision_json(decision: Decision) -> dict[str, JSON]:
    """A decision as a JSON object in the paper's response format, extended by this project's optional keys.

    An :class:`Invalid` one becomes an object without a readable decision, so that reading it back is invalid again.
    """
    if isinstance(decision, Invalid):
        return {"decision": "INVALID", "reason": decision.reason}
    content: dict[str, JSON] = {}
    match decision:
        case ToolCall():
            content = {"decision": "ACT", "tool": decision.tool, "bindings": _plain(decision.bindings)}
            if decision.arguments:
                content["arguments"] = decision.arguments
        case Clarify():
            content = {"decision": "CLARIFY", "tool": decision.tool, "bindings": _plain(decision.bindings)}
            content["clarification_question"] = decision.question
            if decision.slot:
                content["slot"] = decision.slot
            if decision.attributes:
                content["attributes"] = list(decision.attributes)
            if decision.options:
                content["options"] = [option.to_json() for option in decision.options]
        case Defer():
            content = {"decision": "DEFER", "reason": decision.reason}
    if decision.evidence:
        content["provenance"] = [evidence.to_json() for evidence in decision.evidence]
    if decision.scores:
        content["scores"] = {slot: dict(by_id) for slot, by_id in decision.scores.items()}
    return content


def _plain(bindings: Mapping[str, Binding]) -> dict[str, JSON]:
    return {slot: plain_binding(bound) for slot, bound in bindings.items()}


def decision_text(decision: Decision) -> str:
    """A decision as ASCII JSON text: what ``env.step`` takes and scripted backends answer."""
    return ascii_json(decision_json(decision))
