"""OpenAI messages: a list of `{role, content}`, `{messages: […]}`, JSON Lines of either, Responses input and output."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from brain.ingest import conversations
from brain.ingest.raw import RawSession, Skips
from brain.ingest.source import Head


class OpenAIMessages:
    name = "openai-messages"
    title = "OpenAI messages (JSON, JSON Lines)"
    where = "`{role, content}` lists, `{messages}`, one a line, Responses input and output"
    known_by = "the file's `id`, `response_id`…, else file name and first exchange"
    times = "where a message has one"
    kept = "messages, system prompts, tool calls of the old and the new kind, results, refusals, pictures"
    dropped = (
        "reasoning (said to nobody); audio without a transcript (a marker stays); usage and model names (not speech)"
    )

    def detect(self, head: Head) -> int:
        return 30 if head.json and conversations.detect(head, lambda item: True) else 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        yield from conversations.sessions(path, self.name, skips)


FORMAT = OpenAIMessages()
