"""The command line: a skin over `Brain`, one file a noun; nothing heavy is imported until a command runs."""

from __future__ import annotations

import os
import sys

from brain.errors import BrainError


def main() -> None:
    """Run the `brain` command. A `BrainError` becomes message and hint on stderr and its own exit code."""
    from brain.cli.app import app  # kept inside so that `import brain.cli` stays light for those who want `main` only

    os.umask(0o077)  # memory is for its owner alone, whatever library writes the file
    try:
        app()
    except BrainError as error:
        print(f"brain: {error.message}", file=sys.stderr)
        if error.hint:
            print(f"try: {error.hint}", file=sys.stderr)
        sys.exit(error.exit_code)
    except BrokenPipeError:  # `brain log | head`: the reader has gone, which is its right
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
