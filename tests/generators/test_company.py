"""Pools, randomness and procedural companies: coherent, reproducible, and of any size."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from datetime import datetime

import numpy as np
import pytest

from ebf_env.errors import ConfigurationError
from ebf_env.world import World
from ebf_env.world.search import words
from ebf_generators.company import SHARES, Company
from ebf_generators.pools import default_pools, fresh_pools
from ebf_generators.pools.draw import DEFAULT_LOCALES, SPLITS, draw, folded
from ebf_generators.randomness import Bits

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


def test_draws_are_uniform_and_independent_of_numpys_distributions():
    bits = Bits(1, "train", 0)
    counts = np.bincount([bits.below(7) for _ in range(14_000)], minlength=7)
    assert ((counts - 2000) ** 2 / 2000).sum() < 22.5, "chi-square, 6 degrees of freedom, p > .001"
    raw = np.random.PCG64(np.random.SeedSequence([1, 1, 1, 0, 0])).random_raw(512).tolist()
    again = Bits(1, "train", 0)
    assert [again.below(1 << 32) for _ in range(512)] == [word >> 32 for word in reversed(raw)]


def test_streams_of_neighbouring_seeds_numbers_splits_and_purposes_differ():
    keys = [(s, split, n, p) for s in (0, 1, 2) for split in SPLITS for n in (0, 1, 2) for p in (0, 1)]
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
    for name, share in SHARES:
        assert abs(len(world.ids_of_type(name)) / 400 - share) < 0.02


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
    for document in world.of_type("document"):
        assert document.get("created_at") < document.get("updated_at")
    contacts = [p for p in world.of_type("person") if p.get("account")]
    staff = {p.id for p in world.of_type("person") if not p.get("account")}
    assert all(p.get("manager") in staff for p in world.of_type("person") if p.get("manager"))
    assert all(p.get("team") is None for p in contacts)


def test_reserved_words_are_kept_out_of_what_background_records_are_called():
    made = Company(Bits(1, "train", 4), default_pools("train"), reserved=("Onboarding plan",))
    made.fill(300)
    assert not any({"onboarding", "plan"} & set(words(entity.label)) for entity in made.world().entities())


def test_given_fields_win_over_drawn_ones_and_what_follows_from_them_fits():
    made = company(2)
    person = made.person(name="José Ñandú-Ødegård", team="Legal", role="counsel")
    assert made.fields(person)["email"] == f"jose.nandu.odegard@{''.join(words(made.brand))}.example"
    assert made.fields(person)["title"] == "Legal counsel"
    account = made.account()
    contact = made.person(account=account)
    assert made.fields(contact)["company"] == made.fields(account)["name"]
    event = made.event(start=made.moment(1, 9 * 60))
    assert made.fields(event)["end"] > made.fields(event)["start"]
    made.world().check()


def test_the_same_number_gives_the_same_company_in_any_process():
    assert fingerprint(company(11).world()) == fingerprint(company(11).world()) != fingerprint(company(12).world())
    code = (
        f"import runpy\nmodule = runpy.run_path({__file__!r})\n"
        "print(module['fingerprint'](module['company'](11).world()))"
    )
    for seed, zone in (("0", "UTC"), ("77", "Asia/Tokyo")):
        env = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "TZ": zone,
            "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
        }
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
        assert done.stdout.strip() == fingerprint(company(11).world())
