"""The compact index for a session that begins: once in its context, never more than a cap, the same bytes each time.

What hosts do: a session that is resumed is rebuilt from its transcript, which holds the index or, with some versions,
does not; one that was compacted or cleared has lost it. Some hosts call twice for one start, or have two entries of us.
"""

from __future__ import annotations

import os
import shlex
import time
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from brain.agents.prompts import prompt
from brain.capture.alone import FOLDER, alone
from brain.capture.hooked import Host, Told, transcript_of
from brain.config import Config
from brain.explore.compact import compact_index
from brain.text import est_tokens
from brain.tree.files import make_folder

MOST_BYTES = 9000
"""Claude Code puts hook output above 10,000 characters into a file that nobody asks the agent to read."""

MARK = b"brain-index v"
TWINS = 5.0  # seconds in which a second call is the same start told twice
LOOKED_AT = 16 << 20  # bytes of a transcript in which the mark of an earlier injection is looked for
KEPT = 2000  # sessions that are remembered

_LOST = {"compact", "clear"}
_RESUMED = {"resume", "fork"}


def index_for(root: Path, config: Config) -> str:
    """The compact index in its fence, at most `hooks.max_tokens` and `MOST_BYTES`; "" while no page is listed."""
    text = compact_index(root, config).replace("brain-memory>", "brain memory>")
    lines = text.rstrip().split("\n")
    listed = [line for line in lines if " — " in line and not line.startswith(("#", "(", "<!--"))]
    if not listed:
        return ""
    place = root.resolve()
    lines = [line.replace("memory/knowledge", f"{place}/knowledge") for line in lines]
    left_out = 0
    while True:
        shown = [*lines, f"(+{left_out} more: ls {place}/knowledge)"] if left_out else lines
        whole = prompt("injected", root, index="\n".join(shown), memory=shlex.quote(str(place)))
        if _fits(whole, config) or len(lines) <= 3:
            return whole
        cut = lines.pop()
        left_out += cut in listed
        while lines and (not lines[-1].strip() or lines[-1].startswith("## ")):
            lines.pop()


def _fits(text: str, config: Config) -> bool:
    return len(text.encode()) <= MOST_BYTES and est_tokens(text) <= config.hooks.max_tokens


def wanted(root: Path, host: Host, told: Told, now: float | None = None) -> bool:
    """Whether this session is to be given the index now; it counts as given then.

    Without an id every start is a session of its own.
    """
    if not told.session:
        return True
    moment = time.time() if now is None else now
    name = blake2b(f"{host} {told.session}".encode("utf-8", "replace"), digest_size=16).hexdigest()
    place = root / FOLDER / "given" / name
    with alone(root, "given", wait=1.0):
        before = place.stat().st_mtime if place.exists() else None
        if before is not None and abs(moment - before) < TWINS:
            return False
        if not _lacks(told, before is not None):
            return False
        make_folder(place.parent)
        place.touch(mode=0o600)
        os.utime(place, (moment, moment))
    if before is None:
        _forget_old(place.parent)
    return True


def _lacks(told: Told, given: bool) -> bool:
    """Whether the context that begins now is without an index of ours."""
    if told.source in _LOST:
        return True
    if told.source in _RESUMED and (carries := _carries(transcript_of(told))) is not None:
        return not carries
    return not given


def _carries(transcript: Path | None) -> bool | None:
    """Whether a resumed session's history holds an index of ours; None when there is no file to tell."""
    if transcript is None:
        return None
    try:
        with transcript.open("rb") as file:
            return MARK in file.read(LOOKED_AT)
    except OSError:
        return None


def _forget_old(folder: Path) -> None:
    with suppress(OSError):
        files = [(entry.stat().st_mtime, entry.path) for entry in os.scandir(folder)]
        for _, path in sorted(files)[:-KEPT]:
            Path(path).unlink(missing_ok=True)
