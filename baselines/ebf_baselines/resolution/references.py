"""References: mentions of the same record taken together, with everything that is said of it anywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from ebf_baselines.resolution.lexicon import GENERIC, PREPOSITIONS, RELATIVE
from ebf_baselines.resolution.nodes import Cue, NameWord, Node
from ebf_baselines.resolution.store import Schema

_ASIDE: Final = -9.0
_NO_VERBS: Final = PREPOSITIONS | RELATIVE | {"and", "but", "so", "when", "if", ","}


@dataclass(slots=True, eq=False)
class Ref:
    """What is said of one record, in all places.

    Attributes:
        nodes: where it is referred to, in order.
        types: the types it may be of; None: any.
    """

    nodes: list[Node] = field(default_factory=list)
    types: frozenset[str] | None = None

    @property
    def names(self) -> tuple[NameWord, ...]:
        """The words of its name, each once."""
        found: dict[str, NameWord] = {}
        for node in self.nodes:
            for word in node.names:
                found.setdefault(word.said, word)
        return tuple(found.values())

    @property
    def cues(self) -> list[Cue]:
        """Everything that is said of it but its name."""
        return [cue for node in self.nodes for cue in node.cues]

    @property
    def is_bare(self) -> bool:
        """Whether only the kind of record is said."""
        return all(node.is_bare for node in self.nodes)

    def top(self, last_text: int) -> float:
        """How likely it is what the instruction acts on by itself, in nats."""
        return max(
            (node.top - (0.5 if node.text < last_text else 0.0) for node in self.latest),
            default=_ASIDE,
        )

    @property
    def latest(self) -> list[Node]:
        """Its mentions in the last sentence that does not merely say more about it."""
        nodes = [node for node in self.nodes if not node.clarifies]
        return [n for n in nodes if _place(n) == _place(nodes[-1])]

    @property
    def is_nested(self) -> bool:
        """Whether it is mentioned only to say something of another record."""
        return all(node.parent is not None for node in self.nodes)


def group(
    nodes: Sequence[Node],
    schema: Schema,
    clarifying: frozenset[tuple[int, int]],
    wanted: frozenset[str],
    is_open: Callable[[Ref, dict[int, Ref]], bool],
) -> tuple[list[Ref], dict[int, Ref]]:
    """Take mentions of the same record together.

    Args:
        nodes: all mentions, in order.
        schema: what records of each type can have.
        clarifying: (text, sentence) of sentences that say more about what was mentioned before.
        wanted: types that slots take.
        is_open: whether what is said so far leaves open what a reference means.

    Returns:
        The references in order of first mention, and the one of each node by its identity.
    """
    grouping = _Grouping(schema, clarifying, wanted, is_open)
    for node in nodes:
        grouping.add(node)
    return grouping.refs, grouping.of


class _Grouping:
    """Takes mentions together, one after the other; its arguments are those of ``group``."""

    def __init__(
        self,
        schema: Schema,
        clarifying: frozenset[tuple[int, int]],
        wanted: frozenset[str],
        is_open: Callable[[Ref, dict[int, Ref]], bool],
    ) -> None:
        self._schema, self._clarifying, self._wanted, self._is_open = schema, clarifying, wanted, is_open
        self.refs: list[Ref] = []
        self.of: dict[int, Ref] = {}

    def add(self, node: Node) -> None:
        """Take a mention to the reference it repeats, or to a new one."""
        ref = self._antecedent(node)
        if ref is None:
            ref = Ref([], node.types)
            self.refs.append(ref)
        elif node.types is not None:
            ref.types = node.types if ref.types is None else (ref.types & node.types or ref.types)
        ref.nodes.append(node)
        self.of[id(node)] = ref

    def _antecedent(self, node: Node) -> Ref | None:
        """The reference that a mention repeats, the latest first."""
        around = _around(node)
        for ref in self._by_nearness(node):
            if not _fits(node, ref) or any(outer in ref.nodes for outer in around):
                continue
            if node.pronoun or (_is_generic(node) and not node.cues):
                if self._may_be_it(node, ref):
                    return ref
            elif _is_told_apart(node, ref):
                continue
            elif node.names:
                if _is_named_again(node, ref):
                    return ref
            elif _place(node) in self._clarifying and node.parent is None:
                return self._clarified(node, ref)
            elif node.is_bare and node.determined and not ref.is_bare:
                return ref
        return None

    def _by_nearness(self, node: Node) -> list[Ref]:
        """The references so far, the likeliest first.

        For a mention that says nothing: those not nested in another one, and from sentences before, unless it is the
        object of a verb ("open the plan and send *it*").
        """
        order = list(reversed(self.refs))
        if node.pronoun or _is_generic(node) or node.is_bare:
            is_object = node.is_it and node.parent is None and node.gap[-1:] and node.gap[-1] not in _NO_VERBS
            here = _place(node)
            order.sort(key=lambda r: (r.is_nested, not is_object and here in {_place(n) for n in r.nodes}))
        return order

    def _may_be_it(self, node: Node, ref: Ref) -> bool:
        """Whether "it" or "the one" may repeat a reference: one that has to do with what it is said of."""
        if ref.is_bare:
            return False
        if node.parent is not None:
            return bool(self._schema.paths(node.parent.types, ref.types))
        return ref.types is None or not self._wanted or bool(ref.types & self._wanted)

    def _clarified(self, node: Node, ref: Ref) -> Ref:
        """What a sentence says more about: of several it may be, the last that is still open."""
        rivals = [r for r in self.refs if _fits(node, r) and not r.is_bare]
        node.clarifies = True
        unclear = [r for r in rivals if self._is_open(r, self.of)] if len(rivals) > 1 else []
        return unclear[-1] if unclear else ref


def _place(node: Node) -> tuple[int, int]:
    """The sentence a mention stands in."""
    return node.text, node.sentence


def _is_generic(node: Node) -> bool:
    """Whether a mention says not even what type it is of: "the one", "it"."""
    return not node.names and all(noun in GENERIC for noun in node.nouns)


def _is_told_apart(node: Node, ref: Ref) -> bool:
    """Whether a sentence names both, by other words: "send Ana's plan to Bo"."""
    named_here = any(_place(n) == _place(node) for n in ref.nodes if n.names)
    return named_here and [w.said for w in node.names] != [w.said for w in ref.names]


def _is_named_again(node: Node, ref: Ref) -> bool:
    """Whether a name is that of a reference, or part of it: "Ana Lee", then "Ana"."""
    said, known = {word.said for word in node.names}, {word.said for word in ref.names}
    return bool(known) and (said <= known or (known <= said and not ref.is_nested))


def _around(node: Node) -> list[Node]:
    """The nodes that a node is said of, innermost first."""
    found = []
    while node.parent is not None:
        node = node.parent
        found.append(node)
    return found


def _fits(node: Node, ref: Ref) -> bool:
    """Whether the types of a mention and of a reference agree."""
    return node.types is None or ref.types is None or bool(node.types & ref.types)
