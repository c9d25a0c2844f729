"""Write the starter suite, the small hand-written suite that ships with the project.

Run it as ``python examples/starter_suite.py [PATH]``; it writes ``ebf_env/data/starter.jsonl`` unless told otherwise,
the same bytes every time. It is also the example of how to write a suite by hand:

1. a world of typed records (``starter_world.py``);
2. families of tasks: nearly the same words in nearly the same situation, with one fact changed, so that now another
   record is right, or asking, or leaving it. A task says which words of its instruction mean which record; the label
   follows from its condition;
3. ``write_suite``, which checks every task and seals the file.

Beside each task stands why its label is true, argued from what the user can see.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from starter_world import BEFORE_THE_BOARD_SIGNED, WORLD, ref, refs

from ebf_env.json_types import JSONObject
from ebf_env.tasks import Condition, Label, Mention, SuiteInfo, Task, User, write_suite
from ebf_env.world import TOOLS, Permissions, World
from ebf_env.world.domains.directory import Person

NOW = "2026-03-11T10:15:00+01:00"
"""A Wednesday, in the second week of Sprint 11."""

A_WEEK_LATER = "2026-03-18T09:40:00+01:00"

RIGHTS = {
    "maren": Permissions(read_only=frozenset(refs("pentest"))),
    "soren": Permissions(hidden=frozenset(refs("thread_credit"))),
}
"""What some people may not change or see; the same in all their tasks."""

Words: TypeAlias = tuple[str, str | None]
"""Some words of an instruction, and the key of the record they mean; None where they mean no one record."""

Meant: TypeAlias = str | tuple[str, ...]
"""Key of what a user has in mind, keys for a slot that takes many."""


@dataclass(frozen=True)
class Cell:
    """One task of a family.

    Attributes:
        condition: its ambiguity condition; the label follows from it.
        instruction: what the user says.
        slots: for each slot, the words of the instruction that speak of it, and what they mean; one such pair for each
            record of a slot that takes many.
        difficulty: 1 to 5.
        user: key of the person who speaks.
        intent: what the user has in mind where the words do not tell; left out where the user could not tell either.
        history: what was said before, the user first, then in turn.
        now: when it is said.
        world: the world it is said in.
        tool: the gold tool, where it is not the family's.
    """

    condition: Condition
    instruction: str
    slots: Mapping[str, Words | tuple[Words, ...]]
    difficulty: int
    user: str = "maren"
    intent: Mapping[str, Meant] = field(default_factory=dict)
    history: tuple[str, ...] = ()
    now: str = NOW
    world: World = WORLD
    tool: str | None = None


@dataclass(frozen=True)
class Family:
    """A contrast block.

    Attributes:
        about: the condition the block is about.
        tool: the gold tool.
        menu: names of all tools offered, in order.
        cells: its tasks.
    """

    about: Condition
    tool: str
    menu: str
    cells: tuple[Cell, ...]


def family(about: Condition, tool: str, menu: str, *cells: Cell) -> Family:
    """A family, its tasks written out as arguments."""
    return Family(about, tool, menu, cells)


FAMILIES = (
    # --- email ---
    family(
        Condition.NAME_COLLISION,
        "draft_email",
        "search_directory search_email search_tickets draft_email send_email forward_thread",
        Cell(  # Both Alexes were quick yesterday: Petrović answered Henrik in 19 minutes, Varga fixed a webhook.
            Condition.TRUE_AMBIGUITY,
            "Draft a thank-you to Alex for the quick turnaround yesterday.",
            {"recipient": ("Alex", None)},
            difficulty=3,
            intent={"recipient": "alex_p"},
        ),
        Cell(  # The conversation was about Varga's fix.
            Condition.NAME_COLLISION,
            "Draft a thank-you to Alex for the quick turnaround yesterday.",
            {"recipient": ("Alex", "alex_v")},
            difficulty=3,
            history=("Is the webhook problem fixed by now?", "Yes, NV-436 was resolved yesterday at 16:40."),
        ),
    ),
    family(
        Condition.DOCUMENT_VERSION,
        "send_email",
        "search_email search_documents search_directory read_document draft_email send_email forward_thread",
        Cell(  # Version 2 is the approved one of three; everything else is there once.
            Condition.DOCUMENT_VERSION,
            "In the renewal terms thread, send Priya the proposal as Legal approved it, plus the delivery schedule.",
            {
                "thread": ("the renewal terms thread", "thread_renewal"),
                "recipient": ("Priya", "priya"),
                "attachments": (
                    ("the proposal as Legal approved it", "proposal_2"),
                    ("the delivery schedule", "delivery"),
                ),
            },
            difficulty=4,
        ),
        Cell(  # There are two pricing annexes, alike but for their text; the thread asks for neither of them.
            Condition.TRUE_AMBIGUITY,
            "In the renewal terms thread, send Priya the pricing annex, plus the delivery schedule.",
            {
                "thread": ("the renewal terms thread", "thread_renewal"),
                "recipient": ("Priya", "priya"),
                "attachments": (("the pricing annex", None), ("the delivery schedule", "delivery")),
            },
            difficulty=5,
            intent={"attachments": ("annex_payments", "delivery")},
        ),
    ),
    family(
        Condition.NEAR_DUPLICATE,
        "reply_email_thread",
        "search_email read_thread draft_email reply_email_thread forward_thread delete_thread",
        Cell(  # Henrik and Camille both offered the 23rd, in two threads of one subject.
            Condition.TRUE_AMBIGUITY,
            "Reply to the mail about the training dates: the 23rd works for us.",
            {"thread": ("the mail about the training dates", None)},
            difficulty=4,
            intent={"thread": "thread_training_france"},
        ),
        Cell(  # Of the two, Henrik's alone offered the 30th.
            Condition.NEAR_DUPLICATE,
            "Reply to the mail about the training dates: the 30th works for us.",
            {"thread": ("the mail about the training dates", "thread_training_nordic")},
            difficulty=4,
        ),
    ),
    family(
        Condition.NOT_PERMITTED,
        "forward_thread",
        "search_directory search_email search_tickets read_thread forward_thread reply_email_thread delete_thread",
        Cell(  # Marta wrote one mail, and Maren got it.
            Condition.UNAMBIGUOUS,
            "Forward Marta's mail about the late credit note to Leila.",
            {"thread": ("Marta's mail about the late credit note", "thread_credit"), "recipient": ("Leila", "leila")},
            difficulty=2,
        ),
        Cell(  # The mail exists, as a comment on NV-427 shows, but is none of Søren's.
            Condition.NOT_PERMITTED,
            "Forward Marta's mail about the late credit note to Leila.",
            {"thread": ("Marta's mail about the late credit note", None), "recipient": ("Leila", "leila")},
            difficulty=4,
            user="soren",
        ),
    ),
    # --- calendar ---
    family(
        Condition.TEMPORAL,
        "reschedule_event",
        "get_event reschedule_event cancel_event invite_attendee search_calendar",
        Cell(  # Tomorrow is 12 March.
            Condition.TEMPORAL,
            "Push tomorrow's Fjordline sync back by an hour, please.",
            {"event": ("tomorrow's Fjordline sync", "fjordline_sync_12")},
            difficulty=2,
        ),
        Cell(  # Tomorrow is 19 March.
            Condition.TEMPORAL,
            "Push tomorrow's Fjordline sync back by an hour, please.",
            {"event": ("tomorrow's Fjordline sync", "fjordline_sync_19")},
            difficulty=2,
            now=A_WEEK_LATER,
        ),
    ),
    family(
        Condition.NEAR_DUPLICATE,
        "cancel_event",
        "search_calendar search_directory get_event cancel_event reschedule_event",
        Cell(  # Maren has one 1:1 with an Alex on Friday 13 March; the other two are Zofia's.
            Condition.NEAR_DUPLICATE,
            "Cancel my one-on-one with Alex on Friday.",
            {"event": ("my one-on-one with Alex on Friday", "one_on_one_maren")},
            difficulty=3,
        ),
        Cell(  # Zofia has a 1:1 with each Alex that day.
            Condition.TRUE_AMBIGUITY,
            "Cancel my one-on-one with Alex on Friday.",
            {"event": ("my one-on-one with Alex on Friday", None)},
            difficulty=3,
            user="zofia",
            intent={"event": "one_on_one_petrovic"},
        ),
    ),
    family(
        Condition.STALE,
        "invite_attendee",
        "search_calendar search_crm search_email search_directory get_account invite_attendee schedule_event",
        Cell(  # The account record, last touched in November, names Daniel; on 6 March Dana mailed that Alex took over.
            Condition.STALE,
            "Invite whoever looks after Larkspur Foods Iberia to next Tuesday's Larkspur sync.",
            {
                "attendee": ("whoever looks after Larkspur Foods Iberia", "alex_p"),
                "event": ("next Tuesday's Larkspur sync", "larkspur_sync_17"),
            },
            difficulty=5,
        ),
        Cell(  # Dana owns the UK account, and nothing says otherwise.
            Condition.CROSS_SYSTEM,
            "Invite whoever looks after Larkspur Foods UK to next Tuesday's Larkspur sync.",
            {
                "attendee": ("whoever looks after Larkspur Foods UK", "dana"),
                "event": ("next Tuesday's Larkspur sync", "larkspur_sync_17"),
            },
            difficulty=3,
        ),
    ),
    family(
        Condition.NAME_COLLISION,
        "schedule_event",
        "search_directory search_calendar invite_attendee schedule_event reschedule_event",
        Cell(  # Two people are called Daniel Brandt, and neither has anything with Yuki and Zofia.
            Condition.TRUE_AMBIGUITY,
            "Set up half an hour for Yuki, Zofia and Daniel on Monday at nine.",
            {"attendees": (("Yuki", "yuki"), ("Zofia", "zofia"), ("Daniel", None))},
            difficulty=3,
            intent={"attendees": ("yuki", "zofia", "daniel_s")},
        ),
        Cell(  # One of them is in Finance.
            Condition.NAME_COLLISION,
            "Set up half an hour for Yuki, Zofia and Daniel from finance on Monday at nine.",
            {"attendees": (("Yuki", "yuki"), ("Zofia", "zofia"), ("Daniel from finance", "daniel_f"))},
            difficulty=2,
        ),
    ),
    family(
        Condition.CROSS_SYSTEM,
        "get_event",
        "search_directory get_event search_calendar reschedule_event search_crm",
        Cell(  # Camille works at Fjordline France, and one of the two kickoffs is for that account.
            Condition.CROSS_SYSTEM,
            "When is the rollout kickoff with Camille's people?",
            {"event": ("the rollout kickoff with Camille's people", "kickoff_france")},
            difficulty=3,
        ),
        Cell(  # Marta works at Larkspur Foods Iberia; both kickoffs are with Fjordline.
            Condition.NO_REFERENT,
            "When is the rollout kickoff with Marta's people?",
            {"event": ("the rollout kickoff with Marta's people", None)},
            difficulty=4,
        ),
    ),
    # --- documents ---
    family(
        Condition.NOT_PERMITTED,
        "share_document",
        "search_documents search_directory read_document share_document move_document",
        Cell(  # Maren may read the summary; sharing it changes it.
            Condition.NOT_PERMITTED,
            "Share the penetration test summary with Nadia.",
            {"document": ("the penetration test summary", None), "recipient": ("Nadia", "nadia")},
            difficulty=3,
        ),
        Cell(  # Zofia owns it.
            Condition.UNAMBIGUOUS,
            "Share the penetration test summary with Nadia.",
            {"document": ("the penetration test summary", "pentest"), "recipient": ("Nadia", "nadia")},
            difficulty=1,
            user="zofia",
        ),
    ),
    family(
        Condition.DOCUMENT_VERSION,
        "delete_document",
        "search_documents read_document update_document delete_document move_document",
        Cell(  # Version 3 names version 2 as the one it replaces.
            Condition.DOCUMENT_VERSION,
            "Delete the Kestrel launch plan that version 3 replaced. Nobody opens it any more.",
            {"document": ("the Kestrel launch plan that version 3 replaced", "plan_2")},
            difficulty=3,
            user="yuki",
        ),
        Cell(  # Versions 1 and 2 are both old and archived.
            Condition.TRUE_AMBIGUITY,
            "Delete the old Kestrel launch plan. Nobody opens it any more.",
            {"document": ("the old Kestrel launch plan", None)},
            difficulty=3,
            user="yuki",
            intent={"document": "plan_1"},
        ),
    ),
    family(
        Condition.TEMPORAL,
        "read_document",
        "search_documents search_calendar search_directory read_document share_document update_document",
        Cell(  # Zofia wrote those of Sprint 9 and of Sprint 10.
            Condition.TRUE_AMBIGUITY,
            "Open the retro write-up from Zofia.",
            {"document": ("the retro write-up from Zofia", None)},
            difficulty=2,
            user="soren",
            intent={"document": "retro_9"},
        ),
        Cell(  # Sprint 11 is under way (planning on 2 March, review on 13 March), so the last one was Sprint 10.
            Condition.TEMPORAL,
            "Open the retro write-up from last sprint.",
            {"document": ("the retro write-up from last sprint", "retro_10")},
            difficulty=3,
            user="soren",
        ),
    ),
    family(
        Condition.STALE,
        "update_document",
        "search_documents search_email read_document read_thread update_document share_document",
        Cell(  # The store says "final" of the 2025 list, but Daniel mailed yesterday that the 2026 list is in force.
            Condition.STALE,
            "Update the partner price list that is in force with the new hotline number.",
            {"document": ("the partner price list that is in force", "prices_2026")},
            difficulty=5,
            user="dana",
        ),
        Cell(  # Without that mail the one before it holds: the 2025 list stays in force until the board signs.
            Condition.DOCUMENT_VERSION,
            "Update the partner price list that is in force with the new hotline number.",
            {"document": ("the partner price list that is in force", "prices_2025")},
            difficulty=3,
            user="dana",
            world=BEFORE_THE_BOARD_SIGNED,
        ),
    ),
    # --- customers ---
    family(
        Condition.ACCOUNT_COLLISION,
        "close_opportunity",
        "search_crm search_directory get_opportunity update_opportunity close_opportunity",
        Cell(  # Camille is the contact of Fjordline France.
            Condition.ACCOUNT_COLLISION,
            "Fjordline's renewal is signed! Book it as won, please.",
            {"opportunity": ("Fjordline's renewal", "deal_france")},
            difficulty=3,
            history=("Camille has just called, their board has signed.", "Good news! Shall I do anything?"),
        ),
        Cell(  # Henrik is the contact of Fjordline Nordic.
            Condition.ACCOUNT_COLLISION,
            "Fjordline's renewal is signed! Book it as won, please.",
            {"opportunity": ("Fjordline's renewal", "deal_nordic")},
            difficulty=3,
            history=("Henrik has just called, their board has signed.", "Good news! Shall I do anything?"),
        ),
    ),
    family(
        Condition.ACCOUNT_COLLISION,
        "draft_account_note",
        "search_crm get_account draft_account_note update_customer_record delete_customer_record",
        Cell(  # Larkspur Foods UK.
            Condition.ACCOUNT_COLLISION,
            "Draft a note on the Larkspur account that renews in September: they are talking to a second supplier.",
            {"account": ("the Larkspur account that renews in September", "larkspur_uk")},
            difficulty=2,
            user="dana",
        ),
        Cell(  # Larkspur Foods on the 30th, Larkspur Foods Iberia on the 15th.
            Condition.TRUE_AMBIGUITY,
            "Draft a note on the Larkspur account that renews in April: they are talking to a second supplier.",
            {"account": ("the Larkspur account that renews in April", None)},
            difficulty=3,
            user="dana",
            intent={"account": "larkspur_iberia"},
        ),
        Cell(  # None of the four; Fjordline Nordic does.
            Condition.NO_REFERENT,
            "Draft a note on the Larkspur account that renews in June: they are talking to a second supplier.",
            {"account": ("the Larkspur account that renews in June", None)},
            difficulty=3,
            user="dana",
            history=("How many Larkspur accounts are there?", "Four, with the parent."),
        ),
    ),
    family(
        Condition.ACCOUNT_COLLISION,
        "get_opportunity",
        "get_account get_opportunity search_crm search_directory update_opportunity close_opportunity",
        Cell(  # Of Fjordline's three deals Dana has the French renewal.
            Condition.ACCOUNT_COLLISION,
            "Pull up the Fjordline deal Dana is working on.",
            {"opportunity": ("the Fjordline deal Dana is working on", "deal_france")},
            difficulty=2,
        ),
        Cell(  # Daniel Brandt of Sales has the other two.
            Condition.TRUE_AMBIGUITY,
            "Pull up the Fjordline deal Daniel is working on.",
            {"opportunity": ("the Fjordline deal Daniel is working on", None)},
            difficulty=3,
            intent={"opportunity": "deal_kiosks"},
            history=("Who is our contact at Fjordline Nordic?", "Henrik Aas, their procurement lead in Bergen."),
        ),
    ),
    # --- tickets ---
    family(
        Condition.NEAR_DUPLICATE,
        "close_ticket",
        "search_tickets search_directory get_ticket comment_ticket escalate_ticket close_ticket",
        Cell(  # The user has just named it.
            Condition.NEAR_DUPLICATE,
            "That checkout ticket is done, take it off the board.",
            {"ticket": ("That checkout ticket", "NV-431")},
            difficulty=2,
            user="yuki",
            history=("Tomás says the fix for NV-431 went live this morning.", "Good, that was quick."),
        ),
        Cell(  # Tomás has NV-412 and NV-431 in review. Yuki heard of "the fix" and could not say which.
            Condition.TRUE_AMBIGUITY,
            "That checkout ticket is done, take it off the board.",
            {"ticket": ("That checkout ticket", None)},
            difficulty=3,
            user="yuki",
            history=("Tomás says the fix went live this morning.", "Good, that was quick."),
        ),
    ),
    family(
        Condition.CROSS_SYSTEM,
        "assign_ticket",
        "search_email search_directory read_thread search_tickets assign_ticket escalate_ticket comment_ticket",
        Cell(  # Camille mailed about the VAT line, and one of the two tickets on it is Fjordline France's.
            Condition.CROSS_SYSTEM,
            "Could you assign the problem Camille wrote in about to Søren?",
            {"ticket": ("the problem Camille wrote in about", "NV-435"), "assignee": ("Søren", "soren")},
            difficulty=4,
            user="nadia",
        ),
        Cell(  # Owen mailed about gift cards, and no ticket is about those or on his account.
            Condition.NO_REFERENT,
            "Could you assign the problem Owen wrote in about to Søren?",
            {"ticket": ("the problem Owen wrote in about", None), "assignee": ("Søren", "soren")},
            difficulty=4,
            user="nadia",
        ),
        Cell(  # Henrik mailed about frozen terminals and about receipts; there is a ticket for each.
            Condition.TRUE_AMBIGUITY,
            "Could you assign the problem Henrik wrote in about to Søren?",
            {"ticket": ("the problem Henrik wrote in about", None), "assignee": ("Søren", "soren")},
            difficulty=4,
            user="nadia",
            intent={"ticket": "NV-433"},
        ),
    ),
    family(
        Condition.TEMPORAL,
        "escalate_ticket",
        "search_tickets search_directory get_ticket draft_ticket_comment comment_ticket escalate_ticket assign_ticket",
        Cell(  # NV-412, NV-419 and NV-431, in the order in which they came; NV-398 is older, but no bug.
            Condition.TEMPORAL,
            "Escalate the oldest bug on Tomás's plate.",
            {"ticket": ("the oldest bug on Tomás's plate", "NV-412")},
            difficulty=3,
            user="zofia",
        ),
        Cell(  # The same three.
            Condition.TEMPORAL,
            "Draft a comment for the newest bug on Tomás's plate: could Support have a test build?",
            {"ticket": ("the newest bug on Tomás's plate", "NV-431")},
            difficulty=3,
            user="soren",
            tool="draft_ticket_comment",
        ),
    ),
)

# --- from families to tasks ---


def bind(meant: Meant) -> str | tuple[str, ...]:
    """The id or ids of what is meant."""
    return ref(meant) if isinstance(meant, str) else refs(*meant)


def parts(words: Words | tuple[Words, ...]) -> tuple[Words, ...]:
    """The words of a slot, one pair for each record."""
    return (words,) if isinstance(words[0], str) else words  # type: ignore[return-value]


def gold(words: Words | tuple[Words, ...]) -> str | tuple[str, ...] | None:
    """What a slot is to be bound to: None as soon as some of its words mean no one record."""
    keys = [key for _, key in parts(words)]
    if None in keys:
        return None
    ids = refs(*(key for key in keys if key is not None))
    return ids[0] if isinstance(words[0], str) else ids


def span(instruction: str, words: str) -> tuple[int, int]:
    """Where the words stand in the instruction.

    Raises:
        ValueError: they do not stand there exactly once.
    """
    if instruction.count(words) != 1:
        raise ValueError(f"{words!r} stands {instruction.count(words)} times in {instruction!r}, expected once")
    begin = instruction.index(words)
    return begin, begin + len(words)


def label_of(condition: Condition) -> Label:
    """What is expected of an agent under a condition."""
    match condition:
        case Condition.TRUE_AMBIGUITY:
            return Label.AMBIGUOUS
        case Condition.NO_REFERENT | Condition.NOT_PERMITTED:
            return Label.UNACTIONABLE
        case _:
            return Label.RESOLVABLE


def user_of(key: str) -> User:
    """A person of the world as a user, with what they may see and change."""
    person = WORLD.typed(ref(key), Person)
    fields: JSONObject = {
        "id": person.id,
        "name": person.name,
        "email": person.email,
        "title": person.title,
        "team": person.team,
    }
    return User(fields, RIGHTS.get(key, Permissions()))


def task(number: int, name: str, block: Family, cell: Cell) -> Task:
    """The task of a cell."""
    tool = cell.tool or block.tool
    return Task(
        task_id=f"starter-{number:02}",
        instruction=cell.instruction,
        world=cell.world,
        tools=tuple(TOOLS[offered] for offered in block.menu.split()),
        tool=tool,
        bindings={slot: gold(words) for slot, words in cell.slots.items()},
        label=label_of(cell.condition),
        condition=cell.condition,
        domain=TOOLS[tool].domain,
        now=cell.now,
        user=user_of(cell.user),
        history=tuple(
            {"role": "assistant" if turn % 2 else "user", "content": said} for turn, said in enumerate(cell.history)
        ),
        intent={slot: bind(keys) for slot, keys in cell.intent.items()},
        base_condition=block.about,
        difficulty=cell.difficulty,
        family=name,
        mentions=tuple(
            Mention(span(cell.instruction, text), slot, None if key is None else ref(key))
            for slot, words in cell.slots.items()
            for text, key in parts(words)
        ),
        index=number,
    )


def tasks() -> Iterator[Task]:
    """All tasks, in order."""
    number = 0
    for order, block in enumerate(FAMILIES, 1):
        for cell in block.cells:
            number += 1
            yield task(number, f"f{order:02}", block, cell)


def main(arguments: list[str]) -> None:
    """Write the suite."""
    path = Path(arguments[0]) if arguments else Path(__file__).parents[1] / "ebf_env" / "data" / "starter.jsonl"
    suite = write_suite(path, tasks(), SuiteInfo("starter", "written by hand: examples/starter_suite.py"))
    print(f"{path}: {len(suite)} tasks, sha256 {suite.sha256}")


if __name__ == "__main__":
    main(sys.argv[1:])
