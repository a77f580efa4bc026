"""Phase one of a run: what counts, who may say so, what was deleted, what else came in, when to stop, what to do.

Work is computed from the session index: sessions with turns past `through_turn` are to be summarised, those summarised
past `attached_through` are to be attached. Nothing is queued, so nothing can be forgotten in a queue.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatch

from brain.tree.files import Tree
from brain.tree.sessions import SessionRow, parse_rows

INSTRUCTIONS = ".brain/instructions.md"
DELETIONS = ".brain/deletions.jsonl"
SESSIONS = "sessions/index.jsonl"
_BULLET = re.compile(r"^[-*]\s+(?:(?P<id>SI-\d+):\s*)?(?P<text>.+?)\s*$")
_SCOPE = re.compile(
    r"^(?P<verb>only|skip|ignore|exclude|include|never|no)\b[: ]*(?:the )?(?:sessions?|sources?)?\s*(?P<rest>.+)$",
    re.IGNORECASE,
)
_QUOTED = re.compile(r'["“”«»„‘`「]([^"“”«»„‘’`「」]{2,})["“”«»’`」]')
_FILLER = frozenset(
    [
        "a",
        "an",
        "the",
        "any",
        "anything",
        "anybody's",
        "my",
        "our",
        "your",
        "his",
        "her",
        "their",
        "about",
        "of",
        "or",
        "and",
        "to",
        "in",
        "on",
        "for",
        "with",
        "from",
        "that",
        "which",
        "who",
        "whom",
        "what",
        "is",
        "are",
        "was",
        "be",
        "never",
        "record",
        "do",
        "not",
        "don't",
        "no",
        "details",
        "detail",
        "information",
        "info",
        "names",
        "name",
        "number",
        "numbers",
        "mention",
        "mentions",
        "mine",
        "please",
        "keep",
        "out",
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """One bullet of the standing instructions: its id when it has one, and its words."""

    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Instructions:
    """The standing instructions by section. Only a person writes them, so they have authority."""

    scope: tuple[Instruction, ...] = ()
    always: tuple[Instruction, ...] = ()
    never: tuple[Instruction, ...] = ()
    style: tuple[Instruction, ...] = ()
    stop: tuple[Instruction, ...] = ()

    def barred_by(self, text: str) -> Instruction | None:
        """The first `Never record` instruction this text runs against, as far as words can tell.

        Quoted words in the instruction must all occur; without quotes all its content words must.
        """
        folded = _fold(text)
        words = set(re.findall(r"\w+", folded))
        for rule in self.never:
            wanted = [_fold(quoted) for quoted in _QUOTED.findall(rule.text)]
            if wanted:
                if any(phrase in folded for phrase in wanted):
                    return rule
                continue
            content = [word for word in re.findall(r"\w+", _fold(rule.text)) if word not in _FILLER]
            if content and all(_has(word, words, folded) for word in content):
                return rule
        return None

    def in_scope(self, row: SessionRow) -> bool:
        """Whether a session counts. `only X` keeps sources or titles that match X, `skip X` leaves them out."""
        only: list[bool] = []
        for rule in self.scope:
            match = _SCOPE.match(rule.text)
            if match is None:
                continue
            hit = any(_names(row, word) for word in _alternatives(match["rest"]))
            if match["verb"].lower() in ("only", "include"):
                only.append(hit)
            elif hit:
                return False
        return any(only) if only else True


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One session with something to do: turns to summarise, then turns whose facts are to be attached."""

    row: SessionRow
    summarise_from: int
    attach_from: int

    @property
    def turns(self) -> int:
        return self.row.turns - min(self.summarise_from, self.attach_from) + 1

    @property
    def summarises(self) -> bool:
        return self.summarise_from <= self.row.turns


@dataclass(frozen=True, slots=True, kw_only=True)
class Orientation:
    """Everything a run knows before it starts."""

    instructions: Instructions
    work: tuple[Work, ...]
    out_of_scope: tuple[SessionRow, ...] = ()
    sessions: int = 0
    deletions: int = 0
    deletions_through: str | None = None
    deletions_text: str = ""
    inputs: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()
    left_for_later: int = 0
    rows: dict[str, SessionRow] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """What `brain dream -v` prints before the run works."""
        rules = self.instructions
        out = [f"scope: {self.sessions} sessions; {len(self.out_of_scope)} left out by instruction"]
        for head, bullets in (
            ("scope", rules.scope),
            ("always", rules.always),
            ("never record", rules.never),
            ("style", rules.style),
        ):
            out += [f"instruction ({head}): {bullet.id + ' ' if bullet.id else ''}{bullet.text}" for bullet in bullets]
        through = f", through {self.deletions_through}" if self.deletions_through else ""
        out.append(f"deletion log: {self.deletions} entries{through}")
        out += [f"additional input: {item}" for item in self.inputs] or ["additional inputs: none"]
        out += [f"stop: {item}" for item in self.stops]
        todo = sum(1 for item in self.work if item.summarises)
        turns = sum(item.turns for item in self.work)
        out.append(f"work: {todo} sessions to summarise, {len(self.work)} to attach, {turns} turns")
        if self.left_for_later:
            out.append(f"left for the next run: {self.left_for_later} sessions")
        return out


