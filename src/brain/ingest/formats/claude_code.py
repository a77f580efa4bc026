"""Claude Code: `~/.claude/projects/<folder>/<session id>.jsonl`, one record a line, records linked into a tree.

Read twice: once for the tree, ids and titles (which branch lived on, what was copied from another session), once to
speak the kept lines, so that a session of hundreds of MB is never held whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

from brain.ingest.blocks import said
from brain.ingest.branches import living
from brain.ingest.claude_lines import CONVERSATION, TITLES, Survey, survey_of
from brain.ingest.messages import Speaking
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.source import HEAD_BYTES, Head, json_lines, read_json, text_of
from brain.ingest.tail import BEFORE
from brain.ingest.times import read_time
from brain.types import Role

_RECORDS = {
    "summary",
    "custom-title",
    "ai-title",
    "file-history-snapshot",
    "queue-operation",
    "permission-mode",
    "attachment",
}


_UUID = re.compile(rb'"uuid"\s*:\s*"([^"]+)"')


class ClaudeCode:
    name = "claude-code"
    title = "Claude Code sessions"
    where = "`~/.claude/projects/<folder>/<session>.jsonl`"
    known_by = "`sessionId`, file name"
    times = "each line, UTC"
    kept = (
        "prompts, queued ones too, answers, tool calls with their results, words that refuse a call, answers to "
        "questions, compaction summaries and interruptions (as `system`), titles"
    )
    dropped = (
        "abandoned branches (taken back); thinking (said to nobody); reminders, hook output, editor state "
        "(written by programs); API errors (no answer); repeats of a message (said once); subagents' files "
        "beside their parent's (their result is in it); records of the tool (not speech)"
    )

    def detect(self, head: Head) -> int:
        if head.json == "object":
            return 90 if any(isinstance(record.get("loglines"), list) for record in head.records) else 0
        if head.json != "lines":
            return 0
        score = 0
        for record in head.records:
            kind = text_of(record.get("type"))
            ours = bool(record.keys() & {"uuid", "sessionId", "parentUuid", "leafUuid", "isSidechain"})
            if kind in CONVERSATION and isinstance(record.get("message"), dict):
                score = max(score, 95 if ours else 60 if "timestamp" in record else 0)
            elif kind in _RECORDS and (ours or "snapshot" in record):
                score = max(score, 80)
        return score

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        survey = survey_of(_records(path, skips))
        if _is_agent_file(path, survey):
            yield from self._agent(path, survey, skips)
            return
        keep = living(survey.nodes)
        lines = {node.line for node in survey.nodes}
        dropped = sum(node.speaks or bool(node.results) for node in survey.nodes if node.line not in keep)
        skips.leave("abandoned branch", dropped)
        skips.leave("repeated line", len(survey.repeated))
        skips.leave("subagent turn", survey.agents)
        out = (lines - keep) | survey.repeated
        own = _own_id(path, survey)
        for session in dict.fromkeys((*survey.owner.values(), own)):
            yield RawSession(
                source=self.name,
                external_id=session,
                turns=_speak(_lines_of(path, survey, session, own, out), survey, skips),
                title=_title(path, survey, session, own),
                cwd=survey.cwd.get(session) or next(iter(survey.cwd.values()), None),
                place=f"session {session}",
            )

    def read_on(self, path: Path, skips: Skips, since: int) -> RawSession | None:
        """Where everything new hangs on the lines just before it, and all of it is one session's."""
        start, first = _lines_before(path, since)
        survey = survey_of(json_lines(path, Skips(), start))
        own = _own_id(path, survey)
        after = [node for node in survey.nodes if node.line >= first]
        calls = {call for node in survey.nodes for call in node.calls}
        hangs = all(
            (node.parent is None or node.parent in survey.ids) and calls.issuperset(node.results) for node in after
        )
        alone = set(survey.sessions) == {own} and set(survey.owner.values()) <= {own}
        if start == 0 or not (hangs and alone) or survey.replaced or _is_agent_file(path, survey):
            return None
        if _comes_back(path, start, {node.id.encode() for node in after}):
            return None
        out = ({node.line for node in survey.nodes} - living(survey.nodes)) | survey.repeated
        kept = ((line, record) for line, record in json_lines(path, skips, start) if line not in out)
        turns = _speak(kept, survey, skips)
        return RawSession(source=self.name, external_id=own, turns=turns, place=f"session {own}")

    def _agent(self, path: Path, survey: Survey, skips: Skips) -> Iterator[RawSession]:
        """A subagent's file is part of its parent's session, which holds its result; alone it is all that is left."""
        parent, main = _parent_of(path, survey)
        if main.is_file():
            skips.leave("subagent transcript (its result is in the parent session)")
            return
        spoken = _speak(_records(path, Skips()), survey, skips, agent=True)
        yield RawSession(
            source=self.name,
            external_id=parent,
            turns=spoken,
            cwd=next(iter(survey.cwd.values()), None),
            place=f"subagent {path.stem}",
        )


