"""What an answering agent opened: its tool calls as they happened, then the turns, records and files these printed.

A turn counts as opened when its words came back: whole from `show`, by line from a shell, word for word from recall. A
page that cites a turn is not the turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ToolCallPart
from pydantic_ai.tools import ToolDefinition

from brain.agents.citing import URI, Citing
from brain.errors import FormatError
from brain.explore.excerpts import FOLDER
from brain.tree import transcript
from brain.tree.uri import turns_uri

LEAST = 12
"""Characters of a line from which it is told from others."""

_PREFIX = re.compile(r"(?:\./)?(?P<path>[\w./-]+\.md)(?P<mark>[:-])(?:\d+(?P=mark))?(?P<text>.*)")
_NUMBERED = re.compile(r"^\s*\d+[:\t-]\s?")
_TOLD = re.compile(r" — (?P<path>[\w./-]+\.md)(?::\d+)?(?P<uris>(?: <[^>]+>)*)$")
_QUOTED = re.compile(r"<(session://[^>]+)>\n((?:>.*\n?)+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """One call of a tool and what it gave back."""

    tool: str
    args: dict[str, Any]
    result: str


@dataclass
class Trace(AbstractCapability[None]):
    """Notes every call of a tool; put behind what changes results."""

    used: list[Used] = field(default_factory=list)

    async def wrap_tool_execute(
        self,
        ctx: RunContext[None],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: Any,
    ) -> Any:
        result = await handler(args)
        self.used.append(Used(tool=call.tool_name, args=dict(args), result=str(result)))
        return result


def opened(used: Iterable[Used], citing: Citing, folder: Path) -> tuple[str, ...]:
    """Sources and files in the order in which they were opened, each once: URIs, and paths of other files of memory."""
    found: dict[str, None] = {}
    for one in used:
        found |= dict.fromkeys(_of(one, citing, folder))
    return tuple(found)


def _of(one: Used, citing: Citing, folder: Path) -> Iterator[str]:
    if one.result.startswith("error: "):
        return
    if one.tool == "show":
        cite = one.args.get("cite") or ""
        what = str(one.args.get("what", ""))
        yield from (followed.citation.uri for followed in citing.follow(f"{what} cite:{cite}" if cite else what))
    elif one.tool in ("recall", "search"):
        yield from _told(one.result)
    else:
        yield from _read(" ".join(str(value) for value in one.args.values()), one.result, folder)


def _told(result: str) -> Iterator[str]:
    """Statements of a recall: of a transcript the turn itself was told, of another file that file."""
    for line in result.splitlines():
        match = _TOLD.search(line)
        if match and match["path"].startswith("sessions/transcripts/"):
            yield from URI.findall(match["uris"])
        elif match:
            yield match["path"]
        elif line.startswith("- turn · "):
            yield from URI.findall(line)


def _read(command: str, output: str, folder: Path) -> Iterator[str]:
    """Files that a command names or that stand before a line of what it printed."""
    files = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*.md"))}
    printed: dict[str, list[str]] = {}
    for line in output.splitlines():
        match = _PREFIX.match(line)
        if match and match["path"].removeprefix("./") in files:
            printed.setdefault(match["path"].removeprefix("./"), []).append(match["text"])
    if not printed:
        lines = [_NUMBERED.sub("", line) for line in output.splitlines()]
        named = [path for path in files if path in command]
        named = named or [path for path in files if path.rpartition("/")[2] in command]
        named = named or [path for path in files if _globbed(path, command)]
        printed = dict.fromkeys(named, lines)
    for path, lines in printed.items():
        text = "\n".join(lines)
        if path.startswith("sessions/transcripts/"):
            yield from _turns(files[path], text)
        elif path.startswith(f"{FOLDER}/"):
            yield from (uri for uri, said in _QUOTED.findall(files[path].read_text("utf-8")) if _holds(text, said))
        elif text.strip():
            yield path


def _globbed(path: str, command: str) -> bool:
    """Whether a transcript or gathered turns may be meant by a pattern or a folder in a command."""
    return path.startswith(("sessions/transcripts/", f"{FOLDER}/")) and (
        f"{path.rpartition('/')[0]}/" in command or "sessions/transcripts" in command or FOLDER in command
    )


def _turns(file: Path, text: str) -> Iterator[str]:
    try:
        session = transcript.read_head(file).id
        turns = list(transcript.iter_turns(file))
    except (FormatError, OSError):
        return
    shown = [turn.number for turn in turns if _holds(text, turn.text)]
    if shown and len(shown) == len(turns):
        yield f"session://{session}"
    else:
        yield from (str(turns_uri(session, number)) for number in shown)


def _holds(text: str, said: str) -> bool:
    """Whether a line of what somebody said, long enough to be told from others, or all of it, is in a text."""
    lines = [line.removeprefix("> ").strip() for line in said.splitlines()]
    long = [line for line in lines if len(line) >= LEAST]
    return any(line in text for line in long) if long else bool(lines) and all(line in text for line in lines if line)
