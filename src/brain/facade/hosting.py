"""Verbs about the agents that memory is at home in: put in, taken out, looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from brain.facade.core import Core
from brain.hosts import generic, installing, standing
from brain.hosts.command import this_brain
from brain.hosts.generic import Paste
from brain.hosts.host import Scope
from brain.hosts.installing import Change
from brain.hosts.known import named, place
from brain.hosts.standing import HostState


class Hosting(Core):
    """What is written into other programs' settings, for this memory. `project` is the folder for scope `project`."""

    def install(
        self,
        host: str,
        *,
        scope: Literal["user", "project"] = "user",
        project: Path | None = None,
        dry_run: bool = False,
    ) -> list[Change]:
        """Put the MCP server, the hooks and the exploring skill into a host. Raises UsageError for an unknown one.

        What cannot be done without risk is left, and says in `text` what to write by hand.
        """
        found = named(host)
        return installing.install(found, place(Scope(scope), project), this_brain(self.root), dry_run=dry_run)

    def uninstall(
        self,
        host: str,
        *,
        scope: Literal["user", "project"] = "user",
        project: Path | None = None,
        dry_run: bool = False,
    ) -> list[Change]:
        """Take everything of Brain out of a host; a file that nobody changed since is as it was, byte for byte."""
        return installing.uninstall(named(host), place(Scope(scope), project), dry_run=dry_run)

    def hosts(self, *, scope: Literal["user", "project"] = "user", project: Path | None = None) -> list[HostState]:
        """Each host that Brain knows: whether it is here, and whether memory is installed in it."""
        return standing.look_at_all(place(Scope(scope), project), this_brain(self.root))

    def pastes(self) -> list[Paste]:
        """What to write by hand into a host that Brain does not know."""
        return generic.pastes(this_brain(self.root))
