"""Criterion 4: no task is there twice, and splits do not say the same."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ebf_env.json_types import JSON, ascii_json, canonical_json
from ebf_env.tasks import Task
from ebf_env.world import Entity
from ebf_env.world.binding import as_ids
from ebf_env.world.search import words
from ebf_generators.audit.report import Finding, listed, verdict_of
from ebf_generators.audit.sight import Sight, texts_of

NEARLY_THE_SAME = 0.95
"""Instructions whose sets of words are more alike than that (Jaccard) say the same."""

_KEPT = 20
_MODULUS = 1 << 64


def text_hash(text: str) -> int:
    """A hash of 64 bits, the same in every process."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


# --- within a suite ---


def content_key(sight: Sight) -> bytes:
    """A hash that two tasks share if they are the same task: words, records, forms, tool, label and gold.

    Ids are replaced by what the records are called, and the order of records does not count. Numbers that no record
    holds are left out of the words: they tell repetitions of one task apart ("update 1", "update 2"), and nothing else.
    """
    task = sight.task
    said = [_telling(words(text), sight) for text in (task.instruction, *texts_of(task.history))]
    labels = {_quoted(record.id): b"@" + _quoted(record.entity.label) for record in sight.records}
    records = sum(_record_hash(record.entity, labels) for record in sight.records) % _MODULUS
    around: JSON = None if sight.whole else [len(task.world.root), next(iter(task.world.root))]
    gold = {slot: sorted(_described(task, i, labels) for i in as_ids(bound)) for slot, bound in task.bindings.items()}
    forms: list[JSON] = [mention.form for mention in task.mentions]
    content: JSON = [said, records, around, forms, task.tool, task.label.value, gold]
    return hashlib.blake2b(canonical_json(content).encode(), digest_size=16).digest()


def _telling(said: list[str], sight: Sight) -> list[str]:
    return [word for word in said if not word.isdigit() or re.search(rf"\b{word}\b", sight.records_text)]


def _described(task: Task, entity_id: str, labels: Mapping[bytes, bytes]) -> int:
    return _record_hash(task.world[entity_id], labels)


def _record_hash(entity: Entity, labels: Mapping[bytes, bytes]) -> int:
    content = canonical_json([entity.type, entity.fields]).encode()
    masked = b'"'.join([labels.get(part, part) for part in content.split(b'"')])
    return int.from_bytes(hashlib.blake2b(masked, digest_size=8).digest(), "big")


def _quoted(text: str) -> bytes:
    """A text as it stands between quotation marks in JSON."""
    return ascii_json(text)[1:-1].encode()


class DuplicateLedger:
    """Finds tasks that are there twice."""

    def __init__(self) -> None:
        self._first: dict[bytes, str] = {}
        self._tasks = 0
        self._pairs: list[str] = []

    def add(self, task_id: str, key: bytes) -> None:
        """Add a task."""
        self._tasks += 1
        before = self._first.setdefault(key, task_id)
        if before != task_id and len(self._pairs) < _KEPT:
            self._pairs.append(f"{task_id} is {before} again")

    def finding(self) -> Finding:
        """The criterion ``duplicates``."""
        distinct = len(self._first)
        return Finding(
            "duplicates",
            "tasks that differ in more than a number",
            f"{distinct:,} distinct",
            "all tasks",
            self._tasks,
            verdict_of(distinct == self._tasks),
            listed(self._pairs),
            {"distinct": distinct, "pairs": list(self._pairs)},
        )


# --- across splits ---


@dataclass(frozen=True, slots=True)
class WordSet:
    """Hashes of an instruction's set of words, by which nearly equal sets are found.

    Two sets have a Jaccard similarity above .95 only if they are equal, or, being longer than 20 words, become equal by
    leaving out a word of the longer one, or, from 40 on, one of each. (Of more than 40 words, two could be left out;
    those pairs are not found.)

    Attributes:
        size: number of words.
        whole: hash of the set.
        less: hashes of the set without one of its words; empty where it is too short for that to count.
    """

    size: int
    whole: int
    less: tuple[int, ...]


def word_set(task: Task) -> WordSet:
    """The words of an instruction: delexicalised, where the certificate says how it reads then."""
    plain = (task.certificate or {}).get("delexicalised")
    said = set(words(plain if isinstance(plain, str) else task.instruction))
    hashes = [text_hash(word) for word in said]
    whole = sum(hashes) % _MODULUS
    less = tuple(sorted((whole - h) % _MODULUS for h in hashes)) if len(said) > 20 else ()
    return WordSet(len(said), whole, less)


@dataclass
class SplitWords:
    """The instructions of one split of a suite.

    Attributes:
        suite: name of the suite.
        split: name of the split.
        sets: the words of every instruction.
    """

    suite: str
    split: str
    sets: list[WordSet] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Overlap:
    """How far one split says what another says.

    Attributes:
        suites: names of the two suites.
        splits: their splits.
        instructions: how many instructions each has.
        repeated: how many of each nearly repeat one of the other.
    """

    suites: tuple[str, str]
    splits: tuple[str, str]
    instructions: tuple[int, int]
    repeated: tuple[int, int]

    def to_json(self) -> dict[str, JSON]:
        """The overlap as JSON."""
        return {
            "suites": self.suites,
            "splits": self.splits,
            "instructions": self.instructions,
            "repeated": self.repeated,
        }


def overlap(left: SplitWords, right: SplitWords) -> Overlap:
    """How many instructions of each of two splits nearly repeat one of the other."""
    return Overlap(
        (left.suite, right.suite),
        (left.split, right.split),
        (len(left.sets), len(right.sets)),
        (_repeated(left.sets, right.sets), _repeated(right.sets, left.sets)),
    )


def _repeated(sets: Sequence[WordSet], others: Sequence[WordSet]) -> int:
    whole = {other.whole for other in others}
    shorter = {h for other in others for h in other.less}
    shorter_of_long = {h for other in others if _may_swap(other.size) for h in other.less}
    return sum(
        one.whole in whole
        or one.whole in shorter
        or not whole.isdisjoint(one.less)
        or (_may_swap(one.size) and not shorter_of_long.isdisjoint(one.less))
        for one in sets
    )


def _may_swap(size: int) -> bool:
    return (size - 1) / (size + 1) > NEARLY_THE_SAME


def pairs_of_splits(parts: Iterable[SplitWords]) -> Iterator[tuple[SplitWords, SplitWords]]:
    """Every pair of different splits, in the order given."""
    kept = list(parts)
    for number, left in enumerate(kept):
        yield from ((left, right) for right in kept[number + 1 :] if left.split != right.split)
