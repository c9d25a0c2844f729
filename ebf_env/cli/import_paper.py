"""``ebf import-paper``: a task file in the paper's format becomes a suite."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ebf_env.cli.destination import suite_file
from ebf_env.errors import ConfigurationError
from ebf_env.json_types import ascii_json

if TYPE_CHECKING:
    from ebf_env.tasks import Suite, SuiteInfo, Task


def import_paper_command(
    tasks: Annotated[
        Path, typer.Argument(metavar="TASKS.jsonl", help="Tasks in the paper's format, one JSON object a line.")
    ],
    out: Annotated[str, typer.Option("--out", "-o", help="The suite to write (.jsonl or .jsonl.gz).")],
    name: Annotated[str | None, typer.Option(help="Name of the suite; the file's name if left out.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace another file that is there already.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was done as JSON.")] = False,
) -> None:
    """Turn a task file in the paper's published format into a suite.

    Entities of any type and shape, `now`, `user` and `history` are kept.

    Example: ebf import-paper tasks_60.jsonl --out suites/paper.jsonl
    """
    from ebf_env.tasks import SuiteInfo, import_paper_tasks

    path = suite_file(out, "--out", replace=True)
    imported = import_paper_tasks(tasks)
    info = SuiteInfo(name or _stem(path), source=f"imported from {tasks.name}")
    suite = _write(path, imported.tasks, info, force)
    if as_json:
        line = ascii_json(
            {"suite": str(path), "tasks": len(suite), "sha256": suite.sha256, "left_out": list(imported.unknown_keys)}
        )
        sys.stdout.write(line + "\n")
        return
    sys.stdout.write(f"{len(suite)} tasks written to {path} (sha256 of the task lines {suite.sha256[:12]})\n")
    if imported.unknown_keys:
        sys.stdout.write(f"left out, since no task has such a field: {', '.join(imported.unknown_keys)}\n")


def _stem(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".jsonl")


def _write(out: Path, tasks: tuple[Task, ...], info: SuiteInfo, force: bool) -> Suite:
    """Write the suite; another one that is there already stays, unless asked."""
    from ebf_env.tasks import write_suite

    if not out.exists() or force:
        return write_suite(out, tasks, info)
    with tempfile.TemporaryDirectory() as folder:
        fresh = write_suite(Path(folder) / out.name, tasks, info)
        same = (Path(folder) / out.name).read_bytes() == out.read_bytes()
    if not same:
        raise ConfigurationError(f"{out} exists already and holds something else; choose another name or add --force")
    return fresh
