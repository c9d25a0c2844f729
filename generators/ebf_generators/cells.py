"""Cells of a block as tasks: words, world, menu, permissions, gold and certificate."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from ebf_env.json_types import JSON, JSONObject
from ebf_env.tasks import Condition, Label, Mention, Task, User
from ebf_env.tasks.proof import Proof
from ebf_env.tasks.task import Visibility
from ebf_env.world import TOOLS, Entity, Permissions, ToolSpec, World
from ebf_env.world.binding import Binding
from ebf_env.world.references import Form, Named, form_to_json, loosened
from ebf_generators.blocks import Draft, UnprovenError
from ebf_generators.company import MAKERS
from ebf_generators.conditions.condition import Contrast
from ebf_generators.phrasing.language import (
    Instruction,
    Phrase,
    bare_phrase,
    instruction,
    noun_phrase,
    pointer,
    topic,
)
from ebf_generators.stage import NOUNS, PROPER, Scene, Stage

USER_KNOWS: Final = 0.9
"""Share of ambiguous tasks whose user can say what they mean when asked."""

OTHER_TOOLS: Final = 2
"""Tools of other domains on the menu."""

CONFUSABLE: Final[dict[str, frozenset[str]]] = {
    "send_email": frozenset({"reply_email_thread", "forward_thread"}),
    "reply_email_thread": frozenset({"send_email"}),
    "forward_thread": frozenset({"send_email"}),
    "draft_email": frozenset({"draft_document"}),
}
"""Tools that could do the same as another one, and are never on a menu with it."""


class Cells:
    """The tasks of a drafted block.

    Args:
        draft: the block.
        visibility: how much of the world observations show.
        base: a large world the block's records are added to; None: the company's records are the world.
    """

    def __init__(self, draft: Draft, visibility: Visibility, base: World | None = None) -> None:
        self._draft, self._visibility, self._base = draft, visibility, base
        self._stage: Stage = draft.stage
        bits = self._stage.bits
        self.family = _opaque(self._stage)
        self._menu = _menu(draft, visibility)
        self._user = User(_user_fields(self._stage))
        self._worlds: dict[int, World] = {}
        self._unchanged: dict[str, Entity] = {}
        self._others = {slot: self._full_mention(entity_id) for slot, entity_id in draft.others.items()}
        self._beside = None if draft.beside is None else self._full_mention(draft.beside)
        self._knows = bits.chance(USER_KNOWS)
        columns, rows = len(draft.recipe.counts[0]), len(draft.recipe.counts)
        self.order = bits.shuffled([(row, column) for row in range(rows) for column in range(columns)])
        self._shuffles = [bits.shuffled(list(self._stage.company.rows)) for _ in range(columns)]
        self._ids = {cell: _opaque(self._stage) for cell in self.order}
        self._intents = {cell: bits.below(1 << 20) for cell in self.order}

    def task(self, row: int, column: int, *, split: str, index: int, difficulty: int) -> Task:
        """The task of one instruction in one world, without its certificate's proof."""
        draft, recipe = self._draft, self._draft.recipe
        form = self._form(row)
        words, history = self._words(row)
        meant = self._meant(row, column)
        spec = TOOLS[recipe.tool]
        permissions = self._permissions(column)
        gold_id = meant[0] if len(meant) == 1 else None
        allowed = gold_id is not None and self._allowed(gold_id, permissions)
        gold: Binding | None = gold_id if allowed else None
        label = Label.RESOLVABLE if allowed else Label.AMBIGUOUS if len(meant) > 1 else Label.UNACTIONABLE
        mentions = [Mention(words.spans[0], recipe.slot, gold, form_to_json(form))]
        bindings: dict[str, Binding | None] = {}
        for slot in recipe.slots:
            precondition = spec.precondition(slot)
            many = precondition is not None and precondition.many
            if slot == recipe.slot:
                bindings[slot] = self._with_beside(gold_id) if many and allowed and gold_id else gold
            else:
                bindings[slot] = (draft.others[slot],) if many else draft.others[slot]
        if recipe.precondition.many and gold is not None:
            mentions[0] = Mention(words.spans[0], recipe.slot, (gold_id,) if gold_id else None, form_to_json(form))
        intent: dict[str, Binding] = {}
        if label is Label.AMBIGUOUS and self._knows:
            wanted = meant[self._intents[row, column] % len(meant)]
            intent[recipe.slot] = self._with_beside(wanted) if recipe.precondition.many else wanted
        number = 1
        for slot, (_, other_form) in self._others.items():
            other = draft.others[slot]
            precondition = spec.precondition(slot)
            bound: Binding = (other,) if precondition is not None and precondition.many else other
            mentions.append(Mention(words.spans[number], slot, bound, form_to_json(other_form)))
            number += 1
        if self._beside is not None and draft.beside is not None:
            mentions.append(Mention(words.spans[number], recipe.slot, (draft.beside,), form_to_json(self._beside[1])))
        return Task(
            task_id=self._ids[row, column],
            instruction=words.text,
            world=self.world(column),
            tools=self._menu,
            tool=recipe.tool,
            bindings=bindings,
            label=label,
            condition=self._condition(label, meant),
            domain=spec.domain,
            now=self._stage.company.now.isoformat(),
            user=User(self._user.fields, permissions),
            history=history,
            intent=intent,
            base_condition=recipe.plan.condition,
            difficulty=difficulty,
            visibility=self._visibility,
            family=self.family,
            mentions=tuple(mentions),
            certificate={"row": row, "column": column, "cells": len(self.order), "delexicalised": words.plain},
            split=split,
            index=index,
        )

    def certificate(self, task: Task, proof: Proof) -> JSONObject:
        """What was proven of a task, and what the generator knows of it: the cue that decides, and where it stands.

        Raises:
            UnprovenError: the proof contradicts the task, or a mention says more, or less, than it is meant to.
        """
        if proof.faults or proof.unproven:
            raise UnprovenError("; ".join((*proof.faults, *proof.unproven)))
        recipe = self._draft.recipe
        mentions: list[JSON] = [
            {"slot": one.mention.slot, "surface": sorted(one.surface), "denotes": sorted(one.denoted)}
            for one in proof.mentions
        ]
        first = proof.mentions[0]
        idle = (first.step or first).idle
        if bool(idle) != self._draft.over_specified:
            raise UnprovenError(f"tests {idle} of the form are idle")
        known: dict[str, JSON] = {
            **(task.certificate or {}),
            "mentions": mentions,
            "cue": None if recipe.cue is None else recipe.cue.name,
            "place": self._draft.wording.place,
            "hop": None if recipe.hop is None else recipe.hop.path,
            "over_specified": self._draft.over_specified,
        }
        return known

    # --- what is meant ---

    def _form(self, row: int) -> Form:
        recipe, head = self._draft.recipe, self._draft.heads[row]
        asked = self._draft.asked[row]
        tests = tuple(one.value.test for one in asked if one.value.test is not None)
        pick = next((one.value.pick for one in asked if one.value.pick is not None), None)
        form = Form(recipe.type_name, (Named(head.words), *tests), pick)
        return self._read(form if recipe.hop is None else recipe.hop.form(form))

    def _read(self, form: Form) -> Form:
        """A form as it has to be read: where there is noise, words are compared loosely."""
        return loosened(form) if self._stage.is_noisy else form

    def _meant(self, row: int, column: int) -> list[str]:
        """The records an instruction means in a world, by how its values were dealt."""
        draft = self._draft
        if draft.recipe.plan.contrast is Contrast.NAME:
            first, last, second_again, first_again = draft.rivals
            worlds = (([first], [second_again, last]), ([first, first_again], [last]))
            return worlds[column][row]
        named = [i for i in draft.dealt[column] if draft.dealt[column][i] == row]
        return [draft.leads.get(i, i) for i in named]

    def _with_beside(self, entity_id: str) -> Binding:
        """What a slot of many is bound to."""
        return (entity_id,) if self._draft.beside is None else (entity_id, self._draft.beside)

    def _condition(self, label: Label, meant: Sequence[str]) -> Condition:
        if label is Label.RESOLVABLE:
            return self._draft.recipe.condition if self._draft.recipe.plan.contrast is Contrast.NAME else self._of()
        if label is Label.AMBIGUOUS:
            return Condition.TRUE_AMBIGUITY
        return Condition.NOT_PERMITTED if meant else Condition.NO_REFERENT

    def _of(self) -> Condition:
        """What a resolvable cell is of: the block's own condition, or that of the cue it borrowed."""
        plan = self._draft.recipe.plan
        return plan.condition if plan.nearly else self._draft.recipe.condition

    # --- permissions ---

    def _permissions(self, column: int) -> Permissions:
        locked = frozenset({self._draft.locked[column]})
        return Permissions(read_only=locked) if self._changes else Permissions(hidden=locked)

    @property
    def _changes(self) -> bool:
        return self._draft.recipe.precondition.changes

    def _allowed(self, entity_id: str, permissions: Permissions) -> bool:
        if not permissions.may_see(entity_id):
            return False
        return not self._changes or permissions.may_change(entity_id)

    # --- words ---

    def _full_mention(self, entity_id: str) -> tuple[Phrase, Form]:
        """A record by its whole name."""
        type_name, name = self._stage.type_of(entity_id), self._stage.full_name(entity_id)
        article = "" if type_name in PROPER else "the "
        noun = f" {NOUNS[type_name]}" if type_name in NOUN_HELPS else ""
        said = self._stage.uttered(name.said)
        return (
            Phrase(f"{article}{said}{noun}", f"{article}<{type_name} name>{noun}"),
            self._read(Form(type_name, (Named(name.words),))),
        )

    def _hopped(self, phrase: Phrase) -> Phrase:
        hop = self._draft.recipe.hop
        if hop is None:
            return phrase
        patterns = hop.said[self._stage.pools.split]
        pattern = patterns[self._draft.wording.hop % len(patterns)]
        return Phrase(pattern.format(m=phrase.said), pattern.format(m=phrase.plain))

    def _words(self, row: int) -> tuple[Instruction, tuple[JSONObject, ...]]:
        draft, wording, type_name = self._draft, self._draft.wording, self._draft.recipe.type_name
        head, asked = draft.heads[row], draft.asked[row]
        whole = noun_phrase(self._stage, type_name, head, asked, wording)
        inside = tuple(one for one in asked if not one.outside)
        outside = tuple(one for one in asked if one.outside)
        history = draft.wording.talk
        before: Phrase | None = None
        after: Phrase | None = None
        if wording.place == "mention":
            phrase = whole
        else:
            starts = draft.recipe.hop is None and wording.template.startswith(f"{{{draft.recipe.slot}}}")
            elsewhere = draft.recipe.hop is not None and len(draft.recipe.slots) > 1  # another mention may come between
            pronoun = wording.leads and wording.bare > 0 and not starts and not elsewhere
            if inside and not pronoun:
                phrase = noun_phrase(self._stage, type_name, head, inside, wording)
            else:
                phrase = bare_phrase(type_name, head, wording, pronoun=pronoun)
            if wording.place == "history":
                told = topic(whole, wording)
                history = (
                    *history,
                    {"role": "user", "content": told.said},
                    {"role": "assistant", "content": wording.reply},
                )
            elif wording.leads:
                before = topic(whole, wording)
            else:
                after = pointer(self._stage, type_name, outside, wording)
        mentions: dict[str, list[tuple[int, Phrase]]] = {draft.recipe.slot: [(0, self._hopped(phrase))]}
        for number, (slot, (other, _)) in enumerate(self._others.items(), start=1):
            mentions[slot] = [(number, other)]
        if self._beside is not None:
            mentions[draft.recipe.slot].append((len(self._others) + 1, self._beside[0]))
        said = instruction(wording, mentions, before, after)
        return said, history

    # --- worlds ---

    def world(self, column: int) -> World:
        """The world of a column."""
        if column not in self._worlds:
            scene = self._draft.scenes[column]
            if self._draft.notice is not None:
                self._write_notice(scene, self._draft.notice, column)
            self._worlds[column] = self._built(scene, self._shuffles[column])
        return self._worlds[column]

    def _write_notice(self, scene: Scene, notice: str, column: int) -> None:
        head, asked = self._draft.closed[column]
        closed = self._hopped(noun_phrase(self._stage, self._draft.recipe.type_name, head, asked, self._draft.wording))
        scene.row(notice)["title"] = f"Your access to the entry for {closed.said} was withdrawn."

    def _built(self, scene: Scene, order: Sequence[str]) -> World:
        company = self._stage.company
        entities = []
        for entity_id in order:
            if entity_id in scene.absent:
                continue
            changed = scene.changed(entity_id)
            if changed is not None:
                entities.append(Entity(entity_id, company.rows[entity_id][0], changed))
                continue
            entity = self._unchanged.get(entity_id)
            if entity is None:
                type_name, fields = company.rows[entity_id]
                entity = self._unchanged[entity_id] = Entity(entity_id, type_name, fields)
            entities.append(entity)
        return World(entities) if self._base is None else self._base.derive(entities)


