"""What kinds of record are called; weak words are as often part of a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NOUNS: Final[Mapping[str, str]] = {
    "email_thread": (
        "mail thread, mails, mail, ~reply chain, mail conversation, inbox messages, ~letters, exchange of "
        "emails|mails, back and forth, string of emails|mails, email string, email trail, mail trail, trail of "
        "emails, emails on, mails in, mails on, messages on, ~participants, ~recipients, thread, threads, "
        "conversation, emails in, emails of, emails from, the emails, messages in, messages of, the messages, email "
        "thread, email chain, email conversation, correspondence, email, ~emails, ~message, ~messages, chain, inbox, "
        "mailbox, exchange, discussion, ~reply, ~subject, ~subject line"
    ),
    "document": (
        "file store, document store, doc store, document library, document repository, drive, shared drive, file "
        "share, file, ~dossier, ~digest, ~estimate, ~concept, ~overview, ~write up, ~study, ~whitepaper, ~script, "
        "~letter, ~form, ~handout, ~paragraphs, ~paragraph, ~chapter, ~section, ~table, ~figures, ~sheet, "
        "~assessment, ~blueprint, ~scorecard, ~tracker, ~catalogue, ~schedule, ~record, ~reports, ~statement, "
        "~briefing, ~draft, ~primer, ~workbook, ~references, ~originals, a copy of, document, documents, doc, docs, "
        "text of, text in, contents of, content of, the text, document title, document text, body of, wording of, "
        "files, pdf, slides, deck, spreadsheet, ~paper, ~plan, ~brief, ~report, ~memo, ~checklist, ~summary, "
        "~proposal, ~contract, ~policy, ~guide, ~handbook, ~manual, ~spec, ~specification, ~roadmap, ~notes, "
        "~attached, ~attachment, presentation, ~template, ~runbook, ~playbook, ~budget, ~forecast, ~analysis, "
        "~charter, ~agenda, ~minutes, ~outline, ~version, one pager, ~text, ~wording, ~tag, ~page, ~folder"
    ),
    "folder": ("folder, folders, directory"),
    "calendar_event": (
        "diary entry, diary, huddle, ~debrief, appointments, gathering, ~conference, ~board, ~panel, ~forum, ~talk, "
        "~seminar, ~ceremony, ~breakfast, ~dinner, ~social, ~tour, ~visit, ~summit, ~rehearsal, ~date, ~time slot, "
        "~invitees, ~participants, ~room, get togethers, rendezvous, agenda item, schedule entry, ~alignment, "
        "~retro, ~planning, ~reception, ~hackathon, ~office hours, ~screening, ~walkthrough, ~checkpoint, ~meetup, "
        "meet up, meeting, meetings, event, calendar, in the calendar, from the calendar, calendar entry, calendar "
        "details, start time, end time, calendar event, appointment, sync, call, standup, stand up, session, "
        "workshop, ~demo, ~clinic, ~review, kickoff, kick off, retrospective, training, ~interview, offsite, "
        "webinar, get together, one on one, all hands, ~check in, briefing, town hall, ~lunch, attendee, attendees, "
        "guest, guests, ~slot, ~lab, ~roundtable, ~hour, ~starts, ~invite, invitation"
    ),
    "customer_account": (
        "client profile, customer profile, client record, client data, client page, client details, client remark, "
        "client note, customer note, customer file, client file, list of clients|customers, profile, client list, "
        "client base, customer base, ~region, ~level, ~partner, ~buyer, ~patron, relationship, account card, "
        "customer card, client card, client entry, customer entry, ~contact list, account, accounts, customer, "
        "customers, client, clients, customer account, customer record, customer records, customer data, customer "
        "page, customer details, account data, account page, account details, account record, account note, crm, "
        "~tier, ~subsidiary, ~branch, ~company"
    ),
    "opportunity": (
        "sales opportunity, sales record, sales deal, deal card, deal entry, prospect, prospects, ~bid, ~tender, "
        "~offer, ~pursuit, ~contract value, funnel, sales funnel, sales pipeline, forecast entry, ~lead value, "
        "transaction, ~order, ~business, ~closing date, ~close date, ~proposal, deal, deals, deal page, deal data, "
        "deal details, deal record, deal stage, opportunity, opportunities, renewal, expansion, new business, "
        "pipeline, upsell, sale, ~stage, ~negotiation, ~procurement, ~discovery, ~quote, ~amount"
    ),
    "ticket": (
        "issue tracker, issue report, issue discussion, issue remark, bug tracker, bug report, ticket system, ticket "
        "queue, ticket tracker, tracker, issues, helpdesk, help desk, support case, service request, work item, task "
        "board, board item, fault, faults, problem report, ~freeze, ~overflow, ~rejection, ~mismatch, ~deadlock, "
        "~stall, ~spike, ~duplicate, ~warning, ~misprint, ~delay, ~slowdown, ~lag, ~corruption, ~loop, ~panic, "
        "~bottleneck, ~breakage, ~anomaly, ~drift, ~exception, ~hang, ~problem, ~remark, ~sev, ~severity, ~queue, "
        "~fix, ~workaround, ~root cause, support ticket, ~reporter, ~watchers, ~followers, ticket, tickets, ticket "
        "page, ticket details, ticket comment, ticket work, bug, bugs, issue, incident, incidents, feature request, "
        "outage, defect, case, ~crash, ~error, ~failure, ~glitch, ~leak, ~timeout, ~regression, ~sprint, ~priority, "
        "~component, ~backlog, ~p0, ~p1, ~p2, ~p3, ~comment, ~assignee, ~on call"
    ),
    "vendor": (
        "provider, contractor, creditor, payee, vendor record, supplier record, supplier profile, vendor profile, "
        "supplier page, vendor remark, supplier remark, vendor, vendors, supplier, suppliers"
    ),
    "invoice": (
        "fee statement, payable, billing document, ~amount due, ~sum, ~statement, ~receipt, invoice, invoices, bill, "
        "bills, ~charge, ~payment"
    ),
    "payment_run": (
        "payout batch, settlement round, payout run, settlement run, ~round, payment round, payment cycle, "
        "disbursement run, pay batch, payout, round of payments, payments run, payment run, pay run, payment batch, "
        "run, batch, payment runs, payrun"
    ),
    "person": ("person, colleague, directory, people, ~contact, ~employee, ~user"),
    "project": ("project, projects"),
    "change_notice": ("change notice, change feed, changes feed, change notices"),
}
"""Phrases by type of record."""
