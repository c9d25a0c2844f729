"""Reading a decision that a person typed.

``act TOOL slot=NUMBER[,NUMBER] ...``, ``ask [SLOT] [NUMBER ...]`` and ``defer REASON``. Names may be cut short as long
as they stay unique. What cannot be understood, or could not be executed, is :class:`Invalid` with one sentence.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from ebf_env.decisions import Clarify, Decision, Defer, Invalid, Option, ToolCall, check_call
from ebf_env.envs.human.records import NumberedRecords
from ebf_env.envs.observation import Observation
from ebf_env.json_types import JSON, finite, shown
from ebf_env.tasks import Condition
from ebf_env.world import EntityPrecondition, ToolParameter, ToolSpec
from ebf_env.world.binding import Binding

Verb: TypeAlias = Literal["act", "ask", "defer"]

DECISIONS: tuple[Verb, ...] = ("act", "ask", "defer")
"""The words a decision begins with."""

REASONS = (Condition.NO_REFERENT.value, Condition.NOT_PERMITTED.value)
"""The reasons of a deferral that can be right or wrong."""


class UnclearError(ValueError):
    """What was typed cannot be understood; the message says why, in one sentence."""


def read_answer(verb: Verb, rest: str, observation: Observation, records: NumberedRecords) -> Decision:
    """The decision of a typed line.

    Args:
        verb: its first word.
        rest: what follows.
        observation: what the person sees.
        records: the numbers of the records in sight.

    Returns:
        The decision; an ``Invalid`` one where it is not well formed, and must not reach the episode.
    """
    try:
        match verb:
            case "act":
                return _act(_tokens(rest), observation, records)
            case "ask":
                return _ask(_tokens(rest), observation, records)
            case "defer":
                return _defer(rest)
    except UnclearError as error:
        return Invalid(str(error))


def one_of(text: str, names: Iterable[str], what: str) -> str:
    """The one name that is or begins with a text.

    Raises:
        UnclearError: there is none, or more than one.
    """
    offered = list(dict.fromkeys(names))
    wanted = text.casefold()
    fitting = [name for name in offered if name.casefold() == wanted]
    fitting = fitting or [name for name in offered if wanted and name.casefold().startswith(wanted)]
    if not fitting:
        raise UnclearError(f"there is no {what} {shown(text)}; there are {', '.join(offered) or 'none'}")
    if len(fitting) > 1:
        raise UnclearError(f"{shown(text)} could be {' or '.join(fitting)}")
    return fitting[0]


def _tokens(text: str) -> list[str]:
    """Words, with what stands in double quotes kept together; blanks around ``=`` and ``,`` do not count."""
    parts = text.split('"')
    if len(parts) % 2 == 0:
        raise UnclearError("a double quote is opened and never closed")
    parts[::2] = [re.sub(r"\s*([=,])\s*", r"\1", part) for part in parts[::2]]
    lexer = shlex.shlex('"'.join(parts), posix=True)
    lexer.whitespace_split, lexer.quotes, lexer.escape, lexer.commenters = True, '"', "", ""
    return list(lexer)


# --- act ---


def _act(tokens: Sequence[str], observation: Observation, records: NumberedRecords) -> ToolCall:
    if not tokens:
        raise UnclearError("act needs a tool, as in: act TOOL slot=NUMBER")
    offered = {spec.name: spec for spec in observation.tools}
    spec = offered[one_of(tokens[0], offered, "tool")]
    bindings: dict[str, Binding] = {}
    arguments: dict[str, JSON] = {}
    for name, values in _assignments(spec, tokens[1:]):
        precondition, parameter = spec.precondition(name), spec.parameter(name)
        if name in bindings or name in arguments:
            raise UnclearError(f"{name} is given twice")
        if precondition is not None:
            bindings[name] = _bound(precondition, values, records)
        elif parameter is not None:
            arguments[name] = _argument(parameter, " ".join(values))
    call = ToolCall(spec.name, bindings, arguments)
    checked = check_call(call, observation.tools, lambda i: record.entity if (record := records.record(i)) else None)
    if isinstance(checked, Invalid):
        raise UnclearError(checked.reason)
    return call


def _assignments(spec: ToolSpec, tokens: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The slots and arguments named, each with what is assigned to it.

    What stands before the first name goes to the tool's only slot (the only one it needs, where it could take others),
    and to the words of a search.
    """
    pairs: list[tuple[str, list[str]]] = []
    for token in tokens:
        name, equals, value = token.partition("=")
        if equals:
            names = [p.slot for p in spec.preconditions] + [p.name for p in spec.parameters]
            pairs.append((one_of(name, names, f"slot of {spec.name} called"), [value]))
        elif pairs:
            pairs[-1][1].append(token)
        else:
            pairs.append((_slot_meant(spec), [token]))
    return pairs


