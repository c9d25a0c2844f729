"""Wordings of the email tools."""

from __future__ import annotations

from ebf_generators.phrasing.wordings import Wordings, register_wordings

register_wordings(
    "read_thread",
    ("thread",),
    train=Wordings(
        do=(
            "read all the emails in {thread}",
            "read {thread} in my email and tell me what it says",
            "read every email in {thread} and give me the gist",
            "go through the emails in {thread} and tell me what they say",
            "open {thread} in my email and tell me what was written",
            "summarize the emails in {thread}",
        ),
        say=(
            "What do the emails in {thread} say?",
            "I want to know what was written in the emails in {thread}.",
            "What is the gist of all the emails in {thread}?",
            "I have not seen the emails in {thread}, so tell me what they say.",
            "I would like a summary of the emails in {thread}.",
        ),
    ),
    val=Wordings(
        do=(
            "have a read of the mail in {thread}",
            "read out the inbox messages in {thread}",
            "walk me through the mail in {thread}",
            "look at each inbox message in {thread} and report who argued for what",
            "pull out the main points from the mail in {thread}",
            "show me the whole mail chain in {thread}",
        ),
        say=(
            "Going by the mail itself, who argued for what in {thread}?",
            "Does the mail in {thread} come to any conclusion?",
            "Could I see the whole mail chain in {thread}?",
            "Which points come up in the mail in {thread}?",
            "Nobody has shown me the inbox messages in {thread} so far.",
        ),
    ),
    test=Wordings(
        do=(
            "read the correspondence in {thread} from start to finish",
            "brief me on the correspondence in {thread}",
            "recap the e-mail exchange in {thread} for me",
            "skim the correspondence in {thread} and list the key facts for me",
            "catch me up on the e-mail exchange in {thread}",
        ),
        say=(
            "A rundown of the correspondence in {thread} would be handy.",
            "Fill me in: how did the e-mail exchange in {thread} go?",
            "I was left out of the correspondence in {thread} and need bringing up to speed.",
            "The correspondence in {thread} is unknown to me; what is it all about?",
        ),
    ),
)

register_wordings(
    "draft_email",
    ("recipient",),
    train=Wordings(
        do=(
            "draft an email to {recipient}",
            "draft a short email about the figures to {recipient}",
            "write an email to {recipient}, but keep it as a draft",
            "prepare an email about the figures to {recipient}, without sending it",
            "write an email to {recipient}, but don't send it yet",
            "prepare an email to {recipient} and leave it unsent",
        ),
        say=(
            "I need an email to {recipient} prepared, but not sent.",
            "An email about the figures should be written to {recipient}, but it must not go out yet.",
            "Could you prepare an email to {recipient}, so that I can send it myself?",
            "I want to look over an email to {recipient} before I send it myself.",
            "Please don't send anything yet, but write an email to {recipient}.",
        ),
    ),
    val=Wordings(
        do=(
            "draft a mail to {recipient} for my review",
            "make a draft of a mail to {recipient}",
            "compose a mail addressed to {recipient} and hold it back",
            "compose a mail about the seating, addressed to {recipient}, for me to send",
            "store an unsent mail to {recipient} in my mail program",
        ),
        say=(
            "Can I have a mail to {recipient} composed and held back?",
            "A mail addressed to {recipient} ought to sit unsent in my mail program.",
            "Would you mind composing a mail to {recipient}, held back for my review?",
            "I would rather press send myself, but a mail to {recipient} needs composing.",
        ),
    ),
    test=Wordings(
        do=(
            "draft the wording of an e-mail to {recipient}",
            "pen an e-mail to {recipient} and file it with the drafts",
            "formulate an e-mail to {recipient}, not letting it leave my mailbox",
            "have an e-mail to {recipient} on standby for my go-ahead",
            "type out an e-mail to {recipient} and park it until I approve",
        ),
        say=(
            "My e-mail to {recipient} is to be formulated, with the dispatch left to me.",
            "Nothing is to leave my mailbox, but I could use the wording of an e-mail to {recipient}.",
            "Lend me a hand with the wording of an e-mail to {recipient}; I dispatch it on my own.",
            "I would be happy to have an e-mail to {recipient} parked for my go-ahead.",
        ),
    ),
)

