"""One small memory in two states, as every corpus must show it: in a dict, in a folder with git, behind a server."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import uvicorn

from brain.corpus.corpus import Corpus, MemoryCorpus
from brain.corpus.local import LocalCorpus
from brain.git import MAIN, Git, Person
from brain.serve.app import make_app
from brain.serve.run import bind
from brain.tree import layout, sessions, transcript
from brain.tree.ids import session_id
from brain.tree.sessions import SessionRow
from brain.types import Role, Transcript, Turn

TOKEN = "only-for-these-tests"
NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
SOMEBODY = Person(name="somebody", email="somebody@example.org")


def talk(turns: int) -> Transcript:
    said = ("Where is the lift?\n## t2 · not a head", "Exit 3.", "Merci, 東京でまた。")
    return Transcript(
        id=session_id("test", "lift"), source="test", external_id="lift", title="The lift", started_at=NOON,
        turns=tuple(Turn(number=n, role=Role.USER, text=said[n - 1], time=NOON) for n in range(1, turns + 1)),
    )  # fmt: skip


def state(turns: int, **pages: str) -> dict[str, bytes]:
    """All files of a state, transcripts and artifacts included."""
    said = talk(turns)
    path, text = layout.transcript_path(layout.stem(said)), transcript.render(said).encode()
    row = SessionRow(
        id=said.id, source="test", external_id="lift", title=said.title, started_at=NOON, turns=turns, transcript=path,
        transcript_sha256=sha256(text).hexdigest(),
    )  # fmt: skip
    return {
        layout.AGENTS: b"# This folder is a memory\n",
        layout.SESSION_INDEX: sessions.render_rows([row]).encode(),
        **{layout.page_path(name.replace("__", "/")): text.encode() for name, text in pages.items()},
        path: text,
        f"{layout.ARTIFACTS}{said.id}/t1-output.txt": b"0123456789" * 30_000,
    }


FIRST = state(2, entities__lift="# Lift\n\nExit 3.\n", concepts__ramp="# Ramp\n")
SECOND = state(3, entities__lift="# Lift\n\nExit 3, until midnight.\n", projects__sprint="# Sprint\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A corpus with two published states, the older and the newest."""

    corpus: Corpus
    first: str
    second: str


@contextmanager
def in_memory(_: Path) -> Iterator[World]:
    corpus = MemoryCorpus()
    yield World(corpus=corpus, first=corpus.publish(FIRST), second=corpus.publish(SECOND))


@contextmanager
def in_folder(root: Path) -> Iterator[World]:
    with Git.init(root) as git:
        commits: list[str] = []
        for files in (FIRST, SECOND):
            base = commits[-1] if commits else None
            gone: dict[str, bytes | None] = dict.fromkeys(git.entries(base)) if base else {}
            tracked = {path: data for path, data in files.items() if layout.is_tracked(path)}
            commits.append(git.commit_files(base, gone | tracked, "a state", author=SOMEBODY, when=NOON))
            assert git.update_ref(MAIN, commits[-1], base)
            for path, data in files.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_bytes(data)
    with LocalCorpus(root) as corpus:
        yield World(corpus=corpus, first=commits[0], second=commits[1])


@contextmanager
def served(corpus: Corpus, token: str = TOKEN) -> Iterator[str]:
    """The address of a real server over a corpus."""
    taken = bind("127.0.0.1", 0)
    settings = uvicorn.Config(make_app(corpus, token=token), log_level="error", lifespan="off")
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        taken.close()
