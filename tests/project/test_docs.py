"""The documents keep up with the code, and nothing of one machine is in the repository."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from brain import __version__

ROOT = Path(__file__).resolve().parents[2]


def test_generated_documents_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, "docs/build.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_changelog_has_entries_for_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    entry = re.search(rf"^## {re.escape(__version__)}\b.*?\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert entry, f"no '## {__version__}' in CHANGELOG.md"
    assert re.search(r"^- \w", entry[1], re.MULTILINE)


def test_links_between_documents_lead_somewhere() -> None:
    for document in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        prose = re.sub(
            r"^```.*?^```|`[^`\n]*`", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
        )
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_no_machine_paths_and_no_package_hosts() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    here = re.escape(str(ROOT)) + "/"
    odd = re.compile(rf"{here}|--(?:extra-)?index-url|files\.python" + "hosted")
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path == Path(__file__) or path.suffix in {".npy", ".onnx"} or not path.is_file():
            continue
        found = odd.search(path.read_text(encoding="utf-8", errors="replace"))
        assert not found, f"{name}: {found[0]!r}"


def test_every_dependency_says_what_it_is_for() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = text.partition("dependencies = [")[2].partition("\n]")[0]
    for line in filter(str.strip, block.splitlines()):
        assert "#" in line, f"pyproject.toml: {line.strip()} has no reason"
