"""Phase two: every session with new turns is distilled to facts, notes and a summary; only its new turns are read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from brain.config import Config
from brain.distil import DistilContext, Distiller, ExtractiveDistiller, facts, merge_notes
from brain.distil.reread import reread
from brain.dream.orient import Instructions, Work
from brain.dream.projects import project_of, renamed, said_name
from brain.dream.undertakings import Vocabulary, vocabulary
from brain.errors import BadOutput, BrainError, BudgetExceeded, ConfigError, ContextOverflow, ModelFailed, NotFound
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
AWAY = 2
"""Sessions in a row that fail because the model's server is away; after that the rest is not tried."""

ACTOR = "dream/{}"
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+")


class Summariser:
    """Distils the sessions of one run into its staging. `facts` grows with each, `failed` says what did not read.

    A session that failed stays pending whole; the others go on. `dropped` counts what a distiller noted and checks
    refused, `stopped` says why no more sessions were read. `speech` counts the tokens of what users said in the new
    turns, `read` of everything in them.
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
        self.dropped: Counter[str] = Counter()
        self.stopped = ""
        self.barred = 0
        self.speech = 0
        self.read = 0
        self.speakers: dict[str, int] = {}
        self.vocabulary: list[tuple[str, Vocabulary]] = []
        self._summaries: dict[str, Summary] = {}
        self._names: dict[str, str] = {}
        self._away = 0

    def session(self, work: Work) -> None:
        """Distil one session; one that does not read is recorded and stays pending. Raises ConfigError."""
        if self.stopped:
            self.failed[work.row.id] = f"not read: {self.stopped}"
            return
        try:
            self._distil(work)
        except ConfigError:
            raise  # the same for every session: a key that is missing or refused
        except (BrainError, OSError, ValueError) as error:
            self.failed[work.row.id] = str(error)
            self._heed(error)
        else:
            self._away = 0

    def _heed(self, error: Exception) -> None:
        """Stop asking a model whose server is away, or when the run's money or time is used up."""
        if isinstance(error, BudgetExceeded) and error.limit != "requests":
            self.stopped = str(error)
        elif isinstance(error, ModelFailed) and not isinstance(error, BadOutput | ContextOverflow):
            self._away += 1
            if self._away == AWAY:
                self.stopped = str(error)
        else:
            self._away = 0

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
            found = self._again(whole, work)
        if work.summarises:
            done = self.distiller.distil(whole, work.summarise_from, self.context, before)
            found = [*found, *done.facts]
            self.dropped.update(done.dropped)
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

    def _again(self, whole: Transcript, work: Work) -> Sequence[Fact]:
        """Facts of turns distilled before and attached now: selected anew, or read off the notes that a model made."""
        last = work.summarise_from - 1
        if isinstance(self.distiller, ExtractiveDistiller):
            return facts(whole, work.attach_from, last, self.context)
        noted = [
            (path, one)
            for path in self.staging.base.paths("notes/")
            if whole.id in (text := self.staging.base.read(path))
            for one in note.parse(text, path).snippets
        ]
        return reread(noted, whole, work.attach_from, last, self.context)

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
        recalled = self.log.recalls(fact.text, fact.day)
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
