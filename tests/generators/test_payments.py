"""The optional payments domain: coherent records, wordings, and tasks of every tool and condition that prove."""

from __future__ import annotations

import re
from datetime import date, datetime

import pytest

from ebf_env.envs import Episode
from ebf_env.errors import ConfigurationError
from ebf_env.tasks import Condition, Task
from ebf_env.tasks.proof import prove
from ebf_env.tasks.suite import task_line
from ebf_env.world import ENTITY_TYPES, TOOLS
from ebf_env.world.domains.payments import DOMAIN
from ebf_env.world.search import words
from ebf_generators.company import MAKERS, Company
from ebf_generators.conditions.condition import PLANS
from ebf_generators.config import PAPER_DOMAINS, SuiteConfig
from ebf_generators.domains.payments import records
from ebf_generators.generator import Generator
from ebf_generators.heads import headed_types
from ebf_generators.hops import hops_to
from ebf_generators.phrasing.wordings import own_verb, wordings_of
from ebf_generators.pools import SPLITS, default_pools
from ebf_generators.randomness import Bits
from ebf_generators.recipes import Way, ways
from ebf_generators.stage import Stage, register_noun

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


def test_a_run_that_is_given_no_invoices_has_none():
    made = company(2, 40)
    assert "invoices" not in made.fields(made.make("payment_run", invoices=None))
    assert made.fields(made.make("payment_run"))["invoices"]


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
        assert invoice.get("currency") == records.CURRENCIES[world[invoice.get("vendor")].get("country")]


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


# --- tasks ---

EMPTY = {(Condition.DOCUMENT_VERSION, tool) for tool in ("get_vendor", "draft_vendor_note", "void_payment_run")}
"""Cells of condition and tool without tasks: no field ties a document to a vendor or to a run."""

CELLS = [(condition, tool) for condition in PLANS for tool in WORDED if (condition, tool) not in EMPTY]


def drawn(count: int = 0, **settings) -> list[Task]:
    """Tasks of a suite on payments: so many, or one turn of its schedule."""
    generator = Generator(SuiteConfig(**{"tasks": 10_000, "domains": (DOMAIN,), **settings}))
    return list(generator.tasks(0, count or generator.chunk))


@pytest.fixture(scope="module")
def turns() -> list[Task]:
    return [task for split in SPLITS for task in drawn(split=split, seed=3)]


@pytest.mark.parametrize(("condition", "tool"), CELLS)
def test_every_condition_has_tasks_of_every_tool_that_prove(condition, tool):
    found = drawn(split=SPLITS[len(tool) % 3], conditions=(condition,), tools=(tool,))
    assert {task.tool for task in found} == {tool}
    assert {task.base_condition for task in found} == {condition}
    assert condition in {task.condition for task in found}
    for task in found:
        proof = prove(task.check(), Episode(task).observation.text())
        assert not proof.faults
        assert not proof.unproven


@pytest.mark.parametrize(("condition", "tool"), sorted(EMPTY))
def test_a_cell_that_is_empty_is_refused(condition, tool):
    with pytest.raises(ConfigurationError, match=condition):
        drawn(conditions=(condition,), tools=(tool,))


def test_conditions_that_no_vendor_and_no_run_carries_itself_are_carried_through_another_record(turns):
    hops: dict[tuple[str, str], set[str | None]] = {}
    for task in turns:
        assert task.certificate is not None
        hops.setdefault((task.base_condition, task.mentions[0].form["type"]), set()).add(task.certificate["hop"])
    assert hops[Condition.DOCUMENT_VERSION, "invoice"] == {"document"}
    for condition, type_name in ((Condition.TEMPORAL, "vendor"), (Condition.STALE, "payment_run")):
        assert None not in hops.get((condition, type_name), set())
    assert {None, "vendor", "owner"} & hops[Condition.NAME_COLLISION, "vendor"]


def test_nothing_in_what_a_mention_may_mean_contradicts_what_is_to_be_done_to_it(turns):
    seen = set()
    for task in turns:
        for proof in prove(task).mentions:
            for entity_id in proof.surface:
                entity = task.world[entity_id]
                seen.add(entity.type)
                assert entity.type != "invoice" or entity.get("status") is None
                if entity.type == "payment_run":
                    assert entity.get("status") == "planned"
                    assert entity.get("scheduled_for") > task.now[:10]
    assert seen >= {"vendor", "invoice", "payment_run"}


