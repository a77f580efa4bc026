"""Codex CLI rollouts, three generations: `{type, payload}`, bare items under a head line, `{role, content}`.

A message is written twice there, as a `response_item` and as an `event_msg`; only one of the two is read.
"""

from __future__ import annotations

import glob
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from brain.ingest.blocks import Call, Result, arguments_text, said
from brain.ingest.messages import Speaking
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.source import Head, json_lines, text_of
from brain.ingest.times import read_time

_WRAPPED = {"session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state"}
_ITEMS = {
    "message",
    "function_call",
    "function_call_output",
    "reasoning",
    "local_shell_call",
    "custom_tool_call",
    "custom_tool_call_output",
}
_CALLS = {
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "web_search_call",
    "tool_search_call",
    "image_generation_call",
    "tool_call",
}
_OUTPUTS = {
    "function_call_output",
    "custom_tool_call_output",
    "tool_search_output",
    "local_shell_call_output",
    "tool_result",
}


@dataclass(slots=True)
class _Survey:
    id: str | None = None
    parent: str | None = None
    agent: bool = False
    cwd: str | None = None
    started: datetime | None = None
    title: str | None = None
    items: int = 0  # messages in the response_item lane


class Codex:
    name = "codex"
    title = "Codex CLI rollouts"
    where = "`~/.codex/sessions/…/rollout-….jsonl`, three generations"
    known_by = "`session_meta.id`"
    times = "each line, UTC; the oldest have none"
    kept = "prompts, answers, tool calls with their results and exit codes, interruptions, thread names"
    dropped = (
        "the event lane (it repeats the items); instructions and environment context (written by programs); "
        "reasoning (encrypted); what a fork replays of its parent (kept there); replaced history (repeated); "
        "subagents' rollouts beside their parent's (their result is in it)"
    )

    def detect(self, head: Head) -> int:
        if head.json != "lines":
            return 0
        score = 0
        for number, record in enumerate(head.records):
            kind = text_of(record.get("type"))
            if kind in _WRAPPED and isinstance(record.get("payload"), dict):
                return 95
            if record.get("record_type") == "state":
                return 95
            if (
                number == 0
                and "id" in record
                and "timestamp" in record
                and not record.keys() & {"type", "role", "messages"}
            ):
                score = 50 if record.keys() & {"instructions", "git"} else 20
            elif kind in _ITEMS and score:
                return 90
            elif "timestamp" in record and kind in ("tool_call", "tool_result") and "sessionId" not in record:
                return 85
            elif isinstance(record.get("role"), str) and "timestamp" in record and "content" in record:
                named = head.path.name.startswith("rollout-") or isinstance(record.get("model"), str)
                score = max(score, 80 if named else 0)
        return score if score != 20 else 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        survey = _survey(path, skips)
        if survey.agent and survey.parent and any(path.parent.glob(f"*{glob.escape(survey.parent)}.jsonl")):
            skips.leave("subagent transcript (its result is in the parent session)")
            return
        yield RawSession(
            source=self.name,
            external_id=survey.id or path.stem,
            turns=_speak(path, survey, skips),
            title=survey.title or _titles(path).get(survey.id or ""),
            started_at=survey.started,
            cwd=survey.cwd,
            parent=survey.parent,
            place=f"session {survey.id or path.stem}",
        )


FORMAT = Codex()


def _survey(path: Path, skips: Skips) -> _Survey:
    found = _Survey()
    for number, record in json_lines(path, skips):
        payload = _dict(record.get("payload")) or record
        kind = text_of(record.get("type"))
        if kind == "session_meta" and found.id is None:
            found.id = text_of(payload.get("id")) or text_of(payload.get("session_id"))
            source = payload.get("source")
            found.agent = isinstance(source, dict) and "subagent" in source
            found.parent = text_of(payload.get("forked_from_id")) or text_of(payload.get("parent_thread_id"))
            found.cwd = text_of(payload.get("cwd"))
            found.started = read_time(payload.get("timestamp")) or read_time(record.get("timestamp"))
        elif number == 1 and kind is None and "role" not in record:
            found.id = text_of(record.get("id"))
            found.started = read_time(record.get("timestamp"))
            found.cwd = text_of(record.get("cwd"))
        elif kind == "turn_context":
            found.cwd = found.cwd or text_of(payload.get("cwd"))
        elif kind == "event_msg" and payload.get("type") == "thread_name_updated":
            found.title = text_of(payload.get("thread_name")) or text_of(payload.get("name")) or found.title
        elif payload.get("type", "message") == "message" and payload.get("role") in ("user", "assistant"):
            found.items += 1
    return found


