"""Notes, summaries and the session index: written, read back, grep-able line by line."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hostile_text import hostile, session_ids, times
from hypothesis import given
from hypothesis import strategies as st

from brain.errors import FormatError
from brain.text import clean, one_line
from brain.tree import markdown, note, sessions, summary
from brain.tree.note import Foreign, NoteFile
from brain.tree.sessions import SessionRow, SessionState
from brain.tree.summary import SECTIONS, Bullet, Outcome, Summary
from brain.types import Qualifier

S = "session://1eaf53d4-09e0-5823-bb96-c8662f582708"
line = hostile.map(one_line)


@given(
    st.lists(
        st.tuples(hostile, st.none() | st.dates(date(1970, 1, 1)), st.none() | st.sampled_from(Qualifier)), max_size=5
    ),
    st.none() | times,
    line,
)
def test_note_files_read_back(
    rows: list[tuple[str, date | None, Qualifier | None]], at: datetime | None, title: str
) -> None:
    snippets = tuple(note.snippet(text, f"{S}#t{n + 1}", day=day, qualifier=q) for n, (text, day, q) in enumerate(rows))
    made = NoteFile(id="notes/work/print", title=title, updated_at=at, snippets=snippets)
    text = note.render(made)
    assert note.parse(text) == made
    assert text.count("\n- ") == len(rows)
    assert all(s.line and text.split("\n")[s.line - 1].endswith("^" + s.id) for s in note.parse(text).snippets)


def test_a_note_line_is_fact_and_evidence_in_one() -> None:
    s = note.snippet("Wants exported diagrams as PDF, not PNG.", f"{S}#t14", day=date(2026, 8, 2))
    assert note.render_snippet(s) == f"- 2026-08-02 · Wants exported diagrams as PDF, not PNG. <{S}#t14> ^{s.id}"
    undated = replace(s, day=None, qualifier=Qualifier.ASSISTANT)
    assert note.render_snippet(undated).startswith("- - · Wants")
    assert note.parse_snippet(note.render_snippet(undated)) == undated


def test_lines_of_people_in_a_note_are_kept_where_they_stand() -> None:
    a = note.render_snippet(note.snippet("One.", f"{S}#t1", day=date(2026, 8, 2)))
    b = note.render_snippet(note.snippet("Two.", f"{S}#t2", day=date(2026, 8, 2)))
    text = f"---\nid: notes/work/x\ntype: note\ntitle: X\n---\n# Mine\n{a}\n\nkeep me\n{b}\nend\n"
    read = note.parse(text, "notes/work/x.md")
    assert note.render(read) == text
    assert [f.text for f in read.foreign] == ["# Mine", "", "keep me", "end"]
    assert read.foreign[2] == Foreign(after=1, text="keep me", line=9)
    assert note.render(replace(read, snippets=read.snippets[:1])).endswith("keep me\nend\n")


@st.composite
def summaries(draw: st.DrawFn) -> Summary:
    bullets = st.builds(
        lambda text, first, more: Bullet(text=text, first=first, last=first + more),
        line,
        st.integers(1, 900),
        st.integers(0, 9),
    )
    heads = draw(st.lists(st.sampled_from(SECTIONS), unique=True))
    return Summary(
        id=draw(session_ids),
        title=draw(line),
        source="codex",
        started_at=draw(st.none() | times),
        ended_at=draw(st.none() | times),
        turns=draw(st.integers(0, 999)),
        through_turn=draw(st.integers(0, 999)),
        attached_through=draw(st.integers(0, 999)),
        transcript_sha256="0f" * 32,
        outcome=draw(st.sampled_from(Outcome)),
        projects=tuple(draw(st.lists(st.sampled_from(["projects/a", "projects/b"])))),
        topics=tuple(draw(st.lists(st.sampled_from(["a", "b"])))),
        updated_by="dream/0.3",
        summary=draw(line),
        bullets={h: tuple(draw(st.lists(bullets, min_size=1, max_size=3))) for h in SECTIONS if h in heads},
    )


@given(summaries())
def test_summaries_read_back(made: Summary) -> None:
    text = summary.render(made)
    assert summary.parse(text) == made
    assert summary.render(summary.parse(text)) == text


def test_a_summary_stands_as_the_format_says() -> None:
    made = Summary(
        id="1eaf53d4-09e0-5823-bb96-c8662f582708",
        title="Kyoto: hosts",
        source="codex",
        started_at=datetime(2026, 6, 21, 9, tzinfo=UTC),
        turns=14,
        summary="Two hosts were found.",
        bullets={
            "Open threads": (Bullet(text="Is it step-free?", first=14, last=14),),
            "Decisions": (Bullet(text="PDF.", first=3, last=5),),
        },
    )  # fmt: skip
    assert summary.render(made) == (
        '---\nid: 1eaf53d4-09e0-5823-bb96-c8662f582708\ntype: session_summary\ntitle: "Kyoto: hosts"\nsource: codex\n'
        "started_at: 2026-06-21T09:00:00Z\nturns: 14\nthrough_turn: 0\nattached_through: 0\n"
        'transcript_sha256: ""\noutcome: unknown\nprojects: []\ntopics: []\nsensitivity: normal\nupdated_by: ""\n---\n'
        "## Summary\nTwo hosts were found.\n\n## Decisions\n- PDF. (t3-t5)\n\n"
        "## Open threads\n- Is it step-free? (t14)\n"
    )


@pytest.mark.parametrize(
    "body",
    [
        "## Elsewhere\n",
        "## Decisions\n- no turns\n",
        "stray\n",
        "## Decisions\n## Decisions\n",
        "## Decisions\ntext (t1)\n",
    ],
)
def test_a_broken_summary_is_told(body: str) -> None:
    head = summary.render(Summary(id="x", title="t", source="s")).split("## Summary")[0]
    with pytest.raises(FormatError):
        summary.parse(head + body, "s.md")


@st.composite
def rows(draw: st.DrawFn) -> SessionRow:
    return SessionRow(
        id=draw(session_ids),
        source="codex",
        external_id=draw(hostile.map(clean)),
        title=draw(hostile.map(clean)),
        started_at=draw(st.none() | times),
        ended_at=draw(st.none() | times),
        turns=draw(st.integers(0, 99)),
        last_turn_at=draw(st.none() | times),
        transcript="sessions/transcripts/x.md",
        summary=draw(st.none() | st.just("sessions/summaries/x.md")),
        state=draw(st.sampled_from(SessionState)),
    )


@given(st.lists(rows(), max_size=6, unique_by=lambda r: r.id))
def test_the_session_index_reads_back_sorted(made: list[SessionRow]) -> None:
    text = sessions.render_rows(made)
    assert sessions.parse_rows(text) == sorted(made, key=sessions.sort_key)
    assert text.count("\n") == len(made)
    assert sessions.render_rows(reversed(made)) == text
    shown = sessions.render_index_md(made)
    assert shown.count("\n- ") == sum(r.state is not SessionState.DELETED for r in made)
    assert markdown.markers_in(shown) == []
    assert markdown.links_in(shown) == []


def test_the_readable_index_holds_the_newest_fifty() -> None:
    made = [
        SessionRow(
            id=f"{n:08d}",
            source="x",
            external_id=str(n),
            title=f"Talk {n}",
            turns=n,
            started_at=datetime(2026, 1, 1, 0, n, tzinfo=UTC),
        )
        for n in range(60)
    ]
    lines = sessions.render_index_md(made).split("\n")
    assert lines[:3] == ["# Sessions", "", "- 2026-01-01 · Talk 59 · 59 turns · -"]
    assert sum(line.startswith("- ") for line in lines) == 50
    assert "(+10 older: sessions/index.jsonl)" in lines


@pytest.mark.parametrize(
    "bad",
    [
        "{",
        "[]",
        "{}",
        '{"id": "x", "turns": "many"}',
        '{"id": "x", "state": "odd"}',
        '{"id": "x", "started_at": "now"}',
    ],
)
def test_a_broken_row_is_told_with_its_line(bad: str) -> None:
    good = sessions.render_row(SessionRow(id="a", source="b", external_id="c", title="d"))
    with pytest.raises(FormatError) as told:
        sessions.parse_rows(f"{good}\n{bad}\n")
    assert told.value.line == 2
