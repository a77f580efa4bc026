"""A brain with an archive of invented talk, large enough that indexing takes a while, and one line to ask for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from brain import Brain
from brain.tree import layout, transcript
from brain.tree.ids import session_id
from brain.types import Hit, Role, Transcript, Turn

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
WANTED = "The spare key of the boathouse hangs behind the barograph."
QUESTION = "where is the spare key of the boathouse"
THINGS = ("oar", "sail", "rope", "buoy", "chart", "lantern", "anchor", "bilge", "tiller", "fender", "winch", "mast")
DEEDS = ("mended", "lost", "painted", "borrowed", "sold", "found", "washed", "measured", "weighed", "oiled")


def talk(number: int, turns: int) -> Transcript:
    def text(at: int) -> str:
        if (number, at) == (3, 7):
            return WANTED
        said = (
            f"{DEEDS[(at * k + number) % 10]} the {THINGS[(number * k + at) % 12]} {number + at * k}"
            for k in range(1, 7)
        )
        return f"Day {number}: we " + ", ".join(said) + "."

    time = START + timedelta(days=number)
    return Transcript(
        id=session_id("test", f"day-{number}"), source="test", external_id=f"day-{number}", title=f"day {number}",
        started_at=time,
        turns=tuple(Turn(number=at, role=Role.USER, text=text(at), time=time) for at in range(1, turns + 1)),
    )  # fmt: skip


def write(root: Path, sessions: Sequence[int], turns: int) -> None:
    """Put transcripts of these days into a brain's folder."""
    for number in sessions:
        said = talk(number, turns)
        file = root / layout.transcript_path(layout.stem(said))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(transcript.render(said), encoding="utf-8", newline="\n")


def make(root: Path, sessions: int, turns: int, *, embedder: str = "none") -> Path:
    Brain.init(root, now=START)
    config = root / ".brain" / "config.toml"
    settings = config.read_text("utf-8").replace("[search]\n", f'[search]\nembedder = "{embedder}"\n')
    config.write_text(settings, encoding="utf-8")
    write(root, range(sessions), turns)
    return root


def ask(root: Path, k: int = 5) -> tuple[list[Hit], list[str]]:
    """What search finds, and what it says beside it, but that meaning has no part here."""
    said: list[str] = []
    hits = Brain.open(root, say=said.append).search(QUESTION, k=k)
    return hits, [line for line in said if "switched off" not in line]


def texts(hits: Sequence[Hit]) -> list[str]:
    return [hit.text for hit in hits]
