"""`.brain/workset.json`: which commit a working set is of, and each file in it with its hash and the reason."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from brain.errors import FormatError, NotFound

PLACE = ".brain/workset.json"
FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """One file of the set: SHA-256 (hex) of its bytes, their number, and why it is here."""

    sha256: str
    size: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How much a set may hold: bytes of content and number of files, this manifest not counted."""

    bytes: int
    files: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """`source` says where the corpus is: the folder of the memory tree, or the address of a server."""

    source: str
    commit: str
    budget: Budget
    files: Mapping[str, Held] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Bytes of content held."""
        return sum(held.size for held in self.files.values())


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")
    path: str
    sha256: str
    size: int
    why: str


class _Budget(BaseModel):
    model_config = ConfigDict(extra="forbid")
    bytes: int
    files: int


class _Json(BaseModel):
    model_config = ConfigDict(extra="forbid")
    workset_format: int
    source: str
    commit: str
    budget: _Budget
    files: list[_File]


def render(manifest: Manifest) -> str:
    """One file a line, by path."""
    rows = [
        json.dumps({"path": path, "sha256": held.sha256, "size": held.size, "why": held.why}, ensure_ascii=False)
        for path, held in sorted(manifest.files.items())
    ]
    head = {"workset_format": FORMAT, "source": manifest.source, "commit": manifest.commit,
            "budget": {"bytes": manifest.budget.bytes, "files": manifest.budget.files}}  # fmt: skip
    opening = json.dumps(head, ensure_ascii=False)[:-1]
    return opening + ', "files": [\n' + ",\n".join(rows) + ("\n" if rows else "") + "]}\n"


def parse(text: str, path: str = PLACE) -> Manifest:
    """Raises FormatError, also for a newer format."""
    try:
        raw = _Json.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        message = f"not a working set: {where}: {first['msg']}"
        raise FormatError(message, path=path, hint="brain workset boot DIR") from error
    if raw.workset_format != FORMAT:
        message = f"working set of format {raw.workset_format}, this is {FORMAT}"
        raise FormatError(message, path=path, hint="brain workset boot DIR")
    return Manifest(
        source=raw.source,
        commit=raw.commit,
        budget=Budget(bytes=raw.budget.bytes, files=raw.budget.files),
        files={file.path: Held(sha256=file.sha256, size=file.size, why=file.why) for file in raw.files},
    )


def is_set(folder: Path) -> bool:
    """Whether the folder holds a working set."""
    return (folder / PLACE).is_file()


def load(folder: Path) -> Manifest:
    """The manifest of the set in `folder`. Raises NotFound, FormatError."""
    place = folder / PLACE
    try:
        return parse(place.read_text("utf-8"), str(place))
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(f"no working set in {str(folder)!r}", hint=f"brain workset boot {folder}") from None
