"""``ebf evaluate``: methods and backends over a suite, recorded and reported."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ebf_env.errors import ConfigurationError

if TYPE_CHECKING:
    from ebf_agents import BackendOptions
    from ebf_env.evaluation.protocols import Backend, Method
    from ebf_env.evaluation.runner import Plan
    from ebf_env.tasks import Suite

STARTER = "starter"
"""Name that stands for the suite shipped with the project."""


class InteractionChoice(StrEnum):
    """When an episode ends."""

    single_step = "single_step"
    interactive = "interactive"


class VisibilityChoice(StrEnum):
    """What an agent sees."""

    full = "full"
    search = "search"


def evaluate_command(
    suite: Annotated[
        str, typer.Argument(metavar="SUITE", help="A suite file, or 'starter' for the one that ships with the project.")
    ],
    method: Annotated[
        list[str],
        typer.Option("--method", "-m", help="Method; may be repeated or comma-separated; 'all' for every one."),
    ] = ["direct"],  # noqa: B006
    backend: Annotated[
        list[str],
        typer.Option(
            "--backend",
            "-b",
            help="oracle, random, first, lexical, resolver, never_ask, always_ask, which_one, oracle_question, "
            "replay:FILE.csv, regate:RUN (a finished run's proposals under another gate), openai:MODEL, or the name of "
            "an entry of a backends file, which NAME:MODEL uses with another model; may be repeated.",
        ),
    ] = ["oracle"],  # noqa: B006
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Endpoint of openai:MODEL; left out: OpenAI's own.")
    ] = None,
    api_key_env: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Environment variable that holds the key of openai:MODEL; left out: OPENAI_API_KEY for OpenAI's own "
            "endpoint, no key for others.",
        ),
    ] = None,
    protocol: Annotated[
        list[str] | None,
        typer.Option(
            help="How language models are asked: json (the paper's answers), tools (native tool calls), or both: "
            "json,tools."
        ),
    ] = None,
    backends: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A TOML file of backends, beside the one that ships with the project."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="The run folder, resumed if its configuration is the same. Left out: one under runs/.",
        ),
    ] = None,
    interaction: Annotated[
        InteractionChoice,
        typer.Option(
            help="single_step: the first decision ends an episode; interactive: reads and questions are answered."
        ),
    ] = InteractionChoice.single_step,
    visibility: Annotated[
        VisibilityChoice | None, typer.Option(help="full or search; left out: what each task asks for.")
    ] = None,
    max_steps: Annotated[int, typer.Option(min=1, max=1000, help="Most decisions of an interactive episode.")] = 20,
    user: Annotated[
        str,
        typer.Option(
            metavar="PROFILE",
            help="Who answers questions in interactive episodes. options: only questions that offer options; words: "
            "also those for a field and open ones. Further settings: dont_know=0.1,neither=0.1,paraphrase=0.5,"
            "patience=3,seed=1.",
        ),
    ] = "options",
    trials: Annotated[int, typer.Option(min=1, help="Repetitions of every run.")] = 1,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first tasks of the suite.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="For the backends' own randomness.")] = 0,
    by: Annotated[
        list[str] | None, typer.Option(help="Group keys of the table printed at the end; repeated for further tables.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON instead of tables.")] = False,
) -> None:
    """Run methods with backends over a suite, record every run, and print the results.

    Example: ebf evaluate starter --method direct --backend oracle --backend first --out runs/starter

    With a language model: ebf evaluate starter -m direct -b openai:MODEL --base-url http://localhost:8000/v1
    """
    from ebf_env.envs.episode import EpisodeConfig
    from ebf_env.evaluation.report import parse_groups
    from ebf_env.evaluation.runner import Plan
    from ebf_env.tasks.user_profile import parse_user_profile

    groups = [parse_groups(keys) for keys in by or ()]
    options = _options(base_url, api_key_env, _split(protocol or ()), backends)
    plan = Plan(
        _read(suite),
        _pairs(_split(method), _split_backends(backend, options), options),
        EpisodeConfig(
            interaction=interaction.value,
            visibility=visibility.value if visibility else None,
            max_steps=max_steps,
            user=parse_user_profile(user),
        ),
        trials,
        limit,
        seed,
    )
    name = re.sub(r"[^\w.-]+", "-", plan.suite.info.name).strip(".-") or "suite"
    folder = out or Path("runs") / f"{name}-{_fingerprint(plan)}"
    _run_and_report(plan, folder, groups, as_json)


def _split(values: Sequence[str], separator: str = ",") -> list[str]:
    parts = (part.strip() for value in values for part in re.split(separator, value))
    return list(dict.fromkeys(part for part in parts if part))


def _options(
    base_url: str | None, api_key_env: str | None, protocols: Sequence[str], backends_file: Path | None
) -> BackendOptions:
    """What the command line says about language models."""
    from pydantic import ValidationError

    from ebf_agents import BackendOptions

    given = {"base_url": base_url, "api_key_env": api_key_env, "protocols": protocols, "backends_file": backends_file}
    try:
        return BackendOptions.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        option = {"base_url": "--base-url", "api_key_env": "--api-key-env", "protocols": "--protocol"}[
            str(first["loc"][0])
        ]
        message = first["msg"].removeprefix("Value error, ")
        raise ConfigurationError(f"{option}: {message[0].lower()}{message[1:]}") from None


def _split_backends(values: Sequence[str], options: BackendOptions) -> list[str]:
    """Backends from comma-separated lists; a comma in a file's name does not separate."""
    from ebf_agents import backend_names

    names = "|".join(map(re.escape, backend_names(options)))
    specs = _split(values, rf",(?=\s*(?:{names})\s*(?:[:,]|$))")
    for option, given in (("--base-url", options.base_url), ("--api-key-env", options.api_key_env)):
        if given is not None and not any(spec.startswith("openai:") for spec in specs):
            raise ConfigurationError(f"{option} goes with --backend openai:MODEL, and no such backend was given")
    return specs


