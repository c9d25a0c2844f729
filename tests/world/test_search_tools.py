"""Searching: which records a query finds, in what order, how many at a time, and for whom."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from timing import takes_at_most
from typed_world import USER, run, typed_world

from ebf_env.json_types import JSON
from ebf_env.world import ENTITY_TYPES, TOOLS, Entity, Permissions, World, WorldState
from ebf_env.world.search import words

TYPES_SEARCHED = {
    "search_directory": {"person"},
    "search_email": {"email_thread"},
    "search_calendar": {"calendar_event"},
    "search_documents": {"document", "folder"},
    "search_crm": {"customer_account", "opportunity"},
    "search_tickets": {"ticket"},
    "search_changes": {"change_notice"},
    "search_payments": {"vendor", "invoice", "payment_run"},
}


def note(entity_id: str, text: str, **fields: JSON) -> Entity:
    return Entity(entity_id, "note", {"text": text, **fields})


def found(records: list[Entity], query: str) -> list[str]:
    _, shown = WorldState(World(records)).search(query, (), Permissions(), slice(None))
    return [entity.id for entity in shown]


# --- words ---


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Launch Plan", ["launch", "plan"]),
        ("ZÜRICH Zürich zurich", ["zurich"] * 3),
        ("José Núñez-Müller", ["jose", "nunez", "muller"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("Zu\u0308rich", ["zurich"]),
        ("ﬁle №7", ["file", "no7"]),
        ("İstanbul ISTANBUL \u0131stanbul", ["istanbul", "istanbul", "istanbul"]),
        ("Søren SØREN soren Ǿ", ["soren", "soren", "soren", "o"]),
        ("Łódź ŁÓDŹ lodz", ["lodz", "lodz", "lodz"]),
        ("Đoković ĐOKOVIĆ", ["dokovic", "dokovic"]),
        ("Æsir ÆSIR ǽ", ["aesir", "aesir", "ae"]),
        ("Œuvre œuvre", ["oeuvre", "oeuvre"]),
        ("Þór ÞÓR Guðrún GUÐRÚN", ["thor", "thor", "gudrun", "gudrun"]),
        ("STRAẞE", ["strasse"]),
        ("Ὀδυσσεύς ΟΔΥΣΣΕΥΣ", ["οδυσσευσ", "οδυσσευσ"]),
        ("v2.1, (final)!", ["v2", "1", "final"]),
        ("OPS-7", ["ops", "7"]),
        ("計画 2026", ["計画", "2026"]),
        ("", []),
        (" \t\n--!?", []),
    ],
)
def test_words_are_folded_in_case_and_diacritics(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize("query", ["zurich", "ZÜRICH", "Zu\u0308rich", "  zürich  ", "(Zürich)"])
def test_a_query_finds_whatever_case_and_diacritics_it_is_written_in(query: str) -> None:
    assert found([note("a", "Offsite in Zürich"), note("b", "Offsite in Bern")], query) == ["a"]


@pytest.mark.parametrize(
    ("stored", "query"),
    [
        ("Søren Ærø", "soren aero"),
        ("Soren Aero", "SØREN ÆRØ"),
        ("Łukasz", "lukasz"),
        ("Lukasz", "łukasz"),
        ("Đorđe", "dorde"),
        ("Guðrún Þórsdóttir", "gudrun thorsdottir"),
        ("Gudrun Thorsdottir", "GUÐRÚN ÞÓR"),
        ("Œuvre", "oeuvre"),
        ("計画書", "計画"),
    ],
)
def test_letters_of_every_script_are_found_by_their_plain_spelling(stored: str, query: str) -> None:
    assert found([note("a", stored), note("b", "Bern")], query) == ["a"]


@pytest.mark.parametrize("stored", ["Zurich", "ZÜRICH", "zu\u0308rich"])
def test_a_query_finds_whatever_case_and_diacritics_the_record_is_written_in(stored: str) -> None:
    assert found([note("a", stored), note("b", "Bern")], "Zürich") == ["a"]


# --- matching and ranking ---

RECORDS = [
    note("plans", "launch planning"),
    note("budget", "budget"),
    note("plan", "plan"),
    note("launch plan", "plan of the launch"),
    note("launch", "launch"),
]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("plan", ["plan", "launch plan", "plans"]),
        ("launch", ["plans", "launch plan", "launch"]),
        ("launch plan", ["launch plan", "plans", "plan", "launch"]),
        ("plan launch", ["launch plan", "plans", "plan", "launch"]),
        ("plan plan plan launch", ["launch plan", "plans", "plan", "launch"]),
        ("budget launch", ["plans", "budget", "launch plan", "launch"]),
        ("pla", ["plans", "plan", "launch plan"]),
        ("lan", []),
        ("planned", []),
        ("zebra", []),
        ("zebra plan", ["plan", "launch plan", "plans"]),
    ],
)
def test_records_that_hold_more_of_the_query_come_first_and_equals_keep_their_order(
    query: str, expected: list[str]
) -> None:
    assert found(RECORDS, query) == expected


@pytest.mark.parametrize("query", ["", "   ", "?!", "\n"])
def test_a_query_without_words_finds_everything_in_order(query: str) -> None:
    assert found(RECORDS, query) == [entity.id for entity in RECORDS]


def test_text_is_found_in_nested_fields_and_lists() -> None:
    records = [note("a", "", parts=[{"body": ["deep", {"er": "treasure"}]}]), note("b", "", tags=("x", "treasure"))]
    assert found(records, "treasure") == ["a", "b"]


def test_field_names_ids_and_types_are_not_searched() -> None:
    assert found([Entity("zebra", "giraffe", {"elephant": "lion"})], "zebra giraffe elephant") == []


@settings(max_examples=50, deadline=None, derandomize=True)
@given(
    st.lists(st.lists(st.sampled_from(["ann", "anna", "bob", "Zoë", "zoe", "x"]), max_size=4), max_size=6),
    st.lists(st.sampled_from(["an", "ann", "bob", "ZOE", "zoë", "q"]), min_size=1, max_size=3),
)
def test_exactly_the_records_with_a_word_that_begins_with_a_word_of_the_query_are_found(
    texts: list[list[str]], query: list[str]
) -> None:
    records = [note(str(number), " ".join(text)) for number, text in enumerate(texts)]
    plain = str.maketrans("ë", "e")
    expected = {
        str(number)
        for number, text in enumerate(texts)
        if any(w.lower().translate(plain).startswith(q.lower().translate(plain)) for w in text for q in query)
    }
    assert set(found(records, " ".join(query))) == expected
    assert found(records, " ".join(query)) == found(records, " ".join(reversed(query)))


# --- the index against a search record by record ---

IDS = ["p1", "d-2", "--", "zoë", "n_4"]
TEXTS = [*IDS, "Ann", "anna", "Zoë plan", "plan d", "p計画", "planning 2", "P1", ""]
QUERIES = ["", "?", "ann", "p", "pl", "zoe", "plan zoe", "ann plan 2", "d", "p1", "d 2", "n", "2 --", "an planning"]


def plain_search(state: WorldState, query: str, types: tuple[str, ...], rights: Permissions) -> list[Entity]:
    """What a search is, word for word: every record's texts, and what the records it names are called."""

    def texts(value: JSON) -> list[str]:
        if isinstance(value, str):
            return [value]
        items = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
        return [text for item in items for text in texts(item)]

    def score(entity: Entity) -> int:
        schema = ENTITY_TYPES.get(entity.type)
        named = [state.get(target) for _, target in (schema.relations(entity) if schema else ())]
        labels = [other.label for other in named if other is not None and rights.may_see(other.id)]
        held = words(" ".join([*texts(entity.fields), *labels]))
        exact = sum(word in held for word in set(words(query)))
        return exact + sum(any(h.startswith(word) for h in held) for word in set(words(query)))

    records = [rights.redacted(e) for e in state.entities() if rights.may_see(e.id) and e.type in (types or (e.type,))]
    if not words(query):
        return records
    return sorted((e for e in records if score(e)), key=lambda e: -score(e))


