"""Hops from and to vendors, invoices and payment runs ("whoever approved the hosting invoice").

One that leads from a record of another domain, or to it, is drawn in suites that have payments among their domains.
"""

from __future__ import annotations

from ebf_generators.hops import Hop, listing, register_hop
from ebf_generators.phrasing.patterns import by_split


def _back(outer: str, inner: str, path: str, said: str) -> None:
    register_hop(Hop(outer, inner, path, False, by_split(said)))


def _on(outer: str, inner: str, path: str, said: str, *, many: bool = False) -> None:
    register_hop(Hop(outer, inner, path, True, by_split(said), listing(path) if many else None))


_on(
    "invoice",
    "document",
    "document",
    "the invoice that came with {m}; the invoice filed with {m}"
    " | the invoice accompanied by {m}; the invoice sent along with {m}"
    " | the invoice that goes with {m}; the invoice that refers to {m}",
)
_on(
    "invoice",
    "project",
    "project",
    "the invoice for {m}; the invoice charged to {m}"
    " | the invoice on the budget of {m}; the invoice booked on {m}"
    " | the invoice that belongs to {m}; the invoice assigned to {m}",
)
_on(
    "invoice",
    "person",
    "approver",
    "the invoice approved by {m}; the invoice okayed by {m}"
    " | the invoice signed off by {m}; the invoice authorized by {m}"
    " | the invoice cleared by {m}; the invoice that got its approval from {m}",
)
_on(
    "invoice",
    "vendor",
    "vendor",
    "the invoice sent by {m}; the invoice written by {m}"
    " | the invoice issued by {m}; the invoice sent out by {m}"
    " | the invoice received from {m}; the invoice that came from {m}",
)
_back(
    "vendor",
    "invoice",
    "vendor",
    "the vendor of {m}; the vendor who sent {m}"
    " | the supplier behind {m}; the supplier who issued {m}"
    " | the vendor that billed us with {m}; the vendor from whom we have {m}",
)
_on(
    "vendor",
    "person",
    "owner",
    "the vendor looked after by {m}; the vendor in the charge of {m}"
    " | the supplier handled by {m}; the supplier managed by {m}"
    " | the vendor in the care of {m}; the vendor under {m}",
)
_on(
    "payment_run",
    "invoice",
    "invoices",
    "the payment run that already includes {m}; the payment run already holding {m}"
    " | the payment run that already covers {m}; the payment run already containing {m}"
    " | the payment run that already lists {m}; the payment run already set up with {m}",
    many=True,
)
_on(
    "payment_run",
    "person",
    "owner",
    "the payment run owned by {m}; the payment run that belongs to {m}"
    " | the payment run managed by {m}; the payment run handled by {m}"
    " | the payment run in the hands of {m}; the payment run under {m}",
)
_back(
    "person",
    "invoice",
    "approver",
    "whoever approved {m}; the approver of {m}"
    " | the person who signed off {m}; whoever authorized {m}"
    " | the one who cleared {m}; whoever gave the approval for {m}",
)
_back(
    "person",
    "vendor",
    "owner",
    "whoever deals with {m}; the colleague in charge of {m}"
    " | the person who handles {m}; whoever manages {m}"
    " | the one who takes care of {m}; whoever is responsible for {m} here",
)
_back(
    "person",
    "payment_run",
    "owner",
    "whoever owns {m}; the owner of {m}"
    " | the person who handles {m}; whoever manages {m}"
    " | the one in charge of {m}; whoever is responsible for {m}",
)
_back(
    "document",
    "invoice",
    "document",
    "the document that came with {m}; the document filed with {m}"
    " | the file that goes with {m}; the file sent along with {m}"
    " | the paper behind {m}; the document to which {m} refers",
)
_back(
    "project",
    "invoice",
    "project",
    "the project charged with {m}; the project of {m}"
    " | the project behind {m}; the project that pays for {m}"
    " | the project to which {m} belongs; the project that has to bear {m}",
)
