"""The connectors of one brain: which there are, whether they can be read, and reading them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from urllib.parse import unquote

from brain.config import Config, key_from_environment
from brain.connectors.approvals import Approvals
from brain.connectors.kind import Entry, Kind, Place, Source
from brain.connectors.kinds import kinds
from brain.connectors.pins import Pinned, Pins
from brain.errors import BrainError, ConnectorError, NotFound, UsageError
from brain.tree.snapshot import Record

FOUND = 10
_PINNED = re.compile(r"[?&]sha=[0-9a-f]{16}(?:&|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one connector is: what it holds, or why it cannot be read and the way out. `skipped` counts what was passed
    over, by reason."""

    name: str
    kind: str
    ok: bool
    what: str
    hint: str = ""
    owner_authoritative: bool = False
    skipped: tuple[tuple[str, int], ...] = ()

    def line(self) -> str:
        """`connector calendar (calendar): 12 events`."""
        head = f"connector {self.name}" + (f" ({self.kind})" if self.kind else "")
        passed = "".join(f"; {number} {why}" for why, number in self.skipped)
        return f"{head}: {self.what}{passed}" if self.ok else f"{head} is not available: {self.what}"


def is_pinned(uri: str) -> bool:
    """Whether a URI names a stored snapshot, and not only a record."""
    return _PINNED.search(uri) is not None


def named(uri: str) -> tuple[str, str]:
    """The connector and the record that `connector://NAME?id=RECORD` names, pinned or not. Raises UsageError."""
    name, _, query = uri.removeprefix("connector://").partition("?")
    parts = dict(part.partition("=")[::2] for part in query.split("&") if part)
    if not name or not parts.get("id"):
        raise UsageError(
            f"{uri!r} names no record", hint="connector://NAME?id=RECORD, or: brain connector fetch NAME ID"
        )
    return name, unquote(parts["id"])


class Connectors:
    """Reads what the config names, and nothing else. A source is opened when it is first asked, and closed at the end.

    `redact` takes secrets out of what is pinned; `clock` says when that is.
    """

    def __init__(
        self, root: Path, config: Config, *, redact: Callable[[str], str], clock: Callable[[], datetime]
    ) -> None:
        self.root = root
        self.config = config
        self.pins = Pins(root=root, redact=redact)
        self.approvals = Approvals(state=config.state)
        self._clock = clock
        self._open: dict[str, Source] = {}
        self._places: dict[str, Place] = {}

    def __enter__(self) -> Connectors:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self.config.connectors))

    def close(self) -> None:
        for source in self._open.values():
            with suppress(BrainError, OSError):
                source.close()
        self._open.clear()

    def kind(self, name: str) -> Kind:
        """The kind of a connector. Raises NotFound, ConnectorError."""
        table = self.config.connectors.get(name)
        if table is None:
            known = ", ".join(self.names) or "none"
            raise NotFound(f"no connector {name!r} in .brain/config.toml", hint=f"configured: {known}")
        known = ", ".join(one.name for one in kinds())
        if not table.kind:
            raise ConnectorError(name, "has no kind", hint=f"[connectors.{name}] kind = one of {known}")
        found = next((one for one in kinds() if one.name == table.kind), None)
        if found is None:
            raise ConnectorError(name, f"kind = {table.kind!r} is not known", hint=f"one of {known}")
        return found

    def source(self, name: str) -> Source:
        """An open source. Raises NotFound, ConnectorError."""
        if name not in self._open:
            kind = self.kind(name)
            table = self.config.connectors[name]
            if kind.acts and not self.approvals.has(self.root, name, table):
                raise ConnectorError(
                    name, "starts a program or reaches the network, and was not approved on this machine",
                    hint=f"look at [connectors.{name}] in .brain/config.toml, then: brain connector allow {name}",
                )  # fmt: skip
            self._places[name] = Place(
                name=name, root=self.root, connector=table, zone=self.config.zone, secret=key_from_environment
            )
            self._open[name] = kind.open(self._places[name])
        return self._open[name]

    def check(self, name: str) -> Standing:
        """How a connector is; never raises for one that is configured."""
        table = self.config.connectors.get(name)
        if table is None:
            self.kind(name)
        trusted = table is not None and table.owner_authoritative
        kind = table.kind if table else ""
        try:
            what = self.source(name).check()
        except BrainError as error:
            reason = error.reason if isinstance(error, ConnectorError) else error.message
            return Standing(
                name=name, kind=kind, ok=False, what=reason, hint=error.hint or "", owner_authoritative=trusted
            )
        return Standing(
            name=name, kind=kind, ok=True, what=what, owner_authoritative=trusted, skipped=self.skipped(name)
        )

    def skipped(self, name: str) -> tuple[tuple[str, int], ...]:
        """What was passed over in a source so far, by reason."""
        place = self._places.get(name)
        return tuple(sorted(place.skipped.items())) if place else ()

    def list(self, name: str, since: date | None = None, until: date | None = None) -> Iterator[Entry]:
        """What a source holds, newest first."""
        return self.source(name).list(since, until)

    def search(self, name: str, query: str, limit: int = FOUND) -> Sequence[Entry]:
        """What a source says on a query, best first."""
        return self.source(name).search(query, limit)

    def read(self, name: str, id: str) -> Record:
        """One record as it is now, not kept."""
        return self.source(name).fetch(id)

    def fetch(self, name: str, id: str, *, dry_run: bool = False) -> Pinned:
        """One record as it is now, pinned as a snapshot."""
        return self.pins.pin(name, self.read(name, id), self._clock(), dry_run=dry_run)

    def allow(self, name: str) -> None:
        """A person says that a connector may start its program or reach its address from this machine."""
        self.kind(name)
        self.approvals.give(self.root, name, self.config.connectors[name])

    def disallow(self, name: str) -> None:
        self.kind(name)
        self.approvals.take(self.root, name, self.config.connectors[name])
