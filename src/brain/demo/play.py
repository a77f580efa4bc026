"""Plays the demo: import and dream three nights, then show what memory holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from brain import lines
from brain.brain import Brain
from brain.demo import agenda
from brain.errors import UsageError
from brain.sync.history import FileDiff
from brain.text import clip
from brain.tree import markdown
from brain.tree.layout import page_id

SESSIONS = Path(__file__).parent / "sessions"
NIGHTS = {
    "night-1": datetime(2026, 7, 1, 2, tzinfo=UTC),
    "night-2": datetime(2026, 8, 7, 2, tzinfo=UTC),
    "night-3": datetime(2026, 10, 15, 2, tzinfo=UTC),
}
QUESTIONS = ("Which organisations do I meet in Kyoto and Sendai?", "How do I want figures delivered?")
ENGINE = "extractive"  # whatever models the environment names: the demo costs nothing and is the same everywhere
CONNECTED = 2  # the night before which the calendar is named
SHOWN = 8  # changed lines of a page that the story shows
PROJECT = "Japan universal design sprint"


def play(root: Path, say: Callable[[str], None]) -> None:
    """Make a brain in `root`, which must be new, and tell the story line by line."""
    if root.exists() and any(root.iterdir()):
        raise UsageError(f"{str(root)!r} is not empty", hint="brain demo SOME-NEW-FOLDER")
    Brain.init(root, owner="Nadia", tz="Europe/Paris", now=NIGHTS["night-1"])
    for number, (night, when) in enumerate(NIGHTS.items(), start=1):
        for line in _night(root, number, night, when):
            say(line)
    for line in _look(root):
        say(line)
    say(
        f"\nThe tree is in {root}: look at {root}/knowledge, or try: brain show {_project(_last(root))} --memory {root}"
    )


def _last(root: Path) -> Brain:
    """The brain as of the morning after the last night."""
    return Brain.open(root, clock=lambda: NIGHTS["night-3"], background="no")


def _night(root: Path, number: int, night: str, when: datetime) -> Iterator[str]:
    brain = Brain.open(root, clock=lambda: when, background="no")
    yield _head(f"Night {number}, {when:%d %B %Y}")
    if number == CONNECTED:
        agenda.connect(root)
        brain = Brain.open(root, clock=lambda: when, background="no")
        yield from _outside(brain)
    yield from lines.of_import(brain.import_([SESSIONS / night]))
    result = brain.dream(engine=ENGINE)
    yield from lines.of_dream(result)
    if result.applied and number > 1:
        yield f"\nWhat night {number} changed on existing pages:"
        yield from _changes(brain.diff())


def _outside(brain: Brain) -> Iterator[str]:
    """The sources outside of sessions that the brain reads from now on."""
    with brain.connectors() as connectors:
        yield "Nadia names her calendar in .brain/config.toml: read, quoted and cited, never obeyed"
        yield from (connectors.check(name).line() for name in connectors.names)


def _changes(files: list[FileDiff]) -> Iterator[str]:
    """The claims that came and went on pages that were there before, in plain words and without bookkeeping."""
    for file in files:
        page = page_id(file.path)
        if page is None or file.sign != "~":
            continue
        lines = [line for line in file.patch.splitlines()[2:] if line[:1] in "+-" and " [cite:" in line]
        yield f"  {page}"
        for line in lines[:SHOWN]:
            words = markdown.plain(line[1:].removeprefix("- ").partition(" [cite:")[0])
            yield f"    {line[0]} {clip(words, 140)}"
        if len(lines) > SHOWN:
            yield f"    … and {len(lines) - SHOWN} more"


def _look(root: Path) -> Iterator[str]:
    brain = _last(root)
    yield _head("The index, for an agent's first message")
    yield brain.index().rstrip()
    page = _project(brain)
    yield _head(f"One page: brain show {page}")
    yield brain.show(page).rstrip()
    yield from _citation(brain, page)
    for question in QUESTIONS:
        yield _head(f'brain ask "{question}"')
        yield from brain.ask(question, engine=ENGINE).lines()
    yield _head("A fourth dream over the same sessions")
    before = brain.log(limit=1)
    yield from lines.of_dream(brain.dream(engine=ENGINE))
    yield "no commit was made" if brain.log(limit=1) == before else "FAULT: a commit was made"


def _citation(brain: Brain, page: str) -> Iterator[str]:
    """What a claim from outside rests on: the record of the calendar, as it was read."""
    claim = next((line for line in brain.show(page).splitlines() if "^[external]" in line), None)
    if claim is not None:
        number = claim.rpartition("[cite:")[2].rstrip("]")
        yield _head(f"What is behind a meeting: brain show {page} cite:{number}")
        yield brain.show(page, cite=number).rstrip()


def _project(brain: Brain) -> str:
    """The id of the page about the sprint."""
    projects = [(page, title) for page, title in brain.titles() if page.startswith("projects/")]
    return next((page for page, title in projects if title.casefold() == PROJECT.casefold()), projects[0][0])


def _head(title: str) -> str:
    return f"\n━━ {title} " + "━" * max(4, 96 - len(title))
