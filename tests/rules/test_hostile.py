# ruff: noqa: E501 — pieces of hostile text
"""No text makes a rule fail: whatever lies in a file, `check` answers with problems, and verification with a verdict."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st
from rule_examples import CONFIG, KEY, NOW, SPRINT, SPRINT_TEXT, STEM, Case, standard

from brain import rules
from brain.rules import TreeEvidence, overrides, verify
from brain.tree import deletions
from brain.tree.files import MemoryTree
from brain.types import Problem, Role, Turn

PIECES = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "---\n",
            "# Sprint\n",
            "## Facts\n",
            "## References\n",
            "- ",
            "[cite:1]",
            "[cite:99999]",
            "[cite:session://x#t1]",
            "[cite:1]: file://artifacts/../x\n",
            "[[",
            "]]",
            "[[a|b|c]]",
            "[[entities/nadia#x|y]]",
            "^[disputed]",
            "^[",
            "`",
            "```\n",
            "|a|b|\n|-|-|\n",
            "\\",
            "<a href='x'>",
            "![x](y)",
            "9999-99-99",
            "2026-02-30",
            "1,2.3,4",
            "“",
            '"',
            "「",
            "»",
            "yesterday",
            "昨日",
            "不",
            "n't",
            "\x00",
            "\u202e",
            "\ud800",
            "👩‍💻",
            "password: hunter2!x",
            "-----BEGIN PRIVATE KEY-----",
            "4111 1111 1111 1111",
            "session://1eaf53d4-09e0-5823-bb96-c8662f582708#t5",
            "<session://1eaf53d4-09e0-5823-bb96-c8662f582708#t5> ^n4k7q2m9a\n",
            "- 2026-06-21 · ",
        ]
    ),
)
TEXT = st.lists(PIECES, max_size=20).map("".join)


def checked(path: str, text: str) -> list[Problem]:
    files = {**standard(), path: text}
    tree = MemoryTree(files)
    return rules.check(
        tree,
        MemoryTree(standard()),
        config=CONFIG,
        evidence=TreeEvidence(tree),
        deletions=deletions.Deletions(key=KEY),
        now=NOW,
        changed={path},
        regenerated=True,
    )


@settings(max_examples=120, deadline=None)
@given(TEXT)
@example("[cite:1]: ")
def test_a_hostile_page_gets_problems_and_no_failure(body: str) -> None:
    head, _, tail = SPRINT_TEXT.partition("## Facts")
    checked(SPRINT, f"{head}{body}")
    checked(SPRINT, f"{head}## Facts{tail}{body}")
    checked(SPRINT, body)


@settings(max_examples=25, deadline=None)
@given(TEXT)
def test_hostile_notes_summaries_transcripts_and_indexes_get_problems(body: str) -> None:
    files = standard()
    for path in (
        "notes/preferences/figures.md",
        f"sessions/summaries/{STEM}.md",
        f"sessions/transcripts/{STEM}.md",
        "sessions/index.jsonl",
        "knowledge/index.md",
        "knowledge/log.md",
        ".brain/deletions.jsonl",
    ):
        checked(path, files[path] + body)
        checked(path, body)


@settings(max_examples=300, deadline=None)
@given(TEXT, TEXT)
def test_any_claim_and_any_turn_give_a_verdict(claim: str, said: str) -> None:
    turn = Turn(number=1, role=Role.USER, text=said, time=NOW, name="Nadia")
    assert verify(claim, [turn], owners=["Nadia"]).why
    overrides(claim, [turn], subjects=["Nadia"])


def test_problems_come_in_one_order() -> None:
    case = Case()
    case.staged[SPRINT] = case.staged[SPRINT].replace("[cite:", "[cite:0")
    first, second = case.problems(), case.problems()
    assert first == second
    assert first == sorted(first, key=lambda p: (p.path, p.line, p.rule, p.message))
