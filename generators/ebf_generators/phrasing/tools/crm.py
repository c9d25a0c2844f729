"""Wordings of the tools for customer accounts and opportunities."""

from ebf_generators.phrasing.wordings import Wordings, register_wordings

register_wordings(
    "get_account",
    ("account",),
    train=Wordings(
        do=(
            "get me the customer data on {account}",
            "get the customer record on {account} for me",
            "show me the customer data on {account}",
            "pull up the customer record on {account}",
            "open the customer page of {account}",
            "look up {account} in the customer records",
        ),
        say=(
            "What do our customer records say about {account}?",
            "I would like to see the customer data on {account}.",
            "Which status and tier does the customer page of {account} show?",
            "I need a look at the customer record on {account}.",
        ),
    ),
    val=Wordings(
        do=(
            "get the client profile of {account}",
            "get the contacts off the client profile of {account}",
            "display the client profile of {account}",
            "bring up {account} in the list of clients",
            "check the renewal date on the client profile of {account}",
            "find out the client tier of {account}",
        ),
        say=(
            "Which region and tier are on the client profile of {account}?",
            "Let me see the client profile of {account}.",
            "Who is named as contact on the client profile of {account}?",
            "The client profile of {account} would be useful to look at.",
        ),
    ),
    test=Wordings(
        do=(
            "get the master data of {account} out of the CRM",
            "get the account sheet of {account} from the CRM",
            "retrieve the CRM master data of {account}",
            "brief me on the account standing of {account} in the CRM",
            "inspect the account sheet of {account} in the CRM",
            "consult the CRM about the account status of {account}",
        ),
        say=(
            "How does the CRM describe {account} as an account?",
            "The CRM master data of {account} is what I wish to view.",
            "What industry does the account sheet in the CRM give for {account}?",
            "I wonder about the account standing of {account} in the CRM.",
        ),
    ),
)

register_wordings(
    "get_opportunity",
    ("opportunity",),
    train=Wordings(
        do=(
            "get me the deal page of {opportunity}",
            "get the deal details of {opportunity}",
            "show me the deal stage and amount of {opportunity}",
            "open the deal page of {opportunity}",
            "look up {opportunity} among the deals",
            "pull up the deal details of {opportunity}",
        ),
        say=(
            "Which stage and amount are on the deal page of {opportunity}?",
            "I would like to see the deal details of {opportunity}.",
            "What is the deal amount of {opportunity}?",
            "I need a look at the deal page of {opportunity}.",
        ),
    ),
    val=Wordings(
        do=(
            "get the pipeline entry of {opportunity}",
            "get the sales record for {opportunity}",
            "bring up the pipeline entry of {opportunity}",
            "display the sales record for {opportunity}",
            "check the position of {opportunity} in the pipeline",
            "find out the pipeline value of {opportunity}",
        ),
        say=(
            "Where in the pipeline is {opportunity}?",
            "How much is {opportunity} worth in our pipeline?",
            "Let me see the pipeline entry of {opportunity}.",
            "The sales record for {opportunity} would be useful to look at.",
        ),
    ),
    test=Wordings(
        do=(
            "get the opportunity sheet of {opportunity} out of the CRM",
            "get a view of the selling progress of {opportunity}",
            "retrieve the opportunity sheet of {opportunity}",
            "brief me on the selling progress of {opportunity}",
            "inspect the opportunity sheet of {opportunity} in the CRM",
            "tell me the expected revenue of {opportunity}",
        ),
        say=(
            "How is the selling of {opportunity} coming along, according to the CRM?",
            "What revenue does the opportunity sheet expect from {opportunity}?",
            "The opportunity sheet of {opportunity} is what I wish to view.",
            "I wonder about the selling progress of {opportunity}.",
        ),
    ),
)

