"""References without a name or a noun: "it", "this one", "what came with it"."""

from __future__ import annotations

from abc import abstractmethod
from typing import Final

from ebf_baselines.resolution.attachment import BE
from ebf_baselines.resolution.lexicon import (
    MODALS,
    PARTICIPLES,
    PREPOSITIONS,
    concepts_of_word,
    word_set,
)
from ebf_baselines.resolution.nodes import (
    Node,
)
from ebf_baselines.resolution.placing import Placing
from ebf_baselines.resolution.text import GENITIVE

_PERSONAL: Final = word_set("him her them they he she")
_POINTING: Final = word_set("this that these those same")
_NOT_POINTING: Final = word_set("by do does did done about")
_NOTHING_MEANT: Final = word_set("concerns if that when would seems is s 's has will")
_FREE_VERBS: Final = PARTICIPLES | word_set("came goes went belongs")


class Pronouns(Placing):
    """Reads pronouns."""

    def _is_pronoun(self, i: int) -> bool:
        """Whether a pronoun stands for a record here, rather than for a fact, a clause or nothing."""
        word = self.words[i]
        after = self._word(i + 1) or "."
        if word in _POINTING:
            return self._is_pointing(word, after)
        if word == "it":
            return self._is_it(after)
        return word in ("him", "her", "them") and not self._head_follows(i + 1)

    def _is_pointing(self, word: str, after: str) -> bool:
        """As in "send this to Ana", "that one"; not "do this", "that's why", "the plan that Ana wrote"."""
        if after in ("one", "ones"):
            return True
        if word == "same" or after in GENITIVE or after in BE or (self.pending and self.pending[-1] in _NOT_POINTING):
            return False
        ends = not after[0].isalnum() or (after in PREPOSITIONS and bool(self.pending))
        return ends and not (self.stack and not self.pending)

    def _is_it(self, after: str) -> bool:
        """As in "send it"; not "see to it", "it would help", "it seems"."""
        if self.pending[-2:] == ["see", "to"]:
            return False
        led = [w for w in self.pending if w not in ("but", "and", "so", ",")]
        if (after in MODALS - {"to", "be"} and not led) or (after in BE and self.pending[-1:] == [","]):
            return False
        if self.pending and after in BE:
            return True
        return after not in _NOTHING_MEANT and (self.pending[-1:] != ["see"] or after != "to")

    def _pronoun(self, i: int) -> int:
        """Take in a pronoun; returns where it ends."""
        j = i + 2 if self._word(i + 1) in ("one", "ones") else i + 1
        node = self._new_node(i, j)
        node.pronoun = self.words[i] not in ("what", "whatever")
        node.is_it = self.words[i] in ("it", "them")
        node.nouns = () if node.pronoun else (self.words[i],)
        node.types = self._paired_types(j) or self._pronoun_types(self.words[i])
        return self._possessive(node, j) if self._word(j) in GENITIVE else self._add(node, j)

    def _pronoun_owner(self, i: int) -> Node:
        """Whom "its" or "her" stands for: "its owner"."""
        owner = self._new_node(i, i + 1)
        owner.pronoun = True
        owner.types = self._pronoun_types("it" if self.words[i] == "its" else "him")
        return owner

    def _is_free_relative(self, i: int) -> bool:
        """As in "what is attached to it", "what came with it"."""
        after = self.words[i + 1 : i + 3]
        if not after:
            return False
        verb = after[1] if after[0] in BE and len(after) > 1 else after[0]
        return verb in _FREE_VERBS or (verb.endswith("ed") and bool(concepts_of_word(verb)))

    def _paired_types(self, j: int) -> frozenset[str] | None:
        """As in "it and the plan": what it is of the same type as."""
        k = self._past_determiners(j + 1)
        if self._word(j) != "and" or k == j + 1 or k >= len(self.tokens):
            return None
        name = self._name_at(k)
        if name is None or not self._is_fit_name(k, name):
            return None
        following = self.words[name.end : name.end + 1]
        return self._types(name.records, [w for w in following if self._noun(w)])

    def _pronoun_types(self, word: str) -> frozenset[str] | None:
        """People for "him", everything else for "it"; None: anything."""
        people = frozenset({"person"}) & self.store.types
        if word in _PERSONAL:
            return people or None
        return self.store.types - people if word in ("it", "what", "whatever") and people else None

    @abstractmethod
    def _possessive(self, owner: Node, j: int) -> int:
        """A reference by its owner; returns where it ends."""
