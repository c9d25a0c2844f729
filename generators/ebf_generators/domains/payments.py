"""Payments: how vendors, invoices and payment runs are made, and what people say for the tools on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from ebf_env.json_types import JSON
from ebf_env.world.domains.payments import DOMAIN
from ebf_generators.company import Company, Row, register_maker
from ebf_generators.phrasing.wordings import Wordings, register_wordings
from ebf_generators.pools import Pools, Split

# --- records ---

_TRADES: Final[Mapping[str, str]] = {
    "Caterers": "catering",
    "Cleaners": "facilities",
    "Consultants": "consulting",
    "Couriers": "freight",
    "Electricians": "maintenance",
    "Fitters": "maintenance",
    "Haulage": "freight",
    "Hosting": "software",
    "Interpreters": "language services",
    "Movers": "freight",
    "Paper": "office supplies",
    "Plumbers": "maintenance",
    "Printers": "print",
    "Recruiters": "recruitment",
    "Rentals": "equipment",
    "Software": "software",
    "Solicitors": "legal services",
    "Stationers": "office supplies",
    "Telecom": "telecoms",
    "Tools": "equipment",
}
"""Second words of vendors' names, which no customer has, and the category each belongs to."""

_TRADE_NAMES: Final = tuple(_TRADES)
_CATEGORIES: Final = tuple(dict.fromkeys(_TRADES.values()))

_CURRENCIES: Final[Mapping[str, str]] = {
    "Austria": "EUR",
    "Czechia": "CZK",
    "Denmark": "DKK",
    "Finland": "EUR",
    "France": "EUR",
    "Germany": "EUR",
    "Hungary": "HUF",
    "Ireland": "EUR",
    "Italy": "EUR",
    "Japan": "JPY",
    "Netherlands": "EUR",
    "Norway": "NOK",
    "Poland": "PLN",
    "Portugal": "EUR",
    "Spain": "EUR",
    "Sweden": "SEK",
    "Switzerland": "CHF",
    "United Kingdom": "GBP",
}
"""Countries of vendors, and what they invoice in."""

_COUNTRIES: Final = tuple(_CURRENCIES)

_INVOICE_KINDS: Final[Mapping[Split, tuple[str, ...]]] = {
    "train": ("invoice", "invoice", "bill"),
    "val": ("invoice", "invoice", "fee statement"),
    "test": ("invoice", "invoice", "debit note"),
}
_RUN_KINDS: Final[Mapping[Split, tuple[str, ...]]] = {
    "train": ("payment run", "payment run", "payout batch"),
    "val": ("payment run", "payment run", "settlement round"),
    "test": ("payment run", "payment run", "disbursement cycle"),
}
_INVOICE_STATUSES: Final = (
    "received", "approved", "approved", "scheduled", "scheduled", "on_hold", "paid", "paid", "refunded", "void",
)  # fmt: skip
_RUN_SUBJECTS: Final = tuple(dict.fromkeys((*Pools.teams, *Pools.industries)))

_RUN_OF_INVOICE: Final[Mapping[str, str]] = {"scheduled": "planned", "paid": "released", "refunded": "released"}
"""Status of an invoice to the status of a run it can be in; those of any other status stand in void runs."""

_RUN_DAYS: Final[Mapping[str, tuple[int, int]]] = {"planned": (1, 21), "released": (-30, -1)}
"""Status of a run to the days from today it can be scheduled for."""


def add_vendor(company: Company, **given: JSON) -> str:
    """A vendor: a parent of its own, or a branch of one that is there. No two are drawn with one name."""
    bits, name, parent = company.bits, given.get("name"), given.get("parent")
    if name is None and parent is None:
        above = company._maybe("vendor", 0.35)
        parent = None if above is not None and "parent" in company.fields(above) else above
    called = str(name or _vendor_name(company, parent))
    drawn: Row = {
        "name": called,
        "vendor_number": _number(company, "VN"),
        "category": next((_TRADES[word] for word in called.split() if word in _TRADES), bits.choice(_CATEGORIES)),
        "country": bits.choice(_COUNTRIES),
        "owner": company._colleague(),
        "parent": parent,
        "status": bits.choice(("active", "active", "active", "active", "onboarding", "blocked")),
    }
    return company._add("vendor", drawn, given)


