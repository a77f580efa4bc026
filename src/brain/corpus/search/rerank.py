"""A second look at the best hits by a model that reads query and text together: an endpoint, or a local ONNX folder.

Cohere, Jina and vLLM take `documents` and answer `results` with `relevance_score`; TEI takes `texts` and answers a list
with `score`. Both are understood. Without an answer the hits stay as they are, and the result says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from brain.config import SearchConfig
from brain.corpus.search.endpoint import Endpoint, EndpointError
from brain.corpus.search.meaning import EmbedderUnavailable
from brain.corpus.search.onnx import CrossEncoder
from brain.errors import BrainError, ConfigError

LONGEST = 4_000  # characters of a text that a reranker is given


class Reranker(Protocol):
    """How well each text answers a query; only the order of the scores counts."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranked:
    """`scores` side by side with the texts, or None with the reason."""

    scores: list[float] | None
    remark: str | None = None


@dataclass(slots=True)
class EndpointReranker:
    """`POST <url>/rerank`; an url that ends in `/rerank` is taken as it is."""

    endpoint: Endpoint
    model: str
    _texts: bool = field(default=False, init=False)  # the server wants `texts`

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        cut = [text[:LONGEST] for text in texts]
        answer = self._ask(query, cut)
        rows = answer.get("results") if isinstance(answer, dict) else answer
        found: dict[int, float] = {}
        for row in rows if isinstance(rows, list) else []:
            score = row.get("relevance_score", row.get("score")) if isinstance(row, dict) else None
            if isinstance(score, int | float) and isinstance(row.get("index"), int):
                found[row["index"]] = float(score)
        if sorted(found) != list(range(len(texts))):
            raise EndpointError(f"{self.endpoint.address} did not score each of {len(texts)} texts")
        return [found[at] for at in range(len(texts))]

    def _ask(self, query: str, texts: list[str]) -> object:
        if not self._texts:
            asked = {"model": self.model, "query": query, "documents": texts, "top_n": len(texts)}
            try:
                return self.endpoint.post("rerank", asked)
            except EndpointError as error:
                if error.status not in (400, 422):
                    raise
            self._texts = True
        return self.endpoint.post("rerank", {"query": query, "texts": texts})


def open_reranker(config: SearchConfig) -> Reranker | None:
    """The reranker the settings name, None when they name none. Raises ConfigError, EmbedderUnavailable."""
    if config.reranker in ("", "none"):
        return None
    if config.reranker == "endpoint":
        endpoint = Endpoint.of("search.reranker", config.reranker_url, config.reranker_key)
        return EndpointReranker(endpoint, config.reranker_model)
    if config.reranker == "onnx":
        return CrossEncoder.open(config.reranker_folder, config.threads)
    raise ConfigError(f"search.reranker = {config.reranker!r} is not none, endpoint or onnx")


def rerank(reranker: Reranker, query: str, texts: Sequence[str]) -> Reranked:
    """The scores, or why there are none."""
    try:
        return Reranked(scores=reranker.scores(query, texts))
    except (EmbedderUnavailable, EndpointError) as error:
        return Reranked(scores=None, remark=f"not reranked: {error.message}")


__all__ = ["BrainError", "Reranked", "Reranker", "open_reranker", "rerank"]
