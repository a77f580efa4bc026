"""Verbs by which sessions come in by themselves: watching where they are kept, and what hooks left."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from brain.errors import UsageError
from brain.facade.core import Progress
from brain.facade.writing import Writing
from brain.ingest.report import ImportReport

if TYPE_CHECKING:  # loaded when sessions are captured
    from brain.capture.folders import Place


class Capturing(Writing):
    """Importing, with somebody else saying when."""

    def watch(
        self,
        folders: Sequence[Path] = (),
        *,
        once: bool = False,
        poll: float | None = None,
        dry_run: bool = False,
        stop: threading.Event | None = None,
        brought: Callable[[ImportReport], None] | None = None,
        progress: Progress | None = None,
    ) -> ImportReport | None:
        """Bring in sessions as they grow: of some folders, else of the hosts and folders that the settings name.

        Goes on until `stop`; `brought` gets the report of each import that did something, and what is to be said goes
        to `say`. With `once`, or in a dry run, brings in what is there and gives the report; None when no folder is
        there. `poll` is seconds between looks where changes are not reported. Raises LockHeld while another watch runs.
        """
        from brain.capture.nightly import Nightly
        from brain.capture.told import faults, line_of, watched
        from brain.capture.watch import Watch

        places = self.watched(folders)
        if once or dry_run:
            found = [path for place in places for path in place.all(self.root.resolve())]
            if not found:
                return None
            report = self.import_(found, dry_run=dry_run, progress=progress)
            for line in filter(None, [line_of(report), *faults(report)]):
                self._say(line)
            return report
        for line in watched(places):
            self._say(line)
        settings = self.config.watch
        Watch(
            self.root,
            places,
            lambda paths: self.import_(paths, progress=progress),
            settle=settings.settle,
            poll=settings.poll if poll is None else poll,
            nightly=Nightly(self.root, settings.dream, self.config.zone, say=self._say),
            clock=self._clock,
            say=self._say,
            brought=brought or (lambda _: None),
        ).run(stop or threading.Event())
        return None

    def watched(self, folders: Sequence[Path] = ()) -> tuple[Place, ...]:
        """The places where a watch looks for sessions. Raises UsageError when the settings leave none."""
        from brain.capture.folders import places

        if folders:
            return places((), folders)
        found = places(
            self.config.watch.hosts, [self.root / Path(one).expanduser() for one in self.config.watch.folders]
        )
        if not found:
            raise UsageError("[watch] names no host and no folder", hint="brain watch FOLDER")
        return found

    def capture(self, *, say: Callable[[str], None] | None = None) -> None:
        """Bring in the sessions that hooks left, and those they leave meanwhile, unless another process is at it."""
        from brain.capture.worker import work

        work(self.root, self.import_, say=say or self._say)
