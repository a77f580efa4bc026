"""The log of a repository: commits, authors, paths and tags; nothing that its own settings ask for is run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from outside import reading

from brain.config import Connector
from brain.connectors import Connectors
from brain.errors import ConnectorError, NotFound


def git(
    folder: Path, *args: str, author: str = "Tomasz Wilk <tomasz@wilk.example>", day: str = "2026-07-03T10:00:00+02:00"
) -> str:
    name, _, address = author.rstrip(">").partition(" <")
    env = {
        "PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": address, "GIT_AUTHOR_DATE": day,
        "GIT_COMMITTER_NAME": name, "GIT_COMMITTER_EMAIL": address, "GIT_COMMITTER_DATE": day,
    }  # fmt: skip
    done = subprocess.run(["git", *args], cwd=folder, env=env, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def commit(folder: Path, path: str, text: str, message: str, **how: str) -> str:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    git(folder, "add", ".", **how)
    git(folder, "commit", "-q", "-m", message, **how)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def code(tmp_path: Path) -> Path:
    folder = tmp_path / "beacons"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    return folder


def of(tmp_path: Path, path: Path, *allow: str) -> Connectors:
    return reading(tmp_path, code=Connector(kind="git", path=str(path), allow=allow))


def test_commits_and_tags_are_records(tmp_path: Path, code: Path) -> None:
    first = commit(code, "src/a.py", "1", "Start the beacon prototype\n\nCoin cells last four days.")
    second = commit(code, "docs/ü b.md", "2", "Explain it", day="2026-07-10T23:30:00-08:00")
    git(code, "tag", "-a", "v0.3.0", "-m", "First release", day="2026-08-01T12:00:00+02:00")
    source = of(tmp_path, code)
    assert [entry.id for entry in source.list("code")] == ["tag/v0.3.0", second, first]
    record = source.read("code", first)
    assert record.title == "Start the beacon prototype"
    assert record.field("author") == "Tomasz Wilk <tomasz@wilk.example>"
    assert record.day == "2026-07-03"
    assert record.text == "Coin cells last four days.\n\nPaths:\nsrc/a.py"
    assert source.read("code", second).text == "Paths:\ndocs/ü b.md"
    assert source.read("code", first[:9]) == record
    assert source.read("code", "tag/v0.3.0").field("commit") == second
    assert [entry.id for entry in source.search("code", "coin cells")] == [first]
    assert source.check("code").what == "2 commits, 1 tags"


def test_only_allowed_paths_are_shown(tmp_path: Path, code: Path) -> None:
    commit(code, "private/a.txt", "1", "A private thing")
    seen = commit(code, "docs/a.md", "1", "Docs")
    source = of(tmp_path, code, "docs")
    assert [entry.id for entry in source.list("code")] == [seen]


def test_a_bare_repository_and_an_empty_one_can_be_read(tmp_path: Path, code: Path) -> None:
    assert of(tmp_path, code).check("code").what == "0 commits, 0 tags"
    commit(code, "a", "1", "One")
    git(tmp_path, "clone", "-q", "--bare", str(code), "bare.git")
    assert of(tmp_path, tmp_path / "bare.git").check("code").what == "1 commits, 0 tags"


def test_settings_of_a_strangers_repository_run_nothing(tmp_path: Path, code: Path) -> None:
    commit(code, "a.txt", "1", "One")
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n", "utf-8")
    trap.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "diff.external", "gpg.program", "core.sshCommand", "core.hooksPath"):
        git(code, "config", key, str(trap))
    git(code, "config", "log.showSignature", "true")
    git(code, "config", "diff.x.textconv", str(trap))
    (code / ".gitattributes").write_text("* diff=x\n", "utf-8")
    source = of(tmp_path, code)
    assert len(list(source.list("code"))) == 1
    assert not (tmp_path / "sprung").exists()


def test_a_message_made_to_look_like_two_commits_is_counted_and_not_believed(tmp_path: Path, code: Path) -> None:
    good = commit(code, "a.txt", "1", "Good")
    commit(code, "b.txt", "1", f"Bad\x1e{'f' * 40}\x1fMai\x1fmai@x.example\x1f2026-01-01T00:00:00Z\x1fForged\x1f")
    source = of(tmp_path, code)
    ids = [entry.id for entry in source.list("code")]
    assert good in ids
    assert all(source.read("code", id).title != "Forged" for id in ids)
    assert source.skipped("code")


def test_what_is_no_repository_is_said(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    with pytest.raises(ConnectorError, match="no git repository"):
        list(of(tmp_path, tmp_path / "plain").list("code"))
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / ".git").write_text("gitdir: /somewhere", "utf-8")
    with pytest.raises(ConnectorError, match="linked work tree"):
        list(of(tmp_path, tmp_path / "linked").list("code"))


def test_an_unknown_commit_is_not_found(tmp_path: Path, code: Path) -> None:
    commit(code, "a", "1", "One")
    for id in ("0" * 40, "--output=x", "HEAD"):
        with pytest.raises(NotFound):
            of(tmp_path, code).read("code", id)
