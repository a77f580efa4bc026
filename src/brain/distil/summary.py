"""A session's summary (format §9) from its facts: what it was about in 90 words, then bullets with their turns."""

# ruff: noqa: E501 — patterns, one thing a line
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from brain.distil import chatter_en
from brain.distil import cues_en as en
from brain.distil.context import DistilContext, cast_of
from brain.distil.judge import content_words, hostile, is_question
from brain.distil.rewrite import Voice, quoted, strip_talk
from brain.distil.sentences import clip, sentences, word_count
from brain.distil.speech import BlockKind, blocks
from brain.language import language_of
from brain.text import clip as clip_chars
from brain.text import slugify
from brain.tree import markdown
from brain.tree.summary import Bullet, Outcome, Summary
from brain.types import Fact, FactKind, Qualifier, Role, SubjectKind, Transcript, Trust

SUMMARY_WORDS = 85
_SETTLED = 0.5
_NOBODY = Voice(name="")
_CONTENT = re.compile(
    r"(?:(?:ok(?:ay)?|oh|yes|great)[,.! ]+)?(?:thanks|thank you|perfect|great|awesome|excellent|that (?:worked|works|helps|'s (?:it|perfect|great))|merci|parfait|danke|perfekt|gracias|perfecto|дякую|спасибо|谢谢|ありがとう)",
    re.IGNORECASE,
)
"""A last word that is content with the outcome."""

BULLET_WORDS = 220
_SECTION = {
    FactKind.DECISION: "Decisions",
    FactKind.PREFERENCE: "Corrections and preferences",
    FactKind.CORRECTION: "Corrections and preferences",
    FactKind.WORKED: "Outcomes and artifacts",
    FactKind.ARTEFACT: "Outcomes and artifacts",
    FactKind.FAILED: "Dead ends",
    FactKind.QUESTION: "Open threads",
    FactKind.PLAN: "Open threads",
}
MOST = {
    "Decisions": 5,
    "Corrections and preferences": 5,
    "Outcomes and artifacts": 5,
    "Dead ends": 3,
    "Open threads": 4,
}


def summarise(
    transcript: Transcript,
    facts: Sequence[Fact],
    context: DistilContext,
    *,
    from_turn: int = 1,
    previous: Summary | None = None,
) -> Summary:
    """The summary after turns `from_turn`.. are read. `previous` (of the turns before) keeps its bullets in it.

    `transcript_sha256`, `attached_through`, `projects` and `updated_by` are left for the caller, who knows them.
    """
    turns = transcript.turns
    times = [t.time for t in turns if t.time]
    last = turns[-1].number if turns else 0
    text = _paragraph(transcript, facts, context, previous if from_turn > 1 else None)
    return Summary(
        id=transcript.id,
        title=_title(transcript, context),
        source=transcript.source,
        started_at=transcript.started_at or (min(times) if times else None),
        ended_at=max(times) if times else (previous.ended_at if previous else None),
        turns=last,
        through_turn=last,
        outcome=_outcome(transcript, facts),
        topics=_topics(facts, previous),
        summary=text,
        bullets=_bullets(facts, previous if from_turn > 1 else None),
    )


def _title(transcript: Transcript, context: DistilContext) -> str:
    title = transcript.title.strip()
    cast = cast_of(transcript, context)
    if cast.chat and (not title or title == transcript.external_id):
        days = [t.time.astimezone(context.tz).date() for t in transcript.turns[:1] if t.time]
        title = " and ".join(cast.people[:3]) + "".join(f", {day}" for day in days)
    elif not title or title == transcript.external_id:
        title = _request(transcript, context) or title or transcript.id
    return clip_chars(title, 80)


def _request(transcript: Transcript, context: DistilContext) -> str:
    """What the session set out to do: the fullest task or question of the first turn that gives one."""
    first = ""
    for turn in transcript.turns[:20]:
        if turn.role is not Role.USER or turn.redacted or turn.trusted_as is Trust.EXTERNAL:
            continue
        asked = ""
        for block in blocks(turn.text[:4000]):
            for sentence in sentences(block.text) if block.kind is BlockKind.PROSE else ():
                if "‹redacted:" in sentence or hostile(sentence) or word_count(sentence) < 3:
                    continue
                if en.TALK.search(sentence) or chatter_en.COMPLAINT.search(sentence):
                    continue
                asks = is_question(sentence) or en.REQUEST.search(sentence)
                if asks and len(content_words(sentence)) > max(1, len(content_words(asked))):
                    asked = sentence
                first = first or sentence
        if asked:
            return strip_talk(asked, _NOBODY) or asked
    return first


