"""Taking secrets out of what is there already: files outside of git, then the newest commit, then all of history.

In that order each step can be killed and done again. What cannot be mended without breaking it is named: settings,
which still need the value, files that are no text, and names of files.
"""

from __future__ import annotations

from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from brain.config import Config
from brain.errors import FormatError, SyncConflict
from brain.git import Git
from brain.ingest.importer import LEDGER
from brain.ingest.ledger import Ledger, one_import
from brain.ingest.redact import Redactor
from brain.redacting.contents import TITLE, titled, without
from brain.redacting.scan import LARGEST, Found, Progress, Scan, files, scan, text_of
from brain.sync.publish import SyncResult, catch_up, publish
from brain.sync.rewrite import Change, rewrite
from brain.sync.staging import open_runs
from brain.text import clip
from brain.tree import snapshot, transcript
from brain.tree.files import Tree, write_atomic
from brain.tree.layout import ARTIFACTS, CONFIG, GITATTRIBUTES, GITIGNORE, SESSION_INDEX, is_generated, is_tracked, stem
from brain.tree.sessions import parse_rows, render_rows

LEFT = frozenset({CONFIG, GITIGNORE, GITATTRIBUTES})
"""Files that are read by programs: a placeholder in them would break what reads them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction:
    """What `brain redact` found, and with `applied`, what became of it.

    `left` is what is still there, `commits` how many were written anew, `remotes` who may have the old ones.
    """

    scan: Scan
    applied: bool = False
    files: tuple[str, ...] = ()
    commits: int = 0
    left: tuple[Found, ...] = ()
    still: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        """1 while secrets are there."""
        return 1 if (self.left or self.still if self.applied else self.scan.found) else 0


@dataclass(slots=True)
class _Work:
    """What was changed: names of files, old → new, and hashes of transcripts; `gone` are paths that are no more."""

    names: dict[str, str] = field(default_factory=dict)
    hashes: dict[str, str] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


def apply(
    git: Git, redactor: Redactor, *, config: Config, now: datetime, progress: Progress | None = None
) -> Redaction:
    """Take out what a scan finds. Raises SyncConflict while runs are open, LockHeld while an import runs."""
    if runs := open_runs(git):
        raise SyncConflict(
            f"runs are open that hold copies of what is here: {', '.join(runs)}",
            hint="finish them, or drop each with: brain dream abort RUN",
        )
    caught = catch_up(git, config=config, now=now)
    before = scan(git, redactor, progress)
    if not before.found:
        return Redaction(scan=before, applied=True, warnings=caught.warnings)
    work = _Work()
    with ExitStack() as stack:
        stack.enter_context(one_import(git.root / ".brain" / "index"))
        _untracked(git.root, redactor, work)
        result = _publish(git, redactor, work, config=config, now=now)
        if work.gone and (git.root / LEDGER).is_file():
            with closing(Ledger(git.root / LEDGER)) as ledger:
                ledger.unsettle(work.gone)
    done = rewrite(
        git,
        _change(git.root, redactor, work),
        messages=lambda text: _named(redactor.redact(text), work.names),
        rename=lambda path: _renamed(path, work).rpartition("/")[2],
    )
    after = scan(git, redactor, progress)
    return Redaction(
        scan=before,
        applied=True,
        files=tuple(sorted(set(work.files))),
        commits=len(done.commits),
        left=after.found,
        still=done.still,
        remotes=done.remotes,
        warnings=(*caught.warnings, *result.warnings),
    )


# Outside of git


def _untracked(root: Path, redactor: Redactor, work: _Work) -> None:
    """Files named by their content first, as others name them."""
    paths = [path for path in files(root) if not is_tracked(path)]
    for path in (one for one in paths if one.startswith(ARTIFACTS)):
        _artifact(root, path, redactor, work)
    for path in (one for one in paths if not one.startswith(ARTIFACTS)):
        text = _text(root / path)
        new = _clean(path, text, redactor, work) if text is not None else None
        if text is None or new is None:
            continue
        target = path
        if "/transcripts/" in path:
            work.hashes[_hash(text)] = _hash(new)
            target = _follow_title(path, text, new, work)
        if new != text:
            write_atomic(root / target, new)
            work.files.append(target)
        if target != path:
            (root / path).unlink()
            work.gone.append(path)
    for place in sorted((root / ".brain" / "forgotten").glob("*/rows/*.json")):  # copies know their transcripts' hash
        text = place.read_text("utf-8")
        new = _named(text, {old: fresh for old, fresh in work.hashes.items() if old != fresh})
        if new != text:
            write_atomic(place, new)


def _follow_title(path: str, old: str, new: str, work: _Work) -> str:
    """A session's files are named by its title: where that held a secret, so did the name."""
    folder, _, file = path.rpartition("/")
    try:
        before, after = transcript.parse(old, path), transcript.parse(new, path)
    except FormatError:
        return path
    if before.title == after.title:
        return path
    work.names[file.removesuffix(".md")] = stem(after)
    return f"{folder}/{stem(after)}.md"


