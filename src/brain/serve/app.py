"""`brain serve`: the Corpus Protocol over HTTP.

    GET  /v1/commit                       {"commit": …}
    GET  /v1/paths, /v1/list ?under=&at=  {"files": [{"path": …}, …]}
    POST /v1/fetch                        {"paths": […], "at": …, "have": {path: sha256}, "begun": …} → frames
    POST /v1/search                       {"query": …, "k": …, …} → {"hits": […]}
    POST /v1/recall                       {"need": …, "files": …, "searches": …} → {"recall": …}
    POST /v1/show                         {"what": …, "cite": …, "refs": …} → {"text": …}
    POST /v1/put ?message=                frames → {"commit": …}
    POST /mcp                             the Model Context Protocol, streamable HTTP (mcp.py)

Every request needs `Authorization: Bearer TOKEN`; without it nothing is told, not even whether a path exists. Bodies
may be gzipped; answers are, for askers that say they read it. Errors are {"error": …, "hint": …}.
"""

from __future__ import annotations

import threading
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import date
from hmac import compare_digest
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import to_jsonable_python
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from brain.corpus import frames
from brain.corpus.corpus import Corpus, State
from brain.errors import BrainError, NotFound, UsageError
from brain.explore.recall import Budget, MemoryAgent, recall
from brain.types import Surface

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

LARGEST_BODY = 256 * 1024 * 1024  # bytes, after decompression
Handler = Callable[[Request], Any]
Asked = TypeVar("Asked", bound=BaseModel)


class _Begun(BaseModel):
    model_config = ConfigDict(extra="forbid")
    path: str
    sha256: str
    size: Annotated[int, Field(ge=0)]


class _Fetch(BaseModel):
    model_config = ConfigDict(extra="forbid")
    paths: list[str]
    at: str | None = None
    have: dict[str, str] = {}
    begun: _Begun | None = None


class _Search(BaseModel):
    model_config = ConfigDict(extra="forbid")
    query: str
    k: Annotated[int, Field(ge=1, le=1000)] = 10
    surfaces: list[Surface] = []
    since: date | None = None
    until: date | None = None
    speaker: str | None = None
    project: str | None = None
    now: date | None = None


class _Recall(BaseModel):
    model_config = ConfigDict(extra="forbid")
    need: Annotated[str, Field(min_length=1)]
    files: Annotated[int, Field(ge=1, le=500)] = 20
    searches: Annotated[int, Field(ge=1, le=100)] = 12


class _Show(BaseModel):
    model_config = ConfigDict(extra="forbid")
    what: Annotated[str, Field(min_length=1)]
    cite: str | None = None
    refs: bool = False


class Show(Protocol):
    """How a page, note, session or source is printed."""

    def __call__(self, what: str, *, cite: str | None = None, refs: bool = False) -> str: ...


def make_app(
    corpus: Corpus,
    *,
    token: str,
    show: Show | None = None,
    agent: MemoryAgent | None = None,
    mcp: MCPServer[Any] | None = None,
) -> Starlette:
    """The application for one brain. Reads run side by side, searches one at a time; `show` prints what is named.

    `agent` recalls; without one it is the one without a model. `mcp` answers at /mcp; it needs the application's
    lifespan to run.
    """
    if not token:
        raise UsageError("a server needs a token", hint="brain serve --token-file FILE, or set BRAIN_TOKEN")
    doors = _Doors(corpus, show, agent or recall)
    routes = [
        Route("/v1/commit", _safe(doors.commit), methods=["GET"]),
        Route("/v1/paths", _safe(doors.paths), methods=["GET"]),
        Route("/v1/list", _safe(doors.list_files), methods=["GET"]),
        Route("/v1/fetch", _safe(doors.fetch), methods=["POST"]),
        Route("/v1/search", _safe(doors.search), methods=["POST"]),
        Route("/v1/recall", _safe(doors.recall), methods=["POST"]),
        Route("/v1/show", _safe(doors.shown), methods=["POST"]),
        Route("/v1/put", _safe(doors.put), methods=["POST"]),
    ]
    middleware = [Middleware(_Bearer, token=token), Middleware(GZipMiddleware, minimum_size=512, compresslevel=5)]
    if mcp is None:
        return Starlette(routes=routes, middleware=middleware)
    from mcp.server.transport_security import TransportSecuritySettings

    # the token keeps strangers out, pages of a browser too: a check of host names would only keep out those who have it
    trusted = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    protocol = mcp.streamable_http_app(transport_security=trusted)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with mcp.session_manager.run():
            yield

    return Starlette(routes=[*routes, *protocol.routes], middleware=middleware, lifespan=lifespan)


class _InTurns:
    """A corpus whose searches wait for those of others."""

    def __init__(self, corpus: Corpus, lock: threading.Lock) -> None:
        self._corpus = corpus
        self._lock = lock

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._corpus, name)
        if name not in {"search", "rarity"}:
            return found

        def alone(*args: Any, **options: Any) -> Any:
            with self._lock:
                return found(*args, **options)

        return alone


