"""An episode as a person reads it in a terminal."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping

from rich import box
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from ebf_env.decisions import Clarify, Decision, Defer, Invalid, ToolCall
from ebf_env.envs.episode import Episode
from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.json_types import JSON, JSONObject, ascii_json
from ebf_env.tasks import reference_decision
from ebf_env.world import ENTITY_TYPES
from ebf_env.world.binding import as_ids

MAX_ROWS = 60
"""Most records a rendering lists."""


def render_text(episode: Episode, *, width: int = 110) -> str:
    """The whole episode as plain text, without escape sequences."""
    return _as_text(episode_view(episode), width)


def render_news(episode: Episode, *, width: int = 110) -> str:
    """What the last decision led to, as plain text: what was said since, and the verdict once the episode has ended."""
    messages = episode.observation.messages
    begin = max((n for n, message in enumerate(messages) if message.get("role") == "assistant"), default=0)
    parts: list[RenderableType] = [_messages(messages[begin:], f"step {episode.observation.step}")]
    return _as_text(Group(*parts, *_verdict(episode)), width)


def _as_text(view: RenderableType, width: int) -> str:
    buffer = io.StringIO()
    Console(file=buffer, width=width, color_system=None, legacy_windows=False).print(view)
    return buffer.getvalue()


def episode_view(episode: Episode) -> RenderableType:
    """The episode as a rich renderable: what the agent sees, and the verdict once it has ended."""
    return Group(observation_view(episode.observation), *_verdict(episode))


def _verdict(episode: Episode) -> list[RenderableType]:
    if episode.verdict is None:
        return []
    task, verdict = episode.task, episode.verdict
    right = reference_decision(task, episode.answered)
    lines = [
        f"{verdict.outcome.value}   ({task.condition.value}, {task.label.value}, {verdict.risk.value} risk)",
        f"decided: {_in_words(episode, episode.decisions[-1])}",
        f"right:   {_in_words(episode, right)}",
    ]
    return [Panel(_plain("\n".join(lines)), title="verdict", title_align="left", box=box.ROUNDED)]


def _in_words(episode: Episode, decision: Decision) -> str:
    match decision:
        case ToolCall():
            slots = (f"{slot} = {_names(episode, as_ids(bound))}" for slot, bound in decision.bindings.items())
            return f"{decision.tool}({', '.join(slots)})"
        case Clarify():
            return f"ask about {decision.slot or 'something'}"
        case Defer():
            return f"defer ({decision.reason})" if decision.reason else "defer"
        case Invalid():
            return f"nothing that can be done: {decision.reason}"


def _names(episode: Episode, ids: tuple[str, ...]) -> str:
    entities = ((entity_id, episode.task.world.get(entity_id)) for entity_id in ids)
    return " and ".join(f"{entity.label} ({entity_id})" if entity else str(entity_id) for entity_id, entity in entities)


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
        parts.append(_messages(observation.messages, "so far"))
    return Group(*parts)


def _records(entities: tuple[ObservedEntity, ...]) -> RenderableType:
    if not entities:
        return _plain("records in sight: none yet")
    table = Table(box=box.SIMPLE_HEAD, title=f"records in sight: {len(entities)}", title_justify="left", pad_edge=False)
    for name in ("id", "type", "called", "details"):
        table.add_column(name, overflow="fold")
    labels = {shown.id: shown.entity.label for shown in entities}
    for shown in entities[:MAX_ROWS]:
        table.add_row(*(_plain(cell) for cell in (shown.id, shown.type, shown.entity.label, _details(shown, labels))))
    if len(entities) > MAX_ROWS:
        table.add_row("...", "", f"and {len(entities) - MAX_ROWS} more", "")
    return table


def _details(shown: ObservedEntity, labels: Mapping[str, str]) -> str:
    schema = ENTITY_TYPES.get(shown.type)
    hidden = (schema.detail_fields if schema else frozenset()) | {schema.label_field if schema else ""}
    label = shown.entity.label
    pairs = [f"{k}={_short(v, labels)}" for k, v in shown.entity.fields.items() if k not in hidden and v != label]
    return "; ".join([*pairs, *([] if shown.may_change else ["access=view"])])


def _short(value: JSON, labels: Mapping[str, str]) -> str:
    """A value in few words; an id of a record in sight by what that is called."""
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        text = ", ".join(labels.get(str(item), str(item)) for item in value)
    else:
        text = labels.get(value, value) if isinstance(value, str) else ascii_json(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _messages(messages: Iterable[JSONObject], title: str) -> RenderableType:
    text = Text()
    for message in messages:
        content = message.get("content")
        said = content if isinstance(content, str) else ascii_json(content)
        text.append(_clean(f"{message.get('role', '?')}: "), style="bold")
        text.append(_clean(said if len(said) <= 300 else said[:297] + "...") + "\n")
    text.rstrip()
    return Panel(text, title=title, title_align="left", box=box.ROUNDED)


def _plain(text: str) -> Text:
    return Text(_clean(text))


def _clean(text: str) -> str:
    """Text without control characters, so that no record or model can move the cursor or colour the screen."""
    return "".join(c if c == "\n" or c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
