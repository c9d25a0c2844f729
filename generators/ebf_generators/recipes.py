"""Recipes: which condition, tool, slot, cue and hop a block is about.

The tool is drawn before the cue and from the same tools whatever the condition, so that neither tool, risk nor domain
tells a label. A condition whose cues a slot's type does not carry itself is reached by a hop, if there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from ebf_env.errors import ConfigurationError
from ebf_env.tasks import Condition
from ebf_env.world import TOOLS
from ebf_generators import conditions, domains
from ebf_generators.blocks import Recipe
from ebf_generators.company import MAKERS
from ebf_generators.conditions.condition import PLANS, Contrast, Counts, Plan, cues_of
from ebf_generators.config import PAPER_MIX, SuiteConfig
from ebf_generators.cues import Cue
from ebf_generators.hops import Hop, hops_to
from ebf_generators.phrasing import tools as _wordings
from ebf_generators.phrasing.wordings import Slots, worded_tools, wordings_of
from ebf_generators.randomness import Bits

__all__ = ["conditions", "domains"]  # importing this module registers what can be drawn
_ = _wordings

Way = tuple[Condition, Cue | None, Hop | None]
"""How a condition is carried by a slot: what tasks are of, what decides, and the hop."""

HOP_FROM: Final = 3
"""Difficulty from which a mention may hop although it need not."""

HOPS: Final = 0.5
"""Share of those that do."""


def _are_there(domains: frozenset[str], *type_names: str | None) -> bool:
    """Whether worlds hold records of the types: of an optional domain only where it is among the domains."""
    makers = [MAKERS[name] for name in type_names if name is not None]
    return all(maker.domain is None or maker.domain in domains for maker in makers)


def _fits(cue: Cue, plan: Plan, counts: Counts) -> bool:
    misses = plan.contrast is Contrast.PERMISSION or any(0 in row for row in counts)
    return len(counts) <= cue.most and (cue.can_miss or not misses)


@cache
def ways(
    condition: Condition, counts: Counts, type_name: str, domains: frozenset[str] = frozenset()
) -> tuple[tuple[Way, ...], tuple[Way, ...]]:
    """How a slot of a type can carry a condition, with records of these optional domains: directly, and by a hop."""
    plan = PLANS[condition]
    if plan.contrast is Contrast.NAME:
        return ((condition, None, None),), ()
    direct = tuple(
        (of, cue, None)
        for of, cue in cues_of(condition, type_name)
        if _fits(cue, plan, counts) and _are_there(domains, getattr(cue, "anchor", None))
    )
    if plan.contrast is Contrast.PERMISSION:
        return direct, ()
    hopping = tuple(
        (of, cue, hop)
        for hop in hops_to(type_name)
        for of, cue in cues_of(condition, hop.inner)
        if _fits(cue, plan, counts)
        and getattr(cue, "path", None) != hop.path
        and _are_there(domains, hop.inner, getattr(cue, "anchor", None))
    )
    return direct, hopping


def tools_of(config: SuiteConfig) -> dict[str, tuple[str, ...]]:
    """The tools tasks may call, by domain.

    Raises:
        ConfigurationError: a name nobody registered, or settings that leave no tool.
    """
    worded = worded_tools()
    domains_there = {TOOLS[name].domain for name in worded}
    for domain in config.domains:
        if domain not in domains_there:
            raise ConfigurationError(f"there is no domain {domain!r}; known: {', '.join(sorted(domains_there))}")
    for name in config.tools or ():
        if name not in worded:
            raise ConfigurationError(f"no tasks can be made for the tool {name!r}; known: {', '.join(worded)}")
        if TOOLS[name].domain not in config.domains:
            raise ConfigurationError(
                f"tools has {name!r} of the domain {TOOLS[name].domain!r}, which clashes with domains "
                f"{', '.join(config.domains)}"
            )
    found: dict[str, tuple[str, ...]] = {}
    for domain in config.domains:
        names = tuple(
            name
            for name in worded
            if TOOLS[name].domain == domain
            and (config.tools is None or name in config.tools)
            and (not config.risks or TOOLS[name].risk in config.risks)
        )
        if names:
            found[domain] = names
    if not found:
        wanted = ", ".join(risk.value for risk in config.risks)
        raise ConfigurationError(f"risks {wanted} clash with the tools or domains chosen: none of their tools has them")
    return found


def conditions_of(config: SuiteConfig) -> Sequence[Condition]:
    """The conditions that blocks are about, in turn.

    Raises:
        ConfigurationError: a condition that none of the tools can carry.
    """
    wanted = tuple(PAPER_MIX) if config.mix == "paper" else config.conditions or tuple(PLANS)
    tools = tools_of(config)
    domains = frozenset(tools)
    for condition in wanted:
        for counts in PLANS[condition].shapes:
            if not any(_carriers(name, condition, counts, domains) for names in tools.values() for name in names):
                raise ConfigurationError(
                    f"condition {condition.value!r} clashes with the tools chosen: none of "
                    f"{', '.join(name for names in tools.values() for name in names)} can carry it"
                )
    return wanted


def _type(tool: str, slot: str) -> str:
    precondition = TOOLS[tool].precondition(slot)
    assert precondition is not None  # noqa: S101 -- wordings name slots of their tool only
    return precondition.entity_type


@cache
def _carriers(
    tool: str, condition: Condition, counts: Counts, domains: frozenset[str]
) -> tuple[tuple[Slots, str], ...]:
    return tuple(
        (slots, slot)
        for slots in wordings_of(tool)
        for slot in slots
        if any(ways(condition, counts, _type(tool, slot), domains))
    )


def draw_recipe(
    bits: Bits, condition: Condition, counts: Counts, tools: dict[str, tuple[str, ...]], difficulties: Sequence[int]
) -> Recipe:
    """Draw what a block of a condition is about."""
    difficulty, domains = bits.choice(difficulties), frozenset(tools)
    while True:
        tool = bits.choice(tools[bits.choice(tuple(tools))])
        carriers = _carriers(tool, condition, counts, domains)
        if carriers:
            break
    slots, slot = bits.choice(carriers)
    direct, hopping = ways(condition, counts, _type(tool, slot), domains)
    hops = bool(hopping) and (not direct or (difficulty >= HOP_FROM and bits.chance(HOPS)))
    of, cue, hop = bits.choice(hopping if hops else direct)
    return Recipe(PLANS[condition], counts, difficulty, tool, slots, slot, of, cue, hop)