class _Doors:
    def __init__(self, corpus: Corpus, show: Show | None, agent: MemoryAgent) -> None:
        self.corpus = corpus
        self.show = show
        self.agent = agent
        self._searching = threading.Lock()

    async def commit(self, request: Request) -> Response:
        return JSONResponse({"commit": await run_in_threadpool(self.corpus.commit)})

    async def paths(self, request: Request) -> Response:
        under, at = request.query_params.get("under", ""), request.query_params.get("at")
        found = await run_in_threadpool(lambda: [{"path": path} for path in self.corpus.paths(under, at=at)])
        return JSONResponse({"files": found})

    async def list_files(self, request: Request) -> Response:
        under, at = request.query_params.get("under", ""), request.query_params.get("at")
        found = await run_in_threadpool(
            lambda: [to_jsonable_python(record) for record in self.corpus.list(under, at=at)]
        )
        return JSONResponse({"files": found})

    async def fetch(self, request: Request) -> Response:
        asked = _read(_Fetch, await _body(request))
        at = asked.at or await run_in_threadpool(self.corpus.commit)
        files = await run_in_threadpool(lambda: iter(self.corpus.fetch(asked.paths, at=at, have=asked.have)))
        first = await run_in_threadpool(lambda: next(files, None))  # a commit that is not known is an answer, not a cut
        begun = (asked.begun.path, asked.begun.sha256, asked.begun.size) if asked.begun else None
        whole = (file for group in ([first] if first else [], files) for file in group)
        return StreamingResponse(frames.write(whole, begun=begun), media_type="application/octet-stream")

    async def search(self, request: Request) -> Response:
        asked = _read(_Search, await _body(request))

        def work() -> object:
            with self._searching:
                return to_jsonable_python(self.corpus.search(
                    asked.query, asked.k, surfaces=asked.surfaces, since=asked.since, until=asked.until,
                    speaker=asked.speaker, project=asked.project, now=asked.now,
                ))  # fmt: skip

        return JSONResponse({"hits": await run_in_threadpool(work)})

    async def recall(self, request: Request) -> Response:
        asked = _read(_Recall, await _body(request))

        def work() -> object:
            turns = cast(Corpus, _InTurns(self.corpus, self._searching))  # others search while an agent thinks
            return to_jsonable_python(self.agent(turns, asked.need, Budget(files=asked.files, searches=asked.searches)))

        return JSONResponse({"recall": await run_in_threadpool(work)})

    async def shown(self, request: Request) -> Response:
        asked = _read(_Show, await _body(request))
        show = self.show
        if show is None:
            raise UsageError("this server shows no pages", hint="fetch the file by its path")
        text = await run_in_threadpool(lambda: show(asked.what, cite=asked.cite, refs=asked.refs))
        return JSONResponse({"text": text})

    async def put(self, request: Request) -> Response:
        message = request.query_params.get("message", "")
        body = await _body(request)
        try:
            files = {file.path: file.data for file in frames.read([body]) if file.state is State.SENT}
        except frames.Cut:
            raise UsageError("the batch is not whole; nothing was stored", hint="send it again") from None
        commit = await run_in_threadpool(lambda: self.corpus.put(files, message=message))
        return JSONResponse({"commit": commit})


def _safe(handler: Handler) -> Handler:
    """An error of ours is an answer; anything else is told without details."""

    async def answer(request: Request) -> Response:
        try:
            found: Response = await handler(request)
        except NotFound as error:
            return _error(404, error)
        except BrainError as error:
            return _error(503 if error.exit_code in (4, 5) else 400, error)
        return found

    return answer


def _error(status: int, error: BrainError) -> JSONResponse:
    return JSONResponse({"error": error.message, "hint": error.hint}, status_code=status)


def _read(kind: type[Asked], body: bytes) -> Asked:
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(f"{'.'.join(map(str, first['loc'])) or 'the body'}: {first['msg']}") from error


async def _body(request: Request) -> bytes:
    """The body, unzipped. Raises UsageError when it is larger than a batch may be, or no gzip although it says so."""
    zipped = request.headers.get("content-encoding", "identity")
    if zipped not in ("gzip", "identity"):
        raise UsageError(f"a body in {zipped!r} is not read here", hint="send it as it is, or in gzip")
    unzip = zlib.decompressobj(wbits=31) if zipped == "gzip" else None
    held = bytearray()
    try:
        async for chunk in request.stream():
            held += unzip.decompress(chunk, LARGEST_BODY + 1 - len(held)) if unzip else chunk
            if len(held) > LARGEST_BODY or (unzip and unzip.unconsumed_tail):
                raise UsageError(f"a body may have {LARGEST_BODY} bytes at most", hint="send several batches")
    except zlib.error as error:
        raise UsageError("the body is no gzip") from error
    return bytes(held)


class _Bearer:
    """Lets requests with the token through; the others learn nothing."""

    def __init__(self, app: ASGIApp, *, token: str) -> None:
        self.app = app
        self._wanted = b"Bearer " + token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not compare_digest(_authorization(scope), self._wanted):
            answer = JSONResponse({"error": "not allowed"}, status_code=401, headers={"WWW-Authenticate": "Bearer"})
            await answer(scope, receive, send)
            return
        await self.app(scope, receive, send)


def _authorization(scope: Scope) -> bytes:
    found: Iterator[bytes] = (value for name, value in scope["headers"] if name == b"authorization")
    return next(found, b"")
