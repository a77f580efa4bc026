"""Turns seen before, known by a digest of what the source said: of a session that grew only the end is worked on.

Redacting and comparing cost most of an import. The digests of a session's raw turns are kept in the ledger, under the
redaction key, so that they say nothing about the words; a session that begins with them goes on where it was left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b

from brain.ingest.raw import RawTurn

SIZE = 8


class Rewritten(Exception):
    """The session does not begin with the turns it had; it must be compared in full."""


class Watch:
    """Goes along with the turns of one session and keeps their digests; `whole` once it has seen the last."""

    def __init__(self, key: bytes) -> None:
        self._key = key[:64]
        self.digests = bytearray()
        self.whole = False

    def over(self, turns: Iterable[RawTurn], skip: bytes = b"") -> Iterator[RawTurn]:
        """The turns behind those whose digests are `skip`.

        Raises Rewritten, before the first turn, when the session does not begin with those.
        """
        at = 0
        for turn in turns:
            digest = self.digest(turn)
            self.digests += digest
            if at == len(skip):
                yield turn
                continue
            if skip[at : at + SIZE] != digest:
                raise Rewritten
            at += SIZE
        if at < len(skip):
            raise Rewritten
        self.whole = True

    def behind(self, turns: Iterable[RawTurn], digests: bytes) -> Iterator[RawTurn]:
        """`turns` without the beginning they share with a session of these digests."""
        at = 0
        for turn in turns:
            if at < len(digests) and digests[at : at + SIZE] == self.digest(turn):
                at += SIZE
                continue
            at = len(digests)
            yield turn

    def digest(self, turn: RawTurn) -> bytes:
        head = f"{turn.role.value}\0{turn.time}\0{turn.name}\0{turn.call}\0{turn.trust}\0"
        digest = blake2b((head + turn.text).encode("utf-8", "replace"), digest_size=SIZE, key=self._key)
        for file in turn.files:
            digest.update(file.data)
        return digest.digest()