def test_invoices_are_issued_then_changed_and_due_after_their_issue_whatever_a_task_asks_of_them(turns):
    for task in turns:
        for invoice in task.world.of_type("invoice"):
            issued, updated = (datetime.fromisoformat(invoice.get(name)) for name in ("issued_at", "updated_at"))
            assert issued <= updated < datetime.fromisoformat(task.now), task.certificate
            assert date.fromisoformat(invoice.get("due_date")) > issued.date(), task.certificate


def test_the_same_settings_give_the_same_tasks_in_whatever_order():
    config = SuiteConfig(tasks=60, domains=(DOMAIN,), seed=8, split="val")
    lines = [task_line(task) for task in Generator(config).tasks()]
    again = Generator(config.model_copy(update={"tasks": 9_000}))
    assert [task_line(again.task(index)) for index in reversed(range(60))] == lines[::-1]
    assert [task_line(task) for task in Generator(config.model_copy(update={"seed": 9})).tasks()] != lines


@pytest.mark.parametrize("settings", [{"noise": "high"}, {"mix": "paper"}, {"locales": ("de_DE", "pl_PL")}], ids=repr)
def test_tasks_on_payments_are_proven_under_other_settings_too(settings):
    for task in drawn(60, **settings):
        assert not prove(task, Episode(task).observation.text()).faults


def test_records_added_to_a_large_company_have_numbers_of_their_own():
    for task in drawn(60, visibility="search", world_size=600):
        for type_name, field in (("vendor", "vendor_number"), ("invoice", "number")):
            held = [entity.get(field) for entity in task.world.of_type(type_name)]
            assert len(set(held)) == len(held)
        assert not prove(task).faults


# --- without the domain ---


def used(way: Way) -> set[str]:
    """The types of records a way to carry a condition needs."""
    _, cue, hop = way
    return {name for name in (getattr(cue, "anchor", None), hop and hop.inner, hop and hop.outer) if name}


def all_ways(*domains: str) -> list[Way]:
    return [
        way
        for condition, plan in PLANS.items()
        for counts in plan.shapes
        for type_name in headed_types()
        if type_name not in TYPES
        for found in ways(condition, counts, type_name, frozenset(domains))
        for way in found
    ]


def test_suites_without_payments_hold_no_record_of_it_and_never_turn_on_one():
    generator = Generator(SuiteConfig(tasks=10_000))
    for task in generator.tasks(0, generator.chunk):
        assert not TYPES & set(task.world.types)
        assert not any(f"'type': '{name}'" in str(mention.form) for mention in task.mentions for name in TYPES)
        assert all(spec.domain != DOMAIN for spec in task.tools)


def test_ways_through_payments_are_taken_where_the_domain_is_there_and_add_to_the_others():
    without, within = all_ways(*PAPER_DOMAINS), all_ways(*PAPER_DOMAINS, DOMAIN)
    assert without == all_ways()
    assert not [way for way in without if used(way) & TYPES]
    assert [way for way in within if not used(way) & TYPES] == without
    assert {way[2].outer for way in within if used(way) & TYPES} == {"person", "document", "project"}


def test_a_suite_of_several_domains_meets_people_through_invoices():
    found = [
        task
        for task in drawn(1200, domains=("email", DOMAIN), conditions=("temporal", "stale"))
        if task.domain == "email" and "'invoice'" in str(task.mentions[0].form)
    ]
    assert found
    for task in found:
        assert task.world.ids_of_type("invoice")
        assert not prove(task).faults


# --- registration ---


def test_a_type_has_one_noun_only():
    with pytest.raises(ConfigurationError, match="invoice"):
        register_noun("invoice", "bill")


def test_records_made_for_a_task_have_what_their_noun_was_registered_with_unless_it_says_otherwise():
    stage = Stage(Bits(1, "train", 0), default_pools("train"), (DOMAIN,))
    assert "status" not in stage.row(stage.make("invoice"))
    assert stage.row(stage.make("invoice", status="paid"))["status"] == "paid"
    assert stage.row(stage.make("payment_run"))["status"] == "planned"


def test_hops_lead_to_each_type_of_payments():
    assert {hop.inner for hop in hops_to("invoice")} == {"document", "project", "person", "vendor"}
    assert {hop.inner for hop in hops_to("vendor")} == {"invoice", "person"}
    assert {hop.inner for hop in hops_to("payment_run")} == {"invoice", "person"}
