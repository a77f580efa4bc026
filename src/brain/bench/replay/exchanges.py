"""Real questions: asked by the user of an agent, answered, and then confirmed or at least not put right.

user       Which port does the staging database listen on?
assistant  It listens on 5433.
user       Thanks, that's it. …                               → confirmed
"""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from brain.bench.asked import Given
from brain.bench.judging.forms import sentences
from brain.bench.judging.judge import says_nothing
from brain.bench.replay.history import Session, keys
from brain.distil.exchange import agreed
from brain.distil.judge import hostile, is_question, judge
from brain.language import language_of
from brain.secrets import find_secrets
from brain.text import count_words, one_line
from brain.tree import markdown
from brain.types import Role, Trust, Turn

MOST_WORDS = 40
FEWEST_WORDS = 2  # that say what a question is about
SAME = 0.6
VAGUE = keys(
    "next plan step thing things need go get got know use using used first exactly very really want start add make best good new right ready "
    "again remind tell remember many much long often kind sort type name called please hey hi thing stuff way part done move idea"
)
"""Words of a question that do not say what it is about."""

_PLACEHOLDER = "‹redacted:"
_SPACELESS = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
_TASK = re.compile(
    r"^(?:please\s+)?(?:can|could|would|will)\s+(?:you|we)\s+(?!(?:please\s+)?(?:tell|remind|recall|remember|say)\b)|^(?:shall|should)\s+I\b",
    re.I,
)
_FACT = re.compile(
    r"\b(?:who|whose|whom|what|which|where|when|how (?:many|much|long|often|old|big|far|tall|heavy|late|high)"
    r"|wer|wen|wem|wessen|was|welche[rsmn]?|wo|wohin|woher|wann|wie ?viele?|wie (?:lange|oft|alt|groß|weit|heißt|hieß)"
    r"|qui|que|quel(?:le)?s?|où|quand|combien|quién(?:es)?|qué|cuál(?:es)?|d[óo]nde|cuándo|cuánt[oa]s?"
    r"|chi|quale?|quali|dove|quando|quant[oaie]|quem|qual|quais|onde|wie|welke?|waar|wanneer|hoeveel"
    r"|хто|що|який|яка|яке|які|де|куди|коли|скільки|кто|что|какой|какая|какое|какие|где|куда|когда|сколько"
    r"|kto|co|który|która|gdzie|kiedy|ile)\b",
    re.I,
)
"""What a question has that asks for something that can be told in a few words."""

