"""Suite files: what they cover, the same bytes on every machine, and settings that clash refused before anything is."""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import json
import multiprocessing
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from ebf_env.errors import ConfigurationError, EbfError
from ebf_env.json_types import JSONObject
from ebf_env.tasks import Condition, Label, Task, read_suite
from ebf_env.tasks.proof import prove
from ebf_env.world import TOOLS, RiskLevel
from ebf_generators.config import LEAST_ENTITIES, PAPER_DOMAINS, SuiteConfig
from ebf_generators.generator import Generator
from ebf_generators.randomness import GENERATOR_VERSION
from ebf_generators.source import GeneratedSource, config_from
from ebf_generators.suites import Tally, generate

TOOLS_WITH_SLOTS = [spec.name for spec in TOOLS.values() if spec.domain in PAPER_DOMAINS and spec.preconditions]


def lines_of(path: Path) -> list[JSONObject]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.fixture(scope="module")
def drawn() -> list[Task]:
    """The tasks of the default settings, but more of them: fifteen turns of the schedule."""
    generator = Generator(SuiteConfig())
    return list(generator.tasks(0, 15 * generator.chunk))


@pytest.fixture(scope="module")
def certificates(drawn) -> list[JSONObject]:
    return [task.certificate for task in drawn]


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> tuple[Path, str, Tally]:
    """A suite written by one process: a turn of the schedule, and the beginning of the next."""
    path = tmp_path_factory.mktemp("suites") / "one.jsonl"
    return path, *generate(SuiteConfig(tasks=200), path)


@pytest.fixture(scope="module")
def by_one(written) -> Path:
    return written[0]


@pytest.fixture(scope="module")
def lines(by_one) -> list[JSONObject]:
    return lines_of(by_one)


# --- coverage ---


def test_every_condition_label_and_base_condition_occurs(drawn):
    assert {task.condition for task in drawn} == set(Condition)
    assert {task.base_condition for task in drawn} == set(Condition)
    assert {task.label for task in drawn} == set(Label)


def test_every_tool_with_slots_in_the_five_domains_occurs(drawn):
    assert len(TOOLS_WITH_SLOTS) >= 30
    assert {task.tool for task in drawn} == set(TOOLS_WITH_SLOTS)


def test_every_risk_and_difficulty_occurs_and_none_is_rare(drawn):
    risks = Counter(task.effective_risk for task in drawn)
    assert set(risks) == set(RiskLevel)
    assert min(risks.values()) > 0.05 * len(drawn)
    difficulties = Counter(task.difficulty for task in drawn)
    assert set(difficulties) == {1, 2, 3, 4, 5}
    assert min(difficulties.values()) > 0.1 * len(drawn)


def test_cues_stand_in_the_mention_elsewhere_in_the_instruction_and_in_the_history(drawn, certificates):
    places = Counter(certificate["place"] for certificate in certificates)
    assert set(places) == {"mention", "instruction", "history"}
    assert min(places.values()) > 0.1 * len(certificates)
    assert all(task.history for task in drawn if task.certificate["place"] == "history")


def test_tasks_mention_one_two_and_three_slots_and_several_records_of_one(drawn):
    assert {len(task.bindings) for task in drawn} == {1, 2, 3}
    assert any(len(task.mentions) > len(task.bindings) for task in drawn)


def test_a_fifth_of_all_tasks_takes_two_steps(certificates):
    assert sum(certificate["hop"] is not None for certificate in certificates) >= 0.2 * len(certificates)


def test_nearly_all_cells_of_condition_and_tool_are_filled(drawn):
    cells = {(task.condition, task.tool) for task in drawn}
    assert len(cells) >= 0.8 * len(Condition) * len(TOOLS_WITH_SLOTS)


