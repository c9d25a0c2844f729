"""What goals are called: words that tell the deed together with what it is done to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ebf_baselines.causal.goal import Deed

GOALS: Final[Mapping[tuple[Deed, str], str]] = {
    (Deed.READ, "email_thread"): (
        "what * wrote|written|write|writing, who wrote|said|replied|answered, what was "
        "said|written|agreed|discussed, what * been said|written|going on, catch * up on, ~latest "
        "message|email|reply, ~last message|email|reply, read * thread|conversation|emails|messages, where * "
        "conversation stands, what * thread|conversation|emails|messages say"
    ),
    (Deed.READ, "document"): (
        "what * document|doc|plan|brief|report|file|memo|paper say, what is written in, what * in the "
        "document|doc|plan|brief|report|file, read the document|doc|plan|brief|report|file|memo|paper, read * to me, "
        "main points, key points, read the text, see the text, know the text, what * text"
    ),
    (Deed.READ, "calendar_event"): (
        "when * start|begin|end|take|happen, what time, who * attend|attending|coming|invited|there, who * joining, "
        "where * take place|held|happening, which room, what room, what location, how long, what * duration"
    ),
    (Deed.READ, "customer_account"): (
        "what tier, which tier, which region, what region, who owns the account, who * account owner, what * know "
        "about, when * renew, which status, which industry, which status and tier, what renewal, which renewal"
    ),
    (Deed.READ, "opportunity"): (
        "what stage, which stage, how much * worth, how big, expected to close, where * deal stands, how far * deal, "
        "how * deal going, which amount, what amount, when * close"
    ),
    (Deed.READ, "ticket"): (
        "who * working on, who * assigned, what priority, which priority, how bad, what * reported, steps to "
        "reproduce, which component, which sprint"
    ),
    (Deed.READ, "invoice"): ("when * due, how much * owe, how much * charge, what * charge, what * bill"),
    (Deed.READ, "vendor"): ("which country, what country"),
    (Deed.DRAFTED, "email_thread"): (
        "draft * email|mail|message|reply, email draft, draft email|mail|message|reply, mail draft, draft to, "
        "prepare * email|mail|message|reply, email * not send, email * before * send, unsent, email ready, nothing * "
        "sent, draft for, unsent email|message"
    ),
    (Deed.DRAFTED, "document"): (
        "start * document|doc|draft|page|paper|file, new "
        "document|doc|draft|page|paper|file|memo|report|plan|proposal, empty|blank|fresh file|document|page, make * "
        "file|document, begin * file, draft a new, draft document, draft * document|doc|page|paper, create * "
        "document|doc|page|paper, set up * document|doc|page|paper, blank document|doc|page|paper, begin * "
        "document|doc|page|paper|draft, ~create, fresh document|doc|draft|page|paper, empty document|doc|page, draft "
        "* in * folder, first draft, another document|doc"
    ),
    (Deed.DRAFTED, "customer_account"): (
        "draft * note, note * draft, prepare * note, account note, customer note, note * not publish, draft note, "
        "private note, unpublished note, note * unpublished"
    ),
    (Deed.DRAFTED, "ticket"): (
        "draft * comment, comment * draft, prepare * comment, comment * not publish|post, draft comment, comment * "
        "ready, unpublished comment, comment * unpublished, comment * before, private comment"
    ),
    (Deed.DRAFTED, "vendor"): ("vendor note, supplier note, draft * note, prepare * note"),
    (Deed.UPDATED, "document"): (
        "change|edit|update|revise|correct * text|title|wording, new text, new title, new wording, rewrite, reword, "
        "retitle, typo"
    ),
    (Deed.UPDATED, "customer_account"): ("new tier, new region, upgrade, downgrade, churned, new renewal"),
    (Deed.UPDATED, "opportunity"): (
        "new stage, next stage, new amount, new close, advance, ~advanced, moves to the, move * deal to, deal stage"
    ),
    (Deed.CLOSED, "opportunity"): (
        "won, lost, as won, as lost, we won, we lost, win, ~loss, closed won, closed lost, close the deal, ~close * "
        "deal, won deal, lost deal, off the pipeline, out of the pipeline, signed, dead"
    ),
    (Deed.CLOSED, "ticket"): (
        "close * ticket|bug|issue|incident|request, resolve * ticket|bug|issue|incident|request, is|been "
        "fixed|solved|resolved, resolution, mark * resolved, done with the ticket|bug|issue, ticket is done, works "
        "again, no longer happens, out of the open tickets|bugs|issues, open tickets|bugs|issues, left to do, ticket "
        "to done, nothing * to do"
    ),
}
"""Phrases by deed and type of record."""
