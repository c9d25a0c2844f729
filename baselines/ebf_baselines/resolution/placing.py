"""Where a reference belongs: by itself, to one before it, or as more about one before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ebf_baselines.resolution.attachment import CERTAIN, NEVER, Gap, attachment
from ebf_baselines.resolution.heads import Heads
from ebf_baselines.resolution.lexicon import (
    DETERMINERS,
    GENERIC,
    PREPOSITIONS,
    PRONOUNS,
    RELATIONAL,
    RELATIVE,
    VENUES,
    concepts_of_word,
    word_set,
)
from ebf_baselines.resolution.nodes import (
    Node,
    RelationCue,
    ValueCue,
)

_ADVERBS: Final = word_set("around round along about")
_AUXILIARY: Final = word_set("was is has had")
_NAMELY: Final = word_set("namely i mean meaning by which that is specifically precisely ie viz so or and say")
_DEPTH: Final = 0.4
_AFTER: Final = 2


class Placing(Heads):
    """Puts references in their place."""

    def _add(self, node: Node, j: int) -> int:
        """Take in a reference that ends before ``j``; returns where what was read with it ends."""
        previous = self.stack[-1] if self.stack else None
        if previous is not None and node.pronoun and previous.is_bare and self.pending in (["in"], ["on"]):
            self.nodes.remove(previous)
            self.stack.remove(previous)
            node.gap = previous.gap
            self.pending = list(previous.gap)
        elif previous is not None and self._continues(previous, node):
            previous.names, previous.types = node.names, node.types or previous.types
            previous.cues += node.cues
            previous.pronoun = False
            previous.end = previous.head_end = node.end
            self.pending = []
            return j
        target = self._apposed(node, j)
        if target is not None:
            target.cues += node.cues
            if target.text == node.text and target in self.nodes:
                target.end = max(target.end, node.end)
            self.stack = [target]
            self.pending = []
            return j
        stacked = self._stacked(node)
        j = self._place(node, j)
        if stacked is not None:
            span = (self.number, stacked.begin, stacked.end)
            node.cues.append(RelationCue(span, (), False, stacked, CERTAIN))
            stacked.parent, stacked.top = node, -CERTAIN
        self.nodes.append(node)
        self.pending = []
        return j

    def _stacked(self, node: Node) -> Node | None:
        """The name right before another one that tells which one is meant: "the Dolphin export ticket"."""
        previous = self.stack[-1] if self.stack else None
        if previous is None or self.pending or node.determined or not (previous.names and node.names) or previous.cues:
            return None
        if previous.parent is not None or not self.schema.paths(previous.types, node.types):
            return None
        people = "person" in (previous.types or frozenset()) | (node.types or frozenset())
        if people or self.text[previous.end : node.begin].strip():
            return None
        self.stack.pop()
        node.gap = previous.gap
        self.pending = list(previous.gap)
        return previous

    def _apposed(self, node: Node, j: int) -> Node | None:
        """The reference that "the archived one", or ", the meeting", says more about."""
        gap = [w for w in self.pending if w not in DETERMINERS and w != ","]
        one = not node.names and bool(node.nouns) and set(node.nouns) <= GENERIC and not node.pronoun
        again = not node.names and bool(node.nouns) and not one and self.pending == [","] and node.determined
        led = set(gap) <= _NAMELY or (one and len(gap) == 1 and gap[0].endswith("ed"))
        if not (one or again) or not led:
            return None
        kinds = {k for cue in node.cues if isinstance(cue, ValueCue) for k in self._kinds(cue.values)}
        for target in reversed([*self.earlier, *self.nodes]):
            if target.pronoun or not target.names:
                continue
            if self.words[j : j + 1] == ["who"] and target.types is not None and "person" not in target.types:
                continue
            if again and not (node.types and target.types and node.types & target.types):
                return None
            if kinds and target.types is not None and not target.types & kinds:
                continue
            return target
        return None

    def _continues(self, previous: Node, node: Node) -> bool:
        """Whether a reference says what the noun before it is of: "v6 of the plan", "the APAC branch of Acme"."""
        gap = [w for w in self.pending if w not in DETERMINERS]
        same = previous.types is None or node.types is None or bool(previous.types & node.types)
        if previous.is_bare and gap in (["is"], ["in", "question", "is"]) and not node.pronoun:
            return same
        if previous.names or not node.names or node.types is None or not same:
            return False
        if any(isinstance(cue, RelationCue) for cue in previous.cues):
            return False
        if gap in (["is"], ["in", "question", "is"], ["was"]) and node.nouns:
            return True
        if gap == ["of"] and not set(previous.nouns) & set(RELATIONAL):
            return True
        return not previous.cues and gap in (["in"], ["on"], ["for"], ["called"], ["named"], ["titled"], [])

    def _place(self, node: Node, j: int = 0) -> int:
        """Decide what a reference is said of, if of anything; returns where what was read with it ends."""
        comma = "," in self.pending
        gap = self.pending[len(self.pending) - self.pending[::-1].index(",") :] if comma else list(self.pending)
        best: tuple[float, Node, tuple[str, ...], int] | None = None
        joined = self._joins(gap)
        between = self._gap(gap, j, comma=comma)
        for depth, parent in enumerate(reversed(self.stack)):
            if parent.pronoun:
                continue
            found = attachment(self.schema, parent, node, between)
            weight = found.weight - _DEPTH * depth - (0.0 if not joined or parent.cues else _DEPTH + 1.0)
            if best is None or weight > best[0]:
                best = (weight, parent, found.hint, j + found.taken)
        if best is None:
            node.top = 1.0
            self.stack = [node]
            return j
        weight, parent, hint, end = best
        if weight > NEVER:
            node.top = -weight
        if weight <= 0:
            self.stack = [node] if comma or weight < -1 else [*self.stack, node]
            return j
        span = (self.number, node.begin, node.end)
        parent.cues.append(RelationCue(span, hint, self._is_negated(self.pending), node, weight))
        parent.end = max(parent.end, node.end)
        node.parent = parent
        del self.stack[self.stack.index(parent) + 1 :]
        self.stack.append(node)
        return max(j, end)

    def _gap(self, said: Sequence[str], j: int, *, comma: bool) -> Gap:
        """The words before a reference that ends before ``j``, and those after it that may belong to them.

        Those after it: "the plan Ana *wrote*", unless they begin something more: "put Ana on the list *written by* Bo".
        """
        after: list[str] = []
        end = j
        while j and end < len(self.tokens) and len(after) < _AFTER and self.tokens[end].is_word:
            word = self.words[end]
            if word in PREPOSITIONS - _ADVERBS or word in RELATIVE:
                break
            if not concepts_of_word(word) and word not in _AUXILIARY:
                break
            after.append(word)
            end += 1
        passive = self._word(end) == "by" and bool(after) and after[-1].endswith(("ed", "en", "ld"))
        subject = list(said) in ([], ["that"], ["and", "that"]) and not passive
        if after and end < len(self.tokens) and self._begins_more(end) and not subject:
            after = []
        return Gap.of(said, comma=comma, after=after, as_what=self._as_what(j) if j else ())

    def _begins_more(self, k: int) -> bool:
        """Whether what stands here belongs to the words before it: "the folder containing the plan"."""
        word = self.words[k]
        if word == "to" or not self.tokens[k].is_word:
            return False
        return (
            word in PREPOSITIONS
            or word in DETERMINERS
            or word in PRONOUNS
            or k in self.times
            or self._name_at(k) is not None
            or self._value_at(k) is not None
        )

    def _as_what(self, j: int) -> tuple[str, ...]:
        """As in "among the participants", "as organizer" right after a reference."""
        words = self.words[j : j + 3]
        if len(words) < _AFTER or words[0] not in ("among", "as"):
            return ()
        k = 2 if words[1] in DETERMINERS and len(words) > _AFTER else 1
        if self._word(j + k + 1) == "of" or not concepts_of_word(words[k]):
            return ()
        return () if words[k] in PREPOSITIONS or words[k] in VENUES else tuple(words[: k + 1])
