"""References by a name or a noun: "Ana", "the draft plan", "the second ticket", "Acme's branch"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ebf_baselines.resolution.attachment import BE, CERTAIN
from ebf_baselines.resolution.common_words import is_common
from ebf_baselines.resolution.lexicon import (
    DETERMINERS,
    GENERIC,
    PARTICIPLES,
    PREPOSITIONS,
    PRONOUNS,
    RELATIONAL,
    RELATIVE,
    STOPWORDS,
    concepts_of_field,
    concepts_of_word,
    types_of_noun,
    word_set,
)
from ebf_baselines.resolution.nodes import (
    Cue,
    NameWord,
    Node,
    OrderCue,
    RelationCue,
    TimeCue,
    UserCue,
    ValueCue,
)
from ebf_baselines.resolution.places import Name, Value
from ebf_baselines.resolution.pronouns import Pronouns
from ebf_baselines.resolution.text import ATTRIBUTES, GENITIVE

_BRANCHES: Final = word_set("branch branches arm division subsidiary office side unit affiliate")
_MEANS: Final = word_set("email emails mail mails messages message calendar correspondence calls")
_POSSESSIVES: Final = word_set("its their his her")
_ANYONE: Final = word_set("whoever someone somebody")


@dataclass(slots=True)
class _Phrase:
    """The words of a reference, as far as they are read.

    Attributes:
        begin: where it begins.
        end: the place after what is read.
        determiner: the article or the like before it.
        order: a superlative or an ordinal.
        before: values and times said before its name or noun.
        names: the words of its name.
        records: the records of that name.
        nouns: the nouns for its type.
        is_apposition: whether it turns out to be said of the reference before it.
    """

    begin: int
    end: int
    determiner: str = ""
    order: OrderCue | None = None
    before: list[Cue] = field(default_factory=list)
    names: tuple[NameWord, ...] = ()
    records: frozenset[int] = frozenset()
    nouns: list[str] = field(default_factory=list)
    is_apposition: bool = False

    @property
    def has_head(self) -> bool:
        """Whether a name or noun is read."""
        return bool(self.names or self.nouns)


class Phrases(Pronouns):
    """Reads noun phrases."""

    def _node(self, i: int) -> int:
        """A reference that begins here: returns where it ends, 0 if none does."""
        word = self.words[i]
        if self.pending[-1:] == ["whose"] and (concepts_of_word(word) or types_of_noun(word) or is_common(word)):
            return 0
        if word in PRONOUNS and self._is_pronoun(i):
            return self._pronoun(i)
        if word in _POSSESSIVES and self._word(i + 1) in RELATIONAL:
            return self._possessive(self._pronoun_owner(i), i)
        if word in ("what", "whatever") and self._is_free_relative(i):
            return self._pronoun(i)
        if word in DETERMINERS and word in RELATIVE and self.stack and set(self.pending) <= {"and", "but", ","}:
            return 0
        phrase = self._phrase(i)
        if phrase is None or not self._is_reference(phrase):
            return 0
        node = self._node_of(phrase)
        return self._possessive(node, phrase.end) if self._word(phrase.end) in GENITIVE else self._add(node, phrase.end)

    def _phrase(self, i: int) -> _Phrase | None:
        """The words from here that may make a reference."""
        first = self._past_determiners(i)
        phrase = _Phrase(i, first, self.words[first - 1] if first > i else "")
        while phrase.end < len(self.tokens) and self.tokens[phrase.end].is_word and self._extend(phrase):
            pass
        return None if phrase.end == first or phrase.is_apposition else phrase

    def _extend(self, phrase: _Phrase) -> bool:
        """Take in what stands next, if it belongs to the reference."""
        j = phrase.end
        if not phrase.has_head and (taken := self._order(j)) is not None:
            phrase.order, phrase.end = taken
            return True
        name, value = self._name_at(j), self._value_at(j)
        if name and phrase.nouns and not self._suits(name, phrase.nouns):
            return False
        if name and not phrase.names and self._is_fit_name(j, name) and not self._value_goes_first(name, value):
            phrase.names, phrase.records, phrase.end = name.words, name.records, name.end
            return True
        if phrase.has_head:
            return self._extend_by_noun(phrase)
        if j in self.times:
            return self._extend_by_time(phrase)
        if value and self._is_apposition(value):
            phrase.is_apposition = True
            return False
        if value and self._goes_on(value.end):
            phrase.before.append(ValueCue(self._span(j, value.end), (), False, value.said, value.values))
            phrase.end = value.end
            return True
        return self._extend_by_noun(phrase)

    def _extend_by_time(self, phrase: _Phrase) -> bool:
        """A time before the noun it is said of: "the Tuesday meeting"."""
        end, time = self.times[phrase.end]
        if not self._goes_on(end):
            return False
        phrase.before.append(TimeCue(self._span(phrase.end, end), (), False, time))
        phrase.end = end
        return True

    def _extend_by_noun(self, phrase: _Phrase) -> bool:
        """A noun for a type of record; a generic one only with something before it: "the archived one"."""
        j, here = phrase.end, self.words[phrase.end]
        if phrase.has_head and here in PARTICIPLES and concepts_of_word(here):
            return False
        noun = bool(self._noun(here))
        if noun and self._is_compound(j):
            phrase.end += 1
            return True
        generic = here in GENERIC and not phrase.names and (phrase.determiner or phrase.order or phrase.before)
        if (noun and here not in PRONOUNS and self._is_noun(j, phrase.names)) or generic:
            phrase.nouns.append(here)
            phrase.end += 1
            return True
        return False

    def _is_reference(self, phrase: _Phrase) -> bool:
        """Whether words single out a record: "the plan", but not "a plan", "plan", "their plans", "my email"."""
        names, nouns, determiner, order = phrase.names, phrase.nouns, phrase.determiner, phrase.order
        if names:
            return True
        if not nouns and not (order and determiner):
            return False
        led = determiner or phrase.before or self.pending == ["'s"] or order
        if not led and not set(nouns) & _ANYONE:
            return False
        if not order and (determiner in _POSSESSIVES or self._is_group(nouns)):
            return False
        if set(nouns) <= _MEANS and determiner in ("my", "our", "your"):
            return False
        return determiner not in ("a", "an") or bool(order) or self._word(phrase.end) in ("that", "which")

    def _node_of(self, phrase: _Phrase) -> Node:
        """The reference that some words make, with what they say of it."""
        node = self._new_node(phrase.begin, phrase.end)
        node.names, node.nouns, node.determined = phrase.names, tuple(phrase.nouns), bool(phrase.determiner)
        node.types = self._types(phrase.records, phrase.nouns)
        node.cues = [
            cue
            for cue in (*phrase.before, *self.ahead)
            if node.types is None or not isinstance(cue, ValueCue) or self._kinds(cue.values) & node.types
        ]
        self.ahead = []
        if phrase.order:
            node.cues.append(phrase.order)
        if phrase.determiner == "my" and phrase.has_head:
            node.cues.append(UserCue(self._span(phrase.begin, phrase.begin + 1), node.nouns, False))
        return node

    def _suits(self, name: Name, nouns: Sequence[str]) -> bool:
        """Whether a name after a noun is that of the record meant: "the project Spectra", not "the meeting Ana"."""
        kinds = {kind for noun in nouns for kind in self._noun(noun)}
        return not kinds or bool(kinds & {self.store.records[n].type for n in name.records})

    def _value_goes_first(self, name: Name, value: Value | None) -> bool:
        """Whether words that are both a name and a value are meant as the value: "in room *Dolphin*"."""
        if value is None or value.end < name.end or not self.stack:
            return False
        if value.end > name.end:
            return True
        kinds = self._kinds(value.values)
        holders = [node for node in self.stack if node.types is not None and node.types & kinds]
        if not holders or self._is_whole(name):
            return False
        innermost = self.stack[-1].types
        exact = not any(wrong for _, wrong in value.values)
        if self._after(value.end) or (exact and innermost is not None and innermost & kinds):
            return True
        hint = {c for w in self.pending if w not in PREPOSITIONS for c in concepts_of_word(w)} & ATTRIBUTES
        return any(
            concepts_of_field(kind, path) & hint
            for node in holders
            for kind in (node.types or frozenset()) & kinds
            for path in self.schema.fields.get(kind, ())
        )

    def _is_whole(self, name: Name) -> bool:
        """Whether some record's name was said in full."""
        said = [{near for near, _ in word.near} for word in name.words]
        return any(
            len(variant) == len(said) and all(w in near for w, near in zip(variant, said, strict=True))
            for n in name.records
            for variant in self.store.names[n]
        )

    def _is_apposition(self, value: Value) -> bool:
        """Whether a value right after a reference is said of it: "Ana, our designer"."""
        if not self.stack or [w for w in self.pending if w != "," and w not in BE and w not in RELATIVE]:
            return False
        types = self.stack[-1].types
        return types is not None and any(
            not wrong and self.store.records[n].type in types for named, wrong in value.values for n, _ in named.holders
        )

    def _after(self, j: int) -> tuple[str, ...]:
        """A word for the kind of value right after it: "with the internal marking", "at bronze level"."""
        word = self._word(j)
        if not word or not self.tokens[j].is_word or not concepts_of_word(word) & ATTRIBUTES:
            return ()
        return () if word in PREPOSITIONS or word in STOPWORDS or word.endswith("ed") else (word,)

    def _possessive(self, owner: Node, j: int) -> int:
        """A reference by its owner: "Ana's plan", "Acme's APAC branch"."""
        stack, pending = list(self.stack), list(self.pending)
        self.nodes.append(owner)
        self.stack, self.pending = [], ["'s"]
        end = self._node(j + 1)
        made = self.nodes[-1]
        self.stack, self.pending = stack, pending
        if not end or made is owner:
            self._place(owner)
            self.pending = []
            return j + 1
        if not made.names and set(made.nouns) & _BRANCHES and owner.names:
            self.nodes.remove(made)
            owner.cues += made.cues
            owner.end = made.end
            self._place(owner)
            self.pending = []
            return end
        made.begin, made.gap = owner.begin, owner.gap
        self._place(made)
        owner.parent, owner.top = made, -CERTAIN
        made.cues.append(RelationCue((self.number, owner.begin, owner.end), ("'s", *made.nouns), False, owner, CERTAIN))
        self.pending = []
        return end
