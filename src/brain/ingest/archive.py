"""Zip archives of exports: unpacked piece by piece into a private folder, nested ones too, hostile ones refused.

What an archive says of itself is not believed: names that lead out of the folder are refused, what grows beyond its
stated size or beyond reason is stopped, and what is left is read like any folder.
"""

from __future__ import annotations

import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from brain.ingest.raw import RawSession, Skips
from brain.ingest.source import Head

MAGIC = b"PK\x03\x04"
DEPTH = 3
"""Archives inside archives that are opened."""

MEMBERS = 500_000
RATIO = 200
"""How many times its packed size a member may have; text packs 3 to 20 times, a bomb thousands."""

SMALL = 64 << 20
"""Bytes up to which the ratio does not matter: a log of equal lines packs well and harms nobody."""

TOTAL = 64 << 30
_CHUNK = 1 << 20
_MEDIA = {
    ".png", ".jpg", ".jpeg", ".gif", ".webp", ".heic", ".bmp", ".ico", ".svg", ".mp3", ".m4a", ".wav", ".ogg",
    ".opus", ".mp4", ".mov", ".webm", ".avi", ".pdf", ".docx", ".pptx", ".xlsx", ".ttf", ".woff", ".woff2", ".css",
    ".js", ".dat",
}  # fmt: skip


def is_archive(path: Path) -> bool:
    """Whether a file is a zip archive, by its first bytes. Raises OSError."""
    with path.open("rb") as file:
        return file.read(4) == MAGIC


class Archive:
    """Stands where a format stands for a file that holds others."""

    name = "zip"
    title = "Zip archives of exports"
    where = "an export as it was downloaded, or the several archives of a large one"
    known_by = "what the files inside are known by"
    times = "those of the files inside"
    kept = "what the formats of the files inside keep"
    dropped = "pictures, sound and other files that are no text (not speech)"

    def detect(self, head: Head) -> int:
        return 100 if head.data.startswith(MAGIC) else 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        """An archive has no sessions of its own."""
        return iter(())


ARCHIVE = Archive()


@contextmanager
def unpacked(path: Path, skips: Skips) -> Iterator[Path]:
    """A private folder with what an archive holds, gone afterwards. What was refused is counted in `skips`."""
    with tempfile.TemporaryDirectory(prefix="brain-") as folder:
        place = Path(folder) / (path.stem or "archive")
        place.mkdir()
        room = min(TOTAL, shutil.disk_usage(folder).free // 2)
        _Unpacking(skips=skips, room=room).archive(path, place, 1)
        yield place


@dataclass(slots=True, kw_only=True)
class _Unpacking:
    """One archive and those in it. `room` is how many bytes may still be written."""

    skips: Skips
    room: int
    seen: int = 0
    taken: set[str] = field(default_factory=set)

    def archive(self, path: Path, place: Path, depth: int) -> None:
        try:
            with zipfile.ZipFile(path) as archive:
                for member in archive.infolist():
                    self.seen += 1
                    if self.seen > MEMBERS:
                        self.skips.damage(
                            f"more than {MEMBERS:,} files in the archive; the rest is not read", path.name
                        )
                        return
                    if not member.filename:
                        self.skips.damage("file of the archive without a name", path.name)
                    elif not member.is_dir():
                        self.member(archive, member, place, depth)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            self.skips.damage(f"archive does not read ({error}); download it again", path.name)

    def member(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo, place: Path, depth: int) -> None:
        name = member.filename
        target = _inside(place, name)
        if target is None:
            self.skips.damage("name leads out of the archive; refused", name[:120])
        elif stat.S_ISLNK(member.external_attr >> 16):
            self.skips.damage("link in the archive; refused", name[:120])
        elif member.flag_bits & 0x1:
            self.skips.damage("needs a password; unpack it yourself and import the folder", name[:120])
        elif target.suffix.lower() in _MEDIA:
            self.skips.leave("file of the archive that is no text")
        elif member.file_size > SMALL and member.file_size > RATIO * max(1, member.compress_size):
            self.skips.damage(f"grows to {member.file_size:,} bytes when unpacked; refused", name[:120])
        elif str(target).casefold() in self.taken:
            self.skips.damage("two files of one name in the archive; the first is read", name[:120])
        elif self._write(archive, member, target):
            self.taken.add(str(target).casefold())
            if is_archive(target):
                self._nested(target, depth)

    def _write(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path) -> bool:
        """Write one member; never more than it says it has, nor more than there is room."""
        if member.file_size > self.room:
            self.skips.damage("no room to unpack it; free some space or import it by itself", member.filename[:120])
            return False
        written = 0
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(member) as packed, target.open("wb") as file:
                while chunk := packed.read(_CHUNK):
                    written += len(chunk)
                    if written > member.file_size:
                        raise zipfile.BadZipFile("it is larger than it says")
                    file.write(chunk)
        except (
            zipfile.BadZipFile,
            OSError,
            EOFError,
            ValueError,
            RuntimeError,
            NotImplementedError,
            zlib.error,
        ) as error:
            self.skips.damage(f"cannot be unpacked ({error})", member.filename[:120])
            target.unlink(missing_ok=True)
            return False
        self.room -= written
        return True

    def _nested(self, target: Path, depth: int) -> None:
        if depth >= DEPTH:
            self.skips.damage(f"archives nested more than {DEPTH} deep; refused", target.name)
        else:
            place = target.with_name(f"{target.name}.d")
            place.mkdir()
            self.archive(target, place, depth + 1)
        target.unlink()


def _inside(place: Path, name: str) -> Path | None:
    """Where a member goes; None when its name is absolute, climbs, or is none that a file can have."""
    pure = PurePosixPath(name.replace("\\", "/"))
    parts = pure.parts
    if (
        pure.is_absolute()
        or not parts
        or ".." in parts
        or ":" in parts[0]
        or any(len(part.encode()) > 255 for part in parts)
    ):
        return None
    if any(ord(letter) < 32 for letter in name):
        return None
    target = place.joinpath(*parts)
    return target if place in target.parents else None
