"""Contrast blocks: a few instructions, a few worlds, and a label that only both together tell.

A block is drafted (:func:`draft`) as a :class:`Draft`: one company, rivals of one name in it, and for each of its
worlds how what a mention asks for is dealt to the rivals. Counts of a Latin square see to it that neither the
instruction nor the world alone says whether exactly one record, several, or none are meant, and that as many records
have the name in every cell. ``ebf_generators.cells`` makes tasks of the cells.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from ebf_env.tasks import Condition
from ebf_env.world import TOOLS, EntityPrecondition
from ebf_generators.conditions.condition import Contrast, Counts, Plan, attribute_cues
from ebf_generators.cues import Cue
from ebf_generators.heads import Head, heading_of
from ebf_generators.hops import Hop
from ebf_generators.noise import corrupt_company
from ebf_generators.phrasing.language import Asked, Place, Wording, choose_wording
from ebf_generators.phrasing.wordings import Slots, wordings_of
from ebf_generators.stage import Scene, Stage

RIVALS: Final = 3
"""Fewest records that share a name in a block that turns on a cue."""

EXTRAS: Final[dict[int, int]] = {1: 0, 2: 0, 3: 1, 4: 2, 5: 3}
"""Further rivals that have none of the values asked for, by difficulty."""

PLACES: Final[dict[int, tuple[Place, ...]]] = {
    1: ("mention",),
    2: ("mention", "mention", "instruction"),
    3: ("mention", "instruction", "history"),
    4: ("mention", "instruction", "history"),
    5: ("mention", "instruction", "history", "history"),
}
"""Where the deciding cue may stand, by difficulty."""

DUPLICATES: Final = 5
"""Most background records that noise enters twice, where a world has a size."""

TWO_CUES_FROM: Final = 4
"""Difficulty from which a mention has two cues."""

OVER_SPECIFIED: Final = 0.15
"""Share of mentions that say more than they must, of those that could (people do: Dale and Reiter, 1995)."""


class UnprovenError(Exception):
    """A draft that does not prove its label, e.g. because names collided by chance."""


class TooCrowdedError(UnprovenError):
    """A draft that needs more records than its world is to have."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a block is about.

    Attributes:
        plan: the condition.
        counts: for every instruction and world, how many rivals meet what is asked for.
        difficulty: 1 to 5.
        tool: the gold tool.
        slots: the slots that are mentioned.
        slot: the slot whose mention the block turns on.
        condition: what tasks are of whose mention denotes one record.
        cue: what decides; None where names do.
        hop: how the record that is meant hangs on the one that is named; None where it is the same.
    """

    plan: Plan
    counts: Counts
    difficulty: int
    tool: str
    slots: Slots
    slot: str
    condition: Condition
    cue: Cue | None
    hop: Hop | None

    @property
    def precondition(self) -> EntityPrecondition:
        """The precondition of the slot."""
        found = TOOLS[self.tool].precondition(self.slot)
        assert found is not None  # noqa: S101 -- wordings name slots of their tool only
        return found

    @property
    def type_name(self) -> str:
        """The type of the rivals."""
        return self.hop.inner if self.hop is not None else self.precondition.entity_type


@dataclass(slots=True)
class Draft:
    """A block before its tasks are made.

    Attributes:
        recipe: what it is about.
        stage: the company.
        wording: its words.
        heads: what each instruction's mention is called by.
        asked: what each instruction's mention asks for.
        rivals: the records of the name, and near ones that differ in a second cue.
        scenes: the worlds.
        dealt: for every world, which instruction's value a rival has; nothing for one that has none.
        leads: rival to the record it leads to, where the recipe hops.
        others: records of the slots that are not in question; several for one slot of many.
        beside: a further record of the slot in question, named in full, where it takes many.
        locked: for every world, the record that the user may not touch.
        closed: for every world, what the user may not touch is called.
        notice: a notice that tells the user what was closed to them, where the tool changes nothing of the record in
            question; its words differ from world to world.
        over_specified: whether mentions say more than they must.
    """

    recipe: Recipe
    stage: Stage
    wording: Wording
    heads: tuple[Head, ...] = ()
    asked: tuple[tuple[Asked, ...], ...] = ()
    rivals: tuple[str, ...] = ()
    scenes: tuple[Scene, ...] = ()
    dealt: tuple[dict[str, int], ...] = ()
    leads: dict[str, str] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)
    beside: str | None = None
    locked: tuple[str, ...] = ()
    closed: tuple[tuple[Head, tuple[Asked, ...]], ...] = ()
    notice: str | None = None
    over_specified: bool = False


def draft(recipe: Recipe, stage: Stage, size: int) -> Draft:
    """Draft the block of a recipe, and fill the company around it.

    Raises:
        TooCrowdedError: it needs more than ``size`` records, unless that is 0.
    """
    bits, split = stage.bits, stage.pools.split
    place: Place = "mention" if recipe.cue is None else bits.choice(PLACES[recipe.difficulty])
    wordings = wordings_of(recipe.tool)[recipe.slots][split]
    made = Draft(recipe, stage, choose_wording(bits, split, wordings, place))
    if recipe.plan.contrast is Contrast.NAME:
        _swap_names(made)
    else:
        _deal_cue(made)
    spec = TOOLS[recipe.tool]
    for slot in recipe.slots:
        precondition = spec.precondition(slot)
        if slot != recipe.slot and precondition is not None:
            made.others[slot] = stage.make(precondition.entity_type)
            if stage.company.count(precondition.entity_type) == 1:  # what is said of the only one would not matter
                stage.make(precondition.entity_type)
    if recipe.precondition.many and bits.chance(0.4):
        made.beside = stage.make(recipe.precondition.entity_type)
    if not recipe.precondition.changes:
        made.notice = _closing_notice(stage)
    if size:
        size += max(len(scene.absent) for scene in made.scenes)
    if size and len(stage.company.rows) > size:
        raise TooCrowdedError(f"the task needs {len(stage.company.rows)} records")
    if stage.is_noisy:
        spared = frozenset(stage.company.rows)
        stage.company.fill(size - DUPLICATES)
        corrupt_company(bits, stage.company, stage.noise, spared, DUPLICATES if size else None)
        made.heads = tuple(replace(head, said=stage.uttered(head.said)) for head in made.heads)
        made.asked = tuple(tuple(_uttered(stage, one) for one in asked) for asked in made.asked)
        if size and len(stage.company.rows) > size:
            raise TooCrowdedError(f"noise entered {len(stage.company.rows) - size} records too many")
    stage.company.fill(size)
    return made


def _uttered(stage: Stage, asked: Asked) -> Asked:
    return replace(asked, value=replace(asked.value, said=stage.uttered(asked.value.said)))


def _closing_notice(stage: Stage) -> str:
    return stage.make("change_notice", record=stage.user_id, field="access", value="withdrawn")


def _swap_names(made: Draft) -> None:
    """One record has the first name and two the second, or the other way round."""
    stage, type_name = made.stage, made.recipe.type_name
    heading = heading_of(type_name)
    heads = (heading.draw(stage), heading.draw(stage))

    def record(head: Head, number: int) -> str:
        return stage.make(type_name, **heading.record(stage, head, number))

    first, last = record(heads[0], 0), record(heads[1], 0)
    swapped = (record(heads[1], 1), record(heads[0], 1))
    scenes = (Scene(stage.company), Scene(stage.company))
    scenes[0].absent.add(swapped[1])
    scenes[1].absent.add(swapped[0])
    stranger = heading.draw(stage)
    closed = record(stranger, 0)
    made.heads, made.asked = heads, ((), ())
    made.rivals, made.scenes = (first, last, *swapped), scenes
    made.locked, made.closed = (closed, closed), ((stranger, ()), (stranger, ()))


@dataclass(frozen=True, slots=True)
class _Cast:
    """The records of a block that turns on a cue.

    Attributes:
        head: what rivals are called by.
        rivals: the records that values are dealt to.
        near: rivals that have a value asked for and fail only a second cue.
        foils: records that have a value asked for and fail only the name, and what they are called by.
        constant: what every mention asks for beside the value.
    """

    head: Head
    rivals: tuple[str, ...]
    near: tuple[str, ...]
    foils: tuple[tuple[str, Head], ...]
    constant: tuple[Asked, ...]


def _deal_cue(made: Draft) -> None:
    """The values of a cue are dealt to rivals of one name, in every world another way."""
    recipe, stage = made.recipe, made.stage
    cue, counts = recipe.cue, recipe.counts
    assert cue is not None  # noqa: S101 -- only blocks of names have none
    many = RIVALS + (max(EXTRAS[recipe.difficulty], cue.crowd) if cue.fills else 0)
    deal = cue.draw(stage, len(counts), many)
    cast = _cast(made, cue, many, len(counts))
    around = [(i, value.hold) for i, value in zip(cast.near, deal.asked, strict=False)]
    for (foil, _), value in zip(cast.foils, deal.asked, strict=True):
        around.append((foil, value.hold if value.foil is None else value.foil))
    if recipe.hop is not None:
        foils = (foil for foil, _ in cast.foils)
        made.leads = {i: recipe.hop.lead(stage, i) for i in (*cast.rivals, *cast.near, *foils)}
    worlds = 1 if recipe.plan.contrast is Contrast.PERMISSION else len(counts[0])
    order = stage.bits.shuffled(cast.rivals)
    scenes, dealt = [], []
    for world in range(worlds):
        scene = Scene(stage.company)
        having = [row for row, meeting in enumerate(counts) for _ in range(meeting[world])]
        holds = [deal.asked[row].hold for row in having] + list(deal.fillers[: many - len(having)])
        cue.deal(stage, scene, [*zip(order, holds, strict=True), *around])
        scenes.append(scene)
        dealt.append(dict(zip(order, having, strict=False)))
    made.heads = (cast.head,) * len(counts)
    made.asked = tuple((*cast.constant, Asked(cue, value, outside=True)) for value in deal.asked)
    made.rivals = (*cast.rivals, *cast.near)
    if recipe.plan.contrast is Contrast.PERMISSION:
        made.scenes, made.dealt = tuple(scenes[0].copy() for _ in counts), tuple(dealt * len(counts))
        made.locked = tuple(order[: len(counts)])
        made.closed = tuple(zip(made.heads, made.asked, strict=True))
    else:
        made.scenes, made.dealt = tuple(scenes), tuple(dealt)
        foil, foil_head = cast.foils[0]
        made.locked = (foil,) * worlds
        made.closed = ((foil_head, made.asked[0]),) * worlds
    if recipe.hop is not None:
        made.locked = tuple(made.leads[i] for i in made.locked)


def _cast(made: Draft, cue: Cue, many: int, asked: int) -> _Cast:
    """Make the rivals, and records that differ from them in one thing each."""
    recipe, stage = made.recipe, made.stage
    heading = heading_of(recipe.type_name)
    head, common = heading.draw(stage), cue.common(stage)
    number = 0

    def another(of: Head, nearly: bool) -> str:
        nonlocal number
        number += 1
        return stage.make(recipe.type_name, **{**common, **heading.record(stage, of, number - 1, nearly=nearly)})

    rivals = tuple(another(head, recipe.plan.nearly) for _ in range(many))
    joined, idle = _further_cues(made, cue)
    near = tuple(another(head, recipe.plan.nearly) for _ in range(asked)) if joined is not None else ()
    foils = tuple((another(foil, False), foil) for foil in [heading.draw(stage) for _ in range(asked)])
    constant: list[Asked] = []
    for further in (joined, idle):
        if further is not None:
            shared, different = further.draw(stage, 2, 0).asked
            alike = [(i, shared.hold) for i in (*rivals, *(foil for foil, _ in foils))]
            further.deal(stage, stage, [*alike, *((i, different.hold) for i in near)])
            constant.append(Asked(further, shared))
    made.over_specified = idle is not None
    return _Cast(head, rivals, near, foils, tuple(constant))


def _further_cues(made: Draft, cue: Cue) -> tuple[Cue | None, Cue | None]:
    """A second cue that is needed too, or one that adds nothing; mostly neither."""
    recipe, bits = made.recipe, made.stage.bits
    if not cue.joins:
        return None, None
    taken = {getattr(cue, "path", None), getattr(getattr(cue, "of", None), "path", None)}
    taken.add(recipe.hop.path if recipe.hop is not None and not recipe.hop.forward else None)
    choice = [
        other
        for other in attribute_cues(recipe.type_name)
        if other.fills and other.name != cue.name and getattr(other, "path", None) not in taken
    ]
    if not choice:
        return None, None
    further = bits.choice(choice)
    if recipe.difficulty >= TWO_CUES_FROM:
        return further, None
    return (None, further) if bits.chance(OVER_SPECIFIED) else (None, None)
