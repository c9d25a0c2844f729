import importlib
import os
import socket
import subprocess
import sys
from dataclasses import replace

import pytest

from ebf_baselines import meaning
from ebf_baselines.meaning import SemanticMenu, embedded
from ebf_baselines.methods.semantic_filter import semantic_filter
from ebf_baselines.registry import method_named
from ebf_env.envs.observation import Observation
from ebf_env.errors import ConfigurationError
from ebf_env.world import TOOLS

TOOLS_OFFERED = tuple(TOOLS.values())


def saying(instruction: str, *turns: str) -> Observation:
    history = tuple({"role": "user", "content": text} for text in turns)
    return Observation(instruction, None, None, history, TOOLS_OFFERED, ())


def test_shows_the_nearest_tools_in_the_menus_order(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wordllama")

    def refuse(*_: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    meaning._model.cache_clear()
    embedded.cache_clear()
    observation = saying("Cancel the calendar event.")
    shown = SemanticMenu()(observation)
    assert len(shown) == 5
    assert TOOLS["cancel_event"] in shown
    assert [TOOLS_OFFERED.index(spec) for spec in shown] == sorted(TOOLS_OFFERED.index(spec) for spec in shown)
    assert SemanticMenu(100)(observation) == TOOLS_OFFERED
    assert SemanticMenu()(replace(observation, tools=())) == ()


def test_the_order_of_the_menu_does_not_matter() -> None:
    pytest.importorskip("wordllama")
    observation = saying("Pay the invoice.")
    turned = replace(observation, tools=TOOLS_OFFERED[::-1])
    assert {spec.name for spec in SemanticMenu()(turned)} == {spec.name for spec in SemanticMenu()(observation)}


def test_the_last_turns_are_read_too() -> None:
    pytest.importorskip("wordllama")
    menu = SemanticMenu(3)(saying("Do that now.", "Nothing.", "Close the ticket, please.", "The ticket."))
    assert TOOLS["close_ticket"] in menu


def test_words_without_meaning_leave_the_first_tools() -> None:
    pytest.importorskip("wordllama")
    assert SemanticMenu(2)(saying("")) == TOOLS_OFFERED[:2]


def test_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.import_module

    def without(name: str, package: str | None = None) -> object:
        if name == "wordllama":
            raise ImportError(name)
        return real(name, package)

    meaning._model.cache_clear()
    embedded.cache_clear()
    monkeypatch.setattr(importlib, "import_module", without)
    with pytest.raises(ConfigurationError, match=r"ebf-env\[semantic\]"):
        method_named("semantic_filter").show(saying("Cancel it."))
    meaning._model.cache_clear()


def test_the_name_tells_how_many_are_shown() -> None:
    assert semantic_filter().name == "semantic_filter"
    assert semantic_filter(8).name == "semantic_filter:8"
    with pytest.raises(ConfigurationError, match="expected 1 or more"):
        semantic_filter(0)


def test_the_methods_act_and_never_ask() -> None:
    texts = {method_named(name).prompt.text for name in ("direct", "semantic_filter", "cmtf_only")}
    assert len(texts) == 1


def test_the_programs_logging_stays_as_it_was() -> None:
    """``wordllama`` configures the root logger when it is imported: every request of a model would be logged then."""
    code = (
        "import logging; before = logging.getLogger().handlers[:], logging.getLogger().level\n"
        "from ebf_baselines.meaning import embedded; embedded('send the plan')\n"
        "assert (logging.getLogger().handlers[:], logging.getLogger().level) == before"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    subprocess.run([sys.executable, "-c", code], check=True, env=env)
