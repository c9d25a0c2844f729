"""Reports: runs grouped by what they have in common, as a table, JSON or CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias, get_args

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ebf_env.errors import ConfigurationError
from ebf_env.evaluation.metrics import Metric, Profile, metrics
from ebf_env.evaluation.scored import ScoredRun
from ebf_env.scoring import Outcome
from ebf_env.scoring.propagation import steps_of
from ebf_env.tasks import Condition, Label
from ebf_env.world import ActionType, RiskLevel

Value: TypeAlias = str | int | float | None
Row: TypeAlias = dict[str, Value]

PAPER_METHODS = (
    "direct",
    "semantic_filter",
    "cmtf_only",
    "entity_retrieval",
    "confidence_gate",
    "entity_cmtf_provenance",
)
"""The paper's six methods, in the order of its tables."""

GROUPS: Mapping[str, Callable[[ScoredRun], Value]] = {
    "method": lambda r: r.record.method,
    "backend": lambda r: r.record.backend,
    "model": lambda r: r.record.model,
    "condition": lambda r: r.task.condition.value,
    "base_condition": lambda r: (r.task.base_condition or r.task.condition).value,
    "label": lambda r: r.task.label.value,
    "risk": lambda r: r.task.effective_risk.value,
    "domain": lambda r: r.task.domain,
    "tool": lambda r: r.task.tool,
    "action_type": lambda r: r.task.spec.action_type.value,
    "difficulty": lambda r: r.task.difficulty,
    "steps": lambda r: steps_of(r.task),
    "split": lambda r: r.task.split,
    "outcome": lambda r: r.verdict.outcome.value,
    "trial": lambda r: r.record.trial,
    "task": lambda r: r.task.task_id,
}
"""What runs can be grouped by; tool, action type and risk are the task's own."""

_ORDERS: Mapping[str, Sequence[str]] = {
    "method": PAPER_METHODS,
    "condition": [c.value for c in Condition],
    "base_condition": [c.value for c in Condition],
    "label": [label.value for label in Label],
    "risk": [level.value for level in RiskLevel],
    "action_type": [a.value for a in ActionType],
    "outcome": [o.value for o in Outcome],
}


def parse_groups(text: str) -> tuple[str, ...]:
    """Group keys from comma-separated text.

    Raises:
        ConfigurationError: a key is unknown or given twice.
    """
    keys = tuple(key.strip() for key in text.split(",") if key.strip())
    for key in keys:
        if key not in GROUPS:
            raise ConfigurationError(f"runs cannot be grouped by {key!r}; known: {', '.join(GROUPS)}")
    if len(set(keys)) != len(keys) or not keys:
        raise ConfigurationError(f"expected group keys such as 'method,condition', got {text!r}")
    return keys


def summarize(runs: Iterable[ScoredRun], by: Sequence[str] = ("method",), profile: Profile = "paper") -> list[Row]:
    """One row for each group of runs.

    A row holds the group's keys, ``runs``, ``resolvable_runs``, ``errors``, and every metric (None where undefined).

    Raises:
        ConfigurationError: the profile is unknown.
    """
    if profile not in get_args(Profile):
        raise ConfigurationError(f"unknown profile {profile!r}; known: {', '.join(get_args(Profile))}")
    groups: dict[tuple[Value, ...], list[ScoredRun]] = {}
    for run in runs:
        groups.setdefault(tuple(GROUPS[key](run) for key in by), []).append(run)
    rows: list[Row] = []
    for values in sorted(groups, key=lambda v: tuple(_rank(key, value) for key, value in zip(by, v, strict=True))):
        members = groups[values]
        row: Row = dict(zip(by, values, strict=True))
        row["runs"] = len(members)
        row["resolvable_runs"] = sum(run.resolvable for run in members)
        row["errors"] = sum(run.verdict.outcome is Outcome.ERROR for run in members)
        row.update({metric.name: metric.of(members) for metric in metrics(profile)})
        rows.append(row)
    return rows


def _rank(key: str, value: Value) -> tuple[int, float, str]:
    order = _ORDERS.get(key, ())
    if isinstance(value, str):
        return (0, order.index(value), "") if value in order else (1, 0.0, value)
    return (2, float(value), "") if value is not None else (3, 0.0, "")


def as_json(rows: Sequence[Row]) -> str:
    """Rows as a JSON list of objects; rates are fractions, undefined ones null."""
    return json.dumps(rows, indent=2)


def as_csv(rows: Sequence[Row]) -> str:
    """Rows as CSV with a heading; rates are fractions, undefined ones empty."""
    buffer = io.StringIO()
    if rows:
        writer = csv.DictWriter(buffer, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return buffer.getvalue()


def print_table(
    console: Console, rows: Sequence[Row], by: Sequence[str], profile: Profile, *, title: str | None = None
) -> None:
    """Print rows as a table: rates in percent, risk-weighted exposure as a mean weight.

    A terminal too narrow for all columns gets several tables, and one too narrow for those wraps lines; what is not a
    terminal gets one table as wide as it needs. Numbers are never cut.
    """
    room = console.width if console.is_terminal else 10_000
    left = list(metrics(profile))
    while left:
        count = len(left)
        while count > 1 and _width(console, rows, by, left[:count]) > room:
            count -= 1
        needed = _width(console, rows, by, left[:count])
        fits = console.is_terminal and needed <= room
        (console if fits else Console(file=console.file, width=needed)).print(_table(rows, by, left[:count], title))
        left, title = left[count:], None
    for note in notes(rows, profile):
        console.print(Text(note), soft_wrap=True)


def _width(console: Console, rows: Sequence[Row], by: Sequence[str], columns: Sequence[Metric]) -> int:
    options = console.options.update(max_width=10_000)
    return console.measure(_table(rows, by, columns, None), options=options).maximum


def _table(rows: Sequence[Row], by: Sequence[str], columns: Sequence[Metric], title: str | None) -> Table:
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False, padding=(0, 1, 0, 0))
    for key in by:
        table.add_column(key, no_wrap=True, vertical="bottom")
    for heading in ("runs", "resol-\nvable", "errors", *(metric.title.replace(" ", "\n") for metric in columns)):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        cells = ["-" if row[key] is None else str(row[key]) for key in by]
        cells += [str(row[name]) for name in ("runs", "resolvable_runs", "errors")]
        cells += [_shown(metric, row[metric.name]) for metric in columns]
        table.add_row(*map(Text, cells))
    return table


def _shown(metric: Metric, value: Value) -> str:
    if not isinstance(value, int | float):
        return "-"
    return f"{100 * value:.1f}" if metric.percent else f"{value:.3f}"


def notes(rows: Sequence[Row], profile: Profile) -> list[str]:
    """What a reader of the table must know."""
    over = "all runs of a row" if profile == "paper" else "the runs each metric is defined on (paper, section V-H)"
    lines = [
        f"Rates in %, means over {over}; "
        "completion and over-asking over resolvable runs, true ambiguity over truly ambiguous ones."
    ]
    errors = sum(row["errors"] for row in rows if isinstance(row["errors"], int))
    if errors:
        lines.append(
            f"{errors} run(s) have no verdict because the service failed. They stay in every denominator, so a rate "
            "may be higher than printed, by as much as their share of it."
        )
    return lines
