"""An open run: a whole work tree to edit with any tool, checked as often as one likes, closed by one commit or none.

    run = OpenRun.open(git, config, now=now, agent=Agent(name="by-hand", version="1"), trigger="by-hand")
    …edit run.tree, say in run.report what was taken away and why…
    run.check()      what would be refused, with the way out
    run.close()      check again, give back what fails, publish

The run is found again by its id in another process, until it is closed or aborted. Engines that write through a desk
use the same run without a tree of their own (`in_tree=False`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from brain.config import Config
from brain.distil import Distiller
from brain.dream import briefing, closing, report, written
from brain.dream.checked import Checked
from brain.dream.difference import differences, keep_distilled
from brain.dream.engine import Desk, Update
from brain.dream.extractive import directory_of
from brain.dream.looking import Look, fingerprint, look
from brain.dream.memory import Memory
from brain.dream.orient import Orientation, orient
from brain.dream.owners import owners_of
from brain.dream.probe import Probe, survey
from brain.dream.result import DreamResult
from brain.dream.running import Running, without_held
from brain.dream.subjects import Directory
from brain.dream.summarise import Summariser
from brain.dream.verification import Verifier
from brain.errors import NotFound, UsageError
from brain.git import MAIN, Git
from brain.sync.manifest import Agent, Budget, ConnectorInput, Inputs, Manifest, SessionInput
from brain.sync.publish import catch_up
from brain.sync.staging import Staging, open_by_hand
from brain.tree.files import write_atomic
from brain.tree.ids import new_run_id
from brain.tree.layout import INSTRUCTIONS, page_id, page_path
from brain.types import Spent

Progress = Callable[[int, int, str], None]

_CONNECTOR = re.compile(r"connector://[^\s\"\]>;]+")

At = tuple[str | None, Orientation]
"""What main was when it was looked at, and what there is to do."""


@dataclass(slots=True, kw_only=True)
class OpenRun:
    """A Dream run from its opening on. `orientation` says what it is about, `facts` what distilling found."""

    running: Running
    start: DreamResult
    in_tree: bool = True
    directory: Directory = field(default_factory=Directory)
    summariser: Summariser | None = None
    untouched: str = ""
    _seen: tuple[str, Look] | None = None

    # -- where it is

    @property
    def id(self) -> str:
        return self.running.staging.manifest.run_id

    @property
    def orientation(self) -> Orientation:
        return self.running.orientation

    @property
    def folder(self) -> Path:
        """The run's folder: `tree/`, `BRIEFING.md`, `FACTS.md`, `report.md`, `manifest.json`."""
        return self.running.staging.path

    @property
    def tree(self) -> Path:
        """The proposed state, every tracked file of memory; the only place to write in but `report`."""
        return self.running.staging.work

    @property
    def by_hand(self) -> bool:
        """Whether it outlives the process that opened it, so that whoever finds it may end it."""
        return self.running.staging.by_hand

    @property
    def briefing(self) -> Path:
        return self.folder / briefing.NAME

    @property
    def report(self) -> Path:
        """Where the author says what a program cannot see: why a claim went, which session gave nothing, page notes."""
        return self.folder / report.NAME

    # -- its beginning

    @classmethod
    def open(
        cls,
        git: Git,
        config: Config,
        *,
        now: datetime,
        agent: Agent,
        trigger: str,
        sessions: frozenset[str] | None = None,
        max_sessions: int | None = None,
        distiller: Distiller | None = None,
        at: At | None = None,
        in_tree: bool = True,
        by_hand: bool = False,
        run_id: str | None = None,
        progress: Progress | None = None,
        news: bool = False,
    ) -> OpenRun | None:
        """Distil what is pending and open a run over it; None when nothing is, and no `news` from outside either.

        `at` is what `look_around` gave when it was asked already. Raises UsageError when a run by hand is open.
        """
        if by_hand and (other := open_by_hand(git)):
            raise UsageError(
                f"run {other[0]} is open already; two by hand would get in each other's way",
                hint="brain dream check, brain dream close, or brain dream abort",
            )
        if at is None:
            catch_up(git, config=config, now=now)
        commit, found = at or look_around(git, config, sessions=sessions, max_sessions=max_sessions)
        if not (found.work or news) or commit is None:
            return None
        manifest = Manifest(
            run_id=run_id or new_run_id(now), base_commit=commit, agent=agent, trigger=trigger, started_at=now,
            inputs=_inputs(git, found),
        )  # fmt: skip
        staging = Staging.open(git, manifest, full=in_tree, by_hand=by_hand)
        try:
            running = Running(git=git, staging=staging, config=config, orientation=found, now=now)
            start = DreamResult(
                engine=agent.name,
                left_for_later=found.left_for_later,
                sessions=len(found.work),
                turns=sum(work.turns for work in found.work),
            )
            run = cls(running=running, start=start, in_tree=in_tree, directory=directory_of(staging.base))
            run._distil(distiller, progress or _silent)
            if in_tree:
                run._prepare()
            return run
        except BaseException:
            staging.close()
            raise

    @classmethod
    def find(cls, git: Git, config: Config, run_id: str | None, *, now: datetime) -> OpenRun:
        """The open run of that id (its first characters will do), or the only one there is. Raises NotFound."""
        known = [id for id in open_by_hand(git) if id.startswith(run_id or "")]
        if run_id is not None and not known:
            known = [run_id]
        if len(known) != 1:
            told = "no run is open" if not known else f"{len(known)} runs are open: {', '.join(known)}"
            raise NotFound(told, hint="brain dream open" if not known else "brain dream check <run>")
        staging = Staging.find(git, known[0])
        manifest = replace(staging.manifest, stop_reason=None, finished_at=None, result=None)
        staging.manifest = manifest
        ids = frozenset(one.id for one in manifest.inputs.sessions)
        running = Running(
            git=git, staging=staging, config=config, orientation=orient(staging.base, sessions=ids), now=now
        )
        turns = sum(one.to_turn - one.from_turn + 1 for one in manifest.inputs.sessions)
        start = DreamResult(engine=manifest.agent.name, sessions=len(ids), turns=turns)
        return cls(running=running, start=start)

    def _distil(self, distiller: Distiller | None, progress: Progress) -> None:
        running = self.running
        self.summariser = Summariser(
            running.git.root,
            running.staging,
            running.config,
            running.now,
            instructions=running.orientation.instructions,
            log=running.log,
            known={name: head.id for head in self.directory.heads.values() for name in head.names},
            distiller=distiller,
        )
        for number, work in enumerate(running.orientation.work, start=1):
            progress(number, len(running.orientation.work), work.row.title)
            self.summariser.session(work)
        unreadable = {page_path(id): why for id, why in self.directory.unreadable.items()}
        running.failed = unreadable | dict(self.summariser.failed)
        staging = running.staging
        inputs = staging.manifest.inputs
        read = tuple(replace(one, skipped=self.summariser.failed.get(one.id)) for one in inputs.sessions)
        staging.manifest = replace(staging.manifest, inputs=replace(inputs, sessions=read))

    def _prepare(self) -> None:
        """Write what an author finds: notes and summaries in the tree, the briefing and an empty report beside it."""
        assert self.summariser is not None
        running, manifest = self.running, self.running.staging.manifest
        self.summariser.finish(manifest.agent.version, attached=True)
        running.staging.save()
        keep_distilled(running.staging)
        write_atomic(
            self.briefing,
            briefing.briefing(
                briefing.Material(
                    root=running.git.root,
                    folder=self.folder,
                    manifest=manifest,
                    orientation=running.orientation,
                    tree=running.staging.base,
                    evidence=running.evidence,
                    zone=running.config.zone,
                    owners=self._owners(),
                    facts=self.summariser.facts,
                    directory=self.directory,
                    skipped=self.summariser.failed,
                )
            ),
        )
        write_atomic(self.folder / briefing.FACTS, briefing.facts_by_subject(self.summariser.facts, self.directory))
        write_atomic(self.report, report.blank(self.id))
        self.untouched = fingerprint(running)

    # -- its work

    def desk(self, probe: Probe | None = None) -> Desk:
        """What an engine works with."""
        running, made = self.running, self.summariser
        assert made is not None, "a run that was found again has no engine"
        base = running.staging.manifest.base_commit
        return Desk(
            run_id=self.id,
            now=running.now,
            config=running.config,
            orientation=running.orientation,
            base=running.staging.base,
            stage=running.staging,
            evidence=running.evidence,
            facts=tuple(made.facts),
            owners=self._owners(),
            directory=self.directory,
            past=Memory(running.git, base),
            vocabulary=made.vocabulary,
            allowance=written.allowance(running, made),
            human=lambda path: running.human([path]).get(path, frozenset()),
            folder=self.folder if self.in_tree else None,
            corpus=running.git.root,
            check=self.check,
            changed=lambda: fingerprint(running) != self.untouched,
            leave=running.leave,
            probe=probe,
        )

    def check(self, verifier: Verifier | None = None, *, override: bool = False) -> Checked:
        """Number sources, compute what changed, run the rules, test every new claim against its turns."""
        checked = self._look(verifier, override=override).checked
        rows = [asdict(problem) for problem in checked.problems]
        write_atomic(self.folder / "checks.json", json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
        return checked

    def leave(self, session: str, reason: str) -> None:
        """Give a session back: its turns stay to be attached by the next run."""
        self.running.leave(session, reason)

    # -- its end

    def close(
        self,
        update: Update | None = None,
        *,
        verifier: Verifier | None = None,
        override: bool = False,
        spent: Callable[[], Spent] | None = None,
    ) -> DreamResult:
        """Check once more, give back what fails claim by claim, publish what stands. Raises LockHeld, SyncConflict."""
        update = update or Update()
        self._seen_to_end(update)
        self._name_connectors()
        start = replace(self.start, dropped=self._dropped(update), stopped=self._stopped(update))
        seen = self._look(verifier, override=override) if self.in_tree else None
        if spent is not None:
            start = replace(start, spent=spent())
            self._charge(start.spent)
        if seen is None:
            assert self.summariser is not None
            return written.close(self.running, self.summariser, update, start, verifier=verifier)
        return closing.close(self.running, seen, start, override=override)

    def abort(self) -> None:
        """Drop the run. Nothing of it is left and its sessions stay pending."""
        self.running.staging.close()

    def _look(self, verifier: Verifier | None, *, override: bool = False) -> Look:
        name = f"{fingerprint(self.running)} {getattr(verifier, 'name', '')} {override}"
        if self._seen is None or self._seen[0] != name:
            seen = look(self.running, verifier, override=override)
            self._seen = (f"{fingerprint(self.running)} {getattr(verifier, 'name', '')} {override}", seen)
        return self._seen[1]

    def _seen_to_end(self, update: Update) -> None:
        """Give back the sessions that the engine could not do."""
        for session, why in update.failed.items():
            if session in self.orientation.rows:
                self.running.leave(session, why)
        self.running.failed = self.running.failed | update.failed

    def _name_connectors(self) -> None:
        """Enter into the manifest which snapshots of outside sources pages cite because of this run."""
        staging = self.running.staging
        base = staging.base
        new: set[str] = set()
        for path, text in differences(staging).changes.items():
            if text and page_id(path):
                before = base.read(path) if path in base else ""
                new |= set(_CONNECTOR.findall(text)) - set(_CONNECTOR.findall(before))
        if new:
            inputs = replace(staging.manifest.inputs, connectors=tuple(ConnectorInput(uri=uri) for uri in sorted(new)))
            staging.manifest = replace(staging.manifest, inputs=inputs)

    def _stopped(self, update: Update) -> str:
        return update.stopped or (self.summariser.stopped if self.summariser else "")

    def _charge(self, spent: Spent | None) -> None:
        """Enter into the manifest what calls of models took."""
        if spent is not None:
            staging = self.running.staging
            budget = Budget(
                tokens_in=spent.input, tokens_out=spent.output, tool_calls=spent.calls, cost_usd=round(spent.cost, 6)
            )
            staging.manifest = replace(staging.manifest, budget=budget)

    def _dropped(self, update: Update) -> dict[str, int]:
        """What was left out so far, by reason."""
        dropped = dict(update.dropped)
        if self.summariser:
            dropped |= dict(self.summariser.dropped)
        if self.summariser and self.summariser.barred:
            dropped["standing instruction or deletion"] = self.summariser.barred
        return dropped

    def _owners(self) -> dict[str, str]:
        made = self.summariser
        return owners_of(self.running.config, made.speakers, made.facts) if made else {}


def look_around(
    git: Git,
    config: Config,
    *,
    sessions: frozenset[str] | None = None,
    max_sessions: int | None = None,
    connectors: Sequence[str] | None = None,
) -> At:
    """Main as it is, and what a run over it would be about. `connectors` are lines on them, asked when not given."""
    commit = git.resolve(MAIN)
    lines = survey(git, config) if connectors is None else connectors
    found = orient(git.tree(commit), sessions=sessions, max_sessions=max_sessions, connectors=lines)
    return commit, without_held(git, found)


def _inputs(git: Git, found: Orientation) -> Inputs:
    place = git.root / INSTRUCTIONS
    return Inputs(
        sessions=tuple(
            SessionInput(id=work.row.id, from_turn=min(work.summarise_from, work.attach_from), to_turn=work.row.turns)
            for work in found.work
        ),
        instructions_sha256=sha256(place.read_bytes()).hexdigest() if place.is_file() else None,
        deletions_through=found.deletions_through,
    )


def _silent(_: int, __: int, ___: str) -> None:
    pass
