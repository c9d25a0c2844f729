"""``ebf generate``: task suites of any size and mix, with proven labels."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

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
    out: Annotated[
        Path | None,
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
    name: Annotated[str | None, typer.Option(help="The suite's name.")] = None,
    release: Annotated[
        str | None,
        typer.Option(help="A released suite, ebf-600 or ebf-60: its settings are used, and its hash has to come out."),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", "-w", min=1, help="Processes; the bytes do not depend on them.")
    ] = 1,
    coverage: Annotated[bool, typer.Option("--coverage", help="Print tasks by condition, domain and tool.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Generate a task suite whose labels are proven. The same settings give the same bytes on every machine.

    Example: ebf generate suites/train.jsonl.gz --tasks 10000 --split train --workers 2
    """
    from ebf_env.cli.progress import progress
    from ebf_generators.released import release as released_as
    from ebf_generators.source import config_from
    from ebf_generators.suites import generate, name_of

    settings: dict[str, object] = {
        "tasks": tasks,
        "seed": seed,
        "split": split.value,
        "mix": mix.value,
        "families": families,
        "conditions": _listed(condition),
        "risks": _listed(risk),
        "visibility": visibility.value,
        "world_size": world_size,
        "noise": _noise(noise),
        "locales": _listed(locales),
    }
    if domain:
        settings["domains"] = _listed(domain)
    if tool is not None:
        settings["tools"] = _listed(tool)
    if difficulty:
        settings["difficulties"] = _listed(difficulty)
    config = config_from(settings)
    expected = None
    if release is not None:
        released = released_as(release)
        config, expected, name = released.config, released.sha256, name or release
    path = out or Path("suites") / f"{name or name_of(config)}.jsonl"
    with progress("tasks", config.tasks) as advance:

        def on_tasks(count: int) -> None:
            for _ in range(count):
                advance()

        sha256, tally = generate(config, path, workers=workers, name=name, on_tasks=on_tasks)
    if expected is not None and sha256 != expected:
        sys.stderr.write(f"error: {release} has the sha256 {expected}, and {sha256} came out\n")
        raise typer.Exit(1)
    if as_json:
        sys.stdout.write(ascii_json(_as_json(path, sha256, tally)) + "\n")
        return
    _print_summary(path, sha256, config, tally)
    if coverage:
        _print_coverage(config, tally)


def _listed(values: list[str] | None) -> tuple[str, ...]:
    return tuple(part.strip() for value in values or () for part in value.split(",") if part.strip())


def _noise(text: str) -> str | dict[str, float]:
    if "=" not in text:
        return text
    rates: dict[str, float] = {}
    for part in text.split(","):
        operator, _, rate = part.partition("=")
        try:
            rates[operator.strip()] = float(rate)
        except ValueError as error:
            raise ConfigurationError(f"--noise: {rate!r} is no rate of {operator!r}") from error
    return rates


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
        f"sha256 {sha256}\n"
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
