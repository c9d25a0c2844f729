"""Reports: runs grouped by what they have in common, as a table, JSON or CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, get_args

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ebf_env.errors import ConfigurationError
from ebf_env.evaluation.attribution import ATTRIBUTED, Cause, cause_of
from ebf_env.evaluation.clarification import CLARIFICATION_METRICS, asked_runs
from ebf_env.evaluation.metrics import Column, Profile, metrics
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
    "cause": lambda r: None if (cause := cause_of(r)) is None else cause.value,
    "trial": lambda r: r.record.trial,
    "task": lambda r: r.task.task_id,
}
"""What runs can be grouped by; tool, action type and risk are the task's own, and right runs have no cause."""

_ORDERS: Mapping[str, Sequence[str]] = {
    "method": PAPER_METHODS,
    "condition": [c.value for c in Condition],
    "base_condition": [c.value for c in Condition],
    "label": [label.value for label in Label],
    "risk": [level.value for level in RiskLevel],
    "action_type": [a.value for a in ActionType],
    "outcome": [o.value for o in Outcome],
    "cause": [c.value for c in Cause],
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
    rows: list[Row] = []
    for row, members in _grouped(runs, by):
        _count(row, members)
        row.update({metric.name: metric.of(members) for metric in metrics(profile)})
        rows.append(row)
    return rows


def summarize_clarification(runs: Iterable[ScoredRun], by: Sequence[str] = ("method",)) -> list[Row]:
    """One row for each group of runs.

    A row holds the group's keys, ``runs``, ``resolvable_runs``, ``errors``, the ``questions`` asked in all, and every
    metric of questions (None where undefined).
    """
    rows: list[Row] = []
    for row, members in _grouped(runs, by):
        asked = asked_runs(members)
        _count(row, members)
        row.update({metric.name: metric.of(asked) for metric in CLARIFICATION_METRICS})
        rows.append(row)
    return rows


def _count(row: Row, members: Sequence[ScoredRun]) -> None:
    row["runs"] = len(members)
    row["resolvable_runs"] = sum(run.resolvable for run in members)
    row["errors"] = sum(run.verdict.outcome is Outcome.ERROR for run in members)


def summarize_causes(runs: Iterable[ScoredRun], by: Sequence[str] = ("method",)) -> list[Row]:
    """One row for each group of runs and each cause that wrong or unneeded outcomes in it have.

    A row holds the group's keys, its ``runs``, how many of them are ``wrong`` or unneeded, the ``cause``, the ``count``
    of runs with that cause, and its ``share`` of the wrong ones. A group in which nothing is wrong has one row, with no
    cause and no share.

    Raises:
        ConfigurationError: runs are grouped by cause already.
    """
    if "cause" in by:
        raise ConfigurationError(
            "the causes of runs grouped by 'cause' say nothing new; leave it out of the group keys"
        )
    rows: list[Row] = []
    for row, members in _grouped(runs, by):
        wrong = sum(run.verdict.outcome in ATTRIBUTED for run in members)
        row.update(runs=len(members), wrong=wrong)
        if not wrong:
            rows.append({**row, "cause": None, "count": 0, "share": None})
        for of_cause, caused in _grouped(members, ("cause",)):
            if of_cause["cause"] is not None:
                rows.append({**row, **of_cause, "count": len(caused), "share": len(caused) / wrong})
    return rows


def _grouped(runs: Iterable[ScoredRun], by: Sequence[str]) -> Iterator[tuple[Row, list[ScoredRun]]]:
    """Each group's keys, to be filled up into a row, and its runs; in the order of the keys."""
    groups: dict[tuple[Value, ...], list[ScoredRun]] = {}
    for run in runs:
        groups.setdefault(tuple(GROUPS[key](run) for key in by), []).append(run)
    for values in sorted(groups, key=lambda v: tuple(_rank(key, value) for key, value in zip(by, v, strict=True))):
        yield dict(zip(by, values, strict=True)), groups[values]


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
    _print_columns(console, rows, by, metrics(profile), title)
    for note in notes(rows, profile):
        console.print(Text(note), soft_wrap=True)


def print_clarification(console: Console, rows: Sequence[Row], by: Sequence[str]) -> None:
    """Print rows of metrics of questions as a table."""
    _print_columns(console, rows, by, CLARIFICATION_METRICS, None)
    for note in (
        "Rates in %. Recall and over-asking are over runs, precision over runs with a question, sufficient over runs "
        "with an answer that told something; grounded, discriminative, minimal and redundant are means over questions.",
        *_errors(rows),
    ):
        console.print(Text(note), soft_wrap=True)


def _print_columns(
    console: Console, rows: Sequence[Row], by: Sequence[str], columns: Sequence[Column], title: str | None
) -> None:
    room = console.width if console.is_terminal else 10_000
    left = list(columns)
    while left:
        count = len(left)
        while count > 1 and _width(console, rows, by, left[:count]) > room:
            count -= 1
        needed = _width(console, rows, by, left[:count])
        fits = console.is_terminal and needed <= room
        (console if fits else Console(file=console.file, width=needed)).print(_table(rows, by, left[:count], title))
        left, title = left[count:], None


def print_causes(console: Console, rows: Sequence[Row], by: Sequence[str]) -> None:
    """Print rows of causes as a table: shares in percent of the wrong or unneeded runs of the group."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for key in by:
        table.add_column(key, no_wrap=True)
    for heading in ("runs", "wrong", "cause", "count", "share"):
        table.add_column(heading, justify="left" if heading == "cause" else "right", no_wrap=True)
    for number, row in enumerate(rows):
        keys = [*by, "runs", "wrong"]
        goes_on = number > 0 and all(row[key] == rows[number - 1][key] for key in keys)
        cells = ["" if goes_on else "-" if row[key] is None else str(row[key]) for key in keys]
        share = f"{100 * row['share']:.1f}" if isinstance(row["share"], float) else "-"
        table.add_row(*map(Text, [*cells, str(row["cause"] or "-"), str(row["count"]), share]))
    needed = console.measure(table, options=console.options.update(max_width=10_000)).maximum
    fits = console.is_terminal and needed <= console.width
    (console if fits else Console(file=console.file, width=needed)).print(table)
    console.print(Text("Shares in % of the wrong or unneeded runs; each of them has one cause."), soft_wrap=True)


def _width(console: Console, rows: Sequence[Row], by: Sequence[str], columns: Sequence[Column]) -> int:
    options = console.options.update(max_width=10_000)
    return console.measure(_table(rows, by, columns, None), options=options).maximum


def _table(rows: Sequence[Row], by: Sequence[str], columns: Sequence[Column], title: str | None) -> Table:
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


def _shown(metric: Column, value: Value) -> str:
    if not isinstance(value, int | float):
        return "-"
    if isinstance(value, int) and not metric.percent:
        return str(value)
    return f"{100 * value:.1f}" if metric.percent else f"{value:.3f}"


def notes(rows: Sequence[Row], profile: Profile) -> list[str]:
    """What a reader of the table must know."""
    over = "all runs of a row" if profile == "paper" else "the runs each metric is defined on (paper, section V-H)"
    lines = [
        f"Rates in %, means over {over}; "
        "completion and over-asking over resolvable runs, true ambiguity over truly ambiguous ones."
    ]
    return [*lines, *_errors(rows)]


def _errors(rows: Sequence[Row]) -> list[str]:
    errors = sum(row["errors"] for row in rows if isinstance(row["errors"], int))
    if not errors:
        return []
    return [
        f"{errors} run(s) have no verdict because the service failed. They stay in every denominator, so a rate "
        "may be higher than printed, by as much as their share of it."
    ]
