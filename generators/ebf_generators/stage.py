"""What a task is set up with: a company in the making, the records a mention turns on, and who is asking.

A :class:`Stage` is shared by all cells of a block. What differs between the worlds of a block is written to a
:class:`Scene`, a copy-on-write view of the company's rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol

from ebf_env.errors import ConfigurationError
from ebf_env.json_types import JSON
from ebf_env.world import ENTITY_TYPES
from ebf_generators.company import Company, Row, words
from ebf_generators.noise import PROFILES, NoiseProfile, corrupt_text, corrupt_value, prose_fields
from ebf_generators.pools import Pools
from ebf_generators.randomness import Bits

_NOUNS: Final[dict[str, str]] = {}
_PROPER: Final[set[str]] = set()
NOUNS: Final[Mapping[str, str]] = MappingProxyType(_NOUNS)
"""What people call a record of a type."""

PROPER: Final[AbstractSet[str]] = _PROPER
"""Types whose records have names, not titles: no article stands before them."""


def register_noun(
    type_name: str, noun: str, *, is_name: bool = False, given: Callable[[Stage], Row] | None = None
) -> None:
    """Say what people call records of a type.

    Args:
        type_name: the type.
        noun: the noun.
        is_name: whether its records have names, not titles.
        given: draws fields of the records that tasks are about, where a task says nothing of them, so that whatever
            may be asked can still be done with each of them (a meeting is still to come, a ticket is not closed): else
            what can be done would tell records apart. A field that is None is left out.

    Raises:
        ConfigurationError: the type has a noun already.
    """
    if type_name in _NOUNS:
        raise ConfigurationError(f"{type_name!r} has two nouns")
    _NOUNS[type_name] = noun
    if given is not None:
        _GIVEN[type_name] = given
    if is_name:
        _PROPER.add(type_name)


CAST: Final = ("person", "person", "person", "person", "customer_account", "folder")
"""Records that are there before those of a task, so that these need not bring their own owners and folders."""


@dataclass(frozen=True, slots=True)
class Name:
    """What a record is called in a sentence.

    Attributes:
        said: the words as they stand in a sentence, without article ("pricing plan", "Dana Weiss").
        words: the words a record's name has to hold.
    """

    said: str
    words: tuple[str, ...]


class Stage:
    """A company in the making, and what a task needs of it.

    Args:
        bits: source of randomness.
        pools: names and words.
        domains: optional domains whose records belong to the background.
        noise: how much of what is said and recorded is corrupted.
        within: a large company that the records are added to.

    Attributes:
        bits: source of randomness.
        pools: names and words.
        domains: optional domains whose records belong to the background.
        noise: how much is corrupted.
        company: the company.
        user_id: the person who is asking.
        mood: a number by which the records of a task are alike where nothing else is said of them.
    """

    def __init__(
        self,
        bits: Bits,
        pools: Pools,
        domains: Sequence[str] = (),
        noise: NoiseProfile = PROFILES["none"],
        within: Company | None = None,
    ) -> None:
        self.bits, self.pools, self.domains = bits, pools, tuple(domains)
        self.company = Company(bits, pools, domains=domains, within=within)
        self.noise = noise
        self.mood = bits.below(1 << 10)
        self._clean: dict[str, str] = {}
        self._notices: dict[tuple[str, str], str] = {}
        self.user_id = self.make("person")
        for type_name in CAST:
            self.company.reserve(self.label(self.company.make(type_name)))

    def make(self, type_name: str, **fields: JSON) -> str:
        """Add a record that no other record refers to by chance and whose name no later one shares a word with."""
        if type_name in _GIVEN:
            fields = {**_GIVEN[type_name](self), **fields}
        if type_name == "opportunity" and "account" not in fields:
            fields["account"] = self.company.any_of("customer_account")
        entity_id = self.company.make(type_name, **fields)
        self.company.seclude(entity_id)
        label = self.label(entity_id)
        self.company.reserve(label)
        if self.is_noisy and self.bits.chance(self.noise.deciding):
            self._clean[entity_id] = label
            written = corrupt_text(self.bits, label, self.noise.operators)
            self.row(entity_id)[ENTITY_TYPES[type_name].label_field] = written
        return entity_id

    def label(self, entity_id: str) -> str:
        """The name, title or subject of a record, as it should be written."""
        if entity_id in self._clean:
            return self._clean[entity_id]
        type_name, fields = self.company.rows[entity_id]
        return str(fields[ENTITY_TYPES[type_name].label_field])

    @property
    def is_noisy(self) -> bool:
        """Whether anything is corrupted."""
        return bool(self.noise.operators)

    def written(self, type_name: str, path: str, value: JSON) -> JSON:
        """A value as a record holds it: now and then a text has a mistake in it."""
        if not self.is_noisy or not isinstance(value, str) or path not in prose_fields(type_name):
            return value
        if any(c.isdigit() for c in value):  # another digit would be another value
            return value
        return corrupt_value(self.bits, value, self.noise.operators) if self.bits.chance(self.noise.deciding) else value

    def uttered(self, said: str) -> str:
        """Words as somebody says them: now and then with a mistake."""
        if not self.is_noisy or not self.bits.chance(self.noise.mention):
            return said
        return corrupt_text(self.bits, said, self.noise.operators)

    def row(self, entity_id: str) -> Row:
        """The fields of a record, the same in all worlds of the block."""
        return self.company.fields(entity_id)

    def type_of(self, entity_id: str) -> str:
        """The type of a record."""
        return self.company.rows[entity_id][0]

    def full_name(self, entity_id: str) -> Name:
        """A record's whole name, as it should be said."""
        label = self.label(entity_id)
        return Name(self.said(label, self.type_of(entity_id)), words(label))

    def said(self, label: str, type_name: str) -> str:
        """A label within a sentence: titles in lower case, but for codenames and what is a name."""
        if type_name in PROPER:
            return label
        first, _, rest = label.partition(" ")
        return label if first in self.pools.proper else f"{first.lower()} {rest}".rstrip()

    def words(self, text: str) -> tuple[str, ...]:
        """The words of a text, as names are compared."""
        return words(text)

    def free(self, candidates: Sequence[str]) -> str:
        """A candidate that shares no word with what is reserved; it is reserved from now on."""
        drawn = self.company.free(candidates)
        self.company.reserve(drawn)
        return drawn

    def brand(self) -> str:
        """A company name nobody has yet."""
        brand = self.company.new_brand()
        self.company.reserve(brand)
        return brand

    def notice_of(self, entity_id: str, field: str) -> str:
        """The notice of a change of a record's field, made where there is none."""
        key = (entity_id, field)
        if key not in self._notices:
            self._notices[key] = self.make("change_notice", record=entity_id, field=field)
        return self._notices[key]


