"""What a run finds out before it works: instructions, work by watermarks, stop conditions."""

from __future__ import annotations

from datetime import UTC, datetime

from brain.dream.orient import orient, parse_instructions
from brain.tree.files import MemoryTree
from brain.tree.sessions import SessionRow, SessionState, render_rows

INSTRUCTIONS = """---
type: instructions
version: 2
---
# Standing instructions

## Scope
- SI-001: skip sessions "throwaway"

## Never record
- SI-002: Anything about my salary
- SI-003: "Project Umbra"

## Stop
- SI-004: after 2 sessions
"""


def row(
    number: int, *, turns: int = 4, through: int = 0, attached: int = 0, title: str = "Talk", **more: object
) -> SessionRow:
    return SessionRow(
        id=f"0000000{number}-0000-5000-8000-000000000000",
        source="codex",
        external_id=str(number),
        title=title,
        started_at=datetime(2026, 5, number, tzinfo=UTC),
        turns=turns,
        through_turn=through,
        attached_through=attached,
        **more,  # type: ignore[arg-type]
    )


def tree(*rows: SessionRow) -> MemoryTree:
    return MemoryTree({".brain/instructions.md": INSTRUCTIONS, "sessions/index.jsonl": render_rows(rows)})


def test_never_record_matches_quoted_words_or_all_content_words() -> None:
    rules = parse_instructions(INSTRUCTIONS)
    assert rules.barred_by("Mara's salary is 4,000 a month.")
    assert rules.barred_by("Work on project umbra started.")
    assert rules.barred_by("Mara likes tea.") is None


def test_work_is_what_watermarks_leave_open() -> None:
    done, grown, fresh = row(1, through=4, attached=4), row(2, turns=9, through=4, attached=4), row(3)
    found = orient(tree(done, grown, fresh))
    assert [(item.row.id[7], item.summarise_from, item.attach_from) for item in found.work] == [
        ("2", 5, 5),
        ("3", 1, 1),
    ]


def test_summarised_but_unattached_session_is_attached_only() -> None:
    work = orient(tree(row(1, through=4, attached=0))).work
    assert [item.summarises for item in work] == [False]


def test_scope_deleted_sessions_and_stop_conditions_narrow_the_work() -> None:
    rows = [row(1, title="A throwaway chat"), row(2, state=SessionState.DELETED), row(3), row(4), row(5)]
    found = orient(tree(*rows))
    assert [item.row.id[7] for item in found.work] == ["3", "4"]
    assert (len(found.out_of_scope), found.left_for_later) == (1, 1)
    said = "\n".join(found.lines())
    for words in ("never record", "SI-002", "after 2 sessions", "deletion log: 0", "2 to attach"):
        assert words in said
