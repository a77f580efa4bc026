"""What an agent that answers starts with: what it is told, the map of memory, the question. The same by hand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from brain.agents.prompts import fenced, prompt
from brain.config import Config
from brain.corpus.corpus import Corpus
from brain.text import clip
from brain.tree import layout

COMMANDS = ("cat", "ls", "grep", "sed", "head", "tail", "find", "wc", "sort", "uniq", "cut", "tr", "awk")
"""What the prompt names; the sandbox, not this list, is what holds."""

TOOLS = {
    "recall": "the tool `recall`",
    "show": "The tool `show`, with a page and a citation's number or with a source,",
    "form": "Statements, and what is missing:",
}
BY_COMMAND = {
    "recall": "`brain recall 'what is needed' --into .`",
    "show": "`brain show <page> cite:<number>`, or `brain show '<source>'`,",
    "form": 'Print one JSON object last: {"statements": [{"text": "…", "cites": ["…"]}], "missing": ""}',
}
BY_HAND = BY_COMMAND | {"recall": "`brain recall 'what is needed'`", "form": "Statements, and what is missing:"}
"""What the same instructions name for an agent of ours, one with a shell of its own, and a person or agent in
the memory folder itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What an answerer works with: the memory at `root` through `corpus`, and a working set in `folder`."""

    root: Path
    config: Config
    corpus: Corpus
    folder: Path
    today: date


def instructions(root: Path, means: dict[str, str]) -> str:
    """What an answering agent is told before anything of memory."""
    return prompt("answer", root, **means)


def by_hand(place: Place, question: str) -> str:
    """All of it as one text, for whoever plays the agent in the memory folder itself."""
    first, rest = opening(place, question)
    where = f"The folder is {place.folder}: memory itself, all of it. Read it, and change nothing.\n"
    return "\n".join([instructions(place.root, BY_HAND), first, rest + where])


def opening(place: Place, question: str, *, has_shell: bool = True) -> tuple[str, str]:
    """The first message in two parts: the map, the same for every question of a day, and the question."""
    index = place.folder / layout.KNOWLEDGE_INDEX
    shell = f"There is a shell in the folder, to read only: {', '.join(COMMANDS)}."
    text = prompt(
        "question",
        place.root,
        map=fenced("map", index.read_text("utf-8") if index.is_file() else "The wiki has no pages yet."),
        question=clip(question, 8_000),
        today=place.today.isoformat(),
        place=shell if has_shell else "There is no shell; read, list and search files with the tools.",
    )
    first, mark, rest = text.partition("\nQuestion:\n")
    return first, (mark + rest).lstrip("\n")
