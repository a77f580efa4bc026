"""Ids, times, URIs and paths: canonical forms read back, everything else is refused (case T26)."""

from __future__ import annotations

import unicodedata
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hostile_text import hostile, session_ids, times
from hypothesis import given
from hypothesis import strategies as st

from brain.errors import FormatError
from brain.text import clean
from brain.tree import ids, layout, uri
from brain.tree.layout import FileClass
from brain.tree.sessions import SessionRow

SID = "1eaf53d4-09e0-5823-bb96-c8662f582708"


def test_a_session_id_is_the_same_everywhere_and_for_ever() -> None:
    assert ids.session_id("codex", "abc") == "c10dde6c-7c09-5f8e-a2a9-e775154ac3c5"
    assert ids.session_id("codex", "abc") != ids.session_id("chatgpt", "abc")


def test_run_ids_sort_by_time() -> None:
    early = ids.new_run_id(datetime(2026, 1, 1, tzinfo=UTC))
    late = ids.new_run_id(datetime(2026, 1, 2, tzinfo=UTC))
    assert early < late
    assert ids.RUN.fullmatch(early)
    assert ids.new_run_id() != ids.new_run_id()


@given(hostile, hostile)
def test_snippet_ids_are_made_from_words_and_source(text: str, source: str) -> None:
    first = ids.snippet_id(text, source)
    assert ids.SNIPPET.fullmatch(first)
    assert ids.snippet_id(text, source) == first
    second = ids.snippet_id(text, source, {first})
    assert second != first
    assert ids.SNIPPET.fullmatch(second)


@given(times)
def test_times_read_back(t: datetime) -> None:
    assert ids.parse_time(ids.format_time(t)) == t
    assert ids.parse_day(ids.format_day(t)) == t.date()


def test_a_time_is_written_in_utc_and_never_guessed() -> None:
    kyoto = timezone(timedelta(hours=9))
    assert ids.format_time(datetime(2026, 8, 6, 3, 0, 0, 999, tzinfo=kyoto)) == "2026-08-05T18:00:00Z"
    assert ids.format_day(datetime(2026, 8, 6, 3, tzinfo=kyoto)) == "2026-08-05"
    assert ids.format_day(date(2026, 8, 6)) == "2026-08-06"
    with pytest.raises(ValueError, match="zone"):
        ids.format_time(datetime(2026, 8, 6))
    for odd in (
        "2026-08-06",
        "2026-08-06 07:51:00Z",
        "2026-08-06T07:51:00+00:00",
        "2026-02-30T00:00:00Z",
        "٢٠٢٦-08-06",
    ):
        with pytest.raises(FormatError):
            ids.parse_time(odd)
    with pytest.raises(FormatError):
        ids.parse_day("6 August 2026")


ranges = st.lists(st.integers(1, 500).flatmap(lambda a: st.tuples(st.just(a), st.integers(a, a + 3))), max_size=5).map(
    tuple
)


@given(session_ids, ranges)
def test_session_uris_read_back(session: str, spans: tuple[tuple[int, int], ...]) -> None:
    made = uri.SessionUri(session, spans)
    assert uri.parse(str(made)) == made
    assert made.turns() == sorted({n for a, b in spans for n in range(a, b + 1)})


@given(
    st.from_regex(r"[a-z][a-z0-9.-]{0,8}", fullmatch=True),
    st.lists(
        hostile.map(clean).filter(lambda s: s.strip(". ") and not set(s) & set("/\\\n\t")), min_size=1, max_size=3
    ),
    st.sampled_from([None, "L3-L9", "L3", "page=2", "sha256=" + "0f" * 32]),
)
def test_file_uris_read_back(root: str, parts: list[str], anchor: str | None) -> None:
    made = uri.FileUri(root, "/".join(parts), anchor)
    assert uri.parse(str(made)) == made
    assert " " not in str(made)
    assert str(made).isascii()


@given(
    times,
    st.dictionaries(
        st.sampled_from(["id", "q", "cal"]), hostile.map(clean).filter(lambda s: "\n" not in s and "\t" not in s)
    ),
)
def test_connector_uris_read_back(at: datetime, query: dict[str, str]) -> None:
    made = uri.ConnectorUri("google-calendar", ids.format_time(at), "9f2c41d07ab3e655", tuple(query.items()))
    assert uri.parse(str(made)) == made


@pytest.mark.parametrize(
    ("given_", "canonical"),
    [
        (f"SESSION://{SID.upper()}#t9,t3-t5,t4-t6", f"session://{SID}#t3-t6,t9"),
        (f"session://{SID}#t4-t4", f"session://{SID}#t4"),
        (f"pplx://sessions/{SID}", f"session://{SID}"),
        ("file://artifacts/a b/%e4%ba%ac.txt", "file://artifacts/a%20b/%E4%BA%AC.txt"),
        (
            "connector://cal?sha=9f2c41d07ab3e655&q=japan sprint&at=2026-08-06T07:40:11Z",
            "connector://cal?at=2026-08-06T07:40:11Z&q=japan%20sprint&sha=9f2c41d07ab3e655",
        ),
    ],
)
def test_other_forms_become_canonical(given_: str, canonical: str) -> None:
    assert uri.canonical(given_) == canonical
    assert uri.canonical(canonical) == canonical