register_wordings(
    "draft_account_note",
    ("account",),
    train=Wordings(
        do=(
            "draft a customer note about {account}",
            "draft a note for the customer record on {account}, without publishing it",
            "prepare an unpublished customer note about {account}",
            "write a customer note about {account} but do not publish it",
            "prepare a note for the customer record on {account} and leave it unpublished",
        ),
        say=(
            "I need an unpublished customer note about {account}.",
            "There should be a customer note about {account}, kept unpublished.",
            "A note for the customer record on {account} would help, but do not publish it.",
            "Can I have a customer note about {account} prepared, without publishing it?",
        ),
    ),
    val=Wordings(
        do=(
            "draft a client remark on {account}",
            "draft a remark for the client profile of {account}, for my review",
            "sketch a client remark on {account} for my review",
            "jot a provisional remark on the client profile of {account}",
            "word a client remark on {account} but do not release it",
        ),
        say=(
            "I want to review a client remark on {account}, so sketch one but do not release it.",
            "The client profile of {account} could use a provisional remark.",
            "A provisional client remark on {account}, please, and nothing released.",
            "How would you word a client remark on {account}? Sketch it for my review.",
        ),
    ),
    test=Wordings(
        do=(
            "draft an annotation to the account sheet of {account}",
            "draft a CRM annotation on the standing of {account}, pending my approval",
            "compose a tentative annotation to the account sheet of {account}",
            "put together a CRM annotation on the account standing of {account}, pending my approval",
            "formulate an annotation to the account sheet of {account}, withheld from everyone else",
        ),
        say=(
            "Pending my approval, an annotation to the account sheet of {account} ought to be composed.",
            "I await a tentative annotation to the account sheet of {account}.",
            "Formulate, for my approval, a CRM annotation on the account standing of {account}.",
            "The account sheet of {account} lacks an annotation, so compose one and withhold it.",
        ),
    ),
)

register_wordings(
    "update_customer_record",
    ("account",),
    train=Wordings(
        do=(
            "update the customer record on {account}",
            "update the renewal date in the customer record on {account}",
            "set the status of {account} to at risk",
            "set the customer tier of {account} one level higher",
            "change the region in the customer record on {account}",
            "correct the customer data on {account}",
        ),
        say=(
            "The customer status of {account} should be at risk.",
            "The tier in the customer record on {account} is wrong, please change it to gold.",
            "The customer record on {account} should have another renewal date.",
            "Can you correct the region in the customer record on {account}?",
        ),
    ),
    val=Wordings(
        do=(
            "update the client profile of {account}",
            "update the region on the client profile of {account}",
            "mark {account} as a churned client",
            "adjust the renewal date on the client profile of {account}",
            "raise the client tier of {account} to premium",
            "log the outcome of the call on the client profile of {account}",
        ),
        say=(
            "{account} counts as a churned client, so mark it that way.",
            "The renewal date on the client profile of {account} is off, please adjust it.",
            "Premium has to be the client tier of {account}.",
            "The outcome of the call is missing from the client profile of {account}, so log it.",
        ),
    ),
    test=Wordings(
        do=(
            "update the CRM master data of {account}",
            "update the account sheet of {account} with the agreed service level",
            "reclassify {account} as an active account in the CRM",
            "amend the account sheet of {account} in the CRM",
            "enter a different renewal date on the account sheet of {account}",
            "switch {account} to a different sales region in the CRM master data",
        ),
        say=(
            "In the CRM, {account} has to be reclassified as an active account.",
            "The account sheet of {account} bears an incorrect renewal date, hence amend it.",
            "The CRM master data of {account} names an incorrect region, hence switch it.",
            "The account sheet of {account} does not reflect the agreed service level, so enter it.",
        ),
    ),
)

register_wordings(
    "update_opportunity",
    ("opportunity",),
    train=Wordings(
        do=(
            "update the deal details of {opportunity}",
            "update the expected close date of {opportunity}",
            "set the deal stage of {opportunity} to negotiation",
            "change the deal amount of {opportunity}",
            "add a note about the call to the deal page of {opportunity}",
            "set the deal amount of {opportunity} a bit higher",
        ),
        say=(
            "The deal stage of {opportunity} should be negotiation.",
            "The deal amount of {opportunity} is too low, please change it.",
            "The expected close date of {opportunity} is wrong, please correct it.",
            "Can you put a note about the call on the deal page of {opportunity}?",
        ),
    ),
    val=Wordings(
        do=(
            "update the pipeline entry of {opportunity}",
            "update the sales record for {opportunity}",
            "move {opportunity} along to its new stage of the pipeline",
            "raise the pipeline value of {opportunity}",
            "push back the expected signing date of {opportunity} in the pipeline",
            "log the pricing talk in the sales record for {opportunity}",
        ),
        say=(
            "{opportunity} has reached another stage, so adjust the pipeline.",
            "The pipeline value of {opportunity} is understated, please raise it.",
            "The expected signing date of {opportunity} has slipped, so adjust the pipeline.",
            "The pricing talk is missing from the sales record for {opportunity}, so log it.",
        ),
    ),
    test=Wordings(
        do=(
            "update the opportunity sheet of {opportunity}",
            "update the expected revenue of {opportunity} in the CRM",
            "amend the opportunity sheet of {opportunity}",
            "reflect the agreed discount in the expected revenue of {opportunity}",
            "enter the buyer feedback on the opportunity sheet of {opportunity}",
            "take {opportunity} on to evaluation in the selling process",
        ),
        say=(
            "The expected revenue of {opportunity} does not reflect the discount, hence amend it.",
            "In the selling process, {opportunity} is at evaluation, and the CRM ought to reflect it.",
            "The opportunity sheet of {opportunity} lacks the buyer feedback, so enter it.",
            "The forecast completion date of {opportunity} is off, so amend the opportunity sheet.",
        ),
    ),
)

