"""A brain in a temporary folder, and short ways to write pages, notes and runs into it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from brain.config import Config
from brain.git import MAIN, Git
from brain.sync.manifest import Agent, Inputs, Manifest, SessionInput
from brain.sync.publish import Changes, Check, SyncResult, catch_up, publish
from brain.sync.staging import Staging
from brain.sync.sync import sync
from brain.tree.files import Tree
from brain.tree.ids import new_run_id
from brain.tree.init import empty_brain

NOW = datetime(2026, 8, 6, 7, 51, tzinfo=UTC)
A = "1eaf53d4-09e0-5823-bb96-c8662f582708"
B = "2b1d7c55-3c1e-5c0f-9f5e-7a1f0a2b3c4d"


def uri(session: str, turns: str = "t3") -> str:
    return f"session://{session}#{turns}"


def page(
    page_id: str = "projects/harbour-map",
    body: str = "",
    sources: Sequence[str] = (),
    *,
    description: str = "A map of the harbour for people who walk slowly",
    extra: Mapping[str, str] | None = None,
) -> str:
    """A page whose References are `sources`, numbered from 1; `body` is what stands below the lead."""
    kind = {"projects": "project", "entities": "entity", "concepts": "concept"}[page_id.partition("/")[0]]
    head = {
        "id": page_id,
        "type": kind,
        "title": "Harbour map",
        "description": description,
        "status": "active",
        "created_at": "2026-06-21T04:10:00Z",
        "updated_at": "2026-06-21T04:10:00Z",
        "updated_by": "dream/0.1",
        "next_cite": str(len(sources) + 1),
        "language": "en",
        **(extra or {}),
    }
    references = "".join(f'[cite:{n}]: {source} "said"\n' for n, source in enumerate(sources, start=1))
    return (
        "---\n"
        + "".join(f"{key}: {value}\n" for key, value in head.items())
        + "---\n# Harbour map\n\nA map for people who walk slowly. [cite:1]\n\n"
        + body
        + f"\n## References\n{references}"
    )


def note(lines: str, note_id: str = "notes/facts/harbour") -> str:
    head = f"---\nid: {note_id}\ntype: note\ntitle: Harbour\nupdated_at: 2026-08-02T09:20:00Z\n---\n"
    return head + lines


@dataclass
class SmallBrain:
    root: Path
    git: Git
    config: Config = field(default_factory=Config)
    now: datetime = NOW

    @classmethod
    def make(cls, root: Path) -> SmallBrain:
        made = cls(root=root, git=Git.init(root))
        made.publish(empty_brain(now=NOW, owners=["Nadia"]), kind="migrate", subject="start an empty memory")
        return made

    @property
    def main(self) -> str:
        found = self.git.resolve(MAIN)
        assert found is not None
        return found

    def publish(
        self,
        changes: Changes | Callable[[Tree], Changes],
        *,
        kind: str = "fix",
        subject: str = "put files",
        base: str | None = None,
    ) -> SyncResult:
        self.now += timedelta(seconds=1)
        return publish(self.git, changes, kind=kind, subject=subject, now=self.now, config=self.config, base=base)

    def catch_up(self) -> SyncResult:
        self.now += timedelta(seconds=1)
        return catch_up(self.git, config=self.config, now=self.now)

    def open_run(self, *, full: bool = False, sessions: Sequence[str] = (), run_id: str | None = None) -> Staging:
        manifest = Manifest(
            run_id=run_id or new_run_id(),
            base_commit=self.main,
            agent=Agent(name="extractive", version="0.1"),
            trigger="test",
            started_at=self.now,
            inputs=Inputs(sessions=tuple(SessionInput(id=s, from_turn=1, to_turn=9) for s in sessions)),
        )
        return Staging.open(self.git, manifest, full=full)

    def sync(self, staging: Staging, check: Check | None = None) -> SyncResult:
        self.now += timedelta(seconds=1)
        return sync(self.git, staging, check=check, now=self.now, config=self.config)

    def write(self, path: str, text: str) -> None:
        """Write into the folder as a person does, with an editor."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def read(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    def on_main(self, path: str) -> str | None:
        tree = self.git.tree(self.main)
        return tree.read(path) if path in tree else None

    def users_git(self, *args: str) -> str:
        """Git as the person at the folder runs it."""
        identity = ["-c", "user.name=Nadia", "-c", "user.email=nadia@example.org"]
        done = subprocess.run(["git", *identity, *args], cwd=self.root, capture_output=True, text=True, check=True)
        return done.stdout

    def clean(self) -> bool:
        """Whether the person's git sees nothing to commit, and the repository is whole."""
        subprocess.run(["git", "fsck", "--strict"], cwd=self.root, check=True, capture_output=True)
        return self.users_git("status", "--porcelain") == ""
