"""What a word that asks for a kind of thing may stand for, in the words of those who tell of such things.

    >>> asked_for("Which instruments does Ada play?")
    ['guitar piano violin clarinet drums flute saxophone cello']

Who asks for instruments is answered by turns that say "piano" and never "instrument". The list is short, of everyday
English, and no more than a search beside the others: what it finds counts half.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

from brain.corpus.search.analysis import terms

KINDS = 2  # kinds of things that one need is widened by


def asked_for(need: str) -> list[str]:
    """The examples of each kind of thing that a need asks for, in the order it names them."""
    known = _examples()
    return list(dict.fromkeys(known[term] for term in terms(need, "en") if term in known))[:KINDS]


@lru_cache(maxsize=1)
def _examples() -> dict[str, str]:
    """By the stem of every word that asks."""
    text = resources.files("brain.explore").joinpath("data").joinpath("examples.txt").read_text("utf-8")
    found: dict[str, str] = {}
    for line in text.splitlines():
        asks, _, tells = line.partition("|")
        if tells and not line.startswith("#"):
            for term in terms(asks, "en"):
                found.setdefault(term, tells.strip())
    return found
