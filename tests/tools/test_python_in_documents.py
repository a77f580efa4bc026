"""The Python of README and docs/python.md runs as it stands, with a model on this machine for a provider's."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from model_here import model_here

import brain.tools
from brain import Brain

DOCUMENTS = Path(__file__).resolve().parents[2]
PYTHON = (DOCUMENTS / "docs/python.md").read_text("utf-8")
README = (DOCUMENTS / "README.md").read_text("utf-8")


def blocks(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with model_here() as address:
        yield address


@pytest.mark.parametrize("code", [*blocks(README), *blocks(PYTHON)])
def test_the_code_of_the_documents_runs(root: Path, address: str, code: str) -> None:
    with Brain.open(root) as memory:
        memory.note("I want figures delivered as PDF, not PNG.", topic="preferences/figures")
    environment = {
        **os.environ, "ANTHROPIC_BASE_URL": address, "ANTHROPIC_API_KEY": "none",
        "OPENAI_BASE_URL": f"{address}/v1", "OPENAI_API_KEY": "none", "NO_PROXY": "127.0.0.1",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root.parent, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "PDF" in done.stdout


def test_the_agent_of_the_readme_takes_ten_lines() -> None:
    (agent,) = [code for code in blocks(README) if "Agent(" in code]
    assert len(agent.strip().splitlines()) <= 10


def test_every_tool_and_verb_is_in_the_document() -> None:
    for name in brain.tools.__all__:
        assert re.search(rf"`{name}\b|\b{name}\(", PYTHON), name
    for name in dir(Brain):
        if not name.startswith("_") and callable(getattr(Brain, name)):
            assert f"| `{name}` |" in PYTHON, name