def add_invoice(company: Company, **given: JSON) -> str:
    """An invoice of a vendor who is there, in the vendor's currency; issued, then updated, and due after its issue."""
    bits = company.bits
    vendor = str(given.get("vendor") or company.any_of("vendor"))
    issued_at = str(given.get("issued_at") or company.moment(-bits.between(20, 90)))
    issued = datetime.fromisoformat(issued_at).date()
    age = (company.now.date() - issued).days
    drawn: Row = {
        "title": f"{company._subject()} {company.free(_INVOICE_KINDS[company.pools.split])}",
        "number": _number(company, "INV"),
        "vendor": vendor,
        "amount": 25.0 * bits.between(4, 900),
        "currency": _CURRENCIES.get(str(company.fields(vendor).get("country")), "EUR"),
        "status": bits.choice(_INVOICE_STATUSES),
        "approver": company._colleague(),
        "project": company._maybe("project", 0.4),
        "document": company._maybe("document", 0.2),
        "issued_at": issued_at,
        "due_date": (issued + timedelta(days=bits.choice((14, 30, 30, 45, 60)))).isoformat(),
        "updated_at": company.past(min(19, age - 1)) if age > 1 else issued_at,
        "updated_by": company._colleague(),
    }
    return company._add("invoice", drawn, given)


def add_payment_run(company: Company, **given: JSON) -> str:
    """A payment run of invoices that are there, are in no other run, and have got as far as it has."""
    bits, status, invoices = company.bits, given.get("status"), given.get("invoices")
    if invoices is None:
        status, invoices = _batch(company, status)
    least, most = _RUN_DAYS.get(str(status or "planned"), (-20, 20))
    drawn: Row = {
        "title": f"{company.free(_RUN_SUBJECTS)} {company.free(_RUN_KINDS[company.pools.split])}",
        "scheduled_for": company.day(bits.between(least, most)),
        "status": status or "planned",
        "invoices": invoices,
        "owner": company._colleague(),
        "updated_at": company.past(19),
        "updated_by": company._colleague(),
    }
    return company._add("payment_run", drawn, given)


def _batch(company: Company, status: JSON) -> tuple[JSON, Sequence[str]]:
    """The status of a run, drawn where none is given, and invoices that have got as far, if there are any."""
    bits, by_status = company.bits, dict[str, list[str]]()
    for invoice in _without_run(company):
        reached = _RUN_OF_INVOICE.get(str(company.fields(invoice).get("status")), "void")
        by_status.setdefault(reached, []).append(invoice)
    drawn = bits.choice([name for name in ("planned", "planned", "released", "void") if name in by_status])
    fitting = by_status.get(str(status)) or by_status[drawn]
    return status or drawn, fitting[: bits.between(2, 4)]


def _without_run(company: Company) -> Sequence[str]:
    """Some invoices that are in no run; any invoice where all are in one."""
    ids, rows, taken = company.ids("invoice"), company.rows, set[JSON]()
    for run in company.ids("payment_run"):
        held = rows[run][1].get("invoices")
        taken.update(held if isinstance(held, list | tuple) else ())
    drawn = [invoice for invoice in company.bits.sample(ids, 12) if invoice not in taken]
    return drawn or [invoice for invoice in ids if invoice not in taken] or [company.any_of("invoice")]


def _vendor_name(company: Company, parent: JSON) -> str:
    """A name no vendor has: of a brand of its own, or of a branch of the parent."""
    bits, rows = company.bits, company.rows
    taken = {rows[vendor][1]["name"] for vendor in company.ids("vendor")}
    for _ in range(40):
        if isinstance(parent, str):
            name = f"{rows[parent][1]['name']} {bits.choice(Pools.regions)}"
        else:
            name = f"{company.new_brand()} {bits.choice(_TRADE_NAMES)}"
        if name not in taken:
            break
    return name


