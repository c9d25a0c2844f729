"""Unambiguous: one record alone has the name, and nothing more is said.

A block swaps which of two names one record has and which one two; the other cells are truly ambiguous.
"""

from ebf_env.tasks import Condition
from ebf_generators.conditions.condition import ONE_OR_TWO, Contrast, Plan, register_condition

register_condition(Plan(Condition.UNAMBIGUOUS, (ONE_OR_TWO,), Contrast.NAME))
