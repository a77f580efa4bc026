"""One deletion from end to end: what it takes, the tombstone, the commit, the files outside git (format §11).

The log's line, the edits and the session rows are one commit; transcripts follow at once, and what a kill leaves undone
the next command finishes (`lifting`). Words that went are kept as keyed hashes only, by which they are known again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from brain.config import Config
from brain.errors import CheckFailed, FormatError
from brain.forgetting import erasing, files, pages, stored
from brain.forgetting.aim import Aim, aim
from brain.forgetting.reach import Reach
from brain.forgetting.stored import Stored
from brain.git import MAIN, Git
from brain.ingest.importer import LEDGER
from brain.ingest.ledger import one_import
from brain.mending import published_check
from brain.rules.context import qualifier
from brain.rules.evidence import TreeEvidence
from brain.rules.verify import verify
from brain.sync.publish import SyncResult, publish
from brain.sync.rewrite import Rewritten, rewrite
from brain.tree import deletions, page, uri
from brain.tree import note as notes
from brain.tree.claims import Claim
from brain.tree.deletions import Deletions, Effect, Tombstone
from brain.tree.files import FolderTree, OverlayTree, Tree
from brain.tree.ids import new_run_id
from brain.tree.layout import DELETIONS, SESSION_INDEX, SUMMARIES, FileClass, classify, note_id, page_id
from brain.tree.page import Page
from brain.tree.sessions import SessionRow, parse_rows, render_rows
from brain.tree.uri import SessionUri
from brain.types import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What a deletion took, or would take in a dry run: counts and paths, never words. `id` is its tombstone's.

    `still` are files that name a page which went, on other sources than its own.
    """

    id: str
    sessions: tuple[str, ...] = ()
    turns: int = 0
    pages_deleted: tuple[str, ...] = ()
    pages_changed: tuple[str, ...] = ()
    notes: int = 0
    summaries: tuple[str, ...] = ()
    snapshots: tuple[str, ...] = ()
    still: tuple[str, ...] = ()
    claims: int = 0
    purged: bool = False
    dry_run: bool = False

    @property
    def anything(self) -> bool:
        return bool(
            self.sessions or self.turns or self.pages_deleted or self.pages_changed or self.notes or self.snapshots
        )


@dataclass(slots=True)
class Planned:
    """A deletion worked out on one state of main.

    `gone` are ids of pages and note files that go; `lost` by session the stems that only its turns which go say.
    """

    reach: Reach
    changes: dict[str, str | None] = field(default_factory=dict)
    stored: list[Stored] = field(default_factory=list)
    snapshots: list[str] = field(default_factory=list)
    tombstones: list[Tombstone] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)
    snippets: list[str] = field(default_factory=list)
    still: list[str] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    lost: dict[str, frozenset[str]] = field(default_factory=dict)