register_wordings(
    "close_opportunity",
    ("opportunity",),
    train=Wordings(
        do=(
            "close {opportunity} as won",
            "close {opportunity} as a lost deal",
            "wrap up {opportunity} as won",
            "end {opportunity} as a lost deal",
            "mark {opportunity} as a won deal and be done with it",
            "finish {opportunity} as a lost deal",
        ),
        say=(
            "The customer has signed, so wrap up {opportunity} as won.",
            "The customer said no, so mark {opportunity} as a lost deal and be done with it.",
            "{opportunity} is a won deal, so please wrap it up.",
            "Can you end {opportunity} as a lost deal?",
        ),
    ),
    val=Wordings(
        do=(
            "close {opportunity} in the pipeline, booking it as won",
            "have {opportunity} closed as lost in the pipeline",
            "finalize {opportunity} as won in the pipeline",
            "take {opportunity} out of the open pipeline as lost",
            "book {opportunity} as won in the final pipeline count",
        ),
        say=(
            "The contract is signed, so finalize {opportunity} as won in the pipeline.",
            "Our offer was turned down, so {opportunity} has to leave the open pipeline as lost.",
            "Please book {opportunity} as won and finalize it.",
            "No sale will come of {opportunity}, so finalize it as lost.",
        ),
    ),
    test=Wordings(
        do=(
            "close {opportunity} with a win as its final outcome",
            "close out {opportunity} as a loss in the CRM",
            "conclude {opportunity} in the CRM as a win",
            "retire {opportunity} from the selling process as a loss",
            "register a win as the final outcome of {opportunity}",
        ),
        say=(
            "The buyer has committed, hence {opportunity} is to be concluded as a win.",
            "The buyer went with a competitor, hence conclude {opportunity} as a loss.",
            "A win is the final outcome of {opportunity}, so register it as such.",
            "Selling is over for {opportunity}, and the outcome to register is a loss.",
        ),
    ),
)

register_wordings(
    "delete_customer_record",
    ("account",),
    train=Wordings(
        do=(
            "delete the customer record on {account} for good",
            "delete {account} from the customer records",
            "remove {account} from the customer records for good",
            "erase the customer record on {account}",
            "get rid of the customer record on {account}",
        ),
        say=(
            "The customer record on {account} can go for good.",
            "{account} should not be in the customer records at all, please remove it.",
            "We do not need the customer record on {account}, so erase it.",
            "Can you get rid of {account} in the customer records?",
        ),
    ),
    val=Wordings(
        do=(
            "delete the client profile of {account}",
            "have the client profile of {account} deleted with no way back",
            "wipe {account} from the list of clients",
            "discard the client profile of {account}",
            "trash the client profile of {account}, with no way back",
        ),
        say=(
            "I want {account} wiped from the list of clients.",
            "{account} only clutters the list of clients, so discard the profile.",
            "Please see that the client profile of {account} vanishes with no way back.",
            "Our list of clients would be better without {account}, so trash the profile.",
        ),
    ),
    test=Wordings(
        do=(
            "delete the account sheet of {account} irrevocably",
            "delete every trace of {account} among the CRM accounts",
            "purge {account} from the CRM accounts",
            "expunge the account sheet of {account} from the CRM",
            "destroy the CRM master data of {account} beyond recovery",
        ),
        say=(
            "No trace of {account} is to remain among the CRM accounts.",
            "{account} has no business among the CRM accounts, so purge it.",
            "The CRM shall be rid of the account sheet of {account}, beyond recovery.",
            "I regard the account sheet of {account} as void, so expunge it irrevocably.",
        ),
    ),
)
