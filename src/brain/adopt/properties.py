"""The frontmatter of a file from elsewhere: any YAML, read as text and never guessed into other types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

LONGEST = 256_000  # characters of frontmatter that are read
_BLOCK = re.compile(r"\A---[ \t]*\n(.*?)(?:\n)?^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Properties:
    """What stands before a body. `lines` is how many lines of the file it takes; `broken` why it does not read."""

    values: dict[str, object] = field(default_factory=dict)
    lines: int = 0
    broken: str = ""

    def text(self, *keys: str) -> str:
        """The first of these keys that holds text."""
        for key in keys:
            value = self.values.get(key)
            if isinstance(value, str) and value.strip():
                return value.strip()
        return ""

    def list(self, *keys: str) -> list[str]:
        """The texts under the first of these keys that is there; a scalar counts as a list of one."""
        for key in keys:
            value = self.values.get(key)
            if isinstance(value, str):
                return [part.strip() for part in re.split(r"[,\n]", value) if part.strip()]
            if isinstance(value, list):
                return [item.strip() for item in value if isinstance(item, str) and item.strip()]
        return []

    def map(self, key: str) -> dict[str, object]:
        value = self.values.get(key)
        return value if isinstance(value, dict) else {}

    def maps(self, key: str) -> Iterator[dict[str, object]]:
        """The maps under a key: of a list, or the one there is."""
        value = self.values.get(key)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, dict):
                yield item


def split(text: str) -> tuple[Properties, str]:
    """Frontmatter and body. What does not read is left standing in the body's place by being skipped, with a reason."""
    match = _BLOCK.match(text)
    if match is None:
        return Properties(), text
    lines, body = match.group().count("\n"), text[match.end() :]
    if len(match[1]) > LONGEST:
        return Properties(lines=lines, broken="frontmatter is too long"), body
    import yaml

    try:
        loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(match[1], Loader=loader)):
            return Properties(lines=lines, broken="frontmatter with aliases"), body
        read = yaml.load(match[1], Loader=loader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return Properties(lines=lines, broken="frontmatter that does not read"), body
    if read is None or read == "":
        return Properties(lines=lines), body
    if not isinstance(read, dict):
        return Properties(lines=lines, broken="frontmatter that is no map"), body
    return Properties(values={str(key): value for key, value in read.items()}, lines=lines), body
