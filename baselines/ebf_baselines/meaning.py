"""Tools ranked by meaning: static word vectors of ``wordllama``, which ship inside its wheel.

The optional extra ``semantic`` brings them. Nothing is downloaded, and nothing is imported before it is used.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from ebf_env.envs.observation import Observation
from ebf_env.errors import ConfigurationError
from ebf_env.world import ToolSpec

DEFAULT_K: Final = 5
"""How many tools are shown unless said otherwise."""

TURNS: Final = 2
"""How many of the user's last turns are read beside the instruction."""

Vector: TypeAlias = NDArray[np.float32]
"""Of length one, or zero where a text has no word."""


class _Embedder(Protocol):
    def embed(self, texts: list[str]) -> Vector: ...


class _Loader(Protocol):
    def load(self, *, cache_dir: Path, disable_download: bool) -> _Embedder: ...


@dataclass(frozen=True, slots=True)
class SemanticMenu:
    """The ``k`` tools nearest in meaning to what the user says (paper, section V-E).

    Attributes:
        k: most tools shown; at least 1.
    """

    k: int = DEFAULT_K

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ConfigurationError(f"a semantic filter shows {self.k} tools, expected 1 or more")

    def __call__(self, observation: Observation) -> tuple[ToolSpec, ...]:
        """The tools kept, in the menu's order; of equally near ones those that the menu has first.

        Raises:
            ConfigurationError: the extra ``semantic`` is not installed.
        """
        similarity = similarities(observation)
        kept = np.sort(np.argsort(-similarity, kind="stable")[: self.k])
        return tuple(observation.tools[place] for place in kept)


def similarities(observation: Observation) -> Vector:
    """Cosine of every tool offered (its name and description) with what the user says; shape (tools,).

    Raises:
        ConfigurationError: the extra ``semantic`` is not installed.
    """
    said = embedded(spoken(observation))
    if not observation.tools:
        return np.zeros(0, np.float32)
    # Rounded, so that the order of equal ones does not hang on the last bit of a sum.
    cosines = np.stack([embedded(tool_text(spec)) for spec in observation.tools]) @ said
    rounded: Vector = np.round(cosines, 6)
    return rounded


def spoken(observation: Observation) -> str:
    """The user's last turns and the instruction."""
    turns: Sequence[object] = [turn.get("content") for turn in observation.history if turn.get("role") == "user"]
    return "\n".join([*(text for text in turns[-TURNS:] if isinstance(text, str)), observation.instruction])


def tool_text(spec: ToolSpec) -> str:
    """A tool's name, in words, and description."""
    return f"{spec.name.replace('_', ' ')}. {spec.description}"


@lru_cache(maxsize=4096)
def embedded(text: str) -> Vector:
    """The direction of a text's mean word vector.

    Raises:
        ConfigurationError: the extra ``semantic`` is not installed.
    """
    vector = _model().embed([text])[0]
    norm = float(np.linalg.norm(vector))
    unit: Vector = vector / np.float32(norm) if norm else vector
    unit.setflags(write=False)
    return unit


@cache
def _model() -> _Embedder:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        package = importlib.import_module("wordllama")
    except ImportError as error:
        raise ConfigurationError(
            "the semantic filter needs word vectors: install them with pip install 'ebf-env[semantic]'"
        ) from error
    finally:  # it sets up the program's logging, which is not its own
        root.handlers[:] = handlers
        root.setLevel(level)
    loader = cast("_Loader", package.WordLlama)
    return loader.load(cache_dir=Path(str(package.__file__)).parent, disable_download=True)
