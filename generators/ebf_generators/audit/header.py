"""The header and the trailer of a suite, held against its tasks; some tasks are drawn anew from the settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from pydantic import ValidationError

from ebf_env.errors import EbfError
from ebf_env.json_types import JSON, canonical_json
from ebf_env.tasks import SuiteInfo, Task
from ebf_env.tasks.lines import task_to_json
from ebf_generators.audit.duplicates import text_hash
from ebf_generators.audit.ledger import NOT_GENERATED, FaultLedger
from ebf_generators.audit.report import Finding
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator
from ebf_generators.randomness import GENERATOR_VERSION

GENERATED: Final = "generated"
"""What a generator's suites say of their source."""

LARGEST_DRAWN: Final = 20_000
"""Most records of a world that is made anew."""


def task_hash(task: Task) -> int:
    """A hash of all of a task."""
    return text_hash(canonical_json(task_to_json(task)))


def positions(info: SuiteInfo) -> tuple[int, ...]:
    """Numbers of the tasks that are drawn anew: the first, the last, and some between."""
    count = info.config.get("tasks")
    if info.generator_version != GENERATOR_VERSION or not isinstance(count, int) or count < 1:
        return ()
    return tuple(sorted({0, count // 4, count // 2, 3 * count // 4, count - 1}))


def header_faults(info: SuiteInfo, tasks: int, whole: bool) -> Iterator[str]:
    """What a generated suite's header says otherwise than it is, one sentence each.

    Args:
        info: what it says.
        tasks: how many tasks there are.
        whole: whether that is the whole file.
    """
    version = info.generator_version
    if version is None or not 1 <= version <= GENERATOR_VERSION:
        yield f"generator_version: there is no version {version}"
    if info.source != GENERATED:
        yield f"source: it is {info.source!r}, expected {GENERATED!r}"
    config = _config(info)
    if config is None:
        yield "config: it is none of a generator"
        return
    if info.seed != config.seed:
        yield f"seed: it is {info.seed}, that of the configuration is {config.seed}"
    if whole and tasks != config.tasks:
        yield f"config.tasks: it is {config.tasks:,}, there are {tasks:,}"


def _config(info: SuiteInfo) -> SuiteConfig | None:
    try:
        config = SuiteConfig.model_validate(dict(info.config))
    except ValidationError:
        return None
    return config if config.model_dump(mode="json") == info.config else None


def header_finding(info: SuiteInfo, found: Mapping[int, tuple[str, int]], tasks: int, *, whole: bool) -> Finding:
    """The criterion ``header``.

    Args:
        info: what the header says.
        found: id and hash of the tasks to draw anew, by number.
        tasks: how many tasks were audited.
        whole: whether these are all of the file.
    """
    ledger = _header_ledger()
    faults, why = redrawn(info, found)
    for fault in (*header_faults(info, tasks, whole), *faults):
        ledger.add("header", [fault])
    finding = ledger.finding(why or f"{len(found)} tasks were drawn anew from its settings")
    return replace(finding, n=tasks)


def no_header_finding() -> Finding:
    """The criterion ``header`` where no generator is named."""
    return _header_ledger().not_applicable(NOT_GENERATED)


def _header_ledger() -> FaultLedger:
    return FaultLedger("header", "the header is that of these tasks", "fields")


def trailer_finding(
    stated: Mapping[str, JSON], counted: Mapping[str, JSON], tasks: int, *, generated: bool, whole: bool
) -> Finding:
    """The criterion ``trailer``.

    Args:
        stated: the statistics of the trailer.
        counted: what was counted.
        tasks: how many tasks were audited.
        generated: whether a generator wrote the suite, so that all statistics are to be there.
        whole: whether these are all of the file.
    """
    ledger = FaultLedger("trailer", "the trailer's statistics are those of the tasks", "fields")
    if not whole:
        return ledger.not_applicable("only the first tasks were read")
    if not generated and not set(stated) & set(counted):
        return ledger.not_applicable("the trailer has none that could be counted again")
    for fault in trailer_faults(stated, counted, generated=generated):
        ledger.add("trailer", [fault])
    return replace(ledger.finding(), n=tasks)


def redrawn(info: SuiteInfo, found: Mapping[int, tuple[str, int]]) -> tuple[list[str], str]:
    """What tasks drawn anew from a header's settings are otherwise than in the file, and why none could be drawn.

    Args:
        info: what the header says.
        found: id and hash of some tasks, by number.
    """
    config = _config(info)
    if config is None or not found:
        return [], "none could be drawn anew"
    if config.world_size > LARGEST_DRAWN:
        return [], f"a world of more than {LARGEST_DRAWN:,} records is not made anew"
    try:
        generator = Generator(config)
        if generator.pools.source != info.pools:
            if config.locales:
                return [], f"pools were drawn as {info.pools!r}, here they are drawn as {generator.pools.source!r}"
            return [f"pools: it is {info.pools!r}, expected {generator.pools.source!r}"], ""
        return [
            f"{task_id}: the header's settings (config, seed) give another task"
            for number, (task_id, held) in sorted(found.items())
            if task_hash(generator.task(number)) != held
        ], ""
    except EbfError as error:
        return [f"config: {error}"], ""


def trailer_faults(stated: Mapping[str, JSON], counted: Mapping[str, JSON], *, generated: bool) -> Iterator[str]:
    """Statistics that are not what was counted, one sentence each.

    Args:
        stated: what the trailer says.
        counted: what was counted.
        generated: whether all of it is to be there.
    """
    for name, value in stated.items():
        if name in counted and value != counted[name]:
            yield f"statistics.{name}: it says {value!r}, there are {counted[name]!r}"
        elif name not in counted and generated:
            yield f"statistics.{name}: there is no such count"
    for name in counted:
        if generated and name not in stated:
            yield f"statistics.{name}: there is none"
