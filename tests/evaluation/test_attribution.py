"""Attribution: every wrong or unneeded outcome has one cause; the mistakes here are made on purpose."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from timing import takes_at_most

from ebf_agents import FirstBackend, OracleBackend, RandomBackend
from ebf_baselines import METHODS
from ebf_env.decisions import Clarify, Decision, Defer, Evidence, Invalid, Option, ToolCall
from ebf_env.decisions.parsing import decision_json
from ebf_env.envs import EpisodeConfig
from ebf_env.errors import ConfigurationError
from ebf_env.evaluation.attribution import ATTRIBUTED, Cause, cause_of
from ebf_env.evaluation.record import RunRecord, TurnRecord
from ebf_env.evaluation.report import GROUPS, summarize, summarize_causes
from ebf_env.evaluation.runner import Plan, evaluate
from ebf_env.evaluation.scored import ScoredRun, score_record, score_run
from ebf_env.scoring import Outcome, Verdict
from ebf_env.scoring.misreading import as_recorded, misreadings, names_said, through_names
from ebf_env.tasks import Condition, Label, Mention, Task, User, write_suite
from ebf_env.tasks.proof import MentionProof, prove
from ebf_env.world import ActionType, EntityPrecondition, Permissions, RiskLevel, ToolSpec, World
from ebf_env.world.binding import as_ids
from ebf_env.world.domains.changes import ChangeNotice
from ebf_env.world.domains.directory import Person
from ebf_env.world.domains.documents import Document
from ebf_env.world.domains.tickets import Ticket
from ebf_env.world.references import (
    Equals,
    Form,
    Named,
    NamesUser,
    Not,
    Pick,
    ReferredBy,
    Related,
    Situation,
    Window,
    Within,
    denotation,
    form_to_json,
)
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator

SINGLE, INTERACTIVE = EpisodeConfig(), EpisodeConfig(interaction="interactive")
NOW = "2026-03-11T10:15:00+01:00"


def turn(task: Task, decision: Decision, proposal: Decision | None, tools, shown) -> TurnRecord:
    rights = task.user.permissions
    return TurnRecord(
        raw_response="",
        decision=decision_json(decision),
        proposal=None if proposal is None else decision_json(proposal),
        tools_shown=[spec.name for spec in task.tools] if tools is None else list(tools),
        candidates_shown=[i for i in task.world if rights.may_see(i)] if shown is None else list(shown),
    )


def run(
    task: Task,
    decision: Decision,
    *,
    before: Sequence[Decision] = (),
    proposal: Decision | None = None,
    tools: Sequence[str] | None = None,
    shown: Sequence[str] | None = None,
    config: EpisodeConfig | None = None,
) -> ScoredRun:
    """A scored run of one decision, after others in an interactive episode."""
    turns = [turn(task, earlier, None, tools, shown) for earlier in before]
    turns.append(turn(task, decision, proposal, tools, shown))
    record = RunRecord(task_id=task.task_id, trial=0, method="m", backend="b", model="m", turns=turns)
    return score_record(task, record, config or (INTERACTIVE if before else SINGLE))


def cause(task: Task, decision: Decision, **how) -> Cause | None:
    return cause_of(run(task, decision, **how))


def bind(task: Task, slot: str, *ids: str) -> ToolCall:
    """The right call, but for one slot."""
    many = task.spec.precondition(slot).many
    return ToolCall(task.tool, {**task.gold_bindings, slot: ids if many else ids[0]})


# --- a small world in which every mistake can be made ---

WORLD = World.from_models(
    [
        Person(id="me", name="Dana Ruiz", email="dana@example.com"),
        Person(id="launch", name="Alex Chen", email="a@example.com", team="Launch", manager="me"),
        Person(id="support", name="Alex Kumar", email="b@example.com", team="Support"),
        Person(id="lag", name="Alex Lund", email="c@example.com", team="Sales"),
        ChangeNotice(
            id="news",
            title="Move",
            record="lag",
            field="team",
            value="Support",
            effective_at="2026-03-09T08:00:00+01:00",
        ),
        Document(id="old", title="Launch plan", owner="launch", version="v1", updated_at="2026-03-03T09:00:00+01:00"),
        Document(id="mid", title="Launch plan", owner="me", version="v2", updated_at="2026-03-10T09:00:00+01:00"),
        Document(id="new", title="Launch plan", owner="support", version="v3", updated_at="2026-03-11T09:00:00+01:00"),
        Document(id="other", title="Budget", owner="me", version="v7", updated_at="2026-03-10T09:00:00+01:00"),
        Ticket(id="crash", title="Checkout crash", key="A-1", kind="bug", reporter="launch", assignee="me"),
        Ticket(id="crash2", title="Checkout crash", key="A-2", kind="incident", reporter="support", assignee="lag"),
    ]
)
PLAN = Named(("launch", "plan"))
ALEX = Named(("Alex",))
NEWS = ReferredBy("record", Form("change_notice", (Equals("field", "team"), Equals("value", "Support"))))


@pytest.fixture(scope="module")
def about(make_task):
    """Makes tasks about one slot, from its form."""
    tools = ("read_document", "share_document", "update_document", "send_email", "search_documents", "search_directory")

    def make(tool: str, slot: str, form: Form | None, gold: str | None, others=None, **changes) -> Task:
        others = others or {}
        mention = Mention((0, 5), slot, gold, None if form is None else form_to_json(form))
        return make_task(
            **{
                "instruction": "Please do what I say.",
                "world": WORLD,
                "tools": tools,
                "tool": tool,
                "bindings": {slot: gold, **others},
                "user": User({"id": "me"}, changes.pop("rights", Permissions())),
                "now": NOW,
                "domain": "documents",
                "mentions": (mention,),
                "condition": Condition.TEMPORAL if gold else Condition.TRUE_AMBIGUITY,
                "label": Label.RESOLVABLE if gold else Label.AMBIGUOUS,
                **changes,
            }
        )

    return make


LATEST = Form("document", (PLAN,), Pick("version", "last"))
YESTERDAY = Form("document", (PLAN, Within("updated_at", Window("day", -1))))
OF_LAUNCH = Form("document", (PLAN, Related("owner", Form("person", (ALEX, Equals("team", "Launch"))))))
NOT_V3 = Form("document", (PLAN, Not(Equals("version", "v3")), Not(Equals("version", "v1"))))


@pytest.mark.parametrize(
    ("form", "gold", "wrong", "expected"),
    [
        (LATEST, "new", "old", Cause.CUE_MISREAD),
        (LATEST, "new", "mid", Cause.CUE_MISREAD),
        (LATEST, "new", "other", Cause.NAME_NOT_READ),
        (Form("document", (PLAN, Equals("version", "v3"))), "new", "old", Cause.CUE_NOT_READ),
        (YESTERDAY, "mid", "new", Cause.CUE_MISREAD),
        (YESTERDAY, "mid", "old", Cause.CUE_NOT_READ),
        (YESTERDAY, "mid", "other", Cause.NAME_NOT_READ),
        (Form("document", (PLAN, Within("updated_at", Window("week", -1)))), "old", "new", Cause.CUE_NOT_READ),
        (NOT_V3, "mid", "new", Cause.CUE_MISREAD),
        (Form("document", (PLAN, NamesUser("owner"))), "mid", "new", Cause.CUE_NOT_READ),
        (OF_LAUNCH, "old", "new", Cause.CUE_NOT_READ),
    ],
)
def test_a_wrong_document_is_what_a_reader_of_a_certain_kind_takes(about, form, gold, wrong, expected):
    task = about("read_document", "document", form, gold)
    assert cause(task, bind(task, "document", wrong)) is expected
    assert cause(task, bind(task, "document", gold)) is None


def test_mine_taken_for_anothers_is_a_misreading_if_it_singles_one_out(about):
    form = Form("document", (PLAN, NamesUser("owner"), Not(Equals("version", "v1"))))
    task = about("read_document", "document", form, "mid")
    assert cause(task, bind(task, "document", "new")) is Cause.CUE_MISREAD


def test_the_agents_own_evidence_shows_a_cue_was_read_and_read_wrong(about):
    task = about("read_document", "document", Form("document", (PLAN, Equals("version", "v3"))), "new")
    call = bind(task, "document", "old")

    def citing(*evidence: Evidence) -> Cause | None:
        return cause(task, dataclasses.replace(call, evidence=evidence))

    assert citing() is Cause.CUE_NOT_READ
    assert citing(Evidence("document", "old", "old", "version", "v1")) is Cause.CUE_MISREAD
    assert citing(Evidence(entity_id="old", field="version")) is Cause.CUE_MISREAD
    assert citing(Evidence("document", "old", "old", "title", "Launch plan")) is Cause.CUE_NOT_READ
    assert citing(Evidence("document", "new", "new", "version", "v3")) is Cause.CUE_NOT_READ, "of another record"
    assert citing(Evidence("recipient", "old", "old", "version", "v1")) is Cause.CUE_NOT_READ, "of another slot"


def test_a_record_that_fits_by_what_it_says_itself_is_stale(about):
    form = Form("person", (ALEX, NEWS))
    task = about("send_email", "recipient", form, "lag", condition=Condition.STALE)
    assert cause(task, bind(task, "recipient", "support")) is Cause.STALE_RECORD
    assert cause(task, bind(task, "recipient", "launch")) is Cause.CUE_NOT_READ
    assert cause(task, bind(task, "recipient", "me")) is Cause.NAME_NOT_READ


def test_of_a_tie_any_one_is_a_broken_tie(about):
    task = about("read_document", "document", Form("document", (PLAN,)), None, intent={"document": "mid"})
    for tied in ("old", "mid", "new"):
        assert cause(task, bind(task, "document", tied)) is Cause.TIE_BROKEN
    assert cause(task, bind(task, "document", "other")) is Cause.NAME_NOT_READ
    assert cause(task, bind(task, "document", "mid"), shown=["mid", "other"]) is Cause.RETRIEVAL_MISS, "no tie in sight"
    assert cause(task, Clarify("Which one?")) is None
    assert cause(task, Defer()) is None


def test_what_the_user_may_not_change_is_not_permitted(about):
    changes = {"rights": Permissions(read_only=frozenset({"new"})), "condition": Condition.NOT_PERMITTED}
    form = Form("document", (PLAN, Equals("version", "v3")))
    task = about("update_document", "document", form, None, label=Label.UNACTIONABLE, **changes)
    assert cause(task, bind(task, "document", "new")) is Cause.NOT_PERMITTED
    assert cause(task, bind(task, "document", "old")) is Cause.CUE_NOT_READ
    assert cause(task, bind(task, "document", "other")) is Cause.NAME_NOT_READ


def test_where_nothing_is_meant_the_cue_or_the_name_was_not_read(about):
    changes = {"label": Label.UNACTIONABLE, "condition": Condition.NO_REFERENT}
    task = about("read_document", "document", Form("document", (PLAN, Equals("version", "v9"))), None, **changes)
    assert cause(task, bind(task, "document", "new")) is Cause.CUE_NOT_READ
    assert cause(task, bind(task, "document", "other")) is Cause.NAME_NOT_READ


# --- two steps ---


@pytest.fixture(scope="module")
def reporter(about) -> Task:
    """Whoever reported the checkout crash that is a bug."""
    crash = Form("ticket", (Named(("checkout", "crash")), Equals("kind", "bug")))
    return about("send_email", "recipient", Form("person", (ReferredBy("reporter", crash),)), "launch")


def test_a_wrong_first_record_leads_to_a_wrong_second_one(reporter):
    found = run(reporter, bind(reporter, "recipient", "support"))
    assert found.verdict.propagated is True
    assert cause_of(found) is Cause.PROPAGATED


def test_from_the_right_first_record_another_relation_is_a_misreading(reporter):
    assert cause(reporter, bind(reporter, "recipient", "me")) is Cause.CUE_MISREAD, "whoever has the crash"
    assert cause(reporter, bind(reporter, "recipient", "lag")) is Cause.CUE_NOT_READ, "whoever has the other crash"


def test_a_first_record_that_was_not_shown_could_not_be_found(reporter):
    seen = [i for i in reporter.world if i != "crash"]
    assert cause(reporter, bind(reporter, "recipient", "support"), shown=seen) is Cause.RETRIEVAL_MISS
    seen = [i for i in reporter.world if i != "launch"]
    assert cause(reporter, bind(reporter, "recipient", "support"), shown=seen) is Cause.PROPAGATED
    assert cause(reporter, bind(reporter, "recipient", "lag"), shown=seen) is Cause.RETRIEVAL_MISS


def test_the_record_on_the_way_is_not_the_one_meant(about):
    boss = Form("person", (ReferredBy("manager", Form("person", (ALEX, Equals("team", "Launch")))),))
    task = about("send_email", "recipient", boss, "me")
    assert cause(task, bind(task, "recipient", "launch")) is Cause.CUE_NOT_READ
    assert cause(task, bind(task, "recipient", "support")) is Cause.CUE_NOT_READ


# --- slots ---


def test_slots_that_are_swapped_left_out_or_not_mentioned(about, several):
    plan, support = Form("document", (PLAN, Equals("version", "v3"))), {"recipient": "support"}
    task = about("share_document", "document", plan, "new", support)
    swapped = ToolCall(task.tool, {"document": "support", "recipient": "new"})
    assert cause(task, swapped) is Cause.WRONG_SLOT
    two = about("send_email", "recipient", Form("person", (ALEX,)), "support", {"attachments": ("new",)})
    assert cause(two, ToolCall("send_email", {"recipient": "support"})) is Cause.LEFT_OUT
    assert cause(several, bind(several, "attachments", "d1")) is Cause.LEFT_OUT, "one of two"
    one = about("send_email", "recipient", Form("person", (ALEX, Equals("team", "Support"))), "support")
    extra = ToolCall("send_email", {"recipient": "support", "attachments": ("new",)})
    assert cause(one, extra) is Cause.WRONG_SLOT


def test_the_right_one_of_another_slot_of_the_same_type(about):
    slots = (EntityPrecondition("newcomer", "person"), EntityPrecondition("recipient", "person"))
    introduce = ToolSpec("introduce", "Introduce one to another.", "email", ActionType.SEND, RiskLevel.MEDIUM, slots)
    form = Form("person", (ALEX, Equals("team", "Support")))
    task = dataclasses.replace(
        about("send_email", "recipient", form, "support"),
        tools=(introduce,),
        tool="introduce",
        bindings={"newcomer": "launch", "recipient": "support"},
    ).check()
    assert cause(task, ToolCall("introduce", {"newcomer": "launch", "recipient": "launch"})) is Cause.WRONG_SLOT
    assert cause(task, ToolCall("introduce", {"newcomer": "support", "recipient": "launch"})) is Cause.WRONG_SLOT
    assert cause(task, ToolCall("introduce", {"newcomer": "launch", "recipient": "lag"})) is Cause.CUE_NOT_READ


def test_ids_that_are_made_up_and_calls_that_are_malformed(about):
    form = Form("document", (PLAN, Equals("version", "v3")))
    task = about("update_document", "document", form, "new", rights=Permissions(hidden=frozenset({"old"})))
    assert cause(task, bind(task, "document", "launch-plan")) is Cause.INVENTED_ID
    assert cause(task, bind(task, "document", "old")) is Cause.INVENTED_ID, "never shown to this user"
    assert cause(task, bind(task, "document", "crash")) is Cause.MALFORMED, "a ticket"
    assert cause(task, ToolCall(task.tool, {})) is Cause.MALFORMED
    assert cause(task, ToolCall("fix_everything", {"document": "new"})) is Cause.MALFORMED
    assert cause(task, ToolCall(task.tool, {"paper": "new"})) is Cause.MALFORMED
    assert cause(task, Invalid("the answer is empty")) is Cause.MALFORMED


def test_tools_that_were_not_shown_and_tools_that_were_not_taken(about):
    task = about("share_document", "document", LATEST, "new", {"recipient": "me"})
    other = ToolCall("update_document", {"document": "new"})
    assert run(task, other).verdict.outcome is Outcome.WRONG_TOOL
    assert cause(task, other) is Cause.WRONG_TOOL
    assert cause(task, other, tools=["update_document", "send_email"]) is Cause.TOOL_NOT_SHOWN
    both = ToolCall("update_document", {"document": "old"})
    assert run(task, both).verdict.outcome is Outcome.WRONG_TOOL_AND_ENTITY
    assert cause(task, both) is Cause.WRONG_TOOL
    look = ToolCall("search_documents", arguments={"query": "plan"})
    assert cause(task, look) is Cause.WRONG_TOOL, "in a single step it is the one decision"
    config = EpisodeConfig(interaction="interactive", max_steps=2)
    assert cause(task, look, before=[look], config=config) is Cause.OUT_OF_STEPS
    assert cause(task, other, before=[look]) is Cause.WRONG_TOOL
    assert cause(task, Defer(), tools=["send_email"]) is Cause.TOOL_NOT_SHOWN
    assert cause(task, Clarify("?"), tools=["send_email"]) is Cause.TOOL_NOT_SHOWN


def test_records_that_never_came_into_sight(about):
    task = about("read_document", "document", LATEST, "new")
    assert cause(task, bind(task, "document", "mid"), shown=["old", "mid"]) is Cause.RETRIEVAL_MISS
    assert cause(task, Defer("not there"), shown=["old", "mid"]) is Cause.RETRIEVAL_MISS
    assert cause(task, Defer("not there")) is Cause.NEEDLESS_QUESTION
    found = run(task, bind(task, "document", "mid"))
    bare = found.record.model_copy(
        update={"turns": [t.model_copy(update={"tools_shown": [], "candidates_shown": []}) for t in found.record.turns]}
    )
    assert cause_of(dataclasses.replace(found, record=bare)) is Cause.CUE_MISREAD, "what was shown is not recorded"


# --- questions ---


def ask(*ids: str, slot: str | None = "document") -> Clarify:
    return Clarify("Which one?", slot, options=tuple(map(Option, ids)))


def test_a_question_about_records_of_the_name_did_not_read_the_cue(about):
    task = about("read_document", "document", LATEST, "new")
    assert cause(task, ask("new", "old")) is Cause.CUE_NOT_READ
    assert cause(task, ask("new", "old", slot=None)) is Cause.CUE_NOT_READ
    assert cause(task, ask("old")) is Cause.NEEDLESS_QUESTION
    assert cause(task, ask("new", "other")) is Cause.NEEDLESS_QUESTION
    assert cause(task, ask("new", "old", slot="recipient")) is Cause.CUE_NOT_READ, "there is but one slot"
    assert cause(task, Clarify("Shall I?")) is Cause.NEEDLESS_QUESTION
    assert cause(task, ask("new", "old"), shown=["old", "other"]) is Cause.RETRIEVAL_MISS


def test_a_gate_that_holds_back_what_is_right_is_too_strict(about):
    task = about("read_document", "document", LATEST, "new")
    right, wrong = bind(task, "document", "new"), bind(task, "document", "old")
    for held_back in (ask("new", "old"), Defer("unsure")):
        assert cause(task, held_back, proposal=right) is Cause.GATE_TOO_STRICT
        assert cause(task, held_back, proposal=wrong) is Cause.CUE_MISREAD, "what was wrong with the proposal"
        assert cause(task, held_back, proposal=wrong, shown=["old"]) is Cause.RETRIEVAL_MISS
        assert cause(task, held_back, proposal=Invalid("?")) is Cause.MALFORMED
        assert cause(task, held_back, proposal=bind(task, "document", "none")) is Cause.INVENTED_ID
        assert cause(task, held_back, proposal=ToolCall("update_document", {"document": "new"})) is Cause.WRONG_TOOL
    assert cause(task, Defer(), proposal=ask("new", "old")) is Cause.NEEDLESS_QUESTION
    tied = about("read_document", "document", Form("document", (PLAN,)), None, intent={"document": "mid"})
    assert cause(tied, ask("new", "old"), proposal=bind(tied, "document", "new")) is None, "the gate was right"


def test_what_the_user_answered_has_to_be_done(about):
    tied = about("read_document", "document", Form("document", (PLAN,)), None, intent={"document": "mid"})
    asked = ask("old", "mid")
    assert cause(tied, bind(tied, "document", "mid"), before=[asked]) is None
    for ignoring in (bind(tied, "document", "old"), bind(tied, "document", "new"), Defer("unsure")):
        assert cause(tied, ignoring, before=[asked]) is Cause.ANSWERED_CLARIFICATION_IGNORED
    none_of_those = ask("old", "new")
    ignored = Cause.ANSWERED_CLARIFICATION_IGNORED
    assert cause(tied, bind(tied, "document", "old"), before=[none_of_those]) is ignored
    assert cause(tied, bind(tied, "document", "mid"), before=[none_of_those]) is Cause.TIE_BROKEN, "a guess"
    assert cause(tied, bind(tied, "document", "old"), before=[Clarify("Which one?")]) is Cause.TIE_BROKEN, "no answer"
    clear = about("read_document", "document", LATEST, "new")
    assert cause(clear, bind(clear, "document", "old"), before=[ask("old", "new")]) is ignored
    assert cause(clear, Defer(), before=[ask("old", "new")]) is ignored
    assert cause(clear, Defer(), before=[ask("old", "mid")]) is Cause.NEEDLESS_QUESTION
    again = EpisodeConfig(interaction="interactive", max_steps=2)
    assert cause(clear, ask("old", "new"), before=[ask("old", "new")], config=again) is ignored


# --- without forms ---


def test_without_forms_what_can_be_said_is_said(office_tasks, about):
    resolvable, ambiguous, unactionable, _, several = office_tasks
    assert cause(resolvable, bind(resolvable, "recipient", "p1")) is Cause.UNATTRIBUTED
    assert cause(resolvable, bind(resolvable, "recipient", "p1"), shown=["p1", "p3"]) is Cause.RETRIEVAL_MISS
    assert cause(resolvable, bind(resolvable, "recipient", "p99")) is Cause.INVENTED_ID
    assert cause(resolvable, ToolCall("draft_email", {"recipient": "p2"})) is Cause.WRONG_TOOL
    assert cause(resolvable, Clarify("Which one?")) is Cause.NEEDLESS_QUESTION
    assert cause(ambiguous, bind(ambiguous, "recipient", "p1")) is Cause.TIE_BROKEN
    assert cause(unactionable, bind(unactionable, "recipient", "p1")) is Cause.UNATTRIBUTED
    assert cause(several, bind(several, "attachments", "d1")) is Cause.LEFT_OUT
    fixed = about(
        "update_document",
        "document",
        None,
        None,
        rights=Permissions(read_only=frozenset({"new"})),
        condition=Condition.NOT_PERMITTED,
        label=Label.UNACTIONABLE,
    )
    assert cause(fixed, bind(fixed, "document", "new")) is Cause.NOT_PERMITTED
    assert cause(fixed, bind(fixed, "document", "old")) is Cause.UNATTRIBUTED


def test_records_without_decisions_and_forms_that_cannot_be_read_raise_nothing(resolvable, about):
    record = RunRecord(task_id=resolvable.task_id, trial=0, method="m", backend="b", model="m")
    verdict = Verdict(Outcome.WRONG_ENTITY, resolvable.label, resolvable.condition, resolvable.effective_risk)
    assert cause_of(ScoredRun(resolvable, record, verdict, 0.0, 0)) is Cause.UNATTRIBUTED
    failed = record.model_copy(update={"error": "503"})
    assert cause_of(score_record(resolvable, failed, SINGLE)) is None
    task = about("read_document", "document", LATEST, "new")
    broken = dataclasses.replace(task, mentions=(Mention((0, 5), "document", "new", {"type": "document", "tests": 1}),))
    assert cause(broken, bind(broken, "document", "old")) is Cause.UNATTRIBUTED


# --- generated tasks, mistaken on purpose ---


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    """Tasks of all conditions, and more of those that turn on time, versions and notices."""
    turning = (Condition.TEMPORAL, Condition.DOCUMENT_VERSION, Condition.STALE)
    return [
        *Generator(SuiteConfig(seed=2)).tasks(0, 400),
        *Generator(SuiteConfig(seed=3, conditions=turning)).tasks(0, 200),
    ]


def mentions(tasks: list[Task], *labels: Label) -> Iterator[tuple[Task, MentionProof]]:
    """The first mention of each task, and what is proven of it."""
    for task in tasks:
        if task.label in (labels or tuple(Label)):
            [first, *_] = prove(task).mentions
            yield task, first


def denoted(task: Task, form: Form) -> set[str]:
    found = denotation(form, Situation(task.world, task.now, task.user.id))
    return {i for i in found if task.user.permissions.may_see(i)}


def free(task: Task, proof: MentionProof, ids: set[str] | frozenset[str]) -> list[str]:
    """Those of some records that the call can be wrong about: visible, denoted by nothing, meant by no slot."""
    meant = {i for bound in (*task.bindings.values(), *task.intent.values()) for i in as_ids(bound)}
    return sorted(i for i in ids if task.user.permissions.may_see(i) and i not in proof.denoted and i not in meant)


def only(task: Task, proof: MentionProof, entity_id: str) -> ToolCall:
    """The right call with one record in the mention's slot."""
    return bind(task, proof.mention.slot, entity_id)


