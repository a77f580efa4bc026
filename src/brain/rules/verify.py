"""Verification without a model (format §15): do the cited turns say what a claim says, and does the right person say it?

    >>> from brain.types import Role, Turn
    >>> turn = Turn(number=3, role=Role.USER, name="Nadia", text="I moved to Lyon, the figures go out as PDF.")
    >>> verify("Nadia moved to Lyon.", [turn]).support.value
    'supported'
    >>> verify("Nadia moved to Kyoto.", [turn]).why
    "the cited turns do not hold the name 'Kyoto'"

What is tested is the text itself: quoted words, numbers, dates (relative phrases against the turn's own time), names and
codes of the claim must be in the evidence, its words too in some form, with the same yes or no, said and not only asked.
"""

# ruff: noqa: E501 — lists of words and patterns, one language a line
from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from brain.rules import days, voice
from brain.rules.wording import (
    DATE,
    Words,
    codes,
    content,
    label_of,
    names,
    number_of,
    numbers,
    plain,
    quotes,
    spoken_numbers,
    stem,
    unquoted,
)  # fmt: skip
from brain.text import normal_name, words
from brain.types import Qualifier, Trust, Turn


class Support(StrEnum):
    SUPPORTED = "supported"
    PARTIAL = "partial"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """Something a claim says that its evidence does not. Kind: quote, number, date, name or code."""

    kind: str
    text: str


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


ENOUGH, SOME, SURE = 0.75, 0.45, 0.9
"""Shares of a claim's words: enough for support with two missing at most, some for a partial one, sure with any missing."""
_YEAR = re.compile(r"(?<![\w.,-])(?:19|20)[0-9]{2}(?![\w-]|[.,][0-9])")
_MONTH_YEAR = re.compile(
    r"\b(January|February|March|April|May|June|July|August|September|October|November|December)\s+((?:19|20)[0-9]{2})\b"
)
_MONTHS = "january february march april may june july august september october november december"
_MONTH_NAMES = tuple(_MONTHS.split())
_GLUE_WORDS = frozenset(_MONTH_NAMES) | {
    "week", "weekend", "summer", "winter", "spring", "autumn", "fall", "evening", "night", "planned", "plans", "asked", "said", "says",
    "answered", "replied", "told", "currently", "topic", "since", "shared", "picture", "agreed", "proposal", "correcting", "assistant", "assistant's", "semaine", "тиждень", "тижня", "неделя", "那一", "一周",
}  # fmt: skip


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
    scene = _Scene(prose, label_of(claim), turns, (*owners, *subjects))
    inferred = qualifier is Qualifier.INFERRED
    return (
        _wrong_subject(prose, scene, turns, owners, subjects)
        or _wrong_speaker(scene, turns, qualifier)
        or (None if inferred else _lacks(lacking, scene))
        or _polarity(prose, scene)
        or _weight(scene, inferred, lacking)
    )


def missing(
    claim: str, turns: Sequence[Turn], *, owners: Iterable[str] = (), subjects: Iterable[str] = ()
) -> tuple[Missing, ...]:
    """The quotes (two words and more), codes, dates, numbers and names of a claim that its evidence does not hold."""
    prose = plain(claim)
    evidence = "\n".join(turn.text for turn in turns)
    found: list[Missing] = []
    flat = " ".join(words(evidence))
    for quote in quotes(prose):
        parts = [" ".join(words(part)) for part in voice.sentences(quote)]
        if len(words(quote)) >= 2 and not all(part in flat for part in parts):
            found.append(Missing(kind="quote", text=quote))
    lower, digits = evidence.casefold(), re.sub(r"\D", "", evidence)
    exact = codes(prose)
    for code in exact:
        if code.casefold() not in lower and not (
            code.lstrip("+")[0].isdigit() and re.sub(r"\D", "", code) in digits and not re.search("[a-z]", code)
        ):
            found.append(Missing(kind="code", text=code))
    rest = prose
    for code in exact:
        rest = rest.replace(code, " ")
    found += _missing_days(rest, turns)
    spoken = spoken_numbers(evidence)
    undated = _MONTH_YEAR.sub(" ", _YEAR.sub(" ", rest))
    found += [
        Missing(kind="number", text=n) for n in numbers(undated) if n not in spoken and not _in_date(n, prose, turns)
    ]
    found += _missing_names(prose, turns, evidence, (*owners, *subjects))
    return tuple(dict.fromkeys(found))


