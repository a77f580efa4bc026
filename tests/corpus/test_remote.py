"""The server tells nothing without its token, and a broken stream is taken up where it broke."""

from __future__ import annotations

import gzip
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from worlds import SECOND, TOKEN, in_folder, served

from brain.corpus.corpus import MemoryCorpus, State
from brain.corpus.remote import RemoteCorpus
from brain.errors import RemoteError, UsageError


@pytest.mark.parametrize("path", ["/v1/commit", "/v1/list", "/v1/nothing", "/", "/v1/../secret"])
@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic b25seQ=="}])
def test_without_the_token_every_path_answers_alike(path: str, header: dict[str, str]) -> None:
    with served(MemoryCorpus({"AGENTS.md": b"x"})) as address:
        answer = httpx.get(address + path, headers=header)
    assert answer.status_code == 401
    assert answer.json() == {"error": "not allowed"}


def test_a_refused_token_and_an_absent_server_are_errors_with_a_way_out() -> None:
    with served(MemoryCorpus({"AGENTS.md": b"x"})) as address, RemoteCorpus(address, token="wrong") as remote:
        with pytest.raises(RemoteError, match="refuses the token") as refused:
            remote.commit()
        assert refused.value.hint
    with RemoteCorpus(address, token=TOKEN) as remote, pytest.raises(RemoteError, match="no brain server") as away:
        remote.commit()
    assert away.value.hint


def test_text_is_compressed_on_the_way_and_unchanged_files_are_not_resent() -> None:
    corpus = MemoryCorpus({f"knowledge/concepts/c{n}.md": b"the same words again and again\n" * 200 for n in range(50)})
    with served(corpus) as address, httpx.Client(headers={"Authorization": f"Bearer {TOKEN}"}) as client:
        paths = [record.path for record in corpus.list()]
        body: dict[str, object] = {"paths": paths, "at": corpus.commit()}
        with client.stream("POST", f"{address}/v1/fetch", json=body) as answer:
            sent = sum(map(len, answer.iter_raw()))
        assert sent < 310_000 / 5
        body["have"] = {record.path: record.sha256 for record in corpus.list()}
        again = client.post(f"{address}/v1/fetch", json=body)
        assert b"the same words" not in again.content
        assert again.content.count(b'"unchanged"') == 50


@contextmanager
def cutting(address: str, every: int) -> Iterator[str]:
    """A proxy that breaks each connection after `every` bytes of answer."""
    host, port = address.removeprefix("http://").split(":")
    taken = socket.create_server(("127.0.0.1", 0))
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            try:
                near, _ = taken.accept()
            except OSError:
                return
            threading.Thread(target=relay, args=(near,), daemon=True).start()

    def relay(near: socket.socket) -> None:
        with suppress(OSError), near, socket.create_connection((host, int(port))) as far:
            threading.Thread(target=pump, args=(near, far), daemon=True).start()
            left = every
            while left > 0 and (data := far.recv(min(left, 4096))):
                near.sendall(data)
                left -= len(data)
            near.shutdown(socket.SHUT_RDWR)

    def pump(near: socket.socket, far: socket.socket) -> None:
        with suppress(OSError):
            while data := near.recv(65536):
                far.sendall(data)

    threading.Thread(target=work, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"
    finally:
        stop.set()
        taken.close()


def test_a_stream_that_breaks_again_and_again_still_brings_every_byte(tmp_path: Path) -> None:
    import random

    big = random.Random(7).randbytes(400_000)  # does not compress, so it breaks inside one file too
    corpus = MemoryCorpus({**SECOND, "sessions/artifacts/x/big.bin": big})
    with served(corpus) as address, cutting(address, 150_000) as broken, RemoteCorpus(broken, token=TOKEN) as remote:
        got = {file.path: file.data for file in remote.fetch(sorted(corpus.files()), at=corpus.commit())}
    assert got == corpus.files()


def test_a_server_that_never_gets_anywhere_is_given_up() -> None:
    corpus = MemoryCorpus({"AGENTS.md": b"x" * 2000})
    with (
        served(corpus) as address,
        cutting(address, 10) as broken,
        RemoteCorpus(broken, token=TOKEN) as remote,
        pytest.raises(RemoteError),
    ):
        list(remote.fetch(["AGENTS.md"], at=corpus.commit()))


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"{", {}),
        (b'{"paths": "AGENTS.md"}', {}),
        (b'{"paths": [], "more": 1}', {}),
        (b"not gzip", {"Content-Encoding": "gzip"}),
        (gzip.compress(b"[]", mtime=0), {"Content-Encoding": "br"}),
    ],
)
def test_a_request_that_is_off_is_answered_not_crashed(body: bytes, headers: dict[str, str]) -> None:
    allowed = {"Authorization": f"Bearer {TOKEN}", **headers}
    with served(MemoryCorpus({"AGENTS.md": b"x"})) as address:
        answer = httpx.post(f"{address}/v1/fetch", content=body, headers=allowed)
    assert answer.status_code == 400
    assert set(json.loads(answer.content)) == {"error", "hint"}


def test_a_body_that_unzips_without_end_is_refused(tmp_path: Path) -> None:
    bomb = gzip.compress(b"0" * 300_000_000, 9)
    with served(MemoryCorpus({"AGENTS.md": b"x"})) as address:
        answer = httpx.post(
            f"{address}/v1/fetch", content=bomb,
            headers={"Authorization": f"Bearer {TOKEN}", "Content-Encoding": "gzip"}, timeout=60,
        )  # fmt: skip
    assert answer.status_code == 400
    assert "at most" in answer.json()["error"]


def test_a_write_goes_through_whole_or_not_at_all() -> None:
    corpus = MemoryCorpus({"AGENTS.md": b"x"})
    with served(corpus) as address, RemoteCorpus(address, token=TOKEN) as remote:
        commit = remote.put({"notes/facts/lift.md": "Sortie 3, 東京\n".encode()}, message="a note")
        assert commit == corpus.commit()
        assert remote.read("notes/facts/lift.md").decode() == "Sortie 3, 東京\n"
        cut = httpx.post(
            f"{address}/v1/put?message=half", content=b'{"path": "AGENTS.md", "state": "sent", "commit": "", ',
            headers={"Authorization": f"Bearer {TOKEN}"},
        )  # fmt: skip
        assert cut.status_code == 400
        assert corpus.commit() == commit


def test_the_server_needs_a_token(tmp_path: Path) -> None:
    from brain.serve.app import make_app

    with in_folder(tmp_path) as world, pytest.raises(UsageError, match="token"):
        make_app(world.corpus, token="")


def test_an_absent_file_is_an_answer_not_an_error() -> None:
    with served(MemoryCorpus({"AGENTS.md": b"x"})) as address, RemoteCorpus(address, token=TOKEN) as remote:
        assert [file.state for file in remote.fetch(["none.md"])] == [State.ABSENT]