def records_to_search() -> st.SearchStrategy[list[Entity]]:
    """People, documents and records of an unknown type, naming each other, ids that are no words among them."""
    one, text = st.sampled_from(IDS), st.sampled_from(TEXTS)
    record = st.one_of(
        st.builds(lambda i, name, boss: Entity(i, "person", {"name": name, "manager": boss}), one, text, one),
        st.builds(
            lambda i, title, owner, readers: Entity(
                i, "document", {"title": title, "owner": owner, "shared_with": readers}
            ),
            one,
            text,
            one,
            st.lists(one, max_size=2),
        ),
        st.builds(lambda i, said, seen: Entity(i, "note", {"text": said, "parts": [{"in": seen}]}), one, text, one),
    )
    return st.lists(record, max_size=6, unique_by=lambda entity: entity.id)


OVERLAYS = st.tuples(records_to_search(), st.lists(st.sampled_from(IDS), max_size=2))


@settings(max_examples=400, deadline=None, derandomize=True)
@given(
    records_to_search(),
    st.lists(OVERLAYS, max_size=2),
    st.lists(OVERLAYS, max_size=2),
    st.frozensets(st.sampled_from(IDS), max_size=2),
    st.sampled_from([(), ("person",), ("document", "note"), ("ticket",)]),
    st.tuples(st.integers(0, 4), st.integers(0, 12)),
)
def test_a_search_by_index_finds_what_a_search_record_by_record_does(
    records: list[Entity],
    derivations: list[tuple[list[Entity], list[str]]],
    writes: list[tuple[list[Entity], list[str]]],
    hidden: frozenset[str],
    types: tuple[str, ...],
    window: tuple[int, int],
) -> None:
    world, rights = World(records), Permissions(hidden=hidden)
    for put, removed in derivations:
        world = world.derive(put, removed)
    state = WorldState(world)
    for query in QUERIES[:3]:
        assert state.search(query, types, rights, slice(None))[1] == plain_search(state, query, types, rights)
    for put, removed in writes:
        for entity_id in removed:
            state.delete(entity_id)
        for entity in put:
            state.put(entity)
    for query in QUERIES:
        expected = plain_search(state, query, types, rights)
        assert state.search(query, types, rights, slice(None)) == (len(expected), expected), query
        part = slice(window[0], window[0] + window[1])
        assert state.search(query, types, rights, part) == (len(expected), expected[part])


