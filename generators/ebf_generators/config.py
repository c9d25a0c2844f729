"""What a suite is made of: one validated configuration, the same on the command line and in ``gym.make``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Annotated, Final, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from ebf_env.tasks import Condition
from ebf_env.tasks.task import MAX_FULL_ENTITIES
from ebf_env.world import RiskLevel
from ebf_generators.pools import Split

Mix: TypeAlias = Literal["balanced", "paper"]
Visibility: TypeAlias = Literal["full", "search"]
Difficulty: TypeAlias = Annotated[int, Field(ge=1, le=5)]

PAPER_DOMAINS: Final = ("email", "documents", "calendar", "crm", "tickets")
"""The domains of the paper, in which tasks are made unless others are named."""

PAPER_MIX: Final[dict[Condition, int]] = {
    Condition.UNAMBIGUOUS: 10,
    Condition.NAME_COLLISION: 8,
    Condition.DOCUMENT_VERSION: 8,
    Condition.TEMPORAL: 8,
    Condition.ACCOUNT_COLLISION: 8,
    Condition.NEAR_DUPLICATE: 8,
    Condition.CROSS_SYSTEM: 5,
    Condition.TRUE_AMBIGUITY: 5,
}
"""How many of 60 tasks are of each condition (paper, Table III)."""

LEAST_ENTITIES: Final[dict[int, int]] = {1: 26, 2: 26, 3: 30, 4: 34, 5: 36}
"""Smallest world, by difficulty: nearly all drafts find room in it, and the others are drawn anew."""


class SuiteConfig(BaseModel):
    """What a suite is made of.

    A list may be given as one value of it, or as a text with commas in it, as on the command line.

    Attributes:
        tasks: how many tasks; task number i is the same whether 10 or 100,000 are asked for.
        seed: the suite's seed.
        split: ``train``, ``val`` or ``test``; splits share no name, title word or wording.
        mix: ``balanced`` has contrast blocks of every condition in turn, ``paper`` single tasks in the paper's shares.
        families: whether all cells of a contrast block are tasks; without, one cell of each block is.
        conditions: conditions that blocks are about; empty: all of the mix.
        domains: domains whose tools tasks call.
        tools: tools that tasks call; empty: all of the domains.
        risks: risk levels of the tools; empty: all.
        difficulties: 1 to 5, drawn from these.
        visibility: whether observations show the world whole or what was looked up.
        world_size: records in a world: 26 (for difficulty 1) and more.
        noise: ``none``, ``low``, ``medium``, ``high``, or operators with their rates: a mapping, or a text such as
            ``keyboard=0.2,ocr=0.1``.
        locales: Faker locales to draw fresh pools from; empty: the pools that ship.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tasks: Annotated[int, Field(ge=1, le=100_000_000)] = 600
    seed: Annotated[int, Field(ge=0, lt=1 << 64)] = 0
    split: Split = "train"
    mix: Mix = "balanced"
    families: bool | None = None
    conditions: tuple[Condition, ...] = ()
    domains: tuple[str, ...] = PAPER_DOMAINS
    tools: tuple[str, ...] | None = None
    risks: tuple[RiskLevel, ...] = ()
    difficulties: tuple[Difficulty, ...] = (1, 2, 3, 4, 5)
    visibility: Visibility = "full"
    world_size: Annotated[int, Field(ge=10, le=1_000_000)] = 40
    noise: str | dict[str, float] = "none"
    locales: tuple[str, ...] = ()

    @property
    def has_families(self) -> bool:
        """Whether all cells of a block are tasks: unless said otherwise, in the balanced mix."""
        return self.mix == "balanced" if self.families is None else self.families

    @field_validator("conditions", "domains", "tools", "risks", "difficulties", "locales", mode="before")
    @classmethod
    def _as_list(cls, value: object) -> object:
        if isinstance(value, str):
            if not listed(value):
                raise ValueError("names nothing; leave it out instead")
            return listed(value)
        if not isinstance(value, bool) and isinstance(value, Integral):
            return (value,)
        if value is not None and not isinstance(value, Sequence):
            raise ValueError("expected a list, or one value of it")
        return value

    @field_validator("noise", mode="before")
    @classmethod
    def _as_rates(cls, value: object) -> object:
        if isinstance(value, str):
            return rates(value) if "=" in value else value.strip()
        if not isinstance(value, Mapping):
            raise ValueError("expected a level, or operators with their rates, such as 'keyboard=0.2,ocr=0.1'")
        return {str(name): _rate(str(name), rate) for name, rate in value.items()}

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.mix == "paper" and self.families:
            raise ValueError("mix 'paper' takes single tasks, so it clashes with families")
        if self.mix == "paper" and self.conditions:
            raise ValueError("mix 'paper' fixes the conditions, so it clashes with conditions")
        if self.tools is not None and not self.tools:
            raise ValueError("tools is an empty list, so there is nothing to ask for; leave it out for all tools")
        if not self.difficulties:
            raise ValueError("difficulties is an empty list; leave it out for all five")
        if not self.domains:
            raise ValueError("domains is an empty list; leave it out for the five of the paper")
        if self.visibility == "full" and self.world_size > MAX_FULL_ENTITIES:
            raise ValueError(
                f"world_size {self.world_size:,} clashes with visibility 'full', which shows at most "
                f"{MAX_FULL_ENTITIES} records; use visibility 'search'"
            )
        hardest = max(self.difficulties)
        if self.world_size < LEAST_ENTITIES[hardest]:
            raise ValueError(
                f"world_size {self.world_size} clashes with difficulty {hardest}, whose tasks need up to "
                f"{LEAST_ENTITIES[hardest]} records"
            )
        return self


def listed(text: str) -> tuple[str, ...]:
    """The values of a text with commas in it."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def rates(text: str) -> dict[str, float]:
    """Operators with their rates, from a text such as ``keyboard=0.2,ocr=0.1``.

    Raises:
        ValueError: it is not of that form, or names an operator twice.
    """
    found: dict[str, float] = {}
    for part in listed(text):
        name, equals, rate = (piece.strip() for piece in part.partition("="))
        if not (name and equals):
            raise ValueError(f"{part!r} is no operator with its rate, such as keyboard=0.2")
        if name in found:
            raise ValueError(f"{name!r} is given twice")
        found[name] = _rate(name, rate)
    return found


def _rate(name: str, value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise ValueError(f"{value!r} is no rate of {name!r}") from error
