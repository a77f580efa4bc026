"""The command line as a whole: fast help, one set of verbs, the same manners everywhere."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from brain import Brain
from brain.cli.app import COMMANDS, app

ANSWERS = set(COMMANDS) - {"demo", "serve", "mcp"}
WRITES = {
    "init",
    "import",
    "watch",
    "distil",
    "dream",
    "fetch",
    "fmt",
    "note",
    "forget",
    "redact",
    "revert",
    "recall",
    "export",
    "memory-tool",
    "install",
    "uninstall",
}


def brain(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "brain", *words], cwd=cwd, capture_output=True, text=True)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_is_short_at_first_and_has_an_example(name: str) -> None:
    result = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "100"})
    assert result.exit_code == 0
    assert "Example" in result.stdout
    first = (inspect.getdoc(COMMANDS[name]) or "").splitlines()[0]
    assert len(first) <= 64, "the list of commands would cut it"


@pytest.mark.parametrize("name", COMMANDS)
def test_what_answers_speaks_json_and_what_writes_can_run_dry(name: str) -> None:
    options = inspect.signature(COMMANDS[name]).parameters
    assert ("as_json" in options) == (name in ANSWERS)
    assert ("dry_run" in options) == (name in WRITES)
    assert ("memory" in options) == (name not in {"init", "demo", "uninstall"})


def test_the_command_line_and_the_facade_have_the_same_verbs() -> None:
    verbs = {
        name.rstrip("_") for name, value in inspect.getmembers(Brain) if not name.startswith("_") and callable(value)
    }
    assert set(COMMANDS) - {"demo", "serve", "mcp", "memory-tool"} <= verbs | {"init"}


HEAVY = {
    "numpy",
    "tantivy",
    "onnxruntime",
    "tokenizers",
    "pydantic",
    "pydantic_ai",
    "openai",
    "anthropic",
    "mcp",
    "dateparser",
    "dateutil",
    "icalendar",
    "pypdf",
    "lemminflect",
    "starlette",
    "httpx",
    "yaml",
}


def test_help_loads_nothing_heavy() -> None:
    """What keeps `brain --help` under 0.3 s (benchmarks/start_up.py): libraries wait until a command needs them."""
    code = "import sys; from brain.cli.app import app; app(['--help'], standalone_mode=False); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loaded = {name.partition(".")[0] for name in done.stdout.splitlines()[-1].split()}
    assert not loaded & HEAVY


def test_without_a_brain_the_error_says_what_to_type(tmp_path: Path) -> None:
    done = brain("status", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "no brain" in done.stderr
    assert "brain init" in done.stderr


def test_an_unknown_page_has_its_own_exit_code(tmp_path: Path) -> None:
    assert brain("init", cwd=tmp_path).returncode == 0
    done = brain("show", "entities/nobody", cwd=tmp_path)
    assert done.returncode == 3
    assert "entities/nobody" in done.stderr


def test_a_command_finds_the_brain_from_a_folder_inside_it(tmp_path: Path) -> None:
    assert brain("init", "memory", cwd=tmp_path).returncode == 0
    assert brain("status", cwd=tmp_path / "memory" / "knowledge").returncode == 0
    assert brain("status", cwd=tmp_path).returncode == 0
    assert brain("status", "--memory", "memory", cwd=tmp_path).returncode == 0
