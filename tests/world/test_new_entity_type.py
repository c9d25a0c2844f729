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


class Parcel(RecordPart):
    courier: Annotated[str, Reference("person")] | None = None


@entity_type("shipment", domain="logistics", label="number")
class Shipment(EntityModel):
    number: Text
    customer: Annotated[str, Reference("customer_account")]
    sent_at: Timestamp | None = None
    parcels: Annotated[tuple[Parcel, ...] | None, Detail()] = None


search_tool("search_shipments", "logistics", "Search shipments.", "shipment")
read_tool("get_shipment", "logistics", "Open one shipment.", "shipment", "shipment")

from ebf_env.world.domains.crm import CustomerAccount
from ebf_env.world.domains.directory import Person

shipment = Shipment(id="s1", number="SHP-7", customer="c1", parcels=(Parcel(courier="p1"),))
others = [CustomerAccount(id="c1", name="Acme"), Person(id="p1", name="A", email="a")]
world = World.from_models([shipment, *others])
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
    "label": world["s1"].label,
    "relations": [[r.path, r.target] for r in world.relations("s1")],
    "referrers": [[r.source, r.path] for r in world.referrers("p1")],
    "found": call("search_shipments", {}, {"query": "shp-7"}),
    "read": call("get_shipment", {"shipment": "s1"}, {}),
    "viewed": state.difference().viewed,
    "slot": TOOLS["get_shipment"].function_schema()["function"]["parameters"]["properties"]["shipment"],
    "bad customer": refused(Shipment(id="s2", number="n", customer="p1")),
    "bad courier": refused(Shipment(id="s2", number="n", customer="c1", parcels=(Parcel(courier="c1"),))),
    "typed": world.typed("s1", Shipment) == shipment,
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
    assert told["types"] == ["customer_account", "person", "shipment"]
    assert told["label"] == "SHP-7"
    assert told["typed"] is True


def test_references_of_a_newly_declared_type_are_followed_and_checked(told: dict[str, Any]) -> None:
    assert told["relations"] == [["customer", "c1"], ["parcels.courier", "p1"]]
    assert told["referrers"] == [["s1", "parcels.courier"]]
    assert told["bad customer"] == "customer"
    assert told["bad courier"] == "parcels.courier"


def test_search_shows_a_newly_declared_type_without_its_details_and_a_read_with_them(told: dict[str, Any]) -> None:
    assert told["found"]["results"] == [{"id": "s1", "type": "shipment", "number": "SHP-7", "customer": "c1"}]
    assert told["read"]["records"][0]["parcels"] == [{"courier": "p1"}]
    assert told["viewed"] == ["s1"]


def test_a_tool_on_a_newly_declared_type_describes_its_slot(told: dict[str, Any]) -> None:
    assert told["slot"]["x-entity-type"] == "shipment"
