"""What the tests of language models share."""

from __future__ import annotations

import asyncio
import json
import re

from ebf_agents.llm import BackendEntry, LLMBackend
from ebf_env.envs import Episode
from ebf_env.envs.observation import Observation
from ebf_env.evaluation.protocols import Answer, Prompt, Query, Want
from ebf_env.tasks import Task

PROMPT = Prompt("direct", 1, "Do what the user asks.")
WANTING = Prompt("gated", 1, "Do what the user asks.", frozenset(Want))
ACT = '{"decision":"ACT","tool":"send_email","bindings":{"recipient":"p2"}}'


def observation_of(task: Task) -> Observation:
    return Episode(task).observation


def query_of(task: Task, prompt: Prompt = PROMPT, trial: int = 0) -> Query:
    return Query(observation_of(task), prompt, trial, 0)


def backend_at(url: str, **fields: object) -> LLMBackend:
    defaults: dict[str, object] = {"model": "stub-1", "base_url": url, "max_retries": 0, "timeout": 60}
    return LLMBackend("stub", BackendEntry.model_validate(defaults | fields))


def ask(backend: LLMBackend, *queries: Query) -> list[Answer]:
    """Ask one after the other, as a run does."""

    async def run() -> list[Answer]:
        async with backend:
            return [await backend.answer(query) for query in queries]

    return asyncio.run(run())


# --- reading records as they are written ---


def _none(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


class _Reader:
    """Reads values from left to right; what it cannot read as anything else is bare text."""

    def __init__(self, text: str, offset: str) -> None:
        self.text, self.offset, self.at = text, offset, 0

    def take(self, sign: str) -> bool:
        found = self.text.startswith(sign, self.at)
        self.at += len(sign) if found else 0
        return found

    def fields(self, end: str) -> dict[str, object]:
        fields: dict[str, object] = {}
        while self.at < len(self.text) and not self.take(end or "\0"):
            if self.take('"'):
                self.at -= 1
                name = self.value("=")
            else:
                name = self.bare("=")
            assert self.take("=")
            assert name not in fields
            fields[name] = self.value(f";{end}")
            self.take("; ")
        return fields

    def value(self, ends: str) -> object:
        if self.take("["):
            items = []
            while not self.take("]"):
                items.append(self.value(",]"))
                self.take(",")
            return items
        if self.take("{"):
            return self.fields("}")
        if self.text.startswith('"', self.at):
            value, self.at = json.JSONDecoder().raw_decode(self.text, self.at)
            return value
        bare = self.bare(ends)
        if re.fullmatch(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}", bare):
            return f"{bare.replace(' ', 'T')}:00{self.offset}"
        try:
            return json.loads(bare, parse_constant=_none)
        except ValueError:
            return bare

    def bare(self, ends: str) -> str:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in ends:
            self.at += 1
        return self.text[start : self.at]


def read_value(text: str, offset: str) -> object:
    reader = _Reader(text, offset)
    value = reader.value(";")
    assert reader.at == len(text)
    return value


def read_fields(text: str, offset: str) -> dict[str, object]:
    return _Reader(text, offset).fields("")


def read_record(line: str, offset: str) -> tuple[object, dict[str, object]]:
    """What a record is called, and its other fields."""
    _, label, fields = [*line.split(" | ", 2), ""][:3]
    return read_value(label, offset), read_fields(fields, offset)
