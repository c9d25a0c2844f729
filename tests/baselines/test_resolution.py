"""Reading which records an instruction means, over hand-written records of unusual shapes."""

from __future__ import annotations

import pytest

from ebf_baselines.resolution.resolver import Reading, SlotMeaning
from ebf_baselines.resolution.store import RecordStore
from ebf_env.world import TOOLS

ROWS = [
    {"id": "k1", "type": "person", "name": "Oona Brandt", "squad": "Harbour"},
    {"id": "k2", "type": "person", "name": "Oona Vasquez", "squad": "Orchard"},
    {"id": "k3", "type": "person", "name": "Tobias Lindqvist", "squad": "Harbour"},
    {"id": "f1", "type": "document", "title": "Lantern brief", "steward": "Oona Brandt", "state": "archived"},
    {"id": "f2", "type": "document", "title": "Lantern brief", "steward": "Tobias Lindqvist", "state": "draft"},
]


def read(text: str, slot: str, tool: str, rows: list[dict[str, object]] | None = None) -> SlotMeaning:
    store = RecordStore.of_dicts(rows if rows is not None else ROWS)  # type: ignore[arg-type]
    return Reading(store, [text]).bind(TOOLS[tool])[slot]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Send an email to Oona from the Harbour squad", "k1"),
        ("Send an email to Oona Vasquez", "k2"),
        ("Send an email to Tobias Lindqivst", "k3"),
    ],
)
def test_people(text: str, meant: str):
    assert read(text, "recipient", "send_email").binding == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Read the archived Lantern brief", "f1"),
        ("Read the Lantern brief owned by Tobias", "f2"),
        ("Read the Lantern brief that is not archived", "f2"),
    ],
)
def test_documents(text: str, meant: str):
    assert read(text, "document", "read_document").binding == meant


def test_two_that_fit_have_equal_scores():
    meaning = read("Send an email to Oona", "recipient", "send_email")
    assert meaning.scores["k1"] == meaning.scores["k2"]
    assert meaning.margin == 0.0


@pytest.mark.parametrize("text", ["", "SEND IT TO OONA", "発送してください", "🎉🎉", "send email to oona " * 50])
def test_reading_never_raises_and_scores_sum_to_at_most_one(text: str):
    for meaning in read(text, "recipient", "send_email").meanings:
        assert sum(meaning.scores.values()) + meaning.none <= 1 + 1e-9


def test_records_without_names():
    assert read("Send an email to Oona", "recipient", "send_email", [{"id": 1, "type": "person"}]).score < 0.6
