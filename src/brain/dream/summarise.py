"""Phase two: every session with new turns is distilled to facts, notes and a summary; only its new turns are read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from brain.config import Config
from brain.distil import DistilContext, Distiller, ExtractiveDistiller, facts, merge_notes
from brain.dream.orient import Instructions, Work
from brain.dream.projects import project_of, renamed, said_name
from brain.dream.undertakings import Vocabulary, vocabulary
from brain.errors import BrainError, NotFound
from brain.sync.staging import Staging
from brain.text import count_words, est_tokens
from brain.tree import deletions, note, summary, transcript
from brain.tree.layout import note_path, stem, summary_path
from brain.tree.note import NoteFile
from brain.tree.summary import Summary
from brain.tree.uri import turns_uri
from brain.types import Fact, Role, Transcript

BEFORE = 40
"""Earlier turns read for context: the question an answer answers, what a correction corrects, names."""

MOST_WORDS = 88
ACTOR = "dream/{}"
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+")


class Summariser:
    """Distils the sessions of one run into its staging. `facts` grows with each, `failed` says what did not read.

    `speech` counts the tokens of what users said in the new turns, `read` of everything in them.
    """

    def __init__(
        self,
        root: Path,
        staging: Staging,
        config: Config,
        now: datetime,
        *,
        instructions: Instructions,
        log: deletions.Deletions,
        known: Mapping[str, str],
        distiller: Distiller | None = None,
    ) -> None:
        self.root = root
        self.staging = staging
        self.now = now
        self.instructions = instructions
        self.log = log
        self.distiller = distiller or ExtractiveDistiller()
        self.context = DistilContext(
            owners=config.owner_names, language=config.language, tz=config.zone, known=dict(known)
        )
        self.facts: list[Fact] = []
        self.failed: dict[str, str] = {}
        self.barred = 0
        self.speech = 0
        self.read = 0
        self.speakers: dict[str, int] = {}
        self.vocabulary: list[tuple[str, Vocabulary]] = []
        self._summaries: dict[str, Summary] = {}
        self._names: dict[str, str] = {}

    def session(self, work: Work) -> None:
        """Distil one session; a transcript that does not read is recorded and stays pending."""
        try:
            self._distil(work)
        except (BrainError, OSError, ValueError) as error:
            self.failed[work.row.id] = str(error)

    def _distil(self, work: Work) -> None:
        row = work.row
        file = self.root / row.transcript
        if not row.transcript or not file.is_file():
            raise NotFound(f"the transcript of session {row.id} is not here: {row.transcript or 'no path'}")
        first = min(work.attach_from, work.summarise_from)
        turns = tuple(transcript.read_turns(file, max(1, first - BEFORE), row.turns))
        whole: Transcript = replace(transcript.read_head(file), turns=turns)
        path = row.summary or summary_path(stem(row))
        before = summary.parse(self.staging.read(path), path) if path in self.staging else None
        found: Sequence[Fact] = ()
        if work.attach_from < work.summarise_from:
            found = facts(whole, work.attach_from, work.summarise_from - 1, self.context)
        if work.summarises:
            done = self.distiller.distil(whole, work.summarise_from, self.context, before)
            found = [*found, *done.facts]
            before = _short(self._allowed_summary(done.summary))
        if before is not None:
            self._summaries[path] = replace(
                before,
                turns=row.turns,
                through_turn=row.turns,
                attached_through=row.attached_through,
                transcript_sha256=row.transcript_sha256,
                sensitivity=row.sensitivity,
            )
        self.facts += self._with_project([fact for fact in found if self._allowed(fact)], whole)
        self._count(whole, first)

    def finish(self, version: str, *, attached: bool, projects: Mapping[str, Sequence[str]] | None = None) -> None:
        """Write the notes and summaries; `attached` moves the watermark of what is attached, too."""
        for id, file in sorted(merge_notes(self.facts, self._note, self.now).items()):
            self.staging.write(note_path(id), note.render(file))
        for path, one in sorted(self._summaries.items()):
            done = replace(one, updated_by=ACTOR.format(version))
            if attached:
                found = tuple((projects or {}).get(one.id, ()))
                done = replace(done, attached_through=one.turns, projects=tuple(dict.fromkeys((*one.projects, *found))))
            self.staging.write(path, summary.render(done))

    def _with_project(self, found: list[Fact], whole: Transcript) -> list[Fact]:
        """A project known by its folder goes by the name its people use, once they have."""
        project = project_of(found)
        if project is None or " " in project.name:
            return found
        name = self._names.get(project.name) or said_name(
            project.name, (t.text for t in whole.turns if t.role is Role.USER)
        )
        if name is None:
            return found
        self._names[project.name] = name
        return renamed(found, project.name, name)

    def _note(self, id: str) -> NoteFile | None:
        path = note_path(id)
        return note.parse(self.staging.read(path), path) if path in self.staging else None

    def _allowed(self, fact: Fact) -> bool:
        source = turns_uri(fact.session, fact.first_turn, fact.last_turn)
        recalled = self.log.recalls(fact.text)
        barred = (
            self.instructions.barred_by(fact.text)
            or self.log.bars(source)
            or (recalled is not None and recalled[1] >= 0.6)
        )
        self.barred += bool(barred)
        return not barred

    def _allowed_summary(self, made: Summary) -> Summary:
        """The summary without sentences and bullets that an instruction or a deletion bars."""
        if not self.instructions.never and not self.log.live:
            return made
        bullets = {
            head: tuple(
                bullet
                for bullet in rows
                if not self.instructions.barred_by(bullet.text)
                and not self.log.bars(turns_uri(made.id, bullet.first, bullet.last))
            )
            for head, rows in made.bullets.items()
        }
        said = [
            part
            for part in _SENTENCE.split(made.summary)
            if not self.instructions.barred_by(part) and not self.log.recalls(part)
        ]
        return replace(made, bullets={head: rows for head, rows in bullets.items() if rows}, summary=" ".join(said))

    def _count(self, whole: Transcript, first: int) -> None:
        for turn in whole.turns:
            if turn.number >= first:
                size = est_tokens(turn.text)
                self.read += size
                self.speech += size if turn.role is Role.USER else 0
        said = [turn.text for turn in whole.turns if turn.number >= first and turn.role is Role.USER]
        self.vocabulary.append((whole.id, vocabulary(said)))
        for name in {turn.name for turn in whole.turns if turn.role is Role.USER and turn.name}:
            self.speakers[name] = self.speakers.get(name, 0) + 1


def _short(made: Summary) -> Summary:
    """The summary within the words its format allows: whole sentences while they fit, else a part of the first."""
    kept: list[str] = []
    for part in _SENTENCE.split(made.summary):
        if count_words(" ".join([*kept, part])) > MOST_WORDS:
            break
        kept.append(part)
    said = " ".join(kept) or " ".join(made.summary.split()[: MOST_WORDS - 10])
    return made if said == made.summary else replace(made, summary=said)
