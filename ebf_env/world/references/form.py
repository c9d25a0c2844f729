"""Logical forms: what a referring expression asks of the record it means.

A form is a conjunctive query: a type, tests that must all hold (attribute values, names, time windows, relations to
what other forms denote, their negations), and at last perhaps a superlative or ordinal. What it denotes is a set of
records; exactly one, where the expression singles its record out.

Words may be compared *loosely*, so that a mistyped word still counts as the word it was meant to be. Two words, folded
(case, diacritics) as a search folds them, agree loosely if they are equal, or if neither is a number and their
restricted Damerau-Levenshtein distance (optimal string alignment: a character inserted, deleted, substituted, or
exchanged with its neighbour) is at most 1 where both have four characters or more, at most 2 where both have eight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, cast

from ebf_env.errors import WorldError
from ebf_env.json_types import JSON, JSONObject
from ebf_env.world.references.windows import Window


@dataclass(frozen=True, slots=True)
class Equals:
    """The field holds the value; a field that is a list holds it among others.

    Attributes:
        path: the field.
        value: what it holds.
        loose: whether a text of the same words, in any order, counts too; one to one, its words agree loosely.
    """

    path: str
    value: str | int | float | bool
    loose: bool = False

    def __post_init__(self) -> None:
        if self.loose and not isinstance(self.value, str):
            raise WorldError(f"only text is compared loosely, not {self.value!r}", field="form.loose")


@dataclass(frozen=True, slots=True)
class Named:
    """All words are among those of what the record is called (label or alias), whatever case or diacritics.

    Attributes:
        words: the words.
        loose: whether a word that agrees loosely counts too.
    """

    words: tuple[str, ...]
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Within:
    """The time or date in the field lies in a window relative to now."""

    path: str
    window: Window


@dataclass(frozen=True, slots=True)
class Related:
    """The field names a record that another form denotes (the document's owner is an Alex)."""

    path: str
    form: Form


@dataclass(frozen=True, slots=True)
class ReferredBy:
    """A record that another form denotes names this one in its field (the thread from Dana attaches the document)."""

    path: str
    form: Form


@dataclass(frozen=True, slots=True)
class NamesUser:
    """The field names the acting user ("my", "our")."""

    path: str


@dataclass(frozen=True, slots=True)
class Beside:
    """The field is later or earlier than that of the one record another form denotes ("after the kickoff")."""

    path: str
    side: Literal["after", "before"]
    form: Form
    other_path: str


@dataclass(frozen=True, slots=True)
class Not:
    """The test does not hold."""

    test: Test


Test: TypeAlias = Equals | Named | Within | Related | ReferredBy | NamesUser | Beside | Not


@dataclass(frozen=True, slots=True)
class Pick:
    """A superlative or ordinal: of what passed all tests, the records with the rank-th value of a field.

    Values are ranked without repetition, so that records with equal values are picked together; a record without the
    field is never picked.

    Attributes:
        path: the field.
        order: ``last`` counts from the greatest value (latest, highest), ``first`` from the least.
        rank: 1 for the first in that order.
    """

    path: str
    order: Literal["first", "last"]
    rank: int = 1


@dataclass(frozen=True, slots=True)
class Form:
    """A conjunctive query over records.

    Attributes:
        type: the type of record it denotes.
        tests: what must hold.
        pick: which of those that pass.
    """

    type: str
    tests: tuple[Test, ...] = ()
    pick: Pick | None = None


def loosened(form: Form) -> Form:
    """The form with names and texts compared loosely, as records and mentions with mistakes in them are read.

    Texts with digits in them (dates, keys, versions) stay as they are: another digit is no mistake, but another value.
    """
    return Form(form.type, tuple(_loosened(test) for test in form.tests), form.pick)


def _loosened(test: Test) -> Test:
    match test:
        case Equals(path, str(value)) if not any(c.isdigit() for c in value):
            return Equals(path, value, loose=True)
        case Named(words):
            return Named(words, loose=True)
        case Not(inner):
            return Not(_loosened(inner))
        case Related() | ReferredBy() | Beside():
            return replace(test, form=loosened(test.form))
        case _:
            return test


# --- to and from JSON ---


def form_to_json(form: Form) -> dict[str, JSON]:
    """A form as JSON."""
    content: dict[str, JSON] = {"type": form.type, "tests": [_test_to_json(test) for test in form.tests]}
    if form.pick is not None:
        content["pick"] = {"path": form.pick.path, "order": form.pick.order, "rank": form.pick.rank}
    return content


def _test_to_json(test: Test) -> dict[str, JSON]:
    match test:
        case Equals(path, value, loose):
            return {"test": "equals", "path": path, "value": value, **_if_loose(loose)}
        case Named(words, loose):
            return {"test": "named", "words": list(words), **_if_loose(loose)}
        case Within(path, window):
            return {"test": "within", "path": path, "window": window.to_json()}
        case Related(path, form):
            return {"test": "related", "path": path, "form": form_to_json(form)}
        case ReferredBy(path, form):
            return {"test": "referred_by", "path": path, "form": form_to_json(form)}
        case NamesUser(path):
            return {"test": "names_user", "path": path}
        case Beside(path, side, form, other_path):
            return {"test": "beside", "path": path, "side": side, "form": form_to_json(form), "other_path": other_path}
        case Not(inner):
            return {"test": "not", "of": _test_to_json(inner)}


def _if_loose(loose: bool) -> dict[str, JSON]:
    return {"loose": True} if loose else {}


def form_from_json(content: JSON) -> Form:
    """The form of a JSON object.

    Raises:
        WorldError: it is none; the message says where.
    """
    where = _object(content, "a form")
    tests = where.get("tests", [])
    if not isinstance(tests, list):
        raise WorldError(f"'tests' is {tests!r}, expected a list", field="form.tests")
    return Form(
        _text(where, "type"), tuple(_test_from_json(test) for test in tests), _pick_from_json(where.get("pick"))
    )


def _test_from_json(content: JSON) -> Test:
    test = _object(content, "a test")
    match test.get("test"):
        case "equals":
            value = test.get("value")
            if not isinstance(value, str | int | float | bool):
                raise WorldError(f"'value' is {value!r}, expected text, a number or a truth value", field="form.value")
            return Equals(_text(test, "path"), value, _is_loose(test))
        case "named":
            words = test.get("words")
            if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
                raise WorldError(f"'words' is {words!r}, expected words", field="form.words")
            return Named(tuple(cast("list[str]", words)), _is_loose(test))
        case "within":
            return Within(_text(test, "path"), Window.from_json(_object(test.get("window"), "a window")))
        case "related":
            return Related(_text(test, "path"), form_from_json(test.get("form")))
        case "referred_by":
            return ReferredBy(_text(test, "path"), form_from_json(test.get("form")))
        case "names_user":
            return NamesUser(_text(test, "path"))
        case "beside":
            side = test.get("side")
            if side not in ("after", "before"):
                raise WorldError(f"'side' is {side!r}, expected 'after' or 'before'", field="form.side")
            return Beside(
                _text(test, "path"),
                side,
                form_from_json(test.get("form")),
                _text(test, "other_path"),
            )
        case "not":
            return Not(_test_from_json(test.get("of")))
        case other:
            raise WorldError(f"there is no test {other!r}", field="form.test")


def _pick_from_json(content: JSON) -> Pick | None:
    if content is None:
        return None
    pick = _object(content, "a pick")
    order, rank = pick.get("order"), pick.get("rank", 1)
    if order not in ("first", "last") or not isinstance(rank, int) or isinstance(rank, bool) or rank < 1:
        raise WorldError(f"{dict(pick)!r} is no superlative or ordinal", field="form.pick")
    return Pick(_text(pick, "path"), order, rank)


def _object(content: JSON, what: str) -> JSONObject:
    if not isinstance(content, Mapping):
        raise WorldError(f"expected {what}, got {content!r}", field="form")
    return content


def _is_loose(test: JSONObject) -> bool:
    loose = test.get("loose", False)
    if not isinstance(loose, bool):
        raise WorldError(f"'loose' is {loose!r}, expected true or false", field="form.loose")
    return loose


def _text(content: JSONObject, key: str) -> str:
    value = content.get(key)
    if not isinstance(value, str) or not value:
        raise WorldError(f"{key!r} is {value!r}, expected text", field=f"form.{key}")
    return value
