"""How a batch of files travels: one JSON line a file, its bytes behind it, and a last line that says it is whole.

    {"path": "AGENTS.md", "state": "sent", "commit": "…", "sha256": "…", "size": 3120, "from": 0}⏎
    <3120 bytes>⏎
    {"end": true, "files": 1}⏎

A stream without its last line was cut; what came before it is sound, since each file has its size and hash. `from` is
the first byte sent, above 0 when the asker holds the beginning from a stream that broke inside the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256

from brain.corpus.corpus import File, State
from brain.errors import FormatError

LARGEST_HEAD = 16_384  # bytes of a head line
CHUNK = 65_536


def write(files: Iterable[File], *, begun: tuple[str, str, int] | None = None) -> Iterator[bytes]:
    """The bytes of a batch. `begun` = (path, SHA-256, bytes held): if still so, that file is sent from there on."""
    held = bytearray()
    for part in _parts(files, begun):
        held += part
        if len(held) >= CHUNK:  # many small files are one chunk: each costs a hop between threads and a flush
            yield bytes(held)
            held.clear()
    yield bytes(held)


def _parts(files: Iterable[File], begun: tuple[str, str, int] | None) -> Iterator[bytes]:
    count = 0
    for file in files:
        count += 1
        start = begun[2] if begun and (file.path, file.sha256) == begun[:2] and begun[2] <= len(file.data) else 0
        head = {"path": file.path, "state": file.state.value, "commit": file.commit, "sha256": file.sha256,
                "size": len(file.data), "from": start}  # fmt: skip
        yield json.dumps(head, ensure_ascii=False).encode() + b"\n"
        for at in range(start, len(file.data), CHUNK):
            yield file.data[at : at + CHUNK]
        yield b"\n"
    yield json.dumps({"end": True, "files": count}).encode() + b"\n"


class Cut(Exception):
    """The stream ended inside a batch. `begun` is the file it broke in with the bytes that came, if it had begun."""

    def __init__(self, begun: tuple[str, str, bytes] | None) -> None:
        super().__init__("the stream was cut")
        self.begun = begun


def read(chunks: Iterable[bytes], *, begun: tuple[str, str, bytes] | None = None) -> Iterator[File]:
    """Files as they arrive, each checked against its hash. Raises Cut when the stream ends early, FormatError when it
    is no batch or a file's bytes do not have its hash. `begun` are the bytes held of the file that broke last time."""
    stream = _Stream(iter(chunks))
    count = 0
    while True:
        line = stream.line()
        if line is None:
            raise Cut(None)
        head = _head(line)
        if head.get("end") is True:
            if head.get("files") != count:
                raise FormatError(f"the batch says {head.get('files')} files, {count} came")
            return
        yield _file(stream, head, begun)
        count += 1


def _file(stream: _Stream, head: dict[str, object], begun: tuple[str, str, bytes] | None) -> File:
    path, digest, size, start = head.get("path"), head.get("sha256"), head.get("size"), head.get("from")
    commit = head.get("commit")
    if not (isinstance(path, str) and isinstance(digest, str) and isinstance(commit, str)):
        raise FormatError(f"not a file's head: {head!r}")
    if not (isinstance(size, int) and isinstance(start, int) and 0 <= start <= size):
        raise FormatError(f"{path}: no size")
    held = b""
    if start:
        if begun is None or begun[:2] != (path, digest) or len(begun[2]) < start:
            raise FormatError(f"{path}: sent from byte {start}, which was not asked for")
        held = begun[2][:start]
    data, whole = stream.take(size - start)
    data = held + data
    if not whole or stream.take(1)[0] != b"\n":
        raise Cut((path, digest, data[:size]) if data else None)
    state = State(str(head.get("state")))
    if state is State.SENT and sha256(data).hexdigest() != digest:
        raise FormatError(f"{path}: the bytes that came do not have the hash that was announced")
    return File(path=path, state=state, commit=commit, data=data, sha256=digest)


def _head(line: bytes) -> dict[str, object]:
    try:
        head = json.loads(line)
    except ValueError as error:
        raise FormatError(f"not a batch of files: {line[:80]!r}") from error
    if not isinstance(head, dict):
        raise FormatError(f"not a batch of files: {line[:80]!r}")
    return head


class _Stream:
    """Lines and counted bytes out of chunks of any size."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._held = bytearray()

    def line(self) -> bytes | None:
        """Up to and without the next newline, None at the end of the stream."""
        while (at := self._held.find(b"\n")) < 0:
            if len(self._held) > LARGEST_HEAD:
                raise FormatError("not a batch of files: a head line without an end")
            if not self._more():
                return None
        line = bytes(self._held[:at])
        del self._held[: at + 1]
        return line

    def take(self, size: int) -> tuple[bytes, bool]:
        """`size` bytes and True, or what came before the stream ended and False."""
        while len(self._held) < size:
            if not self._more():
                data = bytes(self._held)
                self._held.clear()
                return data, False
        data = bytes(self._held[:size])
        del self._held[:size]
        return data, True

    def _more(self) -> bool:
        chunk = next(self._chunks, None)
        if chunk is None:
            return False
        self._held += chunk
        return True
