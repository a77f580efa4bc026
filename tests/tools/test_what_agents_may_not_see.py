"""T15 and T41: errors and counts tell nothing of what an agent may not see, and what does not work is said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from agents_memory import NIGHT, SECRET_TALK, TALK, made, sealed

from brain import Brain
from brain.errors import BrainError
from brain.tools import MemoryTool, functions
from brain.tools.verbs import Verbs, said

HIDDEN = re.compile(r"ostrava|migraine", re.IGNORECASE)


@pytest.fixture
def brain(tmp_path: Path) -> Iterator[Brain]:
    """A brain with a restricted session, a restricted page and a note of that session."""
    root = made(tmp_path, {"2026-08-06 hosts.md": TALK, "2026-08-05 health.md": SECRET_TALK})
    id = sealed(root)
    with Brain.open(root, clock=lambda: NIGHT) as brain:
        assert "migraine" in brain.show(f"session://{id}#t1"), "the owner asks by name"
        assert "migraine" in brain.show("entities/ostrava-clinic")
        yield brain


def session_of(brain: Brain) -> str:
    (row,) = [row for row in brain.sessions() if row.sensitivity == "restricted"]
    return row.id


def test_nothing_restricted_is_found_read_or_linked(brain: Brain) -> None:
    search, recall, read, links, status, _ = functions(brain)
    id = session_of(brain)
    asked = [
        search("Which doctor treats the migraine?", limit=50),
        search("Ostrava clinic"),
        search("Tuesday", surfaces=["turn"]),
        recall("When is the doctor's appointment for the migraine?"),
        read("entities/nadia"),
        links("entities/nadia"),
        read("sessions/index.md"),
        read("sessions/index.jsonl"),
        status(),
        Verbs(brain).index(),
    ]
    for answer in asked:
        said_back = re.sub(r"asked: .*|'[^']*'|\"[^\"]*\"", "", answer)
        assert not HIDDEN.search(said_back), answer
        assert id not in answer


@pytest.mark.parametrize(
    ("hidden", "absent"),
    [
        ("entities/ostrava-clinic", "entities/oslo-harbours"),
        ("ostrava-clinic", "oslo-harbours"),
        ("Ostrava clinic", "Oslo harbours"),
        ("knowledge/entities/ostrava-clinic.md", "knowledge/entities/oslo-harbours.md"),
    ],
)
def test_a_hidden_page_answers_as_one_that_never_was(brain: Brain, hidden: str, absent: str) -> None:
    verbs, tool = Verbs(brain), MemoryTool(brain)
    for ask in (
        verbs.read,
        verbs.links,
        lambda what: verbs.read(what, cite="1"),
        lambda what: tool.execute({"command": "view", "path": f"/memories/{what}"}),
        lambda what: tool.execute({"command": "delete", "path": f"/memories/{what}"}),
        lambda what: tool.execute({"command": "rename", "old_path": f"/memories/{what}", "new_path": "/memories/x.md"}),
    ):
        told = []
        for name in (hidden, absent):
            with pytest.raises(BrainError) as refused:
                ask(name)
            told.append((type(refused.value), said(refused.value).replace(name, "NAME")))
        assert told[0] == told[1]


def test_a_hidden_session_answers_as_one_that_never_was(brain: Brain) -> None:
    id = session_of(brain)
    other = f"{'0' if id[0] != '0' else '1'}{id[1:]}"
    verbs = Verbs(brain)
    for form in ("{}", "session://{}#t1", "session://{}"):
        for cut in (36, 8):
            told = []
            for name in (id, other):
                with pytest.raises(BrainError) as refused:
                    verbs.read(form.format(name[:cut]))
                told.append(said(refused.value).replace(name[:cut], "ID"))
            assert told[0] == told[1]


def test_counts_and_listings_are_those_without_it(brain: Brain, tmp_path: Path) -> None:
    """The same memory with and without a restricted page more stands the same to an agent."""
    verbs, tool = Verbs(brain), MemoryTool(brain)
    folders = ("/memories", "/memories/knowledge", "/memories/knowledge/entities", "/memories/sessions/transcripts")

    def looks() -> list[str]:
        status = re.sub(r"commit .*|search .*", "", verbs.status())
        return [status[status.index("\n") :], *(tool.execute({"command": "view", "path": path}) for path in folders)]

    before = looks()
    assert not any(HIDDEN.search(one) for one in before)
    place = brain.root / "knowledge/entities/ostrava-clinic.md"
    (brain.root / "knowledge/entities/ostrava-house.md").write_text(
        place.read_text("utf-8").replace("ostrava-clinic", "ostrava-house").replace("Ostrava clinic", "Ostrava house"),
        "utf-8",
    )
    assert [one.partition("<<end")[0] for one in looks()] == [one.partition("<<end")[0] for one in before]


def test_a_brain_says_nothing_of_its_neighbours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T15: two people on one machine, with pages of like names; no error names what is the other's."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "theirs").mkdir()
    mine, theirs = made(tmp_path / "mine"), made(tmp_path / "theirs", {"2026-08-05 health.md": SECRET_TALK})
    (mine / "knowledge/entities/linked.md").symlink_to(theirs / "knowledge/entities/nadia.md")
    session = json.loads((theirs / "sessions/index.jsonl").read_text("utf-8").split("\n")[0])["id"]
    with Brain.open(mine, clock=lambda: NIGHT) as brain:
        search, recall, read, links, status, note = functions(brain)
        tool = MemoryTool(brain)
        answers = [search("the migraine on Tuesday"), recall("Which doctor?"), status(), note("x " * 50)]
        for name in (
            "entities/linked", f"session://{session}#t1", session, str(theirs / "knowledge/entities/nadia.md"),
            "../../theirs/memory/knowledge/entities/nadia.md", "knowledge/../../../theirs/memory/AGENTS.md",
        ):  # fmt: skip
            answers += [read(name), links(name)]
            assert answers[-2].startswith("error: ")
            with pytest.raises(BrainError) as refused:
                tool.execute({"command": "view", "path": f"/memories/{name}"})
            answers.append(said(refused.value))
    for answer in answers:
        assert not HIDDEN.search(answer.replace("the migraine on Tuesday", "")), answer


# -- T41


def test_a_brain_without_its_key_says_so_and_is_not_empty(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T41: the model that should recall has no key: the error names the variable, and what needs no model answers."""
    monkeypatch.setenv("BRAIN_MODELS_RECALL", "anthropic:claude-sonnet-4-5")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with Brain.open(root, clock=lambda: NIGHT) as brain:
        search, recall, _, _, status, _ = functions(brain)
        assert "ANTHROPIC_API_KEY" in recall("Who hosts us in Kyoto?")
        assert "CANNOT RUN" in status()
        assert "ANTHROPIC_API_KEY" in status()
        assert "Sora City Lab" in search("Kyoto")


