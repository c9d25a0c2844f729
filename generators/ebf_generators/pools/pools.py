"""The pools of one split, as the generator draws from them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import ClassVar, Literal, TypeAlias, cast

from ebf_generators.pools import words

Split: TypeAlias = Literal["train", "val", "test"]


@dataclass(frozen=True, slots=True)
class Pools:
    """Names and words of one split; the splits share none of those that make up names and titles.

    Attributes:
        split: which split.
        source: Faker's version and the command that drew them.
        given_names: people's given names, of many languages.
        family_names: people's family names, double ones among them.
        brand_beginnings: first parts of company names.
        codenames: names of projects.
        subjects: what titles are about.
        document_kinds: what documents are (``plan``, ...).
        event_kinds: what events are.
        ticket_kinds: what goes wrong.
        thread_kinds: what threads are for.
        folder_kinds: what folders hold.
    """

    split: Split
    source: str
    given_names: tuple[str, ...]
    family_names: tuple[str, ...]
    brand_beginnings: tuple[str, ...]
    codenames: tuple[str, ...]
    subjects: tuple[str, ...]
    document_kinds: tuple[str, ...]
    event_kinds: tuple[str, ...]
    ticket_kinds: tuple[str, ...]
    thread_kinds: tuple[str, ...]
    folder_kinds: tuple[str, ...]

    # Common vocabulary, the same in every split.
    brand_endings: ClassVar[tuple[str, ...]] = tuple(words.BRAND_ENDINGS)
    industries: ClassVar[tuple[str, ...]] = tuple(words.INDUSTRIES)
    components: ClassVar[tuple[str, ...]] = tuple(words.COMPONENTS)
    teams: ClassVar[tuple[str, ...]] = tuple(words.TEAMS)
    roles: ClassVar[tuple[str, ...]] = tuple(words.ROLES)
    regions: ClassVar[tuple[str, ...]] = tuple(words.REGIONS)
    cities: ClassVar[tuple[str, ...]] = tuple(words.CITIES)
    nicknames: ClassVar[Mapping[str, str]] = words.NICKNAMES


_LISTS = (
    "GIVEN_NAMES", "FAMILY_NAMES", "BRAND_BEGINNINGS", "CODENAMES", "SUBJECTS", "DOCUMENT_KINDS", "EVENT_KINDS",
    "TICKET_KINDS", "THREAD_KINDS", "FOLDER_KINDS",
)  # fmt: skip


def _of(content: Mapping[str, object], split: Split) -> Pools:
    lists = cast("Mapping[str, Mapping[str, Sequence[str]]]", content["splits"])[split]
    source = f"Faker {content['faker']}: {content['command']}"
    return Pools(split, source, *(tuple(lists[name]) for name in _LISTS))


@cache
def default_pools(split: Split) -> Pools:
    """The pools that ship with the project."""
    text = (resources.files("ebf_generators.pools") / "default.json").read_text(encoding="ascii")
    return _of(json.loads(text), split)


def fresh_pools(split: Split, locales: Sequence[str], *, seed: int = 0) -> Pools:
    """Pools drawn anew, from any of Faker's locales.

    Raises:
        ConfigurationError: Faker does not know a locale, or a pool would be too small.
    """
    from ebf_generators.pools.draw import draw

    return _of(draw(locales, seed=seed), split)
