"""Three-way merge of a wiki page: citation numbers first, then frontmatter by key, then claims by line."""

from __future__ import annotations

import re
from typing import NamedTuple

from brain.sync.cites import rebase, used
from brain.sync.conflict import Merged, from_clash
from brain.sync.lines import Clash, merge_lines
from brain.sync.merge_head import merge_head, split_head
from brain.tree import page
from brain.tree.cites import definition, renumber
from brain.tree.page import TAIL, Page, Reference

CHANGELOG_LINES = 8
_FENCE = re.compile(r"(```+|~~~+)")


class Part(NamedTuple):
    """Names a stretch of the body: H2 line, H3 line (both empty before the first), and which of several so called."""

    h2: str
    h3: str = ""
    number: int = 0

    @property
    def heading(self) -> list[str]:
        return [self.h3 or self.h2] if self.h2 else []

    def is_named(self, title: str) -> bool:
        return self.h2[2:].strip() == title


def merge_page(path: str, base: str, main: str, incoming: str, person: bool) -> Merged:
    """Both sides' changes. Raises FormatError when a side has no frontmatter that reads."""
    was, ours, theirs = (page.parse(text, path) for text in (base, main, incoming))
    fitted = rebase(was.references, ours.references, theirs.references, max(was.next_cite, ours.next_cite))
    our_head, our_parts = _split(path, ours)
    their_head, their_parts = _split(path, renumber(theirs, fitted.numbers))
    parts, clashes = _merge_parts(_split(path, was)[1], our_parts, their_parts, person)
    if not person:
        _withhold(parts, our_parts, clashes)
    sources = {number: reference.uri for number, reference in fitted.references.items()}
    conflicts = [from_clash(path, "claim", clash, sources) for clash in clashes]
    head, fields = merge_head(path, _split(path, was)[0], our_head, their_head, incoming, person)
    head["next_cite"] = f"next_cite: {max(ours.next_cite, theirs.next_cite, fitted.next_cite)}"
    marks = used([line for lines in parts.values() for line in lines])
    unused = set(ours.references) - used([line for lines in our_parts.values() for line in lines])
    kept = [fitted.references[number] for number in sorted(fitted.references) if number in marks | unused]
    return Merged(text=_text(head, parts, [_line(ours, source) for source in kept]), conflicts=(*conflicts, *fields))


def _split(path: str, read: Page) -> tuple[dict[str, str], dict[Part, list[str]]]:
    """Frontmatter by key, and the body by heading without its References."""
    head, body = split_head(path, read.text)
    return head, {part: lines for part, lines in _parts(body).items() if not part.is_named("References")}


def _line(ours: Page, source: Reference) -> str:
    """A definition as main has it, byte for byte; else written anew."""
    if ours.references.get(source.number) == source:
        return ours.lines[source.line - 1]
    return definition(source.number, source.uri, source.gloss)


def _parts(body: list[str]) -> dict[Part, list[str]]:
    current = Part(h2="")
    parts: dict[Part, list[str]] = {current: []}
    fence = ""
    for line in body:
        if mark := _FENCE.match(line):
            fence = "" if fence and line.startswith(fence) else fence or mark[1]
        level = 0 if fence else 2 if line.startswith("## ") else 3 if line.startswith("### ") and current.h2 else 0
        if not level:
            parts[current].append(line)
            continue
        current = Part(h2=line) if level == 2 else Part(h2=current.h2, h3=line)
        while current in parts:
            current = current._replace(number=current.number + 1)
        parts[current] = []
    return parts


def _merge_parts(
    base: dict[Part, list[str]], main: dict[Part, list[str]], incoming: dict[Part, list[str]], person: bool
) -> tuple[dict[Part, list[str]], list[Clash]]:
    """Parts by heading: lines merged in those both have; one that a side deleted stays so unless edited."""
    merged: dict[Part, list[str]] = {}
    clashes: list[Clash] = []
    for part in _order(list(main), list(incoming)):
        was, ours, theirs = (_trim(side[part]) if part in side else None for side in (base, main, incoming))
        lines: list[str] | None = None
        if ours is None and theirs is not None:
            lines = theirs if was is None or (person and theirs != was) else None
            if was is not None and theirs != was:
                clashes.append(Clash(base=tuple(was), main=(), incoming=(*part.heading, *theirs)))
        elif theirs is None and ours is not None:
            lines = ours if was is None or ours != was else None
        elif ours is not None and theirs is not None:
            lines, found = merge_lines(was or [], ours, theirs, incoming_wins=person)
            clashes += found
            if part.is_named("Changelog"):
                lines = lines[: max(CHANGELOG_LINES, len(ours))]
        if lines is not None:
            source = main if part in main else incoming
            merged[part] = [*lines, *source[part][len(_trim(source[part])) :]]
    return merged, clashes


def _order(main: list[Part], incoming: list[Part]) -> list[Part]:
    """Main's order of headings; a new incoming one follows the heading it follows there, tail sections at the end."""
    order = list(main)
    for at, part in enumerate(incoming):
        if part not in order:
            before = next((prior for prior in reversed(incoming[:at]) if prior in order), main[0])
            if not part.h3:  # a whole section goes after all groups of the one before it
                before = [known for known in order if known.h2 == before.h2][-1]
            order.insert(order.index(before) + 1, part)
    tail = {title: rank for rank, title in enumerate(TAIL, start=1)}
    return sorted(order, key=lambda part: tail.get(part.h2[2:].strip(), 0))


def _withhold(parts: dict[Part, list[str]], main: dict[Part, list[str]], clashes: list[Clash]) -> None:
    """Take back the History line of a change that lost: the value it calls replaced still stands."""
    part = next((part for part in parts if part.is_named("History")), None)
    if part is None:
        return
    for clash in list(clashes):
        behind, old = used([*clash.base, *clash.incoming]), used(list(clash.base))
        for line in [line for line in parts[part] if line not in main.get(part, [])]:
            marks = used([line])
            if marks and marks <= behind and marks & old:
                parts[part].remove(line)
                clashes.append(Clash(base=(), main=(), incoming=(line,)))
    if not _trim(parts[part]) and part not in main:
        del parts[part]


def _text(head: dict[str, str], parts: dict[Part, list[str]], sources: list[str]) -> str:
    lines: list[str] = []
    for part, below in parts.items():
        if part.h2 and not part.h3 and lines and lines[-1].strip():
            lines.append("")
        lines += [*part.heading, *below]
    lines = _trim(lines)
    if sources:
        lines += ["", "## References", *sources]
    return "\n".join(["---", *head.values(), "---", *lines]) + "\n"


def _trim(lines: list[str]) -> list[str]:
    """Without empty lines at the end."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return lines[:end]
