from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from ebf_env.errors import SuiteError, TaskError
from ebf_env.tasks import SuiteInfo, User, iterate_suite, read_suite, write_suite
from ebf_env.world import Entity, Permissions, World


@pytest.fixture
def suite_file(tmp_path: Path, office_tasks) -> Path:
    path = tmp_path / "suite.jsonl"
    write_suite(path, office_tasks, SuiteInfo("office", source="by hand"))
    return path


def test_a_suite_is_read_back_as_it_was_written(suite_file, office_tasks):
    suite = read_suite(suite_file)
    assert suite.tasks == office_tasks
    assert suite.info == SuiteInfo("office", source="by hand")
    assert suite["task-2"].intent == {"recipient": "p2"}
    assert list(iterate_suite(suite_file)) == list(office_tasks)


def test_shared_worlds_are_written_once_and_shared_again_when_read(suite_file):
    lines = [json.loads(line) for line in suite_file.read_text().splitlines()]
    assert [line["line"] for line in lines] == ["header", "world", *["task"] * 5, "trailer"]
    tasks = read_suite(suite_file).tasks
    assert len({id(task.world) for task in tasks}) == 1


def test_the_same_tasks_give_the_same_bytes_plain_or_compressed(tmp_path, office_tasks, suite_file):
    again = tmp_path / "again.jsonl"
    packed, packed_again = tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl.gz"
    write_suite(again, office_tasks, SuiteInfo("office", source="by hand"))
    for path in (packed, packed_again):
        write_suite(path, office_tasks, SuiteInfo("office", source="by hand"))
    assert again.read_bytes() == suite_file.read_bytes() == gzip.decompress(packed.read_bytes())
    assert packed.read_bytes() == packed_again.read_bytes()
    assert read_suite(packed).sha256 == read_suite(suite_file).sha256


def test_permissions_order_and_overlays_survive(tmp_path, make_task, office):
    task = make_task(
        world=office.derive(
            [Entity("p7", "person", {"name": "Zed", "email": "z@example.com", "status": "left"})], ["k1"]
        ),
        user=User({"id": "p3"}, Permissions(frozenset({"d1"}), frozenset({"t1"}))),
    )
    path = tmp_path / "one.jsonl"
    write_suite(path, [task])
    back = read_suite(path).tasks[0]
    assert back == task
    assert list(back.world) == list(task.world)


def test_worlds_derived_from_one_are_written_as_overlays(tmp_path, make_task, office, resolvable):
    zed = Entity("p7", "person", {"name": "Zed", "email": "z@example.com", "status": "active"})
    tasks = [resolvable, make_task(task_id="task-9", world=office.derive([zed], ["k1"]))]
    path = tmp_path / "s.jsonl"
    write_suite(path, tasks)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["line"] for line in lines] == ["header", "world", "task", "task", "trailer"]
    assert lines[3]["overlay"] == {"put": [zed.to_json()], "remove": ["k1"]}
    back = read_suite(path).tasks
    assert back == tuple(tasks)
    assert list(back[1].world) == list(tasks[1].world)


def test_a_task_may_change_a_shared_world(tmp_path, suite_file, office):
    lines = [json.loads(line) for line in suite_file.read_text().splitlines()]
    lines[2]["overlay"] = {
        "put": [{"id": "p8", "type": "person", "name": "Eve", "email": "e@example.com"}],
        "remove": ["k1"],
    }
    task = read_suite(reseal(tmp_path / "overlay.jsonl", lines)).tasks[0]
    assert "p8" in task.world
    assert "k1" not in task.world
    assert "k1" in office


def reseal(path: Path, lines: list[dict]) -> Path:
    """Write lines with a trailer that fits them."""
    import hashlib

    body = [json.dumps(line, separators=(",", ":")) + "\n" for line in lines[1:-1]]
    trailer = {**lines[-1], "sha256": hashlib.sha256("".join(body).encode()).hexdigest()}
    trailer["count"] = sum(line.get("line") == "task" for line in lines)
    path.write_text(json.dumps(lines[0]) + "\n" + "".join(body) + json.dumps(trailer) + "\n")
    return path


