"""Import: from files of foreign tools to transcripts of this brain. Idempotent, append-only, safe to kill any time.

    report = import_paths(root, [Path("~/.claude/projects").expanduser()], config=config, now=now)

In order: which files, which format each has, which of their turns are not stored yet, write, publish the session rows,
remember what was done. What stops in between is found by the next import: transcripts are compared with what the rows
say, and files count as done only after their rows are published.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain
from pathlib import Path

from brain.config import Config, secret_key
from brain.errors import FormatError, NotFound
from brain.ingest.align import Stored, mark, new_turns, without_copied
from brain.ingest.archive import Archive, unpacked
from brain.ingest.choose import Choice, choose
from brain.ingest.formats import formats
from brain.ingest.ledger import Ledger, content_hash, one_import
from brain.ingest.peek import PEEK, looked_at, named
from brain.ingest.prepare import Prepared, Preparing
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.recovery import FORKING, recover
from brain.ingest.redact import Redactor
from brain.ingest.report import FileReport, ImportReport, Outcome
from brain.ingest.seen import Rewritten, Watch
from brain.ingest.store import Transcripts, read_rows, row_of, survey, write_rows
from brain.ingest.tail import LARGEST, ReadsOn, behind, grown_hash
from brain.tree import transcript
from brain.tree.ids import session_id
from brain.tree.sessions import SessionRow, SessionState
from brain.types import Role, Transcript

Progress = Callable[[int, int, str], None]
Publish = Callable[[list[SessionRow]], None]

LEDGER = ".brain/index/imports.sqlite"


def import_paths(
    root: Path,
    paths: Iterable[Path],
    *,
    config: Config,
    now: datetime,
    dry_run: bool = False,
    progress: Progress | None = None,
    publish: Publish | None = None,
) -> ImportReport:
    """Import files and folders into the brain at `root`.

    `publish` gets the new and changed rows once, when all transcripts are on disk, and makes them part of the index;
    without it they are merged into the index files of the folder. `progress` gets (bytes done, bytes in all, file).
    Raises NotFound for a path that does not exist, LockHeld while another import runs.
    """
    given = list(paths)
    for path in given:
        if not path.exists():
            raise NotFound(
                f"no file or folder {str(path)!r}", hint="name the folder or file your tool keeps its sessions in"
            )
    began = time.monotonic()
    with _opened(root, config, dry_run, publish) as run:
        choices, skipped = choose(given, inside=root)
        run.report.files += skipped
        total = sum(choice.size for choice in choices)
        done = 0
        for choice in choices:
            if progress:
                progress(done, total, choice.path.name)
            run.file(choice)
            done += choice.size
        if progress:
            progress(total, total, "")
        run.publish()
    run.report.seconds = time.monotonic() - began
    return run.report


def import_sessions(
    root: Path,
    sessions: Iterable[RawSession],
    *,
    config: Config,
    now: datetime,
    dry_run: bool = False,
    publish: Publish | None = None,
) -> ImportReport:
    """Import sessions that are in memory, the same way: redacted, matched with what is stored, published."""
    with _opened(root, config, dry_run, publish) as run:
        report = FileReport(path=Path("(memory)"), asked=True)
        run.report.files.append(report)
        for raw in sessions:
            report.source = raw.source
            run.session(raw, report, fast=False)
        run.publish()
    return run.report


@dataclass(slots=True)
class _Done:
    """A file that was read whole, to be remembered once its sessions are published."""

    choice: Choice
    content: bytes
    sessions: list[str]


class _Run:
    """One import: what is stored, what was done so far, what is to be published."""

    def __init__(self, root: Path, config: Config, ledger: Ledger, dry_run: bool, publish: Publish | None) -> None:
        self.root = root
        self.report = ImportReport(dry_run=dry_run, formats=tuple(one.name for one in formats()))
        self.ledger = ledger
        self.stored = Transcripts(root)
        if not dry_run:
            self.stored.sweep()
        self.rows = read_rows(root)
        self.changed: dict[str, SessionRow] = {}
        self.done: list[_Done] = []
        self.watched: dict[str, bytes] = {}
        self.key = secret_key("redaction")
        self._publish = publish or (lambda rows: write_rows(root, rows))
        redactor = Redactor(self.key, config.privacy.redact_allow)
        owners = frozenset(owner.rpartition("/")[2] for owner in config.owners)
        self.preparing = Preparing(
            redactor=redactor, zone=config.zone, owners=owners, names=frozenset(config.owner_names)
        )
        self.report.redacted = redactor.counts
        recovered, notes = recover(root, ledger, self.stored, self.rows)
        self.changed |= recovered
        self.report.notes += notes

    def file(self, choice: Choice) -> None:
        """Import one file. Whatever a reader does, the other files go on."""
        report = FileReport(path=choice.path, source=choice.format.name, asked=choice.asked)
        self.report.files.append(report)
        try:
            alone = not hasattr(choice.format, "state")
            known = self.ledger.sessions_of(choice.path, choice.size, choice.mtime, alone=alone)
            if known is not None and all(map(self._is_known, known)):
                for session in known:
                    report.note(session, Outcome.UNCHANGED)
                report.empty += not known
                return
            if isinstance(choice.format, Archive):
                self._archive(choice, report)
                return
            if self._grown(choice, report):
                return
            content = content_hash(choice.path)
            try:
                ids = self._read(choice, report, fast=True)
            except Rewritten:
                report.skips, report.empty = Skips(), 0
                ids = self._read(choice, report, fast=False)
            if not report.skips.broken:
                self.done.append(_Done(choice, content, ids))
        except OSError as error:
            report.skips.damage(f"cannot be read: {error.strerror or error}")
        except Exception as error:  # one file's reader must not end the import
            report.skips.damage(f"reading stopped: {type(error).__name__}: {error}")
        finally:
            report.skips.redact(self.preparing.redactor.told)

    def _archive(self, choice: Choice, report: FileReport) -> None:
        """Import what an archive holds as files of their own; it is done when all of them are."""
        files, done = len(self.report.files), len(self.done)
        with unpacked(choice.path, report.skips) as folder:
            choices, skipped = choose([folder], inside=self.root)
            self.report.files += skipped
            for one in choices:
                self.file(one)
            for inner in self.report.files[files:]:
                inner.path = choice.path / inner.path.relative_to(folder)
        read = self.done[done:]
        del self.done[done:]
        if not choices and not report.skips.broken:
            report.problem = "the archive holds no transcript of a known format"
        elif len(read) == len(choices) and not report.skips.broken:
            sessions = [session for one in read for session in one.sessions]
            self.done.append(_Done(choice, content_hash(choice.path), sessions))

    def _grown(self, choice: Choice, report: FileReport) -> bool:
        """Import what a file grew by, from its end alone; False when it has to be read whole."""
        before, form = self.ledger.before(choice.path), choice.format
        if before is None or not isinstance(form, ReadsOn) or len(before.sessions) != 1:
            return False
        (session,) = before.sessions
        row, place = self.rows.get(session), self.stored.find(session)
        seen = self._seen(session, place) if place is not None else b""
        if row is None or place is None or not seen or not 0 < choice.size - before.size <= LARGEST:
            return False
        content, skips, watch = grown_hash(choice.path, before), Skips(), Watch(self.key)
        raw = form.read_on(choice.path, skips, before.size) if content else None
        if raw is None or content is None or self.preparing.head(raw).id != session:
            return False
        fresh = behind(raw.turns, seen, watch)
        if fresh is None:
            return False
        report.skips.add(skips)
        turns = self.preparing.turns(replace(raw, turns=fresh), session, report.skips)
        if self._append(session, place, row.turns, turns, row, report):
            self.watched[session] = bytes(watch.digests)
        if not report.skips.broken:
            self.done.append(_Done(choice, content, [session]))
        return True

    def _read(self, choice: Choice, report: FileReport, *, fast: bool) -> list[str]:
        ids: list[str] = []
        for raw in choice.format.read(choice.path, report.skips):
            if (stored := self.session(raw, report, fast=fast)) is not None:
                ids.append(stored)
        return ids

    def session(self, raw: RawSession, report: FileReport, *, fast: bool) -> str | None:
        """Import one session; its id when it is stored now or was before. With `fast` raises Rewritten, where turns
        that were seen are not there any more."""
        try:
            return self._session(raw, report, fast)
        except FormatError as error:
            report.skips.damage(f"the stored transcript does not read ({error}); restore it or move it away", raw.place)
        except (OSError, Rewritten):
            raise
        except Exception as error:  # one session must not end the file
            report.skips.damage(f"session does not read: {type(error).__name__}: {error}", raw.place)
        return None

    def _session(self, raw: RawSession, report: FileReport, fast: bool) -> str | None:
        head = self.preparing.head(raw)
        row = self.changed.get(head.id) or self.rows.get(head.id)
        if row is not None and row.state is SessionState.DELETED:
            report.note(head.id, Outcome.DELETED)
            report.skips.leave("deleted session, not imported again")
            return head.id
        place = self.stored.find(head.id)
        if place is None:
            raw, ours = looked_at(raw)
            if ours:
                report.skips.leave("session of one of our own runs")
                return None
        skip = self._seen(head.id, place) if fast and place else b""
        watch = Watch(self.key)
        said = self._without_deleted(raw, head.id, watch)
        turns = self.preparing.turns(replace(raw, turns=watch.over(said, skip)), head.id, report.skips)
        known = Stored()
        if place is None:
            done = self._create(raw, head, self._without_fork(raw, head, turns), report)
        elif skip and row is not None:
            done = self._append(head.id, place, row.turns, turns, row, report)
        else:
            known = Stored(transcript.iter_turns(place))
            told = self._without_fork(raw, head, turns)
            if known.absent:
                whole = list(told)
                if known.filled_by([one.turn for one in whole]):
                    return self._fill(head.id, place, known, whole, row, report)
                told = iter(whole)
            done = self._append(head.id, place, len(known), new_turns(known, told), row, report)
        if done and watch.whole and (place is None or skip or known.covered):
            self.watched[head.id] = bytes(watch.digests)
        return head.id if done else None

    def _seen(self, session: str, place: Path) -> bytes:
        """Digests of the turns that need no second look: those of a transcript nobody touched since."""
        row, state = self.rows.get(session), place.stat()
        if row is None or session in self.changed or row.state is SessionState.REDACTED:
            return b""
        if not self.ledger.settled(self.stored.relative(place), state.st_size, state.st_mtime_ns):
            return b""
        return self.ledger.seen(session, row.turns)

    def _append(
        self,
        session: str,
        place: Path,
        count: int,
        fresh: Iterator[Prepared],
        row: SessionRow | None,
        report: FileReport,
    ) -> bool:
        first = next(fresh, None)
        if first is None:
            report.note(session, Outcome.UNCHANGED)
            return True
        fresh = chain((first,), fresh)
        if self.report.dry_run:
            report.note(session, Outcome.GROWN, sum(1 for _ in fresh))
            return True
        last_at = row.last_turn_at if row and row.turns == count else survey(self.root, place)[1].last_at
        written = self.stored.append(place, count, last_at, fresh)
        report.note(session, Outcome.GROWN, written.added)
        self.changed[session] = row_of(transcript.read_head(place), written, row)
        return True

    def _fill(
        self, session: str, place: Path, known: Stored, told: list[Prepared], row: SessionRow | None, report: FileReport
    ) -> str:
        """A session that was adopted in part: its turns take the places of those that had not come along."""
        report.note(session, Outcome.GROWN, len(known.absent) + len(told) - len(known))
        if not self.report.dry_run:
            self.changed[session] = self.stored.fill(place, known.absent, told, row)
        return session

    def _create(self, raw: RawSession, head: Transcript, turns: Iterator[Prepared], report: FileReport) -> bool:
        peeked: list[Prepared] = []
        for item in turns:
            peeked.append(item)
            if len(peeked) >= PEEK or (item.turn.role is Role.USER and (head.started_at or item.turn.time)):
                break
        if not peeked:
            report.empty += 1
            report.skips.leave("empty session")
            return False
        head = named(head, peeked, self.preparing)
        turns = chain(peeked, turns)
        if self.report.dry_run:
            report.note(head.id, Outcome.NEW, sum(1 for _ in turns))
            return True
        written = self.stored.create(head, turns)
        report.note(head.id, Outcome.NEW, written.added)
        self.changed[head.id] = row_of(head, written, self.rows.get(head.id))
        self.ledger.head(head.id, head.source, mark(peeked[0].turn))
        return True

    def _without_fork(self, raw: RawSession, head: Transcript, turns: Iterator[Prepared]) -> Iterator[Prepared]:
        """A forked or resumed session repeats the beginning of another; those turns are that session's."""
        if raw.source not in FORKING:
            return turns
        first = next(turns, None)
        if first is None:
            return iter(())
        turns = chain((first,), turns)
        parents = [session_id(raw.source, raw.parent)] if raw.parent else []
        if first.turn.time is not None:
            parents += self.ledger.begins_like(raw.source, mark(first.turn))
        for parent in parents:
            if parent != head.id and self.stored.find(parent) is not None:
                return without_copied(self.stored.turns(parent), turns)
        return turns

    def _without_deleted(self, raw: RawSession, session: str, watch: Watch) -> Iterator[RawTurn]:
        """A fork of a deleted session must not bring back what was deleted."""
        turns = iter(raw.turns)
        if raw.source not in FORKING or (first := next(turns, None)) is None:
            return turns
        turns = chain((first,), turns)
        for other, digests in self.ledger.seen_from(watch.digest(first)):
            row = self.rows.get(other)
            if other != session and row is not None and row.state is SessionState.DELETED:
                return watch.behind(turns, digests)
        return turns

    def _is_known(self, session: str) -> bool:
        row = self.rows.get(session)
        try:
            return row is not None and (row.state is SessionState.DELETED or self.stored.find(session) is not None)
        except FormatError:
            return False

    def publish(self) -> None:
        """Hand over the rows, then remember what is done."""
        self.report.rows = [row for _, row in sorted(self.changed.items())]
        if self.report.dry_run:
            return
        if self.report.rows:
            self._publish(self.report.rows)
        with self.ledger.together():
            for row in self.report.rows:
                state = (self.root / row.transcript).stat()
                self.ledger.settle(row.transcript, state.st_size, state.st_mtime_ns)
            for session, digests in self.watched.items():
                published = self.changed.get(session) or self.rows.get(session)
                if published is not None:
                    self.ledger.saw(session, published.turns, digests)
            for one in self.done:
                self.ledger.done(one.choice.path, one.choice.size, one.choice.mtime, one.content, one.sessions)


@contextmanager
def _opened(root: Path, config: Config, dry_run: bool, publish: Publish | None) -> Iterator[_Run]:
    """A run with its lock and ledger, closed at the end. A dry run takes neither."""
    ledger_path = root / LEDGER
    with ExitStack() as stack:
        if not dry_run:
            stack.enter_context(one_import(ledger_path.parent))
        usable = not dry_run or (ledger_path.is_file() and os.access(ledger_path, os.R_OK))
        ledger = Ledger(ledger_path if usable else None)
        stack.callback(ledger.close)
        yield _Run(root, config, ledger, dry_run, publish)