FORMAT = ClaudeCode()


def _records(path: Path, skips: Skips) -> Iterator[tuple[int, dict[str, Any]]]:
    with path.open("rb") as file:
        start = file.read(512)
    if b"loglines" in start and path.suffix != ".jsonl":
        for number, record in enumerate(read_json(path).get("loglines", ()), start=1):
            if isinstance(record, dict):
                yield number, record
            else:
                skips.damage("line is not an object", f"item {number}")
        return
    yield from json_lines(path, skips)


def _lines_before(path: Path, since: int) -> tuple[int, int]:
    """Where the lines begin that are read again, 0 when that is the whole file, and the number of the first new one."""
    with path.open("rb") as file:
        file.seek(max(0, since - BEFORE))
        if since > BEFORE:
            file.readline()
        start = file.tell()
        return (start, file.read(since - start).count(b"\n") + 1) if start < since else (0, 1)


def _comes_back(path: Path, end: int, ids: set[bytes]) -> bool:
    """Whether a record of these ids stands before byte `end`: it is the copy of an old one."""
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        return any(match[1] in ids for match in _UUID.finditer(data, 0, end))


def _lines_of(
    path: Path, survey: Survey, session: str, own: str, out: set[int]
) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, record in _records(path, Skips()):
        if line not in out and survey.owner.get(line, own) == session:
            yield line, record


def _own_id(path: Path, survey: Survey) -> str:
    if path.stem in survey.sessions or not survey.sessions:
        return path.stem
    return survey.sessions.most_common(1)[0][0]


def _title(path: Path, survey: Survey, session: str, own: str) -> str | None:
    titles = {**(survey.titles.get("", {}) if session == own else {}), **survey.titles.get(session, {})}
    for kind in TITLES:
        if kind in titles:
            return titles[kind]
    if session != own:
        return None
    ours = [title for leaf, title in survey.summaries if leaf is None or leaf in survey.ids or not survey.ids]
    if ours:
        return ours[-1]
    elsewhere = _summaries(path.parent, path.parent.stat().st_mtime_ns)
    return next((elsewhere[node.id] for node in reversed(survey.nodes) if node.id in elsewhere), None)


@lru_cache(maxsize=8)
def _summaries(folder: Path, _changed: int) -> dict[str, str]:
    """Summaries that lie in one session's file and name the last message of another's."""
    found: dict[str, str] = {}
    for path in sorted(folder.glob("*.jsonl")):
        try:
            with path.open("rb") as file:
                start = file.read(HEAD_BYTES // 16)
        except OSError:
            continue
        for line in start.split(b"\n"):
            if b'"summary"' not in line or b'"leafUuid"' not in line:
                continue
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict) and text_of(record.get("leafUuid")) and text_of(record.get("summary")):
                found[str(record["leafUuid"])] = str(record["summary"])
    return found


def _is_agent_file(path: Path, survey: Survey) -> bool:
    named = path.parent.name == "subagents" or path.stem.startswith("agent-")
    return survey.spoken > 0 and survey.agents == survey.spoken and (named or len(survey.sessions) == 0)


def _parent_of(path: Path, survey: Survey) -> tuple[str, Path]:
    if path.parent.name == "subagents":
        folder = path.parent.parent
        return folder.name, folder.with_name(folder.name + ".jsonl")
    parent = next((one for one in survey.sessions if one != path.stem), path.stem)
    main = path.with_name(f"{parent}.jsonl")
    return parent, main if main != path else path.with_name(path.name + ".missing")


def _speak(
    records: Iterator[tuple[int, dict[str, Any]]], survey: Survey, skips: Skips, *, agent: bool = False
) -> Iterator[RawTurn]:
    """Turns of the kept lines. Pieces of one API message are joined, its repeated and growing copies are said once."""
    speaking = Speaking(skips)
    said_blocks: dict[str, set[bytes]] = {}
    waiting: list[dict[str, Any]] = []
    current: tuple[str, datetime | None] | None = None

    def flush() -> Iterator[RawTurn]:
        nonlocal current
        if current is not None and waiting:
            yield from speaking.message(Role.ASSISTANT, list(waiting), current[1], origin=current[0])
        waiting.clear()
        current = None

    for line, record in records:
        kind = record.get("type")
        if record.get("isSidechain") is True and not agent:
            continue
        if text_of(record.get("uuid")) in survey.replaced:
            skips.leave("replaced message")
            continue
        time = read_time(record.get("timestamp"))
        message = record.get("message") if isinstance(record.get("message"), dict) else {}
        assert isinstance(message, dict)
        if kind in ("user", "assistant") and (odd := _unreadable(record.get("message"))):
            skips.damage("message or block does not read", f"line {line}", odd)
        if kind == "assistant":
            if record.get("isApiErrorMessage") is True or message.get("model") == "<synthetic>":
                skips.leave("API error")
                continue
            whole = text_of(message.get("id")) or text_of(record.get("uuid")) or ""
            if current is None or current[0] != whole or not whole:
                yield from flush()
                current = (whole, time)
            _take(
                _blocks(message.get("content")),
                waiting,
                said_blocks.setdefault(whole, set()) if whole else set(),
                skips,
            )
            continue
        if kind == "user" or _is_queued(record):
            yield from flush()
        yield from _other(record, kind, message, time, speaking, skips, agent)
    yield from flush()


