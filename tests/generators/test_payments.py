"""The optional payments domain: coherent vendors, invoices and runs, and a wording for everything done to them."""

from __future__ import annotations

import re
from datetime import date, datetime

import pytest

from ebf_env.world import ENTITY_TYPES, TOOLS
from ebf_env.world.domains.payments import DOMAIN
from ebf_env.world.search import words
from ebf_generators.company import MAKERS, Company
from ebf_generators.domains import payments
from ebf_generators.phrasing.wordings import own_verb, wordings_of
from ebf_generators.pools import SPLITS, default_pools
from ebf_generators.randomness import Bits

TYPES = {name for name, schema in ENTITY_TYPES.items() if schema.domain == DOMAIN}
WORDED = sorted(name for name, spec in TOOLS.items() if spec.domain == DOMAIN and not spec.is_search)


def company(number: int = 0, size: int = 400, split: str = "train", **options) -> Company:
    options.setdefault("domains", (DOMAIN,))
    made = Company(Bits(9, split, number), default_pools(split), **options)
    made.fill(size)
    return made


# --- records ---


@pytest.mark.parametrize("size", [20, 40, 120, 400])
@pytest.mark.parametrize("split", SPLITS)
def test_a_company_that_pays_hangs_together_whatever_its_size(size, split):
    for number in range(5):
        world = company(number, size, split).world()
        assert len(world) == size
        world.check()
        assert all(world.ids_of_type(name) for name in ("vendor", "invoice"))


def test_all_types_are_there_in_their_shares():
    world = company(1).world()
    total = sum(maker.share for maker in MAKERS.values() if maker.domain in (None, DOMAIN))
    for maker in MAKERS.values():
        if maker.domain in (None, DOMAIN):
            assert abs(len(world.ids_of_type(maker.type_name)) / 400 - maker.share / total) < 0.02


@pytest.mark.parametrize("domains", [(), ("another",)])
def test_without_the_domain_no_record_of_it_appears(domains):
    made = company(2, domains=domains)
    assert {MAKERS[name].domain for name in TYPES} == {DOMAIN}
    assert not TYPES & set(made.world().types)
    assert not any(made.ids(name) for name in TYPES)
    run = made.make("payment_run")
    assert made.fields(made.fields(run)["invoices"][0])["vendor"] in made.ids("vendor")
    made.world().check()


def test_vendors_are_called_by_names_that_no_other_vendor_and_no_customer_has():
    for number in range(5):
        world = company(number, 1500).world()
        names = [vendor.get("name") for vendor in world.of_type("vendor")]
        assert len(set(names)) == len(names)
        assert not {words(name)[1] for name in names} & {
            words(account.get("name"))[1] for account in world.of_type("customer_account")
        }
        for branch in world.of_type("vendor"):
            if parent := branch.get("parent"):
                assert branch.get("name").startswith(f"{world[parent].get('name')} ")
                assert branch.get("category") == world[parent].get("category")
                assert world[parent].get("parent") is None


def test_numbers_tell_all_vendors_and_all_invoices_apart():
    world = company(3, 1500).world()
    for type_name, field in (("vendor", "vendor_number"), ("invoice", "number")):
        numbers = [entity.get(field) for entity in world.of_type(type_name)]
        assert len(set(numbers)) == len(numbers) > 50
        assert all(re.fullmatch(r"(VN|INV)-\d{4,5}", number) for number in numbers)


def test_an_invoice_is_issued_updated_and_due_in_the_money_of_its_vendor():
    made = company(4)
    world, today = made.world(), made.now.date()
    staff = {person.id for person in world.of_type("person") if not person.get("account")}
    for invoice in world.of_type("invoice"):
        issued, updated = (datetime.fromisoformat(invoice.get(name)) for name in ("issued_at", "updated_at"))
        assert issued < updated < made.now
        assert (date.fromisoformat(invoice.get("due_date")) - issued.date()).days in (14, 30, 45, 60)
        assert issued.date() < today
        assert invoice.get("amount") > 0
        assert {invoice.get("approver"), invoice.get("updated_by")} <= staff
        assert invoice.get("currency") == payments._CURRENCIES[world[invoice.get("vendor")].get("country")]


