"""What the documentation shows is what comes out."""

from __future__ import annotations

import re
from pathlib import Path

from typer.testing import CliRunner

from ebf_env.cli.app import app

DOCS = Path(__file__).parents[2] / "docs"


def plain(text: str) -> list[str]:
    """The lines that are more than blanks, without the blanks that end them."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def test_the_task_of_docs_play_is_played_as_shown_there():
    shown = re.search(
        r"`ebf (play starter[^`]*)`.*?```text\n(.*?)```", (DOCS / "play.md").read_text("utf-8"), re.DOTALL
    )
    assert shown is not None
    typed = [line[2:] for line in shown[2].splitlines() if line.startswith("> ")]
    assert len(typed) == 2
    done = CliRunner(env={"COLUMNS": "100"}).invoke(app, shown[1].split(), input="".join(f"{t}\n" for t in typed))
    assert done.exit_code == 0
    assert plain(done.stdout) == plain(shown[2])
