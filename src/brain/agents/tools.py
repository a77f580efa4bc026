"""What agents may ask of memory: search, show, links and recall over the published corpus, as plain functions.

Every tool answers in text, an error too, so that an agent can go on. They run in threads of the agent loop; one lock
keeps git and the index to one of them at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from brain.config import Config
from brain.corpus.corpus import Corpus
from brain.errors import BrainError, BudgetExceeded, ConfigError
from brain.explore import links as edges
from brain.explore import show as shown
from brain.explore.recall import Budget, MemoryAgent, recall
from brain.text import clip, one_line
from brain.types import Hit, Surface

MOST_HITS = 30
MOST_TEXT = 16_000
"""Characters of one answer; the rest is to be asked for by narrower turns, or read with the shell."""

Tool = Callable[..., str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Tools that read the memory in the folder `root`. `memory_agent` answers `recall`."""

    root: Path
    config: Config
    corpus: Corpus
    memory_agent: MemoryAgent = recall
    lock: threading.RLock = field(default_factory=threading.RLock)

    def tools(self) -> list[Tool]:
        return [self.search, self.show, self.links, self.recall]

    def search(self, query: str, kind: str = "", since: str = "", until: str = "", limit: int = 10) -> str:
        """Find pages, notes, session summaries and turns of the whole history, by words and by meaning.

        Args:
            query: What to look for, in the words of the person or your own.
            kind: page, note, summary or turn; empty for all.
            since: First day, YYYY-MM-DD; empty for no limit.
            until: Last day, YYYY-MM-DD; empty for no limit.
            limit: How many results, at most 30.
        """

        def look() -> str:
            hits = self.corpus.search(
                query,
                max(1, min(limit, MOST_HITS)),
                surfaces=(Surface(kind),) if kind else (),
                since=date.fromisoformat(since) if since else None,
                until=date.fromisoformat(until) if until else None,
            )
            return "\n".join(map(_hit, hits)) or "nothing found"

        return self.answer(look)

    def show(self, what: str, cite: int = 0) -> str:
        """Read a page, note, summary or the turns behind a source, as published.

        Args:
            what: A page id, title or alias, a note id, a path, or a source such as session://1eaf53d4#t3-t9.
            cite: With a page: the number of the citation whose turns to show.
        """
        number = str(cite) if cite else None
        return self.answer(lambda: shown.show(self.root, what, cite=number, config=self.config))

    def links(self, page: str) -> str:
        """What a page links to, what links to it, and the sources it rests on.

        Args:
            page: The page's id, title or alias.
        """
        return self.answer(lambda: "\n".join(edges.links(self.root, page, config=self.config).lines()))

    def recall(self, need: str) -> str:
        """Ask the memory agent, which searches, opens and follows on its own and comes back with what it found.

        Args:
            need: What you need to know and what for, in a full sentence.
        """

        def ask() -> str:
            found = self.memory_agent(self.corpus, need, Budget())
            files = "".join(f"\n- {one.path}: {one.why}" for one in found.records)
            return found.text() + (f"\nFiles behind it:{files}" if files else "")

        return self.answer(ask)

    def answer(self, work: Callable[[], str]) -> str:
        """A tool's result as text, its error as well; what ends a run is raised."""
        try:
            with self.lock:
                text = work()
        except (BudgetExceeded, ConfigError):
            raise
        except BrainError as error:
            return f"error: {error.message}" + (f" ({error.hint})" if error.hint else "")
        except ValueError as error:
            return f"error: {error}"
        return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + f"\n… {len(text) - MOST_TEXT:,} characters more"


def _hit(hit: Hit) -> str:
    day = f"{hit.day} · " if hit.day else ""
    who = f"{hit.speaker}: " if hit.speaker else ""
    place = hit.uri if hit.surface is Surface.TURN else f"{hit.path}:{hit.line}" if hit.line else hit.path
    return f"- {hit.surface.value} · {day}{place} · {who}{clip(one_line(hit.text), 300)}"
