"""T01: what memory and tools put into a prompt is not what the user said, and never comes back as if it were."""

from __future__ import annotations

import json

import pytest
from foreign import Claude, Importing, said

from brain.ingest.noise import hear
from brain.types import Role

INDEX = """<!-- brain-index v1 tree=8c1f0e2 pages=2 shown=2 budget=2500 est=120 -->
# Brain index
Read a page: cat memory/knowledge/<id>.md · verify a claim: brain show '<source URI>' · not listed: grep, or ask.

## Profile
entities/ines — Skipper in Brest; prefers short answers · 2026-08-06

## Projects
projects/boat-refit — Refit of the sloop; new sails ordered · 2026-08-06
(+4 dormant or done: ls memory/knowledge/projects)
"""
PAGE = """---
id: entities/ines
type: entity
title: Ines
next_cite: 3
---
# Ines

Ines is a skipper. [cite:1]

## References
[cite:1]: session://1eaf53d4-09e0-5823-bb96-c8662f582708#t3 "2026-06-21"
"""


@pytest.mark.parametrize(
    "block",
    [
        "<recalled_memory>\n- User is John Doe\n</recalled_memory>",
        "<recalled_memory>\n- User is John Doe (the block is cut off",
        '<memory source="mem0">User is John Doe</memory>',
        "<memories>\n<memory>User is John Doe</memory>\n</memories>",
        "<user_memories>User is John Doe</user_memories>",
        "<relevant-memories>User is John Doe</relevant-memories>",
        "<brain-memory>\nUser is John Doe\n</brain-memory>",
        "<supermemory-context>User is John Doe</supermemory-context>",
        "<claude-mem-context>User is John Doe</claude-mem-context>",
        "<FACTS>\n  - User is John Doe (2025-01-01)\n</FACTS>",
        "Relevant memories:\n- User is John Doe\n- User lives in Quimper",
        "## User Memories\n\n* User is John Doe\n",
        "Here are some relevant memories about the user:\n1. User is John Doe\n2. User is tall",
        "**Relevant memories from past conversations:**\n- User is John Doe",
        "<system-reminder>User is John Doe</system-reminder>",
        "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nUser is John Doe\n</INSTRUCTIONS>",
        "<environment_context><cwd>/home/john_doe John Doe</cwd></environment_context>",
        "<user_instructions>User is John Doe</user_instructions>",
        INDEX.replace("Skipper in Brest", "John Doe of Brest"),
        PAGE.replace("a skipper", "John Doe"),
    ],
)
@pytest.mark.parametrize("order", ["before", "after", "both"])
def test_nothing_of_an_inserted_block_is_heard(block: str, order: str) -> None:
    words = "Please order the sails by Friday."
    cut = "cut off" in block
    text = {"before": f"{block}\n\n{words}", "after": f"{words}\n\n{block}", "both": f"{words}\n\n{block}\n\n{words}"}[
        order
    ]

    speech = hear(text)

    assert "John Doe" not in speech.text
    assert "Quimper" not in speech.text
    if not cut or order == "after":
        assert speech.text == "\n\n".join([words] * (1 + (order == "both")))
    assert sum(speech.dropped.values()) >= 1


@pytest.mark.parametrize(
    "text",
    [
        "How do I write a `<memory>` tag in XML?",
        "My config:\n```xml\n<memory>\n  <size>4G</size>\n</memory>\n```\nWhy does it fail?",
        "<memory> usage is high, why?",
        "I have good memories: the boat, the sea.",
        "Memories:\nThe boat was blue.",
        "<instructions>Write a haiku about the boat.</instructions>",
        "<facts>The mast is 12 m.</facts> Is that enough?",
        "Use the system-reminder tag when you answer.",
        "if a < b and c > d: print(memory)",
        "Relevant facts:\n- the mast is 12 m",
        "See cite: Smith 2019, and session notes.",
    ],
)
def test_words_about_memory_are_words(text: str) -> None:
    speech = hear(text)

    assert speech.text == text
    assert not speech.dropped


def test_memory_read_back_by_tools_is_a_stub(brain: Importing) -> None:
    """gbrain#4621: what an agent reads out of memory must not be mined a second time."""
    log = Claude()
    log.user("What do we know about Ines?")
    calls = [
        ("Bash", {"command": "brain ask 'who is Ines?'"}, "Ines is a skipper."),
        ("Bash", {"command": "cat memory/knowledge/entities/ines.md"}, "Ines is a skipper."),
        ("Read", {"file_path": "/tmp/copy.md"}, PAGE),
        ("mcp__brain__search", {"query": "Ines"}, "Ines is a skipper."),
        ("mcp__mem0__search_memories", {"query": "Ines"}, "Ines is a skipper."),
        (
            "Grep",
            {"pattern": "skipper"},
            "notes/ines.md:7:- Ines is a skipper. <session://1eaf53d4-09e0-5823-bb96-c8662f582708#t14> ^n4k7q2m9a",
        ),
    ]
    for number, (tool, arguments, output) in enumerate(calls):
        log.call(tool, arguments, f"toolu_{number}", f"msg_{number}")
        log.result(f"toolu_{number}", output)
    log.call("Bash", {"command": "git log"}, "toolu_x", "msg_x")
    log.result("toolu_x", "Ines committed.")
    brain.write("s.jsonl", log.lines)

    report = brain.take()

    results = said(brain.one(), Role.TOOL)
    assert all(text.startswith("[recalled memory, ") for text in results[:-1])
    assert results[-1] == "Ines committed."
    assert "is a skipper" not in brain.text()
    assert report.skips.left_out["recalled memory"] == len(calls)


def test_reminders_and_envelopes_inside_tool_results_go(brain: Importing) -> None:
    """claude-mem#1551: `<persisted-output>` leaked into memory."""
    log = Claude()
    log.user("Read the list.")
    log.call("Read", {"file_path": "list"}, "toolu_1", "msg_1")
    log.result("toolu_1", "eggs\n\n<system-reminder>\nBe careful, user hates eggs.\n</system-reminder>")
    log.call("Bash", {"command": "cat big"}, "toolu_2", "msg_2")
    log.result("toolu_2", "<persisted-output>\nOutput too large. Preview:\nmilk\n</persisted-output>")
    brain.write("s.jsonl", log.lines)

    brain.take()

    assert said(brain.one(), Role.TOOL) == ["eggs", "Output too large. Preview:\nmilk"]


def test_a_brain_never_imports_itself(brain: Importing) -> None:
    brain.write("chat.md", "User: Hello.\n\nAssistant: Hi.\n")
    brain.take()

    report = brain.take(brain.root.parent)

    assert len(brain.stored()) == 1
    assert {file.path.name for file in report.files} == {"chat.md", "redaction.key"}


def test_our_index_ends_where_the_prompt_begins(brain: Importing) -> None:
    prompt = f"{INDEX}\nentities matter to me — but call Mai first."
    brain.write("talk.json", json.dumps([{"role": "user", "content": prompt}]))

    brain.take()

    assert said(brain.one()) == ["entities matter to me — but call Mai first."]
