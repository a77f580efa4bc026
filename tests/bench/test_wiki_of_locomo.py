"""Real conversations: what the measures say of their wikis, and how much of a real wiki that was spoilt they find."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from brain.bench.loading import Source
from brain.bench.plan import Dataset
from brain.bench.quality import speakers
from brain.bench.quality.study import Plan, of_account
from brain.bench.quality.tree import Wiki

DATA = os.environ.get("BRAIN_TEST_DATA")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not DATA, reason="set BRAIN_TEST_DATA to a folder with data/locomo/ to run"),
]


def test_a_real_chat_holds_what_it_cites_and_swapped_speakers_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRAIN_STATE", str(tmp_path / "state"))
    source = Source(dataset=Dataset.LOCOMO, data=Path(DATA or "") / "data" / "locomo" / "locomo_dev6.json")
    plan = Plan(source=source, steps=0, processes=1)
    found = of_account(plan, tmp_path / "cache", "conv-26")
    assert found["citations that lead somewhere"].flaws == 0
    assert found["claims without cites"].flaws == 0
    assert found["claims by another speaker"].flaws <= 1
    share = found["cited claims held"].share
    assert share is not None
    assert share >= 0.98
    (state,) = (tmp_path / "cache" / "accounts").glob("*/state-0")
    root = Path(shutil.copytree(state, tmp_path / "memory", symlinks=True))
    swapped = {"Caroline": "Melanie", "Melanie": "Caroline"}
    for path in (root / "knowledge").glob("*/*.md"):
        said = path.read_text("utf-8")
        path.write_text(re.sub(r"(?m)^(- )(Caroline|Melanie)\b", lambda m: m[1] + swapped[m[2]], said), "utf-8")
    (by_another,) = (one for one in speakers.measures(Wiki(root)) if one.name == "claims by another speaker")
    assert by_another.count >= 0.5 * by_another.of