register_wordings(
    "draft_email",
    ("recipient", "thread"),
    train=Wordings(
        do=(
            "draft an email to {recipient}, following up on {thread}",
            "draft a follow-up to {thread}, as an email to {recipient}",
            "prepare an email to {recipient} as a follow-up to {thread}, without sending it",
            "write an email to {recipient}, following up on {thread}, but don't send it yet",
            "write a follow-up email on {thread} to {recipient} and leave it unsent",
        ),
        say=(
            "I need a follow-up email on {thread} prepared for {recipient}, but not sent.",
            "As a follow-up to {thread}, an email to {recipient} should be written, but it must not go out yet.",
            "Could you prepare a follow-up email on {thread} to {recipient}, so that I can send it myself?",
            "I want to look over a follow-up email on {thread} to {recipient} before I send it myself.",
        ),
    ),
    val=Wordings(
        do=(
            "draft a mail to {recipient}, picking up where {thread} left off",
            "make a draft of a mail to {recipient}, within {thread}",
            "compose a mail to {recipient}, picking up where {thread} left off, and hold it back",
            "pick up where {thread} left off and compose a mail to {recipient}, held back for my review",
            "store an unsent mail to {recipient} in my mail program, within {thread}",
        ),
        say=(
            "Can I have a mail to {recipient} composed within {thread}, and held back?",
            "An unsent mail to {recipient}, picking up where {thread} left off, ought to sit in my mail program.",
            "Would you mind composing a mail to {recipient} within {thread}, held back for my review?",
            "I would rather press send myself, but a mail to {recipient} within {thread} needs composing.",
        ),
    ),
    test=Wordings(
        do=(
            "draft the wording of an e-mail to {recipient} in continuation of {thread}",
            "pen an e-mail to {recipient} on the back of {thread} and file it with the drafts",
            "formulate an e-mail to {recipient} in continuation of {thread}, not letting it leave my mailbox",
            "have an e-mail to {recipient} in continuation of {thread} on standby for my go-ahead",
            "type out an e-mail to {recipient} on the back of {thread} and park it until I approve",
        ),
        say=(
            "In continuation of {thread}, my e-mail to {recipient} is to be formulated, with the dispatch left to me.",
            "Nothing is to leave my mailbox, but on the back of {thread} I could use an e-mail to {recipient}.",
            "Lend me a hand with carrying on {thread} in an e-mail to {recipient}; I dispatch it on my own.",
            "I would be happy to have an e-mail to {recipient}, in continuation of {thread}, parked for my go-ahead.",
        ),
    ),
)

register_wordings(
    "send_email",
    ("recipient",),
    train=Wordings(
        do=(
            "send a short email about the figures to {recipient}",
            "send an email to {recipient}, saying that the figures are in",
            "email a short note about the figures to {recipient}",
            "email {recipient}, saying that the agenda is complete",
            "write to {recipient} by email, saying that the figures are in",
            "notify {recipient} by email, saying that the agenda is complete",
        ),
        say=(
            "A short email about the figures should go to {recipient}.",
            "I want a short email about the agenda to go out to {recipient}.",
            "Could a short email about the figures go out to {recipient}?",
            "The agenda is complete, so email a short note saying so to {recipient}.",
            "I need an email about the figures to go to {recipient}.",
        ),
    ),
    val=Wordings(
        do=(
            "send off a quick mail about the seating, addressed to {recipient}",
            "send word by mail to {recipient}, mentioning that lunch is sorted",
            "fire off a quick mail about the seating to {recipient}",
            "drop a line by mail to {recipient}, mentioning that lunch is sorted",
            "mail a few words about the lunch menu to {recipient}",
        ),
        say=(
            "Would you mind mailing a few words about the seating to {recipient}?",
            "A couple of lines about the lunch menu ought to reach {recipient} by mail.",
            "Can a quick mail about the seating be on its way to {recipient}?",
            "The lunch menu is worth a quick mail to {recipient}, so fire one off.",
        ),
    ),
    test=Wordings(
        do=(
            "send out a brief e-mail on parking to {recipient}",
            "dispatch a brief e-mail on parking to {recipient}",
            "inform {recipient} by e-mail, stating that parking is free",
            "get a brief e-mail on the dress code out to {recipient}",
            "contact {recipient} by e-mail, stating that the dress code is casual",
        ),
        say=(
            "A brief e-mail on parking is to be dispatched to {recipient}.",
            "Let a brief e-mail on the dress code find its way to {recipient}.",
            "I would be happy to have {recipient} informed about parking by e-mail.",
            "Parking is free; do pass that fact to {recipient} in a brief e-mail.",
        ),
    ),
)

