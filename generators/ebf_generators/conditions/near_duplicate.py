"""Near duplicate: the names are the same but for a letter, a case or a mark; another field tells them apart."""

from ebf_env.tasks import Condition
from ebf_generators.conditions.condition import NONE_TO_TWO, ONE_OR_TWO, Plan, register_condition

register_condition(
    Plan(
        Condition.NEAR_DUPLICATE,
        (ONE_OR_TWO, ONE_OR_TWO, NONE_TO_TWO),
        borrows=(Condition.NAME_COLLISION, Condition.CROSS_SYSTEM),
        nearly=True,
    )
)
