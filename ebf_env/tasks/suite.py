"""Suite files: JSON Lines with a header, shared worlds, one task a line, and a trailer that seals them.

Plain or gzipped (``.jsonl``, ``.jsonl.gz``); hashes are of the uncompressed bytes. Reading is strict: a file that is
truncated, damaged or contradicts itself is refused with one sentence that names file, line and field.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import IO, cast

from pydantic import ValidationError

from ebf_env.errors import SuiteError, TaskError
from ebf_env.json_types import JSON, JSONObject, ascii_json
from ebf_env.tasks.destination import destination, written_whole
from ebf_env.tasks.lines import (
    FORMAT_VERSION,
    LINES,
    HeaderLine,
    Line,
    TaskLine,
    TrailerLine,
    WorldLine,
    check_line,
    first_fault,
    loads,
    task_from_line,
    task_to_json,
    world_from_json,
)
from ebf_env.tasks.task import MAX_FULL_ENTITIES, Task, check_world
from ebf_env.world import World


@dataclass(frozen=True, slots=True)
class SuiteInfo:
    """What a suite says of itself.

    Attributes:
        name: its name.
        source: where its tasks come from, in words.
        generator_version: version of the generator that wrote it, None for a suite written by hand or imported.
        seed: the generator's seed.
        pools: the name and word pools used.
        config: the generator's configuration.
    """

    name: str = "suite"
    source: str | None = None
    generator_version: int | None = None
    seed: int | None = None
    pools: str | None = None
    config: JSONObject = field(default_factory=dict)


@dataclass(frozen=True)
class Suite:
    """A suite read whole into memory.

    Attributes:
        info: what the suite says of itself.
        tasks: its tasks, in order.
        sha256: hash of the lines between header and trailer, uncompressed.
        path: where it was read from.
    """

    info: SuiteInfo
    tasks: tuple[Task, ...]
    sha256: str
    path: Path | None = None

    def __len__(self) -> int:
        return len(self.tasks)

    def __iter__(self) -> Iterator[Task]:
        return iter(self.tasks)

    def __getitem__(self, task_id: str) -> Task:
        """The task of that id; raises KeyError where there is none."""
        return self._by_id[task_id]

    @cached_property
    def _by_id(self) -> Mapping[str, Task]:
        return {task.task_id: task for task in self.tasks}


# --- reading ---


def read_suite(path: str | Path) -> Suite:
    """Read and check a whole suite.

    Raises:
        SuiteError: the file cannot be used; the message names line and field.
    """
    reader = _Reader(Path(path))
    tasks = tuple(reader.tasks())
    return Suite(reader.info, tasks, reader.sha256, Path(path))


def iterate_suite(path: str | Path) -> Iterator[Task]:
    """The tasks of a suite one by one, for suites too large for memory; the seal is checked at the end.

    Raises:
        SuiteError: as soon as a line that cannot be used is met.
    """
    return _Reader(Path(path)).tasks()


class _Reader:
    """Reads one file once; ``info`` and ``sha256`` are known after ``tasks()`` is exhausted."""

    def __init__(self, path: Path) -> None:
        self.path, self.info, self.sha256 = path, SuiteInfo(), ""
        self._worlds: dict[str, World] = {}
        self._ids: dict[str, int] = {}

    def tasks(self) -> Iterator[Task]:
        digest = hashlib.sha256()
        trailer: TrailerLine | None = None
        for number, raw in raw_lines(self.path):
            if trailer is not None:
                raise SuiteError(self.path, "there is more after the trailer line", line=number)
            line = self._parse(number, raw)
            if number == 1:
                self.info = self._header(line)
                continue
            if isinstance(line, TrailerLine):
                trailer = line
                continue
            digest.update(raw)
            if isinstance(line, WorldLine):
                self._add_world(number, line)
            elif isinstance(line, TaskLine):
                yield self._task(number, line)
            else:
                raise SuiteError(self.path, "a header line stands only at the beginning", line=number, field="line")
        self.sha256 = digest.hexdigest()
        self._check_seal(trailer)

    def _parse(self, number: int, raw: bytes) -> Line:
        try:
            value = loads(raw)
        except UnicodeDecodeError as error:
            raise SuiteError(self.path, "not UTF-8 text", line=number) from error
        except (ValueError, RecursionError) as error:
            cut = "" if raw.endswith(b"\n") else "; the file seems to be cut off here"
            raise SuiteError(self.path, f"not valid JSON ({error}){cut}", line=number) from error
        if not isinstance(value, dict):
            raise SuiteError(self.path, "expected a JSON object", line=number)
        kind = value.get("line")
        if number == 1 and kind != "header":
            if "gold_tool" in value:
                raise SuiteError(
                    self.path, "this is a task file in the paper's format; convert it with `ebf import-paper`", line=1
                )
            raise SuiteError(self.path, "expected the header line of a suite", line=1, field="line")
        version = value.get("format_version")
        if number == 1 and (type(version) is not int or version != FORMAT_VERSION):
            message = f"this is format version {version!r}, this program reads version {FORMAT_VERSION}"
            raise SuiteError(self.path, message, line=1, field="format_version")
        if not isinstance(kind, str) or kind not in LINES:
            raise SuiteError(
                self.path, f"{kind!r} is no kind of line, expected one of {', '.join(LINES)}", line=number, field="line"
            )
        try:
            return LINES[kind].model_validate(value)
        except ValidationError as error:
            path, message = first_fault(error)
            raise SuiteError(self.path, message, line=number, field=path) from error

    def _header(self, line: Line) -> SuiteInfo:
        header = cast("HeaderLine", line)
        return SuiteInfo(header.name, header.source, header.generator_version, header.seed, header.pools, header.config)

    def _add_world(self, number: int, line: WorldLine) -> None:
        if line.world in self._worlds:
            raise SuiteError(self.path, f"a second world is called {line.world!r}", line=number, field="world")
        try:
            world = world_from_json(line.entities)
            if line.typed:
                check_world(world)
        except TaskError as error:
            raise SuiteError(self.path, str(error), line=number, field=error.field) from error
        self._worlds[line.world] = world

    def _task(self, number: int, line: TaskLine) -> Task:
        if line.task_id in self._ids:
            message = f"the task id {line.task_id!r} was used before, in line {self._ids[line.task_id]}"
            raise SuiteError(self.path, message, line=number, field="task_id")
        self._ids[line.task_id] = number
        try:
            task = task_from_line(line, self._worlds)
            if task.typed:
                check_world(task.world, "entities" if line.overlay is None else "overlay")
        except TaskError as error:
            field = error.field.removeprefix("user.") if error.field.startswith("user.permissions") else error.field
            raise SuiteError(self.path, str(error), line=number, field=field) from error
        return task

    def _check_seal(self, trailer: TrailerLine | None) -> None:
        if trailer is None:
            raise SuiteError(
                self.path, f"the trailer line is missing, the file is cut off after {len(self._ids)} task(s)"
            )
        if trailer.count != len(self._ids):
            message = f"the trailer counts {trailer.count} tasks, the file holds {len(self._ids)}"
            raise SuiteError(self.path, message, field="count")
        if trailer.sha256 != self.sha256:
            message = (
                "the lines do not have the hash given here: the file was damaged, or edited without being sealed anew"
            )
            raise SuiteError(self.path, message, field="sha256")


def raw_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file, unpacked and not looked at, with their numbers from 1.

    Raises:
        SuiteError: the file cannot be read, is empty, or its compression is damaged or cut off.
    """
    number = 0
    try:
        with _open_for_reading(path) as stream:
            for number, raw in enumerate(stream, 1):
                yield number, raw
    except FileNotFoundError as error:
        raise SuiteError(path, "there is no such file") from error
    except IsADirectoryError as error:
        raise SuiteError(path, "this is a folder, expected a suite file") from error
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise SuiteError(path, f"the compressed file is damaged or cut off ({error})", line=number + 1) from error
    except OSError as error:
        raise SuiteError(path, f"the file cannot be read ({error.strerror or error})") from error
    if number == 0:
        raise SuiteError(path, "the file is empty")


