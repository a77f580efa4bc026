"""Whose words a note rests on, and whom and what it is about: by the turns and the names in them."""

from __future__ import annotations

from collections.abc import Sequence

from brain.agents.dating import flat
from brain.agents.replies import Noted
from brain.distil.sentences import word_count
from brain.distil.session import Session
from brain.text import one_line
from brain.types import FactKind, Subject, SubjectKind, Trust, Turn

OWNED = frozenset({FactKind.PREFERENCE, FactKind.CORRECTION, FactKind.DECISION, FactKind.WORKFLOW})
"""What only an owner's words can make; without them it is what somebody else said."""

_MOST = 6
_NAME_WORDS = 8


def speaker_of(turns: Sequence[Turn], session: Session) -> str | None:
    """Who stands behind what these turns say: the last owner in them, else the assistant, else nobody."""
    owned = [turn for turn in turns if turn.trusted_as is Trust.OWNER]
    if owned:
        return session.cast.speaker(owned[-1])
    return "The assistant" if any(turn.trusted_as is Trust.AGENT for turn in turns) else None


def about(
    note: Noted, text: str, turns: Sequence[Turn], shown: Sequence[Turn], session: Session, speakers: Sequence[str]
) -> tuple[Subject, ...]:
    """The subjects that the model names and the turns hold, then those that the sentence names.

    Whoever opens the sentence comes first; what only an owner can say is else about its speaker.
    """
    found: dict[str, Subject] = {}
    read = {subject.name.casefold(): subject for subject in session.names.find(text)}
    everything = flat(" ".join(turn.text for turn in shown))
    people = [flat(name) for name in (*speakers, *session.names.people.values())]
    for named in note.about:
        name = one_line(named.name).strip(" .,;:")
        if not name or word_count(name) > _NAME_WORDS or not (flat(name) in everything or flat(name) in people):
            continue
        found.setdefault(name.casefold(), _kind(name, SubjectKind(named.kind), read.get(name.casefold())))
    for name, subject in read.items():
        if not any(name in other or other in name for other in found):
            found[name] = subject
    opens = next((name for name in found if flat(text).startswith(flat(name))), None)
    if opens is not None:  # whoever the sentence begins with is whom it is about
        return tuple({opens: found[opens], **found}.values())[:_MOST]
    speaker = speaker_of(turns, session)
    own = speaker in speakers and (not found or FactKind(note.kind) in OWNED)
    if own and speaker and speaker.casefold() not in found:
        found = {speaker.casefold(): session.names.subject(speaker), **found}
    return tuple(found.values())[:_MOST]


def _kind(name: str, kind: SubjectKind, known: Subject | None) -> Subject:
    """A person that the turns know stays one, whatever the model says."""
    if known and (kind is SubjectKind.OTHER or known.kind is SubjectKind.PERSON):
        return known
    return Subject(name=name, kind=kind, aliases=known.aliases if known else ())
