"""The ``ebf`` command. Imports of what a command needs stand inside it, so that ``ebf --help`` answers at once."""

from __future__ import annotations

import io
import signal
import sys
from types import FrameType
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from ebf_env.cli.audit import audit_command
from ebf_env.cli.calibrate import calibrate_command
from ebf_env.cli.evaluate import evaluate_command
from ebf_env.cli.generate import generate_command
from ebf_env.cli.import_paper import import_paper_command
from ebf_env.cli.play import play_command
from ebf_env.cli.report import report_command
from ebf_env.errors import EbfError
from ebf_env.version import __version__

app = typer.Typer(
    name="ebf",
    help="Do tool-using agents act on the record the user meant? Suites, runs and reports.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    add_completion=False,
)


def _show_version(asked: bool) -> None:
    if asked:
        sys.stdout.write(f"ebf {__version__}\n")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Do tool-using agents act on the record the user meant? Suites, runs and reports."""


app.command("audit")(audit_command)
app.command("calibrate")(calibrate_command)
app.command("generate")(generate_command)
app.command("evaluate")(evaluate_command)
app.command("report")(report_command)
app.command("play")(play_command)
app.command("import-paper")(import_paper_command)


def main() -> None:
    """Run the command line; a user's mistake is one sentence on standard error and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    termination = Termination()
    try:
        app()
    except (EbfError, OSError) as error:
        if termination.exit_code is None:
            Console(stderr=True).print(Text(f"error: {_sentence(error)}"), soft_wrap=True)
            sys.exit(2)
    finally:
        if termination.exit_code is not None:
            sys.exit(termination.exit_code)


class Termination:
    """Lets SIGTERM and SIGHUP end a command as Ctrl-C does, so that what it began is cleared away.

    Signals that come while that is done change nothing, and one that is ignored from the start (``nohup``) stays so.

    Attributes:
        exit_code: 128 and the signal's number, once there was one.
    """

    def __init__(self) -> None:
        self.exit_code: int | None = None
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, self._end)

    def _end(self, number: int, _frame: FrameType | None) -> None:
        if self.exit_code is None:
            self.exit_code = 128 + number
            raise KeyboardInterrupt


def _sentence(error: EbfError | OSError) -> str:
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else str(error)
    return str(error)


if __name__ == "__main__":
    main()
