from __future__ import annotations

import dataclasses
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ebf_env.cli.app import app
from ebf_env.decisions import Clarify, Decision, Defer, ToolCall
from ebf_env.envs import Episode
from ebf_env.envs.human.forms import form_in_words
from ebf_env.envs.human.records import NumberedRecords, spoken_time
from ebf_env.tasks import Condition, Label, Task, reference_decision, write_suite
from ebf_env.tasks.starter import starter_suite
from ebf_env.world import TOOLS, ActionType, Entity, EntityPrecondition, RiskLevel, ToolSpec, World
from ebf_env.world.binding import as_ids
from ebf_env.world.references import (
    Beside,
    Equals,
    Form,
    Named,
    NamesUser,
    Not,
    Pick,
    ReferredBy,
    Related,
    Window,
    Within,
    form_to_json,
)

TASKS = starter_suite().tasks
EBF = [sys.executable, "-m", "ebf_env.cli.app"]
LABEL_WORDS = {*map(str, Label), *map(str, Condition), "success", "wrong_entity", "reward", "meant"}


def play(*args: object, lines: Iterable[str] = ()) -> Result:
    """The command with its input typed line by line, in this process."""
    typed = "".join(f"{line}\n" for line in lines)
    return CliRunner(env={"COLUMNS": "100"}).invoke(app, ["play", *map(str, args)], input=typed)


