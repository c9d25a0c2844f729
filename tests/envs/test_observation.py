"""The text of an observation says what its JSON form says, and nothing of what is hidden."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebf_env.envs.observation import ObservedEntity
from ebf_env.json_types import JSON
from ebf_env.world import Entity, Permissions

VALUES: st.SearchStrategy[JSON] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.dictionaries(st.text(min_size=1) | st.sampled_from(["access", "owner"]), VALUES, max_size=4)


@given(st.text(min_size=1), FIELDS, st.booleans())
def test_the_text_of_a_record_is_its_json_form(entity_id: str, fields: dict[str, JSON], may_change: bool) -> None:
    shown = ObservedEntity(Entity(entity_id, "thing", fields), may_change)
    again = (ObservedEntity(shown.entity, may_change), deepcopy(shown), pickle.loads(pickle.dumps(shown)))  # noqa: S301
    for one in (shown, *again):
        assert one.text.isascii()
        assert list(json.loads(one.text).items()) == list(shown.to_json().items())
        assert one == shown


@pytest.mark.parametrize("hidden", ["p1", 'p"1', "p\\1", "pé", "p\x7f", "p\u2028"])
@pytest.mark.parametrize("beside", [0, 2**70, "\ud800", "\x7f"], ids=repr)
def test_no_spelling_of_a_hidden_id_is_shown(hidden: str, beside: JSON) -> None:
    entity = Entity("d1", "document", {"owner": hidden, "seen_by": ["p0", hidden], "n": beside, "title": f"{hidden} x"})
    kept = Permissions(hidden=frozenset({hidden, "p9"})).redacted(entity)
    assert kept.fields == {"seen_by": ["p0"], "n": beside, "title": f"{hidden} x"}
