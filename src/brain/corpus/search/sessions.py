"""Which sessions a query is about, from the scores of their turns.

    >>> ranked(index, "What is left to do for the Kyoto trip?")[0].session                     # doctest: +SKIP
    '1eaf53d4-5fce-5609-a153-496d60b788ea'

A question is after something said in one place: a session is as good as its best two turns. A message of several
sentences, as people write them to an assistant, is about an undertaking: there what the session says as a whole counts,
how recent it is, and how well the sessions most like it do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from brain.corpus.search import fuse
from brain.corpus.search.columns import SURFACES
from brain.corpus.search.finding import ANY, Filters, Finder
from brain.corpus.search.index import SearchIndex
from brain.corpus.search.question import Question
from brain.corpus.search.vectors import Likeness
from brain.corpus.search.view import Columns
from brain.types import Surface

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MESSAGE = "message_"  # the weights of sessions for a message begin so
SOFT = 10.0  # how much more a near turn says of a session's meaning than a far one: 0 is their mean, 100 the nearest
LIKELY = 50  # sessions among which likeness to one another counts
CLOSE = 0.1  # cosine by which a session less like another says less of it, by a factor e
READ = 200  # vectors of a session that its likeness to others is taken from
Scores = dict[str, "NDArray[np.float32]"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One session, with its score and what it was made of."""

    session: str
    score: float
    parts: Mapping[str, float]


def ranked(
    index: SearchIndex,
    query: str,
    k: int = 10,
    filters: Filters = ANY,
    *,
    now: date | None = None,
    weights: Mapping[str, float] | None = None,
) -> list[Ranked]:
    """The best `k` sessions, best first. Summaries speak for their session when `filters` lets them.

    `now` is the asker's day. `weights` None = the shipped ones.
    """
    import numpy as np

    by = fuse.weights() if weights is None else weights
    finder = index.finder()
    asked = finder.read(query, now)
    scores, numbers = features(finder, asked, index.rows(asked), filters, now=now, weights=by)
    if not len(numbers):
        return []
    whole = {name: by.get(MESSAGE + name, 0.0) for name in scores} if _is_message(asked, by) else {"turns": 1.0}
    total = fuse.combine(scores, whole)
    names = [finder.seen.sessions[number] for number in numbers]
    best = sorted(range(len(names)), key=lambda at: (-round(float(total[at]), 5), names[at]))[:k]
    return [
        Ranked(
            session=names[at],
            score=round(float(total[at]), 4),
            parts={name: round(float(np.float32(values[at])), 4) for name, values in scores.items() if values[at]},
        )
        for at in best
    ]


def features(
    finder: Finder,
    asked: Question,
    rows: Likeness | None,
    filters: Filters,
    *,
    now: date | None,
    weights: Mapping[str, float],
) -> tuple[Scores, NDArray[np.int64]]:
    """What is known of each session for a query, and its number in the View.

    turns: the mean of the best two of its turns (and summaries). Of a message also: words, of all its turns together;
    meaning, a soft mean over its turns; recent; alike, the `turns` of the sessions most like it.
    """
    import numpy as np

    allowed = finder.allowed("turns", filters)
    columns, found, places = finder.features("turns", asked, rows, allowed)
    if now is not None:
        found["recent"] = fuse.recent(columns, now)
    total = fuse.combine(found, weights) if len(columns) else np.zeros(0, np.float32)
    mine = np.arange(len(columns))
    if allowed is not None:
        mine = np.flatnonzero(allowed if places is None else allowed[places])
    numbers, group = np.unique(columns.session[mine].astype(np.int64), return_inverse=True)
    if not len(numbers):
        return {}, numbers
    owner, value = _with_summaries(finder, asked, rows, filters, numbers, weights)
    turns = _best_two(np.append(group, owner), np.append(total[mine], value), len(numbers))
    scores: Scores = {"turns": turns}
    if _is_message(asked, weights):
        scores["words"] = _together(found["words"][mine], group)
        if "recent" in found:
            scores["recent"] = _most(found["recent"][mine], group, len(numbers))
        if "meaning" in found:
            scores["meaning"] = _soft_mean(found["meaning"][mine], group)
            scores["alike"] = _alike(finder, columns, mine, group, turns)
    return scores, numbers


