"""What a person names to be forgotten, found in the tree: sessions, turns, pages, lines of notes, records, terms.

entities/marco            a page, and what other pages say of it on its sources
1eaf53d4                  a session, by its id, the beginning of it, or the name its source has for it
1eaf53d4#t3-t5            turns of it, as a citation names them too: session://1eaf53d4-…#t3-t5
n4k7q2m9a                 one line of the notes
connector://…             a record that a connector brought
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from brain.errors import FormatError, NotFound, UsageError
from brain.forgetting.reach import Reach, Subject
from brain.text import normal_name
from brain.tree import note as notes
from brain.tree import page, uri
from brain.tree.files import Tree
from brain.tree.layout import FileClass, classify, page_path
from brain.tree.sessions import SessionRow, SessionState
from brain.tree.uri import ConnectorUri, Range, SessionUri, merge_ranges

_SNIPPET = re.compile(r"\^?(n[0-9a-z]{8})")
_PAGE = re.compile(r"(?:knowledge/)?((?:entities|concepts|projects|learnings)/[a-z0-9-]+)(?:\.md)?")
SHORTEST = 2
"""Letters of a term; less is in every text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What was named, resolved. `lines` are snippets by id with their source and the file they stand in."""

    reach: Reach
    lines: Mapping[str, tuple[str, str]]


def aim(tree: Tree, rows: Iterable[SessionRow], targets: Sequence[str], terms: Sequence[str]) -> Aim:
    """Find what is named. Raises NotFound for what is not there, UsageError for what cannot be meant."""
    alive = [row for row in rows if row.state is not SessionState.DELETED]
    for term in terms:
        if len(normal_name(term)) < SHORTEST:
            raise UsageError(f"the term {term!r} is too short to be told from other words", hint="name more of it")
    if not targets and not terms:
        raise UsageError("nothing is named", hint="brain forget SESSION, PAGE or NOTE, or --term WORDS")
    sessions: set[str] = set()
    turns: dict[str, list[Range]] = {}
    records: list[str] = []
    subjects: dict[str, Subject] = {}
    lines: dict[str, tuple[str, str]] = {}
    for target in targets:
        if found := _PAGE.fullmatch(target):
            subjects[found[1]] = _subject(tree, found[1])
        elif (found := _SNIPPET.fullmatch(target)) and (line := _line(tree, found[1])):
            lines[found[1]] = line
        elif target.lower().startswith("connector://"):
            records.append(_record(target))
        else:
            session = _session(alive, target)
            if session.ranges:
                turns.setdefault(session.session, []).extend(session.ranges)
            else:
                sessions.add(session.session)
    reach = Reach(
        sessions=frozenset(sessions),
        turns={id: merge_ranges(ranges) for id, ranges in turns.items() if id not in sessions},
        terms=tuple(terms),
        records=tuple(records),
        subjects=subjects,
        snippets=frozenset(lines),
    )
    return Aim(reach=reach, lines=lines)


def _subject(tree: Tree, id: str) -> Subject:
    path = page_path(id)
    if path not in tree:
        raise NotFound(f"no page {id!r}", hint="brain index lists the pages")
    shown = page.parse(tree.read(path), path)
    uris = tuple(dict.fromkeys(one for claim in shown.claims for one in shown.uris(claim)))
    return Subject(names=tuple(name for name in (shown.title, *shown.aliases) if len(name) > SHORTEST), uris=uris)


def _line(tree: Tree, id: str) -> tuple[str, str] | None:
    """The source of a snippet and the file it stands in."""
    for path in tree.paths("notes/"):
        if classify(path) is FileClass.NOTE and id in (text := tree.read(path)):
            for one in notes.parse(text, path).snippets:
                if one.id == id:
                    return one.uri, path
    return None


def _record(target: str) -> str:
    try:
        parsed = uri.parse(target)
    except FormatError as error:
        raise UsageError(error.reason, hint="write the connector's URI as a citation has it") from None
    assert isinstance(parsed, ConnectorUri)
    return str(parsed)


def _session(alive: Sequence[SessionRow], target: str) -> SessionUri:
    """A session or turns of it. Raises NotFound, UsageError when several sessions may be meant."""
    name, _, tail = target.removeprefix("session://").removeprefix("sessions/").partition("#")
    exact = [row for row in alive if name in (row.id, row.external_id)]
    found = exact or [row for row in alive if len(name) >= 4 and row.id.startswith(name.lower())]
    if not found:
        raise NotFound(f"memory holds no session, page or line {target!r}", hint="brain session list; brain index")
    if len(found) > 1:
        raise UsageError(f"{target!r} may be {len(found)} sessions", hint=f"name more of its id: {found[0].id}")
    row = found[0]
    try:
        parsed = uri.parse(f"session://{row.id}" + (f"#{tail}" if tail else ""))
    except FormatError as error:
        raise UsageError(f"{target!r}: {error.reason}", hint=f"write {row.id[:8]}#t3-t5") from None
    assert isinstance(parsed, SessionUri)
    if max((last for _, last in parsed.ranges), default=0) > row.turns:
        raise NotFound(f"{target!r}: the session has {row.turns} turns", hint=f"brain show {row.id[:8]}")
    return parsed
