"""What to put into cron, systemd or launchd for a replay a day. It is printed; nobody's machine is changed."""

# ruff: noqa: E501 — files of others
from __future__ import annotations

import shlex
import shutil
import sys
from dataclasses import dataclass
from datetime import time
from enum import StrEnum
from pathlib import Path
from xml.sax.saxutils import escape

from brain.bench.replay import FOLDER


class Timer(StrEnum):
    CRON = "cron"
    SYSTEMD = "systemd"
    LAUNCHD = "launchd"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduled:
    """What to write where, and what then switches it on."""

    timer: Timer
    files: tuple[tuple[str, str], ...]
    then: str


def timer_here() -> Timer:
    """The one that a machine of this kind has."""
    return Timer.LAUNCHD if sys.platform == "darwin" else Timer.CRON


def scheduled(timer: Timer, root: Path, at: time) -> Scheduled:
    """A run a day at a time of day, its output in the brain's own folder."""
    place = root.resolve()
    words = [*_program(), "bench", "replay", "run", "--memory", str(place)]
    log = place / FOLDER / "run.log"
    if timer is Timer.CRON:
        command = f"umask 077; {shlex.join(words)} >> {shlex.quote(str(log))} 2>&1".replace("%", r"\%")
        return Scheduled(
            timer=timer, files=(("crontab", f"{at.minute} {at.hour} * * * {command}\n"),), then="crontab -e"
        )
    if timer is Timer.SYSTEMD:
        folder = "~/.config/systemd/user"
        command = " ".join(f'"{_unit(word)}"' for word in words)
        service = (
            f"[Unit]\nDescription=Replay my own questions\n\n[Service]\nType=oneshot\nUMask=0077\nExecStart={command}\n"
        )
        wake = f"[Unit]\nDescription=Replay my own questions once a day\n\n[Timer]\nOnCalendar=*-*-* {at:%H:%M}:00\nPersistent=true\n\n[Install]\nWantedBy=timers.target\n"
        files = ((f"{folder}/brain-replay.service", service), (f"{folder}/brain-replay.timer", wake))
        return Scheduled(timer=timer, files=files, then="systemctl --user enable --now brain-replay.timer")
    arguments = "".join(f"    <string>{escape(word)}</string>\n" for word in words)
    name = "~/Library/LaunchAgents/brain.replay.plist"
    return Scheduled(timer=timer, files=((name, _PLIST.format(
        arguments=arguments, hour=at.hour, minute=at.minute, log=escape(str(log))
    )),), then=f"launchctl load {name}")  # fmt: skip


def _program() -> list[str]:
    found = shutil.which("brain")
    return [str(Path(found).absolute())] if found else [sys.executable, "-m", "brain"]


def _unit(word: str) -> str:
    return word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")


_PLIST = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>brain.replay</string>
  <key>ProgramArguments</key>
  <array>
{arguments}  </array>
  <key>StartCalendarInterval</key>
  <dict>
    <key>Hour</key>
    <integer>{hour}</integer>
    <key>Minute</key>
    <integer>{minute}</integer>
  </dict>
  <key>StandardOutPath</key>
  <string>{log}</string>
  <key>StandardErrorPath</key>
  <string>{log}</string>
  <key>Umask</key>
  <integer>63</integer>
</dict>
</plist>
"""
