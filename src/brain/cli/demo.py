"""`brain demo`: an invented researcher's four months, compiled in three nights."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def demo(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where its tree goes; must be new.")] = Path("demo-memory"),
) -> None:
    """Import and dream fourteen sessions of Nadia, who is invented, then show what her memory holds.

    Example: brain demo /tmp/nadia
    """
    from brain.demo.play import play

    play(folder, print)