def _artifact(root: Path, path: str, redactor: Redactor, work: _Work) -> None:
    """A file whose name is a hash of what it held would let a short secret be guessed: it gets the name of the rest."""
    text = _text(root / path)
    new = without(path, text, redactor) if text is not None else None
    if text is None or new is None or new == text:
        return
    old_name = path.rpartition("/")[2].partition(".")[0]
    pinned = snapshot.parse(new)
    name = pinned.sha if pinned is not None else _hash(new)[: len(old_name)]
    target = path[: len(path) - len(path.rpartition("/")[2])] + path.rpartition("/")[2].replace(old_name, name)
    write_atomic(root / target, new)
    if target != path:
        (root / path).unlink()
        work.names[old_name] = name
    work.files.append(target)


# In git


def _publish(git: Git, redactor: Redactor, work: _Work, *, config: Config, now: datetime) -> SyncResult:
    def changes(main: Tree) -> dict[str, str | bytes | None]:
        found: dict[str, str | bytes | None] = {}
        for path in main.paths():
            if path in LEFT or (is_generated(path) and path != SESSION_INDEX):
                continue
            try:
                text = main.read(path)
            except FormatError:
                continue
            new = _clean(path, text, redactor, work)
            new = _rows(git.root, new) if path == SESSION_INDEX else new
            named = _renamed(path, work)
            if named != path:
                found[path], found[named] = None, new
            elif new != text:
                found[path] = new
        work.files += sorted(found)
        return found

    return publish(git, changes, kind="fix", subject="redact secrets", now=now, config=config)


def _renamed(path: str, work: _Work) -> str:
    folder, slash, file = path.rpartition("/")
    return folder + slash + _named(file, work.names)


def _clean(path: str, text: str, redactor: Redactor, work: _Work) -> str:
    return titled(path, without(path, text, redactor, work.names))


def _rows(root: Path, text: str) -> str:
    """The session rows with the hashes of their transcripts as they lie there, also those a killed command left."""
    rows = []
    for row in parse_rows(text):
        place = root / row.transcript
        if row.transcript and row.transcript_sha256 and place.is_file():
            held = _text(place)
            row = replace(row, transcript_sha256=_hash(held)) if held is not None else row
        row = replace(row, title=clip(row.title, TITLE))
        rows.append(row)
    new = render_rows(rows)
    return new if parse_rows(text) != rows else text


def _change(root: Path, redactor: Redactor, work: _Work) -> Change:
    """What a file of history shall always have held. A transcript's hash of an earlier day would let what it held be
    guessed: rows of sessions that were redacted get the hash of today."""
    today = _redacted_sessions(root)
    as_they_are = {path: (root / path).read_bytes() for path in LEFT if (root / path).is_file()}

    def change(path: str, content: bytes) -> bytes | None:
        text = text_of(content)
        if text is None or content == as_they_are.get(path):
            return content
        new = _clean(path, text, redactor, work)
        if path == SESSION_INDEX:
            try:
                rows = parse_rows(new)
            except FormatError:
                return new.encode("utf-8")
            mended = [replace(row, transcript_sha256=today.get(row.id, row.transcript_sha256)) for row in rows]
            new = render_rows(mended) if mended != rows else new
        return new.encode("utf-8")

    return change


def _redacted_sessions(root: Path) -> dict[str, str]:
    place = root / SESSION_INDEX
    found = {}
    for row in parse_rows(place.read_text("utf-8")) if place.is_file() else ():
        text = _text(root / row.transcript) if row.transcript and row.transcript_sha256 else None
        if text is not None and "‹redacted:" in text:
            found[row.id] = row.transcript_sha256
    return found


def _named(text: str, names: dict[str, str]) -> str:
    for old, new in names.items():
        text = text.replace(old, new)
    return text


def _text(place: Path) -> str | None:
    try:
        return text_of(place.read_bytes()) if place.stat().st_size <= LARGEST else None
    except OSError:
        return None


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8")).hexdigest()
