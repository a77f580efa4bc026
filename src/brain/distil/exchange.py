"""What only two turns together say: an answer with its question, a yes with the proposal, a correction with what it corrects."""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re
from dataclasses import dataclass, replace

from brain.distil import chatter_en
from brain.distil import cues_en as en
from brain.distil.attributes import Attribute, attribute_of
from brain.distil.cues_world import patterns
from brain.distil.judge import content_words, is_question
from brain.distil.rewrite import Voice, quoted, strip_talk
from brain.distil.sentences import clip, sentences, word_count
from brain.distil.speech import BlockKind, blocks

_SHORT = 7
_QUESTION_WORDS = 18
_WH = re.compile(r"\b(?:what|which|who|whom|whose|when|where|how|why)\b", re.IGNORECASE)
_OPTION = re.compile(
    r"\b(?:option|number|idea|choice|plan|version)\s*#?(\d{1,2})\b|\b(?:the\s+)?(first|second|third|fourth|fifth|last)\s+(?:one|option|idea|choice)\b",
    re.IGNORECASE,
)
_ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}
_NOT = re.compile(
    r"\b(?:it'?s|it is|that'?s|should be|they'?re|there (?:are|were)|is|are|was|actually)\s+(?P<new>[^,.;!?]{1,50}?),?\s+(?:and\s+)?not\s+(?P<old>[^,.;!?]{1,50})|\bnot\s+(?P<old2>[^,.;!?]{1,40}?),?\s+(?:but|it'?s|it is)\s+(?P<new2>[^,.;!?]{1,50})"
    r"|(?P<new3>[\w][\w .'’&/-]{0,40}?),\s+not\s+(?P<old3>[^,.;!?]{1,40})",
    re.IGNORECASE,
)
_NOT_WORLD = re.compile(
    r"(?:c['’]est|il y a|ce sont)\s+(?P<new>[^,.;!?]{1,40}?),?\s+(?:et\s+)?(?:non|pas)\s+(?P<old>[^,.;!?]{1,40})|не\s+(?P<old2>[^,.;!?]{1,40}),\s*а\s+(?P<new2>[^,.;!?]{1,40})|不是(?P<old3>[^，,。；]{1,20})[，,]?(?:而)?是(?P<new3>[^，,。；]{1,20})"
    r"|(?P<old4>[^、。，,]{1,20})(?:ではなく|じゃなくて)、?(?P<new4>[^、。，,]{1,20})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What an assistant turn put forward: its proposing sentence and its list items."""

    text: str
    items: tuple[str, ...] = ()


def closing_question(text: str, voice: Voice) -> str:
    """The last question a turn asks, without address and small talk, "" when it asks none."""
    last = ""
    for block in blocks(text[-3000:]):
        if block.kind is not BlockKind.PROSE:
            continue
        for sentence in sentences(block.text):
            if is_question(sentence):
                last = sentence
    if not last:
        return ""
    bare = strip_talk(last, voice)
    return clip(bare or last, _QUESTION_WORDS)


def needs_question(sentence: str, question: str, language: str) -> bool:
    """Whether an answer cannot be understood without its question: a fragment, or one that opens with a loose pronoun."""
    if not question:
        return False
    count = word_count(sentence)
    if language != "en":
        table = patterns(language)
        if table is None:
            return False
        plain_yes = table.yes.search(sentence) is not None and count <= 2
        return count <= 4 and table.talk.search(sentence) is None and not (plain_yes and word_count(question) < 5)
    if is_question(sentence) or en.TALK.search(sentence) or chatter_en.penalty(sentence, first=False):
        return False
    if count <= 2:
        return _WH.search(question) is not None or bool(en.YES.match(sentence)) or sentence[:1].isupper()
    return (count <= _SHORT and not _has_clause(sentence)) or (
        en.DANGLING.match(sentence) is not None and _WH.search(question) is not None
    )


_LOOSE = re.compile(
    r"^(?:did|do|does|is|was|are|were|have|has|can|could|would|will|how|what|why|when|where)\b.{0,30}\b(?:it|that|this|they|them|one|he|she|those|these)\b",
    re.IGNORECASE,
)


def loose(question: str) -> bool:
    """A question that itself leans on what went before ("Did you capture it?")."""
    if en.GREETING_QUESTION.match(question):
        return True
    content = len(content_words(question))
    return content < (1 if _WH.search(question) else 2) or (_LOOSE.match(question) is not None and content < 4)


def _has_clause(sentence: str) -> bool:
    return (
        re.search(
            r"\b(?:I|we|he|she|they|it|there|who|that)(?:'\w+)?\b|\b(?:is|are|was|were|am|have|has|had|did|do|does|will|would|can|got|went)\b",
            sentence,
            re.IGNORECASE,
        )
        is not None
    )


def answer_text(question: str, answer: str, name: str, language: str) -> str:
    """`Asked "Which city?", Nadia said: "Kyoto."`; other languages keep to the bare exchange."""
    if language == "en":
        return f"Asked {quoted(question)}, {name} said: {quoted(answer)}"
    return f"{quoted(question)} — {name}: {quoted(answer)}"


def proposal(text: str) -> Proposal | None:
    """The proposal an assistant turn ends on, None when it proposes nothing."""
    found = ""
    items: list[str] = []
    for block in blocks(text):
        if block.kind is BlockKind.ITEM:
            items.append(block.text)
            continue
        if block.kind is not BlockKind.PROSE:
            continue
        for sentence in sentences(block.text):
            if en.PROPOSES.search(sentence) and not _empty_offer(sentence):
                found = sentence
    if not found and not items:
        return None
    return Proposal(text=found, items=tuple(items[:20]))


def _empty_offer(sentence: str) -> bool:
    return (
        len(content_words(sentence)) < 3
        or re.search(
            r"\b(?:let me know|anything else|does (?:that|this)|how does|sound good|would you like to (?:proceed|continue|discuss|explore))\b",
            sentence,
            re.IGNORECASE,
        )
        is not None
    )


def agreed(answer: str, language: str) -> bool:
    """Whether a user's first sentence accepts what was proposed."""
    if is_question(answer) or answer.endswith(("...", "…")):
        return False
    if language != "en":
        table = patterns(language)
        return table is not None and table.yes.search(answer) is not None and word_count(answer) <= 8
    if re.search(r"\b(?:but|not|don't|instead|however|except|no)\b", answer, re.IGNORECASE):
        return False
    return en.AGREES.search(answer) is not None and word_count(answer) <= 16


def chosen(answer: str, offered: Proposal) -> str:
    """The proposal or list item that an agreeing answer takes."""
    if m := _OPTION.search(answer):
        index = int(m[1]) - 1 if m[1] else _ORDINALS[m[2].lower()]
        if -1 <= index < len(offered.items) and offered.items:
            return offered.items[index]
    said = content_words(answer)
    best = max(offered.items, key=lambda item: len(said & content_words(item)), default="")
    if best and len(said & content_words(best)) >= 2:
        return best
    return offered.text


def replaced(sentence: str, earlier: list[str]) -> tuple[str, Attribute | None]:
    """What a correction corrects: the earlier sentence that holds the old value ("" if none), and the attribute with its
    new value."""
    m = _NOT.search(sentence) or _NOT_WORLD.search(sentence)
    if m is None:
        return "", attribute_of(sentence)
    groups = m.groupdict()
    new = next((v for k, v in groups.items() if k.startswith("new") and v), "").strip(" '\"")
    old = next((v for k, v in groups.items() if k.startswith("old") and v), "").strip(" '\"")
    new = re.sub(r"^(?:actually|now|in|at|by|on|the|a)\s+", "", new, flags=re.IGNORECASE)
    key = _key(old)
    source = (
        next(
            (s for s in reversed(earlier) if key and re.search(rf"(?<!\w){re.escape(key)}(?!\w)", s, re.IGNORECASE)), ""
        )
        if key
        else ""
    )
    own = attribute_of(sentence)
    if own and own.value and not source:
        return "", own
    before = attribute_of(source) if source else None
    if (
        before
        and before.value
        and (key.casefold() in before.value.casefold() or before.value.casefold() in old.casefold())
    ):
        number = re.search(r"\d[\d.,]*", new) if before.name.startswith("number of") else None
        return source, replace(before, value=number[0] if number else new)
    if own and own.name.startswith("number of"):
        return source, own
    value = re.search(r"\d[\d.,]*", new)
    if value and (number := re.match(r"\d[\d.,]*", key)):
        noun = re.search(rf"(?<!\w){re.escape(number[0])}\s+([a-z][\w-]+(?:\s[a-z][\w-]+)?)", f"{source} {sentence}")
        if noun:
            return source, Attribute(name=f"number of {noun[1]}", value=value[0], subject=None)
    return source, own


def _key(old: str) -> str:
    """The part of the old value to look for: its name or number."""
    if number := re.search(r"\d[\d.,:]*", old):
        return number[0]
    if name := re.search(r"[A-ZÀ-ÞА-ЯІЇЄҐ][\w'’-]*(?:\s[A-ZÀ-Þ][\w'’-]*)*", old):
        return name[0]
    return re.sub(r"^(?:the|a|an|in|on|at|by|my|our)\s+", "", old)
