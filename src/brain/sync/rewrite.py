"""The whole history of memory written anew, as if something had never been in it: every commit, with other contents.

    done = rewrite(git, lambda path, content: without(content), messages=without_words)

For what must not only be gone but never have been there. Publish first what makes the newest state right, and rewrite
then: the newest commit keeps its contents, so that a kill at any moment leaves folder and main alike. New objects lie
beside the old ones until all references move at once; then the old ones are dropped from disk, and that is checked.
Copies elsewhere (remotes, clones, backups) keep the old history: nobody can rewrite those from here.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha1
from pathlib import Path

from brain.errors import GitError, NotFound, SyncConflict
from brain.git import MAIN, Git
from brain.sync.folder import AT, Folder
from brain.sync.lock import PATIENCE, Lock
from brain.sync.staging import open_runs
from brain.tree.files import write_atomic

Change = Callable[[str, bytes], bytes | None]
"""(path, content) → the content it shall always have had; None: it never was there. Must be pure: it is asked once."""

_NAME = re.compile(r"\b[0-9a-f]{7,40}\b")
_SIGNED = re.compile(rb"^(?:gpgsig|gpgsig-sha256|mergetag) .*(?:\n .*)*\n", re.MULTILINE)
_LOOSE_ENDS = ("ORIG_HEAD", "FETCH_HEAD", "AUTO_MERGE", "rr-cache", "lost-found", "logs")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """What came of it. `commits` maps old names to new ones, of those that changed; `still` are old contents that could
    not be dropped; `remotes` are addresses the history may have been sent to."""

    main: str | None
    commits: dict[str, str] = field(default_factory=dict)
    contents: int = 0
    still: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()


def rewrite(
    git: Git,
    change: Change,
    *,
    messages: Callable[[str], str] | None = None,
    rename: Callable[[str], str] | None = None,
    what: str = "brain redact",
    patience: float = PATIENCE,
) -> Rewritten:
    """Write every commit of every branch and tag anew. Commits in which nothing changes keep their names.

    Names of commits in messages and run records follow. `rename` gives the name, in its folder, that the file at a path
    shall always have had. Raises SyncConflict while runs are open, LockHeld, GitError.
    """
    folder = Folder(git)
    lock = Lock(git.root, folder.place / "epoch", what=what)
    lock.acquire(patience)
    try:
        if runs := open_runs(git):
            raise SyncConflict(
                f"runs are open that stand on the old history: {', '.join(runs)}",
                hint="finish them, or drop each with: brain dream abort RUN",
            )
        if git.resolve(MAIN) is None:
            return Rewritten(main=None)
        if not folder.follows_main():
            raise SyncConflict("the folder does not show main, nothing was rewritten", hint="git checkout main")
        main = git.resolve(MAIN)
        folder.open(main)
        writing = _Writing(git, change, messages, rename)
        refs = _references(git)
        for commit in git.text("rev-list", "--topo-order", "--reverse", "--all").split():
            writing.commit(commit)
        moved = {ref: (old, new) for ref, old in refs.items() if (new := writing.reference(old)) != old}
        if moved:
            os.sync()  # once, rather than for each of thousands of objects
            lock.check()
            _move(git, moved)
            new_main = git.resolve(MAIN)
            assert new_main is not None
            folder.bring(new_main)
            _rename_in_runs(git.root, writing.changed)
        old = writing.dropped
        _drop(git)  # also when nothing moved: an earlier one may have been killed before it came to this
        still = tuple(sorted(name for name in old if _there(git, name)))
        remotes = tuple(line for line in git.text("remote").splitlines() if line)
        return Rewritten(
            main=git.resolve(MAIN), commits=writing.changed, contents=len(old), still=still, remotes=remotes
        )
    finally:
        lock.release()


class _Writing:
    """Objects written anew, each once. What was mapped is kept by name, so that a file costs once in all of history."""

    def __init__(
        self,
        git: Git,
        change: Change,
        messages: Callable[[str], str] | None,
        rename: Callable[[str], str] | None,
    ) -> None:
        self.git = git
        self.rename = rename
        self.change = change
        self.messages = messages
        self.changed: dict[str, str] = {}
        self.dropped: set[str] = set()
        self._blobs: dict[tuple[str, str], str | None] = {}
        self._trees: dict[tuple[str, str], str | None] = {}

    def commit(self, name: str) -> None:
        raw = self.git.blob(name)
        head, _, message = raw.partition(b"\n\n")
        tree = head.split(b"\n", 1)[0].removeprefix(b"tree ").decode()
        mapped = self._tree(tree, "") or self._put("tree", b"")
        lines = [b"tree " + mapped.encode()]
        for line in head.split(b"\n")[1:]:
            parent = line.removeprefix(b"parent ").decode("ascii", "replace") if line.startswith(b"parent ") else ""
            lines.append(b"parent " + self.changed.get(parent, parent).encode() if parent else line)
        said = self._message(message)
        new_head = b"\n".join(lines)
        if new_head == head and said == message:
            return
        new_head = _SIGNED.sub(b"", new_head + b"\n").rstrip(b"\n")  # a signature of other bytes would be a lie
        self.changed[name] = self._put("commit", new_head + b"\n\n" + said)

    def reference(self, name: str) -> str:
        """What a reference to this object shall point to: its commit, or its tag, written anew."""
        if name in self.changed:
            return self.changed[name]
        if self.git.text("cat-file", "-t", name) != "tag":
            return name
        raw = self.git.blob(name)
        head, _, message = raw.partition(b"\n\n")
        first, _, rest = head.partition(b"\n")
        target = first.removeprefix(b"object ").decode()
        said = self._message(message.partition(b"-----BEGIN PGP SIGNATURE-----")[0])
        mapped = self.reference(target)
        if mapped == target and said == message:
            return name
        return self._put("tag", b"object " + mapped.encode() + b"\n" + rest + b"\n\n" + said)

    def _message(self, message: bytes) -> bytes:
        try:
            text = message.decode("utf-8")
        except UnicodeDecodeError:
            return message
        said = self.messages(text) if self.messages else text
        return _NAME.sub(lambda match: _renamed(match[0], self.changed), said).encode("utf-8")

    def _tree(self, name: str, under: str) -> str | None:
        if (name, under) in self._trees:
            return self._trees[name, under]
        raw = self.git.blob(name)
        rows: dict[bytes, bytes] = {}
        for mode, file, child in _entries(raw):
            path = under + os.fsdecode(file)
            if mode == b"40000":
                mapped = self._tree(child, path + "/")
            elif mode in (b"100644", b"100755", b"100664"):
                mapped = self._blob(child, path)
            else:
                mapped = child
            if mapped is not None:
                named = os.fsencode(self.rename(path)) if self.rename and mode != b"40000" else file
                order = named + b"/" * (mode == b"40000")  # as git sorts a tree
                rows[order] = mode + b" " + named + b"\0" + bytes.fromhex(mapped)
        new = b"".join(rows[order] for order in sorted(rows))
        found = name if new == raw else self._put("tree", new) if rows else None
        self._trees[name, under] = found
        return found

    def _blob(self, name: str, path: str) -> str | None:
        if (name, path) not in self._blobs:
            content = self.git.blob(name)
            new = self.change(path, content)
            if new != content:
                self.dropped.add(name)
            self._blobs[name, path] = None if new is None else name if new == content else self._put("blob", new)
        return self._blobs[name, path]

    def _put(self, kind: str, content: bytes) -> str:
        """Write an object as git writes loose ones."""
        whole = f"{kind} {len(content)}\0".encode() + content
        name = sha1(whole, usedforsecurity=False).hexdigest()
        place = self.git.dir / "objects" / name[:2] / name[2:]
        if not place.exists():
            place.parent.mkdir(mode=0o700, exist_ok=True)
            handle, temporary = tempfile.mkstemp(prefix="tmp_obj_", dir=place.parent)
            with os.fdopen(handle, "wb") as file:
                file.write(zlib.compress(whole))
            Path(temporary).chmod(0o444)
            Path(temporary).replace(place)
        return name


def _entries(raw: bytes) -> Iterator[tuple[bytes, bytes, str]]:
    """(mode, name, object) of each entry of a tree object."""
    at = 0
    while at < len(raw):
        space, end = raw.index(b" ", at), raw.index(b"\0", at)
        yield raw[at:space], raw[space + 1 : end], raw[end + 1 : end + 21].hex()
        at = end + 21


def _references(git: Git) -> dict[str, str]:
    rows = git.text("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    return {ref: name for ref, _, name in (row.partition(" ") for row in rows)}


def _move(git: Git, moved: dict[str, tuple[str, str]]) -> None:
    """All references at once, each only if it still is where it was: another writer ends it, with nothing changed."""
    rows = ["start"]
    rows += [f"update {ref} {new} {old}" for ref, (old, new) in sorted(moved.items()) if ref != AT]
    rows += ["prepare", "commit"]
    try:
        git.run("update-ref", "--no-deref", "--stdin", data=("\n".join(rows) + "\n").encode())
    except GitError as error:
        raise SyncConflict(
            f"memory moved while its history was rewritten; nothing changed ({error.message})",
            hint="run the command again",
        ) from error


def _drop(git: Git) -> None:
    """Take what no reference leads to any more off the disk: reflogs first, as they would hold it for months."""
    for name in _LOOSE_ENDS:
        place = git.dir / name
        shutil.rmtree(place, ignore_errors=True) if place.is_dir() else place.unlink(missing_ok=True)
    git.close()  # a reader that is open holds the packs
    git.run("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all")
    git.run("repack", "-a", "-d", "-l", "-q")
    git.run("prune", "--expire=now")
    git.run("pack-refs", "--all")


def _there(git: Git, name: str) -> bool:
    try:
        git.run("cat-file", "-e", name)
    except (GitError, NotFound):
        return False
    return True


def _rename_in_runs(root: Path, commits: dict[str, str]) -> None:
    """Records of runs name the commits they stood on and made."""
    for place in sorted((root / ".brain" / "runs").glob("*.json*")):
        text = place.read_text("utf-8", errors="surrogateescape")
        new = _NAME.sub(lambda match: _renamed(match[0], commits), text)
        if new != text:
            write_atomic(place, new.encode("utf-8", "surrogateescape"))


def _renamed(name: str, commits: dict[str, str]) -> str:
    """The new name of a commit, as long as the old one was written; what is no such name stays."""
    if len(name) == 40:
        return commits.get(name, name)
    found = [old for old in commits if old.startswith(name)]
    return commits[found[0]][: len(name)] if len(found) == 1 else name
