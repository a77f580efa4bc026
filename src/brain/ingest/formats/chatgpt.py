"""ChatGPT data export: conversations.json or its shards conversations-000.json…, or one saved conversation.

Each conversation is a tree of messages; the branch that ends in `current_node` is the conversation. Conversations are
parsed one at a time, so an export of any size is read in the memory of its longest one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from brain.ingest.blocks import Call, Result, arguments_text
from brain.ingest.messages import Speaking
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.source import Head, items, mostly, text_of
from brain.ingest.times import read_time
from brain.types import Trust

_HIDDEN = ("is_visually_hidden_from_conversation", "is_visually_hidden")
_GLYPHS = re.compile(r"[\ue200\ue203-\ue206]([a-z_]+)(?:\ue202([^\ue200-\ue206]*))*[\ue201]?")
_STRAY = re.compile(r"[\ue200-\ue206]")
_BRACKET = re.compile(r"【\d+(?::\d+)?†[^】\n]{0,120}】")
_EXTERNAL = {"tether_quote", "tether_browsing_display", "sonic_webpage", "citable_code_output"}


class ChatGPT:
    name = "chatgpt"
    title = "ChatGPT data export"
    where = "`conversations.json`, its shards `conversations-000.json`…, or one saved conversation"
    known_by = "`conversation_id`"
    times = "each message, UTC"
    kept = (
        "the branch that was open last, tool calls and what came back, citations as links, custom instructions "
        "(as `system`), transcriptions of voice"
    )
    dropped = (
        "other branches (edits and regenerations, taken back); hidden messages and context (nobody saw them); "
        "thoughts (said to nobody); memories brought in (they would be learned again); recordings (their words "
        "are kept); chats marked not to be remembered (as their owner asked)"
    )

    def detect(self, head: Head) -> int:
        if head.json == "array" and not head.records:
            return 0
        for record in head.records[:3]:
            if _mapping(record) is not None:
                return 95
            if (
                head.json == "array"
                and record.keys() >= {"title", "create_time"}
                and record.keys() & {"current_node", "conversation_id"}
            ):
                return 80
            listed = record.get("conversations")
            if isinstance(listed, list) and listed and isinstance(listed[0], dict) and _mapping(listed[0]) is not None:
                return 95
        return 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        for position, item in _conversations(path, skips):
            place = f"conversation {position}"
            if not isinstance(item, dict):
                skips.damage("not a conversation", place)
                continue
            mapping = _mapping(item)
            if mapping is None:
                skips.damage("conversation has no mapping", f"{place} ({text_of(item.get('title')) or 'untitled'})")
                continue
            body = item if isinstance(item.get("mapping"), dict) else _inner(item)
            if body.get("is_do_not_remember") is True:
                skips.leave("chat marked not to be remembered")
                continue
            named = text_of(body.get("conversation_id")) or text_of(body.get("id")) or _first_id(mapping)
            yield RawSession(
                source=self.name,
                external_id=named,
                turns=_speak(body, mapping, skips),
                title=text_of(body.get("title")),
                started_at=read_time(body.get("create_time")),
                place=f"{place} ({text_of(body.get('title')) or named})",
            )


FORMAT = ChatGPT()


def _conversations(path: Path, skips: Skips) -> Iterator[tuple[int, Any]]:
    alone = Head.of(path).json not in ("array", "lines")
    for position, item in items(path, skips):
        listed = item.get("conversations") if alone and isinstance(item, dict) else None
        yield from enumerate(listed, start=1) if isinstance(listed, list) else [(position, item)]


def _mapping(item: dict[str, Any]) -> dict[str, Any] | None:
    mapping = (item if isinstance(item.get("mapping"), dict) else _inner(item)).get("mapping")
    if not isinstance(mapping, dict):
        return None
    nodes = list(mapping.values())[:5]
    return mapping if not nodes or mostly(nodes, _is_node) else None


def _is_node(node: Any) -> bool:
    return isinstance(node, dict) and bool(node.keys() & {"message", "parent", "children"})


def _inner(item: dict[str, Any]) -> dict[str, Any]:
    """The conversation inside a wrapper, as browser tools save it."""
    return next((v for v in item.values() if isinstance(v, dict) and isinstance(v.get("mapping"), dict)), item)


def _first_id(mapping: dict[str, Any]) -> str:
    return next(
        (key for key, node in mapping.items() if isinstance(node, dict) and node.get("message")),
        next(iter(mapping), "empty"),
    )


def _branch(item: dict[str, Any], mapping: dict[str, Any]) -> list[dict[str, Any]]:
    """Nodes from the root to the current node; without one, to the deepest leaf (of equals, the last written)."""
    parents = {key: _parent(node) for key, node in mapping.items()}
    for key, node in mapping.items():
        children = node.get("children") if isinstance(node, dict) else None
        for child in children if isinstance(children, list) else ():
            if isinstance(child, str) and parents.get(child, "") is None:
                parents[child] = key
    current = item.get("current_node")
    if not isinstance(current, str) or current not in mapping:
        inner = {parent for parent in parents.values() if parent}
        leaves = [key for key in mapping if key not in inner] or list(mapping)
        depths = {key: len(_path(key, parents)) for key in leaves}
        current = max(leaves, key=lambda leaf: depths[leaf]) if leaves else None
        best = depths.get(current or "", 0)
        current = next((leaf for leaf in reversed(leaves) if depths[leaf] == best), current)
    return [mapping[key] for key in reversed(_path(current, parents)) if isinstance(mapping.get(key), dict)]


def _path(at: str | None, parents: dict[str, str | None]) -> list[str]:
    path: list[str] = []
    seen: set[str] = set()
    while at is not None and at in parents and at not in seen:
        seen.add(at)
        path.append(at)
        at = parents[at]
    return path


def _parent(node: Any) -> str | None:
    parent = node.get("parent") if isinstance(node, dict) else None
    return parent if isinstance(parent, str) else None


def _speak(item: dict[str, Any], mapping: dict[str, Any], skips: Skips) -> Iterator[RawTurn]:
    branch = _branch(item, mapping)
    spoken = sum(1 for node in mapping.values() if isinstance(node, dict) and isinstance(node.get("message"), dict))
    skips.leave("other branch", spoken - sum(isinstance(node.get("message"), dict) for node in branch))
    odd = [
        key
        for key, node in mapping.items()
        if not _is_node(node) or not isinstance(node.get("message"), (dict, type(None)))
    ]
    for key in odd:
        skips.damage("node of the tree is no message", f"node {str(key)[:40]}")
    speaking = Speaking(skips)
    for node in branch:
        message = node.get("message")
        if isinstance(message, dict):
            try:
                yield from _message(message, speaking)
            except (TypeError, ValueError, AttributeError, KeyError) as error:
                skips.damage(
                    f"message does not read ({type(error).__name__})", f"message {str(message.get('id'))[:40]}"
                )


def _message(message: dict[str, Any], speaking: Speaking) -> Iterator[RawTurn]:
    author = message.get("author") if isinstance(message.get("author"), dict) else {}
    assert isinstance(author, dict)
    role = author.get("role") or message.get("role")
    metadata = message.get("metadata") if isinstance(message.get("metadata"), dict) else {}
    content = message.get("content")
    content = content if isinstance(content, dict) else {"content_type": "text", "parts": [content]}
    kind = text_of(content.get("content_type")) or "text"
    time = read_time(message.get("create_time"))
    origin = text_of(message.get("id"))
    assert isinstance(metadata, dict)
    if kind == "user_editable_context":
        yield from _instructions(content, time, speaking)
        return
    if kind in ("model_editable_context", "model_set_context"):
        speaking.skips.leave("recalled memory")
        return
    if kind in ("thoughts", "reasoning_recap"):
        speaking.skips.leave("reasoning")
        return
    hidden = (
        any(metadata.get(key) is True for key in _HIDDEN)
        or metadata.get("is_user_system_message")
        or message.get("weight") == 0
    )
    if hidden and role != "tool":
        speaking.skips.leave("hidden message")
        return
    text = _resolve(_content(content, kind, speaking.skips), metadata)
    names = [a.get("name") for a in metadata.get("attachments") or () if isinstance(a, dict) and text_of(a.get("name"))]
    text = "\n".join([text, *(f"[file: {name}]" for name in names)]).strip() if names else text
    tool = text_of(message.get("recipient"))
    if role == "user":
        yield from speaking.user(text, time, origin=origin)
    elif role == "assistant" and tool not in (None, "all"):
        arguments = text if text.lstrip().startswith("{") else ""
        body = arguments_text(arguments) if arguments else arguments_text({"input": text})
        yield from speaking.call(Call(id=None, name=str(tool), arguments=body), time, origin=origin)
    elif role == "assistant":
        yield from speaking.assistant(text, time, origin=origin)
    elif role == "tool":
        result = Result(id=None, text=text, name=text_of(author.get("name")), error=kind == "system_error")
        trust = Trust.EXTERNAL if kind in _EXTERNAL else None
        yield from speaking.result(result, time, trust=trust, origin=origin)
    elif role == "system":
        yield from speaking.system(text, time)
    else:
        speaking.skips.damage(f"author role {role!r} is not known", f"message {origin}")


def _instructions(content: dict[str, Any], time: datetime | None, speaking: Speaking) -> Iterator[RawTurn]:
    """The user's custom instructions come as a user's message of every chat: kept, as what they are."""
    given = [str(content[key]).strip() for key in ("user_profile", "user_instructions") if text_of(content.get(key))]
    yield from speaking.system("\n\n".join(given), time, name="custom-instructions")


def _content(content: dict[str, Any], kind: str, skips: Skips) -> str:
    texts: list[str] = []
    listed = content.get("parts")
    for part in listed if isinstance(listed, list) else ():
        text = part if isinstance(part, str) else _asset(part, skips) if isinstance(part, dict) else ""
        if text:
            texts.append(text)
    if not texts:
        for key in ("text", "result", "content"):
            if text_of(content.get(key)):
                texts.append(str(content[key]))
                break
    if kind in _EXTERNAL:
        source = " · ".join(str(content[key]) for key in ("title", "url") if text_of(content.get(key)))
        texts = [source, *texts] if source else texts
    if not texts and kind not in ("text", "multimodal_text", "code", "execution_output"):
        skips.leave(f"content of kind {str(kind)[:40]!r}")
    return "\n\n".join(texts)


def _asset(part: dict[str, Any], skips: Skips) -> str:
    kind = str(part.get("content_type") or "")
    if kind == "audio_transcription" or (not kind and text_of(part.get("text"))):
        return str(part.get("text") or "")
    if "image" in kind:
        return "[image]"
    if "audio" in kind or "video" in kind:
        skips.leave("recording (its transcription is kept)")
        return ""
    return str(part.get("text") or "")


def _resolve(text: str, metadata: dict[str, Any]) -> str:
    """Citation glyphs as links to what they cite, where the message says; else without a trace."""
    if "\ue200" not in text and "【" not in text and "\ue203" not in text:
        return text
    for start, end, link in sorted(_cited(text, metadata), reverse=True):
        text = text[:start] + link + text[end:]
    for reference in metadata.get("content_references") or ():
        if isinstance(reference, dict) and text_of(reference.get("matched_text")) and reference["matched_text"].strip():
            shown = text_of(reference.get("alt")) or _link(reference) or ""
            text = text.replace(str(reference["matched_text"]), shown)
    return _STRAY.sub("", _GLYPHS.sub("", _BRACKET.sub("", text)))


def _cited(text: str, metadata: dict[str, Any]) -> Iterator[tuple[int, int, str]]:
    """Old citations name their place in the text by offsets."""
    for cited in metadata.get("citations") or ():
        if not isinstance(cited, dict) or not isinstance(cited.get("metadata"), dict):
            continue
        start, end = cited.get("start_ix"), cited.get("end_ix")
        if (
            isinstance(start, int)
            and isinstance(end, int)
            and text[start : start + 1] == "【"
            and text[end - 1 : end] == "】"
        ):
            yield start, end, _link(cited["metadata"]) or ""


def _link(reference: dict[str, Any]) -> str | None:
    items = reference.get("items")
    first = items[0] if isinstance(items, list) and items and isinstance(items[0], dict) else reference
    url, title = text_of(first.get("url")), text_of(first.get("title"))
    return f" ([{title or url}]({url}))" if url else None
