"""Statements of a foreign file as pages of memory: within the format's limits, in its order, split when too long."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from brain.adopt.properties import Properties
from brain.rules.security import reads_as_instruction
from brain.text import clip, count_words, est_tokens, one_line, slugify
from brain.tree import frontmatter, markdown
from brain.tree.frontmatter import Value
from brain.tree.ids import ACTOR, format_time, parse_time
from brain.tree.page import ORDER, TAIL

LONGEST = 1_300  # words of a page, well under the limit of the format
MOST = 50  # statements
TOKENS = 2_200
UNCITED = ("Open questions", "See also")
FIRST = "Facts"
_MEANT = """
    id type item_type semantic_type title name description summary status created created_at date updated updated_at
    modified timestamp generated verified sources aliases alias tags tag language lang entity_kind stale_after category
    kind class cssclasses cssclass publish position next_cite updated_by okf_version
"""
_READ = frozenset(_MEANT.split())
"""Keys of frontmatter that are read for what they mean, or that only an editor needs."""

_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One statement: Markdown in one line, and what it rests on."""

    text: str
    uris: tuple[str, ...] = ()
    qualifiers: tuple[str, ...] = ("external",)
    depth: int = 1
    linked: bool = False
    heading: str = ""
    group: str = ""
    code: str = ""

    def said(self) -> str:
        """As an item of a section, sources in authoring form."""
        if self.heading == "See also" and self.linked:
            return f"- {self.text}"
        return f"{'  ' * (self.depth - 1)}- {self._with_sources()}"

    def _with_sources(self) -> str:
        marks = [f"^[{one}]" for one in self.qualifiers]
        return " ".join([self.text, *marks, f"[cite:{'; '.join(self.uris)}]"])

    def lead(self) -> str:
        return self._with_sources()


@dataclass(slots=True)
class Piece:
    """Statements in their order, each under the heads it stood under."""

    lines: list[Line] = field(default_factory=list)
    heading: str = ""
    under: str = ""

    def section(self, heading: str) -> None:
        self.heading, self.under = heading, ""

    def group(self, heading: str) -> None:
        self.under = heading

    def add(self, line: Line) -> None:
        if line.text.strip():
            self.lines.append(replace(line, heading=self.heading, group=self.under))

    def code(self, text: str) -> None:
        """Code belongs to the statement before it; with none before, it says nothing."""
        if self.lines and text.strip():
            last = self.lines[-1]
            self.lines[-1] = replace(last, code=f"{last.code}\n{text}" if last.code else text)


def pieces() -> Piece:
    return Piece()


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A foreign file read: all that its pages are made of."""

    id: str
    title: str
    kind: str
    entity: str
    language: str
    properties: Properties
    pieces: Piece
    origin: str
    lost: Counter[str]


def render(made: Made) -> Iterator[tuple[str, str]]:
    """The page, or the pages, that a file becomes: ids with their texts, sources in authoring form."""
    parts = _parts(made.pieces.lines)
    names = [(made.id, made.title), *(_part_name(made, part) for part in parts[1:])]
    seen: dict[str, int] = {}
    for number, (id, title) in enumerate(names):
        seen[id] = seen.get(id, 0) + 1
        if seen[id] > 1:
            names[number] = (f"{id[:60]}-{seen[id]}", title)
    for number, part in enumerate(parts):
        others = [one for at, one in enumerate(names) if (at > 0 if number == 0 else at == 0)]
        id, title = names[number]
        yield id, _page(made, id, title, part, others, whole=number == 0)


def _part_name(made: Made, part: Sequence[Line]) -> tuple[str, str]:
    head = next((line.heading for line in part if line.heading), "more")
    title = clip(f"{made.title}: {head}", 80)
    return f"{made.id.partition('/')[0]}/{slugify(title)}", title


def _parts(lines: Sequence[Line]) -> list[list[Line]]:
    """Statements in as few pages as the limits allow, cut between sections where one can."""
    parts: list[list[Line]] = [[]]
    words = tokens = 0
    for at, line in enumerate(lines):
        more_words, more_tokens = (
            count_words(line.text + line.code),
            est_tokens(f"{line.text} ^[external] [cite:100]\n{line.code}"),
        )
        opens = at > 0 and line.heading != lines[at - 1].heading
        full = words + more_words > LONGEST or tokens + more_tokens > TOKENS or len(parts[-1]) >= MOST
        soon = opens and (words > LONGEST * 0.7 or tokens > TOKENS * 0.7 or len(parts[-1]) > MOST * 0.7)
        if parts[-1] and (full or soon):
            parts.append([])
            words = tokens = 0
        parts[-1].append(line)
        words, tokens = words + more_words, tokens + more_tokens
    return parts


def _page(
    made: Made, id: str, title: str, part: Sequence[Line], others: Sequence[tuple[str, str]], *, whole: bool
) -> str:
    body = [line for line in part if line.heading not in UNCITED] or list(part)
    lead = body[0]
    rest = [line for line in part if line is not lead or lead.code or lead.heading]
    values = _values(made, id, title, lead, whole=whole)
    out = [f"# {title}", "", _lead(lead), ""]
    heads = list(dict.fromkeys(line.heading or FIRST for line in rest))
    tail = [head for head in TAIL if head in heads or (head == "See also" and others)]
    for head in [*(head for head in heads if head not in TAIL), *tail]:
        lines = [line for line in rest if (line.heading or FIRST) == head]
        out += [f"## {head}", *_section(lines)]
        if head == "See also":
            out += [f"- {markdown.wikilink(other, name)}" for other, name in others]
        out.append("")
    return frontmatter.render(values, ORDER) + "\n".join(out)


def _lead(line: Line) -> str:
    """The first statement as the lead: at most a few sentences, which is what a paragraph's first part is."""
    text = re.sub(r"^\*\*([^*]+)\*\* — ", r"\1: ", line.text)
    return replace(line, text=text if text[-1:] in ".!?…\"'”。！？" else f"{text}.").lead()


