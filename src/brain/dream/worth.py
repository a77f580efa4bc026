"""How much a statement is worth on a page, and its words without what adds nothing.

A page condenses: what says who, when, where, how many or which is worth its line; how lovely it was is not. Remarks at
the end of a sentence ("… - it was so powerful") are cut off where the rest stands alone; nothing is put in their place.
"""

# ruff: noqa: E501 — one pattern a line

from __future__ import annotations

import re
from functools import lru_cache

from brain.types import Fact, FactKind, Qualifier

_BONUS = {
    FactKind.STATE: 0.08,
    FactKind.RELATION: 0.08,
    FactKind.PREFERENCE: 0.08,
    FactKind.DECISION: 0.1,
    FactKind.CORRECTION: 0.15,
    FactKind.WORKFLOW: 0.15,
    FactKind.WORKED: 0.15,
    FactKind.FAILED: 0.15,
}
_QUOTE = re.compile(r"^(?:Asked |[^\"“«「:]{1,40}: ?[\"“«「])")
_DATE = re.compile(r"\d{4}-\d{2}|\b(?:19|20)\d{2}\b")
_NUMBER = re.compile(
    r"\b\d+\b|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|first|second|third|twice)\b", re.IGNORECASE
)
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][\w&'’-]+|[\"“«「][^\"”»」]{3,}[\"”»」]")
_LOOSE_START = re.compile(
    r"^(?:and|but|so|or|since (?:the|our) last|it|that|this|these|those|they|there|here|which|what|how|seeing|being|having|knowing|realizing|getting|the (?:best|most|only) (?:part|thing)|one thing)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"\b(?:this|these|that|those) (?:one|is|was|are|were|jam|pic|picture|photo|painting|piece|look|place|book|game|movie|song|thing|stuff|kind|bowl|dish|recipe|agency|guy|girl)\b"
    r"|\b(?:this|these|those) (?!week|month|year|summer|winter|spring|autumn|fall|morning|evening|weekend)[a-z]+|\bof (?:them|it|this|that)\b"
    r"|\bhere's\b|\btake a look\b|\bcheck (?:it|them|this|these) out\b|\bmake this\b|\bdid this\b|\bpainted this\b|\bwrote this\b|\bmade this\b",
    re.IGNORECASE,
)
_HOLLOW = re.compile(
    r"\b(?:keep (?:pushing|going|working|plugging|trying|searching)|come true|let's|gotta|determined|hopeful|hoping|optimistic|staying|give up|no matter|hard work|pay off|"
    r"push(?:ing|ed)? (?:through|each|themself)|positive|obstacles|success|support|memories|awesome|great time|had a blast)\b",
    re.IGNORECASE,
)
_AT_HAND = re.compile(
    r"^\w+ (?:also |just |really )?(?:loves?|likes?|adores?) (?:all )?(?:the|this|that|these|those|how|his) (?!outdoors|sea|beach|mountains?|city|countryside|idea|smell|ocean|woods|forest)",
    re.IGNORECASE,
)
_BARE_DEFINITE = re.compile(
    r"^(?:the|their) [a-z]+(?: [a-z]+)? (?:is|was|were|are|has|had|helps?|gave|made|makes|always|looks?)\b",
    re.IGNORECASE,
)
_FEELING = re.compile(
    r"\b(?:excited|thankful|grateful|proud|happy|glad|lucky|blessed|amazing|awesome|incredible|wonderful|inspiring|inspired|rewarding|special|powerful|fun|joy|thrilled|stoked|motivated|motivates?|"
    r"can't wait|looking forward|means? (?:a lot|the world|so much)|keep going|worth it|never give up|believe|dreams?|vibes?|feels?|feeling|felt|love it|loved it|appreciate|important|passionate|journey)\b",
    re.IGNORECASE,
)
_REMARK = (
    r"(?:it (?:was|is|has been|felt|feels|made|makes|really|all|just|still)|it's|it’s|that's|that was|this is|they were|they're|such (?:an?|as)|so (?:much|many|cool|fun|happy|proud|powerful|rewarding|excited)|"
    r"really (?:rewarding|cool|fun)|what an?\b|can't wait|feels?\b|felt\b|makes?\b|which (?:is|was) (?:pretty|so|really|very|great|awesome|amazing|super)|definitely|totally|super\b|pretty\b|nothing beats|love it|"
    r"(?:he|she|they|[A-Z][\w-]+) (?:is|was|are|were|feels?|felt|had|loved?) (?:so|really|super|very|such|pretty|just|a blast|it|a great)\b)"
)
_TAIL = re.compile(
    rf"(?:\s+[-–—]\s+|\s*;\s+|,?\s+and\s+(?=it (?:was|is|has been|felt)|it's)|,\s+(?=which (?:is|was)|it's|it was))(?P<rest>{_REMARK}[^;]*)$"
)
_STANDS = 5
_OPENER = re.compile(
    r"^(?:(?:on top of that|unfortunately|luckily|thankfully|honestly|actually|besides|anyway|btw|by the way|of course|also|plus|oh yeah|oh|yeah|yep|haha(?: yeah)?|well|so|and|but|"
    r"since (?:the|our) last (?:chat|talk|conversation)|since we last (?:chatted|talked|spoke)|in other news|guess what)[,:!]? )+(?=[A-Z]|[a-z]+ing\b|the |a |an )",
    re.IGNORECASE,
)
_CHATTER = re.compile(
    r"^(?:(?:(?:not )?(?:so )?(?:much|a lot|lots|quite a bit)(?:['’]s| has| have)? (?:happened|changed|been going on|going on)[^;]{0,60}?(?: - |, but |; |: ))"
    r"|(?:(?:since|the last time|last time) [^,;]{3,50}(?:spoke|chatted|talked|saw e?ach ?other|caught up|met)(?:,| )+)"
    r"|(?:(?:crazy|cool|funny|something|here['’]s something|great|exciting)[^-;]{0,60}? (?:happened|changed|news)[^-;]{0,40} -+ )"
    r"|(?:(?:it['’]s been |been )?quite (?:a|the) \w+[^-;]{0,50} -+ )"
    r"|(?:thanks for asking,? ?(?:[^-;,]{0,20}(?:- |; |, ))?)"
    r"|(?:[A-Z]\w+ (?:has|had|wants) to share something \w+[^-;]{0,20} - )"
    r"|(?:[A-Z]\w+ (?:wanted to tell|has to say|have to say|must say|has to tell)[^,;]{0,40}(?:,| that) )"
    r"|(?:(?:whoa|woah|wow|yay|hey|hmm+|aww+|inspiring|congrats)[^\w\s]*\s(?:[A-Z]\w+, )?\W*)"
    r"|(?:[A-Z][a-z]+ing, (?=[A-Z]\w+ also ))"
    r"|(?:(?:on a different note|to top it off|for real|don['’]t worry|just|anyways?|best of all|apart from that|thankfully|sadly), ?)"
    r"|(?:just (?=on |in |a few |got |had |been )))(?=[A-Z]|on \d|in the |a few )",
    re.IGNORECASE,
)
_ASKING_TAIL = re.compile(r"\s*[;–-]\s[^;?.]*\?(?=\s*(?:\([^)]*\))?$)")
_JOINED = re.compile(
    r"^(?P<before>[^\"“«]{1,40}? ?: ?[\"“«])(?P<joint>(?:and|but|so|also|plus|et|mais|donc|au fait|y|und|aber|і|та|але),? )(?P<first>\w)",
    re.IGNORECASE,
)
_CLOSER = re.compile(
    r",? (?:btw|by the way|haha|lol|though|you know|take a look|check it out)(?=[.!]?$)|,? by the way(?=,)",
    re.IGNORECASE,
)


def worth(fact: Fact) -> float:
    """A number by which statements of a page compete for its room; about 0 to 1.3."""
    score = fact.weight + _BONUS.get(fact.kind, 0.0) + substance(fact.text) + (0.12 if fact.attribute else 0.0)
    return score - (0.15 if fact.qualifier in (Qualifier.ASSISTANT, Qualifier.EXTERNAL, Qualifier.IMAGE) else 0.0)


@lru_cache(maxsize=8192)
def substance(text: str) -> float:
    """What words alone say of a statement's worth: days, numbers and names for it; feelings, pointing, quoting against."""
    score = 0.12 * bool(_DATE.search(text)) + 0.06 * min(2, len(_NUMBER.findall(_DATE.sub("", text))))
    score += 0.07 * min(1 if _QUOTE.match(text) else 3, len(set(_NAME.findall(text)))) - 0.12 * min(
        3, len(_FEELING.findall(text))
    )
    score -= (
        0.2 * bool(_QUOTE.match(text)) + 0.25 * bool(_LOOSE_START.match(text)) + 0.25 * bool(_POINTING.search(text))
    )
    named = bool(_DATE.search(text) or _NUMBER.search(text) or _NAME.search(text))
    score -= (
        0
        if named
        else 0.15 * bool(_BARE_DEFINITE.match(text))
        + 0.3 * bool(_AT_HAND.match(text))
        + 0.2 * bool(_HOLLOW.search(text))
    )
    return score


def is_quote(text: str) -> bool:
    """Whether a statement is somebody's own words in quotation marks."""
    return _QUOTE.match(text) is not None


@lru_cache(maxsize=8192)
def condensed(text: str) -> str:
    """The statement without remarks at its end that hold no name, number or day of their own.

    >>> condensed("Mara ran a charity race on 2026-05-20 - it was really rewarding.")
    'Mara ran a charity race on 2026-05-20.'
    >>> condensed("Much has happened since Mara and others last spoke - Mara went to a fair on 2026-05-20.")
    'Mara went to a fair on 2026-05-20.'
    """
    if match := _JOINED.match(text):
        return f"{match['before']}{match['first'].upper()}{text[match.end() :]}"
    if '"' in text or "“" in text:
        return text
    first = text
    text = _ASKING_TAIL.sub(".", _CLOSER.sub("", _OPENER.sub("", _CHATTER.sub("", text, count=1))))
    text = text if first.startswith(text[:8]) else text[:1].upper() + text[1:]
    while match := _TAIL.search(text.rstrip(" .!")):
        rest, kept = match["rest"], text[: match.start()]
        if _DATE.search(rest) or _NUMBER.search(rest) or len(_NAME.findall(rest)) > 0 or len(kept.split()) < _STANDS:
            break
        text = kept.rstrip(" ,;-–—") + "."
    return text
