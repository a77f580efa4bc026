"""What memory makes of a conversation, in figures: size, citations, what the cited turns hold, rules, speed.

from brain.bench import wiki
measured = wiki.measure(conversation, folder)
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from functools import reduce
from pathlib import Path

from brain.bench.datasets.dialogue import Conversation
from brain.bench.held import altered, held
from brain.config import Config
from brain.dream.run import DreamResult, dream
from brain.git import MAIN, Git
from brain.ingest.importer import import_sessions
from brain.mending import check_folder
from brain.noting import with_rows
from brain.rules.evidence import TreeEvidence
from brain.sync.publish import publish
from brain.text import est_tokens
from brain.tree import markdown, note, page, transcript, uri
from brain.tree.files import FolderTree, write_atomic
from brain.tree.init import empty_brain
from brain.tree.layout import SESSION_INDEX, FileClass, classify
from brain.tree.sessions import SessionRow
from brain.types import Role, Severity, Turn

UNCITED = ("Open questions", "See also", "Changelog", "References")
EXAMPLES = 12


@dataclass(slots=True, kw_only=True)
class Statements:
    """Statements of one surface, and how many of them have each kind of thing without their cited turns holding it."""

    all: int = 0
    whole: int = 0
    with_number: int = 0
    number_missing: int = 0
    with_date: int = 0
    date_missing: int = 0
    with_name: int = 0
    name_missing: int = 0
    altered: int = 0  # made false on purpose, to see whether the check is worth anything
    altered_found: int = 0

    def __add__(self, other: Statements) -> Statements:
        return Statements(**{key: value + getattr(other, key) for key, value in asdict(self).items()})

    @property
    def share(self) -> float:
        return self.whole / self.all if self.all else 1.0


@dataclass(slots=True, kw_only=True)
class Measured:
    """One conversation, or several added up. Tokens are estimates (format §2).

    Seconds are wall time; `dream_cpu` is CPU time, git's included, which tells more on a busy machine.
    """

    name: str
    sessions: int = 0
    turns: int = 0
    pages: int = 0
    claims: Statements = field(default_factory=Statements)
    notes: Statements = field(default_factory=Statements)
    citations: int = 0
    resolved: int = 0
    problems: Counter[str] = field(default_factory=Counter)
    quiet_again: int = 0  # conversations whose second dream did and committed nothing
    speech_tokens: int = 0
    wiki_tokens: int = 0
    note_tokens: int = 0
    import_seconds: float = 0.0
    dream_seconds: float = 0.0
    dream_cpu: float = 0.0
    failed: int = 0
    examples: list[str] = field(default_factory=list)

    @property
    def errors(self) -> int:
        return sum(number for rule, number in self.problems.items() if rule.startswith("E "))

    @property
    def share_of_speech(self) -> float:
        return self.wiki_tokens / self.speech_tokens if self.speech_tokens else 0.0

    def json(self) -> dict[str, object]:
        derived = {
            "claims_a_page": round(self.claims.all / self.pages, 2) if self.pages else 0,
            "claims_held": round(self.claims.share, 4),
            "notes_held": round(self.notes.share, 4),
            "resolved_share": round(self.resolved / self.citations, 4) if self.citations else 1.0,
            "wiki_share_of_speech": round(self.share_of_speech, 4),
            "import_turns_a_second": round(self.turns / self.import_seconds) if self.import_seconds else None,
            "dream_turns_a_second": round(self.turns / self.dream_seconds) if self.dream_seconds else None,
            "dream_turns_a_cpu_second": round(self.turns / self.dream_cpu) if self.dream_cpu else None,
        }
        return {**asdict(self), "problems": dict(sorted(self.problems.items())), **derived}


def measure(conversation: Conversation, root: Path) -> Measured:
    """Import and dream a conversation into a new brain at `root`, dream again, and count."""
    out = Measured(name=conversation.id, sessions=len(conversation.sessions))
    out.turns = sum(len(session.turns) for session in conversation.sessions)
    now = _morning_after(conversation)
    config = start(root, conversation.speakers, now)
    out.import_seconds = _timed(lambda: _take(root, conversation, config, now))
    results: list[DreamResult] = []
    busy = _cpu()
    out.dream_seconds = _timed(lambda: results.append(dream(root, config, now=now)))
    out.dream_cpu = _cpu() - busy
    before = _head(root)
    again = dream(root, config, now=now + timedelta(days=1))
    out.quiet_again = int(again.noop and _head(root) == before)
    out.failed = len(results[0].failed)
    count(out, root, config, conversation.speakers, now + timedelta(days=1))
    return out


def start(root: Path, owners: Sequence[str], now: datetime) -> Config:
    """An empty brain with several owners."""
    files = empty_brain(now=now, owners=owners)
    with Git.init(root) as git:
        publish(git, files, kind="migrate", subject="start an empty memory", now=now, config=Config())
    for path, text in files.items():
        write_atomic(root / path, text)
    return Config.load(root)


def count(out: Measured, root: Path, config: Config, people: Sequence[str], now: datetime) -> None:
    """Fill in what can be read from the tree."""
    tree = FolderTree(root)
    evidence = TreeEvidence(tree)
    for path in tree.paths():
        kind = classify(path)
        if kind is FileClass.TRANSCRIPT:
            out.speech_tokens += sum(est_tokens(turn.text) for turn in _spoken(root / path))
        elif kind is FileClass.PAGE:
            _page(out, page.parse(tree.read(path), path), evidence, people)
        elif kind is FileClass.NOTE:
            for snippet in note.parse(tree.read(path), path).snippets:
                out.note_tokens += est_tokens(snippet.text)
                _statement(out, out.notes, snippet.text, [snippet.uri], evidence, people, path)
    with Git(root) as git:
        for problem in check_folder(git, config, [], now=now):
            if problem.severity is not Severity.A:
                out.problems[f"{problem.severity.value} {problem.rule}"] += 1


def total(every: Sequence[Measured]) -> Measured:
    """All conversations as one row."""
    out = Measured(name="all")
    for key, value in asdict(out).items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            setattr(out, key, sum(getattr(one, key) for one in every))
    out.claims = reduce(lambda a, b: a + b, (one.claims for one in every), Statements())
    out.notes = reduce(lambda a, b: a + b, (one.notes for one in every), Statements())
    out.problems = reduce(lambda a, b: a + b, (one.problems for one in every), Counter())
    return out


def _page(out: Measured, one: page.Page, evidence: TreeEvidence, people: Sequence[str]) -> None:
    out.pages += 1
    body = "\n".join(one.lines).partition("\n## References")[0]
    out.wiki_tokens += est_tokens(body)
    for claim in one.claims:
        if claim.section in UNCITED:
            continue
        label = f"{claim.label}: " if claim.label else ""
        words = label + markdown.plain(claim.text)
        _statement(out, out.claims, words, one.uris(claim), evidence, (*people, one.title, *one.aliases), one.path)


def _statement(
    out: Measured,
    into: Statements,
    text: str,
    uris: Sequence[str],
    evidence: TreeEvidence,
    people: Sequence[str],
    path: str,
) -> None:
    turns: list[Turn] = []
    for source in uris:
        out.citations += 1
        found = list(_turns(source, evidence))
        out.resolved += bool(found)
        turns += found
    result = held(text, turns, people)
    into.all += 1
    into.whole += result.whole
    for kind, missing, said in zip(
        ("number", "date", "name"), (result.numbers, result.dates, result.names), result.said, strict=True
    ):
        setattr(into, f"with_{kind}", getattr(into, f"with_{kind}") + bool(said))
        setattr(into, f"{kind}_missing", getattr(into, f"{kind}_missing") + bool(missing))
    for false in altered(text) if result.whole else ():
        into.altered += 1
        into.altered_found += not held(false, turns, people).whole
    if not result.whole and len(out.examples) < EXAMPLES:
        out.examples.append(f"{path}: {text} · not in {' '.join(uris)}: {result.numbers + result.dates + result.names}")


def _turns(source: str, evidence: TreeEvidence) -> Iterator[Turn]:
    """The turns a citation names; none at all when one of them is not there."""
    read = uri.parse(source)
    if not isinstance(read, uri.SessionUri):
        return
    found: list[Turn] = []
    for first, last in read.ranges:
        turns = evidence.turns(read.session, first, last)
        if [turn.number for turn in turns] != list(range(first, last + 1)):
            return
        found += turns
    yield from found


def _spoken(file: Path) -> Iterator[Turn]:
    return (turn for turn in transcript.iter_turns(file) if turn.role is Role.USER)


def _take(root: Path, conversation: Conversation, config: Config, now: datetime) -> None:
    def put(rows: list[SessionRow]) -> None:
        with Git(root) as git:
            publish(
                git,
                lambda main: {SESSION_INDEX: with_rows(main, rows)},
                kind="ingest",
                subject="bring in a conversation",
                now=now,
                config=config,
            )

    import_sessions(root, conversation.raw_sessions(), config=config, now=now, publish=put)


def _morning_after(conversation: Conversation) -> datetime:
    times = [turn.time for session in conversation.sessions for turn in session.turns if turn.time]
    return max(times, default=datetime(2026, 1, 1, tzinfo=UTC)).replace(microsecond=0) + timedelta(hours=12)


def _head(root: Path) -> str | None:
    with Git(root) as git:
        return git.resolve(MAIN)


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
