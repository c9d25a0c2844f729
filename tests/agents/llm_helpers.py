"""What the tests of language models share."""

from __future__ import annotations

import asyncio

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
