"""Guard the tool calls of an OpenAI-style agent over your own records, so that no call acts on the wrong one.

Run it with ``python examples/guard_openai_tools.py``; it needs no network: the agent's answer is a recorded one. The
essential lines are those of ``guarded``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from ebf_baselines.gating import ActionGate, Candidates, Execute, PlainThresholds
from ebf_baselines.gating.foreign import spec_of_function
from ebf_baselines.resolution.store import RecordStore
from ebf_env.decisions import Clarify, Defer, ToolCall
from ebf_env.json_types import JSONObject

CONTACTS: list[JSONObject] = [
    {"id": "c1", "type": "contact", "full_name": "Alex Chen", "org": {"team": "Launch"}},
    {"id": "c2", "type": "contact", "full_name": "Alex Kumar", "org": {"team": "Customer Success"}},
    {"id": "c3", "type": "contact", "full_name": "Maria Lopez", "org": {"team": "Launch"}},
]

FUNCTION: JSONObject = {
    "type": "function",
    "function": {
        "name": "send_message",
        "description": "Send a message to a contact.",
        "parameters": {
            "type": "object",
            "properties": {"contact": {"type": "string"}, "text": {"type": "string"}},
            "required": ["contact"],
        },
    },
}

RECORDED: JSONObject = {"name": "send_message", "arguments": '{"contact": "Alex Chen", "text": "Ready when you are."}'}
"""The ``function`` of one of ``response.choices[0].message.tool_calls``."""


def guarded(
    instruction: str, call: Mapping[str, object], rows: Sequence[JSONObject] = CONTACTS
) -> Execute | Candidates | Clarify | Defer:
    """What becomes of a tool call: executed on an id, asked about, or deferred."""
    spec = spec_of_function(FUNCTION, entities={"contact": "contact"})
    gate = ActionGate(RecordStore.of_dicts(rows), PlainThresholds(0.7, 0.3))
    arguments = json.loads(str(call["arguments"]))
    slots = {name: arguments.pop(name) for name in list(arguments) if spec.precondition(name)}
    return gate.decide(instruction, ToolCall(str(call["name"]), slots, arguments), spec)


def main() -> None:
    """Show the three answers of the gate."""
    for instruction in (
        "Tell Alex from the Launch team that I am ready",
        "Tell Alex that I am ready",
        "Tell Priya that I am ready",
    ):
        decision = guarded(instruction, RECORDED)
        match decision:
            case Execute(call, evidence):
                shown = ", ".join(f"{piece.field} = {piece.value}" for piece in evidence)
                print(f"{instruction!r}: execute {call.tool} on {dict(call.bindings)} ({shown})")
            case Clarify(question):
                print(f"{instruction!r}: ask {question!r}")
            case Defer(reason):
                print(f"{instruction!r}: defer, {reason}")


if __name__ == "__main__":
    main()
