"""Whether a statement says its piece alone. What points outside itself or matters for a moment only stays in notes.

    "Mara painted it after the trip"          what did she paint?
    "Mara needs to write to the harbour"      done by next week
    'Asked "Shall we move both?", … "Yes."'   an exchange, not a statement

Pronouns and chatter are looked for in English; what is quoted is looked at inside its quotation marks.
"""

# ruff: noqa: E501 — one pattern a line

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from brain.dream.topics import is_noun, is_verbal
from brain.dream.worth import condensed
from brain.types import Fact, FactKind, Qualifier

_EXCHANGE = re.compile(r"^(?:Asked|The assistant (?:asked|listed)) ?:?")
_QUOTED = re.compile(r"^[^\"“«「:]{1,40}? ?: ?[\"“«「] ?(?P<said>.*?) ?[\"”»」]?\s*(?:\([^)]*\))?\.?$", re.DOTALL)
_REPLY = re.compile(
    r"^(?:no|yes|yeah|yep|yup|nope|ok|okay|sure|oui|non|ні|так|да|нет)\b(?! (?:one|longer|more|risk))[,.!: ]",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"^(?:it|they|he|she|that|this|these|those|them|here|there|which|what)(?:'s|’s|'re|’re|'ll|'d)?\b(?! (?:year|month|week|summer|winter|spring|autumn|fall|is (?:a|an|one|no)\b))",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(
    r"^(?:wish(?:ing)?|(?:have|has|had|did|do|does|wo|ca|could|is|are|was)n['’]t|did|was|were|been|hoping|scared|used to|gotta|looky|far (?:they|he|she|it|so)|needed|had|just|having|trying|looking forward|glad|"
    r"much [a-z]+ |nothing \w+, |for [A-Z]\w+, it was |thanks?|thank you|congrats|congratulations|sorry|good luck|hey|hi|bye|take care|don['’]t worry|let['’]s|maybe|seems|sounds|same here|me too)\b",
    re.IGNORECASE,
)
_ADVERB = re.compile(
    r"^(?:thankfully|luckily|well|actually|honestly|oh|so|and|but|plus|also|man|wow),? ", re.IGNORECASE
)
_GERUND = re.compile(
    r"^[A-Z][a-z]+ing (?:(?! (?:is|was|are|were|has|have|had|gives?|gave|helps?|helped|makes?|made|brings?|brought|keeps?|got|can|will) ).)*;"
)
_HEADLESS = re.compile(
    r"^(?:[Oo]nce|[Tt]wice|[A-Z]\w+ times|[Ee]very) [^,;]{0,20};|^Last, |^[A-Z][a-z]+ed (?:[A-Z][\w-]+['’]s|the|their|a|an|it|this|that|my) "
)
_EMPTY = re.compile(
    r"^(?:a lot|much|so much|lots) (?:has |have )?(?:happened|changed)\b|\bwhat (?:they|he|she) can do\b|^\w+ got it\b|\b[A-Z]\w+ means, |\b(?:big|many|lots? of|some|exciting|cool|crazy) things? (?:have |has |had )?(?:happen|chang)|something (?:exciting|cool|crazy|big|great|awesome) (?:has |just )?happened|"
    r"^\w+(?: and others)? can['’]t wait\b|\b(?:will|wanted to) (?:tell|show|keep) \w+ (?:posted|updated|about (?:it|them))\b|\bthinks? so\b",
    re.IGNORECASE,
)
_MOMENT = re.compile(
    r"\bneeds? to (?:write|send|call|mail|email|e-mail|check|ask|export|finish|reply|print|tell|go now|run)\b|\bneeds the\b|\bwants? to know\b|\bwants? (?:me|you|the assistant) to\b|"
    r"\b(?:won['’]t|doesn['’]t|does not|can['’]t|cannot) (?:open|load|run|start|compile|build)\.?$|\bstart there\b|\bsomewhere safe\b|\bhas (?:text|a file|the file|a question)\b|\bwill need (?:this|that|it)\b|\bno (?:packing )?list, ",
    re.IGNORECASE,
)
_TO_DO = re.compile(
    r"\b(?:still )?(?:has|needs?) to (?:write|send|call|mail|email|check|ask|tell|reply|print)\b", re.IGNORECASE
)
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")
_ANOTHER = re.compile(
    r"\b(?:been|is|was|got|saw|gets?|bought|found|had|has|saved|made|tried|wants?|needs?|on) (?:one|another|some)(?= (?:['’]cause|because|at|too|when|and|but|so|in|on|from|with|there|here)\b|[,.;!]|$)|"
    r"\b(?:a few|some|several|two|three|many) more(?= (?:in|on|at|and|but)\b|[,.;!]|$)|\b(?:do|does|doing|did) that\b|\binto (?:this|that)\b|\bmaking (?:this|that)\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"\b(?:it|them|'em|those|these|him|her)\b(?!['’]| (?:to\b|when\b|that\b|if\b|is\b|was\b|has\b|will\b|really\b|feels?\b|felt\b|made\b|own\b|all\b))",
    re.IGNORECASE,
)
_EXPLETIVE = re.compile(
    r"\b(?:ma[dk]e|makes|making|takes?|took|f[io]nds?|found|get|gets|got|call(?:ed|s)?|worth|keeps?|kept) it\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_DETERMINERS = frozenset(
    """a an the my his her their our some this that of in on at for with from to new old own""".split()  # noqa: SIM905
)
_AMOUNT = re.compile(
    r"\bthe (?:limit|total|number|price|cost|amount|size|length|maximum|minimum|rest) (?:is|was|are)\b", re.IGNORECASE
)
_LEFT_OPEN = re.compile(r"\?(?:\s*\([^)]*\))?$|\bdo(?:es)? [A-Z]\w+ have\b")


