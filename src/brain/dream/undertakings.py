"""Projects nobody named: sessions with an assistant that keep coming back to the same matter, by the words they share.

    "lose weight", "workout", "diet plan" over 20 sessions          -> one project, "Fitness plan"
    a question about gutters, once                                   -> no project

Sessions are taken in order of time; each joins the matter whose words it shares most, or starts one. A matter that has
a page is met through the words of that page, so a later night goes on where an earlier one stopped.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from brain.dream import topics

Vocabulary = Mapping[str, str]
"""The topic terms of a session: stem → the form used most."""

LIKE = 0.16
SHARED = 3
MIN_SESSIONS = 3
PAIR = 0.7
MOST_TEXT = 3_000
NAMED = "="
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w-]{2,}(?: [A-Z0-9][\w-]+){0,2}(?![\w'’])")
_NO_NAMES = frozenset(
    """Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August
    September October November December Day Week Session Okay Thanks Hello""".split()  # noqa: SIM905
)
COMMON = 0.2
"""A term that more than this share of the sessions use tells nothing."""


@dataclass(slots=True)
class Matter:
    """Sessions that are about one thing. `page` when it has one already."""

    terms: Counter[str] = field(default_factory=Counter)
    forms: dict[str, Counter[str]] = field(default_factory=dict)
    spelled: set[str] = field(default_factory=set)
    sessions: list[str] = field(default_factory=list)
    page: str | None = None

    def take(self, session: str, words: Vocabulary) -> None:
        self.sessions.append(session)
        for stem, form in words.items():
            self.terms[stem] += 1
            self.forms.setdefault(stem, Counter())[form.lower()] += 1
            self.spelled.add(form)


def matters(sessions: Sequence[tuple[str, Vocabulary]], pages: Mapping[str, str]) -> list[Matter]:
    """The matters of these sessions (in order of time) that have a page or at least MIN_SESSIONS sessions."""
    weight = _weights([words for _, words in sessions])
    found = [_of_page(page, text) for page, text in sorted(pages.items())]
    for session, words in sessions:
        ranked = max(((_likeness(words, matter, weight), -at) for at, matter in enumerate(found)), default=(0.0, 0))
        if ranked[0] >= LIKE:
            found[-ranked[1]].take(session, words)
        else:
            new = Matter()
            new.take(session, words)
            found.append(new)
    return [matter for matter in found if matter.sessions and (matter.page or len(matter.sessions) >= MIN_SESSIONS)]


def title_of(matter: Matter) -> str | None:
    """What most of its sessions speak of ("trip"), with the name that most of them name ("New Zealand trip").

    None when no term is in half of the sessions: then they only happen to share words.
    """
    size = len(matter.sessions)
    nouns = {
        stem: number for stem, number in matter.terms.items() if not stem.startswith(NAMED) and stem in matter.forms
    }
    most = max(nouns.values(), default=0)
    pairs = [stem for stem, number in nouns.items() if " " in stem and number >= PAIR * most]
    best = max(pairs or nouns, key=lambda stem: (nouns[stem], stem), default=None)
    if best is None or most * 2 < size:
        return None
    forms = matter.forms[best]
    form = max(forms, key=lambda form: (forms[form], len(form), form))
    names = {stem: number for stem, number in matter.terms.items() if stem.startswith(NAMED) and number * 5 >= size * 2}
    name = max(names, key=lambda stem: (names[stem], stem), default="").removeprefix(NAMED)
    if name and name.lower() not in form:
        return f"{name} {form}"
    return form.upper() if len(form) <= 4 and form.upper() in matter.spelled else form[:1].upper() + form[1:]


def vocabulary(texts: Iterable[str]) -> dict[str, str]:
    """The topic terms and names of what a user said in a session, each with a form of it."""
    found: dict[str, str] = {}
    for text in texts:
        for sentence in _SENTENCE.split(text[:MOST_TEXT]):
            for stem, form in topics.terms(sentence).items():
                found.setdefault(stem, form)
            for match in _NAME.finditer(sentence):
                if match[0].split(" ")[0] not in _NO_NAMES:
                    found.setdefault(NAMED + match[0], match[0])
    return found


def _weights(bags: Sequence[Vocabulary]) -> dict[str, float]:
    """How telling a term is: rare ones are, those that only one session or very many use are not."""
    counts = Counter(stem for words in bags for stem in words)
    most = max(8.0, COMMON * len(bags))
    return {stem: math.log((1 + len(bags)) / number) for stem, number in counts.items() if 2 <= number <= most}


def _likeness(words: Vocabulary, matter: Matter, weight: Mapping[str, float]) -> float:
    """Cosine of a session's terms and a matter's, by telling terms; 0 when they share too few."""
    mine = {stem: weight[stem] for stem in words if stem in weight}
    size = max(1, len(matter.sessions))
    theirs = {
        stem: weight[stem] * min(1.0, 2 * number / size) for stem, number in matter.terms.items() if stem in weight
    }
    shared = mine.keys() & theirs.keys()
    if len(shared) < SHARED:
        return 0.0
    product = sum(mine[stem] * theirs[stem] for stem in shared)
    return product / math.sqrt(sum(v * v for v in mine.values()) * sum(v * v for v in theirs.values()))


def _of_page(page: str, text: str) -> Matter:
    """A matter as its page tells it."""
    matter = Matter(page=page)
    for line in text.split("\n"):
        if line.startswith(("- ", "#")) or line[:1].isalpha():
            matter.terms.update(topics.terms(line).keys())
    return matter
