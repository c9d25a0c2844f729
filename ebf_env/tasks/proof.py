"""Proving a label: what the mentions of a task denote, and whether that makes its label and condition true.

A proof is computed from the task alone, by brute force over its world (``ebf_env.world.references.naive``), and again
from what an agent sees (``ebf_env.world.references.indexed``). Nothing here knows how a task was made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from ebf_env.errors import WorldError
from ebf_env.tasks.labels import Condition, Label
from ebf_env.tasks.task import Mention, Task
from ebf_env.world import ENTITY_TYPES, World
from ebf_env.world.binding import as_ids
from ebf_env.world.references import (
    Beside,
    Equals,
    Form,
    Named,
    NamesUser,
    Not,
    ObservationSolver,
    Reading,
    ReferredBy,
    Related,
    Situation,
    Test,
    Within,
    form_from_json,
    read,
)

VERSION_PATHS = frozenset({"version", "status", "updated_at", "created_at", "previous_version"})
"""Fields that tell versions of a document apart."""

NEARLY_THE_SAME = 90.0
"""Least similarity (normalised edit similarity of labels, 0 to 100) of near duplicates."""


@dataclass(frozen=True, slots=True)
class MentionProof:
    """What one mention denotes.

    Attributes:
        mention: the mention.
        reading: its logical form, and which records each test of it holds of.
        surface: what a string matcher would find: records of the type whose names hold the mention's own words.
        denoted: what the form denotes, given the whole world.
        visible: what of it the acting user may see.
        permitted: what of that the tool may be used on.
        idle: numbers of the tests whose leaving out changes nothing; a mention that has some says more than it must.
        step: what is proven of the record that has to be found first, where the mention means another one only through
            it ("whoever reported the checkout crash").
    """

    mention: Mention
    reading: Reading
    surface: frozenset[str]
    denoted: frozenset[str]
    visible: frozenset[str]
    permitted: frozenset[str]
    idle: tuple[int, ...]
    step: MentionProof | None = None

    @property
    def form(self) -> Form:
        """The mention's logical form."""
        return self.reading.form


@dataclass(frozen=True, slots=True)
class Proof:
    """What the mentions of a task denote, and what contradicts its label.

    Attributes:
        mentions: a proof for each mention that has a form.
        faults: contradictions, one sentence each; empty where label, bindings and condition are proven.
        unproven: slots some mention of which has no form, so that nothing is proven of them.
    """

    mentions: tuple[MentionProof, ...]
    faults: tuple[str, ...]
    unproven: tuple[str, ...] = field(default=())


def prove(task: Task, observation: str | None = None) -> Proof:
    """Compute what a task's mentions denote and hold it against its label, bindings and condition.

    Args:
        task: the task.
        observation: the text an agent sees first, where it shows the whole world; the second solver then has to find in
            it what the first finds in the world, as far as the user may see it.
    """
    proofs: list[MentionProof] = []
    faults: list[str] = []
    unproven = {slot for slot in task.bindings if not any(m.slot == slot for m in task.mentions)}
    for mention in task.mentions:
        if mention.form is None:
            unproven.add(mention.slot)
            continue
        try:
            proofs.append(_prove_mention(task, mention))
        except WorldError as error:
            faults.append(f"{mention.slot}: the form cannot be read: {error}")
    seen = None if observation is None else ObservationSolver(observation)
    for proof in proofs:
        faults.extend(_faults_of_mention(task, proof))
        if seen is not None and (found := seen.denotation(proof.form)) != proof.visible:
            slot, shown = proof.mention.slot, _listed(proof.visible)
            faults.append(f"{slot}: the world shows {shown}, the observation {_listed(found)}")
    if not faults and not unproven:
        faults.extend(_faults_of_label(task, proofs))
        faults.extend(_faults_of_condition(task, proofs))
    return Proof(tuple(proofs), tuple(faults), tuple(sorted(unproven)))


