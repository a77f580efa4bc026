"""The log of a git repository: commits with author, day, message and paths, and tags. Nothing in it is run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from brain.connectors import fence
from brain.connectors.kind import GLIMPSE, MOST, TEXT, Entry, Kind, Place, ranked
from brain.connectors.tidy import fields, tidy
from brain.errors import ConnectorError, GitError, NotFound
from brain.git.process import read_foreign
from brain.text import one_line
from brain.tree.snapshot import Record, readable

BYTES = 64_000_000
PATHS = 100
_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_ASKED = re.compile(r"[0-9a-f]{7,64}")
_FORMAT = "--format=%x1e%H%x1f%an%x1f%ae%x1f%aI%x1f%B%x1f"
_TAGS = "--format=%1e%(refname:short)%1f%(objectname)%1f%(*objectname)%1f%(creatordate:iso-strict)%1f%(contents)"


class GitLog:
    """Commits and tags of one repository, read once."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.git_dir = _git_dir(place, fence.ground(place))
        self._records: dict[str, Record] | None = None

    def check(self) -> str:
        kinds = [record.kind for record in self._read().values()]
        return f"{kinds.count('commit')} commits, {kinds.count('tag')} tags"

    def list(self, since: date | None = None, until: date | None = None) -> Iterator[Entry]:
        for record in self._read().values():
            day = date.fromisoformat(record.day)
            if (since is None or day >= since) and (until is None or day <= until):
                yield _entry(record)

    def search(self, query: str, limit: int) -> Sequence[Entry]:
        return ranked(map(_entry, self._read().values()), query, limit)

    def fetch(self, id: str) -> Record:
        records = self._read()
        if id in records:
            return records[id]
        whole = [known for known in records if known.startswith(id)] if _ASKED.fullmatch(id) else []
        if len(whole) == 1:
            return records[whole[0]]
        raise NotFound(
            f"connector {self.place.name!r} has no commit or tag {id!r}", hint=f"brain connector list {self.place.name}"
        )

    def close(self) -> None:
        self._records = None

    def _read(self) -> dict[str, Record]:
        if self._records is None:
            self.place.skipped.clear()
            rows = sorted([*self._commits(), *self._tags()], key=lambda one: (one.day, one.field("date")), reverse=True)
            self._records = {record.id: record for record in rows}
        return self._records

    def _commits(self) -> Iterator[Record]:
        if not self._run(["rev-list", "-n", "1", "--all"]).strip():
            return
        allow = self.place.connector.allow
        args = ["log", "-n", str(MOST + 1), _FORMAT, "--name-only", "--no-show-signature", "--no-ext-diff",
                "--no-textconv", "--no-color", "--no-notes", "HEAD", *(["--", *allow] if allow else [])]  # fmt: skip
        for number, block in enumerate(self._run(args).split("\x1e")[1:]):
            if number >= MOST:
                self.place.skipped["older commits that are not read"] += 1
                return
            parts = block.split("\x1f")
            if len(parts) != 6 or not _HASH.fullmatch(parts[0]):
                self.place.skipped["commits that do not read"] += 1
                continue
            yield self._commit(*parts)

    def _commit(self, hash: str, author: str, address: str, when: str, message: str, names: str) -> Record:
        paths = [path for path in names.split("\n") if path and self.place.allows(path)]
        more = f"\n… and {len(paths) - PATHS} more" if len(paths) > PATHS else ""
        subject, _, body = message.strip().partition("\n")
        changed = "\n".join(["Paths:", *paths[:PATHS]]) + more if paths else ""
        return Record(
            kind="commit",
            id=hash,
            title=one_line(subject)[:300] or "(no message)",
            day=when[:10],
            text=tidy("\n\n".join(part for part in (body.strip(), changed) if part), TEXT),
            fields=fields(("commit", hash), ("author", f"{author} <{address}>"), ("date", when)),
        )

    def _tags(self) -> Iterator[Record]:
        if self.place.connector.allow:
            return
        for block in self._run(["for-each-ref", "refs/tags", _TAGS]).split("\x1e")[1:]:
            parts = block.split("\x1f", 4)
            if len(parts) != 5 or not re.match(r"\d{4}-\d\d-\d\d", parts[3]):
                self.place.skipped["tags that do not read"] += 1
                continue
            name, own, peeled, when, message = parts
            yield Record(
                kind="tag", id=f"tag/{one_line(name)[:200]}", title=one_line(name)[:200], day=when[:10],
                text=tidy(message, TEXT),
                fields=fields(("tag", name), ("commit", peeled or own), ("date", when)),
            )  # fmt: skip

    def _run(self, args: Sequence[str]) -> str:
        try:
            data = read_foreign(self.git_dir, args, seconds=self.place.connector.timeout, most=BYTES)
        except GitError as error:
            raise ConnectorError(self.place.name, error.message, hint=error.hint) from error
        return data.decode("utf-8", "replace")


def _git_dir(place: Place, ground: Path) -> Path:
    """The repository at a path: its `.git`, or the folder itself when it is bare. Raises ConnectorError."""
    inner = ground / ".git"
    if inner.is_file() or inner.is_symlink():
        raise ConnectorError(
            place.name, f"{place.connector.path!r} is a linked work tree or submodule", hint="name the main repository"
        )
    for folder in (inner, ground):
        if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
            return folder
    raise ConnectorError(place.name, f"{place.connector.path!r} is no git repository", hint="path = its folder")


def _entry(record: Record) -> Entry:
    return Entry(
        id=record.id, kind=record.kind, title=record.title, day=record.day, text=readable(record)[:GLIMPSE],
        state=record.id,
    )  # fmt: skip


KIND = Kind(
    name="git",
    title="The log of a git repository: commits, authors, paths, tags",
    needs=("path",),
    open=GitLog,
)
