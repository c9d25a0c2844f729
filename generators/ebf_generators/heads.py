"""Heads: the words rivals share, which is what a string matcher finds them by ("Alex", "pricing plan").

Each type has one way to draw a head, to call records by it, and to say it. Another type is one more call of
:func:`register_head`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ebf_env.errors import ConfigurationError
from ebf_generators.company import Row
from ebf_generators.stage import Stage


@dataclass(frozen=True, slots=True)
class Head:
    """What rivals have in common.

    Attributes:
        said: the words in a sentence, without an article.
        words: the words a record's name has to hold.
        key: what the type needs to call further records by it.
        shared: fields that all rivals have alike.
    """

    said: str
    words: tuple[str, ...]
    key: str
    shared: Row


@dataclass(frozen=True, slots=True)
class Heading:
    """How records of a type share a head.

    Attributes:
        draw: a head nobody in the company has.
        name: fields that call the n-th of several records by a head; True asks for names that nearly are the same.
        article: whether "the" stands before a head.
        noun: what may be said after a head; empty: nothing.
        pronouns: what stands for a record that was mentioned before.
    """

    draw: Callable[[Stage], Head]
    name: Callable[[Stage, Head, int, bool], Row]
    article: bool = True
    noun: str = ""
    pronouns: tuple[str, ...] = ("it", "that one")

    def record(self, stage: Stage, head: Head, number: int, *, nearly: bool = False) -> Row:
        """Fields of the n-th of several records called by a head."""
        return {**head.shared, **self.name(stage, head, number, nearly)}


_HEADINGS: Final[dict[str, Heading]] = {}


def register_head(type_name: str, heading: Heading) -> None:
    """Say how records of a type share a head.

    Raises:
        ConfigurationError: the type has one already.
    """
    if type_name in _HEADINGS:
        raise ConfigurationError(f"{type_name!r} has two ways to share a head")
    _HEADINGS[type_name] = heading


def heading_of(type_name: str) -> Heading:
    """How records of a type share a head."""
    return _HEADINGS[type_name]


def headed_types() -> tuple[str, ...]:
    """The types that mentions can be about, in the order of registration."""
    return tuple(_HEADINGS)


# --- people ---


def _person_head(stage: Stage) -> Head:
    given = stage.free(stage.pools.given_names)
    nickname = stage.pools.nicknames.get(given)
    said = given
    if nickname is not None and stage.bits.chance(0.6):
        stage.company.reserve(nickname)
        said = nickname
    shared: Row = {} if said == given else {"aliases": [said]}
    return Head(said, stage.words(said), f"{given} {stage.free(stage.pools.family_names)}", shared)


def _person_name(stage: Stage, head: Head, number: int, nearly: bool) -> Row:
    given, _, family = head.key.partition(" ")
    if " " in family or "-" in given:  # pools may hold double names
        given, family = head.key.rsplit(" ", 1)
    if nearly:
        family = (family, f"{family}s", f"{family}e", f"{family}z", f"{family}h", f"{family}t")[number % 6]
    elif number:
        family = stage.free(stage.pools.family_names)
    return {"name": f"{given} {family}"}


register_head("person", Heading(_person_head, _person_name, article=False, pronouns=("them", "that colleague")))


# --- titles ---


def titled(field: str, kinds: str, noun: str = "") -> Heading:
    """A heading for records whose title is a subject and a kind ("Pricing plan").

    Args:
        field: the field of the title.
        kinds: the pool of kinds.
        noun: what may be said after the title.
    """

    def draw(stage: Stage) -> Head:
        pools = stage.pools
        first = stage.free(pools.codenames if stage.bits.chance(0.3) else pools.subjects)
        text = f"{first} {stage.free(getattr(pools, kinds))}"
        return Head(text, stage.words(text), text[0].upper() + text[1:], {})

    def name(stage: Stage, head: Head, number: int, nearly: bool) -> Row:
        del stage
        return {field: _nearly(head.key, number) if nearly else head.key}

    return Heading(draw, name, noun=noun)


def _nearly(title: str, number: int) -> str:
    """The title as one of several near copies of it: none of them is closer to what is said than another."""
    return (title.title(), f"{title}.", title.replace(" ", " - ", 1), title.upper(), f"{title} *", f"{title}:")[
        number % 6
    ]


register_head("document", titled("title", "document_kinds"))
register_head("folder", titled("name", "folder_kinds", "folder"))
register_head("email_thread", titled("subject", "thread_kinds", "thread"))


register_head("calendar_event", titled("title", "event_kinds"))
register_head("ticket", titled("title", "ticket_kinds", "ticket"))


# --- names of companies and projects ---


def _brand_head(stage: Stage) -> Head:
    brand = stage.brand()
    return Head(brand, stage.words(brand), brand, {})


def _account_name(stage: Stage, head: Head, number: int, nearly: bool) -> Row:
    industries = stage.pools.industries
    if nearly:
        return {"name": f"{head.key} {industries[len(head.key) % len(industries)]}{_COPIES[number % 6]}"}
    return {"name": f"{head.key} {stage.bits.choice(industries)}"}


_COPIES: Final = (".", ",", " -", " *", ":", " ..")

register_head("customer_account", Heading(_brand_head, _account_name, article=False))


def _deal_head(stage: Stage) -> Head:
    brand = stage.brand()
    account = stage.make("customer_account", name=f"{brand} {stage.bits.choice(stage.pools.industries)}")
    kind = stage.bits.choice(("renewal", "expansion"))
    said = f"{brand} {kind}"
    return Head(said, stage.words(said), stage.label(account), {"account": account, "kind": kind})


def _deal_name(stage: Stage, head: Head, number: int, nearly: bool) -> Row:
    del stage
    name = f"{head.key} {head.shared['kind']}"
    return {"name": f"{name}{_COPIES[number % 6]}" if nearly else name}


register_head("opportunity", Heading(_deal_head, _deal_name))


def _project_head(stage: Stage) -> Head:
    codename = stage.free(stage.pools.codenames)
    return Head(codename, stage.words(codename), codename, {"codename": codename})


def _project_name(stage: Stage, head: Head, number: int, nearly: bool) -> Row:
    if nearly:
        subject = stage.pools.subjects[len(head.key) % len(stage.pools.subjects)]
        return {"name": f"{head.key} {subject}{_COPIES[number % 6]}"}
    return {"name": f"{head.key} {stage.company.free(stage.pools.subjects)}"}


register_head("project", Heading(_project_head, _project_name, article=False, noun="project"))
