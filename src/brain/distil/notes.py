"""Facts as one-line snippets filed by topic (format §8), merged into the note files that are there without doubles."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime

from brain.distil.attributes import Attribute, attribute_of
from brain.text import jaccard, slugify, words
from brain.tree import markdown
from brain.tree.note import NoteFile, Snippet, snippet
from brain.tree.uri import turns_uri
from brain.types import Fact, FactKind, SubjectKind

MAX_SNIPPETS = 70
"""Snippets in one file; with its frontmatter that stays under the format's 80 lines."""

SAME = 0.9
_THINGS = {
    SubjectKind.ORG: "organisations",
    SubjectKind.PLACE: "places",
    SubjectKind.PRODUCT: "products",
    SubjectKind.EVENT: "events",
    SubjectKind.ACCOUNT: "accounts",
}
_TITLES = {
    "preferences": "Preferences of {}",
    "people": "{}",
    "work": "Work on {}",
    "environment": "Environment of {}",
    "workflows": "Workflows of {}",
    "facts": "Facts: {}",
}
_WORK = frozenset({FactKind.DECISION, FactKind.WORKED, FactKind.FAILED})

_CHOSEN = frozenset({"people", "work", "environment", "facts"})
"""Topics that an author may choose; the others go by the kind of fact."""

Read = Callable[[str], NoteFile | None]


def note_of(fact: Fact) -> tuple[str, str]:
    """(note id, title) of the file that a fact belongs to."""
    main = fact.about[0] if fact.about else None
    who = fact.speaker or (main.name if main else "everyone")
    if fact.kind is FactKind.PREFERENCE:
        return _file("preferences", who)
    if fact.kind is FactKind.WORKFLOW:
        return _file("workflows", who)
    if fact.topic in _CHOSEN:
        return _file(fact.topic, _under(fact, fact.topic))
    project = next((s for s in fact.about if s.kind is SubjectKind.PROJECT), None)
    if fact.kind is FactKind.ARTEFACT or (main and main.kind is SubjectKind.TOOL):
        return _file("environment", project.name if project else "tools and files")
    if project and (main is project or fact.kind in _WORK):
        return _file("work", project.name)
    if main and main.kind is SubjectKind.PERSON and not main.name.startswith("The assistant"):
        return _file("people", main.name)
    if fact.kind in _WORK:
        return _file("work", "everything")
    return _file("facts", _THINGS.get(main.kind, "general") if main else "general")


def _under(fact: Fact, topic: str) -> str:
    """What a file of a topic that the author chose is called."""
    main = fact.about[0] if fact.about else None
    if topic == "people":
        person = next((s for s in fact.about if s.kind is SubjectKind.PERSON), None)
        return person.name if person else fact.speaker or "everyone"
    project = next((s for s in fact.about if s.kind is SubjectKind.PROJECT), None)
    if topic == "facts":
        return _THINGS.get(main.kind, "general") if main else "general"
    return project.name if project else "everything" if topic == "work" else "tools and files"


def _file(topic: str, name: str) -> tuple[str, str]:
    return f"notes/{topic}/{slugify(name, 56)}", _TITLES[topic].format(name)


def snippets(facts: Iterable[Fact]) -> dict[str, tuple[Snippet, ...]]:
    """Snippets by the id of the file they belong to, in the order of the facts."""
    filed: dict[str, list[Snippet]] = {}
    for fact in facts:
        name, _ = note_of(fact)
        uri = str(turns_uri(fact.session, fact.first_turn, fact.last_turn))
        filed.setdefault(name, []).append(
            snippet(markdown.escape(fact.text), uri, day=fact.day, qualifier=fact.qualifier)
        )
    return {name: tuple(found) for name, found in filed.items()}


def merge(facts: Iterable[Fact], read: Read, now: datetime) -> dict[str, NoteFile]:
    """The note files that change when these facts are filed, by id. `read` gives a file that is there, or None.

    A snippet that a file holds already (same words, whatever the turn) is not repeated; one whose value a newer fact of
    the same subject and attribute replaces is removed; a full file goes on in a second one ("nadia-2").
    """
    kept = list(facts)
    titles = dict(map(note_of, kept))
    changed: dict[str, NoteFile] = {}
    for name, new in snippets(kept).items():
        chain = _chain(name, read)
        before = dict(chain)
        for one in new:
            _place(chain, name, titles[name], one)
        for id_, file in chain.items():
            if before.get(id_) != file:
                changed[id_] = replace(file, updated_at=now)
    return changed


def _chain(name: str, read: Read) -> dict[str, NoteFile]:
    """The file and those that continue it, as far as they exist."""
    chain: dict[str, NoteFile] = {}
    number = 1
    while file := read(_numbered(name, number)):
        chain[file.id] = file
        number += 1
    return chain


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"


def _place(chain: dict[str, NoteFile], name: str, title: str, new: Snippet) -> None:
    said = frozenset(words(new.text))
    for file in chain.values():
        if any(
            s.id == new.id
            or s.text == new.text
            or (s.uri == new.uri and jaccard(said, frozenset(words(s.text))) >= SAME)
            for s in file.snippets
        ):
            return
    later = _settable(new)
    for id_, file in list(chain.items()) if later else ():
        left = tuple(s for s in file.snippets if not _replaced(s, new, later))
        if len(left) != len(file.snippets):
            chain[id_] = replace(file, snippets=left)
    for number in range(1, len(chain) + 2):
        id_ = _numbered(name, number)
        file = chain.get(id_) or NoteFile(id=id_, title=title if number == 1 else f"{title} ({number})")
        if len(file.snippets) < MAX_SNIPPETS:
            taken = {s.id for f in chain.values() for s in f.snippets}
            if new.id in taken:
                new = snippet(new.text, new.uri, day=new.day, qualifier=new.qualifier, taken=taken)
            chain[id_] = replace(file, snippets=(*file.snippets, new))
            return


def _settable(new: Snippet) -> Attribute | None:
    """The attribute of a named subject that a new snippet sets, None when it can replace nothing."""
    if new.qualifier is not None or new.day is None:
        return None
    found = attribute_of(new.text)
    return found if found and found.subject and not found.name.startswith("number of") else None


def _replaced(old: Snippet, new: Snippet, later: Attribute | None) -> bool:
    """Whether `new` gives the same attribute of the same subject a later value."""
    if later is None or old.day is None or new.day is None or old.day > new.day:
        return False
    if (later.subject or "") not in old.text:
        return False
    earlier = attribute_of(old.text)
    return (
        earlier is not None
        and (later.name, later.subject) == (earlier.name, earlier.subject)
        and later.value != earlier.value
    )
