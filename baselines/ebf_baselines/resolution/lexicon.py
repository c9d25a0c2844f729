"""English words that reading a reference needs: for kinds of record, relations, times and orders.

General vocabulary; no name, value or template of any suite.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Final


def word_set(text: str) -> frozenset[str]:
    """The words of a text, parted by blanks."""
    return frozenset(text.split())


class Concept(StrEnum):
    """What a field, or the words around a value, are about."""

    OWN = "own"
    CREATE = "create"
    ASSIGN = "assign"
    ORGANIZE = "organize"
    ATTEND = "attend"
    PARTICIPATE = "participate"
    SEND = "send"
    RECEIVE = "receive"
    UPDATE = "update"
    LEAD = "lead"
    MEMBER = "member"
    MANAGER = "manager"
    APPROVE = "approve"
    CONTACT = "contact"
    ATTACH = "attach"
    CONTAIN = "contain"
    PROJECT = "project"
    ACCOUNT = "account"
    DEAL = "deal"
    PARENT = "parent"
    PREVIOUS = "previous"
    VENDOR = "vendor"
    TEAM = "team"
    ROLE = "role"
    PLACE = "place"
    COMPANY = "company"
    TAG = "tag"
    STATUS = "status"
    STAGE = "stage"
    PRIORITY = "priority"
    COMPONENT = "component"
    SPRINT = "sprint"
    VERSION = "version"
    SENSITIVITY = "sensitivity"
    REGION = "region"
    TIER = "tier"
    INDUSTRY = "industry"
    CATEGORY = "category"
    KIND = "kind"
    AMOUNT = "amount"
    IDENTIFIER = "identifier"
    BEGIN = "begin"
    END = "end"
    CLOSE = "close"
    RENEW = "renew"
    DUE = "due"
    JOIN = "join"
    SERIES = "series"

    __hash__ = str.__hash__


_CONCEPTS: Final[Mapping[Concept, str]] = {
    Concept.OWN: (
        "owner owners own owns owned owning keep keeps kept keeping keeper hold holds holder held handle handles "
        "handled handling handler manage manages managed managing run runs responsible charge charges possess "
        "possesses possession belong belongs belonging steward stewards custody custodian maintain maintains "
        "maintained maintaining maintainer mind minds oversee oversees overseen overseeing care cares look looks "
        "looked looking curate curates curated watch watches hands books patch portfolio account_manager rep "
        "proprietor has had accountable entrusted administers administered administrator supervise supervised "
        "supervises tends tended guardian"
    ),
    Concept.CREATE: (
        "creator create creates created creating author authors authored authoring write writes wrote written "
        "writing report reports reported reporting reporter raise raises raised raising file files filed filing "
        "filer open opens opened opening opener submit submits submitted submitting submitter log logs logged "
        "logging flag flags flagged flagging add adds added adding make makes made making start starts started "
        "starting originate originated produced drafted compiled prepared requester requested complained "
        "uploaded brought came come began begun launched introduced entered put registered noticed spotted found "
        "discovered announced born set lodged recorded posted wrote penned invented requested originator"
    ),
    Concept.ASSIGN: (
        "assignee assign assigns assigned assigning assignment working work works worked plate desk fix fixes "
        "fixing fixed deal deals dealing dealt resolve resolves resolving tackle tackles tackling tackled handle "
        "handles handled handling picked pick allocated allocate delegated queue solving solve taken takes taking "
        "backlog sits responsible charge looking investigating investigates attending court lap hands owner "
        "owned carrying seeing"
    ),
    Concept.ORGANIZE: (
        "organizer organiser organize organizes organized organizing organise organises organised organising host "
        "hosts hosted hosting run runs running chair chairs chaired chairing convene convenes convened convening "
        "set call calls called calling arrange arranges arranged arranging lead leads led leading hold holds scheduled "
        "schedules setup planned plans planning moderated moderates moderating facilitates facilitated "
        "facilitator convenor convener chairperson heads headed owner"
    ),
    Concept.ATTEND: (
        "attendee attendees attend attends attending attended invite invites invited invitee invitees guest guests "
        "join joins joining joined participant participants take takes part coming present list go going sits "
        "there included includes including expected"
    ),
    Concept.PARTICIPATE: (
        "participant participants participate participates participating participated party among copied copy cc "
        "corresponding corresponds correspondent correspondents loop involved involving includes including part "
        "discussing discussed writing exchange exchanged between with"
    ),
    Concept.SEND: (
        "sender send sends sent sending wrote written write writes emailed mailed mails mail from messaged mailed "
        "forwarded circulated distributed passed shared"
    ),
    Concept.RECEIVE: "recipient recipients receive receives received receiving addressed addressee got gets to",
    Concept.UPDATE: (
        "update updates updated updating updater edit edits edited editing editor change changes changed changing "
        "modify modifies modified modifying revise revises revised revising touch touches touched touching amend "
        "amended amends rework reworked adjust adjusted altered alter refreshed worked activity active answered "
        "reply replied replies quiet silent message answer moved heard stirred saved"
    ),
    Concept.LEAD: (
        "lead leads leading led leader head heads headed heading steer steers steered driving drives driven "
        "direct directs directed directing charge run runs helm responsible manages managed manager in_charge "
        "spearheads spearheading"
    ),
    Concept.MEMBER: (
        "member members membership staffed staff team belongs belong belonging part involved involve works work "
        "working assigned contributes contributing contributor crew joined on"
    ),
    Concept.MANAGER: (
        "manager managers manage manages managed boss bosses supervisor supervise supervised supervises superior "
        "line reports report reporting answers answer chief under works directs reportee direct"
    ),
    Concept.APPROVE: (
        "approver approve approves approved approving approval signed sign signs signoff authorised cleared"
    ),
    Concept.CONTACT: "contact contacts person deals talk talks speak speaks liaison",
    Concept.ATTACH: (
        "attachment attachments attach attaches attached attaching enclose encloses enclosed enclosing enclosure "
        "link links linked linking document documents doc proposal proposals quote quotes quoted quoting cite cites "
        "cited citing refer refers referred referring reference references mention mentions mentioned mentioning "
        "accompany accompanies accompanied accompanying include includes included including carry carries carried "
        "carrying bring brings brought came come comes goes go going went pass passed passes circulated circulates "
        "round around along sent send sends distributed shared hung pinned with behind paper file papers backing "
        "supporting supports described describes"
    ),
    Concept.CONTAIN: (
        "folder folders contain contains contained containing store stores stored storing storage house houses "
        "housed live lives living hold holds holding held sit sits sitting kept keeps filed file files located "
        "placed place inside within put lies lie lying rest rests saved in under directory found shelf archived "
        "has"
    ),
    Concept.PROJECT: (
        "project projects programme program initiative part heading header under belongs belonging belong codename "
        "workstream effort connected tied relates related concerning stems connected scope umbrella banner "
        "needs need needed uses use requires"
    ),
    Concept.ACCOUNT: (
        "account accounts customer customers client clients concerning concerns concerned concern about regarding "
        "side employer employed employs works work working company behind for affected affects affecting hit "
        "related relates relating belongs belonging represents representing on_behalf buyer described describes "
        "covers covering deals respect subject matter touching touches"
    ),
    Concept.DEAL: "opportunity opportunities deal deals pipeline proposal sale renewal expansion",
    Concept.PARENT: (
        "parent parents subsidiary subsidiaries branch branches division divisions arm belongs part daughter "
        "headquarters group mother owned unit offshoot"
    ),
    Concept.PREVIOUS: "previous predecessor earlier supersedes superseded replaces replaced successor follow follows",
    Concept.VENDOR: "vendor vendors supplier suppliers provider billed bill bills charges charged issued issuer",
    Concept.TEAM: (
        "team teams department departments dept group division unit squad with in from works belongs belonging "
        "part sits over working crew"
    ),
    Concept.ROLE: "role roles job position title function post works working serves serving acts as our employed",
    Concept.PLACE: (
        "location located place room rooms venue site city town office based lives living sits works held taking "
        "happening takes happens house building in at hall out desk sitting"
    ),
    Concept.COMPANY: "company employer firm organisation organization works employed at from business",
    Concept.TAG: "tag tags tagged tagging label labels labelled labeled keyword keywords marked carries carry bears",
    Concept.STATUS: (
        "status state states marked mark marks stands standing still currently flagged is condition set shown "
        "listed being already"
    ),
    Concept.STAGE: "stage stages phase step reached reaches pipeline status at sits stands stuck progressed now gone",
    Concept.PRIORITY: "priority severity urgency rated rating ranked prioritised prioritized level grade classed",
    Concept.COMPONENT: (
        "component components module area part subsystem against about touching affecting concerning within in "
        "filed service feature"
    ),
    Concept.SPRINT: "sprint sprints iteration",
    Concept.VERSION: "version versions revision rev edition release iteration",
    Concept.SENSITIVITY: (
        "sensitivity sensitive classified classification classed confidentiality marked marking secrecy level "
        "labelled labeled designated graded"
    ),
    Concept.REGION: (
        "region regions regional territory area market branch based in part location country serves located arm "
        "office division"
    ),
    Concept.TIER: "tier tiers level levels plan band grade class category ranked rank rated",
    Concept.INDUSTRY: "industry sector business branch trade line field",
    Concept.CATEGORY: "category categories class group",
    Concept.KIND: "kind type sort nature",
    Concept.AMOUNT: "amount amounts value worth price total sum volume costs cost for over size",
    Concept.IDENTIFIER: "number id key code identifier",
    Concept.BEGIN: (
        "start starts started starting begin begins began beginning beginnings happen happens happening happened "
        "take takes taking took place held hold scheduled scheduled_for planned set due on at date issued issue "
        "dated booked occurs occurring falls falling slated pencilled runs running created opening kicked kick"
    ),
    Concept.END: "end ends ended ending finish finishes finishing finished over until expire expires expiring",
    Concept.CLOSE: (
        "close closes closing closed sign signs signing signed expected land lands landing decision conclude win "
        "concluded forecast"
    ),
    Concept.RENEW: "renew renews renewed renewing renewal renewals extend extends extension expires expiring runs out",
    Concept.DUE: "due deadline payable overdue pay owed falls",
    Concept.JOIN: (
        "join joins joined joining hired hire start started starts came come board onboard aboard employed new "
        "recruited arrived arrive arrives taken appointed began entered on newcomer since signed"
    ),
    Concept.SERIES: "series recurring weekly",
}

_EXTRA_FIELD_WORDS: Final[Mapping[str, Concept]] = {
    "headquarters": Concept.PLACE,
    "squad": Concept.TEAM,
    "boss": Concept.MANAGER,
    "severity": Concept.PRIORITY,
    "city": Concept.PLACE,
    "country": Concept.REGION,
}

_FIELD_CONCEPTS: Final[Mapping[str, str]] = {
    "owner": "own",
    "owned": "own",
    "holder": "own",
    "responsible": "own assign",
    "steward": "own",
    "custodian": "own",
    "author": "create",
    "writer": "create",
    "creator": "create",
    "created": "create",
    "reporter": "create",
    "requester": "create",
    "raised": "create",
    "opened": "create",
    "submitted": "create",
    "filed": "create",
    "added": "create",
    "assignee": "assign",
    "assigned": "assign",
    "handler": "assign own",
    "organizer": "organize",
    "organiser": "organize",
    "host": "organize",
    "chair": "organize",
    "attendees": "attend",
    "attendee": "attend",
    "invitees": "attend",
    "guests": "attend",
    "participants": "participate attend",
    "participant": "participate attend",
    "members": "member",
    "member": "member",
    "staff": "member",
    "sender": "send create",
    "from": "send",
    "recipients": "receive",
    "recipient": "receive",
    "to": "receive",
    "cc": "receive participate",
    "updated": "update",
    "modified": "update",
    "edited": "update",
    "changed": "update",
    "editor": "update",
    "lead": "lead own",
    "leader": "lead",
    "head": "lead",
    "manager": "manager",
    "boss": "manager",
    "supervisor": "manager",
    "approver": "approve",
    "approved": "approve",
    "contacts": "contact",
    "contact": "contact",
    "attachments": "attach",
    "attachment": "attach",
    "document": "attach",
    "documents": "attach",
    "doc": "attach",
    "docs": "attach",
    "files": "attach",
    "proposal": "attach deal",
    "links": "attach",
    "linked": "attach",
    "folder": "contain",
    "directory": "contain",
    "location": "place",
    "room": "place",
    "venue": "place",
    "city": "place",
    "site": "place",
    "office": "place",
    "project": "project",
    "program": "project",
    "account": "account",
    "customer": "account",
    "client": "account",
    "opportunity": "deal",
    "deal": "deal",
    "parent": "parent",
    "previous": "previous",
    "vendor": "vendor",
    "supplier": "vendor",
    "invoices": "contain",
    "team": "team",
    "department": "team",
    "squad": "team",
    "role": "role",
    "title": "role",
    "position": "role",
    "job": "role",
    "company": "company",
    "employer": "company account",
    "tags": "tag",
    "tag": "tag",
    "labels": "tag",
    "label": "tag",
    "keywords": "tag",
    "status": "status",
    "state": "status",
    "stage": "stage status",
    "phase": "stage",
    "priority": "priority",
    "severity": "priority",
    "urgency": "priority",
    "component": "component",
    "module": "component",
    "area": "component region",
    "sprint": "sprint",
    "iteration": "sprint",
    "version": "version",
    "revision": "version",
    "rev": "version",
    "sensitivity": "sensitivity",
    "classification": "sensitivity",
    "confidentiality": "sensitivity",
    "region": "region",
    "territory": "region",
    "country": "region place",
    "market": "region",
    "tier": "tier",
    "plan": "tier",
    "level": "tier priority",
    "industry": "industry",
    "sector": "industry",
    "category": "category",
    "kind": "kind",
    "type": "kind",
    "amount": "amount",
    "value": "amount",
    "price": "amount",
    "total": "amount",
    "number": "identifier",
    "key": "identifier",
    "code": "identifier",
    "email": "identifier",
    "codename": "identifier",
    "start": "begin",
    "starts": "begin",
    "started": "begin create",
    "begin": "begin",
    "begins": "begin",
    "date": "begin create",
    "scheduled": "begin",
    "issued": "begin create",
    "sent": "send begin",
    "end": "end",
    "ends": "end",
    "close": "close end",
    "closing": "close end",
    "renewal": "renew",
    "renews": "renew",
    "due": "due end",
    "deadline": "due end",
    "hired": "join",
    "joined": "join",
    "hire": "join",
    "series": "series",
}

_TYPED_FIELDS: Final[Mapping[tuple[str, str], str]] = {
    ("person", "start_date"): "join begin",
    ("email_thread", "updated_at"): "update end",
}


@cache
def concepts_of_word(word: str) -> frozenset[Concept]:
    """What a word around a value may be about."""
    return _BY_WORD.get(word, frozenset())


@cache
def concepts_of_field(entity_type: str, path: str) -> frozenset[Concept]:
    """What a field is about, by the words of its name; the innermost part of a path comes first."""
    typed = _TYPED_FIELDS.get((entity_type, path))
    if typed:
        return frozenset(map(Concept, typed.split()))
    for part in reversed(path.split(".")):
        words = part.replace("-", "_").split("_")
        if words[-1] == "by" and len(words) > 1:
            words = words[:-1]
        found = frozenset(Concept(c) for word in words for c in _FIELD_CONCEPTS.get(word.lower(), "").split())
        if found:
            return found
    return frozenset()


def _by_word() -> dict[str, frozenset[Concept]]:
    found: dict[str, set[Concept]] = {}
    for concept, words in _CONCEPTS.items():
        for word in words.split():
            found.setdefault(word, set()).add(concept)
    for word, concept in _EXTRA_FIELD_WORDS.items():
        found.setdefault(word, set()).add(concept)
    return {word: frozenset(concepts) for word, concepts in found.items()}


_BY_WORD: Final = _by_word()


# --- kinds of record ---

_NOUNS: Final[Mapping[str, str]] = {
    "person": (
        "person people colleague colleagues coworker teammate teammates employee employees guy woman man lady "
        "gentleman someone somebody whoever contact contacts individual user owner author assignee reporter "
        "organizer organiser host manager boss supervisor lead leader member attendee participant recipient sender "
        "approver editor creator keeper holder handler rep representative staffer fellow folks chap him her them he "
        "she they requester chair associate"
    ),
    "email_thread": (
        "thread threads conversation conversations email emails mail mails message messages correspondence chain "
        "exchange discussion"
    ),
    "document": (
        "document documents doc docs file files paper papers writeup spreadsheet slides deck presentation "
        "attachment pdf manuscript"
    ),
    "folder": "folder folders directory drive place shelf dir container",
    "calendar_event": (
        "meeting meetings event events appointment appointments call calls session sessions invitation gathering"
    ),
    "customer_account": (
        "account accounts customer customers client clients company companies firm employer branch subsidiary "
        "division organisation organization business arm affiliate"
    ),
    "opportunity": "opportunity opportunities deal deals sale",
    "ticket": "ticket tickets issue issues bug bugs incident incidents requests defect",
    "project": "project projects programme program initiative workstream undertaking",
    "vendor": "vendor vendors supplier suppliers provider contractor",
    "invoice": "invoice invoices bill bills charge",
    "payment_run": "run batch payout",
}

RELATIONAL: Final[Mapping[str, Concept]] = {
    "owner": Concept.OWN,
    "keeper": Concept.OWN,
    "holder": Concept.OWN,
    "author": Concept.CREATE,
    "creator": Concept.CREATE,
    "writer": Concept.CREATE,
    "reporter": Concept.CREATE,
    "requester": Concept.CREATE,
    "assignee": Concept.ASSIGN,
    "organizer": Concept.ORGANIZE,
    "organiser": Concept.ORGANIZE,
    "host": Concept.ORGANIZE,
    "chair": Concept.ORGANIZE,
    "manager": Concept.MANAGER,
    "boss": Concept.MANAGER,
    "supervisor": Concept.MANAGER,
    "lead": Concept.LEAD,
    "leader": Concept.LEAD,
    "head": Concept.LEAD,
    "member": Concept.MEMBER,
    "attendee": Concept.ATTEND,
    "participant": Concept.PARTICIPATE,
    "sender": Concept.SEND,
    "recipient": Concept.RECEIVE,
    "approver": Concept.APPROVE,
    "editor": Concept.UPDATE,
    "handler": Concept.OWN,
    "employer": Concept.ACCOUNT,
    "attachment": Concept.ATTACH,
    "contact": Concept.CONTACT,
}
"""Nouns for a record by what another one has to do with it: "the owner of ..."."""

PLURAL_SUFFIX: Final = "s"


@cache
def types_of_noun(word: str) -> frozenset[str]:
    """The types of record a noun may stand for; a type's own name, and parts of it, stand for it."""
    return _NOUN_TYPES.get(word, frozenset())


