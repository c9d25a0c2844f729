"""A chat completions server for tests: answers what a function says, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

Body = dict[str, object]
Answer = Callable[[Body], "Body | tuple[int, object]"]


def completion(content: str | None = None, **message: object) -> Body:
    """A chat completion with one message, as servers send it."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "stub",
        "choices": [
            {
                "index": 0,
                "finish_reason": message.pop("finish_reason", "stop"),
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


def tool_calls(*calls: tuple[str, object]) -> Body:
    """A chat completion that calls tools; arguments that are no text are written as JSON."""
    return completion(
        finish_reason="tool_calls",
        tool_calls=[
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments),
                },
            }
            for number, (name, arguments) in enumerate(calls)
        ],
    )


class StubServer:
    """A server on a free port of this machine, for the length of a ``with`` block.

    Args:
        answer: what to answer to a request's body: a completion, or a status and a body (JSON, or text as it is). An
            exception in it closes the connection without an answer.

    Attributes:
        url: base URL, as backends take it.
        requests: bodies of the requests so far.
        headers: their headers, by lower-case name.
        paths: their paths.
    """

    def __init__(self, answer: Answer) -> None:
        self.requests: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                stub.requests.append(body)
                stub.headers.append({name.lower(): value for name, value in self.headers.items()})
                stub.paths.append(self.path)
                try:
                    result = answer(body)
                except Exception:
                    self.close_connection = True
                    return
                status, content = result if isinstance(result, tuple) else (200, result)
                is_text = isinstance(content, str)
                data = (content if is_text else json.dumps(content)).encode()
                with suppress(ConnectionError):  # the client may have gone
                    self.send_response(status)
                    self.send_header("Content-Type", "text/html" if is_text else "application/json")
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> StubServer:
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
