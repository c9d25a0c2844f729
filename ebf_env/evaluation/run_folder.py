"""Run folders: ``run.json``, a copy of the suite, and records appended one by one.

A folder belongs to one configuration. Opening it again with the same one goes on where it stopped; with another one it
is refused, and nothing is ever overwritten.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, Literal, cast

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from ebf_env.envs.episode import EpisodeConfig
from ebf_env.errors import RunFolderError
from ebf_env.evaluation.record import RunKey, RunRecord
from ebf_env.json_types import ascii_json
from ebf_env.tasks import Suite, read_suite
from ebf_env.tasks.lines import first_fault

FORMAT: Final = "ebf-run"
FORMAT_VERSION: Final = 1
RECORDS = "records.jsonl"
SUITE = "suite.jsonl.gz"
_PARTIAL = ".run.json.partial"
_BEGUN = {SUITE, _PARTIAL}
"""What a folder holds whose making was interrupted."""


class RunInfo(BaseModel):
    """The content of ``run.json``.

    Attributes:
        config: what the run was asked to do; decides whether a folder may be resumed.
        suite: name, hash and size of the suite.
        versions: what it ran on.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["ebf-run"] = FORMAT
    format_version: Literal[1] = FORMAT_VERSION
    config: dict[str, JsonValue]
    suite: dict[str, JsonValue]
    versions: dict[str, JsonValue] = {}


