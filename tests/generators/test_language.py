"""What users say: well-formed, apart between the splits, various, and read back to exactly one logical form."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations

import pytest

import ebf_generators.recipes  # noqa: F401  (registers conditions, domains and wordings)
from ebf_env.tasks import Mention, Task
from ebf_env.world.entity import ENTITY_TYPES
from ebf_env.world.references import (
    Beside,
    Equals,
    Form,
    Named,
    NamesUser,
    Not,
    Pick,
    ReferredBy,
    Related,
    Test,
    Within,
    form_from_json,
)
from ebf_env.world.search import words
from ebf_generators.conditions.condition import PLANS, cues_of
from ebf_generators.conditions.temporal import Sprint
from ebf_generators.config import SuiteConfig
from ebf_generators.cues import (
    SPOKEN_NOUN,
    Attribute,
    BesideAnchor,
    Cue,
    During,
    Extreme,
    NamedBy,
    Negated,
    Notified,
    OfFamily,
    RelatedTo,
)
from ebf_generators.generator import Generator
from ebf_generators.heads import headed_types, heading_of
from ebf_generators.hops import Hop, hops_to
from ebf_generators.phrasing import frames
from ebf_generators.phrasing.patterns import Patterns
from ebf_generators.phrasing.wordings import own_verb, wordings_of
from ebf_generators.pools import SPLITS
from ebf_generators.stage import NOUNS, PROPER

TURNS = {"train": 4, "val": 3, "test": 3}


@pytest.fixture(scope="module")
def tasks() -> dict[str, list[Task]]:
    """Whole turns of the schedule of each split."""
    found = {}
    for split, turns in TURNS.items():
        generator = Generator(SuiteConfig(tasks=1_000_000, split=split))
        found[split] = list(generator.tasks(0, turns * generator.chunk))
    return found


@pytest.fixture(scope="module")
def rows(tasks) -> list[Task]:
    """One task of each instruction of each family."""
    firsts: dict[tuple[str | None, object], Task] = {}
    for task in (task for split in tasks.values() for task in split):
        firsts.setdefault((task.family, task.certificate["row"]), task)
    return list(firsts.values())


# --- the form of what is said ---

MALFORMED = {
    "two blanks": r"\s\s|\n|\t",
    "a blank before a mark": r" [,.;:?!)]",
    "a mark twice": r"[,;:?!]{2}|[.,][,.]|[?!]\.",
    "a bracket of a template": r"[{}<>\[\]|]",
    "a blank at an end": r"^\s|\s$",
    "an article twice": r"\b(the|a|an) (the|a|an|it|them|that one|that colleague|me)\b",
    "a preposition twice": r"\b(to to|of of|for for|in in|on on|from from|with with|at at|by by)\b",
    "a wrong article": r"\ba [aeio]\w|\ban [bcdfgjklmnpqrstvwxyz]",
    "an id": r"\bNone\b|\bnull\b|_",
}


@pytest.mark.parametrize("name", MALFORMED)
def test_nothing_that_is_said_has(rows, name):
    pattern = re.compile(MALFORMED[name])
    said = {text for task in rows for text in (task.instruction, *(str(turn["content"]) for turn in task.history))}
    assert not sorted(text for text in said if pattern.search(text))


def test_every_instruction_is_whole_sentences(rows):
    for task in rows:
        assert re.fullmatch(r"[A-ZÀ-Þ].*[.?!]", task.instruction), task.instruction
        for end in re.finditer(r"[?!] +(\S)|(?<![A-Z]\.)(?<=[a-z])\. +(\S)", task.instruction):
            first = end.group(1) or end.group(2)
            assert first.isupper(), task.instruction


def test_turns_of_a_history_alternate_and_say_something(rows):
    for task in rows:
        assert [turn["role"] for turn in task.history] == ["user", "assistant"] * (len(task.history) // 2)
        for turn in task.history:
            assert set(turn) == {"role", "content"}
            assert re.fullmatch(r"[A-Z].*[.?!]", turn["content"])


# --- splits ---


def all_patterns() -> Iterator[tuple[str, Patterns]]:
    """Every pattern there is to say something with, and where it is registered."""
    for condition in PLANS:
        for type_name in headed_types():
            for of, cue in cues_of(condition, type_name):
                if of is condition:
                    yield from patterns_within(cue, f"{condition.value}.{type_name}.{cue.name}")
    for type_name in headed_types():
        for hop in hops_to(type_name):
            yield from patterns_within(hop, f"hop.{type_name}.{hop.inner}.{hop.path}")
    for name, value in vars(frames).items():
        if name.isupper():
            yield from patterns_within(value, f"frames.{name}")


def patterns_within(value: object, where: str) -> Iterator[tuple[str, Patterns]]:
    if isinstance(value, Patterns):
        yield where, value
    elif isinstance(value, tuple):
        for item in value:
            yield from patterns_within(item, where)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from patterns_within(getattr(value, field.name), f"{where}.{field.name}")


PLAIN_GRAMMAR = {
    "{v}'s", "{v} of the", "the latest", "the newest", "the oldest", "the earliest", "the last", "the first",
}  # fmt: skip
"""A possessive, a number before its noun, and superlatives: what no split can do without."""


def is_shared_by_all(patterns: Patterns) -> bool:
    return bool(patterns.train) and patterns.train == patterns.val == patterns.test


def test_only_plain_grammar_is_the_same_in_every_split():
    shared = {text for _, patterns in all_patterns() if is_shared_by_all(patterns) for text in patterns.train}
    assert shared <= PLAIN_GRAMMAR
    for _, patterns in all_patterns():
        assert is_shared_by_all(patterns) or all(patterns[split] for split in SPLITS) or patterns == Patterns()


def normalised(pattern: str) -> str:
    return " ".join(re.findall(r"{\w+}|\w+", pattern.casefold()))


@pytest.mark.parametrize(("one", "other"), list(combinations(SPLITS, 2)))
def test_splits_share_no_pattern_up_to_case_and_marks(one, other):
    registered: dict[str, dict[str, set[str]]] = {split: defaultdict(set) for split in SPLITS}
    for where, patterns in all_patterns():
        if not is_shared_by_all(patterns):
            for split in SPLITS:
                for text in patterns[split]:
                    registered[split][normalised(text)].add(where)
    both = registered[one].keys() & registered[other].keys()
    assert not {text: (sorted(registered[one][text]), sorted(registered[other][text])) for text in both}


@pytest.mark.parametrize(("one", "other"), list(combinations(SPLITS, 2)))
def test_splits_share_no_instruction_even_without_its_names_and_values(tasks, one, other):
    plain = {split: {task.certificate["delexicalised"] for task in tasks[split]} for split in (one, other)}
    assert not plain[one] & plain[other]
    said = {split: {turn["content"] for task in tasks[split] for turn in task.history} for split in (one, other)}
    assert not said[one] & said[other]


@pytest.mark.parametrize("split", SPLITS)
def test_delexicalised_instructions_have_no_name_or_value_left(tasks, split):
    for task in tasks[split]:
        plain = task.certificate["delexicalised"]
        assert "<" in plain or task.certificate["place"] != "mention"
        assert not re.search(r"\d|[{}]", re.sub(r"<[^>]+>", "", plain)), plain
        assert len(re.findall(r"<", plain)) == len(re.findall(r">", plain))


# --- variety ---


def test_nearly_every_family_says_it_in_its_own_way():
    """Of 3,000 families at least nine in ten have an instruction of their own: pairs grow with the square."""
    families, wanted = 500, 3_000
    singles = Generator(SuiteConfig(tasks=1_000_000, families=False, seed=3)).tasks(0, families)
    counts = Counter(task.certificate["delexicalised"] for task in singles)
    pairs = sum(count * (count - 1) // 2 for count in counts.values())
    assert wanted - pairs * (wanted / families) ** 2 >= 0.9 * wanted


@pytest.mark.parametrize("split", SPLITS)
def test_families_of_a_split_hardly_ever_share_an_instruction(tasks, split):
    plain: dict[str, set[str | None]] = defaultdict(set)
    for task in tasks[split]:
        plain[task.certificate["delexicalised"]].add(task.family)
    families = {task.family for task in tasks[split]}
    assert len(plain) >= 0.9 * len(families)
    assert len({family for of in plain.values() if len(of) > 1 for family in of}) <= 0.1 * len(families)


# --- what stands around the mentions ---


@dataclass(frozen=True)
class Parts:
    """An instruction taken apart: the sentence that asks, with its slots, and the sentence that says more, if any."""

    wording: str
    core: str
    before: str
    after: str


@cache
def cores(tool: str, slots: tuple[str, ...], split: str) -> dict[str, str]:
    """Every sentence a tool can be asked for in, with the wording it is made of."""
    of_split = wordings_of(tool)[slots][split]
    found = {text[0].upper() + text[1:] if text[0] != "{" else text: text for text in of_split.say}
    for frame in frames.REQUESTS[split]:
        for text in of_split.do:
            filled = frame.replace("{action}", text).replace("{Action}", text)
            found[filled[0].upper() + filled[1:]] = text
    return found


def in_order(task: Task) -> list[Mention]:
    return sorted(task.mentions, key=lambda mention: mention.span)


def with_slots(task: Task) -> str:
    """The instruction, each mention replaced by its slot."""
    text, last = "", 0
    for mention in in_order(task):
        begin, end = mention.span
        text += task.instruction[last:begin] + f"{{{mention.slot}}}"
        last = end
    return text + task.instruction[last:]


def parts_of(task: Task) -> Parts:
    split = task.split
    text = with_slots(task)
    for slot in task.bindings:
        text = text.replace(f"{{{slot}}} and {{{slot}}}", f"{{{slot}}}")
    [slots] = [slots for slots in wordings_of(task.tool) if set(slots) == set(task.bindings)]
    known = cores(task.tool, slots, split)
    openers = (*(f"{opener} " for opener in frames.OPENERS[split]), "")
    closers = (*(f" {closer}" for closer in frames.CLOSERS[split]), "")
    for opener in openers:
        for closer in closers:
            if not (text.startswith(opener) and text.endswith(closer)):
                continue
            inner = text[len(opener) : len(text) - len(closer)]
            if inner in known:
                return Parts(known[inner], inner, "", "")
            for core, wording in known.items():
                if inner.startswith(f"{core} "):
                    return Parts(wording, core, "", inner[len(core) + 1 :])
                if inner.endswith(f" {core}"):
                    return Parts(wording, core, inner[: -len(core) - 1], "")
    raise AssertionError(f"no registered wording and frame make {text!r} ({task.tool})")


@pytest.fixture(scope="module")
def parts(rows) -> list[tuple[Task, Parts]]:
    return [(task, parts_of(task)) for task in rows]


def test_what_is_left_without_the_mentions_is_exactly_a_registered_wording_in_a_registered_frame(parts):
    for task, part in parts:
        assert bool(part.before or part.after) == (task.certificate["place"] == "instruction"), task.instruction
    assert len({part.wording for _, part in parts}) > 100


def forms_of_verb(verb: str) -> set[str]:
    last = verb[-1]
    found = {verb, f"{verb}s", f"{verb}es", f"{verb}ed", f"{verb}ing", f"{verb}{last}ed", f"{verb}{last}ing"}
    if last == "e":
        found |= {f"{verb}d", f"{verb[:-1]}ing"}
    if last == "y":
        found |= {f"{verb[:-1]}ies", f"{verb[:-1]}ied"}
    return found | {"send": {"sent"}, "get": {"got"}}.get(verb, set())


@pytest.mark.parametrize("split", SPLITS)
def test_a_third_or_so_of_what_is_said_lacks_the_tools_own_verb(parts, split):
    lacking = [
        forms_of_verb(own_verb(task.tool)).isdisjoint(words(re.sub(r"{\w+}", " ", part.wording)))
        for task, part in parts
        if task.split == split
    ]
    assert sum(lacking) >= 0.3 * len(lacking) > 0


def test_a_record_that_is_not_in_question_is_called_by_its_whole_name(rows):
    for task in rows:
        for mention in task.mentions[1:]:
            said = task.instruction[slice(*mention.span)]
            [gold] = [mention.gold] if isinstance(mention.gold, str) else mention.gold
            entity = task.world[gold]
            article = "" if entity.type in PROPER else "the "
            expected = {
                f"{article}{entity.label}".casefold(),
                f"{article}{entity.label} {NOUNS[entity.type]}".casefold(),
            }
            assert said.casefold() in expected


# --- round trip: an inverse of the noun phrases, written independently of what makes them ---

Meaning = tuple[frozenset[Test], Pick | None]
"""A form's tests, whose order does not matter, and its superlative."""


