"""Services that fail, configurations that cannot work, and keys that must not be seen."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ebf_agents.llm.keys import ApiKey
from ebf_baselines import METHODS
from ebf_env.errors import ConfigurationError, EbfError, ServiceError
from ebf_env.evaluation.run_folder import RunFolder
from ebf_env.evaluation.runner import Plan, evaluate
from ebf_env.evaluation.scored import score_run
from ebf_env.scoring import Outcome
from ebf_env.tasks import Suite, write_suite
from tests.agents.llm_helpers import ACT, ask, backend_at, query_of
from tests.agents.stub_server import StubServer, completion, tool_calls

KEY = "sk-proj-Abc123Xyz789-secret"
VARIABLE = "EBF_TEST_KEY"


@pytest.fixture
def suite(tmp_path: Path, office_tasks) -> Suite:
    return write_suite(tmp_path / "office.jsonl", office_tasks)


def failure(backend, query) -> EbfError:
    with pytest.raises(EbfError) as caught:
        ask(backend, query)
    assert "\n" not in str(caught.value)
    return caught.value


def the_error(answer, query, **fields) -> EbfError:
    with StubServer(answer) as server:
        return failure(backend_at(server.url, **fields), query)


# --- services that fail ---


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_a_service_that_fails_is_an_error_without_a_verdict(resolvable, status):
    error = the_error(lambda _: (status, {"error": {"message": "overloaded"}}), query_of(resolvable))
    assert type(error) is ServiceError
    assert f"answered {status}: overloaded" in str(error)


def test_a_gateways_page_is_quoted_without_markup(resolvable):
    page = "<html><style>x{}</style><body><h1>502 Bad   Gateway</h1>" + "x " * 500
    error = the_error(lambda _: (502, page), query_of(resolvable))
    assert type(error) is ServiceError
    assert "answered 502: 502 Bad Gateway" in str(error)
    assert len(str(error)) < 320


def test_a_client_tries_again_and_says_how_often(resolvable):
    answers = iter([(503, {}), completion(ACT)])
    with StubServer(lambda _: next(answers)) as server:
        (answer,) = ask(backend_at(server.url, max_retries=1), query_of(resolvable))
    assert answer.usage["requests"] == len(server.requests) == 2


def test_no_connection(resolvable):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    error = failure(backend_at(f"http://127.0.0.1:{port}/v1"), query_of(resolvable))
    assert type(error) is ServiceError
    assert f"http://127.0.0.1:{port}/v1 cannot be reached" in str(error)


def test_a_connection_that_breaks(resolvable):
    def hang_up(_):
        raise RuntimeError

    assert type(the_error(hang_up, query_of(resolvable))) is ServiceError


def test_a_timeout(resolvable):
    error = the_error(lambda _: time.sleep(0.5) or completion(ACT), query_of(resolvable), timeout=0.1)
    assert type(error) is ServiceError
    assert "did not answer within 0.1 s" in str(error)


def test_an_error_that_comes_with_200(resolvable):
    body = {"error": {"message": "Provider returned error", "code": 502}}
    assert type(the_error(lambda _: body, query_of(resolvable))) is ServiceError
    body = {"error": {"message": "No auth credentials found", "code": 401}}
    assert type(the_error(lambda _: body, query_of(resolvable))) is ConfigurationError


def test_a_prompt_that_is_too_long_concerns_one_run(resolvable):
    message = "This model's maximum context length is 4096 tokens; reduce the messages or max_tokens"
    with StubServer(lambda _: (400, {"error": {"message": message}})) as server:
        error = failure(backend_at(server.url), query_of(resolvable))
    assert type(error) is ServiceError
    assert len(server.requests) == 1


# --- configurations that cannot work ---


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key(resolvable, status, monkeypatch):
    monkeypatch.setenv(VARIABLE, KEY)
    error = the_error(lambda _: (status, {"error": {"message": "no"}}), query_of(resolvable), api_key_env=VARIABLE)
    assert type(error) is ConfigurationError
    assert VARIABLE in str(error)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (404, {"error": {"message": "The model `stub-1` does not exist", "code": "model_not_found"}}),
        (404, {"error": {"message": 'model "stub-1" not found, try pulling it first'}}),
        (404, {"type": "error", "error": {"type": "not_found_error", "message": "model: stub-1"}}),
        (400, {"error": {"message": "stub-1 is not a valid model ID", "code": 400}}),
        (400, {"object": "error", "message": "Unknown model", "param": "model"}),
    ],
)
def test_an_unknown_model(resolvable, status, body):
    with StubServer(lambda _: (status, body)) as server:
        error = failure(backend_at(server.url), query_of(resolvable))
    assert type(error) is ConfigurationError
    assert "does not know the model 'stub-1'" in str(error)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("<!doctype html><title>Hello</title>", "answers with a web page; is the base URL right?"),
        ("pong", "something that is no chat completion"),
        ({"hello": 1}, "something that is no chat completion"),
        ({"choices": []}, "something that is no chat completion"),
        ({"choices": [{"text": "x"}]}, "something that is no chat completion"),
        ([1], "something that is no chat completion"),
        ((404, "404 page not found"), "no chat completions endpoint"),
        ((405, {"detail": "Method Not Allowed"}), "no chat completions endpoint"),
        ((404, {"detail": "Not Found"}), "answered 404: Not Found"),
    ],
)
def test_an_endpoint_that_is_none(resolvable, answer, words):
    result = answer if isinstance(answer, tuple) else (200, answer)
    error = the_error(lambda _: result, query_of(resolvable))
    assert type(error) is ConfigurationError
    assert words in str(error)


def test_an_endpoint_that_has_answered_before_is_taken_at_its_word(resolvable):
    answers = iter([completion(ACT), (200, "<html>maintenance</html>")])
    with StubServer(lambda _: next(answers)) as server, pytest.raises(ServiceError, match="a web page"):
        ask(backend_at(server.url), query_of(resolvable), query_of(resolvable))


def test_a_parameter_that_the_model_refuses(resolvable):
    with StubServer(lambda _: (400, {"error": {"message": "`temperature` is deprecated for this model."}})) as server:
        error = failure(backend_at(server.url), query_of(resolvable))
    assert type(error) is ConfigurationError
    assert "`temperature` is deprecated" in str(error)
    assert len(server.requests) == 1


def test_a_form_that_was_asked_for_and_is_refused(resolvable):
    refused = (400, {"error": {"message": "response_format is not supported"}})
    error = the_error(lambda _: refused, query_of(resolvable), structured="json_schema")
    assert type(error) is ConfigurationError


def test_what_every_form_meets_is_not_about_the_form(resolvable):
    answers = iter(range(10))
    with StubServer(lambda _: (400, {"error": {"message": f"odd input {next(answers)}"}})) as server:
        error = failure(backend_at(server.url), query_of(resolvable))
    assert type(error) is ServiceError
    assert "odd input 0" in str(error)
    assert len(server.requests) == 3


# --- whole runs ---


def test_a_run_with_both_protocols(tmp_path, suite):
    """Concurrent requests of two backends, and nothing left open (warnings are errors here)."""

    def answer(body):
        return tool_calls(("send_email", {"recipient": "p2"})) if "tools" in body else completion(ACT)

    with StubServer(answer) as server:
        backends = [backend_at(server.url, protocol=name, concurrency=3) for name in ("json", "tools")]
        backends[1].name = "stub+tools"
        plan = Plan(suite, [(METHODS["direct"], backend) for backend in backends])
        run = evaluate(plan, tmp_path / "run")
        again = evaluate(plan, tmp_path / "again")
    assert len(server.requests) == 20
    scored = score_run(run)
    assert {(r.record.backend, r.record.task_id): r.verdict.outcome for r in scored}["stub+tools", "task-1"] is (
        Outcome.SUCCESS
    )
    assert [r.substance() for r in sorted(run.records(), key=lambda r: r.key)] == [
        r.substance() for r in sorted(again.records(), key=lambda r: r.key)
    ]


def test_a_wrong_configuration_ends_the_run(tmp_path, suite):
    with StubServer(lambda _: (401, {"error": {"message": "no"}})) as server:
        plan = Plan(suite, [(METHODS["direct"], backend_at(server.url))])
        with pytest.raises(ConfigurationError, match="answered 401"):
            evaluate(plan, tmp_path / "run")
    assert not RunFolder.open(tmp_path / "run").records()


def test_failed_runs_are_tried_again(tmp_path, suite):
    numbers = iter(range(100))
    lock = threading.Lock()

    def answer(_):
        with lock:
            return (503, {}) if next(numbers) in (1, 3) else completion(ACT)

    with StubServer(answer) as server:
        plan = Plan(suite, [(METHODS["direct"], backend_at(server.url, concurrency=1))])
        first = evaluate(plan, tmp_path / "run")
        assert sum(r.error is not None for r in first.records()) == 2
        assert sum(r.error is not None for r in evaluate(plan, tmp_path / "run").records()) == 0


# --- keys ---


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (f"Incorrect API key provided: {KEY}.", "Incorrect API key provided: [key]."),
        ("Incorrect API key provided: sk-proj-****cret", "Incorrect API key provided: [key]"),
        ("bad token sk-proj-Abc1...", "bad token [key]"),
        ("key '***********cret' is wrong", "key '[key]' is wrong"),
        (f"Bearer {KEY} and x{KEY}y", "Bearer [key] and x[key]y"),
        ("the model sk is unknown", "the model sk is unknown"),
    ],
)
def test_what_a_server_says_is_shown_without_the_key(said, shown):
    assert ApiKey(KEY).redact(said) == shown
    assert ApiKey().redact(said) == said


def test_a_key_is_not_in_a_repr():
    assert KEY not in repr(ApiKey(KEY))


def test_a_short_key_hides_no_other_words():
    assert ApiKey("abc").redact("abc abd abcdef") == "[key] abd [key]def"


ECHOES = {
    "401": (401, {"error": {"message": f"Incorrect API key provided: {KEY} (sk-proj-********cret)"}}),
    "500": (500, f"<pre>Authorization: Bearer {KEY}</pre>"),
    "400": (400, {"error": {"message": f"bad request by {KEY[:12]}..."}}),
    "200 html": (200, f"<html>{KEY}</html>"),
    "200 answer": completion(f'{{"decision":"DEFER","reason":"{KEY}"}}', finish_reason=KEY),
    "200 call": tool_calls(("defer", {"reason": KEY})),
}


@pytest.mark.parametrize("kind", ECHOES)
@pytest.mark.parametrize("protocol", ["json", "tools"])
def test_a_key_that_a_server_repeats_is_in_no_file_and_no_message(tmp_path, suite, monkeypatch, caplog, kind, protocol):
    monkeypatch.setenv(VARIABLE, KEY)
    caplog.set_level("DEBUG")
    with StubServer(lambda _: ECHOES[kind]) as server:
        backend = backend_at(server.url, api_key_env=VARIABLE, protocol=protocol)
        shown = [repr(backend), repr(backend.config()), str(vars(backend))]
        try:
            evaluate(Plan(suite, [(METHODS["direct"], backend)]), tmp_path / "run")
        except EbfError as error:
            reached: BaseException | None = error
            while reached is not None:
                shown.append(repr(reached) + str(reached) + repr(vars(reached)))
                reached = reached.__cause__ or reached.__context__
    assert all(h["authorization"] == f"Bearer {KEY}" for h in server.headers)
    written = [path.read_bytes().decode("utf-8", "replace") for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert written
    for text in [*shown, *written, caplog.text]:
        assert KEY[:8] not in text
        assert "secret" not in text


# --- the command ---


def ebf(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ebf_env.cli.app", "evaluate", "starter", "--limit", "3", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={"PATH": "/usr/bin:/bin", "NO_COLOR": "1", **environment},
    )


def test_the_command_evaluates_a_model_in_both_protocols(tmp_path):
    def answer(body):
        return tool_calls(("defer", {"reason": "no_referent"})) if "tools" in body else completion(ACT)

    with StubServer(answer) as server:
        done = ebf(
            *("-b", "oracle,openai:org/model:7b", "--protocol", "json,tools", "--base-url", server.url),
            *("--api-key-env", VARIABLE, "-o", str(tmp_path / "run")),
            **{VARIABLE: KEY},
        )
    assert done.returncode == 0, done.stderr
    assert "openai:org/model:7b+tools" in done.stdout
    assert len(server.requests) == 6
    assert all(h["authorization"] == f"Bearer {KEY}" for h in server.headers)
    for text in [
        done.stdout,
        done.stderr,
        *(p.read_bytes().decode("latin-1") for p in (tmp_path / "run").rglob("*.json*")),
    ]:
        assert KEY[:8] not in text


def test_the_command_reads_a_file_of_backends(tmp_path):
    with StubServer(lambda _: completion(ACT)) as server:
        path = tmp_path / "mine.toml"
        path.write_text(f'[mine]\nmodel = "m"\nbase_url = "{server.url}"\nconcurrency = 2\n')
        done = ebf("-b", "mine,mine:other", "--backends", str(path), "-o", str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    assert {r["model"] for r in server.requests} == {"m", "other"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-b", "openai:m"), "OPENAI_API_KEY"),
        (("-b", "openai:m", "--base-url", "localhost"), "--base-url: expected a base URL"),
        (
            ("-b", "openai:m", "--base-url", "http://x/v1", "--api-key-env", "sk-123"),
            "--api-key-env: expected the name",
        ),
        (("-b", "openai:m", "--base-url", "http://x/v1", "--protocol", "jsn"), "--protocol: input should be"),
        (("-b", "oracle", "--base-url", "http://x/v1"), "--base-url goes with --backend openai:MODEL"),
        (("-b", "nova-2-light"), "did you mean 'nova-2-lite'?"),
        (("-b", "oracle", "--backends", "/nonexistent.toml"), "/nonexistent.toml: "),
    ],
)
def test_the_command_refuses_what_cannot_work_in_one_sentence(tmp_path, arguments, words):
    done = ebf(*arguments, "-o", str(tmp_path / "run"))
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert words in done.stderr
    assert "sk-123" not in done.stderr
    assert not (tmp_path / "run").exists(), "found before anything is written"


def test_the_command_ends_with_one_sentence_where_the_service_refuses_the_key(tmp_path):
    with StubServer(lambda _: ECHOES["401"]) as server:
        done = ebf(
            *("-b", "openai:m", "--base-url", server.url, "--api-key-env", VARIABLE, "-o", str(tmp_path / "run")),
            **{VARIABLE: KEY},
        )
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert "answered 401" in done.stderr
    assert KEY[:8] not in done.stderr + done.stdout
