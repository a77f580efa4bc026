"""What capture says of itself: one line a time, for a terminal or a log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from brain.capture.folders import Place

if TYPE_CHECKING:  # a hook has no time to load importing
    from brain.ingest.report import ImportReport


def stamped(line: str) -> str:
    """A line of a log."""
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {line}"


def line_of(report: ImportReport) -> str:
    """What an import brought, in one line, by source; "" when that is nothing. Names no file: logs keep it."""
    parts = []
    for source, _, new, grown, _, turns, _, broken in report.table():
        said = [f"{count} {what}" for count, what in ((new, "new"), (grown, "grown"), (turns, "turns")) if count]
        if broken:
            said.append(f"{broken} broken")
        if said and source != "(not a transcript)":
            parts.append(f"{source}: {', '.join(said)}")
    return "; ".join(parts)


def faults(report: ImportReport) -> Iterator[str]:
    """What of the session files did not read, with file and place. Files that are no sessions are nobody's fault."""
    for file in report.files:
        if file.source is not None or file.skips.broken:
            yield from (f"{file.path}: {example}" for example in file.skips.examples)


def watched(places: Sequence[Place]) -> Iterator[str]:
    """Which folders are watched, and which will be when they are there."""
    there = [place for place in places if place.folder.is_dir()]
    for place in there:
        what = f" ({place.host})" if place.host else ""
        yield f"watching {place.folder / place.only if place.only else place.folder}{what}"
    away = [str(place.folder) for place in places if not place.host and place not in there]
    if away:
        yield f"not there yet, watched when it is: {', '.join(away)}"
    if not there:
        yield "no session folder is there yet; waiting for one"
