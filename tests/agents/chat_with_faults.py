"""A chat server on loopback: OpenAI's API over real HTTP, whole or streamed, with faults on request."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from pydantic_ai.models import override_allow_model_requests
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

WORDS = "A sentence of a few words."


@dataclass
class Chat:
    """What the server was asked, and what it is to do: `faults` are taken one a request, then it answers.

    A fault is an HTTP status, "drop" (the connection breaks in the middle), or "overflow" as llama.cpp words it.
    """

    port: int
    faults: list[int | str] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    says: str = WORDS
    cached: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def chat(self, request: Request) -> Response:
        asked = await request.json()
        self.asked.append(asked)
        self.keys.append(request.headers.get("authorization", ""))
        fault = self.faults.pop(0) if self.faults else None
        if isinstance(fault, int):
            return JSONResponse({"error": {"message": f"fault {fault}", "code": fault}}, status_code=fault)
        if fault == "overflow":
            said = "the request exceeds the available context size, try increasing it"
            return JSONResponse(
                {"error": {"code": 400, "message": said, "type": "exceed_context_size_error"}}, status_code=400
            )
        if asked.get("stream"):
            return StreamingResponse(self._stream(breaks=fault == "drop"), media_type="text/event-stream")
        return JSONResponse(self._whole())

    def _usage(self) -> dict[str, Any]:
        return {
            "prompt_tokens": 100,
            "completion_tokens": 10,
            "total_tokens": 110,
            "prompt_tokens_details": {"cached_tokens": self.cached},
        }

    def _whole(self) -> dict[str, Any]:
        message = {"role": "assistant", "content": self.says}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return {
            "id": "r", "object": "chat.completion", "created": 0, "model": "local", "choices": [choice],
            "usage": self._usage(),
        }  # fmt: skip

    async def _stream(self, *, breaks: bool) -> AsyncIterator[bytes]:
        head = {"id": "r", "object": "chat.completion.chunk", "created": 0, "model": "local"}
        for at, word in enumerate(self.says.split(" ")):
            if breaks and at == 2:
                raise ConnectionError("broken in the middle, as asked")
            delta = {"role": "assistant", "content": word if at == 0 else f" {word}"}
            yield _event(head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        yield _event(head | {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        yield _event(head | {"choices": [], "usage": self._usage()})
        yield b"data: [DONE]\n\n"


def _event(data: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(data)}\n\n".encode()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def up(chat: Chat) -> Iterator[None]:
    """The server at the port of `chat`, until the block ends."""
    app = Starlette(routes=[Route("/v1/chat/completions", chat.chat, methods=["POST"])])
    config = uvicorn.Config(app, host="127.0.0.1", port=chat.port, log_level="critical", lifespan="off", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    with override_allow_model_requests(True):
        thread.start()
        while not server.started:
            thread.join(0.01)
            assert thread.is_alive(), "the server did not come up"
        try:
            yield
        finally:
            server.should_exit = True
            server.force_exit = True
            thread.join(10)


@contextmanager
def chatting() -> Iterator[Chat]:
    chat = Chat(port=free_port())
    with up(chat):
        yield chat
