"""Open questions that a later statement speaks to: they move to History, with the answer."""

from __future__ import annotations

from brain.dream import supersede
from brain.dream.draft import Line
from brain.dream.likeness import content, overlap
from brain.tree import markdown

LEAST_SHARED, ANSWERS = 3, 0.6
"""Content words a statement must share with an open question, and the part of the question's words they must be."""


def answered(lines: list[Line]) -> tuple[list[Line], list[supersede.Past]]:
    """Lines without the questions that a later one answers, and those with their answers."""
    past = []
    for at, asked in enumerate(lines):
        if asked.head == "Open questions":
            answer = next((one for one in lines[at + 1 :] if answers(one, markdown.plain(asked.text))), None)
            if answer is not None:
                past.append(supersede.Past(old=asked, new=answer))
    gone = {id(one.old) for one in past}
    return [line for line in lines if id(line) not in gone], past


def answers(line: Line, asked: str) -> bool:
    """Whether a statement speaks to an open question: it holds most of the question's words."""
    said = markdown.plain(line.text)
    shared = content(asked)[0] & content(said)[0]
    return line.head != "Open questions" and len(shared) >= LEAST_SHARED and overlap(asked, said) >= ANSWERS
