"""Opening a data set's files: what is missing or malformed is said with its file and place, never as a traceback."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from brain.errors import FormatError, NotFound


def whole(path: Path) -> Any:
    """A JSON file. Raises NotFound, FormatError with the line."""
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise NotFound(f"no data file {str(path)!r}", hint="name it with --data") from None
    except json.JSONDecodeError as error:
        raise FormatError(f"no JSON: {error.msg}", path=path.name, line=error.lineno) from None
    except UnicodeDecodeError as error:
        raise FormatError(f"no UTF-8 text: {error.reason}", path=path.name) from None


def lines(path: Path) -> Iterator[tuple[int, Any]]:
    """The values of a file with one JSON a line, packed by xz or not, with their line numbers; blank lines are passed.

    Raises NotFound, FormatError with the line.
    """
    if not path.exists():
        raise NotFound(f"no data file {str(path)!r}", hint="name it with --data")
    packed = path.suffix == ".xz"
    number = 0
    try:
        with lzma.open(path, "rt", encoding="utf-8") if packed else path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, json.loads(line)
    except json.JSONDecodeError as error:
        raise FormatError(f"no JSON: {error.msg}", path=path.name, line=number) from None
    except (lzma.LZMAError, EOFError) as error:
        raise FormatError(f"not packed by xz, or cut off: {error}", path=path.name) from None


@contextmanager
def item(path: Path, place: str) -> Iterator[None]:
    """Reading one item of a file: a missing field or a value of the wrong kind becomes a FormatError that names it."""
    try:
        yield
    except KeyError as error:
        raise FormatError(f"{place}: {error.args[0]!r} is missing or names nothing known", path=path.name) from None
    except (TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"{place}: {error}", path=path.name) from None