def _noun_types() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for kind, words in _NOUNS.items():
        for word in words.split():
            found.setdefault(word, set()).add(kind)
    return {word: frozenset(kinds) for word, kinds in found.items()}


_NOUN_TYPES: Final = _noun_types()

STRONG_NOUNS: Final = word_set(
    "person colleague employee thread conversation email document doc file folder meeting event appointment account "
    "customer client company opportunity deal ticket issue bug incident project vendor supplier invoice run"
)

GENERIC: Final = word_set("one thing item stuff entry record object")
"""Nouns that stand for a record of any type."""

DETERMINERS: Final = word_set("the a an this that these those our my your his her their its any")

PRONOUNS: Final = word_set("it this that them these those him her they he she same")

FIRST_PERSON: Final = word_set("i me my mine myself")

RELATIVE: Final = word_set("that which who whom whose where whoever")

NEGATIONS: Final = word_set("not no never without except excluding isn aren doesn don wasn hasn neither nor")

NEGATION_PHRASES: Final = (
    ("other", "than"),
    ("rather", "than"),
    ("apart", "from"),
    ("instead", "of"),
    ("anything", "but"),
    ("outside", "of"),
    ("outside",),
    ("aside", "from"),
    ("save", "for"),
)

LAST: Final = word_set("latest newest last recent highest freshest youngest biggest largest latter longest")
FIRST: Final = word_set("oldest earliest first lowest eldest original initial smallest former shortest")
SIZES: Final = word_set("biggest largest smallest highest lowest")
"""Orders by amount where there is no version."""
NEXT: Final = word_set("next upcoming nearest soonest coming")
ORDINALS: Final[Mapping[str, int]] = {
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "2nd": 2,
    "3rd": 3,
    "4th": 4,
    "5th": 5,
    "penultimate": -2,
}

