"""Verification without a model (format §15): do the cited turns say what a claim says, by the right person?

    >>> from brain.types import Role, Turn
    >>> turn = Turn(number=3, role=Role.USER, name="Nadia", text="I moved to Lyon, the figures go out as PDF.")
    >>> verify("Nadia moved to Lyon.", [turn]).support.value
    'supported'
    >>> verify("Nadia moved to Kyoto.", [turn]).why
    "the cited turns do not hold the name 'Kyoto'"

What is tested is the text itself: quoted words, numbers, dates (relative phrases against the turn's own time), names
and codes of the claim must be in the evidence, its words too in some form, with the same yes or no, said and not only
asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from brain.rules import voice
from brain.rules.missing import Missing, missing
from brain.rules.scene import Scene
from brain.rules.speaker import speaker_problem, wrong_subject
from brain.rules.wording import Words, content, label_of, plain, quotes, stem, unquoted
from brain.text import words
from brain.types import Qualifier, Trust, Turn


class Support(StrEnum):
    SUPPORTED = "supported"
    PARTIAL = "partial"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """`coverage` is the share of the claim's meaningful words found near each other in the evidence, 0..1."""

    support: Support
    why: str
    missing: tuple[Missing, ...] = ()
    coverage: float = 0.0

    @property
    def ok(self) -> bool:
        return self.support is Support.SUPPORTED


_KIN = re.compile(
    r"^\S+(?: \S+){0,2} is (?:the )?\S+(?: \S+){0,2}['’]s? (?:\w+ ){0,2}(?:friend|sister|brother|mother|father|mom|mum"
    r"|dad|son|daughter|cousin|aunt|uncle|niece|nephew|colleague|coworker|co-worker|roommate|neighbou?r|boss|manager|partner"
    r"|wife|husband|dog|cat|pet|puppy|grandmother|grandfather|grandma|grandpa)\b",
    re.IGNORECASE,
)
"""A relation named in passing ("with my friend Alex") holds whatever is only planned with that friend."""

ENOUGH, SOME, SURE = 0.75, 0.45, 0.9
"""Shares of a claim's words: enough with two missing at most, some for a partial one, sure whatever is missing."""


def verify(
    claim: str,
    turns: Sequence[Turn],
    *,
    qualifier: Qualifier | None = None,
    owners: Iterable[str] = (),
    subjects: Iterable[str] = (),
) -> Verdict:
    """Whether the cited `turns` support `claim` (a claim line, or its prose).

    `owners` are the names of the brain's users, whom "I" in an unnamed user turn may mean; `subjects` the title and
    aliases of the page, which a turn may call "he" or "it". Turns of session time None support no relative date.
    """
    prose = plain(claim)
    if not turns:
        return Verdict(support=Support.UNSUPPORTED, why="no cited turn could be read")
    owners, subjects = tuple(owners), tuple(subjects)
    lacking = missing(claim, turns, owners=owners, subjects=subjects)
    scene = Scene(prose, label_of(claim), turns, (*owners, *subjects))
    inferred = qualifier is Qualifier.INFERRED
    return (
        _another_speaks(wrong_subject(prose, scene, turns, owners, subjects))
        or _wrong_speaker(scene, turns, qualifier)
        or (None if inferred else _lacks(lacking, scene))
        or _polarity(prose, scene)
        or _weight(scene, inferred, lacking)
    )


def _another_speaks(why: str | None) -> Verdict | None:
    return Verdict(support=Support.UNSUPPORTED, why=why) if why else None


def _wrong_speaker(scene: Scene, turns: Sequence[Turn], qualifier: Qualifier | None) -> Verdict | None:
    if why := speaker_problem(qualifier, [t.trusted_as for t in turns]):
        return Verdict(support=Support.UNSUPPORTED, why=why, coverage=scene.coverage())
    if qualifier not in (None, Qualifier.DISPUTED):
        return None
    other = _only_said_by(scene, turns)
    if other is None:
        return None
    who, mark = ("the assistant", "assistant") if other is Trust.AGENT else ("outside content", "external")
    return Verdict(
        support=Support.PARTIAL,
        why=f"{who} says this, the user's turns do not: add ^[{mark}]",
        coverage=scene.coverage(frozenset({other})),
    )


def said_only_by(claim: str, turns: Sequence[Turn], *, owners: Iterable[str] = ()) -> Trust | None:
    """AGENT or EXTERNAL when it is those turns that hold what a claim says and the user has not confirmed it."""
    return _only_said_by(Scene(plain(claim), label_of(claim), turns, tuple(owners)), turns)


def _only_said_by(scene: Scene, turns: Sequence[Turn]) -> Trust | None:
    if scene.coverage(frozenset({Trust.OWNER, Trust.TOOL})) >= SOME / 2 or any(
        voice.confirmed(t.text) for t in turns if t.trusted_as is Trust.OWNER
    ):
        return None
    others = (Trust.AGENT, Trust.EXTERNAL)
    return next((one for one in others if scene.coverage(frozenset({one})) >= ENOUGH), None)


def _lacks(lacking: tuple[Missing, ...], scene: Scene) -> Verdict | None:
    if not lacking:
        return None
    first = lacking[0]
    hard = any(m.kind in ("code", "number", "date", "quote") for m in lacking)
    coverage = scene.coverage()
    return Verdict(
        support=Support.UNSUPPORTED if hard or coverage < ENOUGH else Support.PARTIAL,
        why=f"the cited turns do not hold the {first.kind} {first.text!r}", missing=lacking, coverage=coverage,
    )  # fmt: skip


