"""Putting an instruction into words: mentions into a wording, a wording into a frame, and cues where they are to stand.

Every text is kept twice: as it is said, and delexicalised (names, titles and values replaced by what they are), so that
the variety of a suite can be counted apart from the variety of its names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from ebf_env.json_types import JSONObject
from ebf_generators.cues import Cue, Value
from ebf_generators.heads import Head, heading_of
from ebf_generators.phrasing import frames
from ebf_generators.phrasing.patterns import Patterns
from ebf_generators.phrasing.wordings import Wordings
from ebf_generators.pools import Split
from ebf_generators.randomness import Bits
from ebf_generators.stage import NOUNS, Stage

Place: TypeAlias = Literal["mention", "instruction", "history"]
"""Where a deciding cue stands: in the mention itself, elsewhere in the instruction, or in an earlier turn."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A piece of text, as said and delexicalised."""

    said: str
    plain: str


@dataclass(frozen=True, slots=True)
class Wording:
    """All choices of words of a block; only the value asked for differs from instruction to instruction.

    Attributes:
        place: where the deciding cue stands.
        template: the tool's wording.
        frame: the sentence around it, where it is a verb phrase.
        opener: what comes first.
        closer: what comes last.
        around: the sentence that holds a cue outside the mention, empty where there is none.
        leads: whether that sentence comes before the request.
        bare: which way the mention is said where its cue stands elsewhere: 0 with its head, else a pronoun.
        noun: whether the head is followed by its noun.
        front: whether a cue stands before the head if it can.
        choice: which of the patterns of a cue is taken.
        hop: which of the patterns of a hop is taken.
        reply: what the assistant said to an earlier turn.
        talk: earlier turns that have nothing to do with it.
    """

    place: Place
    template: str
    frame: str
    opener: str
    closer: str
    around: str
    leads: bool
    bare: int
    noun: bool
    front: bool
    choice: int
    hop: int
    reply: str
    talk: tuple[JSONObject, ...]


def choose_wording(bits: Bits, split: Split, wordings: Wordings, place: Place) -> Wording:
    """Draw the words of a block."""
    says = bits.chance(0.4)
    leads = place == "history" or bits.chance(0.4)
    pattern: Patterns = frames.TOPICS if leads else frames.POINTERS
    return Wording(
        place=place,
        template=bits.choice(wordings.say if says else wordings.do),
        frame="{Action}" if says else bits.choice(frames.REQUESTS[split]),
        opener=bits.choice(frames.OPENERS[split]) if bits.chance(0.25) else "",
        closer=bits.choice(frames.CLOSERS[split]) if bits.chance(0.25) else "",
        around="" if place == "mention" else bits.choice(pattern[split]),
        leads=leads,
        bare=bits.below(3),
        noun=bits.chance(0.5),
        front=bits.chance(0.5),
        choice=bits.below(60),
        hop=bits.below(60),
        reply=bits.choice(frames.REPLIES[split]),
        talk=_small_talk(bits, split) if bits.chance(0.15) else (),
    )


def _small_talk(bits: Bits, split: Split) -> tuple[JSONObject, ...]:
    asked, replied = bits.choice(frames.SMALL_TALK)
    return (
        {"role": "user", "content": bits.choice(asked[split])},
        {"role": "assistant", "content": bits.choice(replied[split])},
    )


@dataclass(frozen=True, slots=True)
class Asked:
    """What a mention asks for beside its head.

    Attributes:
        cue: the cue.
        value: the value asked for.
        outside: whether it is said outside the mention where the wording has a place for that.
    """

    cue: Cue
    value: Value
    outside: bool = False


def noun_phrase(stage: Stage, type_name: str, head: Head, asked: Sequence[Asked], wording: Wording) -> Phrase:
    """A mention with its head and all of its cues."""
    heading = heading_of(type_name)
    noun = f" {heading.noun}" if heading.noun and wording.noun else ""
    article = "the " if heading.article or noun else ""
    before, after = Phrase(article, article), []
    for one in asked:
        fronts = one.cue.before(one.value, stage)
        if fronts and wording.front and before.said == article:
            before = _filled(fronts[wording.choice % len(fronts)], one)
            before = Phrase(f"{before.said} ", f"{before.plain} ")
        else:
            after.append(_after(stage, one, wording))
    said, plain = f"{before.said}{head.said}{noun}", f"{before.plain}<{type_name}>{noun}"
    after.sort(key=_place)
    for number, phrase in enumerate(after):
        apart = " and" if number and not _is_apposition(after[number - 1]) else ""
        joint = "," if number and _is_apposition(phrase) else apart
        said, plain = f"{said}{joint} {phrase.said}", f"{plain}{joint} {phrase.plain}"
    return Phrase(said, plain)


