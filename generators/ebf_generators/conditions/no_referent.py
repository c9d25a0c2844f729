"""No referent: records have the name, and none of them is what is said."""

from ebf_env.tasks import Condition
from ebf_generators.conditions.condition import NONE_OR_ONE, NONE_TO_TWO, Plan, register_condition

register_condition(
    Plan(
        Condition.NO_REFERENT,
        (NONE_OR_ONE, NONE_OR_ONE, NONE_TO_TWO),
        borrows=(
            Condition.NAME_COLLISION,
            Condition.DOCUMENT_VERSION,
            Condition.TEMPORAL,
            Condition.ACCOUNT_COLLISION,
            Condition.CROSS_SYSTEM,
        ),
    )
)
