"""`brain memory-tool`: the commands of Anthropic's memory tool, for a host in any language that passes them on."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from brain.cli.place import DryRun, Json, Memory, open_brain
from brain.errors import BrainError, UsageError

if TYPE_CHECKING:
    from brain.tools.memory_tool import MemoryTool


def memory_tool(
    command: Annotated[
        str | None, typer.Argument(metavar="JSON", help="One command, or the tool_use block around it. Default: stdin.")
    ] = None,
    run: Annotated[
        str | None, typer.Option(metavar="RUN", help="An open run whose proposed tree may be written beside notes.")
    ] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="Answer each line of stdin with a line of JSON, until it ends.")
    ] = False,
    memory: Memory = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Do one command of Anthropic's memory tool over this brain.

    view, create, str_replace, insert, delete, rename under /memories. Writing keeps notes, as the assistant's. A
    tool_use block is answered by its tool_result block. The exit code is 1 when the command could not be done.

    Example: brain memory-tool '{"command": "view", "path": "/memories"}'
    """
    from brain.tools.memory_tool import MemoryTool

    with open_brain(memory) as brain:
        tool = MemoryTool(brain, run=run, dry_run=dry_run)
        if lines:
            for line in filter(str.strip, sys.stdin):
                print(json.dumps(_answered(tool, line), ensure_ascii=False), flush=True)
            return
        answer = _answered(tool, command if command is not None else sys.stdin.read())
    block = "tool_use_id" in answer
    print(json.dumps(answer, ensure_ascii=False, indent=2) if as_json or block else answer["content"])
    if answer["is_error"]:
        raise typer.Exit(1)


def _answered(tool: MemoryTool, text: str) -> dict[str, Any]:
    """What a host sends back: the content and whether it is an error, as a tool_result block when it asked by one."""
    from brain.tools.verbs import said

    frame: dict[str, Any] = {}
    try:
        asked = _object(text)
        if isinstance(asked.get("input"), dict):
            frame = {"type": "tool_result", "tool_use_id": str(asked.get("id", ""))}
            asked = asked["input"]
        return {**frame, "content": tool.execute(asked), "is_error": False}
    except BrainError as error:
        return {**frame, "content": said(error), "is_error": True}


def _object(text: str) -> dict[str, Any]:
    try:
        asked = json.loads(text)
    except ValueError as error:
        raise UsageError(f"the command is no JSON: {error}", hint='{"command": "view", "path": "/memories"}') from error
    if not isinstance(asked, dict):
        raise UsageError("the command is no JSON object", hint='{"command": "view", "path": "/memories"}')
    return asked