def _open_for_reading(path: Path) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")


# --- writing ---


class SuiteWriter:
    """Writes a suite line by line, so that a suite of any size needs the memory of one task.

    A context manager: the file appears when the block ends without an error. A symbolic link stays one, and the file it
    leads to is written; folders on the way are made.

    Args:
        path: the file; with ``.gz`` it is compressed.
        info: what the suite says of itself.
        replace: whether a file that is there may be replaced.

    Attributes:
        count: tasks written so far.
        statistics: what the trailer says of the tasks.

    Raises:
        SuiteError: a folder, device, pipe or socket lies there, or a file that may not be replaced; nothing is touched.
    """

    def __init__(self, path: str | Path, info: SuiteInfo | None = None, *, replace: bool = True) -> None:
        self.path, self.info = Path(path), info or SuiteInfo()
        destination(self.path, replace=replace)
        self.count = 0
        self.statistics: Mapping[str, JSON] = {}
        self._digest, self._seen = hashlib.sha256(), set[str]()
        self._whole = written_whole(self.path, replace=replace)

    def __enter__(self) -> SuiteWriter:
        self._stream = self._whole.__enter__()
        content = _info_json(self.info)
        _write(self._stream, {"line": "header", "format": "ebf-suite", "format_version": FORMAT_VERSION, **content})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            trailer: JSONObject = {
                "line": "trailer",
                "count": self.count,
                "sha256": self.sha256,
                "statistics": self.statistics,
            }
            _write(self._stream, trailer)
        self._whole.__exit__(kind, error, trace)

    @property
    def sha256(self) -> str:
        """The hash of the world and task lines so far."""
        return self._digest.hexdigest()

    def add_world(self, name: str, world: World, *, typed: bool = True) -> None:
        """Write a world that tasks refer to by its name."""
        entities: list[JSON] = [entity.to_json() for entity in world.entities()]
        self._digest.update(
            _write(self._stream, {"line": "world", "world": name, "entities": entities, "typed": typed})
        )

    def add(self, task: Task, *, world: str | None = None) -> None:
        """Check a task and write it.

        Raises:
            TaskError: the task contradicts itself or repeats an id.
        """
        self.add_line(task.task_id, task_line(task, world=world))

    def add_line(self, task_id: str, line: bytes) -> None:
        """Write a line that :func:`task_line` gave.

        Raises:
            TaskError: a task of that id is there already.
        """
        if task_id in self._seen:
            raise TaskError(f"the task id {task_id!r} is used twice", field="task_id")
        self._seen.add(task_id)
        self.count += 1
        self._stream.write(line)
        self._digest.update(line)