def _missing_days(prose: str, turns: Sequence[Turn]) -> list[Missing]:
    found = []
    for match in DATE.finditer(prose):
        try:
            parts = [int(p) for p in match[0].split("-")]
            ok = any(
                days.speaks_of(t.text, date(*parts), _day(t.time)) if len(parts) == 3 else days.speaks_of_month(t.text, parts[0], parts[1], _day(t.time))
                for t in turns
            )  # fmt: skip
            if (
                not ok
                and len(parts) == 3
                and re.search(
                    r"(?:week(?:end)? of|semaine du|тиждень від|неделя с)\s*$|那|の週",
                    prose[: match.start()] + prose[match.end() : match.end() + 3],
                )
            ):
                ok = any(
                    days.speaks_of(t.text, date.fromordinal(date(*parts).toordinal() + step), _day(t.time))
                    for t in turns
                    for step in range(7)
                )
        except ValueError:
            ok = False
        if not ok:
            found.append(Missing(kind="date", text=match[0]))
    rest = DATE.sub(" ", prose)
    for match in _MONTH_YEAR.finditer(rest):
        month = _MONTH_NAMES.index(match[1].lower()) + 1
        if not any(days.speaks_of_month(t.text, int(match[2]), month, _day(t.time)) for t in turns):
            found.append(Missing(kind="date", text=match[0]))
    for match in _YEAR.finditer(_MONTH_YEAR.sub(" ", rest)):
        if not any(days.speaks_of_year(t.text, int(match[0]), _day(t.time)) for t in turns):
            found.append(Missing(kind="date", text=match[0]))
    return found


def _in_date(number: str, prose: str, turns: Sequence[Turn]) -> bool:
    """A day of the month written out, `May 3` or `3 мая`, that the turn's own time carries."""
    said = [day for t in turns if (day := _day(t.time))]
    return any(number == str(d.day) for d in said) and any(m in prose.lower() for m in _MONTH_NAMES)


def _missing_names(prose: str, turns: Sequence[Turn], evidence: str, given: Iterable[str]) -> list[Missing]:
    held = Words(" ".join([evidence, *(t.name or "" for t in turns), *given]))
    squeezed = re.sub(r"[\W_]+", "", evidence.casefold())
    found = []
    for name in names(unquoted(prose)):
        parts = [p for p in words(name) if p not in _GLUE_WORDS]
        if not all(part in held for part in parts) and re.sub(r"[\W_]+", "", name.casefold()) not in squeezed:
            found.append(Missing(kind="name", text=name))
    return found


def _day(time: datetime | None) -> date | None:
    return time.date() if time else None


class _Scene:
    """The evidence as sentences, each with the claim words it holds; the best stretch of four is what counts."""

    def __init__(self, prose: str, label: str, turns: Sequence[Turn], given: Iterable[str]) -> None:
        ignore = (
            {w for name in (*given, *(t.name or "" for t in turns)) for w in words(name)}
            | _GLUE_WORDS
            | set(words(label))
        )
        undated = _YEAR.sub(" ", DATE.sub(" ", prose))
        self.wanted = tuple(dict.fromkeys(content(undated, ignore))) or tuple(dict.fromkeys(content(undated)))
        self.sentences = [(s, turn) for turn in turns for s in voice.sentences(turn.text)]
        amounts = {w: n for w in self.wanted if (n := number_of(w)) is not None}
        self.hits: list[frozenset[str]] = []
        for sentence, _ in self.sentences:
            held = Words(sentence)
            spoken = spoken_numbers(sentence) if amounts else frozenset()
            self.hits.append(frozenset(w for w in self.wanted if w in held or amounts.get(w) in spoken))

    def coverage(self, trust: frozenset[Trust] | None = None) -> float:
        if not self.wanted:
            return 1.0
        best = 0
        for start in range(len(self.hits)):
            window: set[str] = set()
            for at in range(start, min(start + 4, len(self.hits))):
                if trust is None or self.sentences[at][1].trusted_as in trust:
                    window |= self.hits[at]
            best = max(best, len(window))
        return best / len(self.wanted)

    def ranked(self) -> list[int]:
        """Sentences by how much of the claim they hold, the most first; a tie goes to the earlier."""
        return sorted((i for i, hit in enumerate(self.hits) if hit), key=lambda i: (-len(self.hits[i]), i))


