"""``ebf calibrate``: thresholds for the gate with a guarantee, from a suite of fresh tasks."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ebf_env.errors import ConfigurationError
from ebf_env.json_types import JSON, JSONObject, ascii_json

if TYPE_CHECKING:
    from ebf_baselines.calibration import CertifiedThresholds, Episode, GateCertificate, SuiteId
    from ebf_env.tasks.lines import HeaderLine, TrailerLine

DEFAULT_OUT = "gate-certificate.json"


def calibrate_command(
    suite: Annotated[str, typer.Option("--suite", metavar="FILE", help="Suite of the val split, never tuned on.")],
    alpha: Annotated[float, typer.Option(help="Greatest wrong rate, of all tasks.")] = 0.007,
    beta: Annotated[float, typer.Option(help="Greatest probability of a greater wrong rate.")] = 0.05,
    per_risk: Annotated[
        bool, typer.Option("--per-risk", help="Thresholds for each risk level, at its own share of alpha.")
    ] = False,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Where the certificate is written.")
    ] = DEFAULT_OUT,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
    tune: Annotated[
        int | None,
        typer.Option(min=1, help="Families that only order the thresholds; left out: a quarter of them."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Draws one task of each family, and the split.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes; the result does not depend on their number.")] = 2,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of a table.")] = False,
) -> None:
    """Choose the gate's thresholds so that its wrong rate is bounded, and write them with what proves it.

    Learn-then-Test: the resolver's call on one task of each family is judged; a part of the families orders the
    thresholds from strict to lenient, the rest tests them one by one. With probability 1 - beta, the gate is wrong on
    at most a share alpha of fresh tasks of the same distribution. Exit code 1: nothing could be certified.

    Example: ebf calibrate --suite suites/val.jsonl --alpha .007 --beta .05 --out gate.json
    """
    from ebf_baselines.calibration import certify, one_per_family, split_families
    from ebf_baselines.calibration.binomial import require_levels
    from ebf_baselines.gating import resolver_id

    require_levels(alpha, beta)
    path = Path(os.path.expanduser(out))  # noqa: PTH111 -- Path's own fails for users it does not know
    if path.exists() and not force:
        raise ConfigurationError(f"--out: {out!r} is there already; choose another name, or --force")
    scorer = resolver_id()
    episodes, suite_id = _judged(suite, workers)
    chosen = one_per_family(episodes, seed)
    size = len(chosen) // 4 if tune is None else tune
    if not 0 < size < len(chosen):
        raise ConfigurationError(f"{suite}: {len(chosen)} families cannot be split into {size} to tune with and a rest")
    first, second = split_families(chosen, size, seed)
    certificate = certify(first, second, alpha=alpha, beta=beta, scorer=scorer, suite=suite_id, per_risk=per_risk)
    certificate.write(path, replace=force)
    summary = _summary(certificate, second)
    if as_json:
        sys.stdout.write(ascii_json({"file": str(path), **summary}) + "\n")
    else:
        _print(certificate, summary, path)
    if certificate.never_acts:
        raise typer.Exit(1)


def _judged(suite: str, workers: int) -> tuple[list[Episode], SuiteId]:
    """Every task of a suite, judged; the file is read task by task."""
    from ebf_agents.calibration import calibration_episodes
    from ebf_baselines.calibration import SuiteId
    from ebf_env.cli.progress import progress
    from ebf_env.tasks import iterate_suite

    path = Path(suite)
    header, trailer, count = _ends(path)
    episodes: list[Episode] = []
    with progress("tasks", count) as advance:
        for episode in calibration_episodes(iterate_suite(path), count, workers):
            episodes.append(episode)
            advance()
    if not episodes:
        raise ConfigurationError(f"{suite}: the suite holds no task")
    drawn = {"generator_version": header.generator_version, "pools": header.pools, **header.config}
    settings = {name: value for name, value in drawn.items() if value is not None}
    return episodes, SuiteId.model_validate({"sha256": trailer.sha256, "generator": settings})


def _ends(path: Path) -> tuple[HeaderLine, TrailerLine, int]:
    """Header, trailer and number of lines between them.

    Raises:
        SuiteError: the file is no suite.
    """
    from pydantic import ValidationError

    from ebf_env.errors import SuiteError
    from ebf_env.tasks.lines import HeaderLine, TrailerLine, loads
    from ebf_env.tasks.suite import raw_lines

    first = last = b""
    count = 0
    for count, raw in raw_lines(path):  # noqa: B007 -- the last number is what is wanted
        first, last = first or raw, raw
    try:
        header = HeaderLine.model_validate(loads(first))
        trailer = TrailerLine.model_validate(loads(last))
    except (ValueError, RecursionError, ValidationError) as error:
        raise SuiteError(path, "this is no whole suite: it has no header line or no trailer line") from error
    return header, trailer, max(count - 2, 0)


def _summary(certificate: GateCertificate, calibrated: Sequence[Episode]) -> JSONObject:
    from ebf_baselines.calibration import expected_calibration_error, report_gate

    report = report_gate(certificate, calibrated)
    proposed = [e for e in calibrated if e.score > 0]
    error: JSON = None
    if proposed:
        error = expected_calibration_error([e.score for e in proposed], [not e.would_be_wrong for e in proposed])
    return {
        "certificate": certificate.model_dump(mode="json"),
        "on_the_calibration_split": {
            "n": len(calibrated),
            "acted": report.acted.value,
            "wrong": report.wrong_rate.count,
            "wrong_rate": report.wrong_rate.value,
            "completion": report.completion.value,
            "aurc": report.aurc,
            "augrc": report.augrc,
            "ece": error,
        },
    }


def _print(certificate: GateCertificate, summary: JSONObject, path: Path) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(file=sys.stdout)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("tasks")
    for heading in ("tau", "delta", "alpha", "beta", "n", "wrong", "completion"):
        table.add_column(heading, justify="right")
    for name, gate in certificate.thresholds.items():
        table.add_row(*map(Text, (name, *_cells(gate))))
    console.print(table)
    for which, remark in certificate.remarks.items():
        console.print(Text(f"{which}: never acts, since {remark}"), soft_wrap=True)
    figures = summary["on_the_calibration_split"]
    if isinstance(figures, dict):
        shown = ", ".join(f"{name} {_figure(figures[name])}" for name in ("acted", "aurc", "augrc", "ece"))
        console.print(Text(f"On the {figures['n']:,} calibration families: {shown}."), soft_wrap=True)
    console.print(Text(f"The certificate lies in {path}."), soft_wrap=True)


def _cells(gate: CertifiedThresholds) -> tuple[str, ...]:
    completion = gate.completion_calibrate
    return (
        "-" if gate.tau is None else f"{gate.tau:g}",
        "-" if gate.delta is None else f"{gate.delta:g}",
        f"{gate.alpha:g}",
        f"{gate.beta:g}",
        f"{gate.n:,}",
        f"{gate.k:,}",
        "-" if completion is None else f"{completion:.1%}",
    )


def _figure(value: JSON) -> str:
    return f"{value:.4f}" if isinstance(value, float) else "-"
