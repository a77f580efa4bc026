"""Brain goes into a host's own files and out again: nothing of others is lost, and what was there comes back."""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brain.brain import Brain
from brain.errors import UsageError
from brain.hosts.installing import Did
from brain.hosts.json_spans import parse
from brain.hosts.known import HOSTS

SERVERS = {  # the file that names the server, and where in it
    "claude-code": (".claude.json", ("mcpServers",)),
    "codex": (".codex/config.toml", ("mcp_servers",)),
    "cursor": (".cursor/mcp.json", ("mcpServers",)),
    "gemini": (".gemini/settings.json", ("mcpServers",)),
    "opencode": (".config/opencode/opencode.json", ("mcp",)),
    "openclaw": (".openclaw/openclaw.json", ("mcp", "servers")),
}
HOOKS = {
    "claude-code": (".claude/settings.json", ("SessionStart", "Stop", "PreCompact", "SessionEnd")),
    "codex": (".codex/hooks.json", ("SessionStart", "Stop", "PreCompact")),
    "cursor": (".cursor/hooks.json", ("sessionStart", "stop", "preCompact", "sessionEnd")),
    "gemini": (".gemini/settings.json", ("SessionStart", "AfterAgent", "PreCompress", "SessionEnd")),
}
HOSTILE = {  # settings as people keep them
    "two spaces": '{\n  "theme": "dark",\n  "mcpServers": {\n    "other": {"command": "x", "args": []}\n  }\n}\n',
    "tabs and comments": '{\n\t// mine\n\t"theme": "dark", /* why */\n\t"mcpServers": {\n\t\t// none yet\n\t},\n}',
    "Windows": '\ufeff{\r\n    "theme": "dark",\r\n    "hooks": {}\r\n}\r\n',
    "one line": '{"theme":"dark","list":[1,2],"n":1.50}',
    "odd": '\n\n  { "é" : "\\u00e9\\/" , "big": 12345678901234567890123, "e": 1E5 }   \n\n',
    "empty object": "{}",
    "nothing": "",
    "space": " \n",
    "one name twice": '{"mcpServers": 1, "mcp": {}, "mcpServers": {"x": {}}, "hooks": {}}',
    "dotted names": '{"a.b": {"c": 1}, "": {"": null}}\n',
}


