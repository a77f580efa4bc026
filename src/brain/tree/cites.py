"""Numbers and definitions of a page's sources (format §5.2): allocated, reused, sorted, dropped when unused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from brain.text import clip, one_line
from brain.tree import uri
from brain.tree.page import Page, Reference
from brain.tree.splice import ensure_section, replace_lines, set_meta, with_lines

GLOSS_LIMIT = 120


def markers(numbers: Iterable[int]) -> str:
    """`[cite:1] [cite:10]`: a space between, or CommonMark reads one link."""
    return " ".join(f"[cite:{n}]" for n in numbers)


def definition(number: int, source: str, gloss: str = "") -> str:
    """`[cite:4]: session://… "gloss"`, a CommonMark link reference definition."""
    words = clip(one_line(gloss), GLOSS_LIMIT).replace("\\", "\\\\").replace('"', '\\"')
    return f'[cite:{number}]: {source} "{words}"' if words else f"[cite:{number}]: {source}"


def cite(page: Page, sources: Iterable[str], glosses: Mapping[str, str] | None = None) -> tuple[Page, tuple[int, ...]]:
    """The numbers of sources on a page, new ones taken from `next_cite` and defined under References.

    Sources are put in canonical form; `glosses` are looked up by the form given and the canonical one. Raises
    FormatError on a source that does not parse.
    """
    known, added, numbers = page.numbers, [], []
    following = page.next_cite
    for given in sources:
        source = uri.canonical(given)
        if source not in known:
            gloss = (glosses or {}).get(given) or (glosses or {}).get(source) or ""
            added.append(definition(following, source, gloss))
            known[source] = following
            following += 1
        numbers.append(known[source])
    if added:
        page, section = ensure_section(page, "References")
        lines = list(page.lines)
        at = section.end
        while at > section.line and not lines[at - 1].strip():
            at -= 1
        lines[at:at] = added
        page = set_meta(with_lines(page, lines), "next_cite", str(following))
    return page, tuple(dict.fromkeys(numbers))


def set_references(page: Page, references: Iterable[Reference]) -> Page:
    """Write References anew from these, ascending; none = no section. `next_cite` never goes down."""
    page = set_meta(page, "next_cite", str(page.next_cite))
    wanted = [definition(r.number, r.uri, r.gloss) for r in sorted(references, key=lambda r: r.number)]
    section = page.section("References")
    if not section and not wanted:
        return page
    if not section:
        page, section = ensure_section(page, "References")
    if not wanted:
        return replace_lines(page, section.line + 1, section.end, [])
    lines = list(page.lines)
    lines[section.line : section.end] = [*wanted] if section is page.sections[-1] else [*wanted, ""]
    return with_lines(page, lines)


def drop_unused(page: Page) -> Page:
    """Without the definitions that no marker uses; their numbers stay used up."""
    used = page.cites()
    unused = {d.line for d in page.definitions if d.number not in used}
    if not unused:
        return page
    page = set_meta(page, "next_cite", str(page.next_cite))
    unused = {d.line for d in page.definitions if d.number not in used}
    lines = [line for number, line in enumerate(page.lines, start=1) if number not in unused]
    return with_lines(page, lines)


def number_sources(
    page: Page,
    resolve: Callable[[str], str | None] | None = None,
    glosses: Mapping[str, str] | Callable[[str], str] | None = None,
) -> Page:
    """Turn the authoring form `[cite:session://1eaf53d4#t3-t5; …]` into numbers and definitions.

    `resolve` completes shortened session ids. Raises FormatError on a source that does not parse.
    """
    wanted: list[str] = []
    for mark in page.markers():
        wanted += [uri.canonical(s, resolve) for s in mark.sources]
    if not wanted:
        return page
    words = {s: glosses(s) if callable(glosses) else (glosses or {}).get(s, "") for s in wanted}
    page, _ = cite(page, wanted, words)
    numbers = page.numbers
    lines = list(page.lines)
    for mark in reversed(page.markers()):
        if mark.sources:
            new = markers(dict.fromkeys(numbers[uri.canonical(s, resolve)] for s in mark.sources))
            line = lines[mark.line - 1]
            lines[mark.line - 1] = line[: mark.start] + new + line[mark.end :]
    return with_lines(page, lines)


def renumber(page: Page, numbers: Mapping[int, int]) -> Page:
    """Give sources other numbers, in markers and definitions at once; two that get the same one become one."""
    lines = list(page.lines)
    for mark in reversed(page.markers()):
        if mark.number is not None and numbers.get(mark.number, mark.number) != mark.number:
            line = lines[mark.line - 1]
            lines[mark.line - 1] = line[: mark.start] + f"[cite:{numbers[mark.number]}]" + line[mark.end :]
    kept: dict[int, Reference] = {}
    for d in page.definitions:
        number = numbers.get(d.number, d.number)
        kept.setdefault(number, Reference(number=number, uri=d.uri, gloss=d.gloss))
    if all(n == to for n, to in numbers.items()):
        return page
    return set_references(with_lines(page, lines), kept.values())