NOUN_HELPS: Final = frozenset({"email_thread", "folder", "ticket"})
"""Types whose noun is said after the title of a record that is named in full."""


def _opaque(stage: Stage) -> str:
    """An id that says nothing."""
    return "".join(stage.bits.choice("23456789abcdefghjkmnpqrstuvwxyz") for _ in range(12))


def _user_fields(stage: Stage) -> JSONObject:
    row = stage.row(stage.user_id)
    known: dict[str, JSON] = {"id": stage.user_id}
    known.update({name: row[name] for name in ("name", "email", "team") if row.get(name) is not None})
    known["current_sprint"] = f"Sprint {stage.company.sprint}"
    return known


@cache
def _systems(more: tuple[str, ...]) -> frozenset[str]:
    """The domains every company has, and optional ones."""
    optional = {maker.domain for maker in MAKERS.values() if maker.domain is not None}
    return frozenset(spec.domain for spec in TOOLS.values() if spec.domain not in optional) | set(more)


@cache
def _offered(domain: str, systems: frozenset[str]) -> tuple[tuple[ToolSpec, ...], ...]:
    """Tools but for searches of a domain, those of all others, and whatever looks records up."""
    known = [spec for spec in TOOLS.values() if spec.domain in systems]
    at_home = tuple(spec for spec in known if spec.domain == domain and not spec.is_search)
    elsewhere = tuple(spec for spec in known if spec.domain != domain and not spec.is_search)
    return at_home, elsewhere, tuple(spec for spec in known if spec.is_read)


def _menu(draft: Draft, visibility: Visibility) -> tuple[ToolSpec, ...]:
    """The tools on offer: all of the domain, a few others, and what is needed to look records up."""
    bits, gold = draft.stage.bits, TOOLS[draft.recipe.tool]
    at_home, elsewhere, reads = _offered(gold.domain, _systems(draft.stage.domains))
    confusable = CONFUSABLE.get(gold.name, frozenset())
    others = [spec for spec in elsewhere if spec.name not in confusable]
    kept = {spec.name: spec for spec in (*at_home, *bits.sample(others, OTHER_TOOLS)) if spec.name not in confusable}
    if visibility == "search":
        kept.update({spec.name: spec for spec in reads})
    return tuple(bits.shuffled(list(kept.values())))
