"""What people say for the tools on vendors, invoices and payment runs."""

from __future__ import annotations

from ebf_generators.phrasing.wordings import Wordings, register_wordings

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
            "What sum are we billed for on {invoice}?",
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
            "I have lost track of the charges on {invoice}.",
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
            "get what the vendor file has on {vendor}",
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
            "get what procurement keeps on {vendor}",
            "view the vendor master record of {vendor}",
            "read me the vendor particulars of {vendor}",
            "pull the vendor card for {vendor}",
        ),
        (
            "What does procurement have on record about {vendor}?",
            "I want to go through the vendor master data on {vendor}.",
            "Somebody asked me about the vendor registration of {vendor}.",
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
            "draft, as a vendor note, something on {vendor}",
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
            "put together, without publishing it, a supplier note on {vendor}",
            "compose a private supplier note about {vendor}",
            "sketch a remark for the supplier list on {vendor}, not for publication",
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
            "pen for review, not for release, a vendor comment about {vendor}",
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
            "The charges look wrong, so please block payment of {invoice}.",
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
            "have accounts payable put a stop on {invoice}",
            "pause payment of {invoice}",
            "withhold the money for {invoice}",
            "bar {invoice} from payment",
        ),
        (
            "Accounts payable should pause {invoice}, we have a complaint open on it.",
            "With a complaint open, I do not want money to leave for {invoice}.",
            "There is a complaint about {invoice}, so please pause its payment.",
            "With the complaint unresolved, have accounts payable sit on {invoice}.",
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
            "add {invoice} to the disbursements of {payment_run}",
            "add to {payment_run} the sum we owe on {invoice}",
            "add {invoice} to the batch paid with {payment_run}",
            "enter {invoice} in {payment_run} so that it is paid there",
            "attach {invoice} to the batch of invoices in {payment_run}",
            "queue {invoice} for payment in {payment_run}",
        ),
        (
            "{invoice} has to be among the payouts of {payment_run}.",
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
            "pay the full amount of {invoice}",
            "settle up with the vendor on {invoice}",
            "transfer to the vendor the amount billed on {invoice}",
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
            "I would like to see the bank transfer made for {invoice}.",
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
            "ask the vendor to return our payment of {invoice}",
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
            "request from the vendor reimbursement of {invoice}",
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
            "void every payment set up within {payment_run}",
            "void the whole of {payment_run}",
            "void what is to be paid through {payment_run}",
            "scrap everything to be paid in {payment_run}",
            "drop all the payments scheduled in {payment_run}",
            "invalidate {payment_run} so that no invoice is paid with it",
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