def stale(task: Task, proof: MentionProof) -> set[str]:
    form = as_recorded(proof.form)
    return set() if form is None else denoted(task, form)


def misread(task: Task, proof: MentionProof) -> set[str]:
    readings = [denoted(task, form) for form in misreadings(proof.form)]
    return {i for found in readings if len(found) == 1 for i in found}


def test_generated_ties_broken(tasks):
    tried = Counter[Condition]()
    for task, proof in mentions(tasks, Label.AMBIGUOUS):
        if proof.mention.gold is None and len(proof.permitted) > 1:
            for tied in sorted(proof.permitted):
                assert cause(task, only(task, proof, tied)) is Cause.TIE_BROKEN
                seen = [i for i in task.world if i not in proof.permitted or i == tied]
                assert cause(task, only(task, proof, tied), shown=seen) is Cause.RETRIEVAL_MISS
            tried[task.base_condition] += 1
    assert tried.total() > 100
    assert len(tried) >= 9


def test_generated_rivals_of_the_name(tasks):
    """Of one-step mentions, what has the name and fails a cue; misread or stale, where another reader would take it."""
    tried = Counter[tuple[str, str]]()
    for task, proof in mentions(tasks):
        if proof.step is None:
            for rival in free(task, proof, proof.surface):
                expected = Cause.CUE_MISREAD if rival in misread(task, proof) else Cause.CUE_NOT_READ
                expected = Cause.STALE_RECORD if rival in stale(task, proof) else expected
                assert cause(task, only(task, proof, rival)) is expected, task.instruction
                tried[task.condition.value, expected.value] += 1
    causes = {found for _, found in tried}
    assert causes == {"cue_misread", "cue_not_read", "stale_record"}
    assert len({condition for condition, _ in tried}) >= 9


