"""One Dream run from start to end: orient, summarise, attach, update, check, sync.

orient      what counts and what there is to do                      (orient.py)
summarise   notes and a summary for every session with new turns      (distil)
attach      facts to subjects, subjects to pages                      (attach.py, by the engine)
update      the wiki, in staging                                      (pages.py, by the engine)
check       rules on the whole proposed tree; what fails is taken out (repair.py)
sync        one commit on main, or none                               (sync.py)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from brain.config import Config
from brain.dream.engine import Desk, Dreamer, Update
from brain.dream.extractive import Extractive, directory_of
from brain.dream.memory import Memory
from brain.dream.orient import Orientation, orient
from brain.dream.repair import repair
from brain.dream.ruling import Rules
from brain.dream.subjects import Directory
from brain.dream.summarise import Summariser
from brain.git import MAIN, Git
from brain.rules.evidence import Evidence, TreeEvidence
from brain.sync.history import human_lines
from brain.sync.manifest import Agent, Inputs, Manifest, Operation, Outcome, SessionInput, StopReason
from brain.sync.publish import catch_up
from brain.sync.staging import Staging
from brain.sync.sync import sync
from brain.text import slugify
from brain.tree import deletions
from brain.tree.files import FolderTree
from brain.tree.ids import new_run_id
from brain.tree.layout import INSTRUCTIONS, page_id, page_path
from brain.types import Problem, Severity

Progress = Callable[[int, int, str], None]
Say = Callable[[str], None]

SMALL = 50_000
"""Tokens of user speech up to which a wiki may hold a larger share of it (format §4.8 asks for 25 % above)."""

SHARE_SMALL, SHARE = 0.45, 0.2
LEAST_ALLOWANCE = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DreamResult:
    """What a run did. `noop`: there was nothing to do, or nothing came of it; `dropped` counts statements by reason."""

    run_id: str = ""
    applied: bool = False
    noop: bool = False
    commit: str | None = None
    engine: str = ""
    sessions: int = 0
    turns: int = 0
    created: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    added: int = 0
    retired: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    left_for_later: int = 0

    @property
    def unsupported(self) -> int:
        """Statements that their own turns did not carry."""
        return sum(n for why, n in self.dropped.items() if why.startswith(("unsupported", "partial", "contradicted")))

    @property
    def exit_code(self) -> int:
        return 1 if self.failed or any(problem.severity is Severity.E for problem in self.problems) else 0


def dream(
    root: Path,
    config: Config,
    *,
    now: datetime,
    engine: Dreamer | None = None,
    verbose: Say | None = None,
    progress: Progress | None = None,
    sessions: frozenset[str] | None = None,
    max_sessions: int | None = None,
    trigger: str = "command",
    dry_run: bool = False,
) -> DreamResult:
    """Run the Dream once over the sessions with pending turns; one commit, or none when nothing is pending.

    `engine` is the extractive one unless given. `verbose` gets the orientation line by line. `sessions` narrows the run
    to some session ids, `max_sessions` to the oldest that are pending. Raises LockHeld, SyncConflict, GitError.
    """
    dreamer = engine or Extractive()
    return _run(root, config, now, dreamer, verbose, progress, sessions, max_sessions, trigger, dry_run, attach=True)


def distil(
    root: Path,
    config: Config,
    *,
    now: datetime,
    verbose: Say | None = None,
    progress: Progress | None = None,
    sessions: frozenset[str] | None = None,
    dry_run: bool = False,
) -> DreamResult:
    """Only summarise: notes and summaries of sessions with new turns; their facts stay to be attached by a dream."""
    return _run(root, config, now, Extractive(), verbose, progress, sessions, None, "distil", dry_run, attach=False)


def _run(
    root: Path,
    config: Config,
    now: datetime,
    dreamer: Dreamer,
    verbose: Say | None,
    progress: Progress | None,
    sessions: frozenset[str] | None,
    max_sessions: int | None,
    trigger: str,
    dry_run: bool,
    *,
    attach: bool,
) -> DreamResult:
    with Git(root) as git:
        if not dry_run:
            catch_up(git, config=config, now=now)
        commit = git.resolve(MAIN)
        found = orient(git.tree(commit), sessions=sessions, max_sessions=max_sessions, connectors=config.connectors)
        if not attach:
            found = replace(found, work=tuple(work for work in found.work if work.summarises))
        for line in found.lines():
            (verbose or _quiet)(line)
        start = DreamResult(engine=dreamer.name, left_for_later=found.left_for_later)
        if not found.work or commit is None:
            return replace(start, noop=True)
        start = replace(start, sessions=len(found.work), turns=sum(work.turns for work in found.work))
        if dry_run:
            return start
        manifest = Manifest(
            run_id=new_run_id(now),
            base_commit=commit,
            agent=Agent(name=dreamer.name, version=dreamer.version, model=dreamer.model),
            trigger=trigger,
            started_at=now,
            inputs=_inputs(git, found, config),
        )
        staging = Staging.open(git, manifest)
        try:
            work = _Work(git=git, staging=staging, found=found, config=config, now=now)
            return work.run(dreamer if attach else None, start, progress or _silent)
        except BaseException:
            staging.close()
            raise


@dataclass(slots=True, kw_only=True)
class _Work:
    """A run from its open staging to its commit."""

    git: Git
    staging: Staging
    found: Orientation
    config: Config
    now: datetime
    unreadable: dict[str, str] = field(default_factory=dict)

    def run(self, dreamer: Dreamer | None, start: DreamResult, progress: Progress) -> DreamResult:
        log = deletions.parse(self.found.deletions_text)
        directory = directory_of(self.staging.base)
        summariser = Summariser(
            self.git.root,
            self.staging,
            self.config,
            self.now,
            instructions=self.found.instructions,
            log=log,
            known={name: head.id for head in directory.heads.values() for name in head.names},
        )
        for number, work in enumerate(self.found.work, start=1):
            progress(number, len(self.found.work), work.row.title)
            summariser.session(work)
        evidence = TreeEvidence(
            FolderTree(self.git.root), {name: Path(path) for name, path in self.config.roots.items()}
        )
        self.unreadable = {page_path(id): why for id, why in directory.unreadable.items()}
        update = Update()
        if dreamer is not None:
            update = dreamer.update(self._desk(summariser, directory, evidence))
        summariser.finish(
            dreamer.version if dreamer else Extractive.version, attached=dreamer is not None, projects=update.projects
        )
        self._record(update, summariser)
        base = self.staging.manifest.base_commit
        theirs = human_lines(self.git, base, list(self.staging.changes()))
        rules = Rules(config=self.config, evidence=evidence, log=log, now=self.now, human_lines=theirs)
        _, taken = repair(self.staging, rules)
        return self._sync(rules, update, summariser, taken, start)

    def _desk(self, summariser: Summariser, directory: Directory, evidence: Evidence) -> Desk:
        return Desk(
            run_id=self.staging.manifest.run_id,
            now=self.now,
            config=self.config,
            orientation=self.found,
            base=self.staging.base,
            stage=self.staging,
            evidence=evidence,
            facts=tuple(summariser.facts),
            owners=owners_of(self.config, summariser),
            directory=directory,
            past=Memory(self.git, self.staging.manifest.base_commit),
            vocabulary=summariser.vocabulary,
            allowance=self._allowance(summariser),
            human=self._human,
        )

    def _human(self, path: str) -> frozenset[str]:
        return human_lines(self.git, self.staging.manifest.base_commit, [path]).get(path, frozenset())

    def _allowance(self, summariser: Summariser) -> int:
        """Tokens by which the pages may grow: a share of what users said in the new turns (format §4.8)."""
        places = [self.git.root / row.transcript for row in self.found.rows.values() if row.transcript]
        stored = sum(place.stat().st_size for place in places if place.is_file()) * 2 / 7
        said = stored * summariser.speech / summariser.read if summariser.read else 0.0
        return max(LEAST_ALLOWANCE, int(summariser.speech * (SHARE_SMALL if said <= SMALL else SHARE)))

    def _record(self, update: Update, summariser: Summariser) -> None:
        """Put into the manifest what was done to pages, and which sessions could not be read."""
        inputs = self.staging.manifest.inputs
        read = tuple(replace(one, skipped=summariser.failed.get(one.id)) for one in inputs.sessions)
        pages = any(op.path.startswith("knowledge/") for op in update.ops)
        self.staging.manifest = replace(
            self.staging.manifest.with_ops(*update.ops),
            inputs=replace(inputs, sessions=read),
            result=Outcome.CHANGES if pages else Outcome.NOOP,
            stop_reason=StopReason.DONE if pages else StopReason.NOOP,
            finished_at=self.now,
        )
        self.staging.save()

    def _sync(
        self, rules: Rules, update: Update, summariser: Summariser, taken: Counter[str], start: DreamResult
    ) -> DreamResult:
        dropped = dict(update.dropped)
        if summariser.barred:
            dropped["standing instruction or deletion"] = summariser.barred
        for rule, number in sorted(taken.items()):
            dropped[f"rule {rule}"] = number
        manifest = self.staging.manifest
        ops = [op for op in manifest.ops if page_id(op.path)]
        done = replace(
            start,
            run_id=manifest.run_id,
            added=update.added,
            retired=update.retired,
            dropped=dropped,
            failed=self.unreadable | dict(summariser.failed),
            created=tuple(page_id(op.path) or "" for op in ops if op.op is Operation.CREATE),
            updated=tuple(page_id(op.path) or "" for op in ops if op.op is not Operation.CREATE),
        )
        if not self.staging.changes():
            self.staging.close()
            return replace(done, noop=True)
        result = sync(self.git, self.staging, check=rules, now=self.now, config=self.config)
        return replace(done, applied=result.applied, noop=not ops, commit=result.commit, problems=result.problems)


def owners_of(config: Config, summariser: Summariser) -> dict[str, str]:
    """Page id → name of those whose memory this is: as configured, else those who speak half as often as the most."""
    if config.owners:
        return dict(zip(config.owners, config.owner_names, strict=True))
    spoken = summariser.speakers or {
        fact.speaker: 1 for fact in summariser.facts if fact.speaker and not fact.qualifier
    }
    most = max(spoken.values(), default=0)
    return {f"entities/{slugify(name)}": name for name in sorted(spoken) if spoken[name] * 2 >= most}


def _inputs(git: Git, found: Orientation, config: Config) -> Inputs:
    place = git.root / INSTRUCTIONS
    return Inputs(
        sessions=tuple(
            SessionInput(id=work.row.id, from_turn=min(work.summarise_from, work.attach_from), to_turn=work.row.turns)
            for work in found.work
        ),
        instructions_sha256=sha256(place.read_bytes()).hexdigest() if place.is_file() else None,
        deletions_through=found.deletions_through,
    )


def _quiet(_: str) -> None:
    pass


def _silent(_: int, __: int, ___: str) -> None:
    pass
