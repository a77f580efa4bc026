"""Which session files changed: told by the system at once, and by a look of our own where it does not tell.

The look compares sizes and times. It finds what changed while nobody watched (a folder that came back, a full queue of
the system, a drive on the network), so a missed message costs a delay and never a session.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from brain.capture.folders import Place

TICK = 0.5  # seconds between two answers, whether something changed or not
LOOK = 300.0  # seconds between looks at folders whose changes the system reports
SHALLOW = 2.0  # seconds between looks at single files
FALLBACK = 5.0  # seconds between looks where the system cannot report

State = tuple[int, int, int]


class Changes:
    """The files that changed at some places. `poll`: seconds between looks instead of messages; `skip` is the brain."""

    def __init__(self, places: Sequence[Place], *, skip: Path, poll: float, say: Callable[[str], None]) -> None:
        self._places = places
        self._skip = skip.resolve()
        self._poll = poll
        self._say = say
        self._known = self._states(places)
        self._looked = self._glanced = time.monotonic()

    def follow(self, stop: threading.Event) -> Iterator[set[Path]]:
        """Sets of changed files, an empty one every `TICK` seconds when there are none, until `stop`."""
        while not stop.is_set():
            if self._poll:
                yield self._look(self._places)
                stop.wait(min(self._poll, TICK))
                continue
            folders = self._folders()
            if not folders:
                yield self._look([place for place in self._places if place.only])
                stop.wait(TICK)
                continue
            try:
                yield from self._told(folders, stop)
            except (OSError, RuntimeError) as error:
                if self._folders() == folders:  # no room for more watches, a system without them
                    self._say(f"the system does not report changes ({error}); looking every {FALLBACK:.0f} s instead")
                    self._poll = FALLBACK

    def _told(self, folders: dict[Path, tuple[int, int]], stop: threading.Event) -> Iterator[set[Path]]:
        """As the system reports, until the folders are other ones."""
        from watchfiles import watch

        begun = False
        real = {folder.resolve(): folder for folder in folders}
        messages = watch(
            *folders, watch_filter=None, stop_event=stop, debounce=400, rust_timeout=int(TICK * 1000),
            yield_on_timeout=True, ignore_permission_denied=True, recursive=True,
        )  # fmt: skip
        for message in messages:
            changed = {_as_named(Path(path), real) for _, path in message}
            found = {path for path in changed if self._counted(path)}
            for path in changed:
                if path.is_dir():  # a folder made or moved in with files that were there before we were told of it
                    found |= self._look([Place(folder=path)]) if self._within(path) else set()
            now = time.monotonic()
            if not begun or now - self._looked > LOOK:
                begun = True  # what changed between the last look and the first message
                found |= self._look(self._places)
            elif now - self._glanced > SHALLOW:
                self._glanced = now
                found |= self._look([place for place in self._places if place.only])
            self._note(found)
            yield {path for path in found if path.exists()}
            if self._folders() != folders:
                return

    def _look(self, places: Sequence[Place]) -> set[Path]:
        """Files whose size or time is not as known; with a poll, at most so often."""
        now = time.monotonic()
        if self._poll and now - self._looked < self._poll:
            return set()
        if places is self._places:
            self._looked = now
        states = {path: state for path, state in self._states(places).items() if self._counted(path)}
        changed = {path for path, state in states.items() if self._known.get(path) != state}
        self._known |= states
        if places is self._places:
            self._known = states  # what is gone is forgotten, so that it is news when it comes back
        return changed

    def _states(self, places: Sequence[Place]) -> dict[Path, State]:
        return {
            path: (state.st_size, state.st_mtime_ns, state.st_ino)
            for place in places
            for path, state in place.files(self._skip)
        }

    def _note(self, paths: set[Path]) -> None:
        for path in paths:
            with suppress(OSError):
                state = path.stat()
                self._known[path] = (state.st_size, state.st_mtime_ns, state.st_ino)

    def _counted(self, path: Path) -> bool:
        return any(place.counts(path) for place in self._places) and not path.is_relative_to(self._skip)

    def _within(self, folder: Path) -> bool:
        return any(folder.is_relative_to(place.folder) for place in self._places if not place.only)

    def _folders(self) -> dict[Path, tuple[int, int]]:
        """The folders that are there now, each with what tells it from another one of its name."""
        found = {}
        for place in self._places:
            if not place.only:
                with suppress(OSError):
                    state = place.folder.stat()
                    found[place.folder] = (state.st_dev, state.st_ino)
        return found


def _as_named(path: Path, real: dict[Path, Path]) -> Path:
    """A path as the places name it: some systems report where a folder really is, behind its links."""
    for behind, folder in real.items():
        if path.is_relative_to(behind):
            return folder / path.relative_to(behind)
    return path