def _speak(path: Path, survey: _Survey, skips: Skips) -> Iterator[RawTurn]:
    speaking = Speaking(skips)
    for _, record in json_lines(path, Skips()):
        time = read_time(record.get("timestamp"))
        kind = text_of(record.get("type"))
        payload = _dict(record.get("payload"))
        if kind == "response_item" and payload is not None:
            yield from _item(payload, time, speaking, survey)
        elif kind == "event_msg" and payload is not None:
            yield from _event(payload, time, speaking, survey)
        elif kind in _WRAPPED or "record_type" in record:
            skips.leave("record of the tool")
        elif kind in _ITEMS or kind in _CALLS or kind in _OUTPUTS or "role" in record:
            yield from _item(record, time, speaking, survey)
        else:
            skips.leave("record of the tool")


def _item(item: dict[str, Any], time: datetime | None, speaking: Speaking, survey: _Survey) -> Iterator[RawTurn]:
    kind = text_of(item.get("type")) or "message"
    if kind in ("message", "agent_message"):
        role = item.get("role") or ("assistant" if kind == "agent_message" else None)
        content = said(item.get("content"), speaking.skips)
        if role == "user" and survey.agent:
            yield from speaking.assistant(content.text, time, name="agent", origin=text_of(item.get("id")))
        elif role == "user":
            yield from speaking.user(content.text, time, files=content.files, origin=text_of(item.get("id")))
        elif role == "assistant":
            yield from speaking.assistant(content.text, time, files=content.files, origin=text_of(item.get("id")))
        elif role == "tool":
            yield from speaking.result(Result(id=text_of(item.get("tool_call_id")), text=content.text), time)
        else:
            speaking.skips.leave("system prompt")
    elif kind == "reasoning":
        speaking.skips.leave("reasoning")
    elif kind in _OUTPUTS:
        output = _output(item, speaking.skips)
        if kind == "tool_search_output":
            speaking.skips.leave("record of the tool")
        else:
            yield from speaking.result(output, time)
    elif kind in _CALLS or str(kind).endswith("_call"):
        yield from speaking.call(_call(item, str(kind)), time)
    else:
        speaking.skips.leave("record of the tool")


def _call(item: dict[str, Any], kind: str) -> Call:
    function = _dict(item.get("function")) or item
    given = next((function[key] for key in ("arguments", "input", "action") if function.get(key) is not None), None)
    given = item.get("arguments", given) if given is None else given
    if given is None and item.get("summary"):
        given = {"summary": item["summary"]}
    name = text_of(function.get("name")) or kind.removesuffix("_call")
    space = text_of(item.get("namespace"))
    return Call(
        id=text_of(item.get("call_id")) or text_of(item.get("id")),
        name=f"{space}__{name}" if space else name,
        arguments=arguments_text(given),
    )


def _output(item: dict[str, Any], skips: Skips) -> Result:
    output = item.get("output", item.get("result"))
    failed = False
    if isinstance(output, str) and output.lstrip().startswith("{"):
        try:
            inner = json.loads(output, strict=False)
        except (ValueError, RecursionError):
            inner = None
        if isinstance(inner, dict) and isinstance(inner.get("output"), str):
            metadata = _dict(inner.get("metadata")) or {}
            failed = metadata.get("exit_code") not in (0, None)
            output = inner["output"]
            if failed:
                output = f"Error: exit code {metadata['exit_code']}\n{output}"
    if isinstance(output, dict) and "content" in output:
        failed = output.get("success") is False
        output = output["content"]
    content = said(output, skips)
    text = content.text
    if not text and isinstance(output, (dict, list)) and output:
        text = json.dumps(output, ensure_ascii=False)
    return Result(
        id=text_of(item.get("call_id")), text=text, files=content.files, name=text_of(item.get("name")), error=failed
    )


def _event(event: dict[str, Any], time: datetime | None, speaking: Speaking, survey: _Survey) -> Iterator[RawTurn]:
    """Events repeat the items and speak only in rollouts that have none. An interruption is always kept."""
    kind = event.get("type")
    text = text_of(event.get("message"))
    if kind == "turn_aborted":
        yield from speaking.system(
            f"[turn aborted: {text_of(event.get('reason')) or 'interrupted'}]", time, name="interruption"
        )
    elif survey.items == 0 and kind == "user_message" and text:
        yield from speaking.user(text, time)
    elif survey.items == 0 and kind == "agent_message" and text:
        yield from speaking.assistant(text, time)
    elif kind in ("error", "stream_error"):
        speaking.skips.leave("API error")
    elif kind in ("user_message", "agent_message", "agent_reasoning", "item_completed"):
        speaking.skips.leave("repeated in the event lane")
    else:
        speaking.skips.leave("record of the tool")


def _titles(path: Path) -> dict[str, str]:
    """Thread names from session_index.jsonl, which lies beside the sessions folder."""
    for folder in path.parents[:6]:
        index = folder / "session_index.jsonl"
        if index.is_file():
            return _thread_names(index, index.stat().st_mtime_ns)
    return {}


@lru_cache(maxsize=4)
def _thread_names(index: Path, _changed: int) -> dict[str, str]:
    names = {}
    for _, record in json_lines(index):
        name = text_of(record.get("thread_name")) or text_of(record.get("title"))
        if name and text_of(record.get("id")):
            names[str(record["id"])] = name
    return names


def _dict(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None
