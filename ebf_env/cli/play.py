"""``ebf play``: a person takes the agent's place; and what saved answers agree on with the labels."""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from ebf_env.cli.evaluate import STARTER, InteractionChoice
from ebf_env.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ebf_env.envs.human import SavedAnswer
    from ebf_env.tasks import Task

PLAIN_WIDTH = 100
"""Characters in a line where the output is no terminal."""

GENERATED = "generated"
"""Name that stands for tasks drawn without end."""


def play_command(
    suite: Annotated[
        str,
        typer.Argument(
            metavar="[SUITE]",
            help="A suite file, 'starter' for the one that ships with the project; left out: tasks without end.",
        ),
    ] = GENERATED,
    task: Annotated[str | None, typer.Option("--task", help="Only the task of this id.")] = None,
    start: Annotated[int, typer.Option(min=1, help="Number of the first task.")] = 1,
    count: Annotated[int | None, typer.Option(min=1, help="Most tasks to play.")] = None,
    interaction: Annotated[
        InteractionChoice,
        typer.Option(
            help="single_step: the first decision ends a task; interactive: reads and questions are answered."
        ),
    ] = InteractionChoice.single_step,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, help="A random order of a suite's tasks, left out: its own; the seed of endless ones, left out: 0."
        ),
    ] = None,
    blind: Annotated[bool, typer.Option("--blind", help="Show no verdicts; needs --save.")] = False,
    save: Annotated[Path | None, typer.Option(help="Add every answer to this file (JSON Lines), for --score.")] = None,
    score: Annotated[
        Path | None, typer.Option(help="Play nothing; print how far the answers in this file agree with the labels.")
    ] = None,
) -> None:
    """Take the agent's place: see what an agent sees, decide, and be told what is right and why.

    Type 'help' for what can be typed. Lines may come through a pipe.

    Example: ebf play starter --start 5 --count 3
    """
    if suite == GENERATED and (score is not None or task is not None):
        option = "--score" if score is not None else "--task"
        raise ConfigurationError(f"{option} needs a suite, since there is no end to the tasks that are drawn")
    if score is not None:
        if blind or save is not None:
            raise ConfigurationError("--score plays nothing, so --blind and --save do not go with it")
        _score(score, _tasks(suite, None))
        return
    if blind and save is None:
        raise ConfigurationError("--blind shows no verdicts, so it needs --save FILE for the answers")
    if save is not None and interaction is InteractionChoice.interactive:
        raise ConfigurationError("--save keeps single decisions, so it does not go with --interaction interactive")
    numbered = enumerate(_tasks(suite, seed), 1)
    if task is not None:
        chosen = itertools.islice((pair for pair in numbered if pair[1].task_id == task), 1)
    else:
        chosen = itertools.islice(numbered, start - 1, None if count is None else start - 1 + count)
    first = next(chosen, None)
    if first is None:
        raise ConfigurationError(f"{suite} has no task {task if task is not None else f'number {start}'}")
    _play(itertools.chain([first], chosen), interaction, blind, save)


def _tasks(suite: str, seed: int | None) -> Iterator[Task]:
    """The tasks there are to play: a suite's, in its order or, with a seed, in a random one; or endless ones."""
    if suite == GENERATED and not Path(suite).exists():
        from ebf_generators.source import GeneratedSource

        source = GeneratedSource(seed=seed or 0, split="test", families=False)
        yield from map(source.task, range(len(source)))
        return
    import numpy as np

    from ebf_env.tasks import read_suite
    from ebf_env.tasks.starter import starter_suite

    tasks = (starter_suite() if suite == STARTER and not Path(suite).exists() else read_suite(suite)).tasks
    order = range(len(tasks)) if seed is None else np.random.default_rng(seed).permutation(len(tasks))
    for position in order:
        yield tasks[position]


# --- playing ---


def _play(tasks: Iterator[tuple[int, Task]], interaction: InteractionChoice, blind: bool, save: Path | None) -> None:
    from ebf_env.envs import EpisodeConfig
    from ebf_env.envs.human import Session

    console = _console()
    with contextlib.ExitStack() as stack:
        session = Session(
            _read_line,
            console,
            EpisodeConfig(interaction=interaction.value),
            save=None if save is None else stack.enter_context(_saving(save)),
            blind=blind,
            pause=_is_terminal(),
        )
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        try:
            session.play(tasks)
        except KeyboardInterrupt:
            sys.stdout.write("\n")
            raise typer.Exit(130) from None
        finally:
            if session.begun:
                where = f"; saved in {save}" if save is not None else ""
                console.print(Text(session.totals() + where), soft_wrap=True)


def _read_line(prompt: str) -> str | None:
    """A line from the terminal, with what editing it offers, or from a pipe, then shown; None at the end."""
    if _is_terminal():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 -- input() then edits lines and remembers them
    try:
        line = input(prompt)
    except EOFError:
        sys.stdout.write("\n")
        return None
    if not _is_terminal():
        sys.stdout.write(line + "\n")
    return line


def _is_terminal() -> bool:
    return sys.stdin.isatty()


def _console() -> Console:
    known = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(file=sys.stdout, highlight=False, width=None if known else PLAIN_WIDTH)


@contextlib.contextmanager
def _saving(path: Path) -> Iterator[Callable[[SavedAnswer], None]]:
    """A function that adds an answer to a file; what holds something else, or is no file, is refused."""
    from ebf_env.envs.human import read_saved
    from ebf_env.tasks.destination import destination

    if destination(path).exists():
        read_saved(path)
    with path.open("ab") as stream:
        if stream.tell() and path.read_bytes()[-1:] != b"\n":
            stream.write(b"\n")

        def add(answer: SavedAnswer) -> None:
            stream.write(answer.to_line().encode("ascii"))
            stream.flush()

        yield add


# --- scoring ---


def _score(path: Path, tasks: Iterator[Task]) -> None:
    from ebf_env.envs.human import disagreement, score_saved

    answers = score_saved(path, tasks)
    agreements = {
        "agreement with the label (act, or ask/defer)": [answer.agrees_with_label for answer in answers],
        "full agreement (success, or rightly asked or deferred)": [answer.agrees for answer in answers],
    }
    console = _console()
    for name, agreed in agreements.items():
        rate = sum(agreed) / len(agreed)
        console.print(Text(f"{name}: {sum(agreed)} of {len(agreed)} ({rate:.1%})"), soft_wrap=True)
    for answer in answers:
        if not answer.agrees:
            console.print(disagreement(answer))
