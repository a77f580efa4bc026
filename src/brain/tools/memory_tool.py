"""The commands of Anthropic's memory tool (`memory_20250818`) over a brain, for reading all of it and writing notes.

    MemoryTool(brain).execute({"command": "view", "path": "/memories"})

`/memories` is the memory tree as agents may see it. What is written goes two ways only: to a note file, where each line
becomes a note with a turn of its own, marked `^[assistant]`; or, with `run`, into the proposed tree of that open run,
whose check decides. The commands, their fields and first lines of answers are as the helper classes of the `anthropic`
package have them (version 2.14, `lib/tools/_beta_builtin_memory_tool.py`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from brain.agents.prompts import fenced
from brain.config import run_from_environment
from brain.errors import BrainError, NotFound, UsageError
from brain.explore.open_tree import OpenTree
from brain.noting import SOURCE
from brain.text import counted
from brain.tools import filing, viewing
from brain.tools.places import inside, note_to_write, shown
from brain.tools.proposing import Proposal
from brain.tree.files import Tree
from brain.tree.layout import SESSION_INDEX, note_id
from brain.tree.note import NoteFile, Snippet, parse
from brain.tree.sessions import parse_rows

if TYPE_CHECKING:
    from brain.brain import Brain

COMMANDS: Mapping[str, tuple[str, ...]] = {
    "view": ("path",),
    "create": ("path", "file_text"),
    "str_replace": ("path", "old_str"),
    "insert": ("path", "insert_line", "insert_text"),
    "delete": ("path",),
    "rename": ("old_path", "new_path"),
}
"""Each command with the fields that it must have; `view_range` of view and `new_str` of str_replace may be left out."""

Command = Mapping[str, Any]


class MemoryTool:
    """The tool of one brain. `run` is the open run whose tree it may write; else BRAIN_RUN, else it keeps to notes.

    `dry_run`: commands say what they would do and write nothing.
    """

    def __init__(self, brain: Brain, *, run: str | None = None, dry_run: bool = False) -> None:
        self._brain = brain
        self._tree = OpenTree(brain.root)
        self._run = run or run_from_environment()
        self._dry = dry_run
        self._alone = threading.RLock()

    def execute(self, command: Command) -> str:
        """What the command answers. Raises BrainError with what would work instead."""
        name = command.get("command")
        if not isinstance(name, str) or name not in COMMANDS:
            raise UsageError(f"Unknown command: {name}", hint=f"one of {', '.join(COMMANDS)}")
        if lacking := [field for field in COMMANDS[name] if command.get(field) is None]:
            raise UsageError(f"{name} needs `{lacking[0]}`", hint=f"its fields are {', '.join(COMMANDS[name])}")
        work: Callable[[Command], str] = getattr(self, f"_{name}")
        with self._alone:
            try:
                return work(command) + ("\n(nothing was written: a dry run)" if self._dry and name != "view" else "")
            except OSError as error:
                raise BrainError(f"memory cannot be read or written: {error.strerror or error}") from error

    # -- reading

    def _view(self, command: Command) -> str:
        path = self._at(command["path"])
        tree = self._seen()
        if path in tree:
            return viewing.file(tree.read(path), path, command.get("view_range"))
        paths = list(self._under(tree, path))
        if paths or not path:
            return viewing.folder(tree, path, paths)
        raise _absent(path)

    # -- writing

    def _create(self, command: Command) -> str:
        path, text = self._at(command["path"]), _text(command, "file_text")
        if path in self._seen():
            raise UsageError(f"File {shown(path)} already exists", hint="str_replace or insert changes it")
        done = f"File created successfully at: {shown(path)}"
        if (proposal := self._proposal(path)) is not None:
            return f"{done}{proposal.write(path, text)}"
        plan = filing.fresh(text, self._most)
        if not plan.added:
            raise UsageError("the text holds no sentence to keep", hint="write one sentence a line")
        return f"{done}{self._keep(note_to_write(path), plan)}"

    def _str_replace(self, command: Command) -> str:
        path, old = self._at(command["path"]), _text(command, "old_str")
        text = self._text_of(path)
        places = _occurrences(text, old)
        if not places:
            raise UsageError(
                f"No replacement was performed, old_str `{old}` did not appear verbatim in {shown(path)}.",
                hint=f"view {shown(path)}",
            )
        if len(places) > 1:
            lines = ", ".join(str(text.count("\n", 0, place) + 1) for place in places)
            raise UsageError(
                f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
                "Please ensure it is unique"
            )
        new = text[: places[0]] + _text(command, "new_str") + text[places[0] + len(old) :]
        kept = self._put(path, text, new)
        line = text.count("\n", 0, places[0]) + 1
        now = self._seen().read(path) if path in self._seen() else ""
        snippet = fenced(shown(path), viewing.around(now, line)) if now else "(the file is empty and gone)"
        head = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
        return f"{head}\n{snippet}{kept}"

    def _insert(self, command: Command) -> str:
        path, at = self._at(command["path"]), command["insert_line"]
        text = self._text_of(path)
        lines = text.removesuffix("\n").split("\n")
        if type(at) is not int or not 0 <= at <= len(lines):
            raise UsageError(f"Invalid `insert_line` parameter: {at}. It should be within the range [0, {len(lines)}].")
        given = _text(command, "insert_text").rstrip("\n")
        if self._proposal(path) is None:  # notes stand in the order of time
            at = len(lines)
        new = "\n".join([*lines[:at], given, *lines[at:]]) + "\n"
        return f"The file {shown(path)} has been edited.{self._put(path, text, new)}"

    def _delete(self, command: Command) -> str:
        path = self._at(command["path"])
        if not path:
            raise UsageError("Cannot delete the /memories directory itself")
        done = f"Successfully deleted {shown(path)}"
        if (proposal := self._proposal(path)) is not None:
            return f"{done}{proposal.delete(self._files(path))}"
        files = [note_to_write(file) for file in self._files(path)]
        plans = {file: filing.all_own(self._note(file), self._own) for file in files}
        for file, gone in () if self._dry else plans.items():
            self._brain.edit_notes(note_id(file) or file, [], gone=gone)
        return done

    def _rename(self, command: Command) -> str:
        old, new = self._at(command["old_path"]), self._at(command["new_path"])
        if not old:
            raise UsageError("Cannot rename the /memories directory itself")
        tree = self._seen()
        files = self._files(old)
        if new in tree or (new and any(self._under(tree, new))) or new == old:
            raise UsageError(f"The destination {shown(new)} already exists")
        moves = {file: new + file[len(old) :] for file in files}
        done = f"Successfully renamed {shown(old)} to {shown(new)}"
        if (proposal := self._proposal(old)) is not None:
            return f"{done}{proposal.rename(moves)}"
        moves = {note_to_write(file): note_to_write(place) for file, place in moves.items()}
        if not self._dry:
            self._brain.move_notes(moves)
        return done

    # -- what they stand on

    def _at(self, path: object) -> str:
        """The path in the tree. Raises UsageError for one that leads out of memory, through a link too."""
        found = inside(path)
        if self._tree.linked(found):
            raise UsageError(f"Path {path} would escape /memories directory via symlink")
        return found

    def _put(self, path: str, text: str, new: str) -> str:
        """A changed file: proposed in the run, or as notes."""
        if (proposal := self._proposal(path)) is not None:
            return proposal.write(path, new)
        plan = filing.edited(parse(text, note_to_write(path)), new, self._most, self._own)
        if not plan.added and not plan.gone:
            raise UsageError("nothing would change", hint="write one sentence a line")
        return self._keep(path, plan)

    def _keep(self, path: str, plan: filing.Plan) -> str:
        """Write notes; in a few words what became of the lines."""
        if not self._dry:
            self._brain.edit_notes(note_id(path) or path, plan.added, gone=dict(plan.gone), title=plan.title)
        told = []
        if plan.added:
            count = counted(len(plan.added), "note")
            told.append(f"{count} added at the end, each one sentence, as the assistant's until the user says it")
        if plan.gone:
            told.append(f"{len(plan.gone)} taken out")
        if plan.frame:
            told.append(f"{plan.frame} lines of headings or markup left out")
        return f"\n({'; '.join(told)})" if told else ""

    def _proposal(self, path: str) -> Proposal | None:
        return Proposal(self._brain, self._run, dry_run=self._dry) if self._run else None

    def _seen(self) -> Tree:
        """The tree as the next command sees it: with what the run proposes."""
        return Proposal(self._brain, self._run).over(self._tree) if self._run else self._tree

    def _under(self, tree: Tree, path: str) -> Iterator[str]:
        return (found for found in tree.paths(f"{path}/" if path else "") if not found.startswith("."))

    def _files(self, path: str) -> list[str]:
        """The file, or the files of the folder. Raises NotFound."""
        tree = self._seen()
        found = [path] if path in tree else list(self._under(tree, path))
        if not found:
            raise NotFound(f"The path {shown(path)} does not exist", hint="view /memories")
        return found

    def _text_of(self, path: str) -> str:
        tree = self._seen()
        if path in tree:
            return tree.read(path)
        if any(self._under(tree, path)) or not path:
            raise UsageError(f"The path {shown(path)} is not a file.")
        raise _absent(path)

    def _note(self, path: str) -> NoteFile:
        return parse(self._tree.read(path), path)

    def _own(self, one: Snippet) -> bool:
        """Whether a note is an agent's own: it says so, and its session is a note that was kept."""
        session = filing.session_of(one)
        if not filing.by_assistant(one) or session is None:
            return False
        lines = self._tree.read(SESSION_INDEX).split("\n")
        return any(row.source == SOURCE for line in lines if session in line for row in parse_rows(line))

    @property
    def _most(self) -> int:
        return self._brain.config.limits.snippet_words


def _absent(path: str) -> NotFound:
    return NotFound(f"The path {shown(path)} does not exist. Please provide a valid path.", hint="view /memories")


def _text(command: Command, field: str) -> str:
    value = command.get(field, "")
    if value is not None and not isinstance(value, str):
        raise UsageError(f"`{field}` is a text")
    return value or ""


def _occurrences(text: str, part: str) -> list[int]:
    if not part:
        raise UsageError("`old_str` is empty", hint="insert adds lines")
    found, at = [], text.find(part)
    while at >= 0:
        found.append(at)
        at = text.find(part, at + 1)
    return found
