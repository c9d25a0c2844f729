"""Progress on standard error: a bar on a terminal, now and then a plain line elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import Protocol

SECONDS_BETWEEN_LINES = 10.0


class Advance(Protocol):
    """Tells that so many more steps are done."""

    def __call__(self, steps: int = 1, /) -> None:
        """Count them."""


@contextlib.contextmanager
def progress(what: str, total: int) -> Iterator[Advance]:
    """A function to call after each of ``total`` steps, or several; what takes a few seconds prints only the bar."""
    if sys.stderr.isatty():
        with _bar(what, total) as step:
            yield step
        return
    done, last = 0, time.monotonic()

    def advance(steps: int = 1, /) -> None:
        nonlocal done, last
        done += steps
        if time.monotonic() - last >= SECONDS_BETWEEN_LINES:
            last = time.monotonic()
            sys.stderr.write(f"{done:,} of {total:,} {what}\n")
            sys.stderr.flush()

    yield advance


@contextlib.contextmanager
def _bar(what: str, total: int) -> Iterator[Advance]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)

        def advance(steps: int = 1, /) -> None:
            bar.advance(task, steps)

        yield advance