register_wordings(
    "send_email",
    ("recipient", "attachments"),
    train=Wordings(
        do=(
            "send an email to {recipient} with {attachments} attached",
            "send {attachments} as an email attachment to {recipient}",
            "attach {attachments} to a short email and send it to {recipient}",
            "email {attachments} to {recipient} as an attachment",
            "write to {recipient} by email, with {attachments} attached",
            "email a short note to {recipient} and attach {attachments}",
        ),
        say=(
            "An email with {attachments} attached should go to {recipient}.",
            "I want {attachments} to go out to {recipient} as an email attachment.",
            "Could an email go out to {recipient} with {attachments} attached?",
            "{attachments} should go to {recipient}, attached to a short email.",
            "Please attach {attachments} to a short email, then let that go to {recipient}.",
        ),
    ),
    val=Wordings(
        do=(
            "send off a quick mail to {recipient}, enclosing {attachments}",
            "send {attachments} by mail to {recipient}, as a file",
            "fire off a quick mail to {recipient}, enclosing {attachments}",
            "mail {attachments} to {recipient} as a file",
            "drop a line by mail to {recipient} and enclose {attachments}",
        ),
        say=(
            "Would you mind mailing {attachments} to {recipient} as a file?",
            "A quick mail enclosing {attachments} ought to reach {recipient}.",
            "Can a quick mail be on its way to {recipient}, enclosing {attachments}?",
            "{attachments} ought to reach {recipient} as a file in a quick mail.",
        ),
    ),
    test=Wordings(
        do=(
            "send out a brief e-mail to {recipient} and include {attachments}",
            "dispatch {attachments} to {recipient} inside a brief e-mail",
            "dispatch a brief e-mail to {recipient}, accompanied by {attachments}",
            "deliver {attachments} to {recipient} by e-mail",
            "supply {recipient} with {attachments} by e-mail",
        ),
        say=(
            "A brief e-mail, accompanied by {attachments}, is to be dispatched to {recipient}.",
            "Let {attachments} find its way to {recipient} inside a brief e-mail.",
            "I would be happy to have {recipient} supplied with {attachments} by e-mail.",
            "Delivery of {attachments} to {recipient} is to happen by e-mail.",
        ),
    ),
)

register_wordings(
    "send_email",
    ("recipient", "thread", "attachments"),
    train=Wordings(
        do=(
            "send an email to {recipient} as a follow-up to {thread}, with {attachments} attached",
            "send a follow-up email on {thread} to {recipient}, with {attachments} attached",
            "follow up on {thread} with an email to {recipient}, with {attachments} attached",
            "email {attachments} to {recipient} as an attachment, following up on {thread}",
            "attach {attachments} to a follow-up email on {thread} and send it to {recipient}",
        ),
        say=(
            "A follow-up email on {thread}, with {attachments} attached, should go to {recipient}.",
            "I want a follow-up email on {thread} to go out to {recipient}, with {attachments} attached.",
            "Could a follow-up email on {thread} go out to {recipient}, with {attachments} attached?",
            "As a follow-up to {thread}, {attachments} should go to {recipient}, attached to a short email.",
        ),
    ),
    val=Wordings(
        do=(
            "send off a mail to {recipient}, picking up where {thread} left off and enclosing {attachments}",
            "send {attachments} by mail to {recipient}, as a file, within {thread}",
            "fire off a mail to {recipient} within {thread}, enclosing {attachments}",
            "mail {attachments} to {recipient} as a file, picking up where {thread} left off",
            "pick up where {thread} left off, mailing {attachments} to {recipient} as a file",
        ),
        say=(
            "Would you mind mailing {attachments} to {recipient} as a file, within {thread}?",
            "A mail picking up where {thread} left off, and enclosing {attachments}, ought to reach {recipient}.",
            "Can a mail within {thread} be on its way to {recipient}, enclosing {attachments}?",
            "{attachments} ought to reach {recipient} as a file in a quick mail, within {thread}.",
        ),
    ),
    test=Wordings(
        do=(
            "send out an e-mail to {recipient} in continuation of {thread} and include {attachments}",
            "dispatch an e-mail to {recipient} in continuation of {thread}, accompanied by {attachments}",
            "dispatch {attachments} to {recipient} inside an e-mail in continuation of {thread}",
            "supply {recipient} with {attachments} by e-mail, on the back of {thread}",
            "deliver {attachments} to {recipient} by e-mail, in continuation of {thread}",
        ),
        say=(
            "In continuation of {thread}, an e-mail to {recipient}, accompanied by {attachments}, is to be dispatched.",
            "On the back of {thread}, let {attachments} find its way to {recipient} inside an e-mail.",
            "I would be happy to have {recipient} supplied with {attachments} by e-mail, on the back of {thread}.",
            "Delivery of {attachments} to {recipient} is to happen by e-mail, in continuation of {thread}.",
        ),
    ),
)

