"""Processes that draw parts: in order, whoever is first, and with an end that leaves nothing behind."""

from __future__ import annotations

import functools
import multiprocessing
import os
import threading
import time
from collections.abc import Callable

import pytest

from ebf_env.errors import ConfigurationError, EbfError, TaskError
from ebf_generators.workers import AHEAD, Part, start_method, workers

METHODS = [method for method in ("fork", "spawn") if method in multiprocessing.get_all_start_methods()]


def _drawing(what: str) -> Callable[[Part], object]:
    """What draws in a process; told by a word, since it is pickled where processes are spawned."""
    if what == "cannot begin":
        raise ConfigurationError("it cannot begin")
    return functools.partial(_draw, what)


def _draw(what: str, part: Part) -> object:
    begin, end = part
    if what == "slow first" and begin == 0:
        time.sleep(0.3)
    if what == "stuck" and begin == 0:
        time.sleep(600)
    if what == "ends" and begin == 2:
        os._exit(3)
    if what == "bad task" and begin == 2:
        raise TaskError("it contradicts itself", field="label")
    if what == "bug" and begin == 2:
        raise ZeroDivisionError("by nothing")
    return begin, end, os.getpid()


def drawn(what: str, method: str, count: int = 2, parts: int = 12) -> list[tuple[int, int, int]]:
    with workers(count, method, functools.partial(_drawing, what)) as drawing:
        return list(drawing.draw([(number, number + 1) for number in range(parts)]))  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("what", ["plain", "slow first"])
def test_parts_come_in_order_from_processes_that_end_with_the_block(method, what):
    seen = drawn(what, method, parts=30)
    assert [(begin, end) for begin, end, _ in seen] == [(number, number + 1) for number in range(30)]
    assert os.getpid() not in {pid for _, _, pid in seen}
    assert not multiprocessing.active_children()


def test_while_one_part_takes_long_the_others_are_drawn_but_not_without_end():
    seen = drawn("slow first", METHODS[0], parts=30)
    first = seen[0][2]
    ahead = [pid for _, _, pid in seen[1 : 2 * AHEAD]]
    assert first not in ahead


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("what", "kind", "words"),
    [
        ("cannot begin", ConfigurationError, "it cannot begin"),
        ("bad task", EbfError, "it contradicts itself"),
        ("bug", ZeroDivisionError, "by nothing"),
        ("ends", ConfigurationError, r"came to its end \(exit code 3\)"),
    ],
)
def test_what_goes_wrong_in_a_process_is_raised_where_it_was_asked_for(method, what, kind, words):
    with pytest.raises(kind, match=words) as caught:
        drawn(what, method)
    if what == "bug":
        assert "_draw" in "".join(caught.value.__notes__), "where in the process it was"
    assert not multiprocessing.active_children()


@pytest.mark.parametrize("method", METHODS)
def test_leaving_the_block_ends_processes_in_the_middle_of_their_work(method):
    with workers(2, method, functools.partial(_drawing, "stuck")) as drawing:
        next(drawing.draw([(1, 2), (0, 1), (2, 3)]))
        assert len(multiprocessing.active_children()) == 2
    assert not multiprocessing.active_children()


def test_processes_are_forked_only_where_no_other_thread_could_hold_a_lock():
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    assert start_method() == "spawn"
    done.set()
    thread.join()
