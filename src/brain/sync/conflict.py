"""What came in and was not taken: conflicts, which wait for the next run (format §16.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from brain.sync.cites import sessions, used
from brain.sync.lines import Clash


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """What came in and was not taken, because main had changed the same thing; `sessions` are the sources behind it."""

    path: str
    what: str
    main: str
    incoming: str
    sessions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """The text main shall have (None: no such file), and what did not fit."""

    text: str | None
    conflicts: tuple[Conflict, ...] = ()


def kept(path: str, what: str, main: str | None, incoming: str) -> Merged:
    return Merged(text=main, conflicts=(conflict(path, what, main or "", incoming),))


def conflict(path: str, what: str, main: str, incoming: str, text: str = "") -> Conflict:
    return Conflict(
        path=path, what=what, main=main, incoming=incoming, sessions=tuple(sessions(incoming) or sessions(text))
    )


def from_clash(path: str, what: str, clash: Clash, sources: Mapping[int, str] | None = None) -> Conflict:
    """`sources` are URIs by number where lines cite by number."""
    lines = [*clash.base, *clash.incoming]
    if sources is not None:
        behind = "\n".join(line for number, line in sources.items() if number in used(lines))
    else:
        behind = "\n".join(lines)
    return Conflict(
        path=path,
        what=what,
        main="\n".join(clash.main),
        incoming="\n".join(clash.incoming),
        sessions=tuple(sessions(behind)),
    )
