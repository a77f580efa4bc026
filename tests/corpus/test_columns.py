"""Columns kept in files beside the catalogue: the same as read anew, whatever came between, or not used at all."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from written import ASSISTANT, USER, put_note, put_page, put_session, put_summary, session

from brain.corpus.search import columns, sidecar, vectors, view
from brain.corpus.search.catalogue import Catalogue
from brain.corpus.search.index import SearchIndex
from brain.corpus.search.vectors import Vectors, keep_signs, signs_file, write_rows, zero_rows
from brain.corpus.search.view import Columns, View
from brain.tree.summary import Bullet

JUNE = date(2026, 6, 21)
THINGS = ("ramp", "door", "lift", "stair", "rail", "handle", "window", "bench")


class Counting:
    """An embedder that is no model: a text's vector depends on its letters."""

    id = "counting"
    dimensions = 8

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.array([[text.count(letter) + 0.1 for letter in "aeiorstn"] for text in texts], np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def told(seen: View) -> list[tuple[object, ...]]:
    """Every document of a view, in order, with the names that its numbers stand for."""
    out: list[tuple[object, ...]] = []
    for table in (seen.turns, seen.wiki):
        for at in range(len(table)):
            first, count = int(table.unit_first[at]), int(table.unit_count[at])
            out.append(
                (
                    int(table.ids[at]),
                    _name(seen.sessions, table.session[at]), _name(seen.speakers, table.speaker[at]),
                    _name(seen.roles, table.role[at]), int(table.day[at]), int(table.said[at]),
                    int(table.about_first[at]), int(table.about_last[at]), float(table.size[at]), bool(table.dated[at]),
                    int(table.surface[at]), table.unit_row[first : first + count].tolist(),
                    set(table.unit_place[first : first + count].tolist()) <= {at},
                )
            )  # fmt: skip
    return out


def _name(names: Sequence[str], number: int) -> str | None:
    return names[number] if number >= 0 else None


def same(a: View, b: View) -> None:
    assert told(a) == told(b)
    assert (a.pending, a.newest, a.languages) == (b.pending, b.newest, b.languages)
    for one, other in ((a.turns, b.turns), (a.wiki, b.wiki)):
        assert _lookups(one) == _lookups(other)


def _lookups(table: Columns) -> tuple[list[int], list[int], list[int], list[int]]:
    rows = table.unit_row[table.by_row].tolist()
    return table.starts.tolist(), table.sorted_ids.tolist(), table.places.tolist(), rows


class Memory:
    """A folder that changes at random, as a brain does."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root = root
        self.chance = random.Random(seed)
        self.files: dict[str, str] = {}
        self.turns: dict[str, int] = {}

    def change(self) -> None:
        deed = self.chance.choice((self.grow, self.grow, self.grow, self.forget, self.page, self.page, self.note))
        deed()

    def grow(self) -> None:
        name = f"s{self.chance.randrange(12)}"
        count = self.turns.get(name, 0) + self.chance.randint(1, 4)
        self.turns[name] = count
        said = [
            (USER if at % 2 else ASSISTANT, f"{name} {THINGS[at % 8]} {at} was seen", f"Ann {at % 3}")
            for at in range(1, count + 1)
        ]
        day = JUNE + timedelta(days=len(name) + int(name[1:]))
        self.files[name] = put_session(self.root, session(name, day, said))

    def forget(self) -> None:
        if self.turns:
            name = self.chance.choice(sorted(self.turns))
            (self.root / self.files.pop(name)).unlink()
            del self.turns[name]

    def page(self) -> None:
        of = session(f"s{self.chance.randrange(12)}", JUNE, [])
        subject = self.chance.choice(THINGS)
        body = f"About the {subject} {self.chance.randrange(9)}. [cite:1]\n\n## References\n[cite:1]: session://{of.id}#t1\n"
        put_page(self.root, f"concepts/{subject}", subject.title(), body)
        put_summary(self.root, of, f"All of {subject}.", {"Decisions": (Bullet(text="We go on.", first=1, last=1),)})

    def note(self) -> None:
        of = session(f"s{self.chance.randrange(12)}", JUNE, [])
        put_note(self.root, "facts/things", (JUNE, f"A {self.chance.choice(THINGS)} is wide.", f"session://{of.id}#t1"))


@pytest.mark.parametrize("seed", range(4))
def test_whatever_changes_the_columns_are_as_if_read_anew(tmp_path: Path, seed: int) -> None:
    memory = Memory(tmp_path / "memory", seed)
    index = SearchIndex(memory.root, embedder=Counting())
    held: View | None = None
    for round_ in range(24):
        for _ in range(memory.chance.randint(1, 3)):
            memory.change()
        index.update()
        if memory.chance.random() < 0.5:
            index.embed(seconds=memory.chance.choice((0, None)))
        if memory.chance.random() < 0.3:
            index.settle()
        catalogue = Catalogue(index.folder / "catalogue.sqlite")
        anew = view.load(catalogue, tmp_path / "nowhere", "counting")
        held = view.load(catalogue, tmp_path / "nowhere", "counting", held)
        kept = view.load(catalogue, index.folder, "counting")
        catalogue.close()
        same(held, anew)
        same(kept, anew)
        if round_ == 12:
            index.rebuild()


def cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def garble(file: Path) -> None:
    file.write_bytes(random.Random(3).randbytes(file.stat().st_size))


def flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[-200] ^= 1
    file.write_bytes(data)


def empty(file: Path) -> None:
    os.truncate(file, 0)


@pytest.mark.parametrize("harm", [cut, garble, flip, empty, Path.unlink])
def test_columns_that_are_not_what_was_written_are_read_anew(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    index = filled(tmp_path)
    wanted = index.search("ramp", 20)
    files = sorted(index.folder.glob("columns-*.bin"))
    assert len(files) == 2
    for file in files:
        harm(file)
    assert SearchIndex(tmp_path, embedder=Counting()).search("ramp", 20) == wanted


def test_columns_of_another_index_are_not_believed(tmp_path: Path) -> None:
    """Two brains, both at the same number of changes: the files of one beside the catalogue of the other."""
    one, other = filled(tmp_path / "one", "ramp"), filled(tmp_path / "other", "lift")
    wanted = other.search("lift", 20)
    for file in one.folder.glob("columns-*.bin"):
        (other.folder / file.name).write_bytes(file.read_bytes())
    assert SearchIndex(tmp_path / "other", embedder=Counting()).search("lift", 20) == wanted


def test_columns_are_used_where_they_are_right(tmp_path: Path) -> None:
    """Else the tests above would hold of files that nobody reads: one byte changed, the checksum with it, shows."""
    index = filled(tmp_path)
    file = columns.file_of(index.folder, "turns")
    found = sidecar.read(file)
    assert found is not None
    size = found.arrays["size"] * 0 + 7
    changed = sidecar.Sidecar(stamp=found.stamp, names=found.names, arrays={**found.arrays, "size": size})
    sidecar.write(file, changed)
    assert SearchIndex(tmp_path, embedder=Counting()).look().turns.size.tolist() == [7.0] * len(size)


def test_what_was_deleted_is_not_in_the_columns(tmp_path: Path) -> None:
    gone = put_session(tmp_path, session("gone", JUNE, [(USER, "a ramp", "Zyzzyva Quine")]))
    index = filled(tmp_path)
    assert b"Zyzzyva" in columns.file_of(index.folder, "turns").read_bytes()
    (tmp_path / gone).unlink()
    index.update()
    left = b"".join(file.read_bytes() for file in index.folder.glob("*.bin"))
    assert b"Zyzzyva" not in left


def filled(root: Path, word: str = "ramp") -> SearchIndex:
    for number in range(4):
        put_session(root, session(f"s{number}", JUNE, [(USER, f"the {word} {at} of {number}") for at in range(20)]))
    put_note(root, "facts/ramps", (JUNE, f"A {word} is 90 cm wide.", f"session://{session('s1', JUNE, []).id}#t1"))
    index = SearchIndex(root, embedder=Counting())
    index.update()
    index.embed()
    return index


MARK = {"born": "here", "lost": "0"}


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of 5,000 vectors, where every one is compared up to 100 only."""
    monkeypatch.setattr(vectors, "EXACT", 100)
    monkeypatch.setattr(vectors, "USUAL", 32)
    monkeypatch.setattr(vectors, "BLOCK", 512)
    file = tmp_path / "vectors-test.f16"
    write_rows(file, 0, invented(5_000))
    return file


def invented(count: int, seed: int = 1) -> NDArray[np.float32]:
    made = np.random.default_rng(seed).normal(size=(count, 32)).astype(np.float32) + np.float32(0.3)
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), np.float32)