def _number(company: Company, series: str) -> str:
    """A number nobody drew before: they rise with the records of a company, from where its sprints have got to."""
    return f"{series}-{1000 + 50 * company.sprint + 7 * len(company.rows) + company.bits.below(7)}"


register_maker("vendor", add_vendor, share=0.06, domain=DOMAIN)
register_maker("invoice", add_invoice, share=0.10, domain=DOMAIN)
register_maker("payment_run", add_payment_run, share=0.02, domain=DOMAIN)

# --- wordings ---

register_wordings(
    "get_invoice",
    ("invoice",),
    train=Wordings(
        (
            "get the billing details of {invoice}",
            "get me the amount we owe on {invoice}",
            "get the invoice record for {invoice}",
            "look up how much we are billed on {invoice}",
            "check the invoiced total on {invoice}",
            "open {invoice} and read out the billed amount",
        ),
        (
            "I need to see how much we are billed on {invoice}.",
            "What is the amount owed on {invoice}?",
            "What sum does {invoice} bill us for?",
            "I would like to read the billing details on {invoice}.",
            "The invoice details of {invoice} would help me here.",
        ),
    ),
    val=Wordings(
        (
            "get the charges listed on {invoice}",
            "get me the invoice data behind {invoice}",
            "get the invoice entry of {invoice}",
            "tell me what we are charged on {invoice}",
            "find out what sum is charged with {invoice}",
            "show me the charges on {invoice}",
        ),
        (
            "How much are we being charged on {invoice}?",
            "I am not sure how high the charges on {invoice} are.",
            "It would be good to know what sum is charged on {invoice}.",
            "Let me see the charges on {invoice}.",
            "What do our books say about the sum billed on {invoice}?",
        ),
    ),
    test=Wordings(
        (
            "get what the ledger says on the sum due for {invoice}",
            "get the invoice sheet for {invoice}",
            "get the amount payable for {invoice}",
            "pull the invoice particulars for {invoice}",
            "view the sum invoiced with {invoice}",
            "read me the invoiced amount from {invoice}",
        ),
        (
            "I have forgotten what sum is payable for {invoice}.",
            "What exactly has been invoiced with {invoice}?",
            "Somebody asked me for the amount payable on {invoice}; what is it?",
            "I want to go through the invoiced sum on {invoice}.",
        ),
    ),
)

register_wordings(
    "get_vendor",
    ("vendor",),
    train=Wordings(
        (
            "get the vendor record for {vendor}",
            "get me the vendor details of {vendor}",
            "get what we have on {vendor} as a vendor",
            "look up the vendor number of {vendor}",
            "open the vendor profile of {vendor}",
            "show me the vendor data on {vendor}",
        ),
        (
            "I need to see the vendor details of {vendor}.",
            "What is the vendor number of {vendor}?",
            "What do the vendor records say about {vendor}?",
            "I would like to read the vendor record on {vendor}.",
            "The vendor profile of {vendor} would help me here.",
        ),
    ),
    val=Wordings(
        (
            "get the supplier entry for {vendor}",
            "get me the supplier status of {vendor}",
            "get the supplier data behind {vendor}",
            "tell me what our supplier list says about {vendor}",
            "check whether {vendor} is blocked as a supplier",
            "find the supplier details on {vendor}",
        ),
        (
            "Is {vendor} blocked as a supplier, or active?",
            "Let me see the supplier entry for {vendor}.",
            "I am not sure what our supplier list says about {vendor}.",
            "What do we know about {vendor} as a supplier?",
        ),
    ),
    test=Wordings(
        (
            "get the vendor master data for {vendor}",
            "get the vendor sheet on {vendor}",
            "get what procurement keeps on {vendor} as a supplier",
            "view the vendor master record of {vendor}",
            "read me the vendor particulars of {vendor}",
            "pull the vendor card for {vendor}",
        ),
        (
            "What is on record for {vendor} as our vendor?",
            "I want to go through the vendor master data on {vendor}.",
            "Somebody asked me how we have {vendor} registered as a vendor.",
            "What does the vendor master list say about {vendor}?",
        ),
    ),
)