def parse_instructions(text: str) -> Instructions:
    """Read the sections of `.brain/instructions.md`; bullets outside the known sections are ignored."""
    sections: dict[str, list[Instruction]] = {"scope": [], "always": [], "never record": [], "style": [], "stop": []}
    current: list[Instruction] | None = None
    for line in text.splitlines():
        if line.startswith("#"):
            current = sections.get(line.lstrip("#").strip().lower())
        elif current is not None and (match := _BULLET.match(line)) and not match["text"].startswith("("):
            current.append(Instruction(id=match["id"] or "", text=match["text"]))
    return Instructions(
        scope=tuple(sections["scope"]),
        always=tuple(sections["always"]),
        never=tuple(sections["never record"]),
        style=tuple(sections["style"]),
        stop=tuple(sections["stop"]),
    )


def work_of(rows: Iterable[SessionRow], instructions: Instructions) -> tuple[list[Work], list[SessionRow]]:
    """Sessions with pending turns in order of time, and those with pending turns that are out of scope."""
    work: list[Work] = []
    out: list[SessionRow] = []
    for row in sorted(rows, key=lambda row: (row.started_at.isoformat() if row.started_at else "", row.id)):
        if row.state == "deleted" or row.attached_through >= row.turns:
            continue
        if not instructions.in_scope(row):
            out.append(row)
            continue
        work.append(Work(row=row, summarise_from=row.through_turn + 1, attach_from=row.attached_through + 1))
    return work, out


def orient(
    tree: Tree,
    *,
    sessions: frozenset[str] | None = None,
    max_sessions: int | None = None,
    connectors: Iterable[str] = (),
) -> Orientation:
    """Look at the published tree and say what this run is about. `sessions` narrows the work to the given ids,
    `connectors` are lines on the outside sources, as they stand."""
    text = tree.read(INSTRUCTIONS) if INSTRUCTIONS in tree else ""
    instructions = parse_instructions(text)
    rows = parse_rows(tree.read(SESSIONS)) if SESSIONS in tree else []
    work, out = work_of(rows, instructions)
    if sessions is not None:
        work = [item for item in work if item.row.id in sessions]
    limit, stops = _stops(instructions, max_sessions)
    left = max(0, len(work) - limit) if limit is not None else 0
    log = tree.read(DELETIONS) if DELETIONS in tree else ""
    entries = [line for line in log.splitlines() if line.strip()]
    return Orientation(
        instructions=instructions,
        work=tuple(work if limit is None else work[:limit]),
        out_of_scope=tuple(out),
        sessions=len(rows),
        deletions=len(entries),
        deletions_through=_last_id(entries),
        deletions_text=log,
        inputs=tuple(connectors),
        stops=(*stops, "every pending turn is attached or listed as skipped"),
        left_for_later=left,
        rows={row.id: row for row in rows},
    )


def _stops(instructions: Instructions, max_sessions: int | None) -> tuple[int | None, tuple[str, ...]]:
    limit, said = max_sessions, []
    for rule in instructions.stop:
        said.append(rule.text)
        if match := re.search(r"(\d+)\s+sessions?", rule.text):
            asked = int(match[1])
            limit = asked if limit is None else min(limit, asked)
    if max_sessions is not None:
        said.append(f"{max_sessions} sessions a run")
    return limit, tuple(said)


def _last_id(entries: list[str]) -> str | None:
    match = re.search(r'"id"\s*:\s*"(del_[0-9A-Z]+)"', entries[-1]) if entries else None
    return match[1] if match else None


def _alternatives(rest: str) -> list[str]:
    quoted = _QUOTED.findall(rest)
    return quoted or [part for part in re.split(r",|\bor\b|\band\b", rest.strip(" .")) if part.strip()]


def _names(row: SessionRow, word: str) -> bool:
    word = _fold(word.strip())
    return bool(word) and (fnmatch(_fold(row.source), word) or word in _fold(row.title) or row.id.startswith(word))


def _has(word: str, words: set[str], folded: str) -> bool:
    if not word.isascii():
        return word in folded
    stem = word.rstrip("s")
    return word in words or any(known.rstrip("s") == stem for known in words)


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
