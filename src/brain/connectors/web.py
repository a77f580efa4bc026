"""The HTTP client under a line to an MCP server: no proxies from the environment, and no more bytes than agreed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.client.streamable_http import streamable_http_client


@asynccontextmanager
async def bounded_client(url: str, *, token: str | None, seconds: float, most: int) -> AsyncIterator[Any]:
    """The streams of a streamable HTTP connection whose responses hold at most `most` bytes each."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    transport = _Bounded(httpx2.AsyncHTTPTransport(trust_env=False, retries=0), most)
    timeout = httpx2.Timeout(seconds)
    async with (
        httpx2.AsyncClient(transport=transport, headers=headers, timeout=timeout, trust_env=False) as client,
        streamable_http_client(url, http_client=client) as streams,
    ):
        yield streams


class _Bounded(httpx2.AsyncBaseTransport):
    """Another transport, each response of which ends with an error when it is too long."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, most: int) -> None:
        self.inner = inner
        self.most = most

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self.inner.handle_async_request(request)
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        return httpx2.Response(
            status_code=response.status_code,
            headers=response.headers,
            stream=_Counted(response.stream, self.most),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        await self.inner.aclose()


class _Counted(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, most: int) -> None:
        self.inner = inner
        self.left = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self.inner:
            self.left -= len(chunk)
            if self.left < 0:
                raise httpx2.ReadError("the server says more than is read")
            yield chunk

    async def aclose(self) -> None:
        await self.inner.aclose()