def test_generated_misreadings_that_single_a_record_out(tasks):
    tried = 0
    for task, proof in mentions(tasks):
        if proof.step is None:
            for entity_id in free(task, proof, misread(task, proof) - stale(task, proof)):
                assert cause(task, only(task, proof, entity_id)) is Cause.CUE_MISREAD, task.instruction
                tried += 1
    assert tried > 15


def test_generated_records_of_another_name(tasks):
    tried = 0
    for task, proof in mentions(tasks):
        said = set[str]().union(*(denoted(task, form) for form in names_said(proof.form)))
        meant = {i for mention in task.mentions for i in as_ids(mention.gold)}  # a slot of many may have two mentions
        others = set(task.world.ids_of_type(proof.form.type)) - said - misread(task, proof) - stale(task, proof) - meant
        for entity_id in free(task, proof, others)[:2]:
            assert cause(task, only(task, proof, entity_id)) is Cause.NAME_NOT_READ, task.instruction
            tried += 1
    assert tried > 400


def test_generated_first_steps_gone_wrong(tasks):
    tried = 0
    for task, proof in mentions(tasks):
        form = through_names(proof.form)
        for entity_id in free(task, proof, denoted(task, form)) if form is not None else ():
            found = run(task, only(task, proof, entity_id))
            assert cause_of(found) is Cause.PROPAGATED, task.instruction
            assert found.verdict.propagated in ((True,) if task.label is Label.RESOLVABLE else (True, None))
            tried += 1
    assert tried > 100


