"""Folders: what the config allows is read, and there is no way out of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outside import reading
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from brain.config import Connector
from brain.connectors import Connectors
from brain.errors import BrainError, ConnectorError, NotFound


def of(tmp_path: Path, *allow: str) -> Connectors:
    return reading(tmp_path, papers=Connector(kind="folder", path=str(tmp_path / "papers"), allow=allow))


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    (folder / "visits").mkdir(parents=True)
    (folder / "audit.md").write_text("# Audit\nThe ramp at the Sendai venue is 90 cm wide.\n", "utf-8")
    (folder / "visits" / "kyoto.txt").write_text("Kyoto: tactile paving ends at the gate.\n", "utf-8")
    (folder / "photo.png").write_bytes(b"\x89PNG")
    (folder / ".env").write_text("KEY=1", "utf-8")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "a.md").write_text("hidden", "utf-8")
    return folder


def pdf(path: Path, *pages: str, password: str = "") -> None:
    """A PDF whose pages say these words, made by hand."""
    writer = PdfWriter()
    for words in pages:
        page = writer.add_blank_page(300, 300)
        font = DictionaryObject(
            {NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"),
             NameObject("/BaseFont"): NameObject("/Helvetica")}
        )  # fmt: skip
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): writer._add_object(font)})}
        )
        content = DecodedStreamObject()
        content.set_data(f"BT /F1 12 Tf 20 200 Td ({words}) Tj ET".encode("latin-1"))
        page[NameObject("/Contents")] = writer._add_object(content)
    if password:
        writer.encrypt(password)
    with path.open("wb") as file:
        writer.write(file)


def test_documents_are_listed_searched_and_read(tmp_path: Path, papers: Path) -> None:
    source = of(tmp_path)
    assert sorted(entry.id for entry in source.list("papers")) == ["audit.md", "visits/kyoto.txt"]
    assert [entry.id for entry in source.search("papers", "Sendai venue")] == ["audit.md"]
    assert source.read("papers", "visits/kyoto.txt").text == "Kyoto: tactile paving ends at the gate."
    assert source.check("papers").what == "2 documents"


def test_a_pdf_is_read_page_by_page(tmp_path: Path, papers: Path) -> None:
    pdf(papers / "brochure.pdf", "The lift holds four people.", "Opening hours: nine to five.")
    source = of(tmp_path)
    text = source.read("papers", "brochure.pdf").text
    assert "[page 1]\nThe lift holds four people." in text
    assert "[page 2]\nOpening hours: nine to five." in text
    assert [entry.id for entry in source.search("papers", "lift four people")] == ["brochure.pdf"]


def test_a_broken_or_locked_pdf_is_said_and_stops_no_search(tmp_path: Path, papers: Path) -> None:
    (papers / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing of a PDF")
    pdf(papers / "locked.pdf", "secret", password="kyoto")
    source = of(tmp_path)
    with pytest.raises(ConnectorError, match=r"broken\.pdf"):
        source.read("papers", "broken.pdf")
    with pytest.raises(ConnectorError, match="locked"):
        source.read("papers", "locked.pdf")
    assert [entry.id for entry in source.search("papers", "Sendai venue")] == ["audit.md"]
    assert dict(source.skipped("papers"))["does not read"] == 2


def test_only_what_is_allowed_is_read(tmp_path: Path, papers: Path) -> None:
    source = of(tmp_path, "visits/*")
    assert [entry.id for entry in source.list("papers")] == ["visits/kyoto.txt"]
    with pytest.raises(NotFound, match="outside"):
        source.read("papers", "audit.md")


@pytest.mark.parametrize(
    "id",
    [
        "../secret.md", "visits/../../secret.md", "/etc/passwd", "file:///etc/passwd", "file:audit.md", ".env", "",
        ".hidden/a.md", "visits\\..\\..\\secret.md", "audit.md\0.png", "C:/x.md", "link.md", "folder/secret.md",
        "photo.png", "dotted.md",
    ],
)  # fmt: skip
def test_no_way_leads_out_of_the_folder(tmp_path: Path, papers: Path, id: str) -> None:
    (tmp_path / "secret.md").write_text("secret", "utf-8")
    (papers / "link.md").symlink_to(tmp_path / "secret.md")
    (papers / "folder").symlink_to(tmp_path)
    (papers / "dotted.md").symlink_to(papers / ".hidden" / "a.md")
    source = of(tmp_path)
    with pytest.raises(NotFound):
        source.read("papers", id)
    assert sorted(entry.id for entry in source.list("papers")) == ["audit.md", "visits/kyoto.txt"]
    assert source.search("papers", "secret") == []


def test_links_in_a_circle_and_things_that_are_no_files_are_passed_over(tmp_path: Path, papers: Path) -> None:
    (papers / "again").symlink_to(papers)
    (papers / "a.md").symlink_to(papers / "b.md")
    (papers / "b.md").symlink_to(papers / "a.md")
    os.mkfifo(papers / "pipe.txt")
    source = of(tmp_path)
    assert sorted(entry.id for entry in source.list("papers")) == ["audit.md", "visits/kyoto.txt"]
    assert sum(number for _, number in source.skipped("papers")) == 3
    with pytest.raises(BrainError):
        source.read("papers", "pipe.txt")


def test_the_brain_itself_is_never_its_own_source(tmp_path: Path, papers: Path) -> None:
    connectors = reading(tmp_path, all=Connector(kind="folder", path=".."))
    (tmp_path / "memory" / "page.md").write_text("The Sendai venue.", "utf-8")
    assert sorted(entry.id for entry in connectors.list("all")) == ["papers/audit.md", "papers/visits/kyoto.txt"]
    with pytest.raises(NotFound):
        connectors.read("all", "memory/page.md")


def test_a_file_that_is_too_large_is_refused(tmp_path: Path, papers: Path) -> None:
    with (papers / "large.txt").open("wb") as file:
        file.truncate(30_000_000)
    source = of(tmp_path)
    with pytest.raises(ConnectorError, match="more than"):
        source.read("papers", "large.txt")
    assert [entry.id for entry in source.search("papers", "Sendai venue")] == ["audit.md"]


def test_odd_bytes_become_text(tmp_path: Path, papers: Path) -> None:
    (papers / "latin.txt").write_bytes("Café\x00 \u202eevil".encode("utf-8"))
    (papers / "windows.txt").write_bytes("Café".encode("cp1252"))
    (papers / "wide.txt").write_bytes("Café".encode("utf-16"))
    source = of(tmp_path)
    assert source.read("papers", "latin.txt").text == "Café evil"
    assert source.read("papers", "windows.txt").text == "Café"
    assert source.read("papers", "wide.txt").text == "Café"


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_no_id_reads_anything_but_a_document_of_the_folder(tmp_path_factory: pytest.TempPathFactory, id: str) -> None:
    folder = tmp_path_factory.getbasetemp() / "fence"
    (folder / "papers").mkdir(parents=True, exist_ok=True)
    (folder / "papers" / "audit.md").write_text("inside", "utf-8")
    (folder / "secret.md").write_text("outside", "utf-8")
    source = of(folder)
    for asked in (id, f"../{id}", f"{id}/../../secret.md", f"./{id}"):
        try:
            assert source.read("papers", asked).text == "inside"
        except BrainError:
            continue
