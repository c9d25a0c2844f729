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
)
from ebf_env.world.references.indexed import ObservationSolver
from ebf_env.world.references.naive import Situation, denotation
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
    "ReferredBy",
    "Related",
    "Situation",
    "Test",
    "Window",
    "Within",
    "denotation",
    "form_from_json",
    "form_to_json",
]