def test_every_cell_of_condition_and_tool_of_the_five_domains_can_be_asked_for():
    """docs/generation.md: a cell that a run left empty is empty by chance."""
    missing = []
    for tool in TOOLS_WITH_SLOTS:
        for condition in Condition:
            generator = Generator(SuiteConfig(tools=(tool,), conditions=(condition,)))
            if not any(task.condition is condition for task in generator.tasks(0, 40)):
                missing.append((tool, condition))
    assert not missing


@pytest.mark.parametrize("name", ["domain", "effective_risk", "difficulty"])
def test_a_little_less_than_half_of_all_tasks_can_be_done_whatever_their(drawn, name):
    for value in {getattr(task, name) for task in drawn}:
        labels = [task.label is Label.RESOLVABLE for task in drawn if getattr(task, name) == value]
        assert 0.35 < sum(labels) / len(labels) < 0.55, value


def test_whoever_always_asks_wins_no_family_of_the_default_suite(drawn):
    """But for the last one, which the end of a suite may cut; it says how many cells it has, and is not counted."""
    families: dict[str | None, list[Task]] = {}
    for task in drawn[: SuiteConfig().tasks]:
        families.setdefault(task.family, []).append(task)
    whole = [cells for cells in families.values() if len(cells) == cells[0].certificate["cells"]]
    assert len(whole) >= len(families) - 1
    assert all({task.label is Label.RESOLVABLE for task in cells} == {True, False} for cells in whole)


# --- what the file says of itself ---


def test_the_header_holds_what_makes_the_suite_again(lines):
    header = lines[0]
    assert header["generator_version"] == GENERATOR_VERSION
    assert header["source"] == "generated"
    assert "Faker" in header["pools"]
    assert SuiteConfig.model_validate_json(json.dumps(header["config"])) == SuiteConfig(tasks=200)


def test_the_trailer_counts_what_is_in_the_file(written, lines):
    _, sha256, tally = written
    tasks, trailer = lines[1:-1], lines[-1]
    assert (trailer["sha256"], trailer["count"], len(tasks)) == (sha256, 200, 200)
    told = trailer["statistics"]
    assert told == json.loads(json.dumps(tally.statistics()))
    for name in ("condition", "base_condition", "label", "domain", "tool"):
        assert told[name] == dict(sorted(Counter(line[name] for line in tasks).items()))
    assert told["difficulty"] == dict(sorted(Counter(str(line["difficulty"]) for line in tasks).items()))
    assert told["families"] == len({line["family"] for line in tasks})
    assert told["two_step_tasks"] == sum(line["certificate"]["hop"] is not None for line in tasks)
    assert told["distinct_delexicalised_instructions"] == len({line["certificate"]["delexicalised"] for line in tasks})
    said = {" ".join([*(t["content"] for t in line.get("history", [])), line["instruction"]]) for line in tasks}
    assert told["distinct_instructions"] == len(said)


def test_the_hash_is_of_the_lines_between_header_and_trailer(written):
    path, sha256, _ = written
    raw = path.read_bytes().splitlines(keepends=True)
    assert hashlib.sha256(b"".join(raw[1:-1])).hexdigest() == sha256


def test_ids_and_numbers_of_tasks_are_unique_and_in_order(lines):
    assert [line["index"] for line in lines[1:-1]] == list(range(200))
    assert len({line["task_id"] for line in lines[1:-1]}) == 200


# --- the same bytes ---


def test_bytes_do_not_depend_on_the_number_of_workers(by_one, tmp_path):
    done: list[int] = []
    sha256, _ = generate(SuiteConfig(tasks=200), tmp_path / "two.jsonl", workers=2, on_tasks=done.append)
    assert (tmp_path / "two.jsonl").read_bytes() == by_one.read_bytes()
    assert lines_of(by_one)[-1]["sha256"] == sha256
    assert sum(done) == 200