def _prove_mention(task: Task, mention: Mention) -> MentionProof:
    form = form_from_json(mention.form)
    precondition = task.spec.precondition(mention.slot)
    changes = precondition is not None and precondition.changes
    inner = first_step(form)
    step = None if inner is None else _prove_form(task, mention, inner, changes=False)
    return _prove_form(task, mention, form, changes=changes, step=step)


def _prove_form(
    task: Task, mention: Mention, form: Form, *, changes: bool, step: MentionProof | None = None
) -> MentionProof:
    reading = read(form, Situation(task.world, task.now, task.user.id))
    denoted, rights = reading.denoted, task.user.permissions
    visible = frozenset(i for i in denoted if rights.may_see(i))
    permitted = frozenset(i for i in visible if rights.may_change(i)) if changes else visible
    return MentionProof(mention, reading, surface(reading), denoted, visible, permitted, _idle(reading, denoted), step)


def first_step(form: Form) -> Form | None:
    """What has to be found first: the form of the record through which alone another one is meant, or None."""
    match form:
        case Form(tests=(Related(form=inner) | ReferredBy(form=inner),), pick=None):
            return inner
    return None


def surface(reading: Reading) -> frozenset[str]:
    """What a string matcher would find for a mention: records of its type whose names hold all words it is named by."""
    named = (number for number, test in enumerate(reading.form.tests) if isinstance(test, Named))
    return reading.denotation(named, None)


def _idle(reading: Reading, denoted: frozenset[str]) -> tuple[int, ...]:
    numbers, pick = range(len(reading.form.tests)), reading.form.pick
    return tuple(n for n in numbers if reading.denotation((m for m in numbers if m != n), pick) == denoted)


# --- label ---


def _faults_of_mention(task: Task, proof: MentionProof) -> Iterator[str]:
    slot = proof.mention.slot
    gold = as_ids(proof.mention.gold)
    if gold and proof.permitted != set(gold):
        yield f"{slot}: the mention denotes {_listed(proof.permitted)}, its gold is {_listed(gold)}"
    if not gold and len(proof.permitted) == 1:
        yield f"{slot}: the mention denotes {_listed(proof.permitted)} alone, but has no gold"
    intent = as_ids(task.intent.get(slot))
    if not gold and proof.permitted and intent and not proof.permitted & set(intent):
        yield f"{slot}: what the user has in mind is not among what the mention denotes"


def _faults_of_label(task: Task, proofs: Sequence[MentionProof]) -> Iterator[str]:
    several = any(len(proof.permitted) >= 2 and not _is_plural(proof) for proof in proofs)
    nothing = any(not proof.permitted for proof in proofs)
    proven = Label.UNACTIONABLE if nothing else Label.AMBIGUOUS if several else Label.RESOLVABLE
    if proven is not task.label:
        yield f"the label is {task.label.value!r}, the mentions prove {proven.value!r}"


def _is_plural(proof: MentionProof) -> bool:
    return len(as_ids(proof.mention.gold)) > 1


def _listed(ids: frozenset[str] | Sequence[str]) -> str:
    return ", ".join(sorted(ids)) or "nothing"


# --- condition ---


def _faults_of_condition(task: Task, proofs: Sequence[MentionProof]) -> Iterator[str]:
    steps = [proof.step for proof in proofs if proof.step is not None]
    if not any(condition_holds(task.condition, task, proof) for proof in (*proofs, *steps)):
        yield f"the condition is {task.condition.value!r}, and of no mention that holds"


