"""Questions by files: a folder a question that any agent can answer, and its answer read back from there.

    exported/run.json                    which folder is which question under which arm; nothing of the answers
    exported/001/README.md               what to do
    exported/001/start.md                what an agent of ours would be told: instructions, map, question
    exported/001/tree/                   the working set
    exported/001/memory                  asks memory: recall, show
    exported/001/answer.schema.json      the form of answer.json, which is what comes back

Numbers are drawn by the seed, so that a folder's name says nothing of its arm.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from pydantic import ConfigDict, Field, ValidationError

from brain.agents.citing import Citing
from brain.agents.openings import COMMANDS, Place, instructions, opening
from brain.agents.prompts import prompt
from brain.agents.replied import Reply, ReplyReader
from brain.agents.trace import Used, opened
from brain.bench.asked import Asked, Given
from brain.bench.desk import Desk
from brain.bench.readers.agent import given, hide
from brain.bench.readers.at_hand import DESK, OPENED
from brain.bench.readers.whole import transcripts
from brain.config import Config
from brain.errors import FormatError
from brain.tree import transcript
from brain.tree.layout import KNOWLEDGE_INDEX
from brain.types import Spent

ANSWER, SCHEMA, START, README, MEMORY, TREE = (
    "answer.json", "answer.schema.json", "start.md", "README.md", "memory", "tree",
)  # fmt: skip
MEANS = {
    "recall": "`./memory recall 'what is needed'`",
    "show": "`./memory show <page> cite:<number>`, or `./memory show '<source>'`,",
    "form": "Write answer.json, as README.md says:",
}
TOOLS = (
    "   `./memory show <page> cite:<number>` prints the turns behind a citation, `./memory show '<source>'` a source."
)
RECALL = "   `./memory recall 'what is needed'` searches all of memory and brings the files it finds into `tree/`."


class Answer(Reply):
    """What comes back as answer.json."""

    model_config = ConfigDict(extra="ignore")
    opened: list[str] = Field(default_factory=list)
    tokens_in: int = 0
    tokens_out: int = 0


def write(desk: Desk, asked: Asked, folder: Path) -> None:
    """The folder of one question at a desk; what was there before goes, but an answer stays."""
    desk.at(asked)
    arm, tree = desk.arm, folder / TREE
    if tree.exists():
        _open(tree)
        shutil.rmtree(tree)
    folder.mkdir(parents=True, exist_ok=True)
    has_memory = arm.context == "memory"
    with desk.brain.answering() as place:
        if has_memory:
            shutil.copytree(place.folder, tree, symlinks=True)
            if not arm.has_map:
                hide(tree / KNOWLEDGE_INDEX)
        else:
            tree.mkdir()
            if arm.context == "full":
                (tree / "sessions.md").write_text("".join(transcripts(place)).lstrip("\n"), "utf-8")
        here = Place(
            root=place.root, config=place.config, corpus=place.corpus, folder=tree.resolve(), today=place.today
        )
        (folder / START).write_text(_start(here, asked.text, has_memory=has_memory), "utf-8")
        today = place.today.isoformat()
    search = has_memory and "search" not in arm.kept_from
    tools = [*([TOOLS] if has_memory else ()), *([RECALL] if search else ())]
    empty = {"memory": "", "full": ": every session, in one file", "none": ": nothing"}[arm.context]
    (folder / README).write_text(
        prompt("outside", None, empty=empty, commands=", ".join(COMMANDS), tools="\n".join(tools)), "utf-8"
    )
    schema = json.dumps(Answer.model_json_schema(), indent=1, ensure_ascii=False)
    (folder / SCHEMA).write_text(schema + "\n", "utf-8")
    if has_memory:
        memory, settings = str(desk.brain.root.resolve()), dict(arm.settings)
        said = {"memory": memory, "search": search, "today": today, "settings": settings}
        (folder / DESK).write_text(json.dumps(said), "utf-8")
        script = folder / MEMORY
        at_hand = f'exec "{sys.executable}" -m brain.bench.readers.at_hand "$(dirname "$0")" "$@"'
        script.write_text(f"#!/bin/sh\n{at_hand}\n", "utf-8")
        script.chmod(0o755)


def _open(tree: Path) -> None:
    """Make the folders of a working set such that they can be deleted."""
    for path in (tree, *tree.rglob("*")):
        if path.is_dir():
            path.chmod(0o700)


def _start(place: Place, question: str, *, has_memory: bool) -> str:
    first, rest = opening(place, question)
    if not has_memory:
        return rest.rpartition("\nToday is ")[0] + f"\nToday is {place.today.isoformat()}.\n"
    return "\n".join([instructions(place.root, MEANS), first, rest])


def read(folder: Path, root: Path) -> Given:
    """The answer in a folder, its citations followed in the brain at `root`; an error where none reads."""
    file = folder / ANSWER
    try:
        raw = Answer.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        return Given(error="no answer.json")
    except (ValidationError, UnicodeDecodeError, OSError) as error:
        return Given(error=f"answer.json does not read: {_first(error)}")
    reader = ReplyReader(citing=Citing(root, Config.load(root)))
    reader.read(raw)
    seen = opened(_used(folder / OPENED), reader.citing, folder / TREE)
    own = tuple(_named(one, folder) for one in raw.opened)
    answer = reader.answer("", "by files")
    spent = Spent(input=raw.tokens_in, output=raw.tokens_out, calls=0, unpriced=1)
    found = given(answer, spent, 0, 0.0)
    return Given(
        text=found.text,
        found=found.found,
        cites=found.cites,
        opened=tuple(dict.fromkeys((*seen, *own))) or found.cites,
        unresolved=found.unresolved,
        use=found.use,
    )


def _first(error: Exception) -> str:
    if isinstance(error, ValidationError):
        one = error.errors()[0]
        return f"{'.'.join(map(str, one['loc'])) or 'it'}: {one['msg']}"
    return str(error)


def _used(file: Path) -> list[Used]:
    if not file.exists():
        return []
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.endswith("}")]
    return [Used(tool=row["tool"], args=row["args"], result=row["result"]) for row in rows]


def _named(said: str, folder: Path) -> str:
    """A file that the agent says it read: a transcript as the session it is, another by its path in memory."""
    path = said.removeprefix("./").removeprefix(f"{TREE}/")
    file = folder / TREE / path
    if path.startswith("sessions/transcripts/") and ".." not in path and file.is_file():
        try:
            return f"session://{transcript.read_head(file).id}"
        except FormatError:
            return path
    return said if "://" in said else path
