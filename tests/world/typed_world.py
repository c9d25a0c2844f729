"""A small typed enterprise that the tests of the world act on, and calls that bind every slot of a tool in it.

Every type has a first and a second record that nothing refers to, so that even deleting one leaves a sound world.
"""

from __future__ import annotations

from ebf_env.json_types import JSON, JSONObject, canonical_json
from ebf_env.world import Difference, Permissions, ToolResult, ToolSpec, World, WorldState, execute
from ebf_env.world.binding import Binding
from ebf_env.world.domains.calendar import CalendarEvent
from ebf_env.world.domains.changes import ChangeNotice
from ebf_env.world.domains.crm import CustomerAccount, Note, Opportunity
from ebf_env.world.domains.directory import Person
from ebf_env.world.domains.documents import Document, Folder
from ebf_env.world.domains.email import EmailThread, Message
from ebf_env.world.domains.payments import Invoice, PaymentRun, Vendor
from ebf_env.world.domains.projects import Project
from ebf_env.world.domains.tickets import Ticket
from ebf_env.world.entity import EntityModel

NOW = "2026-03-02T09:30:00+01:00"
USER = "p_me"

TARGETS: dict[str, tuple[str, str]] = {
    "person": ("p_alex_chen", "p_alex_rivera"),
    "email_thread": ("t_lunch", "t_offsite"),
    "document": ("d_budget", "d_memo"),
    "folder": ("f_archive", "f_drafts"),
    "calendar_event": ("e_retro", "e_sync"),
    "customer_account": ("c_globex", "c_initech"),
    "opportunity": ("o_renewal", "o_upsell"),
    "ticket": ("k_login", "k_outage"),
    "project": ("j_gemini", "j_vostok"),
    "change_notice": ("n_region", "n_codename"),
    "vendor": ("v_paper", "v_print"),
    "invoice": ("i_audit", "i_lease"),
    "payment_run": ("r_april", "r_may"),
}
"""Type to the two records calls are bound to."""

ARGUMENTS: dict[str, JSON] = {
    "title": "A title nobody has used",
    "start": "2026-03-09T15:00:00+01:00",
    "end": "2026-03-09T16:00:00+01:00",
    "status": "at_risk",
    "renewal_date": "2027-09-30",
    "close_date": "2027-06-30",
    "amount": 1234.5,
    "query": "alex",
    "limit": 3,
    "offset": 0,
}
"""A usable value for each argument that not every text is good for."""


