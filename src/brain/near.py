"""What of memory is brought near: the memory agent's recall, and working sets, of a brain here or behind a server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from brain.corpus.corpus import Corpus
from brain.errors import FormatError, NotFound
from brain.explore import excerpts
from brain.explore.recall import Budget as Effort
from brain.explore.recall import MemoryAgent, Recall, recall
from brain.tree.layout import FileClass, classify, note_path, page_path
from brain.tree.sessions import parse_rows
from brain.tree.uri import SessionUri, parse
from brain.types import Spent
from brain.workset import workset
from brain.workset.manifest import Budget, is_set
from brain.workset.workset import DEFAULT, Changed, Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Near:
    """`source` is written into a working set so that commands run inside it find the corpus again."""

    corpus: Corpus
    source: str
    agent: MemoryAgent | None = None
    spent: Callable[[], Spent] | None = None

    def recall(self, need: str, *, into: Path | None = None, files: int = 20, searches: int = 12) -> Brought:
        """What a need calls for, as text, and with `into` as files of a working set, which is made if need be."""
        effort = Effort(files=files, searches=searches)
        found = self.agent(self.corpus, need, effort) if self.agent else recall(self.corpus, need, effort)
        took = self.spent() if self.spent else None
        took = took if took and took.calls else None
        if into is None:
            return Brought(recall=found, spent=took)
        if not is_set(into):
            workset.boot(self.corpus, into, source=self.source)
        wanted = {record.path: f"recall: {record.why}" for record in found.records}
        made = {excerpts.place(need): excerpts.render(need, found.excerpts).encode()} if found.excerpts else {}
        return Brought(recall=found, changed=workset.add(self.corpus, into, wanted, made=made), spent=took)

    def boot(
        self, folder: Path, *, size: int | None = None, files: int | None = None, dry_run: bool = False
    ) -> Changed:
        """A working set with a first map."""
        budget = Budget(bytes=size or DEFAULT.bytes, files=files or DEFAULT.files)
        return workset.boot(self.corpus, folder, source=self.source, budget=budget, dry_run=dry_run)

    def add(self, folder: Path, what: Sequence[str], *, dry_run: bool = False) -> Changed:
        """Bring pages, notes, sessions or paths into a set. Raises NotFound for a name that means nothing."""
        at = workset.status(folder).manifest.commit
        paths = [path for name in what for path in self.paths_of(name, at)]
        return workset.add(self.corpus, folder, paths, dry_run=dry_run)

    def status(self, folder: Path) -> Standing:
        return workset.status(folder, self.corpus)

    def refresh(self, folder: Path, *, dry_run: bool = False) -> Changed:
        return workset.refresh(self.corpus, folder, dry_run=dry_run)

    def paths_of(self, name: str, at: str) -> list[str]:
        """The files that a page id, note id, session or path names."""
        name = name.removeprefix("memory/")
        if classify(name) not in (FileClass.OTHER, FileClass.STATE):
            return [name]
        if name.startswith("session://") or _hex(name):
            return self._session(name, at)
        for path in (page_path(name), note_path(name)):
            if classify(path) in (FileClass.PAGE, FileClass.NOTE):
                return [path]
        raise NotFound(f"no page, note, session or path is named {name!r}", hint=f"brain search {name!r}")

    def _session(self, name: str, at: str) -> list[str]:
        rows = parse_rows(self.corpus.read("sessions/index.jsonl", at=at).decode("utf-8"))

        def whole(start: str) -> str | None:
            ids = [row.id for row in rows if row.id.startswith(start)]
            return ids[0] if len(ids) == 1 else None

        uri = name if "://" in name else f"session://{name}"
        try:
            source = parse(uri, whole)
        except FormatError as error:
            raise NotFound(f"no session {name!r}", hint="cat sessions/index.md") from error
        if not isinstance(source, SessionUri):
            raise NotFound(f"no session {name!r}", hint="cat sessions/index.md")
        found = [path for row in rows if row.id == source.session for path in (row.transcript, row.summary) if path]
        if not found:
            raise NotFound(f"no session {name!r}", hint="cat sessions/index.md")
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """A recall, and what it did to the working set, None without one; `spent` is what models took, None without any."""

    recall: Recall
    changed: Changed | None = None
    spent: Spent | None = None


def _hex(name: str) -> bool:
    return len(name) >= 8 and set(name) <= set("0123456789abcdef-") and any(ch.isdigit() for ch in name)