class Rows(Protocol):
    """Rows of records that may be changed: of a company, or of one world of a block."""

    def row(self, entity_id: str) -> Row:
        """The fields of a record; changing them changes the row."""


class Scene:
    """One world of a block: the company's rows, some of them changed, some of them absent.

    Attributes:
        absent: ids of records that are not there.
    """

    __slots__ = ("_changed", "_company", "absent")

    def __init__(self, company: Company) -> None:
        self._company = company
        self._changed: dict[str, Row] = {}
        self.absent: set[str] = set()

    def row(self, entity_id: str) -> Row:
        """The fields of a record in this world; changing them changes this world alone."""
        if entity_id not in self._changed:
            self._changed[entity_id] = dict(self._company.fields(entity_id))
        return self._changed[entity_id]

    def copy(self) -> Scene:
        """Another world that is the same so far."""
        other = Scene(self._company)
        other._changed = {entity_id: dict(row) for entity_id, row in self._changed.items()}
        other.absent = set(self.absent)
        return other

    def changed(self, entity_id: str) -> Row | None:
        """The fields of a record where they differ from the company's."""
        return self._changed.get(entity_id)


_GIVEN: Final[dict[str, Callable[[Stage], Row]]] = {}


def _coming(stage: Stage) -> Row:
    """A meeting that is still to come."""
    day, begin = stage.bits.between(1, 25), 30 * stage.bits.between(16, 33)
    return {"start": stage.company.moment(day, begin), "end": stage.company.moment(day, begin + 60)}


def _unfinished(stage: Stage) -> Row:
    """A ticket being worked on; all of a task in one state, since "close the settled one" would lean to one of them."""
    return {"status": ("open", "in_progress", "in_review")[stage.mood % 3]}


def _undecided(stage: Stage) -> Row:
    """A deal that may yet be won or lost; all of a task in one stage, for the same reason."""
    return {"stage": ("proposal", "negotiation", "contract")[stage.mood % 3]}


def _older(stage: Stage) -> Row:
    """A document that is older than whatever it is attached to; all of a task with one status, for the same reason."""
    made, changed = stage.bits.between(100, 250), stage.bits.between(1, 50)
    return {
        "status": ("draft", "in_review", "approved")[stage.mood % 3],
        "created_at": stage.company.moment(-made, 15 * stage.bits.between(32, 70)),
        "updated_at": stage.company.moment(-changed, 15 * stage.bits.between(32, 70)),
    }


register_noun("person", "person", is_name=True)
register_noun("document", "document", given=_older)
register_noun("folder", "folder")
register_noun("email_thread", "thread")
register_noun("calendar_event", "meeting", given=_coming)
register_noun("customer_account", "account", is_name=True)
register_noun("opportunity", "deal", given=_undecided)
register_noun("ticket", "ticket", given=_unfinished)
register_noun("project", "project", is_name=True)