def models() -> list[EntityModel]:
    """The records, every field of every type used at least once."""
    return [
        Person(id=USER, name="Morgan Diaz", email="morgan@northwind.example", title="Director", team="Platform"),
        Person(
            id="p_alex_chen",
            name="Alex Chen",
            email="alex.chen@northwind.example",
            title="Staff Engineer",
            role="engineer",
            team="Platform",
            company="Northwind",
            manager=USER,
            location="Zürich",
            timezone="Europe/Zurich",
            start_date="2021-06-01",
            aliases=("achen",),
            status="on_leave",
        ),
        Person(id="p_alex_rivera", name="Alex Rivera", email="alex.rivera@northwind.example", team="Sales"),
        Person(id="p_kim", name="Kim Müller-Núñez", email="kim@acme.example", company="Acme", account="c_acme"),
        CustomerAccount(
            id="c_acme",
            name="Acme",
            account_number="A-1001",
            parent="c_acme_group",
            region="EMEA",
            tier="gold",
            industry="Manufacturing",
            owner=USER,
            contacts=("p_kim",),
            status="at_risk",
            renewal_date="2026-12-31",
            updated_at="2026-02-01T08:00:00+00:00",
            updated_by=USER,
            notes=(Note(author=USER, written_at="2026-01-01T00:00:00Z", text="call back", draft=False),),
        ),
        CustomerAccount(id="c_acme_group", name="Acme Group"),
        CustomerAccount(id="c_globex", name="Globex", region="AMER"),
        CustomerAccount(id="c_initech", name="Initech", region="AMER"),
        Opportunity(
            id="o_renewal",
            name="Acme renewal 2026",
            account="c_acme",
            owner=USER,
            kind="renewal",
            stage="negotiation",
            status="open",
            amount=50000.0,
            currency="EUR",
            close_date="2026-06-30",
            proposal="d_plan_v2",
            updated_at="2026-02-01T08:00:00+00:00",
            updated_by=USER,
            notes=(Note(author="p_kim", text="legal is reading it"),),
        ),
        Opportunity(id="o_upsell", name="Acme upsell", account="c_acme"),
        Project(
            id="j_apollo",
            name="Apollo",
            codename="Blue Heron",
            lead=USER,
            members=(USER, "p_kim"),
            account="c_acme",
            status="paused",
            start_date="2026-01-05",
            end_date="2026-11-30",
            description="the launch",
        ),
        Project(id="j_gemini", name="Gemini"),
        Project(id="j_vostok", name="Vostok"),
        Folder(
            id="f_plans",
            name="Plans",
            owner=USER,
            project="j_apollo",
            account="c_acme",
            created_at="2026-01-05T08:00:00+00:00",
        ),
        Folder(id="f_archive", name="Archive", parent="f_plans"),
        Folder(id="f_drafts", name="Drafts"),
        Document(id="d_plan_v1", title="Launch plan", version="1", folder="f_plans", owner=USER),
        Document(
            id="d_plan_v2",
            title="Launch plan",
            owner=USER,
            folder="f_plans",
            version="2",
            previous_version="d_plan_v1",
            status="approved",
            created_at="2026-02-01T08:00:00+00:00",
            updated_at="2026-02-20T08:00:00+00:00",
            updated_by="p_kim",
            project="j_apollo",
            account="c_acme",
            sensitivity="confidential",
            shared_with=("p_kim",),
            tags=("launch", "plan"),
            body="We launch on a Tuesday.",
            comments=("which Tuesday?",),
        ),
        Document(id="d_budget", title="Budget"),
        Document(id="d_memo", title="Memo"),
        EmailThread(
            id="t_launch",
            subject="Launch",
            participants=(USER, "p_kim"),
            messages=(
                Message(
                    sender="p_kim",
                    recipients=(USER,),
                    sent_at="2026-02-28T12:00:00+00:00",
                    body="See attached.",
                    attachments=("d_plan_v2",),
                    continues="t_before",
                    forwarded_thread="t_before",
                    draft=False,
                ),
            ),
            started_at="2026-02-28T12:00:00+00:00",
            updated_at="2026-02-28T12:00:00+00:00",
            project="j_apollo",
            account="c_acme",
            labels=("launch",),
            status="archived",
        ),
        EmailThread(id="t_before", subject="Before the launch"),
        EmailThread(id="t_lunch", subject="Lunch"),
        EmailThread(id="t_offsite", subject="Offsite"),
        CalendarEvent(
            id="e_sync",
            title="Apollo sync",
            start="2026-03-03T10:00:00+01:00",
            end="2026-03-03T10:30:00+01:00",
            organizer=USER,
            attendees=(USER, "p_kim"),
            series="apollo-weekly",
            location="Room 4",
            project="j_apollo",
            account="c_acme",
            attachments=("d_plan_v2",),
            status="tentative",
            updated_at="2026-02-01T08:00:00+00:00",
            updated_by=USER,
            description="weekly",
        ),
        CalendarEvent(id="e_retro", title="Retro", start="2026-03-04T10:00:00+01:00", end="2026-03-04T11:00:00+01:00"),
        Ticket(
            id="k_outage",
            title="Checkout is down",
            key="OPS-7",
            kind="incident",
            status="in_progress",
            priority="P0",
            component="checkout",
            sprint="2026-05",
            reporter="p_kim",
            assignee=USER,
            project="j_apollo",
            account="c_acme",
            attachments=("d_plan_v2",),
            created_at="2026-03-01T08:00:00+00:00",
            updated_at="2026-03-01T08:30:00+00:00",
            updated_by=USER,
            escalated=False,
            description="500s since eight",
            comments=(Note(author=USER, text="looking"),),
        ),
        Ticket(id="k_login", title="Login fails", kind="bug"),
        ChangeNotice(
            id="n_transfer",
            title="Kim Müller-Núñez changes employers",
            record="p_kim",
            field="company",
            value="Globex",
            effective_at="2026-03-01T00:00:00+01:00",
            source="human resources",
        ),
        ChangeNotice(
            id="n_region",
            title="Acme moves to another region",
            record="c_acme",
            field="region",
            value="APAC",
            effective_at="2026-03-01T08:00:00Z",
        ),
        ChangeNotice(
            id="n_codename",
            title="Apollo is called differently",
            record="j_apollo",
            field="codename",
            value="Grey Heron",
            effective_at="2026-03-02T08:00:00Z",
        ),
        Vendor(
            id="v_rhine",
            name="Rhine Couriers",
            vendor_number="VN-2001",
            category="logistics",
            country="Germany",
            owner="p_kim",
            parent="v_rhine_group",
            status="blocked",
            notes=(Note(author=USER, text="new bank account"),),
        ),
        Vendor(id="v_rhine_group", name="Rhine Group"),
        Vendor(id="v_paper", name="Aare Paper", country="Switzerland"),
        Vendor(id="v_print", name="Limmat Print", country="Switzerland"),
        Invoice(
            id="i_freight",
            title="Freight audit invoice",
            number="INV-2041",
            vendor="v_rhine",
            amount=1200.5,
            currency="EUR",
            status="approved",
            approver="p_kim",
            project="j_apollo",
            document="d_plan_v2",
            issued_at="2026-02-10T08:00:00+00:00",
            due_date="2026-03-12",
            updated_at="2026-02-12T08:00:00+00:00",
            updated_by=USER,
            notes=(Note(author="p_kim", text="twice as much as in January"),),
        ),
        Invoice(id="i_audit", title="Audit invoice", vendor="v_rhine"),
        Invoice(id="i_lease", title="Lease invoice", vendor="v_rhine"),
        PaymentRun(
            id="r_march",
            title="Logistics payment run",
            scheduled_for="2026-03-13",
            status="released",
            invoices=("i_freight",),
            owner=USER,
            updated_at="2026-02-12T08:00:00+00:00",
            updated_by="p_kim",
        ),
        PaymentRun(id="r_april", title="April payment run"),
        PaymentRun(id="r_may", title="May payment run"),
    ]


