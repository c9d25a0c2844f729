"""Backends by name: the file that ships with the project, and a user's own beside it."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import BaseModel, ValidationError

from ebf_agents.llm.settings import BackendEntry
from ebf_env.errors import ConfigurationError

RESERVED = (
    "oracle",
    "random",
    "first",
    "lexical",
    "never_ask",
    "always_ask",
    "which_one",
    "oracle_question",
    "resolver",
    "regate",
    "replay",
    "openai",
)
"""Names of other kinds of backend, which no entry may take."""

_KEYS = tuple(BackendEntry.model_fields)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def backends_in(path: Path | None) -> Mapping[str, BackendEntry]:
    """The entries that ship with the project, and those of a file, which replace entries of the same name.

    Raises:
        ConfigurationError: the file cannot be read, or an entry is wrong; names file, entry and key.
    """
    if path is None:
        return _shipped()
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path}: the file of backends cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: not UTF-8 text") from error
    return {**_shipped(), **entries(text, str(path))}


@cache
def _shipped() -> Mapping[str, BackendEntry]:
    source = files("ebf_agents.llm") / "backends.toml"
    return entries(source.read_text(encoding="utf-8"), "backends.toml")


def entries(text: str, where: str) -> dict[str, BackendEntry]:
    """The entries of a file of backends.

    Args:
        text: the file.
        where: its name, for messages.

    Raises:
        ConfigurationError: it is no TOML, or an entry is wrong.
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{where}: not valid TOML: {error}") from error
    result: dict[str, BackendEntry] = {}
    for name, fields in content.items():
        if not isinstance(fields, dict):
            raise ConfigurationError(f"{where}: {name!r} stands outside of an entry; an entry begins with [NAME]")
        if name in RESERVED or not _NAME.fullmatch(name):
            problem = "is another kind of backend" if name in RESERVED else "holds more than letters, digits and _.-"
            raise ConfigurationError(f"{where}: no entry can be called {name!r}, which {problem}")
        nested = next((key for key, value in fields.items() if isinstance(value, dict) and key not in _KEYS), None)
        if nested is not None:
            raise ConfigurationError(
                f"{where}: entry {name!r}: unknown key {nested!r}{_hint(nested, _KEYS)} "
                f'(a name with a dot in it is quoted: ["{name}.{nested}"])'
            )
        try:
            result[name] = BackendEntry.model_validate(fields)
        except ValidationError as error:
            raise ConfigurationError(f"{where}: entry {name!r}: {problem_of(error, BackendEntry)}") from None
    return result


def problem_of(error: ValidationError, model: type[BaseModel]) -> str:
    """The first problem of a settings model in words, with the nearest known key where one is misspelled."""
    first = error.errors(include_url=False, include_input=False)[0]
    path = [str(part) for part in first["loc"]]
    key = ".".join(part for part in path if not part.startswith(("constrained-", "function-", "nullable")))
    if first["type"] == "extra_forbidden":
        return f"unknown key {key!r}{_hint(path[-1], _keys_at(model, path[:-1]))}"
    if first["type"] == "missing":
        return f"the key {key!r} is missing"
    message = first["msg"].removeprefix("Value error, ")
    return f"{key}: {message[0].lower()}{message[1:]}"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like this one, if any is."""
    return next(iter(difflib.get_close_matches(name, list(known), n=1)), None)


def _hint(name: str, known: Iterable[str]) -> str:
    known = list(known)
    near = nearest(name, known)
    return f"; did you mean {near!r}?" if near else f"; known: {', '.join(known)}"


def _keys_at(model: type[BaseModel], path: list[str]) -> Iterable[str]:
    """The keys of a settings model, or of the settings nested in it."""
    for part in path:
        annotation = model.model_fields[part].annotation
        options = (annotation, *getattr(annotation, "__args__", ()))
        model = next(option for option in options if isinstance(option, type) and issubclass(option, BaseModel))
    return model.model_fields
