"""An observation as a model reads it: complete, and in as few tokens as may be."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from ebf_agents.llm.words import LAYOUT, NO_RECORDS
from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.json_types import JSON, JSONObject
from ebf_env.world import ENTITY_TYPES, ToolSpec

_TIME = re.compile(r"(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):00(Z|[+-]\d{2}:\d{2})")
_OFFSET = re.compile(r".+T.+(Z|[+-]\d{2}:\d{2})")
_LOOKS_LIKE_ANOTHER = re.compile(r"true|false|null|-?\d+(\.\d+)?([eE][+-]?\d+)?|\d{4}-\d{2}-\d{2} \d{2}:\d{2}")
_NAME = re.compile(r"\w+")
_ENDS = re.compile(r"[;|]")
_ENDS_IN_PART = re.compile(r"[;|{}\[\]]")
_ENDS_IN_LIST = re.compile(r"[;|{}\[\],]")
_LABEL_FIELDS = ("name", "title", "subject")


def user_message(observation: Observation, method: str, *, with_tools: bool) -> str:
    """The first user message: everything but what was said in this episode.

    Args:
        observation: what the method shows.
        method: the method's words.
        with_tools: whether the tools are listed in it, too.
    """
    offset = offset_of(observation.now)
    parts = {
        "now": observation.now or "",
        "user": fields_text(observation.user, offset) if observation.user else "",
        "history": "\n".join(_turn(turn, offset) for turn in observation.history),
        "tools": "\n".join(map(tool_line, observation.tools)) if with_tools else "",
        "records": records_text(observation) or NO_RECORDS,
        "method": method,
        "instruction": observation.instruction,
    }
    return sendable("\n\n".join(filter(None, (_paragraph(text, parts) for text in LAYOUT.split("\n\n")))))


def _paragraph(template: str, parts: Mapping[str, str]) -> str:
    """A paragraph of the layout without the lines that would hold nothing; nothing if all it has is a heading."""
    lines = template.split("\n")
    filled = [line.format_map(parts) for line in lines if all(parts[name] for name in re.findall(r"\{(\w+)\}", line))]
    heading_only = len(lines) > 1 and filled == lines[:1]
    return "" if heading_only else "\n".join(filled)


def sendable(text: str) -> str:
    """Text that UTF-8 can hold: halves of surrogate pairs become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def offset_of(now: str | None) -> str:
    """The UTC offset of the time at the top, as it is written; times that have it, too, are shown without it."""
    found = _OFFSET.fullmatch(now or "")
    return found[1] if found else ""


def _turn(turn: JSONObject, offset: str) -> str:
    content = turn.get("content")
    said = content if isinstance(content, str) else compact_json(content)
    further = {key: value for key, value in turn.items() if key not in ("role", "content")}
    return f"{turn.get('role', '?')}: {said}" + (f" ({fields_text(further, offset)})" if further else "")


def records_text(observation: Observation) -> str:
    """The records in sight, grouped by type in the order in which types first appear."""
    offset = offset_of(observation.now)
    lines: dict[str, list[str]] = {}
    for shown in observation.entities:
        lines.setdefault(shown.type, [f"{shown.type}:"]).append(record_line(shown, offset))
    return "\n".join(line for group in lines.values() for line in group)


def record_line(shown: ObservedEntity, offset: str = "") -> str:
    """One record as ``id | label | field=value; field=value``; nothing of it is left out."""
    entity = shown.entity
    label_field = _label_field(shown)
    fields = {name: value for name, value in entity.fields.items() if name != label_field}
    if not shown.may_change:
        fields["access"] = "view"
    label = plain(entity.label, offset) if label_field else "-"
    return " | ".join(filter(None, (entity.id, label, fields_text(fields, offset))))


def _label_field(shown: ObservedEntity) -> str | None:
    """The field whose value is what the record is called, if it has one."""
    schema = ENTITY_TYPES.get(shown.type)
    names = (schema.label_field, *_LABEL_FIELDS) if schema else _LABEL_FIELDS
    return next((name for name in names if shown.entity.fields.get(name) == shown.entity.label), None)


def fields_text(fields: JSONObject, offset: str = "", ends: re.Pattern[str] = _ENDS) -> str:
    """Fields as ``field=value; field=value``."""
    return "; ".join(
        f"{name if _NAME.fullmatch(name) else compact_json(name)}={plain(value, offset, ends)}"
        for name, value in fields.items()
    )


def plain(value: JSON, offset: str = "", ends: re.Pattern[str] = _ENDS) -> str:
    """A value without quotes where it cannot be mistaken, else as compact JSON.

    What reads as another kind of value, holds a separator, or does not fit on one line is quoted, so that a line can be
    read in one way only.

    Args:
        value: the value.
        offset: the UTC offset that times are shown without.
        ends: the signs that end a value where it stands.
    """
    if isinstance(value, Mapping):
        return f"{{{fields_text(value, offset, _ENDS_IN_PART)}}}"
    if isinstance(value, list | tuple):
        return f"[{','.join(plain(item, offset, _ENDS_IN_LIST) for item in value)}]"
    if not isinstance(value, str):
        return compact_json(value)
    time = _TIME.fullmatch(value)
    if time and time[3] == offset:
        return f"{time[1]} {time[2]}"
    bare = (
        value
        and value == value.strip()
        and value.isprintable()
        and value[0] not in '"[{'
        and not ends.search(value)
        and not _LOOKS_LIKE_ANOTHER.fullmatch(value)
    )
    return value if bare else compact_json(value)


def compact_json(value: JSON) -> str:
    """Compact JSON on one line; characters that are no letters, signs or blanks are escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if text.isprintable() else json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def tool_line(spec: ToolSpec) -> str:
    """One tool as ``name(slot: type, optional?: type, many[]: type) {arguments} - description``."""
    slots = ", ".join(
        f"{p.slot}{'[]' if p.many else ''}{'' if p.required else '?'}: {p.entity_type}" for p in spec.preconditions
    )
    arguments = f" {{{', '.join(p.name for p in spec.parameters)}}}" if spec.parameters else ""
    return f"{spec.name}({slots}){arguments} - {' '.join(spec.description.split())}"
