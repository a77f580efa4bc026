"""What a host tells its hooks: the JSON each documents, read into one shape; and the shape each wants in return.

Claude Code, Codex and Gemini CLI send `session_id`, `transcript_path`, `cwd` and `source`; Cursor `conversation_id` (or
`session_id`) and `workspace_roots`; Codex' older `notify` gives `thread-id`. Nothing is required: a hook that is told
nothing still does what it can. Sources: the hosts' own hook references, as docs/capture.md lists them.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

MOST = 4 << 20  # bytes of a host's JSON: last messages may be in it
SECONDS = 2.0  # a host that keeps our input open is not waited for any longer


class Host(StrEnum):
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    CURSOR = "cursor"
    GEMINI = "gemini"
    OPENCODE = "opencode"
    OPENCLAW = "openclaw"
    GENERIC = "generic"


class Event(StrEnum):
    SESSION_START = "session-start"
    TURN_END = "turn-end"
    PRE_COMPACT = "pre-compact"
    SESSION_END = "session-end"


_SPEAK_JSON = {Host.CLAUDE_CODE, Host.CODEX, Host.CURSOR, Host.GEMINI}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a host said of the session at hand; empty where it said nothing."""

    session: str = ""
    transcript: str = ""
    cwd: str = ""
    source: str = ""


def told(text: str) -> Told:
    """Read a host's JSON; anything else tells nothing.

    >>> told('{"conversation_id": "c1", "workspace_roots": ["/home/ines/boat"]}')
    Told(session='c1', transcript='', cwd='/home/ines/boat', source='')
    """
    try:
        given = json.loads(text.strip().lstrip("\ufeff") or "{}")
    except (ValueError, RecursionError):
        return Told()
    if not isinstance(given, dict):
        return Told()

    def first(*names: str) -> str:
        found = (given[name] for name in names if isinstance(given.get(name), str) and given[name])
        return next(found, "")

    roots = given.get("workspace_roots")
    root = next((one for one in roots if isinstance(one, str)), "") if isinstance(roots, list) else ""
    return Told(
        session=first("session_id", "conversation_id", "thread-id", "sessionID", "sessionId"),
        transcript=first("transcript_path", "agent_transcript_path"),
        cwd=first("cwd", "directory") or root,
        source=first("source", "trigger"),
    )


def injection(host: Host, text: str) -> str:
    """How a host wants to be given a text for a session that begins; "" and `{}` are how they want nothing."""
    if host not in _SPEAK_JSON:
        return text
    if not text:
        return "{}"
    if host is Host.CURSOR:
        return json.dumps({"additional_context": text}, ensure_ascii=False)
    answer = {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": text}}
    return json.dumps(answer, ensure_ascii=False)


def read_given(seconds: float = SECONDS) -> str:
    """What the host wrote to our standard input, at most `MOST` bytes; "" from a terminal.

    Ends with the input, with the JSON, or after `seconds`, whichever is first.
    """
    try:
        handle = sys.stdin.fileno()
        if os.isatty(handle):
            return ""
    except (OSError, ValueError, AttributeError):
        return ""
    parts: list[bytes] = []
    ended = threading.Event()

    def read() -> None:
        size = 0
        try:
            while size < MOST and (part := os.read(handle, 1 << 16)):
                parts.append(part)
                size += len(part)
                if part.rstrip().endswith(b"}") and _parses(b"".join(parts)):
                    break
        except OSError:
            pass
        ended.set()

    threading.Thread(target=read, daemon=True).start()
    ended.wait(seconds)
    return b"".join(parts).decode("utf-8", "replace")


def _parses(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def transcript_of(told: Told) -> Path | None:
    """The file of the session at hand, where the host named one."""
    return Path(told.transcript).expanduser() if told.transcript else None
