"""Stale: the record lags behind the truth, which a newer notice of change tells."""

from ebf_env.json_types import JSON
from ebf_env.tasks import Condition
from ebf_generators.company import Company, Row, register_maker
from ebf_generators.conditions.condition import NONE_TO_TWO, ONE_OR_TWO, Plan, register_condition
from ebf_generators.conditions.document_version import STATUS
from ebf_generators.conditions.name_collision import (
    COMPONENT,
    LOCATION,
    PRIORITY,
    PROJECT_STATUS,
    ROLE,
    ROOM,
    SENSITIVITY,
    STAGE,
    TEAM,
    TIER,
)
from ebf_generators.cues import Notified


def _notice(company: Company, **given: JSON) -> str:
    """A notice of a change that a record does not show yet."""
    drawn: Row = {
        "title": "Change",
        "value": "",
        "effective_at": company.moment(-company.bits.between(1, 3)),
        "source": "change feed",
    }
    return company._add("change_notice", drawn, given)


register_maker("change_notice", _notice, share=0.0)

register_condition(
    Plan(Condition.STALE, (ONE_OR_TWO, ONE_OR_TWO, NONE_TO_TWO)),
    *(
        Notified(name=of.name, type_name=of.type_name, post=of.post, joins=False, of=of)
        for of in (TEAM, ROLE, LOCATION, SENSITIVITY, STATUS, ROOM, TIER, STAGE, COMPONENT, PRIORITY, PROJECT_STATUS)
    ),
)
