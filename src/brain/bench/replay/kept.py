"""What replay keeps, under `.brain/replay/`: never under git, for the owner's eyes only.

questions.jsonl   when they were taken and with which seed, then a question a line
series.jsonl      what came of a day, a line a day and reader; no text in it
last.json         the record of the last run, for `brain bench report`
chart.html        the series as a picture
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from brain.bench.asked import Asked, Kind
from brain.bench.replay import FOLDER
from brain.bench.replay.history import History
from brain.bench.sources import Sources
from brain.errors import FormatError, NotFound
from brain.secrets import find_secrets
from brain.tree.files import write_atomic
from brain.tree.ids import format_time, parse_time
from brain.tree.uri import turns_uri

QUESTIONS = f"{FOLDER}/questions.jsonl"
SERIES = f"{FOLDER}/series.jsonl"
LAST = f"{FOLDER}/last.json"
CHART = f"{FOLDER}/chart.html"
FORMAT = 1
CHANGED, TOLD = "changed", "told before"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question of the user's own. `session` and `turn` are where it was asked, `evidence` turns of earlier sessions
    any of which bears the answer, `stale` older values, `confirmed` whether the user took the answer up in words."""

    id: str
    text: str
    answer: str
    kind: Kind
    asked_at: datetime
    session: str
    turn: int
    evidence: tuple[str, ...]
    stale: tuple[str, ...] = ()
    confirmed: bool = False

    @property
    def asked(self) -> Asked:
        """As readers and judges take it."""
        return Asked(
            id=self.id,
            account=self.id,  # a question of one brain is drawn by itself
            text=self.text,
            category=CHANGED if self.stale else TOLD,
            kind=self.kind,
            answer=self.answer,
            stale=self.stale,
            evidence=self.evidence,
            asked_at=self.asked_at,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The fixed questions, and how they were drawn."""

    questions: tuple[Question, ...]
    seed: int
    taken_at: datetime

    @property
    def name(self) -> str:
        """A short hash that tells one set of questions from another."""
        said = [(one.id, one.text, one.answer) for one in sorted(self.questions, key=lambda one: one.id)]
        return sha256(repr(said).encode()).hexdigest()[:12]


def id_of(session: str, turn: int) -> str:
    return sha256(str(turns_uri(session, turn)).encode()).hexdigest()[:8]


def save(root: Path, kept: Kept) -> Path:
    """Write the questions, readable by the owner alone."""
    head = {"replay": FORMAT, "seed": kept.seed, "taken_at": format_time(kept.taken_at)}
    lines = [head, *(_json(one) for one in kept.questions)]
    place = root / QUESTIONS
    write_atomic(place, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    place.parent.chmod(0o700)
    return place


def load(root: Path) -> Kept:
    """Raises NotFound when no questions were taken, FormatError with the line that does not read."""
    place = root / QUESTIONS
    try:
        head, *lines = place.read_text("utf-8").splitlines()
    except (FileNotFoundError, ValueError):
        raise NotFound("no questions were taken yet", hint="brain bench replay sample") from None
    try:
        raw = json.loads(head)
        if raw["replay"] != FORMAT:
            raise FormatError(f"questions of format {raw['replay']}, this is {FORMAT}", path=QUESTIONS)
        taken = parse_time(raw["taken_at"])
        seed = int(raw["seed"])
    except (ValueError, TypeError, KeyError) as error:
        raise FormatError(f"no head of a replay: {error}", path=QUESTIONS, line=1) from None
    return Kept(questions=tuple(_read(line, at) for at, line in enumerate(lines, 2) if line), seed=seed, taken_at=taken)


def there(root: Path) -> bool:
    return (root / QUESTIONS).is_file()


def still_good(kept: Kept, told: History) -> Kept:
    """Without the questions whose session, or all of whose evidence, memory does not hold any more; secrets go too."""
    uris = [said.uri for session in told.sessions for said in session.said]
    held = Sources.of(uris)
    questions = []
    for one in kept.questions:
        evidence = tuple(uri for uri in one.evidence if held.hold(uri))
        clean = not any(map(find_secrets, (one.text, one.answer, *one.stale)))
        if evidence and clean and held.hold(str(turns_uri(one.session, one.turn))):
            questions.append(replace(one, evidence=evidence))
    return replace(kept, questions=tuple(questions))


def _json(one: Question) -> dict[str, object]:
    return {**asdict(one), "asked_at": format_time(one.asked_at), "kind": one.kind.value}


def _read(line: str, number: int) -> Question:
    try:
        raw: dict[str, Any] = json.loads(line)
        return Question(
            **{
                **raw,
                "kind": Kind(raw["kind"]),
                "asked_at": parse_time(raw["asked_at"]),
                "evidence": tuple(map(str, raw["evidence"])),
                "stale": tuple(map(str, raw["stale"])),
            }
        )
    except (ValueError, TypeError, KeyError) as error:
        raise FormatError(f"no question of a replay: {error}", path=QUESTIONS, line=number) from None


def without(kept: Kept, ids: Sequence[str]) -> Kept:
    """Raises NotFound for an id that no question has."""
    unknown = sorted(set(ids) - {one.id for one in kept.questions})
    if unknown:
        raise NotFound(f"no question {unknown[0]!r}", hint="brain bench replay sample --dry-run lists them")
    return replace(kept, questions=tuple(one for one in kept.questions if one.id not in ids))
