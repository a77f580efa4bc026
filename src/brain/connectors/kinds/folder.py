"""A folder of documents: Markdown, plain text, and PDF by its text. A record is a file, its id the path in it."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from brain.connectors import fence
from brain.connectors.kind import TEXT, Entry, Kind, Place, newest_first, ranked
from brain.connectors.tidy import decoded, fields, tidy
from brain.errors import BrainError, ConnectorError, NotFound
from brain.text import counted
from brain.tree.snapshot import Record

SUFFIXES = frozenset({".md", ".markdown", ".txt", ".text", ".rst", ".org", ".pdf"})
PAGES = 500
"""Pages of one PDF that are read."""

BYTES_SEARCHED = 200_000_000
"""Bytes of a folder that one search reads; what lies beyond is counted."""


class Folder:
    """The documents of one folder."""

    def __init__(self, place: Place) -> None:
        self.place = place
        ground = fence.ground(place)
        self.base = ground if ground.is_dir() else ground.parent
        self.only = None if ground.is_dir() else ground.name
        self._texts: dict[tuple[str, str], str] = {}

    def check(self) -> str:
        number = sum(1 for _ in self._files())
        return counted(number, "document")

    def list(self, since: date | None = None, until: date | None = None) -> Iterator[Entry]:
        for entry in newest_first(self._entry(relative, file) for relative, file in self._files()):
            day = date.fromisoformat(entry.day)
            if (since is None or day >= since) and (until is None or day <= until):
                yield entry

    def search(self, query: str, limit: int) -> Sequence[Entry]:
        left = BYTES_SEARCHED
        found = []
        for relative, file in self._files():
            left -= file.stat().st_size
            if left < 0:
                self.place.skipped["not searched: the folder is too large"] += 1
                continue
            found.append(self._entry(relative, file))
        return ranked(found, query, limit, self._body)

    def fetch(self, id: str) -> Record:
        file = fence.inside(self.place, self.base, id)
        if file.suffix.lower() not in SUFFIXES or (self.only and id != self.only) or not file.is_file():
            raise NotFound(
                f"connector {self.place.name!r} has no document {id!r}", hint=f"brain connector list {self.place.name}"
            )
        return Record(
            kind="file",
            id=id,
            title=tidy(Path(id).name, 200),
            text=tidy(self._text(file), TEXT),
            fields=fields(("path", id)),
        )

    def close(self) -> None:
        self._texts.clear()

    def _files(self) -> Iterator[tuple[str, Path]]:
        self.place.skipped.clear()
        for relative, file in fence.files(self.place, self.base, SUFFIXES):
            if self.only is None or relative == self.only:
                yield relative, file

    def _entry(self, relative: str, file: Path) -> Entry:
        state = file.stat()
        day = datetime.fromtimestamp(state.st_mtime, UTC).astimezone(self.place.zone).date().isoformat()
        mark = f"{state.st_size}-{state.st_mtime_ns}"
        return Entry(id=relative, kind="file", title=tidy(relative, 200), day=day, state=mark)

    def _body(self, entry: Entry) -> str:
        key = (entry.id, entry.state)
        if key not in self._texts:
            try:
                self._texts[key] = self._text(fence.inside(self.place, self.base, entry.id))
            except BrainError:
                self.place.skipped["does not read"] += 1
                self._texts[key] = ""
        return self._texts[key]

    def _text(self, file: Path) -> str:
        data = fence.read(self.place, file)
        return pdf_text(self.place, file.name, data) if file.suffix.lower() == ".pdf" else decoded(data)


def pdf_text(place: Place, name: str, data: bytes) -> str:
    """The text of a PDF, page by page. Raises ConnectorError for one that is broken or locked."""
    import logging
    import warnings

    import pypdf  # 80 ms that only PDF files need

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it tells of every oddity; what matters is raised
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
            if reader.is_encrypted and not reader.decrypt(""):
                raise ConnectorError(place.name, f"{name!r} is locked with a password")
            out: list[str] = []
            length = 0
            for number, page in enumerate(reader.pages[:PAGES], start=1):
                text = page.extract_text()
                out.append(f"[page {number}]\n{text.strip()}")
                length += len(text)
                if length > TEXT:
                    break
    except ConnectorError:
        raise
    except Exception as error:  # a broken file may break its reader anywhere
        raise ConnectorError(place.name, f"{name!r} does not read as PDF: {type(error).__name__}") from error
    return "\n\n".join(out)


KIND = Kind(
    name="folder",
    title="A folder of Markdown, text and PDF files",
    needs=("path",),
    asked=True,
    open=Folder,
)
