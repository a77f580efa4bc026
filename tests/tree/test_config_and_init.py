"""Settings say what is wrong with them; an empty brain is a valid tree."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hostile_text import hostile
from hypothesis import given

from brain import config
from brain.config import Config
from brain.errors import BrainError, ConfigError, NotABrain
from brain.text import clean, one_line
from brain.tree import agents_md, init, layout, log, sessions
from brain.tree.files import write_atomic
from brain.tree.layout import FileClass

NOW = datetime(2026, 8, 6, 7, 51, tzinfo=UTC)


def test_an_empty_brain_is_a_valid_tree(tmp_path: Path) -> None:
    files = init.empty_brain(now=NOW, owners=["Nadia"], tz="Europe/Paris")
    assert all(layout.classify(path) not in {FileClass.OTHER, FileClass.STATE} for path in files)
    assert all(clean(text) == text and text[-1:] in {"", "\n"} for text in files.values())
    assert log.parse(files["knowledge/log.md"]) == []
    assert sessions.parse_rows(files["sessions/index.jsonl"]) == []
    for path, text in files.items():
        write_atomic(tmp_path / path, text)
    settings = Config.load(tmp_path, {})
    assert (settings.owners, settings.owner_names, settings.zone.key) == (
        ("entities/nadia",),
        ("Nadia",),
        "Europe/Paris",
    )


def test_the_commented_settings_are_the_defaults() -> None:
    text = init.config_toml()
    live = "\n".join(line.removeprefix("# ") for line in text.split("\n")[1:])
    shown = Config.parse(live.replace("[connectors.google-calendar]", "[connectors.x]"))
    plain = Config.parse(text)
    assert shown.connectors["x"].owner_authoritative is True
    for name in ("index", "run", "privacy", "git", "search", "tags", "owners", "tz"):
        assert getattr(shown, name) == getattr(plain, name) == getattr(Config(), name)


@given(hostile)
def test_any_owner_name_is_kept(name: str) -> None:
    text = init.config_toml(owners=[name])
    tomllib.loads(text)
    shown = Config.parse(text)
    assert shown.names[shown.owners[0]] == one_line(name)
    assert layout.classify(layout.page_path(shown.owners[0])) is FileClass.PAGE


def test_the_guide_fits_its_limit() -> None:
    text = agents_md.render()
    assert text.count("\n") <= agents_md.MAX_LINES
    assert clean(text) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("owners = ", "does not read"),
        ("colour = 1", "unknown key 'colour'"),
        ("[index]\nbudget = 1", "unknown key 'index.budget'"),
        ("[index]\nmax_tokens = 100", "between 600 and 4000"),
        ('[index]\nmax_tokens = "many"', "not a number"),
        ("index = 3", "not a table"),
        ("owners = [1]", "list of strings"),
        ('tz = "Mars/Olympus"', "no time zone"),
        ("brain_format = 2", "brain_format 2"),
        ("[git]\ntrack_transcripts = 1", "true or false"),
        ('[connectors.mail]\nmode = "write"', "only read"),
        ('[privacy]\ndefault_sensitivity = "open"', "not normal, private or restricted"),
    ],
)
def test_a_bad_setting_is_told(text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        Config.parse(text)


def test_the_environment_wins() -> None:
    seen = Config.parse(
        "[index]\nmax_tokens = 900",
        {
            "BRAIN_INDEX_MAX_TOKENS": "700",
            "BRAIN_TZ": "Asia/Tokyo",
            "BRAIN_GIT_TRACK_TRANSCRIPTS": "yes",
            "BRAIN_X": "1",
        },
    )
    assert (seen.index.max_tokens, seen.tz, seen.git.track_transcripts) == (700, "Asia/Tokyo", True)
    with pytest.raises(ConfigError, match="BRAIN_INDEX_MAX_TOKENS"):
        Config.parse("", {"BRAIN_INDEX_MAX_TOKENS": "x"})


def test_no_config_is_no_brain(tmp_path: Path) -> None:
    with pytest.raises(NotABrain):
        Config.load(tmp_path)


def test_keys_lie_outside_of_every_tree_and_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRAIN_STATE", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    key = config.secret_key("redaction")
    assert len(key) == 32
    assert config.secret_key("redaction") == key != config.secret_key("deletions")
    place = tmp_path / "brain" / "redaction.key"
    assert place.stat().st_mode & 0o777 == 0o600
    place.write_bytes(b"short")
    with pytest.raises(BrainError, match="shorter"):
        config.secret_key("redaction")
