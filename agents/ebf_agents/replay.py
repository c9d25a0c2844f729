"""Recorded answers, given again: other people's runs scored by this project.

A recording is a CSV file with at least the columns ``task_id``, ``method``, ``model`` and ``raw_response`` (the model's
own text; newlines may be written as a backslash and an n, as the paper's authors did). Answers are matched by task,
method and model; a second answer for the same three is the next trial.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from ebf_env.decisions import Invalid, parse_decision
from ebf_env.errors import ReplayError, ServiceError
from ebf_env.evaluation.protocols import Answer, Need, Query
from ebf_env.json_types import JSONObject

COLUMNS = ("task_id", "method", "model", "raw_response")

_FIELD_LIMIT = 10_000_000


@dataclass(frozen=True)
class Recording:
    """A file of recorded answers.

    Attributes:
        path: the file.
        sha256: hash of its bytes.
        answers: (model, method, task id) to the texts recorded, in order.
        models: the models that answered, in order of appearance.
        methods: the methods that were run, in order of appearance.
    """

    path: Path
    sha256: str
    answers: Mapping[tuple[str, str, str], tuple[str, ...]]
    models: tuple[str, ...]
    methods: tuple[str, ...]

    @classmethod
    def read(cls, path: str | Path) -> Recording:
        """Read a recording.

        Raises:
            ReplayError: the file cannot be read, or a column is missing; the message names file and line.
        """
        path = Path(path)
        try:
            raw = path.read_bytes()
        except FileNotFoundError as error:
            raise ReplayError(path, "there is no such file") from error
        except OSError as error:
            raise ReplayError(path, f"the file cannot be read ({error.strerror})") from error
        answers: dict[tuple[str, str, str], list[str]] = {}
        for model, method, task_id, text in _rows(path, raw):
            answers.setdefault((model, method, task_id), []).append(text)
        if not answers:
            raise ReplayError(path, "the file holds no recorded answer")
        return cls(
            path,
            hashlib.sha256(raw).hexdigest(),
            {key: tuple(texts) for key, texts in answers.items()},
            tuple(dict.fromkeys(model for model, _, _ in answers)),
            tuple(dict.fromkeys(method for _, method, _ in answers)),
        )

    def backends(self) -> tuple[ReplayBackend, ...]:
        """One backend for each model."""
        return tuple(ReplayBackend(self, model) for model in self.models)


def _rows(path: Path, raw: bytes) -> Iterator[tuple[str, str, str, str]]:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReplayError(path, "not UTF-8 text") from error
    limit = csv.field_size_limit(_FIELD_LIMIT)
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
        if missing:
            raise ReplayError(path, f"the column {missing[0]!r} is missing; expected {', '.join(COLUMNS)}", line=1)
        for row in reader:
            values = [row[name] for name in COLUMNS]
            if any(value is None for value in values):
                raise ReplayError(path, "the row has too few columns", line=reader.line_num)
            if None in row:
                raise ReplayError(path, "the row has too many columns", line=reader.line_num)
            task_id, method, model, said = values
            yield model, method, task_id, said
    except csv.Error as error:
        raise ReplayError(path, f"not valid CSV ({error})", line=reader.line_num) from error
    finally:
        csv.field_size_limit(limit)


@dataclass(frozen=True, slots=True)
class ReplayBackend:
    """The recorded answers of one model, given as they were.

    Attributes:
        recording: the file.
        model: whose answers.
    """

    recording: Recording
    model: str
    needs: ClassVar[frozenset[Need]] = frozenset({Need.TASK_ID})
    recorded: ClassVar[bool] = True
    concurrency: ClassVar[int] = 1

    @property
    def name(self) -> str:
        """Key of its records."""
        return f"replay:{self.model}"

    def config(self) -> JSONObject:
        """What identifies it in a run's configuration: the file's hash, wherever it lies."""
        return {
            "kind": "replay",
            "model": self.model,
            "file": self.recording.path.name,
            "sha256": self.recording.sha256,
        }

    async def answer(self, query: Query) -> Answer:
        """The recorded answer.

        Raises:
            ServiceError: none was recorded.
        """
        texts = self.recording.answers.get((self.model, query.method, query.task_id or ""), ())
        if query.trial >= len(texts):
            raise ServiceError(f"no answer of {self.model} under {query.method} was recorded for this task and trial")
        return Answer(with_newlines(texts[query.trial]))


def with_newlines(text: str) -> str:
    r"""A recorded answer with its newlines restored, where they were written as ``\n``.

    A text that can be read as it stands is left alone: there ``\n`` is JSON's own escape.
    """
    if "\\n" not in text or not isinstance(parse_decision(text), Invalid):
        return text
    restored = text.replace("\\n", "\n")
    return text if isinstance(parse_decision(restored), Invalid) else restored
