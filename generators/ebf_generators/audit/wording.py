"""What forms ask for is said: the words of every mention, held against the text it stands in.

A proof reads forms alone, so that it would hold of a task whose words are gone. These checks tie the two together
without knowing how anything is put into words: what a form calls records by, the values it asks for and the windows it
looks in leave their words in the instruction or the conversation. Words are compared as the form compares them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ebf_env.tasks import Task
from ebf_env.tasks.proof import MentionProof
from ebf_env.tasks.task import Mention
from ebf_env.world import ENTITY_TYPES
from ebf_env.world.references import (
    Beside,
    Equals,
    Form,
    Named,
    Not,
    ReferredBy,
    Related,
    Test,
    Window,
    Within,
    same_word,
)
from ebf_env.world.search import words
from ebf_generators.audit.sight import texts_of
from ebf_generators.heads import headed_types, heading_of

_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAYS: Final = {-1: "yesterday", 0: "today", 1: "tomorrow"}
_FIELD_OF_NOTICE: Final = ("change_notice", "field")
"""A field whose value names another field, which nobody says."""

_RELATIVE: Final = frozenset({"sprint"})
"""Fields whose values may be told from now ("the last sprint"): the field is said then, and the value is not."""

_PLACEHOLDER: Final = re.compile(r"<([^<>]+)>")
_WORD: Final = r"(?:[^\s.?!]|[.?!](?! ))+"
_VALUE: Final = rf"{_WORD}(?: {_WORD}){{0,8}}?"
"""What may stand for a value: a few words, and no end of a sentence."""


# --- any suite ---


def unsaid_names(task: Task, proofs: Sequence[MentionProof | None]) -> Iterator[str]:
    """Words that forms name records by, and nobody says; one sentence for each mention of them.

    Args:
        task: the task.
        proofs: for every mention its proof.
    """
    said = _said(task)
    for mention, proof in zip(task.mentions, proofs, strict=True):
        missing = [] if proof is None else _missing(_names(proof.form), said)
        if missing:
            yield f"{mention.slot}: the form names records by {_quoted(missing)}, which nobody says"


# --- what a generator wrote ---


def untied(task: Task, proofs: Sequence[MentionProof | None], *, noisy: bool) -> Iterator[str]:
    """What of a generated task's words does not go with its forms, spans and certificate, one sentence each.

    Args:
        task: the task.
        proofs: for every mention its proof.
        noisy: whether what is said may have mistakes in it.
    """
    said = _said(task)
    for number, (mention, proof) in enumerate(zip(task.mentions, proofs, strict=True)):
        if proof is None:
            continue
        missing = _missing(_asked(proof.form, noisy), said)
        if missing:
            yield f"{mention.slot}: the form asks for {_quoted(missing)}, which nobody says"
        yield from _span_faults(task, number, proof, noisy=noisy)
    for one, other in zip(by_place := sorted(task.mentions, key=lambda m: m.span), by_place[1:], strict=False):
        if one.span[1] > other.span[0]:
            yield f"{other.slot}: two mentions share words"
    yield from _plain_faults(task, proofs)


def _span_faults(task: Task, number: int, proof: MentionProof, *, noisy: bool) -> Iterator[str]:
    mention = task.mentions[number]
    text, slot = _text_of(task, mention), mention.slot
    if not _is_whole(task.instruction, mention.span):
        yield f"{slot}: the mention begins or ends within a word"
    place = (task.certificate or {}).get("place") if number == 0 else "mention"
    inside = frozenset(words(text))
    if place == "mention":
        missing = _missing([*_names(proof.form), *_asked(proof.form, noisy)], inside)
        if missing:
            yield f"{slot}: the mention is to hold {_quoted(missing)}, and does not"
        return
    inner = _inner(proof)
    head = [asked for asked in _names(inner) if asked.own]
    deciding = _deciding(inner, noisy)
    if _missing(head, inside) and not _has_pronoun(inner.type, text):
        yield f"{slot}: the mention holds neither {_quoted(head)} nor a pronoun"
    if place == "instruction":
        before, after = (frozenset(words(part)) for part in _around(task.instruction, mention.span))
        if _missing([*head, *deciding], before) and (not after or _missing(deciding, after)):
            yield f"{slot}: what decides is to stand elsewhere in the instruction, and does not"
    elif place == "history":
        told = frozenset(words(str(task.history[-2].get("content")))) if len(task.history) >= 2 else frozenset()
        missing = _missing([*head, *deciding], told)
        if missing:
            yield f"{slot}: the conversation is to hold {_quoted(missing)}, and does not"


def _around(text: str, span: tuple[int, int]) -> tuple[str, str]:
    return text[: span[0]], text[span[1] :]


def _has_pronoun(type_name: str, text: str) -> bool:
    """Whether a text holds something that stands for a record mentioned before."""
    said = f" {' '.join(words(text))} "
    return type_name in headed_types() and any(
        f" {' '.join(words(pronoun))} " in said for pronoun in heading_of(type_name).pronouns
    )


def _plain_faults(task: Task, proofs: Sequence[MentionProof | None]) -> Iterator[str]:
    """Where the delexicalised instruction is not the instruction with its names and values taken out."""
    plain = (task.certificate or {}).get("delexicalised")
    known = [proof for proof in proofs if proof is not None]
    if not isinstance(plain, str) or len(known) < len(task.mentions) or not known:
        return
    inner = _inner(known[0])
    further = [f"<{proof.form.type} name>" for proof in known[1:]]
    holders = _PLACEHOLDER.findall(plain)
    full = [f"<{name}>" for name in holders if name.removesuffix(" name") in ENTITY_TYPES and name.endswith(" name")]
    heads = holders.count(inner.type)
    cues = len(inner.tests) - 1 + (inner.pick is not None)
    values = len(holders) - heads - len(full)
    place = (task.certificate or {}).get("place")
    fewest, most = {"mention": (1, 1), "instruction": (1, 2), "history": (0, 1)}.get(str(place), (0, 2))
    if sorted(full) != sorted(further) or not fewest <= heads <= most or values > 2 * cues:
        yield "the delexicalised instruction names other records than the mentions"
    elif not _pattern(plain, _lengths(inner, known)).fullmatch(task.instruction):
        yield "the instruction is not the delexicalised one with names and values in it"


@lru_cache(maxsize=256)
def _pattern(plain: str, lengths: tuple[tuple[str, tuple[int, ...]], ...]) -> re.Pattern[str]:
    """An instruction as it may read, where the names of records have so many words."""
    counts = dict(lengths)
    parts = []
    pieces = _PLACEHOLDER.split(plain)
    for number, piece in enumerate(pieces):
        if number % 2 == 0:
            text = re.escape(piece)
            parts.append(re.sub(r"\b([aA])\\ $", r"\1n?\\ ", text) if number + 1 < len(pieces) else text)
        elif piece in counts:
            parts.append("(?:" + "|".join(_words_in_a_row(count) for count in counts[piece]) + ")")
        else:
            parts.append(_VALUE)
    return re.compile("".join(parts))


def _words_in_a_row(count: int) -> str:
    return rf"\w+(?:[^\w]{{1,3}}\w+){{{count - 1}}}[^\w\s]?"


def _lengths(inner: Form, proofs: Sequence[MentionProof]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    found: dict[str, set[int]] = {}
    for name, form in ((inner.type, inner), *((f"{proof.form.type} name", proof.form) for proof in proofs[1:])):
        found.setdefault(name, set()).add(len([asked for asked in _names(form) if asked.own]))
    return tuple((name, tuple(sorted(counts))) for name, counts in sorted(found.items()))


# --- words ---


@dataclass(frozen=True, slots=True)
class _Word:
    """A word that has to be said.

    Attributes:
        text: the word, folded.
        loose: whether one that agrees loosely will do.
        own: whether it is of a name of the form itself, not of one within it.
    """

    text: str
    loose: bool
    own: bool = False


def _names(form: Form, *, own: bool = True) -> list[_Word]:
    """The words a form, and the forms within it, name records by."""
    found: list[_Word] = []
    for test in map(_bare, form.tests):
        match test:
            case Named(texts, loose):
                found.extend(_Word(word, loose, own) for text in texts for word in words(text))
            case Related(form=inner) | ReferredBy(form=inner) | Beside(form=inner):
                found.extend(_names(inner, own=False))
    return found


def _asked(form: Form, noisy: bool) -> list[_Word]:
    """The words of the values and windows that a form, and the forms within it, ask for."""
    return [word for test in form.tests for word in _asked_by(form.type, test, noisy)]


def _asked_by(type_name: str, test: Test, noisy: bool) -> list[_Word]:
    match _bare(test):
        case Equals(path, value, loose) if (type_name, path) != _FIELD_OF_NOTICE and not isinstance(value, bool):
            texts = [path] if path in _RELATIVE else words(str(value).replace("_", " "))
            return [_Word(text, loose or noisy) for text in texts]
        case Within(window=window):
            return [_Word(text, noisy) for text in _words_of(window)]
        case Related(form=inner) | ReferredBy(form=inner) | Beside(form=inner):
            return _asked(inner, noisy)
    return []


def _deciding(form: Form, noisy: bool) -> list[_Word]:
    """The words of the cue that decides: of a form's last test, where it has more than a name."""
    if form.pick is not None or len(form.tests) < 2:
        return []
    last = form.tests[-1]
    names = _names(Form(form.type, (last,)), own=False)
    return [*names, *_asked_by(form.type, last, noisy)]


