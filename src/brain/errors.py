"""Every error Brain raises on purpose, drawn as one tree; each class owns the exit code of the command line.

    BrainError                 1  something went wrong that the user can act on
    ├── UsageError             2  the command's words are off, or a value makes no sense
    ├── ConfigError            2  .brain/config.toml or an environment variable does not read
    ├── NotABrain              2  no memory tree at this place
    ├── NotFound               3  an id, URI, run or file that memory does not hold
    ├── FormatError            1  a file does not follow its format (knows path and line)
    ├── UnknownFormat          1  no importer recognises a file's content
    ├── CheckFailed            1  rules or verification refused a proposed tree
    ├── SyncConflict           1  main kept moving; nothing was applied
    ├── LockHeld               4  another writer holds the brain's lock
    ├── GitError               5  a git command failed (knows the command and its stderr)
    ├── IndexBroken            5  the search index could not be opened or rebuilt
    └── RemoteError            5  a brain server is away, refuses the token, or answers nonsense

Expected outcomes (an empty answer, a run that changes nothing) are values, not errors.
"""

from __future__ import annotations


class BrainError(Exception):
    """Base of all. `hint` is a command or action that gets the user out; shown under the message."""

    exit_code: int = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(BrainError):
    exit_code = 2


class ConfigError(BrainError):
    exit_code = 2


class NotABrain(BrainError):
    exit_code = 2


class NotFound(BrainError):
    exit_code = 3


class FormatError(BrainError):
    """A file breaks its format. `line` counts from 1; 0 means the file as a whole."""

    def __init__(self, message: str, *, path: str = "", line: int = 0, hint: str | None = None) -> None:
        place = f"{path}:{line}: " if path and line else f"{path}: " if path else f"line {line}: " if line else ""
        super().__init__(place + message, hint=hint)
        self.reason = message
        self.path = path
        self.line = line


class UnknownFormat(BrainError):
    pass


class CheckFailed(BrainError):
    pass


class SyncConflict(BrainError):
    pass


class LockHeld(BrainError):
    exit_code = 4


class GitError(BrainError):
    exit_code = 5


class IndexBroken(BrainError):
    exit_code = 5


class RemoteError(BrainError):
    exit_code = 5
