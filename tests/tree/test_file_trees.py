"""Trees of files: one contract for memory, folder and overlay; writes are whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from brain.errors import FormatError, NotFound
from brain.tree.files import FolderTree, MemoryTree, OverlayTree, Tree, write_atomic

FILES = {"AGENTS.md": "a\n", "knowledge/entities/b.md": "b\n", "knowledge/index.md": "京\n", "notes/x/y.md": ""}


def in_folder(root: Path) -> Tree:
    for path, text in FILES.items():
        write_atomic(root / path, text)
    return FolderTree(root)


def overlaid(root: Path) -> Tree:
    base = MemoryTree({**dict.fromkeys(FILES, "old"), "gone.md": "x", "AGENTS.md": FILES["AGENTS.md"]})
    return OverlayTree(base, {**{p: t for p, t in FILES.items() if p != "AGENTS.md"}, "gone.md": None})


KINDS: list[Callable[[Path], Tree]] = [lambda root: MemoryTree(FILES), in_folder, overlaid]


@pytest.mark.parametrize("make", KINDS, ids=["memory", "folder", "overlay"])
def test_all_trees_keep_one_contract(make: Callable[[Path], Tree], tmp_path: Path) -> None:
    tree = make(tmp_path)
    assert isinstance(tree, Tree)
    assert list(tree.paths()) == sorted(FILES)
    assert list(tree.paths("knowledge/")) == ["knowledge/entities/b.md", "knowledge/index.md"]
    assert list(tree.paths("knowledge/i")) == ["knowledge/index.md"]
    assert list(tree.paths("none/")) == []
    assert {p: tree.read(p) for p in tree.paths()} == FILES
    assert "AGENTS.md" in tree
    assert "gone.md" not in tree
    with pytest.raises(NotFound):
        tree.read("gone.md")


def test_a_folder_shows_neither_git_nor_state_nor_what_links_lead_to(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    outside = tmp_path / "secret.txt"
    outside.write_text("secret")
    for path in (
        ".git/HEAD",
        ".brain/config.toml",
        ".brain/index/x",
        ".brain/staging/r/tree/AGENTS.md",
        "sessions/transcripts/t.md",
    ):
        write_atomic(root / path, "x")
    (root / "link.md").symlink_to(outside)
    (root / "notes").symlink_to(tmp_path)
    tree = FolderTree(root)
    assert list(tree.paths()) == [".brain/config.toml", "link.md", "notes", "sessions/transcripts/t.md"]
    assert list(tree.paths("notes/")) == []
    for path in ("link.md", "notes/secret.txt", "../secret.txt", str(outside)):
        assert path not in tree
        with pytest.raises(NotFound):
            tree.read(path)


def test_bytes_that_are_no_text_are_told_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_bytes(b"one\ntwo \xff\n")
    tree = FolderTree(tmp_path)
    with pytest.raises(FormatError) as told:
        tree.read("x.md")
    assert (told.value.path, told.value.line) == ("x.md", 2)
    assert tree.read_bytes("x.md") == b"one\ntwo \xff\n"


def test_a_write_is_private_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    place = tmp_path / "new" / "deep" / "x.md"
    write_atomic(place, "one\n")
    write_atomic(place, b"two\n")
    assert place.read_bytes() == b"two\n"
    assert place.stat().st_mode & 0o777 == 0o600
    assert place.parent.stat().st_mode & 0o777 == 0o700
    assert [p.name for p in place.parent.iterdir()] == ["x.md"]
