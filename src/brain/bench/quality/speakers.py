"""Whose words a claim gives: does its qualifier say who spoke, and is the one it opens with the one who speaks?

Written apart from the rules of `brain.rules.speaker`. The second looks only at claims that open with the name of
somebody who speaks in the sessions: of the cited turns' sentences the one nearest to the claim must be that person's,
or name them, or speak to them. A sentence in the third person tells nothing, and counts as right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from brain.bench.quality.measure import Measure, bad
from brain.bench.quality.tree import Stated, Wiki
from brain.text import normal_name, words
from brain.types import Qualifier, Trust, Turn

_SENTENCE = re.compile(r"(?<=[.!?…。！？])\s+|\n+")
_FIRST = frozenset(
    words(
        "i i'm i've i'd i'll me my mine we our us we're we've ich mir mich mein meine meinen wir uns je j'ai mon ma "
        "mes nous yo me mi mis nosotros я мне меня мой моя мы мені мене мій ми"
    )
)
_SECOND = frozenset(
    words(
        "you your yours you're you've you'll du dir dich dein deine ihr euch tu toi ton ta tes vous votre tú te tus "
        "usted ты тебя вы вас ти тебе ви"
    )
)


def measures(wiki: Wiki) -> list[Measure]:
    looked = [(one, turns) for one in wiki.stated if one.uris and (turns := wiki.behind(one))]
    opened = [(one, who, turns) for one, turns in looked if (who := opener(one.words, wiki.speakers))]
    owners = wiki.config.owner_names
    marked = (f"{one} · {why}" for one, turns in looked if (why := misqualified(one, turns)))
    wrong = (f"{one} · {'; '.join(said)}" for one, who, turns in opened if (said := misheard(one, who, turns, owners)))
    return [
        bad("claims with a wrong qualifier", marked, len(looked)),
        bad("claims by another speaker", wrong, len(opened)),
    ]


def misqualified(one: Stated, turns: Sequence[Turn]) -> str | None:
    """What does not fit between the qualifier of a claim and whose turns it cites."""
    trusts = {turn.trusted_as for turn in turns}
    said = set(one.claim.qualifiers)
    if Qualifier.INFERRED in said:
        return None
    if trusts == {Trust.AGENT} and Qualifier.ASSISTANT not in said:
        return "only an assistant said it"
    if trusts == {Trust.EXTERNAL} and Qualifier.EXTERNAL not in said:
        return "it comes from outside"
    if trusts == {Trust.OWNER} and said & {Qualifier.ASSISTANT, Qualifier.EXTERNAL}:
        return "the user said it"
    return None


def opener(statement: str, speakers: Sequence[str]) -> str | None:
    """The speaker that a statement opens with, by the whole name or its first word."""
    low = statement.casefold()
    for who in speakers:
        for name in (who, who.split(" ")[0]):
            if re.match(rf"(?:\W*){re.escape(name.casefold())}(?!\w)", low):
                return who
    return None


def misheard(one: Stated, who: str, turns: Sequence[Turn], owners: Sequence[str]) -> list[str]:
    """Who speaks in place of the one that the claim opens with; empty when it may be them."""
    speakers = {name for turn in turns if (name := _speaker(turn, owners))}
    if not speakers or any(_same(who, name) for name in speakers):
        return []
    nearest = _nearest(one.words, turns)
    held = words(nearest)
    if set(held) & (_SECOND | set(words(normal_name(who)))) or not set(held) & _FIRST:
        return []
    return sorted(speakers)


def _speaker(turn: Turn, owners: Sequence[str]) -> str | None:
    """By name; the user of a talk with an assistant is the owner, when there is only one."""
    if turn.name or turn.trusted_as is not Trust.OWNER:
        return turn.name
    return owners[0] if len(owners) == 1 else None


def _same(a: str, b: str) -> bool:
    x, y = set(words(normal_name(a))), set(words(normal_name(b)))
    return bool(x and y) and (x <= y or y <= x)


def _nearest(statement: str, turns: Sequence[Turn]) -> str:
    """The sentence that has most of the statement's words, the first of several."""
    said = set(words(statement))
    sentences = (part for turn in turns for part in _SENTENCE.split(turn.text) if part)
    return max(sentences, key=lambda part: len(said & set(words(part))), default="")