_ADVICE = re.compile(
    r"\bhow (?:would|do|does|can|should|could|to|about|come)\b|\bwhy\b|\b(?:should|shall|can|could|may|might) (?:I|we)\b|\b(?:would|could|can|do) you\b(?! (?:know|remember|recall|remind|tell|have))"
    r"|\bwhat(?:'s| is| are| would be)? (?:do I (?:say|do|write|need)|to (?:do|say|write)|if\b|about\b|else\b|(?:the |a )?(?:best|better|good|right|difference)|your)|\bwhat does .{1,40} mean\b|\bideas?\b|^any(?:thing)?\b"
    r"|\b(?:warum|wieso|weshalb|pourquoi|comment|por qué|cómo|perché|come mai|porqu[eê]|waarom|hoe|чому|навіщо|почему|зачем|як|как|dlaczego|jak)\b|\bwie (?:kann|soll|könnte|würde|mache?|geht)\w*\b"
    r"|\b(?:soll(?:te)?n?|kann|könnte) (?:ich|wir)\b|\b(?:dois|devrais|puis|pourrais)-je\b|\bqu[eé] (?:hago|digo|debo|puedo)\b",
    re.I,
)
_NO = re.compile(
    r"^(?:no|nope|wrong|not (?:right|true|quite)|incorrect|nein|falsch|stimmt nicht|non|faux|incorrecto|ні|неправильно|нет|неверно)\b(?!\s+(?:thanks|problem|worries|need))|^(?:that|this|it)(?:'s| is) (?:not|wrong|outdated|old)\b|^(?:actually|eigentlich|en fait|en realidad)\b",
    re.I,
)
_THANKS = re.compile(
    r"^(?:thanks|thank you|thx|great|perfect|exactly|right|good|danke|genau|merci|gracias|дякую|спасибо)\b", re.I
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A question and the reply that stood. `confirmed` says that the user took it up in words."""

    session: str
    turn: int
    reply_turn: int
    at: datetime
    text: str
    reply: str
    confirmed: bool


def exchanges(session: Session, left: Counter[str]) -> Iterator[Exchange]:
    """The questions of a session that were answered; `left` counts the others, by reason."""
    if len({turn.name for turn in session.turns if turn.role is Role.USER and turn.name}) > 1:
        return  # people among themselves
    for at, turn in enumerate(session.turns):
        if turn.role is not Role.USER or turn.trusted_as is not Trust.OWNER or turn.time is None:
            continue
        question = asked_in(turn)
        if not question:
            continue
        answered = _answered(session.turns, at)
        why = _unfit(turn, question, answered)
        if why or answered is None:
            left[why] += 1
            continue
        after = _next_of_user(session.turns, at)
        if after is not None and (why := _objected(after, question)):
            left[why] += 1
            continue
        yield Exchange(
            session=session.row.id,
            turn=turn.number,
            reply_turn=answered.number,
            at=turn.time,
            text=question,
            reply=markdown.plain(answered.text),
            confirmed=after is not None and _confirms(after),
        )


def asked_in(turn: Turn) -> str:
    """The question a turn is: the whole of a short one, else its only question; "" when it is none."""
    text = markdown.plain(turn.text)
    asked = [one.strip() for one in sentences(text) if is_question(one.strip())]
    if len(asked) != 1 or _TASK.search(asked[0]):
        return ""
    whole = one_line(text)
    return whole if is_question(whole) and count_words(whole) <= MOST_WORDS else one_line(asked[0])


def topic(question: str) -> frozenset[str]:
    """The words of a question that say what it is about."""
    return keys(_FACT.sub(" ", question)) - VAGUE


def _unfit(turn: Turn, question: str, answered: Turn | None) -> str:
    """Why a question is none of those that can be asked again; "" = it can."""
    if count_words(question) > MOST_WORDS:
        return "too long"
    if not _FACT.search(question) or _ADVICE.search(question):
        return "asks for advice or a yes, not for something told"
    if len(topic(question)) < FEWEST_WORDS:
        return "says too little by itself"
    if _SPACELESS.search(question):
        return "written without spaces: its words cannot be told apart here"
    if hostile(question):
        return "gives orders to a model"
    if answered is None:
        return "not answered"
    if any(one.redacted or _PLACEHOLDER in one.text or find_secrets(one.text) for one in (turn, answered)):
        return "has a secret in it"
    first = next(sentences(answered.text), "")
    if says_nothing(Given(text=answered.text)) or is_question(first):
        return "the agent did not know"
    return ""


def _answered(turns: tuple[Turn, ...], at: int) -> Turn | None:
    """The last thing the agent said before the user spoke again."""
    found = None
    for turn in turns[at + 1 :]:
        if turn.role is Role.USER:
            break
        if turn.role is Role.ASSISTANT and turn.text.strip():
            found = turn
    return found


def _next_of_user(turns: tuple[Turn, ...], at: int) -> Turn | None:
    return next((turn for turn in turns[at + 1 :] if turn.role is Role.USER), None)


def _objected(after: Turn, question: str) -> str:
    """Whether the user put the answer right, or asked the same once more."""
    text = one_line(markdown.plain(after.text))
    language = language_of(text)
    firsts = [one.strip() for one in sentences(text)][:2]
    if _NO.search(text) or any((it := judge(one, language, to_assistant=True)) and it.correction for one in firsts):
        return "the user put the answer right"
    first, second = keys(question), keys(asked_in(after))
    if second and len(first & second) >= SAME * len(first | second):
        return "asked once more"
    return ""


def _confirms(after: Turn) -> bool:
    first = next(sentences(one_line(markdown.plain(after.text))), "").strip()
    return bool(_THANKS.search(first)) or agreed(first, language_of(first))
