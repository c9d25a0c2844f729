"""Where a file is written: only where nothing is or a regular file lies, through symbolic links, and only whole."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final, cast

from ebf_env.errors import SuiteError

_KINDS: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
)


def destination(path: str | Path, *, replace: bool = True) -> Path:
    """The file that a path leads to, through symbolic links; what is no regular file is never written to.

    Args:
        path: a file that is there, or where one can be made.
        replace: whether a file that is there may be replaced.

    Raises:
        SuiteError: a folder, a device, a pipe or a socket lies there, or a file that may not be replaced.
    """
    target = Path(os.path.realpath(path))
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return target
    except OSError as error:
        raise SuiteError(path, f"the file cannot be written ({error.strerror})") from error
    if not stat.S_ISREG(mode):
        kind = next((name for is_kind, name in _KINDS if is_kind(mode)), "no regular file")
        raise SuiteError(path, f"this is {kind}, expected a file to write")
    if not replace:
        raise SuiteError(path, "the file exists already; choose another name, or add --force to replace it")
    return target


@contextlib.contextmanager
def written_whole(path: Path, *, replace: bool = True) -> Iterator[IO[bytes]]:
    """A stream whose bytes become the file when the block ends without an error; ``.gz`` names are compressed.

    Folders on the way to it are made.

    Raises:
        SuiteError: as :func:`destination` does, or the file cannot be written.
    """
    target = destination(path, replace=replace)
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as raw:
            if path.suffix == ".gz":
                with (
                    gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed,
                    io.BufferedWriter(packed) as stream,
                ):
                    yield cast("IO[bytes]", stream)
            else:
                yield cast("IO[bytes]", raw)
        partial.replace(destination(path, replace=replace))
    except OSError as error:
        raise SuiteError(path, f"the file cannot be written ({error.strerror})") from error
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
