"""The equations of paper section III, one function each, and those that questions are scored by.

Bindings are mappings from slot to entity id, or to a tuple of ids for a slot that takes many; the latter compare as
sets.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import log2

from ebf_env.world import RiskLevel
from ebf_env.world.binding import Binding, as_ids


def same_entities(one: Binding | None, other: Binding | None) -> bool:
    """Whether two bindings of a slot name the same entities."""
    return set(as_ids(one)) == set(as_ids(other))


def tool_correct(tool: str, gold_tool: str) -> bool:
    """ToolCorrect(a) = 1[t(a) = t*] (paper, section III)."""
    return tool == gold_tool


def entity_correct(bindings: Mapping[str, Binding], gold: Mapping[str, Binding | None]) -> bool:
    """EntityCorrect(a) = 1[e(a) = e*], over all mentions (paper, section III).

    Every mentioned slot is bound to its gold, and no slot is bound that nobody mentioned. A slot whose gold is None
    denotes no one entity, so nothing bound to it is correct.
    """
    return all(bound is not None and same_entities(bindings.get(slot), bound) for slot, bound in gold.items()) and not (
        bindings.keys() - gold.keys()
    )


def multi_entity_failure(bindings: Mapping[str, Binding], gold: Mapping[str, Binding | None]) -> bool:
    """MultiEntityFailure(a) = 1[exists i: e_i(a) != e*_i] (paper, section III)."""
    return not entity_correct(bindings, gold)


def entity_binding_failure(
    tool: str, bindings: Mapping[str, Binding], gold_tool: str, gold: Mapping[str, Binding | None]
) -> bool:
    """EntityBindingFailure(a) = 1[t(a) = t* and e(a) != e*]: the right tool, the wrong target (paper, section III)."""
    return tool_correct(tool, gold_tool) and not entity_correct(bindings, gold)


def risk_weighted_ebf(
    tool: str, bindings: Mapping[str, Binding], gold_tool: str, gold: Mapping[str, Binding | None], risk: RiskLevel
) -> int:
    """RiskWeightedEBF(a) = r(t) 1[t(a) = t* and e(a) != e*] (paper, section III); r(t) is 1, 2, 4 or 5."""
    return risk.weight * entity_binding_failure(tool, bindings, gold_tool, gold)


def is_ambiguous(candidates: Collection[str]) -> bool:
    """Ambiguous(m, S) = 1[|C(m, S)| > 1], of the candidates that remain plausible (paper, section III)."""
    return len(set(candidates)) > 1


# --- questions, beyond the paper ---


def bits_gained(cells: Collection[int]) -> float:
    """What an answer tells on average, in bits, of which of several equally likely records is meant.

    Args:
        cells: how many of the records lead to each answer.
    """
    size = sum(cells)
    return sum(count / size * log2(size / count) for count in cells if count) if size else 0.0


def discrimination(bits: float, denoted: int) -> float | None:
    """Bits gained over log2 abs(D): 1 where the answer always tells which one is meant; None where D is no choice."""
    return bits / log2(denoted) if denoted > 1 else None


def minimality(used: int, fewest: int | None) -> float | None:
    """Attributes used over the fewest needed, 1 being best; None where none is used, or none would do."""
    return max(1.0, used / fewest) if used and fewest else None


def asking_precision(asked_and_needed: int, asked: int) -> float | None:
    """Of the episodes with a question, the share in which a mention denotes two or more."""
    return asked_and_needed / asked if asked else None


def asking_recall(asked_and_needed: int, needed: int) -> float | None:
    """Of the episodes in which a mention denotes two or more, the share with a question."""
    return asked_and_needed / needed if needed else None
