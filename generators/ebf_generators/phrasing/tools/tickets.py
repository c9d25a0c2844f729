"""Wordings of the ticket tools."""

from ebf_generators.phrasing.wordings import Wordings, register_wordings

register_wordings(
    "get_ticket",
    ("ticket",),
    train=Wordings(
        do=(
            "get me the ticket page of {ticket}",
            "get the ticket details of {ticket}",
            "show me the ticket status and priority of {ticket}",
            "open the ticket page of {ticket}",
            "look up {ticket} among the tickets",
            "pull up the ticket details of {ticket}",
        ),
        say=(
            "What does the ticket page of {ticket} say?",
            "I would like to see the ticket details of {ticket}.",
            "Which ticket priority does the system show for {ticket}?",
            "I need a look at the ticket page of {ticket}.",
        ),
    ),
    val=Wordings(
        do=(
            "get the issue report on {ticket}",
            "get the state of {ticket} from the issue tracker",
            "bring up {ticket} in the issue tracker",
            "display the issue report on {ticket}",
            "check the state of {ticket} in the issue tracker",
        ),
        say=(
            "What state does the issue tracker give for {ticket}?",
            "Let me see the issue report on {ticket}.",
            "How severe is {ticket} in the issue tracker?",
            "The issue report on {ticket} would be useful to look at.",
        ),
    ),
    test=Wordings(
        do=(
            "get the case file of {ticket} out of the help desk queue",
            "get the particulars of {ticket} from the help desk",
            "retrieve the case file of {ticket} from the help desk",
            "inspect the help desk case behind {ticket}",
            "consult the help desk case file on {ticket}",
        ),
        say=(
            "How is {ticket} coming along, according to the help desk case file?",
            "The help desk case file on {ticket} is what I wish to view.",
            "What is recorded about {ticket} in the help desk case file?",
            "I wonder about the particulars of {ticket} in the help desk queue.",
        ),
    ),
)

register_wordings(
    "draft_ticket_comment",
    ("ticket",),
    train=Wordings(
        do=(
            "draft a ticket comment for {ticket}",
            "draft a comment on {ticket} without publishing it",
            "prepare an unpublished ticket comment for {ticket}",
            "write a ticket comment for {ticket} but do not publish it",
            "prepare a comment on {ticket} and leave it unpublished",
        ),
        say=(
            "I need an unpublished ticket comment for {ticket}.",
            "A ticket comment for {ticket} would help, but do not publish it.",
            "There should be a comment on {ticket}, kept unpublished.",
            "Can I have a ticket comment for {ticket} prepared, without publishing it?",
        ),
    ),
    val=Wordings(
        do=(
            "draft an issue remark on {ticket}",
            "draft a remark on {ticket} in the issue tracker, for my review",
            "sketch an issue remark on {ticket} for my review",
            "jot a provisional remark under {ticket} in the issue tracker",
            "word an issue remark on {ticket} but do not release it",
        ),
        say=(
            "I want to review an issue remark on {ticket}, so sketch one but do not release it.",
            "The issue discussion of {ticket} could use a provisional remark.",
            "A provisional issue remark on {ticket}, please, and nothing released.",
            "How would you word an issue remark on {ticket}? Sketch it for my review.",
        ),
    ),
    test=Wordings(
        do=(
            "draft a case log entry on {ticket}",
            "draft an entry for the case log of {ticket}, pending my approval",
            "compose a tentative entry for the case log of {ticket}",
            "put together a case log entry on {ticket}, pending my approval",
            "formulate a case log entry on {ticket}, withheld from the followers",
        ),
        say=(
            "Pending my approval, an entry for the case log of {ticket} ought to be composed.",
            "I await a tentative case log entry on {ticket}.",
            "Formulate, for my approval, an entry for the case log of {ticket}.",
            "The case log of {ticket} lacks an entry, so compose one and withhold it.",
        ),
    ),
)

register_wordings(
    "comment_ticket",
    ("ticket",),
    train=Wordings(
        do=(
            "comment publicly on {ticket}",
            "publish a comment on {ticket}",
            "publish the test results on the ticket page of {ticket}",
            "post a note about the fix on the ticket page of {ticket}",
            "tell everyone on the ticket page of {ticket} about the fix",
        ),
        say=(
            "Everyone on the ticket page of {ticket} should see the test results there.",
            "Please publish the workaround on the ticket page of {ticket}.",
            "The ticket page of {ticket} is silent about the fix, so post a note there.",
            "Can you post the test results on the ticket page of {ticket}?",
        ),
    ),
    val=Wordings(
        do=(
            "comment in the issue discussion of {ticket}",
            "leave a public comment under {ticket} in the issue tracker",
            "answer in the issue discussion of {ticket}",
            "add a public remark to {ticket} in the issue tracker",
            "explain the cause in the issue discussion of {ticket}",
        ),
        say=(
            "The issue discussion of {ticket} needs an answer from us.",
            "A public remark on the cause belongs under {ticket} in the issue tracker.",
            "People in the issue discussion of {ticket} want an answer, so give them one.",
            "How about a public answer in the issue discussion of {ticket}?",
        ),
    ),
    test=Wordings(
        do=(
            "comment openly in the case log of {ticket}",
            "release a comment to the followers of {ticket}",
            "inform the followers of {ticket} via the case log",
            "announce the workaround in the case log of {ticket}",
            "make a visible entry in the case log of {ticket}",
        ),
        say=(
            "The followers of {ticket} are to be informed via the case log.",
            "A visible entry in the case log of {ticket} ought to announce the workaround.",
            "I expect our findings to be announced in the case log of {ticket}.",
            "Via the case log, all followers of {ticket} are to learn of our findings.",
        ),
    ),
)

