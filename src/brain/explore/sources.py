"""From a source URI to what it stands for: turns, a slice of a file, a connector's snapshot."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from brain.config import Config
from brain.errors import FormatError, NotFound
from brain.tree import layout, snapshot, transcript
from brain.tree.files import FolderTree
from brain.tree.ids import SESSION
from brain.tree.uri import ConnectorUri, FileUri, SessionUri, SourceUri, parse
from brain.types import Turn

_PREFIX = re.compile(r"[0-9a-f]{8}[0-9a-f-]*")


class Sources:
    """Resolves the evidence of one brain, of what `tree` lets be seen of it."""

    def __init__(self, root: Path, config: Config | None = None, tree: FolderTree | None = None) -> None:
        self.root = root
        self.tree = tree or FolderTree(root)
        self.config = config or Config()

    def parse(self, uri: str) -> SourceUri:
        """A URI as written, shortened session ids included. Raises FormatError."""
        return parse(uri, self.session)

    def session(self, start: str) -> str | None:
        """The whole id of the one session that starts so; None when none or several do."""
        if not _PREFIX.fullmatch(start):
            return None
        ids = {id_of(file) for file in self._transcripts(start[:8])}
        matching = [found for found in ids if found.startswith(start)]
        return matching[0] if len(matching) == 1 else None

    def transcript(self, session: str) -> Path:
        """The transcript file of a session. Raises NotFound."""
        if SESSION.fullmatch(session):
            for file in self._transcripts(session[:8]):
                if id_of(file) == session:
                    return file
        raise NotFound(f"memory holds no session {session!r}", hint="brain search, or cat sessions/index.md")

    def turns(self, source: SessionUri) -> list[Turn]:
        """The turns of a URI, all of the session without ranges. Raises NotFound when it has none of them."""
        file = self.transcript(source.session)
        if not source.ranges:
            return list(transcript.iter_turns(file))
        wanted = set(source.turns())
        found = [turn for turn in transcript.read_turns(file, min(wanted), max(wanted)) if turn.number in wanted]
        if not found:
            raise NotFound(f"session {source.session} has no turns {source}")
        return found

    def text(self, source: FileUri | ConnectorUri) -> str:
        """A slice of a file or a stored snapshot. Raises NotFound."""
        if isinstance(source, ConnectorUri):
            return snapshot.shown(self.tree.read(layout.snapshot_path(source.name, source.sha)))
        if source.root != "artifacts":
            raise NotFound(f"{source} lies outside of memory", hint="its root is named in .brain/config.toml")
        text = self.tree.read(layout.ARTIFACTS + source.path)
        lines = re.fullmatch(r"L(\d+)(?:-L(\d+))?", source.anchor or "")
        if not lines:
            return text
        first, last = int(lines[1]), int(lines[2] or lines[1])
        return "\n".join(text.split("\n")[first - 1 : last]) + "\n"

    def exists(self, uri: str) -> bool:
        """Whether a URI leads to something."""
        try:
            source = self.parse(uri)
            if isinstance(source, SessionUri):
                return bool(self.turns(source))
            self.text(source)
        except (FormatError, NotFound):
            return False
        return True

    def _transcripts(self, prefix: str) -> list[Path]:
        return [self.root / path for path in self._stems.get(prefix, ()) if path in self.tree]

    @cached_property
    def _stems(self) -> Mapping[str, list[str]]:
        """Paths of transcripts by what their names end with: the first eight digits of a session's id."""
        found: dict[str, list[str]] = {}
        for path in FolderTree.paths(self.tree, layout.TRANSCRIPTS):
            found.setdefault(path.removesuffix(".md")[-8:], []).append(path)
        return found


def id_of(file: Path) -> str:
    """The session id that a transcript file names in its head."""
    return transcript.read_head(file).id
