"""Which language an answer has to be in, and whether it is: scripts tell at once, small words only of longer texts."""

from __future__ import annotations

from collections.abc import Iterable

from brain.language import language_of

OTHER_SCRIPTS = frozenset({"zh", "ja", "ko", "ru", "uk", "ar", "he", "hi", "th", "el"})
_LETTERS = 12
_SURE = 200
"""Letters from which a script, and from which small words, tell a language."""


def spoken(text: str, default: str) -> str:
    """The language of what people said; a few lines in Latin letters are taken for the default."""
    found = language_of(text, default)
    return found if found in OTHER_SCRIPTS or letters(text) >= _SURE // 2 else default


def strange_line(sentence: str, wanted: Iterable[str], default: str) -> str | None:
    """What is wrong with the language of one line: another script than it should be in."""
    allowed = set(wanted)
    found = language_of(sentence, default)
    if found in allowed or letters(sentence) < _LETTERS:
        return None
    if found not in OTHER_SCRIPTS and allowed - OTHER_SCRIPTS:
        return None
    return _told(found, allowed)


def strange_answer(said: str, people: str, wanted: Iterable[str], default: str, usual: str) -> str | None:
    """What is wrong with the language of a whole answer to what `people` said; `usual` is the memory's language."""
    allowed = set(wanted)
    found = language_of(said, default)
    if found in allowed or letters(said) < 3 * _LETTERS:
        return None
    if (
        found not in OTHER_SCRIPTS
        and not allowed & OTHER_SCRIPTS
        and (found == usual or min(letters(people), letters(said)) < _SURE)
    ):
        return None
    return _told(found, allowed)


def letters(text: str) -> int:
    return sum(ch.isalpha() for ch in text)


def _told(found: str, wanted: Iterable[str]) -> str:
    return f"it is in {found!r}, the turns are in {', '.join(sorted(wanted))}: write it in their language"
