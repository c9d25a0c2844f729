"""A task as a person sees it, from the observation alone; and what came of a decision that did not end it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ebf_env.envs.human.records import NumberedRecords, clean, read_time
from ebf_env.envs.observation import Observation
from ebf_env.json_types import JSON, JSONObject, ascii_json
from ebf_env.world import EntityPrecondition, ToolSpec
from ebf_env.world.entity import ANY_TYPE

HELP = (
    ("act TOOL slot=NUMBER[,NUMBER] ...", "call a tool on records; a tool's only slot may be left out"),
    ("ask [SLOT] [NUMBER ...]", "ask which record is meant, offering some of them"),
    ("defer REASON", "do nothing: no_referent (there is no such record), not_permitted, or your own words"),
    ("open NUMBER", "show one record whole, with messages and text"),
    ("find WORDS", "show the records that hold all these words"),
    ("more [TYPE]", "show the records left out; with a type, every field of its records"),
    ("show", "show the task again"),
    ("note WORDS", "a comment that is saved with your answer"),
    ("skip, quit", "leave the task, end the session"),
)

SIGNATURE_WIDTH = 48
"""Widest column of tools and their slots."""


def help_view() -> RenderableType:
    """What can be typed."""
    names = Text("Commands and names may be cut short as long as they stay unique: act send rec=3")
    return Group(_grid(HELP), names)


def task_view(number: int, observation: Observation, records: NumberedRecords) -> RenderableType:
    """The whole task: when, who, what was said, the tools and the records."""
    said = [*observation.history, {"role": "user", "content": observation.instruction}]
    return Group(
        "",
        Text(f"task {number}", style="bold underline"),
        _grid([("now", _now(observation.now)), ("user", _user(observation.user, records))]),
        "",
        _grid([(f"{turn.get('role', '?')}:", _text(turn.get("content"))) for turn in said]),
        "",
        _grid([("tools", ""), *map(_tool, observation.tools)], SIGNATURE_WIDTH),
        "",
        records.overview(),
    )


def news_view(messages: Sequence[JSONObject], reward: float, records: NumberedRecords) -> RenderableType:
    """What was answered to a decision, and what that cost."""
    parts = [part for message in messages if message.get("role") != "assistant" for part in _news(message, records)]
    return Group(*parts, Text(f"(reward {reward:+.2f})", style="dim"))


def _news(message: JSONObject, records: NumberedRecords) -> Iterator[RenderableType]:
    content = message.get("content")
    if not isinstance(content, dict):
        yield Text(clean(f"{message.get('role', '?')}: {_text(content)}"), style="bold")
        return
    results, opened = content.get("results"), content.get("records")
    if isinstance(results, list):
        yield Text(
            clean(f"{message.get('tool', 'tool')}: {len(results)} of {content.get('total')} found"), style="bold"
        )
        yield records.tables(_ids(results))
    if isinstance(opened, list):
        yield from map(records.whole, _ids(opened))


def _ids(found: Sequence[JSON]) -> list[str]:
    return [str(record["id"]) for record in found if isinstance(record, dict)]


def _now(now: str | None) -> str:
    moment = read_time(now)
    if moment is None:
        return now or "not known"
    offset = f" (UTC{moment.isoformat()[-6:]})" if moment.tzinfo else ""
    return f"{moment:%A} {moment.day} {moment:%B %Y, %H:%M}{offset}"


def _user(user: JSONObject | None, records: NumberedRecords) -> str:
    fields = dict(user or {})
    entity_id = fields.pop("id", None)
    name = fields.pop("name", None)
    known = isinstance(entity_id, str) and records.number(entity_id) is not None
    head = records.called(str(entity_id)) if known else _text(name or entity_id or "not known")
    return ", ".join([head, *map(_text, fields.values())])


def _tool(spec: ToolSpec) -> tuple[str, str]:
    slots = [_slot(p) for p in spec.preconditions] or (["WORDS"] if spec.is_search else [])
    return " ".join([spec.name, *slots]), spec.description


def _slot(precondition: EntityPrecondition) -> str:
    kind = "record" if precondition.entity_type == ANY_TYPE else precondition.entity_type
    text = f"{precondition.slot}={kind}" + (",..." if precondition.many else "")
    return text if precondition.required else f"[{text}]"


def _text(value: JSON) -> str:
    return value if isinstance(value, str) else ascii_json(value)


def _grid(rows: Iterable[tuple[str, str]], first_width: int | None = None) -> RenderableType:
    """Two columns without lines; the first is never folded, unless it is given a width."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=first_width is None, max_width=first_width)
    table.add_column()
    for first, second in rows:
        table.add_row(Text(clean(first)), Text(clean(second)))
    return Padding(table, (0, 0, 0, 2))
