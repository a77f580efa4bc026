"""What hooks leave to be captured: one small file a session, put in an instant, taken by whoever has the time.

A session that goes on is put off with each of its turns, though not for ever; one that has ended is due at once.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from pathlib import Path

from brain.capture.alone import FOLDER
from brain.tree.files import write_atomic

LONGEST = 10
"""How many times the usual wait a session that never rests is put off at most."""

TRIES = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A session to capture. Times are seconds since 1970: `since` it waits, `due` it may be taken."""

    host: str
    session: str = ""
    path: str = ""
    since: float = 0.0
    due: float = 0.0
    tries: int = 0

    @property
    def name(self) -> str:
        return blake2b(
            f"{self.host}\0{self.session}\0{self.path}".encode("utf-8", "replace"), digest_size=16
        ).hexdigest()


def put(root: Path, one: Waiting, *, now: float, wait: float) -> None:
    """Have a session captured in `wait` seconds, counted anew with each call up to `LONGEST` times."""
    place = _place(root, one)
    before = _read(place)
    since = before.since if before else now
    due = min(now + wait, max(since + LONGEST * wait, now))
    write_atomic(place, json.dumps(asdict(replace(one, since=since, due=due))))


def waiting(root: Path) -> list[Waiting]:
    """All that waits, what is due first in front."""
    found = (_read(place) for place in (root / FOLDER / "queue").glob("*.json"))
    return sorted((one for one in found if one is not None), key=lambda one: (one.due, one.name))


def taken(root: Path, one: Waiting) -> None:
    """A session was captured: it waits no more, unless it was put again meanwhile."""
    place = _place(root, one)
    if _read(place) == one:
        place.unlink(missing_ok=True)


def later(root: Path, one: Waiting, *, now: float) -> bool:
    """A session could not be captured: try again, each time after twice as long; False when that was the last try."""
    if _read(_place(root, one)) != one:
        return True
    if one.tries + 1 >= TRIES:
        _place(root, one).unlink(missing_ok=True)
        return False
    again = replace(one, tries=one.tries + 1, due=now + 5.0 * 2**one.tries)
    write_atomic(_place(root, one), json.dumps(asdict(again)))
    return True


def _place(root: Path, one: Waiting) -> Path:
    return root / FOLDER / "queue" / f"{one.name}.json"


def _read(place: Path) -> Waiting | None:
    """One that does not read is dropped: the next import of its folder brings the session all the same."""
    try:
        one = Waiting(**json.loads(place.read_bytes()))
        if isinstance(one.path, str) and isinstance(one.due + one.since + one.tries, int | float):
            return one
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError):
        pass
    with suppress(OSError):
        place.unlink(missing_ok=True)
    return None
