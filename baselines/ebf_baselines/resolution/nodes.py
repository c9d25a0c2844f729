"""What a reading of an instruction consists of: references to records (nodes), and what is said of each (cues)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from ebf_baselines.resolution.store import Named
from ebf_env.grounding.times import TimeExpression


@dataclass(frozen=True, slots=True)
class ValueCue:
    """A value that the record has: "in Room 14".

    Attributes:
        span: where it stands: text number, begin, end in characters.
        hint: the words around it.
        negated: whether the record must not have it.
        said: the words of the value.
        values: the values of the store that it may be, and how many typing mistakes away.
    """

    span: tuple[int, int, int]
    hint: tuple[str, ...]
    negated: bool
    said: tuple[str, ...]
    values: tuple[tuple[Named, int], ...]


@dataclass(frozen=True, slots=True)
class TimeCue:
    """A time that the record has: "opened last week"."""

    span: tuple[int, int, int]
    hint: tuple[str, ...]
    negated: bool
    time: TimeExpression


@dataclass(frozen=True, slots=True)
class OrderCue:
    """A place in an order: "the latest", "the second oldest".

    Attributes:
        last: whether it counts from the end.
        rank: from 1.
        coming: whether only what is still to come counts ("the next meeting").
    """

    span: tuple[int, int, int]
    hint: tuple[str, ...]
    negated: bool
    last: bool
    rank: int = 1
    coming: bool = False


@dataclass(frozen=True, slots=True)
class UserCue:
    """The user has to do with it: "my", "that I opened"."""

    span: tuple[int, int, int]
    hint: tuple[str, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class UnknownCue:
    """Something is said of the record that no record of the store bears out: "tagged zulu"."""

    span: tuple[int, int, int]
    hint: tuple[str, ...]
    negated: bool
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RelationCue:
    """Another record has to do with it: "raised by Ana", "the folder that holds the plan".

    Attributes:
        node: the other record.
        weight: how much speaks for the other one being said of this one, against standing by itself, in nats.
    """

    span: tuple[int, int, int]
    hint: tuple[str, ...]
    negated: bool
    node: Node
    weight: float = 0.0


Cue: TypeAlias = ValueCue | TimeCue | OrderCue | UserCue | UnknownCue | RelationCue


@dataclass(frozen=True, slots=True)
class NameWord:
    """A word of a name as it was said, and the words of the store's names that it may be."""

    said: str
    near: tuple[tuple[str, int], ...]


@dataclass(slots=True, eq=False)
class Node:
    """A reference to a record, or to several that are told apart by nothing.

    Attributes:
        text: number of the text it stands in.
        sentence: number of the sentence in that text.
        begin: where its first word begins, in characters.
        end: where its last word ends, its cues included.
        head_end: where its own words end.
        types: the types it may be of; None: any.
        nouns: the nouns for its type that were said.
        names: the words of its name.
        cues: what else is said of it.
        pronoun: whether it is a mere "it".
        determined: whether an article or the like precedes.
        top: how likely it is by itself what the instruction acts on, against being said of another one, in nats.
        parent: the node it is said of, if it is.
        is_it: whether it is "it" or "them", which may mean something in the same sentence.
        clarifies: whether it only says more about what was mentioned before.
        gap: the words between it and what precedes it.
    """

    text: int
    sentence: int
    begin: int
    end: int
    head_end: int
    types: frozenset[str] | None = None
    nouns: tuple[str, ...] = ()
    names: tuple[NameWord, ...] = ()
    cues: list[Cue] = field(default_factory=list)
    pronoun: bool = False
    determined: bool = False
    top: float = 0.0
    parent: Node | None = None
    gap: tuple[str, ...] = ()
    clarifies: bool = False
    is_it: bool = False

    @property
    def is_bare(self) -> bool:
        """Whether nothing is said of it but what kind of record it is."""
        return not self.names and not self.cues