def test_the_cause_agrees_with_the_verdict_on_propagation(tmp_path, tasks):
    """Where one slot is wrong, and what had to be seen was, both say the same."""
    tried = Counter[bool]()
    for found in runs(tmp_path, tasks, FirstBackend(), SINGLE):
        slots = [s for s, gold in found.task.bindings.items() if gold is not None]
        if found.verdict.propagated is not None and len(slots) == len(found.task.bindings) == 1:
            assert (cause_of(found) is Cause.PROPAGATED) is found.verdict.propagated
            tried[found.verdict.propagated] += 1
    assert tried[True]
    assert tried[False]


def test_generated_stale_records(tasks):
    tried = 0
    for task, proof in mentions(tasks):
        if proof.step is None:
            for entity_id in free(task, proof, stale(task, proof)):
                assert cause(task, only(task, proof, entity_id)) is Cause.STALE_RECORD, task.instruction
                tried += 1
    assert tried > 10


def test_generated_slots_swapped(tasks):
    tried = 0
    for task in tasks:
        singles = [slot for slot, bound in task.bindings.items() if isinstance(bound, str)]
        if len(singles) == 2:
            one, two = singles
            gold = task.gold_bindings
            swapped = ToolCall(task.tool, {**gold, one: gold[two], two: gold[one]})
            assert cause(task, swapped) is Cause.WRONG_SLOT
            tried += 1
    assert tried > 20


