"""What was put where: receipts in the user's state folder, with the files as they were, so that they can be given back.

`<state>/hosts/receipts.json`, and one file beside it for each settings file that was there before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from brain.config import state_home
from brain.hosts.files import digest
from brain.hosts.host import Place, Scope
from brain.tree.files import write_atomic


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A file that was written: the hash of what was written, the name of the file as it was ("" = it was not there)."""

    path: str
    sha256: str
    backup: str = ""
    made: tuple[tuple[str | int, ...], ...] = ()
    folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """One installation: the host, where, which memory it shows, and its files by path."""

    host: str
    scope: Scope
    project: str
    memory: str
    files: dict[str, Written] = field(default_factory=dict)

    @property
    def key(self) -> str:
        return " ".join(filter(None, (self.host, self.scope.value, self.project)))

    def with_file(self, written: Written) -> Receipt:
        return replace(self, files={**self.files, written.path: written})

    def without(self, path: Path) -> Receipt:
        return replace(self, files={key: value for key, value in self.files.items() if key != str(path)})


def find(host: str, place: Place) -> Receipt:
    """The receipt of a host at a place, or an empty one."""
    project = str(place.project) if place.scope is Scope.PROJECT else ""
    empty = Receipt(host=host, scope=place.scope, project=project, memory="")
    return next((one for one in load() if one.key == empty.key), empty)


def load() -> list[Receipt]:
    """All receipts. A file that does not read counts as none: files are then looked at as they are."""
    try:
        raw = json.loads(_file().read_text(encoding="utf-8"))
        return [_receipt(one) for one in raw["installed"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []


def save(receipt: Receipt) -> None:
    """Keep a receipt in place of the one for the same host and place; one without files is dropped."""
    others = [one for one in load() if one.key != receipt.key]
    kept = sorted([*others, receipt] if receipt.files else others, key=lambda one: one.key)
    shown = [{**asdict(one), "files": [asdict(written) for written in one.files.values()]} for one in kept]
    write_atomic(_file(), json.dumps({"version": 1, "installed": shown}, ensure_ascii=False, indent=2) + "\n")


def keep(path: Path, data: bytes) -> str:
    """Keep a file as it was; returns the name to ask for it by. Readable by the user alone."""
    name = f"{digest(str(path).encode('utf-8', 'surrogatepass'))[:12]}-{path.name}"
    write_atomic(_file().parent / name, data)
    return name


def kept(name: str) -> bytes | None:
    """A file as it was; None when it is gone."""
    try:
        return (_file().parent / name).read_bytes() if name else None
    except OSError:
        return None


def drop(names: Iterable[str]) -> None:
    for name in filter(None, names):
        (_file().parent / name).unlink(missing_ok=True)


def _receipt(raw: dict[str, object]) -> Receipt:
    files = raw["files"]
    if not isinstance(files, list):
        raise TypeError("files is no list")
    written = [
        Written(
            path=str(one["path"]),
            sha256=str(one["sha256"]),
            backup=str(one["backup"]),
            made=tuple(tuple(path) for path in one["made"]),
            folders=tuple(map(str, one["folders"])),
        )
        for one in files
    ]
    return Receipt(
        host=str(raw["host"]),
        scope=Scope(str(raw["scope"])),
        project=str(raw["project"]),
        memory=str(raw["memory"]),
        files={one.path: one for one in written},
    )


def _file() -> Path:
    return state_home() / "hosts" / "receipts.json"