def ebf(*args: object, typed: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    """The command as a process of its own."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), **env}
    return subprocess.run([*EBF, *map(str, args)], input=typed, capture_output=True, env=env, check=False)


def line_for(decision: Decision, task: Task) -> str:
    """What a person types to make a decision, records by number."""
    records = NumberedRecords(Episode(task).observation)

    def numbers(ids: Iterable[str]) -> str:
        return ",".join(str(records.number(i)) for i in ids)

    match decision:
        case ToolCall():
            return f"act {decision.tool} " + " ".join(
                f"{slot}={numbers(as_ids(bound))}" for slot, bound in decision.bindings.items()
            )
        case Clarify():
            return f"ask {decision.slot} {numbers(option.entity_id for option in decision.options)}"
        case Defer():
            return f"defer {decision.reason}"
    raise AssertionError(decision)


def right_line(task: Task) -> str:
    return line_for(reference_decision(task), task)


def totals(done: Result) -> str:
    assert done.exit_code == 0, done.output
    return done.stdout.splitlines()[-1]


def task_text(task: Task) -> str:
    [block] = play("starter", "--task", task.task_id, lines=["quit"]).stdout.split("> quit")[:1]
    return block


# --- sessions ---


def test_a_person_who_is_always_right():
    done = play("starter", lines=map(right_line, TASKS))
    assert totals(done).startswith("answered 40; skipped 0; right 40 (success 24, ")
    assert totals(done).endswith("reward +40.00")


def test_a_person_who_is_always_right_and_asks_first():
    lines = []
    for task in TASKS:
        decision = reference_decision(task, interactive=True)
        lines.append(line_for(decision, task))
        if isinstance(decision, Clarify):
            lines.append(line_for(reference_decision(task, task.intent), task))
    done = play("starter", "--interaction", "interactive", lines=lines)
    assert totals(done).startswith("answered 40; skipped 0; right 40 (success 34, needed_deferral 6)")
    assert "user: The 1st: Alex Petrović." in done.stdout
    assert "ask, then act: draft_email(recipient = #1 Alex Petrović)" in done.stdout


def test_wrong_answers_are_told_what_is_right():
    gold = TASKS[2].gold_bindings
    third_line = line_for(ToolCall("forward_thread", {slot: gold[slot] for slot in ("thread", "recipient")}), TASKS[2])
    done = play("starter", "--count", 3, lines=["act draft_email 2", "ask recipient 1 2", third_line])
    assert totals(done) == (
        "answered 3; skipped 0; right 0 (wrong_entity 1, unneeded_clarification 1, wrong_tool 1); reward -6.25"
    )
    first, second, third = done.stdout.split("\ntask ")[1:]
    assert "wrong_entity   reward -2.00   (ambiguous, true_ambiguity, medium risk, task starter-01)" in first
    assert "you        act: draft_email(recipient = #2 Alex Varga)" in first
    assert "right      ask, or defer (draft_email: recipient = no one record)" in first
    assert "meant      recipient = #1 Alex Petrović" in first
    assert '"Alex" (recipient)' in first
    assert "you        ask which recipient is meant: #1 Alex Petrović, #2 Alex Varga" in second
    assert "right      act: draft_email(recipient = #2 Alex Varga)" in second
    assert re.search(r'"the delivery schedule" \(attachments\)\s+means +#\d+ Larkspur delivery schedule', third)


BAD_LINES = [
    ("fly", "there is no command 'fly'; there are act, ask"),
    ("s", "'s' could be show or skip; 'help' explains."),
    ("act", "act needs a tool, as in: act TOOL slot=NUMBER."),
    ("act fly 1", "there is no tool 'fly'; there are search_directory"),
    ("act search", "'search' could be search_directory or search_email or search_tickets."),
    ("act draft_email", "draft_email needs its slot 'recipient'."),
    ("act draft recipient=", "recipient is given no record, as in recipient=NUMBER."),
    ("act draft 99", "no record in sight has the number '99'."),
    ("act draft x7", "no record in sight has the number 'x7'."),
    ("act draft 19", "recipient takes records of type person, and #19 Gift cards is of type email_thread."),
    ("act draft 1, 2", "recipient takes one record, got 2."),
    ("act draft 1 recipient=2", "recipient is given twice."),
    ("act draft 1 colour=2", "there is no slot of draft_email called 'colour'; there are recipient, thread"),
    ('act draft 1 body="hello', "a double quote is opened and never closed."),
    ("act forward 1", "forward_thread has the slots thread, recipient; say which, as in thread=NUMBER."),
    ("act search_email renewal limit=many", "limit is 'many', expected integer."),
    ("ask colour", "there is no slot 'colour'; there are recipient, thread, attachments."),
    ("ask recipient 1 99", "no record in sight has the number '99'."),
    ("defer", "defer needs a reason: no_referent, not_permitted, or your own words."),
    ("open", "open needs the number of a record, as in: open 3."),
    ("open 99", "no record in sight has the number '99'."),
    ("find", "find needs words, as in: find alex launch."),
    ("find zebra", "no record in sight holds all these words."),
    ("more wine", "there is no type of record 'wine'; there are person, email_thread, document"),
    ("\x1b[2J", "there is no command '\\x1b[2J'"),
]


def test_bad_input_is_one_sentence_and_costs_nothing():
    lines = [line for line, _ in BAD_LINES]
    done = play(
        "starter", "--interaction", "interactive", "--start", 2, "--count", 1, lines=[*lines, "", "   ", "act draft 2"]
    )
    assert totals(done) == "answered 1; skipped 0; right 1 (success 1); reward +1.00"
    replies = done.stdout.split("> ")
    for line, words in BAD_LINES:
        [reply] = [text for text in replies if text.startswith(f"{line}\n")]
        assert reply.split("\n", 1)[1].startswith(words), line
        assert reply.count("\n") == 2, "one sentence"


def test_ways_of_saying_the_same():
    task = TASKS[2]
    right = right_line(task)
    numbers = dict(part.split("=") for part in right.split()[2:])
    person, thread = numbers["recipient"], numbers["thread"]
    first, second = numbers["attachments"].split(",")
    for line in (
        f"act send rec=#{person} thr={thread} att={first},{second}",
        f"ACT Send_Email recipient = {person} attachments = {second} , {first} thread={thread}",
        f"act send_email {person} thread={thread} attachments={first} {second}",
        f"act send recipient={task.bindings['recipient']} thread={thread} attachments={first},{second},{first}",
        f'{right} subject="Your papers, as promised" body=I am glad',
    ):
        assert totals(play("starter", "--task", task.task_id, lines=[line])).endswith("reward +1.00"), line


@pytest.mark.parametrize(
    ("reason", "verdict"),
    [("no_referent", "wrong, it is not_permitted"), ("not", "right"), ("nobody may do that", "wrong")],
)
def test_reasons_of_a_deferral(reason, verdict):
    done = play("starter", "--task", "starter-19", lines=[f"defer {reason}"])
    assert re.search(rf"reason +{verdict}", done.stdout)


def test_the_input_may_end_anywhere():
    assert totals(play("starter", "--count", 2)) == "answered 0; skipped 0; right 0; reward +0.00"
    assert totals(play("starter", lines=["skip", right_line(TASKS[1])])).startswith("answered 1; skipped 1; right 1")
    assert totals(play("starter", lines=["quit", right_line(TASKS[0])])).startswith("answered 0;")
    done = ebf("play", "starter", typed=b"act draft \xff\xfe 2\nask rec 1")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"answered 1; skipped 0; right 1" in done.stdout


def test_ctrl_c_ends_with_the_totals():
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    process = subprocess.Popen(
        [*EBF, "play"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"skip\n")
    process.stdin.flush()
    shown = b""
    while b"task 2" not in shown or not shown.endswith(b"> "):
        shown += process.stdout.read(1)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, b"")
    assert output.endswith(b"\nanswered 0; skipped 1; right 0; reward +0.00\n")


# --- which tasks ---


def first_instructions(*args: object) -> list[str]:
    done = play(*args, lines=["skip"] * 40)
    return re.findall(r"^task (\d+)$", done.stdout, re.MULTILINE)


def test_some_of_the_tasks():
    assert first_instructions("starter", "--start", 39) == ["39", "40"]
    assert first_instructions("starter", "--start", 3, "--count", 2) == ["3", "4"]
    assert first_instructions("starter", "--task", "starter-17") == ["17"]


def test_a_seed_shuffles_always_in_the_same_way():
    shuffled = [play("starter", "--seed", seed, "--count", 3, lines=["skip"] * 3).stdout for seed in (1, 1, 2)]
    assert shuffled[0] == shuffled[1] != shuffled[2]
    assert shuffled[0] != play("starter", "--count", 3, lines=["skip"] * 3).stdout


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["none.jsonl"], "none.jsonl: there is no such file"),
        (["starter", "--task", "x"], "starter has no task x"),
        (["starter", "--start", "41"], "starter has no task number 41"),
        (["--blind"], "--blind shows no verdicts, so it needs --save FILE"),
        (["--save", "a.jsonl", "--interaction", "interactive"], "--save keeps single decisions"),
        (["starter", "--score", "a.jsonl", "--blind"], "--score plays nothing"),
        (["starter", "--score", "a.jsonl"], "a.jsonl: there is no such file"),
        (["--score", "a.jsonl"], "--score needs a suite"),
        (["--task", "x"], "--task needs a suite"),
        (["--save", "{search}"], "search.jsonl, line 1"),
        (["--save", "nowhere/a.jsonl"], "nowhere/a.jsonl: No such file or directory"),
        (["{search}"], "visibility 'search' needs interaction 'interactive'"),
    ],
)
def test_a_users_mistake_is_one_sentence_and_exit_code_2(tmp_path, args, words):
    search = searching(tmp_path)
    before = search.read_bytes()
    done = ebf("play", *(arg.format(search=search) for arg in args))
    errors = done.stderr.decode()
    assert (done.returncode, done.stdout) == (2, b"")
    assert errors.startswith("error: ")
    assert errors.count("\n") == 1
    assert words in errors
    assert search.read_bytes() == before


def test_help_has_an_example():
    assert "Example: ebf play" in play("starter", "--help").stdout


# --- what is shown ---


def test_tasks_are_shown_from_the_observation_alone():
    for task in TASKS:
        shown = task_text(task)
        hidden = {*LABEL_WORDS, task.task_id, *task.user.permissions.hidden} - set(task.instruction.split())
        assert not [word for word in hidden if re.search(rf"\b{re.escape(word)}\b", shown)], task.task_id
        assert max(map(len, shown.splitlines())) <= 100


def test_a_task_at_a_glance():
    shown = task_text(TASKS[1])
    assert "now   Wednesday 11 March 2026, 10:15 (UTC+01:00)" in shown
    assert "user  #10 Maren Oduya-Lindqvist, maren@norvane.example, Customer Programme Manager" in shown
    turns = [shown.index(words) for words in ("Is the webhook", "assistant:  Yes, NV-436", "Draft a thank-you")]
    assert turns == sorted(turns)
    assert re.search(r"draft_email recipient=person\s+Write an email", shown)
    assert "[attachments=document,...]" in shown
    assert "also in sight, with 'more': calendar_event (13), customer_account (7), folder (5)" in shown
    lines = shown.splitlines()
    [plan] = [line for line in lines if line.startswith("31")]
    assert re.match(r"31 +Kestrel launch plan +#17 Yuki Hase.+#66 Kestrel +3 +in_review", plan)
    [test] = [line for line in lines if "Penetration" in line]
    assert test.rstrip().endswith("view"), "records that may not be changed are marked"


def test_forty_records_fit_a_screen_or_two():
    shown = task_text(TASKS[0])
    assert shown.count("\n") < 80


def test_looking_closer():
    done = play(
        "starter",
        "--task",
        "starter-02",
        lines=["open 22, #2", "find larkspur renewal", "more tick", "more", "more person", "show"],
    )
    opened, found, tickets, others, people, again = [reply.split("\n", 1)[1] for reply in done.stdout.split("> ")[1:7]]
    assert opened.startswith("#22 Larkspur renewal terms (email_thread, id fwxvge)")
    assert "sender: #14 Priya Raman (v47wcb)" in opened
    assert "body: Our board meets on the 18th." in opened
    assert "sent_at: Fri  6 Mar 2026 11:20" in opened
    assert "#2 Alex Varga (person, id u8dqey)" in opened
    assert "22  Larkspur renewal terms" in found
    assert "Kestrel" not in found
    assert tickets.count("ticket (9)") > 1, "columns that do not fit beside each other come in further tables"
    assert "feature_request" in tickets
    assert "the same in all: priority P2, reporter #12 Nadia Kessler" in tickets
    assert "calendar_event (13)" in others
    assert "person (18)" not in others
    assert "alex.petrovic@norvane.example" in people
    assert again.lstrip().startswith("task 2")


def test_help_in_a_session():
    assert "defer REASON" in play("starter", "--count", 1, lines=["help"]).stdout


def searching(folder: Path) -> Path:
    tasks = [dataclasses.replace(task, visibility="search") for task in TASKS[:3]]
    write_suite(folder / "search.jsonl", tasks)
    return folder / "search.jsonl"


def test_what_searches_and_reads_bring_into_sight(tmp_path):
    suite = searching(tmp_path)
    lines = ["more", "act search_dir Alex", "act search_dir priya limit=1", "open 3", "act search_email renewal"]
    done = play(suite, "--interaction", "interactive", "--start", 3, lines=[*lines, "act read_doc 1"])
    replies = done.stdout.split("> ")
    assert "no record is in sight yet" in replies[0]
    assert "search_directory: 2 of 2 found" in replies[2]
    assert "1  Alex Petrović" in replies[2]
    assert "(reward -0.01)" in replies[2]
    assert "3  Priya Raman" in replies[3] or "#  person (1)" in replies[3]
    assert "#3 Priya Raman" in replies[4]
    assert "#3 Priya" in replies[5], "participants are known by now"
    assert "document takes records of type document" in replies[6]
    assert totals(done).startswith("answered 0")


def test_reading_something_shows_it_whole():
    done = play("starter", "--interaction", "interactive", "--task", "starter-03", lines=["act read_document 1"])
    assert "body:" in done.stdout.split("> act read")[1]


# --- why ---


def with_form(task_id: str, form: Form) -> Task:
    task = starter_suite()[task_id]
    mention = dataclasses.replace(task.mentions[0], form=form_to_json(form))
    return dataclasses.replace(task, mentions=(mention, *task.mentions[1:]))


def test_forms_explain_what_a_mention_denotes(tmp_path):
    fjordline = Named(("Fjordline",))
    pentest = Form("document", (Named(("penetration",)),))
    tasks = [
        with_form(
            "starter-32", Form("opportunity", (fjordline, Related("owner", Form("person", (Named(("Dana",)),)))))
        ),
        with_form("starter-09", Form("calendar_event", (fjordline, Within("start", Window("day", 1))))),
        with_form("starter-08", Form("email_thread", (Equals("subject", "January"),))),
        with_form("starter-19", pentest),
        with_form("starter-20", Form("document", (Named(("Kestrel",)),))),
    ]
    write_suite(tmp_path / "s.jsonl", tasks)
    deal, sync, hidden, locked, wrong = (
        text.split("defer no_referent\n")[1]
        for text in play(tmp_path / "s.jsonl", lines=["defer no_referent"] * 5).stdout.split("\ntask ")[1:]
    )
    assert 'asks for   opportunity; named "Fjordline"; owner is a (person; named "Dana")' in deal
    assert re.search(r"so named +#\d+ Fjordline France renewal 2026, #\d+ Fjordline Nordic kiosks", deal)
    assert re.search(r"denotes +#\d+ Fjordline France renewal 2026 *\n", deal)
    assert 'named "Fjordline" (not needed); start is tomorrow (Thu 12 Mar 2026)' in sync
    assert re.search(r"denotes +January \(tw5qf7\) *\n +in sight +nothing", hidden)
    assert re.search(r"denotes +#\d+ Penetration test summary *\n +may use +nothing", locked)
    assert "the label is in doubt: document: the mention denotes " in wrong


def test_every_kind_of_form_in_words():
    person = Form("person", (NamesUser("manager"),))
    form = Form(
        "document",
        (
            Equals("status", "final"),
            ReferredBy("messages.attachments", person),
            Beside("updated_at", "after", person, "start_date"),
            Not(Within("created_at", Window("week", -1, 1))),
            Within("updated_at", Window("quarter", 2)),
        ),
        Pick("version", "last", 2),
    )
    assert form_in_words(Form("person", (Named(("Alxe",), loose=True),)), None) == 'person; named "Alxe" or nearly so'
    assert form_in_words(form, "2026-03-11T10:15:00+01:00", idle=(0,)) == (
        "document; status is final (not needed); is messages attachments of a (person; manager is the user); "
        "updated at is after start date of the (person; manager is the user); "
        "not: created at is Tuesday last week (Tue 3 Mar 2026); "
        "updated at is 2 quarters ahead (Wed 1 Jul 2026 to Wed 30 Sep 2026); of these number 2 from the last by version"
    )
    assert form_in_words(Form("person", (Within("x", Window("day", -3)),), Pick("y", "first")), None) == (
        "person; x is 3 days ago; of these the first by y"
    )


def test_times_in_words():
    assert spoken_time("2026-03-11") == "Wed 11 Mar 2026"
    assert spoken_time("2026-03-01T09:05:00+02:00") == "Sun  1 Mar 2026 09:05 +02:00"
    assert spoken_time("2026-99-99") is spoken_time("Sprint 9") is None


# --- blind ---


def test_blind_answers_are_saved_and_nothing_is_told(tmp_path):
    answers = tmp_path / "answers.jsonl"
    wrong = ["note I would rather ask", "act draft_email 2"]
    done = play(
        "starter", "--blind", "--save", answers, "--count", 2, lines=[*wrong, "act draft 99", right_line(TASKS[1])]
    )
    assert totals(done) == f"answered 2; skipped 0; saved in {answers}"
    assert not LABEL_WORDS & set(re.findall(r"\w+", done.stdout))
    first, second = map(json.loads, answers.read_text().splitlines())
    assert list(first) == ["task_id", "decision", "seconds", "comment"]
    assert first["decision"] == {"decision": "ACT", "tool": "draft_email", "bindings": {"recipient": "u8dqey"}}
    assert (first["task_id"], first["comment"], second["comment"]) == ("starter-01", "I would rather ask", "")
    assert first["seconds"] >= 0

    scored = play("starter", "--score", answers).stdout
    assert "agreement with the label (act, or ask/defer): 1 of 2 (50.0%)" in scored
    assert "full agreement (success, or rightly asked or deferred): 1 of 2 (50.0%)" in scored
    assert "starter-01 (ambiguous, true_ambiguity)" in scored
    assert "answered   act: draft_email(recipient = Alex Varga (u8dqey)) (wrong_entity)" in scored
    assert "right      ask, or defer (draft_email: recipient = no one record)" in scored
    assert "comment    I would rather ask" in scored
    assert "starter-02" not in scored

    assert totals(play("starter", "--save", answers, "--count", 1, lines=[right_line(TASKS[0])])).endswith(
        f"saved in {answers}"
    )
    assert len(answers.read_text().splitlines()) == 3, "answers are added"
    assert "2 of 2 (100.0%)" in play("starter", "--score", answers).stdout, "the last answer to a task counts"


def test_agreement_with_the_label_is_less_than_full_agreement(tmp_path):
    answers = tmp_path / "answers.jsonl"
    play("starter", "--blind", "--save", answers, "--start", 2, "--count", 1, lines=["act draft_email 1"])
    scored = play("starter", "--score", answers).stdout
    assert "ask/defer): 1 of 1" in scored
    assert "deferred): 0 of 1" in scored


def test_an_answer_without_the_last_newline_is_not_glued_to_the_next(tmp_path):
    answers = tmp_path / "answers.jsonl"
    play("starter", "--save", answers, "--count", 1, lines=["defer no_referent"])
    answers.write_text(answers.read_text().rstrip("\n"))
    play("starter", "--save", answers, "--start", 2, "--count", 1, lines=["defer no_referent"])
    assert "of 2" in play("starter", "--score", answers).stdout


GOOD = '{"task_id": "starter-01", "decision": {"decision": "DEFER"}, "seconds": 1}\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no answer in it"),
        (GOOD + "{", "line 2: not valid JSON"),
        (GOOD + "[]\n", "line 2: no saved answer"),
        (GOOD.replace("1}", "-1}"), "line 1, field seconds: no saved answer: Input should be greater"),
        (GOOD.replace("seconds", "minutes"), "line 1, field seconds: no saved answer: Field required"),
        (GOOD.replace("starter-01", "x"), "it answers 'x', and no task has that id"),
    ],
)
def test_a_file_of_answers_that_cannot_be_scored(tmp_path, text, words):
    answers = tmp_path / "answers.jsonl"
    answers.write_text(text)
    done = ebf("play", "starter", "--score", answers)
    assert (done.returncode, done.stdout) == (2, b"")
    assert words in done.stderr.decode()


def test_a_saved_answer_that_is_no_decision_agrees_with_nothing(tmp_path):
    answers = tmp_path / "answers.jsonl"
    answers.write_text(GOOD.replace("DEFER", "FLY"))
    scored = play("starter", "--score", answers).stdout
    assert scored.count("0 of 1 (0.0%)") == 2
    assert "nothing that can be done" in scored


# --- terminals and odd records ---


def test_a_terminal_that_knows_ascii_only_and_one_without_colours():
    typed = right_line(TASKS[0]).encode() + b"\n"
    plain = ebf("play", "starter", "--count", 1, typed=typed, PYTHONIOENCODING="ascii", TERM="dumb")
    assert (plain.returncode, plain.stderr) == (0, b"")
    assert plain.stdout.isascii()
    assert b"\x1b" not in plain.stdout
    assert b"Alex Petrovi\\u0107" in plain.stdout


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    """Records of any shape, whose text tries to control the terminal."""
    world = World(
        [
            Entity("a", "thing", {"name": "\x1b[31mred", "deep": [[1], {"of": "b"}], "none": None, "big": 1e300}),
            Entity("b", "thing", {"name": "long words " * 9, "note": "two\nlines\x9b2J", "on": True, "half": 2.5}),
            Entity("1", "thing", {}),
        ]
    )
    poke = ToolSpec("poke", "Poke a thing.", "x", ActionType.OTHER, RiskLevel.LOW, (EntityPrecondition("what", "any"),))
    task = Task(
        task_id="t",
        instruction="Poke \x1b[2J it",
        world=world,
        tools=(TOOLS["send_email"], poke),
        tool="poke",
        bindings={"what": "a"},
        label=Label.RESOLVABLE,
        condition=Condition.UNAMBIGUOUS,
        domain="x",
        now="yesterday",
        history=({"role": "user", "content": ["x", 1]},),
        typed=False,
    )
    write_suite(tmp_path / "odd.jsonl", [task])
    return tmp_path / "odd.jsonl"


def test_records_of_any_shape(odd):
    done = play(odd, lines=["open 1 2 3", "find deep", "more thing", "more", "act poke 2"])
    assert totals(done) == "answered 1; skipped 0; right 0 (wrong_entity 1); reward -1.00"
    assert done.stdout.replace("\n", "").isprintable()
    assert "poke what=record" in done.stdout
    assert "now   yesterday" in done.stdout
    assert "act: poke(what = #2 1)" in done.stdout
    assert "#1 \N{REPLACEMENT CHARACTER}[31mred (thing, id a)" in done.stdout, "1 is the number here, not the id"
    assert "of: #3 long words" in done.stdout
    assert "all records in sight are shown" in done.stdout


def test_at_a_terminal_the_verdict_stays_until_the_person_goes_on():
    here, there = os.openpty()
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "COLUMNS": "100", "TERM": "xterm"}
    process = subprocess.Popen(
        [*EBF, "play", "starter", "--start", "9", "--count", "2"], stdin=there, stdout=there, stderr=there, env=env
    )
    os.close(there)
    shown = b""

    def until(words: bytes) -> bytes:
        nonlocal shown
        while words not in shown:
            shown += os.read(here, 4096)
        before, _, shown = shown.partition(words)
        return before

    until(b"ticket (9)")
    for line, answer in (
        (b"act res 5", b"Enter for the next task > "),
        (b"act res 5", b"this task has been decided; Enter shows the next."),
        (b"open 5", b"id u9mhuk"),
        (b"", b"task 10"),
        (b"quit", b"answered 1; skipped 0; right 1 (success 1); reward +1.00"),
    ):
        os.write(here, line + b"\n")
        until(answer)
    os.close(here)
    assert process.wait(60) == 0


def test_narrow_terminals(odd):
    for suite in (odd, "starter"):
        done = ebf("play", suite, typed=b"more thing\nmore\nopen 1\nact poke 1\n", COLUMNS="24")
        assert (done.returncode, done.stderr) == (0, b"")
