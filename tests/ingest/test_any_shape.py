"""Every parser on documents that are nearly right: nothing crashes or hangs, nothing is lost without being counted.

BRAIN_FUZZ=500 changes each fixture in so many ways; without it a few each, so that the suite stays quick.
"""

from __future__ import annotations

import copy
import json
import os
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from conformance import Case, cases, heard, lay_out, texts, transcripts
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brain.ingest.choose import choose
from brain.ingest.raw import Skips

EXAMPLES = int(os.environ.get("BRAIN_FUZZ", "3"))
WRITTEN = [case for case in cases() if case.name not in ("database", "global")]
JSON = [case for case in WRITTEN if case.format not in ("aider", "dialogue") and not case.name.startswith("page")]
DATABASES = [case for case in cases() if case.name in ("database", "global")]
ODD: list[Any] = [
    None, True, False, 0, -1, 7, 1e308, float("nan"), "", "  ", "odd", "\ud800", "\u0000", "[", "{}", "2026-13-45",
    [], {}, [[]], [None], [{}], {"a": 1}, {"text": None}, {"type": "text"}, ["x", 1, {"type": 5}], {"role": ["user"]},
    10**400, "DEEP",
]  # fmt: skip
DEEP = "[" * 40_000 + "]" * 40_000

fuzzed = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=EXAMPLES < 100
)


@cache
def plain(case: Case) -> tuple[list[str], Counter[str]]:
    """The texts of a case as it is, and what is counted, by reason."""
    with tempfile.TemporaryDirectory() as place:
        skips = Skips()
        return texts(heard(lay_out(case, Path(place) / "from"), skips)), skips.left_out + skips.broken


def _places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every value of a document."""
    yield at
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from _places(inner, (*at, key))


def _changed(whole: Any, at: tuple[Any, ...], how: str, odd: Any) -> Any:
    if not at:
        return odd if how == "replace" else [whole] if how == "wrap" else whole
    whole = copy.deepcopy(whole)
    parent = whole
    for key in at[:-1]:
        parent = parent[key]
    key = at[-1]
    if how == "replace":
        parent[key] = odd
    elif how == "wrap":
        parent[key] = [parent[key]]
    elif how == "delete":
        del parent[key]
    elif how == "rename" and isinstance(parent, dict):
        parent[str(key)[::-1]] = parent.pop(key)
    elif how == "repeat" and isinstance(parent, list):
        parent.insert(key, copy.deepcopy(parent[key]))
    return whole


changes = st.sampled_from(["replace", "replace", "delete", "wrap", "rename", "repeat"])


def _nothing_is_lost(case: Case, folder: Path, left: str) -> None:
    """What of a case's texts still stands in `left` is heard, or more is counted, or it is told to be no transcript."""
    skips = Skips()
    before, counted = plain(case)
    found = "\n".join(texts(heard(folder, skips)))
    lost = [text for text in before if text not in found and json.dumps(text)[1:-1] in left]
    elsewhere = ("other branch", "abandoned branch", "repeated in the event lane")  # it may stand there now
    more = (skips.left_out + skips.broken) - counted or any(skips.left_out[reason] for reason in elsewhere)
    passed = len(choose([folder], inside=folder / "none")[1])
    assert not lost or more or passed, f"lost without a count: {lost}"


@pytest.mark.parametrize("case", JSON, ids=str)
def test_a_value_that_is_another_costs_only_itself_and_is_counted(case: Case) -> None:
    @fuzzed
    @given(st.data())
    def changed(data: st.DataObject) -> None:
        with tempfile.TemporaryDirectory() as place:
            folder = lay_out(case, Path(place) / "from")
            path = data.draw(st.sampled_from(sorted(transcripts(folder))))
            lines = path.read_text("utf-8").splitlines() if path.suffix == ".jsonl" else [path.read_text("utf-8")]
            renamed = False  # what stands under a name that no format has is not missed
            for _ in range(data.draw(st.integers(1, 3))):
                at = data.draw(st.integers(0, len(lines) - 1))
                item = json.loads(lines[at].replace(DEEP, '"DEEP"'))
                spot = data.draw(st.sampled_from(list(_places(item))))
                how = data.draw(changes)
                renamed = renamed or how == "rename"
                item = _changed(item, spot, how, data.draw(st.sampled_from(ODD)))
                lines[at] = json.dumps(item).replace('"DEEP"', DEEP)
            path.write_text("\n".join(lines) + "\n", "utf-8")
            left = "".join(json.dumps(json.loads(line)) for line in lines if DEEP not in line)
            _nothing_is_lost(case, folder, "" if renamed else left)

    changed()