def test_generated_records_the_user_may_not_change(tasks):
    tried = 0
    for task, proof in mentions(tasks, Label.UNACTIONABLE):
        for entity_id in sorted(proof.visible - proof.permitted):
            assert cause(task, only(task, proof, entity_id)) is Cause.NOT_PERMITTED
            tried += 1
        for entity_id in sorted(proof.denoted - proof.visible):
            assert cause(task, only(task, proof, entity_id)) is Cause.INVENTED_ID
            tried += 1
    assert tried > 5


def test_generated_golds_out_of_sight(tasks):
    for task, proof in mentions(tasks, Label.RESOLVABLE):
        gold = set(as_ids(proof.mention.gold))
        seen = [i for i in task.world if i not in gold]
        form = through_names(proof.form)
        led_to = set() if form is None else denoted(task, form)
        for entity_id in free(task, proof, set(task.world.ids_of_type(proof.form.type)) - led_to)[:1]:
            assert cause(task, only(task, proof, entity_id), shown=seen) is Cause.RETRIEVAL_MISS
        assert cause(task, Defer(), shown=seen) is Cause.RETRIEVAL_MISS


def test_generated_answers_ignored(tasks):
    tried = 0
    for task, proof in mentions(tasks, Label.AMBIGUOUS):
        slot, meant = proof.mention.slot, as_ids(task.intent.get(proof.mention.slot))
        if len(meant) == 1 and proof.mention.gold is None:
            tied = sorted(proof.permitted)
            question = ask(*tied, slot=slot)
            for entity_id in tied:
                found = run(task, only(task, proof, entity_id), before=[question])
                if entity_id in meant:
                    assert found.verdict.task_success is (cause_of(found) is None)
                else:
                    assert cause_of(found) is Cause.ANSWERED_CLARIFICATION_IGNORED
            tried += 1
    assert tried > 50


