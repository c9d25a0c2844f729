"""Pools, randomness and procedural companies: coherent, reproducible, and of any size."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest
from timing import takes_at_most

from ebf_env.errors import ConfigurationError
from ebf_env.world import ENTITY_TYPES, Entity, World
from ebf_env.world.search import words
from ebf_generators.company import MAKERS, Company
from ebf_generators.pools import SPLITS, default_pools, fresh_pools
from ebf_generators.pools.draw import DEFAULT_LOCALES, draw, folded
from ebf_generators.randomness import WORDS, Bits

LISTS = (
    "given_names", "family_names", "brand_beginnings", "codenames", "subjects", "document_kinds", "event_kinds",
    "ticket_kinds", "thread_kinds", "folder_kinds",
)  # fmt: skip


def company(number: int = 0, size: int = 40, split: str = "train") -> Company:
    made = Company(Bits(5, split, number), default_pools(split))
    made.fill(size)
    return made


def fingerprint(world: World) -> str:
    text = json.dumps([entity.to_json() for entity in world.entities()])
    return hashlib.sha256(text.encode()).hexdigest()


# --- pools ---


def test_splits_share_no_word_of_any_name_or_title():
    vocabulary = {
        split: {word for name in LISTS for entry in getattr(default_pools(split), name) for word in folded(entry)}
        for split in SPLITS
    }
    for one, other in (("train", "val"), ("train", "test"), ("val", "test")):
        assert not vocabulary[one] & vocabulary[other]


def test_names_come_from_many_languages():
    names = " ".join(name for split in SPLITS for name in default_pools(split).given_names)
    assert all(letter in names for letter in "éøłžğñåő")
    assert all(len(default_pools(split).given_names) > 500 for split in SPLITS)


def test_the_shipped_pools_say_how_they_were_drawn():
    assert default_pools("test").source.startswith("Faker ")
    assert f"--locales {','.join(DEFAULT_LOCALES)}" in default_pools("test").source


def test_drawing_is_reproducible_and_fresh_pools_take_any_locale():
    assert draw(["de_DE", "en_GB"], seed=3) == draw(["de_DE", "en_GB"], seed=3)
    assert draw(["de_DE", "en_GB"], seed=3) != draw(["de_DE", "en_GB"], seed=4)
    assert fresh_pools("val", ["sk_SK"], seed=1).given_names != default_pools("val").given_names
    with pytest.raises(ConfigurationError, match="no locale 'xx_XX'"):
        draw(["xx_XX"])


# --- randomness ---

FIRST_WORDS = [1615692115, 3329051426]


def test_words_are_the_halves_of_numpys_raw_numbers():
    generator = np.random.SFC64(np.random.SeedSequence([1, 5, 0, 1, 7, 0, 0]))
    raw = [int(number) for number in generator.random_raw(1000)]
    bits = Bits(5, "train", 7)
    assert [bits.word() for _ in range(2000)] == [half for number in raw for half in (number % WORDS, number // WORDS)]


def test_the_first_words_of_a_stream_never_change():
    assert [Bits(0, "test", 3, 1).word(), Bits(2**64 - 1, "val", 2**40).word()] == FIRST_WORDS


@pytest.mark.parametrize("bound", [7, 1000, WORDS - 1, WORDS, WORDS + 1, 3 * WORDS // 2, 1 << 60, 10**30])
def test_draws_are_uniform(bound):
    bits = Bits(1, "train", 0)
    drawn = [bits.below(bound) for _ in range(14_000)]
    counts = np.bincount([number * 7 // bound for number in drawn], minlength=7)
    assert ((counts - 2000) ** 2 / 2000).sum() < 22.5, "chi-square, 6 degrees of freedom, p > .001"
    assert 0 <= min(drawn) <= max(drawn) < bound


def test_chances_and_choices_are_as_likely_as_they_say():
    bits = Bits(3, "val", 1)
    assert abs(sum(bits.chance(0.3) for _ in range(10_000)) - 3000) < 150
    assert not any(bits.chance(0) for _ in range(100))
    assert all(bits.chance(1) for _ in range(100))
    counts = Counter(bits.choice("abc") for _ in range(9_000))
    assert min(counts.values()) > 2850
    assert {bits.between(-2, 2) for _ in range(200)} == {-2, -1, 0, 1, 2}


@pytest.mark.parametrize(("seed", "number", "stream"), [(-1, 0, 0), (1 << 64, 0, 0), (0, -1, 0), (0, 0, 1 << 32)])
def test_numbers_that_have_no_stream_are_refused(seed, number, stream):
    with pytest.raises(ConfigurationError, match="expected a whole number from 0"):
        Bits(seed, "train", number, stream)


def test_streams_of_neighbouring_seeds_numbers_splits_and_purposes_differ():
    keys = [(s, split, n, p) for s in (0, 1, 1 << 32) for split in SPLITS for n in (0, 1, 1 << 32) for p in (0, 1)]
    streams = [tuple(bits.below(1 << 60) for _ in range(4)) for bits in (Bits(*key) for key in keys)]
    assert len({word for stream in streams for word in stream}) == 4 * len(keys)


def test_samples_and_shuffles_hold_every_item_once():
    bits = Bits(2, "val", 9)
    assert sorted(bits.shuffled(range(50))) == list(range(50))
    for count in (0, 1, 7, 50, 80):
        drawn = bits.sample(range(50), count)
        assert len(drawn) == len(set(drawn)) == min(count, 50)
    places = Counter(tuple(bits.sample("abc", 3)) for _ in range(6000))
    assert len(places) == 6
    assert min(places.values()) > 850


# --- companies ---


@pytest.mark.parametrize("size", [10, 11, 25, 40, 200, 1500])
@pytest.mark.parametrize("split", SPLITS)
def test_a_company_of_any_size_hangs_together(size, split):
    world = company(3, size, split).world()
    assert len(world) == size
    world.check()


def test_all_types_are_there_in_their_shares():
    world = company(1, 400).world()
    for maker in MAKERS.values():
        expected = maker.share if maker.domain is None else 0
        assert abs(len(world.ids_of_type(maker.type_name)) / 400 - expected) < 0.02


def test_mailboxes_threads_and_times_are_coherent():
    world = company(7, 300).world()
    mailboxes = [person.get("email") for person in world.of_type("person")]
    assert len(set(mailboxes)) == len(mailboxes)
    for thread in world.of_type("email_thread"):
        participants, messages = thread.get("participants"), thread.get("messages")
        sent = [datetime.fromisoformat(message["sent_at"]) for message in messages]
        assert sent == sorted(sent)
        assert {message["sender"] for message in messages} <= set(participants)
        assert datetime.fromisoformat(thread.get("started_at")) <= sent[0]
        assert sent[-1] <= datetime.fromisoformat(thread.get("updated_at"))
    for account in world.of_type("customer_account"):
        if account.get("parent"):
            parent = world[account.get("parent")]
            assert parent.get("parent") is None
            assert (account.label, account.get("industry")) == (
                f"{parent.label} {account.get('region')}",
                parent.get("industry"),
            )
    for document in world.of_type("document"):
        assert document.get("created_at") < document.get("updated_at")
    contacts = [p for p in world.of_type("person") if p.get("account")]
    staff = {p.id for p in world.of_type("person") if not p.get("account")}
    assert all(p.get("manager") in staff for p in world.of_type("person") if p.get("manager"))
    assert all(p.get("team") is None for p in contacts)


RESERVED = (
    "Onboarding plan", "Pricing", "Aurora", "Tempest", "Alder", "EMEA Foods", "Alex", "Chris", "legal counsel",
    "checkout", "renewal", "sync", "Error", "follow-up", "archive",
)  # fmt: skip


def called(world: World) -> set[str]:
    """All words that records are called by: names, titles, aliases, codenames, job titles, components."""
    fields = ("name", "title", "subject", "aliases", "codename", "role", "team", "component")
    texts = [entity.get(field) for entity in world.entities() for field in fields]
    flat = [text for item in texts for text in (item if isinstance(item, list) else [item]) if text is not None]
    return {word for text in flat for word in words(str(text))}


@pytest.mark.parametrize("split", SPLITS)
def test_reserved_words_are_kept_out_of_what_background_records_are_called(split):
    made = Company(Bits(1, split, 4), default_pools(split), reserved=RESERVED)
    made.fill(600)
    assert not {word for text in RESERVED for word in words(text)} & called(made.world())
    assert words(made.brand)[0] not in words(" ".join(RESERVED))


@pytest.mark.parametrize("split", SPLITS)
def test_words_reserved_later_are_kept_out_of_what_further_records_are_called(split):
    made = company(6, 60, split)
    before, pools = set(made.rows), made.pools
    reserved = [
        pools.given_names[3], pools.family_names[5], pools.brand_beginnings[1], pools.codenames[2], pools.subjects[0],
        pools.document_kinds[1], pools.event_kinds[1], pools.ticket_kinds[1], pools.thread_kinds[1],
        pools.folder_kinds[1], pools.regions[0], pools.industries[0], pools.roles[0], pools.teams[0],
        pools.components[0], "expansion", f"{pools.brand_beginnings[0]}{pools.brand_endings[0]}",
        next(pools.nicknames[name] for name in pools.given_names if name in pools.nicknames),
        *(made.fields(account)["name"] for account in made.ids("customer_account")[:2]),
    ]  # fmt: skip
    for text in reserved:
        made.reserve(text)
    made.fill(1200)
    further = World(entity for entity in made.world().entities() if entity.id not in before)
    assert len(further) == 1140
    assert not {word for text in reserved for word in words(text)} & called(further)


def test_the_names_of_a_task_s_accounts_are_not_handed_down_to_background_records():
    made = company(4, 40)
    account = made.account(name="Acme Foods")
    made.reserve("Acme")
    made.fill(600)
    assert [i for i, (_, fields) in made.rows.items() if "Acme" in str(fields)] == [account]


def test_numbers_that_are_reserved_are_skipped():
    made = company(4, 10)
    numbers = range(9000)
    for number in numbers:
        made.reserve(str(number))
    account, ticket = made.account(), made.ticket()
    assert made.fields(account)["account_number"] == "AC-9000"
    assert made.fields(ticket)["key"].endswith("-9000")


def test_where_everything_is_reserved_something_is_drawn_all_the_same():
    pools = default_pools("val")
    made = Company(Bits(1, "val", 4), pools, reserved=[*pools.ticket_kinds, *pools.brand_beginnings, *pools.roles])
    made.fill(60)
    made.world().check()
    assert made.free(pools.ticket_kinds) in pools.ticket_kinds


def test_a_free_candidate_holds_no_reserved_word():
    made = Company(Bits(1, "train", 4), default_pools("train"), reserved=["b d"])
    drawn = Counter(made.free(["a", "b", "c", "d e"]) for _ in range(400))
    assert set(drawn) == {"a", "c"}
    assert min(drawn.values()) > 150
    assert made.free(["b"]) == "b"


def test_people_accounts_and_mailboxes_are_told_apart_by_name():
    world = company(7, 6000).world()
    for kind in ("person", "customer_account"):
        labels = [entity.label for entity in world.of_type(kind)]
        assert len(set(labels)) == len(labels)
    made = company(8, 40)
    drawn = [made.full_name("Alex") for _ in range(3000)]
    assert len({*drawn, *(made.fields(i)["name"] for i in made.ids("person"))}) == 3000 + len(made.ids("person"))
    assert {name.split()[0] for name in drawn} == {"Alex"}


def test_names_are_told_apart_even_if_there_are_hardly_any():
    names = {"given_names": ("Ann", "Bob"), "family_names": ("Lee", "Diaz"), "brand_beginnings": ("Alder", "Amber")}
    made = Company(Bits(1, "train", 2), replace(default_pools("train"), **names))
    made.fill(4000)
    for kind, share in {"person": 0.24, "customer_account": 0.07}.items():
        labels = [entity.label for entity in made.world().of_type(kind)]
        assert len(set(labels)) == len(labels) == 4000 * share


def test_mailboxes_are_told_apart_where_names_differ_in_case_or_diacritics():
    made = company(3, 10)
    people = [made.person(name=name) for name in ("José Lee", "Jose Lee", "JOSE LEE", "jose lee")]
    boxes = [str(made.fields(person)["email"]).partition("@")[0] for person in people]
    assert boxes == ["jose.lee", "jose.lee2", "jose.lee3", "jose.lee4"]


def test_ids_are_told_apart_even_if_there_are_hardly_any(monkeypatch):
    monkeypatch.setattr("ebf_generators.company._IDS", 45)
    assert len(company(3, 40).world()) == 40


def test_nobody_takes_part_twice():
    for number in range(30):
        world = company(number, 40).world()
        for kind, field in {
            "email_thread": "participants",
            "calendar_event": "attendees",
            "project": "members",
        }.items():
            for entity in world.of_type(kind):
                assert len(set(entity.get(field))) == len(entity.get(field)) > 1


def test_records_added_to_a_large_company_look_like_its_own():
    names = {"given_names": ("Ann", "Bob", "Cy"), "family_names": ("Lee", "Diaz", "Ito")}
    pools = replace(default_pools("train"), **names)
    large = Company(Bits(1, "train", 1), pools)
    large.fill(4000)
    before, numbers = json.dumps(large.rows), []
    for number in range(40):
        added = Company(Bits(1, "train", number + 2), pools, within=large)
        added.fill(40)
        assert (added.brand, added.now, added.sprint) == (large.brand, large.now, large.sprint)
        world = World([*(Entity(i, *row) for i, row in large.rows.items()), *added.world().entities()])
        for field in ("email", "account_number", "key"):
            held = [entity.get(field) for entity in world.entities() if entity.get(field)]
            assert len(set(held)) == len(held)
        for kind in ("person", "customer_account"):
            assert len({entity.label for entity in world.of_type(kind)}) == len(world.ids_of_type(kind))
        keys = [str(added.fields(ticket)["key"]).partition("-") for ticket in added.ids("ticket")]
        numbers += [int(key[2]) for key in keys]
        assert {key[0] for key in keys} == {large.brand[:3].upper()}
    highest = max(int(str(large.fields(ticket)["key"]).partition("-")[2]) for ticket in large.ids("ticket"))
    assert 0.3 < sum(number < highest / 2 for number in numbers) / len(numbers) < 0.7
    assert json.dumps(large.rows) == before


def test_a_brand_that_is_reserved_as_a_whole_is_not_drawn():
    pools = replace(default_pools("train"), brand_beginnings=("Alder", "Amber"))
    made = Company(Bits(1, "train", 2), pools, reserved=[f"Alder{ending}" for ending in pools.brand_endings])
    assert {made.new_brand()[:5] for _ in range(50)} == {"Amber"}


@pytest.mark.parametrize("type_name", MAKERS)
def test_fields_stand_in_the_order_of_the_type_whether_drawn_or_given(type_name):
    order = list(ENTITY_TYPES[type_name].model.model_fields)
    made = company(9, 60)
    for _ in range(30):
        drawn = list(made.fields(made.make(type_name)))
        assert drawn == sorted(drawn, key=order.index)
    last = [name for name in order if name in drawn][-1]
    label = ENTITY_TYPES[type_name].label_field
    fields = made.fields(made.make(type_name, **{last: None, label: "Given", "revision": 2, "odd": 1}))
    assert fields[label] == "Given"
    assert last not in fields
    assert list(fields) == sorted(fields, key=[*order, "odd"].index)


def test_nothing_refers_to_a_secluded_record_by_chance():
    made = company(3, 40)
    secluded = []
    for name in ("customer_account", "project", "folder", "document", *["person"] * 40):
        secluded.append(made.make(name, **({"name": "Acme Foods"} if name == "customer_account" else {})))
        made.seclude(secluded[-1])
    made.fill(500)
    world = made.world()
    assert not any(world.referrers(entity_id) for entity_id in secluded)
    assert not set(secluded) & {i for name in world.types for i in made.ids(name)}
    assert abs(len(world.ids_of_type("person")) - 120) <= 1


def test_a_company_costs_as_much_as_it_has_records():
    assert takes_at_most(lambda: company(1, 16_000).world(), 4 * 16, of=lambda: company(1, 1000).world())


def test_given_fields_win_over_drawn_ones_and_what_follows_from_them_fits():
    made = company(2)
    person = made.person(name="José Ñandú-Ødegård", team="Legal", role="counsel")
    assert made.fields(person)["email"] == f"jose.nandu.odegard@{''.join(words(made.brand))}.example"
    assert made.fields(person)["title"] == "Legal counsel"
    account = made.account()
    contact = made.person(account=account)
    assert made.fields(contact)["company"] == made.fields(account)["name"]
    assert contact not in {made._colleague() for _ in range(200)}
    event = made.event(start=made.moment(1, 9 * 60), organizer=contact)
    assert made.fields(event)["end"] > made.fields(event)["start"]
    assert contact == made.fields(event)["attendees"][0]
    thread = made.thread(participants=[person, contact])
    assert {message["sender"] for message in made.fields(thread)["messages"]} <= {person, contact}
    subsidiary = made.account(parent=account, region="DACH")
    assert made.fields(subsidiary)["name"] == f"{made.fields(account)['name']} DACH"
    deal = made.opportunity(account=subsidiary, kind="renewal")
    assert made.fields(deal)["name"] == f"{made.fields(subsidiary)['name']} renewal"
    assert made.fields(made.project(codename="Vostok"))["name"].startswith("Vostok ")
    made.world().check()


def test_the_same_number_gives_the_same_company_in_any_process():
    assert fingerprint(company(11).world()) == fingerprint(company(11).world()) != fingerprint(company(12).world())
    code = (
        f"import runpy\nmodule = runpy.run_path({__file__!r})\n"
        "print(module['fingerprint'](module['company'](11).world()))"
    )
    for seed, zone, locale in (("0", "UTC", "C"), ("77", "Asia/Tokyo", "tr_TR.UTF-8")):
        env = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "TZ": zone,
            "LC_ALL": locale,
            "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
        }
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
        assert done.stdout.strip() == fingerprint(company(11).world())
