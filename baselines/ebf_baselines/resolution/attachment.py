"""Whether a reference is said of the one before it ("the ticket Ana raised") or stands by itself ("send it to Ana").

What speaks for either is given in nats. English decides most of it: relative clauses, participles and "of" belong to
the noun before them; auxiliaries, commas and verbs begin something new. Bare prepositions decide little, so that the
slots of the tool on offer may claim what they introduce.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ebf_baselines.resolution.lexicon import (
    AFTER,
    BEFORE,
    CAUSATIVES,
    COMPLEX_PREPOSITIONS,
    DETERMINERS,
    MODALS,
    PARTICIPLES,
    PREPOSITIONS,
    PUTTING,
    RELATIONAL,
    RELATIVE,
    Concept,
    concepts_of_field,
    concepts_of_word,
    word_set,
)
from ebf_baselines.resolution.nodes import Node
from ebf_baselines.resolution.store import Schema

NEVER: Final = -9.0
CERTAIN: Final = 3.0
LIKELY: Final = 2.0
_CAUSED: Final = 1.0
_NEW: Final = -2.0
_FRESH: Final = -1.5
_FEW: Final = 5

_PREPOSITION: Final = {
    "of": 1.2, "by": 1.4, "behind": 1.4, "about": 1.2, "concerning": 2.0, "regarding": 2.0, "from": 0.8, "in": 0.5,
    "at": 0.8, "under": 0.6, "for": 0.5, "on": 0.5, "with": 0.6, "within": 0.3, "inside": 0.8, "to": -1.0, "into": -2.0,
    "onto": -2.0,
}  # fmt: skip

BE: Final = word_set("is are was were be been being has have had s")
_WHICH: Final = word_set("which whom")
_SUBJECTS: Final = word_set("we you they")
_WITH: Final = word_set("with having has including where carrying containing")
_DIRECTIONS: Final = word_set("to into onto toward towards")
_PHRASES: Final = {
    "having to do with": "concerning",
    "has to do with": "concerning",
    "to do with": "concerning",
    "in relation to": "concerning",
    "relating to": "concerning",
    "with regard to": "concerning",
    "with reference to": "concerning",
    "on the subject of": "concerning",
    "in charge of": "handling",
    "responsible for": "handling",
    "on behalf of": "for",
}

_EMPTY: Final = PREPOSITIONS | BE | RELATIVE | DETERMINERS | word_set("and but or also , not")


def content(words: Iterable[str]) -> list[str]:
    """The words that say something by themselves."""
    return [w for w in words if w not in _EMPTY]


def concepts(words: Iterable[str]) -> frozenset[Concept]:
    """What words are about."""
    return frozenset(c for w in words for c in concepts_of_word(w))


def joined_phrases(gap: Sequence[str]) -> list[str]:
    """The words, with what makes one preposition taken together."""
    text = f" {' '.join(gap)} "
    for phrase, word in _PHRASES.items():
        text = text.replace(f" {phrase} ", f" {word} ")
    return text.split()


@dataclass(frozen=True, slots=True)
class Gap:
    """The words between two references.

    Attributes:
        words: without articles; phrases that make one preposition are one word.
        joined: whether an "and" begins them.
        comma: whether a comma stands before them.
        fresh: whether another noun begins within them: "as the place of ...".
        after: the words right after the second reference that may say how it belongs to the first.
        as_what: "among the guests", "as owner" right after it.
    """

    words: tuple[str, ...]
    joined: bool
    comma: bool
    fresh: bool
    after: tuple[str, ...] = ()
    as_what: tuple[str, ...] = ()

    @classmethod
    def of(cls, said: Sequence[str], *, comma: bool, after: Sequence[str] = (), as_what: Sequence[str] = ()) -> Gap:
        """The gap that some words make."""
        joined = list(said[:1]) == ["and"]
        gap = list(said)
        while gap and gap[0] in ("and", "but", "also"):
            gap = gap[1:]
        gap = joined_phrases(gap)
        fresh = any(
            word in DETERMINERS
            and k + 1 < len(gap) - 1
            and gap[k + 1] not in COMPLEX_PREPOSITIONS
            and gap[-1] in PREPOSITIONS
            for k, word in enumerate(gap)
        )
        words = tuple(w for k, w in enumerate(gap) if w not in DETERMINERS or (k == 0 and w in RELATIVE))
        return cls(words, joined, comma, fresh, tuple(after), tuple(as_what))


@dataclass(frozen=True, slots=True)
class Attachment:
    """How much speaks for a reference being said of another one.

    Attributes:
        weight: in nats.
        hint: the words that say how.
        taken: how many of the words after it belong to that.
    """

    weight: float
    hint: tuple[str, ...]
    taken: int = 0


def attachment(schema: Schema, parent: Node, node: Node, gap: Gap) -> Attachment:
    """How much speaks for a reference being said of one before it."""
    words = gap.words
    if (AFTER | BEFORE) & set(words) and "up" not in words:
        both = parent.types is None or node.types is None or bool(parent.types & node.types)
        if both and len(words) <= _FEW:
            return Attachment(2.5, words)
    paths = schema.paths(parent.types, node.types)
    if not paths:
        return Attachment(NEVER, ())
    fields = [concepts_of_field(kind, path) for kind, path in paths]
    nouns = tuple(noun for noun in parent.nouns if noun in RELATIONAL)
    said = concepts(content(words) or words) | {RELATIONAL[noun] for noun in nouns}
    strong = any(field & said for field in fields)
    trailing = any(field & concepts(gap.after) for field in fields)
    hint = (*words, *nouns)
    if not words:
        if not gap.comma and trailing:
            return Attachment(1.5, (*hint, *gap.after), len(gap.after))
        if node.nouns and node.names and not node.determined and not gap.comma:
            return Attachment(1.0, (*hint, *node.nouns))
        return Attachment(_NEW, hint)
    relative = (
        words[0] in RELATIVE
        or (words[0] in _SUBJECTS and not gap.comma and not MODALS & set(words))
        or (len(words) > 1 and words[1] in _WHICH)
    )
    if len(words) == 1 and words[0] in _WITH and not gap.comma:
        if gap.as_what and any(field & concepts(gap.as_what) for field in fields):
            return Attachment(CERTAIN, (*words, *gap.as_what), len(gap.as_what))
        if trailing:
            return Attachment(CERTAIN, (*hint, *gap.after), len(gap.after))
    weight = _weight(parent, gap, strong=strong, relative=relative)
    if trailing and not strong and (relative or weight > 1):
        return Attachment(weight, (*hint, *gap.after), len(gap.after))
    return Attachment(weight, hint)


def _is_caused(before: Sequence[str]) -> bool:
    """Whether what follows a reference is what shall be done with it: "have the plan moved", "put Ana on the list"."""
    words = [w for w in before if w not in DETERMINERS]
    return bool((CAUSATIVES | PUTTING) & set(words[-1:])) or (words[-1:] == ["to"] and "have" in words)


def _weight(parent: Node, gap: Gap, *, strong: bool, relative: bool) -> float:
    """How much the words between speak for it: what kind of words they are, less what parts them from the noun."""
    whoever = bool({"whoever", "what", "whatever"} & set(parent.nouns))
    if relative or (whoever and gap.words[0] not in PREPOSITIONS):
        weight = CERTAIN
    else:
        weight = _weight_of_words(parent, gap, strong=strong)
    if relative:
        return weight - (1.5 if gap.comma else 0.0)
    return min(weight, _limit(parent, gap, strong=strong, whoever=whoever)) - _parting(gap, strong=strong)


def _weight_of_words(parent: Node, gap: Gap, *, strong: bool) -> float:
    """What the words are worth as such: a participle ("raised by") much, a preposition what it mostly means."""
    words = gap.words
    first, last = words[0], words[-1]
    participle = first.endswith(("ed", "ing")) or first in PARTICIPLES
    caused = _is_to_be_done(parent, first)
    if participle and not gap.comma and len(words) <= _FEW and (strong or not caused):
        return _CAUSED if caused else LIKELY
    if len(words) > _FEW and not strong:
        return _NEW
    if len(words) == 1 and first in PREPOSITIONS:
        return 2.5 if first == "of" and (strong or parent.is_bare) else _PREPOSITION.get(first, 0.3)
    if strong and len(words) > 1 and (concepts_of_word(first) or first in PREPOSITIONS):
        return LIKELY
    return 1.0 if last in PREPOSITIONS and concepts_of_word(first) else -1.0


def _is_to_be_done(parent: Node, first: str) -> bool:
    """Whether a word after a reference is what shall be done with it; "-ing" tells what it does itself."""
    return not first.endswith("ing") and _is_caused(parent.gap)


def _limit(parent: Node, gap: Gap, *, strong: bool, whoever: bool) -> float:
    """The most that words can be worth that begin something new: "the plan *should go* to Ana"."""
    words, first = gap.words, gap.words[0]
    limit = CERTAIN
    if _is_to_be_done(parent, first):
        limit = _CAUSED
    if (MODALS - {"to"}) & set(words) or (first in BE and not whoever) or (first == "without" and len(words) > 1):
        limit = _NEW
    if gap.joined and not (first in PREPOSITIONS or first.endswith(("ed", "ing")) or strong):
        limit = _NEW
    return min(limit, _FRESH) if gap.fresh else limit


def _parting(gap: Gap, *, strong: bool) -> float:
    """What speaks against it: a comma, "and", a direction ("moved to"), a purpose ("to show")."""
    words = gap.words
    first, last = words[0], words[-1]
    against = 0.0
    if last in _DIRECTIONS and first != last:
        against += 0.5 if strong else 2.0
    if gap.comma:
        against += 2.5
    if "and" in words or "or" in words:
        against += 2.5
    if first in ("to", "so", "please") and len(words) > 1:
        against += 1.0
    return against
