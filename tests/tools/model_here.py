"""A model on this machine that searches memory once and repeats what it was told, in OpenAI's and Anthropic's words."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]


@contextmanager
def model_here() -> Iterator[str]:
    """Its address until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            whole = _message(body) if "messages" in self.path else _completion(body)
            streamed = body.get("stream", False)
            answer = _events(whole) if streamed else json.dumps(whole).encode()
            self.send_response(200)
            self.send_header("content-type", "text/event-stream" if streamed else "application/json")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def _asks(tools: list[str]) -> tuple[str, Body]:
    """What it asks of memory, by the tools that it has."""
    if "memory" in tools:
        return "memory", {"command": "view", "path": "/memories/knowledge/entities/nadia.md"}
    return "search", {"query": "figures"}


def _message(body: Body) -> Body:
    results = [
        one["content"] for turn in body["messages"] if isinstance(turn["content"], list)
        for one in turn["content"] if one["type"] == "tool_result"
    ]  # fmt: skip
    name, asked = _asks([tool["name"] for tool in body.get("tools", [])])
    content = {"type": "text", "text": _words(results[-1])} if results else {
        "type": "tool_use", "id": "toolu_1", "name": name, "input": asked,
    }  # fmt: skip
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": body["model"], "content": [content],
        "stop_reason": "end_turn" if results else "tool_use", "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 10},
    }  # fmt: skip


def _events(message: Body) -> bytes:
    """A message of Anthropic's as a stream of events."""
    (block,) = message["content"]
    text = block["type"] == "text"
    empty = {**block, "text": ""} if text else {**block, "input": {}}
    delta = (
        {"type": "text_delta", "text": block["text"]}
        if text
        else {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    )
    events: list[Body] = [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": message["stop_reason"], "stop_sequence": None},
            "usage": {"output_tokens": 10},
        },
        {"type": "message_stop"},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()


def _completion(body: Body) -> Body:
    results = [turn["content"] for turn in body["messages"] if turn["role"] == "tool"]
    name, asked = _asks([tool["function"]["name"] for tool in body.get("tools", [])])
    call = {"id": "call-1", "type": "function", "function": {"name": name, "arguments": json.dumps(asked)}}
    message: Body = {"role": "assistant", "content": _words(results[-1]) if results else None}
    if not results:
        message["tool_calls"] = [call]
    return {
        "id": "reply", "object": "chat.completion", "created": 0, "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": "stop" if results else "tool_calls"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20},
    }  # fmt: skip


def _words(content: Any) -> str:
    return content if isinstance(content, str) else "".join(one.get("text", "") for one in content)
