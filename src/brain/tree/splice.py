"""Surgery on the lines of a page: one frontmatter key, one section, one line at a time; the rest stays as it is."""

from __future__ import annotations

from collections.abc import Sequence

from brain.tree import frontmatter
from brain.tree.claims import ClaimKind
from brain.tree.page import HEADS, ORDER, TAIL, Page, Section, parse

NEWEST_FIRST = frozenset({"History", "Changelog"})


def with_lines(page: Page, lines: Sequence[str]) -> Page:
    """The page read again from changed lines."""
    text = "\n".join(lines)
    return page if text == page.text else parse(text, page.path)


def set_meta(page: Page, key: str, value: frontmatter.Value | Sequence[str] | None) -> Page:
    """Set one key of the frontmatter, None removes it; a new key goes to its place in the format's order."""
    current = page.meta.get(key)
    if (value is None and current is None) or (value is not None and current == _value(value)):
        return page
    lines = list(page.lines)
    spans = _key_spans(page)
    new = [] if value is None else [frontmatter.render_line(key, value)]
    if key in spans:
        first, last = spans[key]
        lines[first : last + 1] = new
    else:
        before = [last for name, (_, last) in spans.items() if _key_rank(name) <= _key_rank(key)]
        at = max(before, default=0) + 1
        lines[at:at] = new
    return with_lines(page, lines)


def ensure_section(page: Page, heading: str) -> tuple[Page, Section]:
    """The section of that name, made where the format wants it when it is not there."""
    if found := page.section(heading):
        return page, found
    rank = _section_rank(page, heading)
    later = next((s for s in page.sections if _section_rank(page, s.heading) > rank), None)
    lines = list(page.lines)
    at = later.line - 1 if later else len(lines)
    while at > page.body_line - 1 and not lines[at - 1].strip():
        at -= 1  # one empty line before and after, whatever was there
    rest = at
    while rest < len(lines) and not lines[rest].strip():
        rest += 1
    lines[at:rest] = ["", f"## {heading}", ""]
    page = with_lines(page, lines)
    made = page.section(heading)
    assert made is not None
    return page, made


def insert_line(page: Page, heading: str, line: str) -> Page:
    """Put a line into a section: first in History and Changelog, last elsewhere."""
    page, section = ensure_section(page, heading)
    lines = list(page.lines)
    if section.heading in NEWEST_FIRST:
        at = section.line
        while at < section.end and not lines[at].strip():
            at += 1
        if at >= section.end:
            at = section.line
    else:
        at = section.end
        while at > section.line and not lines[at - 1].strip():
            at -= 1
        if section.claims and section.claims[-1].kind is not ClaimKind.ITEM:
            lines.insert(at, "")
            at += 1
    lines.insert(at, line)
    if at + 1 < len(lines) and lines[at + 1].startswith("#"):
        lines.insert(at + 1, "")
    return with_lines(page, lines)


def replace_lines(page: Page, first: int, last: int, new: Sequence[str]) -> Page:
    """Replace file lines `first` to `last`; a section left without words goes with its heading."""
    lines = list(page.lines)
    lines[first - 1 : last] = new
    page = with_lines(page, lines)
    return page if new else drop_empty_sections(page)


def drop_empty_sections(page: Page) -> Page:
    for section in reversed(page.sections):
        if not any(line.strip() for line in page.lines[section.line : section.end]):
            lines = list(page.lines)
            del lines[section.line - 1 : section.end]
            if section is page.sections[-1]:
                while lines and not lines[-1].strip():
                    lines.pop()
                lines.append("")
            page = with_lines(page, lines)
    return page


def _value(value: frontmatter.Value | Sequence[str]) -> frontmatter.Value:
    return value if isinstance(value, str) else list(value)


def _key_spans(page: Page) -> dict[str, tuple[int, int]]:
    """For each key its lines (indices, both included); a block list or folded text is more than one."""
    spans: dict[str, tuple[int, int]] = {}
    name = ""
    for index in range(1, page.body_line - 2):
        line = page.lines[index]
        head = line.partition(":")[0].strip("\"' ")
        if head in page.meta and head not in spans and not line.startswith((" ", "-", "#")):
            name = head
            spans[name] = (index, index)
        elif name:
            spans[name] = (spans[name][0], index)
    return spans


def _key_rank(key: str) -> int:
    return ORDER.index(key) if key in ORDER else len(ORDER)


def _section_rank(page: Page, heading: str) -> int:
    if heading in TAIL:
        return 100 + TAIL.index(heading)
    heads = HEADS.get(page.type, ())
    return heads.index(heading) if heading in heads else 50
