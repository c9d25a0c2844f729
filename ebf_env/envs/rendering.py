"""An episode as a person reads it in a terminal."""

from __future__ import annotations

import io
from collections.abc import Iterable

from rich import box
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ebf_env.envs.episode import Episode
from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.json_types import JSON, JSONObject, ascii_json
from ebf_env.world import ENTITY_TYPES

MAX_ROWS = 60
"""Most records a rendering lists."""


def render_text(episode: Episode, *, width: int = 110) -> str:
    """The episode as plain text, without escape sequences."""
    buffer = io.StringIO()
    Console(file=buffer, width=width, color_system=None, legacy_windows=False).print(episode_view(episode))
    return buffer.getvalue()


def episode_view(episode: Episode) -> RenderableType:
    """The episode as a rich renderable: what the agent sees, and the verdict once it has ended."""
    parts: list[RenderableType] = [observation_view(episode.observation)]
    if episode.verdict is not None:
        task, verdict = episode.task, episode.verdict
        line = f"{verdict.outcome.value}   ({task.condition.value}, {task.label.value}, {verdict.risk.value} risk)"
        parts.append(Panel(_plain(line), title="verdict", title_align="left", box=box.ROUNDED))
    return Group(*parts)


def observation_view(observation: Observation) -> RenderableType:
    """What an agent sees, as a rich renderable."""
    head = Text()
    if observation.now or observation.user:
        who = observation.user or {}
        name = who.get("name") or who.get("id") or "somebody"
        head.append(_clean(f"{observation.now or ''}  {name} says:".strip()) + "\n", style="dim")
    for turn in observation.history:
        head.append(_clean(f"{turn.get('role', '?')}: {turn.get('content', '')}") + "\n", style="italic")
    head.append(_clean(observation.instruction), style="bold")
    tools = ", ".join(spec.name for spec in observation.tools)
    parts: list[RenderableType] = [
        Panel(head, title="instruction", title_align="left", box=box.ROUNDED),
        _plain(f"tools: {tools}"),
        _records(observation.entities),
    ]
    if observation.messages:
        parts.append(_messages(observation.messages))
    return Group(*parts)


def _records(entities: tuple[ObservedEntity, ...]) -> RenderableType:
    if not entities:
        return _plain("records in sight: none yet")
    table = Table(box=box.SIMPLE_HEAD, title=f"records in sight: {len(entities)}", title_justify="left", pad_edge=False)
    for name in ("id", "type", "called", "details"):
        table.add_column(name, overflow="fold")
    for shown in entities[:MAX_ROWS]:
        table.add_row(*(_plain(cell) for cell in (shown.id, shown.type, shown.entity.label, _details(shown))))
    if len(entities) > MAX_ROWS:
        table.add_row("...", "", f"and {len(entities) - MAX_ROWS} more", "")
    return table


def _details(shown: ObservedEntity) -> str:
    schema = ENTITY_TYPES.get(shown.type)
    hidden = (schema.detail_fields if schema else frozenset()) | {schema.label_field if schema else ""}
    label = shown.entity.label
    pairs = [f"{k}={_short(v)}" for k, v in shown.entity.fields.items() if k not in hidden and v != label]
    return "; ".join([*pairs, *([] if shown.may_change else ["access=view"])])


def _short(value: JSON) -> str:
    text = value if isinstance(value, str) else ascii_json(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _messages(messages: Iterable[JSONObject]) -> RenderableType:
    text = Text()
    for message in messages:
        content = message.get("content")
        said = content if isinstance(content, str) else ascii_json(content)
        text.append(_clean(f"{message.get('role', '?')}: "), style="bold")
        text.append(_clean(said if len(said) <= 300 else said[:297] + "...") + "\n")
    text.rstrip()
    return Panel(text, title="so far", title_align="left", box=box.ROUNDED)


def _plain(text: str) -> Text:
    return Text(_clean(text))


def _clean(text: str) -> str:
    """Text without control characters, so that no record or model can move the cursor or colour the screen."""
    return "".join(c if c == "\n" or c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