def test_single_tasks_do_not_depend_on_the_number_of_workers_either(tmp_path):
    config = SuiteConfig(tasks=150, mix="paper", seed=8, noise="low")
    assert 2 * Generator(config).chunk < 150
    for workers in (1, 3):
        generate(config, tmp_path / f"{workers}.jsonl", workers=workers)
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "3.jsonl").read_bytes()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_bytes_do_not_depend_on_how_processes_begin(by_one, tmp_path, monkeypatch, method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    monkeypatch.setattr("ebf_generators.suites.start_method", lambda: method)
    generate(SuiteConfig(tasks=200), tmp_path / "two.jsonl", workers=2)
    assert (tmp_path / "two.jsonl").read_bytes() == by_one.read_bytes()
    company = SuiteConfig(tasks=190, world_size=600, visibility="search")
    for workers in (1, 2):
        generate(company, tmp_path / f"{workers}.jsonl", workers=workers)
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()


def test_a_longer_suite_begins_with_the_shorter_one(by_one, tmp_path):
    generate(SuiteConfig(tasks=50), tmp_path / "short.jsonl", name="another name")
    longer, shorter = (path.read_bytes().splitlines() for path in (by_one, tmp_path / "short.jsonl"))
    assert longer[1:51] == shorter[1:-1]


def test_compressed_suites_have_the_same_bytes_within(by_one, tmp_path):
    packed, plain = tmp_path / "packed.jsonl.gz", tmp_path / "plain.jsonl"
    hashes = {generate(SuiteConfig(tasks=40), path)[0] for path in (packed, plain)}
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    assert packed.read_bytes()[4:8] == bytes(4), "no time of day in it"
    assert {read_suite(packed).sha256} == hashes


def test_a_suite_reads_back_as_the_tasks_it_was_made_of(tmp_path):
    generate(SuiteConfig(tasks=60, split="val"), tmp_path / "val.jsonl")
    generator = Generator(SuiteConfig(split="val"))
    for task in read_suite(tmp_path / "val.jsonl"):
        drawn = generator.task(task.index)
        assert task.world.digest == drawn.world.digest
        for name in (field.name for field in dataclasses.fields(Task)):
            if name != "certificate":
                assert getattr(task, name) == getattr(drawn, name), name
        assert json.loads(json.dumps(task.certificate)) == json.loads(json.dumps(drawn.certificate))


HASHES = """
import json, sys
from ebf_generators.config import SuiteConfig
from ebf_generators.suites import generate
settings = [{"tasks": 30}, {"tasks": 8, "mix": "paper", "split": "test", "noise": "high"},
            {"tasks": 9, "world_size": 600, "visibility": "search", "split": "val"},
            {"tasks": 9, "locales": ("de_DE",)}]
print([generate(SuiteConfig(**some), sys.argv[1])[0] for some in settings])
"""


def test_bytes_depend_neither_on_the_hash_seed_nor_on_zone_nor_on_language(tmp_path):
    surroundings = [
        {"PYTHONHASHSEED": "0", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "4711", "TZ": "America/St_Johns", "LC_ALL": "tr_TR.UTF-8", "PYTHONUTF8": "0"},
    ]
    running = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", HASHES, str(tmp_path / f"{number}.jsonl")],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number, variables in enumerate(surroundings)
    ]
    told = [process.communicate() for process in running]
    assert [err for _, err in told] == [""] * 2
    assert len({out for out, _ in told}) == 1
    assert len(set(json.loads(told[0][0].replace("'", '"')))) == 4


@pytest.mark.parametrize(
    "settings",
    [{"seed": 1}, {"split": "val"}, {"split": "test"}, {"noise": "low"}, {"world_size": 41}, {"mix": "paper"}],
)
def test_other_settings_give_other_bytes(by_one, tmp_path, settings):
    generate(SuiteConfig(tasks=12, **settings), tmp_path / "other.jsonl")
    ours = set(by_one.read_bytes().splitlines())
    assert ours.isdisjoint((tmp_path / "other.jsonl").read_bytes().splitlines()[1:-1])


