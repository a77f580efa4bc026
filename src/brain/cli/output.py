"""How commands speak: results to stdout as text or JSON, talk and progress to stderr."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from enum import Enum
from pathlib import Path
from typing import Protocol


class Progress(Protocol):
    """What long work calls now and then: how much is done, of how much, and on what."""

    def __call__(self, done: int, total: int, what: str) -> None: ...


def talk(line: str) -> None:
    """One line for the person, out of the result's way."""
    print(line, file=sys.stderr)


def emit(value: object) -> None:
    """Print a result as JSON: dataclasses as objects, times in UTC, nothing escaped that need not be."""
    print(json.dumps(plain(value), ensure_ascii=False, indent=2))


def plain(value: object) -> object:
    """A value as JSON knows it."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Path):
        return value.as_posix()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((plain(item) for item in value), key=str)
    if isinstance(value, Sequence):
        return [plain(item) for item in value]
    raise TypeError(f"no JSON form for {type(value).__name__}")


@contextmanager
def progress(title: str) -> Iterator[Progress]:
    """A bar on stderr while the block runs; nothing at all when stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield _silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[what]}"),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None, what="")

        def show(done: int, total: int, what: str) -> None:
            bar.update(task, completed=done, total=total or None, what=what[-40:])

        yield show


def _silent(done: int, total: int, what: str) -> None:
    """Progress that nobody watches."""