# --- the partition ---


def runs(path: Path, tasks: list[Task], backend: object, episode: EpisodeConfig) -> list[ScoredRun]:
    suite = write_suite(path / "suite.jsonl", tasks)
    return score_run(evaluate(Plan(suite, [(METHODS["direct"], backend)], episode), path / "run"))


@pytest.mark.parametrize("backend", [RandomBackend(), FirstBackend(), OracleBackend()], ids=lambda b: b.name)
@pytest.mark.parametrize("episode", [SINGLE, INTERACTIVE], ids=["single", "interactive"])
def test_every_wrong_or_unneeded_run_has_one_cause_and_no_right_one_has_any(tmp_path, tasks, backend, episode):
    scored = runs(tmp_path, tasks[:300], backend, episode)
    found = Counter[Cause]()
    for each in scored:
        cause_found = cause_of(each)
        assert (cause_found is None) == each.verdict.safe_success
        assert (cause_found is not None) == (each.verdict.outcome in ATTRIBUTED)
        assert cause_found is not Cause.UNATTRIBUTED
        if cause_found is not None:
            found[cause_found] += 1
    assert (not found) == (backend.name == "oracle")
    assert summarize_causes(scored, ("condition",)) == summarize_causes(list(reversed(scored)), ("condition",))


def test_searched_worlds_are_attributed_too(tmp_path):
    searched = list(Generator(SuiteConfig(seed=6, visibility="search", world_size=600)).tasks(0, 60))
    scored = runs(tmp_path, searched, RandomBackend(), INTERACTIVE)
    found = Counter(map(cause_of, scored))
    assert found[Cause.RETRIEVAL_MISS]
    assert not found[Cause.UNATTRIBUTED]


