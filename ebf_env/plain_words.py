"""What is wrong with a configuration, in words that need no knowledge of how it is validated."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pydantic import ValidationError

MOST: Final = 100
"""How many characters of a wrong value are shown."""

_EXPECTED: Final = {
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "names with their values",
    "string_type": "a text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "bool_type": "True or False",
    "bool_parsing": "True or False",
    "literal_error": "{expected}",
    "enum": "{expected}",
    "greater_than_equal": "{ge} or more",
    "greater_than": "more than {gt}",
    "less_than_equal": "{le} or less",
    "less_than": "less than {lt}",
}
"""What is expected, by pydantic's kind of error."""


def first_fault_in_words(error: ValidationError, known: Iterable[str] = ()) -> str:
    """The first fault as one sentence that names the setting, what was expected and what was given.

    Args:
        error: what pydantic found.
        known: the settings there are, for where there is no such setting.
    """
    first = error.errors(include_url=False)[0]
    where, kind = ".".join(map(str, first["loc"])), first["type"]
    if kind == "extra_forbidden":
        return f"there is no setting {where!r}" + (f"; there are: {', '.join(known)}" if known else "")
    if kind in _EXPECTED:
        message = f"expected {_EXPECTED[kind].format(**first.get('ctx', {}))}"
    else:
        message = first["msg"].removeprefix("Value error, ").replace("Input should be ", "expected ")
    return f"{where}: {message}, got {_shown(first['input'])}" if where else message


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # a number of more digits than Python prints
        text = f"a very large {type(value).__name__}"
    return text if len(text) <= MOST else f"{text[: MOST - 3]}..."
