"""What becomes searchable, and where it says it stands."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from written import ASSISTANT, TOOL, USER, put_note, put_page, put_session, put_summary, session

from brain.corpus.search.documents import Document, documents
from brain.tree.summary import Bullet
from brain.types import Surface

DAY = date(2026, 6, 21)


def read(root: Path, path: str) -> list[Document]:
    return list(documents(root / path, path, "en"))


def test_each_turn_is_found_at_its_line(tmp_path: Path) -> None:
    said = session(
        "a", DAY, [(USER, "first\n\n## t9 · user · -\nline"), (ASSISTANT, "second"), (USER, "", "Ann"), (USER, "z")]
    )
    path = put_session(tmp_path, said)
    found = read(tmp_path, path)
    lines = (tmp_path / path).read_text().split("\n")
    assert [d.first for d in found] == [1, 2, 4]
    for document in found:
        assert lines[document.line - 1].startswith(f"## t{document.first} ")
        assert document.uri == f"session://{said.id}#t{document.first}"
        assert document.day == DAY


def test_a_claim_leads_to_the_turns_it_cites(tmp_path: Path) -> None:
    of = session("a", DAY, [(USER, "hosts")])
    body = (
        "A sprint. [cite:1]\n\n## Status\n"
        "- **Bases** — Kyoto is hosted by [[entities/sora|Sora City Lab]]. [cite:1] [cite:2]\n"
        "- See `[[not/a-link]]` and `[cite:9]`. ^[assistant] [cite:2]\n\n## See also\n- [[entities/sora]] — a lab\n\n"
        f'## References\n[cite:1]: session://{of.id}#t1 "x"\n[cite:2]: session://{of.id}#t3-t5,t9 "y"\n'
    )
    found = read(tmp_path, put_page(tmp_path, "projects/sprint", "Sprint", body, aliases="the sprint"))
    lead, bases, quoted = found
    assert lead.surface is Surface.PAGE
    assert lead.cites == ((of.id, 1, 1),)
    assert bases.text == "Bases — Kyoto is hosted by Sora City Lab."
    assert bases.heading == "Status"
    assert bases.context == "the sprint"
    assert bases.cites == ((of.id, 1, 1), (of.id, 3, 5), (of.id, 9, 9))
    assert quoted.qualifier == "assistant"
    assert quoted.cites == ((of.id, 3, 5), (of.id, 9, 9))


def test_a_note_line_stands_on_its_source(tmp_path: Path) -> None:
    of = session("a", DAY, [(USER, "PDF please")])
    path = put_note(tmp_path, "preferences/figures", (DAY, "Wants figures as PDF.", f"session://{of.id}#t14"))
    (line,) = read(tmp_path, path)
    assert (line.text, line.day, line.session, line.first) == ("Wants figures as PDF.", DAY, of.id, 14)
    assert "Wants figures" in (tmp_path / path).read_text().split("\n")[line.line - 1]


def test_a_summary_and_its_bullets_are_found(tmp_path: Path) -> None:
    of = session("a", DAY, [(USER, "x")] * 3, title="Hosts")
    bullets = {"Decisions": (Bullet(text="Kyoto in October.", first=2, last=3),)}
    whole, bullet = read(tmp_path, put_summary(tmp_path, of, "They chose hosts.", bullets))
    assert whole.uri == f"session://{of.id}"
    assert "They chose hosts." in whole.text
    assert (bullet.heading, bullet.cites) == ("Decisions", ((of.id, 2, 3),))


def test_long_turns_get_several_vectors_and_tool_output_one(tmp_path: Path) -> None:
    long = ". ".join(f"sentence number {n} says a thing about ramps and doors" for n in range(400))
    path = put_session(tmp_path, session("a", DAY, [(USER, long), (TOOL, long), (USER, "short")]))
    user, tool, short = read(tmp_path, path)
    assert len(user.passages()) == 8
    assert len(tool.passages()) == 1
    assert short.passages() == ["short"]


def test_a_document_is_the_same_wherever_its_line_moved(tmp_path: Path) -> None:
    refs = "## References\n"
    first = read(tmp_path, put_page(tmp_path, "concepts/a", "A", f"Lead.\n\n## Facts\n- Doors are wide.\n\n{refs}"))
    later = read(
        tmp_path, put_page(tmp_path, "concepts/a", "A", f"Lead.\n\n## Facts\n- New.\n- Doors are wide.\n\n{refs}")
    )
    assert first[1].identity() == later[2].identity()
    assert first[1].line != later[2].line