def is_exchange(text: str) -> bool:
    """Whether a statement is a question and its answer, or what the assistant asked or listed."""
    return _EXCHANGE.match(text) is not None


def unclear(fact: Fact) -> str | None:
    """Why a fact is no claim of a page; None when it stands alone."""
    if fact.kind is FactKind.WORKED and fact.qualifier is Qualifier.ASSISTANT:
        return "said for the moment"
    return _why(condensed(fact.text.strip()), fact.kind, fact.language.startswith("en"), fact.attribute is not None)


@lru_cache(maxsize=16384)
def _why(text: str, kind: FactKind, english: bool, attribute: bool) -> str | None:
    if _EXCHANGE.match(text):
        return "an exchange"
    quoted = _QUOTED.match(text)
    said = quoted["said"] if quoted else text
    if quoted and _REPLY.match(said):
        return "an exchange"
    if not english:
        return None
    if kind is not FactKind.QUESTION and (_LEFT_OPEN.search(text) or (quoted and said.rstrip().endswith("?"))):
        return "an exchange"
    if kind in (FactKind.FACT, FactKind.PLAN, FactKind.STATE, FactKind.EVENT, FactKind.QUESTION) and _of_the_moment(
        said
    ):
        return "said for the moment"
    if _EMPTY.search(said):
        return "says nothing"
    if kind in (FactKind.WORKFLOW, FactKind.QUESTION):
        return "points outside itself" if quoted and _POINTS.match(said) else None
    said = _ADVERB.sub("", said) if quoted else said
    if _POINTS.match(said) or _FRAGMENT.match(said) or _HEADLESS.match(said) or _GERUND.match(said):
        return "points outside itself"
    if _AMOUNT.search(said) or _ANOTHER.search(said):
        return "points outside itself"  # the limit of what?
    return "points outside itself" if not attribute and dangles(said) else None


def _of_the_moment(text: str) -> bool:
    return bool(_MOMENT.search(text) or _TO_DO.search(text)) and not (_MOMENT.search(text) and _DATE.search(text))


def dangles(text: str) -> bool:
    """Whether a sentence says "it" or "them" of something it has not named.

    >>> dangles("Mara painted it after the trip.")
    True
    >>> dangles("Mara got a cat and named it Tuft.")
    False
    """
    bare = _EXPLETIVE.sub(lambda match: match[0].replace("it", "--"), text)
    found = _OBJECT.search(bare)
    if found is None or found.start() > 60:
        return False
    before = [match[0] for match in _WORD.finditer(bare[: found.start()])]
    if found[0].lower() == "her" and re.match(r" [a-z]", bare[found.end() :]):
        return False  # "her sister" is a possessive
    if found[0].lower() in ("those", "these") and re.match(r" [a-z]", bare[found.end() :]):
        return False
    pairs = pairwise(before)
    return not any(_names_something(word, previous) for previous, word in pairs) and '"' not in bare[: found.start()]


def _names_something(word: str, previous: str) -> bool:
    if word[0].isupper():
        return word not in ("I", "I'm", "I've", "I'd", "I'll")
    led = previous.lower() in _DETERMINERS or previous.endswith(("'s", "’s"))
    return is_noun(word) and (led or not (word.endswith("ing") or is_verbal(word)))
