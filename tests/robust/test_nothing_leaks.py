"""T15: what a command or the server says of one brain tells nothing of another one, nor of other files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from archive import START, write

from brain import Brain
from brain.errors import BrainError

TOKEN = "a-token-for-this-test-only"
OTHER = ("zebra-of-lin", "lin-orchid", "Orchid")  # words that stand only in Lin's folder


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two brains side by side: Ada's, and Lin's, whose names nobody may learn through Ada's."""
    house = tmp_path_factory.mktemp("house")
    for owner in ("ada", "lin"):
        Brain.init(house / owner, owner=owner.title(), now=START)
        write(house / owner, range(3), 4)
    (house / "lin" / "notes" / "facts").mkdir(parents=True)
    (house / "lin" / "notes" / "facts" / "zebra-of-lin.md").write_text("Orchid is the word.\n", encoding="utf-8")
    (house / "lin-orchid.txt").write_text("Orchid\n", encoding="utf-8")
    (house / "ada" / "sessions" / "artifacts" / "x").mkdir(parents=True)
    (house / "ada" / "sessions" / "artifacts" / "x" / "out.txt").symlink_to(house / "lin-orchid.txt")
    return house


@pytest.fixture(scope="module")
def address(house: Path) -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "brain", "serve", "--port", "0", "--memory", str(house / "ada")],
        env={**os.environ, "BRAIN_TOKEN": TOKEN, "BRAIN_SEARCH_EMBEDDER": "none"},
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert process.stdout
    yield process.stdout.readline().strip()
    process.terminate()
    process.wait(10)
    process.stdout.close()


OUTSIDE = [
    "../lin/notes/facts/zebra-of-lin.md",
    "notes/../../lin/notes/facts/zebra-of-lin.md",
    "sessions/artifacts/../../../lin-orchid.txt",
    "sessions/artifacts/x/out.txt",
    ".git/config",
    ".brain/index/search/catalogue.sqlite",
    "/etc/hostname",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_the_server_hands_out_no_file_from_outside(house: Path, address: str, path: str) -> None:
    allowed = {"Authorization": f"Bearer {TOKEN}"}
    path = path if path.startswith(("/etc", ".", "notes", "sessions")) else str(house / path)
    answer = httpx.post(f"{address}/v1/fetch", json={"paths": [path]}, headers=allowed)
    head = json.loads(answer.content.partition(b"\n")[0])
    assert head.get("state", "absent") == "absent" or answer.status_code >= 400
    assert b"Orchid" not in answer.content
    assert str(house) not in answer.text


@pytest.mark.parametrize("what", ["zebra-of-lin", "entities/zebra-of-lin", "../lin", "Orchid", *OUTSIDE[:4]])
def test_what_is_not_found_is_answered_alike_whether_another_brain_has_it(house: Path, address: str, what: str) -> None:
    allowed = {"Authorization": f"Bearer {TOKEN}"}

    def said(name: str) -> tuple[int, str]:
        answer = httpx.post(f"{address}/v1/show", json={"what": name}, headers=allowed)
        return answer.status_code, answer.text.replace(name, "…")

    made_up = what.replace("lin", "qux").replace("Orchid", "Cactus").replace("/x/", "/y/")
    assert said(what) == said(made_up)
    assert said(what)[0] == 404
    assert str(house) not in said(what)[1]


def test_counts_and_lists_are_of_this_brain_alone(house: Path, address: str) -> None:
    allowed = {"Authorization": f"Bearer {TOKEN}"}
    for under in ("", "../", "../lin", "notes/../../lin", "/"):
        listed = httpx.get(f"{address}/v1/paths", params={"under": under}, headers=allowed).json()["files"]
        assert not [
            row for row in listed if ".." in row["path"] or row["path"].startswith("/") or "zebra" in row["path"]
        ]
    hits = httpx.post(f"{address}/v1/search", json={"query": "Orchid zebra", "k": 50}, headers=allowed).json()["hits"]
    assert all("Orchid" not in hit["text"] for hit in hits)


def test_an_error_of_the_server_tells_no_place_on_its_machine(house: Path, address: str) -> None:
    allowed = {"Authorization": f"Bearer {TOKEN}"}
    asked = [
        ("POST", "/v1/fetch", {"paths": ["a\0b"]}), ("POST", "/v1/fetch", {"paths": ["x"], "at": "--help"}),
        ("POST", "/v1/fetch", {"paths": ["x"], "at": "0" * 40}), ("POST", "/v1/show", {"what": "\0"}),
        ("POST", "/v1/show", {"what": "entities/ada", "cite": "99"}), ("POST", "/v1/search", {"query": "", "k": 10**9}),
        ("POST", "/v1/put", None), ("GET", "/v1/none", None),
    ]  # fmt: skip
    for method, path, body in asked:
        answer = httpx.request(method, address + path, json=body, headers=allowed)
        assert answer.status_code in (200, 400, 404, 405, 503), (path, body, answer.text)
        assert str(house) not in answer.text
        assert "Traceback" not in answer.text


@pytest.mark.parametrize("what", OUTSIDE)
def test_the_command_line_shows_no_file_from_outside(house: Path, what: str) -> None:
    with pytest.raises(BrainError) as refused:
        Brain.open(house / "ada").show(what)
    assert "Orchid" not in str(refused.value)
    hint = refused.value.hint or ""
    assert not [word for word in OTHER if word in hint.replace(what, "")]
