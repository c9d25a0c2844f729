"""Not permitted: exactly one record is what is said, and the user may not touch it.

A record a tool would change is in sight but read-only; one a tool would only read or name is hidden from the user, and
a notice in sight says that it was closed to them.
"""

from ebf_env.tasks import Condition
from ebf_generators.conditions.condition import ALWAYS_ONE, Contrast, Plan, register_condition

register_condition(
    Plan(
        Condition.NOT_PERMITTED,
        (ALWAYS_ONE,),
        Contrast.PERMISSION,
        borrows=(Condition.NAME_COLLISION, Condition.CROSS_SYSTEM, Condition.DOCUMENT_VERSION, Condition.TEMPORAL),
    )
)
