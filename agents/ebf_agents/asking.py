"""Reference lines for asking: they bind alike, by name, and differ in whether and what they ask.

All but the oracle question are told the right tool, so that nothing but the binding of its slots is compared; in a
world that has to be searched, they first look for records by the instruction's own words.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar

from rapidfuzz.utils import default_process

from ebf_agents.lexical import LexicalBackend
from ebf_agents.scripted import ScriptedBackend
from ebf_baselines.clarification import Inquiry, ask
from ebf_baselines.resolution.store import RecordStore
from ebf_env.decisions import Clarify, Decision, Defer, Option, ToolCall, parse_decision
from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.errors import ConfigurationError
from ebf_env.evaluation.protocols import Need, Query
from ebf_env.json_types import JSON
from ebf_env.world.binding import Binding, as_ids

MAX_OPTIONS = 10
"""Most records that ``always_ask`` offers: users answer no more."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question that was asked, and what the user answered.

    Attributes:
        question: the question.
        chosen: ids of the options chosen.
        said: what the user said of what they mean, by field.
    """

    question: Clarify
    chosen: tuple[str, ...]
    said: Mapping[str, JSON]


def exchanges(observation: Observation) -> Iterator[Exchange]:
    """The questions asked so far, each with its answer, read off the messages of the episode."""
    asked: Clarify | None = None
    for message in observation.messages:
        content = message.get("content")
        if message.get("role") == "assistant":
            said = parse_decision(content) if isinstance(content, str) else None
            asked = said if isinstance(said, Clarify) else None
        elif message.get("role") == "user" and asked is not None:
            chosen, facts = message.get("chosen"), message.get("said")
            yield Exchange(
                asked,
                tuple(str(i) for i in chosen) if isinstance(chosen, list | tuple) else (),
                facts if isinstance(facts, Mapping) else {},
            )
            asked = None


def same_head(observation: Observation, entity_id: str) -> list[ObservedEntity]:
    """The records in sight of a record's type that share a word of their names with it and with the instruction.

    These are what the instruction may mean by name alone, the record itself among them; in the order of the
    observation.
    """
    seen = {shown.id: shown for shown in observation.entities}
    own = seen[entity_id]
    said = set(default_process(observation.instruction).split())
    head = said.intersection(default_process(own.entity.label).split())
    return [
        shown
        for shown in observation.candidates(own.type)
        if shown.id == entity_id or head.intersection(default_process(shown.entity.label).split())
    ]


def fits(shown: ObservedEntity, said: Mapping[str, JSON], observation: Observation) -> bool:
    """Whether a record has what the user said of what they mean; a linked record is known by its name."""
    labels = {other.id: other.entity.label for other in observation.entities}
    return all(_holds(shown, path, value, labels) for path, value in said.items())


def _holds(shown: ObservedEntity, path: str, value: JSON, labels: Mapping[str, str]) -> bool:
    wanted = {str(v).casefold() for v in (value if isinstance(value, list | tuple) else [value])}
    found = _at({"id": shown.id, **shown.entity.fields}, path.split("."), labels)
    return value is None or any(str(item).casefold() in wanted for item in found)


def _at(value: JSON, path: Sequence[str], labels: Mapping[str, str]) -> Iterator[JSON]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from _at(item, path, labels)
    elif isinstance(value, Mapping):
        if path:
            yield from _at(value.get(path[0]), path[1:], labels)
    elif value is not None:
        yield labels.get(str(value), value)


class AskingLine(ScriptedBackend):
    """Calls the right tool on the records whose names match best, after asking about them as its kind does."""

    needs: ClassVar[frozenset[Need]] = frozenset({Need.GOLD_TOOL})

    def decide(self, query: Query) -> Decision:
        """A question about the first slot that it asks about and has not yet; the call, once there is none."""
        observation = query.observation
        spec = observation.tool(query.gold_tool or "")
        if spec is None:
            return Defer("the tool is not in the menu")
        searches = (other for other in observation.tools if other.is_search and other is not spec)
        acting = LexicalBackend().decide(replace(query, observation=replace(observation, tools=(spec, *searches))))
        if not isinstance(acting, ToolCall) or acting.tool != spec.name:
            return acting
        bindings: dict[str, Binding] = {}
        answers = {exchange.question.slot: exchange for exchange in exchanges(observation)}
        for slot, bound in acting.bindings.items():
            ids = as_ids(bound)
            among = same_head(observation, ids[0])
            if slot in answers:
                bindings[slot] = _told(answers[slot], among, bound, observation)
                continue
            question = self.question(slot, among)
            if question is not None:
                others = {name: other for name, other in acting.bindings.items() if name != slot}
                return replace(question, tool=spec.name, bindings={**others, **bindings})
            bindings[slot] = bound
        return replace(acting, bindings=bindings)

    @abstractmethod
    def question(self, slot: str, among: Sequence[ObservedEntity]) -> Clarify | None:
        """The question about a slot, or None to act on the best match.

        Args:
            slot: the slot.
            among: the records that the instruction may mean by name.
        """


def _told(exchange: Exchange, among: Sequence[ObservedEntity], bound: Binding, observation: Observation) -> Binding:
    """What a slot is bound to after an answer; the best match, where the answer did not help."""
    if exchange.chosen:
        ids = exchange.chosen
    elif exchange.said:
        of_type = observation.candidates(among[0].type) if among else ()
        ids = tuple(shown.id for shown in (*among, *of_type) if fits(shown, exchange.said, observation))
    else:
        return bound
    if isinstance(bound, tuple):
        return tuple(dict.fromkeys(ids)) or bound
    return ids[0] if ids else bound


class NeverAskBackend(AskingLine):
    """Acts on the best match by name: the line of asking nothing."""

    name = "never_ask"

    def question(self, slot: str, among: Sequence[ObservedEntity]) -> Clarify | None:
        """None."""
        return None


class AlwaysAskBackend(AskingLine):
    """Asks about every slot it is to fill, offering all records of the type that are called alike."""

    name = "always_ask"

    def question(self, slot: str, among: Sequence[ObservedEntity]) -> Clarify | None:
        """Which of these?"""
        offered = tuple(Option(shown.id, _named(shown)) for shown in among[:MAX_OPTIONS])
        names = ", ".join(shown.entity.label for shown in among[:MAX_OPTIONS])
        return Clarify(f"Which of these do you mean: {names}?", slot, tuple(_named(among[0])), offered)


class WhichOneBackend(AskingLine):
    """Asks "Which one do you mean?" about every slot it is to fill: the line of questions that offer nothing."""

    name = "which_one"

    def question(self, slot: str, among: Sequence[ObservedEntity]) -> Clarify | None:
        """Which one?"""
        return Clarify(f"Which {slot.replace('_', ' ')} do you mean?", slot)


class OracleQuestionBackend(ScriptedBackend):
    """Asks only where the reference decision does, about what is really in doubt, in the best way: the line for asking.

    It is told the reference decision, and asks about the records which that offers.
    """

    name = "oracle_question"
    needs = frozenset({Need.REFERENCE})

    def decide(self, query: Query) -> Decision:
        """The reference decision; a question is asked by the attributes that tell its options apart best."""
        if query.reference is None:
            raise ConfigurationError("the oracle question was not told the reference decision")
        reference, observation = query.reference, query.observation
        if not isinstance(reference, Clarify) or not reference.options:
            return reference
        store = RecordStore.of_observation(observation)
        if any(store.get(option.entity_id) is None for option in reference.options):
            return reference  # what has not been looked up cannot be described
        inquiry = Inquiry(
            store,
            reference.slot or "",
            "",
            {option.entity_id: 1.0 for option in reference.options},
            now=_moment(observation.now),
            only_options=True,
            tool=reference.tool,
            bindings=reference.bindings,
        )
        return ask(inquiry)


def _named(shown: ObservedEntity) -> dict[str, JSON]:
    label = shown.entity.label
    return {name: label for name, value in shown.entity.fields.items() if value == label} or {"id": shown.id}


def _moment(text: str | None) -> datetime | None:
    try:
        return None if text is None else datetime.fromisoformat(text)
    except ValueError:
        return None
