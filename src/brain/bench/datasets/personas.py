"""Generated personas (`brain bench personas generate`): a folder a person, of transcript files as hosts write them.

    >>> account = load(Path("personas"), "p07")                                             # doctest: +SKIP
    >>> account.questions[0].text, account.questions[0].evidence                            # doctest: +SKIP
    ('Which format do I want figures in?', ('session://5f0c…#t3',))

`personas.json` lists them; a persona's folder holds `sessions/`, `connectors/` and `questions.jsonl`, one a line:

    {"id": "p07-q3", "text": "Which format do I want figures in?", "category": "preference", "kind": "preference",
     "answer": "PDF", "accepts": [], "stale": ["PNG"], "must_not": [], "asked_at": "2026-09-01T08:00:00Z",
     "forget": null, "evidence": [{"session": "ab12", "turn": 3}, {"connector": "calendar", "record": "uid-1"}]}

Sessions are named as their host names them; the ids they get in a brain are read off the files, by the importer's own
readers. What a question may know ends at `asked_at`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from brain.bench.accounts import UNDATED, Account, Input, states_of
from brain.bench.asked import Asked, Forget, Kind
from brain.bench.datasets import reading
from brain.errors import NotFound
from brain.ingest.archive import Archive, unpacked
from brain.ingest.choose import Choice, choose
from brain.ingest.raw import RawSession, Skips
from brain.tree.ids import session_id
from brain.tree.uri import turns_uri


@dataclass(frozen=True, slots=True)
class _File:
    """One transcript file: the sessions in it by the names of their source, and when the last turn was said."""

    path: Path
    sessions: Mapping[str, str]
    when: datetime


def names(folder: Path) -> list[str]:
    """The ids of the personas, in their order. Raises NotFound, FormatError."""
    place = folder / "personas.json"
    held = reading.whole(place)
    with reading.item(place, "the file"):
        return [str(one["id"]) for one in held["personas"]]


def load(folder: Path, name: str) -> Account:
    """One persona. Raises NotFound, FormatError."""
    place = folder / "personas.json"
    held = reading.whole(place)
    with reading.item(place, name):
        about = next(one for one in held["personas"] if one["id"] == name)
    home = folder / name
    if not (home / "sessions").is_dir():
        raise NotFound(f"no folder {str(home / 'sessions')!r}", hint="brain bench personas generate")
    files = sorted(_files(home / "sessions"), key=lambda one: (one.when, str(one.path)))
    ids = {external: session for one in files for external, session in one.sessions.items()}
    connectors = {one.stem: one for one in sorted((home / "connectors").glob("*"))}
    asked = [_asked(name, home, number, raw, ids) for number, raw in reading.lines(home / "questions.jsonl")]
    return Account(
        id=name,
        source="personas",
        inputs=tuple(Input(when=one.when, file=one.path) for one in files),
        states=states_of((_seen(one, files), one) for one in asked),
        owners=(str(about["name"]),) if about.get("name") else (),
        tz=str(about.get("tz") or "UTC"),
        language=str(about.get("language") or "en"),
        connectors=connectors,
    )


def _files(sessions: Path) -> Iterator[_File]:
    choices, _ = choose([sessions], inside=sessions.parent / "memory")
    for choice in choices:
        raws = list(_read(choice))
        if raws:
            named = {raw.external_id: session_id(raw.source, raw.external_id) for raw, _ in raws}
            yield _File(choice.path, named, max(when for _, when in raws))


def _read(choice: Choice) -> Iterator[tuple[RawSession, datetime]]:
    skips = Skips()
    if isinstance(choice.format, Archive):
        with unpacked(choice.path, skips) as folder:
            for inner in choose([folder], inside=folder / "memory")[0]:
                yield from _read(inner)
        return
    for raw in choice.format.read(choice.path, skips):
        times = [_utc(turn.time) for turn in raw.turns if turn.time]
        yield raw, max(times, default=_utc(raw.started_at) if raw.started_at else UNDATED)


def _seen(asked: Asked, files: Iterable[_File]) -> frozenset[int]:
    return frozenset(at for at, one in enumerate(files) if asked.asked_at is None or one.when <= asked.asked_at)


def _asked(account: str, home: Path, number: int, raw: Any, ids: Mapping[str, str]) -> Asked:
    with reading.item(home / "questions.jsonl", f"line {number}"):
        gone = raw.get("forget")
        return Asked(
            id=str(raw["id"]),
            account=account,
            text=str(raw["text"]),
            category=str(raw["category"]),
            kind=Kind(raw["kind"]),
            answer=None if raw["answer"] is None else str(raw["answer"]),
            accepts=_strings(raw.get("accepts")),
            stale=_strings(raw.get("stale")),
            must_not=_strings(raw.get("must_not")),
            evidence=tuple(_uri(one, ids) for one in raw.get("evidence") or ()),
            asked_at=_utc(datetime.fromisoformat(raw["asked_at"])) if raw.get("asked_at") else None,
            forget=Forget(
                sessions=tuple(ids[str(one)] for one in gone.get("sessions") or ()), terms=_strings(gone.get("terms"))
            )
            if gone
            else None,
        )


def _strings(values: Iterable[object] | None) -> tuple[str, ...]:
    return tuple(str(value) for value in values or ())


def _uri(raw: Mapping[str, Any], ids: Mapping[str, str]) -> str:
    if "connector" in raw:
        return f"connector://{raw['connector']}/{raw['record']}"
    return str(turns_uri(ids[str(raw["session"])], int(raw["turn"])))


def _utc(time: datetime) -> datetime:
    return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
