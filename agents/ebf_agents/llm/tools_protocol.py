"""The tools protocol: native tool calls, with two further tools to ask and to defer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from ebf_agents.llm.exchange import Exchange, Form, Message, Reading, content_of, without_records
from ebf_agents.llm.functions import CLARIFY, DEFER, PROVENANCE, SCORES, functions
from ebf_agents.llm.rendering import compact_json, sendable, user_message
from ebf_agents.llm.schema import CONSTRAINED
from ebf_agents.llm.settings import ProtocolName, ToolChoice
from ebf_agents.llm.words import REMARK, UNREADABLE, method_words, system_words
from ebf_env.decisions import Clarify, Decision, Defer, Invalid, ToolCall, parse_decision
from ebf_env.decisions.extraction import UnreadableError, loads_tolerantly
from ebf_env.envs.observation import Observation
from ebf_env.evaluation.protocols import Query
from ebf_env.json_types import JSON, JSONObject, ascii_json, canonical_json, nested_within, shown
from ebf_env.world import TOOLS, ToolSpec
from ebf_env.world.binding import plain_binding

_MAX_DEPTH = 32


@dataclass(frozen=True, slots=True)
class ToolsProtocol:
    """Asks for one tool call.

    Attributes:
        tool_choice: ``required``, with ``auto`` for servers that refuse that; or ``auto``.
    """

    tool_choice: ToolChoice = "required"
    name: ClassVar[ProtocolName] = "tools"

    def exchange(self, query: Query) -> Exchange:
        """The question as a chat, and the forms in which a call can be asked for."""
        observation = query.observation
        messages: list[Message] = [
            {"role": "system", "content": sendable(system_words("tools"))},
            {
                "role": "user",
                "content": user_message(observation, method_words("tools", query.prompt), with_tools=False),
            },
            *_conversation(observation),
        ]
        tools = functions(observation, query.prompt.wants)
        auto = Form({"tools": tools, "tool_choice": "auto"}, (CONSTRAINED,))
        if self.tool_choice == "auto":
            return Exchange(tuple(messages), (auto,))
        fallen = Form(auto.fields, (*auto.notes, "tool_choice required refused by the server; auto used"))
        return Exchange(tuple(messages), (Form({**auto.fields, "tool_choice": "required"}, auto.notes), fallen))

    def read(self, message: JSONObject, observation: Observation) -> Reading:
        """The decision that the message's tool calls, or else its text, hold."""
        content, calls = content_of(message), _calls_of(message)
        if not calls:
            return Reading(content, parse_decision(content))
        # a call's own id is drawn anew each time and says nothing; without it, equal answers have equal records
        plain: list[JSON] = [{k: v for k, v in call.items() if k not in ("id", "index")} for call in calls]
        return Reading(
            ascii_json({"content": message.get("content"), "tool_calls": plain}), _decision(calls, observation)
        )


def _calls_of(message: JSONObject) -> list[JSONObject]:
    calls = message.get("tool_calls")
    return [call for call in calls if isinstance(call, Mapping)] if isinstance(calls, list) else []


# --- reading ---


def _decision(calls: list[JSONObject], observation: Observation) -> Decision:
    different: dict[str, tuple[str, JSONObject]] = {}
    for call in calls:
        function = call.get("function")
        name = function.get("name") if isinstance(function, Mapping) else None
        if not isinstance(function, Mapping) or not isinstance(name, str):
            return Invalid("the answer holds a tool call that names no tool")
        arguments = _arguments(function.get("arguments"))
        if arguments is None:
            return Invalid(f"the arguments of the call of {shown(name)} are no JSON object")
        different[canonical_json([name, arguments])] = (name, arguments)
    if len(different) > 1:
        return Invalid(f"the answer holds {len(different)} different tool calls, expected one")
    name, arguments = next(iter(different.values()))
    # a call of a tool that a method left out of the menu is judged as the same call in the JSON protocol is
    spec = observation.tool(name) or TOOLS.get(name)
    return parse_decision(ascii_json(_as_json(name, arguments, spec)))


def _arguments(given: JSON) -> JSONObject | None:
    """The arguments of a call: JSON text, or an object as some servers send it; None if they are neither."""
    if given is None or given == "":
        return {}
    try:
        value: JSON = loads_tolerantly(given) if isinstance(given, str) else given
    except (UnreadableError, RecursionError):
        return None
    return value if isinstance(value, Mapping) and nested_within(value, _MAX_DEPTH) else None


def _as_json(name: str, arguments: JSONObject, spec: ToolSpec | None) -> JSONObject:
    """A call in the paper's format, whose reader then judges it as it does any answer."""
    if name == CLARIFY:
        renamed = {"clarification_question": arguments.get("question")}
        return {"decision": "CLARIFY", **renamed, "slot": arguments.get("slot"), "options": arguments.get("options")}
    if name == DEFER:
        return {"decision": "DEFER", "reason": arguments.get("reason")}
    rest = dict(arguments)
    content: dict[str, JSON] = {"decision": "ACT", "tool": name}
    if spec is not None:
        content["bindings"] = {p.slot: rest.pop(p.slot) for p in spec.preconditions if p.slot in rest}
        if spec.parameter(SCORES) is None and SCORES in rest:
            content["scores"] = _scores(rest.pop(SCORES))
        if spec.parameter(PROVENANCE) is None and PROVENANCE in rest:
            content["provenance"] = rest.pop(PROVENANCE)
    return {**content, "arguments": rest}


def _scores(given: JSON) -> JSON:
    """Scores as ``{slot: {id: score}}``, from the list of triples that the schema asks for."""
    if not isinstance(given, list):
        return given
    result: dict[str, dict[str, JSON]] = {}
    for item in given:
        if isinstance(item, Mapping):
            slot, entity_id = item.get("slot"), item.get("entity_id")
            if isinstance(slot, str) and isinstance(entity_id, str):
                result.setdefault(slot, {})[entity_id] = item.get("score")
    return result


# --- the conversation so far ---


def _conversation(observation: Observation) -> Iterator[Message]:
    """Earlier answers as tool calls, and what came of each as the call's result."""
    open_call: str | None = None
    for number, message in enumerate(observation.messages):
        content = message.get("content")
        if message.get("role") == "assistant":
            said = content if isinstance(content, str) else ""
            call = _call_again(parse_decision(said))
            open_call = f"call_{number}" if call else None
            yield (
                {"role": "assistant", "content": sendable(said or UNREADABLE)}
                if call is None
                else {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"id": open_call, "type": "function", "function": call}],
                }
            )
            continue
        text = content if isinstance(content, str) else compact_json(without_records(content))
        if message.get("role") == "system":
            text = REMARK.format(content=text)
        if open_call is None:
            yield {"role": "user", "content": sendable(text)}
        else:
            yield {"role": "tool", "tool_call_id": open_call, "content": sendable(text)}
            open_call = None


def _call_again(decision: Decision) -> JSONObject | None:
    """The function call that a decision was; None where nothing was decided."""
    arguments: dict[str, JSON]
    match decision:
        case ToolCall():
            bindings = {slot: plain_binding(bound) for slot, bound in decision.bindings.items()}
            name, arguments = decision.tool, {**bindings, **decision.arguments}
        case Clarify():
            options: list[JSON] = [option.entity_id for option in decision.options]
            name, arguments = CLARIFY, {"question": decision.question, "slot": decision.slot, "options": options}
        case Defer():
            name, arguments = DEFER, {"reason": decision.reason}
        case Invalid():
            return None
    return {"name": name, "arguments": json.dumps(arguments, ensure_ascii=True, separators=(",", ":"))}
