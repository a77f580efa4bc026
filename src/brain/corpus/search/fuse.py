"""One score from many: words, neighbours, session, meaning, speaker, time, added by weights that live in a data file.

Scores are summed, not ranks. Word scores are a share of the best one of the query, cosines are taken as they are, so a
weight means the same in a brain of a hundred turns and in one of a million.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING

from brain.corpus.search.question import Question
from brain.corpus.search.view import NO_DAY, Columns, View
from brain.corpus.search.when import Span
from brain.types import Role

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FADES = 20.0  # days
NEAR = 3.0  # days beside a day or a short span in which `when` fades by a factor e
CROWD = 6  # better hits of its session beyond which one more takes nothing from a hit
BY_TIME_ALONE = 0.25  # share of `when` for what has nothing else to do with the query
_EVER = 10_000_000

Features = Mapping[str, "NDArray[np.float32]"]


@lru_cache(maxsize=1)
def weights() -> Mapping[str, float]:
    """The weights that ship with the package."""
    text = resources.files("brain.corpus.search").joinpath("data").joinpath("weights.json").read_text("utf-8")
    return {name: float(value) for name, value in json.loads(text).items() if name != "about"}


def turn_features(
    view: View, turns: Columns, question: Question, words: NDArray[np.float32], rows: NDArray[np.float32] | None
) -> dict[str, NDArray[np.float32]]:
    """What is known of some turns (whole sessions of them) for a query.

    `words` are their word scores, `rows` the cosine of every vector row.
    before, after: the word score of the turns next to it; around: of the second ones; session_words, session_meaning:
    the best of its session. Each is about 0 to 1, but size, which is log(1 + characters) up to 6.
    """
    import numpy as np

    top = float(words.max(initial=0.0))
    words = words / top if top else words
    features = {
        "words": words,
        "before": _shift(words, turns, 1),
        "after": _shift(words, turns, -1),
        "around": _shift(words, turns, 2) + _shift(words, turns, -2),
        "session_words": _session_best(words, turns),
        "size": np.minimum(np.log1p(turns.size), np.float32(6)),
        "time": (turns.dated & question.asks_when).astype(np.float32),
        "speaker": _speaks(view, turns, question),
    }
    if rows is not None:
        meaning = _meaning(turns, rows)
        features["meaning"] = meaning
        features["session_meaning"] = _session_best(meaning, turns)
    return features


def wiki_features(
    view: View, question: Question, words: NDArray[np.float32], rows: NDArray[np.float32] | None
) -> dict[str, NDArray[np.float32]]:
    """The same for pages, notes and summaries, which have no neighbours to speak for them: their own stands in."""
    import numpy as np

    wiki = view.wiki
    top = float(words.max(initial=0.0))
    words = words / top if top else words
    features = {
        "words": words,
        "session_words": words,
        "size": np.minimum(np.log1p(wiki.size), np.float32(6)),
        "time": (wiki.dated & question.asks_when).astype(np.float32),
    }
    if rows is not None:
        features["meaning"] = features["session_meaning"] = _meaning(wiki, rows)
    return features


def recent(columns: Columns, now: date) -> NDArray[np.float32]:
    """1 on the asker's day, a third FADES days before it; 0 without a day or after it."""
    import numpy as np

    age = now.toordinal() - columns.day
    fading = np.exp(-np.maximum(age, 0) / np.float32(FADES)).astype(np.float32)
    return np.where((columns.day == NO_DAY) | (age < 0), np.float32(0), fading)


def when(columns: Columns, spans: Sequence[Span], features: Features) -> NDArray[np.float32]:
    """1 for what was said in one of the spans or speaks of days in it, fading with the days between.

    The fading is slower beside a long span; what speaks of a longer time than is asked for counts less. Only a part of
    it goes to what by its other `features` has nothing to do with the query: a time alone says little.
    """
    import numpy as np

    best = np.zeros(len(columns), np.float32)
    for span in spans:
        first = span.first.toordinal() if span.first else 0
        last = span.last.toordinal() if span.last else _EVER
        scale = np.float32(max(NEAR, (last - first) / 6) if span.first and span.last else NEAR)
        for begun, over in ((columns.said, columns.said), (columns.about_first, columns.about_last)):
            apart = np.maximum(np.maximum(first - over, begun - last), 0)
            value = np.exp(-apart / scale) * np.minimum(1, (last - first + 7) / (over - begun + 1))
            best = np.maximum(best, np.where(begun == NO_DAY, 0, value).astype(np.float32))
    part = BY_TIME_ALONE + (1 - BY_TIME_ALONE) * _to_do_with_it(features)
    return np.asarray(best * part, np.float32)


def _to_do_with_it(features: Features) -> NDArray[np.float32]:
    """0 to 1: the words of a document, its neighbours or its session, or its meaning."""
    import numpy as np

    zero = np.float32(0)
    near = np.maximum(features["words"], np.maximum(features.get("before", zero), features.get("after", zero)))
    alike = np.maximum(near, np.maximum(0.7 * features["session_words"], 2 * features.get("meaning", zero)))
    return np.asarray(np.clip(alike, 0, 1), np.float32)


def spread(scores: NDArray[np.float32], sessions: NDArray[np.int32], by: float) -> NDArray[np.float32]:
    """Take `by` from a score for each better one of the same session, six at most: a list lies in several sessions.

    `scores` are in descending order.
    """
    import numpy as np

    order = np.argsort(sessions, kind="stable")
    mine = sessions[order]
    starts = np.flatnonzero(np.diff(mine, prepend=-2))
    rank = np.arange(len(mine)) - np.repeat(starts, np.diff(np.append(starts, len(mine))))
    better = np.empty(len(mine), np.float32)
    better[order] = np.minimum(rank, CROWD)
    return scores - np.float32(by) * better


def combine(features: Features, by: Mapping[str, float]) -> NDArray[np.float32]:
    """The weighted sum."""
    import numpy as np

    size = len(next(iter(features.values())))
    total = np.zeros(size, np.float32)
    for name, values in features.items():
        weight = by.get(name, 0.0)
        if weight:
            total += np.float32(weight) * values
    return total


def _meaning(columns: Columns, rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """The best cosine of each document; one without a vector yet is taken to be like the average one."""
    best, has = columns.best_of_units(rows)
    if has.any() and not has.all():
        best[~has] = best[has].mean()
    return best


def _shift(values: NDArray[np.float32], turns: Columns, by: int) -> NDArray[np.float32]:
    """The value of the turn `by` places earlier in the same session, 0 where there is none."""
    import numpy as np

    out = np.zeros_like(values)
    if by > 0:
        out[by:] = np.where(turns.session[by:] == turns.session[:-by], values[:-by], 0)
    else:
        out[:by] = np.where(turns.session[:by] == turns.session[-by:], values[-by:], 0)
    return out


def _session_best(values: NDArray[np.float32], turns: Columns) -> NDArray[np.float32]:
    import numpy as np

    if not len(values):
        return values
    lengths = np.diff(np.r_[turns.starts, len(values)])
    return np.repeat(np.maximum.reduceat(values, turns.starts), lengths)


def _speaks(view: View, turns: Columns, question: Question) -> NDArray[np.float32]:
    """1 for turns of the one speaker a query names, or of users when it is about who asks."""
    import numpy as np

    if question.speaker is not None and question.speaker in view.speakers:
        theirs = turns.speaker == view.speakers.index(question.speaker)
    elif question.of_oneself and Role.USER.value in view.roles:
        theirs = turns.role == view.roles.index(Role.USER.value)
    else:
        return np.zeros(len(turns), np.float32)
    return np.asarray(theirs, np.float32)