def _read(suite: str) -> Suite:
    from ebf_env.tasks import read_suite

    if suite == STARTER and not Path(suite).exists():
        from ebf_env.tasks.starter import starter_suite

        return starter_suite()
    return read_suite(suite)


def _pairs(methods: Sequence[str], specs: Sequence[str], options: BackendOptions) -> list[tuple[Method, Backend]]:
    """Every method with every backend; a recording brings the labels of its own methods."""
    from ebf_agents import ReplayBackend, backends_named
    from ebf_baselines import METHODS, ComposedMethod, method_named
    from ebf_env.evaluation.protocols import Prompt

    if not methods or not specs:
        raise ConfigurationError("give at least one --method and one --backend")
    backends = [backend for spec in specs for backend in backends_named(spec, options)]
    pairs: list[tuple[Method, Backend]] = []
    for name in methods:
        for backend in backends:
            recorded = backend.recording.methods if isinstance(backend, ReplayBackend) else None
            labels = list(recorded if recorded is not None else METHODS) if name == "all" else [name]
            for label in labels:
                if recorded is None:
                    pairs.append((method_named(label), backend))
                elif label in recorded:
                    pairs.append((ComposedMethod(Prompt(label, 0, ""), "the label of recorded runs"), backend))
                else:
                    raise ConfigurationError(
                        f"unknown method {label!r}; {backend.name} recorded: {', '.join(recorded)}"
                    )
    return pairs


def _fingerprint(plan: Plan) -> str:
    info = plan.info()
    return hashlib.sha256(json.dumps([info.config, info.suite], sort_keys=True).encode()).hexdigest()[:10]


def _run_and_report(plan: Plan, folder: Path, groups: Sequence[tuple[str, ...]], as_json: bool) -> None:
    from rich.console import Console

    from ebf_env.cli.progress import progress
    from ebf_env.cli.tables import print_report
    from ebf_env.evaluation.report import as_json as rows_as_json
    from ebf_env.evaluation.report import summarize
    from ebf_env.evaluation.runner import evaluate
    from ebf_env.evaluation.scored import score_run

    console = Console(stderr=True)
    try:
        with progress("runs", plan.size) as advance:
            run = evaluate(plan, folder, on_record=lambda _: advance())
    except KeyboardInterrupt:
        console.print("interrupted; what was recorded is kept, and the same command goes on", markup=False)
        raise typer.Exit(130) from None
    scored = score_run(run)
    kinds = {backend.config()["kind"] for _, backend in plan.pairs}
    tables = groups or [("method",) if len(kinds) == 1 else ("backend", "method")]
    if as_json:
        rows = [row for keys in tables for row in summarize(scored, keys)]
        sys.stdout.write(rows_as_json(rows) + "\n")
    else:
        title = f"{plan.suite.info.name}: {len(plan.tasks)} tasks, {plan.size} runs"
        for number, keys in enumerate(tables):
            print_report(scored, keys, "paper", title=title if number == 0 else None)
        where = shlex.quote(str(folder))
        sys.stdout.write(
            f"The run lies in {where}; `ebf report {where} --by condition` looks at it from another side.\n"
        )
    failed = sum(run.record.error is not None for run in scored)
    if failed:
        first = next(run.record.error for run in scored if run.record.error is not None)
        console.print(
            f"{failed} run(s) failed ({first}); the same command tries them again.", soft_wrap=True, markup=False
        )
        raise typer.Exit(1)
