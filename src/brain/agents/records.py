"""What a memory agent may look at: search, open and follow over the published corpus, at one commit, counted.

Every answer is text, an error too, so that an agent can go on. What is restricted is not there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

from brain.corpus.corpus import Corpus, State
from brain.errors import BrainError, FormatError, NotFound
from brain.explore.evidence import RESTRICTED, Reader
from brain.explore.recall import Budget, Step
from brain.explore.show import turns_text
from brain.text import clip, one_line
from brain.tree import page as pages
from brain.tree import transcript
from brain.tree.layout import KNOWLEDGE_INDEX, SESSION_INDEX, FileClass, classify, note_path, page_path
from brain.tree.sessions import SessionRow, SessionState, parse_rows
from brain.tree.uri import SessionUri, parse
from brain.types import Hit, Surface

HITS = 12
LINES = 200
MOST_TEXT = 12_000
"""Of one answer, in characters: the rest is to be asked for by line or by narrower turns."""

Tool = Callable[..., str]

READABLE = {FileClass.PAGE, FileClass.NOTE, FileClass.SUMMARY, FileClass.TRANSCRIPT}


@dataclass(slots=True, kw_only=True)
class Records:
    """The corpus as one agent's tools see it. `steps` are its searches, `days` when things found were said."""

    corpus: Corpus
    budget: Budget
    steps: list[Step] = field(default_factory=list)
    days: dict[str, date] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)
    commit: str = field(init=False)
    reader: Reader = field(init=False)
    _met: set[str] = field(default_factory=set)
    _rows: dict[str, SessionRow] | None = None

    def __post_init__(self) -> None:
        self.commit = self.corpus.commit()
        self.reader = Reader(self.corpus, self.commit)

    def tools(self) -> list[Tool]:
        return [self.search, self.open, self.follow]

    # -- tools

    def search(self, query: str, kind: str = "") -> str:
        """Find pages, notes, session summaries and turns of the whole history, by words and by meaning.

        Args:
            query: What to look for, in the words of the person or your own.
            kind: page, note, summary or turn; empty for all.
        """
        with self.lock:
            if len(self.steps) >= self.budget.searches:
                return "No searches are left. Open what you still need, then give your answer."
            surfaces = (Surface(kind),) if kind in set(Surface) else ()
            hits = self.reader.open_to_all(self.corpus.search(query, HITS, surfaces=surfaces))
            new = {hit.path for hit in hits} - self._met
            self._met |= new
            self.steps.append(Step(round=1, query=clip(query, 200), hits=len(hits), new=len(new)))
            for hit in hits:
                if hit.day:
                    self.days[hit.uri] = hit.day
            return "\n".join(map(_line, hits)) or "nothing found"

    def open(self, what: str, line: int = 1) -> str:
        """Read a page, note file, summary or transcript, or the turns of a source.

        Args:
            what: A page id (entities/x), a path, or a source such as session://1eaf53d4#t3-t9.
            line: With a file: the line to begin at.
        """
        with self.lock:
            try:
                text = self._turns(what) if "://" in what else self._file(what, line)
            except BrainError as error:
                return f"error: {error.message}"
            return text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}\n… cut: ask for fewer turns or a later line"

    def follow(self, page: str) -> str:
        """What a page links to, with what those pages are about, and the sources it cites by number.

        Args:
            page: The page's id.
        """
        with self.lock:
            path = self.path_of(page)
            found = self.reader.pages([path]).get(path) if path else None
            if found is None:
                return f"error: there is no page {page!r}"
            linked = self.reader.pages(page_path(link.target) for link in pages.links(found))
            rows = [f"- {other.id}: {other.title} — {other.description}" for other in linked.values()]
            cites = [f"- cite:{number} {one.uri}" for number, one in sorted(found.references.items())]
            return "\n".join(["links to:", *(rows or ["- nothing"]), "cites:", *(cites or ["- nothing"])])

    # -- what names mean

    def index(self) -> str:
        """The compact index at this commit, empty when there is none."""
        file = next(iter(self.corpus.fetch([KNOWLEDGE_INDEX], at=self.commit)))
        return file.data.decode("utf-8", "replace") if file.state is State.SENT else ""

    def path_of(self, name: str) -> str | None:
        """The file that a path or id names, None when memory holds none or it is restricted."""
        name = name.strip().removeprefix("./").removeprefix("memory/").partition("#")[0]
        bare = name.removesuffix(".md")
        for path in (name, f"{bare}.md", page_path(bare), note_path(bare)):
            if classify(path) in READABLE and not self._restricted(path) and self._there(path):
                return path
        return None

    def source(self, uri: str) -> SessionUri | None:
        """The turns that a session URI names, None when it leads nowhere or into a restricted session."""
        try:
            found = parse(uri, self._whole)
        except FormatError:
            return None
        row = self.rows.get(found.session) if isinstance(found, SessionUri) else None
        if row is None or not isinstance(found, SessionUri) or row.sensitivity == RESTRICTED:
            return None
        return found if all(last <= row.turns for _, last in found.ranges) else None

    @property
    def rows(self) -> dict[str, SessionRow]:
        if self._rows is None:
            file = next(iter(self.corpus.fetch([SESSION_INDEX], at=self.commit)))
            rows = parse_rows(file.data.decode("utf-8")) if file.state is State.SENT else []
            self._rows = {row.id: row for row in rows if row.state is not SessionState.DELETED}
        return self._rows

    def size(self, path: str) -> int:
        return self.reader.sizes([path]).get(path, 0)

    # -- reading

    def _file(self, what: str, line: int) -> str:
        path = self.path_of(what)
        if path is None:
            raise NotFound(f"there is no page, note, summary or transcript {what!r}; search for it")
        hidden = {row.id for row in self.rows.values() if row.sensitivity == RESTRICTED}
        lines = self.corpus.read(path, at=self.commit).decode("utf-8", "replace").split("\n")
        shown = [text for text in lines if not any(id in text for id in hidden)]
        start = max(1, line)
        cut = shown[start - 1 : start - 1 + LINES]
        more = len(shown) - (start - 1 + len(cut))
        return (
            f"{path}:{start}\n" + "\n".join(cut) + (f"\n… {more} lines more, from {start + LINES}" if more > 0 else "")
        )

    def _turns(self, uri: str) -> str:
        source = self.source(uri)
        if source is None:
            raise NotFound(f"{uri} leads nowhere: no such session or turns")
        row = self.rows[source.session]
        read = transcript.parse(self.corpus.read(row.transcript, at=self.commit).decode("utf-8"), row.transcript)
        wanted = set(source.turns())
        turns = [turn for turn in read.turns if not wanted or turn.number in wanted]
        return f"{row.title} ({row.transcript})\n{turns_text(turns)}"

    def _whole(self, start: str) -> str | None:
        ids = [id for id in self.rows if id.startswith(start)]
        return ids[0] if len(ids) == 1 else None

    def _there(self, path: str) -> bool:
        return next(iter(self.corpus.fetch([path], at=self.commit))).state is not State.ABSENT

    def _restricted(self, path: str) -> bool:
        if classify(path) is FileClass.PAGE:
            return path not in self.reader.pages([path])
        return any(path in (row.transcript, row.summary) for row in self.rows.values() if row.sensitivity == RESTRICTED)


def _line(hit: Hit) -> str:
    day = f"{hit.day} · " if hit.day else ""
    who = f"{hit.speaker}: " if hit.speaker else ""
    place = hit.uri if hit.surface is Surface.TURN else f"{hit.path}:{hit.line}" if hit.line else hit.path
    return f"- {hit.surface.value} · {day}{place} · {who}{clip(one_line(hit.text), 300)}"
