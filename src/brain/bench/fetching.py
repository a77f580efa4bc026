"""Getting public data sets from where their makers publish them, those whose licence lets anybody use them.

    >>> fetch(DATA_SETS["longmemeval-oracle"], Path("data"))                                # doctest: +SKIP

What came is hashed and noted in `SHA256SUMS` of its folder; a later fetch says when it is no longer the same. LoCoMo
may not be used for money (CC BY-NC 4.0): where it lies is said, and whoever may use it takes it from there.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import file_digest
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

from brain.errors import ConnectorError, UsageError
from brain.tree.files import write_atomic

SUMS = "SHA256SUMS"
SECONDS = 60.0
_CHUNK = 1 << 20
_WHO = {"User-Agent": "brain-bench"}
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSet:
    """A data set as published: its licence, the page that says so, and its files, `{path here: address}`.

    `listing` is an address that lists more of them, as JSON with a `name` and a `download_url` each.
    """

    name: str
    title: str
    licence: str
    page: str
    files: Mapping[str, str] = field(default_factory=dict)
    listing: str = ""
    known: Mapping[str, str] = field(default_factory=dict)  # SHA-256 of releases seen
    free: bool = True


_LME = "https://huggingface.co/datasets/xiaowu0162/longmemeval-cleaned"
_REALMEM = "https://github.com/AvatarMemory/RealMemBench"
_BEAM = "https://github.com/mohammadtavakoli78/BEAM"


def _raw(page: str, path: str) -> str:
    return f"{page.replace('https://github.com', 'https://raw.githubusercontent.com')}/main/{path}"


def _beam(size: str, chats: int) -> dict[str, str]:
    files = ("chat.json", "probing_questions/probing_questions.json")
    names = [f"{number}/{file}" for number in range(1, chats + 1) for file in files]
    return {name: _raw(_BEAM, f"chats/{size}/{name}") for name in names}


DATA_SETS = {
    one.name: one
    for one in (
        DataSet(
            name="longmemeval-oracle",
            title="LongMemEval, evidence sessions only, 500 questions",
            licence="MIT",
            page=_LME,
            files={"longmemeval_oracle.json": f"{_LME}/resolve/main/longmemeval_oracle.json"},
        ),
        DataSet(
            name="longmemeval-s",
            title="LongMemEval S (cleaned), 500 haystacks of about 115,000 tokens",
            licence="MIT",
            page=_LME,
            files={"longmemeval_s_cleaned.json": f"{_LME}/resolve/main/longmemeval_s_cleaned.json"},
            known={"longmemeval_s_cleaned.json": "d6f21ea9d60a0d56f34a05b609c79c88a451d2ae03597821ea3d5a9678c3a442"},
        ),
        DataSet(
            name="realmem",
            title="RealMem, project dialogues of ten people",
            licence="Apache-2.0",
            page=_REALMEM,
            listing="https://api.github.com/repos/AvatarMemory/RealMemBench/contents/dataset",
        ),
        DataSet(
            name="beam-100k",
            title="BEAM, 20 chats of about 128,000 tokens, 400 questions",
            licence="CC BY-SA 4.0",
            page=_BEAM,
            files=_beam("100K", 20),
        ),
        DataSet(
            name="locomo",
            title="LoCoMo, ten long chats, 1,986 questions",
            licence="CC BY-NC 4.0",
            page="https://github.com/snap-research/locomo",
            files={"locomo10.json": _raw("https://github.com/snap-research/locomo", "data/locomo10.json")},
            free=False,
        ),
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """Files that were brought, files that were there, and what was not as expected."""

    folder: Path
    new: tuple[str, ...]
    kept: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def fetch(
    one: DataSet, to: Path, *, base: str | None = None, dry_run: bool = False, progress: Progress | None = None
) -> Fetched:
    """Bring what is not there yet into the folder `to`. `base` is another place that has the files by their paths.

    Raises UsageError for a data set that everybody must get for themselves, ConnectorError.
    """
    if not one.free and base is None:
        where = ", ".join(one.files.values())
        raise UsageError(f"{one.title} is {one.licence}: not fetched here", hint=f"if you may use it: {where}")
    sums = _sums(to / SUMS)
    files = _listed(one, base) if one.listing else one.files
    new: list[str] = []
    warnings: list[str] = []
    missing = [path for path in files if not (to / path).exists()]
    for at, path in enumerate(missing):
        if progress:
            progress(at, len(missing), path)
        if not dry_run:
            _bring(f"{base.rstrip('/')}/{path}" if base else files[path], to / path)
        new.append(path)
    for path in files if not dry_run else ():
        found = _hash(to / path)
        expected = one.known.get(path) or sums.get(path)
        if expected not in (None, found):
            warnings.append(f"{path} is another release than the one known: {found}, not {expected}")
        sums[path] = found
    if new and not dry_run:
        write_atomic(to / SUMS, "".join(f"{value}  {path}\n" for path, value in sorted(sums.items())))
    kept = tuple(path for path in files if path not in missing)
    return Fetched(folder=to, new=tuple(new), kept=kept, warnings=tuple(warnings))


def _listed(one: DataSet, base: str | None) -> dict[str, str]:
    address = f"{base.rstrip('/')}/listing.json" if base else one.listing
    try:
        with urlopen(Request(address, headers=_WHO), timeout=SECONDS) as answer:
            rows = json.load(answer)
        return {str(row["name"]): str(row["download_url"]) for row in rows if str(row["name"]).endswith(".json")}
    except (URLError, OSError, ValueError, KeyError, TypeError) as error:
        raise _failed(address, error) from error


def _failed(address: str, error: Exception) -> ConnectorError:
    why = getattr(error, "reason", None) or error
    return ConnectorError("bench fetch", f"{address} cannot be had: {why}", hint="what is there stays; run it again")


def _bring(address: str, to: Path) -> None:
    """The file at an address, whole or not at all."""
    to.parent.mkdir(parents=True, exist_ok=True)
    try:
        with (
            urlopen(Request(address, headers=_WHO), timeout=SECONDS) as answer,
            tempfile.NamedTemporaryFile(dir=to.parent, prefix=".fetch-", delete=False) as file,
        ):
            try:
                shutil.copyfileobj(answer, file, _CHUNK)
                file.close()
                Path(file.name).replace(to)
            finally:
                Path(file.name).unlink(missing_ok=True)
    except (URLError, OSError, ValueError) as error:
        raise _failed(address, error) from error


def _sums(file: Path) -> dict[str, str]:
    if not file.exists():
        return {}
    return {path: value for value, path in _pairs(file.read_text("utf-8"))}


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        value, _, path = line.partition("  ")
        yield value, path


def _hash(file: Path) -> str:
    with file.open("rb") as content:
        return file_digest(content, "sha256").hexdigest()
