"""Guard a plain function with a decorator: it runs only on records that the user's words denote.

Run it with ``python examples/guard_function.py``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec, TypeVar

from ebf_baselines.gating import ActionGate, Candidates, Execute, PlainThresholds
from ebf_baselines.gating.foreign import spec_of_callable
from ebf_baselines.resolution.store import RecordStore
from ebf_env.decisions import Clarify, Defer, ToolCall
from ebf_env.json_types import JSONObject

P = ParamSpec("P")
R = TypeVar("R")

TICKETS: list[JSONObject] = [
    {"id": "T-1", "type": "ticket", "summary": "Checkout crash", "component": "payments", "state": "open"},
    {"id": "T-2", "type": "ticket", "summary": "Checkout crash", "component": "mobile", "state": "open"},
    {"id": "T-3", "type": "ticket", "summary": "Slow search", "component": "search", "state": "open"},
]


class NotSureError(Exception):
    """The words do not say which record is meant; what is to be asked or told stands in ``decision``."""

    def __init__(self, decision: Clarify | Defer | Candidates) -> None:
        super().__init__(decision.question if isinstance(decision, Clarify) else str(decision))
        self.decision = decision


def guard(rows: Sequence[JSONObject], **entities: str) -> Callable[[Callable[P, R]], Callable[Concatenate[str, P], R]]:
    """A decorator: the guarded function takes the user's words first, and gets ids for whatever names it is given."""
    gate = ActionGate(RecordStore.of_dicts(rows), PlainThresholds(0.7, 0.3))

    def decorate(function: Callable[P, R]) -> Callable[Concatenate[str, P], R]:
        spec = spec_of_callable(function, entities)

        @functools.wraps(function)
        def guarded(instruction: str, /, *args: P.args, **kwargs: P.kwargs) -> R:
            slots = {name: str(value) for name, value in kwargs.items() if name in entities}
            decision = gate.decide(instruction, ToolCall(spec.name, slots), spec)
            if not isinstance(decision, Execute):
                raise NotSureError(decision)
            kwargs.update(decision.call.bindings)
            return function(*args, **kwargs)

        return guarded

    return decorate


@guard(TICKETS, ticket="ticket")
def close_ticket(*, ticket: str, note: str = "") -> str:
    """Close a ticket."""
    return f"closed {ticket}" + (f" ({note})" if note else "")


def main() -> None:
    """Close what is clear, ask about what is not."""
    print(close_ticket("Close the checkout crash in payments", ticket="T-1", note="fixed in 1.4"))
    for instruction in ("Close the checkout crash", "Close the slow search ticket"):
        try:
            print(close_ticket(instruction, ticket="T-1"))
        except NotSureError as error:
            print(f"{instruction!r}: {error}")


if __name__ == "__main__":
    main()
