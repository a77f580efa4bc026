"""The tables behind the personas: plain text, one entry a line, read into rows by kind and into tasks.

    city: Leeds; Gouda                                     what holds for the whole bank
    fact | 38..52 % | We hold the box at {v}. | How damp?  a row: its kind, then columns; " / " between other wordings
    task | Regluing a brace                                a task, with what is asked, answered and asked on
    ? How do I reglue a brace on {o}?
    ! Warm the old glue first.
    > And how long in the clamps? => Overnight.

`#` begins a comment, `\\n` in a text is a new line. `{…}` are slots; one that nothing fills is an error.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from brain.errors import FormatError

_TABLES = files("brain.bench.personas") / "tables"
_HEAD = re.compile(r"([a-z]+): (.+)")
_CONTRACTED = {
    "fr": {" de le ": " du ", " de les ": " des ", " à le ": " au ", " à les ": " aux "},
    "es": {" de el ": " del ", " a el ": " al "},
}
_SLOT = re.compile(r"\{([a-z]+\d?)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a table. `place` names it in errors and in ledgers: `luthier:41`."""

    kind: str
    columns: tuple[str, ...]
    place: str

    def wordings(self, column: int) -> tuple[str, ...]:
        """The wordings of a column; none where the row is shorter or the column empty."""
        text = self.columns[column] if column < len(self.columns) else ""
        return tuple(part.strip() for part in text.split(" / ") if part.strip())

    def items(self, column: int) -> tuple[str, ...]:
        text = self.columns[column] if column < len(self.columns) else ""
        return tuple(part.strip() for part in text.split(";") if part.strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Something to ask an assistant about: openings, what it answers, and pairs that may follow."""

    title: str
    asks: tuple[str, ...]
    replies: tuple[str, ...]
    more: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank:
    name: str
    head: Mapping[str, str]
    rows: Mapping[str, tuple[Row, ...]]
    tasks: tuple[Task, ...]

    def of(self, kind: str) -> tuple[Row, ...]:
        return self.rows.get(kind, ())

    def listed(self, key: str) -> tuple[str, ...]:
        return tuple(part.strip() for part in self.head.get(key, "").split(";") if part.strip())

    def said(self, kind: str) -> tuple[str, ...]:
        """All wordings of all rows of a kind, for kinds of one column."""
        return tuple(text for row in self.of(kind) for text in row.wordings(0))


def fill(text: str, slots: Mapping[str, str]) -> str:
    """The text with its slots filled, and a capital letter at its beginning where a slot stood there."""

    def slot(match: re.Match[str]) -> str:
        if match[1] not in slots:
            raise FormatError(f"nothing fills {match[0]} in {text[:80]!r}", hint="see the slots in personas/banks.py")
        return slots[match[1]]

    filled = _SLOT.sub(slot, text.replace("\\n", "\n"))
    return filled[:1].upper() + filled[1:] if text.startswith("{") else filled


def contracted(text: str, tongue: str) -> str:
    """Prepositions and articles as one word where a language has it so, and a slot brought the article."""
    for apart, together in _CONTRACTED.get(tongue, {}).items():
        text = text.replace(apart, together)
    return text


def slots_in(text: str) -> frozenset[str]:
    return frozenset(_SLOT.findall(text))


@cache
def language(code: str) -> Bank:
    """What people and assistants say in a language whatever their work is."""
    return read(_TABLES / "lang" / f"{code}.txt")


@cache
def languages() -> tuple[str, ...]:
    """The codes of all languages there are tables for."""
    return tuple(sorted(file.name.removesuffix(".txt") for file in (_TABLES / "lang").iterdir()))


@cache
def works() -> tuple[Bank, ...]:
    """Every profession there is, by name."""
    found = sorted((_TABLES / "work").iterdir(), key=lambda file: file.name)
    return tuple(read(file) for file in found if file.name.endswith(".txt"))


def read(file: Traversable) -> Bank:
    """A table as it stands in a file. Raises FormatError with the line."""
    name = file.name.removesuffix(".txt")
    head: dict[str, str] = {}
    rows: dict[str, list[Row]] = defaultdict(list)
    tasks: list[dict[str, list[str]]] = []
    titles: list[str] = []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
        place = f"{name}:{number}"
        if not line.strip() or line.startswith("#"):
            continue
        if line[:2] in ("? ", "! ", "> "):
            if not tasks:
                raise FormatError(f"{place}: {line[:40]!r} belongs to no task", hint="a line `task | TITLE` before it")
            tasks[-1].setdefault(line[0], []).append(line[2:].strip())
        elif " | " in line:
            kind, *columns = (part.strip() for part in line.split(" | "))
            if kind == "task":
                tasks.append({})
                titles.append(columns[0])
            else:
                rows[kind].append(Row(kind=kind, columns=tuple(columns), place=place))
        elif match := _HEAD.fullmatch(line.strip()):
            head[match[1]] = match[2]
        else:
            raise FormatError(f"{place}: {line[:60]!r} is no row", hint="kind | column | column, or key: value")
    return Bank(
        name=name,
        head=head,
        rows={kind: tuple(found) for kind, found in rows.items()},
        tasks=tuple(_task(title, parts, name) for title, parts in zip(titles, tasks, strict=True)),
    )


def _task(title: str, parts: Mapping[str, list[str]], name: str) -> Task:
    pairs = [line.partition(" => ") for line in parts.get(">", ())]
    if not parts.get("?") or not parts.get("!") or any(not answer for _, _, answer in pairs):
        raise FormatError(f"{name}: task {title!r} is not whole", hint="it needs `?`, `!`, and `=>` in each `>`")
    return Task(
        title=title,
        asks=tuple(parts["?"]),
        replies=tuple(parts["!"]),
        more=tuple((ask, answer) for ask, _, answer in pairs),
    )
