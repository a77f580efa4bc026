"""What an assistant's answer leaves to look up later: what it set up, the values it gave, the plan or list it made."""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re
from dataclasses import dataclass, field

from brain.distil import cues_en as en
from brain.distil.agent import ASKS_FOR_NAMES
from brain.distil.judge import content_words, hostile
from brain.distil.sentences import clip, sentences, word_count
from brain.distil.speech import Block, BlockKind, blocks

MOST_A_TURN = 2
"""Notes that one answer may leave."""

_ROOM = 38
_READ = 12_000
_VALUE_WORDS = 9
_SETTLED = re.compile(
    r"\b(?:I(?:'ve| have)|I) (?:now |also |just |successfully |gone ahead and |already )*(?:added|set|scheduled|booked|reserved|updated|adjusted|moved|changed|removed|replaced|saved|marked|logged|recorded|confirmed|increased|reduced|allocated|swapped|assigned|created|drafted|reminded|registered)\b"
    r"|\byour [\w' -]{2,50}? (?:is|are|has been|have been) (?:now |currently |officially |successfully )*(?:set|adjusted|updated|scheduled|moved|booked|confirmed|complete|completed|reserved|saved|fixed|at|due|estimated|increased|reduced|allocated)\b"
    r"|\b(?:confirmation (?:number|code)|reference number|booking reference|total (?:cost|budget|amount) (?:is|comes|of))\b"
    r"|\b(?:estimated (?:cost|total|time)|total (?:is|of)|comes to|adds up to|amounts to|equals|works out (?:to|at)|takes) (?:is |about |around |roughly |approximately |just |only |a total of )*[$€£~]?\d"
    r"|\b(?:j'ai|nous avons) (?:ajouté|mis à jour|réservé|planifié|déplacé|créé|fixé)\b|(?:ich habe|wir haben) .{0,60}(?:hinzugefügt|aktualisiert|gebucht|geplant|verschoben)\b|(?:追加|更新|予約|設定|変更)しました|已(?:添加|更新|预订|安排|设置)",
    re.IGNORECASE,
)
_MAY = re.compile(
    r"\bI\b|\b[Yy]our\b|number|code|total|cost|time|comes|adds|amounts|equals|works out|takes|\b[Mm]y\b|best|j'ai|ich|recom"
)
_NO_CLAIM = re.compile(
    r"\b(?:apolog\w+|sorry|glad|happy|great to|congrat\w+|could aim|you (?:can|could|may|might|should|want|need)|to (?:record|add|do|get|use) |can't|cannot|unable|if you|would you|could you|let me know|as an ai|language model|I don't have|for example|such as|confirm(?:ing)? if|whether|understand|once|when you|I'll be|the (?:context|conversation))\b|[?？]\s*$",
    re.IGNORECASE,
)
_PICKS = re.compile(
    r"\b(?:I(?:'d| would)?(?: highly| strongly| definitely)? (?:recommend|suggest|choose|pick|go (?:with|for))|my (?:recommendation|suggestion|pick|choice|top pick) (?:is|would be)|seems to (?:be the )?best|(?:is|are|would be) (?:the|your) best\b|would work (?:well|best)|I recommended)\b|je (?:recommande|conseille|suggère)|ich (?:empfehle|würde)|recomiendo|おすすめ(?:は|します)|我推荐|推荐您",
    re.IGNORECASE,
)
_NAMED_OR_COUNTED = re.compile(r"(?<=[a-z,;:)\"'] )[\"“]?[A-Z][\w'’-]+|\d|[\"“][A-Z]|[ァ-ヴー]{3,}")
_VALUE = re.compile(
    r"\d|\b(?:daily|weekly|monthly|every|once|twice|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)\b",
    re.IGNORECASE,
)
_HEAD = re.compile(r"^(?P<head>[^:：–—]{2,70}?)(?:\s*[:：]\s*|\s+[–—-]\s+)(?P<rest>\S.*)$", re.DOTALL)
_MAKES = re.compile(
    r"\b(?:plan|schedule|itinerary|recipe|routine|menu|budget|steps?|strateg\w+|outline|checklist|timeline|program(?:me)?|workout|syllabus|roadmap|agenda|summary|breakdown|analysis|draft|template|list|table|rotation|protocol|phases?|milestones?|profile|rules?|structure|design|schema|architecture|criteria|stages?|exercises?|portfolio|ideas?|suggest\w*|recommend\w*|options?|names?|examples?"
    r"|itinéraire|recette|programme|liste|étapes|Plan|Rezept|lista|pasos|receta|план|список|рецепт|розклад)\b|計画|予定|リスト|レシピ|计划|行程|清单|食谱|步骤",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"\b(?:explain|what (?:is|are|does)|benefits|advantages|define|difference|why (?:is|are|do|does)|in general|pros and cons|tips|advice)\b",
    re.IGNORECASE,
)
_BARE_HEAD = re.compile(
    r"^(?:notes?|tips?|note|important|goal|why|how|what|key|pros|cons|description|overview|benefits?|example|action|purpose|focus|instructions?|conclusion|introduction|summary|duration|cara|manfaat|reason|rationale|objective)$",
    re.IGNORECASE,
)
_PLAN = re.compile(
    r"\b(?:plan|schedule|itinerary|recipe|routine|steps?|strateg\w+|checklist|timeline|program(?:me)?|workout|syllabus|roadmap|agenda|protocol|itinéraire|recette|étapes|Rezept|pasos|receta|план|рецепт)\b|計画|予定|レシピ|计划|行程|食谱|步骤",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"^(?:check|ask|get|choose|pack|plan|stay|be|start|use|consider|make|look|keep|avoid|try|include|create|respect|read|research|review|set|find|take|know|understand|practi[cs]e|learn|focus|identify|write|don't|do|provide|develop|ensure|offer|clearly|share|reach|contact|search|visit|follow|join|attend|utili[sz]e|leverage|monitor|track|prepare|enjoy|build|reflect|celebrate|experiment|explore|engage|add|break|go|select|familiari[sz]e|bring|allow|give|leave|let|listen|limit|maintain|manage|measure|prioriti[sz]e|remember|schedule|stick|store|test|think|wash|wear|compare|print|implement)\b",
    re.IGNORECASE,
)
_LOOSE_HEADING = re.compile(
    r"^(?:tips?|features?|what|when|where|how|here|some|popular|recommend\w*|create|consider|platforms?|your|why|general|additional|other|best|must|options?|ideas?|resources?|key|highlights?|regarding|note|next)\b",
    re.IGNORECASE,
)
_SAYS = re.compile(r"\d|(?<=[a-z,;)\"'] )(?!I\b|I['’])[A-Z][\w'’-]+|[\"“«„「][^\"”»“」]{2,}")
"""What a brief answer must have to be worth a note: a number, a name inside a sentence, or words it quotes."""