def tree(folder: Path) -> dict[str, bytes | None]:
    """Every file and folder below one, by its path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def load(path: Path) -> object:
    text = path.read_text(encoding="utf-8-sig")
    return tomllib.loads(text) if path.suffix == ".toml" else parse(text).value


def server(home: Path, host: str) -> list[str]:
    """The words that a host starts the server with."""
    name, keys = SERVERS[host]
    value = load(home / name)
    for key in (*keys, "brain"):
        assert isinstance(value, dict)
        value = value[key]
    assert isinstance(value, dict)
    return value["command"] if host == "opencode" else [value["command"], *value["args"]]


def lines(home: Path, host: str) -> dict[str, str]:
    """The command line of each hook."""
    name, events = HOOKS[host]
    value = load(home / name)
    assert isinstance(value, dict)
    last = {event: value["hooks"][event][-1] for event in events}
    return {event: one["command"] if host == "cursor" else one["hooks"][0]["command"] for event, one in last.items()}


@pytest.mark.parametrize("host", HOSTS)
def test_in_and_out_of_an_empty_home_leaves_nothing(host: str, brain: Brain, home: Path) -> None:
    changes = brain.install(host)
    assert {change.did for change in changes} == {Did.ADDED}
    assert all(Path(change.path).is_file() for change in changes)
    assert brain.uninstall(host)
    assert tree(home) == {}


@pytest.mark.parametrize("host", HOSTS)
def test_a_second_time_changes_nothing(host: str, brain: Brain, home: Path) -> None:
    brain.install(host)
    before = tree(home)
    assert {change.did for change in brain.install(host)} == {Did.UNCHANGED}
    assert tree(home) == before


@pytest.mark.parametrize("host", HOSTS)
def test_a_dry_run_says_what_would_come_and_writes_nothing(host: str, brain: Brain, home: Path) -> None:
    said = brain.install(host, dry_run=True)
    assert tree(home) == {}
    assert not (home.parent / "state").exists()
    assert any("mcp" in change.text for change in said)
    brain.install(host)
    before = tree(home)
    assert {change.did for change in brain.uninstall(host, dry_run=True)} <= {Did.RESTORED, Did.REMOVED}
    assert tree(home) == before


@pytest.mark.parametrize("manner", HOSTILE)
@pytest.mark.parametrize("host", [host for host in HOSTS if host != "codex"])
def test_a_file_comes_back_byte_for_byte(host: str, manner: str, brain: Brain, home: Path) -> None:
    path = home / SERVERS[host][0]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(HOSTILE[manner].encode())
    before = tree(home)
    assert all(change.well for change in brain.install(host))
    new = path.read_bytes().decode()
    assert server(home, host)[-3:-1] == ["mcp", "--memory"]
    for piece in (
        "// mine",
        "/* why */",
        "// none yet",
        "12345678901234567890123",
        "1E5",
        "1.50",
        '"\\u00e9\\/"',
        "\ufeff",
    ):
        assert (piece in new) == (piece in HOSTILE[manner])
    if "\r\n" in HOSTILE[manner]:
        assert "\n" not in new.replace("\r\n", "")
    brain.uninstall(host)
    assert tree(home) == before


def test_codex_settings_come_back_byte_for_byte(brain: Brain, home: Path) -> None:
    path = home / ".codex" / "config.toml"
    path.parent.mkdir()
    text = '# mine\r\nmodel = "x"  # why\r\n\r\n[mcp_servers.other]\r\ncommand = "o"'
    path.write_bytes(text.encode())
    brain.install("codex")
    assert path.read_bytes().startswith(text.encode())
    assert server(home, "codex")[-3:-1] == ["mcp", "--memory"]
    brain.uninstall("codex")
    assert path.read_bytes() == text.encode()


OTHERS = st.dictionaries(
    st.sampled_from(["theme", "mcpServers", "hooks", "permissions", "été"]),
    st.fixed_dictionaries({"other": st.dictionaries(st.text(max_size=5), st.integers(), max_size=3)}),
)


@given(
    first=OTHERS,
    then=OTHERS,
    indent=st.sampled_from([None, "\t", 4]),
    host=st.sampled_from(["gemini", "openclaw", "claude-code"]),
)
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_what_others_write_after_us_stays_when_we_go(
    first: dict[str, object], then: dict[str, object], indent: str | int | None, host: str, brain: Brain, home: Path
) -> None:
    """Hosts rewrite their settings all the time, in their own spacing; uninstalling takes ours only."""
    path = home / SERVERS[host][0]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(first), encoding="utf-8")
    brain.install(host)
    held = load(path)
    assert isinstance(held, dict)
    held = merged(held, then)
    path.write_text(json.dumps(held, indent=indent), encoding="utf-8")
    assert all(change.well for change in brain.install(host))
    assert all(change.well for change in brain.uninstall(host))
    left = load(path)
    assert isinstance(left, dict)
    left.pop("hooks", None) if host == "openclaw" else None  # hooks that are on may be somebody's by now
    wanted = merged(json.loads(json.dumps(first)), then)
    wanted.pop("hooks", None) if host == "openclaw" else None
    assert left == wanted
    path.unlink()


def merged(one: dict[str, object], two: dict[str, object]) -> dict[str, object]:
    for key, value in two.items():
        there = one.get(key)
        one[key] = merged(there, value) if isinstance(there, dict) and isinstance(value, dict) else value
    return one


@pytest.mark.parametrize(
    ("host", "name", "text", "why"),
    [
        ("claude-code", ".claude.json", '{"mcpServers": {"brain": {"command": "npx", "args": ["b"]}}}', "not Brain's"),
        ("claude-code", ".claude.json", '{"mcpServers": []}', "mcpServers is no object"),
        ("claude-code", ".claude/settings.json", '{"hooks": {"Stop": {}}}', "hooks.Stop is no list"),
        ("cursor", ".cursor/mcp.json", '{"mcpServers": {', "line 1"),
        ("gemini", ".gemini/settings.json", "[]", "it is no object"),
        ("openclaw", ".openclaw/openclaw.json", "{a: 1}\n{b: 2}", "something after the end (line 2)"),
        ("codex", ".codex/config.toml", "model = \n", "line 1"),
        ("codex", ".codex/config.toml", "mcp_servers = { x = { command = 'y' } }\n", "mcp_servers.brain"),
        ("opencode", ".config/opencode/opencode.json", '{"mcp": {"brain": 1}}', "not Brain's"),
    ],
)
def test_what_cannot_be_read_safely_is_left_and_the_lines_are_said(
    host: str, name: str, text: str, why: str, brain: Brain, home: Path
) -> None:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    (refused,) = (change for change in brain.install(host) if not change.well)
    assert refused.path == str(path)
    assert why in refused.why
    assert "brain" in refused.text
    assert "mcp" in refused.text or "hook" in refused.text
    assert path.read_text(encoding="utf-8") == text
    assert all(change.well for change in brain.uninstall(host) if change.path != str(path))
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("data", [b'{"a": "\xff"}', '{"a": 1}'.encode("utf-16"), b'{"a": "\0"}', b"\x00" * 40])
def test_bytes_that_are_no_text_are_left(data: bytes, brain: Brain, home: Path) -> None:
    (home / ".claude.json").write_bytes(data)
    assert [change.path for change in brain.install("claude-code") if not change.well] == [str(home / ".claude.json")]
    assert (home / ".claude.json").read_bytes() == data


def test_a_write_protected_file_is_left(brain: Brain, home: Path) -> None:
    path = home / ".claude.json"
    path.write_text("{}", encoding="utf-8")
    path.chmod(0o444)
    refused = [change for change in brain.install("claude-code") if not change.well]
    assert [change.why for change in refused] == ["it is write-protected"]
    assert not list((home.parent / "state" / "hosts").glob("*claude.json"))
    assert path.read_text(encoding="utf-8") == "{}"


def test_links_stay_links_and_modes_stay(brain: Brain, home: Path) -> None:
    real = home / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text('{"a": 1}', encoding="utf-8")
    real.chmod(0o640)
    (home / ".claude.json").symlink_to(Path("dotfiles") / "claude.json")
    brain.install("claude-code")
    assert (home / ".claude.json").is_symlink()
    assert "brain" in real.read_text(encoding="utf-8")
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    brain.uninstall("claude-code")
    assert (home / ".claude.json").is_symlink()
    assert real.read_text(encoding="utf-8") == '{"a": 1}'


def test_a_link_in_a_circle_is_refused(brain: Brain, home: Path) -> None:
    (home / ".claude.json").symlink_to(home / ".claude.json")
    assert [change.path for change in brain.install("claude-code") if not change.well] == [str(home / ".claude.json")]


def test_a_skill_that_somebody_changed_is_theirs(brain: Brain, home: Path) -> None:
    brain.install("claude-code")
    path = home / ".claude" / "skills" / "brain-explore" / "SKILL.md"
    path.write_text(path.read_text(encoding="utf-8") + "\nMine.\n", encoding="utf-8")
    assert {change.did for change in brain.install("claude-code") if change.what == "skill"} == {Did.KEPT}
    assert {change.did for change in brain.uninstall("claude-code") if change.what == "skill"} == {Did.KEPT}
    assert path.read_text(encoding="utf-8").endswith("Mine.\n")


def test_another_memory_and_a_users_own_choices(brain: Brain, home: Path, tmp_path: Path) -> None:
    brain.install("gemini")
    path = home / ".gemini" / "settings.json"
    held = json.loads(path.read_text(encoding="utf-8"))
    held["mcpServers"]["brain"] |= {"timeout": 5, "trust": True}
    held["hooks"]["SessionStart"][0]["hooks"][0]["timeout"] = 77
    held["hooks"]["SessionStart"][0]["hooks"].append({"type": "command", "command": "echo mine"})
    path.write_text(json.dumps(held), encoding="utf-8")
    other = Brain.init(tmp_path / "other").root
    assert Did.UPDATED in {change.did for change in Brain.open(other, background="no").install("gemini")}
    new = json.loads(path.read_text(encoding="utf-8"))
    assert new["mcpServers"]["brain"]["args"] == ["mcp", "--memory", str(other)]
    assert new["mcpServers"]["brain"]["timeout"] == 5
    assert new["mcpServers"]["brain"]["trust"] is True
    first = new["hooks"]["SessionStart"][0]["hooks"]
    assert first[0]["timeout"] == 77
    assert str(other) in first[0]["command"]
    brain.uninstall("gemini")
    left = json.loads(path.read_text(encoding="utf-8"))
    assert left == {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "echo mine"}]}]}}


def test_a_lost_receipt_costs_nothing_of_others(brain: Brain, home: Path) -> None:
    path = home / ".claude.json"
    path.write_text('{\n  "a": 1 // one\n}\n', encoding="utf-8")
    brain.install("claude-code")
    for file in sorted((home.parent / "state" / "hosts").iterdir()):
        file.unlink()
    brain.uninstall("claude-code")
    assert parse(path.read_text(encoding="utf-8")).value == {"a": 1, "mcpServers": {}}
    assert "// one" in path.read_text(encoding="utf-8")


def test_opencode_of_version_2_and_its_other_file_name(brain: Brain, home: Path) -> None:
    path = home / ".config" / "opencode" / "opencode.jsonc"
    path.parent.mkdir(parents=True)
    text = '{\n  // two\n  "mcp": { "servers": {} },\n}\n'
    path.write_text(text, encoding="utf-8")
    brain.install("opencode")
    value = load(path)
    assert isinstance(value, dict)
    assert set(value["mcp"]) == {"servers"}
    assert value["mcp"]["servers"]["brain"]["type"] == "local"
    assert not path.with_suffix(".json").exists()
    brain.uninstall("opencode")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("host", HOSTS)
def test_a_project_has_files_of_its_own(host: str, brain: Brain, home: Path, tmp_path: Path) -> None:
    project = tmp_path / "a project"
    project.mkdir()
    assert all(change.well for change in brain.install(host, scope="project", project=project))
    assert tree(home) == {}
    assert any(name.endswith("brain-explore/SKILL.md") for name in tree(project))
    brain.uninstall(host, scope="project", project=project)
    assert tree(project) == {}


def test_variables_say_where_a_host_keeps_its_settings(
    brain: Brain, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "OPENCODE_CONFIG_DIR", "OPENCLAW_STATE_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    for host in ("claude-code", "codex", "opencode", "openclaw"):
        brain.install(host)
    assert set(tree(home)) == {".agents", ".agents/skills", ".agents/skills/brain-explore"} | {
        ".agents/skills/brain-explore/SKILL.md"
    }
    assert (tmp_path / "CLAUDE_CONFIG_DIR" / ".claude.json").is_file()
    assert (tmp_path / "CODEX_HOME" / "config.toml").is_file()


def test_a_path_that_a_host_would_rewrite_is_refused(home: Path, tmp_path: Path) -> None:
    root = tmp_path / "my${HOME}"
    Brain.init(root)
    with pytest.raises(UsageError, match="would replace"):
        Brain.open(root, background="no").install("gemini")
    assert tree(home) == {}


BARE = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "BRAIN_SEARCH_BACKGROUND": "false"}


@pytest.mark.skipif(os.name == "nt", reason="runs the lines in a POSIX shell")
@pytest.mark.parametrize("host", HOOKS)
def test_the_lines_run_where_the_path_is_short(host: str, brain: Brain, home: Path, memory: Path) -> None:
    """As a host does: its own JSON on the input, from another folder, with nothing of our environment."""
    brain.install(host)
    told = {"session_id": "0f1e", "cwd": str(home), "hook_event_name": "SessionStart", "source": "startup"}
    for event, line in lines(home, host).items():
        assert shlex.split(line)[-1] == str(memory)
        done = subprocess.run(
            ["/bin/sh", "-c", line],
            input=json.dumps(told),
            env={**BARE, "HOME": str(home)},
            cwd="/",
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{event}: {done.stderr}"
        assert json.loads(done.stdout) == {}, event  # an empty memory has no index to show


@pytest.mark.parametrize("host", HOSTS)
def test_the_server_starts_as_the_settings_say(host: str, brain: Brain, home: Path) -> None:
    brain.install(host)
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }
    done = subprocess.run(
        server(home, host),
        input=json.dumps(hello) + "\n",
        env={**BARE, "HOME": str(home)},
        cwd="/",
        capture_output=True,
        text=True,
    )
    answer = json.loads(done.stdout.splitlines()[0])
    assert answer["result"]["serverInfo"]["name"] == "brain"


def test_nothing_of_the_users_settings_is_shown_or_kept_open(brain: Brain, home: Path) -> None:
    """A key in a file goes into no output; the copy of the file is for its owner alone."""
    key = "sk-" + "test" * 8
    (home / ".claude.json").write_text(json.dumps({"env": {"KEY": key}}), encoding="utf-8")
    said = [*brain.install("claude-code", dry_run=True), *brain.install("claude-code"), *brain.uninstall("claude-code")]
    assert key not in repr(said)
    brain.install("claude-code")
    kept = [path for path in (home.parent / "state" / "hosts").iterdir() if key in path.read_text(encoding="utf-8")]
    assert len(kept) == 1
    assert stat.S_IMODE(kept[0].stat().st_mode) == 0o600
    brain.uninstall("claude-code")
    assert not kept[0].exists()
