"""Turns from messages of the model APIs: who said what, which tool was called, what came back and whose text it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from brain.ingest.blocks import Call, Result, Said, fenced, parts
from brain.ingest.noise import hear
from brain.ingest.raw import RawFile, RawTurn, Skips
from brain.ingest.recall import is_memory_text, reads_memory, strip_memory, stub
from brain.ingest.trust import of_tool
from brain.types import Role, Trust

_REJECTED = re.compile(r"\AThe user doesn't want to (?:proceed|take this action).*?the user said:[ \t]*\n", re.DOTALL)
_REMINDER = re.compile(r"\n*<system-reminder>.*?(?:</system-reminder>|\Z)", re.DOTALL)
_ENVELOPE = re.compile(r"</?(?:persisted-output|tool_use_error)>\n?")
_API_ERROR = re.compile(r"\A\s*API Error(?:: | \()")


@dataclass(slots=True)
class Speaking:
    """Builds turns and remembers the open tool calls, so that a result knows its tool and what it was asked.

    `calls` maps a call's id to (tool, arguments). The last call stands in for results that name none.
    """

    skips: Skips
    calls: dict[str, tuple[str, str]] = field(default_factory=dict)
    last: tuple[str, str] | None = None

    def user(
        self,
        text: str,
        time: datetime | None = None,
        *,
        name: str | None = None,
        trust: Trust | None = None,
        files: tuple[RawFile, ...] = (),
        origin: str | None = None,
    ) -> Iterator[RawTurn]:
        """The user's own words as a user turn, what stood beside them as turns of their own."""
        speech = hear(text.replace("\r\n", "\n") if "\r" in text else text)
        for reason, count in speech.dropped.items():
            self.skips.leave(reason, count)
        for aside in speech.asides:
            yield RawTurn(role=aside.role, text=aside.text, time=time, name=aside.name, origin=origin)
        if speech.text or files:
            spoken = speech.text or "[image]"
            yield RawTurn(role=Role.USER, text=spoken, time=time, name=name, trust=trust, files=files, origin=origin)
        elif not speech.asides and not speech.dropped:
            self.skips.leave("empty message")

    def assistant(
        self,
        text: str,
        time: datetime | None = None,
        *,
        name: str | None = None,
        files: tuple[RawFile, ...] = (),
        origin: str | None = None,
    ) -> Iterator[RawTurn]:
        text, recalled = strip_memory(text)
        self.skips.leave("recalled memory", recalled)
        if _API_ERROR.match(text):
            self.skips.leave("API error")
        elif text.strip() or files:
            yield RawTurn(
                role=Role.ASSISTANT, text=text.strip() or "[image]", time=time, name=name, files=files, origin=origin
            )
        elif not recalled:
            self.skips.leave("empty message")

    def system(self, text: str, time: datetime | None = None, *, name: str | None = None) -> Iterator[RawTurn]:
        text, recalled = strip_memory(text)
        self.skips.leave("recalled memory", recalled)
        if text.strip():
            yield RawTurn(role=Role.SYSTEM, text=text.strip(), time=time, name=name)

    def call(self, call: Call, time: datetime | None = None, *, origin: str | None = None) -> Iterator[RawTurn]:
        """A tool call: an assistant turn named after the tool, its arguments a fenced JSON block."""
        self.last = (call.name, call.arguments)
        if call.id:
            self.calls[call.id] = self.last
        yield RawTurn(
            role=Role.ASSISTANT, text=fenced(call.arguments), time=time, name=call.name, call=call.id, origin=origin
        )

    def result(
        self, result: Result, time: datetime | None = None, *, trust: Trust | None = None, origin: str | None = None
    ) -> Iterator[RawTurn]:
        """What a tool gave back. Memory coming back is a stub; words the user typed to refuse a call are the user's."""
        known = self.calls.get(result.id) if result.id else self.last
        name = result.name or (known[0] if known else None)
        arguments = known[1] if known else ""
        text = _ENVELOPE.sub("", result.text)
        if "<system-reminder>" in text:
            text, reminders = _REMINDER.subn("", text)
            self.skips.leave("system reminder", reminders)
        text = text.strip("\n")
        if (name and reads_memory(name, arguments)) or is_memory_text(text):
            self.skips.leave("recalled memory")
            text = stub(text)
        rejected = _REJECTED.match(text)
        words = text[rejected.end() :].strip() if rejected else ""
        text = text[: rejected.end()].strip() if rejected else text
        if result.error and text and not rejected:
            text = text if text.lower().startswith("error") else f"Error: {text}"
        if text or result.files:
            yield RawTurn(
                role=Role.TOOL,
                text=text or "[image]",
                time=time,
                name=name,
                call=result.id,
                trust=trust or of_tool(name, arguments),
                files=result.files,
                origin=origin,
            )
        else:
            self.skips.leave("empty tool result")
        if words:
            yield from self.user(words, time, origin=origin)

    def message(
        self,
        role: Role,
        content: Any,
        time: datetime | None = None,
        *,
        name: str | None = None,
        origin: str | None = None,
    ) -> Iterator[RawTurn]:
        """Every turn of one message, in the order of its blocks."""
        found = parts(content, self.skips)
        if not found:
            self.skips.leave("empty message")
        for part in found:
            if isinstance(part, Call):
                yield from self.call(part, time, origin=origin)
            elif isinstance(part, Result):
                yield from self.result(part, time, origin=origin)
            else:
                yield from self.spoken(role, part, time, name=name, origin=origin)

    def spoken(
        self, role: Role, part: Said, time: datetime | None, *, name: str | None = None, origin: str | None = None
    ) -> Iterator[RawTurn]:
        if role is Role.USER:
            yield from self.user(part.text, time, name=name, files=part.files, origin=origin)
        elif role is Role.ASSISTANT:
            yield from self.assistant(part.text, time, name=name, files=part.files, origin=origin)
        elif role is Role.TOOL:
            yield from self.result(Result(id=None, text=part.text, files=part.files, name=name), time, origin=origin)
        else:
            yield from self.system(part.text, time, name=name)