def test_pools_drawn_afresh_give_other_names_and_proven_tasks(tmp_path):
    generate(SuiteConfig(tasks=12, locales=("pl_PL",), seed=5), tmp_path / "fresh.jsonl")
    suite = read_suite(tmp_path / "fresh.jsonl")
    assert not [task.task_id for task in suite if prove(task).faults]
    assert lines_of(tmp_path / "fresh.jsonl")[0]["config"]["locales"] == ["pl_PL"]


def test_tasks_in_a_large_company_share_one_world_line(tmp_path):
    config = SuiteConfig(tasks=40, world_size=600, visibility="search")
    generate(config, tmp_path / "company.jsonl")
    lines = lines_of(tmp_path / "company.jsonl")
    assert Counter(line["line"] for line in lines) == {"header": 1, "world": 1, "task": 40, "trailer": 1}
    assert (tmp_path / "company.jsonl").stat().st_size < 3_000_000
    suite = read_suite(tmp_path / "company.jsonl")
    assert len({id(task.world.root) for task in suite}) == 1
    assert all(len(task.world.root) == 600 < len(task.world) for task in suite)
    assert not [task.task_id for task in suite if prove(task).faults]


# --- settings that clash ---

VENDORS = {"domains": ("payments",), "tools": ("get_vendor", "draft_vendor_note")}
"""Tools for which nothing that has versions can be meant, not even through another record."""

CLASHES = [
    ({"tools": ()}, ["tools"]),
    ({"domains": ()}, ["domains"]),
    ({"difficulties": ()}, ["difficulties"]),
    ({"tools": ("send_email",), "domains": ("crm",)}, ["tools", "domains", "send_email", "crm"]),
    ({"tools": ("send_email", "get_ticket"), "domains": ("email",)}, ["tools", "domains", "get_ticket"]),
    ({"risks": ("critical",), "domains": ("email",), "tools": ("send_email",)}, ["risks", "tools", "critical"]),
    ({"risks": ("low",), "tools": ("cancel_event",)}, ["risks", "tools", "low"]),
    ({"conditions": ("document_version",), **VENDORS}, ["condition", "document_version", "tools", "get_vendor"]),
    ({"conditions": ("stale", "document_version"), **VENDORS}, ["condition", "document_version", "tools"]),
    ({"world_size": 30}, ["world_size", "difficulty", "30"]),
    *(
        ({"world_size": least - 1, "difficulties": (difficulty,)}, ["world_size", "difficulty", str(difficulty)])
        for difficulty, least in LEAST_ENTITIES.items()
    ),
    ({"world_size": 5}, ["world_size"]),
    ({"world_size": 501}, ["world_size", "visibility", "full", "search"]),
    ({"world_size": 100_000, "visibility": "full"}, ["world_size", "visibility"]),
    ({"mix": "paper", "families": True}, ["mix", "paper", "families"]),
    ({"mix": "paper", "conditions": ("temporal",)}, ["mix", "paper", "conditions"]),
    ({"mix": "paper", **VENDORS}, ["document_version", "tools", "get_vendor"]),
    ({"mix": "fair"}, ["mix", "fair"]),
    ({"domains": ("mail",)}, ["domain", "mail", "email"]),
    ({"tools": ("send_letter",)}, ["tool", "send_letter", "send_email"]),
    ({"tools": ("search_documents",)}, ["tool", "search_documents"]),
    ({"conditions": ("vague",)}, ["conditions", "vague"]),
    ({"risks": ("extreme",)}, ["risks", "extreme"]),
    ({"difficulties": (6,)}, ["difficulties", "6"]),
    ({"difficulties": (0, 1)}, ["difficulties", "0"]),
    ({"split": "dev"}, ["split", "dev"]),
    ({"visibility": "some"}, ["visibility", "some"]),
    ({"seed": -1}, ["seed", "-1"]),
    ({"seed": 1 << 64}, ["seed"]),
    ({"tasks": 0}, ["tasks", "0"]),
    ({"noise": "deafening"}, ["noise", "deafening", "low"]),
    ({"noise": {"gremlins": 0.1}}, ["gremlins"]),
    ({"noise": {"keyboard": 1.5}}, ["noise", "keyboard", "1.5"]),
    ({"noise": {"keyboard": 0.9, "ocr": 0.9}}, ["noise", "keyboard", "ocr"]),
    ({"noise": 3}, ["noise", "3"]),
    ({"locales": ("xx_XX",)}, ["xx_XX"]),
    ({"locales": ("de_DE", "klingon")}, ["klingon"]),
    ({"colour": "red"}, ["colour"]),
]


