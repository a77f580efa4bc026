"""Matched states: the brain as it is now, without what would give an answer away, and the same without its wiki.

What is held out of a question's state: the session it was asked in, and of later ones what takes the matter up again,
by which the answer would be repeated or replaced. It is really forgotten in a copy, pages and notes and summaries too;
so what is left rests on what lay before the question, and on later sessions about other things.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from brain.bench.arms import Arm
from brain.bench.brains import FINDING, code_hash
from brain.bench.replay import FOLDER
from brain.bench.replay.binding import SAME_MATTER, folded, holds
from brain.bench.replay.exchanges import topic
from brain.bench.replay.history import History
from brain.bench.replay.kept import Question
from brain.bench.sources import Sources
from brain.bench.variant import INDEX, without
from brain.brain import Brain
from brain.config import Config
from brain.tree.uri import turns_uri

ALONGSIDE = (FOLDER, ".brain/lock", ".brain/runs", ".brain/forgotten", ".brain/staging", ".brain/watch")
"""What of a brain no state has: the answers of this replay, locks, records of runs, copies of what was forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Questions that are asked of the same copy, and what is forgotten in it: sessions, or turns of them."""

    questions: tuple[Question, ...]
    held_out: tuple[str, ...]


def held_out(one: Question, told: History) -> tuple[str, ...]:
    """URIs of what would give the answer away: a whole session, or its turns from the first such one on."""
    wanted, value = topic(one.text), folded(one.answer)
    away = {one.session: f"session://{one.session}"}
    for said, shared in told.sharing(wanted, 1):
        if said.at <= one.asked_at or said.session in away:
            continue
        if shared >= max(2, SAME_MATTER * len(wanted)) or holds(said, value):
            away[said.session] = _from(said.session, said.turn, one, told)
    return tuple(away.values())


def _from(session: str, turn: int, one: Question, told: History) -> str:
    whole = next(each for each in told.sessions if each.row.id == session)
    if whole.said[0].at > one.asked_at:
        return f"session://{session}"
    return str(turns_uri(session, turn, whole.turns[-1].number))


def states(questions: Sequence[Question], told: History) -> tuple[State, ...]:
    """As few copies as will do: a question joins others unless what is held out of one is evidence of another."""
    made: list[tuple[list[Question], set[str]]] = []
    for one in sorted(questions, key=lambda each: (each.asked_at, each.id)):
        away = set(held_out(one, told))
        for there, theirs in made:
            if not _takes(away, there) and not _takes(theirs, [one]):
                there.append(one)
                theirs |= away
                break
        else:
            made.append(([one], away))
    return tuple(State(questions=tuple(there), held_out=_plain(away)) for there, away in made)


def _takes(away: set[str], questions: Sequence[Question]) -> bool:
    gone = Sources.of(sorted(away))
    return any(gone.hold(uri) for one in questions for uri in one.evidence)


def _plain(away: set[str]) -> tuple[str, ...]:
    """Without turns of a session that goes whole."""
    whole = {uri for uri in away if "#" not in uri}
    return tuple(sorted(uri for uri in away if uri in whole or uri.partition("#")[0] not in whole))


@contextmanager
def prepared(root: Path, state: State, now: datetime) -> Iterator[Callable[[Arm], Path]]:
    """A copy of the brain as a state has it; what is yielded gives the place of each arm. All is gone after the block.

    Raises CheckFailed when the rules refuse what forgetting would leave.
    """
    with TemporaryDirectory(prefix="brain-replay-") as folder:
        copy = Path(folder) / "memory"
        shutil.copytree(root, copy, symlinks=True, ignore=_left_out(root))
        with Brain(copy, Config.load(copy), clock=lambda: now) as brain:
            brain.forget(*state.held_out)
        shutil.rmtree(copy / ".brain" / "forgotten", ignore_errors=True)
        mark = copy / ".brain" / "index" / "bench.txt"  # its index is this code's own, vectors and all
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.write_text(code_hash(FINDING), "utf-8")

        def place(arm: Arm) -> Path:
            if not arm.off:
                return copy
            to = without(copy, arm.off, copy.with_name(f"memory-{arm.name}"), now)
            if (copy / INDEX).is_dir() and not (to / INDEX).exists():
                shutil.copytree(copy / INDEX, to / INDEX)
            return to

        yield place


def _left_out(root: Path) -> Callable[[str, list[str]], list[str]]:
    def ignored(folder: str, names: list[str]) -> list[str]:
        return [name for name in names if (Path(folder) / name).relative_to(root).as_posix() in ALONGSIDE]

    return ignored
