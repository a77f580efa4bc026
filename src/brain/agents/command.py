"""The Dream by a foreign agent: any command that reads a prompt and works in a folder, such as `claude -p`.

It gets the skill, the briefing and the proposed tree; what it leaves is checked like anybody's, and problems go back to
it in a second and a third call. Its own records of these calls carry a mark, so that importing them later skips them.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from importlib.metadata import version
from pathlib import Path
from time import monotonic

from brain.agents.bounded import Ended, run_bounded
from brain.agents.ledger import Call, Ledger
from brain.agents.prompts import prompt
from brain.agents.shield import Watch, shielded
from brain.config import Config, environment_for_command
from brain.dream import briefing, report
from brain.dream.checked import Checked
from brain.dream.engine import Desk, Update
from brain.dream.skill import SKILL, skill
from brain.errors import CheckFailed, ConfigError, UsageError
from brain.ingest.noise import own_run
from brain.sync.plain import plain
from brain.text import clip
from brain.tree.files import make_folder

MINUTES = 30.0
"""When a command is stopped unless told otherwise."""

MOST_PROBLEMS = 80
"""Problems sent back at once: a prompt is not a log."""

PROMPT = "{prompt}"


class CommandDreamer:
    """Phases three and four by a command. `minutes` is how long each call may take, 0 = the usual.

    Its calls stand in the ledger with their time; what they cost nobody here can see. A command that holds `{prompt}`
    gets the prompt as that argument, any other on its standard input.
    """

    name = "command"
    in_tree = True
    rounds = 2

    def __init__(self, command: str, *, config: Config, minutes: float = 0, ledger: Ledger | None = None) -> None:
        try:
            self._argv = shlex.split(command)
        except ValueError as error:
            raise ConfigError(f"the agent's command does not read: {error}", hint="quote it: 'claude -p'") from error
        if not self._argv:
            raise ConfigError("no command for the agent", hint="brain dream --engine command --command 'claude -p'")
        program = shutil.which(self._argv[0])
        if program is None:
            raise ConfigError(f"no program {self._argv[0]!r} for the agent", hint="name one, such as 'claude -p'")
        self._argv[0] = str(Path(program).absolute())  # it starts in another folder
        self.version = version("brain")
        self.model: str | None = clip(command, 80)
        self._config = config
        self._seconds = (minutes or MINUTES) * 60
        self._calls = 0
        self._ledger = ledger or Ledger(None, "command", config=config)

    def update(self, desk: Desk) -> Update:
        """Have the command work; when it fails, what stands is kept and every session stays pending."""
        folder, root = _places(desk)
        text = prompt(
            "command",
            root,
            mark=own_run(desk.run_id),
            report=str(folder / report.NAME),
            briefing=str(folder / briefing.NAME),
            facts=str(folder / briefing.FACTS),
            memory=str(root),
            skill=skill(),
        )
        ended = self._call(desk, text)
        if not ended.ok:
            return _failed(desk, f"the agent's command did not end well: {ended.why()}")
        if not desk.changed():
            return _failed(desk, "the agent's command changed nothing and its report says nothing")
        return Update()

    def revise(self, desk: Desk, checked: Checked) -> Update:
        folder, root = _places(desk)
        lines = list(checked.lines())
        text = prompt(
            "command-mend",
            root,
            mark=own_run(desk.run_id),
            report=str(folder / report.NAME),
            skill_file=str(SKILL),
            problems="\n".join(lines[:MOST_PROBLEMS]),
        )
        ended = self._call(desk, text)
        return Update() if ended.ok else Update(stopped="error")

    def _call(self, desk: Desk, text: str) -> Ended:
        """One call of the command. Raises CheckFailed when it changed memory outside of its run, BudgetExceeded."""
        self._ledger.check()
        left = self._ledger.seconds_left
        start = monotonic()
        folder, root = _places(desk)
        self._calls += 1
        log = root / ".brain" / "runs" / f"{desk.run_id}.agent-{self._calls}.log"
        make_folder(log.parent)
        argv = [text if part == PROMPT else part for part in self._argv]
        command, held = shielded(argv, root, folder, unsandboxed=self._config.run.unsandboxed)
        watch = None if held else Watch.of(root)
        ended = run_bounded(
            command,
            cwd=folder / "tree",
            env=environment_for_command(root, desk.run_id, Path(sys.executable).parent),
            prompt="" if PROMPT in self._argv else text,
            seconds=self._seconds if left is None else min(self._seconds, left),
            log=log,
        )
        self._ledger.add(
            Call(
                role="dream", model=self.model or self.name, seconds=monotonic() - start,
                outcome="ok" if ended.ok else ended.why(),
            )
        )  # fmt: skip
        for strange in plain(folder / "tree"):  # a link there would be followed when the check writes
            self._ledger.say(strange)
        if watch is not None and (changed := watch.changed()):
            raise CheckFailed(
                f"memory changed outside of the run while the agent worked: {', '.join(changed[:5])}"
                f"{' and more' if len(changed) > 5 else ''}; nothing of the run was taken",
                hint="look at them with git diff; if the changes are yours, run brain dream again",
            )
        return ended


def _failed(desk: Desk, why: str) -> Update:
    """All sessions back to the next run, with the reason."""
    return Update(failed={work.row.id: why for work in desk.orientation.work}, stopped="error")


def _places(desk: Desk) -> tuple[Path, Path]:
    if desk.folder is None or desk.corpus is None:
        raise UsageError("the command engine works in a tree")
    return desk.folder, desk.corpus
