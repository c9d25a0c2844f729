"""Entries, files of backends, names on the command line."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest
from pydantic import ValidationError

from ebf_agents import BACKENDS, BackendOptions, backend_names, backends_named
from ebf_agents.llm import BackendEntry, LLMBackend, Price, Sampling, backends_in
from ebf_agents.llm.catalogue import RESERVED, entries
from ebf_env.errors import ConfigurationError

GOOD = '[mine]\nmodel = "m"\nbase_url = "http://localhost:9000/v1"\n'


def test_the_shipped_file_holds_the_papers_models_and_local_servers():
    shipped = backends_in(None)
    assert list(shipped) == [
        "nova-2-lite",
        "nova-premier",
        "claude-opus",
        "claude-sonnet",
        "llama-3.3-70b",
        "vllm",
        "llamacpp",
        "ollama",
        "lmstudio",
    ]
    for name, entry in shipped.items():
        local = "localhost" in entry.base_url
        assert (entry.api_key_env is None) == local, name
        assert entry.concurrency == (1 if local else 4), name
    assert "NOT BEEN RUN" in (files("ebf_agents.llm") / "backends.toml").read_text()


def test_the_papers_model_ids_are_named(paper_data: Path):
    recorded = {line.split(",")[4] for line in (paper_data / "runs_1800.csv").read_text().splitlines()[1:]} & {
        word for entry in backends_in(None).values() for word in entry.description.split()
    }
    assert len(recorded) == 5


def test_names_of_entries_do_not_shadow_kinds():
    assert set(RESERVED) == set(BACKENDS)


def test_a_users_file_adds_and_replaces(tmp_path: Path):
    path = tmp_path / "mine.toml"
    path.write_text(GOOD + '[ollama]\nmodel = "other"\nbase_url = "http://localhost:1/v1/"\n')
    found = backends_in(path)
    assert found["mine"].model == "m"
    assert found["ollama"] == BackendEntry(model="other", base_url="http://localhost:1/v1")
    assert found["ollama"].sampling == Sampling(), "an entry is replaced as a whole"
    assert "vllm" in found
    assert "mine" in backend_names(BackendOptions(backends_file=path))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (GOOD + "concurency = 2\n", ["'mine'", "'concurency'", "did you mean 'concurrency'?"]),
        (GOOD + "sampling = { temprature = 0 }\n", ["'sampling.temprature'", "did you mean 'temperature'?"]),
        (GOOD + "price = { input = 1, outptu = 2 }\n", ["'mine'", "price"]),
        (GOOD + "zzz = 2\n", ["'zzz'", "known: model, base_url"]),
        (GOOD + 'protocol = "tool"\n', ["protocol", "'json' or 'tools'"]),
        (GOOD + "concurrency = 0\n", ["concurrency", "greater than or equal to 1"]),
        (GOOD + 'sampling = { temperature = "hot" }\n', ["sampling.temperature"]),
        (GOOD + 'api_key_env = "sk-abc-123"\n', ["api_key_env", "name of an environment variable"]),
        (GOOD + 'extra_body = { model = "x" }\n', ["extra_body", "'model'"]),
        ('[mine]\nmodel = "m"\n', ["'mine'", "'base_url' is missing"]),
        ('[mine]\nmodel = "m"\nbase_url = "localhost:80"\n', ["base_url", "http://localhost:8000/v1"]),
        ('[openai]\nmodel = "m"\nbase_url = "http://x/v1"\n', ["'openai'", "another kind"]),
        ('["a b"]\nmodel = "m"\nbase_url = "http://x/v1"\n', ["'a b'"]),
        ('[v1.5]\nmodel = "m"\nbase_url = "http://x/v1"\n', ["'v1'", 'is quoted: ["v1.5"]']),
        (GOOD + "sampilng = { seed = 0 }\n", ["unknown key 'sampilng'; did you mean 'sampling'?"]),
        ('model = "m"\n', ["'model'", "[NAME]"]),
        ("[mine\n", ["not valid TOML"]),
    ],
)
def test_a_mistake_in_the_file_is_refused_in_one_sentence(text: str, words: list[str]):
    with pytest.raises(ConfigurationError) as caught:
        entries(text, "mine.toml")
    message = str(caught.value)
    assert message.startswith("mine.toml: ")
    assert "\n" not in message
    for word in words:
        assert word in message, message
    assert "sk-abc" not in message


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read(tmp_path: Path, content: bytes | None):
    path = tmp_path / "none.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"none\.toml: "):
        backends_in(path)


@pytest.mark.parametrize(
    "url",
    [
        "localhost:8000/v1",
        "ftp://localhost/v1",
        "http:///v1",
        "http://user:secret-password@localhost/v1",
        "http://localhost/v1?api-key=secret-password",
        "http://localhost/v1/chat/completions",
        "http://localhost:99999/v1",
        "http://local host/v1",
        "http://[::1/v1",
        "",
    ],
)
def test_a_bad_base_url_is_refused_without_repeating_it(url: str):
    with pytest.raises(ValidationError) as caught:
        BackendOptions(base_url=url)
    assert "secret-password" not in caught.value.errors(include_input=False)[0]["msg"]


def test_openai_models_take_their_endpoint_and_key_from_the_options(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (local,) = backends_named("openai:my/model:7b", BackendOptions(base_url="http://localhost:1/v1/"))
    assert isinstance(local, LLMBackend)
    assert (local.name, local.model, local.concurrency) == ("openai:my/model:7b", "my/model:7b", 4)
    assert local.entry.api_key_env is None, "OpenAI's key is sent to nobody else"
    assert local.config() == {
        "kind": "openai",
        "model": "my/model:7b",
        "endpoint": "http://localhost:1/v1",
        "protocol": "json",
        "format": 2,
        "structured": "auto",
        "sampling": {"temperature": 0.0},
        "extra_body": {},
    }
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        backends_named("openai:gpt")
    with pytest.raises(ConfigurationError, match="needs a model"):
        backends_named("openai")


def test_protocols_chosen_on_the_command_line_are_part_of_the_name():
    options = BackendOptions(protocols=("json", "tools"))
    assert [b.name for b in backends_named("vllm", options)] == ["vllm", "vllm+tools"]
    assert [b.config()["protocol"] for b in backends_named("vllm:Org/M", options)] == ["json", "tools"]
    assert [b.name for b in backends_named("vllm:Org/M", options)] == ["vllm:Org/M", "vllm:Org/M+tools"]
    assert [b.model for b in backends_named("vllm:Org/M")] == ["Org/M"]
    assert [b.name for b in backends_named("oracle", options)] == ["oracle"]


def test_an_unknown_backend_lists_the_known_ones():
    with pytest.raises(ConfigurationError) as caught:
        backends_named("lamacpp")
    message = str(caught.value)
    assert "did you mean 'llamacpp'?" in message
    assert "oracle, random, first, lexical, " in message
    assert all(name in message for name in BACKENDS)


def test_a_missing_key_is_found_when_the_backend_is_made(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("OPENROUTER_API_KEY", raising=False)
    with pytest.raises(ConfigurationError, match="'OPENROUTER_API_KEY' is not set"):
        backends_named("nova-2-lite")
    monkeypatch.setenv("OPENROUTER_API_KEY", "two words\u00e9")
    with pytest.raises(ConfigurationError, match="'OPENROUTER_API_KEY' holds") as caught:
        backends_named("nova-2-lite")
    assert "words" not in str(caught.value)


def test_a_key_given_for_a_variables_name_is_not_repeated():
    with pytest.raises(ConfigurationError) as caught:
        backends_named("openai:m", BackendOptions(api_key_env="a1b2c3d4e5f6"))
    assert "a1b2" not in str(caught.value)


def test_sampling_leaves_out_what_is_not_set_and_gives_each_trial_its_seed():
    assert Sampling().request() == {"temperature": 0.0}
    assert Sampling(temperature=None).request() == {}
    assert Sampling.model_validate({"temperature": "default", "top_p": 0.5}).request() == {"top_p": 0.5}
    assert [Sampling(seed=7).request(trial)["seed"] for trial in range(3)] == [7, 8, 9]


def test_prices():
    assert Price(input=1, output=10).of(1_000_000, 100_000) == 2.0
    assert Price(input=1, output=10, cached_input=0.1).of(1_000_000, 0, cached=500_000) == 0.55
