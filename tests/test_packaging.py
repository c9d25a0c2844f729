from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ebf_env

ROOT = Path(__file__).resolve().parents[1]


def test_the_public_names_are_sorted_exact_and_importable():
    assert ebf_env.__all__ == sorted(ebf_env.__all__)
    assert set(ebf_env.__all__) == {*ebf_env._HOMES, "__version__"}
    for name in ebf_env.__all__:
        assert getattr(ebf_env, name) is not None
    assert set(dir(ebf_env)) == set(ebf_env.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = ebf_env.nothing


@pytest.mark.parametrize(
    "package",
    [
        "ebf_env.world",
        "ebf_env.decisions",
        "ebf_env.tasks",
        "ebf_env.scoring",
        "ebf_env.envs",
        "ebf_baselines",
        "ebf_agents",
    ],
)
def test_every_package_declares_exactly_what_it_offers(package):
    module = importlib.import_module(package)
    assert len(set(module.__all__)) == len(module.__all__)
    for name in module.__all__:
        assert hasattr(module, name)


def run(*command: object, cwd: Path | None = None) -> str:
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, cwd=cwd, env=env, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_built_wheel_works_in_an_empty_environment_from_another_folder(tmp_path):
    pip = ("-m", "pip", "--disable-pip-version-check", "--quiet")
    run(sys.executable, *pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path / "dist", ROOT)
    [wheel] = (tmp_path / "dist").glob("*.whl")
    venv = tmp_path / "venv"
    run(sys.executable, "-m", "venv", venv)
    run(venv / "bin" / "python", *pip, "install", wheel)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert "evaluate" in run(venv / "bin" / "ebf", "--help", cwd=elsewhere)
    code = (
        "import gymnasium as gym, ebf_env, ebf_agents, ebf_baselines, ebf_generators\n"
        "env = gym.make('EntityBinding-v0')\n"
        "observation, info = env.reset(seed=0)\n"
        "print(observation[:14], ebf_env.__file__)\n"
    )
    out = run(venv / "bin" / "python", "-W", "error", "-c", code, cwd=elsewhere)
    assert out.startswith('{"instruction"')
    assert str(venv) in out
    assert "100.0" in run(venv / "bin" / "ebf", "evaluate", "starter", "--out", elsewhere / "run", cwd=elsewhere)