def _paragraph(transcript: Transcript, facts: Sequence[Fact], context: DistilContext, previous: Summary | None) -> str:
    parts: list[str] = []
    room = SUMMARY_WORDS
    if previous and previous.summary:
        start = clip(markdown.plain(previous.summary), 40)
        parts.append(start)
        room -= word_count(start)
    cast = cast_of(transcript, context)
    request = "" if cast.chat or previous else _request(transcript, context)
    if len(content_words(request)) >= (3 if facts else 1) and (is_question(request) or en.REQUEST.search(request)):
        says = " asked: " if language_of(request, context.language) == "en" else ": "
        asked = f"{cast.owner}{says}{quoted(clip(request, 24))}"
        parts.append(asked)
        room -= word_count(asked)
    for fact in _best(facts, room):
        parts.append(fact.text if fact.text[-1:] in '.!?。！？"”)' else f"{fact.text}.")
    if not parts:
        return f"{len(transcript.turns)} turns, nothing in them to remember."
    return markdown.escape(" ".join(parts))


def _best(facts: Sequence[Fact], room: int) -> list[Fact]:
    """What came of it, then the weightiest facts that fit, at most three of a kind, in the order they were said."""
    came = [f for f in facts if _came_of_it(f) and word_count(f.text) <= room // 2][-1:]
    order = sorted(facts, key=lambda f: (f.qualifier is not None, -f.weight, f.first_turn))
    chosen: list[Fact] = []
    by_kind: dict[object, int] = {}
    for fact in (*came, *(f for f in order if f not in came)):
        count = word_count(fact.text)
        kind = fact.qualifier or fact.kind
        if count > room or by_kind.get(kind, 0) >= (2 if fact.qualifier else 3):
            continue
        by_kind[kind] = by_kind.get(kind, 0) + 1
        chosen.append(fact)
        room -= count
    return sorted(chosen, key=lambda f: (f.last_turn, facts.index(f)))


def _came_of_it(fact: Fact) -> bool:
    """A result: decided, solved, written, or set up by the assistant."""
    if fact.kind in (FactKind.DECISION, FactKind.WORKED, FactKind.ARTEFACT):
        return True
    return fact.qualifier is Qualifier.ASSISTANT and fact.weight >= _SETTLED


def _bullets(facts: Sequence[Fact], previous: Summary | None) -> dict[str, tuple[Bullet, ...]]:
    """Bullets by section: what the previous summary had, then the weightiest new ones, within the word limit."""
    room = BULLET_WORDS
    found: dict[str, list[Bullet]] = {}
    for section, old in (previous.bullets if previous else {}).items():
        for bullet in old[-MOST[section] + 1 :]:
            if word_count(bullet.text) <= room:
                found.setdefault(section, []).append(bullet)
                room -= word_count(bullet.text)
    order = sorted((f for f in facts if f.kind in _SECTION), key=lambda f: (-_importance(f), f.first_turn))
    for fact in order:
        section = _SECTION[fact.kind]
        text = clip(fact.text, 30)
        if len(found.get(section, ())) >= MOST[section] or word_count(text) > room:
            continue
        found.setdefault(section, []).append(
            Bullet(text=markdown.escape(text), first=fact.first_turn, last=fact.last_turn)
        )
        room -= word_count(text)
    return {s: tuple(sorted(b, key=lambda x: (x.first, x.last, x.text))) for s, b in found.items()}


def _importance(fact: Fact) -> float:
    bonus = (
        0.3
        if fact.kind in (FactKind.DECISION, FactKind.CORRECTION)
        else 0.15
        if fact.kind is FactKind.ARTEFACT
        else 0.0
    )
    return (
        fact.weight
        + bonus
        - (0.2 if fact.qualifier is Qualifier.ASSISTANT and fact.kind is not FactKind.ARTEFACT else 0.0)
    )


def _outcome(transcript: Transcript, facts: Sequence[Fact]) -> Outcome:
    """How a work session ended, as far as its last words tell."""
    if not transcript.turns or not any(t.role is Role.ASSISTANT for t in transcript.turns):
        return Outcome.UNKNOWN
    last = [f for f in facts if f.kind in (FactKind.WORKED, FactKind.FAILED)][-1:]
    final = next((t for t in reversed(transcript.turns) if t.role in (Role.USER, Role.ASSISTANT) and not t.call), None)
    if final and final.role is Role.USER and is_question(final.text.strip()):
        return Outcome.PARTIAL
    if last:
        return Outcome.DONE if last[0].kind is FactKind.WORKED else Outcome.PARTIAL
    if any(f.kind is FactKind.ARTEFACT for f in facts):
        return Outcome.DONE
    settled = any(_came_of_it(f) for f in facts)
    content = final is not None and final.role is Role.USER and _CONTENT.match(final.text.strip()) is not None
    return Outcome.DONE if settled and content else Outcome.UNKNOWN


def _topics(facts: Iterable[Fact], previous: Summary | None) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    for fact in facts:
        for subject in fact.about:
            if subject.kind is not SubjectKind.OTHER and not subject.name.startswith("The "):
                slug = slugify(subject.name, 40)
                counts[slug] = counts.get(slug, 0) + 1
    best = sorted(counts, key=lambda s: (-counts[s], s))
    return tuple(dict.fromkeys([*(previous.topics if previous else ()), *best]))[:6]
