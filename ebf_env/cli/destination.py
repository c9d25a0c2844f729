"""The file that a command writes a suite to, from what was typed."""

from __future__ import annotations

import os
from pathlib import Path

from ebf_env.errors import ConfigurationError

ENDINGS = (".jsonl", ".jsonl.gz")


def suite_file(typed: str, option: str, *, replace: bool) -> Path:
    """The path of a suite file that can be written, ``~`` being the home folder.

    Args:
        typed: what was typed.
        option: how the command calls it.
        replace: whether a file that is there may be replaced.

    Raises:
        ConfigurationError: it is empty, a folder's name, or ends in something else.
        SuiteError: a folder, a device or the like lies there, or a file that may not be replaced.
    """
    from ebf_env.tasks.destination import destination

    if not typed:
        raise ConfigurationError(f"{option} is empty, expected the name of a file")
    path = Path(os.path.expanduser(typed))  # noqa: PTH111 -- Path's own fails for users it does not know
    destination(path, replace=replace)
    if typed.endswith(tuple(filter(None, (os.sep, os.altsep)))) or path.name in ("", ".."):
        raise ConfigurationError(f"{option} is {typed!r}, which names a folder; expected the name of a file")
    if not path.name.endswith(ENDINGS) or path.name in ENDINGS:
        raise ConfigurationError(f"{option} is {typed!r}, expected a name that ends in {' or '.join(ENDINGS)}")
    return path
