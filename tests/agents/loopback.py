"""A server on this machine that speaks OpenAI's chat completions, whole or as a stream, and says what a test wants."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Refusal:
    """An HTTP error with its message."""

    status: int
    message: str


Answer = str | Body | Refusal


class Loopback:
    """`said` gets each request's body and gives the answer. `bodies` are the requests it got."""

    def __init__(self, said: Callable[[Body], Answer], port: int = 0) -> None:
        self.bodies: list[Body] = []
        bodies = self.bodies

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                bodies.append(body)
                answer = said(body)
                if isinstance(answer, Refusal):
                    _send(self, answer.status, "application/json", json.dumps({"error": {"message": answer.message}}))
                    return
                text = answer if isinstance(answer, str) else json.dumps(answer)
                if body.get("stream"):
                    _send(self, 200, "text/event-stream", "".join(_events(text)))
                else:
                    _send(self, 200, "application/json", json.dumps(_whole(text)))

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)


@contextmanager
def serving(said: Callable[[Body], Answer], port: int = 0) -> Iterator[Loopback]:
    server = Loopback(said, port)
    try:
        yield server
    finally:
        server.stop()


def asked(body: Body) -> str:
    """All text of a request's messages."""
    return "\n".join(str(message.get("content") or "") for message in body["messages"])


def _send(handler: BaseHTTPRequestHandler, status: int, kind: str, text: str) -> None:
    data = text.encode()
    handler.send_response(status)
    handler.send_header("content-type", kind)
    handler.send_header("content-length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)


_HEAD = {"id": "1", "created": 1, "model": "local"}
_USAGE = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}


def _whole(text: str) -> Body:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "local",
        "choices": [choice],
        "usage": _USAGE,
    }


def _events(text: str) -> Iterator[str]:
    def event(delta: Body, reason: str | None, **more: Any) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        chunk = {
            "id": "1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "local",
            "choices": [choice],
        } | more
        return f"data: {json.dumps(chunk)}\n\n"

    yield event({"role": "assistant", "content": ""}, None)
    for start in range(0, len(text), 16):
        yield event({"content": text[start : start + 16]}, None)
    yield event({}, "stop", usage=_USAGE)
    yield "data: [DONE]\n\n"
