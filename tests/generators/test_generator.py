"""Tasks by number: contrast blocks that no shortcut wins, the same for the same seed, in worlds of any size."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import pytest

from ebf_env.envs import Episode, EpisodeConfig
from ebf_env.envs.observation import OBSERVATION_KEYS
from ebf_env.json_types import JSON
from ebf_env.tasks import Condition, Label, Task
from ebf_env.tasks.proof import MentionProof, Proof, prove
from ebf_env.tasks.suite import task_line
from ebf_env.world import World
from ebf_env.world.references import Named, ObservationSolver
from ebf_generators.conditions.condition import PLANS
from ebf_generators.config import LEAST_ENTITIES, PAPER_MIX, SuiteConfig
from ebf_generators.generator import Generator


@dataclass(frozen=True)
class Block:
    """The tasks of one family by row and column, what an agent sees of them, and their proofs."""

    cells: dict[tuple[int, int], Task]
    texts: dict[tuple[int, int], str]
    proofs: dict[tuple[int, int], Proof]

    @classmethod
    def of(cls, cells: dict[tuple[int, int], Task]) -> Block:
        texts = {place: Episode(task).observation.text() for place, task in cells.items()}
        return cls(cells, texts, {place: prove(task, texts[place]) for place, task in cells.items()})

    @property
    def size(self) -> int:
        return 3 if len(self.cells) == 9 else 2

    @property
    def condition(self) -> Condition:
        condition = next(iter(self.cells.values())).base_condition
        assert condition is not None
        return condition

    @cached_property
    def name(self) -> str:
        one = next(iter(self.cells.values()))
        return f"{one.split} {one.family} ({self.condition.value}, {one.tool}, {one.certificate})"

    def rows(self) -> list[list[Task]]:
        return [[self.cells[row, column] for column in range(self.size)] for row in range(self.size)]

    def columns(self) -> list[list[Task]]:
        return [list(column) for column in zip(*self.rows(), strict=True)]

    def differing(self, measure: Callable[[Task], object]) -> bool:
        return len({repr(measure(task)) for task in self.cells.values()}) > 1


def blocks_of(split: str, turns: int) -> list[Block]:
    generator = Generator(SuiteConfig(tasks=1_000_000, split=split))
    families: dict[str, dict[tuple[int, int], Task]] = defaultdict(dict)
    for task in generator.tasks(0, turns * generator.chunk):
        families[task.family][task.certificate["row"], task.certificate["column"]] = task
    return [Block.of(cells) for cells in families.values()]


@pytest.fixture(scope="module")
def blocks() -> list[Block]:
    """More than two hundred families of all conditions and splits."""
    return [*blocks_of("train", 5), *blocks_of("val", 1), *blocks_of("test", 1)]


@pytest.fixture(scope="module")
def tasks(blocks) -> list[Task]:
    return [task for block in blocks for task in block.cells.values()]


@pytest.fixture(scope="module")
def texts(blocks) -> list[tuple[Task, str]]:
    return [(task, block.texts[place]) for block in blocks for place, task in block.cells.items()]


@pytest.fixture(scope="module")
def proofs(blocks) -> list[tuple[Task, Proof]]:
    return [(task, block.proofs[place]) for block in blocks for place, task in block.cells.items()]


# --- contrast blocks: what differs, and what does not ---


def test_blocks_are_about_every_condition_in_turn(blocks):
    about = Counter(block.condition for block in blocks if block.cells[0, 0].split == "train")
    assert len(blocks) > 150
    assert set(about) == set(PLANS)
    assert max(about.values()) == min(about.values())
    assert {len(block.cells) for block in blocks} == {4, 9}


def test_labels_form_a_latin_square_in_every_family(blocks):
    for block in blocks:
        expected = set(Label) if block.size == 3 else {task.label for task in block.rows()[0]}
        assert len(expected) == block.size, block.name
        for line in (*block.rows(), *block.columns()):
            assert {task.label for task in line} == expected, block.name


def test_a_family_needs_both_acting_and_not_acting(blocks):
    for block in blocks:
        assert {task.label is Label.RESOLVABLE for task in block.cells.values()} == {True, False}, block.name


def test_a_row_says_the_same_and_rows_say_different_things(blocks):
    for block in blocks:
        said = [{(task.instruction, repr(task.history)) for task in row} for row in block.rows()]
        assert [len(texts) for texts in said] == [1] * block.size, block.name
        assert len(set.union(*said)) == block.size, block.name


def test_a_column_is_one_world_in_one_order(blocks):
    for block in blocks:
        for column in block.columns():
            assert len({task.world.digest for task in column}) == 1, block.name
            assert len({tuple(task.world) for task in column}) == 1, block.name
            assert len({task.user.permissions for task in column}) == 1, block.name


def test_columns_differ_in_the_world_or_in_what_the_user_may_touch(blocks):
    for block in blocks:
        worlds = {column[0].world.digest for column in block.columns()}
        rights = {column[0].user.permissions for column in block.columns()}
        if block.condition is Condition.NOT_PERMITTED:
            assert len(rights) == block.size, block.name
        else:
            assert (len(worlds), len(rights)) == (block.size, 1), block.name


def test_worlds_of_a_permission_block_differ_in_nothing_but_the_notice_that_something_was_closed(blocks):
    noticed = 0
    for block in blocks:
        if block.condition is not Condition.NOT_PERMITTED:
            continue
        one, other = (column[0] for column in block.columns())
        differing = [i for i in one.world if one.world[i] != other.world.get(i)]
        if one.spec.precondition(one.mentions[0].slot).changes:
            assert not differing, block.name
            assert all(len(task.user.permissions.read_only) == 1 for task in (one, other)), block.name
            continue
        [notice] = differing
        noticed += 1
        before, after = one.world[notice], other.world[notice]
        assert before.type == "change_notice", block.name
        assert {name for name in before.fields if before.fields[name] != after.fields[name]} == {"title"}
        assert all(notice not in mention.denoted for mention in block.proofs[0, 0].mentions), block.name
        assert all(len(task.user.permissions.hidden) == 1 for task in (one, other)), block.name
    assert noticed


SAME_IN_ALL_CELLS: dict[str, Callable[[Task], object]] = {
    "number of records": lambda task: len(task.world),
    "records of each type": lambda task: sorted(Counter(entity.type for entity in task.world.entities()).items()),
    "records in sight": lambda task: sum(task.user.permissions.may_see(entity_id) for entity_id in task.world),
    "records that may be changed": lambda task: sum(task.user.permissions.may_change(i) for i in task.world),
    "tools, in order": lambda task: [spec.name for spec in task.tools],
    "gold tool": lambda task: task.tool,
    "slots": lambda task: sorted(task.bindings),
    "domain": lambda task: task.domain,
    "risk": lambda task: task.effective_risk,
    "user": lambda task: task.user.fields,
    "now": lambda task: task.now,
    "difficulty": lambda task: task.difficulty,
    "visibility": lambda task: task.visibility,
    "base condition": lambda task: task.base_condition,
    "split": lambda task: task.split,
    "length of the history": lambda task: [turn["role"] for turn in task.history],
}


@pytest.mark.parametrize("name", SAME_IN_ALL_CELLS)
def test_cells_of_a_family_are_the_same_in(blocks, name):
    assert not [block.name for block in blocks if block.differing(SAME_IN_ALL_CELLS[name])]


def steps(proof: MentionProof) -> Iterator[MentionProof]:
    yield proof
    if proof.step is not None:
        yield from steps(proof.step)


def test_a_string_matcher_finds_as_many_records_in_every_cell(blocks):
    for block in blocks:
        found = {
            tuple(len(step.surface) for mention in proof.mentions for step in steps(mention))
            for proof in block.proofs.values()
        }
        if block.condition is Condition.UNAMBIGUOUS:
            assert found != {1}, "names are swapped there"
        else:
            assert len(found) == 1, block.name


def test_in_an_unambiguous_block_each_name_is_once_the_name_of_one_record_and_once_of_two(blocks):
    for block in blocks:
        if block.condition is not Condition.UNAMBIGUOUS:
            continue
        for line in (*block.rows(), *block.columns()):
            assert sorted(len(prove(task).mentions[0].surface) for task in line) == [1, 2], block.name


def test_ids_of_a_world_are_all_opaque_and_places_of_records_are_shuffled(blocks):
    for block in blocks:
        for task in block.cells.values():
            assert all(len(i) == 6 and i.isalnum() and i == i.lower() for i in task.world)
            assert not any(word in task.task_id for word in (task.condition.value, task.label.value, task.tool))
    assert not [b.name for b in blocks if len({tuple(column[0].world) for column in b.columns()}) < b.size]


# --- contrast blocks: every label is proven ---


def test_every_label_binding_and_condition_is_proven_by_both_solvers(proofs):
    assert not [
        (task.task_id, proof.faults, proof.unproven) for task, proof in proofs if proof.faults or proof.unproven
    ]


def test_every_task_and_its_world_are_sound(blocks):
    for block in blocks:
        for task in block.cells.values():
            task.check()
        block.cells[0, 0].world.check()
        block.cells[1, 1].world.check()


def test_certificates_say_exactly_what_the_proof_finds(proofs):
    for task, proof in proofs:
        said = [(one["slot"], set(one["surface"]), set(one["denotes"])) for one in task.certificate["mentions"]]
        assert said == [(one.mention.slot, set(one.surface), set(one.denoted)) for one in proof.mentions]


def test_the_gold_is_what_each_mention_denotes_and_nothing_else_has_one(proofs):
    for task, proof in proofs:
        for mention in proof.mentions:
            gold = mention.mention.gold
            ids = {gold} if isinstance(gold, str) else set(gold or ())
            assert ids == (mention.permitted if len(mention.permitted) == 1 else set()), task.task_id
        first = proof.mentions[0]
        expected = {1: Label.RESOLVABLE, 0: Label.UNACTIONABLE}.get(len(first.permitted), Label.AMBIGUOUS)
        assert task.label is expected
        assert all(len(other.permitted) == 1 for other in proof.mentions[1:]), "only one mention is in question"


def idle_tests(proof: MentionProof) -> list[int]:
    """Numbers of the tests without which the form denotes the same, computed from what each test holds of."""
    kept = range(len(proof.form.tests))
    whole = proof.reading.denotation(kept, proof.form.pick)
    return [n for n in kept if proof.reading.denotation((m for m in kept if m != n), proof.form.pick) == whole]


def test_dropping_any_test_of_the_mention_in_question_changes_what_it_denotes_unless_it_is_over_specified(blocks):
    over_specified = 0
    for block in blocks:
        for place, proof in block.proofs.items():
            said = block.cells[place].certificate["over_specified"]
            over_specified += said
            first = proof.mentions[0]
            idle = idle_tests(first.step or first)
            assert len(idle) == int(said), block.name
            if first.step is not None:
                assert not idle_tests(first), block.name
            if first.form.pick is not None:
                kept = range(len(first.form.tests))
                assert first.reading.denotation(kept, None) != first.denoted, block.name
    assert 0 < over_specified < 0.15 * sum(len(block.cells) for block in blocks)


def test_dropping_the_name_of_a_record_that_is_not_in_question_changes_what_is_denoted(proofs):
    alone = {
        f"{task.tool}.{mention.mention.slot}: the world of {len(task.world)} has one {mention.form.type}"
        for task, proof in proofs
        for mention in proof.mentions[1:]
        if idle_tests(mention)
    }
    assert not alone, "a slot whose type has a single record in the world is right whatever is said"


def test_for_every_conjunct_some_record_fails_it_alone(blocks):
    for block in blocks:
        for proof in block.proofs.values():
            first = proof.mentions[0]
            for step in steps(first):
                held, numbers = step.reading.held, range(len(step.form.tests))
                idle = idle_tests(step)
                for number in numbers:
                    others = step.reading.denotation((n for n in numbers if n != number), None)
                    assert number in idle or others - held[number], (block.name, step.form.tests[number])
                if step.form.pick is not None:
                    assert step.reading.denotation(numbers, None) - step.denoted, block.name


def test_names_alone_never_decide_but_in_an_unambiguous_task(proofs):
    for task, proof in proofs:
        first = proof.mentions[0].step or proof.mentions[0]
        only_named = all(isinstance(test, Named) for test in first.form.tests) and first.form.pick is None
        assert only_named == (task.base_condition is Condition.UNAMBIGUOUS)


def test_the_condition_of_a_cell_is_that_of_its_block_or_says_why_nothing_can_be_done(tasks):
    lends = (Condition.TRUE_AMBIGUITY, Condition.NO_REFERENT, Condition.NOT_PERMITTED)
    for task in tasks:
        if task.label is Label.AMBIGUOUS:
            assert task.condition is Condition.TRUE_AMBIGUITY
        elif task.label is Label.UNACTIONABLE:
            assert task.condition in (Condition.NO_REFERENT, Condition.NOT_PERMITTED)
        elif task.base_condition not in lends:
            assert task.condition is task.base_condition


def test_most_users_know_what_they_mean_where_it_is_ambiguous_and_nobody_else_is_asked(tasks):
    knows = Counter[bool]()
    for task in tasks:
        if task.label is Label.AMBIGUOUS:
            knows[bool(task.intent)] += 1
        else:
            assert not task.intent
    assert 0.8 < knows[True] / knows.total() < 1


# --- observations ---


def keys_in(value: JSON) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_in(inner)


NEVER_SHOWN = {
    "base_condition", "bindings", "certificate", "condition", "delexicalised", "denotes", "difficulty", "family",
    "form", "gold", "index", "intent", "label", "mentions", "over_specified", "permissions", "risk", "span", "split",
    "surface", "task_id",
}  # fmt: skip


def test_observations_have_the_allowed_keys_and_tell_nothing_of_the_label(texts):
    opaque = [condition.value for condition in Condition if "_" in condition.value]
    for task, text in texts:
        seen = json.loads(text)
        assert tuple(seen) == OBSERVATION_KEYS
        assert not NEVER_SHOWN & set(keys_in(seen)), task.task_id
        assert not [word for word in (task.task_id, task.family, *opaque, *Label) if word in text], task.task_id
        hidden = task.user.permissions.hidden
        assert {entity["id"] for entity in seen["entities"]} == set(task.world) - hidden
        assert not [entity_id for entity_id in hidden if entity_id in text], "what is hidden is named nowhere"


def test_nothing_but_the_rows_words_and_the_columns_records_is_seen(blocks):
    """What two cells of a family have in common, an agent sees alike, whatever their labels."""
    for block in blocks:
        seen = {place: json.loads(text) for place, text in block.texts.items()}
        for row, column in block.cells:
            for name in ("now", "user", "tools", "messages", "step"):
                assert seen[row, column][name] == seen[0, 0][name]
            assert [seen[row, column][name] == seen[row, 0][name] for name in ("instruction", "history")] == [True] * 2
            assert seen[row, column]["entities"] == seen[0, column]["entities"]


def test_two_or_more_tools_of_the_domain_are_always_in_sight_and_nothing_is_offered_twice(tasks):
    for task in tasks:
        names = [spec.name for spec in task.tools]
        assert len(set(names)) == len(names)
        assert task.tool in names
        assert sum(spec.domain == task.domain for spec in task.tools) >= 2
        assert any(spec.domain != task.domain for spec in task.tools)


def test_in_a_world_to_be_searched_nothing_is_seen_at_first_and_everything_needed_can_be_looked_up():
    generator = Generator(SuiteConfig(tasks=1_000, visibility="search"))
    for task in generator.tasks(0, 40):
        episode = Episode(task, EpisodeConfig(interaction="interactive"))
        assert json.loads(episode.observation.text())["entities"] == []
        domains = {spec.domain for spec in task.tools if spec.is_search}
        assert {"directory", "email", "documents", "calendar", "crm", "tickets"} <= domains | {"directory"}
        assert not prove(task).faults


# --- the same numbers give the same tasks ---


def line(generator: Generator, index: int) -> bytes:
    return task_line(generator.task(index), world=generator.world_name)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"families": False, "seed": 2**64 - 1},
        {"mix": "paper", "split": "test"},
        {"noise": "high", "split": "val", "difficulties": (4, 5)},
        {"visibility": "search", "world_size": 600},
        {"families": False, "visibility": "search", "world_size": 600},
    ],
    ids=["balanced", "singles", "paper", "noisy", "large world", "singles in a large world"],
)
def test_a_task_depends_on_its_number_alone_however_many_are_asked_for_in_whatever_order(settings):
    few, many = (Generator(SuiteConfig(tasks=count, **settings)) for count in (50, 2_000))
    numbers = [49, 3, 0, 48, 17, 16, 3]
    in_order = {number: line(few, number) for number in sorted(set(numbers))}
    assert line(many, 1_999) != line(many, 0)
    assert [line(many, number) for number in numbers] == [in_order[number] for number in numbers]
    assert [json.loads(in_order[number])["index"] for number in in_order] == sorted(set(numbers))


def test_other_seeds_and_splits_give_other_tasks():
    streams = [("train", 0), ("train", 1), ("train", 2), ("val", 0), ("test", 0), ("train", 2**63)]
    seen: dict[str, tuple[str, int]] = {}
    for split, seed in streams:
        for task in Generator(SuiteConfig(split=split, seed=seed)).tasks(0, 16):
            for mark in (task.task_id, task.family, *task.world):
                assert seen.setdefault(mark, (split, seed)) == (split, seed)


def test_other_sizes_and_difficulties_keep_the_schedule_of_conditions():
    one, other = (
        [task.base_condition for task in Generator(SuiteConfig(**settings)).tasks(0, 60)]
        for settings in ({"seed": 5}, {"seed": 9, "difficulties": (1,), "world_size": 30})
    )
    assert one == other


# --- mixes ---


@pytest.mark.parametrize(("seed", "split"), [(0, "train"), (11, "test")])
def test_the_papers_mix_has_exactly_the_papers_shares_in_every_sixty_tasks(seed, split):
    generator = Generator(SuiteConfig(tasks=600, mix="paper", seed=seed, split=split))
    orders = set()
    for begin in (0, 60, 540):
        sixty = list(generator.tasks(begin, begin + 60))
        assert Counter(task.condition for task in sixty) == Counter(PAPER_MIX)
        assert list(PAPER_MIX.values()) == [10, 8, 8, 8, 8, 8, 5, 5]
        assert {task.family for task in sixty} == {None}
        orders.add(tuple(task.condition for task in sixty))
        for task in sixty:
            assert not prove(task, Episode(task).observation.text()).faults
            assert (task.label is Label.AMBIGUOUS) == (task.condition is Condition.TRUE_AMBIGUITY)
    assert len(orders) == 3, "conditions come in another order every time"


def test_without_families_one_cell_of_every_block_is_a_task():
    generator = Generator(SuiteConfig(families=False, tasks=200))
    singles = list(generator.tasks(0, 110))
    assert {task.family for task in singles} == {None}
    assert Counter(task.base_condition for task in singles) == Counter(list(PLANS) * 10)
    assert {task.label for task in singles} == set(Label)
    assert len({task.world.digest for task in singles}) == len(singles)


def test_settings_narrow_what_is_drawn():
    config = SuiteConfig(
        tasks=100, domains=("tickets",), risks=("high",), difficulties=(2, 3), conditions=("temporal", "stale")
    )
    drawn = list(Generator(config).tasks())
    assert {task.domain for task in drawn} == {"tickets"}
    assert {task.effective_risk.value for task in drawn} == {"high"}
    assert {task.difficulty for task in drawn} == {2, 3}
    assert {task.base_condition.value for task in drawn} == {"temporal", "stale"}
    assert not [task.task_id for task in drawn if prove(task).faults]


def test_tasks_of_an_optional_domain_are_drawn_and_proven_too():
    generator = Generator(SuiteConfig(tasks=150, domains=("payments",)))
    drawn = list(generator.tasks())
    assert {task.domain for task in drawn} == {"payments"}
    assert len({task.tool for task in drawn}) >= 5
    for task in drawn:
        assert not prove(task, Episode(task).observation.text()).faults


@pytest.mark.parametrize("level", ["low", "medium", "high"])
def test_labels_of_noisy_tasks_are_proven_after_the_corruption(level):
    generator = Generator(SuiteConfig(tasks=10_000, noise=level))
    drawn = list(generator.tasks(0, generator.chunk))
    for task in drawn:
        assert not prove(task.check(), Episode(task).observation.text()).faults
    assert {task.label for task in drawn} == set(Label)
    assert {task.base_condition for task in drawn} == set(PLANS)


def test_records_that_noise_enters_twice_are_counted_in():
    generator = Generator(SuiteConfig(tasks=10_000, noise="high"))
    sizes = Counter(len(task.world) for task in generator.tasks(0, 3 * generator.chunk))
    assert set(sizes) == {SuiteConfig().world_size}


# --- worlds of every size ---


@pytest.mark.parametrize("difficulty", LEAST_ENTITIES)
def test_the_smallest_world_of_a_difficulty_has_room_for_every_task(difficulty):
    least = LEAST_ENTITIES[difficulty]
    generator = Generator(SuiteConfig(tasks=10_000, world_size=least, difficulties=(difficulty,)))
    larger: Counter[int] = Counter()
    for task in generator.tasks(0, generator.chunk):
        larger[len(task.world)] += len(task.world) != least
        if task.certificate["row"] == task.certificate["column"] == 0:
            assert not prove(task, Episode(task).observation.text()).faults
    assert not +larger, f"worlds of {least} records were asked for"


@pytest.mark.parametrize("size", [40, 41, 120, 500])
def test_worlds_have_as_many_records_as_were_asked_for_and_their_tasks_prove(size):
    generator = Generator(SuiteConfig(tasks=10_000, world_size=size))
    drawn = list(generator.tasks(0, generator.chunk if size < 100 else 30))
    for task in drawn:
        assert not prove(task.check(), Episode(task).observation.text()).faults
    assert Counter(len(task.world) for task in drawn) == {size: len(drawn)}


def whole_observation(task: Task, world: World) -> str:
    """What an agent would see if all of a large world were shown."""
    shown = [world[i].to_json() for i in world if task.user.permissions.may_see(i)]
    seen = json.loads(Episode(task, EpisodeConfig(interaction="interactive")).observation.text())
    return json.dumps({**seen, "entities": shown})


@pytest.mark.parametrize("size", [600, 2_000])
def test_tasks_added_to_a_large_company_prove_there(size):
    generator = Generator(SuiteConfig(tasks=10_000, world_size=size, visibility="search"))
    generator.base.check()
    drawn = list(generator.tasks(0, generator.chunk // 3))
    for task in drawn:
        proof = prove(task.check())
        assert not proof.faults
        assert task.world.root is generator.base
        assert size < len(task.world) < size + 60
        task.world.check()
    for task in drawn[:: 20 if size > 1_000 else 10]:
        solver = ObservationSolver(whole_observation(task, task.world))
        for mention in prove(task).mentions:
            assert solver.denotation(mention.form) == mention.visible, "found without the index of a large world"


def test_families_in_a_large_company_have_as_many_records_in_every_cell():
    generator = Generator(SuiteConfig(tasks=10_000, world_size=600, visibility="search"))
    families = defaultdict(list)
    for task in generator.tasks(0, generator.chunk // 2):
        families[task.family].append(task)
    whole = [family for family in families.values() if len(family) in (4, 9)]
    for family in whole[:-1]:
        assert len({len(task.world) for task in family}) == 1
        assert len({tuple(spec.name for spec in task.tools) for task in family}) == 1
        assert {task.label is Label.RESOLVABLE for task in family} == {True, False}


# --- what can be done with any record that may be meant ---


NEEDS_A_COMING_EVENT = {"cancel_event", "reschedule_event", "invite_attendee"}
NEEDS_AN_OPEN_TICKET = {"close_ticket", "escalate_ticket", "assign_ticket"}


def test_whatever_a_mention_denotes_can_still_be_acted_on(proofs):
    """Else what can be done would tell the records apart, and a task labelled ambiguous would not be."""
    seen = Counter()
    for task, proof in proofs:
        for mention in proof.mentions:
            for record in (task.world[entity_id] for entity_id in (*mention.denoted, *mention.surface)):
                if record.type == "calendar_event" and task.tool in NEEDS_A_COMING_EVENT:
                    assert record.fields["start"] > task.now, (task.instruction, record)
                    seen[task.tool] += 1
                if record.type == "ticket" and task.tool in NEEDS_AN_OPEN_TICKET:
                    assert record.fields["status"] not in ("resolved", "closed"), (task.instruction, record)
                    seen[task.tool] += 1
    assert set(seen) == NEEDS_A_COMING_EVENT | NEEDS_AN_OPEN_TICKET


def test_two_things_said_of_a_person_are_not_two_persons(tasks):
    """ "Max from Platform and the analyst" would be two people."""
    for task in tasks:
        assert not re.search(r"\band (the|our) <role>", task.certificate["delexicalised"]), task.instruction
