"""Answering by a foreign agent: a command that reads the task on its standard input and works in a working set."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from brain.agents.bounded import run_bounded
from brain.agents.citing import Citing
from brain.agents.command import PROMPT
from brain.agents.ledger import Ledger
from brain.agents.openings import BY_COMMAND, Place, instructions, opening
from brain.agents.replied import ReplyReader, reply_in
from brain.agents.shield import shielded
from brain.config import environment_for_command
from brain.errors import BadOutput, ConfigError, ModelFailed
from brain.explore.answer import Answer
from brain.ingest.noise import own_run
from brain.text import clip

MINUTES = 10.0
"""When the command is stopped unless told otherwise."""


class CommandAnswerer:
    """A foreground agent that is any command, such as `claude -p`. `minutes` is how long it may take, 0 = the usual.

    The folder of its place must be called `tree`: only what lies beside it can be written.
    """

    def __init__(self, command: str, *, ledger: Ledger, minutes: float = 0) -> None:
        try:
            self._argv = shlex.split(command)
        except ValueError as error:
            raise ConfigError(f"the agent's command does not read: {error}", hint="quote it: 'claude -p'") from error
        if not self._argv:
            raise ConfigError("no command for the agent", hint="brain ask --engine command --command 'claude -p' …")
        self.ledger = ledger
        self.model = clip(command, 80)
        self._seconds = (minutes or MINUTES) * 60

    def answer(self, place: Place, question: str) -> Answer:
        """Raises ConfigError when the command cannot be started, ModelFailed when it does not end well, BadOutput."""
        first, rest = opening(place, question)
        text = "\n".join([own_run(self.ledger.run_id), "", instructions(place.root, BY_COMMAND), first, rest])
        folder = place.folder.parent
        log = folder / "said.log"
        argv = [text if part == PROMPT else part for part in self._argv]
        command, _ = shielded(argv, place.root, folder, unsandboxed=place.config.run.unsandboxed)
        ended = run_bounded(
            command,
            cwd=place.folder,
            env=environment_for_command(place.root, self.ledger.run_id, Path(sys.executable).parent),
            prompt="" if PROMPT in self._argv else text,
            seconds=self._seconds,
            log=log,
        )
        if not ended.ok:
            raise ModelFailed(f"the agent's command did not end well: {ended.why()}", hint="brain ask --by-hand")
        reply = reply_in(log.read_text("utf-8", "replace"))
        if reply is None:
            raise BadOutput(
                f"the agent's command printed no answer with citations; its last words: {ended.last}",
                hint="brain ask --by-hand shows what it was told",
            )
        reader = ReplyReader(citing=Citing(place.root, place.config))
        reader.read(reply)
        return reader.answer(question, f"command {self.model}")
