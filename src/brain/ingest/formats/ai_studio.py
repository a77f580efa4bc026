"""Google AI Studio prompts as kept in Drive, often without a file extension. They have no times.

{"runSettings": {…}, "systemInstruction": {"text": "…"},
 "chunkedPrompt": {"chunks": [{"role": "user", "text": "…"}, {"role": "model", "text": "…", "isThought": true}]}}
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from brain.ingest.messages import Speaking
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.source import Head, items
from brain.ingest.times import read_time

_DRIVE = {
    "driveDocument": "file", "driveImage": "image", "driveAudio": "audio", "driveVideo": "video", "inlineFile": "file",
    "inlineImage": "image", "inlineData": "file", "youtubeVideo": "video",
}  # fmt: skip


class AIStudio:
    name = "ai-studio"
    title = "Google AI Studio prompts"
    where = "a prompt as kept in Drive, with or without a file extension"
    known_by = "file name and first exchange"
    times = "where a chunk has one"
    kept = "what both sides said, the system instruction, markers for documents and pictures in Drive"
    dropped = "thoughts (said to nobody); run settings (not speech); contents of Drive files (not in the file)"

    def detect(self, head: Head) -> int:
        return 95 if any(_chunks(record) is not None for record in head.records[:1]) else 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        for _, item in items(path, skips):
            chunks = _chunks(item) if isinstance(item, dict) else None
            if chunks is None:
                skips.damage("not a prompt", path.name)
                continue
            begin = json.dumps(chunks[:2], ensure_ascii=True, sort_keys=True, default=str)
            yield RawSession(
                source=self.name,
                external_id=f"{path.stem}-{sha256(begin.encode()).hexdigest()[:12]}",
                turns=_speak(item, chunks, skips),
                title=path.stem,
                place=path.name,
            )


FORMAT = AIStudio()


def _chunks(item: dict[str, Any]) -> list[Any] | None:
    prompt = item.get("chunkedPrompt")
    chunks = prompt.get("chunks") if isinstance(prompt, dict) else None
    return chunks if isinstance(chunks, list) else None


def _speak(item: dict[str, Any], chunks: list[Any], skips: Skips) -> Iterator[RawTurn]:
    speaking = Speaking(skips)
    if text := _words(item.get("systemInstruction")):
        yield from speaking.system(text)
    elif item.get("systemInstruction"):
        skips.damage("system instruction does not read")
    for position, chunk in enumerate(chunks, start=1):
        where = f"chunk {position}"
        if not isinstance(chunk, dict):
            skips.damage("not a chunk", where)
            continue
        if chunk.get("isThought") is True:
            skips.leave("reasoning")
            continue
        parts = chunk.get("parts")
        if isinstance(parts, list) and not all(isinstance(part, dict) for part in parts):
            skips.damage("part of a chunk does not read", where)
        beside = [f"[{word}]" for key, word in _DRIVE.items() if chunk.get(key)]
        text = "\n\n".join(filter(None, [_words(chunk), *beside]))
        time = read_time(chunk.get("createTime"))
        if not text:
            skips.leave("empty message")
        elif chunk.get("role") == "user":
            yield from speaking.user(text, time)
        elif chunk.get("role") in ("model", "assistant"):
            yield from speaking.assistant(text, time)
        else:
            skips.damage(f"role {str(chunk.get('role'))[:40]!r} is not known", where)


def _words(value: Any) -> str:
    """Text of a chunk: its own, or that of its parts without thoughts."""
    if isinstance(value, str):
        return value
    if not isinstance(value, dict):
        return ""
    if isinstance(value.get("text"), str) and value["text"]:
        return str(value["text"])
    parts = value.get("parts")
    texts = [
        part["text"]
        for part in (parts if isinstance(parts, list) else ())
        if isinstance(part, dict) and isinstance(part.get("text"), str) and part.get("thought") is not True
    ]
    return "".join(texts)
