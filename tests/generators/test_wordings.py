"""Wordings of the tools: enough of them, apart between the splits, and not all with the verb in the tool's name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

import pytest

import ebf_generators.phrasing.tools  # noqa: F401  (registers the wordings)
from ebf_env.errors import ConfigurationError
from ebf_env.world import TOOLS
from ebf_generators.phrasing.wordings import (
    Slots,
    Wordings,
    own_verb,
    register_wordings,
    worded_tools,
    wordings_of,
)
from ebf_generators.pools import SPLITS

DOMAINS = {"email", "documents", "calendar", "crm", "tickets"}
ARTICLES = {"a", "an", "the"}
IRREGULAR = {"send": {"sent"}, "get": {"got", "gotten"}}
TIME_WORDS = re.compile(
    r"\b(yesterday|today|tonight|tomorrow|(mon|tues|wednes|thurs|fri|satur|sun)day|morning|afternoon|evening|noon|"
    r"last|latest|recent|recently|newest|newer|old|older|oldest|previous|previously|earliest|new version|"
    r"(next|this|coming|past) (week|month|quarter|year|day|hour|minute|weekend))s?\b"
)


def entries() -> Iterator[tuple[str, Slots, str, Wordings]]:
    for tool in worded_tools():
        for slots, splits in wordings_of(tool).items():
            for split, wordings in splits.items():
                yield tool, slots, split, wordings


def texts() -> Iterator[tuple[str, str, str]]:
    for tool, _, split, wordings in entries():
        for text in (*wordings.do, *wordings.say):
            yield tool, split, text


def spoken(text: str) -> list[str]:
    """The words of a wording, without its slots."""
    return re.findall(r"[a-z]+", re.sub(r"{\w+}", " ", text).casefold())


def normalised(text: str) -> tuple[str, ...]:
    return tuple(word for word in re.findall(r"\w+", text.casefold()) if word not in ARTICLES)


def forms(verb: str) -> set[str]:
    found = {verb, f"{verb}s", f"{verb}es", f"{verb}ed", f"{verb}ing", f"{verb}{verb[-1]}ed", f"{verb}{verb[-1]}ing"}
    if verb.endswith("e"):
        found |= {f"{verb}d", f"{verb[:-1]}ing"}
    if verb.endswith("y"):
        found |= {f"{verb[:-1]}ies", f"{verb[:-1]}ied"}
    return found | IRREGULAR.get(verb, set())


def has_own_verb(tool: str, text: str) -> bool:
    return not forms(own_verb(tool)).isdisjoint(spoken(text))


# --- coverage ---


@pytest.mark.parametrize(
    "tool", [spec.name for spec in TOOLS.values() if spec.domain in DOMAINS and spec.preconditions]
)
def test_every_tool_that_takes_a_record_has_wordings(tool):
    assert wordings_of(tool)


def test_required_slots_are_always_mentioned():
    for tool, slots, _, _ in entries():
        required = {need.slot for need in TOOLS[tool].preconditions if need.required}
        assert required <= set(slots), tool


def test_every_split_has_enough_wordings():
    few = [
        (tool, slots, split)
        for tool, slots, split, wordings in entries()
        if len(wordings.do) < 5 or len(wordings.say) < 4
    ]
    assert not few


# --- the tool's own verb ---


@pytest.mark.parametrize(
    ("tool", "text"),
    [
        ("share_document", "I am sharing {document} with {recipient}"),
        ("get_ticket", "I got {ticket}"),
        ("get_ticket", "getting {ticket}"),
        ("send_email", "a message was sent to {recipient}"),
        ("reply_email_thread", "replied to {thread}"),
        ("cancel_event", "have {event} cancelled"),
        ("escalate_ticket", "{ticket} is to be escalated"),
    ],
)
def test_inflected_verbs_are_recognised(tool, text):
    assert has_own_verb(tool, text)


@pytest.mark.parametrize(
    ("tool", "text"),
    [("assign_ticket", "give {ticket} to {assignee}"), ("read_document", "{document} is ready")],
)
def test_slots_and_other_words_are_no_own_verb(tool, text):
    assert not has_own_verb(tool, text)


def test_sentences_never_have_the_own_verb():
    said = [text for tool, _, _, wordings in entries() for text in wordings.say if has_own_verb(tool, text)]
    assert not said


def test_at_least_two_verb_phrases_have_another_verb():
    few = [
        (tool, slots, split)
        for tool, slots, split, wordings in entries()
        if sum(not has_own_verb(tool, text) for text in wordings.do) < 2
    ]
    assert not few


@pytest.mark.parametrize("split", SPLITS)
def test_a_third_or_so_of_all_wordings_lacks_the_own_verb(split):
    lacking = [not has_own_verb(tool, text) for tool, said_in, text in texts() if said_in == split]
    assert sum(lacking) >= 0.3 * len(lacking) > 0


# --- splits ---


@pytest.mark.parametrize(("one", "other"), list(combinations(SPLITS, 2)))
def test_splits_share_no_wording_up_to_punctuation_and_articles(one, other):
    said = {split: {normalised(text) for _, said_in, text in texts() if said_in == split} for split in (one, other)}
    assert not said[one] & said[other]


def test_no_wording_stands_for_two_tools():
    tools: dict[tuple[str, ...], set[str]] = {}
    for tool, _, text in texts():
        tools.setdefault(normalised(text), set()).add(tool)
    assert not {wording: named for wording, named in tools.items() if len(named) > 1}


# --- form ---


def test_no_wording_has_a_time_that_could_belong_to_the_mention():
    timed = [text for _, _, text in texts() if TIME_WORDS.search(" ".join(spoken(text)))]
    assert not timed


def test_wordings_are_short_plain_ascii():
    assert not [text for _, _, text in texts() if not text.isascii() or len(text) >= 120 or text != text.strip()]


def test_verb_phrases_are_bare_and_sentences_are_whole():
    for _, _, _, wordings in entries():
        assert not [text for text in wordings.do if not text[0].islower() or text[-1] in ".?!,"]
        assert not [text for text in wordings.say if not re.fullmatch(r"[A-Z{].*[.?]", text)]


def test_a_slot_stands_where_a_whole_noun_phrase_or_a_pronoun_can():
    torn = re.compile(r"\b(the|a|an|this|our|my|your) {|}'|}s\b|} (that|who|whom|whose|which|where)\b", re.IGNORECASE)
    assert not [text for _, _, text in texts() if torn.search(text)]


# --- registration ---


@pytest.mark.parametrize(
    ("tool", "slots", "message"),
    [
        ("fly_document", ("document",), "no registered tool"),
        ("read_document", ("ticket",), "no slot of it"),
        ("read_document", ("document",), "registered twice"),
    ],
)
def test_wordings_of_nothing_or_twice_are_refused(tool, slots, message):
    said = {split: Wordings((f"fly {{document}} {split}",), ()) for split in SPLITS}
    with pytest.raises(ConfigurationError, match=message):
        register_wordings(tool, slots, **said)
