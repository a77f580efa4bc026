"""Where else an answer could be read: the turns that hold one of its forms beside words of the question."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]{4,}")
_JOINED = "0-9a-z_\u00c0-\u024f\u0400-\u052f"  # signs of which several make one word, unlike kana and kanji
_IDEOGRAMS = re.compile(r"[\u30a0-\u30ff\u3400-\u9fff]{2,}")
_SMALL = frozenset(
    " ".join(
        (
            "about after again been before could does doing from have having here into just made make many much need",
            "once only other over should some such than that their them then there these they thing this those through",
            "time under until used want were what when where which while whom with would your mein meine meinen nach",
            "noch oder sind wann wird wenn welche welchem welchen welcher welches haben habe hatte dass diese dieser",
            "einen einer eine nicht auch über quel quelle quels quelles dans pour avec chez nous vous leur était sont",
            "mais comment combien quand donc cette cuál cuánto cuánta cuántos cuándo dónde para como cómo está tengo",
            "tiene este esta sobre який яка яке які коли скільки треба буде було мене мені цього його",
        )
    ).split()
)
"""Words that say nothing of what a text is about."""


@lru_cache(maxsize=200_000)
def plain(text: str) -> str:
    """Letters as they are compared: composed, folded, quotes and spaces alike."""
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return " ".join(text.split())


def holds(text: str, form: str) -> bool:
    """Whether a text says a value, as a word of its own; `text` as `plain` gives it."""
    form = plain(form)
    if form not in text:
        return False
    before = rf"(?<![{_JOINED}.,:-])" if re.match(f"[{_JOINED}]", form) else ""
    after = rf"(?![{_JOINED}]|[.,:-]\d)" if re.search(f"[{_JOINED}]$", form) else ""
    return re.search(before + re.escape(form) + after, text) is not None


def words(text: str) -> frozenset[str]:
    """The words of a text that carry meaning, by their beginnings; in Japanese, pairs of signs."""
    folded = plain(text)
    found = {word[:5] for word in _WORD.findall(folded) if word not in _SMALL}
    for run in _IDEOGRAMS.findall(folded):
        found |= {run[at : at + 2] for at in range(len(run) - 1)}
    return frozenset(found)


def overlap(question: str, text: str) -> float:
    """The share of a question's words that a text has too."""
    asked = words(question)
    return len(asked & words(text)) / len(asked) if asked else 0.0


def leaks(
    question: str, forms: Iterable[str], turns: Mapping[str, Sequence[str]], bound: frozenset[tuple[str, int]]
) -> Iterator[tuple[str, int]]:
    """Turns (session, number) outside of `bound` that hold a form together with a word of the question.

    A number alone is too common to tell: beside it two words must stand, in the same turn.
    """
    wanted = [plain(form) for form in forms]
    asked = words(question)
    for session, texts in turns.items():
        for number, text in enumerate(texts, start=1):
            if (session, number) in bound or not any(form in text for form in wanted):
                continue
            near = words(text)
            for form in wanted:
                bare = not re.search(r"[^\W\d_]|%|€", form)
                if form in text and len(asked & near) >= 1 + bare and holds(text, form):
                    yield session, number
                    break
