"""Which turns of a session read again are new: stored turns carry no source id, so they are known by what they say.

Two turns are the same when role, time, name, call and text agree (secrets compared by kind, since a placeholder's hash
belongs to one machine). Stored turns never change; a source that changed its past only adds what is not stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b

from brain.ingest.prepare import Prepared
from brain.ingest.redact import without_hashes
from brain.tree.transcript import ABSENT
from brain.types import Role, Turn

Mark = bytes


def mark(turn: Turn, *, timed: bool = True) -> Mark:
    """What a turn is known by. `timed=False` leaves the time out (copies that were stamped anew)."""
    time = turn.time.isoformat() if turn.time and timed else ""
    head = f"{turn.role.value}\0{time}\0{turn.name or ''}\0{turn.call or ''}\0"
    return blake2b((head + without_hashes(turn.text)).encode("utf-8", "replace"), digest_size=10).digest()


class Stored:
    """The turns of a stored session as marks, in order, with what a fuzzy comparison needs of each."""

    def __init__(self, turns: Iterable[Turn] = ()) -> None:
        self.marks: list[Mark] = []
        self.loose: list[tuple[str, str, str]] = []
        self.last: Turn | None = None
        self.covered = False  # set by new_turns: every stored turn was among those compared
        self.redacted: set[int] = set()
        self.absent: set[int] = set()  # turns of an adopted session that did not come along
        for turn in turns:
            if turn.text == ABSENT and turn.role is Role.SYSTEM:
                self.absent.add(len(self.marks))
            if turn.redacted is not None:
                self.redacted.add(len(self.marks))
            self.marks.append(mark(turn))
            self.loose.append(_loose(turn))
            self.last = turn

    def __len__(self) -> int:
        return len(self.marks)

    def filled_by(self, told: Sequence[Turn]) -> bool:
        """Whether these turns hold every stored one at its place, and so what stands where one did not come along."""
        return len(told) >= len(self) and all(at in self.absent or self.same(at, told[at]) for at in range(len(self)))

    def same(self, at: int, turn: Turn) -> bool:
        """Is this the stored turn at that place? A redacted one is known by role and time, one whose text was edited or

        read by an older Brain by its exact second and its beginning.
        """
        if self.marks[at] == mark(turn):
            return True
        stamp = _loose(turn)
        if at in self.redacted:
            return self.loose[at][0] == stamp[0]
        stored = self.loose[at]
        return turn.time is not None and stored[:2] == stamp[:2] and _begins_alike(stored[2], stamp[2])


def _loose(turn: Turn) -> tuple[str, str, str]:
    return (f"{turn.role.value} {turn.time}", f"{turn.name} {turn.call}", turn.text[:32])


def _begins_alike(a: str, b: str) -> bool:
    """Does `b` begin as the stored `a` does, as far as the first secret in either (another Brain may have seen it)?"""
    shared = min(len(a), 24, *(text.find("‹redacted:") for text in (a, b) if "‹redacted:" in text))
    return bool(a) and (shared >= 8 or "‹redacted:" not in a + b) and a[:shared] == b[:shared]


def new_turns(stored: Stored, turns: Iterable[Prepared]) -> Iterator[Prepared]:
    """Those of `turns` that are not stored, in their order; numbers are the caller's business.

    A last message that was stored while it was still growing comes back as its remainder.
    """
    at = 0
    left: Counter[Mark] | None = None
    gone: Counter[str] = Counter()
    for item in turns:
        turn = item.turn
        if left is None:
            if at == len(stored):
                yield item
                continue
            if stored.same(at, turn):
                at += 1
                if at == len(stored) and (rest := _remainder(stored.last, turn)):
                    yield replace(item, turn=rest)
                continue
            left = Counter(stored.marks[at:])
            gone = Counter(stored.loose[i][0] for i in stored.redacted if i >= at)
        key, stamp = mark(turn), _loose(turn)[0]
        if left[key] > 0:
            left[key] -= 1
        elif gone[stamp] > 0:
            gone[stamp] -= 1
        else:
            yield item
    stored.covered = at == len(stored) if left is None else not +left and not +gone


def _remainder(last: Turn | None, turn: Turn) -> Turn | None:
    if last is None or last.redacted or turn.role is not Role.ASSISTANT or last.attach or "‹redacted:" in last.text:
        return None
    if len(turn.text) > len(last.text) and turn.text.startswith(last.text) and last.text:
        return replace(turn, text=turn.text[len(last.text) :].strip("\n"))
    return None


def without_copied(parent: Iterable[Turn], turns: Iterable[Prepared]) -> Iterator[Prepared]:
    """`turns` without the beginning they share with the session they were forked from, even when stamped anew."""
    copied = (mark(turn, timed=False) for turn in parent)
    sharing = True
    for item in turns:
        if sharing and next(copied, None) == mark(item.turn, timed=False):
            continue
        sharing = False
        yield item