AFTER: Final = word_set("after following follows later succeeding")
BEFORE: Final = word_set("before preceding precedes ahead earlier prior precede")

PREPOSITIONS: Final = word_set(
    "of by from for with about under in on to at behind concerning regarding into onto within inside against among "
    "between through via re over around off out up per beside near without across toward towards along beneath "
    "following after before upon as"
)

CLARIFIERS: Final = word_set(
    "mean meant means meaning mind namely concerns thinking specifically precisely talking referring clear"
)
"""Words of a sentence that says more about what was mentioned before."""

STOPWORDS: Final = word_set(
    """a about above after again against all also am an and any are as at be because been before being below between
    both but by can could did do does doing down during each few for from further had has have having he her here
    hers herself him himself his how i if in into is it its itself just let me more most my myself no nor not of off
    on once only or other our ours out over own please same she should so some such than that the their theirs them
    then there these they this those through to too under until up us very was we were what when where which while
    who whom why will with would you your yours shall may might must ought need needs want wants like get gets got
    give given go goes going make makes made take takes taken put puts keep see seen say says said tell told know
    known thanks thank hi hello hey dear kindly sorry ok okay well yes right still yet now soon later today already
    ever never always somebody someone anybody anyone everybody everyone something anything nothing thing things way
    ways lot bit much many little less least another next"""
)

