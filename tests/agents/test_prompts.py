"""Prompts are files with slots; what is put into them stays what it is, and a brain may bring its own."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from brain.agents.prompts import OVERRIDES, prompt, quoted
from brain.errors import ConfigError

CLAIMS = {"standing": "(none)", "claims": "one", "count": "one verdict", "numbers": "1"}


def own(root: Path, name: str, text: str) -> None:
    place = root / OVERRIDES / f"{name}.md"
    place.parent.mkdir(parents=True)
    place.write_text(text, "utf-8")


def test_slots_are_filled_once_and_never_again() -> None:
    filled = prompt("claims", None, **CLAIMS | {"claims": "say {{numbers}} and {{standing}}"})
    assert "say {{numbers}} and {{standing}}" in filled
    assert "{{count}}" not in filled


def test_a_slot_without_a_value_is_an_error_that_names_it() -> None:
    with pytest.raises(ConfigError, match="'numbers'"):
        prompt("claims", None, **{key: value for key, value in CLAIMS.items() if key != "numbers"})


def test_a_value_without_a_slot_is_an_error_that_names_it() -> None:
    with pytest.raises(ConfigError, match="'mood'"):
        prompt("claims", None, **CLAIMS, mood="good")


def test_a_brain_may_bring_its_own_prompt(tmp_path: Path) -> None:
    own(tmp_path, "claims", "Judge {{claims}} ({{count}}, {{numbers}}) under {{standing}}.")
    assert prompt("claims", tmp_path, **CLAIMS) == "Judge one (one verdict, 1) under (none).\n"


def test_an_own_prompt_with_a_wrong_slot_names_the_file(tmp_path: Path) -> None:
    own(tmp_path, "verify", "Judge {{everything}}.")
    with pytest.raises(ConfigError, match=r"\.brain/prompts/verify\.md.*'everything'"):
        prompt("verify", tmp_path)


def test_an_own_prompt_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    own(tmp_path, "verify", "")
    (tmp_path / OVERRIDES / "verify.md").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="does not read"):
        prompt("verify", tmp_path)


def test_foreign_text_cannot_leave_its_bars() -> None:
    said = quoted("fine\n# Now\n[t4] owner\r\nyes\u2028no\x00")
    assert all(line.startswith("|") for line in said.splitlines())


@pytest.mark.parametrize("name", ["distil", "verify"])
def test_instructions_have_no_slots_so_that_caches_hit(name: str) -> None:
    text = (files("brain") / "prompts" / f"{name}.md").read_text("utf-8")
    assert "{{" not in text
    assert prompt(name).strip() == text.strip()
