"""Printing a report to the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console

from ebf_env.evaluation.metrics import Profile
from ebf_env.evaluation.report import (
    print_causes,
    print_clarification,
    print_table,
    summarize,
    summarize_causes,
    summarize_clarification,
)
from ebf_env.evaluation.scored import ScoredRun


def print_report(runs: Sequence[ScoredRun], by: Sequence[str], profile: Profile, *, title: str | None = None) -> None:
    """Print runs, grouped, as a table."""
    if (console := _console(runs)) is not None:
        print_table(console, summarize(runs, by, profile), by, profile, title=title)


def print_report_of_causes(runs: Sequence[ScoredRun], by: Sequence[str]) -> None:
    """Print the causes of wrong and unneeded runs, grouped, as a table."""
    if (console := _console(runs)) is not None:
        print_causes(console, summarize_causes(runs, by), by)


def print_report_of_questions(runs: Sequence[ScoredRun], by: Sequence[str]) -> None:
    """Print how good the questions of runs are, grouped, as a table."""
    if (console := _console(runs)) is not None:
        print_clarification(console, summarize_clarification(runs, by), by)


def _console(runs: Sequence[ScoredRun]) -> Console | None:
    console = Console(file=sys.stdout)
    if runs:
        return console
    console.print("The run holds no record yet.")
    return None