COMPLEX_PREPOSITIONS: Final = word_set(
    """heading header banner umbrella side plate hands hand care name behalf request possession charge custody lap desk
    books scope framework context team staff leadership ownership supervision direction responsibility watch
    auspices roof portfolio queue part back control guidance purview territory remit shelf tag label title topic
    subject matter status rank level tier list lists stage priority region version account project sprint course
    middle bottom top"""
)
"""Nouns that make a preposition together with the words around them: "under the heading of"."""

VENUES: Final = word_set(
    """tracker diary calendar pipeline store inbox mailbox system crm tool tools board directory database archive drive
    backlog list guestlist ledger records books review approval time day hour minute way end"""
)
"""Where things are done, rather than what is said of a record."""

PARTICIPLES: Final = word_set(
    """set kept held sent made run led put written drawn brought given taken hung bound built chosen done found got hid
    known laid left lent lost met paid read rung said seen sold shown spoken sat shut told won understood begun come
    gone become written"""
)
"""Participles that end neither in -ed nor in -ing."""

CAUSATIVES: Final = word_set("have having get getting want wants need needs see seen like love prefer got")
"""Verbs after which a participle is what shall be done: "have the plan moved"."""

POSSESSIONS: Final = word_set(
    "possession name care hands plate charge ownership custody desk lap queue portfolio books"
)
"""What something is in or on that belongs to somebody: "in my hands"."""

MODALS: Final = word_set("to be ought should must will shall would could can may might")
"""Words between two references that make the second one part of what is to be done."""

PUTTING: Final = word_set(
    """put puts putting add adds adding place placing move moving moved get list listing include including set assign
    assigning enter entering write writing invite inviting drop shift give giving"""
)
"""Verbs that put something somewhere: "put Ana on the list of ..."."""

LEXICON_WORDS: Final = frozenset(_BY_WORD) | frozenset(_NOUN_TYPES) | PREPOSITIONS | LAST | FIRST | CLARIFIERS
"""Every word of the lexicon."""

COMPOUND_HEADS: Final = word_set(
    """work page pages status details detail data record records entry entries note notes comment comments title tier
    text name number profile remark remarks discussion chain history link side report summary description reply
    response stage amount value date subject body content contents list folder file store"""
)
"""What a noun for a record may merely tell the kind of: "the ticket page", "the customer tier"."""

GROUPS: Final = word_set(
    """attendees members participants guests recipients people colleagues users viewers readers everybody everyone
    others"""
)
"""People as a group, who are not singled out."""