@pytest.mark.parametrize("case", WRITTEN, ids=str)
def test_bytes_that_are_others_never_end_an_import(case: Case) -> None:
    @fuzzed
    @given(st.data())
    def changed(data: st.DataObject) -> None:
        with tempfile.TemporaryDirectory() as place:
            folder = lay_out(case, Path(place) / "from")
            path = data.draw(st.sampled_from(sorted(path for path in folder.rglob("*") if path.is_file())))
            whole = bytearray(path.read_bytes())
            for _ in range(data.draw(st.integers(1, 4))):
                at = data.draw(st.integers(0, len(whole)))
                match data.draw(st.sampled_from(["cut", "put", "over", "twice", "line"])):
                    case "cut":
                        del whole[at : at + data.draw(st.integers(1, 400))]
                    case "put":
                        whole[at:at] = data.draw(st.binary(min_size=1, max_size=40))
                    case "over":
                        whole[at : at + 1] = data.draw(
                            st.sampled_from([b"\0", b'"', b"{", b"]", b"\xff", b"\\", b"\n", b"<"])
                        )
                    case "twice":
                        whole[at:at] = whole[at : at + 300]
                    case "line":
                        whole[at:at] = b"\n"
            path.write_bytes(bytes(whole))
            _nothing_is_lost(case, folder, "")

    changed()


@pytest.mark.parametrize("case", DATABASES, ids=str)
def test_rows_of_any_kind_cost_only_themselves(case: Case) -> None:
    @fuzzed
    @given(st.data())
    def changed(data: st.DataObject) -> None:
        with tempfile.TemporaryDirectory() as place:
            folder = lay_out(case, Path(place) / "from")
            path = data.draw(st.sampled_from(sorted(transcripts(folder))))
            with closing(sqlite3.connect(path, isolation_level=None)) as db:
                names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
                table = data.draw(st.sampled_from([n for n in names if db.execute(f"SELECT 1 FROM {n}").fetchone()]))
                rows = db.execute(f"SELECT rowid, * FROM {table}").fetchall()
                row = data.draw(st.sampled_from(rows))
                column = data.draw(st.integers(1, len(row) - 1))
                name = [one[1] for one in db.execute(f"PRAGMA table_info({table})")][column - 1]
                value = row[column]
                if isinstance(value, str) and value.startswith("{") and data.draw(st.booleans()):
                    item = json.loads(value)
                    spot = data.draw(st.sampled_from(list(_places(item))))
                    odd = data.draw(st.sampled_from(ODD[:-1]))
                    value = (
                        json.dumps(_changed(item, spot, data.draw(changes), odd)).encode().decode("utf-8", "replace")
                    )
                else:
                    value = data.draw(st.sampled_from([None, 7, -1.5, b"\xff\0", "", "{", "[1]", DEEP, '{"a": 1}']))
                db.execute(f"UPDATE OR REPLACE {table} SET {name} = ? WHERE rowid = ?", (value, row[0]))
                left = "".join(str(one) for n in names for one in db.execute(f"SELECT * FROM {n}"))
            _nothing_is_lost(case, folder, left)

    changed()


@pytest.mark.parametrize("case", DATABASES, ids=str)
def test_a_database_with_damaged_pages_is_named(case: Case) -> None:
    @fuzzed
    @given(st.integers(0, 1 << 16), st.binary(min_size=1, max_size=600))
    def changed(at: int, put: bytes) -> None:
        with tempfile.TemporaryDirectory() as place:
            folder = lay_out(case, Path(place) / "from")
            path = transcripts(folder)[0]
            whole = bytearray(path.read_bytes())
            at %= len(whole)
            whole[at : at + len(put)] = put
            path.write_bytes(bytes(whole))
            skips = Skips()
            assert heard(folder, skips) or skips.broken or choose([path], inside=folder / "none")[1][0].problem

    changed()


def test_choosing_among_formats_never_fails_on_any_beginning(tmp_path: Path) -> None:
    beginnings = st.binary(max_size=200) | st.sampled_from(
        [
            b"[" * 5000,
            b"{" * 5000,
            b"[[[{",
            b"PK\x03\x04",
            b"SQLite format 3\0",
            b"\xff\xfe[\0",
            b'{"a":' * 3000,
            b"\xef\xbb\xbf",
        ]
    )

    @settings(max_examples=EXAMPLES * 10, deadline=None, derandomize=EXAMPLES < 100)
    @given(
        beginnings, st.sampled_from(["a.json", "a.jsonl", "a.md", "a", "state.vscdb", "opencode.db", "2026-01-02.json"])
    )
    def any_beginning(data: bytes, name: str) -> None:
        path = tmp_path / name
        path.write_bytes(data)
        chosen, passed = choose([path], inside=tmp_path / "none")
        assert len(chosen) + len(passed) == 1

    any_beginning()
