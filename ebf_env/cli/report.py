"""``ebf report``: a run's metrics, by any grouping."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


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
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
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
) -> None:
    """Score a run from its records and print its metrics.

    Example: ebf report runs/evaluate --by method,condition --profile conditional
    """
    from ebf_env.cli.tables import print_report
    from ebf_env.evaluation.report import as_csv, as_json, parse_groups, summarize
    from ebf_env.evaluation.run_folder import RunFolder
    from ebf_env.evaluation.scored import score_run

    keys = parse_groups(by)
    folder = RunFolder.open(run)
    scored = score_run(folder)
    if folder.planned is not None and len(scored) < folder.planned:
        sys.stderr.write(f"{run}: the run is not complete, {len(scored):,} of {folder.planned:,} runs are recorded\n")
    if format_ is FormatChoice.table:
        print_report(scored, keys, profile.value)
        return
    rows = summarize(scored, keys, profile.value)
    sys.stdout.write(as_json(rows) + "\n" if format_ is FormatChoice.json else as_csv(rows))
