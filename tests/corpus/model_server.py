"""A model server on loopback: tiny deterministic embeddings and reranking, with what can go wrong with a real one."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from brain.serve.run import bind

LIKE = {"car": "vehicle", "auto": "vehicle", "tea": "drink", "coffee": "drink"}


@dataclass
class Models:
    """`busy` requests are answered with 503 first; `key` is asked for; `tei` wants `texts` for reranking.

    So many requests of several texts as `let` says are answered; the others wait until it says more.
    """

    key: str = ""
    busy: int = 0
    tei: bool = False
    dimensions: int = 32
    broken: bool = False
    let: int = 1_000_000
    batches: list[int] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    address: str = ""

    async def embeddings(self, request: Request) -> Response:
        refused = self._refused(request)
        if refused is not None:
            return refused
        asked = json.loads(await request.body())
        if len(asked["input"]) > 1:
            while self.let <= 0:
                await asyncio.sleep(0.01)
                if await request.is_disconnected():
                    return Response(status_code=499)
            self.let -= 1
        self.batches.append(len(asked["input"]))
        self.inputs += asked["input"]
        if self.broken:
            return JSONResponse({"data": [{"index": 0, "embedding": "none"}]})
        rows = [{"index": at, "embedding": self.vector(text)} for at, text in enumerate(asked["input"])]
        return JSONResponse({"data": rows[::-1], "model": asked["model"]})

    async def rerank(self, request: Request) -> Response:
        refused = self._refused(request)
        if refused is not None:
            return refused
        asked = json.loads(await request.body())
        if self.tei and "texts" not in asked:
            return JSONResponse({"error": "missing field `texts`"}, status_code=422)
        texts = asked["texts" if self.tei else "documents"]
        scores = [float(len(text)) for text in texts]  # this one likes long answers
        rows = [{"index": at, "score" if self.tei else "relevance_score": s} for at, s in enumerate(scores)]
        return JSONResponse(rows if self.tei else {"results": rows[::-1]})

    def vector(self, text: str) -> list[float]:
        """Words by a hash of their letters; words that mean the same share a place."""
        row = [0.01] * self.dimensions
        for word in text.lower().replace("?", " ").replace(".", " ").split():
            row[sum(map(ord, LIKE.get(word, word))) % self.dimensions] += 1.0
        return row

    def _refused(self, request: Request) -> Response | None:
        if self.key and request.headers.get("authorization") != f"Bearer {self.key}":
            return JSONResponse({"error": "no"}, status_code=401)
        if self.busy:
            self.busy -= 1
            return JSONResponse({"error": "busy"}, status_code=503, headers={"retry-after": "0"})
        return None


@contextmanager
def running(models: Models) -> Iterator[Models]:
    taken = bind("127.0.0.1", 0)
    routes = [
        Route("/v1/embeddings", models.embeddings, methods=["POST"]),
        Route("/v1/rerank", models.rerank, methods=["POST"]),
    ]
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [taken]}, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.01)
    models.address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
    try:
        yield models
    finally:
        server.should_exit = True
        thread.join(10)
        taken.close()
