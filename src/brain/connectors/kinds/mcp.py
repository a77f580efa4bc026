"""MCP servers, started as a program or reached over HTTP: their resources, and those of their tools that only read.

A tool is called when its server says that it only reads (`readOnlyHint`), or when the config names it under `allow`.
A record is the answer of a tool (`tool:NAME?{arguments}`) or a resource (`resource:URI`).
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from brain.connectors.kind import TEXT, Entry, Kind, Place
from brain.connectors.line import Line
from brain.connectors.tidy import tidy
from brain.errors import ConnectorError, NotFound
from brain.text import one_line
from brain.tree.snapshot import Record

if TYPE_CHECKING:
    from mcp import Client
    from mcp_types import Resource, Tool

PAGES = 10
"""Pages of a server's lists that are asked for."""

ASKED = ("query", "q", "search", "text", "keywords", "term", "terms", "name")
"""Names of the argument with which a tool is searched."""


class Mcp:
    """One server; it is started or reached with the first question."""

    def __init__(self, place: Place) -> None:
        table = place.connector
        if bool(table.command) == bool(table.url):
            raise ConnectorError(
                place.name, "needs a command or a url, and one of them only",
                hint=f'[connectors.{place.name}] command = ["program", "argument"]',
            )  # fmt: skip
        self.place = place
        self.line = Line(place)
        self._tools: dict[str, Tool] | None = None
        self._slow: set[str] = set()

    def check(self) -> str:
        tools = self._readable()
        number = len(self._resources())
        return f"{len(tools)} tools that only read, {number} resources"

    def list(self, since: date | None = None, until: date | None = None) -> Iterator[Entry]:
        for name, tool in sorted(self._readable().items()):
            said = one_line(tool.description or "")[:200]
            yield Entry(id=_tool_id(name, {}), kind="tool", title=f"{name}: {said}" if said else name)
        for one in self._resources():
            said = one_line(one.title or one.name or "")[:200]
            yield Entry(id=f"resource:{one.uri}", kind="resource", title=said or str(one.uri))

    def search(self, query: str, limit: int) -> Sequence[Entry]:
        found: list[Entry] = []
        failed: ConnectorError | None = None
        for name, tool in sorted(self._readable().items()):
            argument = _searched_by(tool)
            if argument is None or len(found) >= limit or name in self._slow:
                continue
            id = _tool_id(name, {argument: query})
            try:
                record = self.fetch(id)
            except NotFound:
                continue
            except ConnectorError as error:  # this tool is not asked again; what the others say counts
                self._slow.add(name)
                self.place.skipped[f"tool {name}: {error.reason}"] += 1
                failed = error
                continue
            if record.text.strip():
                found.append(Entry(id=id, kind="tool", title=record.title, text=record.text))
        if failed is not None and not found:
            raise failed
        return found

    def fetch(self, id: str) -> Record:
        if id.startswith("resource:"):
            return self._resource(id)
        name, arguments = _read_tool_id(id)
        if name not in self._readable():
            raise NotFound(
                f"connector {self.place.name!r} has no tool {name!r} that only reads",
                hint=f"brain connector list {self.place.name}; allow = [{name!r}] permits a tool by name",
            )
        answer = self.line.ask(lambda client: client.call_tool(name, arguments))
        text = _words(answer.content, answer.structured_content)
        if answer.is_error:
            self.place.skipped[f"tool {name} failed: {one_line(text)[:100]}"] += 1
            raise NotFound(f"connector {self.place.name!r}: tool {name!r} failed: {one_line(text)[:200]}")
        said = ", ".join(str(value) for value in arguments.values())
        return Record(
            kind="tool", id=_tool_id(name, arguments), title=one_line(f"{name}: {said}" if said else name)[:300],
            text=tidy(text, TEXT),
        )  # fmt: skip

    def close(self) -> None:
        self.line.close()
        self._tools = None

    def _resource(self, id: str) -> Record:
        address = id.removeprefix("resource:")
        known = {str(one.uri): one for one in self._resources()}
        if address not in known:
            raise NotFound(f"connector {self.place.name!r} lists no resource {address!r}")
        answer = self.line.ask(lambda client: client.read_resource(address))
        parts = [getattr(part, "text", None) or f"[{part.mime_type or 'data'}, not kept]" for part in answer.contents]
        title = one_line(known[address].title or known[address].name or address)[:300]
        return Record(kind="resource", id=id, title=title, text=tidy("\n\n".join(parts), TEXT))

    def _readable(self) -> dict[str, Tool]:
        """The tools that may be called, by name."""
        if self._tools is None:
            tools = self.line.ask(_all_tools)
            allow = self.place.connector.allow
            self._tools = {tool.name: tool for tool in tools if tool.name in allow or _only_reads(tool)}
            if left := len(tools) - len(self._tools):
                self.place.skipped["tools that may write"] += left
        return self._tools

    def _resources(self) -> Sequence[Resource]:
        return self.line.ask(_all_resources)


async def _all_tools(client: Client) -> list[Tool]:
    if client.server_capabilities.tools is None:
        return []
    return [tool for page in await _pages(client.list_tools) for tool in page.tools]


async def _all_resources(client: Client) -> list[Resource]:
    if client.server_capabilities.resources is None:
        return []
    return [resource for page in await _pages(client.list_resources) for resource in page.resources]


async def _pages(ask: Callable[..., Awaitable[Any]]) -> list[Any]:
    """What a list comes to, page after page, within reason."""
    found: list[Any] = []
    for _ in range(PAGES):
        found.append(await ask(cursor=found[-1].next_cursor if found else None))
        if not found[-1].next_cursor:
            break
    return found


def _only_reads(tool: Tool) -> bool:
    marks = tool.annotations
    return marks is not None and marks.read_only_hint is True and marks.destructive_hint is not True


def _searched_by(tool: Tool) -> str | None:
    """The argument that takes a query: the one string a tool requires, or one that is called so."""
    schema = tool.input_schema if isinstance(tool.input_schema, dict) else {}
    properties = schema.get("properties")
    required = schema.get("required") or []
    if not isinstance(properties, dict) or not isinstance(required, list):
        return None
    texts = [name for name, one in properties.items() if isinstance(one, dict) and one.get("type") == "string"]
    named = next((name for name in ASKED if name in texts), None)
    if named and set(required) <= {named}:
        return named
    return str(required[0]) if len(required) == 1 and required[0] in texts else None


def _tool_id(name: str, arguments: dict[str, Any]) -> str:
    return f"tool:{name}?{json.dumps(arguments, ensure_ascii=False, sort_keys=True, separators=(',', ':'))}"


def _read_tool_id(id: str) -> tuple[str, dict[str, Any]]:
    name, _, written = id.removeprefix("tool:").partition("?")
    try:
        arguments = json.loads(written or "{}")
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        raise NotFound(f"not a tool with its arguments: {id!r}", hint='tool:NAME?{"query":"words"}')
    return name, arguments


def _words(content: Sequence[Any], structured: Any) -> str:
    parts = [part.text if part.type == "text" else f"[{part.type}, not kept]" for part in content]
    if not any(part.strip() for part in parts) and structured is not None:
        return json.dumps(structured, ensure_ascii=False, sort_keys=True, indent=1)
    return "\n\n".join(parts)


KIND = Kind(
    name="mcp",
    title="Any MCP server, by command or url: its resources and the tools that only read",
    needs=("command", "url"),
    acts=True,
    asked=True,
    open=Mcp,
)
