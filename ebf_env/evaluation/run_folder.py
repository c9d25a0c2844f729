"""Run folders: ``run.json``, a copy of the suite, and records appended one by one.

A folder belongs to one configuration. Opening it again with the same one goes on where it stopped; with another one it
is refused, and nothing is ever overwritten.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, cast

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from ebf_env.errors import RunFolderError
from ebf_env.evaluation.record import RunKey, RunRecord
from ebf_env.json_types import ascii_json
from ebf_env.tasks import Suite, read_suite
from ebf_env.tasks.lines import first_fault

FORMAT: Final = "ebf-run"
FORMAT_VERSION: Final = 1
RECORDS = "records.jsonl"
SUITE = "suite.jsonl.gz"


class RunInfo(BaseModel):
    """The content of ``run.json``.

    Attributes:
        config: what the run was asked to do; decides whether a folder may be resumed.
        suite: name, hash and size of the suite.
        versions: what it ran on.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: str = FORMAT
    format_version: int = FORMAT_VERSION
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
        self._latest: dict[RunKey, RunRecord] = {record.key: record for record in _latest(path / RECORDS)}

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
        except ValidationError as error:
            field, message = first_fault(error)
            raise RunFolderError(file, message, field=field) from error
        except ValueError as error:
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
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise RunFolderError(path, "this exists and is no run folder; choose another place")
        path.mkdir(parents=True, exist_ok=True)
        _copy_suite(suite, path / SUITE)
        partial = path / ".run.json.partial"
        partial.write_text(json.dumps(info.model_dump(mode="json"), indent=2) + "\n", encoding="utf-8")
        partial.replace(path / "run.json")
        return cls(path, info)

    def suite(self) -> Suite:
        """The suite the run is about, from the folder's own copy."""
        return read_suite(self.path / SUITE)

    def records(self) -> tuple[RunRecord, ...]:
        """The records that count: of each task, trial, method and backend the one of the highest attempt."""
        return tuple(self._latest.values())

    def record(self, key: RunKey) -> RunRecord | None:
        """The record that counts for a task, trial, method and backend, or None."""
        return self._latest.get(key)

    def append(self, record: RunRecord) -> None:
        """Add a record; it is out of this process when this returns."""
        with (self.path / RECORDS).open("ab") as stream:
            stream.write(ascii_json(record.model_dump(mode="json")).encode("ascii") + b"\n")
        self._latest[record.key] = record


def same_runs(one: RunFolder, other: RunFolder) -> bool:
    """Whether two runs have equal records, apart from usage, timing and attempt."""
    return {r.key: r.substance() for r in one.records()} == {r.key: r.substance() for r in other.records()}


def _latest(path: Path) -> Iterator[RunRecord]:
    _drop_torn_line(path)
    latest: dict[RunKey, RunRecord] = {}
    if path.exists():
        with path.open("rb") as stream:
            for number, raw in enumerate(stream, 1):
                record = _parse(path, number, raw)
                before = latest.get(record.key)
                if before is None or record.attempt >= before.attempt:
                    latest[record.key] = record
    yield from latest.values()


def _parse(path: Path, number: int, raw: bytes) -> RunRecord:
    try:
        return RunRecord.model_validate(json.loads(raw))
    except ValidationError as error:
        field, message = first_fault(error)
        raise RunFolderError(path, message, line=number, field=field) from error
    except ValueError as error:
        raise RunFolderError(path, f"not valid JSON ({error})", line=number) from error


def _drop_torn_line(path: Path) -> None:
    """Cut off a last line that was not written to its end."""
    if not path.exists() or path.stat().st_size == 0:
        return
    with path.open("rb+") as stream:
        stream.seek(-1, os.SEEK_END)
        if stream.read(1) == b"\n":
            return
        stream.seek(0)
        whole = 0
        for raw in stream:
            if raw.endswith(b"\n"):
                whole += len(raw)
        stream.truncate(whole)


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
    there = {**found.config, "suite": found.suite.get("sha256")}
    here = {**asked.config, "suite": asked.suite.get("sha256")}
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
