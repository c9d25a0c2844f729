"""The small hand-written suite that ships with the project."""

from __future__ import annotations

from importlib import resources

from ebf_env.tasks.suite import Suite, read_suite


def starter_suite() -> Suite:
    """The starter suite."""
    with resources.as_file(resources.files("ebf_env.data") / "starter.jsonl") as path:
        return read_suite(path)
