"""Surgery on the lines of a page: one frontmatter key, one section, one line at a time; the rest stays as it is."""

from __future__ import annotations

from collections.abc import Sequence

from brain.errors import FormatError
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
    if made is None:
        raise FormatError(f"no section {heading!r} can be added: code is not closed", path=page.path, line=at)
    return page, made


def insert_line(page: Page, heading: str, line: str, group: str | None = None) -> Page:
    """Put a line into a section, or into one H3 group of it: first in History and Changelog, last elsewhere."""
    page, section = ensure_section(page, heading)
    if group:
        page, section = _ensure_group(page, section, group)
    first, last = _part(page, section, group)
    lines = list(page.lines)
    if section.heading in NEWEST_FIRST:
        at = first
        while at < last and not lines[at].strip():
            at += 1
        if at >= last:
            at = first
    else:
        at = last
        while at > first and not lines[at - 1].strip():
            at -= 1
        above = [c for c in section.claims if first < c.line <= last]
        if above and above[-1].kind is not ClaimKind.ITEM:
            lines.insert(at, "")
            at += 1
    lines.insert(at, line)
    if at + 1 < len(lines) and lines[at + 1].startswith("#"):
        lines.insert(at + 1, "")
    return with_lines(page, lines)


def _part(page: Page, section: Section, group: str | None) -> tuple[int, int]:
    """The head line and last line of an H3 group; without group, of what stands before the first H3."""
    heads = [h for h in page.headings if h.level == 3 and section.line < h.line <= section.end]
    ends = [h.line - 1 for h in heads[1:]] + [section.end]
    if group is None:
        return section.line, heads[0].line - 1 if heads else section.end
    return next((h.line, end) for h, end in zip(heads, ends, strict=False) if h.text == group)


def _ensure_group(page: Page, section: Section, group: str) -> tuple[Page, Section]:
    if any(h.level == 3 and section.line < h.line <= section.end and h.text == group for h in page.headings):
        return page, section
    lines = list(page.lines)
    at = section.end
    while at > section.line and not lines[at - 1].strip():
        at -= 1
    lines[at : section.end] = [*([""] if at > section.line else []), f"### {group}", ""]
    return ensure_section(with_lines(page, lines), section.heading)


def replace_lines(page: Page, first: int, last: int, new: Sequence[str]) -> Page:
    """Replace file lines `first` to `last`; a section left without words goes with its heading."""
    lines = list(page.lines)
    lines[first - 1 : last] = new
    page = with_lines(page, lines)
    return page if new else drop_empty_sections(page)


def drop_empty_sections(page: Page) -> Page:
    """Without H2 sections and H3 groups that hold nothing."""
    for number, heading in reversed(list(enumerate(page.headings))):
        following = page.headings[number + 1] if number + 1 < len(page.headings) else None
        end = following.line - 1 if following else len(page.lines)
        holds_groups = following is not None and following.level > heading.level
        if heading.level < 2 or holds_groups or any(line.strip() for line in page.lines[heading.line : end]):
            continue
        lines = list(page.lines)
        del lines[heading.line - 1 : end]
        if following is None:
            while lines and not lines[-1].strip():
                lines.pop()
            lines.append("")
        return drop_empty_sections(with_lines(page, lines))
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