BROKEN = {
    "duplicate task id": (lambda x: x[3].update(task_id="task-1"), 4, "task_id", "'task-1' was used before, in line 3"),
    "gold is no candidate": (
        lambda x: x[2]["bindings"].update(recipient="px"),
        3,
        "bindings.recipient",
        "'px' is no candidate",
    ),
    "gold of another type": (
        lambda x: x[2]["bindings"].update(recipient="d1"),
        3,
        "bindings.recipient",
        "'d1' is a document",
    ),
    "two golds for one": (lambda x: x[2]["bindings"].update(recipient=["p1"]), 3, "bindings.recipient", "takes one id"),
    "no such slot": (lambda x: x[2]["bindings"].update(folder="f1"), 3, "bindings.folder", "no slot 'folder'"),
    "unknown tool": (lambda x: x[2]["tools"].append("fly"), 3, "tools.6", "there is no tool 'fly'"),
    "gold tool not offered": (lambda x: x[2].update(tool="close_ticket"), 3, "tool", "not among the tools offered"),
    "tool offered twice": (lambda x: x[2]["tools"].append("send_email"), 3, "tools", "offered twice"),
    "required slot missing": (
        lambda x: x[2].update(bindings={"thread": "t1"}),
        3,
        "bindings.recipient",
        "needs its slot",
    ),
    "label contradicts bindings": (
        lambda x: x[3].update(label="resolvable"),
        4,
        "bindings.recipient",
        "needs a gold entity",
    ),
    "nothing is open": (lambda x: x[2].update(label="ambiguous"), 3, "label", "every slot has a gold entity"),
    "intent of a resolved slot": (lambda x: x[2].update(intent={"recipient": "p1"}), 3, "intent.recipient", "is null"),
    "unknown condition": (lambda x: x[2].update(condition="odd"), 3, "condition", "Input should be"),
    "unknown field": (lambda x: x[2].update(colour="red"), 3, "colour", "not permitted"),
    "missing field": (lambda x: x[2].pop("instruction"), 3, "instruction", "required"),
    "mention outside": (
        lambda x: x[2].update(mentions=[{"span": [5, 99], "slot": "recipient"}]),
        3,
        "mentions.0.span",
        "no part",
    ),
    "no such world": (lambda x: x[2].update(world="w9"), 3, "world", "no world line"),
    "no world at all": (lambda x: x[2].pop("world"), 3, "entities", "its own entities or the name"),
    "bad entity": (lambda x: x[1]["entities"][0].update(email=3), 2, "entities.email", "valid string"),
    "bad reference": (
        lambda x: x[1]["entities"][3].update(owner="d1"),
        2,
        "entities.owner",
        "is a document, not a person",
    ),
    "entity without id": (lambda x: x[1]["entities"][0].pop("id"), 2, "entities.0.id", "expected text"),
    "entity twice": (lambda x: x[1]["entities"].append(x[1]["entities"][0]), 2, "entities", "two entities have the id"),
    "other version": (lambda x: x[0].update(format_version=2), 1, "format_version", "format version 2"),
    "kind of line": (lambda x: x[2].update(line="tusk"), 3, "line", "no kind of line"),
    "mention of something else": (
        lambda x: x[2].update(mentions=[{"span": [6, 10], "slot": "recipient", "gold": "p1"}]),
        3,
        "mentions.0.gold",
        "'p1' is not among",
    ),
    "condition against label": (
        lambda x: x[2].update(condition="true_ambiguity"),
        3,
        "condition",
        "'true_ambiguity', but the label is 'resolvable'",
    ),
    "unambiguous and ambiguous": (lambda x: x[3].update(condition="unambiguous"), 4, "condition", "'unambiguous', but"),
    "version as truth value": (lambda x: x[0].update(format_version=True), 1, "format_version", "format version True"),
    "no version": (lambda x: x[0].pop("format_version"), 1, "format_version", "format version None"),
    "overlay twice": (
        lambda x: x[2].update(overlay={"put": [x[1]["entities"][0]] * 2}),
        3,
        "overlay.put",
        "two entities have the id",
    ),
    "overlay removes nothing": (
        lambda x: x[2].update(overlay={"remove": ["zz"]}),
        3,
        "overlay.remove",
        "has the id 'zz'",
    ),
    "overlay of nothing": (
        lambda x: x[2].update(overlay={"remove": ["k1"]}, entities=x[1]["entities"], world=None),
        3,
        "overlay",
        "names none",
    ),
    "put and removed": (
        lambda x: x[2].update(overlay={"put": [x[1]["entities"][0]], "remove": ["p1"]}),
        3,
        "overlay",
        "put and removed at once",
    ),
    "overlay with a bad record": (
        lambda x: x[2].update(overlay={"put": [{**x[1]["entities"][3], "owner": "nobody"}]}),
        3,
        "overlay.owner",
        "no entity has the id 'nobody'",
    ),
    "hidden unknown": (lambda x: x[2].update(permissions={"hidden": ["q"]}), 3, "permissions.hidden", "no entity"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_suite_that_contradicts_itself_is_refused_with_line_and_field(suite_file, tmp_path, name):
    change, line, field, words = BROKEN[name]
    lines = [json.loads(text) for text in suite_file.read_text().splitlines()]
    change(lines)
    with pytest.raises(SuiteError) as caught:
        read_suite(reseal(tmp_path / "broken.jsonl", lines))
    assert (caught.value.line, caught.value.field) == (line, field)
    text = str(caught.value)
    assert words in text
    assert "broken.jsonl" in text
    assert "\n" not in text


def test_a_key_given_twice_is_refused(suite_file):
    suite_file.write_text(
        suite_file.read_text().replace('"tool":"cancel_event"', '"tool":"get_event","tool":"cancel_event"')
    )
    with pytest.raises(SuiteError, match="'tool' is given twice") as caught:
        read_suite(suite_file)
    assert caught.value.line == 6


def test_what_could_not_be_read_back_is_not_written(tmp_path, make_task):
    deep: object = "x"
    for _ in range(400):
        deep = [deep]
    odd = Entity("d9", "note", {"body": deep})  # type: ignore[dict-item]
    for changes, field in (
        ({"task_id": ""}, "task_id"),
        ({"domain": ""}, "domain"),
        ({"instruction": "half \ud800"}, "instruction"),
        ({"world": make_task().world.derive([odd]), "typed": False}, "entities"),
    ):
        with pytest.raises(TaskError) as caught:
            write_suite(tmp_path / "s.jsonl", [make_task(**changes)])
        assert caught.value.field.startswith(field)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_to_is_refused_in_one_sentence(tmp_path, resolvable):
    (tmp_path / "file").write_text("x")
    with pytest.raises(SuiteError, match="cannot be written"):
        write_suite(tmp_path / "file" / "s.jsonl", [resolvable])


def test_a_suite_cut_off_anywhere_is_refused(suite_file, tmp_path):
    whole = suite_file.read_bytes()
    cut = tmp_path / "cut.jsonl"
    for length in range(0, len(whole) - 1, 97):
        cut.write_bytes(whole[:length])
        with pytest.raises(SuiteError):
            read_suite(cut)


def test_a_compressed_suite_cut_off_is_refused(tmp_path, office_tasks):
    path = tmp_path / "s.jsonl.gz"
    write_suite(path, office_tasks)
    whole = path.read_bytes()
    for length in range(0, len(whole) - 1, 101):
        path.write_bytes(whole[:length])
        with pytest.raises(SuiteError):
            read_suite(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"hello\n", "not valid JSON"),
        (b"[1]\n", "expected a JSON object"),
        (b"\xff\xfe\n", "not UTF-8"),
        (b'{"task_id": "a", "gold_tool": "x"}\n', "import-paper"),
        (b'{"line": "task"}\n', "expected the header line"),
    ],
)
def test_what_is_no_suite_is_refused_in_one_sentence(tmp_path, content, words):
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(SuiteError, match=words):
        read_suite(path)