class Forgetting:
    """One deletion of a brain. `key` hashes what goes; `by` is who asked."""

    def __init__(self, root: Path, config: Config, *, key: bytes, by: str, now: datetime, purge: bool = False) -> None:
        self.root = root
        self.config = config
        self.key = key
        self.by = by
        self.now = now
        self.purge = purge
        self.id = f"del_{new_run_id(now)}"
        self.rewritten: Rewritten | None = None

    def run(
        self, targets: Sequence[str], terms: Sequence[str], *, dry_run: bool
    ) -> tuple[Forgotten, SyncResult | None]:
        """Forget. Raises NotFound, UsageError, CheckFailed when the rules refuse what would be left, and LockHeld."""
        if dry_run:
            with Git(self.root) as git:
                return self._said(self._planned(git.tree(git.resolve(MAIN)), targets, terms), dry_run=True), None
        with one_import((self.root / LEDGER).parent):
            return self._run(targets, terms)

    def _run(self, targets: Sequence[str], terms: Sequence[str]) -> tuple[Forgotten, SyncResult]:
        with Git(self.root) as git:
            made: list[Planned] = []

            def changes(main: Tree) -> dict[str, str | None]:
                made[:] = [self._planned(main, targets, terms)]
                return made[0].changes

            result = publish(
                git,
                changes,
                kind="forget",
                subject="take out what a person asked to forget",
                now=self.now,
                config=self.config,
                author=git.user(),
                trailers=[("Deletions-Through", self.id)],
                check=published_check(self.root, self.config, self.now, kind="forget"),
            )
            if result.blocked:
                told = "; ".join(f"{one.path}: {one.message}" for one in result.problems[:5])
                raise CheckFailed(f"nothing was forgotten: {told}", hint="mend these lines, then run it again")
        planned = made[0]
        stored.settle(self.root, self.id, planned.stored, planned.snapshots, keep=not self.purge)
        stored.clean_ledger(self.root, planned.reach, planned.stored)
        stored.clean_replay(self.root, planned.reach)
        if self.purge or terms:
            gone = {path for path, text in planned.changes.items() if text is None}
            stored.clean_runs(self.root, planned.reach, gone)
        if self.purge:
            result = self._erase(planned)
        return self._said(planned), result

    def _erase(self, planned: Planned) -> SyncResult:
        """Copies and history without it; then the log says that it is done."""
        stored.erase_copies_of(self.root, planned.reach)
        with Git(self.root) as git:
            past = erasing.Past(
                reach=planned.reach,
                gone=frozenset(planned.gone),
                lost=planned.lost,
                words=self._words(planned),
                titles=tuple(one.before.title for one in planned.stored if one.before.title != one.after.title),
            )
            self.rewritten = rewrite(git, past.without, messages=past.message, what="brain forget")
            done = [
                ("tree", "done"),
                ("transcript", "done"),
                ("history", "done" if not self.rewritten.still else "pending"),
            ]

            def told(main: Tree) -> dict[str, str | None]:
                lines = [
                    json.dumps({"id": one.id, "purge": dict(done)}, separators=(",", ":")) for one in planned.tombstones
                ]
                return {DELETIONS: main.read(DELETIONS) + "".join(f"{line}\n" for line in lines)}

            return publish(
                git, told, kind="forget", subject="say that history is free of it", now=self.now, config=self.config,
                author=git.user(),
            )  # fmt: skip

    def _words(self, planned: Planned) -> Deletions:
        return Deletions(tombstones=tuple(planned.tombstones), key=self.key)

    def _planned(self, main: Tree, targets: Sequence[str], terms: Sequence[str]) -> Planned:
        rows = parse_rows(main.read(SESSION_INDEX)) if SESSION_INDEX in main else []
        found = aim(main, rows, targets, terms)
        reach = self._with_turns(found.reach, rows)
        snapshots = stored.snapshots_saying(self.root, reach) if terms or reach.records else []
        reach = replace(reach, records=tuple(sorted({*reach.records, *stored.uris_of(self.root, snapshots)})))
        planned = Planned(reach=reach, snapshots=snapshots)
        planned.stored = [self._erased(one) for one in stored.touched(self.root, rows, reach)]
        self._edit(main, planned, rows)
        planned.tombstones = self._tombstones(main, planned, found)
        planned.still = self._still(main, planned)
        index = {row.id: row for row in rows} | {one.after.id: one.after for one in planned.stored}
        planned.changes[SESSION_INDEX] = render_rows(index.values())
        said = main.read(DELETIONS) if DELETIONS in main else ""
        lines = "".join(deletions.render(one) + "\n" for one in planned.tombstones)
        planned.changes[DELETIONS] = (said if not said or said.endswith("\n") else said + "\n") + lines
        return planned

    def _with_turns(self, reach: Reach, rows: Sequence[SessionRow]) -> Reach:
        """With the turns that hold a term."""
        if not reach.terms:
            return reach
        turns = {id: list(ranges) for id, ranges in reach.turns.items()}
        for id, found in stored.turns_saying(self.root, rows, reach):
            if id not in reach.sessions:
                turns.setdefault(id, []).extend(found)
        return replace(reach, turns={id: uri.merge_ranges(ranges) for id, ranges in turns.items()})

    def _erased(self, one: Stored) -> Stored:
        """Under a purge, a session that goes leaves nothing but its id."""
        if one.text is not None or not self.purge or one.after.transcript:
            return one
        return replace(one, after=replace(one.after, external_id="", started_at=None, ended_at=None, last_turn_at=None))

    def _edit(self, main: Tree, planned: Planned, rows: Sequence[SessionRow]) -> None:
        reach = planned.reach
        done = pages.without(_texts(main, "knowledge/", FileClass.PAGE), reach, self._supports())
        planned.gone = {id for path in done.deleted if (id := page_id(path))}
        lines = files.without_notes(_texts(main, "notes/", FileClass.NOTE), reach, self.now)
        planned.lost = {
            row.id: files.lost_words(whole.turns, reach.turns[row.id])
            for row in rows
            if row.id in reach.turns and (whole := stored.as_transcript(self.root, row)) is not None
        }
        summaries = files.without_bullets(_texts(main, SUMMARIES, FileClass.SUMMARY), reach, planned.lost, planned.gone)
        moved = {one.before.summary: one for one in planned.stored if one.before.summary}
        for path, text in list(summaries.items()):
            if text is not None and (one := moved.get(path)) and one.after.title != one.before.title:
                summaries[path] = None
                summaries[SUMMARIES + one.after.transcript.partition("transcripts/")[2]] = text
        planned.changes |= done.files | lines.files | summaries
        planned.claims = [*done.claims, *lines.words]
        planned.snippets = lines.snippets
        planned.gone |= {id for path, text in lines.files.items() if text is None and (id := note_id(path))}
        for path in main.paths("knowledge/log"):
            if (text := erasing.log_without(main.read(path), planned.gone, reach)) is not None:
                planned.changes[path] = text

    def _still(self, main: Tree, planned: Planned) -> list[str]:
        names = tuple(name for subject in planned.reach.subjects.values() for name in subject.names)
        if not names:
            return []
        rest, tree = Reach(terms=names), OverlayTree(main, planned.changes)
        told = [p for p in tree.paths() if classify(p) in (FileClass.PAGE, FileClass.NOTE, FileClass.SUMMARY)]
        rows = parse_rows(tree.read(SESSION_INDEX))
        paths = {row.id: row.transcript for row in rows}
        return [p for p in told if rest.says(tree.read(p))] + [
            paths[id] for id, _ in stored.turns_saying(self.root, rows, rest)
        ]

    def _supports(self) -> pages.Supports:
        evidence = TreeEvidence(FolderTree(self.root), {}, self.config.authoritative)
        owners = tuple(self.config.owner_names)

        def supports(shown: Page, claim: Claim, sources: Sequence[str]) -> bool:
            turns: list[Turn] = []
            for source in sources:
                parsed = uri.parse(source)
                if isinstance(parsed, SessionUri):
                    for first, last in parsed.ranges or ((1, 10**9),):
                        turns += evidence.turns(parsed.session, first, last)
                else:
                    turns += evidence.document(parsed)
            names = (shown.title, *shown.aliases)
            return verify(claim.raw, turns, qualifier=qualifier(claim), owners=owners, subjects=names).ok

        return supports

    def _tombstones(self, main: Tree, planned: Planned, found: Aim) -> list[Tombstone]:
        """One line of the log for what is barred for everything, one for each page and each line of notes."""
        reach = planned.reach
        stays = {h for text in _statements(main, planned.changes) for h in self._hashes(text)}
        hashes = tuple(dict.fromkeys(h for text in planned.claims for h in self._hashes(text) if h not in stays))
        gone = sorted(id for id in planned.gone if reach.names(id))  # a page that merely lost all may come again
        made: list[Tombstone] = []
        barred = [*(str(SessionUri(id)) for id in sorted(reach.sessions)), *reach.records]
        barred += [part for id, ranges in sorted(reach.turns.items()) for part in _uris(id, ranges)]
        if barred or reach.terms:
            others = [id for id in gone if id not in reach.subjects]
            made.append(
                self._tombstone(made, reach, evidence=barred, pages=others, snippets=planned.snippets, hashes=hashes)
            )
        for id, subject in reach.subjects.items():
            made.append(
                self._tombstone(
                    made,
                    reach,
                    evidence=subject.uris,
                    pages=[id],
                    subjects=[id],
                    snippets=() if made else planned.snippets,
                    hashes=() if made else hashes,
                )
            )
        for snippet, (source, path) in found.lines.items():
            own = () if made else hashes
            made.append(
                self._tombstone(
                    made, reach, evidence=[source], subjects=[note_id(path) or path], snippets=[snippet], hashes=own
                )
            )
        return made

    def _tombstone(
        self,
        before: Sequence[Tombstone],
        reach: Reach,
        *,
        evidence: Iterable[str] = (),
        pages: Iterable[str] = (),
        subjects: Iterable[str] = (),
        snippets: Iterable[str] = (),
        hashes: Iterable[str] = (),
    ) -> Tombstone:
        return Tombstone(
            id=self.id if not before else f"del_{new_run_id(self.now)}",
            at=self.now,
            by=self.by,
            reason="user_request",
            effect=Effect.PURGE if self.purge else Effect.SUPPRESS,
            evidence=tuple(evidence),
            pages=tuple(self._stored_name(id, reach) for id in pages),
            subjects=tuple(self._stored_name(id, reach) for id in subjects),
            snippets=tuple(snippets),
            claim_hmac=tuple(hashes),
            purge=(("tree", "done"), ("transcript", "done"), ("history", "pending")) if self.purge else (),
        )

    def _stored_name(self, id: str, reach: Reach) -> str:
        """A slug can name the thing: where it does, and under a purge, its hash is stored."""
        return deletions.name_hmac(self.key, id) if self.purge or reach.names(id) else id

    def _hashes(self, text: str) -> list[str]:
        return [deletions.claim_hmac(self.key, text), *deletions.shingle_hmacs(self.key, text)]

    def _said(self, planned: Planned, *, dry_run: bool = False) -> Forgotten:
        changed = {path: text for path, text in planned.changes.items() if classify(path) is FileClass.PAGE}
        return Forgotten(
            id=self.id,
            sessions=tuple(sorted(planned.reach.sessions)),
            turns=sum(b - a + 1 for ranges in planned.reach.turns.values() for a, b in ranges),
            pages_deleted=tuple(sorted(path for path, text in changed.items() if text is None)),
            pages_changed=tuple(sorted(path for path, text in changed.items() if text is not None)),
            notes=len(planned.snippets),
            summaries=tuple(sorted(p for p in planned.changes if classify(p) is FileClass.SUMMARY)),
            snapshots=tuple(planned.snapshots),
            still=tuple(planned.still),
            claims=len(planned.claims),
            purged=self.purge,
            dry_run=dry_run,
        )


def _texts(main: Tree, folder: str, kind: FileClass) -> dict[str, str]:
    return {path: main.read(path) for path in main.paths(folder) if classify(path) is kind}


def _statements(main: Tree, changes: Mapping[str, str | None]) -> Iterator[str]:
    """Every claim and line of notes that stays: what is told elsewhere too was not asked to be forgotten."""
    tree = OverlayTree(main, changes)
    for path in tree.paths("knowledge/"):
        if classify(path) is FileClass.PAGE:
            with suppress(FormatError):
                yield from (claim.text for claim in page.parse(tree.read(path), path).claims)
    for path in tree.paths("notes/"):
        if classify(path) is FileClass.NOTE:
            with suppress(FormatError):
                yield from (one.text for one in notes.parse(tree.read(path), path).snippets)


def _uris(session: str, ranges: Sequence[tuple[int, int]]) -> list[str]:
    """URIs of at most five ranges and forty turns each, as the format has them."""
    out: list[str] = []
    for first, last in ranges:
        for start in range(first, last + 1, uri.MAX_TURNS):
            out.append(str(SessionUri(session, ((start, min(last, start + uri.MAX_TURNS - 1)),))))
    return out
