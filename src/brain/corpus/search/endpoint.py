"""Models behind an address: embeddings as OpenAI's API has them, which vLLM, Ollama, LM Studio, TEI and others speak.

    [search]
    embedder = "endpoint"
    embedder_url = "http://localhost:11434/v1"
    embedder_model = "nomic-embed-text"
    embedder_key = "OPENAI_API_KEY"          # the name of the variable, never the key

What is embedded is sent there: every page, note, summary and turn, after redaction, and every query.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from brain.config import key_from_environment
from brain.corpus.search.meaning import EmbedderUnavailable

if TYPE_CHECKING:
    import httpx
    import numpy as np
    from numpy.typing import NDArray

BATCH = 64  # texts in one request
TRIES = 4
PAUSE = 0.25  # seconds before the second try, doubled before each further one
LONGEST_PAUSE = 8.0  # seconds a server may ask us to wait
SECONDS = 60.0
LONGEST = 8_000  # characters of a text that is sent


class EndpointError(EmbedderUnavailable):
    """The server cannot be reached, refuses, or answers what is no answer. `status` is HTTP's, 0 without one."""

    def __init__(self, message: str, *, hint: str | None = None, status: int = 0) -> None:
        super().__init__(message, hint=hint)
        self.status = status


@dataclass(slots=True, weakref_slot=True)
class Endpoint:
    """A server, and the key for it. `key` is the name of the variable that holds the key; empty = no key is sent."""

    address: str
    setting: str
    key: str = ""
    _client: httpx.Client | None = field(default=None, init=False, repr=False)

    @classmethod
    def of(cls, setting: str, address: str, key: str) -> Endpoint:
        """Raises EmbedderUnavailable when the settings cannot be right."""
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise EmbedderUnavailable(
                f"{setting}_url = {address!r} is no address", hint=f'{setting}_url = "https://HOST/v1"'
            )
        return cls(address.rstrip("/"), setting, key)

    def post(self, what: str, asked: Mapping[str, object]) -> object:
        """The JSON answer to a request; tried again when the server is busy or away. Raises EndpointError."""
        import httpx

        url = self.address if self.address.endswith(f"/{what}") else f"{self.address}/{what}"
        headers = self._headers()
        if self._client is None:
            self._client = httpx.Client(timeout=SECONDS, follow_redirects=False)
            weakref.finalize(self, self._client.close)
        failure = EndpointError(f"{url} was not asked")
        for tried in range(TRIES):
            wait = PAUSE * 2**tried
            try:
                answer = self._client.post(url, json=asked, headers=headers)
            except httpx.TransportError as error:
                failure = EndpointError(f"{url} does not answer ({error})", hint=f"is {self.setting}_url right?")
            else:
                if answer.status_code < 300:
                    return self._json(answer, url)
                failure = self._refused(answer, url)
                if answer.status_code not in (408, 409, 429) and answer.status_code < 500:
                    raise failure
                wait = max(wait, _asked_to_wait(answer))
            if tried + 1 < TRIES:
                time.sleep(min(wait, LONGEST_PAUSE))
        raise failure

    def _headers(self) -> dict[str, str]:
        if not self.key:
            return {}
        value = key_from_environment(self.key)
        if value is None:
            raise EndpointError(
                f"the variable {self.key}, which {self.setting}_key names, is not set", hint=f"export {self.key}=…"
            )
        return {"Authorization": f"Bearer {value}"}

    def _json(self, answer: httpx.Response, url: str) -> object:
        try:
            found: object = answer.json()
        except ValueError as error:
            raise EndpointError(f"{url} answered something that is no JSON") from error
        return found

    def _refused(self, answer: httpx.Response, url: str) -> EndpointError:
        status = answer.status_code
        if status in (401, 403):
            said = f"the key in {self.key}" if self.key else f"a request without a key; name one in {self.setting}_key"
            return EndpointError(f"{url} refuses {said} ({status})", status=status)
        if status == 404:
            return EndpointError(f"{url} is not there (404)", hint=f"is {self.setting}_url right?", status=404)
        return EndpointError(f"{url} answered {status}: {answer.text[:200].strip()}", status=status)


def _asked_to_wait(answer: httpx.Response) -> float:
    try:
        return float(answer.headers.get("retry-after", "0"))
    except ValueError:
        return 0.0


@dataclass(slots=True)
class EndpointEmbedder:
    """`POST <url>/embeddings`. The prefixes are what some models want before a query and before a text."""

    endpoint: Endpoint
    model: str
    query_prefix: str = ""
    text_prefix: str = ""
    batch: int = BATCH
    _dimensions: int = field(default=0, init=False)

    @property
    def id(self) -> str:
        prefix = f" {self.text_prefix.strip()}" if self.text_prefix else ""
        return f"{self.model} at {urlsplit(self.endpoint.address).netloc}{prefix}"

    @property
    def dimensions(self) -> int:
        if not self._dimensions:
            self._dimensions = int(self._rows(["dimensions"]).shape[1])
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._all([self.text_prefix + text for text in texts])

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        return self._all([self.query_prefix + query for query in queries])

    def _all(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        pieces = [self._rows(texts[at : at + self.batch]) for at in range(0, len(texts), self.batch)]
        return np.concatenate(pieces) if pieces else np.zeros((0, self.dimensions), np.float32)

    def _rows(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        asked = {"model": self.model, "input": [text[:LONGEST] or " " for text in texts], "encoding_format": "float"}
        answer = self.endpoint.post("embeddings", asked)
        data = answer.get("data") if isinstance(answer, dict) else None
        try:
            found = {int(row["index"]): row["embedding"] for row in data or []}
            rows = np.array([found[at] for at in range(len(texts))], np.float32)
        except (KeyError, TypeError, ValueError) as error:
            raise EndpointError(f"{self.endpoint.address} answered something that is no list of vectors") from error
        if rows.ndim != 2 or not np.isfinite(rows).all():
            raise EndpointError(f"{self.endpoint.address} answered something that is no list of vectors")
        self._dimensions = rows.shape[1]
        length = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-9))
        return np.asarray(rows / length, np.float32)
