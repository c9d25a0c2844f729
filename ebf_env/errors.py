"""Every exception the project raises for its users.

EbfError
 +-- ConfigurationError      a setting, name or combination of settings that cannot work
 +-- WorldError              an entity that its type does not allow, or a reference to nothing
 +-- TaskError               a task whose parts contradict each other (names the field)
 +-- FileError               a file that cannot be used (names file, line and field)
 |    +-- SuiteError         a suite file
 |    +-- ReplayError        a file of recorded answers
 |    +-- RunFolderError     a run folder
 +-- ServiceError            a model service that failed; no verdict on the model

Bad output of a model is never an exception: it is an ``Invalid`` decision.
"""

from __future__ import annotations

from pathlib import Path


class EbfError(Exception):
    """Base of all errors raised on purpose; its text is one sentence for the user."""


class ConfigurationError(EbfError):
    """A setting, a name, or a combination of settings that cannot work."""


class WorldError(EbfError):
    """An entity that its type does not allow, a duplicate id, or a reference to nothing."""

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class TaskError(EbfError):
    """A task whose parts contradict each other.

    Attributes:
        field: dotted path of the field at fault, e.g. ``bindings.recipient``.
    """

    def __init__(self, message: str, *, field: str) -> None:
        super().__init__(message)
        self.field = field


class FileError(EbfError):
    """A file that cannot be used; the text names the file, and line and field where known."""

    def __init__(self, path: str | Path, message: str, *, line: int | None = None, field: str | None = None) -> None:
        where = str(path)
        if line is not None:
            where += f", line {line}"
        if field:
            where += f", field {field}"
        super().__init__(f"{where}: {message}")
        self.path, self.line, self.field = Path(path), line, field


class SuiteError(FileError):
    """A suite file that is truncated, of another format, or whose tasks are wrong."""


class ReplayError(FileError):
    """A file of recorded answers that cannot be read."""


class RunFolderError(FileError):
    """A run folder that belongs to another configuration, or is not a run folder."""


class ServiceError(EbfError):
    """A model service that failed (timeout, 5xx, no key): the run has no verdict and is tried again on resume."""
