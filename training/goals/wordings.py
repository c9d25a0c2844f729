"""Requests to learn goals from: wordings of several sources around records of many names.

Wordings come from ``frames.txt``, from ``requests-*.tsv`` and from generated suites of the ``train`` split. Records in
the first two are exchanged for others of their type, so that no name is learned.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from ebf_env.world import TOOLS

HERE: Final = Path(__file__).parent
_SLOT: Final = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Request:
    """A request and what it is for.

    Attributes:
        tool: the right tool.
        text: what is said.
        before: earlier turns of the user.
        source: where the wording is from.
        tools: the tools offered; none: all there are.
        named: names of the records in sight by type, where known.
    """

    tool: str
    text: str
    before: tuple[str, ...] = ()
    source: str = ""
    tools: tuple[str, ...] = ()
    named: Mapping[str, Sequence[str]] = field(default_factory=dict)


# --- frames ---


@dataclass(frozen=True, slots=True)
class Frames:
    """``frames.txt``, read.

    Attributes:
        lists: macros by name.
        verbs: by tool, what follows "please".
        wholes: by tool, sentences.
    """

    lists: dict[str, str]
    verbs: dict[str, list[str]]
    wholes: dict[str, list[str]]


FRAMES: Final = (HERE / "frames.txt", HERE / "more.txt")


def read_frames(paths: Sequence[Path] = FRAMES) -> Frames:
    """Read the frames."""
    frames = Frames({}, {}, {})
    tool = ""
    for raw in (line for path in paths for line in path.read_text().splitlines()):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("= "):
            name, _, listed = line[2:].partition(" = ")
            frames.lists[name.strip()] = f"({listed})"
        elif line.startswith("["):
            tool = line[1:-1]
        else:
            kind, said = line[0], line[2:]
            (frames.verbs if kind == "V" else frames.wholes).setdefault(tool, []).append(said)
    return frames


def expand(frame: str, lists: Mapping[str, str], rng: np.random.Generator) -> str:
    """One of the sentences a frame stands for."""
    frame = re.sub(r"<(\w+)>", lambda m: lists[m[1]], frame)
    frame = re.sub(r"<(\w+)>", lambda m: lists[m[1]], frame)
    while (inner := re.search(r"\(([^()]*)\)", frame)) is not None:
        choice = inner[1].split("|")
        frame = frame[: inner.start()] + choice[rng.integers(len(choice))] + frame[inner.end() :]
    frame = re.sub(r"\s+", " ", frame.replace("??", "?").replace("?,", ",")).strip()
    return re.sub(r"\s+([,.?!:])", r"\1", frame).rstrip(",")


def _list(text: str) -> list[str]:
    return text.split("|")


WRAPPERS: Final = """
%s.|%s.|%s.|Please %s.|Please %s.|%s, please.|%s please|Can you %s?|Could you %s?|Could you please %s?|Can you please %s
Would you %s?|Would you please %s?|I'd like you to %s.|I would like you to %s.|I need you to %s.|I want you to %s.
Go ahead and %s.|Kindly %s.|pls %s|%s pls|Can we %s?|We should %s.|We need to %s.|I'd appreciate it if you could %s.
It would be great if you could %s.|Do me a favour and %s.|Be so kind as to %s.|You can %s now.|Feel free to %s.
Let's %s.|Please just %s.|Just %s.|Remember to %s.|Don't forget to %s.|I have to %s, can you do that for me?
Is it possible to %s?|Is there a way to %s?|Time to %s.|My request is to %s.|Help me %s.|What I need is for you to %s.
The task is to %s.|I was told to %s.|I'm asking you to %s.|Would it be possible to %s?|It's time to %s.|You may %s.
Next, %s.|We've decided to %s.|I was hoping you could %s.|Any chance you could %s?|Make sure to %s.|Now %s.|So, %s.
Could someone %s?|I think we should %s.|If you could %s, that would help.|First of all, %s.|Quickly %s.|Then %s.
Would you be able to %s?|Could I ask you to %s?|May I ask you to %s?|I need to %s.|I want to %s.|I'd like to %s.
Could I get you to %s?|Mind if I ask you to %s?|Today I need you to %s.|Let me ask you to %s.|Can someone please %s?
The boss wants us to %s.|Somebody has to %s.|Ok, %s.|Right, %s.|Alright, please %s.|Thanks in advance if you %s.
"""
_WRAPPERS: Final = [part for line in WRAPPERS.strip().splitlines() for part in line.split("|")]
_GERUNDS: Final = _list(
    "Would you mind %s?|Do you mind %s?|How about %s?|Please see to %s.|Can you take care of %s?|"
    "I'd appreciate you %s.|Could you help me with %s?|I need help with %s.|Please start by %s.|What about %s?"
)
_BEFORE: Final = _list(
    "Hi!|Hello!|Hey,|Good morning!|Morning.|Good afternoon.|Hi there.|Hello there.|Hope you're doing well.|"
    "Sorry to bother you.|Quick one.|One more thing.|Next one.|Small favour.|Another thing.|Before I forget:|"
    "I'm on the road.|Busy day today.|Me again.|Just a small thing.|Two minutes?|Here's one for you.|Listen,|"
    "I'm in a hurry.|Thanks for earlier.|Long day.|Something else:|OK, next.|Okay so|Right then.|Quick favour.|"
    "I have a request.|Here is what I need.|There's something you can do for me.|I've just had a call.|"
    "I need your help."
)
_AFTER: Final = _list(
    "Thanks!|Thank you.|Cheers.|Much appreciated.|No rush.|Thanks a lot!|Many thanks.|thx|ta|Thanks in advance.|"
    "That would be lovely.|That's all.|That's it for now.|Let me know if anything is unclear.|Appreciate it.|"
    "I'll be back after lunch.|Sorry for the short notice.|It's kind of urgent.|No hurry at all.|You're a star.|"
    "Would be a great help.|Thank you so much.|Ping me if you have questions.|I owe you one."
)
_ABOUT: Final = _list(
    "This is about %s.|It's about %s.|Regarding %s:|As for %s.|I've been looking at %s.|Remember %s?|"
    "We were talking about %s.|I have %s in front of me.|You know %s.|I'm thinking of %s.|The topic is %s.|"
    "There's %s.|I came across %s.|I have a question about %s.|About %s:|Concerning %s.|So, %s.|%s:|"
    "Let's talk about %s.|You'll have seen %s.|I keep coming back to %s.|Have you got %s there?|I mentioned %s."
)
_CLEAR: Final = _list(
    "I mean %s.|That's %s.|I'm talking about %s.|The one I mean is %s.|To avoid confusion, it's %s.|"
    "To be clear: %s.|It's %s, to be exact.|Namely %s.|I'm referring to %s.|Just so we agree: %s.|Specifically, %s.|"
    "What I mean is %s.|That would be %s.|Not another one: %s."
)
_POINTERS: Final = _list("it|that one|this one|that|this|the one I mentioned|the same one|that thing")
_PERSONS: Final = _list("her|him|them|that colleague|that person|the same person|my colleague there")

NOUNS: Final[Mapping[str, str]] = {
    "email_thread": "email thread|thread|email chain|conversation|mail thread|emails|mails|email|correspondence|"
    "exchange|discussion|messages|mail conversation|email conversation|chain|email discussion|back and forth|"
    "mail chain",
    "document": "document|doc|file|paper|report|memo|plan|brief|guide|overview|proposal|summary|checklist|contract|"
    "handbook|analysis|roadmap|spec|presentation|slides|spreadsheet|sheet|notes|agenda|write-up|estimate|policy|digest|"
    "forecast|budget|playbook|whitepaper|draft|manual|strategy|deck|template|outline|study|PDF|list|statement|concept",
    "folder": "folder|directory|folder|archive|vault|binder|shelf|drawer|collection|workspace|space",
    "calendar_event": "meeting|event|call|appointment|sync|session|workshop|standup|review|kickoff|retro|demo|"
    "training|interview|offsite|webinar|all hands|one-on-one|briefing|lunch|conference|check-in|get-together|planning",
    "customer_account": "account|customer|client|customer account|customer record|client account|account record",
    "opportunity": "opportunity|deal|renewal|expansion|sale|upsell|sales opportunity|prospect|pipeline entry|"
    "new business",
    "ticket": "ticket|bug|issue|incident|case|bug ticket|defect|support ticket|request|crash|error|failure|outage|"
    "glitch|task|problem|bug report|regression|feature request|leak|timeout",
    "vendor": "vendor|supplier|contractor|provider|vendor account|supplier record|company we buy from",
    "invoice": "invoice|bill|invoice|payable|supplier invoice|vendor bill",
    "payment_run": "payment run|run|payment batch|pay run|batch|payout run|round of payments|payment round",
    "person": "colleague|manager|intern|accountant|assistant|lead|analyst|designer|new hire|lawyer|consultant|contact",
    "project": "project|programme|initiative",
}
_TOPICS: Final = _list(
    "launch|pricing|budget|onboarding|security|migration|billing|hiring|travel|marketing|warehouse|payroll|checkout|"
    "login|website|mobile|search|legal|design|data|privacy|audit|supply|quarterly|annual|spring|office|printer|"
    "newsletter|inventory|support|database|network|brand|quality|sales|partner|holiday|release|server"
)
_NAMES: Final = _list(
    "Priya|Tom|Marta|Chen|Aisha|Lukas|Ines|Dmitri|Sofia|Kwame|Yuki|Anna|Pedro|Fatima|Oskar|Leila|Jonas|Mei|Carlos|"
    "Nadia|Erik|Bea|Hugo|Zoe|Ravi|Elif|Sam|Kim|Robin|Alex"
)
_SURNAMES: Final = _list("Okafor|Lindqvist|Moreau|Tanaka|Novak|Silva|Haas|Petrov|Khan|Costa|Weber|Dunn|Rossi|Varga")
_MADE: Final = _list("bar|tel|nor|vis|quo|lan|dex|mir|sol|fen|gra|pol|zen|tri|cor|hal|ost|win|ley|mar")


class Records:
    """Ways to mention a record of a type, of several sources."""

    def __init__(self, seen: Mapping[str, Sequence[str]]) -> None:
        """Mentions.

        Args:
            seen: mentions from generated suites by type.
        """
        self._seen = {kind: list(texts) for kind, texts in seen.items()}

    def mention(self, kind: str, rng: np.random.Generator) -> str:
        """A mention of a record of the type."""
        chance = rng.random()
        if self._seen.get(kind) and chance < 0.45:
            return self._seen[kind][rng.integers(len(self._seen[kind]))]
        return self._person(rng) if kind == "person" else self._described(kind, rng)

    def _person(self, rng: np.random.Generator) -> str:
        first, last = _pick(_NAMES, rng), _pick(_SURNAMES, rng)
        noun = _pick(NOUNS["person"].split("|"), rng)
        other = _pick([kind for kind in NOUNS if kind not in ("person", "project")], rng)
        thing = _pick(NOUNS[other].split("|"), rng)
        ways = (
            first, first, f"{first} {last}", f"{first} {last}", last, f"our {noun}", f"my {noun}", f"the new {noun}",
            f"the {noun} in {_name(rng)}", f"{first} from the {_pick(_TOPICS, rng)} team", f"{first}, our {noun}",
            f"the owner of the {thing}", f"the person who wrote the {thing}", f"whoever runs the {thing}",
            f"the {_pick(_TOPICS, rng)} team's {noun}", f"{first.lower()}", f"the {noun} responsible for {_name(rng)}",
        )  # fmt: skip
        return _pick(ways, rng)

    def _described(self, kind: str, rng: np.random.Generator) -> str:
        noun, name, topic = _pick(NOUNS[kind].split("|"), rng), _name(rng), _pick(_TOPICS, rng)
        other = _pick(NOUNS[_pick(list(NOUNS), rng)].split("|"), rng)
        first = _pick(_NAMES, rng)
        ways = (
            f"the {noun}", f"the {noun}", f"the {topic} {noun}", f"the {topic} {noun}", f"the {name} {noun}",
            f"the {name} {noun}", f"{first}'s {noun}", f"my {noun}", f"our {topic} {noun}", f"the {noun} about {topic}",
            f"the {noun} on {topic}", f"the {noun} for {name}", f"the {noun} from {first}", f"the old {noun}",
            f"the latest {noun}", f"the {noun} with {name}", f"the {noun} of {name}",
            f"{noun} {rng.integers(10, 9999)}",
            f"the {noun} that {first} made", f"the {noun} linked to the {other}", f"the {noun} attached to the {other}",
            f"the {noun} the {other} is about", f"the {other}'s {noun}", f"the {noun} named in the {other}",
            f"the {name} {topic}", f"{name}", f"the {name} {topic} {noun}", f"{name} {noun}", f"that {topic} {noun}",
            f"the {noun} called {name}", f"the {noun} from last week", f"the {noun} we talked about", f"this {noun}",
            f"the {noun} {first} works on", f"the {noun} that came in on Monday", f"the {noun} belonging to {name}",
        )  # fmt: skip
        return _pick(ways, rng)


def _name(rng: np.random.Generator) -> str:
    return "".join(_pick(_MADE, rng) for _ in range(rng.integers(2, 4))).capitalize()


def _pick(of: Sequence[str], rng: np.random.Generator) -> str:
    return of[rng.integers(len(of))]


def slot_types(tool: str) -> dict[str, str]:
    """The type each slot of a tool takes."""
    return {p.slot: p.entity_type for p in TOOLS[tool].preconditions}


DOUBLED: Final = frozenset(
    [
        "get",
        "put",
        "set",
        "cut",
        "drop",
        "shut",
        "run",
        "scrap",
        "bin",
        "ship",
        "stop",
        "let",
        "flag",
        "skim",
        "scan",
        "dig",
        "sum",
        "pin",
        "rub",
        "wrap",
        "slot",
        "pop",
    ]
)
"""Verbs that double their last letter."""


def gerund(phrase: str) -> str:
    """``get it done`` as ``getting it done``."""
    head, _, rest = phrase.partition(" ")
    if head.endswith("ie"):
        head = head[:-2] + "y"
    elif head.endswith("e") and not head.endswith(("ee", "oe", "ye")):
        head = head[:-1]
    elif head in DOUBLED:
        head += head[-1]
    return f"{head}ing {rest}".strip()


def of_frames(frames: Frames, records: Records, count: int, rng: np.random.Generator) -> Iterator[Request]:
    """Requests made of frames, as many of each tool."""
    tools = sorted(frames.verbs)
    for number in range(count):
        tool = tools[number % len(tools)]
        verbal = rng.random() < 0.6
        frame = _pick((frames.verbs if verbal else frames.wholes)[tool], rng)
        said = expand(frame, frames.lists, rng)
        if verbal:
            said = _pick(_GERUNDS, rng) % gerund(said) if rng.random() < 0.1 else _pick(_WRAPPERS, rng) % said
        yield dressed(tool, said, records, rng, "frames")


def of_requests(
    wordings: Sequence[tuple[str, str]], records: Records, count: int, rng: np.random.Generator, source: str
) -> Iterator[Request]:
    """Requests written by hand, with other records in a share of them."""
    for number in range(count):
        tool, said = wordings[number % len(wordings)]
        yield dressed(tool, with_slots(tool, said, keep=rng.random() < 0.4), records, rng, source)


def with_slots(tool: str, said: str, *, keep: bool) -> str:
    """A request with ``[mentions]`` as one with ``{slots}``, or with the mentions themselves."""
    if keep:
        return said.replace("[", "").replace("]", "").replace("{", "").replace("}", "")
    free = dict(slot_types(tool))
    people = [slot for slot, kind in free.items() if kind == "person"]

    def slot_of(match: re.Match[str]) -> str:
        mention = match[1]
        words = set(re.findall(r"\w+", mention.lower()))
        fitting = [
            slot
            for slot, kind in free.items()
            if kind != "person" and words & set(NOUNS[kind].replace("|", " ").split())
        ]
        nameish = re.fullmatch(r"(\w+\.? )?[A-Z]\w+( [A-Z]\w+)?", mention) is not None
        slot = next(iter(fitting), None)
        if slot is None:
            rest = [slot for slot in free if slot not in people]
            slot = next(iter(people if nameish and people else rest or people), None)
        if slot is None:
            return mention
        free.pop(slot)
        if slot in people:
            people.remove(slot)
        return "{" + slot + "}"

    return re.sub(r"\[([^\]]*)\]", slot_of, said)


def dressed(tool: str, said: str, records: Records, rng: np.random.Generator, source: str) -> Request:
    """A wording with its slots filled, and things said before and after."""
    types = slot_types(tool)
    before: list[str] = []
    opening: list[str] = []
    closing: list[str] = []
    filled = said
    slots = list(dict.fromkeys(_SLOT.findall(said)))
    pointed = slots[rng.integers(len(slots))] if slots and rng.random() < 0.2 else None
    for slot in slots:
        kind = types.get(slot, "person")
        mention = records.mention(kind, rng)
        if slot == pointed:
            about = _pick(_ABOUT, rng) % mention
            (before if rng.random() < 0.4 else opening).append(about)
            mention = _pick(_PERSONS if kind == "person" else _POINTERS, rng)
        elif rng.random() < 0.06:
            closing.append(_pick(_CLEAR, rng) % records.mention(kind, rng))
        filled = filled.replace("{" + slot + "}", mention)
    if rng.random() < 0.2:
        opening.insert(0, _pick(_BEFORE, rng))
    if rng.random() < 0.05:
        other = _pick([kind for kind in NOUNS if kind != "project"], rng)
        opening.append(_pick(_ABOUT, rng) % records.mention(other, rng))
    if rng.random() < 0.2:
        closing.append(_pick(_AFTER, rng))
    if rng.random() < 0.1:
        before.insert(0, _pick(_BEFORE, rng))
    filled = filled[:1].upper() + filled[1:]
    if filled[-1] not in ".?!":
        filled += "." if rng.random() < 0.8 or closing else ""
    text = " ".join((*opening, filled, *closing))
    return Request(tool, disturbed(text, rng), tuple(before), source)


def disturbed(text: str, rng: np.random.Generator) -> str:
    """The text in lower case, without stops, or with slips of the fingers, each in a share."""
    if rng.random() < 0.15:
        text = text.lower()
    if rng.random() < 0.05:
        text = text.replace(".", "").replace(",", "")
    if rng.random() < 0.1:
        at = int(rng.integers(len(text) - 1))
        if text[at : at + 2].isalpha():
            text = (
                text[:at] + text[at + 1] + text[at] + text[at + 2 :]
                if rng.random() < 0.5
                else text[:at] + text[at + 1 :]
            )
    return text


def read_requests(path: Path) -> list[tuple[str, str]]:
    """Lines ``tool<TAB>request``."""
    lines = (line.split("\t") for line in path.read_text().splitlines() if line.strip() and not line.startswith("#"))
    return [(parts[0].strip(), parts[1].strip()) for parts in lines if len(parts) >= 2 and parts[0].strip() in TOOLS]


def read_suite(path: Path) -> tuple[list[Request], dict[str, list[str]], list[str]]:
    """The requests of a generated suite, one of each text, its mentions by type, and its wordings without them."""
    requests: dict[tuple[str, ...], Request] = {}
    mentions: dict[str, dict[str, None]] = {}
    wordings: dict[str, None] = {}
    for line in path.open():
        task = json.loads(line)
        if task.get("line") != "task":
            continue
        text = task["instruction"]
        before = tuple(turn["content"] for turn in task.get("history", ()) if turn["role"] == "user")
        for mention in task["mentions"]:
            if mention.get("span") and mention.get("form"):
                begin, end = mention["span"]
                said = re.sub(r"^(The|A|An|My|Our|This|That|What|Whoever)\b", lambda m: m[0].lower(), text[begin:end])
                mentions.setdefault(mention["form"]["type"], {})[said] = None
        wordings[re.sub(r"<[^>]*>", " ", task["certificate"]["delexicalised"])] = None
        named: dict[str, list[str]] = {}
        for entity in task["entities"]:
            names = [str(entity[key]) for key in ("title", "subject", "name", "key", "number") if key in entity]
            named.setdefault(entity["type"], []).extend(names)
        requests.setdefault(
            (text, *before), Request(task["tool"], text, before, path.stem, tuple(task["tools"]), named)
        )
    return list(requests.values()), {kind: list(texts) for kind, texts in mentions.items()}, list(wordings)