def test_a_query_may_have_very_many_words() -> None:
    query = " ".join(f"word{number}" for number in range(1 << 14))
    records = [note("a", "word"), note("b", query), note("c", f"{query} more")]
    assert found(records, f"{query} more") == ["c", "b"]
    assert found(records, query) == ["b", "c"]


def test_worlds_of_one_root_are_searched_by_one_index() -> None:
    root = World(Entity(f"p{n}", "person", {"name": f"Sam {n}", "email": f"sam{n}@x.example"}) for n in range(20_000))
    changed = Entity("p7", "person", {"name": "Kim", "email": "kim@x.example"})

    def derived() -> WorldState:
        return WorldState(root.derive([changed]))

    for query, total in {"sam": 19_999, "kim": 1, "p7": 0}.items():
        assert derived().search(query, ("person",), Permissions(), slice(10))[0] == total
        assert takes_at_most(
            lambda query=query: derived().search(query, ("person",), Permissions(), slice(10)),
            1 / 20,
            of=lambda: plain_search(derived(), "sam", ("person",), Permissions()),
        )


# --- the tools ---


def answer(
    name: str, arguments: dict[str, JSON], world: World | None = None, rights: Permissions | None = None
) -> tuple[list[str], JSON]:
    """Ids of the results, and the total."""
    content = run(TOOLS[name], {}, arguments, state=WorldState(world or typed_world()), permissions=rights).content
    results = content["results"]
    assert isinstance(results, list)
    return [str(record["id"]) for record in results], content["total"]


@pytest.mark.parametrize(("name", "types"), TYPES_SEARCHED.items())
def test_a_search_lists_all_records_of_its_types_and_no_others(name: str, types: set[str]) -> None:
    expected = [entity.id for entity in typed_world().entities() if entity.type in types]
    assert answer(name, {"limit": 50}) == (expected, len(expected))
    assert answer(name, {"limit": 50, "query": ""}) == (expected, len(expected))


