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

    def detect(self, head: Head) -> int:
        return 30 if head.json and conversations.detect(head, lambda item: True) else 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        yield from conversations.sessions(path, self.name, skips)


FORMAT = OpenAIMessages()
