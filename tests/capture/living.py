"""A brain in which sessions arrive: transcripts that grow as hosts write them, commands as hosts start them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from brain import Brain
from brain.git import Git
from brain.sync.publish import publish
from brain.tree import transcript
from brain.types import Transcript

NOW = datetime(2026, 8, 1, 9, tzinfo=UTC)
PATIENCE = 90.0  # seconds until a test gives up waiting; nothing is asserted about time
SESSION = "3f0c9b52-1111-4a4a-8b8b-000000000001"
OTHER = "3f0c9b52-2222-4a4a-8b8b-000000000002"
PAGE = """---
id: {id}
type: entity
title: {title}
description: {description}
updated_at: 2026-07-01T09:00:00Z
next_cite: 1
---

# {title}

{title} is {description}
"""


@dataclass
class Living:
    """The folders of one test: `memory` is the brain, `home` the home of whoever runs agents."""

    memory: Path
    home: Path

    # -- what hosts write

    def claude(self, session: str = SESSION, project: str = "-home-ines-boat") -> Claude:
        return Claude(self.home / ".claude" / "projects" / project / f"{session}.jsonl", session)

    # -- what hosts start

    def run(self, *words: str, given: str | bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
        """A command to its end, as `brain …`."""
        data = given.encode() if isinstance(given, str) else given
        env = {**os.environ, **environment}
        return subprocess.run(brain_command(*words), input=data, capture_output=True, env=env, timeout=PATIENCE)

    def hook(self, event: str, host: str, told: dict[str, Any] | str, **environment: str) -> str:
        """What a hook prints for its host; that it ends with 0 is a matter of course."""
        given = told if isinstance(told, str) else json.dumps(told)
        done = self.run("hook", event, "--host", host, "--memory", str(self.memory), given=given, **environment)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    # -- what memory holds

    def stored(self) -> list[Transcript]:
        """The sessions on disk; one that is being written is not there yet."""
        found = [transcript.read(path) for path in sorted((self.memory / "sessions" / "transcripts").glob("*/*.md"))]
        return sorted(found, key=lambda one: (one.source, one.external_id))

    def texts(self) -> dict[str, list[str]]:
        """By session, all that was said."""
        return {one.external_id: [turn.text for turn in one.turns] for one in self.stored()}

    def commits(self, kind: str) -> int:
        log = subprocess.run(
            ["git", "-C", self.memory, "log", "--format=%s"], capture_output=True, text=True, check=True
        )
        return sum(line.startswith(f"{kind}:") for line in log.stdout.splitlines())

    @property
    def queue(self) -> list[Path]:
        return sorted((self.memory / ".brain" / "index" / "capture" / "queue").glob("*.json"))


class Claude:
    """A Claude Code file that grows line by line."""

    def __init__(self, path: Path, session: str) -> None:
        self.path = path
        self.session = session
        self.count = 0

    def say(self, user: str, answer: str = "All right.") -> None:
        """A prompt and its answer, whole."""
        self.write(self.line("user", user) + self.line("assistant", answer))

    def line(self, role: str, text: str, **more: Any) -> str:
        self.count += 1
        content: Any = text if role == "user" else [{"type": "text", "text": text}]
        message = {"role": role, "content": content}
        if role == "assistant":
            message |= {"id": f"msg_{self.session[-4:]}_{self.count}", "model": "claude-test"}
        record = {
            "parentUuid": self._uuid(self.count - 1) if self.count > 1 else None,
            "isSidechain": False,
            "cwd": "/home/ines/boat",
            "sessionId": self.session,
            "type": role,
            "uuid": self._uuid(self.count),
            "timestamp": f"2026-07-0{1 + self.count // 1440}T{self.count // 60 % 24:02d}:{self.count % 60:02d}:00.500Z",
            "message": message,
            **more,
        }
        return json.dumps(record) + "\n"

    def write(self, text: str) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(text)

    def told(self, **more: str) -> dict[str, str]:
        """The JSON that Claude Code gives its hooks."""
        return {
            "session_id": self.session,
            "transcript_path": str(self.path),
            "cwd": "/home/ines/boat",
            "permission_mode": "default",
            **more,
        }

    def _uuid(self, count: int) -> str:
        return f"{self.session[:8]}-0000-4000-8000-{count:012d}"


def small_brain(folder: Path, pages: int = 3) -> Living:
    """A brain in which a few entities have pages."""
    memory = folder / "memory"
    Brain.init(memory, now=NOW)
    add_pages(memory, pages)
    return Living(memory=memory, home=folder / "home")


def add_pages(memory: Path, count: int, description: str = "a boat of the club.", **more: str) -> None:
    files = {}
    for number in range(count):
        id = f"entities/heron-{number:03d}"
        text = PAGE.format(id=id, title=f"Heron {number:03d}", description=description)
        head = "".join(f"{key}: {value}\n" for key, value in more.items())
        files[f"knowledge/{id}.md"] = text.replace("next_cite", f"{head}next_cite").encode()
    with Brain.open(memory, background="no") as brain, Git(memory) as git:
        publish(git, files, kind="dream", subject="add pages", now=NOW, config=brain.config)


def settings(memory: Path, table: str, line: str) -> None:
    """Set something in a table of a brain's settings."""
    place = memory / ".brain" / "config.toml"
    text = place.read_text("utf-8")
    head = f"[{table}]\n"
    whole = text.replace(head, f"{head}{line}\n") if head in text else f"{text}\n{head}{line}\n"
    place.write_text(whole, "utf-8")


def brain_command(*words: str) -> list[str]:
    return [sys.executable, "-m", "brain", *words]


def until(true: Callable[[], object], what: str) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline, f"never: {what}"
        time.sleep(0.05)


class Watching:
    """A running `brain watch`: what it said so far, and its end."""

    def __init__(self, process: subprocess.Popen[bytes], out: Path, err: Path) -> None:
        self.process = process
        self._out = out
        self._err = err

    @property
    def said(self) -> str:
        return self._err.read_text("utf-8", "replace")

    @property
    def printed(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._out.read_text("utf-8").splitlines()]

    def wait_for(self, words: str) -> None:
        def seen() -> bool:
            assert self.process.poll() is None or words in self.said, self.said
            return words in self.said

        until(seen, f"{words!r} in {self.said!r}")

    def stop(self, signal: int) -> int:
        self.process.send_signal(signal)
        return self.process.wait(PATIENCE)


@contextmanager
def watching(living: Living, *words: str, **environment: str) -> Iterator[Watching]:
    """`brain watch` while the block runs."""
    out, err = living.home / "watch.out", living.home / "watch.err"
    with out.open("wb") as stdout, err.open("wb") as stderr:
        command = brain_command("watch", *words, "--memory", str(living.memory))
        env = {**os.environ, **environment}
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, env=env)
    try:
        yield Watching(process, out, err)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
