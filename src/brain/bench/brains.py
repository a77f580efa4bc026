"""Brains made of a data set's conversations, for measuring."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from brain.bench.datasets.dialogue import Conversation
from brain.corpus.search.index import SearchIndex
from brain.text import clean, one_line
from brain.tree import layout, transcript
from brain.tree.files import write_atomic


def transcripts_only(conversation: Conversation, root: Path) -> SearchIndex:
    """Write the sessions as transcript files and index them, vectors included; what is there already is kept."""
    for session in conversation.transcripts():
        turns = tuple(replace(turn, text=clean(turn.text)) for turn in session.turns)
        whole = replace(session, title=one_line(session.title), turns=turns)
        file = root / layout.transcript_path(layout.stem(whole))
        if not file.exists():
            write_atomic(file, transcript.render(whole))
    index = SearchIndex(root)
    index.update()
    index.embed()
    return index
