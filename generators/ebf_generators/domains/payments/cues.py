"""What tells vendors, invoices and payment runs of one name apart.

The status is no cue: it is what the tools change, and "pay the invoice that is on hold" would contradict itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ebf_env.json_types import JSON
from ebf_env.tasks import Condition
from ebf_env.world.references import Equals, Form, Named, Related
from ebf_generators.company import Row
from ebf_generators.conditions.condition import register_cue
from ebf_generators.cues import (
    FUTURE,
    PAST,
    Attribute,
    BesideAnchor,
    Cue,
    Deal,
    During,
    Extreme,
    Hold,
    Negated,
    Notified,
    RelatedTo,
    Value,
)
from ebf_generators.domains.payments.records import CATEGORIES, COUNTRIES, CURRENCIES, HOUSES
from ebf_generators.phrasing.patterns import by_all, by_split
from ebf_generators.stage import Rows, Stage

_SAID: Final = {"Netherlands": "the Netherlands", "United Kingdom": "the United Kingdom"}


def _register(cue: Cue, *conditions: Condition) -> None:
    for condition in conditions:
        register_cue(condition, cue)


# --- name collision ---

COUNTRY: Final = Attribute(
    name="country",
    type_name="vendor",
    path="country",
    pool=lambda _: COUNTRIES,
    said=_SAID,
    post=by_split("in {v}; based in {v} | at home in {v}; operating from {v} | located in {v}; with its seat in {v}"),
)
CATEGORY: Final = Attribute(
    name="category",
    type_name="vendor",
    path="category",
    pool=lambda _: CATEGORIES,
    post=by_split(
        "in the {v} category; filed under {v}"
        " | from the {v} category; listed under {v}"
        " | of the {v} category; falling under {v}"
    ),
)
CURRENCY: Final = Attribute(
    name="currency",
    type_name="invoice",
    path="currency",
    pool=lambda _: tuple(dict.fromkeys(CURRENCIES.values())),
    post=by_split(
        "billed in {v}; priced in {v} | charged in {v}; made out in {v} | denominated in {v}; with {v} as its currency"
    ),
)
VENDOR: Final = RelatedTo(
    name="vendor",
    type_name="invoice",
    path="vendor",
    anchor="vendor",
    post=by_split("from {v}; sent by {v} | sent out by {v}; issued by {v} | received from {v}; coming from {v}"),
)


@dataclass(frozen=True, kw_only=True)
class Holding(RelatedTo):
    """A list that names another record, and nothing else."""

    def deal(self, stage: Stage, rows: Rows, holders: Sequence[tuple[str, Hold]]) -> None:
        """Write the list."""
        for entity_id, hold in holders:
            rows.row(entity_id)[self.path] = [hold]


HOLDS: Final = Holding(
    name="holds",
    type_name="payment_run",
    path="invoices",
    anchor="invoice",
    post=by_split("including {v}; holding {v} | covering {v}; containing {v} | listing {v}; set up with {v}"),
)
RUN_OWNER: Final = RelatedTo(
    name="owner",
    type_name="payment_run",
    path="owner",
    anchor="person",
    post=by_split(
        "owned by {v}; with {v} as its owner"
        " | managed by {v}; handled by {v}"
        " | in the hands of {v}; under the charge of {v}"
    ),
    mine=by_split("owned by me; with me as its owner | managed by me; handled by me | in my hands; under my charge"),
)

_register(COUNTRY, Condition.NAME_COLLISION)
_register(CATEGORY, Condition.NAME_COLLISION)
_register(
    Negated(
        name="not this country",
        type_name="vendor",
        of=COUNTRY,
        post=COUNTRY.post,
        without=by_split(
            "not in {v}; not based in {v}"
            " | not at home in {v}; operating outside {v}"
            " | located outside {v}; without a seat in {v}"
        ),
    ),
    Condition.NAME_COLLISION,
)
_register(CURRENCY, Condition.NAME_COLLISION)
_register(
    Negated(
        name="not this currency",
        type_name="invoice",
        of=CURRENCY,
        post=CURRENCY.post,
        without=by_split(
            "not billed in {v}; not priced in {v}"
            " | not charged in {v}; not made out in {v}"
            " | not denominated in {v}; with a currency other than {v}"
        ),
    ),
    Condition.NAME_COLLISION,
)
_register(VENDOR, Condition.NAME_COLLISION)
_register(HOLDS, Condition.NAME_COLLISION)

# --- time ---


def due_on(stage: Stage, row: Row, day: int) -> None:
    """Say when an invoice is due; it was issued, and last changed, before."""
    row["due_date"] = stage.company.day(day)
    row["issued_at"] = stage.company.moment(min(day, 0) - stage.bits.between(21, 45))


def issued_on(stage: Stage, row: Row, day: int) -> None:
    """Say when an invoice was issued; it was entered the same day, and is due after a month."""
    row["issued_at"] = stage.company.moment(day, 360 + stage.bits.below(50))
    row["updated_at"] = stage.company.moment(day, 420 + stage.bits.below(50))
    row["due_date"] = stage.company.day(day + 30)


def _issued_by_number(stage: Stage, row: Row, number: int) -> None:
    row["issued_at"] = stage.company.moment(number - 40, 500)
    row["updated_at"] = stage.company.moment(number - 40, 540)
    row["due_date"] = stage.company.day(number + 5)


def _due_by_number(stage: Stage, row: Row, number: int) -> None:
    row["due_date"] = stage.company.day(3 * number)


def _scheduled_for(stage: Stage, row: Row, day: int) -> None:
    row["scheduled_for"] = stage.company.day(day)


_SHORT_FUTURE: Final = tuple(span for span in FUTURE if not span.said.startswith("the "))
"""Times that stand well before a noun: "next week's", but not "the week after next's"."""

_OF_TIME: Final[tuple[Cue, ...]] = (
    During(
        name="due",
        type_name="invoice",
        path="due_date",
        spans=FUTURE,
        write=due_on,
        post=by_split(
            "due {v}; that is due {v} | payable {v}; that falls due {v} | with a due date {v}; whose deadline is {v}"
        ),
    ),
    During(
        name="was due",
        type_name="invoice",
        path="due_date",
        spans=PAST,
        write=due_on,
        post=by_split(
            "that was due {v}; whose due date was {v}"
            " | that became payable {v}; that fell due {v}"
            " | with a deadline that passed {v}; whose deadline was {v}"
        ),
    ),
    During(
        name="issued",
        type_name="invoice",
        path="issued_at",
        spans=PAST,
        write=issued_on,
        post=by_split(
            "issued {v}; that was issued {v}"
            " | sent out {v}; drawn up {v}"
            " | whose date of issue was {v}; that was billed to us {v}"
        ),
    ),
    BesideAnchor(
        name="due beside",
        type_name="invoice",
        path="due_date",
        write=due_on,
        post=by_split(
            "due after {v}; that is due after {v}"
            " | payable after {v}; that falls due after {v}"
            " | with a later deadline than {v}; due later than {v}"
        ),
        earlier=by_split(
            "due before {v}; that is due before {v}"
            " | payable before {v}; that falls due before {v}"
            " | with an earlier deadline than {v}; due earlier than {v}"
        ),
    ),
    Extreme(
        name="latest issued",
        type_name="invoice",
        path="issued_at",
        write=_issued_by_number,
        pre=by_all("the latest; the newest"),
        post=by_split(
            "issued last; with the latest date of issue"
            " | drawn up last; with the most recent issue date"
            " | billed last; whose issue date is the most recent"
        ),
        least_pre=by_all("the oldest; the earliest"),
        least=by_split(
            "issued first; with the earliest date of issue"
            " | drawn up first; with the oldest issue date"
            " | billed first; whose issue date is the furthest back"
        ),
    ),
    Extreme(
        name="last due",
        type_name="invoice",
        path="due_date",
        write=_due_by_number,
        post=by_split(
            "due last; with the latest due date"
            " | payable last; with the most distant due date"
            " | that has the longest to go; whose due date comes last"
        ),
        least=by_split(
            "due first; with the earliest due date"
            " | payable first; with the closest due date"
            " | that has the least time left; whose due date comes first"
        ),
    ),
    During(
        name="scheduled",
        type_name="payment_run",
        path="scheduled_for",
        spans=_SHORT_FUTURE,
        write=_scheduled_for,
        pre=by_all("{v}'s"),
        post=by_split(
            "that goes out {v}; that runs {v}"
            " | to be released {v}; that takes place {v}"
            " | due for release {v}; that pays out {v}"
        ),
    ),
    BesideAnchor(
        name="scheduled beside",
        type_name="payment_run",
        path="scheduled_for",
        write=_scheduled_for,
        post=by_split(
            "that goes out after {v}; that runs after {v}"
            " | to be released after {v}; to be released later than {v}"
            " | due for release later than {v}; that pays out after {v}"
        ),
        earlier=by_split(
            "that goes out before {v}; that runs before {v}"
            " | to be released before {v}; to be released earlier than {v}"
            " | due for release earlier than {v}; that pays out before {v}"
        ),
    ),
)
for _cue in _OF_TIME:
    _register(_cue, Condition.TEMPORAL)

# --- families of vendors ---


def vendor_family(stage: Stage) -> tuple[str, str]:
    """A new parent, and the brand its branches are known by."""
    brand = stage.brand()
    return stage.make("vendor", name=f"{stage.brand()} Holding"), brand


@dataclass(frozen=True, kw_only=True)
class WithinVendors(Attribute):
    """An attribute of vendors that have one parent."""

    def common(self, stage: Stage) -> Row:
        """The parent."""
        return {"parent": vendor_family(stage)[0]}


@dataclass(frozen=True, kw_only=True)
class OfVendors(Cue):
    """A vendor of a corporate family: "from Oakbridge in Norway"."""

    path: str = "vendor"

    def draw(self, stage: Stage, asked: int, fillers: int) -> Deal:
        """Draw a corporate family, with a branch in another country for each value."""
        parent, brand = vendor_family(stage)
        values, branches = [], list[JSON]()
        for country in stage.bits.sample(COUNTRIES, asked + 1):
            name = f"{brand} {stage.bits.choice(HOUSES)}"
            branches.append(stage.make("vendor", name=name, parent=parent, country=country))
            form = Form("vendor", (Named(stage.words(brand)), Equals("country", country)))
            said = f"{brand} in {_SAID.get(country, country)}"
            values.append(Value(said, branches[-1], Related(self.path, form)))
        return Deal(tuple(values[:asked]), (branches[-1],) * fillers)

    def deal(self, stage: Stage, rows: Rows, holders: Sequence[tuple[str, Hold]]) -> None:
        """Write the vendor."""
        for entity_id, hold in holders:
            rows.row(entity_id)[self.path] = hold


def _within_vendors(of: Attribute) -> WithinVendors:
    return WithinVendors(
        name=f"{of.name} in family", type_name=of.type_name, path=of.path, pool=of.pool, said=of.said, post=of.post
    )


_register(_within_vendors(COUNTRY), Condition.ACCOUNT_COLLISION)
_register(_within_vendors(CATEGORY), Condition.ACCOUNT_COLLISION)
_register(OfVendors(name="family", type_name="invoice", post=VENDOR.post), Condition.ACCOUNT_COLLISION)

# --- other systems ---

_OF_OTHER_SYSTEMS: Final[tuple[Cue, ...]] = (
    RelatedTo(
        name="owner",
        type_name="vendor",
        path="owner",
        anchor="person",
        post=by_split(
            "looked after by {v}; in the charge of {v}"
            " | handled by {v}; managed by {v}"
            " | in the care of {v}; under the responsibility of {v}"
        ),
        mine=by_split(
            "looked after by me; in my charge | handled by me; managed by me | in my care; under my responsibility"
        ),
    ),
    RelatedTo(
        name="approver",
        type_name="invoice",
        path="approver",
        anchor="person",
        post=by_split(
            "approved by {v}; okayed by {v}"
            " | signed off by {v}; with {v} as approver"
            " | cleared by {v}; waved through by {v}"
        ),
        mine=by_split(
            "approved by me; okayed by me | signed off by me; with me as approver | cleared by me; waved through by me"
        ),
    ),
    RelatedTo(
        name="project",
        type_name="invoice",
        path="project",
        anchor="project",
        post=by_split(
            "for the {v} project; charged to {v}"
            " | on the budget of {v}; booked on {v}"
            " | belonging to {v}; assigned to the {v} project"
        ),
    ),
    RelatedTo(
        name="document",
        type_name="invoice",
        path="document",
        anchor="document",
        post=by_split(
            "filed with {v}; delivered with {v}"
            " | accompanied by {v}; sent along with {v}"
            " | itemized in {v}; referring to {v}"
        ),
    ),
)
for _cue in _OF_OTHER_SYSTEMS:
    _register(_cue, Condition.CROSS_SYSTEM)
_register(RUN_OWNER, Condition.NAME_COLLISION, Condition.CROSS_SYSTEM)

# --- records that lag behind ---

for _of in (COUNTRY, CATEGORY, CURRENCY):
    _register(Notified(name=_of.name, type_name=_of.type_name, post=_of.post, joins=False, of=_of), Condition.STALE)
