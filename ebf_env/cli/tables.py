"""Printing a report to the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console

from ebf_env.evaluation.metrics import Profile
from ebf_env.evaluation.report import print_table, summarize
from ebf_env.evaluation.scored import ScoredRun


def print_report(runs: Sequence[ScoredRun], by: Sequence[str], profile: Profile, *, title: str | None = None) -> None:
    """Print runs, grouped, as a table."""
    console = Console(file=sys.stdout)
    if not runs:
        console.print("The run holds no record yet.")
        return
    print_table(console, summarize(runs, by, profile), by, profile, title=title)
