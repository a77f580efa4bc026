"""`brain bench personas` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from brain.cli.app import app


def _run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["bench", "personas", *words])
    return result.exit_code, result.stdout, result.stderr


def test_personas_are_generated_and_proven_from_the_command_line(tmp_path: Path) -> None:
    out = tmp_path / "out"
    code, said, _ = _run("generate", "--seed", "5", "--personas", "1", "--out", str(out), "--dry-run", "--json")
    assert code == 0
    assert not out.exists()
    wanted = json.loads(said)
    code, said, _ = _run("generate", "--seed", "5", "--personas", "1", "--out", str(out))
    assert code == 0
    assert f"{wanted['questions']} questions" in said
    code, said, _ = _run("validate", str(out))
    assert (code, "0 problems" in said) == (0, True), said
    ledger = out / "p01" / "ledger.json"
    ledger.write_text(ledger.read_text("utf-8").replace('"turns": ', '"turns": 1'), "utf-8")
    code, said, _ = _run("validate", str(out), "--json")
    assert code == 1
    assert any("turns, not 1" in problem for problem in json.loads(said)["problems"])
