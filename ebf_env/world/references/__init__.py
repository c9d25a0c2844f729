"""Referring expressions as logical forms, the time windows they speak of, and two solvers that share no code."""

from ebf_env.world.references.form import (
    Beside,
    Equals,
    Form,
    Named,
    NamesUser,
    Not,
    Pick,
    ReferredBy,
    Related,
    Test,
    Within,
    form_from_json,
    form_to_json,
    loosened,
)
from ebf_env.world.references.indexed import ObservationSolver
from ebf_env.world.references.naive import Reading, Situation, denotation, read, same_word, same_words
from ebf_env.world.references.windows import Window

__all__ = [
    "Beside",
    "Equals",
    "Form",
    "Named",
    "NamesUser",
    "Not",
    "ObservationSolver",
    "Pick",
    "Reading",
    "ReferredBy",
    "Related",
    "Situation",
    "Test",
    "Window",
    "Within",
    "denotation",
    "form_from_json",
    "form_to_json",
    "loosened",
    "read",
    "same_word",
    "same_words",
]
