"""A sentence as said becomes a statement that stands alone: speaker named, dates absolute, at most 40 words; or a quotation."""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from brain.distil import cues_en as en
from brain.distil.cues_world import patterns
from brain.distil.dates import absolute
from brain.distil.meaning_en import tense
from brain.distil.person import dated_past, is_first_person, third_person
from brain.distil.sentences import MAX_WORDS, clip, word_count

_FINITE_LATER = r"(?!.*\b(?:is|was|has|have|helps?|helped|makes?|made|gives?|gave|feels?|felt|means?|meant|can|will|keeps?|takes?|brings?|brought|seems?)\b)"
_DROPPED_SUBJECT = (
    (re.compile(rf"^(?:gonna|going to (?=(?:try|keep|start|make|take|get|be|see|do|work|continue|check|learn|have|attend|host|move)\b)){_FINITE_LATER}\s?", re.IGNORECASE), "I am going to "),
    (re.compile(rf"^(?=(?:planning|hoping|thinking (?:of|about)|looking (?:forward|for|to)|working on|trying to|considering|heading|getting ready)\b){_FINITE_LATER}", re.IGNORECASE), "I am "),
    (re.compile(r"^(?=been\s(?:\w+ing|to|busy|super|really|a bit|so|under)\b)(?!been a)", re.IGNORECASE), "I have "),
    (re.compile(r"^(?:just\s+)?(?=(?:got|went|finished|started|bought|saw|met|made|found|took|had|moved|joined|came|won|lost|tried|visited|ran|spent|read|watched|signed|landed|passed|adopted)\s)", re.IGNORECASE), "I "),
    (re.compile(r"^gotta\s", re.IGNORECASE), "I have to "),
)  # fmt: skip
_SECOND = re.compile(r"\b(?:you|your|you're|you've|you'll|yours)\b", re.IGNORECASE)
_ADDRESS = re.compile(r"(?<!when )(?<!if )(?<!where )(?<!once )\b(?:your|you're|you've|you'll|yours)\b", re.IGNORECASE)
_ENDS = ".!?…。！？"
_SPEECH_VERB = {"fr": " : ", "zh": "：", "ja": "："}


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Who speaks to whom. `chat` is a talk between people; else the other side is an assistant."""

    name: str
    other: str | None = None
    nicknames: tuple[str, ...] = ()
    chat: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The statement, and the sentence with absolute dates but in the speaker's person (for reading attributes)."""

    text: str
    dated: str
    quoted: bool


def strip_talk(sentence: str, voice: Voice) -> str:
    """`sentence` without interjections and forms of address around it; the rest is as said."""
    for _ in range(3):
        before = sentence
        sentence = _strip_address(en.OPENING.sub("", sentence), voice).lstrip(" ,!.;:–—-")
        if sentence == before:
            break
    cut = en.TAIL.sub("", sentence)
    return cut + "." if cut != sentence and word_count(cut) > 3 else sentence


def _strip_address(sentence: str, voice: Voice) -> str:
    for name in voice.nicknames:
        if name not in sentence:
            continue
        sentence = re.sub(
            rf"^(?:(?:hey|hi|hello|thanks|oh|wow|yeah|yes|yep)[, ]+)?{re.escape(name)}\s*[,!.:-]+\s*",
            "",
            sentence,
            flags=re.IGNORECASE,
        )
        sentence = re.sub(rf"\s*,\s*{re.escape(name)}\s*(?=[.!?]+$|$)", "", sentence)
        sentence = re.sub(rf",\s*{re.escape(name)}\s*,", ",", sentence)
    return sentence


def strip_request(sentence: str) -> str:
    """What is told before a request to the assistant: "I'm visiting Emily in Denver soon, can you …?" → the first part."""
    cut = en.REQUEST_TAIL.sub("", sentence)
    if cut == sentence or word_count(cut) < 5:
        return sentence
    return cut.rstrip(" ,;-–—") + "."


