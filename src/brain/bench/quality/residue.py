"""What is left after `brain forget`, looked for by other means than forgetting itself: the bytes of every file.

A copy of the brain forgets what a question says; then citations of what went, and the words that only it held, are
looked for in every file of the copy but git's own (their history is `--purge`'s). Then everything is imported and
dreamed again, and looked for once more: what is there then was learned again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from brain.bench.accounts import Account, State
from brain.bench.asked import Asked, Forget
from brain.bench.brains import bring_in
from brain.bench.forgetting import forget_in
from brain.bench.quality.measure import Measure, bad
from brain.bench.quality.tree import Wiki
from brain.brain import Brain
from brain.config import Config
from brain.tree.layout import DELETIONS

SURFACES = ("knowledge", "notes", "sessions", ".brain")
SET_ASIDE = (".brain/forgotten",)
"""Where a deletion that can be lifted keeps what went: for the owner alone, and erased by `--purge`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What must be nowhere: sessions by their id, words in any case."""

    sessions: tuple[str, ...]
    words: tuple[str, ...]


def measures(account: Account, state: State, root: Path, engine: str) -> list[Measure]:
    """Over all the different deletions of an account's questions."""
    left: list[str] = []
    back: list[str] = []
    looked = 0
    for forget, asked in deletions(state.questions):
        with TemporaryDirectory(prefix="brain-residue-") as folder:
            wanted = _wanted(root, forget, [word for one in asked for word in one.must_not])
            copy = forget_in(Path(folder) / "memory", root, forget, asked[0].asked_at)
            looked += len(wanted.sessions) + len(wanted.words)
            left += found(copy, wanted)
            _again(account, state, copy, asked[0].asked_at, engine)
            back += found(copy, wanted)
    return [bad("residue after forget", left, looked), bad("learned again after forget", back, looked)]


def deletions(questions: Iterable[Asked]) -> list[tuple[Forget, list[Asked]]]:
    """The deletions that questions ask for, each with its questions."""
    by: dict[Forget, list[Asked]] = {}
    for one in questions:
        if one.forget is not None:
            by.setdefault(one.forget, []).append(one)
    return list(by.items())


def found(root: Path, wanted: Wanted) -> list[str]:
    """Places that still have something of it: `path: what`, one for each thing at each path."""
    left = []
    for path in sorted(_files(root)):
        name = path.relative_to(root).as_posix()
        text = path.read_bytes().decode("utf-8", "ignore").casefold()
        left += [f"{name}: {word!r}" for word in wanted.words if word.casefold() in text]
        if name.startswith(("knowledge/", "notes/", "sessions/summaries/")):
            left += [f"{name}: cites {session}" for session in wanted.sessions if f"session://{session}" in text]
    return left


def _files(root: Path) -> Iterator[Path]:
    for surface in SURFACES:
        for path in (root / surface).rglob("*"):
            name = path.relative_to(root).as_posix()
            if path.is_file() and not path.is_symlink() and name != DELETIONS and not name.startswith(SET_ASIDE):
                yield path


def _wanted(root: Path, forget: Forget, words: Sequence[str]) -> Wanted:
    """Words that other sessions hold as well may stay."""
    others = [row for row in Wiki(root).rows if row.id not in forget.sessions]
    rest = "\n".join((root / row.transcript).read_text("utf-8") for row in others).casefold()
    own = (word for word in dict.fromkeys(words) if word.casefold() not in rest)
    return Wanted(sessions=forget.sessions, words=tuple(dict.fromkeys((*forget.terms, *own))))


def _again(account: Account, state: State, root: Path, asked_at: datetime | None, engine: str) -> None:
    """Bring everything in once more, and dream."""
    now = (asked_at or datetime.now(UTC)) + timedelta(days=1)
    inputs = [account.inputs[at] for at in sorted(state.inputs)]
    with Brain(root, Config.load(root), clock=lambda: now) as brain:
        if files := [one.file for one in inputs if one.file]:
            brain.import_(files)
        if sessions := [raw for one in inputs for raw in one.sessions]:
            bring_in(root, sessions, brain.config, now)
        brain.dream(engine=engine)
