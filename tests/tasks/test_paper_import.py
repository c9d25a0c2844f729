from __future__ import annotations

import json
from pathlib import Path

import pytest

from ebf_env.errors import SuiteError
from ebf_env.tasks import Label, import_paper_tasks, read_suite, write_suite
from ebf_env.world import ActionType, RiskLevel

ROW = {
    "task_id": "a",
    "domain": "email",
    "instruction": "Email Alex.",
    "gold_tool": "send_email",
    "gold_bindings": {"recipient": "p1"},
    "ambiguity": "name_collision",
    "risk": "high",
    "entities": [
        {"id": "p1", "type": "person", "name": "Alex Chen"},
        {"id": "p2", "type": "person", "name": "Alex Kumar"},
    ],
    "tools": [{"name": "send_email", "description": "Send.", "requires": ["recipient:person"]}],
}


def imported(tmp_path: Path, *rows: dict):
    path = tmp_path / "tasks.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return import_paper_tasks(path)


def through_a_file(tmp_path: Path, *rows: dict):
    tasks = imported(tmp_path, *rows).tasks
    write_suite(tmp_path / "suite.jsonl", tasks)
    back = read_suite(tmp_path / "suite.jsonl").tasks
    assert back == tasks
    return back


def test_time_user_and_history_are_kept_and_shown(tmp_path):
    from ebf_env.envs import Episode

    row = {
        **ROW,
        "now": "2026-03-11T10:15:00+01:00",
        "user": {"name": "Dana", "team": {"name": "Sales"}},
        "history": ["Alex Kumar wrote.", {"role": "assistant", "content": "I see.", "at": 3}],
    }
    [task] = through_a_file(tmp_path, row)
    shown = json.loads(Episode(task).observation.text())
    assert shown["now"] == row["now"]
    assert shown["user"] == row["user"]
    assert shown["history"] == [{"role": "user", "content": "Alex Kumar wrote."}, row["history"][1]]


def test_a_user_may_be_a_bare_name(tmp_path):
    [task] = through_a_file(tmp_path, {**ROW, "user": "Dana"})
    assert task.user.fields == {"name": "Dana"}


def test_entities_of_any_shape_and_type_are_kept_to_the_letter(tmp_path):
    odd = {
        "id": "inv/7 ü",
        "type": "invoice",
        "amount": 3.5,
        "lines": [{"sku": "x", "n": [1, None, True]}],
        "vendor": {"name": "Ünïcode & Co", "tags": []},
        "notes": "free text\nwith lines",
        "email": 17,
    }
    row = {
        **ROW,
        "gold_tool": "pay_invoice",
        "gold_bindings": {"invoice": "inv/7 ü"},
        "entities": [odd],
        "tools": [{"name": "pay_invoice", "description": "Pay.", "requires": ["invoice:invoice"]}],
    }
    [task] = through_a_file(tmp_path, row)
    assert task.world["inv/7 ü"].to_json() == odd
    assert task.label is Label.RESOLVABLE


def test_some_slots_may_need_clarification(tmp_path):
    row = {
        **ROW,
        "gold_tool": "share_document",
        "gold_bindings": {"document": "NEEDS_CLARIFICATION", "recipient": "p1"},
        "ambiguity": "true_ambiguity",
        "entities": [*ROW["entities"], {"id": "d1", "type": "document"}, {"id": "d2", "type": "document"}],
        "tools": [{"name": "share_document", "requires": ["document:document", "recipient:person"]}],
    }
    [task] = through_a_file(tmp_path, row)
    assert task.label is Label.AMBIGUOUS
    assert task.bindings == {"document": None, "recipient": "p1"}


@pytest.mark.parametrize(
    ("condition", "label"), [("no_referent", "unactionable"), ("not_permitted", "unactionable"), ("stale", "ambiguous")]
)
def test_the_condition_tells_asking_from_deferring(tmp_path, condition, label):
    row = {**ROW, "gold_bindings": {"recipient": "NEEDS_CLARIFICATION"}, "ambiguity": condition}
    assert imported(tmp_path, row).tasks[0].label.value == label


def test_an_optional_slot_that_only_gold_names_is_added_to_the_tool_in_every_task(tmp_path):
    attached = {
        **ROW,
        "task_id": "b",
        "gold_bindings": {"recipient": "p1", "attachments": ["d1", "d2"]},
        "entities": [*ROW["entities"], {"id": "d1", "type": "document"}, {"id": "d2", "type": "document"}],
    }
    plain, task = through_a_file(tmp_path, ROW, attached)
    assert task.bindings["attachments"] == ("d1", "d2")
    for one in (plain, task):
        slot = one.spec.precondition("attachments")
        assert (slot.entity_type, slot.required, slot.many) == ("document", False, True)


def test_requirements_in_the_papers_long_form_are_read(tmp_path):
    requires = ["recipient:person:required", "thread:email_thread:optional", "attachment:document:optional:many"]
    row = {**ROW, "tools": [{"name": "send_email", "requires": requires}]}
    spec = imported(tmp_path, row).tasks[0].spec
    assert [(p.slot, p.entity_type, p.required, p.many) for p in spec.preconditions] == [
        ("recipient", "person", True, False),
        ("thread", "email_thread", False, False),
        ("attachment", "document", False, True),
    ]


