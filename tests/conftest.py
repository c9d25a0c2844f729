"""What many tests share: a small typed world, tasks in it, and the paper's data where it is at hand."""

from __future__ import annotations

import dataclasses
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from ebf_env.tasks import Condition, Label, Task, User
from ebf_env.world import TOOLS, World
from ebf_env.world.domains.calendar import CalendarEvent
from ebf_env.world.domains.directory import Person
from ebf_env.world.domains.documents import Document, Folder
from ebf_env.world.domains.email import EmailThread, Message
from ebf_env.world.domains.tickets import Ticket

for _name in ("SIGINT", "SIGHUP"):  # a shell's background job ignores them, and so would every program started here
    _number = getattr(signal, _name, None)
    if _number is not None and signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.default_int_handler if _name == "SIGINT" else signal.SIG_DFL)

PAPER = Path(__file__).resolve().parents[2] / "shared" / "data" / "paper"
NOW = "2026-03-11T10:15:00+01:00"


@pytest.fixture(scope="session")
def paper_data() -> Path:
    """The folder of the paper's published tasks and runs."""
    if not (PAPER / "tasks_60.jsonl").is_file() or not (PAPER / "runs_1800.csv").is_file():
        pytest.skip("the paper's published data is not beside this checkout (../shared/data/paper)")
    return PAPER


@pytest.fixture(scope="session")
def office() -> World:
    """Two Alexes, a Dana, two launch plans, a folder, a thread, two syncs and a ticket."""
    return World.from_models(
        [
            Person(id="p1", name="Alex Chen", email="alex.chen@example.com", team="Launch"),
            Person(id="p2", name="Alex Kumar", email="alex.kumar@example.com", team="Support"),
            Person(id="p3", name="Dana Ruiz", email="dana@example.com", team="Sales"),
            Folder(id="f1", name="Plans", owner="p1"),
            Document(id="d1", title="Launch plan", owner="p1", version="v1", folder="f1", body="first"),
            Document(id="d2", title="Launch plan", owner="p1", version="v2", previous_version="d1", folder="f1"),
            EmailThread(
                id="t1",
                subject="Launch",
                participants=("p1", "p3"),
                messages=(Message(sender="p1", sent_at=NOW, body="see the plan", attachments=("d2",)),),
            ),
            CalendarEvent(id="e1", title="Sync", start="2026-03-12T09:00:00+01:00", end="2026-03-12T09:30:00+01:00"),
            CalendarEvent(id="e2", title="Sync", start="2026-03-19T09:00:00+01:00", attendees=("p1",)),
            Ticket(id="k1", title="Checkout bug", key="CHK-1", kind="bug"),
        ]
    )


MakeTask = Callable[..., Task]


@pytest.fixture(scope="session")
def make_task(office: World) -> MakeTask:
    """Makes a checked task; by default `Email Alex from support`, which is resolvable."""
    default = Task(
        task_id="task-1",
        instruction="Email Alex from support.",
        world=office,
        tools=tuple(
            TOOLS[name]
            for name in (
                "send_email",
                "draft_email",
                "reply_email_thread",
                "forward_thread",
                "search_directory",
                "read_thread",
            )
        ),
        tool="send_email",
        bindings={"recipient": "p2"},
        label=Label.RESOLVABLE,
        condition=Condition.NAME_COLLISION,
        domain="email",
        now=NOW,
        user=User({"id": "p3", "name": "Dana Ruiz"}),
    )

    def make(**changes: object) -> Task:
        if "tools" in changes:
            changes["tools"] = tuple(TOOLS[name] for name in changes["tools"])  # type: ignore[attr-defined]
        return dataclasses.replace(default, **changes).check()  # type: ignore[arg-type]

    return make


@pytest.fixture(scope="session")
def resolvable(make_task: MakeTask) -> Task:
    """One right recipient."""
    return make_task()


@pytest.fixture(scope="session")
def ambiguous(make_task: MakeTask) -> Task:
    """Either Alex; the user means the second."""
    return make_task(
        task_id="task-2",
        instruction="Email Alex.",
        bindings={"recipient": None},
        intent={"recipient": "p2"},
        label=Label.AMBIGUOUS,
        condition=Condition.TRUE_AMBIGUITY,
    )


@pytest.fixture(scope="session")
def unactionable(make_task: MakeTask) -> Task:
    """Nobody of that name."""
    return make_task(
        task_id="task-3",
        instruction="Email Zoe.",
        bindings={"recipient": None},
        label=Label.UNACTIONABLE,
        condition=Condition.NO_REFERENT,
    )


@pytest.fixture(scope="session")
def critical(make_task: MakeTask) -> Task:
    """A cancellation."""
    return make_task(
        task_id="task-4",
        instruction="Cancel tomorrow's sync.",
        tools=("cancel_event", "reschedule_event", "get_event", "search_calendar"),
        tool="cancel_event",
        bindings={"event": "e1"},
        condition=Condition.TEMPORAL,
        domain="calendar",
    )


@pytest.fixture(scope="session")
def several(make_task: MakeTask) -> Task:
    """Three slots, one of them many."""
    return make_task(
        task_id="task-5",
        instruction="Send Dana both plans in the launch thread.",
        bindings={"recipient": "p3", "thread": "t1", "attachments": ("d1", "d2")},
        condition=Condition.UNAMBIGUOUS,
    )


@pytest.fixture(scope="session")
def office_tasks(
    resolvable: Task, ambiguous: Task, unactionable: Task, critical: Task, several: Task
) -> tuple[Task, ...]:
    """All of them."""
    return resolvable, ambiguous, unactionable, critical, several
