"""``ebf generate``: task suites of any size and mix, with proven labels."""

from __future__ import annotations

import contextlib
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ebf_env.cli.destination import suite_file
from ebf_env.cli.evaluate import VisibilityChoice
from ebf_env.errors import ConfigurationError
from ebf_env.json_types import JSON, ascii_json

if TYPE_CHECKING:
    from ebf_generators.config import SuiteConfig
    from ebf_generators.suites import Tally


class SplitChoice(StrEnum):
    """Which names, title words and wordings a suite is made of."""

    train = "train"
    val = "val"
    test = "test"


class MixChoice(StrEnum):
    """Which conditions a suite has, and in which shares."""

    balanced = "balanced"
    paper = "paper"


def generate_command(
    context: typer.Context,
    out: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE]", help="Suite file to write (.jsonl or .jsonl.gz). Left out: suites/NAME.jsonl."
        ),
    ] = None,
    tasks: Annotated[int, typer.Option("--tasks", "-n", min=1, help="How many tasks.")] = 600,
    seed: Annotated[int, typer.Option(min=0, help="The suite's seed.")] = 0,
    split: Annotated[
        SplitChoice, typer.Option(help="Splits share no name, title word or wording.")
    ] = SplitChoice.train,
    mix: Annotated[
        MixChoice, typer.Option(help="balanced: contrast blocks of every condition in turn; paper: the paper's shares.")
    ] = MixChoice.balanced,
    families: Annotated[
        bool | None,
        typer.Option("--families/--no-families", help="All cells of a contrast block, or one of each."),
    ] = None,
    condition: Annotated[
        list[str] | None, typer.Option(help="Only blocks about it; repeated or comma-separated.")
    ] = None,
    domain: Annotated[list[str] | None, typer.Option(help="Domains of tools; left out: the paper's five.")] = None,
    tool: Annotated[list[str] | None, typer.Option(help="Only tasks for these tools.")] = None,
    risk: Annotated[list[str] | None, typer.Option(help="Only tools of these risk levels.")] = None,
    difficulty: Annotated[list[str] | None, typer.Option(help="1 to 5; left out: all.")] = None,
    visibility: Annotated[VisibilityChoice, typer.Option(help="full or search.")] = VisibilityChoice.full,
    world_size: Annotated[int, typer.Option(help="Records in a world; above 500 needs --visibility search.")] = 40,
    noise: Annotated[
        str, typer.Option(help="none, low, medium, high, or operators with rates: keyboard=0.2,ocr=0.1")
    ] = "none",
    locales: Annotated[
        list[str] | None, typer.Option(help="Faker locales to draw fresh names from; left out: the pools that ship.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="The suite's name; it also names the file that is left out.")] = None,
    release: Annotated[
        str | None,
        typer.Option(help="A released suite, ebf-600 or ebf-60: it fixes all settings, and its hash has to come out."),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", "-w", min=1, help="Processes; the bytes do not depend on them.")
    ] = 1,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there already.")] = False,
    coverage: Annotated[
        bool,
        typer.Option("--coverage", help="Print tasks by condition, domain and tool as well; the suite is written too."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Generate a task suite whose labels are proven. The same settings give the same bytes on every machine.

    Example: ebf generate suites/train.jsonl.gz --tasks 10000 --split train --workers 2
    """
    from ebf_env.cli.progress import Advance, progress
    from ebf_generators.released import release as released_as
    from ebf_generators.source import config_from
    from ebf_generators.suites import generate, name_of

    if name is not None:
        _check_name(name)
    expected = None
    if release is not None:
        released = released_as(release)
        _check_alone(context, release)
        config, expected, name = released.config, released.sha256, name or release
    else:
        settings: dict[str, object] = {
            "tasks": tasks,
            "seed": seed,
            "split": split.value,
            "mix": mix.value,
            "families": families,
            "visibility": visibility.value,
            "world_size": world_size,
            "noise": noise,
        }
        lists = {
            "conditions": ("--condition", condition),
            "domains": ("--domain", domain),
            "tools": ("--tool", tool),
            "risks": ("--risk", risk),
            "difficulties": ("--difficulty", difficulty),
            "locales": ("--locales", locales),
        }
        for setting, (option, values) in lists.items():
            if values is not None:
                settings[setting] = _listed(setting, option, values)
        config = config_from(settings)
    path = suite_file(
        str(Path("suites") / f"{name or name_of(config)}.jsonl") if out is None else out, "FILE", replace=force
    )
    with contextlib.ExitStack() as stack:
        advance: Advance | None = None

        def on_tasks(count: int) -> None:
            nonlocal advance
            advance = advance or stack.enter_context(progress("tasks", config.tasks))
            advance(count)

        sha256, tally = generate(config, path, workers=workers, name=name, replace=force, on_tasks=on_tasks)
    if expected is not None and sha256 != expected:
        sys.stderr.write(f"error: the task lines of {release} have the sha256 {expected}, and {sha256} came out\n")
        raise typer.Exit(1)
    if as_json:
        sys.stdout.write(ascii_json(_as_json(path, sha256, tally)) + "\n")
        return
    _print_summary(path, sha256, config, tally)
    if coverage:
        _print_coverage(config, tally)


SETTINGS = (
    "tasks", "seed", "split", "mix", "families", "condition", "domain", "tool", "risk", "difficulty", "visibility",
    "world_size", "noise", "locales",
)  # fmt: skip
"""Options that a released suite fixes, by the names of their parameters."""


def _check_alone(context: typer.Context, release: str) -> None:
    """Refuse settings beside a release, which fixes them."""
    for setting in SETTINGS:
        source = context.get_parameter_source(setting)
        if source is not None and source.name != "DEFAULT":
            negated = "no-" if context.params.get(setting) is False else ""
            option = f"--{negated}{setting.replace('_', '-')}"
            raise ConfigurationError(f"--release {release} fixes all settings, so it clashes with {option}")


def _check_name(name: str) -> None:
    if not name.strip() or not name.isprintable() or "/" in name or "\\" in name:
        raise ConfigurationError(f"--name is {name!r}, expected printable characters, none of them a / or \\")


def _listed(setting: str, option: str, values: list[str]) -> tuple[str, ...]:
    from ebf_generators.config import listed

    found = tuple(part for value in values for part in listed(value))
    if not found:
        raise ConfigurationError(f"{setting} is an empty list; leave {option} out instead")
    return found


def _as_json(path: Path, sha256: str, tally: Tally) -> dict[str, JSON]:
    cells: list[JSON] = [
        {"condition": condition, "domain": domain, "tool": tool, "tasks": count}
        for (condition, domain, tool), count in sorted(tally.cells.items())
    ]
    return {"suite": str(path), "sha256": sha256, "statistics": tally.statistics(), "cells": cells}


def _print_summary(path: Path, sha256: str, config: SuiteConfig, tally: Tally) -> None:
    told = tally.statistics()
    sys.stdout.write(
        f"{config.tasks:,} tasks ({config.split}, {config.mix}) in {told['families']:,} families; "
        f"{told['distinct_instructions']:,} distinct instructions, "
        f"{told['distinct_delexicalised_instructions']:,} without their names and values.\n"
        f"sha256 of the task lines {sha256}\n"
        f"The suite lies in {path}.\n"
    )


def _print_coverage(config: SuiteConfig, tally: Tally) -> None:
    from rich.console import Console
    from rich.table import Table

    from ebf_env.tasks import Condition
    from ebf_generators.recipes import tools_of

    tools = tools_of(config)
    shown = [condition.value for condition in Condition]
    table = Table("domain", "tool", *[name.replace("_", " ") for name in shown], box=None)
    filled = 0
    for domain, names in tools.items():
        for tool in names:
            counts = [tally.cells[condition, domain, tool] for condition in shown]
            filled += sum(count > 0 for count in counts)
            table.add_row(domain, tool, *(str(count) if count else "-" for count in counts))
    total = len(shown) * sum(len(names) for names in tools.values())
    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else 200)
    console.print(table)
    sys.stdout.write(f"{filled} of {total} cells of condition, domain and tool are filled ({filled / total:.1%}).\n")
