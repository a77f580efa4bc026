# ruff: noqa: E501 — examples and messages read better unwrapped
"""STG: a run says what it did, did what it says, and takes little away."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from brain.rules.context import Context, digest
from brain.rules.rule import Found, run_rule
from brain.text import jaccard
from brain.tree.claims import Claim
from brain.tree.ids import RUN
from brain.tree.layout import FileClass, is_generated
from brain.tree.page import Page
from brain.types import Trust

MANIFEST = "manifest.json"
_HASH = re.compile(r"[0-9a-f]{7,64}")
_MADE = frozenset({"create", "update", "delete", "rename", "split", "merge"})
_FREE = frozenset({"split", "merge", "delete", "rename"})


def claim_sha(claim: Claim) -> str:
    """How a manifest names a claim of the base: sha256 of its raw text."""
    return digest(claim.raw)


def _ops(check: Context) -> list[Any]:
    return list(check.manifest.ops) if check.manifest is not None else []


@run_rule("STG001")
def manifest_is_true(check: Context) -> Iterator[Found]:
    """The manifest is complete, and its operations are the real difference of pages and notes, both ways.

    Bad:
        === manifest
        {"ops": [{"op": "update", "path": "knowledge/entities/nadia.md"}]}
    Good:
        === manifest
        {"ops": [{"op": "update", "path": "knowledge/entities/nadia.md", "note": "said what she leads"}]}
        === knowledge/entities/nadia.md
        ## Relationship
        - Nadia leads [[projects/sprint]]. [cite:1]
    """
    manifest = check.manifest
    if manifest is None:
        return
    if not RUN.fullmatch(manifest.run_id):
        yield Found(f"run_id {manifest.run_id!r} is no ULID", path=MANIFEST, fix="start the run with brain dream")
    if not _HASH.fullmatch(manifest.base_commit):
        yield Found(
            f"base_commit {manifest.base_commit!r} is no commit",
            path=MANIFEST,
            fix="the commit that staging was made from",
        )
    if manifest.finished_at and manifest.finished_at < manifest.started_at:
        yield Found("finished_at is before started_at", path=MANIFEST)
    said: set[str] = set()
    for op in _ops(check):
        if str(op.op) not in _MADE:
            yield Found(f"{op.op!r} is no operation", path=MANIFEST, fix=f"one of {', '.join(sorted(_MADE))}")
        if len(op.note) > 100:
            yield Found(
                f"the note on {op.path} has {len(op.note)} characters, more than 100", path=MANIFEST, fix="shorten it"
            )
        if str(op.op) in ("rename",) and not op.to:
            yield Found(f"{op.op} of {op.path} without `to`", path=MANIFEST, fix="name the new path")
        said |= {op.path, *([op.to] if op.to else [])}
        yield from _op_fits(check, op)
    real = {
        p
        for kind in (FileClass.PAGE, FileClass.NOTE)
        for p in (*check.of_class(kind), *check.removed(kind))
        if check.differs(p)
    }
    for path in sorted(real - said):
        yield Found("the change is not in the manifest", path=path, fix=f'add {{"op": …, "path": "{path}"}} to ops')


def _op_fits(check: Context, op: Any) -> Iterator[Found]:
    """What an operation says of its path, against the two trees."""
    was, now = op.path in check.base, op.path in check.staged
    kind = str(op.op)
    if kind in ("create", "update", "delete") and not is_generated(op.path):
        wanted = {"create": (False, True), "update": (True, True), "delete": (True, False)}[kind]
        if (was, now) != wanted or (kind == "update" and not check.differs(op.path)):
            yield Found(f"the manifest says {kind}, the trees do not", path=op.path, fix="correct ops, or the file")
    if kind == "rename" and (now or not was or not op.to or op.to not in check.staged):
        yield Found("the manifest says rename, the trees do not", path=op.path, fix="correct ops, or the file")


def lost_claims(check: Context, path: str) -> list[Claim]:
    """Claims of the base page that the staged page no longer has, word for word."""
    before, now = check.base_page(path), check.page(path)
    if before is None:
        return []
    left = Counter(c.raw for c in now.claims) if now else Counter()
    lost = []
    for claim in before.claims:
        if claim.section in ("Changelog", "See also"):
            continue
        if left[claim.raw] > 0:
            left[claim.raw] -= 1
        else:
            lost.append(claim)
    return lost


def successor(claim: Claim, before: Page, now: Page | None, known: set[str]) -> Claim | None:
    """The new claim that took a lost one's place: most alike, sharing a cite or half its words."""
    best: tuple[float, Claim] | None = None
    for other in now.claims if now else ():
        if other.raw in known:
            continue
        alike = jaccard(set(claim.words.casefold().split()), set(other.words.casefold().split()))
        shared = bool(set(before.uris(claim)) & set(now.uris(other))) if now else False
        if (alike >= 0.3 or (shared and other.section == claim.section)) and (best is None or alike > best[0]):
            best = (alike, other)
    return best[1] if best else None


