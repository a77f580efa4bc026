"""Message content in the shapes the model APIs write it: a string, one block, or a list of blocks."""

from __future__ import annotations

import base64
import binascii
import json
import re
from dataclasses import dataclass
from typing import Any

from brain.ingest.raw import RawFile, Skips

_TEXT = {"text", "input_text", "output_text", "Text", "refusal", "summary_text", "markdown"}
_IMAGE = {"image", "image_url", "input_image", "image_file", "localImage", "local_image", "LocalImage"}
_AUDIO = {"input_audio", "audio", "output_audio"}
_DOCUMENT = {"document", "file", "input_file", "resource", "resource_link", "container_upload"}
_THOUGHT = {"thinking", "redacted_thinking", "reasoning", "reasoning_text", "encrypted_content"}
_CALL = {"tool_use", "server_tool_use", "mcp_tool_use", "tool_call", "function_call"}
_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+)?(?:;[\w=.+-]+)*?;base64,", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call inside an assistant's message. `arguments` is JSON text."""

    id: str | None
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a tool gave back inside a message."""

    id: str | None
    text: str
    files: tuple[RawFile, ...] = ()
    name: str | None = None
    error: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A run of text in a message, with the pictures in it."""

    text: str
    files: tuple[RawFile, ...] = ()


def parts(content: Any, skips: Skips) -> list[Said | Call | Result]:
    """The pieces of a message in order: neighbouring texts joined, thoughts left out and counted."""
    found: list[Said | Call | Result] = []
    for block in content if isinstance(content, list) else [content]:
        part = _part(block, skips)
        if isinstance(part, Said) and found and isinstance(found[-1], Said):
            last = found[-1]
            joined = "\n\n".join(text for text in (last.text, part.text) if text)
            found[-1] = Said(text=joined, files=last.files + part.files)
        elif part is not None:
            found.append(part)
    return found


def said(content: Any, skips: Skips) -> Said:
    """The text of some content, with markers where pictures and files stood."""
    texts: list[str] = []
    files: tuple[RawFile, ...] = ()
    for part in parts(content, skips):
        if isinstance(part, Call):
            texts.append(fenced(part.arguments))
        elif part.text:
            texts.append(part.text)
        if not isinstance(part, Call):
            files += part.files
    return Said(text="\n\n".join(texts), files=files)


def fenced(arguments: str) -> str:
    """Tool arguments as the transcript holds them: a fenced JSON block, its fence longer than any inside."""
    longest = max((len(run) for run in re.findall(r"`{3,}", arguments)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}json\n{arguments}\n{fence}"


def arguments_text(value: Any) -> str:
    """Arguments given as an object or as a JSON string, as indented JSON; other text as {"input": text}."""
    if isinstance(value, str):
        try:
            parsed = json.loads(value, strict=False) if value.strip() else {}
        except (ValueError, RecursionError):
            parsed = {"input": value}
        value = parsed if isinstance(parsed, (dict, list)) else {"input": value}
    if value is None:
        value = {}
    return json.dumps(value, ensure_ascii=False, indent=1, default=str)


def _part(block: Any, skips: Skips) -> Said | Call | Result | None:
    if block is None or block == "":
        return None
    if isinstance(block, str):
        return Said(text=block)
    if isinstance(block, list):
        return said(block, skips)
    if not isinstance(block, dict):
        skips.leave("content of unknown kind")
        return None
    stated = block.get("type") or block.get("content_type") or ("text" if "text" in block else "")
    kind = stated if isinstance(stated, str) else type(stated).__name__
    if kind in _TEXT:
        text = block.get("text")
        text = text if text is not None else block.get("refusal")
        if text is not None and not isinstance(text, str):
            skips.damage("text of a block is no text")
        return Said(text=text) if isinstance(text, str) and text else None
    if kind in _IMAGE:
        return _picture(block)
    if kind in _DOCUMENT:
        return _document(block, skips)
    if kind in _AUDIO:
        transcript = (
            (block.get("input_audio") or block.get("audio") or block).get("transcript") if _is_nested(block) else None
        )
        return Said(text=transcript if isinstance(transcript, str) and transcript else "[audio]")
    if kind in _THOUGHT:
        skips.leave("reasoning")
        return None
    if kind in _CALL:
        return call_of(block)
    if str(kind).endswith("tool_result") or kind in ("function_call_output", "tool_response"):
        return _result(block, skips)
    text = block.get("text") if isinstance(block.get("text"), str) else None
    if text:
        return Said(text=text)
    skips.leave(f"content block {str(kind)[:40]!r}" if kind else "content of unknown kind")
    return None


def _is_nested(block: dict[str, Any]) -> bool:
    return isinstance(block.get("input_audio") or block.get("audio") or block, dict)


def call_of(block: dict[str, Any]) -> Call:
    """A call as Anthropic (`input`) or OpenAI (`function`, `arguments`) writes it."""
    function = block.get("function") if isinstance(block.get("function"), dict) else block
    assert isinstance(function, dict)
    arguments = function.get("input", function.get("arguments", function.get("args")))
    name = function.get("name")
    given = block.get("id") or block.get("call_id") or block.get("tool_call_id")
    return Call(
        id=given if isinstance(given, str) else None, name=str(name or "tool"), arguments=arguments_text(arguments)
    )


def _result(block: dict[str, Any], skips: Skips) -> Result:
    inner = said(block.get("content", block.get("output")), skips)
    given = block.get("tool_use_id") or block.get("tool_call_id") or block.get("call_id")
    return Result(
        id=given if isinstance(given, str) else None,
        text=inner.text,
        files=inner.files,
        name=block["name"] if isinstance(block.get("name"), str) else None,
        error=bool(block.get("is_error")),
    )


def _picture(block: dict[str, Any]) -> Said:
    caption = block.get("caption") or block.get("alt") or block.get("alt_text")
    text = f"[image: {caption}]" if isinstance(caption, str) and caption else "[image]"
    return Said(text=text, files=_data(block, "image/png"))


def _document(block: dict[str, Any], skips: Skips) -> Said:
    source = block.get("source")
    inner = source if isinstance(source, dict) else block.get("resource") or block.get("file") or {}
    name = block.get("title") or block.get("name") or block.get("filename")
    name = name or (inner.get("filename") or inner.get("uri") if isinstance(inner, dict) else None)
    label = f"[file: {name}]" if isinstance(name, str) and name else "[file]"
    text = inner.get("text") if isinstance(inner, dict) else None
    if isinstance(source, dict) and source.get("type") == "text":
        text = source.get("data")
    if isinstance(source, dict) and source.get("type") == "content":
        text = said(source.get("content"), skips).text
    if isinstance(text, str) and text:
        return Said(text=f"{label}\n{text}")
    return Said(text=label, files=_data(block, "application/pdf"))


def _data(block: dict[str, Any], media: str) -> tuple[RawFile, ...]:
    """The bytes of a picture or document given inline, as base64 or a data URL; nothing when it is only referred to."""
    source = block.get("source") if isinstance(block.get("source"), dict) else block
    assert isinstance(source, dict)
    encoded = source.get("data") or source.get("file_data")
    url = block.get("image_url") or source.get("url")
    url = url.get("url") if isinstance(url, dict) else url
    if not isinstance(encoded, str) and isinstance(url, str) and (match := _DATA_URL.match(url)):
        encoded, media = url[match.end() :], match[1] or media
    if not isinstance(encoded, str) or len(encoded) < 16:
        return ()
    stated = source.get("media_type") or source.get("mimeType")
    try:
        data = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return ()
    return (RawFile(data=data, media=stated if isinstance(stated, str) else media),)
