"""Results as lines for people, the same in the command line and the demo."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from brain.corpus.search.index import Status
from brain.corpus.search.upkeep import Update
from brain.ingest.report import ImportReport
from brain.sync.history import Commit
from brain.text import counted
from brain.types import Hit, Problem, Severity

if TYPE_CHECKING:
    from brain.dream.run import DreamResult


def of_import(report: ImportReport) -> Iterator[str]:
    """A row a source, then why what was left out, what was redacted, and what went wrong."""
    head = ("source", "files", "new", "grown", "unchanged", "turns", "left out", "broken")
    yield from aligned([head, *report.table()])
    yield from (f"left out of {source}: {_counts(why)}" for source, why in report.left_out().items())
    if report.redacted:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(report.redacted.items()))
        yield f"redacted: {kinds}"
    yield from report.notes
    yield from report.problems


def _counts(reasons: Mapping[str, int]) -> str:
    return ", ".join(
        f"{count} {reason}" for reason, count in sorted(reasons.items(), key=lambda one: (-one[1], one[0]))
    )


def of_dream(result: DreamResult) -> Iterator[str]:
    """What a run did to the wiki, and what it left out and why."""
    if result.noop:
        yield "nothing new; nothing changed"
    elif result.applied:
        yield (
            f"run {result.run_id}: {of_work(result)}; "
            f"pages +{len(result.created)} ~{len(result.updated)}; claims +{result.added} −{result.retired}"
        )
        yield from (f"  + {page}" for page in result.created)
        yield from (f"  ~ {page}" for page in result.updated)
    else:
        yield f"{of_work(result)}; nothing was written"
    yield from (f"  {one.line()}" for one in result.expected)
    if len(result.expected) > 1:
        known = [one.cost for one in result.expected if one.cost is not None]
        more = " and what nobody knows the price of" if len(known) < len(result.expected) else ""
        yield f"  together about ${sum(known):.2f}{more}; --max-cost and --max-minutes hold it"
    if result.conflicts:
        yield f"{counted(result.conflicts, 'line')} changed in memory meanwhile; yours stayed, the next run looks again"
    if result.left_for_later:
        yield f"left for the next run: {counted(result.left_for_later, 'session')}"
    yield from result.notes
    for session, reason in sorted(result.failed.items()):
        yield f"failed: {session}: {reason}"
    yield from (of_problem(problem) for problem in result.problems if problem.severity is Severity.E)


def of_work(result: DreamResult) -> str:
    return f"{counted(result.turns, 'new turn')} in {counted(result.sessions, 'session')}"


def of_problem(problem: Problem) -> str:
    place = f"{problem.path}:{problem.line}" if problem.line else problem.path
    return f"{place}: {problem.severity.value} {problem.rule} {problem.message}"


def of_hit(hit: Hit) -> str:
    """Score, surface, place with its turns or line, day and title, on one line."""
    last = f"-t{hit.last_turn}" if hit.last_turn != hit.first_turn else ""
    place = hit.path + (f"#t{hit.first_turn}{last}" if hit.first_turn else f":{hit.line}" if hit.line else "")
    parts = (f"{hit.score:.2f}", hit.surface.value, place, str(hit.day or ""), hit.title)
    return "  ".join(part for part in parts if part)


def of_commit(commit: Commit) -> str:
    """When, which commit and run, what, and what it did to pages."""
    run = f" run {commit.run[:8]}" if commit.run else ""
    kind = f"{commit.message.kind}: " if commit.message.kind else ""
    pages = f" · pages {commit.pages}" if str(commit.pages) != "+0 ~0 -0" else ""
    who = f" · {commit.author.name}" if commit.message.kind == "human" else ""
    return f"{commit.at:%Y-%m-%d %H:%M}  {commit.id[:10]}{run}  {kind}{commit.message.subject}{pages}{who}"


def of_reindex(update: Update, status: Status) -> Iterator[str]:
    yield (
        f"{counted(sum(status.documents.values()), 'document')} of {counted(update.files, 'file')}, "
        f"{status.vectors} with their meaning"
    )
    if status.pending:
        yield f"{counted(status.pending, 'text')} to come" + (
            f", made by process {status.working}" if status.working else ""
        )
    for path, reason in update.problems:
        yield f"not searched: {path}: {reason}"
    if update.message:
        yield update.message


def aligned(rows: list[tuple[object, ...]]) -> Iterator[str]:
    """Rows in columns: the first to the left, the others to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        first, *rest = (
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join((first, *rest)).rstrip()