_SAYS = re.compile(r"^(?P<who>[^\s\"“«„:][^\"“«„:]{0,60}):\s*[\"“«„]")
_SUBJECT = re.compile(r"^(?P<who>[^\W\d_][\w’'.-]*(?: [^\W\d_a-z][\w’'.-]*)*)")


def _wrong_subject(
    prose: str, scene: _Scene, turns: Sequence[Turn], owners: tuple[str, ...], subjects: tuple[str, ...]
) -> Verdict | None:
    """A claim about one person whose evidence is another's "I", or a quote put into the wrong mouth."""
    speakers = {t.name for t in turns if t.name} | {
        o for t in turns if not t.name and t.trusted_as is Trust.OWNER for o in owners
    }
    quoted = _SAYS.match(prose)
    subject = quoted["who"] if quoted else _subject(prose, (*owners, *subjects, *speakers))
    if not speakers or subject is None or any(same_person(subject, speaker) for speaker in speakers):
        return None
    text = " ".join(t.text for t in turns)
    ranked = scene.ranked()
    best = scene.sentences[ranked[0]][0] if ranked else text
    about = any(same_person(subject, s) for s in subjects)
    if quoted:
        wrong = not about or subject in owners
    elif _mentioned(subject, text):
        wrong = False
    elif voice.opens_in_first_person(best):
        wrong = not voice.third_person(best)
    elif voice.first_person(best):
        wrong = not (voice.third_person(best) or voice.second_person(best))
    else:
        wrong = not about and not voice.second_person(best)
    if not wrong:
        return None
    who = " and ".join(sorted(speakers))
    return Verdict(
        support=Support.UNSUPPORTED,
        why=f"this is {who} speaking, not {subject}",
        missing=(Missing(kind="name", text=subject),),
    )


_CALLED = re.compile(
    r"(?:^|[,!.?…]|\b(?:hi|hey|hello|thanks|thank you|yep|yeah|yes|no|oh|wow|ok|okay|sure|bye|dear|congrats))\s*$", re.I
)


def _mentioned(name: str, text: str) -> bool:
    """Whether a text speaks of somebody, and not only to them: "Thanks, Caroline!" does not."""
    held = [w for w in words(name) if len(w) > 1]
    spans = [m for w in held for m in re.finditer(rf"(?<!\w){re.escape(w)}(?!\w)", text, re.IGNORECASE)]
    if not spans:
        return bool(held) and all(w in Words(text) for w in held)
    return not all(_CALLED.search(text[: m.start()]) and text[m.end() : m.end() + 1] in ("", *",!.?…") for m in spans)


def _subject(prose: str, known: Sequence[str]) -> str | None:
    """The name that opens a claim: a known one, or what looks like one."""
    match = _SUBJECT.match(prose)
    if match is None:
        return None
    opening = match["who"].removesuffix("'s").removesuffix("’s")
    for part in (opening, opening.split(" ")[0]):
        if any(same_person(part, name) for name in known):
            return part
    found = names(prose)
    return opening if found and prose.startswith(found[0]) else None


def same_person(a: str, b: str) -> bool:
    """Whether one name may stand for the other: the same words, or all of one among the other's. Jean is not Jean-Luc."""
    x, y = set(normal_name(a).split()), set(normal_name(b).split())
    return bool(x and y) and (x <= y or y <= x)


def speaker_problem(qualifier: Qualifier | None, trusts: Sequence[Trust]) -> str | None:
    """What is wrong with a qualifier, seen from who speaks in the evidence alone; None when nothing is."""
    kinds = set(trusts)
    if not kinds or qualifier is Qualifier.INFERRED:
        return None
    if kinds == {Trust.AGENT} and qualifier is not Qualifier.ASSISTANT:
        return "only the assistant said this: add ^[assistant], or cite the user's confirmation"
    if kinds == {Trust.EXTERNAL} and qualifier is not Qualifier.EXTERNAL:
        return "this stands only in outside content: add ^[external], or cite the user's confirmation"
    return None


