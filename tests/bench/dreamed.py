"""An invented person's months and a chat of two, as a persona's folder and as a LoCoMo file, for wikis to be spoilt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SESSIONS = [
    ("tour-1", "2026-03-02", [
        ("User", "My sister Maren Dahl lives in Oslo. I work as a nurse at Sandvik Clinic."),
        ("Assistant", "Noted."),
        ("User", "The Fjord Tour is our kayak trip of the summer. The budget of the Fjord Tour is 400 euros."),
        ("Assistant", "A good sum for two kayaks."),
        ("User", "Please always send me figures as PDF, never as PNG."),
        ("Assistant", "Will do."),
    ]),
    ("tour-2", "2026-03-20", [
        ("User", "Maren Dahl bought a red kayak on 18 March 2026 for 900 euros."),
        ("Assistant", "Lovely."),
        ("User", "The Fjord Tour starts in Larvik on 4 July 2026. Maren Dahl plans the food of the Fjord Tour."),
        ("Assistant", "Noted."),
    ]),
    ("secret-1", "2026-03-28", [
        ("User", "Maren Dahl is looking at a cottage in Utsira Bay. I dislike the idea of the cottage."),
        ("Assistant", "I see."),
    ]),
    ("tour-3", "2026-04-10", [
        ("User", "My sister Maren Dahl moved to Bergen. I work as a teacher at Lunde School now."),
        ("Assistant", "Good to know."),
        ("User", "I decided to take the Skarv Sport on the Fjord Tour, because it is stable."),
        ("Assistant", "Fine."),
    ]),
]  # fmt: skip
CHAT = [
    ("1:56 pm on 8 May, 2023", [
        ("Ada", "I bought a red kayak for the lake on Saturday!"),
        ("Lin", "I started as a baker in Dovre last week, my boss is strict."),
        ("Ada", "I have painted since 2016, mostly lighthouses."),
        ("Lin", "I adopted two cats from the shelter, Miso and Tofu."),
    ]),
    ("9:05 am on 20 May, 2023", [
        ("Lin", "I left the bakery, the flour made me cough."),
        ("Ada", "I repaired the kayak with tape and took my son to the lake."),
        ("Lin", "I signed up for a pottery class in Otta."),
        ("Ada", "I ran a charity race for mental health on Sunday."),
    ]),
]  # fmt: skip


def _told(session: str, turn: int) -> dict[str, Any]:
    return {"by": "user", "where": {"session": session, "turn": turn}}


LEDGER = {
    "facts": [
        {"kind": "change", "values": ["Oslo", "Bergen"], "told": [_told("tour-1", 1), _told("tour-3", 1)]},
        {"kind": "change", "values": ["nurse", "teacher"], "told": [_told("tour-1", 1), _told("tour-3", 1)]},
        {"kind": "list", "values": ["a red kayak", "Skarv Sport"], "told": [_told("tour-2", 1), _told("tour-3", 3)]},
    ]
}
QUESTION: dict[str, Any] = {
    "id": "p01-q1", "text": "Where does my sister Maren live?", "category": "knowledge-update", "kind": "text",
    "answer": "Bergen", "accepts": [], "stale": ["Oslo"], "must_not": [], "asked_at": "2026-06-01T08:00:00Z",
    "forget": None, "evidence": [{"session": "tour-3", "turn": 1}],
}  # fmt: skip
FORGOTTEN: dict[str, Any] = QUESTION | {
    "id": "p01-q2", "text": "Where does Maren look at a cottage?", "category": "deletion", "kind": "none",
    "answer": None, "stale": [], "must_not": ["Utsira Bay"], "forget": {"sessions": ["secret-1"]}, "evidence": [],
}  # fmt: skip


def persona(folder: Path, *, ledger: bool = True) -> Path:
    """A folder of one person, as `brain bench personas` lays it out."""
    home = folder / "p01"
    (home / "sessions").mkdir(parents=True)
    (home / "connectors").mkdir()
    for name, day, turns in SESSIONS:
        said = "\n\n".join(f"**{who}:** {text}" for who, text in turns)
        (home / "sessions" / f"{name}.md").write_text(f"Title: Talk {name}\nDate: {day}\nID: {name}\n\n{said}\n")
    (home / "questions.jsonl").write_text(f"{json.dumps(QUESTION)}\n{json.dumps(FORGOTTEN)}\n")
    if ledger:
        (home / "ledger.json").write_text(json.dumps(LEDGER))
    listed = {"version": 1, "seed": 0, "personas": [{"id": "p01", "sha256": "", "name": "Ada Berg", "tz": "UTC"}]}
    (folder / "personas.json").write_text(json.dumps(listed))
    return folder


def locomo(file: Path) -> Path:
    """A chat of two people as a LoCoMo file."""
    chat: dict[str, Any] = {"speaker_a": "Ada", "speaker_b": "Lin"}
    for number, (time, turns) in enumerate(CHAT, 1):
        chat[f"session_{number}_date_time"] = time
        chat[f"session_{number}"] = [
            {"speaker": who, "dia_id": f"D{number}:{at}", "text": text} for at, (who, text) in enumerate(turns, 1)
        ]
    asked = [{"question": "What did Ada buy?", "answer": "a kayak", "category": 4, "evidence": ["D1:1"]}]
    file.write_text(json.dumps([{"sample_id": "conv-77", "conversation": chat, "qa": asked}]))
    return file
