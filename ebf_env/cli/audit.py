"""``ebf audit``: a suite proven anew from its file alone, and searched for shortcuts."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ebf_env.cli.evaluate import STARTER
from ebf_env.json_types import JSON, ascii_json

if TYPE_CHECKING:
    from ebf_generators.audit import AuditReport, Measurements, Overlap

_WIDTH_ELSEWHERE = 200
"""Width of the table where it is not printed to a terminal."""


def audit_command(
    suites: Annotated[
        list[str],
        typer.Argument(metavar="SUITE...", help="Suite files, or 'starter' for the suite that ships with the project."),
    ],
    max_tasks: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Only the first tasks of each suite, to the end of the last one's family (its seal goes unchecked).",
        ),
    ] = None,
    classifiers: Annotated[
        bool, typer.Option("--classifiers/--no-classifiers", help="Whether to fit the classifiers that must fail.")
    ] = True,
    workers: Annotated[int, typer.Option(min=1, help="Processes; the result does not depend on their number.")] = 2,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
) -> None:
    """Prove every label of a suite anew, from the file alone, and look for shortcuts to the labels.

    Exit code 0: no criterion fails; 1: some do. Labels of tasks without forms cannot be proven; it is said how many
    were. Several suites are audited one by one, and what they say in different splits is compared.

    Example: ebf audit suites/train.jsonl suites/test.jsonl
    """
    from ebf_generators.audit import across_splits

    reports: list[AuditReport] = []
    measured: list[Measurements] = []
    for suite in suites:
        measurements, report = _audit(suite, max_tasks, classifiers, workers)
        measured.append(measurements)
        reports.append(report)
    across = across_splits(measured)
    passed = all(report.passed for report in reports)
    if as_json:
        suites_json: list[JSON] = [report.to_json() for report in reports]
        sys.stdout.write(
            ascii_json({"passed": passed, "suites": suites_json, "across_splits": [pair.to_json() for pair in across]})
            + "\n"
        )
    else:
        for report in reports:
            _print(report)
        _print_across(across)
    if not passed:
        raise typer.Exit(1)


def _audit(suite: str, max_tasks: int | None, classifiers: bool, workers: int) -> tuple[Measurements, AuditReport]:
    from ebf_env.cli.progress import progress
    from ebf_generators.audit import FITS, measure_suite, survey

    with _file_of(suite) as path:
        found = survey(path)
        expected = found.lines if max_tasks is None else min(max_tasks, found.lines)
        with progress("tasks", expected) as advance:
            measurements = measure_suite(found, most=max_tasks, workers=workers, on_task=advance)
    with progress("classifiers fitted", FITS) as advance:
        report = measurements.report(classifiers=classifiers, on_fit=advance)
    return measurements, report


@contextlib.contextmanager
def _file_of(suite: str) -> Iterator[Path]:
    if suite == STARTER and not Path(suite).exists():
        with resources.as_file(resources.files("ebf_env.data") / "starter.jsonl") as path:
            yield path
        return
    yield Path(suite)


def _print(report: AuditReport) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from ebf_generators.audit import Verdict

    console = Console(file=sys.stdout)
    if not console.is_terminal:
        console = Console(file=sys.stdout, width=_WIDTH_ELSEWHERE)
    part = "" if report.whole else ", the first of the file (its seal is not checked)"
    console.print(Text(f"{report.name}: {report.tasks:,} tasks{part}; {report.summary}"), soft_wrap=True)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("criterion", "measured", "limit"):
        table.add_column(heading, overflow="fold")
    table.add_column("n", justify="right")
    table.add_column("verdict")
    table.add_column("remark", overflow="fold")
    styles = {Verdict.FAIL: "bold red", Verdict.OK: "green", Verdict.NOT_APPLICABLE: "dim"}
    for finding in report.findings:
        cells = (finding.title, finding.measured, finding.limit, f"{finding.n:,}")
        verdict = Text(finding.verdict.value, style=styles[finding.verdict])
        table.add_row(*map(Text, cells), verdict, Text(finding.note))
    console.print(table)
    for name, value in report.statistics.items():
        console.print(Text(f"{name.replace('_', ' ')}: {_in_words(value)}"), soft_wrap=True)
    console.print()


def _in_words(value: JSON) -> str:
    """A count, or counts by name."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_in_words(item)}" for name, item in value.items()) or "none"
    if isinstance(value, float):
        return f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _print_across(across: Sequence[Overlap]) -> None:
    for pair in across:
        (one, other), (split, other_split) = pair.suites, pair.splits
        (size, other_size), (repeated, other_repeated) = pair.instructions, pair.repeated
        sys.stdout.write(
            f"{one} ({split}): {repeated:,} of {size:,} instructions are nearly in {other} ({other_split}); "
            f"the other way round {other_repeated:,} of {other_size:,} (token Jaccard > .95).\n"
        )
