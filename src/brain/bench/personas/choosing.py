"""Which of the possible questions are asked: so many of each category, each bound to turns that alone hold it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from brain.bench.personas.chance import Chance
from brain.bench.personas.history import History
from brain.bench.personas.leaks import holds, leaks, plain
from brain.bench.personas.questions import CATEGORIES, Question, drafts

PERSONAS = 44


def quotas(number: int) -> dict[str, int]:
    """How many questions of each category a persona is asked; over 44 of them, exactly `CATEGORIES`."""
    found = {}
    for at, (category, total) in enumerate(CATEGORIES.items()):
        shifted = (number - 1 + at * 5) % PERSONAS
        found[category] = total * (shifted + 1) // PERSONAS - total * shifted // PERSONAS
    return found


def chosen(history: History, number: int, chance: Chance) -> tuple[list[Question], dict[str, int]]:
    """The questions of a persona, and by category how many could not be had."""
    turns = {session.id: [plain(turn.text) for turn in session.turns] for session in history.sessions}
    by_category: dict[str, list[Question]] = defaultdict(list)
    for question in drafts(history.persona, history.facts, history.spots, chance):
        by_category[question.category].append(question)
    kept: list[Question] = []
    short: dict[str, int] = {}
    for category, wanted in quotas(number).items():
        found = 0
        for question in _mixed(by_category[category], chance):
            if found == wanted:
                break
            if any(question.text == other.text for other in kept) or not sound(question, turns):
                continue
            kept.append(question)
            found += 1
        if found < wanted:
            short[category] = wanted - found
    return kept, short


def sound(question: Question, turns: dict[str, list[str]]) -> bool:
    """Whether nothing but the bound turns gives the answer away."""
    if question.answer is None and not question.forget:
        subject = plain(str(question.setting.get("of", "")))
        told = (text for texts in turns.values() for text in texts if subject and subject in text)
        return not any(holds(text, form) for text in told for form in question.must_not)
    sources = question.evidence or question.setting.get("forgotten", ())
    bound = frozenset((source["session"], source["turn"]) for source in sources if "session" in source)
    return next(leaks(question.text, given_away(asdict(question)), turns, bound), None) is None


def given_away(question: Mapping[str, Any]) -> list[str]:
    """What the bound turns must say and others must not: the answer's forms, or those it is made of."""
    setting = question["setting"]
    if setting["how"] in ("sum", "list"):
        return list(setting["parts"])
    if setting["how"] == "times":
        return [setting["measure"]]
    if setting["how"] in ("day", "between"):
        return []
    if question["answer"] is None:
        return list(question["must_not"])
    return [question["answer"], *question["accepts"]]


def _mixed(questions: list[Question], chance: Chance) -> list[Question]:
    """Shuffled, and from as many rows of the tables as there are before a row comes again."""
    seen: dict[str, int] = defaultdict(int)
    ranked = []
    for question in chance.shuffled(questions):
        row = str(question.setting.get("row"))
        ranked.append((seen[row], question))
        seen[row] += 1
    return [question for _, question in sorted(ranked, key=lambda pair: pair[0])]
