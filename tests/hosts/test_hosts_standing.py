"""What is installed where, and what does not work any more; and the commands that say so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from brain.brain import Brain
from brain.cli.app import app
from brain.errors import NotABrain, UsageError
from brain.hosts.command import Command
from brain.hosts.known import HOSTS
from brain.hosts.standing import Standing


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def test_hosts_that_are_here_and_those_that_are_not(brain: Brain, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(home))
    (home / ".cursor").mkdir()
    (home / "codex").write_text("#!/bin/sh\n", encoding="utf-8")
    (home / "codex").chmod(0o755)
    states = {state.host: state for state in brain.hosts()}
    assert list(states) == list(HOSTS)
    assert {host for host, state in states.items() if state.here} == {"cursor", "codex"}
    assert {state.standing for state in states.values()} == {Standing.ABSENT}


@pytest.mark.parametrize("host", HOSTS)
def test_installed_and_for_which_memory(host: str, brain: Brain, memory: Path, home: Path) -> None:
    brain.install(host)
    (state,) = (state for state in brain.hosts() if state.host == host)
    assert (state.standing, state.memory, state.said) == (Standing.INSTALLED, str(memory), ())
    assert [finding for finding in brain.doctor() if finding.name == "host"] == []


def test_a_part_that_somebody_took_out(brain: Brain, home: Path) -> None:
    brain.install("cursor")
    (home / ".cursor" / "hooks.json").unlink()
    (state,) = (state for state in brain.hosts() if state.host == "cursor")
    assert state.standing is Standing.PARTLY
    (finding,) = (finding for finding in brain.doctor() if finding.name == "host")
    assert not finding.well
    assert finding.hint == "brain install cursor"
    brain.install("cursor")
    assert [finding for finding in brain.doctor() if finding.name == "host"] == []


def test_a_skill_somebody_changed_is_a_note_and_nothing_broken(brain: Brain, home: Path) -> None:
    brain.install("cursor")
    (home / ".cursor" / "skills" / "brain-explore" / "SKILL.md").write_text("mine", encoding="utf-8")
    (finding,) = (finding for finding in brain.doctor() if finding.name == "host")
    assert finding.well
    assert "not as it would be written now" in finding.said


def test_a_program_that_is_gone(brain: Brain, home: Path) -> None:
    brain.install("gemini")
    path = home / ".gemini" / "settings.json"
    held = json.loads(path.read_text(encoding="utf-8"))
    held["mcpServers"]["brain"]["command"] = "/gone/bin/brain"
    path.write_text(json.dumps(held), encoding="utf-8")
    (state,) = (state for state in brain.hosts() if state.host == "gemini")
    assert state.standing is Standing.BROKEN
    assert state.said == ("its program /gone/bin/brain is gone",)


def test_a_memory_that_is_gone_is_said_by_the_other(brain: Brain, home: Path, tmp_path: Path) -> None:
    lost = Brain.init(tmp_path / "lost").root
    Brain.open(lost, background="no").install("codex")
    lost.rename(tmp_path / "elsewhere")
    (state,) = (state for state in brain.hosts() if state.host == "codex")
    assert state.said == (f"its memory {lost} is gone",)


def test_a_project_that_was_deleted_breaks_nothing(brain: Brain, home: Path, tmp_path: Path) -> None:
    project = tmp_path / "short"
    project.mkdir()
    brain.install("claude-code", scope="project", project=project)
    for path in sorted(project.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    project.rmdir()
    assert [finding for finding in brain.doctor() if finding.name == "host"] == []


def test_the_commands_install_list_and_uninstall(memory: Path, home: Path) -> None:
    said = run("install", "claude-code", "--memory", memory)
    assert said.exit_code == 0, said.output
    assert "added" in said.stdout
    listed = json.loads(run("install", "--list", "--memory", memory, "--json").stdout)
    assert {one["host"]: one["standing"] for one in listed}["claude-code"] == "installed"
    assert "claude-code  user" in run("install", "--list", "--memory", memory).stdout
    dry = json.loads(run("uninstall", "claude-code", "--dry-run", "--json").stdout)
    assert {one["did"] for one in dry} == {"restored", "removed"}
    assert run("uninstall", "claude-code").exit_code == 0
    assert list(home.iterdir()) == []
    assert "nothing of Brain" in run("uninstall", "claude-code").stderr


def test_a_refusal_is_an_exit_code_and_lines_to_paste(memory: Path, home: Path) -> None:
    (home / ".claude.json").write_text("{broken", encoding="utf-8")
    said = run("install", "claude-code", "--memory", memory)
    assert said.exit_code == 1
    assert "refused" in said.stdout
    assert '"mcpServers": {' in said.stdout
    assert (home / ".claude.json").read_text(encoding="utf-8") == "{broken"


def test_another_host_gets_text_to_paste(memory: Path, home: Path) -> None:
    said = run("install", "generic", "--memory", memory)
    assert said.exit_code == 0
    assert '"mcpServers"' in said.stdout
    assert "hook session-start --host generic" in said.stdout
    assert "name: brain-explore" in said.stdout
    assert list(home.iterdir()) == []
    pastes = json.loads(run("install", "generic", "--memory", memory, "--json").stdout)
    server = json.loads(pastes[0]["text"])["mcpServers"]["brain"]
    assert server["args"] == ["mcp", "--memory", str(memory)]


def test_no_host_no_brain_no_folder(memory: Path, home: Path) -> None:
    assert isinstance(run("install", "--memory", memory).exception, UsageError)
    assert isinstance(run("install", "claude-code", "--memory", home / "nothing").exception, NotABrain)
    assert run("install", "netscape", "--memory", memory).exit_code == 2
    missing = run("install", "codex", "--memory", memory, "--scope", "project", "--project", home / "none")
    assert isinstance(missing.exception, UsageError)
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "windows", "line"),
    [
        (("/opt/my brain/it's", "hook"), False, "'/opt/my brain/it'\"'\"'s' hook"),
        (
            ("C:\\Program Files\\brain.exe", "hook", "--memory", "D:\\m"),
            True,
            '"C:/Program Files/brain.exe" hook --memory D:/m',
        ),
        (("C:\\b\\brain.exe", "hook"), True, "C:/b/brain.exe hook"),
    ],
)
def test_lines_are_quoted_for_the_shell_that_reads_them(words: tuple[str, ...], windows: bool, line: str) -> None:
    assert Command(words=("x",), memory="m", windows=windows).line(words) == line
