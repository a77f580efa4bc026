"""Learnings: what worked, what failed, what the user corrected, gathered by the subject it is about.

"No, use tox here, not nox"  ┐
"pinning numpy fixed it"     ┴ two lessons on one project  -> learnings/lessons-on-<project>
corrections that name no subject                           -> learnings/working-with-<user>
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from brain.dream.lesson import held, is_lesson
from brain.dream.place import Attached
from brain.dream.subjects import Directory, Head
from brain.types import FactKind, Subject, SubjectKind

MIN_LESSONS = 3
_TAUGHT = frozenset({"project", "tool", "product", "concept", "account"})
_WORLD = frozenset({"org", "place", "event", "other"})
_TITLES = {
    "fr": "Leçons : {}",
    "uk": "Уроки: {}",
    "zh": "经验：{}",
    "ja": "教訓：{}",
    "de": "Lehren: {}",
    "es": "Lecciones: {}",
}
_WITH = {
    "fr": "Travailler avec {}",
    "uk": "Робота з {}",
    "zh": "与{}合作",
    "ja": "{}との進め方",
    "de": "Arbeiten mit {}",
    "es": "Trabajar con {}",
}


def lesson_title(subject: str, language: str, *, owner: bool) -> str:
    """The title of the learning page on a subject, in the language its lessons are told in."""
    table, plain = (_WITH, "Working with {}") if owner else (_TITLES, "Lessons on {}")
    return table.get(language.partition("-")[0], plain).format(subject)[:80]


def lessons(
    items: Sequence[Attached],
    directory: Directory,
    owners: frozenset[str],
    language: str,
    body: Callable[[str], str] = lambda _: "",
) -> Iterator[tuple[str, Head, list[Attached]]]:
    """Subjects with their learning pages and the facts that belong there: pages that exist, and those that MIN_LESSONS
    facts earn now, lessons on the subject's own page (`body`) counted.

    In a chat between several owners a correction is part of the talk: only lessons with a subject of their own count.
    """
    groups: dict[str, list[Attached]] = defaultdict(list)
    for item in items:
        if is_lesson(item.fact):
            others = [id for id in item.ids if directory[id].id not in owners and directory[id].kind in _TAUGHT]
            if item.fact.kind is FactKind.CORRECTION and any(directory[id].kind in _WORLD for id in item.ids[:1]):
                continue  # a fact put right, not a way to work
            named = [id for id in others if directory[id].kind == "project"] or others
            mine = [id for id in item.ids if directory[id].id in owners]
            subject = named[0] if named else mine[0] if mine and len(owners) == 1 else None
            if subject is not None:
                groups[directory[subject].id].append(item)
    for subject, group in groups.items():
        title = lesson_title(directory[subject].title, language, owner=subject in owners)
        known = directory.find(Subject(name=title, kind=SubjectKind.LEARNING))
        if known is not None:
            yield subject, directory[known], group
        elif len({item.fact.text for item in group}) + held(body(subject)) >= MIN_LESSONS:
            yield subject, Head(id="?learning:" + title, title=title, kind="learning"), group
