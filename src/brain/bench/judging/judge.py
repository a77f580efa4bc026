"""Judging without a model: by value, by span, as a set, and whether "nothing is known" was said where it is right.

>>> asked = Asked(id="q", account="a", text="Where does Ada live?", category="knowledge-update", answer="Porto", stale=("Lyon",))
>>> judge(asked, Given(text="Ada lives in Lyon.")).how
'only an older value'
>>> judge(asked, Given(text="Ada moved from Lyon to Porto.")).correct
True
"""

# ruff: noqa: E501 — ways of saying a thing, a language a line
from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from brain.bench.asked import Asked, Given, Judgement, Kind
from brain.bench.judging.forms import f1, held, held_loosely, sentences
from brain.bench.judging.values import same_day, same_number
from brain.text import one_line

_NOTHING = re.compile(
    r"\b(?:memory (?:has|holds|contains) nothing|nothing (?:is|was) (?:known|recorded|stored|said)|no (?:record|mention|information)"
    r"|(?:do(?:es)? not|don't|doesn't|did not|didn't) (?:know|say|mention|have|hold|appear|find)|not (?:mentioned|recorded|known|stated)"
    r"|(?:there is|i have|i find|i found) no(?:thing)?|cannot (?:tell|say|find)|can't (?:tell|say|find)|unknown"
    r"|nichts (?:bekannt|gespeichert|dazu)|keine (?:angabe|information|aufzeichnung)|weiß (?:ich )?nicht"
    r"|aucune? (?:mention|information|trace)|rien (?:à ce sujet|n'est)|ne (?:sais|dit) pas"
    r"|no (?:hay|consta|se menciona|lo sé)|ninguna? (?:mención|información))"
    r"|нічого не|не згаду|невідомо|ничего не|не упомин|неизвестно|記録がありません|情報はありません|わかりません|没有记录|没有提到|不知道",
    re.I,
)
"""Ways to say that memory holds nothing, in the languages of the personas."""

_ITEMS = re.compile(r"\s*(?:,\s*(?:and|und|et|y|та|и)\s+|[,;、，\n]|\s+(?:and|und|et|y|та|и)\s+|\s*&\s*)\s*", re.I)
Test = Callable[[str, str], bool]


def judge(asked: Asked, given: Given) -> Judgement:
    """How right an answer is, in the way of its kind. An answer that could not be had is not scored."""
    if given.error is not None:
        return Judgement(correct=None, score=None, how=f"no answer: {one_line(given.error)[:80]}")
    if asked.kind is Kind.NONE or not asked.right:
        return _nothing(asked, given)
    near = max((f1(form, given.text) for form in asked.right), default=0.0)
    if not given.found:
        return Judgement(correct=False, score=0.0, how="said that nothing is known", f1=near)
    if bad := _forbidden(asked, given.text):
        return Judgement(correct=False, score=0.0, how=f"holds what it must not: {bad}", f1=near)
    return replace(_by_kind(asked, given.text), f1=near)


def says_nothing(given: Given) -> bool:
    """Whether an answer says that memory holds nothing: by its flag, or in words in its first sentence."""
    first = next(sentences(given.text), "")
    return not given.found or bool(_NOTHING.search(first))


def _nothing(asked: Asked, given: Given) -> Judgement:
    """Nothing may be given. What was forgotten may not even be named; else an answer that gives nothing may say why."""
    bad = next((one for one in (*asked.must_not, *asked.stale) if held(one, given.text)), None)
    if bad and (asked.forget or given.found):
        return Judgement(correct=False, score=0.0, how=f"holds what it must not: {bad}")
    right = says_nothing(given)
    how = "said that nothing is known" if right else "answered what memory does not hold"
    return Judgement(correct=right, score=float(right), how=how)


def _forbidden(asked: Asked, text: str) -> str | None:
    """A value that may not be given. Where it is no preference, one that is told after the right answer is set apart
    from it ("in the Azores. A page says Brittany"), unless it stands in the same sentence."""
    test, _ = _test(asked)
    for sentence in sentences(text):
        bad = next((one for one in asked.must_not if held(one, sentence)), None)
        if bad:
            return bad
        if asked.kind is not Kind.PREFERENCE and any(test(form, sentence) for form in asked.right):
            return None
    return None


def _by_kind(asked: Asked, text: str) -> Judgement:
    if asked.kind is Kind.LIST:
        return _list(asked, text)
    test, name = _test(asked)
    if not any(test(form, text) for form in asked.right):
        old = any(test(one, text) for one in asked.stale)
        return Judgement(correct=False, score=0.0, how="only an older value" if old else "not held", stale=old)
    if asked.stale and not _current(asked, text, test):
        return Judgement(correct=False, score=0.0, how="an older value before the newest", stale=True)
    return Judgement(correct=True, score=1.0, how=name)


def _test(asked: Asked) -> tuple[Test, str]:
    """How to tell whether a text gives one form of the answer."""
    if asked.kind is Kind.DATE and any(same_day(form, form) is not None for form in asked.right):
        return lambda form, text: same_day(form, text) or held(form, text), "the same day"
    if asked.kind is Kind.NUMBER and any(same_number(form, form) is not None for form in asked.right):
        return lambda form, text: same_number(form, text) or held(form, text), "the same number"
    return lambda form, text: held(form, text) or held_loosely(form, text), "holds the answer"


def _current(asked: Asked, text: str, test: Test) -> bool:
    """Whether the newest value comes before any older one, or in the same sentence ("moved from Lyon to Porto")."""
    for sentence in sentences(text):
        if any(test(form, sentence) for form in asked.right):
            return True
        if any(test(one, sentence) for one in asked.stale):
            return False
    return True


def _list(asked: Asked, text: str) -> Judgement:
    """As a set: the share of the items that are there; right when all are."""
    best = max((_share(_items(form), text) for form in asked.right), default=0.0)
    return Judgement(correct=best >= 1.0, score=best, how=f"{best:.0%} of the items")


def _share(items: Sequence[str], text: str) -> float:
    found = sum(_has(item, text) for item in items)
    return found / len(items) if items else 0.0


def _has(item: str, text: str) -> bool:
    return bool(same_day(item, text)) or held(item, text) or held_loosely(item, text)


def _items(text: str) -> list[str]:
    return list(_distinct(_ITEMS.split(text)))


def _distinct(items: Sequence[str]) -> Iterator[str]:
    seen = set()
    for item in items:
        key = item.strip().casefold()
        if key and key not in seen:
            seen.add(key)
            yield item.strip()