_QUOTES = re.compile(r"[\"“”«»`]")
_NUMBERING = re.compile(r"^(?:(?:\d{1,2}|[IVX]{1,4}|[A-Z])[.)]\s+|#+\s*|[^\w\"'(]+\s*)+")


@dataclass(slots=True)
class _Section:
    heading: str
    items: list[str] = field(default_factory=list)
    valued: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`text` as told of the assistant; a `spoken` one is a sentence still in its own words, a `pick` one it recommends."""

    text: str
    spoken: bool
    weight: float
    pick: bool = False


def answers(text: str, request: str) -> list[Answer]:
    """At most two statements of what an answer to `request` settled, listed or picked."""
    text = text[:_READ]
    found = _sentences(text)[:1]
    listed = bool(request) and (ASKS_FOR_NAMES.search(request) or _MAKES.search(request)) is not None
    planned = bool(request) and _PLAN.search(request) is not None
    sections = [
        s for s in _sections(text) if len(s.items) >= 2 and (s.valued >= 2 or (listed and (planned or not _advises(s))))
    ]
    if sum(len(s.items) for s in sections) >= 3 and (listed or not _GENERIC.search(request)):
        best = sorted(range(len(sections)), key=lambda i: (-sections[i].valued, -len(sections[i].items), i))
        valued = [sections[i] for i in sorted(i for i in best[: MOST_A_TURN - len(found)] if sections[i].valued >= 2)]
        found.extend(Answer(text=_told(s, request), spoken=False, weight=0.46) for s in valued)
        if not valued and sections:
            found.append(Answer(text=_told(_merged(sections), request), spoken=False, weight=0.42))
    return found


def _merged(sections: list[_Section]) -> _Section:
    """Lists that only name things are one list."""
    if len(sections) == 1:
        return sections[0]
    return _Section("", [i for s in sections for i in s.items if not _LOOSE_HEADING.match(i)] or sections[0].items)


def short(text: str) -> str:
    """The one sentence a brief answer consists of, "" when it says more or nothing ("28. Kg3 would be my move.")."""
    said = text.strip()
    if "\n" in said or not 2 <= word_count(said) <= 24 or re.search(r"[?!]|\byour?\b", said) or not _SAYS.search(said):
        return ""
    return "" if _NO_CLAIM.search(said) or hostile(said) or en.TALK.search(said) or "‹redacted:" in said else said


def _sentences(text: str) -> list[Answer]:
    """What it says it set or worked out, else the one thing it picks."""
    settled: list[str] = []
    picked = ""
    for block in blocks(text):
        if block.kind is not BlockKind.PROSE:
            continue
        for sentence in sentences(block.text):
            if sentence.isascii() and not _MAY.search(sentence):
                continue
            if not 5 <= word_count(sentence) <= 36 or hostile(sentence) or "‹redacted:" in sentence:
                continue
            if _NO_CLAIM.search(sentence) or sentence.endswith((":", "：")):
                continue
            if _SETTLED.search(sentence) and len(content_words(sentence)) >= 3:
                settled.append(sentence)
            elif not picked and _PICKS.search(sentence) and _NAMED_OR_COUNTED.search(sentence):
                picked = sentence
    if settled:
        best = max(settled, key=lambda s: len(_NAMED_OR_COUNTED.findall(s)))
        return [Answer(text=best, spoken=True, weight=0.5)]
    return [Answer(text=picked, spoken=True, weight=0.48, pick=True)] if picked else []


def _sections(text: str) -> list[_Section]:
    """The lists of an answer under the headings they stand under."""
    found = [_Section("")]
    for block in blocks(text):
        if block.kind is BlockKind.HEADING:
            found.append(_Section(_bare(block.text)))
        elif block.kind is BlockKind.ITEM:
            _take(found, block)
        elif block.kind is BlockKind.PROSE and block.text.endswith((":", "：")) and word_count(block.text) <= 9:
            found.append(_Section(_bare(block.text)))
    return found


def _take(found: list[_Section], block: Block) -> None:
    text = block.text.strip()
    if "‹redacted:" in text or not text:
        return
    if text.endswith((":", "：")) and word_count(text) <= 9:
        found.append(_Section(_bare(text)))
        return
    m = _HEAD.match(text)
    head = _bare(m["head"]) if m else ""
    rest = m["rest"] if m else text
    if head and _BARE_HEAD.match(head) and not _VALUE.search(rest):
        return
    value = _value(rest) if head else ""
    if head and value:
        part = f"{head}: {value}"
    elif head and word_count(head) <= 8:
        part = head
    else:
        part = text.rstrip(".") if word_count(text) <= _VALUE_WORDS else ""
    if "【" not in part and (len(part) > 3 or not part.isascii()):
        found[-1].items.append(_QUOTES.sub("", part).replace(";", ","))
        found[-1].valued += bool(value) or (not head and re.search(r"\d", part) is not None)


def _value(rest: str) -> str:
    """The amount, time or day that an item gives, "" when it explains rather."""
    if not _VALUE.search(rest[:160]):
        return ""
    first = next(iter(sentences(rest[:400])), rest).rstrip(".")
    for cut in (first, first.split(" (")[0], re.split(r"[,;(]\s|\s[–—-]\s", first)[0].rstrip("(")):
        if word_count(cut) <= _VALUE_WORDS:
            return cut if _VALUE.search(cut) else ""
    return ""


def _advises(section: _Section) -> bool:
    """A list of what one may do in general, not of things."""
    return sum(_ADVICE.match(i) is not None for i in section.items) * 2 > len(section.items)


def _bare(text: str) -> str:
    return _NUMBERING.sub("", text.replace("()", "")).strip(' .:：*"“”_-–—')


def _told(section: _Section, request: str) -> str:
    """`The assistant's "Meal plan": Monday: lentil soup; …` or `On "…" the assistant listed: …`, within the limit."""
    heading = clip(section.heading, 10).replace('"', "'")
    if heading and not _BARE_HEAD.match(heading) and not (request and _LOOSE_HEADING.match(heading)):
        lead = f'The assistant on "{heading}": '
    else:
        asked = clip(request, 12).rstrip(".!?:").replace('"', "'")
        lead = f'On "{asked}" the assistant listed: ' if asked else "The assistant listed: "
    room = _ROOM - word_count(lead) - 2
    kept: list[str] = []
    items = [i for i in dict.fromkeys(section.items) if not hostile(i)]
    for item in items:
        room -= word_count(item)
        if room < 0:
            break
        kept.append(item)
    more = len(items) > len(kept)
    return lead + "; ".join(kept or [clip(i, 20) for i in items[:1]]) + (" and more" if more else "") + "."
