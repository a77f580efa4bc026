"""Citations: do claims have them, do they lead anywhere, and do the cited turns hold what the claim says?

Two checks of the last, both apart from the rules that let a claim into the wiki: its numbers, dates and names by
`brain.bench.held`, and its words by their beginnings. A wiki that loses cites shows in "claims without cites", one
whose cites lead to the wrong turns in the others.
"""

from __future__ import annotations

from collections.abc import Iterable

from brain.bench.held import held
from brain.bench.quality.measure import Measure, bad, good
from brain.bench.quality.tree import Stated, Wiki
from brain.text import words
from brain.types import Turn

STEM = 5
"""Letters by which two forms of a word are known as one."""
_AROUND = frozenset(words("before shortly since about after replaced others assistant listed asked their themselves"))
FEW = 3
"""Claims of fewer long words say too little to be looked for by words."""


def measures(wiki: Wiki) -> list[Measure]:
    """Each claim counts once; a citation counts in every claim that has it."""
    cited = [one for one in wiki.stated if one.uris]
    citations = [(one, source) for one in wiki.stated for source in one.uris]
    dead = [f"{one} · {source}" for one, source in citations if not wiki.turns(source)]
    undefined = [f"{one} · [cite:{number}]" for one in wiki.stated for number in _undefined(one)]
    nowhere = dead + undefined
    resolved = [(one, turns) for one in cited if (turns := wiki.behind(one))]
    missing = [one for one, turns in resolved if not _holds(wiki, one, turns)]
    by_words = [(one, share) for one, turns in resolved if (share := _worded(wiki, one, turns)) is not None]
    foreign = [f"{one} ({share:.0%})" for one, share in by_words if share < 0.5]
    return [
        good("citations that lead somewhere", len(citations) - len(dead), len(citations) + len(undefined), nowhere),
        bad("claims without cites", (str(one) for one in wiki.stated if not one.uris), len(wiki.stated)),
        good("cited claims held", len(resolved) - len(missing), len(resolved), map(str, missing)),
        good("cited claims in the words of their turns", len(by_words) - len(foreign), len(by_words), foreign),
    ]


def _undefined(one: Stated) -> list[int]:
    return [number for number in one.claim.cites if number not in one.page.references]


def _holds(wiki: Wiki, one: Stated, turns: list[Turn]) -> bool:
    people = (*wiki.speakers, one.page.title, *one.page.aliases)
    return held(one.words, turns, people).whole


def _worded(wiki: Wiki, one: Stated, turns: list[Turn]) -> float | None:
    return worded(one.words, turns, (*wiki.speakers, one.page.title, *one.page.aliases))


def worded(statement: str, turns: list[Turn], people: Iterable[str] = ()) -> float | None:
    """The share of a statement's longer words that begin as one in the turns does; None when it has hardly any.

    Names of `people` and words that Brain puts around what was said are not looked for.
    """
    said = {word[:STEM] for turn in turns for word in words(turn.text)}
    own = {_bare(word) for name in people for word in words(name)} | _AROUND
    long = [word for word in dict.fromkeys(map(_bare, words(statement))) if len(word) >= STEM and word not in own]
    long = [word for word in long if not word[0].isdigit()]
    return sum(word[:STEM] in said for word in long) / len(long) if len(long) >= FEW else None


def _bare(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s")
