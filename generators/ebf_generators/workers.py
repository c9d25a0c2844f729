"""Processes that draw parts of a suite: whichever is free draws the next, and what they drew comes back in order.

They are forked where that is safe, so that they share the modules and the large company that are in memory already;
elsewhere each begins by importing and building its own. None outlives the process that asked: leaving the block kills
them, and where that process was itself killed, they find that their pipes have no other end.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import pickle
import signal
import sys
import threading
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, Final, Generic, Protocol, TypeVar

from ebf_env.errors import ConfigurationError, EbfError

AHEAD: Final = 3
"""How many parts for each process are drawn before the first of them is taken."""

Part = tuple[int, int]
Drawn = TypeVar("Drawn")


class Process(Protocol):
    """What is asked of a process, whatever its start method."""

    @property
    def exitcode(self) -> int | None:
        """What it ended with, minus the number of a signal that ended it."""

    def kill(self) -> None:
        """End it at once."""

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end."""


def start_method() -> str:
    """``fork`` on Linux where no other thread of Python's runs, which could hold a lock; else ``spawn``."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


class Workers(Generic[Drawn]):
    """Processes that wait to be asked; :func:`workers` makes them."""

    def __init__(self, processes: dict[Connection, Process]) -> None:
        self._processes = processes

    def draw(self, parts: Sequence[Part]) -> Iterator[Drawn]:
        """What the parts give, in their order.

        Raises:
            EbfError: drawing a part raised it, or a process came to its end.
        """
        waiting, idle = deque(enumerate(parts)), list(self._processes)
        asked: dict[Connection, int] = {}
        drawn: dict[int, Drawn] = {}

        def ask(wanted: int) -> None:
            while idle and waiting and waiting[0][0] < wanted + AHEAD * len(self._processes):
                number, part = waiting.popleft()
                pipe = idle.pop()
                with self._ends_told(pipe):
                    pipe.send(part)
                asked[pipe] = number

        for wanted in range(len(parts)):
            ask(wanted)
            while wanted not in drawn:
                for pipe in [pipe for pipe in wait(list(asked)) if isinstance(pipe, Connection)]:
                    drawn[asked.pop(pipe)] = self._answer(pipe)
                    idle.append(pipe)
                ask(wanted)
            yield drawn.pop(wanted)

    def _answer(self, pipe: Connection) -> Drawn:
        with self._ends_told(pipe):
            answer = pipe.recv()
        if isinstance(answer, Exception):
            raise answer
        drawn: Drawn = answer
        return drawn

    @contextlib.contextmanager
    def _ends_told(self, pipe: Connection) -> Iterator[None]:
        try:
            yield
        except (EOFError, BrokenPipeError, ConnectionResetError) as error:
            process = self._processes[pipe]
            process.join(1)
            raise ConfigurationError(
                f"a process that drew tasks came to its end (exit code {process.exitcode}); where memory is short, "
                "fewer workers need less"
            ) from error


@contextlib.contextmanager
def workers(count: int, method: str, prepare: Callable[[], Callable[[Part], Drawn]]) -> Iterator[Workers[Drawn]]:
    """Processes, for the time of the block.

    Args:
        count: how many.
        method: what :func:`start_method` said.
        prepare: gives, in each process, the function that draws a part; with ``spawn`` it is pickled.
    """
    context: Any = multiprocessing.get_context(method)
    processes: dict[Connection, Process] = {}
    try:
        if method == "spawn":
            resource_tracker.ensure_running()  # starting it would let the signals through that are held back here
        with _signals_held(), warnings.catch_warnings():
            # Python 3.12 warns of every thread at a fork, also of those of numpy's library, which stand still
            warnings.simplefilter("ignore", DeprecationWarning)
            for _ in range(count):
                ours, theirs = multiprocessing.Pipe()
                process = context.Process(
                    target=_serve, args=(prepare, theirs, ours if method == "fork" else None), daemon=True
                )
                process.start()
                processes[ours] = process
                theirs.close()
        yield Workers(processes)
    finally:
        with _signals_held():
            for process in processes.values():
                process.kill()
            for pipe, process in processes.items():
                process.join()
                pipe.close()


def _serve(prepare: Callable[[], Callable[[Part], Drawn]], pipe: Connection, other_end: Connection | None) -> None:
    """What a process does: it draws what it is asked for until nobody is there to ask."""
    if other_end is not None:
        other_end.close()
    draw: Callable[[Part], Drawn] | None = None
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            part = pipe.recv()
            try:
                draw = draw or prepare()
                answer: object = draw(part)
            except Exception as error:
                answer = _sendable(error)
            pipe.send(answer)


def _sendable(error: Exception) -> Exception:
    """The error, or one that says the same where it cannot be pickled."""
    told = "".join(traceback.format_exception(error))
    try:
        copy: Exception = pickle.loads(pickle.dumps(error))  # noqa: S301 -- our own
    except Exception:
        copy = ConfigurationError(str(error)) if isinstance(error, EbfError) else RuntimeError(told)
    if not isinstance(error, EbfError):
        copy.add_note(told)
    return copy


@contextlib.contextmanager
def _signals_held() -> Iterator[None]:
    """Hold back the signals that end a process until the block ends; processes begun in it never get them."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
