"""Every form that comes back does so for any words: pages, notes and turns written and read again are the same."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from harbour_export import SESSION, page, said, transcribed
from hypothesis import given, settings
from hypothesis import strategies as st

from brain import Brain
from brain.adopt.properties import split
from brain.adopt.returned import Document, Returning, from_lines
from brain.export import jsonl, obsidian, okf, sittings
from brain.export.exporting import export
from brain.export.holdings import Holdings, Session
from brain.text import clean, one_line
from brain.tree import frontmatter, note
from brain.tree.edit import Statement
from brain.tree.markdown import escape
from brain.tree.page import parse
from brain.tree.sessions import SessionRow
from brain.types import Qualifier, Severity

FRAGMENTS = [
    "[[entities/b]]", "[[entities/b|Label]]", "[cite:1]", "[^cite-1]", "[^1]:", "^[x]", "`", "```", "````\n", "\n\n",
    "### t2\n\n",
    "## Turns\n", "## t3 · user · -", "](/entities/b.md)", "[a](/entities/b.md#x)", "\\", "<b>", "&", '"', "'",
    "·", " — ",
    "%%", "京都", "👩‍🔬", "---", "# ", "- ", "| ", "word ", "\u2028", "\x85",
]  # fmt: skip
hostile = st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=10)), min_size=1, max_size=10).map("".join)
AT = datetime(2026, 8, 6, 7, 51, tzinfo=UTC)


def words(text: str) -> str:
    return one_line(clean(text)).strip("# ") or "x"


def returned(files: dict[str, bytes]) -> Returning:
    documents = {}
    for path, data in files.items():
        if path.endswith(".md") and path.rpartition("/")[2] not in ("index.md", "log.md", "Home.md"):
            properties, body = split(data.decode())
            assert not properties.broken
            documents[path] = Document(path=path, properties=properties, body=body)
    return Returning(documents=documents)


@pytest.mark.parametrize("form", ["okf", "obsidian"])
@settings(max_examples=80, deadline=None)
@given(titles=st.lists(hostile, min_size=2, max_size=2), texts=st.lists(hostile, min_size=2, max_size=3))
def test_a_page_goes_out_the_same_after_it_came_back(form: str, titles: list[str], texts: list[str]) -> None:
    write = {"okf": okf.bundle, "obsidian": obsidian.vault}[form]
    claims = [said(clean(text)) for text in texts]
    claims.append(
        Statement(text="To [[entities/b]], [[entities/b|the `b`]], [[entities/b#Facts|f]]", uris=claims[0].uris)
    )
    pages = [page("entities/a", words(titles[0]), claims), page("entities/b", words(titles[1]), claims[:2])]
    line = note.snippet(
        escape(clean(texts[0])) or "x", f"session://{SESSION}#t1", day=AT.date(), qualifier=Qualifier.IMAGE
    )
    file = note.NoteFile(id="notes/facts/x", title=words(titles[0]), updated_at=AT, snippets=(line,))
    first = write(Holdings(pages={one.id: one for one in pages}, notes={file.id: file}))
    back = returned(first).parcel()
    assert [offer.id for offer in back.pages] == ["entities/a", "entities/b"]
    assert back.losses == []
    again = {offer.id: parse(offer.text, f"knowledge/{offer.id}.md") for offer in back.pages}
    assert write(Holdings(pages=again, notes={one.id: one for one in back.notes})) == first
    assert [claim.words for claim in again["entities/b"].claims] == [claim.words for claim in pages[1].claims] or any(
        "[^" in text for text in texts
    )


@settings(max_examples=120, deadline=None)
@given(st.lists(hostile.map(lambda text: clean(text).strip("\n") or "x"), min_size=1, max_size=4))
def test_turns_of_a_session_document_read_back(texts: list[str]) -> None:
    told = transcribed(texts)
    row = SessionRow(id=told.id, source=told.source, external_id=told.external_id, title=told.title, turns=9)
    kept = told.turns[::2]
    one = Session(row=row, head=told, name="x", turns=kept)
    values, body, _ = frontmatter.parse(
        frontmatter.render({"type": "Session", **sittings.meta(one)}) + sittings.body(one)
    )
    head, summary, count = sittings.parse(values, body, told.title)
    assert head.turns == kept
    assert (summary, count) == (None, 9)
    assert head.participants == told.participants


@settings(max_examples=60, deadline=None)
@given(texts=st.lists(hostile, min_size=2, max_size=3))
def test_json_lines_read_back_to_the_byte(texts: list[str]) -> None:
    shown = page("entities/a", words(texts[0]), [said(clean(text)) for text in texts])
    told = transcribed([clean(text) for text in texts])
    row = SessionRow(id=told.id, source=told.source, external_id=told.external_id, title=told.title, turns=len(texts))
    held = Holdings(
        pages={shown.id: shown},
        sessions={row.id: Session(row=row, head=told, name="x", turns=told.turns)},
        files={"a/b.bin": b"\xff\x00", "a/c.txt": "ü".encode()},
    )
    data = jsonl.lines(held).decode()
    assert len(data.splitlines()) >= 5
    back = from_lines(iter(data.removesuffix("\n").split("\n")), "x", lambda text: text)
    assert back.losses == []
    assert [offer.text for offer in back.pages] == [shown.text]
    assert [sitting.head.turns for sitting in back.sittings] == [told.turns]
    assert back.files == held.files


def test_hostile_pages_come_into_an_empty_brain_and_what_the_rules_refuse_is_named(
    hostile: Path, tmp_path: Path
) -> None:
    for form in ("okf", "obsidian", "jsonl"):
        export(hostile, form, tmp_path / f"out.{form}")
        Brain.init(tmp_path / form)
        with Brain.open(tmp_path / form, background="no") as brain:
            report = brain.adopt([tmp_path / f"out.{form}"])
            assert report.problem is None
            assert report.pages["projects/mole"] == "new"
            assert [p for p in brain.check() if p.severity is Severity.E] == []
            assert (report.exit_code == 1) is bool(report.losses)
