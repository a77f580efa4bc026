"""Vectors: what means the same is near, work is resumed, and texts that are gone leave none."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import pytest
from written import ASSISTANT, USER, put_note, put_session, session

from brain.corpus.search import embedding, stores
from brain.corpus.search.catalogue import Catalogue
from brain.corpus.search.index import SearchIndex
from brain.corpus.search.meaning import EmbedderUnavailable, open_embedder
from brain.corpus.search.vectors import Vectors, write_rows

DAY = date(2026, 6, 21)


def test_near_in_meaning_is_near_as_vectors() -> None:
    asked, near, far = open_embedder().embed(["the car needs repair", "my vehicle is broken", "I like green tea"])
    assert asked @ near > 0.4 > asked @ far


def test_a_vector_does_not_depend_on_its_neighbours() -> None:
    texts = ["short", "a longer text about ramps " * 10, "東京 出張", ""]
    together = open_embedder().embed(texts)
    alone = np.concatenate([open_embedder().embed([text]) for text in texts])
    assert np.array_equal(together, alone)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)


def test_an_unknown_embedder_says_so() -> None:
    with pytest.raises(EmbedderUnavailable, match="no-such"):
        open_embedder("no-such")


def test_other_words_are_found_once_vectors_are_there(tmp_path: Path) -> None:
    said = [
        (USER, "My vehicle broke down again"),
        (USER, "I had tea"),
        (ASSISTANT, "Green tea is fine"),
        (USER, "Rain today"),
    ]
    put_session(tmp_path, session("a", DAY, said))
    index = SearchIndex(tmp_path)
    index.update()
    assert "no vectors yet" in (index.find("car repair").remark or "")
    index.embed()
    found = index.find("car repair", 1)
    assert found.hits[0].text == "My vehicle broke down again"
    assert found.meaning
    assert found.remark is None


def test_embedding_stops_in_time_and_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "BATCH", 4)
    of = session("a", DAY, [(USER, f"turn number {n}") for n in range(12)])
    put_session(tmp_path, of)
    put_note(tmp_path, "facts/x", (DAY, "Most useful first.", f"session://{of.id}#t1"))
    index = SearchIndex(tmp_path)
    index.update()
    first = index.embed(seconds=0.0001)
    assert 0 < first.done < 13
    catalogue = Catalogue(index.folder / "catalogue.sqlite")
    done = catalogue.rows("SELECT docs.surface FROM units JOIN vectors USING (hash) JOIN docs ON docs.id = units.doc")
    catalogue.close()
    assert ("note",) in done
    assert f"{first.left} texts have no vector yet" == index.find("turn").remark
    second = index.embed()
    assert (first.done + second.done, second.left) == (13, 0)


def test_equal_texts_share_a_vector_and_a_rebuild_keeps_it(tmp_path: Path) -> None:
    put_session(tmp_path, session("a", DAY, [(USER, "thanks"), (USER, "thanks"), (USER, "ramp")]))
    index = SearchIndex(tmp_path)
    index.update()
    assert index.embed().done == 2
    before = index.find("a slope for wheelchairs", 3).hits
    index.rebuild()
    assert index.status().pending == 0
    assert index.find("a slope for wheelchairs", 3).hits == before


def test_an_index_of_another_version_keeps_its_vectors(tmp_path: Path) -> None:
    put_session(tmp_path, session("a", DAY, [(USER, "ramp"), (USER, "tea")]))
    index = SearchIndex(tmp_path)
    index.update()
    index.embed()
    before = index.find("a slope for wheelchairs", 3).hits
    index.close()
    catalogue = Catalogue(index.folder / "catalogue.sqlite")
    catalogue.set("schema", "old")
    catalogue.close()
    assert "rebuilt" in (index.update().message or "")
    assert index.status().pending == 0
    assert index.find("a slope for wheelchairs", 3).hits == before


def test_the_vector_of_a_deleted_text_is_erased(tmp_path: Path) -> None:
    gone = put_session(tmp_path, session("a", DAY, [(USER, "zebra")]))
    put_session(tmp_path, session("b", DAY, [(USER, "ramp")]))
    index = SearchIndex(tmp_path)
    index.update()
    index.embed()
    (tmp_path / gone).unlink()
    index.update()
    status = index.status()
    assert (status.vectors, status.pending) == (1, 0)
    rows = np.fromfile(stores.vectors_file(index.folder, status.embedder), np.float16).reshape(-1, 384)
    assert sorted(bool(row.any()) for row in rows) == [False, True]


def test_another_embedder_makes_its_own_vectors(tmp_path: Path) -> None:
    class Letters:
        id = "letters"
        dimensions = 64

        def embed(self, texts: list[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
            rows = np.array([[text.count(chr(96 + n)) + 0.01 for n in range(64)] for text in texts], np.float32)
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            return rows

    put_session(tmp_path, session("a", DAY, [(USER, "aaaa"), (USER, "bbbb")]))
    first = SearchIndex(tmp_path)
    first.update()
    first.embed()
    other = SearchIndex(tmp_path, embedder=Letters())  # type: ignore[arg-type]
    assert "compared by all-MiniLM-L6-v2-int8 until letters has all vectors (2 texts" in (other.find("a").remark or "")
    other.embed()
    assert other.find("aab", 1).hits[0].text == "aaaa"


def test_a_scan_by_sign_bits_finds_what_an_exact_one_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(5)
    centres = chance.normal(size=(50, 64))
    rows = (centres[chance.integers(0, 50, 3000)] + 0.7 * chance.normal(size=(3000, 64)) + 0.5).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    file = tmp_path / "rows.f16"
    write_rows(file, 0, rows)
    exact = Vectors(file, 3000, 64).likeness(rows[7])
    monkeypatch.setattr("brain.corpus.search.vectors.EXACT", 10)
    monkeypatch.setattr("brain.corpus.search.vectors.RESCORED", 300)
    estimated = Vectors(file, 3000, 64).likeness(rows[7])
    assert exact.near is None
    assert estimated.near is not None
    assert 300 <= len(estimated.near) <= 600
    top = set(np.argsort(-exact.scores)[:20].tolist())
    assert len(top & set(np.argsort(-estimated.scores)[:20].tolist())) >= 18


def test_a_large_brain_narrowed_to_its_best_sessions_finds_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(30):
        said = [(USER, f"we spoke of subject {n % 7} and of item {n} {turn}") for turn in range(10)]
        put_session(tmp_path, session(f"s{n}", DAY, [*said, (USER, ["tea", "rain", "a bus"][n % 3])]))
    index = SearchIndex(tmp_path)
    index.update()
    index.embed()
    queries = ["subject 3 item 17", "a vehicle for many people", "green tea"]
    full = [[hit.uri for hit in index.search(query, 5)] for query in queries]
    monkeypatch.setattr("brain.corpus.search.finding.NARROWED", 50)
    monkeypatch.setattr("brain.corpus.search.finding.BEST", 100)
    assert [[hit.uri for hit in index.search(query, 5)] for query in queries] == full
