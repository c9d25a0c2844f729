"""A text as tokens, each with what it can be as part of a time."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from ebf_env.grounding.time_lexicon import GUARDED, TABLE, Word, lookup, word_set

_CHUNK = re.compile(r"\w(?:[\w'’.:/+\-–@#&]*\w)?|\S")  # noqa: RUF001 - typographic apostrophe and dash are meant
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)?)?", re.ASCII)
_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.ASCII | re.IGNORECASE))
    for name, pattern in (
        ("iso", _ISO.pattern),
        ("ymd", r"(\d{4})/(\d{1,2})/(\d{1,2})"),
        ("dotted", r"(\d{1,2})\.(\d{1,2})\.(\d{4})"),
        ("slashed", r"(\d{1,2})/(\d{1,2})(?:/(\d{4}|\d\d))?"),
        ("iso-month", r"(\d{4})-(\d\d)"),
        ("month-year", r"(\d\d)/(\d{4})"),
        ("iso-week", r"(\d{4})-?w(\d\d?)"),
        ("clock", r"(\d{1,2}):(\d\d)(?::\d\d)?(am|pm|h)?"),
        ("clock", r"(\d{1,2})\.(\d\d)(am|pm)"),
        ("clock", r"(\d{1,2})()(am|pm)"),
        ("ordinal", r"(\d{1,2})(st|nd|rd|th)"),
        ("number", r"(\d{1,4})"),
        ("quarter", r"q([1-4])"),
        ("half", r"h([12])"),
        ("period", r"([qh][1-4])[-/]?'?(\d{4})"),
        ("period-last", r"(\d{4})[-/]?([qh][1-4])"),
        ("amount", r"(\d{1,4})(d|w|h|mo|y|min|mins|hr|hrs)"),
    )
)
_AMOUNTS = {"d": "day", "w": "week", "h": "hour", "mo": "month", "y": "year"}
_LOOSE_HYPHEN = frozenset({"mid", "end", "early", "late", "half", "start", "beginning", "day"})
_TRIGGERS = word_set(
    "unit weekday month day part weekend quarter half noon meridiem clock date monthday iso-month iso-week "
    "closing ordinal"
)
_OPENING = frozenset('.!?:;"“(\n')
_BEFORE_GUARDED = word_set("in since of by last next early late mid until till every each earlier later")
_BEFORE_CAPITAL = word_set("before after during from between through end start middle on this coming past")
_VERBS = word_set("be have not need also contain require take well still only want i we you he she it they")
_NAMES = frozenset({"april", "may", "june", "august"})
_AFTER_NAMES = _BEFORE_GUARDED | frozenset(["the", "before", "after", "during", "between", "through", "this", "coming"])


@dataclass(slots=True)
class Token:
    """A piece of the text.

    Attributes:
        word: what it can be.
        begin: where it starts.
        end: where it ends.
        capital: whether it starts with a capital letter.
    """

    word: Word
    begin: int
    end: int
    capital: bool = False


@dataclass(frozen=True, slots=True)
class _Chunk:
    parts: tuple[tuple[Word, int, int, bool], ...]
    trigger: bool


def tokens(text: str) -> list[Token]:
    """The tokens of a text; none if no word of it can belong to a time."""
    chunks = [(match.start(), _chunk(match.group())) for match in _CHUNK.finditer(text)]
    if not any(chunk.trigger for _, chunk in chunks):
        return []
    found = [
        Token(word, start + begin, start + end, capital)
        for start, chunk in chunks
        for word, begin, end, capital in chunk.parts
    ]
    for index, token in enumerate(found):
        if token.word.role in {"month", "weekday"} and not _is_date_word(found, index, text):
            token.word = Word(text[token.begin : token.end].lower())
    return found


def _is_date_word(found: list[Token], index: int, text: str) -> bool:
    """Whether a word that also is a verb, a noun or a name stands for a month or a weekday here."""
    token = found[index]
    written = text[token.begin : token.end].lower().removesuffix("'s").removesuffix("’s")  # noqa: RUF001
    if written not in GUARDED and written not in _NAMES:
        return True
    before = found[index - 1].word if index else None
    after = found[index + 1] if index + 1 < len(found) else None
    lemma = before.lemma if before is not None else ""
    follower = after.word if after is not None else Word("")
    if written in _NAMES and token.capital and after is not None and after.capital and follower.role == "word":
        return lemma in _AFTER_NAMES or (before is not None and before.role in {"number", "ordinal"})
    if written not in GUARDED:
        return True
    if written == "may" and follower.lemma in _VERBS and not token.capital:
        return lemma in {"in", "since", "last", "next", "early", "late"}
    if written == "wed" and token.capital:
        return True
    beside = {before.role if before else "", follower.role}
    if beside & {"number", "ordinal", "clock", "date"} or (token.capital and follower.role == "relative"):
        return True
    if lemma in _BEFORE_GUARDED or (lemma in _BEFORE_CAPITAL and written != "may"):
        return written != "jan" or lemma not in {"by", "of", "from", "after", "before"}
    if written in {"mon", "wed", "tue", "fri", "sat", "sun"} and (
        follower.role in {"part", "weekday"} or beside & {"weekday", "month", "relative"}
    ):
        return True
    if lemma in {"and", "to", "-", "–", "or", "/", ","} and index > 1 and found[index - 2].word.role == "month":  # noqa: RUF001
        return index > 2 and (lemma in {"-", "–"} or found[index - 3].word.lemma in {"between", "from"})  # noqa: RUF001
    if not token.capital or written == "jan":
        return False
    return before is not None and before.lemma not in _OPENING and "\n" not in text[found[index - 1].end : token.begin]


@lru_cache(maxsize=1 << 16)
def _chunk(text: str) -> _Chunk:
    parts = tuple(_parts(text)) if len(text) <= 40 else ((Word(""), 0, len(text), False),)
    return _Chunk(parts, any(_triggers(word) for word, *_ in parts))


def _triggers(word: Word) -> bool:
    """Whether a time may stand around a word, whatever is beside it."""
    year = word.role == "number" and word.number >= 1990
    return year or word.role in _TRIGGERS or word.lemma in {"past", "now", "o'clock"}


def _parts(text: str) -> list[tuple[Word, int, int, bool]]:
    whole = (0, len(text), text[:1].isupper())
    if text.isalpha():
        return [(lookup(text.lower()), *whole)]
    folded = text.lower().replace("’", "'")  # noqa: RUF001
    if folded in TABLE:
        return [(TABLE[folded], *whole)]
    if folded in {"o'clock", "oclock"}:
        return [(Word("o'clock"), *whole)]
    stem, apostrophe, ending = folded.partition("'")
    if apostrophe and stem.isalpha() and ending.isalpha():
        return [(lookup(stem) if ending == "s" else Word(folded), *whole)]
    if len(text) == 1 and not text.isdecimal():
        return [(Word(text, "mark"), *whole)]
    for name, shape in _SHAPES:
        match = shape.fullmatch(folded)
        if match is not None:
            words = _numeric(name, match)
            if len(words) == 1:
                return [(words[0], *whole)]
            return [(word, *match.span(group), whole[2]) for group, word in enumerate(words, start=1)]
    return _split(text) or [(Word(""), *whole)]


def _split(text: str) -> list[tuple[Word, int, int, bool]]:
    """The parts of a chunk with hyphens or slashes, if every part can belong to a time."""
    pieces: list[tuple[Word, int, int, bool]] = []
    start = 0
    if not any(mark in text for mark in "-–/"):  # noqa: RUF001
        return []
    for piece in re.split(r"([-–/])", text):  # noqa: RUF001
        end = start + len(piece)
        if piece in {"-", "–", "/"}:  # noqa: RUF001
            pieces.append((Word(piece, "mark"), start, end, False))
        elif piece:
            pieces.extend((word, start + low, start + high, cap) for word, low, high, cap in _parts(piece))
        start = end
    words = [word for word, *_ in pieces if word.role != "mark"]
    if len(pieces) < 3 or not any(word.role != "word" for word in words):
        return []
    if words[0].lemma in _LOOSE_HYPHEN:
        return [piece for piece in pieces if piece[0].role != "mark"]
    if [word.role for word in words] in (["number", "number"], ["number", "ordinal"]) and words[0].name == "word":
        total = Word(text.lower(), words[1].role, words[0].number + words[1].number, words[1].name)
        return [(total, 0, len(text), text[:1].isupper())]
    return [] if any(word.role == "word" for word in words) else pieces


def _numeric(name: str, match: re.Match[str]) -> tuple[Word, ...]:
    text = match.group()
    match name:
        case "iso" | "ymd" | "dotted":
            return (Word(text, "date", name=name),)
        case "slashed":
            return (Word(text, "date" if match.group(3) else "monthday", name=name),)
        case "iso-month":
            return (Word(text, "iso-month"),)
        case "month-year":
            return (Word(f"{match.group(2)}-{match.group(1)}", "iso-month"),)
        case "iso-week":
            return (Word(text, "iso-week", int(match.group(2)), match.group(1)),)
        case "clock":
            return (_clock(text, match),)
        case "ordinal":
            return (Word(text, "ordinal", int(match.group(1)), "digits"),)
        case "number":
            return (Word(text, "number", int(text), "digits"),)
        case "quarter" | "half":
            return (Word(text, "quarter" if name == "quarter" else "half", int(match.group(1))),)
        case "amount":
            unit = TABLE.get(match.group(2)) or TABLE[_AMOUNTS[match.group(2)]]
            return Word(match.group(1), "number", int(match.group(1)), "digits"), replace(unit, plural=True)
    period, year = match.groups() if name == "period" else match.groups()[::-1]
    written = Word(year, "number", int(year), "digits")
    number = int(period[1])
    if period[0] == "h" and number > 2:
        return (Word(""),)
    part = Word(period, "quarter" if period[0] == "q" else "half", number)
    return (part, written) if name == "period" else (written, part)


def _clock(text: str, match: re.Match[str]) -> Word:
    hour, minute, half = int(match.group(1)), int(match.group(2) or 0), match.group(3)
    if minute > 59 or hour > (12 if half in {"am", "pm"} else 24) or (half in {"am", "pm"} and hour == 0):
        return Word("")
    if half in {"am", "pm"}:
        return Word(text, "clock", hour % 12 * 60 + minute + (720 if half == "pm" else 0), "exact")
    if hour == 24 and minute:
        return Word("")
    ambiguous = 1 <= hour <= 9 and half is None and not match.group(1).startswith("0")
    return Word(text, "clock", hour * 60 + minute, "either" if ambiguous else "exact")
