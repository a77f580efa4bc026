"""Writing an export: into a new place, or over an earlier export of ours, never into memory and never over other files.

A folder that we wrote has `.brain-export.json` in it, the list of its files: the next export takes away what it wrote
and is no more, and leaves what somebody added.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from brain.errors import UsageError
from brain.export import jsonl, obsidian, okf
from brain.export.holdings import LEVELS, Holdings, Turns, collect
from brain.export.report import ExportReport
from brain.tree.files import FolderTree, write_atomic

MARKER = ".brain-export.json"
FORMS = {
    "okf": "an Open Knowledge Format 0.2 bundle, a folder",
    "obsidian": "an Obsidian vault, a folder",
    "html": "one HTML file, to read and search offline",
    "jsonl": "JSON Lines, one file, for programs",
}
"""What can be written, and what it is."""

_FOLDERS = {"okf": okf.bundle, "obsidian": obsidian.vault}


def export(
    root: Path, form: str, to: Path, *, include: str = "normal", turns: str = Turns.CITED, dry_run: bool = False
) -> ExportReport:
    """Write the memory in `root` to `to`, a folder or a file by its form. Raises UsageError."""
    _check(root, form, to, include, turns)
    held = collect(FolderTree(root), include=include, turns=Turns(turns))
    files = _FOLDERS[form](held) if form in _FOLDERS else {to.name: _file(form, held)}
    removed = _write_folder(form, to, files, dry_run) if form in _FOLDERS else 0
    if form not in _FOLDERS and not dry_run:
        write_atomic(to, files[to.name])
    return ExportReport(
        form=form,
        to=to,
        pages=len(held.pages),
        notes=len(held.notes),
        sessions=len(held.sessions),
        turns=sum(len(one.turns) for one in held.sessions.values()),
        files=len(files),
        size=sum(map(len, files.values())),
        removed=removed,
        left_out=held.left_out,
        broken=held.broken,
        dry_run=dry_run,
    )


def _check(root: Path, form: str, to: Path, include: str, turns: str) -> None:
    if form not in FORMS:
        raise UsageError(f"there is no form {form!r} to export", hint=f"one of {', '.join(FORMS)}")
    if include not in LEVELS:
        raise UsageError(f"{include!r} is no sensitivity", hint=f"one of {', '.join(LEVELS)}")
    if turns not in set(Turns):
        raise UsageError(f"{turns!r} says not which turns", hint=f"one of {', '.join(Turns)}")
    if to.resolve().is_relative_to(root.resolve()):
        raise UsageError(f"{to} lies in memory itself", hint="name a place outside of it")
    if form in _FOLDERS:
        if to.exists() and not to.is_dir():
            raise UsageError(f"{to} is a file, and {FORMS[form]} is wanted", hint="name a new folder")
        if to.is_dir() and any(to.iterdir()) and _before(to, form) is None:
            raise UsageError(f"{to} holds files that are no {form} export of ours", hint="name a new or empty folder")
    elif to.is_dir():
        raise UsageError(f"{to} is a folder, and {FORMS[form]} is wanted", hint=f"name a file: {to / f'brain.{form}'}")
    elif to.exists() and not _ours(to, form):
        raise UsageError(f"{to} is there and no {form} export of ours", hint="name a new file")


def _file(form: str, held: Holdings) -> bytes:
    if form == "jsonl":
        return jsonl.lines(held)
    from brain.export.html import document  # brings the Markdown renderer

    return document(held).encode()


def _ours(to: Path, form: str) -> bool:
    with to.open("rb") as file:
        start = file.read(400)
    return start.startswith(b'{"kind": "brain"') if form == "jsonl" else b'name="generator" content="brain"' in start


def _before(to: Path, form: str) -> list[str] | None:
    """The files that an earlier export of this form wrote into a folder; None when there was none."""
    try:
        said = json.loads((to / MARKER).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    files = said.get("files") if isinstance(said, dict) and said.get("form") == form else None
    return [name for name in files if isinstance(name, str)] if isinstance(files, list) else None


def _write_folder(form: str, to: Path, files: Mapping[str, bytes], dry_run: bool) -> int:
    """Write the files of a folder; how many of an earlier export went."""
    before = _before(to, form) or []
    gone = [name for name in before if name not in files and (place := _inside(to, name)) and place.is_file()]
    if dry_run:
        return len(gone)
    kept = [name for name in files if name.startswith(".obsidian/") and (to / name).exists()]
    both = sorted({*before, *files})
    write_atomic(to / MARKER, json.dumps({"form": form, "files": both}, indent=1, ensure_ascii=False) + "\n")
    for name, data in files.items():
        if name not in kept and not ((to / name).is_file() and (to / name).read_bytes() == data):
            write_atomic(to / name, data)
    for name in gone:
        (to / name).unlink()
        for folder in (to / name).parents:
            if folder == to or any(folder.iterdir()):
                break
            folder.rmdir()
    said = {"form": form, "files": sorted(files)}
    write_atomic(to / MARKER, json.dumps(said, indent=1, ensure_ascii=False) + "\n")
    return len(gone)


def _inside(to: Path, name: str) -> Path | None:
    """A listed file's place; None when the list leads out of the folder."""
    place = to / name
    return place if place.resolve().is_relative_to(to.resolve()) and not place.is_symlink() else None
