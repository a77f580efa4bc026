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
    ├── BudgetExceeded         1  a run's limit on cost, time or requests is reached (knows which)
    ├── LockHeld               4  another writer holds the brain's lock
    ├── GitError               5  a git command failed (knows the command and its stderr)
    ├── IndexBroken            5  the search index could not be opened or rebuilt
    ├── ModelFailed            5  a model's server is away, refuses, or keeps failing
    │   ├── ContextOverflow    5  the prompt is longer than what the model takes
    │   └── BadOutput          1  a model's answer did not take the form asked for, after bounded repair
    ├── RemoteError            5  a brain server is away, refuses the token, or answers nonsense
    └── ConnectorError         5  an outside source cannot be read (knows the connector)

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


class BudgetExceeded(BrainError):
    """`limit` is what ran out: cost, time or requests. A run ends with `stop_reason` budget."""

    def __init__(self, message: str, *, limit: str, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.limit = limit
        self.stop_reason = "budget"


class LockHeld(BrainError):
    exit_code = 4


class GitError(BrainError):
    exit_code = 5


class IndexBroken(BrainError):
    exit_code = 5


class ModelFailed(BrainError):
    exit_code = 5


class ContextOverflow(ModelFailed):
    pass


class BadOutput(ModelFailed):
    exit_code = 1


class RemoteError(BrainError):
    exit_code = 5


class ConnectorError(BrainError):
    """An outside source is away, broken, or asked for something outside of what the config allows."""

    exit_code = 5

    def __init__(self, name: str, message: str, *, hint: str | None = None) -> None:
        super().__init__(f"connector {name!r}: {message}", hint=hint)
        self.name = name
        self.reason = message