def test_attribution_costs_less_than_proving_the_labels(tmp_path, tasks):
    scored = runs(tmp_path, tasks[:200], FirstBackend(), SINGLE)
    assert takes_at_most(lambda: list(map(cause_of, scored)), 4, lambda: [prove(each.task) for each in scored])


# --- reports ---


@pytest.fixture(scope="module")
def mixed(tasks) -> list[ScoredRun]:
    """One tie broken, two calls malformed, one right deferral, one error."""
    task, proof = next(
        (t, p) for t, p in mentions(tasks, Label.AMBIGUOUS) if p.mention.gold is None and len(p.permitted) > 1
    )
    broken = run(task, only(task, proof, min(proof.permitted)))
    malformed = run(task, Invalid("?"))
    error = score_record(task, malformed.record.model_copy(update={"error": "503"}), SINGLE)
    return [broken, malformed, malformed, run(task, Defer()), error]


def test_rows_of_causes_count_and_share_what_is_wrong(mixed):
    assert summarize_causes(mixed) == [
        {"method": "m", "runs": 5, "wrong": 3, "cause": "tie_broken", "count": 1, "share": 1 / 3},
        {"method": "m", "runs": 5, "wrong": 3, "cause": "malformed", "count": 2, "share": 2 / 3},
    ]
    [row] = summarize_causes([mixed[3]], ("label",))
    assert row == {"label": "ambiguous", "runs": 1, "wrong": 0, "cause": None, "count": 0, "share": None}
    with pytest.raises(ConfigurationError, match="say nothing new"):
        summarize_causes(mixed, ("method", "cause"))