def _wrong_speaker(scene: _Scene, turns: Sequence[Turn], qualifier: Qualifier | None) -> Verdict | None:
    if why := speaker_problem(qualifier, [t.trusted_as for t in turns]):
        return Verdict(support=Support.UNSUPPORTED, why=why, coverage=scene.coverage())
    if qualifier not in (None, Qualifier.DISPUTED):
        return None
    owned = scene.coverage(frozenset({Trust.OWNER, Trust.TOOL}))
    for trust, mark in ((Trust.AGENT, "^[assistant]"), (Trust.EXTERNAL, "^[external]")):
        other = scene.coverage(frozenset({trust}))
        if (
            other >= ENOUGH
            and owned < SOME / 2
            and not any(voice.confirmed(t.text) for t in turns if t.trusted_as is Trust.OWNER)
        ):
            who = "the assistant says" if trust is Trust.AGENT else "outside content says"
            return Verdict(
                support=Support.PARTIAL, why=f"{who} this, the user's turns do not: add {mark}", coverage=other
            )
    return None


def _lacks(lacking: tuple[Missing, ...], scene: _Scene) -> Verdict | None:
    if not lacking:
        return None
    first = lacking[0]
    hard = any(m.kind in ("code", "number", "date", "quote") for m in lacking)
    coverage = scene.coverage()
    return Verdict(
        support=Support.UNSUPPORTED if hard or coverage < ENOUGH else Support.PARTIAL,
        why=f"the cited turns do not hold the {first.kind} {first.text!r}", missing=lacking, coverage=coverage,
    )  # fmt: skip


def _polarity(prose: str, scene: _Scene) -> Verdict | None:
    ranked = scene.ranked()
    if not ranked:
        return None
    own = unquoted(prose)
    if len(content(own)) < 2 and quotes(prose):
        return None  # a verbatim quote carries its own yes and no
    top = len(scene.hits[ranked[0]])
    near = [i for i in ranked if len(scene.hits[i]) >= max(1, 0.6 * top)]
    strong = len(scene.hits[ranked[0]]) >= SOME * len(scene.wanted)
    if strong and not quotes(prose):
        if (
            voice.asked(scene.sentences[ranked[0]][0])
            and not voice.asked(prose)
            and all(voice.asked(scene.sentences[i][0]) for i in near)
        ):
            asker = scene.sentences[ranked[0]][1].number
            if not any(voice.confirmed(t.text) for _, t in scene.sentences if t.number > asker):
                return Verdict(
                    support=Support.UNSUPPORTED, why="the cited turn only asks this", coverage=scene.coverage()
                )
        if voice.denied(own) != voice.denied(scene.sentences[ranked[0]][0]) and not any(
            _clause_agrees(own, scene.sentences[i][0], scene.hits[i]) for i in (ranked if voice.denied(own) else near)
        ):
            said = "denies" if not voice.denied(own) else "affirms"
            return Verdict(support=Support.CONTRADICTED, why=f"the cited turn {said} this", coverage=scene.coverage())
        if voice.denied(own) and _added_denial(own, scene):
            return Verdict(support=Support.CONTRADICTED, why="the cited turn affirms this", coverage=scene.coverage())
        unsure = voice.possible(own) or voice.planned(own)
        if not unsure and all(voice.possible(scene.sentences[i][0]) for i in near):
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


def _clause_agrees(own: str, sentence: str, hits: frozenset[str]) -> bool:
    """Whether the part of the sentence that speaks of the claim has its polarity, clause by clause."""
    denied = voice.denied(own)
    parts = voice.clauses(sentence)
    if denied:
        return any(voice.denied(part) for part in parts)
    best = max(parts, key=lambda part: sum(word in Words(part) for word in hits), default=sentence)
    return not voice.denied(best)


def _added_denial(own: str, scene: _Scene) -> bool:
    """A part of the claim that denies what its best counterpart in the evidence says, although the whole has a denial."""
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


def _weight(scene: _Scene, inferred: bool, lacking: tuple[Missing, ...]) -> Verdict:
    coverage = scene.coverage()
    share = f"{round(100 * coverage)} % of its words are in the cited turns"
    absent = round((1 - coverage) * len(scene.wanted))
    if coverage >= SOME if inferred else coverage >= SURE or (coverage >= ENOUGH and absent <= 2):
        return Verdict(support=Support.SUPPORTED, why=share, missing=lacking, coverage=coverage)
    if coverage >= SOME:
        return Verdict(support=Support.PARTIAL, why=f"only {share}", missing=lacking, coverage=coverage)
    return Verdict(support=Support.UNSUPPORTED, why=f"only {share}", missing=lacking, coverage=coverage)