register_wordings(
    "assign_ticket",
    ("ticket", "assignee"),
    train=Wordings(
        do=(
            "assign {ticket} to {assignee}",
            "assign the ticket work on {ticket} to {assignee}",
            "hand over the ticket work on {ticket} to {assignee}",
            "put {assignee} in charge of the ticket work on {ticket}",
            "give {ticket} to {assignee} as a ticket to work on",
        ),
        say=(
            "I want {assignee} to do the ticket work on {ticket}.",
            "{ticket} should be a ticket for {assignee} to work on.",
            "The ticket work on {ticket} is something for {assignee}.",
            "Can you give the ticket work on {ticket} to {assignee}?",
        ),
    ),
    val=Wordings(
        do=(
            "have {ticket} assigned to {assignee}",
            "assign {ticket} in the issue tracker to {assignee}",
            "entrust {ticket} to {assignee} in the issue tracker",
            "name {assignee} in the issue tracker as responsible for {ticket}",
            "allocate the issue in {ticket} to {assignee}",
        ),
        say=(
            "In the issue tracker, {ticket} has to be listed under {assignee}.",
            "The issue tracker has to name {assignee} as responsible for {ticket}.",
            "How about entrusting the issue in {ticket} to {assignee}?",
            "Responsibility for the issue in {ticket} has to lie with {assignee}.",
        ),
    ),
    test=Wordings(
        do=(
            "assign {assignee} as the case handler for {ticket}",
            "assign the handling of {ticket} to {assignee}",
            "route {ticket} to the case load of {assignee}",
            "appoint {assignee} as the case handler for {ticket}",
            "delegate the case handling of {ticket} to {assignee}",
        ),
        say=(
            "The case handler for {ticket} ought to be {assignee}.",
            "{ticket} belongs in the case load of {assignee}.",
            "I have chosen {assignee} as the case handler for {ticket}, so enter it that way.",
            "The case handling of {ticket} ought to be in the hands of {assignee}.",
        ),
    ),
)

register_wordings(
    "escalate_ticket",
    ("ticket",),
    train=Wordings(
        do=(
            "escalate {ticket} to the on-call lead",
            "escalate {ticket} as an urgent ticket",
            "raise {ticket} with the on-call lead",
            "bring {ticket} to the attention of the on-call lead",
            "alert the on-call lead to {ticket}",
        ),
        say=(
            "The on-call lead should know about {ticket}.",
            "{ticket} is urgent, so alert the on-call lead.",
            "{ticket} has to be brought to the attention of the on-call lead.",
            "Can you alert the on-call lead to {ticket}?",
        ),
    ),
    val=Wordings(
        do=(
            "escalate {ticket} in the issue tracker",
            "have {ticket} escalated to the stand-by lead",
            "push {ticket} up the chain in the issue tracker",
            "page the stand-by lead about {ticket}",
            "involve the stand-by lead in {ticket}",
        ),
        say=(
            "{ticket} is too serious for us alone, so page the stand-by lead.",
            "The stand-by lead must be paged about {ticket}.",
            "I think {ticket} is serious enough to go up the chain in the issue tracker.",
            "How about paging the stand-by lead about {ticket}?",
        ),
    ),
    test=Wordings(
        do=(
            "escalate {ticket} up to the duty lead",
            "escalate the emergency in {ticket}",
            "elevate {ticket} to the duty lead",
            "summon the duty lead on account of {ticket}",
            "sound the alarm with the duty lead over {ticket}",
        ),
        say=(
            "{ticket} is an emergency, hence summon the duty lead.",
            "The duty lead ought to take notice of {ticket}.",
            "Ordinary handling is not enough for {ticket}, hence elevate it to the duty lead.",
            "I want the alarm sounded with the duty lead over {ticket}.",
        ),
    ),
)

register_wordings(
    "close_ticket",
    ("ticket",),
    train=Wordings(
        do=(
            "close {ticket} as a finished ticket",
            "close {ticket} on the ticket page",
            "mark {ticket} as a finished ticket",
            "set the ticket status of {ticket} to done",
            "take {ticket} out of the open tickets",
        ),
        say=(
            "{ticket} is fixed, so the ticket need not stay open.",
            "The fix works, so take {ticket} out of the open tickets.",
            "There is nothing left to do on {ticket}, so set the ticket to done.",
            "Can you mark {ticket} as a finished ticket?",
        ),
    ),
    val=Wordings(
        do=(
            "close {ticket} in the issue tracker",
            "have {ticket} closed as a settled issue",
            "mark {ticket} as resolved in the issue tracker",
            "tick off {ticket} as a settled issue",
            "shut {ticket} in the issue tracker",
        ),
        say=(
            "{ticket} is a settled issue, so tick it off.",
            "The issue tracker can count {ticket} as resolved.",
            "The cause is gone, so shut {ticket} in the issue tracker.",
            "How about ticking off {ticket} as a settled issue?",
        ),
    ),
    test=Wordings(
        do=(
            "close {ticket} as a solved case",
            "close out {ticket} in the help desk queue",
            "conclude {ticket} as a solved case",
            "retire {ticket} from the help desk queue",
            "sign off {ticket} as a solved case",
        ),
        say=(
            "{ticket} is a solved case, hence retire it from the help desk queue.",
            "The help desk queue ought not to list {ticket} as pending, for it is solved.",
            "I consider {ticket} a solved case, so conclude it.",
            "The solution to {ticket} is confirmed, so sign it off as a solved case.",
        ),
    ),
)
