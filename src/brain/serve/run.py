"""Serving one brain until stopped: the socket, the token, the address others use."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn

from brain.corpus.corpus import Corpus
from brain.errors import UsageError
from brain.explore.recall import MemoryAgent
from brain.serve.app import Show, make_app

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

LEAST_TOKEN = 16  # characters


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one. Raises UsageError when the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host, port))
        taken.listen(128)  # from here on callers wait until the application is there
    except OSError as error:
        taken.close()
        raise UsageError(
            f"cannot listen on {host}:{port}: {error.strerror}", hint="--port 0 takes a free one"
        ) from error
    return taken


def serve(
    corpus: Corpus,
    taken: socket.socket,
    *,
    token: str,
    show: Show | None = None,
    agent: MemoryAgent | None = None,
    mcp: MCPServer[Any] | None = None,
) -> None:
    """Answer requests until interrupted; `agent` recalls, `mcp` answers at /mcp."""
    settings = uvicorn.Config(
        make_app(corpus, token=token, show=show, agent=agent, mcp=mcp),
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="on" if mcp else "off",
    )
    uvicorn.Server(settings).run(sockets=[taken])


def read_token(file: Path) -> str:
    """A token from a file. Raises UsageError when there is none, or one too short to keep anybody out."""
    try:
        token = file.read_text("utf-8").strip()
    except FileNotFoundError:
        raise UsageError(f"no token file {str(file)!r}", hint=f"head -c 32 /dev/urandom | base64 > {file}") from None
    return checked_token(token)


def checked_token(token: str) -> str:
    if len(token) < LEAST_TOKEN or not token.isascii() or any(ch.isspace() for ch in token):
        raise UsageError(
            f"a token has at least {LEAST_TOKEN} ASCII characters and no spaces",
            hint="head -c 32 /dev/urandom | base64 > token",
        )
    return token