def write(sentence: str, voice: Voice, said: date | None, language: str, before: str = "") -> Written:
    """The statement for `sentence`. `before` is the sentence of the same turn that it leans on ("It's special to me.")."""
    joined = _join(before, sentence) if before else sentence
    spoken = f"{before} {sentence[:1].upper()}{sentence[1:]}" if before else sentence
    dated = absolute(joined, said, language)
    text: str | None = None
    if dated.safe:
        if language == "en":
            text = _english(dated.text, voice, definite=bool(dated.remark) and not dated.remark.startswith("after"))
        elif not voice.chat and not _personal(joined, language):
            text = dated.text
    if text is not None and word_count(text) <= MAX_WORDS:
        return Written(text=_closed(text), dated=dated.text, quoted=False)
    return Written(text=quote(spoken, voice.name, language, dated.remark), dated=dated.text, quoted=True)


def _english(sentence: str, voice: Voice, *, definite: bool) -> str | None:
    sentence = _with_subject(sentence)
    personal = is_first_person(sentence)
    if not personal and (voice.chat or en.DANGLING.match(sentence)):
        return None
    if not personal and (voice.other is None or not _SECOND.search(sentence)):
        if _ADDRESS.search(sentence):
            return None
        return sentence
    text = third_person(sentence, voice.name, voice.other, past=tense(sentence) == "past", group=voice.group)
    if text is None or en.DANGLING.match(text):
        return None
    return dated_past(text, voice.name).replace(f"{voice.name} just ", f"{voice.name} ") if definite else text


def _with_subject(sentence: str) -> str:
    """English drops "I" in chat: "Went to the gym" → "I went to the gym"."""
    for pattern, subject in _DROPPED_SUBJECT:
        m = pattern.match(sentence)
        if m:
            rest = sentence[m.end() :]
            return f"{subject}{rest[:1].lower()}{rest[1:]}"
    return sentence


def _personal(sentence: str, language: str) -> bool:
    table = patterns(language)
    return table is None or any(p.search(sentence) for p in (table.first, table.second, table.relation))


def _join(before: str, sentence: str) -> str:
    start = (
        sentence
        if sentence[:2] in ("I ", "I'") or sentence.split(" ")[0].isupper()
        else sentence[:1].lower() + sentence[1:]
    )
    return f"{before.rstrip(_ENDS + ' ')}; {start}"


def quote(spoken: str, name: str, language: str, remark: str = "") -> str:
    """`Nadia: "…" (week of 2026-06-01)`: the speaker's own words, clipped to the limit."""
    room = MAX_WORDS - word_count(name) - word_count(remark) - 1
    return f"{name}{_SPEECH_VERB.get(language, ': ')}{quoted(clip(spoken, room))}" + (f" ({remark})" if remark else "")


def quoted(words: str) -> str:
    """`words` in quotation marks; typographic ones when there are straight ones inside."""
    words = words.strip()
    if words.split(" ", 1)[0].replace("'", "").replace("’", "").rstrip(",").isalpha():
        words = words[:1].upper() + words[1:]
    if words[:1] in '"“' and words[-1:] in '"”' and words.count('"') <= 2:
        words = words[1:-1]
    return f"“{words}”" if '"' in words else f'"{words}"'


def _closed(text: str) -> str:
    """One line with a capital and a full stop."""
    text = text.strip().rstrip(",;:– —")
    end = len(text.rstrip("!.…"))
    text = text[:end] + ("…" if text[end:].startswith("…") or text[end:] == "..." else "") if text[end:] else text
    if text.split(" ", 1)[0].rstrip(":,'").isalpha():
        text = text[:1].upper() + text[1:]
    return text if text[-1:] in _ENDS + '"”»」' and text[-2:] != ".)" else text + ("。" if _cjk_end(text) else ".")


def _cjk_end(text: str) -> bool:
    return "\u3040" <= text[-1:] <= "\u9fff"
