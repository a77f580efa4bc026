"""Is a sentence worth remembering, what kind of statement is it, and how much does it weigh (0..1)?"""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from brain.distil import chatter_en
from brain.distil import cues_en as en
from brain.distil.cues_world import Patterns, patterns, weight_any_language
from brain.distil.dates_world import spans as dated_words
from brain.distil.sentences import word_count
from brain.types import FactKind

KEEP = 0.4
"""A statement below this weight is not noted."""

_QUESTION = re.compile(r"[?？؟]\s*[\"'”»)]*$")
_NUMBER = re.compile(
    r"\b\d[\d,.:%]*\b|[$€£]\s?\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|once|twice)\b",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"(?<=[a-z,;:)\"'])\s+[\"“]?[A-Z][a-zA-Z0-9]+(?!')")
_QUOTE = re.compile(r"[\"“«「][^\"”»」]{3,60}[\"”»」]")
_WORD = re.compile(r"[a-zA-Z][a-zA-Z'’-]+")
_NO = re.compile(
    r"(?:no|nope|wrong)\b[,.!]\s+(?!thanks|thank|worries|problem|need|idea|no\b|\w+[.!]?$)\S.{10,}", re.IGNORECASE
)
_CODE = re.compile(r"`[^`]{60,}`|[{\[]\s?[\"'][\w-]+[\"']\s?:|[;{}]\s*[;{}]|</?[a-z]+>|\w+\([^)]*\);")
_YOU = re.compile(r"\b(?:you|your|you're|you've|you'd|you'll)\b", re.IGNORECASE)
_READY = re.compile(
    r"\b(?:I'm|I am|we're|we are) (?:now )?(?:ready|excited|happy|eager|all set|curious|good) (?:to|for|about|with)\b|\blet's\b",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(
    r"^(?:you|your|you're|you've)\b|\b(?:you|your) (?:can|could|should|may|might|must|will|just|already|said|wrote|gave|made|did)\b",
    re.IGNORECASE,
)
_OVERRIDE = re.compile(
    r"\b(?:ignore|disregard|forget)\b.{0,30}\b(?:previous|prior|above|earlier|all|your|these)\b.{0,30}\b(?:instruction|prompt|rule|message|context|direction)s?\b|\bsystem prompt\b|\byou are now\b|"
    r"<\|?(?:im_start|system|assistant|endoftext)|\[/?INST\]|ignorez? (?:toutes )?les instructions|忽略.{0,8}(?:指令|指示|说明)|無視して.{0,10}指示|指示を無視|ігноруй\w* .{0,20}інструкц|игнорируй\w* .{0,20}инструкц",
    re.IGNORECASE,
)
_DIRECTIVE = re.compile(
    r"^(?:please\s+)?(?:always|never|you must|you should|must|do not|don't|make sure|be sure|remember|from now on|add to|save|store|send|forward|upload|delete|ignore|important:|note to|assistant|ai )\b|\b(?:must|should) (?:always|never)\b|\bto your (?:memory|knowledge)\b|\badd (?:this|the following)? ?to (?:your |the )?(?:memory|knowledge)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """`weight` decides; `standing` marks a wish for all future work, `correction` that it puts something right."""

    kind: FactKind
    weight: float
    standing: bool = False
    correction: bool = False
    question: bool = False


def hostile(sentence: str) -> bool:
    """Text that tries to give orders to a model; it is never a statement."""
    return _OVERRIDE.search(sentence) is not None


def directive(sentence: str) -> bool:
    """An order in text from outside: not to be kept in any form."""
    return hostile(sentence) or _DIRECTIVE.search(sentence) is not None


def opens_question(sentence: str) -> bool:
    """A question without its mark; not "What helped was a second pump.", which tells."""
    return chatter_en.OPEN_QUESTION.match(sentence) is not None and not chatter_en.CLEFT.match(sentence)


def unfit(sentence: str) -> bool:
    """What is never noted in any form: secrets taken out, orders to a model, code."""
    return "‹redacted:" in sentence or hostile(sentence) or _CODE.search(sentence) is not None


def is_question(sentence: str) -> bool:
    return _QUESTION.search(sentence) is not None


@lru_cache(maxsize=1024)
def judge(sentence: str, language: str, *, to_assistant: bool) -> Judgement | None:
    """None for talk, tasks given to the assistant, and text that is no statement."""
    if unfit(sentence):
        return None
    if language == "en":
        return _judge_english(sentence, to_assistant)
    table = patterns(language)
    return _judge_world(sentence, table, to_assistant, language) if table else _judge_any(sentence)


def content_words(sentence: str) -> set[str]:
    """Lower-case words that say something."""
    return {
        w for w in (m.lower().replace("’", "'") for m in _WORD.findall(sentence)) if w not in en.BLAND and len(w) > 2
    }


def _judge_english(sentence: str, to_assistant: bool) -> Judgement | None:
    count = word_count(sentence)
    if count < 3:
        return None
    content = content_words(sentence)
    if (len(content) < 2 and not _NUMBER.search(sentence)) or not content:
        return None
    talk = en.TALK.search(sentence) is not None
    question = is_question(sentence)
    first = en.FIRST.search(sentence) is not None
    standing = to_assistant and en.STANDING.search(sentence) is not None
    correction = not question and bool(en.CORRECTION.search(sentence) or (to_assistant and _NO.match(sentence)))
    if to_assistant and chatter_en.REFUSAL.search(sentence):
        return None
    if to_assistant and not standing and not correction and _task(sentence, question, first):
        return None
    kind, weight = _kind_english(sentence, question)
    if standing:
        kind, weight = FactKind.PREFERENCE, 0.36
    if correction:
        kind, weight = FactKind.CORRECTION, max(weight, 0.24)
    weight += 0.1 + _richness(sentence, content, count, first)
    if talk:
        weight -= 0.34
    if question:
        weight -= 0.2
    if to_assistant and not standing:
        weight -= chatter_en.penalty(sentence, first=first)
        if en.MOMENT.search(sentence):
            weight -= 0.24
    if not to_assistant and en.EXHORTS.search(sentence):
        weight -= 0.16
    if to_assistant and kind is not FactKind.DECISION and _READY.search(sentence):
        weight -= 0.15
    if sentence.istitle() or (
        not _NUMBER.search(sentence) and sum(w[0].islower() for w in _WORD.findall(sentence)) < 0.3 * count
    ):
        weight -= 0.2
    if to_assistant and en.NAMED_SUBJECT.search(sentence):
        weight += 0.14
    if en.SHOWS.search(sentence):
        weight -= 0.15
    unsettled = en.OPEN.search(sentence)
    if unsettled and first and unsettled.start() > len(sentence) / 2:
        unsettled = None  # an afterthought: what stands before it is the statement
    if kind in (FactKind.FACT, FactKind.PLAN, FactKind.STATE, FactKind.EVENT) and unsettled:
        kind, weight = FactKind.QUESTION, weight + (0.3 if to_assistant and count <= 8 else 0.1)
    if en.GENERAL.search(sentence) and not first:
        weight -= 0.12
    if not (standing or correction) and _YOU.search(sentence):
        weight -= 0.14
    return Judgement(
        kind=kind, weight=max(0.0, min(1.0, weight)), standing=standing, correction=correction, question=question
    )


def _task(sentence: str, question: bool, first: bool) -> bool:
    if en.REQUEST.search(sentence):
        return True
    if question or opens_question(sentence):
        return True
    return not first and _ADDRESSED.search(sentence) is not None


def _kind_english(sentence: str, question: bool) -> tuple[FactKind, float]:
    if question:
        return FactKind.QUESTION, 0.0
    best, total = FactKind.FACT, 0.0
    for kind, pattern, weight in en.KINDS:
        if pattern.search(sentence):
            if best is FactKind.FACT:
                best = kind
                total = weight
            else:
                total += 0.06
                if total > 0.4:
                    break
    return best, total


def _richness(sentence: str, content: set[str], count: int, first: bool) -> float:
    weight = 0.1 if first else 0.0
    weight += min(0.2, 0.035 * (len(content) - 1))
    if _NUMBER.search(sentence):
        weight += 0.1
    names = len(_CAPITAL.findall(sentence))
    weight += min(0.16, 0.09 * names)
    if _QUOTE.search(sentence):
        weight += 0.08
    if en.KIN_NAMED.search(sentence):
        weight += 0.1
    if count < 5:
        weight -= 0.12
    return weight


def _judge_world(sentence: str, table: Patterns, to_assistant: bool, language: str) -> Judgement | None:
    count = word_count(sentence)
    if count < 2 or len(sentence) < 5:
        return None
    question = is_question(sentence)
    standing = to_assistant and table.standing.search(sentence) is not None
    correction = table.correction.search(sentence) is not None and not question
    first = table.first.search(sentence) is not None
    wish = to_assistant and not question and table.wish.search(sentence) is not None
    if to_assistant and (table.request.search(sentence) or question) and not (standing or correction or wish):
        return None
    talk = table.talk.search(sentence) is not None
    weight = 0.16 + weight_any_language(sentence) + (0.12 if first else 0.0) + min(0.12, 0.012 * count)
    if dated_words(sentence, None, language):
        weight += 0.14
    kind = FactKind.FACT
    for candidate, pattern, gain in table.kinds:
        if pattern.search(sentence):
            if kind is FactKind.FACT:
                kind, weight = candidate, weight + gain
            else:
                weight += 0.05
    if standing or wish:
        kind, weight = FactKind.PREFERENCE, weight + 0.2
    if correction and kind is not FactKind.PREFERENCE:
        kind, weight = FactKind.CORRECTION, weight + 0.2
    if talk and count < 8:
        weight -= 0.4
    if question:
        kind, weight = FactKind.QUESTION, weight - 0.2
    if count < 4:
        weight -= 0.08
    return Judgement(
        kind=kind, weight=max(0.0, min(1.0, weight)), standing=standing, correction=correction, question=question
    )


def _judge_any(sentence: str) -> Judgement | None:
    """A language without a table: numbers, names and quoted words have to do."""
    count = word_count(sentence)
    if count < 4 or is_question(sentence):
        return None
    return Judgement(
        kind=FactKind.FACT, weight=min(1.0, 0.2 + weight_any_language(sentence) + min(0.15, 0.012 * count))
    )
