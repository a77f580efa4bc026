"""A memory in which an answer lies several links away: a harbour survey, the keeper of its gauges, her cabinet.

The need names the survey; its page links to Iris, hers to the teal cabinet; what the cabinet's page cites holds the
answer in words of its own. Small talk of forty sessions lies around it. It is searched by words alone, so that nothing
but the links leads there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from brain.config import Config
from brain.corpus.local import LocalCorpus
from brain.corpus.search.index import SearchIndex
from brain.git import MAIN, Git, Person
from brain.tree import layout, note, sessions, summary, transcript
from brain.tree.ids import session_id
from brain.tree.sessions import SessionRow
from brain.types import Role, Transcript, Turn

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
NOBODY = Person(name="nobody", email="nobody@example.org")
WORDS_ONLY = Config.parse('[search]\nembedder = "none"\n')
NEED = "Prepare the harbour survey: which gauges are used?"
WEATHER = ("mild", "windy", "grey", "bright", "damp", "clear", "foggy", "still")
MEALS = ("lentils", "noodles", "plums", "barley", "leeks", "oats", "figs", "turnips")


def said(name: str, day: int, *texts: str, title: str | None = None, by: str | None = None) -> Transcript:
    time = START + timedelta(days=day)
    turns = tuple(
        Turn(number=n, role=Role.USER, text=text, time=time, name=by) for n, text in enumerate(texts, start=1)
    )
    return Transcript(
        id=session_id("test", name), source="test", external_id=name, title=title or name, started_at=time, turns=turns
    )


SURVEY = said(
    "survey", 0, "The harbour survey uses three tide gauges, borrowed from the port.", "Iris Okafor looks after them."
)
IRIS = said("iris", 3, "Iris Okafor calibrates with reference weights, and those lie in the teal cabinet.")
CABINET = said("locker", 9, "Reminder to self.", "Its key hangs behind the barograph, third hook.")
SECRET = said("secret", 12, "The harbour survey pays Iris 4100 a month; the gauges are leased from Dunmore.")
LONG = said("pilot", 20, *(f"Log {n}: depth reading {n * 7 % 31} fathoms off the north mole." for n in range(1, 3_000)),
            "A harbour survey by boat needs the pilot's leave; her gauges stay ashore.",
            *(f"Log {n}: nothing to note." for n in range(3_001, 3_040)))  # fmt: skip


def small_talk() -> Iterator[Transcript]:
    for n in range(40):
        texts = [
            f"Today is {WEATHER[(n + k) % 8]}, and I cook {MEALS[(3 * n + k) % 8]}, pot {n}-{k}." for k in range(4)
        ]
        yield said(f"chat-{n}", 30 + n, *texts)


@dataclass(frozen=True)
class Harbour:
    root: Path

    @contextmanager
    def corpus(self) -> Iterator[LocalCorpus]:
        index = SearchIndex(self.root, WORDS_ONLY)
        index.update()
        with LocalCorpus(self.root, index) as corpus:
            yield corpus

    @staticmethod
    def transcript(session: Transcript) -> str:
        return layout.transcript_path(layout.stem(session))


def page(name: str, title: str, body: str, *sources: str, sensitivity: str = "") -> str:
    references = "".join(f"[cite:{n}]: {uri}\n" for n, uri in enumerate(sources, start=1))
    return (
        f"---\nid: {name}\ntype: {layout.page_type(name)}\ntitle: {title}\ndescription: What is known about {title}\n"
        "status: active\ncreated_at: 2026-06-21T04:10:00Z\nupdated_at: 2026-08-06T07:51:00Z\nupdated_by: dream/0.1\n"
        f"next_cite: {len(sources) + 1}\nlanguage: en\n{sensitivity}---\n# {title}\n\n{body}\n\n"
        f"## References\n{references}"
    )


def files(*, long: bool = False, secret: bool = False) -> dict[str, str]:
    talks = [SURVEY, IRIS, CABINET, *small_talk(), *([LONG] if long else []), *([SECRET] if secret else [])]
    rows = [row(talk) for talk in talks]
    out = {layout.transcript_path(layout.stem(talk)): transcript.render(talk) for talk in talks}
    out[layout.SESSION_INDEX] = sessions.render_rows(rows)
    pages = {
        "projects/harbour-survey": page(
            "projects/harbour-survey",
            "Harbour survey",
            "The harbour survey uses three tide gauges kept by [[entities/iris-okafor|Iris Okafor]]. [cite:1]",
            f"session://{SURVEY.id}#t1-t2",
        ),
        "entities/iris-okafor": page(
            "entities/iris-okafor",
            "Iris Okafor",
            "Iris calibrates with reference weights, which lie in the [[entities/teal-cabinet]]. [cite:1]",
            f"session://{IRIS.id}#t1",
        ),
        "entities/teal-cabinet": page(
            "entities/teal-cabinet",
            "Teal cabinet",
            "Its key has a hook of its own. [cite:1]",
            f"session://{CABINET.id}#t2",
        ),
    }
    if secret:
        pages["entities/dunmore"] = page(
            "entities/dunmore", "Dunmore", "Dunmore leases the gauges to the harbour survey. [cite:1]",
            f"session://{SECRET.id}#t1", sensitivity="sensitivity: restricted\n",
        )  # fmt: skip
    out |= {layout.page_path(name): text for name, text in pages.items()}
    snippet = note.snippet("The survey's gauges are read at noon.", f"session://{SURVEY.id}#t1", day=START.date())
    made = note.NoteFile(id="notes/work/gauges", title="Gauges", snippets=(snippet,))
    return out | {layout.note_path(made.id): note.render(made), layout.summary_path(layout.stem(SURVEY)): brief()}


def brief() -> str:
    return summary.render(
        summary.Summary(
            id=SURVEY.id, title=SURVEY.title, source="test", started_at=START, turns=2, through_turn=2,
            summary="A survey of the harbour was set up with three gauges.", bullets={},
        )
    )  # fmt: skip


def row(talk: Transcript) -> SessionRow:
    path, text = layout.transcript_path(layout.stem(talk)), transcript.render(talk).encode()
    return SessionRow(
        id=talk.id, source="test", external_id=talk.external_id, title=talk.title, started_at=talk.started_at,
        turns=len(talk.turns), transcript=path, transcript_sha256=sha256(text).hexdigest(),
        summary=layout.summary_path(layout.stem(talk)) if talk is SURVEY else None,
        sensitivity="restricted" if talk is SECRET else "normal",
    )  # fmt: skip


def write(root: Path, made: dict[str, str]) -> Harbour:
    with Git.init(root) as git:
        tracked: dict[str, bytes | None] = {path: t.encode() for path, t in made.items() if layout.is_tracked(path)}
        commit = git.commit_files(None, tracked, "a harbour", author=NOBODY, when=START)
        assert git.update_ref(MAIN, commit, None)
    for path, text in made.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8", newline="\n")
    return Harbour(root)
