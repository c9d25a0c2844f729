"""True ambiguity: what is said fits two records or more, and nothing in sight tells them apart."""

from ebf_env.tasks import Condition
from ebf_generators.conditions.condition import NONE_TO_TWO, ONE_OR_TWO, Plan, register_condition

register_condition(
    Plan(
        Condition.TRUE_AMBIGUITY,
        (ONE_OR_TWO, ONE_OR_TWO, NONE_TO_TWO),
        borrows=(
            Condition.NAME_COLLISION,
            Condition.DOCUMENT_VERSION,
            Condition.TEMPORAL,
            Condition.ACCOUNT_COLLISION,
            Condition.CROSS_SYSTEM,
        ),
    )
)