@pytest.mark.parametrize(
    "bad",
    [
        "", "https://example.org/x", "session://1eaf53d4#t3", f"session://{SID}#t0", f"session://{SID}#t5-t3",
        f"session://{SID}#3", f"session://{SID}#t1-t41", f"session://{SID}#t1,t3,t5,t7,t9,t11", "file://artifacts",
        "file:///etc/passwd", "file://artifacts/../x", "file://artifacts/%2e%2e/x", "file://a/x#line3", "file://a/%zz",
        "file://a/x%00", "connector://cal", "connector://cal?at=2026-08-06T07:40:11Z", "connector://cal?at=now&sha=9f2c41d07ab3e655",
        "javascript:alert(1)", "data:text/plain,x",
    ],
)  # fmt: skip
def test_what_is_no_source_is_refused(bad: str) -> None:
    with pytest.raises(FormatError):
        uri.parse(bad)


def test_a_shortened_session_id_is_completed() -> None:
    assert str(uri.parse("session://1eaf53d4#t3", {"1eaf53d4": SID}.get)) == f"session://{SID}#t3"
    with pytest.raises(FormatError):
        uri.parse("session://feedfeed#t3", {"1eaf53d4": SID}.get)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("AGENTS.md", FileClass.AGENTS),
        ("knowledge/index.md", FileClass.INDEX),
        ("knowledge/log.md", FileClass.LOG),
        ("knowledge/log-2025.md", FileClass.LOG),
        ("knowledge/projects/atlas.md", FileClass.PAGE),
        ("knowledge/projects/Atlas.md", FileClass.OTHER),
        ("knowledge/projects/a/b.md", FileClass.OTHER),
        ("knowledge/people/nadia.md", FileClass.OTHER),
        ("knowledge/entities/" + "a" * 65 + ".md", FileClass.OTHER),
        ("notes/preferences/figures.md", FileClass.NOTE),
        ("notes/work/print/figures.md", FileClass.NOTE),
        ("notes/a/b/c/d.md", FileClass.OTHER),
        ("notes/figures.md", FileClass.OTHER),
        ("sessions/index.jsonl", FileClass.SESSION_INDEX),
        ("sessions/index.md", FileClass.SESSION_INDEX_MD),
        ("sessions/summaries/2026/2026-06-21-kyoto-1eaf53d4.md", FileClass.SUMMARY),
        ("sessions/transcripts/2026/2026-06-21-1eaf53d4.md", FileClass.TRANSCRIPT),
        ("sessions/transcripts/2025/2026-06-21-1eaf53d4.md", FileClass.OTHER),
        ("sessions/artifacts/x/y.txt", FileClass.ARTIFACT),
        (".brain/config.toml", FileClass.CONTROL),
        (".gitignore", FileClass.CONTROL),
        (".brain/staging/x/tree/AGENTS.md", FileClass.STATE),
        ("README.md", FileClass.OTHER),
    ],
)
def test_every_path_has_its_class(path: str, kind: FileClass) -> None:
    assert layout.classify(path) is kind
    assert layout.is_tracked(path) == (kind not in {FileClass.TRANSCRIPT, FileClass.ARTIFACT, FileClass.STATE})


TITLES = [
    "Київ 2026",
    "東京 出張",
    "京都 出張",
    "🎉",
    "🎊",
    "",
    "README",
    "readme",
    "CON",
    "a/b\\c:d*?",
    "x" * 300,
    "Café",
    "سفر",
]


@given(hostile, session_ids, st.none() | times)
def test_any_title_gives_a_path_that_every_system_takes(title: str, session: str, started: datetime | None) -> None:
    row = SessionRow(id=session, source="x", external_id="y", title=title, started_at=started)
    path = layout.summary_path(layout.stem(row))
    assert layout.classify(path) is FileClass.SUMMARY
    assert layout.classify(layout.transcript_path(layout.stem(row))) is FileClass.TRANSCRIPT
    assert path.isascii()
    assert len(path) <= 200
    assert unicodedata.is_normalized("NFC", path)


def test_sessions_of_any_title_have_paths_of_their_own() -> None:
    rows = [
        SessionRow(id=ids.session_id("x", str(n)), source="x", external_id=str(n), title=t)
        for n, t in enumerate(TITLES)
    ]
    stems = [layout.stem(row) for row in rows]
    assert len({s.casefold() for s in stems}) == len(TITLES)
    assert stems[0].startswith("0000-00-00-kiiv-2026-")


def test_ids_and_paths_of_pages_and_notes() -> None:
    assert layout.page_path("projects/atlas") == "knowledge/projects/atlas.md"
    assert layout.page_id("knowledge/projects/atlas.md") == "projects/atlas"
    assert layout.page_id("knowledge/index.md") is None
    assert layout.note_path("notes/work/x") == layout.note_path("work/x") == "notes/work/x.md"
    assert layout.note_id("notes/work/x.md") == "notes/work/x"
    assert layout.page_type("learnings/x") == "learning"
