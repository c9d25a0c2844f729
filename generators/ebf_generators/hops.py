"""Hops: a record meant through another one ("whoever reported the checkout crash").

Such a mention takes two steps: find the inner record, then follow what names it or what it names. A wrong first binding
then propagates into a wrong second one. Another way to hop is one more call of :func:`register_hop`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from ebf_env.json_types import JSON
from ebf_env.world.references import Form, ReferredBy, Related
from ebf_generators.company import Row
from ebf_generators.phrasing.patterns import Patterns, by_split
from ebf_generators.stage import Stage


@dataclass(frozen=True, slots=True)
class Hop:
    """A way from one record to the record that is meant.

    Attributes:
        outer: type of the record that is meant.
        inner: type of the record that is named.
        path: the field that ties them.
        forward: whether the outer record's field names the inner one; else the inner one's names the outer.
        said: patterns of the whole mention; ``{m}`` is the inner one.
        write: puts ids into a row; None: the field holds one id.
    """

    outer: str
    inner: str
    path: str
    forward: bool
    said: Patterns
    write: Callable[[Row, list[str]], None] | None = None

    def form(self, inner: Form) -> Form:
        """The form of the whole mention."""
        return Form(self.outer, (Related(self.path, inner) if self.forward else ReferredBy(self.path, inner),))

    def lead(self, stage: Stage, inner_id: str) -> str:
        """Tie an inner record to a new outer one.

        Returns:
            The outer record's id.
        """
        outer_id = stage.make(self.outer)
        row, named = (stage.row(outer_id), inner_id) if self.forward else (stage.row(inner_id), outer_id)
        if self.write is None:
            row[self.path] = named
        else:
            self.write(row, [named])
        return outer_id


_HOPS: Final[list[Hop]] = []


def register_hop(hop: Hop) -> None:
    """Add a way to hop."""
    _HOPS.append(hop)


def hops_to(outer: str) -> Sequence[Hop]:
    """The ways to a record of a type."""
    return [hop for hop in _HOPS if hop.outer == outer]


def listing(path: str) -> Callable[[Row, list[str]], None]:
    """Puts ids into a list of a row."""

    def write(row: Row, ids: list[str]) -> None:
        row[path] = list[JSON](ids)

    return write


def attach(row: Row, ids: list[str]) -> None:
    """Attaches documents to the first message of a thread, and takes attachments off the others."""
    messages = row["messages"]
    assert isinstance(messages, list)  # noqa: S101 -- threads are made with messages
    bare: list[JSON] = [
        {name: value for name, value in message.items() if name != "attachments"}
        for message in messages
        if isinstance(message, dict)
    ]
    assert isinstance(bare[0], dict)  # noqa: S101 -- as above
    row["messages"] = [{**bare[0], "attachments": list[JSON](ids)}, *bare[1:]]


def converse(row: Row, ids: list[str]) -> None:
    """Make people the participants of a thread, and its messages go among them."""
    row["participants"] = list[JSON](ids)
    messages = row["messages"]
    assert isinstance(messages, list)  # noqa: S101 -- threads are made with messages
    told: list[JSON] = []
    for number, message in enumerate(messages):
        assert isinstance(message, dict)  # noqa: S101 -- as above
        sender = ids[number % len(ids)]
        told.append({**message, "sender": sender, "recipients": [i for i in ids if i != sender] or [sender]})
    row["messages"] = told


def _back(outer: str, inner: str, path: str, said: str, *, many: bool = False) -> None:
    register_hop(Hop(outer, inner, path, False, by_split(said), listing(path) if many else None))


def _on(outer: str, inner: str, path: str, said: str, *, many: bool = False) -> None:
    register_hop(Hop(outer, inner, path, True, by_split(said), listing(path) if many else None))


_back(
    "person",
    "document",
    "owner",
    "whoever owns {m}; the owner of {m}"
    " | the person who keeps {m}; whoever has {m}"
    " | the one in charge of {m}; whoever is responsible for {m}",
)
_back(
    "person",
    "ticket",
    "reporter",
    "whoever reported {m}; the reporter of {m}"
    " | the person who filed {m}; whoever raised {m}"
    " | the one who handed in {m}; whoever brought up {m}",
)
_back(
    "person",
    "ticket",
    "assignee",
    "whoever works on {m}; the assignee of {m}"
    " | the person who handles {m}; whoever sees to {m}"
    " | the one with {m} on their desk; whoever has taken on {m}",
)
_back(
    "person",
    "calendar_event",
    "organizer",
    "whoever organizes {m}; the organizer of {m}"
    " | the person who set up {m}; whoever runs {m}"
    " | the one hosting {m}; whoever called {m}",
)
_back(
    "person",
    "customer_account",
    "owner",
    "whoever looks after {m}; the account owner of {m}"
    " | the person who handles {m}; whoever manages {m}"
    " | the one who takes care of {m}; whoever is responsible for {m} here",
)
_back(
    "person",
    "opportunity",
    "owner",
    "whoever looks after {m}; the owner of {m}"
    " | the person who handles {m}; whoever manages {m}"
    " | the one who takes care of {m}; whoever is responsible for {m}",
)
_back(
    "person",
    "project",
    "lead",
    "whoever leads {m}; the lead of {m}"
    " | the person who runs {m}; whoever heads {m}"
    " | the one steering {m}; whoever has the lead of {m}",
)
_back(
    "person",
    "folder",
    "owner",
    "whoever owns {m}; the owner of {m}"
    " | the person who keeps {m}; whoever has {m}"
    " | the one in charge of {m}; whoever is responsible for {m}",
)
_back(
    "document",
    "calendar_event",
    "attachments",
    "the document attached to {m}; what is attached to {m}"
    " | the file that goes with {m}; the document linked from {m}"
    " | the paper enclosed with {m}; the document that belongs to {m}",
    many=True,
)
_back(
    "document",
    "ticket",
    "attachments",
    "the document attached to {m}; what is attached to {m}"
    " | the file that goes with {m}; the document linked from {m}"
    " | the paper enclosed with {m}; the document that belongs to {m}",
    many=True,
)
_back(
    "document",
    "opportunity",
    "proposal",
    "the proposal of {m}; the document behind {m}"
    " | the file that explains {m}; the paper under {m}"
    " | the document drawn up for {m}; what was written for {m}",
)
register_hop(
    Hop(
        "document",
        "email_thread",
        "messages.attachments",
        False,
        by_split(
            "the document attached to {m}; what is attached to {m}"
            " | the file that came with {m}; the document sent around in {m}"
            " | the paper enclosed in {m}; the document carried by {m}"
        ),
        attach,
    )
)
_back(
    "folder",
    "document",
    "folder",
    "the folder of {m}; the folder that holds {m}"
    " | the folder containing {m}; the place that has {m}"
    " | the folder with {m} inside; wherever {m} lies",
)
_back(
    "project",
    "document",
    "project",
    "the project of {m}; the project served by {m}"
    " | the project behind {m}; the project that needs {m}"
    " | the project that covers {m}; the project to which {m} belongs",
)
_back(
    "project",
    "ticket",
    "project",
    "the project of {m}; the project slowed down by {m}"
    " | the project behind {m}; the project affected by {m}"
    " | the project that suffers from {m}; the project to which {m} belongs",
)
_back(
    "project",
    "calendar_event",
    "project",
    "the project of {m}; the project on the agenda of {m}"
    " | the project behind {m}; the project that calls for {m}"
    " | the project discussed at {m}; the project to which {m} belongs",
)
_back(
    "customer_account",
    "document",
    "account",
    "the account of {m}; the customer named in {m}"
    " | the account behind {m}; the customer described in {m}"
    " | the client concerned in {m}; the account to which {m} belongs",
)
_back(
    "customer_account",
    "ticket",
    "account",
    "the account of {m}; the customer hit by {m}"
    " | the account behind {m}; the customer affected by {m}"
    " | the client that suffers from {m}; the account to which {m} belongs",
)
_back(
    "customer_account",
    "calendar_event",
    "account",
    "the account of {m}; the customer expected at {m}"
    " | the account behind {m}; the customer we meet at {m}"
    " | the client discussed at {m}; the account to which {m} belongs",
)
_back(
    "customer_account",
    "person",
    "account",
    "the account of {m}; the customer represented by {m}"
    " | the employer of {m}; the customer that employs {m}"
    " | the client whose contact is {m}; the account to which {m} belongs",
)
register_hop(
    Hop(
        "email_thread",
        "document",
        "messages.attachments",
        True,
        by_split(
            "the thread that carries {m}; the thread with {m} attached"
            " | the conversation with {m} enclosed; the thread that passed {m} around"
            " | the thread that brought {m}; the conversation that contains {m}"
        ),
        attach,
    )
)
_on(
    "calendar_event",
    "document",
    "attachments",
    "the meeting with {m} attached; the meeting about {m}"
    " | the meeting linked to {m}; the meeting that deals with {m}"
    " | the meeting based on {m}; the meeting called to discuss {m}",
    many=True,
)
_on(
    "calendar_event",
    "person",
    "organizer",
    "the meeting organized by {m}; the meeting of {m}"
    " | the meeting set up by {m}; the meeting run by {m}"
    " | the meeting hosted by {m}; the meeting called by {m}",
)
_on(
    "ticket",
    "document",
    "attachments",
    "the ticket with {m} attached; the ticket that carries {m}"
    " | the ticket linked to {m}; the ticket that quotes {m}"
    " | the ticket enclosing {m}; the ticket that refers to {m}",
    many=True,
)
_on(
    "ticket",
    "person",
    "reporter",
    "the ticket reported by {m}; the ticket from {m}"
    " | the ticket filed by {m}; the ticket raised by {m}"
    " | the ticket handed in by {m}; the ticket brought up by {m}",
)
_on(
    "opportunity",
    "document",
    "proposal",
    "the deal with {m} as its proposal; the deal based on {m}"
    " | the deal resting on {m}; the deal explained in {m}"
    " | the deal laid out in {m}; the deal backed by {m}",
)
_on(
    "opportunity",
    "person",
    "owner",
    "the deal looked after by {m}; the deal of {m}"
    " | the deal handled by {m}; the deal managed by {m}"
    " | the deal in the care of {m}; the deal under {m}",
)