def _section(lines: Sequence[Line]) -> Iterator[str]:
    group = ""
    for line in lines:
        if line.group != group:
            group = line.group
            yield from ("", f"### {group}") if group else ("",)
        yield line.said()
        if line.code:
            fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`{3,}", line.code)), 3)
            yield from ("", f"{fence}text", *line.code.split("\n"), fence, "")


def _values(made: Made, id: str, title: str, lead: Line, *, whole: bool) -> dict[str, Value]:
    told = made.properties
    said = told.text("description", "summary") if whole else ""
    words = re.sub(r"(\*\*|\*)(?=\S)(.+?)(?<=\S)\1", r"\2", one_line(markdown.plain(said or lead.text)))
    words = words.replace('"', "") if not said else words
    values: dict[str, Value] = {
        "id": id, "type": made.kind, "title": title, "description": _description(title, words, made.origin),
        "status": _status(told), "language": made.language,
    }  # fmt: skip
    if made.kind == "entity":
        values["entity_kind"] = made.entity
    values |= _times(told)
    if not whole:
        return values
    names = list(dict.fromkeys(one_line(markdown.plain(n)) for n in told.list("aliases", "alias")))
    names = [clip(name, 80) for name in names if name and name != title]
    tags = list(dict.fromkeys(slugify(tag.strip("#")) for tag in told.list("tags", "tag") if tag.strip("# ")))
    made.lost["aliases beyond ten"] += len(names[10:])
    made.lost["tags beyond eight"] += len(tags[8:])
    values |= ({"aliases": names[:10]} if names else {}) | ({"tags": tags[:8]} if tags else {})
    verified = [f"{one.get('by')} {one.get('at')}" for one in told.maps("verified")]
    good = [one for one in verified if ACTOR.fullmatch(one.partition(" ")[0]) and _is_time(one.partition(" ")[2])]
    made.lost["confirmations by no known kind of actor"] += len(verified) - len(good)
    values |= {"verified": good} if good else {}
    if day := _DAY.match(told.text("stale_after")):
        values["stale_after"] = day[1]
    return values | _others(made)


def _others(made: Made) -> dict[str, Value]:
    """Properties that memory has no key for, under `x-` names; nested ones cannot be kept."""
    found: dict[str, Value] = {}
    for key, value in made.properties.values.items():
        name = f"x-{slugify(key, 40)}"
        if key.lower() in _READ or value in ("", []):
            continue
        texts = [value] if isinstance(value, str) else value if isinstance(value, list) else [None]
        short = all(isinstance(text, str) and len(text) <= 200 and "\n" not in text for text in texts)
        if not short or len(texts) > 12:
            made.lost["properties that are nested or long"] += 1
        elif any("<" in str(text) or reads_as_instruction(str(text)) for text in texts):
            made.lost["properties that hold markup or read as an order"] += 1
        else:
            found[name] = value if isinstance(value, str) else [str(text) for text in texts]
    return found


def _description(title: str, words: str, origin: str) -> str:
    if len(words) >= 20:
        return clip(words, 160)
    longer = f"{title}: {words}" if words else title
    return clip(longer if len(longer) >= 20 else f"{longer}, adopted from {origin}", 160).ljust(20, ".")


def _status(told: Properties) -> str:
    said = told.text("status").lower()
    if said in ("active", "dormant", "done"):
        return said
    if said in ("completed", "complete", "finished", "closed", "archived"):
        return "done"
    return "dormant" if said in ("deprecated", "paused", "inactive", "on hold", "superseded") else "active"


def _times(told: Properties) -> dict[str, Value]:
    """When a page was made and last changed, as it says; nothing is invented."""
    at = told.map("generated").get("at")
    updated = _time(str(at)) if at else None
    updated = updated or _time(told.text("updated_at", "updated", "modified", "timestamp"))
    created = _time(told.text("created_at", "created", "date")) or updated
    if created is None or (updated and updated < created):
        return {}
    by = str(told.map("generated").get("by") or told.text("updated_by"))
    values: dict[str, Value] = {"created_at": format_time(created), "updated_at": format_time(updated or created)}
    return values | ({"updated_by": by} if ACTOR.fullmatch(by) else {})


def _time(text: str) -> datetime | None:
    text = text.strip().strip("'\"")
    try:
        found = datetime.fromisoformat(text.replace(" ", "T", 1))
        return found if found.tzinfo else parse_time(f"{found.isoformat(timespec='seconds')}Z")
    except ValueError:
        return None


def _is_time(text: str) -> bool:
    return _time(text) is not None and text.endswith("Z")