register_wordings(
    "draft_vendor_note",
    ("vendor",),
    train=Wordings(
        (
            "draft a vendor note on {vendor}",
            "draft a note about {vendor} for the vendor file",
            "draft something on {vendor} as a vendor note",
            "prepare a vendor note about {vendor}, unpublished",
            "write a vendor note on {vendor} but leave it unpublished",
            "start an unpublished vendor note about {vendor}",
        ),
        (
            "I want an unpublished vendor note on {vendor}.",
            "Let us have an unpublished vendor note about {vendor}.",
            "A vendor note on {vendor} should be prepared, but not published.",
            "Could I look over a vendor note about {vendor} without it being published?",
            "Please write down a vendor note on {vendor}, for my eyes only.",
        ),
    ),
    val=Wordings(
        (
            "draft a supplier note concerning {vendor}",
            "draft a remark on {vendor} for the supplier list",
            "draft a supplier remark about {vendor}",
            "put together a supplier note on {vendor} without publishing",
            "compose a private supplier note about {vendor}",
            "sketch a remark about {vendor} as a supplier, not for publication",
        ),
        (
            "I need a private supplier note about {vendor}.",
            "The supplier list lacks a remark about {vendor}; compose one that stays private.",
            "Something about {vendor} belongs in an unpublished supplier note.",
            "A supplier remark concerning {vendor} would be good, kept private.",
        ),
    ),
    test=Wordings(
        (
            "draft a vendor memo line about {vendor}",
            "draft a comment on {vendor} for the vendor record",
            "draft the wording of a vendor note for {vendor}",
            "get an unpublished vendor note ready for {vendor}",
            "formulate an unpublished vendor comment on {vendor}",
            "pen a vendor comment about {vendor} for review, not for release",
        ),
        (
            "I could use an unreleased vendor comment about {vendor}.",
            "Would you word a vendor note for {vendor} and leave it unreleased?",
            "The vendor record needs an unreleased comment on {vendor}.",
            "Get a vendor comment on {vendor} ready for me to review, please.",
        ),
    ),
)

register_wordings(
    "hold_invoice",
    ("invoice",),
    train=Wordings(
        (
            "hold {invoice}",
            "hold payment of {invoice}",
            "put {invoice} on hold",
            "stop {invoice} from being paid",
            "block payment of {invoice}",
            "freeze {invoice} so that nothing is paid on it",
        ),
        (
            "{invoice} must not be paid, the charges need checking.",
            "Please block {invoice} from payment, the charges look wrong.",
            "We dispute {invoice}, so payment of it has to wait.",
            "Nothing should be paid on {invoice} while we look into the charges.",
            "I have doubts about the charges on {invoice}; freeze payment of it.",
        ),
    ),
    val=Wordings(
        (
            "hold {invoice} back from payment",
            "hold the payment due on {invoice}",
            "place a payment hold on {invoice}",
            "suspend payment of {invoice}",
            "mark {invoice} as disputed and keep it from being paid",
            "keep {invoice} unpaid while the charges are in dispute",
        ),
        (
            "Do not let {invoice} be paid, there is a query on the charges.",
            "Payment of {invoice} needs to be suspended.",
            "The vendor and we disagree on {invoice}, so it should stay unpaid.",
            "We are not ready to let {invoice} be paid, the sum is in dispute.",
        ),
    ),
    test=Wordings(
        (
            "hold {invoice} so that accounts payable leaves it unpaid",
            "hold off paying {invoice}",
            "set {invoice} to on hold with accounts payable",
            "pause payment of {invoice}",
            "withhold the money for {invoice}",
            "bar {invoice} from payment",
        ),
        (
            "Accounts payable should pause {invoice}, we have a complaint open on it.",
            "I do not want money to leave for {invoice} with a complaint open.",
            "There is a complaint about {invoice}, so please pause its payment.",
            "Have accounts payable sit on {invoice} with the complaint unresolved.",
        ),
    ),
)