def _take(blocks: list[dict[str, Any]], waiting: list[dict[str, Any]], seen: set[bytes], skips: Skips) -> None:
    for block in blocks:
        key = blake2b(
            json.dumps(_essence(block), sort_keys=True, default=str).encode("utf-8", "replace"), digest_size=12
        ).digest()
        if key in seen:
            skips.leave("repeated block")
            continue
        seen.add(key)
        text = block.get("text")
        before = waiting[-1].get("text") if waiting and waiting[-1].get("type") == "text" else None
        if (
            block.get("type") == "text"
            and isinstance(text, str)
            and isinstance(before, str)
            and before
            and text.startswith(before)
        ):
            waiting[-1] = block
        else:
            waiting.append(block)


def _essence(block: dict[str, Any]) -> Any:
    if block.get("type") == "tool_use" and block.get("id"):
        return block["id"]
    return block.get("text") if block.get("type") == "text" else block


def _unreadable(message: Any) -> int:
    """How many pieces of a message are none: the message itself, or blocks of it."""
    if not isinstance(message, dict):
        return int(message is not None)
    content = message.get("content")
    return sum(not isinstance(block, (dict, str)) for block in content) if isinstance(content, list) else 0


def _blocks(content: Any) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    listed = content if isinstance(content, list) else []
    blocks = [{"type": "text", "text": block} if isinstance(block, str) else block for block in listed]
    return [block for block in blocks if isinstance(block, dict)]


def _other(
    record: dict[str, Any],
    kind: Any,
    message: dict[str, Any],
    time: datetime | None,
    speaking: Speaking,
    skips: Skips,
    agent: bool,
) -> Iterator[RawTurn]:
    origin = text_of(record.get("uuid"))
    content = message.get("content")
    if kind == "user":
        holds_result = any(block.get("type") == "tool_result" for block in _blocks(content))
        if record.get("isCompactSummary") is True:
            yield from speaking.system(said(content, skips).text, time, name="compaction")
        elif record.get("isMeta") is True and not holds_result:
            skips.leave("inserted by the tool")
        elif agent and not holds_result:
            yield from speaking.assistant(said(content, skips).text, time, name="agent", origin=origin)
        else:
            yield from speaking.message(Role.USER, content, time, origin=origin)
            yield from _answers(record.get("toolUseResult"), time, speaking, origin)
    elif kind == "attachment":
        attachment = record.get("attachment")
        if not _is_queued(record) or not isinstance(attachment, dict):
            skips.leave("record of the tool")
        elif _is_typed(attachment):
            text = said(attachment.get("prompt"), skips)
            at = read_time(attachment.get("timestamp")) or time
            if agent:
                yield from speaking.assistant(text.text, at, name="agent", origin=origin)
            else:
                yield from speaking.user(text.text, at, files=text.files, origin=origin)
        else:
            skips.leave("agent notification")
    elif kind == "system" and record.get("subtype") in ("api_error", "error", "api_refusal"):
        skips.leave("API error")
    else:
        skips.leave("record of the tool")


def _is_queued(record: dict[str, Any]) -> bool:
    attachment = record.get("attachment")
    return isinstance(attachment, dict) and attachment.get("type") == "queued_command"


def _is_typed(attachment: dict[str, Any]) -> bool:
    """Was this queued prompt typed by the user? Background tasks and other agents use the same queue."""
    origin = attachment.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else None
    if isinstance(origin, dict) and origin.get("senderTaskId"):
        return False
    return attachment.get("commandMode") != "task-notification" and kind not in (
        "task-notification",
        "agent",
        "subagent",
        "coordinator",
    )


def _answers(result: Any, time: datetime | None, speaking: Speaking, origin: str | None) -> Iterator[RawTurn]:
    """Choices the user made in a question dialog: theirs, though they arrive as a tool's result."""
    answers = result.get("answers") if isinstance(result, dict) else None
    if isinstance(answers, dict) and isinstance(result.get("questions"), list):
        for question, answer in answers.items():
            if isinstance(answer, str) and answer.strip():
                yield from speaking.user(f"{question} → {answer}", time, origin=origin)
