"""Every corpus behaves as the plain reference does: in a folder, and behind a server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from worlds import FIRST, SECOND, TOKEN, World, in_folder, in_memory, served

from brain.corpus.corpus import State
from brain.corpus.remote import RemoteCorpus
from brain.errors import NotFound, UsageError


@contextmanager
def behind_a_server(root: Path) -> Iterator[World]:
    with in_folder(root) as world, served(world.corpus) as address, RemoteCorpus(address, token=TOKEN) as remote:
        yield World(corpus=remote, first=world.first, second=world.second)


Place = Callable[[Path], AbstractContextManager[World]]
PLACES: dict[str, Place] = {"memory": in_memory, "folder": in_folder, "server": behind_a_server}


@pytest.fixture(scope="module", params=PLACES)
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with PLACES[request.param](tmp_path_factory.mktemp("corpus")) as found:
        yield found


def test_the_newest_commit_is_the_default(world: World) -> None:
    assert world.corpus.commit() == world.second
    assert world.corpus.read("AGENTS.md") == SECOND["AGENTS.md"]


@pytest.mark.parametrize("under", ["", "knowledge/", "knowledge/e", "sessions/", "sessions/transcripts/", "nowhere/"])
def test_paths_and_list_say_the_same_in_order(world: World, under: str) -> None:
    wanted = sorted(path for path in SECOND if path.startswith(under))
    assert list(world.corpus.paths(under)) == wanted
    listed = list(world.corpus.list(under))
    assert [record.path for record in listed] == wanted
    assert [record.size for record in listed] == [len(SECOND[path]) for path in wanted]
    assert [record.sha256 for record in listed] == [sha256(SECOND[path]).hexdigest() for path in wanted]


def test_an_older_commit_still_reads_as_it_was_transcripts_too(world: World) -> None:
    assert {path: world.corpus.read(path, at=world.first) for path in FIRST} == FIRST
    assert "knowledge/projects/sprint.md" not in set(world.corpus.paths(at=world.first))


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_batch_answers_each_path_once_in_the_order_asked(world: World, data: st.DataObject) -> None:
    known = sorted(FIRST.keys() | SECOND.keys())
    odd = ["nowhere.md", "../outside", "/etc/hostname", ".git/config", ".brain/lock", "knowledge/é\n.md", ""]
    asked = data.draw(st.lists(st.sampled_from(known + odd), max_size=12))
    held = data.draw(st.dictionaries(st.sampled_from(known), st.sampled_from(["first", "second", "neither"])))
    at, files = data.draw(st.sampled_from([(world.first, FIRST), (world.second, SECOND), (None, SECOND)]))
    have = {
        path: sha256({"first": FIRST, "second": SECOND}.get(which, {}).get(path, b"?")).hexdigest()
        for path, which in held.items()
    }
    got = list(world.corpus.fetch(asked, at=at, have=have))
    assert [file.path for file in got] == list(dict.fromkeys(asked))
    for file in got:
        if file.path not in files:
            assert (file.state, file.data) == (State.ABSENT, b"")
        elif have.get(file.path) == sha256(files[file.path]).hexdigest():
            assert (file.state, file.data) == (State.UNCHANGED, b"")
        else:
            assert (file.state, file.data) == (State.SENT, files[file.path])
            assert file.sha256 == sha256(file.data).hexdigest()
        assert file.commit == (at or world.second)


def test_a_large_batch_is_one_request(world: World) -> None:
    asked = [*SECOND, *(f"knowledge/concepts/none-{n}.md" for n in range(20_000))]
    states = [file.state for file in world.corpus.fetch(asked)]
    assert states.count(State.SENT) == len(SECOND)
    assert states.count(State.ABSENT) == 20_000


def test_what_is_not_there_is_said(world: World) -> None:
    with pytest.raises(NotFound, match="no-such"):
        world.corpus.read("knowledge/concepts/no-such.md")
    with pytest.raises(NotFound):
        world.corpus.read("AGENTS.md", at="0" * 40)
    with pytest.raises(NotFound):
        list(world.corpus.fetch(["AGENTS.md"], at="--help"))


def test_a_corpus_open_for_reading_refuses_a_write(tmp_path: Path) -> None:
    for name in ("folder", "server"):
        with PLACES[name](tmp_path / name) as world, pytest.raises(UsageError, match="reading only"):
            world.corpus.put({"AGENTS.md": b"no"}, message="no")
