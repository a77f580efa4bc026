# ruff: noqa: E501 — examples and messages read better unwrapped
"""DEL: what was forgotten does not come back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from brain.errors import FormatError
from brain.rules.context import Context, parse_uri
from brain.rules.rule import Found, graph_rule, path_rule, run_rule
from brain.text import words
from brain.tree import deletions, uri
from brain.tree.deletions import Tombstone
from brain.tree.layout import DELETIONS, SUMMARIES, FileClass, classify, note_id, page_id
from brain.types import Severity

_FIX = "remove it; `brain forget --restore <id>` lifts a deletion"


@graph_rule("DEL001")
def barred_evidence(check: Context) -> Iterator[Found]:
    """No cite, note source or summary bullet uses evidence that a deletion bars for that subject (†).

    Bad:
        === deletions
        {"id":"del_01K2A9QX000000000000000000","at":"2026-08-05T10:00:00Z","by":"human:nadia","effect":"suppress","evidence":["session://1eaf53d4-09e0-5823-bb96-c8662f582708#t3"],"subjects":["projects/sprint"]}
    Good:
        === deletions
        {"id":"del_01K2A9QX000000000000000000","at":"2026-08-05T10:00:00Z","by":"human:nadia","effect":"suppress","evidence":["session://1eaf53d4-09e0-5823-bb96-c8662f582708#t3"],"subjects":["entities/aiko"]}
    """
    needles = {_needle(parse_uri(raw)) for t in check.deletions.live for raw in t.evidence}
    if not needles:
        return

    def concerned(path: str) -> bool:
        text = check.text(path) or ""
        return any(needle in text for needle in needles)

    for path in check.staged.paths("knowledge/"):
        shown = check.page(path) if classify(path) is FileClass.PAGE and concerned(path) else None
        for reference in shown.definitions if shown else ():
            source = parse_uri(reference.uri)
            if shown and source and (found := check.deletions.bars(source, page_id(path))):
                yield Found(
                    f"[cite:{reference.number}] is barred by {found.id}", path=path, line=reference.line, fix=_FIX
                )
    for path in check.staged.paths("notes/"):
        notes = check.note(path) if classify(path) is FileClass.NOTE and concerned(path) else None
        for snippet in notes.snippets if notes else ():
            source = parse_uri(snippet.uri)
            if source and (found := _bars_text(check, source, note_id(path), snippet.text)):
                yield Found(f"the source is barred by {found.id}", path=path, line=snippet.line, fix=_FIX)
    for path in check.staged.paths(SUMMARIES):
        summary = check.summary(path) if concerned(path) else None
        for bullets in summary.bullets.values() if summary else ():
            for bullet in bullets:
                source = uri.turns_uri(summary.id, bullet.first, bullet.last) if summary else None
                if source and (found := _bars_text(check, source, None, bullet.text)):
                    yield Found(
                        f"the turns are barred by {found.id}",
                        path=path,
                        line=_line_of(check, path, bullet.text),
                        fix=_FIX,
                    )


def _needle(source: uri.SourceUri | None) -> str:
    """Letters that a file must hold to cite the source at all."""
    if isinstance(source, uri.SessionUri):
        return source.session
    return source.name if isinstance(source, uri.ConnectorUri) else "file://"


def _bars_text(check: Context, source: uri.SourceUri, own: str | None, text: str) -> Tombstone | None:
    """For text without a subject of its own: barred for all, for its own id, or for a subject whose name it holds."""
    said = set(words(text))
    for tombstone in check.deletions.live:
        if any(deletions.overlaps(source, other) for raw in tombstone.evidence if (other := parse_uri(raw))):
            if not tombstone.subjects or own in tombstone.subjects:
                return tombstone
            for subject in tombstone.subjects:
                name = subject.rpartition("/")[2].split("-")
                if all(part in said for part in name):
                    return tombstone
    return None


def _line_of(check: Context, path: str, text: str) -> int:
    for number, line in enumerate((check.text(path) or "").split("\n"), start=1):
        if text in line:
            return number
    return 0


@path_rule("DEL002")
def deleted_stays_deleted(path: str, check: Context) -> Iterator[Found]:
    """No page, note or snippet has the id of a deleted one, unless a `restore` lifted it.

    Bad:
        === deletions
        {"id":"del_01K2A9QX000000000000000000","at":"2026-08-05T10:00:00Z","by":"human:nadia","effect":"suppress","snippets":["n4k7q2m9a"]}
    Good:
        === deletions
        {"id":"del_01K2A9QX000000000000000000","at":"2026-08-05T10:00:00Z","by":"human:nadia","effect":"suppress","snippets":["n4k7q2m9a"]}
        {"id":"del_01K2A9QX000000000000000001","at":"2026-08-05T11:00:00Z","by":"human:nadia","effect":"restore","restores":"del_01K2A9QX000000000000000000"}
    """
    name = page_id(path) or note_id(path)
    if name is None or path not in check.staged:
        return
    if found := check.deletions.bars_id(name):
        yield Found(f"{name!r} was deleted ({found.id})", line=1, fix=_FIX)
    notes = check.note(path) if classify(path) is FileClass.NOTE else None
    for snippet in notes.snippets if notes else ():
        if found := check.deletions.bars_id(snippet.id):
            yield Found(f"the snippet {snippet.id} was deleted ({found.id})", line=snippet.line, fix=_FIX)


@path_rule("DEL003", "E/W")
def words_not_recalled(path: str, check: Context) -> Iterator[Found]:
    """No claim, snippet, title or alias is one that was forgotten (by its hash: the same, E; 60 % of its runs of words, W).

    Bad:
        === deletions
        {"id":"del_01K2A9QX000000000000000000","at":"2026-08-05T10:00:00Z","by":"human:nadia","effect":"suppress","claim_hmac":["HMAC(The host is Sora City Lab.)"]}
        === knowledge/projects/sprint.md
        ## Facts
        - Sora City Lab is the host. [cite:1]
    Good:
        === deletions
        {"id":"del_01K2A9QX000000000000000000","at":"2026-08-05T10:00:00Z","by":"human:nadia","effect":"suppress","claim_hmac":["HMAC(The host is Aiko.)"]}
    """
    if check.deletions.key is None or not any(t.claim_hmac for t in check.deletions.live):
        return
    texts: list[tuple[int, str, date | None]] = []
    if shown := (check.page(path) if classify(path) is FileClass.PAGE else None):
        texts += [(1, name, None) for name in check.names(shown)]
        texts += [(claim.line, claim.text, _said(check, check.sources(shown, claim))) for claim in shown.claims]
    elif notes := (check.note(path) if classify(path) is FileClass.NOTE else None):
        texts += [(one.line, one.text, _said(check, [u for u in [parse_uri(one.uri)] if u])) for one in notes.snippets]
    for line, text, said in texts:
        found = check.deletions.recalls(text, said)
        if found and found[1] >= 0.6:
            same = (
                "says what was forgotten"
                if found[1] == 1.0
                else f"repeats {round(found[1] * 100)} % of what was forgotten"
            )
            yield Found(
                f"it {same} ({found[0].id})",
                line=line,
                fix=_FIX,
                severity=Severity.E if found[1] == 1.0 else Severity.W,
            )


def _said(check: Context, sources: Sequence[uri.SourceUri]) -> date | None:
    """The first day on which the turns were said that a text rests on; None when one of them has no time."""
    days = [turn.time.date() if turn.time else None for turn in check.turns(sources)]
    return min((day for day in days if day), default=None) if all(days) else None


@run_rule("DEL004")
def log_only_grows(check: Context) -> Iterator[Found]:
    """The deletion log is the base's plus appended lines; a run has read it to its newest line.

    Bad:
        === base .brain/deletions.jsonl
        {"id":"del_01K2A9QX000000000000000000","at":"2026-08-05T10:00:00Z","by":"human:nadia","effect":"suppress","snippets":["n0000000x"]}
        === .brain/deletions.jsonl
    Good:
        === base .brain/deletions.jsonl
        {"id":"del_01K2A9QX000000000000000000","at":"2026-08-05T10:00:00Z","by":"human:nadia","effect":"suppress","snippets":["n0000000x"]}
    """
    before, now = check.base_text(DELETIONS) or "", check.text(DELETIONS) or ""
    if not now.startswith(before):
        yield Found(
            "lines of the deletion log were changed or removed",
            path=DELETIONS,
            line=1,
            fix="restore them; append a line with the same id to change one",
        )
    try:
        deletions.parse(now)
    except FormatError as error:
        yield Found(
            error.reason, path=DELETIONS, line=error.line, fix="one tombstone a line, as `brain forget` writes it"
        )
    newest = check.deletions.newest
    if check.manifest is not None and newest is not None and check.manifest.inputs.deletions_through != newest:
        yield Found(
            f"the run has not read the deletion log to {newest}",
            path=DELETIONS,
            fix="start the run again from the newest state",
        )
