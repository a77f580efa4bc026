"""Facts of a session read back from its notes, for turns that a model distilled in an earlier run: asked once, ever."""

from __future__ import annotations

from collections.abc import Iterable

from brain.distil.attributes import attribute_of
from brain.distil.context import DistilContext
from brain.distil.session import open_session
from brain.errors import FormatError
from brain.language import language_of
from brain.tree import markdown, uri
from brain.tree.layout import note_id
from brain.tree.note import Snippet
from brain.types import Fact, FactKind, Transcript

_KIND = {"preferences": FactKind.PREFERENCE, "workflows": FactKind.WORKFLOW, "environment": FactKind.STATE}


def reread(
    noted: Iterable[tuple[str, Snippet]], transcript: Transcript, first: int, last: int, context: DistilContext
) -> list[Fact]:
    """Snippets (with their paths) of this session whose turns end within `first`..`last`, in the order of the turns.

    A note keeps its words, turns, day and qualifier. Kind and subjects are read off its folder and the names in it.
    """
    session = open_session(transcript, first, last, context)
    speaker = {turn.number: session.cast.speaker(turn) for turn in transcript.turns}
    found = []
    for path, one in noted:
        try:
            source = uri.parse(one.uri)
        except FormatError:
            continue
        if not isinstance(source, uri.SessionUri) or source.session != transcript.id or not source.ranges:
            continue
        begin, end = source.ranges[0]
        if not first <= end <= last:
            continue
        text = markdown.plain(one.text)
        topic = (note_id(path) or "notes//").split("/")[1]
        said = attribute_of(text) if one.qualifier is None else None
        found.append(
            Fact(
                session=transcript.id,
                first_turn=begin,
                last_turn=end,
                text=text,
                kind=_KIND.get(topic, FactKind.FACT),
                day=one.day,
                qualifier=one.qualifier,
                speaker=speaker.get(end),
                about=tuple(session.names.find(text)[:6]),
                attribute=said.name if said else None,
                value=said.value if said else None,
                language=language_of(text, context.language),
                weight=0.6,
                topic=topic,
            )
        )
    return sorted(found, key=lambda fact: (fact.last_turn, fact.first_turn, fact.text))