register_wordings(
    "reply_email_thread",
    ("thread",),
    train=Wordings(
        do=(
            "reply by email to everybody in {thread}, saying that the figures look fine",
            "reply to the emails in {thread}, saying thank you",
            "send a short reply to everybody in {thread} by email, saying thank you",
            "answer everybody in {thread} by email, saying that the figures look fine",
            "answer the emails in {thread}, saying thank you",
            "write back to everybody in {thread} by email, saying that the figures look fine",
        ),
        say=(
            "The emails in {thread} need a short answer, saying that the figures look fine.",
            "Everybody in {thread} should hear back by email that the figures look fine.",
            "I want a short answer to go out by email to everybody in {thread}.",
            "Could a short thank-you go back by email to everybody in {thread}?",
            "I have to answer the emails in {thread}, so write back that the figures look fine.",
        ),
    ),
    val=Wordings(
        do=(
            "hit reply all on {thread} and mention by mail that lunch is sorted",
            "mail a quick reply to the whole group on {thread}, mentioning that lunch is sorted",
            "respond by mail to the whole group on {thread}, mentioning that lunch is sorted",
            "mail a quick response to the whole group on {thread}, just to say cheers",
            "respond to all the messages in {thread} by mail, just to say cheers",
        ),
        say=(
            "Would you mind responding by mail to the whole group on {thread}, just to say cheers?",
            "A quick mail in response to the whole group on {thread} ought to mention that lunch is sorted.",
            "Can the whole group on {thread} have a quick mail in response, just to say cheers?",
            "Lunch is sorted, so fire off a quick mail in response to the whole group on {thread}.",
        ),
    ),
    test=Wordings(
        do=(
            "issue an e-mail reply to all parties in {thread}, stating that parking is free",
            "convey thanks to all parties in {thread}, within that e-mail exchange",
            "acknowledge {thread} with a brief e-mail to all parties in it",
            "return a brief e-mail of acknowledgement to all parties in {thread}",
            "react to {thread} with a brief e-mail to all parties, stating that parking is free",
        ),
        say=(
            "All parties in {thread} are owed a brief e-mail of acknowledgement; do dispatch it.",
            "My acknowledgement is to be returned by e-mail to all parties in {thread}.",
            "Let a brief e-mail of acknowledgement find its way to all parties in {thread}.",
            "I would be happy to have all parties in {thread} thanked, as part of that e-mail exchange.",
        ),
    ),
)

register_wordings(
    "reply_email_thread",
    ("thread", "attachments"),
    train=Wordings(
        do=(
            "reply by email to everybody in {thread}, with {attachments} attached",
            "reply to the emails in {thread} and attach {attachments}",
            "attach {attachments} to a short email reply to everybody in {thread}",
            "answer everybody in {thread} by email, with {attachments} attached",
            "answer the emails in {thread} and attach {attachments}",
            "write back to everybody in {thread} by email, attaching {attachments}",
        ),
        say=(
            "The emails in {thread} need a short answer with {attachments} attached.",
            "Everybody in {thread} should hear back by email, with {attachments} attached.",
            "I want a short answer to go out by email to everybody in {thread}, with {attachments} attached.",
            "Could {attachments} go back to everybody in {thread}, attached to a short email?",
        ),
    ),
    val=Wordings(
        do=(
            "hit reply all on {thread} in my inbox, enclosing {attachments}",
            "mail a quick reply to the whole group on {thread}, enclosing {attachments}",
            "respond by mail to the whole group on {thread}, enclosing {attachments}",
            "mail a quick response to the whole group on {thread}, with {attachments} as a file",
            "respond to all the messages in {thread} by mail and enclose {attachments}",
        ),
        say=(
            "Would you mind responding by mail to the whole group on {thread}, enclosing {attachments}?",
            "A quick mail in response to the whole group on {thread} ought to enclose {attachments}.",
            "Can the whole group on {thread} have a quick mail in response, enclosing {attachments}?",
            "In response to {thread}, {attachments} ought to reach the whole group as a file in a quick mail.",
        ),
    ),
    test=Wordings(
        do=(
            "issue an e-mail reply to all parties in {thread} and include {attachments}",
            "convey thanks to all parties in {thread}, within that e-mail exchange, and include {attachments}",
            "acknowledge {thread} with a brief e-mail to all parties in it, accompanied by {attachments}",
            "return a brief e-mail of acknowledgement to all parties in {thread}, including {attachments}",
            "supply all parties in {thread} with {attachments}, as part of that e-mail exchange",
        ),
        say=(
            "All parties in {thread} are owed a brief e-mail of acknowledgement, accompanied by {attachments}.",
            "My acknowledgement is to be returned by e-mail to all parties in {thread}, including {attachments}.",
            "Let {attachments} find its way to all parties in {thread}, inside an e-mail of acknowledgement.",
            "It would help to have all parties in {thread} supplied with {attachments}, within that e-mail exchange.",
        ),
    ),
)