def test_a_run_holds_invoices_of_no_other_run_that_have_got_as_far_as_it_has():
    reached = {"scheduled": "planned", "paid": "released", "refunded": "released"}
    seen = set()
    for number in range(5):
        made = company(number)
        world, today = made.world(), made.day(0)
        held = [invoice for run in world.of_type("payment_run") for invoice in run.get("invoices")]
        assert len(set(held)) == len(held) > 0
        for run in world.of_type("payment_run"):
            status, when = run.get("status"), run.get("scheduled_for")
            seen.add(status)
            assert {reached.get(world[i].get("status"), "void") for i in run.get("invoices")} == {status}
            assert status == "void" or (when > today) == (status == "planned")
    assert seen == {"planned", "released", "void"}


def test_given_fields_win_over_drawn_ones_and_what_follows_from_them_fits():
    made = company(5, 40)
    vendor = made.make("vendor", name="Rhine Couriers", country="Norway")
    branch = made.make("vendor", parent=vendor)
    assert made.fields(vendor)["category"] == made.fields(branch)["category"] == "freight"
    assert made.fields(branch)["name"].startswith("Rhine Couriers ")
    invoice = made.make("invoice", vendor=vendor, issued_at=made.moment(-2), status="scheduled")
    assert made.fields(invoice)["currency"] == "NOK"
    assert made.fields(invoice)["issued_at"] < made.fields(invoice)["updated_at"]
    assert made.fields(invoice)["due_date"] > made.day(0)
    today = made.make("invoice", issued_at=made.moment(0, 60))
    assert made.fields(today)["updated_at"] == made.fields(today)["issued_at"]
    assert made.fields(made.make("payment_run", status="planned"))["status"] == "planned"
    assert made.fields(made.make("payment_run", invoices=[invoice]))["invoices"] == [invoice]
    made.world().check()


def test_reserved_words_are_kept_out_of_what_background_records_are_called():
    reserved = ("Payroll invoice", "Logistics payment run", "Alderport Couriers")
    world = company(6, reserved=reserved).world()
    taken = {"payroll", "invoice", "logistics", "payment", "run", "alderport"}
    for type_name in TYPES:
        assert not any(taken & set(words(entity.label)) for entity in world.of_type(type_name))


def test_the_same_number_gives_the_same_company():
    assert company(7).world() == company(7).world() != company(8).world()


# --- wordings ---

FORMS = {"pay": "pay pays paid paying", "get": "get gets got getting", "hold": "hold holds held holding"}
TIMES = (
    "now today tomorrow yesterday tonight soon later earlier latest newest last next first recent recently monday "
    "tuesday wednesday thursday friday saturday sunday week month year day immediately already again still"
)


def said(tool: str) -> list[tuple[str, str, str]]:
    """Every (split, kind, wording) of a tool."""
    return [
        (split, kind, text)
        for splits in wordings_of(tool).values()
        for split, both in splits.items()
        for kind, texts in (("do", both.do), ("say", both.say))
        for text in texts
    ]


def has_own_verb(tool: str, text: str) -> bool:
    verb = own_verb(tool)
    forms = FORMS.get(verb, f"{verb} {verb}s {verb}ed {verb}ing").split()
    return bool(set(forms) & set(re.findall(r"[a-z]+", re.sub(r"{\w+}", "", text.lower()))))


@pytest.mark.parametrize("tool", WORDED)
def test_all_slots_of_a_tool_are_worded_in_every_split(tool):
    assert set(wordings_of(tool)) == {tuple(p.slot for p in TOOLS[tool].preconditions)}
    for splits in wordings_of(tool).values():
        for split in SPLITS:
            assert len(splits[split].do) >= 5
            assert len(splits[split].say) >= 4
            assert sum(not has_own_verb(tool, text) for text in splits[split].do) >= 2


@pytest.mark.parametrize("tool", WORDED)
def test_wordings_are_phrases_and_sentences_that_any_mention_fits_into(tool):
    for _, kind, text in said(tool):
        assert text.isascii()
        assert len(text) < 120
        assert text == " ".join(text.split())
        assert not re.search(r"\b(the|a|an|this|that|our|my|which|your) {|}'|{\w+} {", text), text
        assert not set(TIMES.split()) & set(re.findall(r"[a-z]+", text.lower())), text
        if kind == "do":
            assert re.match(r"[a-z]", text)
            assert text[-1] not in ".?!"
        else:
            assert re.match(r"[A-Z{]", text)
            assert text[-1] in ".?"
            assert not has_own_verb(tool, text), text


def test_no_wording_is_said_twice_for_whatever_tool_or_split():
    texts = [text for tool in WORDED for _, _, text in said(tool)]
    assert len({re.sub(r"{\w+}", "{}", text).lower() for text in texts}) == len(texts)
