"""Notes and summaries after a deletion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime

from brain.dream.neighbourhood import meaning
from brain.errors import FormatError
from brain.forgetting.reach import Reach
from brain.text import one_line
from brain.tree import note as notes
from brain.tree import summary as summaries
from brain.tree.note import NoteFile
from brain.tree.summary import Bullet, Summary
from brain.types import Turn

TITLE = "Session"
SAID_NOTHING = "What this session said in summary was forgotten in part; what is left of it is in the transcript."


@dataclass(slots=True)
class Lines:
    """New text by path (None: the file goes), and the ids and words of the lines of notes that went."""

    files: dict[str, str | None] = field(default_factory=dict)
    snippets: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)


def without_notes(texts: Mapping[str, str], reach: Reach, now: datetime | None) -> Lines:
    """Every note file that a deletion changes, of those given by path; their date is `now` unless that is None."""
    done = Lines()
    for path, text in texts.items():
        try:
            file = notes.parse(text, path)
        except FormatError:
            if reach.says(text):
                done.files[path] = None
            continue
        _note(path, file, reach, now or file.updated_at, done)
    return done


def _note(path: str, file: NoteFile, reach: Reach, now: datetime | None, done: Lines) -> None:
    named = reach.says(file.title) or reach.names(path)
    stays = [
        not (named or one.id in reach.snippets or reach.says(one.text) or reach.speaks_of(one.text, [one.uri]))
        and reach.left(one.uri) == one.uri
        for one in file.snippets
    ]
    told = [one for one, stay in zip(file.snippets, stays, strict=True) if not stay]
    foreign = [one for one in file.foreign if not reach.says(one.text)]
    if not told and len(foreign) == len(file.foreign):
        return
    done.snippets += [one.id for one in told]
    done.words += [one.text for one in told]
    kept = tuple(one for one, stay in zip(file.snippets, stays, strict=True) if stay)
    if named or (not kept and not any(one.text.strip() for one in foreign)):
        done.files[path] = None
        return
    moved = tuple(replace(one, after=sum(stays[: one.after])) for one in foreign)
    done.files[path] = notes.render(replace(file, updated_at=now, snippets=kept, foreign=moved))


def without_bullets(
    texts: Mapping[str, str], reach: Reach, lost: Mapping[str, frozenset[str]], gone_pages: Set[str]
) -> dict[str, str | None]:
    """Every summary that a deletion changes, of those given by path.

    `lost` are the stems that only the turns which go say, by session (`lost_words`); `gone_pages` are ids.
    """
    files: dict[str, str | None] = {}
    for path, text in texts.items():
        try:
            before = summaries.parse(text, path)
        except FormatError:
            if reach.says(text):
                files[path] = None
            continue
        if before.id in reach.sessions:
            files[path] = None
            continue
        after = _summary(before, reach, lost.get(before.id, frozenset()), gone_pages)
        if after != before:
            files[path] = summaries.render(after)
    return files


def _summary(before: Summary, reach: Reach, lost: frozenset[str], gone_pages: Set[str]) -> Summary:

    def tells(text: str) -> bool:
        return reach.says(text) or bool(meaning(text) & lost)

    def barred(bullet: Bullet) -> bool:
        source = f"session://{before.id}#t{bullet.first}" + (f"-t{bullet.last}" if bullet.last > bullet.first else "")
        return reach.says(bullet.text) or reach.left(source) != source or reach.speaks_of(bullet.text, [source])

    sentences = before.summary.replace(". ", ".\n").split("\n")
    kept = [one for one in sentences if not tells(one)]
    said = before.summary if len(kept) == len(sentences) else one_line(" ".join(kept)) or SAID_NOTHING
    bullets = {head: tuple(one for one in group if not barred(one)) for head, group in before.bullets.items()}
    return replace(
        before,
        title=TITLE if tells(before.title) else before.title,
        summary=said,
        bullets={head: group for head, group in bullets.items() if group},
        topics=tuple(one for one in before.topics if not tells(one)),
        projects=tuple(one for one in before.projects if one not in gone_pages),
    )


def lost_words(turns: Sequence[Turn], gone: Sequence[tuple[int, int]]) -> frozenset[str]:
    """What only the turns that go say, of all the turns of a session."""
    away: set[str] = set()
    held: set[str] = set()
    for turn in turns:
        (away if any(a <= turn.number <= b for a, b in gone) else held).update(meaning(turn.text))
    return frozenset(away - held)
