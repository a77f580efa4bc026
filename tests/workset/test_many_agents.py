"""A working set among processes: several agents add and refresh while memory moves on, and it stays of one commit.

What a page in it links to and cites, but the set does not hold, is printed by the command that AGENTS.md names.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from brain import Brain
from brain.corpus.local import LocalCorpus
from brain.git import MAIN, Git, Person
from brain.tree import layout, sessions, transcript
from brain.tree.ids import session_id
from brain.tree.sessions import SessionRow
from brain.types import Role, Transcript, Turn
from brain.workset import manifest, workset
from brain.workset.manifest import Budget

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
NOBODY = Person(name="nobody", email="nobody@example.org")
PAGES = 24
TALK = Transcript(
    id=session_id("test", "ferry"), source="test", external_id="ferry", title="ferry", started_at=START,
    turns=(Turn(number=1, role=Role.USER, text="The ferry to Marsh Island leaves at six.", time=START),),
)  # fmt: skip

AGENT = """
import sys
from pathlib import Path
from brain.corpus.local import LocalCorpus
from brain.workset import workset
root, folder, number, pages = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
with LocalCorpus(root) as corpus:
    for page in range(number, pages, 3):
        workset.add(corpus, folder, [f"knowledge/concepts/c{page:02}.md"])
        if page % 2:
            workset.refresh(corpus, folder)
"""


def a_page(name: str, body: str) -> str:
    title = name.rpartition("/")[2].title()
    uri = f"session://{TALK.id}#t1"
    return (
        f"---\nid: {name}\ntype: {layout.page_type(name)}\ntitle: {title}\ndescription: What is known of {title}\n"
        "status: active\ncreated_at: 2026-03-02T09:00:00Z\nupdated_at: 2026-03-02T09:00:00Z\nupdated_by: dream/0.1\n"
        f"next_cite: 2\nlanguage: en\n---\n# {title}\n\n{body} [cite:1]\n\n## References\n[cite:1]: {uri}\n"
    )


def commit(root: Path, version: int) -> str:
    """Every page says which version of memory it is of."""
    made = {f"concepts/c{n:02}": f"Of version {version}." for n in range(PAGES)}
    made |= {"entities/marsh-island": f"An island. Of version {version}."}
    made |= {"projects/crossing": f"By ferry to [[entities/marsh-island]]. Of version {version}."}
    talk = layout.transcript_path(layout.stem(TALK))
    row = SessionRow(id=TALK.id, source="test", external_id="ferry", title="ferry", started_at=START, turns=1,
                     transcript=talk)  # fmt: skip
    files: dict[str, bytes | None] = {
        layout.page_path(name): a_page(name, body).encode() for name, body in made.items()
    }
    files[layout.SESSION_INDEX] = sessions.render_rows([row]).encode()
    for path, data in (files | {talk: transcript.render(TALK).encode()}).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data or b"")
    with Git(root) as git:
        old = git.resolve(MAIN)
        new = git.commit_files(old, files, f"version {version}", author=NOBODY, when=START)
        assert git.update_ref(MAIN, new, old)
    return new


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    root = tmp_path / "memory"
    Brain.init(root, owner="Ola", now=START)
    commit(root, 1)
    return root


def test_agents_of_several_processes_leave_a_set_of_one_commit(memory: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    with LocalCorpus(memory) as corpus:
        workset.boot(corpus, folder, source=str(memory), budget=Budget(bytes=10**6, files=100))
    agents = [
        subprocess.Popen(
            [sys.executable, "-c", AGENT, str(memory), str(folder), str(n), str(PAGES)], stderr=subprocess.PIPE
        )
        for n in range(3)
    ]
    for version in range(2, 6):
        commit(memory, version)
    for agent in agents:
        _, said = agent.communicate(timeout=120)
        assert agent.returncode == 0, said.decode()
    with LocalCorpus(memory) as corpus:
        seen = workset.status(folder, corpus)
        assert (seen.altered, seen.missing) == ((), ())
        at = seen.manifest.commit
        for file in corpus.fetch(list(seen.manifest.files), at=at):
            assert (folder / file.path).read_bytes() == file.data, file.path
    pages = list((folder / "knowledge" / "concepts").glob("*.md"))
    assert len(pages) == PAGES
    assert len({re.findall(r"Of version (\d)", page.read_text("utf-8"))[0] for page in pages}) == 1
    assert not [page for page in pages if page.stat().st_mode & 0o222]


def test_what_is_absent_is_printed_by_the_command_that_the_guide_names(memory: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    with LocalCorpus(memory) as corpus:
        workset.boot(corpus, folder, source=str(memory), budget=Budget(bytes=3_000, files=6))
        workset.add(corpus, folder, ["AGENTS.md", "knowledge/projects/crossing.md"])
        commit(memory, 2)
    page = (folder / "knowledge" / "projects" / "crossing.md").read_text("utf-8")
    (link,) = re.findall(r"\[\[([^\]]+)\]\]", page)
    (uri,) = re.findall(r"^\[cite:1\]: (\S+)$", page, re.MULTILINE)
    assert not (folder / layout.page_path(link)).exists()
    assert not list(folder.glob("sessions/transcripts/*/*"))
    assert "`brain show ID|URI` prints anything" in (memory / "AGENTS.md").read_text("utf-8")
    env = {name: value for name, value in os.environ.items() if not name.startswith("BRAIN_")}

    def show(what: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "brain", "show", what], cwd=folder, env=env, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "# Marsh-Island" in show(link)
    assert "leaves at six" in show(uri)
    assert manifest.load(folder).files.keys().isdisjoint({layout.page_path(link)}), "looking brings nothing in"
