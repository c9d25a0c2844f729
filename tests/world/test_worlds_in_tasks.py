"""What a task demands of the world it is set in, and what a file may hold."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ebf_env.envs import Episode
from ebf_env.errors import SuiteError, TaskError
from ebf_env.tasks import SuiteInfo, Task, User, read_suite, reference_decision, write_suite
from ebf_env.tasks.paper import import_paper_tasks
from ebf_env.world import Permissions, World

MakeTask = Callable[..., Task]

# --- the time, and who acts ---


@pytest.mark.parametrize(
    "now",
    ["noon", "", "2026-03-11", "2026-03-11T10:15:00", "2026-02-30T10:15:00Z", "11.03.2026 10:15 +01:00", "1773220500"],
    ids=repr,
)
def test_a_typed_task_is_refused_a_time_that_its_records_could_not_hold(make_task: MakeTask, now: str) -> None:
    with pytest.raises(TaskError, match="expected a") as caught:
        make_task(now=now)
    assert caught.value.field == "now"


@pytest.mark.parametrize("now", [None, "2026-03-11T10:15:00Z", "2026-03-11T10:15:00.5-11:30", "2026-03-11T10:15+00:00"])
def test_a_typed_task_takes_no_time_or_an_instant_and_can_be_done(make_task: MakeTask, now: str | None) -> None:
    task = make_task(now=now)
    episode = Episode(task)
    episode.step(reference_decision(task))
    assert episode.succeeded_in_world()
    episode.state.freeze().check()


@pytest.mark.parametrize("user_id", ["nobody", "", "P3", "d1", "t1"], ids=repr)
def test_a_typed_task_is_refused_a_user_who_is_no_person_of_its_world(make_task: MakeTask, user_id: str) -> None:
    with pytest.raises(TaskError, match=f"no person has the id '{user_id}'") as caught:
        make_task(user=User({"id": user_id, "name": "Dana Ruiz"}))
    assert caught.value.field == "user.id"


@pytest.mark.parametrize("user", [User(), User({"name": "Dana Ruiz"}), User({"id": "p1"})], ids=str)
def test_a_typed_task_takes_an_unknown_user_or_a_person_and_can_be_done(make_task: MakeTask, user: User) -> None:
    task = make_task(user=user)
    episode = Episode(task)
    episode.step(reference_decision(task))
    assert episode.succeeded_in_world()
    episode.state.freeze().check()


def test_an_untyped_task_takes_any_time_and_any_user(make_task: MakeTask) -> None:
    task = make_task(typed=False, now="noon", user=User({"id": "nobody"}))
    episode = Episode(task)
    episode.step(reference_decision(task))
    assert episode.succeeded_in_world()


def test_a_folder_the_user_may_not_change_cannot_be_what_is_right(make_task: MakeTask) -> None:
    for tool, bindings in [("move_document", {"document": "d1", "folder": "f1"}), ("draft_document", {"folder": "f1"})]:
        change = {"tools": (tool,), "tool": tool, "bindings": bindings, "domain": "documents"}
        make_task(**change)
        with pytest.raises(TaskError, match="the user may not change 'f1'") as caught:
            make_task(**change, user=User({}, Permissions(read_only=frozenset({"f1"}))))
        assert caught.value.field == "bindings.folder"


# --- numbers that are no JSON ---

NO_JSON = ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"]


def in_lines(path: Path, number: str, place: str) -> Path:
    """The suite with a number in one of its lines, sealed as it was; reading must fail before the seal is checked."""
    lines = path.read_text().splitlines()
    kinds = [json.loads(line)["line"] for line in lines]
    target = kinds.index(place)
    key = {"header": "config", "world": "entities", "task": "certificate", "trailer": "statistics"}[place]
    line = json.loads(lines[target])
    if place == "world":
        line[key][0]["n"] = "HERE"
    else:
        line[key] = {"n": ["HERE"]}
    lines[target] = json.dumps(line).replace('"HERE"', number)
    broken = path.with_name("broken.jsonl")
    broken.write_text("\n".join(lines) + "\n")
    return broken


@pytest.mark.parametrize("number", NO_JSON)
@pytest.mark.parametrize("place", ["header", "world", "task", "trailer"])
def test_a_suite_with_a_number_that_is_no_json_is_refused_with_its_line(
    tmp_path: Path, office_tasks: tuple[Task, ...], number: str, place: str
) -> None:
    path = tmp_path / "suite.jsonl"
    write_suite(path, [dataclasses.replace(task, typed=False) for task in office_tasks], SuiteInfo("office"))
    with pytest.raises(SuiteError, match=f"not valid JSON .*{number}") as caught:
        read_suite(in_lines(path, number, place))
    assert caught.value.line == {"header": 1, "world": 2, "task": 3, "trailer": 8}[place]


def paper_row(office: World, **changes: object) -> dict[str, object]:
    """A task in the paper's format."""
    return {
        "task_id": "email_001",
        "domain": "email",
        "instruction": "Email Alex Kumar.",
        "gold_tool": "send_email",
        "gold_bindings": {"recipient": "p2"},
        "ambiguity": "unambiguous",
        "risk": "medium",
        "entities": [entity.to_json() for entity in office.of_type("person")],
        "tools": [{"name": "send_email", "description": "", "requires": ["recipient:person"]}],
        **changes,
    }


@pytest.mark.parametrize("number", NO_JSON)
def test_a_file_in_the_papers_format_with_a_number_that_is_no_json_is_refused_with_its_line(
    tmp_path: Path, office: World, number: str
) -> None:
    path = tmp_path / "tasks.jsonl"
    good = json.dumps(paper_row(office))
    path.write_text(good + "\n")
    assert len(import_paper_tasks(path).tasks) == 1
    bad = json.dumps(paper_row(office, task_id="email_002", user={"name": "Dana", "n": "HERE"}))
    path.write_text(good + "\n" + bad.replace('"HERE"', number) + "\n")
    with pytest.raises(SuiteError, match=f"not valid JSON .*{number}") as caught:
        import_paper_tasks(path)
    assert caught.value.line == 2
