"""The words that times are told with, and which mistyped words still count as them.

A word of the lexicon of four letters or more may have one edit (a letter inserted, deleted, substituted, or exchanged
with its neighbour), one of eight letters or more two. A word that is itself ordinary English, or a common name, is
never read as another one: ``ORDINARY`` lists those that come that near.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from rapidfuzz.distance import OSA

Role: TypeAlias = Literal[
    "word", "number", "ordinal", "unit", "weekday", "month", "relative", "day", "part", "weekend", "edge", "phase",
    "quarter", "half", "noon", "meridiem", "clock", "date", "monthday", "iso-month", "iso-week", "closing", "mark",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Word:
    """What a token can be.

    Attributes:
        lemma: the word, folded, mended and without its possessive.
        role: which table it stands in.
        number: its number, offset, weekday, month or minute of the day.
        name: unit, part of a period, or how it was written.
        plural: whether it is a plural (or has lost its apostrophe).
    """

    lemma: str
    role: Role = "word"
    number: int = 0
    name: str = ""
    plural: bool = False


def ordered(text: str) -> tuple[str, ...]:
    """The words of a text."""
    return tuple(text.split())


def word_set(text: str) -> frozenset[str]:
    """The set of the words of a text."""
    return frozenset(text.split())


WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_NUMBERS = ordered(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_ORDINALS = ordered(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_UNITS = {
    "minute": "minute min", "hour": "hour hr", "day": "day", "week": "week wk", "fortnight": "fortnight",
    "month": "month mth", "quarter": "quarter qtr", "year": "year yr", "second": "sec",
}  # fmt: skip
_RELATIVE = {
    -1: "last previous preceding past prior bygone",
    0: "this current ongoing present",
    1: "next coming following upcoming forthcoming subsequent ensuing",
}
_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1, "tonight": 0, "tonite": 0, "tmrw": 1, "tmr": 1, "2day": 0}
PARTS = {
    "morning": (300, 720), "forenoon": (300, 720), "afternoon": (720, 1080), "evening": (1080, 1440),
    "night": (1080, 1800),
}  # fmt: skip
_EDGES = {
    "end": "end", "close": "end", "beginning": "start", "start": "start", "middle": "middle", "rest": "rest",
    "remainder": "rest",
}  # fmt: skip
_PHASES = {"early": "start", "late": "end", "mid": "middle", "earlier": "earlier", "later": "later"}
_CLOSINGS = {"eod": "day", "cob": "day", "eow": "week", "eom": "month", "eoq": "quarter", "eoy": "year"}
_LINKS = ("before", "after", "since", "until", "till", "between", "during", "within", "from", "ago")

# Names and words of their own that only some neighbours make a time (see ``time_tokens``).
GUARDED = frozenset({"may", "march", "mar", "sun", "sat", "wed", "jan"})


def _table() -> dict[str, Word]:  # noqa: PLR0912 - one loop for each list
    table: dict[str, Word] = {}

    def add(text: str, role: Role, number: int = 0, name: str = "", *, lemma: str = "", plural: bool = False) -> None:
        table.setdefault(text, Word(lemma or text, role, number, name, plural))

    for number, name in enumerate(WEEKDAYS):
        for text in (name, name[:3], *({1: ("tues",), 3: ("thur", "thurs")}.get(number, ()))):
            add(text, "weekday", number, lemma=name)
        add(name + "s", "weekday", number, lemma=name, plural=True)
    for number, name in enumerate(MONTHS, start=1):
        for text in (name, name[:3], *(("sept",) if name == "september" else ())):
            add(text, "month", number, lemma=name)
    for number, text in enumerate(_NUMBERS, start=1):
        add(text, "number", number, "word")
    for number, text in (
        (30, "thirty"),
        (40, "forty"),
        (45, "forty-five"),
        (50, "fifty"),
        (60, "sixty"),
        (90, "ninety"),
    ):
        add(text, "number", number, "word")
    for number, text in enumerate(_ORDINALS, start=1):
        add(text, "ordinal", number, "word")
    add("thirtieth", "ordinal", 30, "word")
    for unit, texts in _UNITS.items():
        for text in texts.split():
            add(text, "unit", 1, unit, lemma=unit)
            add(text + "s", "unit", 1, unit, lemma=unit, plural=True)
    for offset, texts in _RELATIVE.items():
        for text in texts.split():
            add(text, "relative", offset)
    for text, offset in _DAYS.items():
        lemma = {"tonite": "tonight", "tmrw": "tomorrow", "tmr": "tomorrow", "2day": "today"}.get(text, text)
        add(text, "day", offset, lemma=lemma)
        add(text + "s", "day", offset, lemma=lemma)
    for text in PARTS:
        add(text, "part", name=text)
        add(text + "s", "part", name=text, plural=True)
    add("weekend", "weekend")
    add("weekends", "weekend", lemma="weekend", plural=True)
    for text, which in _EDGES.items():
        add(text, "edge", name=which)
    for text, which in _PHASES.items():
        add(text, "phase", name=which)
    for text, unit in _CLOSINGS.items():
        add(text, "closing", name=unit)
    for text, minute in (("noon", 720), ("midday", 720), ("midnight", 1440)):
        add(text, "noon", minute)
    for text in ("am", "a.m", "a.m."):
        add(text, "meridiem", 0, lemma="am")
    for text in ("pm", "p.m", "p.m."):
        add(text, "meridiem", 720, lemma="pm")
    for text in _LINKS:
        add(text, "word")
    return table


TABLE = _table()

_MENDED_LINKS = ordered("before after since until between during within earlier beginning middle end")
_MENDED = (
    *WEEKDAYS, *(day + "s" for day in WEEKDAYS), *MONTHS, *_MENDED_LINKS,
    *(text + ending for text in ("minute", "hour", "day", "week", "month", "quarter", "year") for ending in ("", "s")),
    *ordered("fortnight weekend yesterday today tomorrow tonight yesterdays tomorrows morning afternoon evening night"),
    *ordered("noon midday midnight last this next previous preceding current ongoing coming following upcoming"),
)  # fmt: skip
_VOCABULARY = tuple(text for text in _MENDED if len(text) >= 4)

ORDINARY: frozenset[str] = word_set(
    "aight allowing alter arch aster augusta auguste augusto aune avril bast baturay bays bear bears becoming "
    "beek beginnings bellowing benning biddle bight billowing blast boon breeding carlier carters cast charters "
    "coding coking combing comin comings cooing coon coping corning cour cours curing currant currents dabs "
    "dads daily dais dams dans daring das dass data date dated dates dear dears deceiver devious doon dour duly "
    "dune ears east fast fear fears fiddle fight flowing foresight forthright fortnightly fours frida gays gear "
    "gears geek geeks goon gour hast hays hear hears hight homing hoon hor hors horus hou hourly hur ince "
    "incoming jane jays joly joon jour jude judy juke juli jung juni junk juno jure jury jute juve knight larch "
    "las lasa lash lass lasts lat laust lays lear least leek leeks lest light list loon lost lune luring lust "
    "mach marc marca marche marched marches marching marco marcu marcy marsh mast match mays mcknight mcmorrow "
    "mears meddle meek meeks merch midway might mince moaning mont monte montes monthly monti monty moon morrow "
    "moth moths mourning mouth mouths muddle nast near nears neat neet neon nest net nett newt nicht nigh "
    "nighty non nono noo noob nook noor noun nour oncoming ours pays pear pears peek peeks poon pour pours "
    "precedent precious presiding pretending previews previously proceeding pune quakers quarrels quartered "
    "quarterly quartet quartets quarts rafter rays rear rears receding reek reeks remember riddle right rune "
    "salurbay samurtay say says sear sears seek seeks sight sine singe soon sour squatters starters sturdy "
    "sundae sundry sune tear tears text thais thes thies thijs thin thins thos thus tight tis toddy toon tour "
    "tours tris tune turing untie vast vince wallowing wast ways weak wear wears wee weed weeds weekly ween "
    "weep weeps werk wiek wight wince yar yea yeah yearly yearn yearns yeats yellowing yoon your yours"
)


@lru_cache(maxsize=1 << 16)
def lookup(text: str) -> Word:
    """The word of the lexicon that lower-case ``text`` is, or was meant to be."""
    word = TABLE.get(text)
    if word is not None:
        return word
    if 3 <= len(text) <= 12 and text.isascii() and text.isalpha() and text not in ORDINARY:
        return _mended(text)
    return Word(text)


def _mended(text: str) -> Word:
    best: list[Word] = []
    least = 3
    for known in _VOCABULARY:
        allowed = min(2 if len(known) >= 8 and len(text) >= 6 else 1, least)
        if abs(len(known) - len(text)) > allowed or (len(text) == 3 and text[0] != known[0]):
            continue
        distance = OSA.distance(text, known, score_cutoff=allowed)
        if distance <= allowed:
            best = [*(best if distance == least else ()), TABLE[known]]
            least = distance
    meanings = {(word.role, word.number, word.lemma) for word in best}
    return best[0] if len(meanings) == 1 else Word(text)
