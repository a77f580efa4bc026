"""Sessions in order: a question by the best of what was said, a message by what whole sessions are about."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from written import ASSISTANT, USER, put_session, put_summary, session

from brain.config import Config
from brain.corpus.search.finding import Filters
from brain.corpus.search.index import SearchIndex
from brain.corpus.search.sessions import Ranked, ranked
from brain.types import Surface, Transcript

MAY, JUNE, JULY = date(2026, 5, 3), date(2026, 6, 21), date(2026, 7, 2)
WORDS_ONLY = Config.parse('[search]\nembedder = "none"\n')
MESSAGE = "Good news about the allotment today. What is the next step for the beds and the seedlings?"


class Topics:
    """An embedder for tests: how often a text speaks of each of a few things."""

    id = "topics"
    dimensions = 4
    things = (
        ("bed", "soil", "compost", "allotment"),
        ("seed", "sow", "leek"),
        ("invoice", "client"),
        ("train", "tram"),
    )

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.array(
            [[0.1 + sum(text.lower().count(word) for word in words) for words in self.things] for text in texts],
            np.float32,
        )
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def brain(root: Path, *sessions: Transcript, embedder: Topics | None = None) -> SearchIndex:
    for one in sessions:
        put_session(root, one)
    index = SearchIndex(root, None if embedder else WORDS_ONLY, embedder=embedder)
    index.update()
    if embedder:
        index.embed()
    return index


def names(found: Sequence[Ranked]) -> list[str]:
    return [one.session for one in found]


def test_a_session_is_as_good_as_its_best_two_turns(tmp_path: Path) -> None:
    once = session("once", JUNE, [(USER, "leeks, leeks and leeks"), (ASSISTANT, "Noted."), (USER, "And a tram.")])
    twice = session("twice", JUNE, [(USER, "leeks, leeks and leeks"), (USER, "I sowed the leeks"), (USER, "A tram.")])
    index = brain(tmp_path, once, twice)
    assert names(ranked(index, "leeks")) == [twice.id, once.id]
    by_words = ranked(index, "leeks", weights={"words": 1.0})
    assert by_words[0].parts["turns"] > by_words[1].parts["turns"] == pytest.approx(0.5, abs=0.06)


def test_a_message_goes_to_the_session_that_is_about_it_as_a_whole(tmp_path: Path) -> None:
    said = [(USER, "The beds need compost"), (ASSISTANT, "Sow the leek seeds in good soil"), (USER, "Beds are dug")]
    about = session("about", MAY, said)
    other = session("other", MAY, [(USER, "The client's next step"), (USER, "The tram was late")])
    index = brain(tmp_path, other, about, embedder=Topics())
    best, *_ = ranked(index, MESSAGE, now=JULY)
    assert best.session == about.id
    assert set(best.parts) == {"turns", "words", "meaning", "alike", "recent"}
    assert set(ranked(index, "Which beds are dug?")[0].parts) == {"turns"}


def test_of_two_like_sessions_a_message_means_the_recent_one(tmp_path: Path) -> None:
    said = [(USER, "The beds of the allotment need compost and seedlings"), (ASSISTANT, "Sow the leeks in June")]
    old, new = session("old", MAY, said), session("new", JUNE, said)
    index = brain(tmp_path, old, new, embedder=Topics())
    assert names(ranked(index, MESSAGE, now=JULY)) == [new.id, old.id]


def test_filters_and_arms_hold_for_sessions(tmp_path: Path) -> None:
    index = brain(
        tmp_path,
        first := session("first", MAY, [(USER, "leeks in the bed")]),
        second := session("second", JULY, [(USER, "leeks in the pan")]),
        embedder=Topics(),
    )
    assert names(ranked(index, "leeks", filters=Filters(since=JUNE))) == [second.id]
    assert names(ranked(index, "leeks", filters=Filters(until=JUNE))) == [first.id]
    assert ranked(index, "leeks", filters=Filters(speaker="nobody")) == []
    assert set(ranked(index, MESSAGE, weights={"words": 1.0})[0].parts) == {"turns"}
    assert len(ranked(index, MESSAGE, 1)) == 1


def test_a_summary_speaks_for_its_session_where_it_may(tmp_path: Path) -> None:
    told = session("told", JUNE, [(USER, "It went well"), (ASSISTANT, "Good.")])
    put_session(tmp_path, told)
    put_summary(tmp_path, told, "Nadia harvested the pumpkins.", {})
    index = brain(tmp_path, session("plain", JUNE, [(USER, "It went on and on"), (ASSISTANT, "I see.")]))
    both = Filters(surfaces={Surface.TURN, Surface.SUMMARY})
    assert ranked(index, "pumpkins", filters=both)[0].session == told.id
    turns_only = ranked(index, "pumpkins", filters=Filters(surfaces={Surface.TURN}))
    assert turns_only[0].parts.get("turns", 0) < ranked(index, "pumpkins", filters=both)[0].parts["turns"]


def test_an_empty_brain_has_no_sessions(tmp_path: Path) -> None:
    assert ranked(brain(tmp_path), MESSAGE) == []
