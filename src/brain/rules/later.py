"""Later turns that override a claim (SEM003): the same subject and attribute with another value, or its end.

Only the same subject counts (CASES T08): "Ben left Kyoto" closes nothing about Aiko.
"""

# ruff: noqa: E501 — lists of words and patterns, one language a line
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from brain.rules import voice
from brain.rules.speaker import same_person
from brain.rules.wording import DATE, STOP, Words, alike, content, names, numbers, plain, stem
from brain.text import words
from brain.types import Trust, Turn

_ATTRIBUTES: dict[str, frozenset[str]] = {
    name: frozenset(stem(w) for w in listed.split())
    for name, listed in {
        "work": "work works working job join joined assigned employed employer position role team project company travail travaille bosse"
        " arbeite arbeitet trabaja работает работаю працює працюю 工作 上班 仕事 働",
        "live": "live lives living reside resides moved move moving relocate relocated apartment flat based stay stays home habite vis vit"
        " déménagé wohne wohnt umgezogen vive живет живёт живу переехал переехала живе мешкає переїхала переїхав 住在 住ん 搬到 引っ越",
        "date": "deadline due deliver delivery ship ships launch release meeting appointment trip flight visit starts start begins happens"
        " scheduled planned booked event conference rendez-vous termin reunión встреча зустріч дедлайн 截止 会议 締切 締め切り 会議 出張",
        "like": "prefer prefers preferred want wants like likes favourite favorite use uses using format préfère veux veut mag bevorzugt prefiere"
        " предпочитает предпочитаю хочет любит віддає хоче любить 喜欢 偏好 想要 好き 希望",
        "host": "host hosts hosted hosting organise organises organizer led leads lead manage manages manager responsible owner",
        "status": "open closed done finished pending approved confirmed cancelled blocked active paused ready status",
        "with": "married engaged dating partner wife husband boyfriend girlfriend single",
        "own": "have has own owns drive drives car laptop phone pet dog cat",
    }.items()
}  # fmt: skip
_CHANGE = re.compile(
    r"\b(?:moved|move|moving|switched|switching|changed|changing|left|quit|quits|resigned|stopped|cancel\w*|postpon\w*|reschedul\w*|delayed|replaced|instead"
    r"|no longer|not anymore|any ?more|any longer|used to|actually|correction|turns out|from now on|as of now|now|already|finished|ended|over|broke up|sold|dropped)\b"
    r"|n['’]\w+ plus|\b(?:désormais|maintenant|déménagé|quitté|annulé|reporté|finalement|plutôt)\b|\b(?:nicht mehr|jetzt|umgezogen|verlassen|gekündigt|verschoben|abgesagt|stattdessen)\b"
    r"|\b(?:больше не|теперь|переехал\w*|ушел|ушёл|ушла|уволи\w*|отмен\w*|перенес\w*|вместо)\b|\b(?:більше не|тепер|переїха\w*|піш\w+|звільни\w*|скасува\w*|перенес\w*|замість)\b"
    r"|不再|现在|改成|改为|搬到|离开|取消|推迟|換|换|辞|もう|やめ|今は|変更|引っ越|中止|延期|代わりに",
    re.I,
)
_END = re.compile(
    r"\b(?:left|leaving|quit|quits|resigned|stopped|cancel\w*|no longer|any ?more|any longer|finished|ended|broke up|sold|dropped)\b|ne \w+ plus|nicht mehr|больше не"
    r"|більше не|quitté|annulé|уш[её]л|ушла|отмен|скасов|пішов|пішла|不再|离开|取消|やめ|中止",
    re.I,
)
_ONWARD = re.compile(r"\b(?:to|onto|into|at|in|for|with|à|chez|nach|bei|zu|a|на|в|у|до)\s+|到|在|に|へ|で", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """A later turn that speaks against a claim, with the sentence and the reason."""

    turn: Turn
    sentence: str
    why: str


def overrides(
    claim: str,
    turns: Iterable[Turn],
    *,
    subjects: Sequence[str] = (),
    owners: Sequence[str] = (),
    speaker: str | None = None,
) -> list[Override]:
    """Turns, all later than the claim's evidence, that give its subject another value or end it; in their order.

    `subjects` are the names of whom or what the claim is about (the page's title and aliases); without them the
    first name of the claim. `speaker` is who "I" is in the claim, `owners` who "I" is in an unnamed user turn.
    """
    prose = plain(claim)
    about = tuple(subjects) or tuple(names(prose)[:1])
    found = []
    aspect = attributes(prose)
    values = _values(prose, about)
    for turn in turns:
        if turn.trusted_as not in (Trust.OWNER, Trust.TOOL):
            continue
        who = [turn.name] if turn.name else list(owners)
        for sentence in voice.sentences(turn.text):
            if voice.asked(sentence) or not _speaks_of(sentence, about, who, speaker):
                continue
            why = _against(prose, sentence, aspect, values, about)
            if why:
                found.append(Override(turn=turn, sentence=sentence, why=why))
                break
    return found


def _speaks_of(sentence: str, about: Sequence[str], who: Sequence[str], speaker: str | None) -> bool:
    held = Words(sentence)
    others = names(sentence)
    for name in about:
        parts = [w for w in words(name) if w not in STOP]
        if parts and all(p in held for p in parts):
            return True
        if parts and any(same_person(name, other) for other in others):
            return True
    if voice.first_person(sentence):
        return any(same_person(a, b) for a in (*about, *([speaker] if speaker else [])) for b in who)
    return False


def attributes(text: str) -> frozenset[str]:
    """Of which things that may change a text speaks: work, live, date, host…"""
    roots = {stem(w) for w in words(text)}
    return frozenset(
        name
        for name, listed in _ATTRIBUTES.items()
        if any(alike(root, one) for root in roots for one in listed if root[:2] == one[:2])
    )


def _values(text: str, about: Sequence[str]) -> frozenset[str]:
    """Names, numbers and dates of a sentence, but for its subject and a word that only opens it."""
    own = {w for name in about for w in words(name)}
    named = [n for n in names(text) if not text.lstrip("\"'“«„ ").startswith(n)]
    found = {w for name in named for w in words(name)} | set(numbers(text)) | {m[0] for m in DATE.finditer(text)}
    return frozenset(w for w in found if w not in own and w not in STOP)


def _against(
    prose: str, sentence: str, aspect: frozenset[str], values: frozenset[str], about: Sequence[str]
) -> str | None:
    held = Words(sentence)
    old = sorted(v for v in values if v in held)
    changes = _CHANGE.search(sentence) is not None
    if old and _END.search(sentence) and (aspect & attributes(sentence) or not aspect or "left" in sentence):
        return f"it ends what the claim says of {', '.join(old)}"
    same = aspect & (
        attributes(sentence) | ({"work", "live"} if re.search(r"\bmoved? (?:on )?to\b", sentence) else frozenset())
    )
    new = _values(sentence, about) - values
    fresh = {v for v in new if not any(alike(stem(v), stem(w)) for w in words(prose))}
    comparable = _same_type(values, fresh) if values else any(not v[0].isdigit() for v in fresh)
    if same and changes and comparable and not old:
        return f"it gives another value ({', '.join(sorted(fresh))}) for {' and '.join(sorted(same))}"
    if same and changes and fresh and old and _ONWARD.search(sentence):
        return f"it changes {', '.join(old)} to {', '.join(sorted(fresh))}"
    shared = [w for w in content(prose, {p for n in about for p in words(n)}) if w in held]
    wanted = [w for w in content(prose, {p for n in about for p in words(n)}) if w not in values]
    if (
        wanted
        and values
        and fresh
        and not old
        and len([w for w in shared if w not in values]) >= max(1, 0.6 * len(wanted))
        and _same_type(values, fresh)
    ):
        return f"it says the same of {', '.join(sorted(fresh))} instead of {', '.join(sorted(values))}"
    if voice.denied(sentence) != voice.denied(prose) and len(shared) >= max(
        2, 0.7 * len(content(prose, {p for n in about for p in words(n)}))
    ):
        return "it denies what the claim affirms" if voice.denied(sentence) else "it affirms what the claim denies"
    return None


def _same_type(a: Iterable[str], b: Iterable[str]) -> bool:
    def kinds(values: Iterable[str]) -> set[str]:
        return {"number" if v[0].isdigit() else "name" for v in values}

    return bool(kinds(a) & kinds(b))