register_wordings(
    "add_invoice_to_run",
    ("invoice", "payment_run"),
    train=Wordings(
        (
            "add {invoice} to {payment_run}",
            "add {invoice} to the invoices in {payment_run}",
            "add {invoice} to what is paid in {payment_run}",
            "include {invoice} among the invoices in {payment_run}",
            "put {invoice} into {payment_run} for payment",
            "have {invoice} paid together with the invoices in {payment_run}",
        ),
        (
            "{invoice} should be paid as part of {payment_run}.",
            "Please make sure {payment_run} includes payment of {invoice}.",
            "{payment_run} is missing an invoice: include {invoice} there.",
            "I want {invoice} paid along with the others in {payment_run}.",
            "Can {invoice} go into {payment_run} and be paid with it?",
        ),
    ),
    val=Wordings(
        (
            "add {invoice} as one more invoice in {payment_run}",
            "add payment of {invoice} to {payment_run}",
            "add {invoice} to what is paid with {payment_run}",
            "schedule {invoice} for payment within {payment_run}",
            "slot {invoice} into {payment_run} for payment",
            "bundle {invoice} with the invoices paid in {payment_run}",
        ),
        (
            "{payment_run} ought to cover {invoice} as well.",
            "Let {payment_run} take care of paying {invoice}.",
            "{invoice} belongs with the invoices that are paid in {payment_run}.",
            "It would be best to have {invoice} paid through {payment_run}.",
        ),
    ),
    test=Wordings(
        (
            "add {invoice} onto {payment_run} for payment",
            "add to {payment_run} the sum we owe on {invoice}",
            "add {invoice} to the batch paid with {payment_run}",
            "enter {invoice} in {payment_run} so that it is paid there",
            "attach {invoice} to the batch of invoices in {payment_run}",
            "queue {invoice} for payment in {payment_run}",
        ),
        (
            "{invoice} has to be among what {payment_run} pays out.",
            "We can pay {invoice} in {payment_run}; please enter it there.",
            "Would you have {payment_run} pay out {invoice} too?",
            "The batch in {payment_run} is incomplete without {invoice}, so enter it.",
        ),
    ),
)

register_wordings(
    "pay_invoice",
    ("invoice",),
    train=Wordings(
        (
            "pay {invoice}",
            "pay what we owe on {invoice}",
            "pay the vendor the amount billed on {invoice}",
            "pay {invoice} in full",
            "settle {invoice} with the vendor",
            "transfer the amount billed on {invoice} to the vendor",
        ),
        (
            "We owe the vendor the amount on {invoice}, so please transfer it.",
            "The vendor should have our money for {invoice}.",
            "Please settle what we owe on {invoice}.",
            "I agree with {invoice}; the vendor can have the money.",
            "Would you transfer what is billed on {invoice}?",
        ),
    ),
    val=Wordings(
        (
            "pay the charges on {invoice}",
            "pay the sum charged on {invoice}",
            "pay the vendor for {invoice}",
            "send the vendor the money for {invoice}",
            "clear the balance we owe on {invoice}",
            "wire the vendor the sum charged on {invoice}",
        ),
        (
            "The balance on {invoice} is ours to clear, so wire it.",
            "{invoice} is fine by me, so let the vendor have the money.",
            "Please wire the sum charged on {invoice}.",
            "The vendor is waiting for our money on {invoice}; send it over.",
        ),
    ),
    test=Wordings(
        (
            "pay out the sum due on {invoice}",
            "pay {invoice} from our account",
            "pay the invoiced sum of {invoice}",
            "remit the sum due on {invoice}",
            "discharge our debt on {invoice}",
            "make the bank transfer that covers {invoice}",
        ),
        (
            "Our debt on {invoice} should be discharged.",
            "Have the bank remit what is due on {invoice}.",
            "There is nothing against {invoice}, so remit the sum to the vendor.",
            "I would like the bank transfer for {invoice} to be made.",
        ),
    ),
)

