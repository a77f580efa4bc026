"""Published corrections of LoCoMo's labels: answers that are wrong and evidence that is not where it is said to be.

    >>> mended = corrected(locomo.load(Path("locomo10.json")), Path("audit.json"))          # doctest: +SKIP

A correction looks like

    {"question_id": "locomo_0_qa4", "question": "What did Ada buy?", "golden_answer": "a boat", "category": 1,
     "error_type": "WRONG_CITATION", "correct_answer": "a kayak", "correct_evidence": ["D1:1"]}

`locomo_<n>` counts the ten conversations in the order of the published file, `qa<n>` the questions of one, both from 0.
A correction of a question that reads otherwise here is an error: it was made for other data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from brain.bench.asked import Kind
from brain.bench.datasets import reading
from brain.bench.datasets.answers import kind_of
from brain.bench.datasets.dialogue import Conversation, Question
from brain.errors import FormatError
from brain.text import normal_name

ORDER = ("conv-26", "conv-30", "conv-41", "conv-42", "conv-43", "conv-44", "conv-47", "conv-48", "conv-49", "conv-50")
_ID = re.compile(r"locomo_(\d+)_qa(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")


def corrected(conversations: Iterable[Conversation], path: Path) -> Iterator[Conversation]:
    """The conversations with the labels of `path`. Raises NotFound, FormatError."""
    by = _read(path)
    for one in conversations:
        mended = by.get(one.id, {})
        questions = tuple(
            _mended(one, question, mended[question.id], path) if question.id in mended else question
            for question in one.questions
        )
        yield replace(one, questions=questions)


def _read(path: Path) -> dict[str, dict[str, Mapping[str, Any]]]:
    held = reading.whole(path)
    by: dict[str, dict[str, Mapping[str, Any]]] = {}
    with reading.item(path, "the file"):
        for number, item in enumerate(held, start=1):
            match = _ID.fullmatch(str(item["question_id"]))
            if match is None or int(match[1]) >= len(ORDER):
                raise FormatError(f"correction {number}: no question {item['question_id']!r}", path=path.name)
            name = ORDER[int(match[1])]
            by.setdefault(name, {})[f"{name}_qa{match[2]}"] = item
    return by


def _mended(one: Conversation, question: Question, item: Mapping[str, Any], path: Path) -> Question:
    if normal_name(str(item["question"])) != normal_name(question.text):
        raise FormatError(
            f"{question.id} is another question here: these corrections are of other data", path=path.name
        )
    known = {(session.number, turn.number) for session in one.sessions for turn in session.turns}
    named = _EVIDENCE.findall(" ".join(map(str, item.get("correct_evidence") or ())))
    evidence = tuple(dict.fromkeys(pair for s, t in named if (pair := (int(s), int(t))) in known)) or question.evidence
    answer = question.answer if question.kind is Kind.NONE else str(item.get("correct_answer") or question.answer)
    return replace(
        question,
        answer=answer,
        kind=kind_of(answer),
        evidence=evidence,
        sessions=tuple(dict.fromkeys(session for session, _ in evidence)),
    )