class RunFolder:
    """One run on disk.

    Attributes:
        path: the folder.
        info: the content of ``run.json``.
    """

    def __init__(self, path: Path, info: RunInfo) -> None:
        self.path, self.info = path, info
        records, self._whole = _read_records(path / RECORDS)
        self._latest: dict[RunKey, RunRecord] = {record.key: record for record in records}

    @classmethod
    def open(cls, path: str | Path) -> RunFolder:
        """Open a run that exists.

        Raises:
            RunFolderError: it is no run folder, or a line of it cannot be read.
        """
        path = Path(path)
        file = path / "run.json"
        if not file.is_file():
            raise RunFolderError(path, "this is no run folder: it has no run.json")
        try:
            value = json.loads(file.read_text(encoding="utf-8"))
            if isinstance(value, dict) and value.get("format_version", FORMAT_VERSION) != FORMAT_VERSION:
                message = f"this is format version {value['format_version']!r}, this program reads {FORMAT_VERSION}"
                raise RunFolderError(file, message, field="format_version")
            return cls(path, RunInfo.model_validate(value))
        except OSError as error:
            raise RunFolderError(file, f"the file cannot be read ({error.strerror})") from error
        except ValidationError as error:
            field, message = first_fault(error)
            raise RunFolderError(file, message, field=field) from error
        except UnicodeDecodeError as error:
            raise RunFolderError(file, "not UTF-8 text") from error
        except (ValueError, RecursionError) as error:
            raise RunFolderError(file, f"not valid JSON ({error})") from error

    @classmethod
    def create_or_resume(cls, path: str | Path, info: RunInfo, suite: Suite) -> RunFolder:
        """The folder of a run: a new one, or the one that the same configuration began.

        Raises:
            RunFolderError: the folder belongs to another configuration (the difference is shown) or holds something
            else.
        """
        path = Path(path)
        if (path / "run.json").exists():
            folder = cls.open(path)
            _refuse_other(path, folder.info, info)
            return folder
        try:
            if path.exists() and (not path.is_dir() or any(p.name not in _BEGUN for p in path.iterdir())):
                raise RunFolderError(path, "this exists and is no run folder; choose another place")
            path.mkdir(parents=True, exist_ok=True)
            _copy_suite(suite, path / SUITE)
            partial = path / _PARTIAL
            partial.write_text(json.dumps(info.model_dump(mode="json"), indent=2) + "\n", encoding="utf-8")
            partial.replace(path / "run.json")
        except OSError as error:
            raise RunFolderError(path, f"the run folder cannot be made ({error.strerror})") from error
        return cls(path, info)

    def suite(self) -> Suite:
        """The suite the run is about, from the folder's own copy.

        Raises:
            RunFolderError: the copy is not the suite the run was begun with.
        """
        suite = read_suite(self.path / SUITE)
        if suite.sha256 != self.info.suite.get("sha256"):
            raise RunFolderError(self.path / SUITE, "this is not the suite the run was begun with", field="sha256")
        return suite

    @property
    def episode(self) -> EpisodeConfig:
        """How the run's episodes are run.

        Raises:
            RunFolderError: ``run.json`` does not say it in a way this program understands.
        """
        file = self.path / "run.json"
        if "episode" not in self.info.config:
            raise RunFolderError(file, "is missing", field="config.episode")
        try:
            return EpisodeConfig.model_validate(self.info.config["episode"])
        except ValidationError as error:
            field, message = first_fault(error)
            raise RunFolderError(file, message, field=f"config.episode.{field}".rstrip(".")) from error

    def asks_for(self, record: RunRecord) -> bool:
        """Whether the configuration asks for a record's method, backend and trial; one that is silent asks for all."""
        runs, trials = self.info.config.get("runs"), self.info.config.get("trials")
        pairs = [tuple(pair) for pair in runs if isinstance(pair, list)] if isinstance(runs, list) else None
        return (pairs is None or (record.method, record.backend) in pairs) and (
            not isinstance(trials, int) or record.trial < trials
        )

    @property
    def planned(self) -> int | None:
        """How many runs the configuration asks for, where it says so."""
        runs, trials, limit = (self.info.config.get(name) for name in ("runs", "trials", "limit"))
        tasks = self.info.suite.get("tasks")
        if not (isinstance(runs, list) and isinstance(trials, int) and isinstance(tasks, int)):
            return None
        return len(runs) * trials * (min(tasks, limit) if isinstance(limit, int) else tasks)

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Keeps others from writing to the folder at the same time (where the system has file locks).

        Raises:
            RunFolderError: somebody else is writing to it.
        """
        try:
            import fcntl
        except ImportError:  # no such locks on this system
            yield
            return
        with (self.path / "run.json").open("rb") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise RunFolderError(self.path, "another evaluation is writing to this run") from error
            yield

    def records(self) -> tuple[RunRecord, ...]:
        """The records that count: of each task, trial, method and backend the one of the highest attempt."""
        return tuple(self._latest.values())

    def record(self, key: RunKey) -> RunRecord | None:
        """The record that counts for a task, trial, method and backend, or None."""
        return self._latest.get(key)

    def append(self, record: RunRecord) -> None:
        """Add a record; it is out of this process when this returns."""
        line = ascii_json(record.model_dump(mode="json")).encode("ascii") + b"\n"
        try:
            if self._whole is not None:
                os.truncate(self.path / RECORDS, self._whole)
                self._whole = None
            with (self.path / RECORDS).open("ab") as stream:
                stream.write(line)
        except OSError as error:
            raise RunFolderError(self.path / RECORDS, f"the record cannot be written ({error.strerror})") from error
        self._latest[record.key] = record


def same_runs(one: RunFolder, other: RunFolder) -> bool:
    """Whether two runs have equal records, apart from usage, timing and attempt."""
    return {r.key: r.substance() for r in one.records()} == {r.key: r.substance() for r in other.records()}


def _read_records(path: Path) -> tuple[list[RunRecord], int | None]:
    """The records that count, and where the whole lines end if the last one was not written to its end."""
    latest: dict[RunKey, RunRecord] = {}
    whole = 0
    try:
        with path.open("rb") as stream:
            for number, raw in enumerate(stream, 1):
                if not raw.endswith(b"\n"):
                    return list(latest.values()), whole
                whole += len(raw)
                record = _parse(path, number, raw)
                before = latest.get(record.key)
                if before is None or record.attempt >= before.attempt:
                    latest[record.key] = record
    except FileNotFoundError:
        pass
    except OSError as error:
        raise RunFolderError(path, f"the file cannot be read ({error.strerror})") from error
    return list(latest.values()), None


def _parse(path: Path, number: int, raw: bytes) -> RunRecord:
    try:
        return RunRecord.model_validate(json.loads(raw))
    except ValidationError as error:
        field, message = first_fault(error)
        raise RunFolderError(path, message, line=number, field=field) from error
    except UnicodeDecodeError as error:
        raise RunFolderError(path, "not UTF-8 text", line=number) from error
    except (ValueError, RecursionError) as error:
        raise RunFolderError(path, f"not valid JSON ({error})", line=number) from error


def _copy_suite(suite: Suite, target: Path) -> None:
    if suite.path is None:
        raise RunFolderError(target, "the suite has no file to copy; write it with write_suite first")
    if suite.path.suffix == ".gz":
        shutil.copyfile(suite.path, target)
        return
    with (
        suite.path.open("rb") as source,
        target.open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed,
    ):
        shutil.copyfileobj(source, packed)


def _refuse_other(path: Path, found: RunInfo, asked: RunInfo) -> None:
    there, here = (
        {**info.config, "suite": info.suite.get("sha256"), "version of ebf_env": info.versions.get("ebf_env")}
        for info in (found, asked)
    )
    differences = [
        f"{name} is {_shown(there, name)} there, {_shown(here, name)} was asked"
        for name in sorted(there.keys() | here.keys())
        if there.get(name) != here.get(name)
    ]
    if differences:
        raise RunFolderError(path, f"this run has another configuration: {'; '.join(differences)}")


def _shown(config: Mapping[str, JsonValue], name: str) -> str:
    if name not in config:
        return "not set"
    value = config[name]
    if name == "suite" and isinstance(value, str):
        value = value[:12]
    return json.dumps(cast("object", value), sort_keys=True)
