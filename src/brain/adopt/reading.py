"""From a folder, archive or file to a parcel: which places hold pages to adopt, and the reading of what they hold.

A folder that is taken for pages says so itself (`.obsidian/`, `okf_version`, our own marker), or most of its Markdown
files have properties or wikilinks and none of them is a transcript. Anything else is for the import of sessions.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from brain.adopt.foreign import Foreign
from brain.adopt.parcel import Parcel
from brain.adopt.properties import split
from brain.adopt.returned import Document, Returning, artifact_of, from_lines
from brain.config import FILE
from brain.errors import FormatError
from brain.export.exporting import MARKER
from brain.export.holdings import Turns, collect
from brain.export.jsonl import records
from brain.ingest.archive import is_archive, unpacked
from brain.ingest.formats import find_format
from brain.ingest.raw import Skips
from brain.ingest.source import Head, read_text
from brain.text import clean
from brain.tree.files import FolderTree

LARGEST = 2_000_000  # bytes of a Markdown file that is read
SAMPLE = 40  # files of a folder that are looked at to see what it holds
RESERVED = frozenset({"index.md", "log.md"})
RAW_FOLDERS = frozenset({"raw", "sources"})
"""Beside `wiki/`, where an LLM wiki keeps what its pages were written from."""
GUIDES = frozenset({"claude.md", "agents.md", "gemini.md", "copilot-instructions.md", ".cursorrules", "skill.md"})
"""Instructions for agents: never adopted, as stored text must not gain authority."""

_PASSED = frozenset({".git", ".obsidian", ".trash", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".brain"})
_PAGE = re.compile(r"(?m)^(?:item_type: *['\"]?wiki_page|semantic_type:|next_cite:|okf_version:)|pplx://sessions/")
_WIKILINK = re.compile(r"\[\[[^\[\]\n]+\]\]")


def holds_pages(path: Path) -> bool:
    """Whether a place holds pages to adopt, rather than sessions."""
    if path.is_dir():
        return _folder_of_pages(path)
    if path.suffix.lower() == ".jsonl":
        return _start(path).startswith('{"kind": "brain"')
    if is_archive(path):
        return _archive_of_pages(path)
    text = _start(path, 20_000) if path.suffix.lower() == ".md" else ""
    return bool(_PAGE.search(text[:4000])) or (_is_page(text) and find_format(Head.of(path)) is None)


def _folder_of_pages(path: Path) -> bool:
    if (path / FILE).is_file() or (path / MARKER).is_file() or (path / ".obsidian").is_dir():
        return True
    index = path / "index.md"
    if index.is_file() and "okf_version" in _start(index, 400):
        return True
    seen = pages = 0
    for _, place in _walk(path):
        if place.suffix.lower() == ".md" and place.name.lower() not in RESERVED | GUIDES:
            seen += 1
            pages += _is_page(_start(place, 20_000)) and find_format(Head.of(place)) is None
        elif place.suffix.lower() in (".json", ".jsonl", ".sqlite", ".db", ".vscdb", ".zip"):
            return False
        if seen >= SAMPLE:
            break
    return pages * 2 > seen


def _archive_of_pages(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            parts = {part for name in names for part in name.split("/")[:-1]}
            if ".obsidian" in parts or any(name.endswith(MARKER) for name in names):
                return True
            index = min((n for n in names if n.rpartition("/")[2] == "index.md"), key=len, default="")
            return bool(index) and b"okf_version" in archive.open(index).read(400)
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError):
        return False


def _is_page(text: str) -> bool:
    properties, body = split(text)
    return bool(_PAGE.search(text[:4000]) or properties.values or _WIKILINK.search(body) or "pplx://sessions/" in text)


def _start(path: Path, size: int = 400) -> str:
    try:
        with path.open("rb") as file:
            return file.read(size).decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
    except OSError:
        return ""


def read(path: Path, *, redact: Callable[[str], str], known: Callable[[str], bool]) -> Parcel:
    """Everything a place holds. `known` says whether memory has a session of that id."""
    if path.is_file() and is_archive(path):
        skips = Skips()
        with unpacked(path, skips) as folder:
            inner = [place for place in sorted(folder.iterdir()) if place.name != "__MACOSX"]
            whole = inner[0] if len(inner) == 1 and inner[0].is_dir() else folder
            found = read(whole, redact=redact, known=known)
        for reason, count in sorted((skips.broken + skips.left_out).items()):
            found.lose(f"files of the archive ({reason})", path.name, count)
        return found
    if path.is_file() and path.suffix.lower() == ".jsonl":
        with path.open(encoding="utf-8", errors="replace", newline="\n") as lines:
            return from_lines(lines, path.name, redact)
    if (path / FILE).is_file():  # another brain: as it would export itself, whole
        held = collect(FolderTree(path), include="restricted", turns=Turns.ALL)
        found = from_lines((json.dumps(one) for one in records(held)), path.name, redact)
        for broken in held.broken:
            found.lose("files of that memory that do not read", broken)
        return found
    return _Reading(path, redact, known).parcel()


class _Reading:
    """One folder, or one file as a folder of its own."""

    def __init__(self, root: Path, redact: Callable[[str], str], known: Callable[[str], bool]) -> None:
        self.root, self.redact, self.known = root, redact, known
        self.found = Parcel()
        self.documents: dict[str, Document] = {}
        self.texts: dict[str, str] = {}
        self.others: Counter[str] = Counter()

    def parcel(self) -> Parcel:
        ours = (self.root / MARKER).is_file()
        raw = RAW_FOLDERS if (self.root / "wiki").is_dir() else frozenset()
        for name, place in [(self.root.name, self.root)] if self.root.is_file() else list(_walk(self.root)):
            if name == MARKER or (place.name in RESERVED) or (ours and name == "Home.md"):
                continue
            if name.partition("/")[0] in raw:
                self.found.lose("raw documents of a wiki, which are no pages", name)
            elif artifact := artifact_of(name) if ours else "":
                self.found.files[artifact] = place.read_bytes()
            elif place.suffix.lower() in (".md", ".markdown"):
                self._document(name, place)
            else:
                self.others[place.suffix.lower() or place.name] += 1
        for kind, count in sorted(self.others.items()):
            self.found.lose(f"{kind} files", self.root.name, count)
        back = {path: one for path, one in self.documents.items() if one.id or one.is_session}
        self.found.add(Returning(documents=back).parcel())
        come = {sitting.head.id for sitting in self.found.sittings}
        foreign = {path: one for path, one in self.documents.items() if path not in back}
        ids = {path: one.id for path, one in back.items() if one.id and not one.id.startswith("notes/")}
        self.found.add(
            Foreign(
                documents=foreign, texts=self.texts, ids=ids, known=lambda one: one in come or self.known(one)
            ).parcel()
        )
        return self.found

    def _document(self, name: str, place: Path) -> None:
        name = self.redact(name)
        if place.name.lower() in GUIDES:
            self.found.lose("files of instructions for agents", name)
            return
        try:
            if place.stat().st_size > LARGEST:
                self.found.lose(f"files larger than {LARGEST // 1_000_000} MB", name)
                return
            text = self.redact(clean(read_text(place)))
        except (OSError, UnicodeError, ValueError, FormatError):
            self.found.lose("files that do not read", name)
            return
        if not text.strip():
            self.found.lose("empty files", name)
            return
        text = text if text.endswith("\n") else f"{text}\n"
        properties, body = split(text)
        if properties.broken:
            self.found.lose(properties.broken, name)
        self.documents[name] = Document(path=name, properties=properties, body=body)
        self.texts[name] = text


def _walk(root: Path) -> Iterator[tuple[str, Path]]:
    """Files with their path in the folder, `/` between parts; links and what hosts keep beside are passed."""
    for folder, names, files in os.walk(root):
        here = Path(folder)
        names[:] = sorted(n for n in names if n not in _PASSED and not (here / n).is_symlink())
        for name in sorted(files):
            place = here / name
            if place.is_file() and not place.is_symlink() and (not name.startswith(".") or name == MARKER):
                yield place.relative_to(root).as_posix(), place
