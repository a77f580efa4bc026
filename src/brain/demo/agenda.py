"""Nadia's calendar, an invented one: the demo names it before the second night, so that its meetings can be cited."""

from __future__ import annotations

import json
from pathlib import Path

from brain.config import FILE

CALENDAR = Path(__file__).parent / "calendar.ics"


def connect(root: Path) -> None:
    """Name the calendar in the settings of a brain, as a person would by hand."""
    place = root / FILE
    table = f'\n[connectors.calendar]\nkind = "calendar"\npath = {json.dumps(str(CALENDAR))}\n'
    place.write_text(place.read_text("utf-8").rstrip("\n") + "\n" + table, "utf-8")
