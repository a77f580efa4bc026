"""One call of a hook: find the brain, give the index or leave the session to be captured, and be gone.

A hook never makes its host fail or wait. Whatever is wrong is one line for stderr; the answer is still one the host
can read. In a run of our own, and for an agent that works inside of one, a hook does nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from brain.capture import inject, queue, worker
from brain.capture.hooked import Event, Host, Told, injection, told, transcript_of
from brain.capture.queue import Waiting
from brain.config import FILE, Config, memory_from_environment, run_from_environment
from brain.errors import NotABrain

_STAGING = (".brain", "staging")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a hook prints: `out` for the host, `word` for a person."""

    out: str
    word: str = ""


def answer(
    event: Event,
    host: Host,
    given: str,
    memory: Path | None = None,
    *,
    start: Callable[[Path], object] = worker.start,
) -> Answer:
    """Do what an event calls for. Never raises: an error is the answer's word."""
    nothing = injection(host, "")
    try:
        return _answer(event, host, told(given), memory, start, nothing)
    except Exception as error:  # a host must not fail for us
        return Answer(out=nothing, word=f"brain hook {event}: {error}")


def _answer(
    event: Event, host: Host, said: Told, memory: Path | None, start: Callable[[Path], object], nothing: str
) -> Answer:
    if run_from_environment() is not None or _own(said.cwd):
        return Answer(out=nothing)
    root = place(memory, said.cwd)
    if root is None:
        return Answer(out=nothing, word=f"brain hook {event}: no brain here; brain init DIR makes one")
    config = Config.load(root)
    if event is Event.SESSION_START:
        if queue.waiting(root):  # what a killed worker left
            start(root)
        text = inject.index_for(root, config) if config.hooks.inject else ""
        return Answer(out=injection(host, text if text and inject.wanted(root, host, said) else ""))
    transcript = transcript_of(said)
    if transcript is None and host is Host.GENERIC:
        return Answer(out=nothing, word=f"brain hook {event}: the JSON names no transcript_path, nothing to capture")
    one = Waiting(host=host, session=said.session, path=str(transcript.absolute()) if transcript else "")
    queue.put(root, one, now=time.time(), wait=config.hooks.settle if event is Event.TURN_END else 0.0)
    start(root)
    return Answer(out=nothing)


def place(memory: Path | None, cwd: str) -> Path | None:
    """The brain that a hook serves: as given, as BRAIN_MEMORY says, else the nearest upwards of where the agent works.

    Raises NotABrain for one that was named and is not there.
    """
    named = memory or memory_from_environment()
    if named is not None:
        if not (named.expanduser() / FILE).is_file():
            raise NotABrain(f"no brain at {str(named)!r}")
        return named.expanduser()
    here = Path(cwd) if cwd else Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / FILE).is_file()), None)


def _own(cwd: str) -> bool:
    """Whether an agent works in the proposed tree of a run."""
    parts = Path(cwd).parts
    return any(parts[at : at + 2] == _STAGING for at in range(len(parts)))