def _place(phrase: Phrase) -> int:
    """An apposition stands next to the name, but for what would then seem to belong to it ("our buyer of Acme")."""
    return 0 if phrase.said.startswith("of ") else 1 if _is_apposition(phrase) else 2


def _is_apposition(phrase: Phrase) -> bool:
    """Whether words after a name are a noun themselves: after "and" they would be somebody else ("and the planner")."""
    return phrase.said.startswith(("the ", "our ", "my "))


def bare_phrase(type_name: str, head: Head, wording: Wording, *, pronoun: bool) -> Phrase:
    """A mention without its cue: its head alone, or a pronoun."""
    heading = heading_of(type_name)
    if pronoun:
        said = heading.pronouns[wording.choice % len(heading.pronouns)]
        return Phrase(said, said)
    noun = f" {heading.noun}" if heading.noun and wording.noun else ""
    article = "the " if heading.article or noun else ""
    return Phrase(f"{article}{head.said}{noun}", f"{article}<{type_name}>{noun}")


def _after(stage: Stage, one: Asked, wording: Wording) -> Phrase:
    patterns = one.cue.after(one.value, stage)
    return _filled(patterns[wording.choice % len(patterns)], one)


def _filled(pattern: str, one: Asked) -> Phrase:
    value = one.value.said
    article = "an" if value[:1].lower() in "aeiou" else "a"
    return Phrase(
        pattern.format(v=value, a=article), pattern.format(v=f"<{one.cue.name}>" if "{v}" in pattern else "", a="a")
    )


def pointer(stage: Stage, type_name: str, asked: Sequence[Asked], wording: Wording) -> Phrase:
    """A sentence after the request that says which record is meant."""
    posts = [_after(stage, one, wording) for one in asked]
    said = wording.around.format(noun=NOUNS[type_name], post=" ".join(post.said for post in posts))
    plain = wording.around.format(noun=NOUNS[type_name], post=" ".join(post.plain for post in posts))
    return Phrase(said, plain)


def topic(phrase: Phrase, wording: Wording) -> Phrase:
    """A sentence before the request, or of an earlier turn, that says which record is meant."""
    return Phrase(wording.around.format(np=phrase.said), wording.around.format(np=phrase.plain))


@dataclass(frozen=True, slots=True)
class Instruction:
    """An instruction in words.

    Attributes:
        text: the words.
        plain: the words, delexicalised.
        spans: begin and end of every mention, by its number.
    """

    text: str
    plain: str
    spans: Mapping[int, tuple[int, int]]


_SLOT: Final = re.compile(r"{(\w+)}")


def instruction(
    wording: Wording, mentions: Mapping[str, Sequence[tuple[int, Phrase]]], before: Phrase | None, after: Phrase | None
) -> Instruction:
    """Put mentions into the wording of a block.

    Args:
        wording: the words.
        mentions: for each slot its mentions, with their numbers.
        before: a sentence before the request.
        after: a sentence after it.
    """
    pieces: list[tuple[int | None, Phrase]] = []

    def add(text: str) -> None:
        if text:
            pieces.append((None, Phrase(text, text)))

    if wording.opener:
        add(f"{wording.opener} ")
    if before is not None:
        pieces.append((None, Phrase(f"{before.said} ", f"{before.plain} ")))
    begin = len(pieces)
    head, _, tail = wording.frame.replace("{Action}", "{action}").partition("{action}")
    add(head)
    last = 0
    for match in _SLOT.finditer(wording.template):
        add(wording.template[last : match.start()])
        for place, (number, phrase) in enumerate(mentions[match.group(1)]):
            if place:
                add(" and ")
            pieces.append((number, phrase))
        last = match.end()
    add(wording.template[last:])
    add(tail)
    mention, first = pieces[begin]
    pieces[begin] = (mention, Phrase(_capital(first.said), _capital(first.plain)))
    if after is not None:
        pieces.append((None, Phrase(f" {after.said}", f" {after.plain}")))
    if wording.closer:
        add(f" {wording.closer}")
    spans: dict[int, tuple[int, int]] = {}
    text = ""
    for mention, phrase in pieces:
        if mention is not None:
            spans[mention] = (len(text), len(text) + len(phrase.said))
        text += phrase.said
    return Instruction(text, "".join(phrase.plain for _, phrase in pieces), spans)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