def _words_of(window: Window) -> tuple[str, ...]:
    """Words that are said of a time window, whatever else is."""
    if window.weekday is not None:
        return (_WEEKDAYS[window.weekday], "week")
    return (_DAYS[window.offset],) if window.unit == "day" and window.offset in _DAYS else (window.unit,)


def _bare(test: Test) -> Test:
    while isinstance(test, Not):
        test = test.test
    return test


def _inner(proof: MentionProof) -> Form:
    """The form of the record that is named, be it the one that is meant or the one it hangs on."""
    return proof.form if proof.step is None else proof.step.form


def _missing(asked: Sequence[_Word], said: Collection[str]) -> list[_Word]:
    def is_said(one: _Word) -> bool:
        return one.text in said or (one.loose and any(same_word(word, one.text) for word in said))

    return [one for one in asked if not is_said(one)]


def _said(task: Task) -> frozenset[str]:
    """The words of the instruction and of the conversation before it."""
    return frozenset(word for text in (task.instruction, *texts_of(task.history)) for word in words(text))


def _text_of(task: Task, mention: Mention) -> str:
    begin, end = mention.span
    return task.instruction[begin:end]


def _is_whole(text: str, span: tuple[int, int]) -> bool:
    """Whether no word is cut at either end of a span, and there is no blank within either end."""
    begin, end = span
    inside = text[begin:end]
    cut = (begin > 0 and (text[begin - 1] + text[begin]).isalnum()) or (
        text[end - 1 : end + 1].isalnum() and end < len(text)
    )
    return not cut and inside == inside.strip()


def _quoted(asked: Sequence[_Word]) -> str:
    return " ".join(repr(one.text) for one in dict.fromkeys(asked))
