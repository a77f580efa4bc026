"""Aider's `.aider.chat.history.md`: many sessions a file, `#### ` before what was typed, `> ` before tool output."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from brain.ingest.blocks import Result
from brain.ingest.messages import Speaking
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.source import Head, read_text
from brain.ingest.times import read_time

_START = re.compile(r"^# aider chat started at (\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"(?:step|phase|part|option|case|example)\b|\d+[.)]", re.IGNORECASE)


class Aider:
    name = "aider"
    title = "Aider chat history"
    where = "`.aider.chat.history.md`, many sessions a file"
    known_by = "folder and start"
    times = "start of each session, local"
    kept = "typed lines, answers, what the program and its commands printed, slash commands"
    dropped = "the headings that mark the lines (markup of the file)"

    def detect(self, head: Head) -> int:
        return 90 if _START.search(head.text[:4096]) else 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        text = read_text(path)
        starts = list(_START.finditer(text))
        exact = "  \n" in text and re.search(r"^#### .*  $", text, re.MULTILINE) is not None
        for at, start in enumerate(starts):
            end = starts[at + 1].start() if at + 1 < len(starts) else len(text)
            yield RawSession(
                source=self.name,
                external_id=f"{path.resolve().parent.name}-{start[1]}",
                turns=_turns(text[start.end() : end], exact, skips),
                started_at=read_time(start[1]),
                cwd=None,
                place=f"chat of {start[1]}",
            )


FORMAT = Aider()


def _turns(text: str, exact: bool, skips: Skips) -> Iterator[RawTurn]:
    """`exact`: the file keeps the two spaces Aider puts behind typed lines, so that headings in answers can be told."""
    speaking = Speaking(skips)
    for kind, lines in _runs(text, exact):
        body = "\n".join(lines).strip()
        if not body or body == "<blank>":
            continue
        if kind == "user" and body.startswith("/"):
            yield from speaking.system(body, name="command")
        elif kind == "user":
            yield from speaking.user(body)
        elif kind == "tool":
            yield from speaking.result(Result(id=None, text=body, name="aider"))
        else:
            yield from speaking.assistant(body)


def _runs(text: str, exact: bool) -> Iterator[tuple[str, list[str]]]:
    kind, run, fenced, before = "assistant", [""], False, ""
    for line in text.split("\n"):
        typed = (
            line.startswith("#### ")
            and not fenced
            and (line.endswith("  ") if exact else _is_typed(line, before, kind))
        )
        now = "user" if typed else "tool" if line.startswith("> ") and not fenced else "assistant"
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if not line.strip() and now != kind and not fenced:
            now = kind
        if now != kind:
            yield kind, run
            kind, run = now, []
        run.append(line[5:].rstrip() if typed else line[2:] if now == "tool" and line.startswith("> ") else line)
        before = line if line.strip() else before
    yield kind, run


def _is_typed(line: str, before: str, kind: str) -> bool:
    return kind == "user" or not (_HEADING.match(line[5:]) or before.rstrip().endswith(":"))
