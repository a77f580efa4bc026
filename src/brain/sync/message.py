"""Commit messages of memory: kind, subject, a few bullets, trailers that programs read (format §13)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from brain.text import clip, one_line
from brain.tree.layout import FileClass, classify

SUBJECT = 60  # characters after the kind
BULLETS = 10
ORDER = (
    "Dream-Run", "Base", "Sessions", "Connectors", "Pages", "Checks", "Skill", "Model", "Cost-USD", "Deletions-Through",
    "Brain-Format",
)  # fmt: skip
_TRAILER = re.compile(r"([A-Za-z][A-Za-z0-9-]*): (.*)")
_SUBJECT = re.compile(r"([a-z]+): (.*)")


class Kind(StrEnum):
    """What made a commit."""

    DREAM = "dream"
    INGEST = "ingest"
    NOTE = "note"
    FORGET = "forget"
    HUMAN = "human"
    RESTORE = "restore"
    IMPORT = "import"
    MIGRATE = "migrate"
    FIX = "fix"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A commit message in its parts. `kind` is None for one that somebody wrote with their own git."""

    kind: Kind | None
    subject: str
    body: tuple[str, ...] = ()
    trailers: tuple[tuple[str, str], ...] = ()

    def trailer(self, key: str) -> str | None:
        return next((value for name, value in self.trailers if name == key), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageCount:
    """Pages created, changed, deleted."""

    created: int = 0
    updated: int = 0
    deleted: int = 0

    def __str__(self) -> str:
        return f"+{self.created} ~{self.updated} -{self.deleted}"


def render(message: Message) -> str:
    subject = clip(one_line(message.subject), SUBJECT)
    bullets = [f"- {clip(one_line(line), 100)}" for line in message.body]
    if len(bullets) > BULLETS:
        bullets = [*bullets[: BULLETS - 1], f"- and {len(bullets) - BULLETS + 1} more"]
    trailers = [f"{key}: {one_line(value)}" for key, value in sorted(message.trailers, key=_rank)]
    parts = [f"{message.kind}: {subject}" if message.kind else subject, "\n".join(bullets), "\n".join(trailers)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _rank(trailer: tuple[str, str]) -> int:
    return ORDER.index(trailer[0]) if trailer[0] in ORDER else -1


def parse(text: str) -> Message:
    """Read a message back; any text is accepted."""
    subject, _, rest = text.partition("\n")
    paragraphs = [block.split("\n") for block in re.split(r"\n{2,}", rest.strip("\n")) if block]
    trailers: tuple[tuple[str, str], ...] = ()
    if paragraphs and all(_TRAILER.fullmatch(line) for line in paragraphs[-1]):
        found = (_TRAILER.fullmatch(line) for line in paragraphs.pop())
        trailers = tuple((match[1], match[2]) for match in found if match)
    named = _SUBJECT.fullmatch(subject)
    kind = Kind(named[1]) if named and named[1] in set(Kind) else None
    return Message(
        kind=kind,
        subject=named[2] if named and kind else subject,
        body=tuple(line.removeprefix("- ") for block in paragraphs for line in block),
        trailers=trailers,
    )


def count_pages(changes: Iterable[tuple[str, bool, bool]]) -> PageCount:
    """Pages among (path, was there, is there)."""
    created = updated = deleted = 0
    for path, before, after in changes:
        if classify(path) is FileClass.PAGE:
            created += not before and after
            updated += before and after
            deleted += before and not after
    return PageCount(created=created, updated=updated, deleted=deleted)


def named(path: str) -> str:
    """A file as people call it: a page by its id, others by their path."""
    return path.removeprefix("knowledge/").removesuffix(".md") if classify(path) is FileClass.PAGE else path


def files_said(verb: str, paths: Sequence[str]) -> str:
    """`edit projects/x` for one file, `edit 3 files` for several."""
    return f"{verb} {named(paths[0])}" if len(paths) == 1 else f"{verb} {len(paths)} files"
