"""Stale claims: a value that was replaced and still stands as if it held, measured by updates that were planted.

    >>> update = Update(values=("in Dovre", "in Larvik"), told=(("kayak-1", 1), ("later", 1)))
    >>> gives(update.newest, "Ada keeps the kayak in Larvik."), gives("2026-05-24", "promised for 24 May 2026")
    (True, True)

A persona's ledger says what was true when, and in which turns it was told. A claim is about an update when it cites
one of these turns, their neighbours, or the record of the newest value. It is stale when it gives an older value and
not the newest, outside of History. Without a ledger, the questions say older and newest values, and a claim is about an
update when it gives one of these and shares a longer word with the question.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from brain.bench.asked import Asked
from brain.bench.judging import forms, values
from brain.bench.quality.measure import Measure, bad, good
from brain.bench.quality.tree import Stated, Wiki
from brain.errors import FormatError
from brain.text import words
from brain.tree import uri

CHANGING = frozenset({"change", "prefer", "moved"})
"""Kinds of facts in a ledger whose values follow each other; those of the other kinds hold together."""
NEAR = 1  # turns beside the one that told it
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_DATED = re.compile(
    r"\b(?:as of|before|until|in the week of|since|on)\s+(?:\d{1,2} \w+ )?(?:19|20)\d\d|\([^()]*(?:19|20)\d\d-\d\d"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """Something that changed: its values, the newest last, in other forms too where these are known.

    `told` are turns by session, named as their source does; `record` is a connector's; `hints` are words of a question,
    in place of both.
    """

    values: tuple[str, ...]
    forms: tuple[str, ...] = ()
    told: tuple[tuple[str, int], ...] = ()
    record: str | None = None
    hints: frozenset[str] = frozenset()

    @property
    def newest(self) -> str:
        return self.values[-1]

    def is_newest(self, text: str) -> bool:
        return any(gives(one, text) for one in (self.newest, *self.forms))

    def is_older(self, text: str) -> bool:
        return any(gives(one, text) for one in self.values[:-1])


def gives(value: str, text: str) -> bool:
    """Whether a text gives a value; a day in any form."""
    return bool(values.same_day(value, text)) if _DAY.fullmatch(value) else forms.held(value, text)


def of_ledger(file: Path) -> list[Update]:
    """What changed in a persona's life. Raises FormatError."""
    try:
        facts = json.loads(file.read_text("utf-8"))["facts"]
        return [
            Update(
                values=tuple(one["values"]),
                told=tuple((t["where"]["session"], int(t["where"]["turn"])) for t in one["told"] if t["by"] == "user"),
                record=one.get("record"),
            )
            for one in facts
            if one["kind"] in CHANGING and len(one["values"]) > 1
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FormatError(f"no ledger: {error!r}", path=str(file)) from None


def of_questions(questions: Iterable[Asked]) -> list[Update]:
    """The same from questions that know older values."""
    return [
        Update(
            values=(*one.stale, one.answer),
            forms=one.accepts,
            hints=frozenset(word for word in words(one.text) if len(word) > 3),
        )
        for one in questions
        if one.stale and one.answer is not None and one.forget is None
    ]


def measures(wiki: Wiki, updates: Iterable[Update]) -> list[Measure]:
    """Of each update that the wiki tells of, whether it gives the newest value; and of its claims, which are stale."""
    external = {row.id: row.external_id for row in wiki.rows}
    stale: list[str] = []
    undated: list[str] = []
    told = newest = 0
    known = list(updates)
    said = 0
    for update in known:
        about = [one for one in wiki.stated if one.claim.section != "History" and _about(update, one, external)]
        with_value = [one for one in about if update.is_newest(one.words) or update.is_older(one.words)]
        old = [one for one in with_value if not update.is_newest(one.words)]
        told += bool(with_value)
        newest += len(old) < len(with_value)
        said += len(with_value)
        stale += [f"{one} · now {update.newest}" for one in old]
        undated += [f"{one} · now {update.newest}" for one in old if not _DATED.search(one.words)]
    return [
        good("planted updates told", told, len(known)),
        good("told updates with the newest value", newest, told),
        bad("stale claims", stale, said),
        bad("stale claims that say no day", undated, said),
    ]


def _about(update: Update, one: Stated, external: dict[str, str]) -> bool:
    if update.hints:
        return bool(update.hints & set(words(one.words)))
    return any(_cites(update, source, external) for source in one.uris)


def _cites(update: Update, source: str, external: dict[str, str]) -> bool:
    try:
        read = uri.parse(source)
    except FormatError:
        return False
    if isinstance(read, uri.ConnectorUri):
        return update.record is not None and dict(read.query).get("id") == update.record
    if not isinstance(read, uri.SessionUri):
        return False
    return any(_reaches(read, turn) for session, turn in update.told if session == external.get(read.session))


def _reaches(read: uri.SessionUri, turn: int) -> bool:
    return not read.ranges or any(first - NEAR <= turn <= last + NEAR for first, last in read.ranges)


def planted(home: Path | None, questions: Iterable[Asked]) -> list[Update]:
    """Of a persona's folder when it has a ledger, else of the questions."""
    ledger = home / "ledger.json" if home else None
    return of_ledger(ledger) if ledger and ledger.is_file() else of_questions(questions)


def replaced(wiki: Wiki, updates: Iterable[Update]) -> Iterator[tuple[Stated, Update]]:
    """Claims outside History that give the newest value, with their update: what a mutation makes stale."""
    external = {row.id: row.external_id for row in wiki.rows}
    for update in updates:
        for one in wiki.stated:
            if one.claim.section != "History" and _about(update, one, external) and update.is_newest(one.words):
                yield one, update
