"""Progress on standard error: a bar on a terminal, now and then a plain line elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

SECONDS_BETWEEN_LINES = 10.0


@contextlib.contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[], None]]:
    """A function to call after each of ``total`` steps; what takes a few seconds only prints nothing but the bar."""
    if sys.stderr.isatty():
        with _bar(what, total) as step:
            yield step
        return
    done, last = 0, time.monotonic()

    def advance() -> None:
        nonlocal done, last
        done += 1
        if time.monotonic() - last >= SECONDS_BETWEEN_LINES:
            last = time.monotonic()
            sys.stderr.write(f"{done:,} of {total:,} {what}\n")
            sys.stderr.flush()

    yield advance


@contextlib.contextmanager
def _bar(what: str, total: int) -> Iterator[Callable[[], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)