register_wordings(
    "forward_thread",
    ("thread", "recipient"),
    train=Wordings(
        do=(
            "forward {thread} to {recipient} by email",
            "forward the emails in {thread} to {recipient}",
            "forward the whole of {thread} by email to {recipient}",
            "pass on the emails in {thread} to {recipient}",
            "pass along every email in {thread} to {recipient}",
        ),
        say=(
            "The emails in {thread} should be passed on to {recipient}.",
            "I want all the emails in {thread} to go on to {recipient}.",
            "Could the emails in {thread} be passed on to {recipient}?",
            "{thread} should be passed on to {recipient}, with all its emails.",
        ),
    ),
    val=Wordings(
        do=(
            "forward the whole mail chain in {thread} to {recipient}",
            "hit forward on {thread} in my inbox, with {recipient} in the address line",
            "relay the mail in {thread} to {recipient}",
            "relay {thread} from my inbox to {recipient}",
            "route the inbox messages in {thread} to {recipient}",
        ),
        say=(
            "Would you mind relaying the mail in {thread} to {recipient}?",
            "The whole mail chain in {thread} ought to be relayed to {recipient}.",
            "Can the inbox messages in {thread} be relayed to {recipient}?",
            "The mail in {thread} is worth relaying, so route the whole chain to {recipient}.",
        ),
    ),
    test=Wordings(
        do=(
            "have the full correspondence in {thread} forwarded to {recipient}",
            "redirect the e-mail exchange in {thread} to {recipient}",
            "supply {recipient} by e-mail with the full correspondence in {thread}",
            "transmit the existing e-mail exchange in {thread} to {recipient}",
            "transmit the correspondence in {thread} to {recipient}, unabridged",
        ),
        say=(
            "The full correspondence in {thread} is to be redirected to {recipient}.",
            "Let the existing e-mail exchange in {thread} find its way to {recipient}.",
            "I would be happy to have {recipient} supplied with the full correspondence in {thread}.",
            "It makes sense to transmit the existing correspondence in {thread} to {recipient}.",
        ),
    ),
)

register_wordings(
    "delete_thread",
    ("thread",),
    train=Wordings(
        do=(
            "delete {thread} from my email",
            "delete all the emails in {thread} for good",
            "delete the whole of {thread} from my email for good",
            "remove {thread} from my email for good",
            "remove all the emails in {thread} for good",
            "get rid of all the emails in {thread} for good",
        ),
        say=(
            "The emails in {thread} should be removed for good.",
            "I do not want to keep any of the emails in {thread}, so get rid of them for good.",
            "Could {thread} be removed from my email for good?",
            "{thread} should be removed from my email for good.",
            "I want all the emails in {thread} gone for good.",
        ),
    ),
    val=Wordings(
        do=(
            "delete the whole mail chain in {thread}",
            "hit delete on {thread} in my inbox",
            "erase the mail in {thread} permanently",
            "wipe {thread} from my inbox permanently",
            "erase every inbox message in {thread}",
        ),
        say=(
            "Would you mind erasing the mail in {thread}?",
            "The whole mail chain in {thread} ought to be wiped permanently.",
            "Can the inbox messages in {thread} be erased permanently?",
            "The mail in {thread} is pure clutter, so wipe the whole chain permanently.",
        ),
    ),
    test=Wordings(
        do=(
            "have the correspondence in {thread} deleted, beyond recovery",
            "purge {thread} from my mailbox",
            "destroy the correspondence in {thread}",
            "dispose of the e-mail exchange in {thread}, beyond recovery",
            "eliminate all trace of the correspondence in {thread} from my mailbox",
        ),
        say=(
            "The correspondence in {thread} is to be destroyed.",
            "Let no trace of the e-mail exchange in {thread} remain in my mailbox.",
            "I would be happy to have the correspondence in {thread} purged, beyond recovery.",
            "It makes sense to destroy the e-mail exchange in {thread}; it serves no purpose.",
        ),
    ),
)
