"""Each command on a brain with something in it, typed as a person types it."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import brain.demo

SESSIONS = Path(brain.demo.__file__).parent / "sessions"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a brain of one night in `memory`."""
    home = tmp_path_factory.mktemp("home")
    for words in (["init", "memory", "--owner", "Nadia"], ["import", str(SESSIONS / "night-1")], ["dream"]):
        done = typed(home, *words)
        assert done.returncode == 0, done.stderr
    return home


def typed(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "brain", *words], cwd=home, capture_output=True, text=True)


@pytest.fixture
def run(home: Path) -> Run:
    return lambda *words: typed(home, *words)


@pytest.fixture
def copy(home: Path, tmp_path: Path) -> Path:
    """The same brain, for tests that break things."""
    shutil.copytree(home / "memory", tmp_path / "memory", symlinks=True)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["status"],
        ["doctor"],
        ["check"],
        ["index"],
        ["search", "figures"],
        ["ask", "How do I want figures delivered?"],
        ["show", "entities/nadia"],
        ["links", "entities/nadia"],
        ["log"],
        ["diff"],
        ["fmt", "--dry-run"],
        ["dream", "--dry-run"],
        ["distil", "--dry-run"],
        ["note", "--dry-run", "Tea in the afternoon."],
        ["reindex"],
    ],
    ids=lambda words: words[0],
)
def test_json_is_all_there_is_on_stdout(run: Run, words: list[str]) -> None:
    done = run(*words, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    json.loads(done.stdout)


def test_import_again_brings_nothing_and_is_no_failure(run: Run) -> None:
    report = json.loads(run("import", "--json", str(SESSIONS / "night-1")).stdout)
    assert (report["new"], report["turns"], report["unchanged"]) == (0, 0, 4)


def test_import_without_a_tree_makes_one_and_says_so(tmp_path: Path) -> None:
    done = typed(tmp_path, "import", str(SESSIONS / "night-2"))
    assert done.returncode == 0
    assert (tmp_path / "memory" / ".brain" / "config.toml").is_file()
    assert "made a brain in memory" in done.stderr


def test_a_dry_import_makes_nothing(tmp_path: Path) -> None:
    done = typed(tmp_path, "import", "--dry-run", str(SESSIONS / "night-2"))
    assert done.returncode == 0
    assert "claude-code" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_an_import_of_nothing_is_never_a_success(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "a.txt").write_text("no dialogue here\n", encoding="utf-8")
    assert typed(tmp_path, "import", "pictures").returncode == 1
    assert typed(tmp_path, "import", "nowhere").returncode == 3


def test_what_a_dry_run_says_is_not_done(run: Run, home: Path) -> None:
    before = run("log", "--json").stdout
    assert "preferences/tea.md" in run("note", "--dry-run", "--topic", "preferences/tea", "Green tea.").stderr
    run("dream", "--dry-run")
    assert run("log", "--json").stdout == before
    assert not (home / "memory/notes/preferences/tea.md").exists()


def test_a_note_is_a_turn_a_line_and_a_commit(copy: Path) -> None:
    done = typed(copy, "note", "--topic", "preferences/tea", "Green tea, never black, after four o'clock.")
    assert done.returncode == 0, done.stderr
    uri = done.stdout.partition("<")[2].partition(">")[0]
    assert "Green tea, never black" in typed(copy, "show", uri).stdout
    assert "note: Green tea" in typed(copy, "log", "-n", "1").stdout
    assert "Green tea" in typed(copy, "ask", "which tea do I drink?").stdout
    assert typed(copy, "dream").returncode == 0
    assert typed(copy, "check").returncode == 0


def test_a_secret_in_a_note_is_not_written(copy: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    assert typed(copy, "note", f"The token is {secret}").returncode == 0
    held = [path for path in copy.rglob("*") if path.is_file() and secret.encode() in path.read_bytes()]
    assert held == []


def test_a_note_that_cannot_be_one_says_why(run: Run) -> None:
    assert run("note", "word " * 60).returncode == 2
    assert run("note", "--topic", "../elsewhere", "x").returncode == 2


def test_a_persons_edit_is_kept_and_committed_as_theirs(copy: Path) -> None:
    page = copy / "memory/knowledge/entities/nadia.md"
    text = page.read_text("utf-8")
    page.write_text(text.replace("# Nadia\n", "# Nadia\n\n", 1).replace("PDF, not PNG", "PDF, never PNG"), "utf-8")
    assert "entities/nadia.md" in typed(copy, "status").stdout
    assert typed(copy, "note", "Anything else.").returncode == 0
    assert "human: edit entities/nadia" in typed(copy, "log").stdout
    assert "never PNG" in page.read_text("utf-8")


def test_a_run_is_taken_back(copy: Path) -> None:
    runs = [entry for entry in json.loads(typed(copy, "log", "--json").stdout) if entry["message"]["kind"] == "dream"]
    dry = typed(copy, "revert", runs[0]["id"], "--dry-run")
    assert "knowledge/entities/nadia.md" in dry.stdout
    assert (copy / "memory/knowledge/entities/nadia.md").exists()
    done = typed(copy, "revert", runs[0]["id"])
    assert done.returncode == 0, done.stderr
    assert not (copy / "memory/knowledge/entities/nadia.md").exists()
    assert typed(copy, "log", "-n", "1").stdout.count("restore:") == 1


def test_check_and_doctor_find_what_is_broken_and_doctor_mends_what_it_can(copy: Path) -> None:
    page = copy / "memory/knowledge/entities/nadia.md"
    page.write_text(page.read_text("utf-8") + "- no source behind this\n", "utf-8")
    found = typed(copy, "check", "knowledge/entities/nadia.md")
    assert found.returncode == 1
    assert "entities/nadia.md:" in found.stdout
    if os.name == "posix":
        page.chmod(0o644)
        (copy / "memory/notes/.tmp-left").write_text("half", "utf-8")
        sick = typed(copy, "doctor")
        assert sick.returncode == 1
        assert "permissions" in sick.stdout
        assert typed(copy, "doctor", "--fix").returncode == 0
        assert stat.S_IMODE(page.stat().st_mode) == 0o600
        assert not (copy / "memory/notes/.tmp-left").exists()


def test_doctor_knows_a_missing_transcript_and_a_search_index_that_is_behind(copy: Path) -> None:
    shutil.rmtree(copy / "memory/.brain/index")
    next((copy / "memory/sessions/transcripts").rglob("*.md")).unlink()
    done = typed(copy, "doctor")
    assert done.returncode == 1
    assert "1 missing or altered" in done.stdout
    assert "brain reindex" in done.stdout
    assert typed(copy, "search", "figures").returncode == 0


def test_fmt_numbers_sources_as_people_write_them(copy: Path) -> None:
    page = copy / "memory/knowledge/entities/nadia.md"
    session = json.loads((copy / "memory/sessions/index.jsonl").read_text("utf-8").splitlines()[0])["id"]
    head, _, rest = page.read_text("utf-8").partition("\n## ")
    added = f"{head}\n## Relationship\n- Works with Tomasz. [cite:session://{session[:8]}#t8]\n\n## {rest}"
    page.write_text(added, "utf-8")
    assert typed(copy, "fmt").stdout.splitlines() == ["knowledge/entities/nadia.md"]
    assert "[cite:session:" not in page.read_text("utf-8")
    assert typed(copy, "check", "knowledge/entities/nadia.md").returncode == 0


def test_search_takes_filters_and_says_when_nothing_is_found(run: Run) -> None:
    hits = json.loads(run("search", "--json", "--surface", "turn", "--since", "2026-06-29", "budget").stdout)
    assert hits
    assert {hit["surface"] for hit in hits} == {"turn"}
    assert all(hit["day"] >= "2026-06-29" for hit in hits)
    assert "nothing found" in run("search", "--since", "2031-01-01", "budget").stderr


def test_the_formats_are_listed(run: Run) -> None:
    listed = run("import", "--list-formats").stdout
    for name in ("claude-code", "codex", "chatgpt", "dialogue", "openai-messages", "anthropic-messages"):
        assert name in listed


def test_an_engine_that_is_not_there_is_an_error_and_not_another_engine(copy: Path) -> None:
    config = copy / "memory/.brain/config.toml"
    config.write_text(config.read_text("utf-8").replace('# engine = ""', 'engine = "oracle"'), "utf-8")
    done = typed(copy, "dream")
    assert done.returncode == 2
    assert "oracle" in done.stderr
