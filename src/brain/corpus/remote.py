"""A corpus on a server: the five verbs over HTTP, any batch in one request, taken up again where a stream broke."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from brain.corpus import frames
from brain.corpus.corpus import File, Hits, Record
from brain.errors import BrainError, NotFound, RemoteError, UsageError
from brain.types import Hit, Surface

if TYPE_CHECKING:
    import httpx

TRIES = 5  # of a stream that breaks without having brought anything
SECONDS = 60.0
_HITS = TypeAdapter(list[Hit])
_Array = list
Rows = list[dict[str, Any]]  # named, since a corpus has a method `list`


class RemoteCorpus:
    """The brain behind `address` (`http://host:port`). Close it after use. Safe for one thread at a time.

    Raises RemoteError when the server cannot be reached, refuses the token, or answers what is no answer; NotFound
    as a local corpus does.
    """

    def __init__(self, address: str, *, token: str | None = None, client: httpx.Client | None = None) -> None:
        import httpx

        self.address = address.rstrip("/")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._http = client or httpx.Client(timeout=SECONDS, follow_redirects=False)
        self._http.headers.update(headers)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> RemoteCorpus:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def commit(self) -> str:
        return str(self._json("GET", "/v1/commit")["commit"])

    def paths(self, under: str = "", *, at: str | None = None) -> Iterator[str]:
        return iter([str(row["path"]) for row in self._lines("/v1/paths", under, at)])

    def list(self, under: str = "", *, at: str | None = None) -> Iterator[Record]:
        rows = self._lines("/v1/list", under, at)
        return iter([Record(path=str(r["path"]), size=int(r["size"]), sha256=str(r["sha256"])) for r in rows])

    def read(self, path: str, *, at: str | None = None) -> bytes:
        for file in self.fetch([path], at=at):
            if file.state.value == "sent":
                return file.data
        raise NotFound(f"memory holds no file {path!r}")

    def fetch(
        self, paths: Iterable[str], *, at: str | None = None, have: Mapping[str, str] | None = None
    ) -> Iterator[File]:
        left = list(dict.fromkeys(paths))
        commit = at or self.commit()  # pinned, so that a stream taken up again goes on in the same state
        begun: tuple[str, str, bytes] | None = None
        failures = 0
        while left:
            body: dict[str, object] = {"paths": left, "at": commit}
            body["have"] = {path: have[path] for path in left if path in have} if have else {}
            if begun:
                body["begun"] = {"path": begun[0], "sha256": begun[1], "size": len(begun[2])}
            came = 0
            try:
                for file in self._batch(body, begun):
                    came += 1
                    yield file
                return
            except frames.Cut as cut:
                left = left[came:]
                grew = cut.begun is not None and (begun is None or len(cut.begun[2]) > len(begun[2]))
                failures = 0 if came or grew else failures + 1
                begun = cut.begun
                if failures >= TRIES:
                    raise RemoteError(
                        f"{self.address} broke off {TRIES} times with {len(left)} files to come", hint="try again later"
                    ) from cut

    def search(
        self,
        query: str,
        k: int = 10,
        *,
        surfaces: Sequence[Surface] = (),
        since: date | None = None,
        until: date | None = None,
        speaker: str | None = None,
        project: str | None = None,
        now: date | None = None,
    ) -> Hits:
        asked = {
            "query": query,
            "k": k,
            "surfaces": [surface.value for surface in surfaces],
            "since": since.isoformat() if since else None,
            "until": until.isoformat() if until else None,
            "speaker": speaker,
            "project": project,
            "now": now.isoformat() if now else None,
        }
        try:
            return _HITS.validate_python(self._json("POST", "/v1/search", asked)["hits"])
        except ValidationError as error:
            raise RemoteError(f"{self.address} answered something that is no list of hits") from error

    def show(self, what: str, *, cite: str | None = None, refs: bool = False) -> str:
        """The text of a page, note, session or source, as `brain show` prints it on the server's side."""
        asked = {"what": what, "cite": cite, "refs": refs}
        return str(self._json("POST", "/v1/show", asked).get("text", ""))

    def recall(self, need: str, *, files: int, searches: int) -> object:
        """What the server's memory agent found, as JSON has it."""
        asked = {"need": need, "files": files, "searches": searches}
        return self._json("POST", "/v1/recall", asked).get("recall")

    def put(self, files: Mapping[str, bytes], *, message: str) -> str:
        from hashlib import sha256

        from brain.corpus.corpus import State

        sent = [
            File(path=path, state=State.SENT, commit="", data=data, sha256=sha256(data).hexdigest())
            for path, data in sorted(files.items())
        ]
        body = gzip.compress(b"".join(frames.write(sent)), 5)
        head = {"Content-Type": "application/octet-stream", "Content-Encoding": "gzip"}
        return str(self._json("POST", "/v1/put", content=body, headers=head, params={"message": message})["commit"])

    def _batch(self, body: dict[str, object], begun: tuple[str, str, bytes] | None) -> Iterator[File]:
        import httpx

        raw = gzip.compress(json.dumps(body).encode(), 5)
        head = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
        try:
            with self._http.stream("POST", f"{self.address}/v1/fetch", content=raw, headers=head) as answer:
                self._judge(answer)
                yield from frames.read(_unbroken(answer.iter_bytes()), begun=begun)
        except httpx.TransportError as error:
            if isinstance(error, httpx.ConnectError):
                raise self._away(error) from error
            raise frames.Cut(begun) from error

    def _lines(self, path: str, under: str, at: str | None) -> Rows:
        params = {"under": under} | ({"at": at} if at else {})
        answer = self._json("GET", path, params=params)
        rows = answer.get("files")
        if not isinstance(rows, _Array):
            raise RemoteError(f"{self.address} answered something that is no list of files")
        return rows

    def _json(self, method: str, path: str, asked: object = None, **more: Any) -> dict[str, Any]:
        import httpx

        if asked is not None:
            more["json"] = asked
        try:
            answer = self._http.request(method, f"{self.address}{path}", **more)
        except httpx.TransportError as error:
            raise self._away(error) from error
        self._judge(answer)
        try:
            found = answer.json()
        except ValueError as error:
            raise RemoteError(f"{self.address} is not a brain server: no JSON at {path}") from error
        if not isinstance(found, dict):
            raise RemoteError(f"{self.address} is not a brain server: no object at {path}")
        return found

    def _judge(self, answer: httpx.Response) -> None:
        if answer.status_code < 300:
            return
        answer.read()
        message, hint = _said(answer)
        if answer.status_code == 401:
            raise RemoteError(f"{self.address} refuses the token", hint="set BRAIN_TOKEN to the server's token")
        if answer.status_code == 404:
            raise NotFound(message, hint=hint)
        if answer.status_code in (400, 403, 413, 422):
            raise UsageError(message, hint=hint)
        raise RemoteError(f"{self.address}: {answer.status_code} {message}")

    def _away(self, error: Exception) -> BrainError:
        return RemoteError(f"no brain server answers at {self.address} ({error})", hint="brain serve")


def _unbroken(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Chunks up to where the connection broke; the frames tell whether that was the end."""
    import httpx

    try:
        yield from chunks
    except (httpx.TransportError, httpx.DecodingError):
        return


def _said(answer: httpx.Response) -> tuple[str, str | None]:
    try:
        found = answer.json()
        return str(found["error"]), found.get("hint")
    except (ValueError, KeyError, TypeError):
        return answer.reason_phrase, None
