"""Anthropic messages: `{system, messages: [{role, content}]}` with content blocks, single, in arrays or JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from brain.ingest import conversations
from brain.ingest.raw import RawSession, Skips
from brain.ingest.source import Head

_BLOCKS = {
    "tool_use",
    "tool_result",
    "thinking",
    "redacted_thinking",
    "server_tool_use",
    "web_search_tool_result",
    "document",
    "image",
}


class AnthropicMessages:
    name = "anthropic-messages"
    title = "Anthropic messages (JSON, JSON Lines)"

    def detect(self, head: Head) -> int:
        return 40 if head.json and conversations.detect(head, _is_ours) else 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        yield from conversations.sessions(path, self.name, skips)


FORMAT = AnthropicMessages()


def _is_ours(item: dict[str, Any]) -> bool:
    """Marks that only Anthropic's API has: a system prompt beside the messages, its block types, its model names."""
    if "messages" in item and isinstance(item.get("system"), (str, list)) and item["system"]:
        return True
    if str(item.get("model", "")).startswith("claude") or (item.get("type") == "message" and "stop_reason" in item):
        return True
    content = item.get("content")
    return isinstance(content, list) and any(
        isinstance(block, dict) and block.get("type") in _BLOCKS for block in content
    )
