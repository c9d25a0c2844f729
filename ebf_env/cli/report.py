"""``ebf report``: a run's metrics, by any grouping."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ebf_env.errors import ConfigurationError

if TYPE_CHECKING:
    from ebf_env.evaluation.scored import ScoredRun


class ProfileChoice(StrEnum):
    """Over which runs metrics are means."""

    paper = "paper"
    conditional = "conditional"


class FormatChoice(StrEnum):
    """What a report is printed as."""

    table = "table"
    json = "json"
    csv = "csv"


def report_command(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Run folders; several are read as one, beside each other.")
    ],
    by: Annotated[
        str,
        typer.Option(
            help="Group keys, comma-separated: method, backend, model, condition, risk, domain, tool, action_type, ..."
        ),
    ] = "method",
    profile: Annotated[
        ProfileChoice,
        typer.Option(help="paper: means over all runs of a row; conditional: over the runs each metric is defined on."),
    ] = ProfileChoice.paper,
    format_: Annotated[
        FormatChoice, typer.Option("--format", help="table, json or csv (rates as fractions in the last two).")
    ] = FormatChoice.table,
    causes: Annotated[
        bool,
        typer.Option("--causes", help="Instead of metrics: what wrong and unneeded runs come from, one cause each."),
    ] = False,
    clarification: Annotated[
        bool,
        typer.Option("--clarification", help="Instead of metrics: how good the questions are, told without a judge."),
    ] = False,
) -> None:
    """Score runs from their records and print their metrics.

    Example: ebf report runs/evaluate --by method,condition --profile conditional
    """
    from ebf_env.cli.tables import print_report, print_report_of_causes, print_report_of_questions
    from ebf_env.evaluation.report import (
        as_csv,
        as_json,
        parse_groups,
        summarize,
        summarize_causes,
        summarize_clarification,
    )

    if causes and clarification:
        raise ConfigurationError("--causes and --clarification are two reports; ask for one of them")

    keys = parse_groups(by)
    scored = _scored(runs)
    if format_ is FormatChoice.table:
        if causes:
            print_report_of_causes(scored, keys)
        elif clarification:
            print_report_of_questions(scored, keys)
        else:
            print_report(scored, keys, profile.value)
        return
    if causes:
        rows = summarize_causes(scored, keys)
    else:
        rows = summarize_clarification(scored, keys) if clarification else summarize(scored, keys, profile.value)
    sys.stdout.write(as_json(rows) + "\n" if format_ is FormatChoice.json else as_csv(rows))


def _scored(runs: Sequence[Path]) -> list[ScoredRun]:
    """The scored records of run folders.

    Raises:
        ConfigurationError: the folders are about different suites, or have a run in common.
    """
    from ebf_env.evaluation.run_folder import RunFolder
    from ebf_env.evaluation.scored import score_run

    scored: list[ScoredRun] = []
    folders = [RunFolder.open(run) for run in runs]
    for folder in folders:
        if folder.info.suite.get("sha256") != folders[0].info.suite.get("sha256"):
            raise ConfigurationError(f"{folder.path} is about another suite than {folders[0].path}")
        found = score_run(folder)
        if folder.planned is not None and len(found) < folder.planned:
            of = f"{len(found):,} of {folder.planned:,} runs are recorded"
            sys.stderr.write(f"{folder.path}: the run is not complete, {of}\n")
        scored += found
    counts = Counter(run.record.key for run in scored)
    for (task, trial, method, backend), count in counts.items():
        if count > 1:
            raise ConfigurationError(f"{method} with {backend} on {task!r}, trial {trial}, is in two of the folders")
    return scored
