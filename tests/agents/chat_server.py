"""An OpenAI-compatible server on this machine whose models are functions: from a request to a text or to tool calls."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pydantic_ai.models import override_allow_model_requests

Payload = dict[str, Any]
Speaks = Callable[[Payload], "str | list[tuple[str, dict[str, Any]]]"]
"""From a request to a text, or to tool calls by name and arguments."""


@dataclass
class Loopback:
    """`asked` are the requests as they came in, by model."""

    url: str = ""
    asked: list[tuple[str, Payload]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)


@contextmanager
def serving(**models: Speaks) -> Iterator[Loopback]:
    """A server for these models until the block ends."""
    state = Loopback()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            payload = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.asked.append((payload["model"], payload))
            state.keys.add(self.headers.get("Authorization", ""))
            body = json.dumps(_reply(payload, models[payload["model"]](payload))).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with override_allow_model_requests(True), ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield state
        finally:
            server.shutdown()
            thread.join()


def _reply(payload: Payload, said: str | list[tuple[str, dict[str, Any]]]) -> Payload:
    message: Payload = {"role": "assistant", "content": said if isinstance(said, str) else None}
    if not isinstance(said, str):
        message["tool_calls"] = [
            {"id": f"call-{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
            for n, (name, args) in enumerate(said)
        ]
    reason = "stop" if isinstance(said, str) else "tool_calls"
    return {
        "id": "reply",
        "object": "chat.completion",
        "created": 0,
        "model": payload["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }
