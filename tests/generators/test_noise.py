"""Noise: mistakes that a careful reader forgives, and records that stay valid under all of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ebf_env.errors import ConfigurationError
from ebf_env.world import ENTITY_TYPES, Entity, World
from ebf_env.world.references import Equals, Form, Named, ObservationSolver, Situation, denotation
from ebf_env.world.search import words
from ebf_generators.company import MAKERS, Company
from ebf_generators.noise import (
    OPERATORS,
    PROFILES,
    NoiseProfile,
    RecordOperator,
    TextOperator,
    WordOperator,
    corrupt_company,
    corrupt_record,
    corrupt_text,
    corrupt_value,
    profile,
    prose_fields,
    register_operator,
)
from ebf_generators.pools import default_pools
from ebf_generators.randomness import Bits

IN_WORDS = sorted(name for name, operator in OPERATORS.items() if isinstance(operator, WordOperator))
IN_TEXTS = sorted(name for name, operator in OPERATORS.items() if isinstance(operator, TextOperator))
DOMAINS = sorted({maker.domain for maker in MAKERS.values() if maker.domain is not None})


def company(number: int = 0, size: int = 200) -> Company:
    made = Company(Bits(5, "train", number), default_pools("train"), domains=DOMAINS)
    made.fill(size)
    return made


def seen_and_so(form: Form, **fields: str) -> bool:
    """Whether a form denotes a record of these fields, by both solvers."""
    found = denotation(form, Situation(World([Entity("a", form.type, fields)])))
    entities = [{"id": "a", "type": form.type, **fields}]
    assert found == ObservationSolver(json.dumps({"now": None, "user": None, "entities": entities})).denotation(form)
    return bool(found)


# --- words and values ---


def examples() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for number, name in enumerate(IN_WORDS):
        bits = Bits(7, "train", number)
        found[name] = [corrupt_text(bits, "Philippa Ødegård's renewal", (name,)) for _ in range(3)]
    bits = Bits(7, "val", 0)
    found["values"] = [corrupt_value(bits, "Customer Success", OPERATORS) for _ in range(6)]
    bits, fields = Bits(7, "test", 0), {"name": "Ana Costa-Lund", "email": "ana@acme.example", "team": "Support"}
    found["records"] = [json.dumps(corrupt_record(bits, "person", fields, OPERATORS)) for _ in range(3)]
    return found


PINNED = {
    "keyboard": ["Philippa Ødegård's rsnewal", "Phililpa Ødegård's renewal", "Phulippa Ødegård's renewal"],
    "phonetic": ["Phylippa Ødegård's renewal"] * 3,
    "ocr": ["Philippa Ødegård's rcnewal", "Philippa Ødcgård's renewal", "Phiiippa Ødegård's renewal"],
    "edit": ["Philippa Ødejgård's renewal", "Philippa Ødegård's rznewal", "Philippa Ødgård's renewal"],
    "values": [
        "Customer Suckess", "customer-success", "Custvmer Success", "Customer Suckess", "customer-success",
        "Custlmer Success",
    ],
    "records": [
        '{"name": "Ana Costa-Lund", "email": "ana@acme.example"}',
        '{"name": "Ana Cozta-Lund", "email": "ana@acme.example", "team": "Support"}',
        '{"name": "Ana Costa-Lund", "email": "ana@acme.example", "team": "Svpport"}',
    ],
}  # fmt: skip
"""Another generator version, where these change."""


def test_the_same_bits_make_the_same_mistakes():
    assert examples() == PINNED


def test_mistakes_do_not_depend_on_process_hash_seed_or_the_order_operators_are_named_in():
    code = f"import json, runpy\nmodule = runpy.run_path({__file__!r})\nprint(json.dumps(module['examples']()))"
    env = {
        **os.environ,
        "PYTHONHASHSEED": "77",
        "TZ": "Asia/Tokyo",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    assert json.loads(done.stdout) == examples()
    for names in (IN_TEXTS, IN_TEXTS[::-1], frozenset(IN_TEXTS)):
        assert corrupt_value(Bits(1, "val", 5), "Customer Success", names) == corrupt_value(
            Bits(1, "val", 5), "Customer Success", IN_TEXTS
        )


NAMES = st.sampled_from(
    [
        label
        for _, fields in company().rows.values()
        for label in (str(fields.get("name") or fields.get("title") or fields.get("subject")),)
    ]
)
NUMBERS = st.integers(0, 1 << 60)


@settings(max_examples=600, deadline=None)
@given(NAMES | st.text(max_size=24), NUMBERS, st.sets(st.sampled_from(IN_WORDS), min_size=1))
def test_a_mistyped_text_still_agrees_with_what_was_meant(text, number, operators):
    changed = corrupt_text(Bits(number, "train", 0), text, operators)
    for said, held in ((changed, text), (text, changed)):
        assert seen_and_so(Form("person", (Named((said,), loose=True),)), name=held)
        assert seen_and_so(Form("person", (Equals("team", said, loose=True),)), team=held)
    before, after = words(text), words(changed)
    differing = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
    assert len(differing) == (changed != text)
    for one, other in differing:
        assert one[0] == other[0]
        assert not one.isdecimal()


@settings(max_examples=300, deadline=None)
@given(NAMES | st.text(max_size=24), NUMBERS)
def test_a_value_written_otherwise_is_still_the_same_value(text, number):
    changed = corrupt_value(Bits(number, "train", 0), text, OPERATORS)
    assert seen_and_so(Form("person", (Equals("team", text, loose=True),)), team=changed)


@pytest.mark.parametrize("text", ["", "v2", "Bo Li", "2026", "INV-20417", "C0mp4ny", "P1", "2026-03-11T10:15:00+01:00"])
def test_what_has_no_word_to_mistype_stays_as_it_is(text):
    for number in range(20):
        assert corrupt_text(Bits(1, "train", number), text, IN_WORDS) == text
        if "Bo" not in text:
            assert corrupt_value(Bits(1, "train", number), text, OPERATORS) == text


def test_operators_that_change_more_than_words_leave_a_mention_alone():
    assert (
        corrupt_text(Bits(1, "train", 0), "onboarding plan", ("word_swap", "category", "tombstone"))
        == "onboarding plan"
    )
    assert corrupt_text(Bits(1, "train", 0), "onboarding plan", ()) == "onboarding plan"


def made_by(name: str, text: str) -> set[str]:
    return {corrupt_value(Bits(3, "train", number), text, (name,)) for number in range(300)}


def test_operators_make_the_mistakes_they_are_named_after():
    assert made_by("phonetic", "Sophie") == {"Sofie", "Sophye"} - {"Sofie"}
    assert "Filippines" not in made_by("phonetic", "Philippines")
    assert "Christofer" in made_by("phonetic", "Christopher")
    assert made_by("ocr", "Cole") == {"C0le", "Coie", "Colc"}
    assert made_by("keyboard", "Aqqq") == {"A" + "qqq"[:n] + key + "qqq"[n + 1 :] for n in range(3) for key in "wa"}
    assert made_by("keyboard", "AAAA") >= {"AQAA", "ASAA"}
    assert made_by("word_swap", "launch plan draft") == {"plan launch draft", "launch draft plan"}
    assert made_by("category", "Customer Success") == {"CUSTOMER SUCCESS", "customer success", "customer-success"}


def test_edits_have_the_shares_of_misspelt_words():
    text, counts = "onboarding", dict.fromkeys(("substitution", "deletion", "insertion", "transposition", "several"), 0)
    for number in range(6000):
        changed = corrupt_text(Bits(11, "train", number), text, ("edit",))
        apart = [n for n in range(len(text)) if changed[n : n + 1] != text[n]]
        if sorted(changed) == sorted(text) and len(apart) == 2:
            kind = "transposition"
        elif len(changed) == len(text):
            kind = "substitution" if len(apart) == 1 else "several"
        elif abs(len(changed) - len(text)) == 1:
            kind = "deletion" if len(changed) < len(text) else "insertion"
        else:
            kind = "several"
        counts[kind] += 1
    shares = {kind: count / 6000 for kind, count in counts.items()}
    assert abs(shares["substitution"] - 0.59) < 0.04
    assert abs(shares["deletion"] - 0.16) < 0.04
    assert abs(shares["insertion"] - 0.10) < 0.04
    assert 0.005 < shares["transposition"] < 0.04


# --- records ---


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_every_operator_leaves_records_valid(name):
    made, changes = company(1), 0
    for entity_id, (type_name, fields) in made.rows.items():
        before = json.dumps(fields)
        changed = corrupt_record(Bits(2, "train", changes), type_name, fields, (name,))
        assert json.dumps(fields) == before, "what is given is left as it is"
        changes += changed != fields
        made.rows[entity_id] = (type_name, changed)
    made.world().check()
    adds = isinstance(OPERATORS[name], RecordOperator) and OPERATORS[name].adds
    assert changes == 0 if adds else changes >= 20


def test_a_company_all_of_whose_records_are_corrupted_hangs_together():
    for number in range(10):
        made, bits = company(number), Bits(3, "train", number)
        before = {entity_id: fields for entity_id, (_, fields) in made.rows.items()}
        corrupt_company(bits, made, NoiseProfile(1, 1, 1, PROFILES["high"].operators))
        made.world().check()
        added = [entity_id for entity_id in made.rows if entity_id not in before]
        changed = [entity_id for entity_id, fields in before.items() if made.fields(entity_id) != fields]
        assert len(added) + len(changed) == len(before)
        assert 5 <= len(added) <= 40


def test_fields_to_keep_are_kept():
    made = company(2)
    for number, (type_name, fields) in enumerate(made.rows.values()):
        keep = frozenset(list(fields)[::2])
        changed = corrupt_record(Bits(4, "train", number), type_name, fields, OPERATORS, keep)
        assert {name: changed[name] for name in keep} == {name: fields[name] for name in keep}
        assert (
            corrupt_record(Bits(4, "train", number), type_name, fields, OPERATORS, (*fields, "status", "aliases"))
            == fields
        )


def test_records_to_spare_are_spared():
    made = company(3)
    rows = dict(made.rows)
    corrupt_company(Bits(5, "train", 0), made, PROFILES["high"], spare=rows)
    assert made.rows == rows


def test_a_record_entered_twice_differs_in_its_name_by_a_mistake():
    made = company(4)
    before = dict(made.rows)
    corrupt_company(Bits(6, "train", 0), made, NoiseProfile(0, 0, 0.3, {"duplicate_record": 1.0}))
    added = [made.rows[entity_id] for entity_id in made.rows if entity_id not in before]
    assert len(added) > 30
    assert {entity_id: made.rows[entity_id] for entity_id in before} == before
    for type_name, fields in added:
        label = ENTITY_TYPES[type_name].label_field
        again = {name: value for name, value in fields.items() if name != label}
        twins = [row for other, row in before.values() if other == type_name and again.items() <= row.items()]
        assert any(
            seen_and_so(Form(type_name, (Named((str(fields[label]),), loose=True),)), **{label: str(twin[label])})
            for twin in twins
        )


def corrupted(operator: str, type_name: str, /, **fields: object) -> list[dict]:
    return [corrupt_record(Bits(8, "train", number), type_name, fields, (operator,)) for number in range(60)]


def test_what_a_record_corrupted_says():
    ana = {"name": "Ana Costa-Lund", "email": "ana@acme.example", "company": "Acme"}
    assert {r["name"] for r in corrupted("field_swap", "person", **ana)} == {"Costa-Lund, Ana", "Costa-Lund Ana"}
    assert {r["aliases"][0] for r in corrupted("rename_lag", "person", **ana)} == {"Ana Costa"}
    assert corrupted("rename_lag", "person", **{**ana, "name": "Bo Lund"})[0]["aliases"] == ["B. Lund"]
    assert {r["status"] for r in corrupted("tombstone", "person", **ana)} == {"left"}
    assert {r["status"] for r in corrupted("tombstone", "customer_account", name="Acme")} == {"churned"}
    assert "Acme GmbH" in {r["company"] for r in corrupted("legal_form", "person", **ana)}
    assert all("company" not in r for r in corrupted("missing_field", "person", **ana))
    assert all("email" in r for r in corrupted("missing_field", "person", **ana)), "a person has a mailbox"
    assert {r["status"] for r in corrupted("stale_value", "ticket", title="Crash", status="resolved")} == {"in_review"}
    assert corrupted("stale_value", "ticket", title="Crash", status="open")[0]["status"] == "open"


def test_a_time_in_another_zone_is_the_same_instant():
    at = "2026-03-11T10:15:00+01:00"
    for changed in corrupted("timezone", "ticket", title="Crash", created_at=at):
        assert changed["created_at"][-6:] != at[-6:]
        assert datetime.fromisoformat(changed["created_at"]) == datetime.fromisoformat(at)


def test_a_stale_time_is_after_all_that_happened_before():
    sent, updated = "2026-03-10T09:00:00+01:00", "2026-03-11T10:15:00+01:00"
    threads = corrupted(
        "stale_value", "email_thread", subject="Crash", messages=[{"sent_at": sent}], updated_at=updated
    )
    times = {datetime.fromisoformat(thread["updated_at"]) for thread in threads}
    assert datetime.fromisoformat(sent) < min(times) < max(times) < datetime.fromisoformat(updated)


def test_prose_is_what_somebody_typed():
    assert prose_fields("person") == ("name", "title", "role", "team", "company", "location")
    assert not {"key", "status", "sprint", "assignee", "created_at"} & set(prose_fields("ticket"))


# --- profiles ---


def test_levels_corrupt_the_shares_they_promise():
    labels = [str(f.get("name") or f.get("title") or f.get("subject")) for _, f in company(9, 400).rows.values()]
    teams = default_pools("train").teams
    least = {"none": (0, 0, 0), "low": (0.05, 0.03, 0.05), "medium": (0.20, 0.10, 0.20), "high": (0.45, 0.25, 0.45)}
    for name, noise in PROFILES.items():
        bits, size = Bits(9, "val", 0), 4000
        drawn = [bits.choice(labels) for _ in range(size)]
        mentions = sum(bits.chance(noise.mention) and corrupt_text(bits, t, noise.operators) != t for t in drawn) / size
        drawn = [bits.choice(teams) for _ in range(size)]
        values = sum(bits.chance(noise.deciding) and corrupt_value(bits, t, noise.operators) != t for t in drawn) / size
        made = company(9, 400)
        before = dict(made.rows)
        corrupt_company(bits, made, noise)
        touched = sum(made.rows[i] != row for i, row in before.items()) + len(made.rows) - len(before)
        shares = (mentions, values, touched / len(before))
        promised = (noise.mention, noise.deciding, noise.background)
        assert all(low <= share <= high + 0.04 for low, share, high in zip(least[name], shares, promised, strict=True))


def test_a_profile_is_a_level_or_rates_operator_by_operator():
    assert profile("medium") is PROFILES["medium"]
    rates = {"keyboard": 0.1, "edit": 0.2, "category": 0.1, "tombstone": 0.05}
    made = profile(rates)
    assert (made.mention, made.deciding, made.background) == pytest.approx((0.3, 0.4, 0.45))
    assert profile(dict.fromkeys(list(OPERATORS)[:10], 0.1)).background == 1
    bits = Bits(1, "train", 1)
    drawn = [corrupt_text(bits, "Aooooo", profile({"keyboard": 0.3, "ocr": 0.1}).operators) for _ in range(3000)]
    assert abs(sum("0" in text for text in drawn) / 3000 - 0.25) < 0.03, "operators are drawn by their rates"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("extreme", "no noise level 'extreme'; there are: none, low, medium, high"),
        ({"keybord": 0.1}, "no noise operator 'keybord'; there are: category, "),
        ({"keyboard": 1.5}, "rate of 'keyboard' is 1.5"),
        ({"keyboard": float("nan")}, "rate of 'keyboard' is nan"),
        ({"keyboard": 0.7, "edit": 0.7}, "edit, keyboard sum to 1.4, more than 1"),
    ],
)
def test_what_is_no_profile_is_refused(spec, message):
    with pytest.raises(ConfigurationError, match=message):
        profile(spec)


def test_unknown_operators_and_bad_shares_are_refused_everywhere():
    bits = Bits(1, "train", 0)
    with pytest.raises(ConfigurationError, match="no noise operator 'odd'"):
        corrupt_text(bits, "onboarding", ("edit", "odd"))
    with pytest.raises(ConfigurationError, match="no noise operator 'odd'"):
        corrupt_value(bits, "onboarding", ("odd",))
    with pytest.raises(ConfigurationError, match="no noise operator 'odd'"):
        corrupt_record(bits, "person", {"name": "Ana"}, ("odd",))
    with pytest.raises(ConfigurationError, match="no noise operator 'odd'"):
        NoiseProfile(0, 0, 0, {"odd": 1.0})
    with pytest.raises(ConfigurationError, match="weight of 'edit' is -1"):
        NoiseProfile(0, 0, 0, {"edit": -1})
    with pytest.raises(ConfigurationError, match="share 'deciding' is 2"):
        NoiseProfile(0, 2, 0, {})
    with pytest.raises(ConfigurationError, match="two noise operators 'edit'"):
        register_operator(TextOperator("edit", lambda bits, text: text))
