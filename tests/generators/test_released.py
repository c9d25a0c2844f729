"""The released suites: the same bytes from the same settings, for good."""

from __future__ import annotations

import pytest

from ebf_env.errors import ConfigurationError
from ebf_env.tasks import read_suite
from ebf_generators.config import PAPER_MIX
from ebf_generators.randomness import GENERATOR_VERSION
from ebf_generators.released import RELEASES, release
from ebf_generators.suites import generate


@pytest.mark.parametrize("name", RELEASES)
def test_a_released_suite_comes_out_byte_for_byte(name, tmp_path):
    sha256, tally = generate(release(name).config, tmp_path / "suite.jsonl", name=name)
    assert sha256 == release(name).sha256, (
        f"generator version {GENERATOR_VERSION} gives other tasks: raise it and record the new hash"
    )
    suite = read_suite(tmp_path / "suite.jsonl")
    assert suite.sha256 == sha256
    assert len(suite) == release(name).config.tasks
    assert tally.statistics()["distinct_instructions"] > 0.4 * len(suite)


def test_the_paper_mix_has_its_shares_of_conditions():
    config = release("ebf-60").config
    assert (config.mix, config.tasks, sum(PAPER_MIX.values())) == ("paper", 60, 60)


def test_an_unknown_release_is_refused_with_those_there_are():
    with pytest.raises(ConfigurationError, match="ebf-600, ebf-60"):
        release("ebf-7")
