"""Letters that a pattern cannot do without: a text that has none of them need not be searched, which is much faster.

>>> needles("(?:last|past) weeks?|avant-hier")
('week', 'avant')
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# What may be missing from a match, or is one of several things: a group, a set, an escape, an optional letter.
_INNERMOST = re.compile(r"\((?:[^()\\]|\\.)*\)(?:[?*+]|\{[^}]*\})?")
_LOOSE = re.compile(r"\[[^\]]*\](?:[?*+]|\{[^}]*\})?|\\.(?:[?*+]|\{[^}]*\})?|.[?*]|.\{[^}]*\}|[.+^$]")
_LETTERS = re.compile(r"[^\W\d_]+")
_SAME = str.maketrans({"\u017f": "s", "\u212a": "k", "\u0130": "i", "\u0131": "i"})


def needles(pattern: str) -> tuple[str, ...] | None:
    """For each alternative of a pattern the longest letters it must hold, in lower case; None when one has none."""
    while (bare := _INNERMOST.sub("\0", pattern)) != pattern:
        pattern = bare
    found = []
    for alternative in pattern.split("|"):
        runs = _LETTERS.findall(_LOOSE.sub("\0", alternative))
        if not runs:
            return None
        found.append(max(reversed(runs), key=len).lower())
    return _fewest(found)


def all_needles(patterns: Iterable[str]) -> tuple[str, ...] | None:
    """Those of several patterns."""
    found = [needles(pattern) for pattern in patterns]
    return None if None in found else _fewest(one for some in found if some for one in some)


def _fewest(found: Iterable[str]) -> tuple[str, ...]:
    """Without those that hold another: a text without `week` has no `weekend` either."""
    unique = tuple(dict.fromkeys(found))
    return tuple(one for one in unique if not any(other in one for other in unique if other != one))


def lowered(text: str) -> str:
    """A text in which needles are looked for: as patterns that do not regard case see it."""
    return text.lower() if text.isascii() else text.translate(_SAME).lower()


def may_hold(text: str, wanted: tuple[str, ...] | None) -> bool:
    """Whether a lowered text holds any of them."""
    if wanted is None:
        return True
    for one in wanted:  # noqa: SIM110  (a generator takes twice as long)
        if one in text:
            return True
    return False
