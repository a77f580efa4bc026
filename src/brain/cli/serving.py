"""`brain serve`: a brain for sandboxes and other machines, over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brain.cli.output import talk
from brain.cli.place import Memory, open_brain

if TYPE_CHECKING:
    from brain.brain import Brain


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; the default is this machine alone.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8484,
    token_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Holds the token that readers must send. Default: BRAIN_TOKEN.")
    ] = None,
    memory: Memory = None,
) -> None:
    """Serve this brain behind a token; MCP hosts find it at /mcp.

    Its files, search and recall are for sandboxes and other machines.

    Example: BRAIN_TOKEN=$(head -c 24 /dev/urandom | base64) brain serve --port 8484
    """
    from brain.config import token_from_environment
    from brain.errors import UsageError
    from brain.serve.mcp import make_server
    from brain.serve.run import bind, checked_token, read_token, serve

    brain = open_brain(memory, background="thread")
    given = token_from_environment()
    if token_file is None and given is None:
        raise UsageError("a server needs a token", hint="brain serve --token-file FILE, or set BRAIN_TOKEN")
    token = read_token(token_file) if token_file else checked_token(given or "")
    taken = bind(host, port)
    address, number = taken.getsockname()[:2]
    print(f"http://{f'[{address}]' if ':' in address else address}:{number}", flush=True)
    talk("serving until interrupted; readers set BRAIN_SERVER to this address and BRAIN_TOKEN to the token")
    with brain, brain.near() as near:
        brain.follow()
        serve(near.corpus, taken, token=token, show=brain.show, agent=near.agent, mcp=make_server(brain))


def mcp(memory: Memory = None) -> None:
    """Serve this brain to an agent over MCP, on the standard streams.

    A host starts it: its entry is the command `brain` with the argument `mcp`.

    Example: claude mcp add brain -- brain mcp --memory ~/memory
    """
    from contextlib import ExitStack

    import anyio

    from brain.config import Config
    from brain.serve.mcp import make_server

    with ExitStack() as opened:

        def open_() -> Brain:
            brain = open_brain(memory, background="thread")
            opened.callback(brain.close)
            return brain

        if memory is not None:
            Config.load(memory)  # a host is told at once that there is no brain; all else waits until it is asked
        anyio.run(make_server(open_ if memory else open_()).run_stdio_async)
