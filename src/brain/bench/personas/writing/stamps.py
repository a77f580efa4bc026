"""Times, folders and files as several hosts write them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from brain.bench.personas.ledger import Persona, Session
from brain.tree.files import write_atomic


def zulu(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"


def home(persona: Persona, session: Session) -> str:
    """The folder a session of a command line ran in."""
    return f"/home/{persona.login}/{persona.undertakings[session.topic].folder}"


def put(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(place, text.encode())


def put_lines(place: Path, records: Iterable[dict[str, Any]]) -> None:
    put(place, "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))
