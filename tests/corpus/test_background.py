"""Vectors in the background: one process a brain, started by commands, killed without loss, in nobody's way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from model_server import Models, running

from brain import Brain
from brain.corpus.search import background
from brain.corpus.search.index import SearchIndex

pytestmark = pytest.mark.slow

NOW = datetime(2026, 6, 21, 9, tzinfo=UTC)
LINES = 100
PATIENCE = 60.0


@pytest.fixture
def models() -> Iterator[Models]:
    with running(Models()) as made:
        yield made


@pytest.fixture
def memory(tmp_path: Path, models: Models, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A brain whose commands leave vectors behind, and an embedder at an address, for it can be made slow."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BRAIN_SEARCH_BACKGROUND", "true")
    monkeypatch.setenv("BRAIN_STATE", str(tmp_path / "state"))
    root = tmp_path / "memory"
    Brain.init(root, owner="Nadia", now=NOW)
    settings = f'[search]\nembedder = "endpoint"\nembedder_url = "{models.address}"\nembedder_model = "tiny"\n'
    config = root / ".brain" / "config.toml"
    config.write_text(config.read_text("utf-8").replace("[search]\n", settings), encoding="utf-8")
    yield root
    if process := background.running(root):
        os.kill(process, signal.SIGKILL)
        until(lambda: background.running(root) is None)


def until(true: Callable[[], object]) -> None:
    """Wait for it; fail when it does not come."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)


def talk(folder: Path, lines: int = LINES) -> Path:
    file = folder / "talk.md"
    said = [f"{'User' if n % 2 else 'Assistant'}: The car number {n} is in garage {n * 7}." for n in range(lines)]
    file.write_text("\n\n".join(said) + "\n", encoding="utf-8")
    return file


def brain(root: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "brain", *words, "--memory", str(root)], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def left(root: Path) -> int:
    """Texts without a vector."""
    index = SearchIndex(root, Brain.open(root, background="no").config)
    try:
        return index.waiting()
    finally:
        index.close()


def at_work(root: Path) -> int:
    """The process that is at it, as soon as there is one."""
    until(lambda: background.running(root))
    process = background.running(root)
    assert process
    return process


def test_an_import_does_not_wait_for_vectors_and_they_come(memory: Path, models: Models, tmp_path: Path) -> None:
    models.let = 0
    brain(memory, "import", str(talk(tmp_path)))
    assert left(memory) == LINES, "the command ended before they were made"
    process = at_work(memory)
    assert f"{LINES} texts to come: made by process {process}" in brain(memory, "status")
    assert f"{LINES} to come, made by process {process}" in brain(memory, "doctor")
    assert "number 49" in brain(memory, "search", "number 49", "-k", "1")
    models.let = 100
    until(lambda: background.running(memory) is None)
    assert left(memory) == 0
    assert sorted(texts(models)) == sorted(set(texts(models))), "no text twice"
    assert f"{LINES} texts" in (memory / ".brain/index/embed.log").read_text("utf-8")
    assert "vectors      none is missing" in brain(memory, "doctor")


def texts(models: Models) -> list[str]:
    return [text for text in models.inputs if text.startswith("The car")]


def test_a_note_and_a_dream_are_followed_too(memory: Path, models: Models) -> None:
    brain(memory, "note", "The ferry leaves at nine.")
    until(lambda: any("ferry" in text for text in models.inputs))
    until(lambda: background.running(memory) is None)
    assert left(memory) == 0
    brain(memory, "dream")
    until(lambda: left(memory) == 0)


def test_there_is_one_a_brain(memory: Path, models: Models, tmp_path: Path) -> None:
    models.let = 0
    brain(memory, "import", str(talk(tmp_path)))
    first = at_work(memory)
    assert background.start(memory) is False
    brain(memory, "search", "garage", "-k", "1")
    assert background.running(memory) == first
    other = SearchIndex(memory, Brain.open(memory, background="no").config)
    said: list[str] = []
    background.work(other, memory, say=said.append)  # finds the lock taken, and leaves
    assert said == []


def test_killed_it_loses_nothing_and_the_next_command_goes_on(memory: Path, models: Models, tmp_path: Path) -> None:
    models.let = 0
    brain(memory, "import", str(talk(tmp_path, 400)))
    for done in (64, 128, 192):
        process = at_work(memory)
        models.let = 1
        until(lambda done=done: left(memory) == 400 - done)  # type: ignore[misc]
        os.kill(process, signal.SIGKILL)
        until(lambda: background.running(memory) is None)
        assert f"{400 - done} texts to come: brain reindex --vectors makes them now" in brain(memory, "status")
        brain(memory, "search", "garage", "-k", "1")  # starts it again
    models.let = 100
    assert "to come" not in brain(memory, "reindex", "--vectors")
    assert left(memory) == 0


def test_another_embedder_takes_over_in_the_background(memory: Path, models: Models, tmp_path: Path) -> None:
    brain(memory, "import", str(talk(tmp_path)))
    brain(memory, "reindex", "--vectors")
    models.let = 1
    config = memory / ".brain" / "config.toml"
    config.write_text(config.read_text("utf-8").replace('"tiny"', '"other"'), encoding="utf-8")
    assert "number 49" in brain(memory, "search", "number 49", "-k", "1")
    at_work(memory)
    assert "by meaning as tiny at" in brain(memory, "status")
    models.let = 100
    until(lambda: background.running(memory) is None)
    assert f"{LINES} texts by meaning (other at" in brain(memory, "status")
    assert len(list((memory / ".brain/index/search").glob("*.f16"))) == 1


def test_it_ends_when_the_brain_is_gone(memory: Path, models: Models, tmp_path: Path) -> None:
    models.let = 0
    brain(memory, "import", str(talk(tmp_path, 300)))
    process = at_work(memory)
    memory.rename(tmp_path / "moved")
    models.let = 100
    until(lambda: not alive(process))
    assert not memory.exists(), "nothing of it is made again"


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[:1]


def test_a_thread_does_it_for_a_program(memory: Path, models: Models, tmp_path: Path) -> None:
    models.let = 0
    with Brain.open(memory) as mind:
        mind.import_([talk(tmp_path)])
        assert at_work(memory) == os.getpid()
        mind.import_([talk(tmp_path, LINES + 30)])
        models.let = 100
        until(lambda: background.running(memory) is None)
        assert left(memory) == 0
    assert not [thread for thread in threading.enumerate() if thread.name == "brain vectors"]


def test_a_thread_is_ended_in_the_middle(memory: Path, models: Models, tmp_path: Path) -> None:
    models.let = 1
    mind = Brain.open(memory)
    mind.import_([talk(tmp_path, 400)])
    until(lambda: models.batches)
    threading.Timer(0.5, setattr, (models, "let", 1)).start()
    mind.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "brain vectors"]
    assert 200 < left(memory) < 400


def test_switched_off_it_is_done_at_once(
    memory: Path, models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAIN_SEARCH_BACKGROUND", "false")
    brain(memory, "import", str(talk(tmp_path)))
    brain(memory, "reindex")
    assert left(memory) == 0
    assert not (memory / ".brain/index/embed.log").exists()


def test_reindex_waits_for_the_one_who_is_at_it(memory: Path, models: Models, tmp_path: Path) -> None:
    models.let = 0
    brain(memory, "import", str(talk(tmp_path, 300)))
    at_work(memory)
    threading.Timer(1.5, setattr, (models, "let", 100)).start()
    assert "to come" not in brain(memory, "reindex", "--wait")
    assert left(memory) == 0
