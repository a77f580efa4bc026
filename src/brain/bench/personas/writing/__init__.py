"""Sessions as hosts write them down: one module a host, each with `write(folder, persona, sessions, chance)`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from brain.bench.personas.chance import Chance
from brain.bench.personas.ledger import Persona, Session
from brain.bench.personas.writing import chatgpt, claude_ai, claude_code, codex, dialogue, gemini_cli

Write = Callable[[Path, Persona, list[Session], Chance], None]

HOSTS: dict[str, Write] = {
    "chatgpt": chatgpt.write,
    "claude-ai": claude_ai.write,
    "claude-code": claude_code.write,
    "codex": codex.write,
    "dialogue": dialogue.write,
    "gemini-cli": gemini_cli.write,
}
"""By the name that an import gives as the source."""
