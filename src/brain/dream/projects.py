"""Which project a session is work on: by its folder, else by the people, places and organisations it shares with one.

A statement that names no project still belongs to one when it was made at work on it: what was decided, planned or
settled there lives on the project's page. The folder's name is kept as an alias when people use a longer name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from brain.dream.place import Attached
from brain.dream.subjects import Directory
from brain.types import Fact, FactKind, Qualifier, Subject, SubjectKind

SHARED = 2
"""How many subjects a session without a folder must share with one project, and no other has more of."""

_PERSONAL = frozenset({FactKind.PREFERENCE, FactKind.RELATION, FactKind.CORRECTION})
_AT_WORK = frozenset(
    {FactKind.DECISION, FactKind.PLAN, FactKind.ARTEFACT, FactKind.QUESTION, FactKind.WORKED, FactKind.FAILED}
)
_PART = re.compile(r"[^\W_]+")


def said_name(folder: str, texts: Iterable[str]) -> str | None:
    """The name people use for a project folder: its words in order with at most three between, most often said.

    >>> said_name("harbour-survey", ["The Harbour depth survey starts in May.", "harbour survey"])
    'Harbour depth survey'
    """
    parts = _PART.findall(folder)
    if len(parts) < 2:
        return None
    pattern = re.compile(r"\b" + r"(?:[ -][\w'’-]+){0,3}[ -]".join(map(re.escape, parts)) + r"\b", re.IGNORECASE)
    found = Counter(match[0] for text in texts for match in pattern.finditer(text) if match[0] != folder)
    named = {name: number for name, number in found.items() if name[:1].isupper()}
    return (
        max(named, key=lambda name: (len(name.split()) > len(parts), named[name], len(name), name)) if named else None
    )


def project_of(facts: Sequence[Fact]) -> Subject | None:
    """The project that the statements of one session name most."""
    counts = Counter(subject.name for fact in facts for subject in fact.about if subject.kind is SubjectKind.PROJECT)
    if not counts:
        return None
    name = max(counts, key=lambda name: (counts[name], name))
    return next(s for fact in facts for s in fact.about if s.name == name and s.kind is SubjectKind.PROJECT)


def renamed(facts: Iterable[Fact], folder: str, name: str) -> list[Fact]:
    """Facts about a folder's project, under the name people use."""
    new = Subject(name=name, kind=SubjectKind.PROJECT, aliases=(folder,))
    return [
        replace(fact, about=tuple(new if s.name == folder and s.kind is SubjectKind.PROJECT else s for s in fact.about))
        for fact in facts
    ]


def assign(
    items: Sequence[Attached],
    directory: Directory,
    owners: frozenset[str],
    body: Callable[[str], str],
    unnamed: Mapping[str, str],
) -> list[Attached]:
    """Give statements of a session the project of that session as a further subject. `body` is the text of a page,
    `unnamed` the projects of sessions that name none but were found to be work on one."""
    sessions: dict[str, list[Attached]] = defaultdict(list)
    for item in items:
        sessions[item.fact.session].append(item)
    own = {
        session: found
        for session, group in sessions.items()
        if (found := _named(group, directory) or unnamed.get(session))
    }
    known = _known(sessions, own, directory, owners, body)
    shared = {session: _shared(group, known, directory) for session, group in sessions.items() if session not in own}
    out = []
    for item in items:
        project = own.get(item.fact.session) or shared.get(item.fact.session)
        mine = {directory[id].id for id in item.ids}
        fits = (
            project is not None
            and item.fact.kind not in _PERSONAL
            and item.fact.qualifier in (None, Qualifier.ASSISTANT)
        )
        if fits and item.fact.session not in own:
            fits = bool(mine & known.get(project or "", set())) or item.fact.kind in _AT_WORK
        if project is not None and fits and project not in mine:
            item = replace(item, ids=(*item.ids, project))
        out.append(item)
    return out


def _named(group: Sequence[Attached], directory: Directory) -> str | None:
    """The one project that a session's statements name."""
    counts = Counter(directory[id].id for item in group for id in item.ids if directory[id].kind == "project")
    return max(counts, key=lambda project: (counts[project], project)) if counts else None


def _known(
    sessions: dict[str, list[Attached]],
    own: dict[str, str],
    directory: Directory,
    owners: frozenset[str],
    body: Callable[[str], str],
) -> dict[str, set[str]]:
    """The subjects met in the sessions of each project, and those that its page names."""
    known: dict[str, set[str]] = defaultdict(set)
    for session, project in own.items():
        known[project] |= {directory[id].id for item in sessions[session] for id in item.ids} - owners - {project}
    others = {directory[id].id for group in sessions.values() for item in group for id in item.ids} - owners
    for head in [head for head in directory.heads.values() if head.kind == "project" and head.has_page]:
        text = body(head.id)
        for id in sorted(others - {head.id}):
            if any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in directory[id].names):
                known[head.id].add(id)
    return known


def _shared(group: Sequence[Attached], known: dict[str, set[str]], directory: Directory) -> str | None:
    """The project whose subjects a session shares; when there is only one, a host or colleague of it is enough."""
    mine = {directory[id].id for item in group for id in item.ids}
    ranked = sorted(((len(mine & subjects), project) for project, subjects in known.items()), reverse=True)
    if not ranked or (len(ranked) > 1 and ranked[1][0] == ranked[0][0]):
        return None
    of_it = mine & known[ranked[0][1]]
    enough = len(of_it) >= SHARED or (len(known) == 1 and any(directory[id].kind in ("org", "person") for id in of_it))
    return ranked[0][1] if enough else None
