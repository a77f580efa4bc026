"""Every command of the README runs, as a person would type it, on a machine where agents have left their sessions."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import brain.demo

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SESSIONS = Path(brain.demo.__file__).parent / "sessions"


def commands() -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home folder with Claude Code's sessions in their place, and nothing else."""
    home = tmp_path_factory.mktemp("home")
    for night in sorted(SESSIONS.iterdir()):
        shutil.copytree(night / "claude-code", home / ".claude" / "projects", dirs_exist_ok=True)
    return home


def shell(command: str, home: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", "BRAIN_SEARCH_BACKGROUND": "false"}
    return subprocess.run(
        command, shell=True, cwd=home, env=environment, capture_output=True, text=True, timeout=300
    )  # a command that stays is none for these blocks


def test_the_readme_names_only_commands_that_exist() -> None:
    from brain.cli.app import COMMANDS, GROUPS

    for line in commands():
        for part in re.split(r"&&|\|", line.partition("#")[0]):
            words = shlex.split(part)
            assert words[0] in {"make", "pip", "brain"}, line
            if words[0] == "brain":
                assert words[1] in {*COMMANDS, *GROUPS}, line
            if words[0] == "make":
                assert re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE), line


def test_the_readme_commands_run_one_after_another(home: Path) -> None:
    ran = 0
    for line in commands():
        command = line.partition("  #")[0].strip()
        if not command.startswith("brain "):
            continue
        if "…" in command:
            page = next((home / "memory/knowledge/entities").glob("*.md")).stem
            command = command.replace("entities/…", f"entities/{page}")
        done = shell(command, home)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        assert done.stdout.strip(), f"{command} printed nothing"
        ran += 1
    assert ran >= 10


def test_the_python_of_the_readme_runs(home: Path) -> None:
    if not (home / "memory").exists():
        assert shell("brain import .claude/projects && brain dream", home).returncode == 0
    code, *_ = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    done = subprocess.run([sys.executable, "-c", code], cwd=home, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "PDF" in done.stdout


@pytest.mark.slow
def test_the_package_installs_with_pip_from_a_checkout(tmp_path: Path) -> None:
    """The wheel holds what the demo and search need beside the code, and its command starts from anywhere."""
    wheel = [sys.executable, "-m", "pip", "--quiet", "wheel", "--no-deps", "--no-build-isolation"]
    subprocess.run([*wheel, "--wheel-dir", str(tmp_path / "dist"), str(ROOT)], check=True)
    venv.create(tmp_path / "venv", with_pip=False, system_site_packages=False)
    python = next((tmp_path / "venv").glob("bin/python"))
    site = subprocess.run(
        [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    install = [sys.executable, "-m", "pip", "--quiet", "--python", str(python), "install", "--no-deps", "--no-index"]
    subprocess.run([*install, *map(str, (tmp_path / "dist").glob("*.whl"))], check=True)
    with (Path(site) / "rest.pth").open("w", encoding="utf-8") as rest:  # what brain depends on, as installed here
        rest.write("\n".join(path for path in sys.path if path.endswith("site-packages")) + "\n")
    done = subprocess.run(
        [str(python.with_name("brain")), "demo", "nadia"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "Sora City Lab" in done.stdout
    where = subprocess.run(
        [str(python), "-c", "import brain; print(brain.__file__)"], cwd=tmp_path, capture_output=True, text=True
    )
    assert where.stdout.startswith(site)