def _is_message(asked: Question, weights: Mapping[str, float]) -> bool:
    return bool(asked.sentences) and any(name.startswith(MESSAGE) for name in weights)


def _with_summaries(
    finder: Finder,
    asked: Question,
    rows: Likeness | None,
    filters: Filters,
    numbers: NDArray[np.int64],
    weights: Mapping[str, float],
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Whose each summary is, among some sessions, and its score."""
    import numpy as np

    wiki = finder.seen.wiki
    if Surface.SUMMARY not in filters.surfaces or not len(wiki):
        return np.zeros(0, np.int64), np.zeros(0, np.float32)
    wanted = (wiki.surface == SURFACES.index(Surface.SUMMARY)) & np.isin(wiki.session, numbers)
    if (allowed := finder.allowed("wiki", filters)) is not None:
        wanted &= allowed
    _, found, _ = finder.features("wiki", asked, rows)
    return np.searchsorted(numbers, wiki.session[wanted]), fuse.combine(found, weights)[wanted]


def _best_two(group: NDArray[np.int64], values: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """The mean of the best two of each group; of one alone, itself."""
    import numpy as np

    order = np.lexsort((-values, group))
    first = np.searchsorted(group[order], np.arange(count))
    second = np.minimum(first + 1, len(order) - 1)
    second = np.where(group[order][second] == np.arange(count), second, first)
    return np.asarray((values[order][first] + values[order][second]) / 2, np.float32)


def _together(words: NDArray[np.float32], group: NDArray[np.int64]) -> NDArray[np.float32]:
    """The word scores of all turns of a session as the length of a vector, as a share of the best."""
    import numpy as np

    whole = np.sqrt(np.bincount(group, words * words))
    return np.asarray(whole / (whole.max(initial=0) or 1), np.float32)


def _most(values: NDArray[np.float32], group: NDArray[np.int64], count: int) -> NDArray[np.float32]:
    import numpy as np

    out = np.zeros(count, np.float32)
    np.maximum.at(out, group, values)
    return out


def _soft_mean(meaning: NDArray[np.float32], group: NDArray[np.int64]) -> NDArray[np.float32]:
    import numpy as np

    top = float(meaning.max(initial=0))
    mean = np.bincount(group, np.exp(SOFT * (meaning - top))) / np.bincount(group)
    return np.asarray(top + np.log(mean) / SOFT, np.float32)


def _alike(
    finder: Finder,
    columns: Columns,
    mine: NDArray[np.int64],
    group: NDArray[np.int64],
    turns: NDArray[np.float32],
) -> NDArray[np.float32]:
    """How well the sessions do that are most like one, among the likely ones; the others get the least of it."""
    import numpy as np

    likely = np.argsort(-turns, kind="stable")[:LIKELY]
    middles = [_middle(finder, columns, mine[group == one]) for one in likely.tolist()]
    there = [at for at, middle in enumerate(middles) if middle is not None]
    out = np.zeros(len(turns), np.float32)
    if len(there) < 2:
        return out
    likely = likely[there]
    close = np.stack([middle for middle in middles if middle is not None])
    near = np.exp((close @ close.T) / np.float32(CLOSE))
    np.fill_diagonal(near, 0)
    said = (near @ turns[likely]) / near.sum(axis=1)
    out[:] = said.min()
    out[likely] = said
    return out


def _middle(finder: Finder, columns: Columns, places: NDArray[np.int64]) -> NDArray[np.float32] | None:
    """The direction of a session's vectors taken together, None without any."""
    import numpy as np

    vectors = finder.seen.vectors
    first, count = columns.unit_first[places], columns.unit_count[places]
    if vectors is None or not count.any():
        return None
    at = np.concatenate([np.arange(a, a + n) for a, n in zip(first.tolist(), count.tolist(), strict=True)])
    step = -(-len(at) // READ)
    mean = vectors.rows(columns.unit_row[at[::step]].astype(np.int64)).mean(axis=0)
    return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-9), np.float32)
