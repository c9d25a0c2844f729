"""Tools act: each leaves its own trace in the world, on the records it was bound to, and on the base world none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from itertools import combinations

import pytest
from typed_world import ARGUMENTS, NOW, TARGETS, USER, bind, fingerprint, run, typed_world, usable_arguments

from ebf_env.errors import WorldError
from ebf_env.json_types import JSON, canonical_json
from ebf_env.world import (
    TOOLS,
    Activity,
    Difference,
    Entity,
    FieldChange,
    Permissions,
    ToolSpec,
    World,
    WorldState,
    execute,
)
from ebf_env.world.binding import Binding
from ebf_env.world.domains.calendar import MoveEvent
from ebf_env.world.tools.effects import Append, Create, Delete, Update, View

WORLD = typed_world()
ALL = sorted(TOOLS)
WRITES = [name for name in ALL if not TOOLS[name].is_read]
READS = [name for name in ALL if TOOLS[name].is_read and not TOOLS[name].is_search]
SEARCHES = [name for name in ALL if TOOLS[name].is_search]
CREATES = ["draft_document", "draft_email", "forward_thread", "schedule_event", "send_email"]
DELETES = ["delete_customer_record", "delete_document", "delete_thread"]
TWO_TARGETS = [name for name in ALL if TOOLS[name].preconditions]


def difference_of(
    name: str,
    bindings: dict[str, Binding] | None = None,
    arguments: Mapping[str, JSON] | None = None,
    *,
    world: World = WORLD,
    user_id: str | None = USER,
    now: str | None = NOW,
) -> Difference:
    state = WorldState(world)
    result = run(TOOLS[name], bindings, arguments, state=state, user_id=user_id, now=now)
    assert result.content["status"] == "ok"
    assert not result.denied
    return state.difference()


def variants(spec: ToolSpec) -> list[tuple[dict[str, Binding], dict[str, JSON]]]:
    """Every combination of mandatory or all slots, with and without arguments."""
    return [
        (bind(spec, optional=optional), usable_arguments(spec) if with_arguments else {})
        for optional in (False, True)
        for with_arguments in (False, True)
    ]


# --- every tool leaves its kind of trace ---


@pytest.mark.parametrize("name", WRITES)
def test_a_write_leaves_a_difference_and_a_sound_world(name: str) -> None:
    for bindings, arguments in variants(TOOLS[name]):
        state = WorldState(WORLD)
        result = run(TOOLS[name], bindings, arguments, state=state)
        assert result.content["status"] == "ok"
        assert "ignored_arguments" not in result.content
        assert state.difference().writes
        assert state.difference().viewed == ()
        state.freeze().check()


@pytest.mark.parametrize("name", WRITES)
def test_a_write_by_nobody_at_no_time_still_leaves_a_difference_and_a_sound_world(name: str) -> None:
    for bindings, arguments in variants(TOOLS[name]):
        state = WorldState(WORLD)
        run(TOOLS[name], bindings, arguments, state=state, user_id=None, now=None)
        assert state.difference().writes
        state.freeze().check()


@pytest.mark.parametrize("name", [name for name in WRITES if name not in DELETES])
def test_a_write_done_twice_differs_from_one_done_once(name: str) -> None:
    for bindings, arguments in variants(TOOLS[name]):
        once, twice = WorldState(WORLD), WorldState(WORLD)
        run(TOOLS[name], bindings, arguments, state=once)
        for _ in range(2):
            run(TOOLS[name], bindings, arguments, state=twice)
        assert fingerprint(once.difference()) != fingerprint(twice.difference())
        twice.freeze().check()


@pytest.mark.parametrize("name", READS)
def test_a_read_leaves_a_view_and_shows_the_whole_record(name: str) -> None:
    (slot,) = (p.slot for p in TOOLS[name].preconditions)
    (entity_id,) = bind(TOOLS[name]).values()
    assert isinstance(entity_id, str)
    state = WorldState(WORLD)
    result = run(TOOLS[name], {slot: entity_id}, state=state)
    assert state.difference() == Difference(activity=(Activity(name, "view", entity_id, {"slot": slot}),))
    assert state.freeze() == WORLD
    assert result.content == {"status": "ok", "records": [WORLD[entity_id].to_json()]}


def test_a_read_shows_details_that_a_search_leaves_out() -> None:
    state = WorldState(WORLD)
    read = run(TOOLS["read_thread"], {"thread": "t_launch"}, state=state).content["records"]
    assert isinstance(read, list)
    assert read[0]["messages"][0]["body"] == "See attached."


def test_a_read_shows_the_record_as_it_is_now() -> None:
    state = WorldState(WORLD)
    run(TOOLS["update_document"], {"document": "d_memo"}, {"title": "Renamed"}, state=state)
    records = run(TOOLS["read_document"], {"document": "d_memo"}, state=state).content["records"]
    assert isinstance(records, list)
    assert records[0]["title"] == "Renamed"


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("arguments", [{}, {"query": "a"}, {"query": "a", "limit": 2, "offset": 1}], ids=canonical_json)
def test_a_search_leaves_nothing_but_an_entry_in_the_log(name: str, arguments: dict[str, JSON]) -> None:
    state = WorldState(WORLD)
    assert run(TOOLS[name], {}, arguments, state=state).content["status"] == "ok"
    assert state.difference() == Difference(activity=(Activity(name, "search", ""),))
    assert not state.difference().writes
    assert state.freeze() == WORLD


def test_every_tool_is_a_write_a_read_of_a_record_or_a_search() -> None:
    assert sorted(WRITES + READS + SEARCHES) == ALL


# --- no two calls leave the same trace ---


@pytest.mark.parametrize("optional", [False, True], ids=["mandatory slots", "all slots"])
@pytest.mark.parametrize("known", [True, False], ids=["user and time known", "user and time unknown"])
@pytest.mark.parametrize("with_arguments", [False, True], ids=["no arguments", "all arguments"])
def test_two_writes_never_leave_the_same_records_where_there_is_something_to_do(
    optional: bool, known: bool, with_arguments: bool
) -> None:
    traces = Counter(
        fingerprint(
            difference_of(
                name,
                bind(TOOLS[name], optional=optional),
                usable_arguments(TOOLS[name]) if with_arguments else {},
                user_id=USER if known else None,
                now=NOW if known else None,
            ),
            logged=name in READS,
        )
        for name in WRITES + READS
    )
    assert [trace for trace, count in traces.items() if count > 1] == []


IDEMPOTENT = [
    "assign_ticket",
    "cancel_event",
    "close_opportunity",
    "close_ticket",
    "escalate_ticket",
    "invite_attendee",
    "move_document",
    "reschedule_event",
    "share_document",
    "update_customer_record",
    "update_document",
    "update_opportunity",
    "void_payment_run",
]
"""Without arguments, what these do is done once and for all."""

RIVALS = ["add_invoice_to_run", "hold_invoice", "pay_invoice", "refund_invoice"]
"""Each of these, too, until another of them is done to the same record."""


def settled(last: str = "add_invoice_to_run", *, known: bool = True) -> World:
    """The world after all of it was done to the first records, and everybody has access and is invited."""
    state = WorldState(WORLD)
    for name in [*IDEMPOTENT, *(rival for rival in RIVALS if rival != last), last]:
        run(TOOLS[name], state=state, user_id=USER if known else None, now=NOW if known else None)
    people = WORLD.ids_of_type("person")
    for kind, field in [("document", "shared_with"), ("calendar_event", "attendees")]:
        for entity in WORLD.of_type(kind):
            state.put(Entity(entity.id, kind, {**state[entity.id].fields, field: list(people)}))
    return state.freeze()


@pytest.mark.parametrize("last", RIVALS)
@pytest.mark.parametrize("known", [True, False], ids=["user and time known", "user and time unknown"])
def test_two_tools_never_leave_the_same_difference_even_where_there_is_nothing_left_to_do(
    known: bool, last: str
) -> None:
    world = settled(last, known=known)
    user_id, now = (USER, NOW) if known else (None, None)
    differences = {name: difference_of(name, world=world, user_id=user_id, now=now) for name in ALL}
    for name in [*IDEMPOTENT, last]:
        assert {change.field for change in differences[name].changed} == {"revision"}, name
    twins = [
        (one, other)
        for one, other in combinations(differences, 2)
        if fingerprint(differences[one]) == fingerprint(differences[other])
    ]
    assert twins == []


SECOND_SLOTS = [
    ("add_invoice_to_run", "payment_run"),
    ("assign_ticket", "assignee"),
    ("draft_email", "recipient"),
    ("draft_document", "folder"),
    ("forward_thread", "recipient"),
    ("invite_attendee", "attendee"),
    ("move_document", "folder"),
    ("schedule_event", "attendees"),
    ("send_email", "recipient"),
    ("share_document", "recipient"),
]


@pytest.mark.parametrize(("name", "slot"), SECOND_SLOTS)
def test_a_tool_leaves_another_difference_for_each_recipient_even_where_there_is_nothing_left_to_do(
    name: str, slot: str
) -> None:
    world, spec = settled(), TOOLS[name]
    precondition = spec.precondition(slot)
    assert precondition is not None
    choices = world.ids_of_type(precondition.entity_type)
    assert len(choices) > 2
    traces = {
        fingerprint(difference_of(name, {**bind(spec), slot: (i,) if precondition.many else i}, world=world))
        for i in choices
    }
    assert len(traces) == len(choices)


@pytest.mark.parametrize(
    ("name", "slot", "field"),
    [("share_document", "recipient", "shared_with"), ("invite_attendee", "attendee", "attendees")],
)
def test_what_somebody_has_already_is_given_to_them_by_name(name: str, slot: str, field: str) -> None:
    (record,) = {bound for other, bound in bind(TOOLS[name]).items() if other != slot}
    difference = difference_of(name, {**bind(TOOLS[name]), slot: "p_kim"}, world=settled())
    assert {change.field for change in difference.changed} == {"revision"}
    assert difference.activity == (Activity(name, "append", str(record), {field: ["p_kim"]}),)


@pytest.mark.parametrize("name", TWO_TARGETS)
def test_a_tool_on_another_entity_leaves_another_difference_whatever_the_slot(name: str) -> None:
    spec = TOOLS[name]
    for arguments in ({}, usable_arguments(spec)):
        first, second = bind(spec, optional=True), bind(spec, 1, optional=True)
        choices: list[dict[str, Binding]] = [first, second]
        choices += [{**first, slot: second[slot]} for slot in first]
        choices = [dict(items) for items in {tuple(choice.items()) for choice in choices}]
        traces = [fingerprint(difference_of(name, choice, arguments)) for choice in choices]
        assert len(set(traces)) == len(choices)


@pytest.mark.parametrize("name", [name for name in ALL if any(not p.required for p in TOOLS[name].preconditions)])
def test_every_optional_slot_that_is_bound_shows_in_the_difference(name: str) -> None:
    spec = TOOLS[name]
    without = fingerprint(difference_of(name))
    for p in spec.preconditions:
        if not p.required:
            bound = bind(spec, optional=True)[p.slot]
            assert fingerprint(difference_of(name, {**bind(spec), p.slot: bound})) != without


@pytest.mark.parametrize(("name", "slot"), [("send_email", "attachments"), ("schedule_event", "attendees")])
def test_a_slot_that_takes_many_puts_all_its_records_into_the_difference(name: str, slot: str) -> None:
    spec = TOOLS[name]
    kind = next(p.entity_type for p in spec.preconditions if p.slot == slot)
    traces = {
        fingerprint(difference_of(name, {**bind(spec), slot: chosen}))
        for chosen in [TARGETS[kind], TARGETS[kind][:1], TARGETS[kind][1:]]
    }
    assert len(traces) == 3


# --- the activity log ---


@pytest.mark.parametrize("name", WRITES + READS)
def test_every_effect_of_a_tool_is_logged_under_its_name(name: str) -> None:
    spec = TOOLS[name]
    kinds = {Create: "create", Update: "update", MoveEvent: "update", Append: "append", Delete: "delete", View: "view"}
    for bindings, arguments in variants(spec):
        difference = difference_of(name, bindings, arguments)
        expected = [
            (kinds[type(effect)], bindings[effect.target] if effect.target else difference.created[0].id)
            for effect in spec.effects
            if not (isinstance(effect, Append) and effect.when and effect.when not in arguments)
        ]
        assert [(entry.kind, entry.entity_id) for entry in difference.activity] == expected
        assert {entry.tool for entry in difference.activity} == {name}


def test_the_log_says_what_was_written() -> None:
    assert difference_of("cancel_event").activity == (
        Activity("cancel_event", "update", "e_retro", {"status": "cancelled", **STAMP}),
    )
    assert difference_of("reschedule_event", arguments={"start": ARGUMENTS["start"]}).activity == (
        Activity(
            "reschedule_event", "update", "e_retro", {"start": ARGUMENTS["start"], "end": ARGUMENTS["end"], **STAMP}
        ),
    )
    assert difference_of("escalate_ticket", arguments={"reason": "fire"}).activity == (
        Activity("escalate_ticket", "update", "k_login", {"escalated": True, **STAMP}),
        Activity("escalate_ticket", "append", "k_login", {"comments": [{**COMMENT, "text": "fire"}]}),
    )


def test_the_log_of_several_calls_is_in_the_order_they_were_made() -> None:
    state = WorldState(WORLD)
    for name in ("read_document", "update_document", "read_document", "delete_document"):
        run(TOOLS[name], {"document": "d_memo"}, state=state)
    run(TOOLS["search_documents"], {}, state=state)
    difference = state.difference()
    assert [(entry.tool, entry.kind) for entry in difference.activity] == [
        ("read_document", "view"),
        ("update_document", "update"),
        ("read_document", "view"),
        ("delete_document", "delete"),
        ("search_documents", "search"),
    ]
    assert difference.viewed == ("d_memo", "d_memo")


# --- what each tool does ---


def changed(difference: Difference) -> dict[tuple[str, str], JSON]:
    return {(change.entity_id, change.field): change.after for change in difference.changed}


STAMP: dict[str, JSON] = {"updated_at": NOW, "updated_by": USER}
COMMENT: dict[str, JSON] = {"author": USER, "written_at": NOW}

CHANGES: dict[str, tuple[str, dict[str, JSON], dict[str, JSON]]] = {
    "draft_account_note": ("c_globex", {"note": "hi"}, {"notes": [{**COMMENT, "text": "hi", "draft": True}]}),
    "draft_ticket_comment": ("k_login", {"comment": "hi"}, {"comments": [{**COMMENT, "text": "hi", "draft": True}]}),
    "reply_email_thread": ("t_lunch", {"body": "hi"}, {"messages": [{"sender": USER, "sent_at": NOW, "body": "hi"}]}),
    "invite_attendee": ("e_retro", {}, {"attendees": ["p_alex_chen"]}),
    "reschedule_event": (
        "e_retro",
        {"start": ARGUMENTS["start"], "end": ARGUMENTS["end"]},
        {"start": ARGUMENTS["start"], "end": ARGUMENTS["end"], **STAMP},
    ),
    "share_document": ("d_budget", {}, {"shared_with": ["p_alex_chen"]}),
    "update_document": ("d_budget", {"title": "T", "body": "B"}, {"title": "T", "body": "B", **STAMP}),
    "move_document": ("d_budget", {}, {"folder": "f_archive"}),
    "update_customer_record": (
        "c_globex",
        {"status": "churned", "tier": "gold", "region": "APAC", "renewal_date": "2027-01-31", "note": "hi"},
        {
            "status": "churned",
            "tier": "gold",
            "region": "APAC",
            "renewal_date": "2027-01-31",
            "notes": [{**COMMENT, "text": "hi"}],
            **STAMP,
        },
    ),
    "update_opportunity": (
        "o_renewal",
        {"stage": "won?", "amount": 7, "close_date": "2027-01-31"},
        {"stage": "won?", "amount": 7, "close_date": "2027-01-31", "updated_at": NOW},
    ),
    "comment_ticket": ("k_login", {"comment": "hi"}, {"comments": [{**COMMENT, "text": "hi"}]}),
    "assign_ticket": ("k_login", {}, {"assignee": "p_alex_chen", **STAMP}),
    "escalate_ticket": (
        "k_login",
        {"reason": "fire"},
        {"escalated": True, "comments": [{**COMMENT, "text": "fire"}], **STAMP},
    ),
    "cancel_event": ("e_retro", {}, {"status": "cancelled", **STAMP}),
    "close_opportunity": ("o_renewal", {"stage": "won"}, {"status": "closed", "stage": "won", "updated_at": NOW}),
    "close_ticket": (
        "k_login",
        {"resolution": "fixed"},
        {"status": "closed", "comments": [{**COMMENT, "text": "fixed"}], **STAMP},
    ),
    "draft_vendor_note": ("v_paper", {"note": "hi"}, {"notes": [{**COMMENT, "text": "hi", "draft": True}]}),
    "hold_invoice": (
        "i_audit",
        {"reason": "twice"},
        {"status": "on_hold", "notes": [{**COMMENT, "text": "twice"}], **STAMP},
    ),
    "pay_invoice": ("i_audit", {"note": "hi"}, {"status": "paid", "notes": [{**COMMENT, "text": "hi"}], **STAMP}),
    "refund_invoice": (
        "i_audit",
        {"reason": "broken"},
        {"status": "refunded", "notes": [{**COMMENT, "text": "broken"}], **STAMP},
    ),
    "void_payment_run": ("r_april", {}, {"status": "void", **STAMP}),
}

CHANGES_OF_TWO: dict[str, dict[str, dict[str, JSON]]] = {
    "add_invoice_to_run": {
        "i_audit": {"status": "scheduled", **STAMP},
        "r_april": {"invoices": ["i_audit"], **STAMP},
    },
}
"""Tools that change the records of two slots, and how."""


@pytest.mark.parametrize("name", CHANGES)
def test_a_tool_changes_exactly_the_fields_it_is_for(name: str) -> None:
    entity_id, arguments, expected = CHANGES[name]
    difference = difference_of(name, arguments=arguments)
    after = {field: value for (changed_id, field), value in changed(difference).items() if field != "revision"}
    assert {changed_id for changed_id, _ in changed(difference)} == {entity_id}
    assert after == expected
    assert (difference.created, difference.deleted) == ((), ())


@pytest.mark.parametrize("name", CHANGES_OF_TWO)
def test_a_tool_changes_exactly_the_fields_of_both_records_it_is_for(name: str) -> None:
    difference = difference_of(name)
    after: dict[str, dict[str, JSON]] = {}
    for (entity_id, field), value in changed(difference).items():
        after.setdefault(entity_id, {})[field] = value
    assert all(isinstance(fields.pop("revision"), int) for fields in after.values())
    assert after == CHANGES_OF_TWO[name]
    assert (difference.created, difference.deleted) == ((), ())


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_raises_the_revision_of_the_record(name: str) -> None:
    entity_id = CHANGES[name][0]
    state, revisions = WorldState(WORLD), [0]
    for _ in range(3):
        run(TOOLS[name], state=state)
        revision = state[entity_id].get("revision")
        assert isinstance(revision, int)
        revisions.append(revision)
    assert revisions == sorted(set(revisions))


@pytest.mark.parametrize("name", DELETES)
def test_a_deleting_tool_deletes_the_bound_record_and_nothing_else(name: str) -> None:
    (entity_id,) = bind(TOOLS[name]).values()
    assert difference_of(name) == Difference(
        deleted=(str(entity_id),), activity=(Activity(name, "delete", str(entity_id)),)
    )


@pytest.mark.parametrize(
    ("name", "slot", "deleted", "naming", "then"),
    [
        ("delete_thread", "thread", "t_before", "t_launch", "reply_email_thread"),
        ("delete_document", "document", "d_plan_v1", "d_plan_v2", "update_document"),
        ("delete_customer_record", "account", "c_acme_group", "c_acme", "update_customer_record"),
    ],
)
def test_what_named_a_deleted_record_keeps_naming_it_and_can_still_be_written_to(
    name: str, slot: str, deleted: str, naming: str, then: str
) -> None:
    state = WorldState(WORLD)
    run(TOOLS[name], {slot: deleted}, state=state)
    assert state.difference().changed == ()
    assert state[naming] == WORLD[naming]
    assert deleted in {relation.target for relation in state.freeze().relations(naming)}
    with pytest.raises(WorldError, match=f"no entity has the id '{deleted}'"):
        state.freeze().check()
    assert run(TOOLS[then], {slot: naming}, state=state).content == {"status": "ok"}
    assert deleted in canonical_json(state[naming].to_json())


MESSAGE: dict[str, JSON] = {"sender": USER, "sent_at": NOW}

CREATIONS: dict[str, tuple[str, dict[str, JSON], dict[str, JSON]]] = {
    "draft_document": (
        "document",
        {"title": "T", "body": "B"},
        {
            "title": "T",
            "owner": USER,
            "folder": "f_archive",
            "project": "j_gemini",
            "status": "draft",
            "created_at": NOW,
            "body": "B",
        },
    ),
    "draft_email": (
        "email_thread",
        {"subject": "S", "body": "B"},
        {
            "subject": "S",
            "participants": [USER, "p_alex_chen"],
            "messages": [
                {**MESSAGE, "body": "B", "recipients": ["p_alex_chen"], "continues": "t_lunch", "draft": True}
            ],
            "status": "draft",
        },
    ),
    "send_email": (
        "email_thread",
        {"subject": "S", "body": "B"},
        {
            "subject": "S",
            "participants": [USER, "p_alex_chen"],
            "messages": [
                {
                    **MESSAGE,
                    "body": "B",
                    "recipients": ["p_alex_chen"],
                    "attachments": ["d_budget"],
                    "continues": "t_lunch",
                }
            ],
            "status": "sent",
        },
    ),
    "forward_thread": (
        "email_thread",
        {"body": "B"},
        {
            "subject": "Fwd:",
            "participants": [USER, "p_alex_chen"],
            "messages": [{**MESSAGE, "body": "B", "recipients": ["p_alex_chen"], "forwarded_thread": "t_lunch"}],
            "status": "sent",
        },
    ),
    "schedule_event": (
        "calendar_event",
        {"title": "T", "start": ARGUMENTS["start"], "end": ARGUMENTS["end"], "location": "L"},
        {
            "title": "T",
            "organizer": USER,
            "attendees": ["p_alex_chen"],
            "start": ARGUMENTS["start"],
            "end": ARGUMENTS["end"],
            "location": "L",
        },
    ),
}


@pytest.mark.parametrize("name", CREATIONS)
def test_a_creating_tool_creates_one_record_and_tells_its_id(name: str) -> None:
    kind, arguments, fields = CREATIONS[name]
    state = WorldState(WORLD)
    result = run(TOOLS[name], bind(TOOLS[name], optional=True), arguments, state=state)
    difference = state.difference()
    (entity,) = difference.created
    assert (difference.changed, difference.deleted) == ((), ())
    assert entity.type == kind
    assert {field: value for field, value in entity.fields.items() if field != "revision"} == fields
    assert result.content == {"status": "ok", "created": entity.id}


def test_exactly_these_tools_create_change_and_delete() -> None:
    assert sorted([*CHANGES, *CHANGES_OF_TWO, *CREATIONS, *DELETES]) == WRITES
    assert sorted(CREATIONS) == CREATES


@pytest.mark.parametrize("name", CREATES)
def test_created_ids_are_new_and_the_same_every_time(name: str) -> None:
    def created() -> list[str]:
        state = WorldState(WORLD)
        for _ in range(2):
            run(TOOLS[name], state=state)
        run(TOOLS["send_email"], state=state)
        return [entity.id for entity in state.difference().created]

    ids = created()
    assert ids == created()
    assert len(set(ids)) == 3
    assert not set(ids) & set(WORLD)


def test_a_created_id_is_none_that_the_world_already_has() -> None:
    first = difference_of("send_email").created[0]
    taken = WORLD.derive([Entity(first.id, "email_thread", {"subject": "taken"})])
    second = difference_of("send_email", world=taken).created[0]
    assert second.id not in taken
    assert difference_of("send_email", world=taken).changed == ()


def test_what_a_tool_created_can_be_used_by_the_next() -> None:
    state = WorldState(WORLD)
    created = run(TOOLS["draft_document"], state=state).content["created"]
    assert isinstance(created, str)
    run(TOOLS["share_document"], {"document": created, "recipient": "p_kim"}, state=state)
    assert state[created].get("shared_with") == ["p_kim"]
    state.freeze().check()


def test_appending_keeps_what_was_there_before() -> None:
    changes = changed(difference_of("share_document", {"document": "d_plan_v2", "recipient": "p_alex_chen"}))
    assert changes[("d_plan_v2", "shared_with")] == ["p_kim", "p_alex_chen"]
    changes = changed(difference_of("reply_email_thread", {"thread": "t_launch"}))
    messages = changes[("t_launch", "messages")]
    assert isinstance(messages, list)
    assert len(messages) == 2
    assert messages[0] == WORLD["t_launch"].get("messages")[0]  # type: ignore[index]


def test_an_invoice_joins_those_of_a_run_once_and_stays_there_when_the_run_is_voided() -> None:
    state = WorldState(WORLD)
    for _ in range(2):
        run(TOOLS["add_invoice_to_run"], {"invoice": "i_audit", "payment_run": "r_march"}, state=state)
    assert state["r_march"].get("invoices") == ["i_freight", "i_audit"]
    run(TOOLS["void_payment_run"], {"payment_run": "r_march"}, state=state)
    assert (state["r_march"].get("status"), state["i_audit"].get("status")) == ("void", "scheduled")
    assert state["r_march"].get("invoices") == ["i_freight", "i_audit"]
    state.freeze().check()


@pytest.mark.parametrize("name", ["send_email", "draft_email", "forward_thread"])
def test_who_writes_to_themselves_takes_part_once(name: str) -> None:
    bindings: dict[str, Binding] = {**bind(TOOLS[name]), "recipient": USER}
    (thread,) = difference_of(name, bindings).created
    assert thread.get("participants") == [USER]
    (thread,) = difference_of(name, bindings, user_id=None).created
    assert thread.get("participants") == [USER]


def test_sharing_with_somebody_who_has_access_lists_them_once() -> None:
    state = WorldState(WORLD)
    run(TOOLS["share_document"], {"document": "d_plan_v2", "recipient": "p_kim"}, state=state)
    assert state["d_plan_v2"].get("shared_with") == ["p_kim"]
    assert state.difference().writes


# --- the base world is never touched ---


@pytest.mark.parametrize("name", ALL)
def test_no_tool_changes_the_world_it_acts_on(name: str) -> None:
    world = typed_world()
    digest, before = world.digest, deepcopy(list(world.entities()))
    for bindings, arguments in variants(TOOLS[name]):
        state = WorldState(world)
        run(TOOLS[name], bindings, arguments, state=state)
        if name not in DELETES:
            run(TOOLS[name], bindings, arguments, state=state)
        _ = state.difference(), state.freeze().digest
    assert list(world.entities()) == before
    assert World(world.entities()).digest == digest


@pytest.mark.parametrize("name", ALL)
def test_after_a_reset_a_tool_does_exactly_what_it_did_before(name: str) -> None:
    state = WorldState(WORLD)
    run(TOOLS[name], state=state)
    before = state.difference()
    state.reset()
    assert state.difference() == Difference()
    run(TOOLS[name], state=state)
    assert state.difference() == before


@pytest.mark.parametrize("name", WRITES)
def test_a_frozen_state_holds_what_the_tool_did(name: str) -> None:
    state = WorldState(WORLD)
    run(TOOLS[name], bind(TOOLS[name], optional=True), usable_arguments(TOOLS[name]), state=state)
    frozen = state.freeze()
    assert list(frozen.entities()) == list(state.entities())
    assert frozen == World(state.entities())
    assert frozen != WORLD


# --- permissions ---

MAY_NOT = {
    "read only": lambda ids: Permissions(read_only=ids),
    "hidden": lambda ids: Permissions(hidden=ids),
}

CHANGED_SLOTS: dict[str, str] = {
    "draft_document": "folder",
    "draft_account_note": "account",
    "draft_ticket_comment": "ticket",
    "reply_email_thread": "thread",
    "invite_attendee": "event",
    "reschedule_event": "event",
    "share_document": "document",
    "update_document": "document",
    "move_document": "document folder",
    "update_customer_record": "account",
    "update_opportunity": "opportunity",
    "comment_ticket": "ticket",
    "assign_ticket": "ticket",
    "escalate_ticket": "ticket",
    "delete_thread": "thread",
    "cancel_event": "event",
    "delete_document": "document",
    "close_opportunity": "opportunity",
    "delete_customer_record": "account",
    "close_ticket": "ticket",
    "draft_vendor_note": "vendor",
    "hold_invoice": "invoice",
    "add_invoice_to_run": "invoice payment_run",
    "pay_invoice": "invoice",
    "refund_invoice": "invoice",
    "void_payment_run": "payment_run",
}


@pytest.mark.parametrize(("name", "slot"), [(name, s) for name, slots in CHANGED_SLOTS.items() for s in slots.split()])
@pytest.mark.parametrize("kind", MAY_NOT)
def test_changing_a_record_the_user_may_not_change_is_denied_and_writes_nothing(
    name: str, slot: str, kind: str
) -> None:
    bindings = bind(TOOLS[name], optional=True)
    bound = bindings[slot]
    assert isinstance(bound, str)
    state = WorldState(WORLD)
    rights = MAY_NOT[kind](frozenset({bound}))
    result = run(TOOLS[name], bindings, usable_arguments(TOOLS[name]), state=state, permissions=rights)
    assert result.denied
    assert result.content["status"] == "denied"
    assert bound in str(result.content["message"])
    assert state.difference() == Difference()
    assert state.freeze() == WORLD


@pytest.mark.parametrize("name", WRITES)
def test_rights_on_other_records_do_not_matter(name: str) -> None:
    bindings = bind(TOOLS[name], optional=True)
    others = frozenset(WORLD) - {bindings[slot] for slot in CHANGED_SLOTS.get(name, "").split()}
    state = WorldState(WORLD)
    result = run(TOOLS[name], bindings, state=state, permissions=Permissions(read_only=others))
    assert not result.denied
    assert state.difference().writes


@pytest.mark.parametrize("name", READS)
def test_a_record_the_user_may_only_see_can_be_read(name: str) -> None:
    (entity_id,) = bind(TOOLS[name]).values()
    state = WorldState(WORLD)
    result = run(TOOLS[name], state=state, permissions=Permissions(read_only=frozenset({str(entity_id)})))
    assert not result.denied
    assert state.difference().viewed == (str(entity_id),)


@pytest.mark.parametrize(
    ("rights", "see", "change"),
    [
        (Permissions(), True, True),
        (Permissions(read_only=frozenset({"x"})), True, False),
        (Permissions(hidden=frozenset({"x"})), False, False),
        (Permissions(hidden=frozenset({"x"}), read_only=frozenset({"x"})), False, False),
        (Permissions(hidden=frozenset({"y"}), read_only=frozenset({"z"})), True, True),
    ],
)
def test_what_is_hidden_can_be_neither_seen_nor_changed(rights: Permissions, see: bool, change: bool) -> None:
    assert rights.may_see("x") is see
    assert rights.may_change("x") is change


# --- a world of records of any shape ---


def test_in_an_untyped_world_a_tool_writes_to_records_of_any_shape() -> None:
    world = World([Entity("k", "ticket", {"summary": "odd", "comments": "one text"})])
    state = WorldState(world)
    execute(
        TOOLS["comment_ticket"],
        {"ticket": "k"},
        {"comment": "hi"},
        state,
        permissions=Permissions(),
        typed=False,
    )
    assert state.difference().changed == (
        FieldChange("k", "comments", "one text", ["one text", {"text": "hi"}]),
        FieldChange("k", "revision", None, 1),
    )


def test_a_record_is_redacted_of_every_mention_of_a_hidden_one_and_of_nothing_else() -> None:
    record = Entity(
        "e",
        "calendar_event",
        {
            "title": "p2",
            "organizer": "p1",
            "attendees": ["p1", "p3"],
            "messages": [{"sender": "p1", "to": ["p1"], "body": "p1 said"}, {"sender": "p3"}],
            "n": 1,
            "none": None,
        },
    )
    assert Permissions(hidden=frozenset({"p1"})).redacted(record).fields == {
        "title": "p2",
        "attendees": ["p3"],
        "messages": [{"to": [], "body": "p1 said"}, {"sender": "p3"}],
        "n": 1,
        "none": None,
    }
    assert Permissions(read_only=frozenset({"p1"})).redacted(record) == record
    assert record.fields["organizer"] == "p1"
