"""The dream that a watch starts once a day, as a command of its own: it can be long, and it can be stopped."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from brain.capture.alone import FOLDER
from brain.tree.files import write_atomic

SECONDS_TO_END = 10.0


class Nightly:
    """A dream at the time of day `at` ("03:30") in `zone`; never when `at` is empty.

    A machine that slept through the hour dreams when it wakes. An hour that had passed when a first watch began is not
    made up for.
    """

    def __init__(self, root: Path, at: str, zone: ZoneInfo, *, say: Callable[[str], None]) -> None:
        self._root = root
        self._at = time.fromisoformat(at) if at else None
        self._zone = zone
        self._say = say
        self._process: subprocess.Popen[bytes] | None = None

    def tick(self, now: datetime) -> None:
        """Start the dream when it is time, and say how it ended."""
        if self._process is not None:
            code = self._process.poll()
            if code is None:
                return
            self._process = None
            self._say("the dream is done" if code == 0 else f"the dream ended with exit code {code}; brain status")
        if self._due(now):
            self._say("dreaming")
            command = [sys.executable, "-m", "brain", "dream", "--memory", str(self._root.resolve())]
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=sys.stderr.fileno())

    def stop(self) -> None:
        """End a dream that runs; memory stays as it was before it."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(SECONDS_TO_END)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def _due(self, now: datetime) -> bool:
        if self._at is None:
            return False
        here = now.astimezone(self._zone)
        place = self._root / FOLDER / "dreamt"
        last = place.read_text("ascii").strip() if place.exists() else ""
        today = here.date().isoformat()
        if not last:
            done = here.date() - timedelta(days=here.time() < self._at)
            write_atomic(place, f"{done.isoformat()}\n")
            return False
        if last >= today or here.time() < self._at:
            return False
        write_atomic(place, f"{today}\n")
        return True