@run_rule("STG002")
def losses_are_named(check: Context) -> Iterator[Found]:
    """Every claim of the base that is gone or altered is in `claims_removed`, or its line has a new cite.

    Bad:
        === manifest
        {"ops": [{"op": "update", "path": "knowledge/projects/sprint.md"}]}
        === knowledge/projects/sprint.md
        ## Facts
        - The host is Sora City Lab. [cite:1]
    Good:
        === manifest
        {"ops": [{"op": "update", "path": "knowledge/projects/sprint.md", "claims_removed": [{"text_sha": "SHA(- Figures go out as PDF, not PNG. [cite:2])", "why": "superseded"}]}]}
        === knowledge/projects/sprint.md
        ## Facts
        - The host is Sora City Lab. [cite:1]
    """
    if check.manifest is None:
        return
    named = {removed.text_sha for op in _ops(check) for removed in op.claims_removed}
    for path in (*check.of_class(FileClass.PAGE), *check.removed(FileClass.PAGE)):
        before, now = check.base_page(path), check.page(path)
        if before is None or (now is not None and now.superseded_by):
            continue
        known = {c.raw for c in before.claims}
        for claim in lost_claims(check, path):
            if claim_sha(claim) in named:
                continue
            after = successor(claim, before, now, known)
            fresh = set(now.uris(after)) - set(before.uris(claim)) if after and now else set()
            if not fresh and not _only_links(claim, after):
                yield Found(
                    f"a claim of the base is gone or altered: {claim.words[:60]!r}", path=path, line=after.line if after else 0,
                    fix="restore it byte for byte, name it in claims_removed with why, or cite the new evidence",
                )  # fmt: skip


def _only_links(claim: Claim, after: Claim | None) -> bool:
    """Whether the two differ in link targets and markers alone: the words are the same."""
    return after is not None and claim.words == after.words and claim.qualifiers == after.qualifiers


