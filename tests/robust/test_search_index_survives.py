"""Whatever happens to the search index, search answers after at most one rebuild, and says that there was one."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from archive import QUESTION, WANTED, ask, make, texts, write

from brain.corpus.search.catalogue import SCHEMA
from brain.corpus.search.index import SearchIndex
from brain.types import Surface

INDEX = ".brain/index/search"
KILLS = 24


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A brain whose index is whole."""
    root = make(tmp_path_factory.mktemp("built") / "memory", 6, 30)
    assert WANTED in texts(ask(root)[0])
    return root


@pytest.fixture
def memory(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "memory"))


def assert_answers(root: Path, said: str | None) -> None:
    """It answers at once, having said why it took longer; the next time there is nothing to say."""
    hits, talk = ask(root)
    assert WANTED in texts(hits)
    if said is not None:
        assert [line for line in talk if said in line], talk
    again, quiet = ask(root)
    assert (again, quiet) == (hits, [])


def test_the_index_folder_was_deleted(memory: Path) -> None:
    wanted, _ = ask(memory, 20)
    shutil.rmtree(memory / ".brain" / "index")
    assert_answers(memory, "there is no search index here; building it from the files")
    assert ask(memory, 20)[0] == wanted


def test_the_index_is_of_an_older_version(memory: Path) -> None:
    with sqlite3.connect(memory / INDEX / "catalogue.sqlite") as old:
        old.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(int(SCHEMA) - 1),))
    old.close()
    assert_answers(memory, "written by another version of Brain; rebuilt from the files")


def cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def garble(file: Path) -> None:
    file.write_bytes(random.Random(5).randbytes(file.stat().st_size))


def empty(file: Path) -> None:
    os.truncate(file, 0)


@pytest.mark.parametrize("harm", [cut, garble])
@pytest.mark.parametrize("name", ["catalogue.sqlite", "meta.json", "*.term", "*.idx", "*.fast", "*.fieldnorm"])
def test_a_file_of_the_index_is_not_what_was_written(memory: Path, name: str, harm: Callable[[Path], None]) -> None:
    for file in (memory / INDEX).rglob(name):
        harm(file)
    assert_answers(memory, "rebuilt from the files")


@pytest.mark.parametrize("name", ["meta.json", "*.term", "*.idx"])
def test_a_file_of_the_word_index_is_gone(memory: Path, name: str) -> None:
    for file in (memory / INDEX).rglob(name):
        file.unlink()
    assert_answers(memory, "rebuilt from the files")


def test_the_catalogue_is_empty(memory: Path) -> None:
    empty(memory / INDEX / "catalogue.sqlite")
    assert_answers(memory, None)


def test_pages_in_the_middle_of_the_catalogue_are_garbled(memory: Path) -> None:
    file = memory / INDEX / "catalogue.sqlite"
    data, noise = bytearray(file.read_bytes()), random.Random(6)
    for start in range(8192, len(data), 8192):
        data[start : start + 4096] = noise.randbytes(4096)
    file.write_bytes(data)
    hits, talk = ask(memory)
    assert WANTED in texts(hits)
    assert [line for line in talk if "damaged" in line and "from the files" in line], talk


@pytest.mark.parametrize("harm", [cut, empty, Path.unlink])
def test_vectors_that_were_lost_are_made_again(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    root = make(tmp_path / "memory", 4, 8, embedder="minilm")
    ask(root)
    SearchIndex(root).embed()
    wanted, _ = ask(root)
    (file,) = (root / INDEX).glob("vectors-*.f16")
    size = file.stat().st_size
    harm(file)
    hits, talk = ask(root)
    assert WANTED in texts(hits)
    assert [line for line in talk if "the file of vectors was damaged" in line], talk
    SearchIndex(root).embed()
    assert file.stat().st_size == size
    assert ask(root) == (wanted, [])


def search_command(root: Path) -> list[str]:
    return [sys.executable, "-m", "brain", "search", QUESTION, "--json", "-k", "5", "--memory", str(root)]


@pytest.mark.slow
def test_kill_nine_at_random_moments_of_indexing(tmp_path: Path) -> None:
    """Each round something new is to be indexed, and the command that does it is killed; no round is given up."""
    chance, killed, turns, number = random.Random(20260806), 0, 40, 0
    root = make(tmp_path / "memory", 60, turns)
    started = time.monotonic()
    subprocess.run(search_command(root), check=True, capture_output=True)
    seconds = time.monotonic() - started
    while killed < KILLS and number < 4 * KILLS:
        write(root, range(60 + number * 30, 90 + number * 30), turns)  # new files
        write(root, range(number, number + 5), turns + 1 + number)  # files that have grown
        run = subprocess.Popen(
            search_command(root), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(seconds * chance.uniform(0.2, 1.0))
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
        killed += run.wait() == -signal.SIGKILL
        number += 1
        if number % 6 == 0:
            hits, _ = ask(root)
            assert WANTED in texts(hits), f"after {killed} kills"
    assert killed == KILLS, "commands must have been running when they were killed"
    hits, _ = ask(root, 50)
    shutil.rmtree(root / ".brain" / "index")
    assert ask(root, 50)[0] == hits, "the same as an index that nothing ever happened to"


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[None]:
    """A file system of that size at the folder; it is gone again afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    if os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("needs root and mount: run as root to fill a small disk")
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True)
    if done.returncode:
        pytest.skip(f"cannot mount a small disk here: {done.stderr.decode().strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def grow(folder: Path) -> None:
    subprocess.run(["mount", "-o", "remount,size=100m", str(folder)], check=True)


@pytest.mark.parametrize("size", ["48k", "200k", "600k", "1m"])
def test_the_disk_is_full_while_indexing(tmp_path: Path, size: str) -> None:
    root = make(tmp_path / "memory", 60, 40)
    with small_disk(root / ".brain" / "index", size):
        done = subprocess.run(search_command(root), capture_output=True, text=True)
        assert "no room on the disk for the search index" in done.stderr
        assert "Traceback" not in done.stderr
        grow(root / ".brain" / "index")
        assert WANTED in texts(ask(root)[0])
        assert ask(root)[1] == []


def test_with_a_full_disk_what_was_indexed_before_still_answers(tmp_path: Path) -> None:
    root = make(tmp_path / "memory", 6, 30)
    with small_disk(root / ".brain" / "index", "1m"):
        assert WANTED in texts(ask(root)[0])
        write(root, range(6, 120), 40)
        hits, talk = ask(root)
        assert WANTED in texts(hits)
        assert [line for line in talk if "no room on the disk" in line and "make room" in line], talk
        grow(root / ".brain" / "index")
        ask(root)
        assert SearchIndex(root).status().documents[Surface.TURN] == 6 * 30 + 114 * 40


def test_files_may_not_grow_any_more(tmp_path: Path) -> None:
    """The same by a limit on the size of files, where no disk can be mounted."""
    root = make(tmp_path / "memory", 60, 40)

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    done = subprocess.run(search_command(root), capture_output=True, text=True, preexec_fn=limited)
    assert "no room on the disk for the search index" in done.stderr, done.stderr
    assert "Traceback" not in done.stderr
    assert WANTED in texts(ask(root)[0])
