"""Anthropic's memory tool over a brain: its six commands, what may be written, and what leads out of memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import anyio
import pytest
from agents_memory import NIGHT, page
from anthropic.lib.tools import ToolError
from hypothesis import given
from hypothesis import strategies as st

from brain import Brain
from brain.errors import BrainError, NotFound, UsageError
from brain.tools import MemoryTool, claude_memory, claude_memory_async
from brain.tools.filing import fresh
from brain.tools.places import inside
from brain.tree.note import parse
from brain.types import Qualifier

HARBOUR = "notes/work/harbour.md"
AT = f"/memories/{HARBOUR}"
THREE = "# Harbour survey\n\n- The office opens at seven.\n- Tide tables come from the port site.\n1. Ask Mira first.\n"


@pytest.fixture
def brain(root: Path) -> Iterator[Brain]:
    with Brain.open(root, clock=lambda: NIGHT) as brain:
        yield brain


@pytest.fixture
def tool(brain: Brain) -> MemoryTool:
    return MemoryTool(brain)


def do(tool: MemoryTool, command: str, **fields: object) -> str:
    return tool.execute({"command": command, **fields})


def lines(brain: Brain, path: str = HARBOUR) -> list[str]:
    return [one.text for one in parse((brain.root / path).read_text("utf-8"), path).snippets]


# -- reading


def test_a_folder_is_listed_two_levels_deep_without_what_is_hidden(tool: MemoryTool) -> None:
    told = do(tool, "view", path="/memories").split("\n")
    assert told[0].endswith("2 levels deep in /memories, excluding hidden items:")
    assert any(line.endswith("\t/memories/knowledge/index.md") for line in told)
    assert any(line.endswith("\t/memories/knowledge/entities/") for line in told)
    assert not any("nadia.md" in line or "/." in line for line in told)


def test_a_file_is_shown_with_line_numbers_between_fences(tool: MemoryTool) -> None:
    told = do(tool, "view", path="/memories/knowledge/entities/nadia.md").split("\n")
    assert told[0] == "Here's the content of /memories/knowledge/entities/nadia.md with line numbers:"
    assert told[1].startswith("<<material ")
    assert told[2] == "     1\t---"
    assert told[-1].startswith("<<end ")
    part = do(tool, "view", path="/memories/knowledge/entities/nadia.md", view_range=[2, 3]).split("\n")
    assert [line.partition("\t")[0].strip() for line in part[2:-1]] == ["2", "3"]


def test_a_large_file_is_shown_in_parts_that_say_how_to_go_on(brain: Brain, tool: MemoryTool) -> None:
    (place,) = (brain.root / "sessions/transcripts").rglob("*.md")
    place.write_text("".join(f"line {n} {'x' * 90}\n" for n in range(2000)), "utf-8")
    told = do(tool, "view", path=f"/memories/{place.relative_to(brain.root).as_posix()}")
    assert len(told) < 70_000
    rest = json.loads(told.rpartition("view_range ")[2])
    again = do(tool, "view", path=f"/memories/{place.relative_to(brain.root).as_posix()}", view_range=rest)
    assert f"{rest[0]}\tline {rest[0] - 1} " in again


# -- writing notes


def test_a_file_becomes_notes_of_one_sentence_in_order_marked_as_the_assistants(brain: Brain, tool: MemoryTool) -> None:
    told = do(tool, "create", path=AT, file_text=THREE)
    assert told.startswith(f"File created successfully at: {AT}\n(3 notes added")
    file = parse((brain.root / HARBOUR).read_text("utf-8"), HARBOUR)
    assert [one.text for one in file.snippets] == [
        "The office opens at seven.", "Tide tables come from the port site.", "Ask Mira first.",
    ]  # fmt: skip
    assert {one.qualifier for one in file.snippets} == {Qualifier.ASSISTANT}
    assert file.title == "Harbour survey"
    for one in file.snippets:
        assert "· assistant ·" in brain.show(one.uri)
    assert [problem for problem in brain.check() if problem.severity.value == "E"] == []
    assert brain.log(limit=1)[0].message.kind == "note"


def test_what_is_there_is_never_created_over(brain: Brain, tool: MemoryTool) -> None:
    do(tool, "create", path=AT, file_text=THREE)
    before = (brain.root / HARBOUR).read_bytes()
    with pytest.raises(UsageError, match="already exists"):
        do(tool, "create", path=AT, file_text="Something else.")
    assert (brain.root / HARBOUR).read_bytes() == before


def test_the_assistants_own_note_may_be_corrected_inserted_to_and_deleted(brain: Brain, tool: MemoryTool) -> None:
    do(tool, "create", path=AT, file_text=THREE)
    told = do(tool, "str_replace", path=AT, old_str="at seven", new_str="at eight")
    assert told.startswith("The memory file has been edited.")
    assert lines(brain) == ["Tide tables come from the port site.", "Ask Mira first.", "The office opens at eight."]
    assert do(tool, "insert", path=AT, insert_line=0, insert_text="- The crane is out of order.\n").startswith(
        f"The file {AT} has been edited."
    )
    assert lines(brain)[-1] == "The crane is out of order."
    assert do(tool, "rename", old_path=AT, new_path="/memories/notes/work/port.md").startswith("Successfully renamed")
    assert len(lines(brain, "notes/work/port.md")) == 4
    assert do(tool, "delete", path="/memories/notes/work/port.md") == (
        "Successfully deleted /memories/notes/work/port.md"
    )
    assert not (brain.root / "notes/work/port.md").exists()
    assert [problem for problem in brain.check() if problem.severity.value == "E"] == []


def test_a_note_that_was_taken_back_is_not_learned_again(brain: Brain, tool: MemoryTool) -> None:
    do(tool, "create", path=AT, file_text="The office opens at seven.\nAsk Mira first.")
    do(tool, "str_replace", path=AT, old_str="The office opens at seven.", new_str="The office opens at nine.")
    do(tool, "delete", path=AT)
    with Brain.open(brain.root, clock=lambda: NIGHT + timedelta(days=1)) as later:
        later.dream()
    found = [path for path in (brain.root / "notes").rglob("*.md") if "opens at" in path.read_text("utf-8")]
    assert found == []


def test_what_the_user_said_stays_as_it_is(brain: Brain, tool: MemoryTool) -> None:
    brain.note("The office opens at seven.", topic="work/harbour")
    before = (brain.root / HARBOUR).read_bytes()
    for command in (
        {"command": "str_replace", "path": AT, "old_str": "seven", "new_str": "eight"},
        {"command": "delete", "path": AT},
        {"command": "delete", "path": "/memories/notes"},
    ):
        with pytest.raises(UsageError, match=r"stays as it is"):
            tool.execute(command)
    assert (brain.root / HARBOUR).read_bytes() == before
    do(tool, "insert", path=AT, insert_line=7, insert_text="It opens at eight in winter.")
    assert lines(brain) == ["The office opens at seven.", "It opens at eight in winter."]


def test_provenance_is_not_the_assistants_to_write(brain: Brain, tool: MemoryTool) -> None:
    do(tool, "create", path=AT, file_text="The office opens at seven.")
    text = (brain.root / HARBOUR).read_text("utf-8")
    head = text[: text.index("\n---\n", 3) + 5]
    with pytest.raises(UsageError, match="head of a note file"):
        do(tool, "str_replace", path=AT, old_str=head, new_str="---\nid: notes/work/other\ntype: note\ntitle: x\n---\n")
    with pytest.raises(UsageError, match="head of a note file"):
        do(tool, "str_replace", path=AT, old_str=text, new_str="")
    assert (brain.root / HARBOUR).read_text("utf-8") == text
    uri = "session://1eaf53d4-09e0-5823-bb96-c8662f582708#t1"
    do(tool, "insert", path=AT, insert_line=0, insert_text=f"- 2020-01-01 · Pays twice a month. <{uri}> ^naaaaaaaa")
    added = parse((brain.root / HARBOUR).read_text("utf-8"), HARBOUR).snippets[-1]
    assert (added.text, added.qualifier) == ("Pays twice a month.", Qualifier.ASSISTANT)
    assert added.uri != uri


def test_a_long_line_is_cut_into_sentences_and_a_long_sentence_is_named(brain: Brain, tool: MemoryTool) -> None:
    do(
        tool,
        "create",
        path=AT,
        file_text=" ".join(f"The berth {n} is kept for the survey boat all year." for n in range(9)),
    )
    assert len(lines(brain)) == 9
    with pytest.raises(UsageError, match="line 2 has a sentence of 60 words"):
        do(tool, "create", path="/memories/notes/work/long.md", file_text="Fine.\n" + " ".join(["word"] * 60))
    assert not (brain.root / "notes/work/long.md").exists()


def test_a_secret_in_a_note_is_not_written(brain: Brain, tool: MemoryTool) -> None:
    token = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    do(tool, "create", path=AT, file_text=f"The token of the port site is {token}.")
    for place in (path for path in brain.root.rglob("*") if path.is_file()):
        assert token.encode() not in place.read_bytes(), place
    assert token not in do(tool, "view", path=AT)


@pytest.mark.parametrize(
    ("path", "instead"),
    [
        ("/memories/progress.txt", "/memories/notes/facts/progress.md"),
        ("/memories/preferences/Figure Style.md", "/memories/notes/preferences/figure-style.md"),
        ("/memories/knowledge/entities/mira.md", "/memories/notes/facts/mira.md"),
        ("/memories/sessions/summaries/2026/x.md", "/memories/notes/facts/x.md"),
        ("/memories/AGENTS.md/x", "/memories/notes/facts/x.md"),
        ("/memories/.brain/instructions2.md", "/memories/notes/facts/instructions2.md"),
    ],
)
def test_anything_but_a_note_is_refused_with_the_place_to_go(
    brain: Brain, tool: MemoryTool, path: str, instead: str
) -> None:
    before = brain.log(limit=1)[0].id
    with pytest.raises(UsageError) as refused:
        do(tool, "create", path=path, file_text="Mira leads the survey.")
    assert instead in f"{refused.value.hint}"
    assert brain.log(limit=1)[0].id == before
    assert "created" in do(tool, "create", path=instead, file_text="Mira leads the survey.")


def test_pages_and_instructions_cannot_be_changed_without_a_run(brain: Brain, tool: MemoryTool) -> None:
    for path in ("knowledge/entities/nadia.md", "knowledge/index.md", ".brain/instructions.md", "AGENTS.md"):
        before = (brain.root / path).read_bytes()
        for command in (
            {"command": "insert", "path": f"/memories/{path}", "insert_line": 1, "insert_text": "Always obey."},
            {"command": "delete", "path": f"/memories/{path}"},
            {"command": "rename", "old_path": f"/memories/{path}", "new_path": "/memories/notes/facts/x.md"},
        ):
            with pytest.raises(UsageError):
                tool.execute(command)
        assert (brain.root / path).read_bytes() == before


# -- leading out


@pytest.mark.parametrize(
    "path",
    [
        "/memories/../outside.md", "/memories/%2e%2e/outside.md", "/memories/%252e%252e/outside.md", "/etc/passwd",
        "memories/x", "/memoriesX/y", "/memories\\..\\outside.md", "/memories/notes/../../outside.md", "", "/",
        "/memories/x\0y", "/memories/\u202e..", "~/x", "/memories/notes/%2e%2e%2foutside.md", 7, ["/memories"],
    ],
)  # fmt: skip
def test_a_path_that_leads_out_of_memory_is_refused(brain: Brain, tool: MemoryTool, path: object) -> None:
    (brain.root.parent / "outside.md").write_text("The safe is behind the map.", "utf-8")
    for command in (
        {"command": "view", "path": path},
        {"command": "create", "path": path, "file_text": "x"},
        {"command": "delete", "path": path},
        {"command": "rename", "old_path": AT, "new_path": path},
    ):
        with pytest.raises(BrainError) as refused:
            tool.execute(command)
        assert "safe" not in f"{refused.value.message} {refused.value.hint}"
    assert (brain.root.parent / "outside.md").read_text("utf-8") == "The safe is behind the map."


def test_a_link_out_of_memory_is_not_followed(brain: Brain, tool: MemoryTool) -> None:
    outside = brain.root.parent / "outside"
    outside.mkdir()
    (outside / "safe.md").write_text("The safe is behind the map.", "utf-8")
    (brain.root / "notes" / "linked").symlink_to(outside)
    (brain.root / "knowledge" / "entities" / "safe.md").symlink_to(outside / "safe.md")
    for path in ("/memories/notes/linked/safe.md", "/memories/knowledge/entities/safe.md"):
        with pytest.raises(UsageError, match="symlink"):
            do(tool, "view", path=path)
    with pytest.raises(UsageError, match="symlink"):
        do(tool, "create", path="/memories/notes/linked/new.md", file_text="Written outside.")
    assert [file.name for file in outside.iterdir()] == ["safe.md"]


@given(st.text() | st.text(st.sampled_from("./%2eEfF\\memories \n")).map(lambda rest: f"/memories/{rest}"))
def test_no_path_leads_out_whatever_it_is(path: str) -> None:
    try:
        found = inside(path)
    except UsageError:
        return
    assert ".." not in found.split("/")
    assert not found.startswith("/")
    assert "\\" not in found


@given(st.lists(st.text(max_size=60), max_size=8).map("\n".join))
def test_any_text_becomes_notes_on_one_line_each(text: str) -> None:
    plan = fresh(text, 10_000)
    assert all(words.strip() and "\n" not in words for words in plan.added)


# -- in an open run


def test_in_an_open_run_pages_are_proposed_and_its_check_answers(brain: Brain, tmp_path: Path) -> None:
    talk = tmp_path / "2026-08-07 survey.md"
    talk.write_text("User: Mira leads the harbour survey.\n\nAssistant: Noted.\n", "utf-8")
    brain.import_([talk])
    run = brain.runs.open()
    assert run is not None
    (session,) = [row.id for row in brain.sessions() if row.attached_through == 0]
    tool = MemoryTool(brain, run=run.run_id)
    at = "/memories/knowledge/entities/mira.md"
    wrong = do(tool, "create", path=at, file_text=page("entities/mira", "Mira", "Leads the survey."))
    assert run.run_id in wrong
    assert "knowledge/entities/mira.md" in wrong  # what the check says of it
    assert not (brain.root / "knowledge/entities/mira.md").exists()
    told = do(
        tool,
        "str_replace",
        path=at,
        old_str="Leads the survey.",
        new_str=f"Mira leads the harbour survey. [cite:session://{session[:8]}#t1]",
    )
    assert "has been edited" in told
    assert "leads the harbour survey" in do(tool, "view", path=at)
    with pytest.raises(UsageError, match="a run writes pages"):
        do(tool, "create", path="/memories/.brain/instructions2.md", file_text="x")
    with pytest.raises(NotFound, match="does not exist"):
        do(MemoryTool(brain), "view", path=at)
    brain.runs.close(run.run_id)
    assert "leads the harbour survey" in do(MemoryTool(brain), "view", path=at)


def test_a_run_that_is_not_open_is_named(brain: Brain) -> None:
    with pytest.raises(NotFound, match="no open run"):
        do(MemoryTool(brain, run="01K2A9QX6M3V8Z0T4R7W5Y1B2C"), "view", path="/memories")


def test_a_dry_run_writes_nothing(brain: Brain) -> None:
    before = brain.log(limit=1)[0].id
    told = do(MemoryTool(brain, dry_run=True), "create", path=AT, file_text=THREE)
    assert "nothing was written" in told
    assert not (brain.root / HARBOUR).exists()
    assert brain.log(limit=1)[0].id == before


# -- through its doors


def test_the_class_of_the_anthropic_package_takes_every_command(brain: Brain) -> None:
    tool = claude_memory(brain)
    assert tool.to_dict() == {"type": "memory_20250818", "name": "memory"}
    assert "2 levels deep" in str(tool.call({"command": "view", "path": "/memories"}))
    assert "created successfully" in str(tool.call({"command": "create", "path": AT, "file_text": THREE}))
    assert "edited" in str(
        tool.call({"command": "str_replace", "path": AT, "old_str": "at seven", "new_str": "at eight"})
    )
    assert "edited" in str(
        tool.call({"command": "insert", "path": AT, "insert_line": 0, "insert_text": "Bring the tide table."})
    )
    new = "/memories/notes/work/port.md"
    assert "renamed" in str(tool.call({"command": "rename", "old_path": AT, "new_path": new}))
    assert "deleted" in str(tool.call({"command": "delete", "path": new}))
    with pytest.raises(ToolError, match=r"Please provide a valid path"):
        tool.call({"command": "view", "path": "/memories/none.md"})

    async def at_once() -> None:
        assert "2 levels deep" in str(await claude_memory_async(brain).call({"command": "view", "path": "/memories"}))

    anyio.run(at_once)


def told(memory: Path, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "brain", "memory-tool", *words, "--memory", str(memory)]
    return subprocess.run(command, input=given, capture_output=True, text=True, env=dict(os.environ))


def test_the_command_answers_text_blocks_and_lines(root: Path) -> None:
    view = json.dumps({"command": "view", "path": "/memories"})
    assert "/memories/AGENTS.md" in told(root, view).stdout
    absent = told(root, given=json.dumps({"command": "view", "path": "/memories/none.md"}))
    assert (absent.returncode, "Please provide a valid path" in absent.stdout) == (1, True)
    block = json.loads(told(root, json.dumps({"type": "tool_use", "id": "toolu_1", "input": json.loads(view)})).stdout)
    assert (block["type"], block["tool_use_id"], block["is_error"]) == ("tool_result", "toolu_1", False)
    many = told(root, "--lines", given=f"{view}\n{{broken\n{view}\n").stdout.splitlines()
    assert [json.loads(line)["is_error"] for line in many] == [False, True, False]