def test_an_edited_suite_must_be_sealed_anew(suite_file):
    suite_file.write_text(suite_file.read_text().replace("Email Zoe.", "Email Zoa."))
    with pytest.raises(SuiteError, match="edited without being sealed") as caught:
        read_suite(suite_file)
    assert caught.value.field == "sha256"


def test_lines_after_the_trailer_are_refused(suite_file):
    suite_file.write_text(suite_file.read_text() + suite_file.read_text().splitlines()[2] + "\n")
    with pytest.raises(SuiteError, match="after the trailer"):
        read_suite(suite_file)


def test_missing_files_and_folders_are_told_apart(tmp_path):
    with pytest.raises(SuiteError, match="no such file"):
        read_suite(tmp_path / "none.jsonl")
    with pytest.raises(SuiteError, match="folder"):
        read_suite(tmp_path)


def test_nothing_is_written_when_a_task_is_wrong(tmp_path, resolvable):
    path = tmp_path / "s.jsonl"
    with pytest.raises(TaskError, match="used twice"):
        write_suite(path, [resolvable, resolvable])
    assert list(tmp_path.iterdir()) == []


def test_a_world_above_500_entities_needs_search(make_task):
    people = [
        Entity(f"n{i}", "person", {"name": f"N {i}", "email": f"n{i}@example.com", "status": "active"})
        for i in range(501)
    ]
    with pytest.raises(TaskError, match="too large to show whole"):
        make_task(world=World(people), bindings={"recipient": "n1"}, user=User())
    task = make_task(world=World(people), bindings={"recipient": "n1"}, user=User(), visibility="search")
    assert task.visibility == "search"


def test_what_the_user_may_not_change_or_see_cannot_be_gold(make_task):
    with pytest.raises(TaskError, match="no candidate"):
        make_task(user=User({}, Permissions(hidden=frozenset({"p2"}))))
    with pytest.raises(TaskError, match="may not change"):
        make_task(
            tool="reply_email_thread",
            bindings={"thread": "t1"},
            user=User({}, Permissions(read_only=frozenset({"t1"}))),
        )
