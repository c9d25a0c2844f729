"""The pools of one split, as the generator draws from them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import ClassVar, Final, Literal, TypeAlias, cast

from ebf_env.world.search import words as words_of
from ebf_generators.pools import words

Split: TypeAlias = Literal["train", "val", "test"]
SPLITS: Final[tuple[Split, ...]] = ("train", "val", "test")


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
        lists: all of these by name, and the common vocabulary that records are called by.
        places: word to where it stands: the list, and the number of an entry of it that holds the word.
        mailboxes: given name or family name to how it stands in a mailbox.
        proper: what keeps its capital within a sentence: the codenames.
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
    lists: Mapping[str, tuple[str, ...]] = field(init=False, repr=False, compare=False)
    places: Mapping[str, Sequence[tuple[str, int]]] = field(init=False, repr=False, compare=False)
    mailboxes: Mapping[str, str] = field(init=False, repr=False, compare=False)
    proper: frozenset[str] = field(init=False, repr=False, compare=False)

    # Common vocabulary, the same in every split.
    brand_endings: ClassVar[tuple[str, ...]] = tuple(words.BRAND_ENDINGS)
    industries: ClassVar[tuple[str, ...]] = tuple(words.INDUSTRIES)
    components: ClassVar[tuple[str, ...]] = tuple(words.COMPONENTS)
    teams: ClassVar[tuple[str, ...]] = tuple(words.TEAMS)
    roles: ClassVar[tuple[str, ...]] = tuple(words.ROLES)
    regions: ClassVar[tuple[str, ...]] = tuple(words.REGIONS)
    cities: ClassVar[tuple[str, ...]] = tuple(words.CITIES)
    nicknames: ClassVar[Mapping[str, str]] = words.NICKNAMES

    def __post_init__(self) -> None:
        lists: dict[str, tuple[str, ...]] = {name: getattr(self, name) for name in (*_LISTS, *_COMMON_LISTS)}
        places: dict[str, list[tuple[str, int]]] = {}
        for name, entries in lists.items():
            for number, entry in enumerate(entries):
                for word in dict.fromkeys(words_of(entry)):
                    places.setdefault(word, []).append((name, number))
        mailboxes = {name: ".".join(words_of(name)) for name in (*self.given_names, *self.family_names)}
        object.__setattr__(self, "lists", lists)
        object.__setattr__(self, "places", places)
        object.__setattr__(self, "mailboxes", mailboxes)
        object.__setattr__(self, "proper", frozenset(self.codenames))


_LISTS: Final = (
    "given_names", "family_names", "brand_beginnings", "codenames", "subjects", "document_kinds", "event_kinds",
    "ticket_kinds", "thread_kinds", "folder_kinds",
)  # fmt: skip
_COMMON_LISTS: Final = ("industries", "components", "teams", "roles", "regions")


def _of(content: Mapping[str, object], split: Split) -> Pools:
    lists = cast("Mapping[str, Mapping[str, Sequence[str]]]", content["splits"])[split]
    source = f"Faker {content['faker']}: {content['command']}"
    return Pools(split, source, *(tuple(lists[name.upper()]) for name in _LISTS))


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


_HALVED: Final = ("given_names", "brand_beginnings", "codenames", "subjects")
"""The lists whose words tell by which half a record is called."""


def halves(pools: Pools) -> tuple[Pools, Pools]:
    """Pools cut in two that share no word by which records are told apart: for a company, and for what is added to it.

    Records called by names of the second half are then called by no name of the first, however many there are.
    """
    kept = {word for name in _HALVED for entry in getattr(pools, name)[1::2] for word in words_of(entry)}
    kept.update(word for given in pools.given_names[1::2] for word in words_of(pools.nicknames.get(given, "")))

    def one(name: str) -> tuple[str, ...]:
        return tuple(entry for entry in getattr(pools, name)[::2] if kept.isdisjoint(_words_of_name(entry, pools)))

    def other(name: str) -> tuple[str, ...]:
        entries: tuple[str, ...] = getattr(pools, name)
        return entries[1::2]

    given, brands, codenames, subjects = _HALVED
    first, second = (
        replace(
            pools,
            given_names=half(given),
            brand_beginnings=half(brands),
            codenames=half(codenames),
            subjects=half(subjects),
        )
        for half in (one, other)
    )
    return first, second


def _words_of_name(entry: str, pools: Pools) -> list[str]:
    """The words of an entry, and of what friends say for it."""
    return [*words_of(entry), *words_of(pools.nicknames.get(entry, ""))]
