"""Keeping the index in step with the files: what changed since, in batches that survive a kill, or all of it anew."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG

from brain.corpus.search import columns
from brain.corpus.search.analysis import terms
from brain.corpus.search.catalogue import (
    Catalogue,
    Damaged,
    DiskFull,
    FileState,
    OldSchema,
    said_plainly,
    writing,
)
from brain.corpus.search.documents import Document, documents, is_searched, unit_hash
from brain.corpus.search.embedding import drop_unused, forget_cut, give_back, kept_vectors
from brain.corpus.search.words import Words
from brain.errors import FormatError, IndexBroken
from brain.tree.files import FolderTree
from brain.tree.layout import FileClass, classify
from brain.types import Surface

BATCH = 5_000  # documents a commit
REBUILT_WHOLE = 50_000  # up to so many documents, a word index that lost some is written anew: no trace of them is left

KINDS: dict[str, tuple[Surface, ...]] = {
    "turns": (Surface.TURN,),
    "wiki": (Surface.PAGE, Surface.NOTE, Surface.SUMMARY),
}


def kind_of(surface: Surface) -> str:
    return "turns" if surface is Surface.TURN else "wiki"


@dataclass(slots=True, kw_only=True)
class Update:
    """What an update did. `problems` are files that do not follow their format, with the reason; they are not searched.

    `message` says what was unusual: an index rebuilt, and why.
    """

    files: int = 0
    added: int = 0
    removed: int = 0
    problems: list[tuple[str, str]] = field(default_factory=list)
    message: str | None = None


Progress = Callable[[int, int, str], None]
"""Done, of how many, on what."""


class Writer:
    """Brings the index in step with the files of a memory folder. Only `writing` sections change anything."""

    def __init__(self, root: Path, folder: Path, language: str) -> None:
        self.root = root
        self.folder = folder
        self.language = language
        self.file = folder / "catalogue.sqlite"

    def update(self, progress: Progress | None = None) -> Update:
        """Index what changed: new and grown files, edits, and what is gone. Raises DiskFull."""
        return self._written(lambda catalogue: self._update(catalogue, progress))

    def rebuild(self, progress: Progress | None = None) -> Update:
        """Read every file again. Searches see the old state until the new one is whole. Raises DiskFull."""

        def anew(catalogue: Catalogue) -> Update:
            with catalogue.change():
                catalogue.clear()
                for kind in KINDS:
                    catalogue.set(f"owed:{kind}", "1")
                    catalogue.count_up(f"changed:{kind}")
                return self._update(catalogue, progress, within=True)

        return self._written(anew)

    def _written(self, work: Callable[[Catalogue], Update]) -> Update:
        """Do some work as the one writer; when the index turns out to be damaged, once more from nothing."""
        with writing(self.folder), said_plainly():
            catalogue, message = self._open()
            try:
                try:
                    with said_plainly():
                        report = work(catalogue)
                except Damaged as error:
                    message = f"{error.message}; rebuilt from the files"
                    catalogue.close()
                    catalogue = self._afresh()
                    report = self._update(catalogue, None)
                report.message = message or report.message
                self._sweep(catalogue)
                return report
            finally:
                catalogue.close()

    def behind(self) -> int:
        """How many files differ from the catalogue, all of them when there is none that opens."""
        try:
            catalogue = Catalogue(self.file)
        except (OldSchema, IndexBroken):
            return sum(1 for path in FolderTree(self.root).paths() if is_searched(path))
        try:
            changed, gone, _ = self._differences(catalogue)
            return len(changed) + len(gone)
        finally:
            catalogue.close()

    def _open(self) -> tuple[Catalogue, str | None]:
        there = self.file.exists()
        try:
            catalogue = Catalogue(self.file, writable=True)
            return catalogue, self._mended(catalogue) if there else None
        except DiskFull:
            raise
        except OldSchema:
            reason = "the search index was written by another version of Brain; rebuilt from the files"
        except IndexBroken as error:
            reason = f"{error.message}; rebuilt from the files"
        return self._afresh(), reason

    def _afresh(self) -> Catalogue:
        """An empty catalogue in place of one that is of no use; vectors that can be read are kept."""
        kept = kept_vectors(self.file)
        for path in self.folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            elif path.name != "writer.lock" and not (kept and path.suffix == ".f16"):
                path.unlink(missing_ok=True)
        catalogue = Catalogue(self.file, writable=True)
        if kept:
            give_back(catalogue, kept)
        return catalogue

    def _mended(self, catalogue: Catalogue) -> str | None:
        """Find files beside the catalogue that were cut, garbled or removed; what they held is written again."""
        with said_plainly():
            broken = [kind for kind in KINDS if not self._opens(catalogue, kind)]
            with catalogue.change():
                for kind in broken:
                    catalogue.set(f"owed:{kind}", "1")
            cut = forget_cut(catalogue, self.folder)
        lost = [*(f"the word index of {kind}" for kind in broken), *(["the file of vectors"] if cut else [])]
        return f"{' and '.join(lost)} was damaged; rebuilt from the files" if lost else None

    def _opens(self, catalogue: Catalogue, kind: str) -> bool:
        folder = self.folder / f"{kind}-{catalogue.get(f'words:{kind}', '0')}"
        try:
            if folder.exists() and Words(folder).count() > 0:
                return True
        except (ValueError, OSError):
            return False
        return not any(catalogue.counts().get(surface) for surface in KINDS[kind])

    def _update(self, catalogue: Catalogue, progress: Progress | None, *, within: bool = False) -> Update:
        report = Update()
        changed, gone, touched = self._differences(catalogue)
        for path, state in touched:
            catalogue.put_file(path, state)
        crashed = catalogue.get("writing") == "1"
        if changed or gone or crashed or any(catalogue.get(f"owed:{kind}") for kind in KINDS):
            Round(self, catalogue, report, within, crashed).run(changed, gone, progress)
        report.problems = catalogue.problems()
        return report

    def _differences(
        self, catalogue: Catalogue
    ) -> tuple[list[tuple[str, FileState]], list[str], list[tuple[str, FileState]]]:
        """Files whose content is not what was indexed, paths that are gone, and files whose time alone has changed."""
        known = catalogue.files()
        changed: list[tuple[str, FileState]] = []
        touched: list[tuple[str, FileState]] = []
        present = set()
        root = str(self.root)
        for path in FolderTree(self.root).paths():
            if not is_searched(path):
                continue
            try:
                stat = os.lstat(f"{root}/{path}")  # asked for each file before each search
                if not S_ISREG(stat.st_mode):  # a link may lead into somebody else's memory
                    continue
                old = known.get(path)
                if old and old.hash and (old.size, old.mtime) == (stat.st_size, stat.st_mtime_ns):
                    present.add(path)
                    continue
                digest = _file_hash(self.root / path)
            except OSError:
                continue  # removed while we were looking
            present.add(path)
            state = FileState(size=stat.st_size, mtime=stat.st_mtime_ns, hash=digest)
            if not old or old.hash != digest:
                changed.append((path, state))
            else:
                touched.append((path, state))
        return changed, sorted(set(known) - present), touched

    def _sweep(self, catalogue: Catalogue) -> None:
        """Drop word indexes that no reader opens any more, and vectors and columns of what is gone."""
        current = {f"{kind}-{catalogue.get(f'words:{kind}', '0')}" for kind in KINDS}
        for path in self.folder.iterdir():
            if path.is_dir() and path.name not in current:
                shutil.rmtree(path, ignore_errors=True)
        drop_unused(catalogue, self.folder)
        columns.forget(catalogue, self.folder)


class Round:
    """One update under way: documents are compared file by file and written in batches."""

    def __init__(self, writer: Writer, catalogue: Catalogue, report: Update, within: bool, crashed: bool) -> None:
        self.writer = writer
        self.catalogue = catalogue
        self.report = report
        self.within = within  # inside the caller's transaction: one commit at the end
        self.next_id = int(catalogue.get("next_id", "1"))
        self.adds: list[tuple[int, Document, bytes]] = []
        self.removes: list[int] = []
        self.moves: list[tuple[int, int]] = []
        self.done: list[tuple[str, FileState | None]] = []
        self.problems: dict[str, str] = {}
        self.owed = {kind for kind in KINDS if catalogue.get(f"owed:{kind}")}
        self.dropped: dict[str, list[int]] = {kind: [] for kind in KINDS}
        if crashed and not within:
            self._forget_the_dead()

    def run(self, changed: Sequence[tuple[str, FileState]], gone: Sequence[str], progress: Progress | None) -> None:
        was = self.catalogue.files()
        with self._commit():
            self.catalogue.mark_stale([*(path for path, _ in changed), *gone])
            self.catalogue.set("writing", "1")
        total = len(changed) + len(gone)
        for at, path in enumerate(gone):
            self.removes += [doc for doc, _, _ in self.catalogue.identities(path)]
            self.done.append((path, None))
            if progress:
                progress(at + 1, total, path)
        for at, (path, state) in enumerate(changed, start=len(gone)):
            self._file(path, state, was.get(path))
            if progress:
                progress(at + 1, total, path)
        self.flush()
        self._settle()
        self.report.files = total

    def _file(self, path: str, state: FileState, was: FileState | None) -> None:
        old: dict[bytes, list[tuple[int, int]]] = {}
        file = self.writer.root / path
        try:
            lines = _lines_before(file, path, was) if was and self.catalogue.last_turn(path) else 0
            behind = (was.size, lines) if was and lines else (0, 0)
            for doc, digest, line in self.catalogue.identities(path) if not lines else ():
                old.setdefault(digest, []).append((doc, line))
            for document in documents(file, path, self.writer.language, behind=behind):
                same = old.get(identity := document.identity())
                if same:
                    doc, line = same.pop(0)
                    if line != document.line:
                        self.moves.append((doc, document.line))
                    continue
                self.adds.append((self.next_id, document, identity))
                self.next_id += 1
                if len(self.adds) >= BATCH:
                    self.flush()
        except (FormatError, UnicodeDecodeError) as error:
            self.problems[path] = error.reason
        except OSError:
            state = FileState(size=0, mtime=0, hash="")  # gone or unreadable now: looked at again next time
        self.removes += [doc for same in old.values() for doc, _ in same]
        self.done.append((path, state))

    def flush(self) -> None:
        """Words first, catalogue second: a document that the catalogue knows is always findable by its words."""
        for kind, surfaces in KINDS.items():
            batch = [(doc, d) for doc, d, _ in self.adds if d.surface in surfaces]
            if batch and kind not in self.owed:
                self._words(kind).add((doc, terms(d.words(), d.language)) for doc, d in batch)
        with self._commit():
            surfaces_of = self.catalogue.documents(self.removes)
            for doc, document in surfaces_of.items():
                self.dropped[kind_of(document.surface)].append(doc)
            for kind, ids in self.dropped.items():
                if ids:
                    self.catalogue.set(f"owed:{kind}", "1")
                    self.catalogue.count_up(f"changed:{kind}")
            if any(kind_of(document.surface) == "wiki" for _, document, _ in self.adds):
                self.catalogue.count_up("changed:wiki")  # turns that are added are known by their ids
            self.catalogue.remove(self.removes)
            for doc, document, identity in self.adds:
                self.catalogue.add(doc, document, identity, [unit_hash(passage) for passage in document.passages()])
            for doc, line in self.moves:
                self.catalogue.move(doc, line)
            for path, state in self.done:
                if state is None:
                    self.catalogue.drop_file(path)
                else:
                    self.catalogue.put_file(path, state, self.problems.get(path))
            self.catalogue.set("next_id", self.next_id)
            self.catalogue.count_up("generation")
        self.report.added += len(self.adds)
        self.report.removed += len(self.removes)
        self.adds, self.removes, self.moves, self.done = [], [], [], []

    def _settle(self) -> None:
        """Give the word indexes back what they owe: written anew when small, deleted in place when not."""
        for kind in KINDS:
            if kind in self.owed or self.dropped[kind]:
                if kind in self.owed or self._size(kind) <= REBUILT_WHOLE:
                    self._rewrite(kind)
                else:
                    self._words(kind).remove(self.dropped[kind])
        with self._commit():
            for kind in KINDS:
                self.catalogue.set(f"owed:{kind}", "")
            self.catalogue.set("writing", "")
            self.catalogue.count_up("generation")

    def _forget_the_dead(self) -> None:
        """After a crash the word indexes may hold documents that the catalogue never got, or lack some it has lost."""
        for kind in KINDS:
            if self._size(kind) <= REBUILT_WHOLE:
                self.owed.add(kind)
            else:
                self._words(kind).remove([], from_id=self.next_id)

    def _rewrite(self, kind: str) -> None:
        number = int(self.catalogue.get(f"words:{kind}", "0")) + 1
        folder = self.writer.folder / f"{kind}-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        documents_of = self.catalogue.each(KINDS[kind])
        Words(folder).add((doc, terms(document.words(), document.language)) for doc, document in documents_of)
        with self._commit():
            self.catalogue.set(f"words:{kind}", number)
            self.catalogue.count_up("generation")

    def _words(self, kind: str) -> Words:
        return Words(self.writer.folder / f"{kind}-{self.catalogue.get(f'words:{kind}', '0')}")

    def _size(self, kind: str) -> int:
        counts = self.catalogue.counts()
        return sum(counts.get(surface, 0) for surface in KINDS[kind])

    def _commit(self) -> _Commit:
        return _Commit(self.catalogue, self.within)


class _Commit:
    """A transaction of its own, or part of the caller's."""

    def __init__(self, catalogue: Catalogue, within: bool) -> None:
        self._change = None if within else catalogue.change()

    def __enter__(self) -> None:
        if self._change:
            self._change.__enter__()

    def __exit__(self, *error: object) -> None:
        if self._change:
            self._change.__exit__(*error)  # type: ignore[arg-type]


def _lines_before(file: Path, path: str, was: FileState) -> int:
    """How many lines of a transcript were indexed, when it is those and further turns, which alone need be read."""
    if classify(path) is not FileClass.TRANSCRIPT or not was.hash or not was.size:
        return 0
    seal, left, lines = hashlib.sha256(), was.size, 0
    with file.open("rb") as data:
        while left and (block := data.read(min(left, 1 << 20))):
            seal.update(block)
            left -= len(block)
            lines += block.count(b"\n")
        grew = not left and seal.hexdigest() == was.hash and data.read(16).lstrip(b"\n").startswith(b"## t")
        return lines if grew else 0


def _file_hash(file: Path) -> str:
    with file.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()