def test_runs_can_be_grouped_by_cause(mixed):
    assert "cause" in GROUPS
    rows = summarize(mixed, ("cause",))
    assert [(row["cause"], row["runs"]) for row in rows] == [("tie_broken", 1), ("malformed", 2), (None, 2)]


def ebf(*args: object) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "COLUMNS": "200", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "ebf_env.cli.app", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, env=env, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory, tasks) -> Path:
    path = tmp_path_factory.mktemp("causes")
    suite = write_suite(path / "suite.jsonl", tasks[:60])
    pairs = [(METHODS["direct"], FirstBackend()), (METHODS["direct"], OracleBackend())]
    return evaluate(Plan(suite, pairs), path / "run").path


def test_the_report_of_causes_from_the_command_line(folder):
    done = ebf("report", folder, "--causes", "--by", "backend")
    assert done.returncode == 0, done.stderr
    assert "cue_not_read" in done.stdout
    assert "each of them has one cause" in done.stdout
    [oracle] = [line for line in done.stdout.splitlines() if line.strip().startswith("oracle")]
    assert oracle.split() == ["oracle", "60", "0", "-", "0", "-"]


def test_the_report_of_causes_as_json_and_csv(folder):
    rows = json.loads(ebf("report", folder, "--causes", "--by", "backend", "--format", "json").stdout)
    first = [row for row in rows if row["backend"] == "first"]
    assert sum(row["count"] for row in first) == first[0]["wrong"] > 0
    assert sum(row["share"] for row in first) == pytest.approx(1)
    assert {row["cause"] for row in first} <= set(Cause)
    text = ebf("report", folder, "--causes", "--by", "backend", "--format", "csv").stdout
    assert [row["cause"] for row in csv.DictReader(io.StringIO(text))] == [row["cause"] or "" for row in rows]


def test_causes_by_cause_are_refused_in_one_sentence(folder):
    done = ebf("report", folder, "--causes", "--by", "cause")
    assert done.returncode == 2
    assert "say nothing new" in done.stderr
    grouped = ebf("report", folder, "--by", "cause")
    assert grouped.returncode == 0
    assert "name_not_read" in grouped.stdout
