"""Document version: copies of one document, told apart by version number, status, or which is the latest."""

from __future__ import annotations

from typing import Final

from ebf_env.tasks import Condition
from ebf_generators.company import Row
from ebf_generators.conditions.condition import NONE_TO_TWO, ONE_OR_TWO, Plan, register_condition
from ebf_generators.cues import Attribute, Extreme, Negated
from ebf_generators.phrasing.patterns import by_all, by_split
from ebf_generators.stage import Stage

VERSION: Final = Attribute(
    name="version",
    type_name="document",
    path="version",
    pool=lambda _: tuple(f"v{number}" for number in range(1, 10)),
    post=by_split("in {v}; in version {v} | that is at {v}; as {v} | numbered {v}; with version number {v}"),
    pre=by_all("{v} of the"),
)
STATUS: Final = Attribute(
    name="status",
    type_name="document",
    path="status",
    pool=lambda _: ("draft", "in_review", "approved", "final", "archived"),
    said={"in_review": "in review"},
    post=by_split(
        "that is {v}; with the status {v} | marked as {v}; whose status is {v} | listed as {v}; showing as {v}"
    ),
)


def _number(stage: Stage, row: Row, number: int) -> None:
    """Number a version; later ones are newer by every other measure too, and copies of one are equally old."""
    row["version"] = f"v{number}"
    row["created_at"] = stage.company.moment(6 * number - 120, 540)
    row["updated_at"] = stage.company.moment(6 * number - 118, 600)


register_condition(
    Plan(Condition.DOCUMENT_VERSION, (ONE_OR_TWO, ONE_OR_TWO, NONE_TO_TWO)),
    VERSION,
    STATUS,
    Negated(
        name="not this status",
        type_name="document",
        of=STATUS,
        post=STATUS.post,
        without=by_split(
            "that is not {v}; without the status {v}"
            " | not marked as {v}; whose status is not {v}"
            " | not listed as {v}; that does not show as {v}"
        ),
    ),
    Extreme(
        name="latest version",
        type_name="document",
        path="version",
        write=_number,
        post=by_split(
            "in its latest version; in the newest version"
            " | in its highest version; as last revised"
            " | with the top version number; in the most recent revision"
        ),
        pre=by_all("the latest; the newest"),
        least_pre=by_all("the oldest; the earliest"),
        least=by_split(
            "in its first version; in the oldest version"
            " | in its lowest version; as originally written"
            " | with the bottom version number; in the earliest revision"
        ),
    ),
)