@pytest.mark.parametrize(
    ("name", "query", "expected"),
    [
        ("search_directory", "alex", ["p_alex_chen", "p_alex_rivera"]),
        ("search_directory", "alex rivera", ["p_alex_rivera", "p_alex_chen"]),
        ("search_directory", "MULLER nunez", ["p_kim"]),
        ("search_directory", "zurich", ["p_alex_chen"]),
        ("search_directory", "platform", ["p_me", "p_alex_chen"]),
        ("search_email", "launch", ["t_launch", "t_before"]),
        ("search_email", "attached", ["t_launch"]),
        ("search_documents", "launch plan", ["d_plan_v1", "d_plan_v2", "f_plans", "f_archive"]),
        ("search_documents", "archive", ["f_archive"]),
        ("search_documents", "kim muller", ["d_plan_v2"]),
        ("search_documents", "apollo", ["f_plans", "d_plan_v2"]),
        ("search_email", "kim", ["t_launch"]),
        ("search_calendar", "morgan", ["e_sync"]),
        ("search_crm", "acme negotiation", ["o_renewal", "c_acme", "c_acme_group", "o_upsell"]),
        ("search_documents", "tuesday", ["d_plan_v2"]),
        ("search_calendar", "apollo", ["e_sync"]),
        ("search_calendar", "room 4", ["e_sync"]),
        ("search_crm", "renewal", ["o_renewal"]),
        ("search_crm", "globex", ["c_globex"]),
        ("search_tickets", "OPS-7", ["k_outage"]),
        ("search_tickets", "checkout", ["k_outage"]),
        ("search_changes", "acme", ["n_region"]),
        ("search_changes", "kim muller", ["n_transfer"]),
        ("search_changes", "codename", ["n_codename"]),
        ("search_payments", "2041", ["i_freight"]),
        ("search_payments", "freight", ["i_freight", "r_march"]),
        ("search_payments", "rhine couriers", ["v_rhine", "i_freight", "i_audit", "i_lease", "v_rhine_group"]),
        ("search_payments", "logistics run", ["r_march", "v_rhine", "r_april", "r_may"]),
        ("search_payments", "kim", ["v_rhine", "i_freight", "r_march"]),
    ],
)
def test_a_search_finds_what_it_is_asked_for(name: str, query: str, expected: list[str]) -> None:
    assert answer(name, {"query": query}) == (expected, len(expected))


def crowd(size: int) -> World:
    return World(
        Entity(f"p{number}", "person", {"name": f"Sam {number}", "email": f"sam{number}@x.example"})
        for number in range(size)
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, range(10)),
        ({"limit": 3}, range(3)),
        ({"limit": 50}, range(50)),
        ({"limit": 51}, range(50)),
        ({"offset": 55}, range(55, 60)),
        ({"limit": 4, "offset": 4}, range(4, 8)),
        ({"limit": 4, "offset": 58}, range(58, 60)),
        ({"offset": 60}, range(0)),
        ({"offset": 61}, range(0)),
    ],
    ids=str,
)
def test_limit_and_offset_cut_a_window_out_of_the_ranking(arguments: dict[str, JSON], expected: range) -> None:
    for query in ("", "sam"):
        ids, total = answer("search_directory", {"query": query, **arguments}, crowd(60))
        assert ids == [f"p{number}" for number in expected]
        assert total == 60


def test_pages_put_together_are_the_whole_ranking() -> None:
    world = crowd(23)
    pages = [
        answer("search_directory", {"query": "sam 7", "limit": 5, "offset": at}, world)[0] for at in range(0, 25, 5)
    ]
    together = [entity_id for page in pages for entity_id in page]
    assert together == answer("search_directory", {"query": "sam 7", "limit": 50}, world)[0]
    assert together[0] == "p7"
    assert sorted(together) == sorted(world)


@pytest.mark.parametrize("name", TYPES_SEARCHED)
@pytest.mark.parametrize("query", ["", "a c l"])
def test_a_search_finds_what_it_would_find_if_the_hidden_record_did_not_exist_and_nobody_named_it(
    name: str, query: str
) -> None:
    world = typed_world()
    ids, total = answer(name, {"query": query, "limit": 50})
    assert ids
    assert total == len(ids)
    for hidden in {*ids[::2], "p_kim", "c_acme", USER}:
        rights = Permissions(hidden=frozenset({hidden}))
        without = World(rights.redacted(entity) for entity in world.entities() if entity.id != hidden)
        found_with_rights = answer(name, {"query": query, "limit": 50}, rights=rights)
        assert hidden not in found_with_rights[0]
        assert found_with_rights == answer(name, {"query": query, "limit": 50}, without)