def test_whole_number_ids_become_text(tmp_path):
    row = {
        **ROW,
        "gold_bindings": {"recipient": 1},
        "entities": [{"id": 1, "type": "person"}, {"id": 2, "type": "person"}],
    }
    assert imported(tmp_path, row).tasks[0].bindings == {"recipient": "1"}


def test_the_tasks_annotated_risk_wins_over_the_tools(tmp_path):
    task = imported(tmp_path, {**ROW, "risk": "medium"}).tasks[0]
    assert task.effective_risk is RiskLevel.MEDIUM
    assert task.spec.risk is RiskLevel.HIGH
    unmarked = {key: value for key, value in ROW.items() if key != "risk"}
    assert imported(tmp_path, unmarked).tasks[0].effective_risk is RiskLevel.HIGH


def test_a_foreign_tool_takes_action_type_and_risk_from_its_verb(tmp_path):
    tools = [
        {"name": name, "requires": ["x:thing"]} for name in ("delete_thing", "read_thing", "draft_thing", "frobnicate")
    ]
    row = {**ROW, "tools": [*ROW["tools"], *tools]}
    specs = {spec.name: spec for spec in imported(tmp_path, row).tasks[0].tools}
    assert (specs["delete_thing"].action_type, specs["delete_thing"].risk) == (ActionType.DELETE, RiskLevel.CRITICAL)
    assert (specs["read_thing"].action_type, specs["read_thing"].risk) == (ActionType.RETRIEVE, RiskLevel.LOW)
    assert (specs["draft_thing"].action_type, specs["draft_thing"].risk) == (ActionType.DRAFT, RiskLevel.MEDIUM)
    assert (specs["frobnicate"].action_type, specs["frobnicate"].risk) == (ActionType.OTHER, RiskLevel.HIGH)


def test_keys_that_mean_nothing_are_named(tmp_path):
    assert imported(tmp_path, {**ROW, "comment": "hm"}).unknown_keys == ("comment",)


BROKEN = [
    ({"gold_tool": "fly"}, "gold_tool", "not among the tools offered"),
    ({"gold_bindings": {"recipient": "p9"}}, "gold_bindings.recipient", "no candidate"),
    ({"gold_bindings": {"recipient": {"a": 1}}}, "gold_bindings.recipient", "expected an entity id"),
    ({"gold_bindings": None}, "gold_bindings", "expected an object"),
    ({"ambiguity": "odd"}, "ambiguity", "is not one of"),
    ({"risk": "odd"}, "risk", "is not one of"),
    ({"entities": [{"type": "person"}]}, "entities.0.id", "expected text"),
    ({"entities": "x"}, "entities", "expected a list"),
    ({"tools": []}, "tools", "at least one tool"),
    ({"tools": ["fly"]}, "tools.0", "there is no tool 'fly'"),
    ({"tools": [{"name": "send_email", "requires": [7]}]}, "tools.0.requires.0", "slot:type"),
    ({"history": [3]}, "history.0", "expected text"),
    ({"instruction": 5}, "instruction", "expected text"),
    ({"instruction": ""}, "instruction", "at least 1 character"),
    ({"ambiguity": "unambiguous", "gold_bindings": {"recipient": None}}, "ambiguity", "'unambiguous', but the label"),
    ({"user": {"permissions": {"hidden": "p2"}}}, "user.permissions.hidden", "expected a list of ids"),
    (
        {"entities": [{"id": "p1 ", "type": "person"}], "gold_bindings": {"recipient": "p1 "}},
        "gold_bindings.recipient",
        "no answer can bind",
    ),
    (
        {"gold_tool": " zap", "tools": [{"name": " zap", "requires": ["recipient:person"]}]},
        "gold_tool",
        "no answer can name the tool",
    ),
]


@pytest.mark.parametrize(("change", "field", "words"), BROKEN)
def test_a_wrong_task_is_refused_with_line_and_the_files_own_field_name(tmp_path, change, field, words):
    with pytest.raises(SuiteError, match=words) as caught:
        imported(tmp_path, ROW, {**ROW, "task_id": "b", **change})
    assert (caught.value.line, caught.value.field) == (2, field)


def test_a_missing_field_a_double_id_and_broken_json_are_refused(tmp_path):
    with pytest.raises(SuiteError, match="is missing") as caught:
        imported(tmp_path, {key: value for key, value in ROW.items() if key != "tools"})
    assert caught.value.field == "tools"
    with pytest.raises(SuiteError, match="used before, in line 1"):
        imported(tmp_path, ROW, ROW)
    path = tmp_path / "x.jsonl"
    path.write_text('{"task_id": "a"')
    with pytest.raises(SuiteError, match="not valid JSON"):
        import_paper_tasks(path)
    with pytest.raises(SuiteError, match="no such file"):
        import_paper_tasks(tmp_path / "none")