def _slot_meant(spec: ToolSpec) -> str:
    if spec.is_search and spec.parameter("query"):
        return "query"
    needed = [p for p in spec.preconditions if p.required]
    slots = [p.slot for p in (needed if len(needed) == 1 else spec.preconditions)]
    if len(slots) != 1:
        names = f"has the slots {', '.join(slots)}; say which, as in {slots[0]}=NUMBER" if slots else "has no slot"
        raise UnclearError(f"{spec.name} {names}")
    return slots[0]


def _bound(precondition: EntityPrecondition, values: Sequence[str], records: NumberedRecords) -> Binding:
    ids = tuple(dict.fromkeys(_record(text, records) for text in _listed(values)))
    for entity_id in ids:
        record = records.record(entity_id)
        if record is not None and not precondition.accepts(record.type):
            raise UnclearError(
                f"{precondition.slot} takes records of type {precondition.entity_type}, "
                f"and {records.called(entity_id)} is of type {record.type}"
            )
    if not ids:
        raise UnclearError(f"{precondition.slot} is given no record, as in {precondition.slot}=NUMBER")
    if len(ids) > 1 and not precondition.many:
        raise UnclearError(f"{precondition.slot} takes one record, got {len(ids)}")
    return ids if precondition.many else ids[0]


def _listed(values: Sequence[str]) -> list[str]:
    return [part for value in values for part in value.split(",") if part]


def _record(text: str, records: NumberedRecords) -> str:
    entity_id = records.find_id(text)
    if entity_id is None:
        raise UnclearError(f"no record in sight has the number {shown(text)}")
    return entity_id


_TRUTH: Mapping[str, bool] = {"yes": True, "true": True, "no": False, "false": False}


def _argument(parameter: ToolParameter, text: str) -> JSON:
    value: JSON = text
    try:
        match parameter.type:
            case "integer":
                value = int(text)
            case "number":
                value = finite(text)
            case "boolean":
                value = _TRUTH[text.casefold()]
            case "strings":
                value = [part.strip() for part in text.split(",") if part.strip()]
    except (ValueError, KeyError):
        raise UnclearError(f"{parameter.name} is {shown(text)}, expected {parameter.type}") from None
    return value


# --- ask and defer ---

_NUMBERS = tuple("#0123456789")


def _ask(tokens: Sequence[str], observation: Observation, records: NumberedRecords) -> Clarify:
    slots = [p.slot for spec in observation.tools for p in spec.preconditions]
    slot, options = None, list(tokens)
    if options and not options[0].startswith(_NUMBERS) and records.find_id(options[0].split(",")[0]) is None:
        name, _, value = options.pop(0).partition("=")
        slot = one_of(name, slots, "slot")
        options.insert(0, value)
    offered = dict.fromkeys(_record(text, records) for text in _listed(options))
    return Clarify(
        f"Which {slot.replace('_', ' ')} do you mean?" if slot else "Which one do you mean?",
        slot,
        options=tuple(Option(i, {"name": r.entity.label}) for i in offered if (r := records.record(i)) is not None),
    )


def _defer(rest: str) -> Defer:
    reason = " ".join(rest.split())
    if not reason:
        raise UnclearError(f"defer needs a reason: {', '.join(REASONS)}, or your own words")
    meant = [name for name in REASONS if name.startswith(reason.casefold())]
    return Defer(meant[0] if len(meant) == 1 else reason)
