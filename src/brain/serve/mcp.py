"""Memory as a Model Context Protocol server: six tools, the index and pages as resources, one prompt for exploring.

    brain mcp                                  over the standard streams, for hosts that start their servers

The tools are those of `brain.tools`. Nothing is read at the start: the brain is opened when the first tool is called.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from brain.errors import BrainError
from brain.tools.callables import faults
from brain.tools.verbs import MANNER, NAMES, WRITES, Open, Verbs, explore, said

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from brain.brain import Brain

INSTRUCTIONS = f"{MANNER} Read brain://index first."
INDEX, PAGE = "brain://index", "brain://page/{kind}/{slug}"


def make_server(brain: Brain | Open) -> MCPServer[Any]:
    """The server of one brain, or of one to be opened. Calls to it are answered one after the other."""
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp_types import ToolAnnotations

    verbs = Verbs(brain)

    class Server(MCPServer[Any]):
        """Says of wrong arguments which they are and what the tool takes."""

        async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
            if name in NAMES and (fault := faults(getattr(verbs, name), arguments)):
                raise ToolError(fault)
            return await super().call_tool(name, arguments, context)

    server = Server("brain", instructions=INSTRUCTIONS, version=version("brain"), log_level="ERROR")
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    writes = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
    for name in NAMES:
        server.add_tool(_told(getattr(verbs, name)), annotations=writes if name in WRITES else reads)

    def page(kind: str, slug: str) -> str:
        """One page of the wiki by its id."""
        return verbs.read(f"{kind}/{slug}")

    server.resource(INDEX, mime_type="text/markdown", title="Compact index of memory")(_told(verbs.index))
    server.resource(PAGE, mime_type="text/markdown", title="A page of the wiki")(_told(page))
    server.prompt(title="Explore memory")(explore)
    return server


def _told(verb: Callable[..., str]) -> Callable[..., str]:
    """A verb whose errors are the protocol's, with what would work."""
    from mcp.server.mcpserver.exceptions import ToolError

    @wraps(verb)
    def answer(*args: Any, **kwargs: Any) -> str:
        try:
            return verb(*args, **kwargs)
        except BrainError as error:
            raise ToolError(said(error)) from error

    return answer
