"""What an assistant's turns and tool calls leave behind: files written, results reported."""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import PurePosixPath, PureWindowsPath

from brain.distil.judge import hostile
from brain.distil.sentences import sentences, word_count
from brain.distil.speech import BlockKind, blocks
from brain.types import Turn

_WRITES = re.compile(r"write|edit|create|patch|save|str_replace|insert|notebook|append|multiedit|apply", re.IGNORECASE)
_READS = re.compile(r"read|view|grep|search|glob|list|ls\b|cat\b", re.IGNORECASE)
_PATH_KEYS = ("file_path", "path", "filePath", "notebook_path", "target_file", "filename", "file", "destination")
_PATCH = re.compile(r"^\*\*\* (?:Add|Update) File: (.{1,300})$", re.MULTILINE)
_MAX_JSON = 200_000
_RESULT = re.compile(
    r"^(?:I(?:'ve| have)?\s+(?:now\s+|also\s+|just\s+|successfully\s+)?(?:created|added|fixed|updated|wrote|written|implemented|removed|renamed|moved|saved|exported|refactored|replaced|changed|built|generated|configured|installed|found that|migrated|deployed|committed|pushed|set|switched|put|converted|merged|verified)\b"
    r"|(?:the|a) (?:root cause|issue|problem|bug|error|failure|fix|cause|culprit|solution)\b.{0,30}\b(?:was|is|were|came|lies|comes)\b|all (?:\d+ )?tests? (?:now )?pass|(?:the )?(?:build|tests?|deploy\w*|migration|export|script|suite) (?:now )?(?:pass\w*|fail\w*|succe\w*|works?|is green|ran|runs)\b)",
    re.IGNORECASE,
)
ASKS_FOR_NAMES = re.compile(
    r"\b(?:names?|places|restaurants?|caf[eé]s?|bars|hotels?|hostels?|museums?|parks|trails|hikes|cities|towns|destinations|attractions|"
    r"books?|novels|authors?|movies?|films?|shows?|series|songs?|albums?|artists?|musicians|bands?|podcasts?|games?|courses?|universities|"
    r"schools|programs|resources|websites?|apps?|tools|libraries|frameworks|brands?|products?|models?|stores?|shops|options|providers|"
    r"companies|organi[sz]ations|charities|events|festivals|architectures|titles|slogans|domains?)\b",
    re.IGNORECASE,
)
"""A request whose answer is a list of things to choose from."""

_ROUTINE = re.compile(r"\b(?:let me|I'll|now I|next,? I|I will|going to|I need to|first,? I)\b", re.IGNORECASE)


def written_paths(turn: Turn, cwd: str | None) -> Iterator[str]:
    """Files a tool call wrote, relative to `cwd` where they lie under it."""
    if turn.name and (_READS.search(turn.name) or not _WRITES.search(turn.name)):
        return
    text = turn.text[:_MAX_JSON]
    for path in _PATCH.findall(text):
        yield relative(path.strip(), cwd)
    if "{" not in text:
        return
    for part in text.split("```")[1:20:2]:
        try:
            arguments = json.loads(part.removeprefix("json").strip())
        except (ValueError, RecursionError):
            continue
        if not isinstance(arguments, dict) or (
            not turn.name and not {"content", "new_string", "file_text", "patch"} & arguments.keys()
        ):
            continue
        for key in _PATH_KEYS:
            path = arguments.get(key)
            if isinstance(path, str) and 1 < len(path) < 240 and "\n" not in path:
                yield relative(path, cwd)
                break


_NO_DELIVERABLE = re.compile(
    r"(?:^|/)(?:README|NOTES?|TODO|CHANGELOG|CLAUDE|AGENTS|LICENSE|Makefile|Dockerfile|package(?:-lock)?\.json|\.[\w.-]+|__init__\.py|index\.[jt]sx?)(?:\.\w+)?$"
    r"|(?:^|/)(?:node_modules|\.git|__pycache__|tmp|dist|build)/|\.(?:lock|log|tmp|bak)$",
    re.IGNORECASE,
)
_DELIVERED = re.compile(
    r"\.(?:pdf|docx?|odt|pptx?|xlsx?|csv|html?|svg|png|jpe?g|ipynb|md|tex|epub|mp[34]|zip)$", re.IGNORECASE
)


def artefact_weight(path: str) -> float:
    """How much a written file matters: reports, figures and tables most, notes to the tool itself not at all."""
    if _NO_DELIVERABLE.search(path):
        return 0.0
    return 0.52 if _DELIVERED.search(path) else 0.43


def relative(path: str, cwd: str | None) -> str:
    """`path` below the working folder, or its last three parts: no machine's absolute paths in memory."""
    pure: PurePosixPath = PurePosixPath(PureWindowsPath(path).as_posix()) if "\\" in path else PurePosixPath(path)
    if cwd:
        base = PureWindowsPath(cwd).as_posix() if "\\" in cwd else cwd
        if pure.is_relative_to(base):
            return str(pure.relative_to(base))
    if pure.is_absolute() or ":" in pure.parts[0]:
        return str(PurePosixPath(*pure.parts[-3:])) if len(pure.parts) > 3 else str(pure).lstrip("/")
    return str(pure)


_MEASURED = re.compile(
    r"^(?=(?:.*?[^\W\d_]{3,}){2}|.*[\u3040-\u9fff]{3})[^\\|<>{}\n]{6,120}?[:：=]?\s*(?<![A-Za-z\d/.\\_])[-+]?\d[\d.,\u00a0 ]*\s?(?:%|[^\W\d_]{1,4}\.?)?(?:\s\([^()\d]{2,20}\))?$"
)
_PLACE = re.compile(r"^[\d\W]|^(?:Exit|Error|Process|Chunk|Wall)\b|\.\w{1,5}:\d|[/\\]\w+[/\\]|^\S*$")
"""A line that opens with a count, or that names a file or a place in one."""


def measured(turn: Turn) -> str:
    """The one line that a run printed, when it says what it measured ("lint warnings in api: 14"), else ""."""
    text = turn.text.strip()
    if "\n" in text or not 8 <= len(text) <= 140 or hostile(text) or "‹redacted:" in text:
        return ""
    if turn.name and (_READS.search(turn.name) or _WRITES.search(turn.name)):
        return ""
    return text if _MEASURED.match(text) and not _PLACE.search(text) else ""


def results(text: str) -> list[str]:
    """Sentences in which an assistant reports what it did or found out, at most three."""
    found: list[str] = []
    for block in blocks(text):
        if block.kind in (BlockKind.HEADING, BlockKind.IMAGE):
            continue
        for sentence in sentences(block.text):
            if (
                5 <= word_count(sentence) <= 34
                and _RESULT.search(sentence)
                and not _ROUTINE.search(sentence)
                and not hostile(sentence)
                and "‹redacted:" not in sentence
            ):
                found.append(sentence)
    return found[:3]