def condition_holds(condition: Condition, task: Task, proof: MentionProof) -> bool:
    """Whether a condition is true of a mention: a predicate over surface candidates, denotation and what decides.

    Of a mention that takes two steps, it may be the first one that it is true of.
    """
    one = len(proof.permitted) == 1
    match condition:
        case Condition.UNAMBIGUOUS:
            return one and len(proof.surface) == 1
        case Condition.TRUE_AMBIGUITY:
            return len(proof.permitted) >= 2
        case Condition.NO_REFERENT:
            return not proof.denoted
        case Condition.NOT_PERMITTED:
            return bool(proof.denoted) and not proof.permitted
        case Condition.NAME_COLLISION:
            return one and len(proof.surface) >= 2 and _widens(proof, _is_no_name)
        case Condition.DOCUMENT_VERSION:
            return one and proof.form.type == "document" and _widens(proof, _is_version_cue)
        case Condition.TEMPORAL:
            return one and _widens(proof, _is_time_cue)
        case Condition.ACCOUNT_COLLISION:
            several = one and len(proof.surface) >= 2 and _widens(proof, _is_no_name)
            return several and _one_corporate_family(task.world, proof.surface)
        case Condition.NEAR_DUPLICATE:
            return one and _has_near_duplicate(task.world, proof) and _widens(proof, _is_no_name)
        case Condition.CROSS_SYSTEM:
            return one and _widens(proof, lambda test: _leaves_the_system(proof.form.type, test))
        case Condition.STALE:
            return one and len(proof.surface) >= 2 and _widens(proof, _is_notice)


def _is_notice(test: Test) -> bool:
    return isinstance(test, ReferredBy) and test.form.type == "change_notice"


def _widens(proof: MentionProof, cue: Callable[[Test], bool]) -> bool:
    """Whether the mention would denote two or more without its cues of a kind (its superlative among those of time)."""
    form = proof.form
    kept = [number for number, test in enumerate(form.tests) if not cue(test)]
    pick = None if form.pick is not None and cue(Equals(form.pick.path, "")) else form.pick
    if len(kept) == len(form.tests) and pick is form.pick:
        return False
    return len(proof.reading.denotation(kept, pick)) >= 2


def _is_no_name(test: Test) -> bool:
    return not isinstance(test, Named)


def _path_of(test: Test) -> str | None:
    inner = test.test if isinstance(test, Not) else test
    return None if isinstance(inner, Named | ReferredBy) else inner.path if not isinstance(inner, Not) else None


def _is_version_cue(test: Test) -> bool:
    return _path_of(test) in VERSION_PATHS or (isinstance(test, ReferredBy) and test.path in VERSION_PATHS)


def _is_time_cue(test: Test) -> bool:
    if isinstance(test, Within | Beside):
        return True
    path = _path_of(test)
    return path is not None and (path.endswith(("_at", "_date")) or path in ("start", "end", "sprint"))


def _leaves_the_system(type_name: str, test: Test) -> bool:
    """Whether a test goes through a record of another system."""
    inner = test.test if isinstance(test, Not) else test
    home = ENTITY_TYPES.get(type_name)
    if isinstance(inner, NamesUser):
        return home is None or home.domain != ENTITY_TYPES["person"].domain
    if not isinstance(inner, Related | ReferredBy | Beside):
        return False
    there = ENTITY_TYPES.get(inner.form.type)
    if home is None or there is None:
        return home is not there
    return home.domain != there.domain or any(
        _leaves_the_system(inner.form.type, nested) for nested in inner.form.tests
    )


def _one_corporate_family(world: World, ids: frozenset[str]) -> bool:
    """Whether accounts and vendors, or those that records belong to, all have one topmost parent."""
    topmost = {_topmost(world, entity_id) for entity_id in ids}
    return len(topmost) == 1 and None not in topmost


_WITH_PARENTS = frozenset({"customer_account", "vendor"})


def _topmost(world: World, entity_id: str) -> str | None:
    entity = world.get(entity_id)
    seen: set[str] = set()
    while entity is not None and entity.id not in seen:
        seen.add(entity.id)
        parental = entity.type in _WITH_PARENTS
        above = entity.get("parent") if parental else entity.get("account") or entity.get("vendor")
        if not isinstance(above, str):
            return entity.id if parental else None
        entity = world.get(above)
    return None


def _has_near_duplicate(world: World, proof: MentionProof) -> bool:
    [right] = proof.permitted
    label = world[right].label.casefold()
    rivals = (*proof.surface, *(i for i in world.ids_of_type(proof.form.type) if i not in proof.surface))
    others = (world[i].label.casefold() for i in rivals if i != right)
    return any(fuzz.ratio(label, other) >= NEARLY_THE_SAME for other in others)
