"""What the past looks like without what was purged: every old version of a file, and every commit message."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

from brain.errors import FormatError
from brain.forgetting import files, pages
from brain.forgetting.reach import Reach
from brain.tree import log, markdown
from brain.tree.deletions import Deletions
from brain.tree.layout import FileClass, classify
from brain.tree.sessions import SessionState, parse_row, render_row

SUBJECT = "a change of what was forgotten since"


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """Takes a deletion out of old versions. `gone` are ids of pages and notes that went, `words` knows what was said by
    its hashes, `lost` are stems by session that only turns which went say, `titles` those of sessions that went."""

    reach: Reach
    gone: frozenset[str]
    words: Deletions
    lost: Mapping[str, frozenset[str]]
    titles: tuple[str, ...] = ()

    def without(self, path: str, content: bytes) -> bytes | None:
        """An old version of a file without it; None when nothing of it may stay."""
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            return content
        made = self._text(path, text)
        return content if made == text else None if made is None else made.encode()

    def _text(self, path: str, text: str) -> str | None:
        kind = classify(path)
        if kind is FileClass.PAGE:
            return self._page(path, text)
        if kind is FileClass.NOTE:
            return files.without_notes({path: text}, self.reach, None).files.get(path, text)
        if kind is FileClass.SUMMARY:
            return files.without_bullets({path: text}, self.reach, self.lost, self.gone).get(path, text)
        if kind is FileClass.SESSION_INDEX:
            return "".join(self._row(line) for line in text.splitlines(keepends=True))
        if kind is FileClass.LOG:
            made = log_without(text, self.gone, self.reach)
            return text if made is None else made
        if kind in (FileClass.INDEX, FileClass.SESSION_INDEX_MD):
            return "".join(line for line in text.splitlines(keepends=True) if not self._named(line))
        return text

    def _page(self, path: str, text: str) -> str | None:
        made = pages.without({path: text}, self.reach, lambda *_: False).files.get(path, text)
        return None if made is None else pages.unlinked(made, path, self.gone)

    def _row(self, line: str) -> str:
        try:
            row = parse_row(line)
        except FormatError:
            return line
        if row.id in self.reach.sessions:
            nothing = replace(
                row, title="", external_id="", summary=None, transcript="", transcript_sha256="",
                started_at=None, ended_at=None, last_turn_at=None, state=SessionState.DELETED,
            )  # fmt: skip
            return render_row(nothing) + "\n"
        if self.reach.says(row.title) or self.reach.names(row.transcript):
            return render_row(replace(row, title=files.TITLE, transcript="", summary=None)) + "\n"
        return line

    def _named(self, line: str) -> bool:
        return (
            self.reach.says(line)
            or self.reach.names(line.strip().rpartition(" ")[2])
            or any(id in line for id in self.gone)
            or any(id[:8] in line for id in self.reach.sessions)
            or any(f" · {markdown.escape(title)} · " in line for title in self.titles)
        )

    def message(self, text: str) -> str:
        """A commit message without lines that name what went, or say it."""
        head, *rest = text.split("\n")
        kept = [line for line in rest if not self._tells(line)]
        kind, mark, said = head.partition(": ")
        if mark and self._tells(said):
            head = f"{kind}: {SUBJECT}"
        return "\n".join([head, *kept])

    def _tells(self, line: str) -> bool:
        if self.reach.says(line) or any(id in line for id in self.gone):
            return True
        found = self.words.recalls(line.removesuffix("…"))
        return (found is not None and found[1] >= 0.6) or self._begins(line)

    def _begins(self, line: str) -> bool:
        """Whether a note's words were cut for the subject: then no hash knows them, and the line is taken out."""
        return line.endswith("…") and bool(self.reach.sessions or self.reach.snippets)


def log_without(text: str, gone: Set[str], reach: Reach) -> str | None:
    """The log without lines that name a page that went, or tell with a term; None when there are none of them."""
    try:
        entries = log.parse(text)
    except FormatError:
        return None
    kept = []
    for entry in entries:
        told = tuple(one for one in entry.pages if one.page not in gone and not reach.names(one.page))
        told = tuple(replace(one, note="") if reach.says(one.note) else one for one in told)
        if told:
            kept.append(replace(entry, pages=told))
    return None if kept == entries else log.render(kept)