@pytest.mark.parametrize(("settings", "named"), CLASHES, ids=[repr(settings) for settings, _ in CLASHES])
def test_settings_that_clash_are_named_in_one_sentence_before_anything_is_written(tmp_path, settings, named):
    path = tmp_path / "suites" / "none.jsonl"
    with pytest.raises(ConfigurationError) as caught:
        generate(config_from(settings), path, workers=2)
    message = str(caught.value)
    assert "\n" not in message
    assert not [word for word in named if word not in message], message
    assert not list(tmp_path.iterdir()), "neither a file nor a folder for it"


@pytest.mark.parametrize("settings", [{"world_size": 501}, {"noise": "deafening"}, {"colour": "red"}, {"tools": ()}])
def test_an_endless_source_refuses_the_same(settings):
    with pytest.raises(EbfError):
        GeneratedSource(**settings)


def test_a_suite_that_cannot_be_written_is_refused_and_leaves_nothing(tmp_path):
    (tmp_path / "file").write_text("a file, where a folder is needed")
    with pytest.raises(EbfError, match="cannot be written"):
        generate(SuiteConfig(tasks=4), tmp_path / "file" / "suite.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


POSSIBLE = [
    {"tools": ("get_account",), "conditions": ("account_collision",), "difficulties": (1,), "world_size": 26},
    {"tools": ("send_email",), "conditions": ("document_version",), "difficulties": (5,), "world_size": 36},
    {"risks": ("critical",), "difficulties": (5,)},
    {"risks": ("low",), "conditions": ("not_permitted",)},
    {"domains": ("email",), "mix": "paper"},
    {"domains": ("payments",), "conditions": ("unambiguous", "temporal", "stale", "account_collision")},
    {"domains": ("email", "payments"), "split": "val"},
    {"tools": ("draft_document",), "split": "test", "noise": "high"},
    {"conditions": ("near_duplicate",), "difficulties": (4, 5), "noise": "medium"},
    {"conditions": ("stale",), "families": False, "noise": {"keyboard": 0.5}},
    {"visibility": "search", "world_size": 36, "difficulties": (5,)},
    *(
        {"conditions": ("name_collision",), "tools": (tool,), "noise": "high", "split": split, "difficulties": (1,)}
        for tool, split in (("cancel_event", "test"), ("update_document", "val"), ("close_ticket", "train"))
    ),
]


@pytest.mark.parametrize("settings", POSSIBLE, ids=map(repr, POSSIBLE))
def test_settings_that_go_together_make_a_sound_suite(tmp_path, settings):
    generate(SuiteConfig(tasks=22, **settings), tmp_path / "sound.jsonl")
    suite = read_suite(tmp_path / "sound.jsonl")
    assert len(suite) == 22
    assert not [(task.task_id, prove(task).faults) for task in suite if prove(task).faults]


@pytest.mark.parametrize("tool", TOOLS_WITH_SLOTS)
def test_every_tool_can_be_asked_for_by_itself(tool):
    for condition in (None, "unambiguous"):
        generator = Generator(
            SuiteConfig(tools=(tool,), conditions=(condition,) if condition else ("temporal", "stale"))
        )
        drawn = list(generator.tasks(0, 6))
        assert {task.tool for task in drawn} == {tool}
        assert {task.label is Label.RESOLVABLE for task in drawn} == {True, False}