def task_line(task: Task, *, world: str | None = None) -> bytes:
    """Check a task and give its line in a suite file.

    Args:
        task: the task.
        world: name of the world line that holds the root of its world; None writes the entities out.

    Raises:
        TaskError: the task contradicts itself.
    """
    task.check()
    check_line(task, world=world)
    if task.typed:
        check_world(task.world)
    return ascii_json(task_to_json(task, world=world)).encode("ascii") + b"\n"


def write_suite(path: str | Path, tasks: Iterable[Task], info: SuiteInfo | None = None) -> Suite:
    """Write a suite; the same tasks give the same bytes. The file appears only when it is complete.

    A world that several tasks share, or that is too large to be shown whole, is written once, as a world line; tasks in
    a world derived from it hold what tells it apart.

    Args:
        path: the file; with ``.gz`` it is compressed.
        tasks: the tasks; checked while they are written.
        info: what the suite says of itself.

    Returns:
        The suite as it would be read back.

    Raises:
        TaskError: a task contradicts itself or repeats an id; nothing is written.
        SuiteError: the file cannot be written.
    """
    path, info, kept = Path(path), info or SuiteInfo(), tuple(tasks)
    users = Counter(id(task.world.root) for task in kept)
    names: dict[int, str] = {}
    with SuiteWriter(path, info) as writer:
        for task in kept:
            root = task.world.root
            key = id(root)
            if key not in names and (users[key] > 1 or len(root) > MAX_FULL_ENTITIES):
                names[key] = f"world-{len(names) + 1}"
                task.check()
                writer.add_world(names[key], root, typed=task.typed)
            writer.add(task, world=names.get(key))
        writer.statistics = statistics(kept)
    return Suite(info, kept, writer.sha256, path)


def statistics(tasks: Iterable[Task]) -> dict[str, JSON]:
    """How many tasks of each condition, domain, label, risk and tool there are."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("condition", "domain", "label", "risk", "tool")}
    for task in tasks:
        counts["condition"][task.condition.value] += 1
        counts["domain"][task.domain] += 1
        counts["label"][task.label.value] += 1
        counts["risk"][task.effective_risk.value] += 1
        counts["tool"][task.tool] += 1
    return {name: dict(sorted(counter.items())) for name, counter in counts.items()}


def _info_json(info: SuiteInfo) -> dict[str, JSON]:
    return {
        "name": info.name,
        "source": info.source,
        "generator_version": info.generator_version,
        "seed": info.seed,
        "pools": info.pools,
        "config": info.config,
    }


def _write(stream: IO[bytes], line: JSONObject) -> bytes:
    raw = ascii_json(line).encode("ascii") + b"\n"
    stream.write(raw)
    return raw
