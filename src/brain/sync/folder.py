"""The folder people see: what they changed in it, and bringing it to a new commit without touching their edits.

What the folder was last brought to is kept in an index of our own, `.git/brain/index`; so a folder that a killed
command left half-way is told from one that a person edited, and the user's own staging area is never in the way.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from brain.errors import GitError, SyncConflict
from brain.git import MAIN, Git
from brain.sync.merge import merge
from brain.tree.files import make_folder
from brain.tree.layout import FileClass, classify, is_generated, is_tracked

AT = "refs/brain/folder"
"""The commit the folder was last brought to."""

OURS_IF_NEW = (FileClass.PAGE, FileClass.NOTE, FileClass.SUMMARY, FileClass.CONTROL, FileClass.AGENTS)
"""New files of a person that are taken into memory; others are left alone."""

LARGEST = 1 << 20  # bytes; a larger new file is left alone
SHOWN = 20  # files left alone that are named one by one
_UNFINISHED = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")
_TEMPORARY = re.compile(r"\.tmp-[a-z0-9_]{8}")
_ABANDONED = 600.0  # seconds after which the user's index lock is worth a word


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """What a person changed in the folder since it was brought to a commit; `left` are files not taken, and why."""

    changes: dict[str, bytes | None] = field(default_factory=dict)
    left: tuple[str, ...] = ()


class Folder:
    """The work tree of a brain. All methods want the brain's lock held."""

    def __init__(self, git: Git) -> None:
        self.git = git
        self.root = git.root
        self.place = git.dir / "brain"
        self.index = self.place / "index"
        self._owed = self.place / "owed"  # there while the user's git has not got the newest index
        self._env = {"GIT_INDEX_FILE": str(self.index)}

    def follows_main(self) -> bool:
        """Whether the folder shows main. Raises SyncConflict in the middle of a merge of the user's."""
        for name in _UNFINISHED:
            if (self.git.dir / name).exists():
                raise SyncConflict(
                    f"an unfinished git operation ({name}) is open in the folder, nothing was published",
                    hint="finish or abort it with git, then run the command again",
                )
        return self.git.branch() == MAIN

    def open(self, main: str | None) -> None:
        """Make sure that the index of ours tells what the folder was brought to."""
        make_folder(self.place)
        self.index.with_name("index.lock").unlink(missing_ok=True)  # we hold the brain's lock: a killed git left it
        for left in (*self.place.glob(".tmp-*"), *(self.root / ".brain").glob(".tmp-*")):
            left.unlink(missing_ok=True)
        at = self.git.resolve(AT)
        if self.index.exists() and (at is None or main is None or self._descends(main, at)):
            return
        # the first time here, or main was wound back by hand: the folder shows what the user checked out, if anything
        checked_out = main is not None and (at is not None or (self.git.dir / "index").exists())
        self.git.run("read-tree", str(main) if checked_out else "--empty", env=self._env)

    def edits(self) -> Edits:
        """Every file that differs from what the folder was brought to."""
        self._refresh()
        changes: dict[str, bytes | None] = {}
        left: list[str] = []
        for change in self.git.parse_raw(self.git.run("diff-files", "-z", "--raw", "--no-renames", env=self._env)):
            content, problem = self._read(change.path)
            if problem:
                left.append(f"{change.path}: {problem}; left as it is")
            elif content is None and is_generated(change.path):
                self._replace(change.path, None, self.git.blob(change.old or ""))
            elif content is None or self.git.blob_name(_stored(content)) != change.old:
                changes[change.path] = None if content is None else _stored(content)
        for path in self._untracked():
            if _TEMPORARY.fullmatch(Path(path).name):
                (self.root / path).unlink(missing_ok=True)  # left by a killed command of ours
            elif classify(path) in OURS_IF_NEW:
                content, problem = self._read(path, new=True)
                if problem:
                    left.append(f"{path}: {problem}; left alone")
                elif content is not None:
                    changes[path] = _stored(content)
            elif is_tracked(path):
                left.append(f"{path}: not a file of memory; left alone")
        more = [f"and {len(left) - SHOWN} more files that are not memory's"] if len(left) > SHOWN else []
        return Edits(changes=changes, left=(*left[:SHOWN], *more))

    def bring(self, commit: str) -> list[str]:
        """Write what differs from a commit, merge where a person edited; returns what there is to say of it."""
        said: list[str] = []
        wanted = ["diff-index", "--cached", "-z", "--raw", "--no-renames", "--full-index", commit]
        rows = b""
        changes = self.git.parse_raw(self.git.run(*wanted, env=self._env))
        for change in changes:  # from the commit to the index: old is wanted, new is what was there
            done, word = self._bring_one(change.path, had=change.new, wanted=change.old)
            said += [f"{change.path}: {word}"] if word else []
            if done:
                entry = f"100644 {change.old}" if change.old else f"0 {'0' * len(commit)}"
                rows += entry.encode() + b"\t" + os.fsencode(change.path) + b"\0"
        if rows:
            self._owed.touch()  # before our index says that all is done
            self.git.run("update-index", "-z", "--index-info", data=rows, env=self._env)
            self._refresh()
        if self.git.resolve(AT) != commit:
            self.git.run("update-ref", AT, commit)
        return said + self._show_to_git()

    # What the folder was brought to

    def _descends(self, commit: str, at: str) -> bool:
        if commit == at:
            return True
        try:
            self.git.run("merge-base", "--is-ancestor", at, commit)
        except GitError:
            return False
        return True

    def _refresh(self) -> None:
        self.git.run("update-index", "-q", "--refresh", env=self._env, ok=(0, 1))

    def _untracked(self) -> list[str]:
        listed = self.git.run("ls-files", "-z", "--others", "--exclude-standard", env=self._env)
        return sorted(os.fsdecode(raw) for raw in listed.split(b"\0") if raw)

    # One file

    def _bring_one(self, path: str, *, had: str | None, wanted: str | None) -> tuple[bool, str | None]:
        """Whether the folder has the file as it should, and a word for the user if there is one."""
        for _ in range(5):
            here, problem = self._read(path)
            if problem:
                return False, f"{problem}; left as it is, main has another text"
            name = self.git.blob_name(_stored(here)) if here is not None else None
            if name == wanted:
                return True, None
            word = None
            if name == had or here is None:
                new = self.git.blob(wanted) if wanted else None
                if here is None and had is not None:
                    word = "deleted in the folder, but changed by another writer meanwhile; it is back"
            elif wanted is None:
                return True, "deleted by another writer, but edited in the folder meanwhile; kept"
            else:
                new, word = self._merge(path, had, here, wanted)
            if new == here or self._replace(path, here, new):
                return True, word
        return False, "it keeps changing; left as it is for now, main has the new text"

    def _merge(self, path: str, had: str | None, here: bytes, wanted: str) -> tuple[bytes, str]:
        try:
            base = self.git.blob(had).decode() if had else None
            merged = merge(path, base, self.git.blob(wanted).decode(), _stored(here).decode(), person=True)
        except UnicodeDecodeError:
            return here, "edited in the folder meanwhile and not UTF-8; left as it is"
        word = "your lines were kept over new ones" if merged.conflicts else "both changes are in it"
        return (merged.text or "").encode(), f"edited in the folder meanwhile; {word}"

    def _read(self, path: str, *, new: bool = False) -> tuple[bytes | None, str | None]:
        """Content, or None when there is no file; or why it cannot be taken for one of memory's."""
        step = self.root
        for part in Path(path).parts[:-1]:
            step = step / part
            if step.is_symlink():
                return None, "behind a symbolic link"
        try:
            kind = (step / Path(path).name).lstat()
            if stat.S_ISLNK(kind.st_mode):
                return None, "a symbolic link"
            if not stat.S_ISREG(kind.st_mode):
                return None, "not a plain file"
            if new and kind.st_size > LARGEST:
                return None, "larger than 1 MiB"
            content = (self.root / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None, None
        except OSError as error:
            return None, f"cannot be read ({error.strerror})"
        if new and b"\0" in content:
            return None, "not text"
        return content, None

    def _replace(self, path: str, expected: bytes | None, new: bytes | None) -> bool:
        """Put `new` in place of `expected`; False when somebody wrote the file in between."""
        target = self.root / path
        if new is None:
            return self._remove(path, expected)
        make_folder(target.parent)
        make_folder(self.root / ".brain")
        handle, name = tempfile.mkstemp(prefix=".tmp-", dir=self.root / ".brain")
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(new)
                file.flush()
                os.fsync(file.fileno())
            if expected is None:
                try:
                    _link_or_copy(temporary, target)
                except FileExistsError:
                    return False
                return True
            if os.name == "nt":  # an open file cannot be replaced there
                if target.read_bytes() != expected:
                    return False
                temporary.replace(target)
                return True
            with target.open("rb") as old:  # keeps the old file readable: an editor may be writing into it right now
                if old.read() != expected:
                    return False
                temporary.replace(target)
                old.seek(0)
                late = old.read()
            if late != expected:
                self._replace(path, new, late)
                return False
            return True
        except FileNotFoundError:
            return False
        finally:
            temporary.unlink(missing_ok=True)

    def _remove(self, path: str, expected: bytes | None) -> bool:
        target = self.root / path
        if expected is not None and self._read(path)[0] != expected:
            return False
        target.unlink(missing_ok=True)
        for folder in target.parents:
            if folder == self.root or folder.parent == self.root:
                break
            try:
                folder.rmdir()
            except OSError:
                break
        return True

    # The user's own staging area

    def _show_to_git(self) -> list[str]:
        """Give the user's git the same index, so that `git status` is true; put off while their git holds its lock."""
        index, lock = self.git.dir / "index", self.git.dir / "index.lock"
        if lock.exists() and lock.samefile(self.index):
            lock.unlink()  # we were killed between the two steps below
        if index.exists() and not self._owed.exists():
            return []
        try:
            _link_or_copy(self.index, lock)
        except FileExistsError:
            return self._locked(lock)
        lock.replace(index)
        self._owed.unlink(missing_ok=True)
        return []

    def _locked(self, lock: Path) -> list[str]:
        try:
            age = time.time() - lock.stat().st_mtime
        except FileNotFoundError:
            return []
        if age < _ABANDONED:
            return ["git is busy in the folder; `git status` there is true again after the next command"]
        return [f"{lock.name} was left in .git by a killed git; memory is fine, remove it to use git there again"]


def _stored(content: bytes) -> bytes:
    """Content as memory holds it: the line ends of Windows become LF, as `.gitattributes` says."""
    return content if b"\0" in content else content.replace(b"\r\n", b"\n")


def _link_or_copy(source: Path, target: Path) -> None:
    """A second name for a file, or a copy where the file system knows no links. Raises FileExistsError."""
    try:
        os.link(source, target)
    except FileExistsError:
        raise
    except OSError:
        with target.open("xb") as copy, source.open("rb") as original:
            shutil.copyfileobj(original, copy)
