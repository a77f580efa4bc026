"""Pages from elsewhere into memory: the way of every proposal, through staging, the rules and sync, by a person's word.

    report = adopt(git, [Path("vault")], config=config, now=now, publish_rows=rows_to_main)

Evidence first: sessions and files that came along are stored, redacted, before any page cites them. Then pages and
notes are proposed in one run. What breaks a rule is taken out claim by claim and named; the rest becomes one commit. A
page that memory has already is never written over.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from brain.adopt.foretold import left_of
from brain.adopt.grown import alike, grown
from brain.adopt.parcel import Loss, Offer, Parcel, Sitting
from brain.adopt.reading import read
from brain.adopt.report import AdoptReport, Outcome
from brain.config import Config
from brain.dream.repair import repair
from brain.dream.ruling import Rules
from brain.errors import BrainError, FormatError, NotFound
from brain.export.holdings import LEVELS
from brain.git import MAIN, SOMEONE, Git
from brain.ingest.importer import LEDGER
from brain.ingest.ledger import one_import
from brain.ingest.prepare import Prepared
from brain.ingest.redact import redacting
from brain.ingest.store import Transcripts, Written, row_of
from brain.rules import errors, fmt
from brain.rules.evidence import TreeEvidence
from brain.sync.manifest import Agent, Manifest
from brain.sync.message import Kind
from brain.sync.publish import new_problems
from brain.sync.staging import Staging
from brain.sync.sync import sync
from brain.text import clip, counted, is_slug, one_line
from brain.tree import deletions, layout, note, page, sessions, summary, transcript
from brain.tree.deletions import Deletions
from brain.tree.files import FolderTree, MemoryTree, OverlayTree, Tree, write_atomic
from brain.tree.ids import SESSION, format_time, new_run_id, parse_time
from brain.tree.sessions import SessionRow, SessionState
from brain.tree.splice import set_meta
from brain.types import Problem, Role, Severity, Turn

MOST_TURNS = 200_000
AGENT = Agent(name="import", version="0.1")

Progress = Callable[[int, int, str], None]
PublishRows = Callable[[list[SessionRow]], None]


def adopt(
    root: Path,
    git: Git | None,
    paths: Sequence[Path],
    *,
    config: Config,
    now: datetime,
    publish_rows: PublishRows,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> AdoptReport:
    """Adopt what these places hold. `git` is None in a dry run where no brain is yet. Raises NotFound, LockHeld."""
    for path in paths:
        if not path.exists():
            raise NotFound(f"no file or folder {str(path)!r}", hint="name the vault, bundle or export to adopt")
    base: Tree = git.tree(git.resolve(MAIN)) if git else MemoryTree()
    rows = _rows(base)
    redact = redacting(config.privacy.redact_allow)
    parcel = Parcel()
    for number, path in enumerate(paths):
        if progress:
            progress(number, len(paths), path.name)
        parcel.add(read(path, redact=redact, known=rows.__contains__))
    run = _Adopting(root=root, config=config, now=now, base=base, rows=rows, parcel=parcel, redact=redact)
    run.gather()
    if dry_run:
        run.foresee()
    elif git is not None:
        with one_import((root / LEDGER).parent):
            run.publish(git, publish_rows)
    run.report.dry_run = dry_run
    return run.report


@dataclass(slots=True, kw_only=True)
class _Adopting:
    """One adoption: what is proposed, by path, and where each page comes from."""

    root: Path
    config: Config
    now: datetime
    base: Tree
    rows: Mapping[str, SessionRow]
    parcel: Parcel
    redact: Callable[[str], str]
    report: AdoptReport = field(default_factory=AdoptReport)
    proposed: dict[str, str] = field(default_factory=dict)
    transcripts: dict[str, str] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    fresh: list[tuple[Sitting, SessionRow]] = field(default_factory=list)

    # -- what is to be proposed

    def gather(self) -> None:
        self.report.losses += self.parcel.losses
        for name, data in sorted(self.parcel.files.items()):
            self._file(name, data)
        for sitting in self.parcel.sittings:
            self._sitting(sitting)
        for offer in self.parcel.pages:
            self._page(offer)
        for file in self.parcel.notes:
            self._note(file)

    def _lose(self, what: str, place: str) -> None:
        self.report.losses.append(Loss(what=what, place=place))

    def _file(self, name: str, data: bytes) -> None:
        path = layout.ARTIFACTS + name
        parts = name.split("/")
        odd = any(not part or part.startswith(".") or len(part.encode("utf-8", "replace")) > 200 for part in parts)
        if odd or "\\" in name or "\0" in name:
            self._lose("files whose name leads elsewhere", name)
            return
        with suppress(UnicodeDecodeError):  # a picture or a document has no words to redact
            data = self.redact(data.decode()).encode()
        there = FolderTree(self.root)
        if path in there:
            if there.read_bytes(path) != data:
                self._lose("cited files of which memory has another version, which stays", name)
            return
        self.files[path] = data
        self.report.files += 1

    def _sitting(self, one: Sitting) -> None:
        head = one.head
        known = self.rows.get(head.id)
        if known is not None:
            if known.state is SessionState.DELETED:
                self._lose("sessions that were deleted here", head.title)
            return
        if not SESSION.fullmatch(head.id) or not head.source or any(row.id == head.id for _, row in self.fresh):
            self._lose("sessions without an id of their own", head.title)
            return
        if one.count > MOST_TURNS:
            self._lose(f"sessions of more than {MOST_TURNS:,} turns", head.title)
            return
        turns = tuple(replace(turn, text=self.redact(turn.text)) for turn in _filled(head.turns, one.count))
        whole = replace(head, title=self.redact(one_line(head.title)), turns=turns)
        text = transcript.render(whole)
        path = layout.transcript_path(layout.stem(whole))
        times = [turn.time for turn in turns if turn.time]
        written = Written(
            path=path, turns=len(turns), added=len(turns), last_at=max(times, default=None),
            sha256=sha256(text.encode()).hexdigest(),
        )  # fmt: skip
        row = row_of(whole, written, None)
        if one.ended_at:
            row = replace(row, ended_at=_time(one.ended_at))
        row = replace(row, sensitivity=one.sensitivity if one.sensitivity in LEVELS else LEVELS[-1])
        self.transcripts[path] = text
        self.fresh.append((replace(one, head=whole), row))
        self.report.sessions += 1
        if one.summary is not None and one.summary.id == head.id:
            made = replace(one.summary, transcript_sha256=written.sha256, turns=len(turns), title=whole.title)
            self.proposed[layout.summary_path(layout.stem(whole))] = summary.render(made)

    def _page(self, offer: Offer) -> None:
        id, path = offer.id, layout.page_path(offer.id)
        if layout.page_id(path) != id or not is_slug(id.rpartition("/")[2]):
            self._lose("pages with a name that memory cannot have", offer.origin)
            return
        self.origins[path] = offer.origin
        text = _timely(offer.text, path, self.now)
        if path in self.proposed:
            self._lose("pages of one name, of which the first is taken", offer.origin)
        elif path not in self.base:
            self.proposed[path] = self.redact(text)
            self.report.pages[id] = Outcome.NEW
        elif alike(self.base.read(path), text, self._title) or self._seen(offer):
            self.report.pages[id] = Outcome.UNCHANGED
        elif (more := grown(self.base.read(path), text, path)) is None:
            self.report.pages[id] = Outcome.KEPT
            self._lose("pages of which memory has another, which stays", f"{offer.origin} ({id})")
        else:
            self.proposed[path] = self.redact(more)
            self.report.pages[id] = Outcome.GROWN

    def _title(self, id: str) -> str:
        path = layout.page_path(id)
        with suppress(BrainError):
            return page.parse(self.base.read(path), path).title if path in self.base else ""
        return ""

    def _seen(self, offer: Offer) -> bool:
        """Whether the very file that a page is made of was adopted before."""
        path = layout.ARTIFACTS + offer.evidence
        return bool(offer.evidence) and path not in self.files and path in FolderTree(self.root)

    def _note(self, file: note.NoteFile) -> None:
        path = layout.note_path(file.id)
        if layout.note_id(path) != file.id:
            self._lose("notes with a name that memory cannot have", file.id)
            return
        old = note.parse(self.base.read(path), path) if path in self.base else None
        taken = {s.id for s in old.snippets} if old else set()
        new = tuple(replace(s, text=self.redact(s.text)) for s in file.snippets if s.id not in taken)
        if new:
            whole = replace(old, snippets=(*old.snippets, *new)) if old else replace(file, snippets=new)
            self.proposed[path] = note.render(whole)
            self.report.notes += len(new)

    # -- the rules

    def _rules(self, evidence: Tree) -> Rules:
        roots = {name: Path(path) for name, path in self.config.roots.items()}
        return Rules(
            config=self.config,
            evidence=TreeEvidence(evidence, roots, self.config.authoritative),
            log=_log(self.base),
            now=self.now,
            override=True,
        )

    def _formatted(self, evidence: Tree, stamp: tuple[str, str]) -> None:
        """Numbers for sources, normal frontmatter: what `brain fmt` does, over all that is proposed."""
        tree = OverlayTree(self.base, self.proposed)
        seen = TreeEvidence(evidence)
        self.proposed |= fmt(tree, sorted(self.proposed), evidence=seen, stamp=stamp)

    def foresee(self) -> None:
        """What publishing would take out, without writing anything."""
        rows = sessions.render_rows([*self.rows.values(), *(row for _, row in self.fresh)])
        folder: Tree = FolderTree(self.root) if self.root.is_dir() else MemoryTree()
        files = {path: data.decode("utf-8", "replace") for path, data in self.files.items()}
        around = OverlayTree(folder, {**self.transcripts, **files, layout.SESSION_INDEX: rows})
        self._formatted(around, (format_time(self.now), f"human:{SOMEONE.name}"))
        raw = {path: text.encode() for path, text in self.proposed.items()}
        rules = self._rules(around)
        problems = new_problems(rules, self.base, raw)
        self._blame(problems)
        self._settle(left_of(self.proposed, self.base, rules, problems))

    def _settle(self, left: Container[str]) -> None:
        """Say of each proposed page of which the rules left nothing that it is refused, with its file."""
        for path in self.proposed:
            id = layout.page_id(path)
            if id and path not in left:
                grew = self.report.pages[id] is Outcome.GROWN
                self.report.pages[id] = Outcome.UNCHANGED if grew else Outcome.REFUSED
                if not grew:
                    self._lose("pages of which the rules leave nothing", f"{self._origin(path)} ({id})")

    def _blame(self, problems: Iterable[Problem]) -> None:
        """Each line that a rule refuses is a loss, named by the file it came from."""
        for one in problems:
            if one.severity is Severity.E:
                words = self._line(one)
                told = f" {clip(words, 60)!r}" if words else ""
                self._lose(f"lines that rule {one.rule} refuses ({one.message})", f"{self._origin(one.path)}{told}")

    def _origin(self, path: str) -> str:
        return self.origins.get(path, path)

    def _line(self, problem: Problem) -> str:
        lines = self.proposed.get(problem.path, "").split("\n")
        return lines[problem.line - 1].strip() if 0 < problem.line <= len(lines) else ""

    # -- writing

    def publish(self, git: Git, publish_rows: PublishRows) -> None:
        for path, data in self.files.items():
            try:
                write_atomic(self.root / path, data)
            except OSError as error:  # a name that this disk cannot have, or that is a folder here
                self._lose(f"cited files that cannot be written ({error.strerror})", path)
        stored = Transcripts(self.root)
        for sitting, _ in self.fresh:
            stored.create(replace(sitting.head, turns=()), (Prepared(turn=turn) for turn in sitting.head.turns))
        if self.fresh:
            publish_rows([row for _, row in self.fresh])
        if not self.proposed:
            return
        author = git.user() or SOMEONE
        stamp = (format_time(self.now), f"human:{_actor(author.name)}")
        self._formatted(FolderTree(self.root), stamp)
        manifest = Manifest(
            run_id=new_run_id(self.now), base_commit=git.resolve(MAIN) or "", agent=AGENT, trigger="import",
            started_at=self.now,
        )  # fmt: skip
        staging = Staging.open(git, manifest)
        try:
            self._propose(git, staging, author_name=author.name)
        except BaseException:
            staging.close()
            raise

    def _propose(self, git: Git, staging: Staging, *, author_name: str) -> None:
        for path, text in sorted(self.proposed.items()):
            staging.write(path, text, note=clip(f"adopted from {self._origin(path)}", 100))
        rules = self._rules(FolderTree(self.root))
        raw = {path: text.encode() for path, text in self.proposed.items()}
        problems = new_problems(rules, staging.base, raw, staging.manifest)
        self._blame(problems)
        if errors(problems):
            repair(staging, rules)
            self._give_back_unchanged(staging)
        left = staging.changes()
        self._settle(left)
        staging.manifest = replace(staging.manifest, finished_at=self.now)
        staging.save()
        if not left:
            staging.close()
            return
        count = sum(layout.page_id(path) is not None for path in left)
        result = sync(
            git, staging, check=rules, now=self.now, config=self.config, kind=Kind.IMPORT,
            author=git.user() or SOMEONE, subject=f"adopt {counted(count, 'page')}",
        )  # fmt: skip
        self.report.commit = result.commit
        if result.blocked:
            self.report.problem = "; ".join(
                f"{p.path}:{p.line}: {p.message}" for p in result.problems if p.severity is Severity.E
            )

    def _give_back_unchanged(self, staging: Staging) -> None:
        """Pages of which the rules left nothing new stay as they are."""
        for path in self.proposed:
            if layout.page_id(path) and path in staging.base and path in staging:
                before, after = page.parse(staging.base.read(path)), page.parse(staging.read(path))
                if [claim.raw for claim in before.claims] == [claim.raw for claim in after.claims]:
                    staging.restore(path)


def _filled(turns: Iterable[Turn], count: int) -> Iterator[Turn]:
    """Every turn of a session from the first on: a stub for each that did not come along."""
    known = {turn.number: turn for turn in turns}
    for number in range(1, count + 1):
        yield known.get(number) or Turn(number=number, role=Role.SYSTEM, text=transcript.ABSENT)


def _rows(tree: Tree) -> dict[str, SessionRow]:
    try:
        return {row.id: row for row in sessions.parse_rows(tree.read(layout.SESSION_INDEX))}
    except (NotFound, FormatError):
        return {}


def _log(tree: Tree) -> Deletions:
    return deletions.read(tree.read(layout.DELETIONS)) if layout.DELETIONS in tree else Deletions()


def _time(text: str) -> datetime | None:
    try:
        return parse_time(text)
    except BrainError:
        return None


def _timely(text: str, path: str, now: datetime) -> str:
    """A page whose times are not ahead of now: else they are left to sync."""
    try:
        shown = page.parse(text, path)
    except BrainError:
        return text
    if not any(at and at > now for at in (shown.created_at, shown.updated_at)):
        return text
    for key in ("created_at", "updated_at", "updated_by"):
        shown = set_meta(shown, key, None)
    return shown.text


def _actor(name: str) -> str:
    kept = "".join(ch if ch.isascii() and (ch.isalnum() or ch in "._@+-") else "-" for ch in name).strip("-")
    return kept or "owner"
