"""OpenHands: the events of a run, as one list, one a file, or one run a line of `output.jsonl` under `history`.

    [{"id": 0, "timestamp": "2026-03-01T09:00:00.1", "source": "user", "action": "message", "args": {"content": "Fix"}},
     {"id": 1, "source": "agent", "action": "run", "args": {"command": "ls", "thought": "I look."}},
     {"id": 2, "source": "agent", "cause": 1, "observation": "run", "content": "rig.md", "extras": {…}}]

Times are local and name no zone. A history may hold pairs, `[action, observation]`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from brain.ingest.blocks import Call, Result, arguments_text
from brain.ingest.messages import Speaking
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.source import Head, items, mostly, text_of
from brain.ingest.times import read_time

_SOURCES = {"user", "agent", "environment"}
_QUIET = {"recall", "change_agent_state", "agent_state_changed", "null", "noop", "think", "condensation", "system"}


class OpenHands:
    name = "openhands"
    title = "OpenHands events (list, output.jsonl)"
    where = "the events of a run, or a run a line of `output.jsonl`"
    known_by = "`instance_id`, else file name and first events"
    times = "each event, local"
    kept = "messages, commands and other actions with their observations, the final word"
    dropped = (
        "states, condensations and thoughts that are only recorded (said to nobody); recalled knowledge (it "
        "would be learned again)"
    )

    def detect(self, head: Head) -> int:
        for record in head.records[:5]:
            history = record.get("history")
            if isinstance(history, list) and mostly(_flat(history[:4]), _is_event):
                return 90
            if head.json == "array" and _is_event(record):
                return 88
        return 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        loose: list[Any] = []
        for position, item in items(path, skips):
            history = item.get("history") if isinstance(item, dict) else None
            if isinstance(history, list):
                named = next(
                    (str(item[key]) for key in ("instance_id", "id", "sid") if item.get(key)), f"{path.stem}-{position}"
                )
                yield self._session(named, list(_flat(history)), f"run {position}", skips)
            else:
                loose.append(item)
        if loose:
            begin = json.dumps(loose[:2], ensure_ascii=True, sort_keys=True, default=str)
            named = f"{path.stem}-{sha256(begin.encode()).hexdigest()[:12]}"
            yield self._session(named, loose, path.name, skips)

    def _session(self, named: str, events: list[Any], place: str, skips: Skips) -> RawSession:
        return RawSession(source=self.name, external_id=named, turns=_speak(events, skips, place), place=place)


FORMAT = OpenHands()


def _flat(history: list[Any]) -> Iterator[Any]:
    for one in history:
        if isinstance(one, list):
            yield from one
        else:
            yield one


def _is_event(record: Any) -> bool:
    return (
        isinstance(record, dict)
        and bool(record.keys() & {"action", "observation"})
        and (text_of(record.get("source")) in _SOURCES or "args" in record or "extras" in record)
        and "type" not in record
    )


def _speak(events: list[Any], skips: Skips, place: str) -> Iterator[RawTurn]:
    speaking = Speaking(skips)
    for position, event in enumerate(events, start=1):
        if not _is_event(event):
            skips.damage("not an event", f"{place}, event {position}")
            continue
        try:
            yield from _event(event, speaking)
        except (TypeError, ValueError, AttributeError, KeyError, RecursionError) as error:
            skips.damage(f"event does not read ({type(error).__name__})", f"{place}, event {position}")


def _event(event: dict[str, Any], speaking: Speaking) -> Iterator[RawTurn]:
    time = read_time(event.get("timestamp"))
    kind = str(event.get("action") or event.get("observation"))
    if kind in _QUIET:
        speaking.skips.leave("record of the tool")
        return
    if "observation" in event:
        cause = event.get("cause")
        text = event.get("content") if isinstance(event.get("content"), str) else event.get("message")
        named = str(cause) if isinstance(cause, int) else None
        failed = kind == "error"
        yield from speaking.result(
            Result(id=named, text=str(text or ""), name=None if named else kind, error=failed), time
        )
        return
    if event.get("args") and not isinstance(event["args"], dict):
        speaking.skips.damage("arguments do not read", f"event {event.get('id')}")
    args = event.get("args") if isinstance(event.get("args"), dict) else {}
    assert isinstance(args, dict)
    words = next((args[key] for key in ("content", "final_thought", "thought") if isinstance(args.get(key), str)), "")
    if kind == "message" and event.get("source") == "user":
        yield from speaking.user(words, time)
    elif kind in ("message", "finish"):
        yield from speaking.assistant(words or str(event.get("message") or ""), time)
    else:
        if isinstance(args.get("thought"), str) and args["thought"].strip():
            yield from speaking.assistant(args["thought"], time)
        asked = {key: value for key, value in args.items() if key != "thought"}
        named = str(event["id"]) if isinstance(event.get("id"), int) else None
        yield from speaking.call(Call(id=named, name=kind, arguments=arguments_text(asked)), time)
