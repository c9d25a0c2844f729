"""A new kind of record is declared in one place: one class, and everything else in the project knows it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

DECLARATION_AND_USE = """
import json
from typing import Annotated

from ebf_env.errors import WorldError
from ebf_env.world import TOOLS, Permissions, World, WorldState, entity_type, execute
from ebf_env.world.domains.declare import read_tool, search_tool
from ebf_env.world.entity import Detail, EntityModel, RecordPart, Reference, Text, Timestamp


class Line(RecordPart):
    approver: Annotated[str, Reference("person")] | None = None


@entity_type("invoice", domain="billing", label="number")
class Invoice(EntityModel):
    number: Text
    customer: Annotated[str, Reference("customer_account")]
    issued_at: Timestamp | None = None
    lines: Annotated[tuple[Line, ...] | None, Detail()] = None


search_tool("search_invoices", "billing", "Search invoices.", "invoice")
read_tool("get_invoice", "billing", "Open one invoice.", "invoice", "invoice")

from ebf_env.world.domains.crm import CustomerAccount
from ebf_env.world.domains.directory import Person

invoice = Invoice(id="i1", number="INV-7", customer="c1", lines=(Line(approver="p1"),))
others = [CustomerAccount(id="c1", name="Acme"), Person(id="p1", name="A", email="a")]
world = World.from_models([invoice, *others])
state = WorldState(world)
call = lambda name, bindings, arguments: execute(
    TOOLS[name], bindings, arguments, state, permissions=Permissions()
).content


def refused(model):
    try:
        World.from_models([model, *others])
    except WorldError as error:
        return error.field


print(json.dumps({
    "types": world.types,
    "label": world["i1"].label,
    "relations": [[r.path, r.target] for r in world.relations("i1")],
    "referrers": [[r.source, r.path] for r in world.referrers("p1")],
    "found": call("search_invoices", {}, {"query": "inv-7"}),
    "read": call("get_invoice", {"invoice": "i1"}, {}),
    "viewed": state.difference().viewed,
    "slot": TOOLS["get_invoice"].function_schema()["function"]["parameters"]["properties"]["invoice"],
    "bad customer": refused(Invoice(id="i2", number="n", customer="p1")),
    "bad approver": refused(Invoice(id="i2", number="n", customer="c1", lines=(Line(approver="c1"),))),
    "typed": world.typed("i1", Invoice) == invoice,
}))
"""


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """What a fresh interpreter, in which the type is declared, knows about it."""
    done = subprocess.run(
        [sys.executable, "-c", DECLARATION_AND_USE], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_the_store_holds_records_of_a_newly_declared_type(told: dict[str, Any]) -> None:
    assert told["types"] == ["customer_account", "invoice", "person"]
    assert told["label"] == "INV-7"
    assert told["typed"] is True


def test_references_of_a_newly_declared_type_are_followed_and_checked(told: dict[str, Any]) -> None:
    assert told["relations"] == [["customer", "c1"], ["lines.approver", "p1"]]
    assert told["referrers"] == [["i1", "lines.approver"]]
    assert told["bad customer"] == "customer"
    assert told["bad approver"] == "lines.approver"


def test_search_shows_a_newly_declared_type_without_its_details_and_a_read_with_them(told: dict[str, Any]) -> None:
    assert told["found"]["results"] == [{"id": "i1", "type": "invoice", "number": "INV-7", "customer": "c1"}]
    assert told["read"]["records"][0]["lines"] == [{"approver": "p1"}]
    assert told["viewed"] == ["i1"]


def test_a_tool_on_a_newly_declared_type_describes_its_slot(told: dict[str, Any]) -> None:
    assert told["slot"]["x-entity-type"] == "invoice"
