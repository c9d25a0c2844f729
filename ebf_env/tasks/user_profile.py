"""What kind of user answers an agent's questions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ebf_env.errors import ConfigurationError
from ebf_env.plain_words import first_fault_in_words

Rate = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class UserProfile(BaseModel):
    """How the user oracle answers; nothing here depends on what a task's label is.

    Attributes:
        answers: ``options``: only questions that offer options are answered (the default); ``words``: also those that
            ask for an attribute, open ones ("Which Alex?"), and what is asked in free text.
        dont_know: how often the user cannot say which one they mean; drawn for every slot.
        neither: how often the user means something that is not there, of slots the instruction leaves open.
        paraphrase: how often an answer has other words than the usual ones; what it says is the same.
        patience: most questions that are answered in an episode; None: all.
        seed: of these draws, which depend on it, the task and the question alone.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    answers: Literal["options", "words"] = "options"
    dont_know: Rate = 0.0
    neither: Rate = 0.0
    paraphrase: Rate = 0.0
    patience: Annotated[int, Field(ge=0)] | None = None
    seed: Annotated[int, Field(ge=0)] = 0


def parse_user_profile(text: str) -> UserProfile:
    """A profile as it is written on a command line: ``words``, or ``answers=words,dont_know=0.1,patience=3``.

    Raises:
        ConfigurationError: there is no such setting, or its value does not fit.
    """
    settings: dict[str, object] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = part.partition("=")
        name, value = (name.strip(), value.strip()) if equals else ("answers", name.strip())
        if name in settings:
            raise ConfigurationError(f"the user's {name!r} is set twice")
        settings[name] = value
    try:
        return UserProfile.model_validate(settings)
    except ValidationError as error:
        raise ConfigurationError(f"user: {first_fault_in_words(error, UserProfile.model_fields)}") from error
