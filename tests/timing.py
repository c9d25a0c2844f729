"""Processor time in tests, measured so that a busy machine does not change what a test says.

What else runs only ever adds to a measured time: so the least of several tries is the one nearest to the truth, and
a bound counts as kept if one try of several keeps it (an implementation that is too slow keeps it in none).
"""

import gc
from collections.abc import Callable
from time import process_time

TRIES = 8


def seconds(work: Callable[[], object], tries: int = 1) -> float:
    """The least processor time, in seconds, that some work takes, without the collection of others' garbage."""
    collected = gc.isenabled()
    best = float("inf")
    gc.disable()
    try:
        for _ in range(tries):
            begin = process_time()
            work()
            best = min(best, process_time() - begin)
    finally:
        if collected:
            gc.enable()
    return best


def takes_at_most(work: Callable[[], object], times: float, of: Callable[[], object], spare: float = 0.0) -> bool:
    """Whether some work takes at most so many times as long as other work (plus spare seconds), measured by turns."""
    return any(seconds(work) <= times * seconds(of, 3) + spare for _ in range(TRIES))
