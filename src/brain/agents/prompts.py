"""Prompts: Markdown files of the package with named slots; a file of that name in `.brain/prompts/` takes its place.

Slots are filled in one pass, so what stands in an inserted text is never a slot. Foreign text goes in `quoted`: each of
its lines begins with a bar, so it cannot look like a part of the prompt.
"""

from __future__ import annotations

import re
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from brain.errors import ConfigError
from brain.text import clean

OVERRIDES = ".brain/prompts"
_SLOT = re.compile(r"\{\{([a-z_]+)\}\}")


def prompt(name: str, root: Path | None = None, **values: str) -> str:
    """The prompt `name` with its slots filled, of the package or as the brain at `root` has it.

    Raises ConfigError when a slot has no value, a value no slot, or the file does not read.
    """
    text, where = _text(name, root)
    slots = set(_SLOT.findall(text))
    if lacking := sorted(slots - values.keys()):
        raise ConfigError(
            f"{where}: nothing to put into the slot {lacking[0]!r}", hint=f"take out {{{{{lacking[0]}}}}}"
        )
    if spare := sorted(values.keys() - slots):
        raise ConfigError(f"{where}: no slot for {spare[0]!r}", hint=f"write {{{{{spare[0]}}}}} where it belongs")
    return _SLOT.sub(lambda match: values[match[1]], text).strip() + "\n"


def quoted(text: str) -> str:
    """Foreign text as lines that begin with a bar."""
    return "\n".join(f"| {line}".rstrip() for line in clean(text).strip("\n").split("\n"))


def fenced(source: str, text: str) -> str:
    """Foreign text between two lines that name its hash, so that no text can close its own fence."""
    seal = sha256(text.encode()).hexdigest()[:12]
    return f"<<material {seal} from {source}>>\n{text.rstrip()}\n<<end {seal}>>"


def _text(name: str, root: Path | None) -> tuple[str, str]:
    own = root / OVERRIDES / f"{name}.md" if root else None
    if own is not None and own.is_file():
        try:
            return own.read_text("utf-8"), f"{OVERRIDES}/{name}.md"
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{OVERRIDES}/{name}.md does not read: {error}") from error
    return (files("brain") / "prompts" / f"{name}.md").read_text("utf-8"), f"the package's prompt {name!r}"
