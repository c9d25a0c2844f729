"""The paper's second method: tools are filtered by semantic relevance to the instruction before the agent acts."""

from __future__ import annotations

from typing import Final

from ebf_baselines.meaning import DEFAULT_K, SemanticMenu
from ebf_baselines.method import ComposedMethod
from ebf_baselines.prompting import ACT, BIND, JOB, words
from ebf_env.evaluation.protocols import Prompt


def semantic_filter(k: int = DEFAULT_K) -> ComposedMethod:
    """The method that shows the ``k`` tools nearest in meaning to the instruction.

    Raises:
        ConfigurationError: ``k`` is less than 1.
    """
    name = "semantic_filter" if k == DEFAULT_K else f"semantic_filter:{k}"
    return ComposedMethod(
        Prompt(name, 1, words(JOB, BIND, ACT)),
        f"The {k} tools nearest in meaning to the instruction are shown, and what is proposed is executed (paper, "
        "section V-E).",
        menu=SemanticMenu(k),
    )


METHOD: Final = semantic_filter()
