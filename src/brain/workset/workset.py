"""Working sets: boot one with a first map, add what is asked for, look at it, bring it to the newest commit.

    >>> boot(corpus, Path("set"), source="memory", budget=Budget(bytes=2_000_000, files=200))   # doctest: +SKIP
    >>> add(corpus, Path("set"), ["entities/sora-city-lab"])                                     # doctest: +SKIP

A set is files of one commit at the paths they have in memory, for `cat` and `grep`. A file that is not in it is not
absent from memory: `brain show` finds it, and `add` brings it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from brain.corpus.corpus import Corpus, File, State, answer
from brain.errors import FormatError, NotFound, UsageError
from brain.workset import choose, manifest
from brain.workset.manifest import Budget, Held, Manifest
from brain.workset.place import Place, checked

DEFAULT = Budget(bytes=2_000_000, files=400)
PRELOAD = 0.5
"""The part of the budget that a first map may use; the rest is for what is asked for later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """What a command did to a set. `absent`: not in memory at that commit; `refused`: over the budget."""

    commit: str
    added: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    files: int = 0
    size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a set stands. `newest` is the corpus's commit, None when the corpus was not asked; `altered` are files whose
    bytes are no longer those of the manifest, `missing` files that somebody removed."""

    manifest: Manifest
    newest: str | None = None
    altered: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def current(self) -> bool:
        return self.newest in (None, self.manifest.commit)


def boot(corpus: Corpus, folder: Path, *, source: str, budget: Budget = DEFAULT, dry_run: bool = False) -> Changed:
    """Make a set in `folder`, or make the one there anew; the first map uses half of the budget at most.

    With `dry_run` nothing is written, here and below. Raises UsageError when other files are in the way.
    """
    place = Place(folder)
    _free(folder)
    with nullcontext() if dry_run else place.writing():
        old = _held(folder)
        at = corpus.commit()
        first = Budget(bytes=int(budget.bytes * PRELOAD), files=int(budget.files * PRELOAD))
        chosen = list(choose.choose(corpus, choose.settings(corpus, at), first, at=at))
        files = {c.file.path: Held(sha256=c.file.sha256, size=len(c.file.data), why=c.why) for c in chosen}
        new = Manifest(source=source, commit=at, budget=budget, files=files)
        contents = {c.file.path: c.file.data for c in chosen}
        gone = [path for path in old if path not in files]
        if not dry_run:
            place.change(new, contents, gone)
    return _said(new, added=files, dropped=gone)


def add(
    corpus: Corpus,
    folder: Path,
    paths: Iterable[str] | Mapping[str, str],
    *,
    why: str = "asked for",
    made: Mapping[str, bytes] | None = None,
    dry_run: bool = False,
) -> Changed:
    """Bring files into the set, at the set's own commit; `paths` may map each path to its own reason.

    `made` are further files that lie in the set alone, until `refresh` drops them. Several agents may add at once: each
    sees the files of the others. Files over the budget are refused by name.
    """
    reasons = dict(paths) if isinstance(paths, Mapping) else dict.fromkeys(paths, why)
    place = Place(folder)
    with nullcontext() if dry_run else place.writing():
        now = manifest.load(folder)
        have = {path: held.sha256 for path, held in now.files.items()}
        got = list(corpus.fetch(map(checked, reasons), at=now.commit, have=have))
        files, taken, refused = dict(now.files), {}, []
        size = now.size
        for file in (*got, *(answer(checked(path), data, now.commit, have) for path, data in (made or {}).items())):
            if file.state is not State.SENT:
                continue
            old = files[file.path].size if file.path in files else 0
            if size - old + len(file.data) > now.budget.bytes or (not old and len(files) >= now.budget.files):
                refused.append(file.path)
                continue
            size += len(file.data) - old
            files[file.path] = Held(sha256=file.sha256, size=len(file.data), why=reasons.get(file.path, "gathered"))
            taken[file.path] = file.data
        new = replace(now, files=files)
        if taken and not dry_run:
            place.change(new, taken)
    return _said(
        new,
        added=taken,
        kept=[f.path for f in got if f.state is State.UNCHANGED],
        absent=[f.path for f in got if f.state is State.ABSENT],
        refused=refused,
    )


def refresh(corpus: Corpus, folder: Path, *, dry_run: bool = False) -> Changed:
    """Bring every file of the set to the newest commit; what is unchanged is not sent, what is gone is dropped."""
    place = Place(folder)
    with nullcontext() if dry_run else place.writing():
        now = manifest.load(folder)
        at = corpus.commit()
        have = {path: held.sha256 for path, held in now.files.items() if _intact(folder / path, held)}
        got = list(corpus.fetch(sorted(now.files), at=at, have=have))
        files = {f.path: _renewed(now.files[f.path], f) for f in got if f.state is not State.ABSENT}
        gone = [f.path for f in got if f.state is State.ABSENT]
        new = replace(now, commit=at, files=files)
        sent = {f.path: f.data for f in got if f.state is State.SENT}
        if not dry_run and (sent or gone or new != now):
            place.change(new, sent, gone)
    return _said(new, added=sent, kept=[f.path for f in got if f.state is State.UNCHANGED], dropped=gone)


def status(folder: Path, corpus: Corpus | None = None) -> Standing:
    """Look at a set; with its corpus, also whether it is of the newest commit. Raises NotFound, FormatError."""
    now = manifest.load(folder)
    missing = [path for path in now.files if not (folder / path).exists()]
    altered = [path for path, held in now.files.items() if path not in missing and not _intact(folder / path, held)]
    return Standing(
        manifest=now, newest=corpus.commit() if corpus else None, altered=tuple(altered), missing=tuple(missing)
    )


def _renewed(held: Held, file: File) -> Held:
    return replace(held, sha256=file.sha256, size=len(file.data)) if file.state is State.SENT else held


def _intact(path: Path, held: Held) -> bool:
    try:
        return sha256(path.read_bytes()).hexdigest() == held.sha256
    except OSError:
        return False


def _held(folder: Path) -> Mapping[str, Held]:
    try:
        return manifest.load(folder).files
    except (NotFound, FormatError):
        return {}


def _free(folder: Path) -> None:
    if not folder.exists() or (folder / manifest.PLACE).exists():
        return
    others = [entry.name for entry in folder.iterdir() if entry.name != ".brain"]
    if others or (folder / ".brain" / "config.toml").exists():
        what = others[0] if others else "a brain"
        raise UsageError(f"{str(folder)!r} holds other files ({what})", hint="name a new or empty folder")


def _said(
    new: Manifest,
    *,
    added: Iterable[str] = (),
    kept: Iterable[str] = (),
    dropped: Iterable[str] = (),
    absent: Iterable[str] = (),
    refused: Iterable[str] = (),
) -> Changed:
    return Changed(
        commit=new.commit,
        added=tuple(sorted(added)),
        kept=tuple(sorted(kept)),
        dropped=tuple(sorted(dropped)),
        absent=tuple(sorted(absent)),
        refused=tuple(sorted(refused)),
        files=len(new.files),
        size=new.size,
    )