register_wordings(
    "refund_invoice",
    ("invoice",),
    train=Wordings(
        (
            "refund {invoice}",
            "refund what we paid on {invoice}",
            "refund the amount billed on {invoice}",
            "get our money back for {invoice}",
            "have the vendor return what we paid on {invoice}",
            "claim back the amount paid on {invoice}",
        ),
        (
            "We want our money back for {invoice}.",
            "The vendor has to return what we paid on {invoice}.",
            "{invoice} should not have been paid; claim the money back.",
            "Please see that the money paid on {invoice} comes back to us.",
            "Could we have the amount paid on {invoice} returned?",
        ),
    ),
    val=Wordings(
        (
            "refund the payment made on {invoice}",
            "refund {invoice} to us",
            "refund the sum charged on {invoice}",
            "reclaim the payment made on {invoice}",
            "reverse the payment of {invoice}",
            "ask the vendor for our payment of {invoice} back",
        ),
        (
            "The payment made on {invoice} needs to be reversed.",
            "I expect the vendor to send back our payment of {invoice}.",
            "Our payment of {invoice} was a mistake, please reclaim it.",
            "We paid {invoice} in error and should reclaim the sum.",
        ),
    ),
    test=Wordings(
        (
            "refund us the money spent on {invoice}",
            "refund us for {invoice}",
            "refund the sum that went out for {invoice}",
            "recover the money that went out for {invoice}",
            "request reimbursement of {invoice} from the vendor",
            "have {invoice} reimbursed by the vendor",
        ),
        (
            "The vendor owes us reimbursement of {invoice}.",
            "Let us recover the money that we spent on {invoice}.",
            "We are due reimbursement for {invoice}, please request it.",
            "What went out for {invoice} must be reimbursed to us.",
        ),
    ),
)

register_wordings(
    "void_payment_run",
    ("payment_run",),
    train=Wordings(
        (
            "void {payment_run}",
            "void the payments in {payment_run}",
            "void every payment to be made by {payment_run}",
            "cancel the payments in {payment_run}",
            "call off the payments in {payment_run}",
            "abort {payment_run} so that nothing in it is paid",
        ),
        (
            "None of the payments in {payment_run} should be made.",
            "Please cancel {payment_run} with all its payments.",
            "We have to call off the payments in {payment_run}.",
            "The payments in {payment_run} are all wrong; cancel the lot.",
            "{payment_run} must not make any of its payments, please abort it.",
        ),
    ),
    val=Wordings(
        (
            "void {payment_run} with everything to be paid in it",
            "void the whole of {payment_run} and pay nothing",
            "void what is to be paid through {payment_run}",
            "scrap {payment_run} with everything to be paid in it",
            "drop all the payments scheduled in {payment_run}",
            "make {payment_run} invalid so that no invoice is paid with it",
        ),
        (
            "No invoice is to be paid with {payment_run}, so scrap it.",
            "Everything to be paid through {payment_run} has to be dropped.",
            "{payment_run} was set up by mistake; scrap it with all payments in it.",
            "I want {payment_run} scrapped, without a single invoice paid.",
        ),
    ),
    test=Wordings(
        (
            "void {payment_run} as a whole",
            "void all disbursements in {payment_run}",
            "void {payment_run} so that no vendor is paid from it",
            "annul {payment_run} so that no vendor is paid from it",
            "withdraw all the payments set up in {payment_run}",
            "nullify the disbursements in {payment_run}",
        ),
        (
            "All disbursements in {payment_run} ought to be annulled.",
            "No vendor may be paid from {payment_run}; annul it.",
            "Please withdraw {payment_run}, none of its disbursements is right.",
            "It was wrong to set up {payment_run}, so have its disbursements annulled.",
        ),
    ),
)