def near(file: Path, count: int, mark: dict[str, str] = MARK) -> list[int]:
    found = Vectors(file, count, 32, mark).likeness(invented(1, 9)[0])
    assert found.near is not None
    return [int(row) for row in found.near]


def test_sign_bits_grow_with_the_rows(rows: Path) -> None:
    keep_signs(rows, 3_000, 32, MARK)
    assert sidecar.stamp_of(signs_file(rows)) == MARK | {"rows": "3000", "sampled": "3000"}
    keep_signs(rows, 3_010, 32, MARK)  # a few more are not worth a file
    kept = sidecar.read(signs_file(rows))
    assert kept is not None
    assert kept.stamp["rows"] == "3000"
    some = Vectors(rows, 5_000, 32, MARK)
    query = invented(1, 9)[0]
    found = some.likeness(query)
    assert found.near is not None
    exact = np.fromfile(rows, np.float16).reshape(-1, 32).astype(np.float32) @ query
    assert np.allclose(found.scores[found.near], exact[found.near])
    best = set(np.argsort(-exact)[:50].tolist())
    assert len(best - set(found.near.tolist())) <= 2
    keep_signs(rows, 5_000, 32, MARK)
    assert near(rows, 5_000) == found.near.tolist()


@pytest.mark.parametrize("harm", [cut, garble, flip, empty, Path.unlink])
def test_sign_bits_that_are_not_what_was_written_are_made_anew(rows: Path, harm: Callable[[Path], None]) -> None:
    wanted = near(rows, 5_000)
    keep_signs(rows, 5_000, 32, MARK)
    assert near(rows, 5_000) == wanted
    harm(signs_file(rows))
    assert near(rows, 5_000) == wanted


def test_sign_bits_of_rows_that_were_replaced_are_not_believed(rows: Path) -> None:
    keep_signs(rows, 5_000, 32, MARK)
    write_rows(rows, 0, invented(5_000, seed=2))
    other = MARK | {"lost": "1"}
    signs = signs_file(rows).read_bytes()
    found = near(rows, 5_000, other)
    signs_file(rows).unlink()
    assert near(rows, 5_000, other) == found
    assert signs, "there were some to believe"


def test_of_a_row_that_is_erased_no_bit_is_left(rows: Path) -> None:
    keep_signs(rows, 5_000, 32, MARK)
    before = sidecar.read(signs_file(rows))
    zero_rows(rows, [7, 4_999, 600], 32)
    after = sidecar.read(signs_file(rows))
    assert before is not None
    assert after is not None
    blank = {int(after.arrays["bits"][at // 512, 0, at % 512]) for at in (7, 600, 4_999)}
    assert len(blank) == 1
    assert (before.arrays["bits"] != after.arrays["bits"]).sum() == 3
