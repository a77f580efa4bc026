"""Where files live (format §1): paths from ids, ids from paths, and what kind of file a path is."""

from __future__ import annotations

import re
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from brain.text import ascii_slug, is_slug
from brain.tree.ids import format_day

AGENTS = "AGENTS.md"
KNOWLEDGE_INDEX = "knowledge/index.md"
LOG = "knowledge/log.md"
SESSION_INDEX = "sessions/index.jsonl"
SESSION_INDEX_MD = "sessions/index.md"
CONFIG = ".brain/config.toml"
INSTRUCTIONS = ".brain/instructions.md"
DELETIONS = ".brain/deletions.jsonl"
GITIGNORE = ".gitignore"
GITATTRIBUTES = ".gitattributes"
TRANSCRIPTS = "sessions/transcripts/"
ARTIFACTS = "sessions/artifacts/"
SUMMARIES = "sessions/summaries/"
CONTROL = frozenset({CONFIG, INSTRUCTIONS, DELETIONS, GITIGNORE, GITATTRIBUTES})
GENERATED = frozenset({KNOWLEDGE_INDEX, LOG, SESSION_INDEX, SESSION_INDEX_MD})
"""Files a program writes whole from the others, never merged."""

TYPE_DIRS = {"entity": "entities", "concept": "concepts", "project": "projects", "learning": "learnings"}
DIR_TYPES = {folder: kind for kind, folder in TYPE_DIRS.items()}
TOPICS = ("preferences", "people", "work", "facts", "environment", "workflows")


class FileClass(StrEnum):
    PAGE = "page"
    NOTE = "note"
    SUMMARY = "summary"
    TRANSCRIPT = "transcript"
    ARTIFACT = "artifact"
    INDEX = "index"
    LOG = "log"
    SESSION_INDEX = "session_index"  # index.jsonl
    SESSION_INDEX_MD = "session_index_md"
    AGENTS = "agents"
    CONTROL = "control"  # tracked files of .brain/ and git's own
    STATE = "state"  # untracked files of .brain/: staging, runs, search index, lock
    OTHER = "other"  # nothing the format knows


_SLUG = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_PAGE = re.compile(rf"knowledge/((?:{'|'.join(DIR_TYPES)})/({_SLUG}))\.md")
_NOTE = re.compile(rf"(notes/({_SLUG}(?:/{_SLUG}){{1,2}}))\.md")
_STEM = re.compile(rf"(\d{{4}})-\d{{2}}-\d{{2}}(?:-{_SLUG})?-[0-9a-f]{{8}}")
_SESSION_FILE = re.compile(r"sessions/(summaries|transcripts)/(\d{4})/([^/]+)\.md")
_LOG = re.compile(r"knowledge/log(?:-\d{4})?\.md")
_EXACT = {
    KNOWLEDGE_INDEX: FileClass.INDEX,
    SESSION_INDEX: FileClass.SESSION_INDEX,
    SESSION_INDEX_MD: FileClass.SESSION_INDEX_MD,
    AGENTS: FileClass.AGENTS,
    **dict.fromkeys(CONTROL, FileClass.CONTROL),
}


class Stemmed(Protocol):
    """What a session's file name is made of: a transcript, a row or a summary."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def started_at(self) -> datetime | None: ...


def stem(session: Stemmed) -> str:
    """`<day>-<slug ≤ 40>-<first 8 hex of id>`; the day is 0000-00-00 when the source has no time."""
    day = format_day(session.started_at) if session.started_at else "0000-00-00"
    slug = ascii_slug(session.title, 40)
    return "-".join(part for part in (day, slug, session.id[:8]) if part)


def page_path(page_id: str) -> str:
    return f"knowledge/{page_id}.md"


def note_path(note_id: str) -> str:
    """Note ids are written with or without their leading `notes/`."""
    return f"{note_id}.md" if note_id.startswith("notes/") else f"notes/{note_id}.md"


def summary_path(stem: str) -> str:
    return f"{SUMMARIES}{stem[:4]}/{stem}.md"


def transcript_path(stem: str) -> str:
    return f"{TRANSCRIPTS}{stem[:4]}/{stem}.md"


def snapshot_path(connector: str, sha16: str) -> str:
    return f"{ARTIFACTS}connectors/{connector}/{sha16}.json"


def page_id(path: str) -> str | None:
    """The id of the page at a path, None when the path is no page's."""
    match = _PAGE.fullmatch(path)
    return match.group(1) if match else None


def note_id(path: str) -> str | None:
    """The id of the note file at a path (it starts with `notes/`), None when the path is no note's."""
    match = _NOTE.fullmatch(path)
    return match.group(1) if match else None


def page_type(page_id: str) -> str | None:
    """`projects/x` → `project`."""
    return DIR_TYPES.get(page_id.partition("/")[0])


def classify(path: str) -> FileClass:
    """What kind of file a path names; OTHER when it is not in the allowed set or a slug in it is not valid."""
    if exact := _EXACT.get(path):
        return exact
    if match := _PAGE.fullmatch(path):
        return FileClass.PAGE if is_slug(match.group(2)) else FileClass.OTHER
    if match := _NOTE.fullmatch(path):
        return FileClass.NOTE if all(map(is_slug, match.group(2).split("/"))) else FileClass.OTHER
    if match := _SESSION_FILE.fullmatch(path):
        named = _STEM.fullmatch(match.group(3))
        if not named or named.group(1) != match.group(2):
            return FileClass.OTHER
        return FileClass.SUMMARY if match.group(1) == "summaries" else FileClass.TRANSCRIPT
    if path.startswith(ARTIFACTS):
        return FileClass.ARTIFACT
    if _LOG.fullmatch(path):
        return FileClass.LOG
    return FileClass.STATE if path.startswith(".brain/") else FileClass.OTHER


def is_tracked(path: str) -> bool:
    """Whether git holds the file: all of the tree but transcripts, artifacts and the state of `.brain/`."""
    return classify(path) not in {FileClass.TRANSCRIPT, FileClass.ARTIFACT, FileClass.STATE}


def is_generated(path: str) -> bool:
    return path in GENERATED or _LOG.fullmatch(path) is not None