def typed_world() -> World:
    """The records as a checked world."""
    return World.from_models(models())


def bind(spec: ToolSpec, which: int = 0, *, optional: bool = False) -> dict[str, Binding]:
    """Every mandatory slot (and, if asked for, each optional one) bound to the first or second record of its type."""
    return {
        p.slot: (TARGETS[p.entity_type][which],) if p.many else TARGETS[p.entity_type][which]
        for p in spec.preconditions
        if p.required or optional
    }


def usable_arguments(spec: ToolSpec) -> dict[str, JSON]:
    """A usable value for every argument of a tool."""
    return {p.name: ARGUMENTS.get(p.name, f"text of {p.name}") for p in spec.parameters}


def run(
    spec: ToolSpec,
    bindings: dict[str, Binding] | None = None,
    arguments: JSONObject | None = None,
    *,
    state: WorldState,
    permissions: Permissions | None = None,
    user_id: str | None = USER,
    now: str | None = NOW,
) -> ToolResult:
    """Execute a tool on a state as the acting user."""
    return execute(
        spec,
        bind(spec) if bindings is None else bindings,
        arguments or {},
        state,
        permissions=permissions or Permissions(),
        user_id=user_id,
        now=now,
    )


def fingerprint(difference: Difference, *, logged: bool = True) -> str:
    """A difference as text, to be compared and counted; the activity log can be left out."""
    return canonical_json(
        {
            "created": [entity.to_json() for entity in difference.created],
            "changed": sorted(
                [change.entity_id, change.field, canonical_json(change.before), canonical_json(change.after)]
                for change in difference.changed
            ),
            "deleted": sorted(difference.deleted),
            "activity": [[entry.tool, entry.kind, entry.entity_id, entry.value] for entry in difference.activity]
            if logged
            else [],
        }
    )
