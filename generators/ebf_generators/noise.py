"""Noise: mistakes as people and systems make them, in what a user says and in what records hold.

The operators are those of the data corruptors of record linkage, FEBRL (Christen and Pudjijono, PAKDD 2009), GeCo
(Tran, Vatsalan and Christen, CIKM 2013) and Gecko (Jugl and Kirsten, SoftwareX 2024), and what goes stale in an
enterprise: statuses and names that lag, people who left, times written in another zone, legal forms. A mistake in words
stays one a careful reader forgives (``ebf_env.world.references.same_word``), so that forms which compare loosely denote
what was meant; what a corrupted task means is for the solvers to say all the same.

An operator changes a word, a text or a record, and is registered once with :func:`register_operator`. Everything is
drawn from :class:`~ebf_generators.randomness.Bits`, so that the same bits make the same mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from functools import cache
from itertools import accumulate
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Final, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from ebf_env.errors import ConfigurationError
from ebf_env.json_types import JSON
from ebf_env.world import ENTITY_TYPES
from ebf_env.world.entity import Text, Timestamp
from ebf_env.world.references import same_word, same_words
from ebf_env.world.search import words
from ebf_generators.company import Company, Row
from ebf_generators.randomness import WORDS, Bits

# --- operators ---


@dataclass(frozen=True, slots=True)
class Operator:
    """A kind of mistake."""

    name: str


@dataclass(frozen=True, slots=True)
class TextOperator(Operator):
    """The same words written otherwise; the text itself where it does not apply."""

    apply: Callable[[Bits, str], str]


@dataclass(frozen=True, slots=True)
class WordOperator(TextOperator):
    """A mistake in a word of four letters or more, never in the first of them."""


@dataclass(frozen=True, slots=True)
class RecordOperator(Operator):
    """Other fields for a record, valid for its type; None where it does not apply.

    Attributes:
        apply: makes the fields.
        adds: whether they are those of a further record beside the first.
    """

    apply: Callable[[Bits, Draft], Row | None]
    adds: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """A record an operator is to change.

    Attributes:
        type_name: its type.
        fields: its fields, never changed in place.
        keep: fields that stay as they are.
    """

    type_name: str
    fields: Row
    keep: frozenset[str] = frozenset()

    def text(self, name: str) -> str | None:
        """The text in a field that may be changed, or None."""
        value = self.fields.get(name)
        return value if isinstance(value, str) and name not in self.keep else None

    def changed(self, **fields: JSON) -> Row:
        """The fields, some of them changed."""
        return {**self.fields, **fields}


Operators: TypeAlias = Collection[str]
"""Names of the operators allowed; a mapping gives their weights."""

Kind = TypeVar("Kind", bound=Operator)

_OPERATORS: Final[dict[str, Operator]] = {}
OPERATORS: Final[Mapping[str, Operator]] = MappingProxyType(_OPERATORS)
"""All operators by name."""


def register_operator(operator: Operator) -> None:
    """Make an operator known by its name.

    Raises:
        ConfigurationError: the name is taken.
    """
    if operator.name in _OPERATORS:
        raise ConfigurationError(f"there are two noise operators {operator.name!r}")
    _OPERATORS[operator.name] = operator


def _operator(name: str) -> Operator:
    if name not in _OPERATORS:
        raise ConfigurationError(f"there is no noise operator {name!r}; there are: {', '.join(sorted(_OPERATORS))}")
    return _OPERATORS[name]


def _allowed(operators: Operators, kind: type[Kind]) -> list[tuple[Kind, float]]:
    """The operators of a kind among those allowed, by name, and their weights."""
    if not isinstance(operators, Mapping) or operators is OPERATORS:
        operators = dict.fromkeys(operators, 1.0)
    named = [(_operator(name), float(operators[name])) for name in sorted(operators)]
    return [(operator, weight) for operator, weight in named if isinstance(operator, kind) and weight > 0]


def _in_random_order(bits: Bits, allowed: Sequence[tuple[Kind, float]]) -> Iterator[Kind]:
    """Operators, each the sooner the greater its weight."""
    left = list(allowed)
    while left:
        point = bits.word() / WORDS * sum(weight for _, weight in left)
        ends = accumulate(weight for _, weight in left)
        number = next((number for number, end in enumerate(ends) if point < end), len(left) - 1)
        yield left.pop(number)[0]


# --- profiles ---


@dataclass(frozen=True, slots=True)
class NoiseProfile:
    """How much noise there is, and of which kinds.

    Attributes:
        mention: share of the mentions in whose words there is a mistake.
        deciding: share of the values a task turns on that are written otherwise.
        background: share of the background records that are corrupted.
        operators: the operators allowed, by weight.

    Raises:
        ConfigurationError: a share is none, or there is no operator of a name.
    """

    mention: float
    deciding: float
    background: float
    operators: Mapping[str, float] = field(hash=False)

    def __post_init__(self) -> None:
        for name in ("mention", "deciding", "background"):
            share = getattr(self, name)
            if not 0 <= share <= 1:
                raise ConfigurationError(f"noise: the share {name!r} is {share!r}, expected 0 to 1")
        for name, weight in self.operators.items():
            _operator(name)
            if not weight >= 0:
                raise ConfigurationError(f"noise: the weight of {name!r} is {weight!r}, expected 0 or more")


def profile(spec: str | Mapping[str, float]) -> NoiseProfile:
    """The profile of a level (a name in ``PROFILES``), or of rates operator by operator.

    The rate of an operator is the share of what it can be applied to that it is applied to: of mentions for those that
    change words, of deciding values for those and the ones that change texts, of background records for all.

    Raises:
        ConfigurationError: there is no such level or operator, a rate is no share, or the rates sum to more than 1.
    """
    if isinstance(spec, str):
        if spec not in PROFILES:
            raise ConfigurationError(f"there is no noise level {spec!r}; there are: {', '.join(PROFILES)}")
        return PROFILES[spec]
    for name, rate in spec.items():
        _operator(name)
        if not 0 <= rate <= 1:
            raise ConfigurationError(f"noise: the rate of {name!r} is {rate!r}, expected 0 to 1")
    mention, deciding, background = (
        round(sum(rate for _, rate in _allowed(spec, kind)), 9) for kind in (WordOperator, TextOperator, Operator)
    )
    if background > 1:
        raise ConfigurationError(f"noise: the rates of {', '.join(sorted(spec))} sum to {background:g}, more than 1")
    return NoiseProfile(mention, deciding, background, dict(spec))


# --- corruption ---

_TRIES: Final = 24
_WORD: Final = re.compile(r"\w+")


def corrupt_text(bits: Bits, text: str, operators: Operators) -> str:
    """A short text with a mistake in one word, which still agrees loosely with the word that was meant.

    Only words of four letters or more are mistyped, never their first letter, and never what has digits in it; the
    text comes back unchanged where there is no such word, or no operator allowed changes one. Operators that change
    more than a word are passed over.

    Raises:
        ConfigurationError: there is no operator of a name.
    """
    spans = [match.span() for match in _WORD.finditer(text) if _is_eligible(match.group())]
    allowed = _allowed(operators, WordOperator)
    for _ in range(_TRIES if spans and allowed else 0):
        begin, end = bits.choice(spans)
        word = text[begin:end]
        mistyped = next(_in_random_order(bits, allowed)).apply(bits, word)
        changed = f"{text[:begin]}{mistyped}{text[end:]}"
        if mistyped[:1] == word[0] and _one_word_differs(text, changed):
            return changed
    return text


def corrupt_value(bits: Bits, value: str, operators: Operators) -> str:
    """A value written otherwise, which still agrees loosely with the value that was meant.

    A word is mistyped, or the same words are in another order, case or format. Meant for prose (``prose_fields``), not
    for ids, times or what is one of a fixed set of values.

    Raises:
        ConfigurationError: there is no operator of a name.
    """
    for operator in _in_random_order(bits, _allowed(operators, TextOperator)):
        changed = _rewritten(bits, value, operator)
        if changed != value:
            return changed
    return value


def corrupt_record(
    bits: Bits, type_name: str, fields: Mapping[str, JSON], operators: Operators, keep: Collection[str] = frozenset()
) -> Row:
    """New fields for a background record: one operator, drawn among those that apply to it, has been at it.

    Args:
        bits: source of randomness.
        type_name: the record's type.
        fields: its fields, left as they are.
        operators: names of the operators allowed; those that add a record are passed over.
        keep: fields that stay as they are.

    Raises:
        ConfigurationError: there is no operator of a name.
    """
    draft = Draft(type_name, dict(fields), frozenset(keep))
    for operator in _in_random_order(bits, _allowed(operators, Operator)):
        changed = None if _adds(operator) else _applied(bits, operator, draft)
        if changed is not None:
            return changed
    return draft.fields


def corrupt_company(
    bits: Bits,
    company: Company,
    noise: NoiseProfile,
    spare: Collection[str] = frozenset(),
    room: int | None = None,
) -> None:
    """Corrupt the share of a company's background records that a profile says, and enter some of them twice.

    Args:
        bits: source of randomness, but for the ids of records that are added (the company's own).
        company: the company.
        noise: how much, and which operators.
        spare: ids of records that stay as they are.
        room: most records that are entered twice; None: any number.
    """
    allowed = _allowed(noise.operators, Operator)
    for entity_id, (type_name, fields) in list(company.rows.items()):
        if entity_id in spare or not bits.chance(noise.background):
            continue
        for operator in _in_random_order(bits, allowed):
            adds = _adds(operator)
            if adds and room == 0:
                continue
            changed = _applied(bits, operator, Draft(type_name, fields))
            if changed is not None and adds:
                room = None if room is None else room - 1
                company.make(type_name, **{**dict.fromkeys(_shape(type_name).names), **changed})
            elif changed is not None:
                company.rows[entity_id] = (type_name, changed)
            if changed is not None:
                break


def prose_fields(type_name: str) -> tuple[str, ...]:
    """The fields of a type that hold words somebody typed: no ids, codes, times or fixed values."""
    return _shape(type_name).prose


def _adds(operator: Operator) -> bool:
    return isinstance(operator, RecordOperator) and operator.adds


def _is_eligible(word: str) -> bool:
    return len(word) >= 4 and word.isalpha()


def _one_word_differs(text: str, changed: str) -> bool:
    before, after = words(text), words(changed)
    pairs = [(one, other) for one, other in zip(before, after, strict=False) if one != other]
    return len(before) == len(after) and len(pairs) == 1 and same_word(*pairs[0])


def _rewritten(bits: Bits, text: str, operator: TextOperator) -> str:
    if isinstance(operator, WordOperator):
        return corrupt_text(bits, text, (operator.name,))
    changed = operator.apply(bits, text)
    return changed if same_words(changed, text) else text


def _applied(bits: Bits, operator: Operator, draft: Draft) -> Row | None:
    """The fields of a record after an operator, or None where it changes nothing."""
    if isinstance(operator, RecordOperator):
        return operator.apply(bits, draft)
    if isinstance(operator, TextOperator):
        for name in bits.shuffled([name for name in prose_fields(draft.type_name) if draft.text(name)]):
            text = str(draft.fields[name])
            changed = _rewritten(bits, text, operator)
            if changed != text:
                return draft.changed(**{name: changed})
    return None


# --- what the fields of a type are ---

_CODES: Final = frozenset(("email", "key", "version", "sprint", "currency", "timezone", "series", "field", "value"))
"""Fields of text that is no prose; those called a number are none either."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """What an operator has to know of a type.

    Attributes:
        label: the field that names a record.
        names: all fields.
        prose: fields of free text.
        times: fields that hold an instant.
        optional: fields a record may lack.
        statuses: the values of its status, in their order.
    """

    label: str
    names: tuple[str, ...]
    prose: tuple[str, ...]
    times: tuple[str, ...]
    optional: tuple[str, ...]
    statuses: tuple[str, ...]


@cache
def _shape(type_name: str) -> _Shape:
    schema = ENTITY_TYPES[type_name]
    hints = get_type_hints(schema.model, include_extras=True)
    names = tuple(name for name in schema.model.model_fields if name not in ("id", "revision"))
    holds = {name: _alternatives(hints[name]) for name in names}
    status = holds.get("status", [])
    return _Shape(
        schema.label_field,
        names,
        tuple(n for n in names if holds[n] in ([str], [Text]) and n not in _CODES and not n.endswith("number")),
        tuple(name for name in names if holds[name] == [Timestamp]),
        tuple(n for n in names if n != schema.label_field and not schema.model.model_fields[n].is_required()),
        get_args(status[0]) if status and get_origin(status[0]) is Literal else (),
    )


def _alternatives(annotation: object) -> list[object]:
    """What a field may hold, but for None."""
    inner = get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
    if get_origin(inner) in (Union, UnionType):
        return [choice for choice in get_args(inner) if choice is not NoneType]
    return [annotation]


# --- mistakes in words ---


def _confusing(table: Mapping[str, tuple[str, ...]]) -> Callable[[Bits, str], str]:
    """Put one of its likes in the place of a part of the word that has some."""
    sizes = sorted({len(part) for part in table})

    def apply(bits: Bits, word: str) -> str:
        parts = [(begin, begin + size) for size in sizes for begin in range(1, len(word) - size + 1)]
        spans = [(begin, end) for begin, end in parts if word[begin:end].lower() in table]
        if not spans:
            return word
        begin, end = bits.choice(spans)
        return f"{word[:begin]}{_in_case(bits.choice(table[word[begin:end].lower()]), word[begin])}{word[end:]}"

    return apply


def _in_case(letters: str, like: str) -> str:
    return letters.upper() if like.isupper() else letters


_ROWS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


def _neighbours(row: int, place: int) -> tuple[str, ...]:
    """The keys that touch one: each row stands half a key to the right of the one above."""
    around = [(row, place - 1), (row, place + 1), (row - 1, place), (row - 1, place + 1), (row + 1, place - 1)]
    around.append((row + 1, place))
    return tuple(_ROWS[r][p] for r, p in around if 0 <= r < len(_ROWS) and 0 <= p < len(_ROWS[r]))


_KEYBOARD: Final = {key: _neighbours(row, place) for row, keys in enumerate(_ROWS) for place, key in enumerate(keys)}
_SOUNDS: Final = {
    "c": ("k",), "k": ("c",), "s": ("z",), "z": ("s",), "i": ("y",), "y": ("i",), "f": ("v",), "v": ("f",), "ph": ("f",)
}  # fmt: skip
_SHAPES: Final = {
    "o": ("0",), "l": ("i",), "i": ("l",), "m": ("n",), "n": ("m",), "u": ("v",), "v": ("u",), "e": ("c",), "c": ("e",)
}  # fmt: skip

_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"


def _substitute(bits: Bits, word: str) -> str:
    place = bits.between(1, len(word) - 1)
    return f"{word[:place]}{_in_case(bits.choice(_ALPHABET), word[place])}{word[place + 1 :]}"


def _delete(bits: Bits, word: str) -> str:
    place = bits.between(1, len(word) - 1)
    return word[:place] + word[place + 1 :]


def _insert(bits: Bits, word: str) -> str:
    place = bits.between(1, len(word))
    return f"{word[:place]}{_in_case(bits.choice(_ALPHABET), word[place - 1 : place + 1])}{word[place:]}"


def _transpose(bits: Bits, word: str) -> str:
    place = bits.between(1, len(word) - 2)
    return f"{word[:place]}{word[place + 1]}{word[place]}{word[place + 2 :]}"


_EDITS: Final = 59 * (_substitute,) + 16 * (_delete,) + 10 * (_insert,) + 2 * (_transpose,)
"""Single mistakes, each as often as in a hundred misspelt words; the others have two (Damerau, CACM 7(3), 1964)."""


def _edit(bits: Bits, word: str) -> str:
    for _ in range(1 if bits.chance(len(_EDITS) / 100) else 2):
        word = bits.choice(_EDITS)(bits, word)
    return word


# --- texts written otherwise ---


def _word_swap(bits: Bits, text: str) -> str:
    """Two neighbouring words change places."""
    parts = text.split()
    if len(parts) < 2 or not any(map(_is_eligible, parts)):
        return text
    place = bits.below(len(parts) - 1)
    parts[place : place + 2] = parts[place + 1], parts[place]
    return " ".join(parts)


def _category(bits: Bits, text: str) -> str:
    """Another case or format, as where a value of a fixed list is typed by hand: ``SUPPORT``, ``customer-success``."""
    if not any(map(_is_eligible, _WORD.findall(text))):
        return text
    forms = (text.upper(), text.lower(), "-".join(text.lower().split()))
    return bits.choice([form for form in dict.fromkeys(forms) if form != text])


# --- records ---


def _missing_field(bits: Bits, draft: Draft) -> Row | None:
    """A field is left empty."""
    there = [name for name in _shape(draft.type_name).optional if name in draft.fields and name not in draft.keep]
    if not there:
        return None
    missing = bits.choice(there)
    return {name: value for name, value in draft.fields.items() if name != missing}


def _field_swap(bits: Bits, draft: Draft) -> Row | None:
    """The family name stands first, with or without a comma; the last word of a title does."""
    label = _shape(draft.type_name).label
    parts = (draft.text(label) or "").split()
    if len(parts) < 2:
        return None
    if draft.type_name == "person":
        given, family = parts[0], " ".join(parts[1:])
        return draft.changed(**{label: f"{family}, {given}" if bits.chance(0.5) else f"{family} {given}"})
    return draft.changed(**{label: " ".join((parts[-1], *parts[:-1]))})


def _duplicate_record(bits: Bits, draft: Draft) -> Row | None:
    """The record is entered a second time, its name mistyped, perhaps with less in it."""
    label = _shape(draft.type_name).label
    name = draft.text(label)
    mistyped = name and corrupt_text(bits, name, ("edit",))
    if mistyped == name:
        return None
    again = Draft(draft.type_name, draft.changed(**{label: mistyped}))
    return (_missing_field(bits, again) if bits.chance(0.5) else None) or again.fields


def _stale_value(bits: Bits, draft: Draft) -> Row | None:
    """The status is still the one before, or the time of the last change that of an earlier one."""
    changes: list[Row] = []
    status, statuses = draft.text("status"), _shape(draft.type_name).statuses
    if status in statuses[1:]:
        changes.append({"status": statuses[statuses.index(status) - 1]})
    updated = draft.text("updated_at")
    earlier = updated and _earlier(bits, datetime.fromisoformat(updated), draft.fields)
    if earlier:
        changes.append({"updated_at": earlier})
    return draft.changed(**bits.choice(changes)) if changes else None


def _earlier(bits: Bits, updated: datetime, fields: Row) -> str | None:
    """A time before the last change, and after everything else that happened to the record until then."""
    since = max((moment for moment in _moments(fields) if moment < updated), default=updated - timedelta(days=90))
    minutes = int((updated - since).total_seconds()) // 60
    return (updated - timedelta(minutes=bits.between(1, minutes - 1))).isoformat() if minutes > 1 else None


def _moments(value: JSON) -> Iterator[datetime]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from _moments(item)
    elif isinstance(value, str) and _INSTANT.fullmatch(value):
        yield datetime.fromisoformat(value)


_INSTANT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?[+-]\d\d:\d\d")


def _rename_lag(bits: Bits, draft: Draft) -> Row | None:
    """An older entry of a name stays as an alias: without the second family name, or with an initial alone."""
    shape = _shape(draft.type_name)
    parts = (draft.text(shape.label) or "").split()
    if "aliases" not in shape.names or "aliases" in draft.keep or len(parts) < 2:
        return None
    family = parts[-1]
    old = f"{' '.join(parts[:-1])} {family.split('-')[0]}" if "-" in family else f"{parts[0][0]}. {family}"
    aliases = draft.fields.get("aliases")
    known = list(aliases) if isinstance(aliases, list | tuple) else []
    return None if old in known else draft.changed(aliases=[*known, old])


_GONE: Final = {"person": "left", "customer_account": "churned"}
"""Status of what is still listed and no longer there, by type."""


def _tombstone(bits: Bits, draft: Draft) -> Row | None:
    """Somebody who has left, or an account that was closed, is still listed."""
    gone = _GONE.get(draft.type_name)
    if gone is None or "status" in draft.keep or draft.fields.get("status") == gone:
        return None
    return draft.changed(status=gone)


_ZONES: Final = tuple(timedelta(minutes=minutes) for minutes in (-480, -300, -180, 0, 60, 120, 180, 330, 480, 540))


def _timezone(bits: Bits, draft: Draft) -> Row | None:
    """A time is written in another zone."""
    there = [name for name in _shape(draft.type_name).times if draft.text(name)]
    if not there:
        return None
    name = bits.choice(there)
    moment = datetime.fromisoformat(str(draft.fields[name]))
    zone = bits.choice([offset for offset in _ZONES if offset != moment.utcoffset()])
    return draft.changed(**{name: moment.astimezone(timezone(zone)).isoformat()})


_FIRMS: Final = {"customer_account": "name", "vendor": "name", "person": "company"}
_LEGAL_FORMS: Final = ("Ltd", "GmbH", "Inc.", "S.A.", "LLC", "B.V.")


def _legal_form(bits: Bits, draft: Draft) -> Row | None:
    """The name of a company bears its legal form."""
    name = _FIRMS.get(draft.type_name, "")
    firm = draft.text(name)
    if not firm or firm.endswith(_LEGAL_FORMS):
        return None
    return draft.changed(**{name: f"{firm} {bits.choice(_LEGAL_FORMS)}"})


for _each in (
    WordOperator("keyboard", _confusing(_KEYBOARD)),
    WordOperator("phonetic", _confusing(_SOUNDS)),
    WordOperator("ocr", _confusing(_SHAPES)),
    WordOperator("edit", _edit),
    TextOperator("word_swap", _word_swap),
    TextOperator("category", _category),
    RecordOperator("missing_field", _missing_field),
    RecordOperator("field_swap", _field_swap),
    RecordOperator("duplicate_record", _duplicate_record, adds=True),
    RecordOperator("stale_value", _stale_value),
    RecordOperator("rename_lag", _rename_lag),
    RecordOperator("tombstone", _tombstone),
    RecordOperator("timezone", _timezone),
    RecordOperator("legal_form", _legal_form),
):
    register_operator(_each)

_EVENLY: Final = dict.fromkeys(OPERATORS, 1.0)

PROFILES: Final[Mapping[str, NoiseProfile]] = MappingProxyType(
    {
        "none": NoiseProfile(0.0, 0.0, 0.0, {}),
        "low": NoiseProfile(0.1, 0.05, 0.1, _EVENLY),
        "medium": NoiseProfile(0.25, 0.15, 0.25, _EVENLY),
        "high": NoiseProfile(0.5, 0.3, 0.5, _EVENLY),
    }
)
"""The levels of noise."""
