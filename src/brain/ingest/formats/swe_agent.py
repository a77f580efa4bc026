"""Trajectories of software agents: SWE-agent's `.traj` and mini-swe-agent's, which keep the messages of a run.

{"environment": "…", "trajectory": [{"action": "ls", "observation": "rig.md", "response": "…", "thought": "…"}],
 "history": [{"role": "system", "content": "…"}, {"role": "user", "content": "…"}], "info": {…}}
{"trajectory_format": "mini-swe-agent-1", "info": {…}, "messages": [{"role": "user", "content": "…"}]}
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from brain.ingest.blocks import Call, Result, arguments_text, call_of, said
from brain.ingest.messages import Speaking
from brain.ingest.raw import RawSession, RawTurn, Skips
from brain.ingest.source import Head, items
from brain.types import Role

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "tool": Role.TOOL}


class SWEAgent:
    name = "swe-agent"
    title = "SWE-agent and mini-swe-agent trajectories"
    where = "`.traj`, `.traj.json`"
    known_by = "`instance_id`, else file name"
    times = "none"
    kept = "the task, the agent's words, its commands and what they gave back"
    dropped = "demonstrations (of another run); states and costs (records of the tool); reasoning (said to nobody)"

    def detect(self, head: Head) -> int:
        record = head.records[0] if head.json == "object" and head.records else {}
        if isinstance(record.get("trajectory"), list) and ("history" in record or "info" in record):
            return 92
        return 92 if "trajectory_format" in record and isinstance(record.get("messages"), list) else 0

    def read(self, path: Path, skips: Skips) -> Iterator[RawSession]:
        for _, whole in items(path, skips):
            if not isinstance(whole, dict):
                skips.damage("not a trajectory", path.name)
                continue
            history = whole.get("messages") or whole.get("history")
            named = whole.get("instance_id")
            turns = (
                _messages(history, skips)
                if isinstance(history, list) and history
                else _steps(whole.get("trajectory"), skips)
            )
            yield RawSession(
                source=self.name,
                external_id=named if isinstance(named, str) and named else path.name.partition(".traj")[0],
                turns=turns,
                place=path.name,
            )


FORMAT = SWEAgent()


def _messages(history: list[Any], skips: Skips) -> Iterator[RawTurn]:
    speaking = Speaking(skips)
    asked = False
    for position, one in enumerate(history, start=1):
        role = _ROLES.get(str(one.get("role"))) if isinstance(one, dict) else None
        if role is None:
            skips.damage("not a message", f"message {position}")
            continue
        if one.get("is_demo"):
            skips.leave("demonstration")
            continue
        try:
            yield from _message(one, role, asked, speaking)
        except (TypeError, ValueError, AttributeError, KeyError, AssertionError, RecursionError) as error:
            skips.damage(f"message does not read ({type(error).__name__})", f"message {position}")
        asked = asked or role is Role.USER


def _message(one: dict[str, Any], role: Role, asked: bool, speaking: Speaking) -> Iterator[RawTurn]:
    content = said(one.get("content"), speaking.skips)
    observed = role is Role.USER and (one.get("message_type") == "observation" or (asked and "message_type" not in one))
    if role is Role.TOOL or observed:  # after the task, what comes as the user's is what the commands gave back
        ids = one.get("tool_call_ids")
        named = one.get("tool_call_id") or (ids[0] if isinstance(ids, list) and ids else None)
        text = content.text.removeprefix("OBSERVATION:\n")
        yield from speaking.result(Result(id=named if isinstance(named, str) else None, text=text, files=content.files))
        return
    if content.text or content.files or not one.get("tool_calls"):
        yield from speaking.spoken(role, content, None)
    for call in one.get("tool_calls") or ():
        if isinstance(call, dict):
            yield from speaking.call(call_of(call))
    if role is Role.ASSISTANT and not one.get("tool_calls") and isinstance(one.get("action"), str) and one["action"]:
        yield from speaking.call(Call(id=None, name="shell", arguments=arguments_text({"command": one["action"]})))


def _steps(steps: Any, skips: Skips) -> Iterator[RawTurn]:
    """A run of which only the steps were kept."""
    speaking = Speaking(skips)
    for position, step in enumerate(steps if isinstance(steps, list) else (), start=1):
        if not isinstance(step, dict):
            skips.damage("not a step", f"step {position}")
            continue
        if any(step.get(key) and not isinstance(step[key], str) for key in ("response", "action", "observation")):
            skips.damage("step does not read", f"step {position}")
        words = step.get("response") or step.get("thought")
        if isinstance(words, str):
            yield from speaking.assistant(words)
        if isinstance(step.get("action"), str) and step["action"].strip():
            yield from speaking.call(Call(id=None, name="shell", arguments=arguments_text({"command": step["action"]})))
        if isinstance(step.get("observation"), str):
            yield from speaking.result(Result(id=None, text=step["observation"]))
