"""`brain demo`: an invented researcher's four months, compiled in three nights."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def demo(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where its tree goes; must be new.")] = Path(
        "demo-memory"
    ),
) -> None:
    """Play an invented researcher's four months in three nights.

    Imports and dreams fourteen sessions, then shows what memory holds.

    Example: brain demo /tmp/nadia
    """
    from brain.demo.play import play

    play(folder, print)
