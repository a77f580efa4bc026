"""What links between the files of a folder lead to: by path, by file name, by title or alias, as wikis resolve them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from posixpath import normpath
from urllib.parse import unquote

from brain.text import normal_name


@dataclass(slots=True)
class Targets:
    """Ids of pages by every name that a link may use. A name of several pages leads nowhere, but for a whole path."""

    _paths: dict[str, str] = field(default_factory=dict)
    _names: dict[str, set[str]] = field(default_factory=dict)

    def add(self, path: str, id: str, names: Iterable[str] = ()) -> None:
        """A file of the folder, the page it becomes, and what else it is called."""
        whole = _key(path)
        self._paths[whole] = id
        for name in {whole.rpartition("/")[2], id, *map(_key, names)}:
            if name:
                self._names.setdefault(name, set()).add(id)

    def find(self, target: str, source: str = "") -> str | None:
        """The page that `[[target]]` or `(target.md)` in the file `source` leads to."""
        wanted = unquote(target).strip().partition("#")[0]
        if not wanted:
            return None
        around = source.rpartition("/")[0]
        if wanted.startswith("/"):
            return self._paths.get(_key(wanted))
        for path in (_key(normpath(f"{around}/{wanted}" if around else wanted)), _key(wanted)):
            if path in self._paths:
                return self._paths[path]
        name = _key(wanted)
        found = self._names.get(name) or self._tail(name)
        return next(iter(found)) if len(found) == 1 else None

    def _tail(self, name: str) -> set[str]:
        """Pages whose path ends so, as in `[[folder/Name]]` of a folder that lies deeper."""
        return {id for path, id in self._paths.items() if path.endswith(f"/{name}")} if "/" in name else set()


def _key(name: str) -> str:
    return normal_name(
        re.sub(r"\.(?:md|markdown)$", "", name.strip().strip("/").removeprefix("./"), flags=re.IGNORECASE)
    )
