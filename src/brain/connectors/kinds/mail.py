"""Mail: an mbox file, a Maildir, or a folder of mbox and .eml files. A record is a mail, its id the Message-ID.

Files are only ever opened for reading: nothing is locked, moved or marked as seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from brain.connectors import fence
from brain.connectors.kind import GLIMPSE, MOST, Entry, Kind, Place, newest_first, ranked
from brain.connectors.letters import Head, body_of, head_of, record_of, shown
from brain.errors import ConnectorError, NotFound
from brain.text import counted
from brain.tree.snapshot import Record

BYTES = 2_000_000
"""Bytes of one mail that are read; what lies behind, attachments mostly, is left."""

BOX = 4_000_000_000
"""Bytes of one mailbox file that are looked through."""

SUFFIXES = frozenset({".mbox", ".mbx", ".eml"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Where one mail lies, and its head."""

    head: Head
    file: Path
    start: int
    size: int


class Mail:
    """The mails of one place, heads read once, words when they are asked for."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._kept: dict[str, Kept] | None = None
        self._words: dict[str, str] = {}

    def check(self) -> str:
        number = len(self._read())
        return counted(number, "mail")

    def list(self, since: date | None = None, until: date | None = None) -> Iterator[Entry]:
        for entry in newest_first(map(_entry, self._read().items())):
            day = date.fromisoformat(entry.day) if entry.day else None
            always = since is None and until is None
            if always or (day and (since is None or day >= since) and (until is None or day <= until)):
                yield entry

    def search(self, query: str, limit: int) -> Sequence[Entry]:
        return ranked(map(_entry, self._read().items()), query, limit, self._body)

    def fetch(self, id: str) -> Record:
        kept = self._read().get(id)
        if kept is None:
            raise NotFound(
                f"connector {self.place.name!r} has no mail {id!r}", hint=f"brain connector list {self.place.name}"
            )
        return record_of(self._bytes(kept), self.place.zone, id)

    def close(self) -> None:
        self._kept = None
        self._words.clear()

    def _body(self, entry: Entry) -> str:
        if entry.id not in self._words:
            kept = self._read()[entry.id]
            self._words[entry.id] = f"{entry.text}\n{body_of(self._bytes(kept))[0][: 5 * GLIMPSE]}"
        return self._words[entry.id]

    def _bytes(self, kept: Kept) -> bytes:
        with kept.file.open("rb") as file:
            file.seek(kept.start)
            return file.read(min(kept.size, BYTES))

    def _read(self) -> dict[str, Kept]:
        if self._kept is None:
            self.place.skipped.clear()
            rows = [
                Kept(head=head_of(data, self.place.zone), file=file, start=start, size=size)
                for file, start, size, data in self._letters()
            ]
            rows.sort(key=lambda kept: (kept.head.day, kept.head.time, kept.head.id), reverse=True)
            if len(rows) > MOST:
                self.place.skipped["older mails that are not read"] += len(rows) - MOST
            self._kept = {}
            for kept in rows[:MOST]:
                self._kept.setdefault(kept.head.id, kept)
        return self._kept

    def _letters(self) -> Iterator[tuple[Path, int, int, bytes]]:
        """Every mail: its file, where it starts in it, its size, and the bytes of its head."""
        ground = fence.ground(self.place)
        if ground.is_file():
            yield from self._of_file(ground)
        elif (ground / "cur").is_dir() or (ground / "new").is_dir():
            for folder in ("cur", "new"):
                yield from self._of_maildir(ground, folder)
        else:
            for _, file in fence.files(self.place, ground, SUFFIXES):
                yield from self._of_file(file)

    def _of_maildir(self, base: Path, folder: str) -> Iterator[tuple[Path, int, int, bytes]]:
        inner = base / folder
        for file in sorted(inner.iterdir()) if inner.is_dir() and not inner.is_symlink() else ():
            if file.name.startswith(".") or not file.is_file() or not self.place.allows(f"{folder}/{file.name}"):
                continue
            if not file.resolve().is_relative_to(base):
                self.place.skipped["leads out of the folder"] += 1
                continue
            with file.open("rb") as opened:
                yield file, 0, file.stat().st_size, opened.read(65_536)

    def _of_file(self, file: Path) -> Iterator[tuple[Path, int, int, bytes]]:
        if not file.is_file():
            raise ConnectorError(self.place.name, f"{file.name!r} is no regular file")
        size = file.stat().st_size
        if size > BOX:
            self.place.skipped["mailboxes that are too large"] += 1
            return
        with file.open("rb") as opened:
            if file.suffix.lower() == ".eml":
                yield file, 0, size, opened.read(65_536)
                return
            if size and not opened.read(5).startswith(b"From "):
                raise ConnectorError(
                    self.place.name, f"{file.name!r} is no mbox: it does not begin with 'From '",
                    hint="path = an mbox file, a Maildir, or a folder of .mbox and .eml files",
                )  # fmt: skip
        for start, length in letters_in(file):
            with file.open("rb") as opened:
                opened.seek(start)
                yield file, start, length, opened.read(min(length, 65_536))


def letters_in(file: Path) -> Iterator[tuple[int, int]]:
    """Start and size of each mail in an mbox: what follows a line `From …` at the top or behind an empty line."""
    start: int | None = None
    at = 0
    blank = True
    with file.open("rb") as opened:
        while line := opened.readline(1_000_000):
            if blank and line.startswith(b"From "):
                if start is not None:
                    yield start, at - start
                start = at + len(line)
            blank = line in (b"\n", b"\r\n")
            at += len(line)
    if start is not None and at > start:
        yield start, at - start


def _entry(row: tuple[str, Kept]) -> Entry:
    id, kept = row
    head = kept.head
    text = f"{head.subject}\nfrom: {shown(head.sender)}\nto: {', '.join(map(shown, head.to))}"
    return Entry(id=id, kind="mail", title=head.subject, day=head.day, text=text, state=f"{kept.start}-{kept.size}")


KIND = Kind(
    name="mail",
    title="Mail: an mbox file, a Maildir, or a folder of .mbox and .eml files",
    needs=("path",),
    open=Mail,
)