def test_search_without_its_embedder_says_that_it_is_by_words(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAIN_SEARCH_EMBEDDER", "onnx")
    monkeypatch.setenv("BRAIN_SEARCH_EMBEDDER_FOLDER", str(root / "no-model-here"))
    with Brain.open(root, clock=lambda: NIGHT) as brain:
        search, _, _, _, status, _ = functions(brain)
        assert "Sora City Lab" in search("Kyoto")
        assert "not by meaning" in status()


def test_no_folder_is_left_out_of_search(root: Path) -> None:
    """T41: whatever a topic or page is called, it is found; what cannot be read is named."""
    with Brain.open(root, clock=lambda: NIGHT) as brain:
        for topic in ("ops", "build", "node", "tmp", "test", "cache", "vendor/dist", "log"):
            brain.note(f"The {topic.replace('/', ' ')} folder holds the lighthouse plans.", topic=topic)
        (brain.root / "knowledge/entities/broken.md").write_text("no head at all, the lighthouse keeper\n", "utf-8")
        search, _, _, _, status, _ = functions(brain)
        found = search("lighthouse plans", limit=50)
        for topic in ("ops", "build", "node", "tmp", "test", "cache", "vendor", "log"):
            assert f"notes/{topic}/" in found
        assert "unsearched knowledge/entities/broken.md" in status()