@pytest.mark.parametrize(
    "name",
    [
        "search_documents",
        "search_email",
        "search_calendar",
        "search_tickets",
        "search_crm",
        "search_changes",
        "search_payments",
    ],
)
def test_a_record_is_not_found_by_the_id_of_a_hidden_one_it_names(name: str) -> None:
    rights = Permissions(hidden=frozenset({"p_kim"}))
    assert answer(name, {"query": "p_kim"})[1]
    assert answer(name, {"query": "p_kim"}, rights=rights) == ([], 0)
    assert answer(name, {"query": "p_k"}, rights=rights) == ([], 0)


def test_a_record_is_not_found_by_the_name_of_a_hidden_one_it_names() -> None:
    rights = Permissions(hidden=frozenset({"p_kim"}))
    for name, total in {
        "search_documents": 1,
        "search_email": 1,
        "search_calendar": 1,
        "search_tickets": 1,
        "search_payments": 3,
    }.items():
        assert answer(name, {"query": "Müller"})[1] == total
        assert answer(name, {"query": "Müller"}, rights=rights) == ([], 0)


OPENED = {
    "read_thread": "t_launch",
    "read_document": "d_plan_v2",
    "get_ticket": "k_outage",
    "get_account": "c_acme",
    "get_vendor": "v_rhine",
    "get_invoice": "i_freight",
}
"""Reads, and the record each opens that names somebody."""


@pytest.mark.parametrize("name", [*TYPES_SEARCHED, *OPENED])
def test_no_answer_of_a_tool_names_a_hidden_record(name: str) -> None:
    spec, state = TOOLS[name], WorldState(typed_world())
    bindings = {p.slot: OPENED[name] for p in spec.preconditions}
    rights = Permissions(hidden=frozenset({"p_kim"}))
    assert "p_kim" in json.dumps(run(spec, {**bindings}, state=state).content)
    assert "p_kim" not in json.dumps(run(spec, {**bindings}, state=state, permissions=rights).content)
    assert state.freeze() == typed_world()


def test_a_hidden_record_takes_no_place_in_a_window() -> None:
    rights = Permissions(hidden=frozenset({"p0", "p2"}))
    assert answer("search_directory", {"limit": 2, "offset": 1}, crowd(5), rights) == (["p3", "p4"], 3)


def test_a_record_the_user_may_only_see_is_found() -> None:
    rights = Permissions(read_only=frozenset({"d_memo"}))
    assert answer("search_documents", {"query": "memo"}, rights=rights) == (["d_memo"], 1)


@pytest.mark.parametrize("name", TYPES_SEARCHED)
def test_a_search_shows_summaries_and_a_record_without_details_whole(name: str) -> None:
    world = typed_world()
    results = run(TOOLS[name], {}, {"limit": 50}, state=WorldState(world)).content["results"]
    assert isinstance(results, list)
    for shown in results:
        whole = world[str(shown["id"])].to_json()
        left_out = ENTITY_TYPES[str(whole["type"])].detail_fields
        assert shown == {field: value for field, value in whole.items() if field not in left_out}


def test_a_search_finds_what_was_written_and_not_what_was_deleted() -> None:
    state = WorldState(typed_world())
    run(TOOLS["update_document"], {"document": "d_memo"}, {"title": "Zebra"}, state=state)
    run(TOOLS["delete_document"], {"document": "d_budget"}, state=state)
    created = run(TOOLS["draft_document"], {"folder": "f_archive"}, {"title": "Zebra II"}, state=state).content[
        "created"
    ]
    zebras = run(TOOLS["search_documents"], {}, {"query": "zebra"}, state=state).content["results"]
    budgets = run(TOOLS["search_documents"], {}, {"query": "budget"}, state=state).content
    assert isinstance(zebras, list)
    assert [record["id"] for record in zebras] == ["d_memo", created]
    assert budgets["total"] == 0
