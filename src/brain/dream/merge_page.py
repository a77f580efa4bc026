"""Three-way merge of a wiki page: citation numbers first, then frontmatter by key, then claims by line."""

from __future__ import annotations

from dataclasses import dataclass

from brain.dream.cites import definitions, rebase, renumber, used
from brain.dream.conflict import Merged, from_clash
from brain.dream.lines import Clash, merge_lines
from brain.dream.merge_head import count, merge_head, split_head
from brain.errors import FormatError

TAIL = ("Open questions", "History", "See also", "Changelog", "References")
CHANGELOG_LINES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    head: dict[str, str]  # key → its lines as they stand
    sections: dict[str, list[str]]  # heading line → lines below it; "" is what stands before the first
    sources: dict[int, str]

    @property
    def next_cite(self) -> int:
        return max(count(self.head, "next_cite"), 1)


def merge_page(path: str, base: str, main: str, incoming: str, person: bool) -> Merged:
    was, ours, theirs = _page(path, base), _page(path, main), _page(path, incoming)
    fitted = rebase(was.sources, ours.sources, theirs.sources, max(was.next_cite, ours.next_cite))
    moved = {name: renumber(lines, fitted.numbers) for name, lines in theirs.sections.items()}
    sections, clashes = _merge_sections(was.sections, ours.sections, moved, person)
    if not person:
        _withhold(sections, ours.sections, clashes)
    conflicts = [from_clash(path, "claim", clash, fitted.lines) for clash in clashes]
    head, fields = merge_head(path, was.head, ours.head, theirs.head, incoming, person)
    head["next_cite"] = f"next_cite: {max(ours.next_cite, theirs.next_cite, fitted.next_cite)}"
    marks = used([line for lines in sections.values() for line in lines])
    unused = set(ours.sources) - used([line for lines in ours.sections.values() for line in lines])
    sources = [fitted.lines[number] for number in sorted(fitted.lines) if number in marks | unused]
    text = _text(head, sections, sources)
    return Merged(text=text, conflicts=(*conflicts, *fields))


def _page(path: str, text: str) -> _Page:
    head, body = split_head(path, text)
    sections = _sections(path, body)
    sources: dict[int, str] = {}
    for name in [name for name in sections if name.rstrip() == "## References"]:
        sources = definitions(sections.pop(name))
    return _Page(head=head, sections=sections, sources=sources)


def _sections(path: str, body: list[str]) -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {"": []}
    current = ""
    fence = ""
    for line in body:
        if line.startswith(("```", "~~~")):
            fence = "" if fence and line.startswith(fence) else fence or line[:3]
        if not fence and line.startswith("## "):
            if line in sections:
                raise FormatError(f"heading {line!r} stands twice", path=path)
            current = line
            sections[current] = []
        else:
            sections[current].append(line)
    return sections


def _merge_sections(
    base: dict[str, list[str]], main: dict[str, list[str]], incoming: dict[str, list[str]], person: bool
) -> tuple[dict[str, list[str]], list[Clash]]:
    """Sections by heading: lines merged in those both have; one that a side deleted stays so unless edited."""
    merged: dict[str, list[str]] = {}
    clashes: list[Clash] = []
    for name in _order(list(main), list(incoming)):
        was, ours, theirs = (_trim(side[name]) if name in side else None for side in (base, main, incoming))
        if ours is None and theirs is not None:
            if was is None:
                merged[name] = theirs
            elif theirs != was:
                clashes.append(Clash(base=tuple(was), main=(), incoming=(name, *theirs)))
                if person:
                    merged[name] = theirs
        elif theirs is None and ours is not None:
            if was is None or ours != was:
                merged[name] = ours
        elif ours is not None and theirs is not None:
            lines, found = merge_lines(was or [], ours, theirs, incoming_wins=person)
            clashes += found
            if name.rstrip() == "## Changelog":
                lines = lines[: max(CHANGELOG_LINES, len(ours))]
            merged[name] = lines
    return merged, clashes


def _order(main: list[str], incoming: list[str]) -> list[str]:
    """Main's order of headings; a new incoming one follows the heading it follows there, tail sections at the end."""
    order = list(main)
    for at, name in enumerate(incoming):
        if name not in order:
            before = next((prior for prior in reversed(incoming[:at]) if prior in order), "")
            order.insert(order.index(before) + 1, name)
    tail = {f"## {title}": rank for rank, title in enumerate(TAIL, start=1)}
    return sorted(order, key=lambda name: tail.get(name.rstrip(), 0))


def _withhold(sections: dict[str, list[str]], main: dict[str, list[str]], clashes: list[Clash]) -> None:
    """Take back the History line of a change that lost: the value it calls replaced still stands."""
    name = next((name for name in sections if name.rstrip() == "## History"), None)
    if name is None:
        return
    for clash in list(clashes):
        behind = used([*clash.base, *clash.incoming])
        old = used(list(clash.base))
        for line in [line for line in sections[name] if line not in main.get(name, [])]:
            marks = used([line])
            if marks and marks <= behind and marks & old:
                sections[name].remove(line)
                clashes.append(Clash(base=(), main=(), incoming=(line,)))
    if not _trim(sections[name]) and name not in main:
        del sections[name]


def _text(head: dict[str, str], sections: dict[str, list[str]], sources: list[str]) -> str:
    blocks = ["\n".join(_trim(lines, name)) for name, lines in sections.items() if name or _trim(lines)]
    if sources:
        blocks.append("\n".join(["## References", *sources]))
    return "\n".join(["---", *head.values(), "---"]) + "\n" + "\n\n".join(blocks) + "\n"


def _trim(lines: list[str], heading: str = "") -> list[str]:
    """Without empty lines at the end, and at the start when there is a heading to put before them."""
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    return [heading, *lines[:end]] if heading else lines[:end]
