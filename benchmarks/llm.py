"""Small language models under every method, beside the naive line: ``python benchmarks/llm.py --local-llm DIR``.

DIR is a folder with ``serve.py``, its virtual environment in ``venv`` and the weights in ``models``. The runs of every
model lie in a folder of their own and are resumed: interrupted, or given ``--tasks`` again, the same command goes on.
The models are those of ``llm.toml`` beside this file. Small models bind badly; that is the point of the line.

All methods of a task come one after the other, those that show the same records together, and the server keeps what
their prompts begin with (``cache_prompt``), so that most prompts are read only from the method's words on. What is kept
was computed in other batches than it would have been afresh: the last bits can differ, and so can a greedy answer, from
that of a server without the cache or of a run that was interrupted in between. The same goes for ``--threads``.
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from ebf_agents import backends_named
from ebf_agents.llm import BackendOptions, backends_in
from ebf_baselines import METHODS
from ebf_baselines.method import every_candidate
from ebf_env.cli.progress import progress
from ebf_env.cli.tables import print_report
from ebf_env.evaluation.runner import Plan, evaluate
from ebf_env.evaluation.scored import ScoredRun, score_run
from ebf_env.tasks import Suite, read_suite
from ebf_generators.config import SuiteConfig
from ebf_generators.suites import generate

CATALOGUE = Path(__file__).with_name("llm.toml")
CONTEXT = 8_192
"""Tokens of prompt and answer that the server holds; a prompt with 26 records takes up to three thousand."""


@contextlib.contextmanager
def served(folder: Path, model: str, url: str, threads: int) -> Iterator[None]:
    """A model behind its own server, for as long as it is needed."""
    command = [str(folder / "venv/bin/python"), str(folder / "serve.py"), str(folder / "models" / f"{model}.gguf")]
    command += ["--port", str(urlsplit(url).port), "--ctx", str(CONTEXT), "--threads", str(threads)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 -- the user's own folder
    try:
        if server.stdout is None or not any(line.startswith("READY") for line in server.stdout):
            raise SystemExit(f"{model}: the server did not start")
        yield
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)


def suite_of(tasks: int, out: Path) -> Suite:
    """The tasks: single ones of the test split, each of a block of its own, in the smallest worlds there are.

    Every record of a world takes about a hundred tokens, of which one core reads about thirty a second.
    """
    path = out / f"suite-{tasks}.jsonl"
    if not path.exists():
        config = SuiteConfig(tasks=tasks, split="test", seed=4, families=False, world_size=26, difficulties=(1, 2))
        generate(config, path)
    return read_suite(path)


def runs_of(name: str, options: BackendOptions, methods: list[str], suite: Suite, out: Path) -> list[ScoredRun]:
    """Every method with one backend, as far as it is not there yet."""
    alike = sorted(methods, key=lambda method: METHODS[method].candidates is not every_candidate)
    pairs = [(METHODS[method], backend) for method in alike for backend in backends_named(name, options)]
    plan = Plan(suite, pairs, by_task=True)
    with progress(name, plan.size) as advance:
        folder = evaluate(plan, out / f"{name}-{len(suite)}", on_record=lambda _: advance())
    return score_run(folder)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--local-llm", type=Path, required=True, help="folder of serve.py, venv and models")
    parser.add_argument("--model", action="append", help="entry of llm.toml; may be repeated; default: all")
    parser.add_argument("--method", action="append", help="method; may be repeated; default: all")
    parser.add_argument("--tasks", type=int, default=30)
    parser.add_argument("--threads", type=int, default=2, help="threads of the server; no more than idle cores")
    parser.add_argument("--out", type=Path, default=Path("runs/llm"))
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    suite, methods = suite_of(arguments.tasks, arguments.out), arguments.method or list(METHODS)
    options = BackendOptions(backends_file=CATALOGUE)
    entries = backends_in(CATALOGUE)
    scored = runs_of("lexical", options, methods, suite, arguments.out)
    for name in arguments.model or [name for name in entries if name.startswith("qwen")]:
        with served(arguments.local_llm, entries[name].model, entries[name].base_url, arguments.threads):
            scored += runs_of(name, options, methods, suite, arguments.out)
    print_report(scored, ("backend", "method"), "paper", title=f"{len(suite)} tasks, {len(scored)} runs")


if __name__ == "__main__":
    main()