@dataclass(frozen=True)
class Said:
    """A pattern of a cue, compiled."""

    regex: re.Pattern[str]
    cue: Cue
    kind: str
    pattern: str


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern as an expression that captures its value."""
    return re.compile(re.escape(pattern).replace(r"\{v\}", "(?P<v>.+)").replace(r"\{a\}", "an?"))


@cache
def cues_of_type(type_name: str) -> tuple[Cue, ...]:
    """The cues of a type, each once, whatever the conditions that turn on it."""
    found = {id(cue): cue for condition in PLANS for of, cue in cues_of(condition, type_name) if of is condition}
    return tuple(found.values())


@cache
def sayings(type_name: str, split: str, *, front: bool) -> tuple[Said, ...]:
    """What may be said after a head of a type, or before it."""
    found = []
    for cue in cues_of_type(type_name):
        kinds = ("pre", "least_pre") if front else ("post", "without", "mine", "earlier", "least")
        for kind in kinds:
            patterns = getattr(cue, kind, None)
            for pattern in patterns[split] if patterns is not None else ():
                found.append(Said(compiled(pattern), cue, kind, pattern))
    return tuple(found)


SPRINTS = {"this sprint": 0, "the last sprint": -1, "the sprint before last": -2, "the next sprint": 1}


class Reader:
    """Reads the mentions of a task by the patterns of its split, the names in its world and the values there."""

    def __init__(self, task: Task) -> None:
        self.task, self.split = task, task.split
        self.entities = list(task.world.entities())
        self._phrases: dict[tuple[str, str], list[tuple[Test | Pick, Said]]] = {}
        self.heard: set[str] = set()

    # names

    @cached_property
    def names(self) -> dict[str, list[tuple[str, frozenset[str]]]]:
        found: dict[str, list[tuple[str, frozenset[str]]]] = defaultdict(list)
        for entity in self.entities:
            label = entity.fields[ENTITY_TYPES[entity.type].label_field]
            for name in (label, *entity.fields.get("aliases", ())):
                found[entity.type].append((entity.id, frozenset(words(name))))
        return found

    def called(self, type_name: str, text: str) -> set[str]:
        """Ids of the records whose names hold all words of a text."""
        wanted = frozenset(words(text))
        return {entity_id for entity_id, held in self.names[type_name] if wanted and wanted <= held}

    def named(self, type_name: str, text: str) -> Iterator[Named]:
        """What a name, perhaps with an article and a noun, asks for."""
        texts = [text]
        if type_name not in PROPER:
            if not text.startswith("the "):
                return
            texts = [text.removeprefix("the ")]
        noun = f" {NOUNS[type_name]}"
        if type_name in SPOKEN_NOUN:
            texts += [known.removesuffix(noun) for known in texts if known.endswith(noun)]
        for known in texts:
            if self.called(type_name, known):
                yield Named(tuple(words(known)))

    def anchors(self, type_name: str, text: str) -> Iterator[Form]:
        for name in self.named(type_name, text):
            yield Form(type_name, (name,))

    def values(self, type_name: str, path: str) -> set[str]:
        """Texts that records of a type have in a field."""
        held = [entity.fields.get(path) for entity in self.entities if entity.type == type_name]
        return {text for value in held for text in (value if isinstance(value, list | tuple) else [value]) if text}

    def noticed(self, path: str) -> dict[str, str]:
        """What change notices say of a field: record to value."""
        notices = [e.fields for e in self.entities if e.type == "change_notice" and e.fields["field"] == path]
        return {str(notice["record"]): str(notice["value"]) for notice in notices}

    # phrases

    def phrases(self, type_name: str, text: str, *, front: bool = False) -> list[tuple[Test | Pick, Said]]:
        """What a phrase after a head, or before it, can mean."""
        key = (f"{type_name}{front}", text)
        if key not in self._phrases:
            self._phrases[key] = [
                (test, said)
                for said in sayings(type_name, self.split, front=front)
                if (match := said.regex.fullmatch(text)) is not None
                for test in self.meant(said, match.groupdict().get("v") or "")
            ]
        return self._phrases[key]

    def meant(self, said: Said, value: str) -> Iterator[Test | Pick]:
        """What a phrase can ask for by a pattern, with that text for its value."""
        match said.cue:
            case Notified() | Attribute() | Negated():
                yield from self.of_fields(said, value)
            case RelatedTo() | NamedBy() | OfFamily():
                yield from self.of_records(said, value)
            case During() | BesideAnchor() | Extreme() | Sprint():
                yield from self.of_time(said, value)
            case _:
                raise AssertionError(f"the inverse knows no cue of the kind {type(said.cue).__name__}")

    def of_fields(self, said: Said, value: str) -> Iterator[Test]:
        cue = said.cue
        if isinstance(cue, Notified):
            for held in set(self.noticed(cue.of.path).values()):
                if self.is_said(held, value):
                    notice = Form("change_notice", (Equals("field", cue.of.path), Equals("value", held)))
                    yield ReferredBy("record", notice)
            return
        of = cue.of if isinstance(cue, Negated) else cue
        for held in self.values(of.type_name, of.path):
            if self.is_said(held, value):
                yield Not(Equals(of.path, held)) if said.kind == "without" else Equals(of.path, held)

    def of_records(self, said: Said, value: str) -> Iterator[Test]:
        match said.cue:
            case RelatedTo(path=path) if said.kind == "mine":
                yield NamesUser(path)
            case RelatedTo(path=path, anchor=anchor):
                yield from (Related(path, form) for form in self.anchors(anchor, value))
            case NamedBy(path=path, anchor=anchor):
                yield from (ReferredBy(path, form) for form in self.anchors(anchor, value))
            case OfFamily(path=path) if match := re.fullmatch(r"the (.+) branch of (.+)", value):
                region, brand = match.groups()
                if region in self.values("customer_account", "region") and self.called("customer_account", brand):
                    named = Named(tuple(words(brand)))
                    yield Related(path, Form("customer_account", (named, Equals("region", region))))

    def of_time(self, said: Said, value: str) -> Iterator[Test | Pick]:
        match said.cue:
            case During(path=path, spans=spans):
                yield from (Within(path, span.window) for span in spans if value in (span.said, span.said.capitalize()))
            case BesideAnchor(path=path, type_name=type_name):
                side = "before" if said.kind == "earlier" else "after"
                yield from (Beside(path, side, form, path) for form in self.anchors(type_name, value))
            case Extreme(path=path):
                yield Pick(path, "first" if said.kind.startswith("least") else "last")
            case Sprint() if value in SPRINTS:
                current = int(str(self.task.user.fields["current_sprint"]).removeprefix("Sprint "))
                yield Equals("sprint", f"Sprint {current + SPRINTS[value]}")

    def is_said(self, held: str, value: str) -> bool:
        return held.replace("_", " ") == value

    # mentions

    def split_off(
        self, type_name: str, text: str, most: int = 3
    ) -> Iterator[tuple[str, list[tuple[Test | Pick, Said]]]]:
        """The ways to cut a mention into what stands up to its head, and phrases after it."""
        yield text, []
        if most == 0:
            return
        for match in re.finditer(r", | and | ", text):
            tail, left = text[match.end() :], text[: match.start()]
            for phrase in self.phrases(type_name, tail):
                for head, others in self.split_off(type_name, left, most - 1):
                    is_noun, after_noun = (
                        phrase_text.startswith(("the ", "our ")) for phrase_text in (tail, before_tail(others))
                    )
                    joint = "," if is_noun else "" if after_noun else " and"
                    if match.group() == (f"{joint} " if others else " "):
                        yield head, [*others, phrase]

    def mention(self, type_name: str, text: str) -> set[Meaning]:
        """Everything a mention can mean, its first letter being a capital or not."""
        return {
            meaning
            for spoken in {text, text[:1].lower() + text[1:]}
            for head, phrases in self.split_off(type_name, spoken)
            for meaning in self._whole(type_name, head, phrases)
        }

    def _whole(self, type_name: str, head: str, phrases: list[tuple[Test | Pick, Said]]) -> Iterator[Meaning]:
        heading = heading_of(type_name)
        noun = f" {heading.noun}"
        for said in sayings(type_name, self.split, front=True):
            match = re.match(f"{said.regex.pattern} ", head)
            if match is not None:
                for test in self.meant(said, match.groupdict().get("v") or ""):
                    yield from self._with_head(type_name, head[match.end() :], [*phrases, (test, said)])
        bare = head.removeprefix("the ")
        if (head != bare) == (heading.article or (bool(heading.noun) and head.endswith(noun))):
            yield from self._with_head(type_name, bare, phrases)

    def _with_head(self, type_name: str, head: str, phrases: list[tuple[Test | Pick, Said]]) -> Iterator[Meaning]:
        heading = heading_of(type_name)
        heads = [head]
        if heading.noun and head.endswith(f" {heading.noun}"):
            heads.append(head.removesuffix(f" {heading.noun}"))
        picks = [test for test, _ in phrases if isinstance(test, Pick)]
        tests = [test for test, _ in phrases if not isinstance(test, Pick)]
        for called in heads:
            rivals = self.called(type_name, called)
            if rivals and len(picks) <= 1 and not self._is_out_of_date(phrases, rivals):
                self.heard.update(said.pattern for _, said in phrases)
                yield frozenset([Named(tuple(words(called))), *tests]), picks[0] if picks else None

    def _is_out_of_date(self, phrases: list[tuple[Test | Pick, Said]], rivals: set[str]) -> bool:
        """Whether a value is read off records about which a newer notice says what is so: that is not what is meant."""
        fields = [(cue.of if isinstance(cue, Negated) else cue) for cue in (said.cue for _, said in phrases)]
        return any(isinstance(of, Attribute) and rivals & self.noticed(of.path).keys() for of in fields)

    def hops(self, outer: str, text: str) -> Iterator[tuple[Hop, str]]:
        """The ways to take a mention for one of a record that another one leads to."""
        spoken = text[:1].lower() + text[1:]
        for hop in hops_to(outer):
            for pattern in hop.said[self.split]:
                match = re.fullmatch(re.escape(pattern).replace(r"\{m\}", "(.+)"), spoken)
                if match is not None:
                    yield hop, match.group(1)

    def forms(self, type_name: str, text: str) -> set[tuple[str, Meaning]]:
        """Everything a whole mention can mean, directly or through another record."""
        found = {("", meaning) for meaning in self.mention(type_name, text)}
        for hop, inner in self.hops(type_name, text):
            found |= {(f"{hop.forward} {hop.path} {hop.inner}", meaning) for meaning in self.mention(hop.inner, inner)}
        return found


def before_tail(phrases: list[tuple[Test | Pick, Said]]) -> str:
    """The pattern of the phrase before another one, if there is one."""
    return phrases[-1][1].pattern if phrases else ""


def meaning_of(form: Form) -> Meaning:
    return frozenset(form.tests), form.pick


def expected_reading(task: Task) -> tuple[str, Meaning]:
    form = form_from_json(task.mentions[0].form)
    if task.certificate["hop"] is None:
        return "", meaning_of(form)
    [test] = form.tests
    assert isinstance(test, Related | ReferredBy)
    return f"{isinstance(test, Related)} {test.path} {test.form.type}", meaning_of(test.form)


def spoken(task: Task) -> str:
    return task.instruction[slice(*task.mentions[0].span)]


def type_of_slot(task: Task) -> str:
    return task.spec.precondition(task.mentions[0].slot).entity_type


def inner_type(task: Task) -> str:
    form = form_from_json(task.mentions[0].form)
    return form.type if task.certificate["hop"] is None else form.tests[0].form.type


def test_a_mention_that_says_it_all_is_read_back_as_exactly_its_form(rows):
    wrong: dict[str, list[str]] = defaultdict(list)
    read = Counter[str]()
    for task in rows:
        if task.certificate["place"] != "mention" or task.certificate["hop"] is not None:
            continue
        reader, text = Reader(task), spoken(task)
        found = reader.mention(type_of_slot(task), text)
        read[task.split] += 1
        if found != {expected_reading(task)[1]}:
            kind = "unreadable" if not found else "another form" if len(found) == 1 else "ambiguous"
            wrong[kind].append(f"{text!r} ({task.split} {type_of_slot(task)}): {sorted(map(repr, found))}")
    assert not wrong
    assert min(read[split] for split in SPLITS) > 40


def test_a_mention_through_another_record_is_read_back_as_exactly_its_form(rows):
    wrong: list[str] = []
    for task in rows:
        if task.certificate["place"] != "mention":
            continue
        found = Reader(task).forms(type_of_slot(task), spoken(task))
        if found != {expected_reading(task)}:
            wrong.append(f"{spoken(task)!r} ({task.split} {type_of_slot(task)}): {sorted(map(repr, found))}")
    assert not wrong


def sentence_beside(task: Task, part: Parts) -> str:
    """The sentence that says which record is meant, where the mention does not."""
    if task.certificate["place"] == "history":
        return str(task.history[-2]["content"])
    return part.before or part.after


def test_a_sentence_beside_the_request_says_the_rest_of_the_form(parts):
    wrong: list[str] = []
    topics = pointers = 0
    for task, part in parts:
        if task.certificate["place"] == "mention":
            continue
        reader, sentence, inner = Reader(task), sentence_beside(task, part), inner_type(task)
        _, (tests, pick) = expected_reading(task)
        found: set[Meaning] = set()
        for frame in frames.TOPICS[task.split]:
            if (match := re.fullmatch(re.escape(frame).replace(r"\{np\}", "(.+)"), sentence)) is not None:
                topics += 1
                found |= reader.mention(inner, match.group(1))
        named = frozenset(test for test in tests if isinstance(test, Named))
        for frame in frames.POINTERS[task.split]:
            regex = re.escape(frame).replace(r"\{noun\}", NOUNS[inner]).replace(r"\{post\}", "(.+)")
            if (match := re.fullmatch(regex, sentence)) is not None:
                pointers += 1
                rivals = reader.called(inner, " ".join(name for test in named for name in test.words))
                for test, said in reader.phrases(inner, match.group(1)):
                    if not reader._is_out_of_date([(test, said)], rivals):
                        is_pick = isinstance(test, Pick)
                        said_elsewhere = tests if is_pick or test not in tests else tests - {test}
                        found.add((said_elsewhere | (frozenset() if is_pick else {test}), test if is_pick else None))
        if found != {(tests, pick)}:
            wrong.append(f"{sentence!r} ({task.split} {inner}): {sorted(map(repr, found))}, not {(tests, pick)}")
    assert not wrong
    assert topics > 20
    assert pointers > 20


def test_a_mention_whose_cue_stands_elsewhere_is_a_head_or_a_pronoun(rows):
    kinds = Counter[str]()
    for task in rows:
        if task.certificate["place"] == "mention":
            continue
        reader, text, inner = Reader(task), spoken(task), inner_type(task)
        way, (tests, expected_pick) = expected_reading(task)
        named = [(hop, said) for hop, said in reader.hops(type_of_slot(task), text) if hop.inner == inner]
        bare = {said for hop, said in named if f"{hop.forward} {hop.path} {hop.inner}" == way} if way else {text}
        assert bare, text
        for said in bare:
            if said.casefold() in heading_of(inner).pronouns:
                kinds["pronoun"] += 1
                continue
            kinds["head"] += 1
            found = reader.mention(inner, said)
            assert found, text
            for less, pick in found:
                assert less < tests or (less == tests and expected_pick is not None), text
                assert pick is None
    assert kinds["pronoun"] > 20
    assert kinds["head"] > 20


@pytest.mark.parametrize("split", SPLITS)
def test_no_two_sides_of_a_cue_are_said_in_the_same_words(split):
    for type_name in headed_types():
        for cue in cues_of_type(type_name):
            texts = [said.pattern for said in sayings(type_name, split, front=False) if said.cue is cue]
            assert len(set(texts)) == len(texts) > 0, (type_name, cue.name)
