"""ShareGPT conversations, as shared by browsers and kept by training sets.

    [{"id": "a1", "conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello!"}]}]

Some tools write `items` or `messages` for `conversations`, `role` and `content` for `from` and `value`; early dumps
hold the page's HTML instead of its text. The same tools read single exchanges, `{"instruction": …, "input": …,
"output": …, "history": [[question, answer]…]}`, which are conversations of one exchange or a few.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from brain.html import html_text
from brain.ingest.blocks import Call, Result, arguments_text
from brain.ingest.messages import Speaking
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.source import Head, items, mostly
from brain.ingest.times import read_time

_LISTS = ("conversations", "conversation", "items", "messages")
_USER = {"human", "user", "prompter"}
_MODEL = {"gpt", "assistant", "chatgpt", "bing", "bard", "claude", "model", "bot"}
_SYSTEM = {"system", "developer"}
_CALL = {"function_call", "tool_call"}
_RESULT = {"observation", "function_response", "tool", "function", "tool_response"}

_PAGE = re.compile(r"\s*<(?:div|p|pre|ol|ul|h[1-6])(?:\s[^<>]*)?>", re.IGNORECASE)


class ShareGPT:
    name = "sharegpt"
    title = "ShareGPT conversations (JSON, JSON Lines)"
    where = "`{conversations: [{from, value}]}`, and single exchanges"
    known_by = "the entry's `id`, else file name and first exchange"
    times = "where an entry has one"
    kept = "what both sides said (HTML as text), system prompts, tool calls and what came back"
    dropped = "ratings (not speech); pictures that are only named (not in the file); empty messages (no words)"

    def detect(self, head: Head) -> int:
        for record in head.records[:5]:
            listed = _listed(record)
            if listed and mostly(listed[:5], lambda one: isinstance(one, dict) and "from" in one):
                return 60 if "instruction" in record else 75
        return 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        seen: Counter[str] = Counter()
        for position, item in items(path, skips):
            place = f"conversation {position}"
            listed = _listed(item) if isinstance(item, dict) else None
            if listed is None:
                skips.damage("not a conversation", place)
                continue
            stated = next(
                (item[key] for key in ("id", "conversation_id", "hash") if item.get(key) not in (None, "")), None
            )
            name = str(stated) if stated is not None else f"{path.stem}-{_fingerprint(listed)}"
            seen[name] += 1
            title = item.get("title")
            yield RawSession(
                source=self.name,
                external_id=name if seen[name] == 1 else f"{name}-{seen[name]}",
                turns=_speak(item, listed, skips, place),
                title=title if isinstance(title, str) and title else None,
                started_at=next(
                    (t for key in ("created_at", "timestamp", "date") if (t := read_time(item.get(key)))), None
                ),
                place=place,
            )


FORMAT = ShareGPT()


def _listed(item: dict[str, Any]) -> list[Any] | None:
    found = next((item[key] for key in _LISTS if isinstance(item.get(key), list)), None)
    if found is None and isinstance(item.get("instruction"), str) and isinstance(item.get("output"), str):
        asked = "\n\n".join(
            filter(None, [item["instruction"], item["input"] if isinstance(item.get("input"), str) else ""])
        )
        history = item.get("history")
        listed: list[Any] = []
        for pair in [*(history if isinstance(history, list) else ()), [asked, item["output"]]]:
            whole = isinstance(pair, list) and len(pair) == 2
            listed += [{"from": "human", "value": pair[0]}, {"from": "gpt", "value": pair[1]}] if whole else [pair]
        return listed
    return found


def _fingerprint(listed: list[Any]) -> str:
    """Of the first exchange: what stays when a conversation grows."""
    return sha256(json.dumps(listed[:2], ensure_ascii=True, sort_keys=True, default=str).encode()).hexdigest()[:12]


def _speak(item: dict[str, Any], listed: list[Any], skips: Skips, place: str) -> Iterator[RawTurn]:
    speaking = Speaking(skips)
    system = item.get("system") or item.get("system_prompt")
    if isinstance(system, str):
        yield from speaking.system(system)
    for position, one in enumerate(listed, start=1):
        where = f"{place}, message {position}"
        if isinstance(one, dict):
            yield from _message(one, speaking, where)
        else:
            skips.damage("not a message", where)


def _message(one: dict[str, Any], speaking: Speaking, where: str) -> Iterator[RawTurn]:
    who = str(one.get("from", one.get("role", ""))).lower()
    value = one.get("value", one.get("content", one.get("text")))
    time = read_time(one.get("timestamp", one.get("created_at")))
    text = _words(value) if isinstance(value, str) else "" if value is None else arguments_text(value)
    if not text.strip():
        speaking.skips.leave("empty message")
    elif who in _USER:
        yield from speaking.user(text, time)
    elif who in _MODEL:
        yield from speaking.assistant(text, time)
    elif who in _SYSTEM:
        yield from speaking.system(text, time)
    elif who in _CALL:
        yield from speaking.call(_call(text), time)
    elif who in _RESULT:
        yield from speaking.result(Result(id=None, text=text), time)
    else:
        speaking.skips.damage(f"speaker {who[:40]!r} is not known", where)


def _words(value: str) -> str:
    """Early dumps hold the answer as the page showed it; plain text that only mentions a tag is left as it is."""
    return html_text(value) if _PAGE.match(value) else value


def _call(text: str) -> Call:
    """A call is JSON text, `{"name": …, "arguments": {…}}`."""
    try:
        asked = json.loads(text)
    except (ValueError, RecursionError):
        asked = None
    if isinstance(asked, dict) and isinstance(asked.get("name"), str):
        return Call(
            id=None, name=asked["name"], arguments=arguments_text(asked.get("arguments", asked.get("parameters")))
        )
    return Call(id=None, name="tool", arguments=arguments_text(text))
