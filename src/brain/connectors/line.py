"""A line to an MCP server, over its standard streams or HTTP: bounded in time and in bytes, and never left hanging."""

from __future__ import annotations

import contextlib
import logging
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from brain.connectors import gate
from brain.connectors.kind import Place
from brain.errors import ConnectorError

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp import Client

BYTES = 64_000_000
"""Bytes that a server may say while it is open."""

LINE = 8_000_000
"""Bytes of one message."""

START = 4
"""How many time-outs long a server may take to start: programs that are fetched or built first are slow once."""

BREAKS = 2
"""Times that a line may break off."""

HIDDEN = ("HOME", "LOGNAME", "SHELL", "TERM", "USER", "USERNAME", "USERPROFILE", "LC_CTYPE")
"""Variables that the client would pass on by itself; a server sees those of them that the config names."""

_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
T = TypeVar("T")


class Line:
    """One open client. A server that cannot be reached, or twice breaks off, fails at once from then on: it costs two
    waits at most. A question that was not answered closes the line; the next one opens it again."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self._open: ExitStack | None = None
        self._portal: BlockingPortal | None = None
        self._client: Client | None = None
        self._dead: ConnectorError | None = None
        self._breaks = 0
        self._talk: IO[str] | None = None

    def ask(self, question: Callable[[Client], Awaitable[T]]) -> T:
        """The answer to one question, within the time-out. Raises ConnectorError."""
        if self._dead is not None:
            raise self._dead
        try:
            if self._client is None:
                self._connect()
            assert self._portal is not None
            return self._portal.call(self._in_time, question)
        except Exception as error:  # whatever a foreign server does ends here, as one reason
            failure = self._failure(error)
            if not _is_answer(error):
                self._breaks += 1
                if self._client is None or self._breaks >= BREAKS:
                    self._dead = failure
                self.close()
            raise failure from error

    def close(self) -> None:
        held, self._open, self._client, self._portal = self._open, None, None, None
        if held is not None:
            with contextlib.suppress(Exception):  # it was closing anyway
                held.close()

    async def _in_time(self, question: Callable[[Client], Awaitable[T]]) -> T:
        import anyio

        assert self._client is not None
        with anyio.fail_after(self.place.connector.timeout):
            return await question(self._client)

    def _connect(self) -> None:
        from anyio.from_thread import start_blocking_portal

        logging.getLogger("mcp.client").setLevel(logging.CRITICAL)  # its failures come back as errors
        stack = ExitStack()
        try:
            talk = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115 — closed by the stack
            self._talk = stack.enter_context(talk)
            self._portal = stack.enter_context(start_blocking_portal())
            self._client = stack.enter_context(self._portal.wrap_async_context_manager(self._opened()))
        except BaseException as error:
            said = self._said()
            with contextlib.suppress(Exception):
                stack.close()
            self._portal = None
            raise ConnectorError(
                self.place.name, _reason(error, START * self.place.connector.timeout, said), hint=self._hint()
            ) from error
        self._open = stack

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Client]:
        """The client, connected before its time is over."""
        import anyio
        from mcp import Client
        from mcp_types import Implementation

        with anyio.CancelScope() as scope:
            patience = START * self.place.connector.timeout
            scope.deadline = anyio.current_time() + patience
            async with Client(
                self._transport(),
                read_timeout_seconds=patience,
                client_info=Implementation(name="brain", version="1"),
                cache=None,
            ) as client:
                scope.deadline = float("inf")
                yield client
        if scope.cancelled_caught:
            raise TimeoutError

    def _transport(self) -> Any:
        if self.place.connector.command:
            return self._program()
        return self._address()

    def _program(self) -> Any:
        from mcp import StdioServerParameters
        from mcp.client.stdio import stdio_client

        table = self.place.connector
        given = {name: value for name in table.environment if (value := self.place.secret(name)) is not None}
        hidden = [name for name in HIDDEN if name not in given]
        arguments = ["-I", gate.__file__, str(BYTES), str(LINE), ",".join(hidden), *table.command]
        assert self._talk is not None
        return stdio_client(
            StdioServerParameters(command=sys.executable, args=arguments, env=given, cwd=Path(tempfile.gettempdir())),
            errlog=self._talk,  # type: ignore[arg-type]
        )

    def _address(self) -> AbstractAsyncContextManager[Any]:
        from brain.connectors.web import bounded_client

        table = self.place.connector
        parts = urlsplit(table.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConnectorError(self.place.name, f"url = {table.url!r} is no http address")
        if parts.username or parts.password:
            raise ConnectorError(self.place.name, "its url holds a password", hint='token = "NAME_OF_A_VARIABLE"')
        token = self.place.secret(table.token) if table.token else None
        if table.token and token is None:
            raise ConnectorError(
                self.place.name, f"the variable {table.token} is not set", hint=f"export {table.token}=…"
            )
        if token and parts.scheme == "http" and parts.hostname not in _HERE:
            raise ConnectorError(self.place.name, "its token would go over an open line", hint="use https")
        return bounded_client(table.url, token=token, seconds=table.timeout, most=BYTES)

    def _failure(self, error: BaseException) -> ConnectorError:
        if isinstance(error, ConnectorError):
            return error
        reason = _reason(error, self.place.connector.timeout, self._said())
        return ConnectorError(self.place.name, reason, hint=self._hint())

    def _said(self) -> str:
        """The last line of a server's own messages."""
        try:
            if self._talk is None or self._talk.closed:
                return ""
            self._talk.seek(0)
            lines = self._talk.read(gate.TALK).strip().splitlines()
        except (OSError, ValueError):
            return ""
        return lines[-1].strip()[:200] if lines else ""

    def _hint(self) -> str:
        return f"brain connector check {self.place.name}"


def _is_answer(error: Exception) -> bool:
    """Whether a server that is well said no."""
    from mcp import MCPError
    from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT

    return isinstance(error, MCPError) and error.code not in (CONNECTION_CLOSED, REQUEST_TIMEOUT)


def _reason(error: BaseException, seconds: float, said: str) -> str:
    """One line on why a server did not answer."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, ConnectorError):
        return error.reason
    tail = f" ({said})" if said else ""
    if isinstance(error, TimeoutError) or "Timed out" in str(error):
        return f"no answer within {seconds:g} seconds{tail}"
    words = " ".join(str(error).split())[:200] or type(error).__name__
    return f"the server cannot be used: {words}{tail}"
