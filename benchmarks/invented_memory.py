"""Invented memory of any size for the benchmarks: pages, notes, summaries and transcripts with Zipf-like words."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from importlib import resources
from itertools import accumulate
from pathlib import Path

from brain.config import Config
from brain.git import MAIN, Git, Person
from brain.tree import index, layout, note, page, sessions, transcript
from brain.tree.ids import session_id
from brain.tree.sessions import SessionRow
from brain.tree.uri import turns_uri
from brain.types import Role, Transcript, Turn

START = datetime(2025, 1, 1, 9, tzinfo=UTC)
ORDERS = frozenset(
    {"ignore", "forget", "disregard", "system", "instructions", "prompt"}
)  # a rule takes them for orders
NOBODY = Person(name="nobody", email="nobody@brain.invalid")


class Pen:
    """Writes sentences: words by Zipf's law from an English vocabulary, the same for the same seed."""

    def __init__(self, seed: int = 1, *, clean: bool = False) -> None:
        self.clean = clean
        path = resources.files("brain.corpus.search").joinpath("data").joinpath("bert-uncased-vocab.txt")
        words = [w for w in path.read_text("utf-8").split("\n") if w.isascii() and w.isalpha() and len(w) > 2]
        self.chance = random.Random(seed)
        self._words = [word if word not in ORDERS else "harbour" for word in words] if clean else words
        self._weights = list(accumulate(1 / (rank + 2) for rank in range(len(words))))

    def sentence(self, mean: int = 12) -> str:
        length = max(4, round(self.chance.gauss(mean, mean / 4)))
        return " ".join(self.chance.choices(self._words, cum_weights=self._weights, k=length)).capitalize() + "."


def write_memory(root: Path, files: int, *, clean: bool = False) -> int:
    """A published brain of about `files` files: one third transcripts, one third summaries, the rest pages and notes.

    Its pages cite whatever turn and are made of whatever words, so that rules find some of them wrong; `clean` ones
    cite what the user said. Returns the bytes of all files.
    """
    pen = Pen(clean=clean)
    count = files // 3
    tracked: dict[str, str] = {}
    loose: dict[str, str] = {}
    rows = []
    for row, said in _sessions(pen, count):
        rows.append(row)
        loose[row.transcript] = said
        tracked[str(row.summary)] = f"# {row.title}\n\n## Summary\n" + " ".join(pen.sentence() for _ in range(8)) + "\n"
    for name, text in _pages(pen, count // 2, rows):
        tracked[layout.page_path(name)] = text
    for number in range(count - count // 2):
        made = _note(pen, number, rows)
        tracked[layout.note_path(made.id)] = note.render(made)
    pages = [page.parse(text, path) for path, text in tracked.items() if layout.page_id(path)]
    tracked |= {
        layout.AGENTS: "# This folder is a memory\n",
        layout.KNOWLEDGE_INDEX: index.compact_index(pages, Config()),
        layout.SESSION_INDEX: sessions.render_rows(rows),
        layout.SESSION_INDEX_MD: sessions.render_index_md(rows),
    }
    with Git.init(root) as git:
        raw = {path: text.encode() for path, text in tracked.items()}
        commit = git.commit_files(None, raw, "an invented memory", author=NOBODY, when=START)
        git.update_ref(MAIN, commit, None)
    for path, text in (loose | tracked).items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return sum(len(text.encode()) for text in (loose | tracked).values())


def _sessions(pen: Pen, count: int) -> Iterator[tuple[SessionRow, str]]:
    for number in range(count):
        when = START + timedelta(hours=2 * number)
        turns = tuple(
            Turn(
                number=n,
                role=Role.USER if n % 2 else Role.ASSISTANT,
                time=when,
                text=f"{pen.sentence(25)} {pen.sentence()}",
            )
            for n in range(1, 21)
        )
        said = Transcript(
            id=session_id("bench", str(number)), source="bench", external_id=str(number), title=pen.sentence(5)[:60],
            started_at=when, turns=turns,
        )  # fmt: skip
        stem = layout.stem(said)
        row = SessionRow(
            id=said.id, source="bench", external_id=said.external_id, title=said.title, started_at=when, ended_at=when,
            last_turn_at=when, turns=20, through_turn=20, attached_through=20, transcript=layout.transcript_path(stem),
            summary=layout.summary_path(stem),
        )  # fmt: skip
        yield row, transcript.render(said)


def _pages(pen: Pen, count: int, rows: list[SessionRow]) -> Iterator[tuple[str, str]]:
    kinds = sorted(layout.DIR_TYPES)
    names = [f"{kinds[n % len(kinds)]}/subject-{n:05}" for n in range(count)]
    for number, name in enumerate(names):
        when = (START + timedelta(hours=6 * number)).strftime("%Y-%m-%dT%H:%M:%SZ")
        claims, references = [], []
        for cite in range(1, 15):
            row = rows[pen.chance.randrange(len(rows))]
            link = f" [[{pen.chance.choice(names)}]]" if cite % 4 == 0 else ""
            claims.append(f"- {pen.sentence()[:-1]}{link}. [cite:{cite}]")
            said = cite // 2 * 2 + 1 if pen.clean else cite
            references.append(f"[cite:{cite}]: {turns_uri(row.id, said, said)}")
        kind = layout.page_type(name)
        extra = "entity_kind: other\n" if kind == "entity" else ""
        title = f"Subject {number:05}"
        yield name, (
            f"---\nid: {name}\ntype: {kind}\ntitle: {title}\ndescription: {pen.sentence(10)[:150]}\nstatus: active\n"
            f"created_at: {when}\nupdated_at: {when}\nupdated_by: dream/0.1\nnext_cite: 15\nlanguage: en\n{extra}---\n"
            f"# {title}\n\n{pen.sentence(20)} [cite:1]\n\n## Facts\n" + "\n".join(claims)
            + "\n\n## References\n" + "\n".join(references) + "\n"
        )  # fmt: skip


def _note(pen: Pen, number: int, rows: list[SessionRow]) -> note.NoteFile:
    row = rows[number % len(rows)]
    snippets = tuple(note.snippet(pen.sentence(), str(turns_uri(row.id, n, n)), day=START.date()) for n in range(1, 11))
    topic = "preferences" if number % 10 == 0 else "facts"
    when = START + timedelta(hours=number)
    return note.NoteFile(id=f"notes/{topic}/n{number:05}", title=f"Notes {number}", updated_at=when, snippets=snippets)
