"""Values said of a reference: "the ticket tagged alpha", "the plan in its third version"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ebf_baselines.resolution.attachment import BE, concepts, content
from ebf_baselines.resolution.common_words import is_common
from ebf_baselines.resolution.lexicon import (
    DETERMINERS,
    NEGATIONS,
    PARTICIPLES,
    PREPOSITIONS,
    RELATIVE,
    STOPWORDS,
    VENUES,
    concepts_of_field,
    concepts_of_word,
    word_set,
)
from ebf_baselines.resolution.nodes import (
    Node,
    UnknownCue,
    ValueCue,
)
from ebf_baselines.resolution.phrases import Phrases
from ebf_baselines.resolution.places import Value
from ebf_baselines.resolution.text import ATTRIBUTES
from ebf_env.grounding.text import mistakes, words_of

_SETTING: Final = word_set(
    """mark book flag set record tick log list register class classify treat close update change move make put declare
    count write marked booked tag label"""
)
_NAMING: Final = word_set("tagged tag labelled labeled label named called titled")
_UNKNOWN_GAP: Final = 3
_MANY: Final = 6
_SHIFTS: Final = {
    "this": 0, "current": 0, "ongoing": 0, "present": 0, "running": 0, "last": -1, "previous": -1, "past": -1,
    "preceding": -1, "prior": -1, "next": 1, "coming": 1, "following": 1, "upcoming": 1, "the": -2,
}  # fmt: skip


class ValueCues(Phrases):
    """Reads values, and words that should be one."""

    def _value(self, i: int) -> int:
        """A value that begins here and is said of something: returns where it ends, 0 if there is none."""
        value = self._value_at(i)
        if value is None or (self.pending[-1:] == ["whose"] and is_common(self.words[i])):
            return 0
        if self._word(value.end) == "of" and self._head_after(value):
            self.ahead.append(ValueCue(self._span(i, value.end), (), False, value.said, value.values))
            return value.end + 1
        hint = self._hint()
        words = [w for w in hint if w not in DETERMINERS]
        if not self.stack or len(words) > _MANY or self._is_to_become(words):
            return 0
        after = self._after(value.end)
        if not self._attach_value(value, i, (*hint, *after)):
            return 0
        self.pending = []
        return value.end + len(after)

    def _is_to_become(self, words: Sequence[str]) -> bool:
        """Whether a value is what something shall have, rather than what it has: "mark it as *done*"."""
        if not words:
            return False
        if words[0] == "as" and (len(words) > 1 or _SETTING & set(self.stack[-1].gap)):
            return True
        if words[-1] not in ("to", "into"):
            return False
        if len(words) == 1:
            return words[0] == "to"
        return words[-2] not in ("according", "belongs") and not concepts(words) & ATTRIBUTES

    def _head_after(self, value: Value) -> bool:
        """Whether a name of the kind of record that has the value follows an "of": "v2 of the plan"."""
        k = self._past_determiners(value.end + 1)
        name = self._name_at(k) if k < len(self.tokens) else None
        if name is None or not self._is_fit_name(k, name):
            return False
        return bool({self.store.records[n].type for n in name.records} & self._kinds(value.values))

    def _attach_value(self, value: Value, i: int, hint: tuple[str, ...]) -> bool:
        """Say a value of the reference it belongs to; returns whether there is one."""
        holder = self._holder_by_words(value, hint) or self._holder_by_type(value, hint)
        if holder is None:
            return False
        span = self._span(i, min(value.end, len(self.tokens)))
        holder.cues.append(ValueCue(span, hint, self._is_negated(hint), value.said, value.values))
        holder.end = max(holder.end, span[2])
        self._close(holder)
        return True

    def _holder_by_words(self, value: Value, hint: tuple[str, ...]) -> Node | None:
        """The reference with a field that the words around a value are about: "the ticket *tagged* alpha"."""
        said = concepts(content(hint))
        plain = [node for node in reversed(self.stack) if not node.pronoun]
        held = {(self.store.records[n].type, path) for named, _ in value.values for n, path in named.holders}
        meant = {kind for kind, path in held if concepts_of_field(kind, path) & said}
        joins = self._joins(hint)
        for node in plain:
            if meant and (node.types is None or node.types & meant) and (node.cues or not joins):
                return node
        for node in plain:
            fields = (concepts_of_field(k, path) for k in node.types or () for path in self.schema.fields.get(k, ()))
            if said & ATTRIBUTES and any(f & said & ATTRIBUTES for f in fields):
                return node
        return None

    def _holder_by_type(self, value: Value, hint: tuple[str, ...]) -> Node | None:
        """The innermost reference to a type that has such values: "the meeting *in* Room 14"."""
        words = content(hint)
        if words and not all(w.endswith(("ed", "ing")) or w in PARTICIPLES for w in words):
            return None
        if words and not self._leads_on(hint) and hint[0] != words[0]:
            return None
        kinds = self._kinds(value.values)
        fits = (n for n in reversed(self.stack) if not n.pronoun and n.types is not None and n.types & kinds)
        return next(fits, None)

    def _leads_on(self, hint: Sequence[str]) -> bool:
        """Whether words after a reference go on about it: a preposition, a relative clause."""
        words = [w for k, w in enumerate(hint) if w not in DETERMINERS or (k == 0 and w in RELATIVE)]
        while words and words[0] in ("and", "but"):
            words = words[1:]
        return bool(words) and (words[0] in PREPOSITIONS or words[0] in RELATIVE)

    def _keep_loose(self, i: int) -> None:
        """Note a value that is said of nothing in particular; what something is to become is none."""
        value = self._value_at(i)
        if value is None or any(wrong for _, wrong in value.values) or set(self.pending[-2:]) & {"to", "as", "into"}:
            return
        if is_common(self.words[i]) and value.end - i == 1:
            return
        hint = self._hint()[-3:]
        self.loose.append(ValueCue(self._span(i, value.end), hint, self._is_negated(hint), value.said, value.values))

    def _relative_time(self, i: int) -> int:
        """As in "the last sprint", where the user's own record says which is the current one."""
        j = i + 1
        if not self.stack or j >= len(self.words) or not self.user:
            return 0
        shift = next((by for word, by in _SHIFTS.items() if mistakes(self.words[i], word) is not None), None)
        current = [k.removeprefix("current_") for k, v in self.user.items() if k.startswith("current_") and v]
        noun = next((n for n in current if mistakes(self.words[j], n) is not None), None)
        if shift is None or noun is None:
            return 0
        if self._word(j + 1) == "before" and self._word(j + 2) in ("last", "previous"):
            shift, j = -2, j + 2
        elif self._word(j + 1) == "after" and self._word(j + 2) == "next":
            shift, j = 2, j + 2
        current_words = words_of(str(self.user[f"current_{noun}"]))
        words = tuple(str(int(w) + shift) if w.isdigit() else w for w in current_words)
        values = tuple((named, 0) for named in self.store.values(words))
        self._attach_value(Value(j + 1, words, values), i, (*self._hint(), noun))
        self.pending = []
        return j + 1

    def _unknown(self, i: int) -> int:
        """A word that should be a value or a name and is none of the store: "tagged zulu", "raised by Zoe"."""
        words = [w for w in self._hint() if w not in DETERMINERS]
        while words and words[0] in ("and", "but"):
            words = words[1:]
        if not self.stack or not words or len(words) > _UNKNOWN_GAP or not self._is_introduced(i, words):
            return 0
        capital = self.tokens[i].is_capital and not self.shouted
        node = next((n for n in reversed(self.stack) if self._may_lack(n, words, capital=capital)), None)
        if node is None:
            return 0
        end, hint = i + 1, self._hint()
        while capital and end < len(self.tokens) and self.tokens[end].is_word and self.tokens[end].is_capital:
            if self._name_at(end) is not None:
                break
            end += 1
        unknown = UnknownCue(self._span(i, end), hint, self._is_negated(hint), tuple(self.words[i:end]))
        self._say(node, unknown, end)
        self._close(node)
        return end

    def _is_introduced(self, i: int, words: Sequence[str]) -> bool:
        """Whether a word that says nothing by itself stands where a value or a name would."""
        word, last = self.words[i], words[-1]
        if word in STOPWORDS or word in PREPOSITIONS or word in NEGATIONS or concepts_of_word(word):
            return False
        if "a" in self.pending or {"so", "and", "please"} & set(words[1:]) or words[0] in ("so", "please"):
            return False
        if last == "to" or word in VENUES or (is_common(word) and last not in _NAMING) or word.endswith("ly"):
            return False
        return last in PREPOSITIONS or last in BE or bool(concepts_of_word(last) & ATTRIBUTES)

    def _may_lack(self, node: Node, words: Sequence[str], *, capital: bool) -> bool:
        """Whether a reference could have what words introduce, if some record had it."""
        said = concepts(w for w in words if w not in PREPOSITIONS) & ATTRIBUTES
        fields = (concepts_of_field(k, path) for k in node.types or () for path in self.schema.fields.get(k, ()))
        if len(words) > 1 and any(f & said for f in fields):
            return True
        if not capital or node.types is None:
            return False
        people = self.schema.paths(node.types, frozenset({"person"})) if node.types else frozenset()
        return len(words) < _UNKNOWN_GAP or (words[-1] == "by" and bool(people))
