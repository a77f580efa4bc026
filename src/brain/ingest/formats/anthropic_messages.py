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
    where = "`{system, messages}`, one a line, in arrays, or requests beside their responses"
    known_by = "the file's `id`, `custom_id`…, else file name and first exchange"
    times = "where a message has one"
    kept = "messages, system prompts, tool calls with their results, documents, pictures"
    dropped = "thinking (said to nobody, partly encrypted); usage and model names (not speech)"

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
        isinstance(block, dict) and str(block.get("type")) in _BLOCKS for block in content
    )