def _polarity(prose: str, scene: Scene) -> Verdict | None:
    ranked = scene.ranked()
    if not ranked:
        return None
    own = unquoted(prose)
    if len(content(own)) < 2 and quotes(prose):
        return None  # a verbatim quote carries its own yes and no
    top = len(scene.hits[ranked[0]])
    said = [_told(sentence, hits) for (sentence, _), hits in zip(scene.sentences, scene.hits, strict=True)]
    near = [i for i in ranked if len(scene.hits[i]) >= max(1, 0.6 * top)]
    strong = len(scene.hits[ranked[0]]) >= SOME * len(scene.wanted)
    if strong and not quotes(prose):
        if voice.asked(said[ranked[0]]) and not voice.asked(prose) and all(voice.asked(said[i]) for i in near):
            asker = scene.sentences[ranked[0]][1].number
            if not any(voice.confirmed(t.text) for _, t in scene.sentences if t.number > asker):
                return Verdict(
                    support=Support.UNSUPPORTED, why="the cited turn only asks this", coverage=scene.coverage()
                )
        if voice.denied(own) != voice.denied(scene.sentences[ranked[0]][0]) and not any(
            _clause_agrees(own, scene.sentences[i][0], scene.hits[i]) for i in (ranked if voice.denied(own) else near)
        ):
            verb = "denies" if not voice.denied(own) else "affirms"
            return Verdict(support=Support.CONTRADICTED, why=f"the cited turn {verb} this", coverage=scene.coverage())
        if voice.denied(own) and _added_denial(own, scene):
            return Verdict(support=Support.CONTRADICTED, why="the cited turn affirms this", coverage=scene.coverage())
        unsure = voice.possible(own) or voice.planned(own) or _KIN.search(own) is not None
        if not unsure and all(voice.possible(said[i]) for i in near):
            return Verdict(
                support=Support.PARTIAL, why="the cited turn says this only as a possibility", coverage=scene.coverage()
            )
        if not unsure and _past(own, scene.sentences[ranked[0]][0]):
            return Verdict(
                support=Support.PARTIAL,
                why="the cited turn plans this; the claim says it happened",
                coverage=scene.coverage(),
            )
    return None


def _told(sentence: str, hits: frozenset[str]) -> str:
    """What the sentence tells ahead of its request, when that holds most of the claim's words in it; else all of it."""
    head = voice.told(sentence)
    if head == sentence or not head.strip():
        return sentence
    held = Words(head)
    return head if sum(word in held for word in hits) >= 0.6 * len(hits) else sentence


def _clause_agrees(own: str, sentence: str, hits: frozenset[str]) -> bool:
    """Whether the part of the sentence that speaks of the claim has its polarity, clause by clause."""
    denied = voice.denied(own)
    parts = voice.clauses(sentence)
    if denied:
        return any(voice.denied(part) for part in parts)
    best = max(parts, key=lambda part: sum(word in Words(part) for word in hits), default=sentence)
    return not voice.denied(best)


def _added_denial(own: str, scene: Scene) -> bool:
    """Whether a part of the claim denies what its counterpart in the evidence says, although both hold a denial."""
    parts = [part for _, turn in scene.sentences for s in voice.sentences(turn.text) for part in voice.clauses(s)]
    held = [(part, Words(part)) for part in dict.fromkeys(parts)]
    for clause in voice.clauses(own):
        wanted = [w for w in content(clause) if w in scene.wanted]
        if len(wanted) < 2 or not voice.denied(clause):
            continue
        ranked = sorted(held, key=lambda pair: -sum(w in pair[1] for w in wanted))
        top = sum(w in ranked[0][1] for w in wanted) if ranked else 0
        rivals = [part for part, words_held in ranked if sum(w in words_held for w in wanted) == top]
        if top >= 0.8 * len(wanted) and not any(voice.denied(part) for part in rivals):
            return True
    return False


def _past(own: str, sentence: str) -> bool:
    """`I will move` told as `moved`: the claim's -ed form of a word that the turn has only as a plan."""
    if not voice.planned(sentence):
        return False
    said = set(words(sentence))
    roots = {stem(w) for w in said if not w.endswith("ed")}
    return any(
        w.endswith("ed") and w not in said and stem(w) in roots and w not in ("planned", "scheduled", "intended")
        for w in words(own)
    )


def _weight(scene: Scene, inferred: bool, lacking: tuple[Missing, ...]) -> Verdict:
    coverage = max(scene.coverage(), scene.part_coverage())
    share = f"{round(100 * coverage)} % of its words are in the cited turns"
    absent = round((1 - coverage) * len(scene.wanted))
    if coverage >= SOME if inferred else coverage >= SURE or (coverage >= ENOUGH and absent <= 2):
        return Verdict(support=Support.SUPPORTED, why=share, missing=lacking, coverage=coverage)
    if coverage >= SOME:
        return Verdict(support=Support.PARTIAL, why=f"only {share}", missing=lacking, coverage=coverage)
    return Verdict(support=Support.UNSUPPORTED, why=f"only {share}", missing=lacking, coverage=coverage)
