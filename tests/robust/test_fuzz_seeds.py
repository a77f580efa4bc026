"""What fuzzing once broke a parser with does not break it again: an exception, a hang, a loss without a count.

A find of `benchmarks/fuzz.py` goes into tests/fixtures/fuzz/<parser>/, named by what it broke.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from parsers import PARSERS

SEEDS = Path(__file__).parent.parent / "fixtures" / "fuzz"
FOUND = sorted(SEEDS.glob("*/*.bin"))


@pytest.mark.parametrize("seed", FOUND, ids=[f"{seed.parent.name}-{seed.stem}" for seed in FOUND])
def test_a_find_of_fuzzing_stays_mended(seed: Path, tmp_path: Path) -> None:
    PARSERS[seed.parent.name].hold(seed.read_bytes(), tmp_path)


def test_every_find_is_kept_under_its_parser() -> None:
    assert {folder.name for folder in SEEDS.iterdir()} <= set(PARSERS)
    assert len(FOUND) >= 20


@pytest.mark.parametrize("name", sorted(PARSERS))
def test_nothing_is_no_trouble(name: str, tmp_path: Path) -> None:
    for number, data in enumerate(
        (b"", b"{", b"[]", b"{}\n{}\n", b"\xff\xfe\x00", b"PK\x03\x04", b"SQLite format 3\x00")
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        PARSERS[name].hold(data, folder)
