"""Do the sources an answer cites or opened hold the ones its question is bound to?

    >>> Sources.of(["session://5c0de1f2-3a4b-5c6d-8e9f-0a1b2c3d4e5f#t2-t4"]).hold(
    ...     "session://5c0de1f2-3a4b-5c6d-8e9f-0a1b2c3d4e5f#t3")
    True

Gold turns of a question are one URI a turn, a record of a connector is `connector://NAME/RECORD`; a data set that only
knows the session gives it without turns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from brain.errors import FormatError
from brain.tree.uri import ConnectorUri, SessionUri, parse


@dataclass(frozen=True, slots=True)
class Sources:
    """Turns by session (None = the whole of it) and records by connector."""

    sessions: dict[str, set[int] | None] = field(default_factory=dict)
    records: set[tuple[str, str]] = field(default_factory=set)

    @classmethod
    def of(cls, uris: Iterable[str]) -> Sources:
        """Of any URIs; what is no session or connector (a page's path, a file) holds no gold and is passed over."""
        found = cls()
        for uri in uris:
            found._take(uri)
        return found

    def _take(self, uri: str) -> None:
        if record := _record(uri):
            self.records.add(record)
            return
        try:
            one = parse(uri)
        except FormatError:
            return
        if isinstance(one, SessionUri):
            held = self.sessions.setdefault(one.session, set())
            if not one.ranges:
                self.sessions[one.session] = None
            elif held is not None:
                held.update(one.turns())

    def hold(self, gold: str) -> bool:
        """Whether the gold source is here: its turn, its record, or any turn of it where it is a whole session."""
        if record := _record(gold):
            return record in self.records
        try:
            one = parse(gold)
        except FormatError:
            return False
        if not isinstance(one, SessionUri) or one.session not in self.sessions:
            return False
        held = self.sessions[one.session]
        return held is None or not one.ranges or any(turn in held for turn in one.turns())


def _record(uri: str) -> tuple[str, str] | None:
    """Connector and record of a connector's URI, whether a question's (`connector://NAME/RECORD`) or a pinned one."""
    scheme, _, rest = uri.partition("://")
    if scheme.lower() != "connector":
        return None
    try:
        one = parse(uri)
    except FormatError:
        name, _, record = rest.partition("/")
        return (name, record) if record else None
    if not isinstance(one, ConnectorUri):
        return None
    return (one.name, dict(one.query).get("id", ""))


def share_held(gold: Iterable[str], uris: Iterable[str]) -> float | None:
    """The share of the gold sources that some URIs hold, 0..1; None when there is no gold."""
    wanted = list(dict.fromkeys(gold))
    if not wanted:
        return None
    here = Sources.of(uris)
    return sum(here.hold(one) for one in wanted) / len(wanted)


def share_right(cites: Iterable[str], gold: Iterable[str]) -> float | None:
    """The share of the cited sources that hold a gold one; None when nothing is cited or there is no gold."""
    given, wanted = list(dict.fromkeys(cites)), list(gold)
    if not given or not wanted:
        return None
    return sum(any(Sources.of([cite]).hold(one) for one in wanted) for cite in given) / len(given)