@run_rule("STG003")
def no_mass_removal(check: Context) -> Iterator[Found]:
    """A run removes at most max(3, 25 %) of a page's claims and max(3, 10 %) of the pages, and changes at most run.max_pages.

    Pages that are superseded, split, merged or done are exempt, and so is what was forgotten or moved; a person may override.

    Bad:
        === manifest
        {"ops": [{"op": "update", "path": "knowledge/projects/sprint.md", "claims_removed": "ALL"}]}
        === base knowledge/projects/sprint.md
        ## Goals
        - Test the paving near the station. [cite:1]
        - Test the paving near the river. [cite:1]
        - Test the paving near the museum. [cite:1]
        - Test the paving near the market. [cite:1]
        === knowledge/projects/sprint.md
        ## Facts
        - The host is Sora City Lab. [cite:1]
        - Figures go out as PDF, not PNG. [cite:2]
    Good:
        === manifest
        {"ops": [{"op": "update", "path": "knowledge/projects/sprint.md", "claims_removed": "ALL"}]}
        === base knowledge/projects/sprint.md
        ## Goals
        - Test the paving near the station. [cite:1]
        - Test the paving near the river. [cite:1]
        === knowledge/projects/sprint.md
        ## Facts
        - The host is Sora City Lab. [cite:1]
        - Figures go out as PDF, not PNG. [cite:2]
    """
    if not check.by_run or check.override:
        return
    ops = _ops(check)
    free = {op.path for op in ops if str(op.op) in _FREE}
    forgiven = {
        r.text_sha
        for op in ops
        for r in op.claims_removed
        if str(r.why) in ("forgotten", "moved", "superseded") and (r.to or str(r.why) != "superseded")
    }
    for path in check.of_class(FileClass.PAGE):
        before, now = check.base_page(path), check.page(path)
        if before is None or now is None or path in free or now.superseded_by or now.status in ("done", "superseded"):
            continue
        known = {c.raw for c in before.claims}
        gone = [
            c for c in lost_claims(check, path)
            if c.section not in ("History",) and claim_sha(c) not in forgiven and successor(c, before, now, known) is None
        ]  # fmt: skip
        limit = max(3, len(before.claims) // 4)
        if len(gone) > limit:
            yield Found(
                f"the run removes {len(gone)} of {len(before.claims)} claims, more than {limit}",
                path=path,
                line=1,
                fix="restore them; a person may allow it with --override",
            )
    removed = [
        p
        for p in check.removed(FileClass.PAGE)
        if not any(op.path == p and (op.to or str(op.op) in ("split", "merge", "rename")) for op in ops)
    ]
    limit = max(3, len(check.base_graph.pages) // 10)
    if len(removed) > limit:
        yield Found(
            f"the run removes {len(removed)} pages, more than {limit}",
            path=removed[0],
            fix="restore them; a person may allow it with --override",
        )
    touched = [p for p in (*check.of_class(FileClass.PAGE), *check.removed(FileClass.PAGE)) if check.differs(p)]
    if check.config.run.max_pages and len(touched) > check.config.run.max_pages:
        yield Found(
            f"the run changes {len(touched)} pages, more than run.max_pages = {check.config.run.max_pages}",
            path=touched[0],
            fix="smaller runs, or a higher run.max_pages",
        )


@run_rule("STG004", "W")
def no_churn(check: Context) -> Iterator[Found]:
    """A claim is not reworded with the same cites: without new evidence its line stays as it is.

    Bad:
        === manifest
        {"ops": [{"op": "update", "path": "knowledge/projects/sprint.md", "claims_removed": [{"text_sha": "SHA(- The host is Sora City Lab. [cite:1])", "why": "stale"}]}]}
        === knowledge/projects/sprint.md
        ## Facts
        - The host of it is Sora City Lab. [cite:1]
        - Figures go out as PDF, not PNG. [cite:2]
    Good:
        === manifest
        {"ops": [{"op": "update", "path": "knowledge/projects/sprint.md"}]}
        === knowledge/projects/sprint.md
        ## Facts
        - The host of it is Sora City Lab. [cite:session://1eaf53d4-09e0-5823-bb96-c8662f582708#t9]
        - Figures go out as PDF, not PNG. [cite:2]
    """
    if not check.by_run:
        return
    for path in check.of_class(FileClass.PAGE):
        before, now = check.base_page(path), check.page(path)
        if before is None or now is None:
            continue
        known = {c.raw for c in before.claims}
        for claim in lost_claims(check, path):
            after = successor(claim, before, now, known)
            if (
                after
                and after.section == claim.section
                and set(now.uris(after)) == set(before.uris(claim))
                and after.words != claim.words
            ):
                yield Found(
                    "the claim is reworded without new evidence", path=path, line=after.line, fix="restore its words"
                )


@run_rule("STG005")
def human_lines_kept(check: Context) -> Iterator[Found]:
    """A line that a person wrote since the page's last run is altered only with a newer turn of the user as its cite.

    Bad:
        === manifest
        {"ops": [{"op": "update", "path": "knowledge/projects/sprint.md", "claims_removed": "ALL"}]}
        === human knowledge/projects/sprint.md
        - Figures go out as PDF, not PNG. [cite:2]
        === knowledge/projects/sprint.md
        ## Facts
        - The host is Sora City Lab. [cite:1]
        - Figures go out as SVG. [cite:2]
    Good:
        === manifest
        {"ops": [{"op": "update", "path": "knowledge/projects/sprint.md", "claims_removed": "ALL"}]}
        === human knowledge/projects/sprint.md
        - Figures go out as PDF, not PNG. [cite:2]
        === knowledge/projects/sprint.md
        ## Facts
        - The host is Sora City Lab. [cite:1]
        - Figures go out as SVG. [cite:session://1eaf53d4-09e0-5823-bb96-c8662f582708#t9]
    """
    if not check.by_run:
        return
    for path, lines in sorted(check.human_lines.items()):
        before, now = check.base_page(path), check.page(path)
        if before is None:
            continue
        kept = set(now.lines) if now else set()
        owned = {claim.line: claim for claim in before.claims}
        known = {c.raw for c in before.claims}
        for number, line in enumerate(before.lines, start=1):
            if line not in lines or line in kept or not line.strip():
                continue
            claim = owned.get(number)
            after = successor(claim, before, now, known) if claim else None
            if claim is None or after is None or now is None or not _newer_owner(check, before, claim, now, after):
                yield Found(
                    f"a person's line is altered: {line.strip()[:60]!r}", path=path, line=after.line if after else number,
                    fix="restore it, or cite a later turn in which the user says otherwise",
                )  # fmt: skip


def _newer_owner(check: Context, before: Page, claim: Claim, now: Page, after: Claim) -> bool:
    old, new = check.sources(before, claim), check.sources(now, after)
    fresh = [t for t in check.turns(s for s in new if s not in old) if t.trusted_as is Trust.OWNER]
    last = max((t.time for t in check.turns(old) if t.time), default=None)
    return any(last is None or t.time is None or t.time >= last for t in fresh)


@run_rule("STG006")
def inputs_accounted(check: Context) -> Iterator[Found]:
    """Every input turn is attached (the summary's `attached_through` covers it) or its range is skipped with a reason.

    Bad:
        === manifest
        {"inputs": {"sessions": [{"id": "1eaf53d4-09e0-5823-bb96-c8662f582708", "from_turn": 9, "to_turn": 10}]}}
    Good:
        === manifest
        {"inputs": {"sessions": [{"id": "1eaf53d4-09e0-5823-bb96-c8662f582708", "from_turn": 9, "to_turn": 10, "skipped": "small talk"}]}}
    """
    if check.manifest is None:
        return
    attached: dict[str, int] = {}
    for path in check.staged.paths("sessions/summaries/") if check.manifest.inputs.sessions else ():
        if any(given.id[:8] in path for given in check.manifest.inputs.sessions) and (shown := check.summary(path)):
            attached[shown.id] = shown.attached_through
    for given in check.manifest.inputs.sessions:
        if given.skipped is None and attached.get(given.id, 0) < given.to_turn:
            yield Found(
                f"t{given.from_turn}-t{given.to_turn} of session {given.id} are neither attached nor skipped", path=MANIFEST,
                fix="advance attached_through in its summary, or give the range `skipped` with the reason",
            )  # fmt: skip
