"""What earlier runs wrote, found by grep in the published tree: notes by name or word, citations, bold labels.

A grep over notes costs a fraction of reading them, and nothing is kept in memory between runs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from brain.dream.likeness import same
from brain.errors import FormatError
from brain.git import Git
from brain.language import language_of
from brain.tree import markdown, note, uri
from brain.tree.layout import note_id, page_id, page_path
from brain.types import Fact, FactKind

MOST = 4000
"""Note lines taken from one question; a name that occurs more often than that has its page long since."""

_KIND = {
    "preferences": FactKind.PREFERENCE,
    "workflows": FactKind.WORKFLOW,
    "people": FactKind.FACT,
    "environment": FactKind.STATE,
}
_DEFINITION = re.compile(r"^(?P<mark>\[cite:\d+\]): (?P<uri>session://\S+)")


class Memory:
    """Questions to the published tree of one commit; None = nothing is published yet."""

    def __init__(self, git: Git, commit: str | None) -> None:
        self.git = git
        self.commit = commit
        self.tree = git.tree(commit)
        self._cited: dict[str, dict[int, list[tuple[str, str]]]] = {}
        self._lines: dict[str, list[str]] = {}

    def recall(self, names: Sequence[str]) -> list[Fact]:
        """Notes that hold one of these names or words, oldest first, as facts without subjects."""
        found: dict[str, Fact] = {}
        for path, line in self._grep(names, "notes/", fold=True):
            snippet = note.parse_snippet(line)
            fact = _fact(snippet, path) if snippet else None
            if snippet and fact:
                found.setdefault(snippet.id, fact)
            if len(found) >= MOST:
                break
        facts = sorted(
            found.values(),
            key=lambda fact: (fact.day.isoformat() if fact.day else "", fact.session, fact.first_turn, fact.text),
        )
        self._learn_cites({fact.session for fact in facts})
        return facts

    def cited(self, fact: Fact) -> bool:
        """Whether some page says this already, on the strength of these turns."""
        self._learn_cites({fact.session})
        for path, mark in self._cited[fact.session].get(fact.first_turn, ()):
            lines = [line for line in self._page_lines(path) if mark in line and not line.startswith("[")]
            if any(same(markdown.plain(line.removeprefix("- ")), fact.text) for line in lines):
                return True
        return False

    def labelled(self, labels: Sequence[str]) -> dict[str, list[str]]:
        """Page ids by bold label, for those labels that stand on a page."""
        found: dict[str, list[str]] = defaultdict(list)
        by_mark = {f"**{label}**": label for label in labels}
        for path, line in self._grep(sorted(by_mark), "knowledge/"):
            id = page_id(path)
            for mark, label in by_mark.items():
                if id and mark in line and id not in found[label]:
                    found[label].append(id)
        return {label: ids for label, ids in found.items() if ids}

    def body(self, page: str) -> str:
        """The text of a page, "" when there is none."""
        path = page_path(page)
        return self.tree.read(path) if path in self.tree else ""

    def saying(self, parts: Sequence[str]) -> dict[str, list[str]]:
        """Page ids by part of a word, in any case, for those parts that stand on a page."""
        found: dict[str, list[str]] = defaultdict(list)
        for path, line in self._grep(parts, "knowledge/", fold=True):
            id, low = page_id(path), line.casefold()
            for part in parts:
                if id and part.casefold() in low and id not in found[part]:
                    found[part].append(id)
        return {part: ids for part, ids in found.items() if ids}

    def citing(self, beginning: str) -> list[str]:
        """Ids of the pages that cite a source whose URI begins so."""
        found = {page_id(path) for path, _ in self._grep([beginning], "knowledge/")}
        return sorted(id for id in found if id)

    def ever(self, words: str, page: str) -> bool:
        """Whether a page ever held these words, in any commit up to this one."""
        if self.commit is None:
            return False
        args = ["log", "-1", "--format=%H", f"-S{words}", self.commit, "--", page_path(page)]
        return bool(self.git.run(*args).strip())

    def _learn_cites(self, sessions: set[str]) -> None:
        asked = sorted(sessions - self._cited.keys())
        self._cited |= {session: {} for session in asked}
        for path, line in self._grep([f"session://{session}" for session in asked], "knowledge/"):
            match = _DEFINITION.match(line)
            source = uri.parse(match["uri"]) if match else None
            if match and isinstance(source, uri.SessionUri) and source.session in self._cited:
                for turn in source.turns():
                    self._cited[source.session].setdefault(turn, []).append((path, match["mark"]))

    def _page_lines(self, path: str) -> list[str]:
        if path not in self._lines:
            self._lines[path] = self.tree.read(path).split("\n")
        return self._lines[path]

    def _grep(self, patterns: Sequence[str], under: str, *, fold: bool = False) -> Iterator[tuple[str, str]]:
        patterns = [pattern for pattern in patterns if pattern.strip() and "\n" not in pattern]
        if self.commit is None or not patterns:
            return
        args = ["grep", "-I", "-F", "--no-color", "-z", *(["-i"] if fold else []), "-f", "-", self.commit, "--", under]
        raw = self.git.run(*args, data="\n".join(patterns).encode() + b"\n", ok=(0, 1))
        for row in raw.split(b"\n"):
            head, _, line = row.decode("utf-8", "replace").partition("\0")
            if line:
                yield head.partition(":")[2], line


def _fact(snippet: note.Snippet, path: str) -> Fact | None:
    """A note read back as a fact: its subjects are the names in it, its kind what its folder is for."""
    try:
        source = uri.parse(snippet.uri)
    except FormatError:
        return None
    if not isinstance(source, uri.SessionUri) or not source.ranges:
        return None
    topic = (note_id(path) or "notes//").split("/")[1]
    text = markdown.plain(snippet.text)
    return Fact(
        session=source.session,
        first_turn=source.ranges[0][0],
        last_turn=source.ranges[0][1],
        text=text,
        kind=_KIND.get(topic, FactKind.FACT),
        day=snippet.day,
        qualifier=snippet.qualifier,
        language=language_of(text),
    )
