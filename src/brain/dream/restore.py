"""Putting claims of the base back onto a page as they stood, each in its place, with the sources it cites."""

from __future__ import annotations

from collections.abc import Iterable

from brain.dream.losses import Loss
from brain.errors import BrainError
from brain.sync.staging import Staging
from brain.tree import cites, page
from brain.tree.claims import Claim, ClaimKind
from brain.tree.page import Page
from brain.tree.splice import ensure_section, with_lines


def put_back(staging: Staging, found: Iterable[Loss]) -> int:
    """Restore lost claims in the work tree, how many; a page where one does not fit returns to what it was."""
    by_path: dict[str, list[Loss]] = {}
    for loss in found:
        by_path.setdefault(loss.path, []).append(loss)
    for path, lost in sorted(by_path.items()):
        before = page.parse(staging.base.read(path), path)
        try:
            shown = page.parse(staging.read(path), path)
            for loss in lost:
                shown = with_claim(shown, before, loss.claim)
            staging.write(path, shown.text)
        except BrainError:
            staging.write(path, before.text)
    return sum(len(lost) for lost in by_path.values())


def with_claim(now: Page, before: Page, claim: Claim) -> Page:
    """The page with a claim of its base again, byte for byte. Raises FormatError when its sources do not fit."""
    now = _with_sources(now, before, claim)
    if claim.kind is ClaimKind.LEAD:
        return _with_lead(now, before)
    block = before.lines[claim.line - 1 : claim.end]
    now, section = ensure_section(now, claim.section)
    above = next((s.claims for s in before.sections if s.heading == claim.section), ())
    earlier = [c.raw for c in above if c.line < claim.line]
    kept = [c for c in section.claims if c.raw in earlier]
    lines = list(now.lines)
    at = kept[-1].end if kept else section.line
    if not kept and at < len(lines) and not lines[at].strip():
        at += 1
    lines[at:at] = block
    if at + len(block) < len(lines) and lines[at + len(block)].startswith("#"):
        lines.insert(at + len(block), "")
    return with_lines(now, lines)


def _with_sources(now: Page, before: Page, claim: Claim) -> Page:
    """With the definitions that the claim's numbers need; a number that means something else now is given back."""
    known = now.references
    wanted = {n: before.references[n] for n in claim.cites if n in before.references}
    if all(n in known and known[n].uri == one.uri for n, one in wanted.items()):
        return now
    return cites.set_references(now, {**known, **wanted}.values())


def _with_lead(now: Page, before: Page) -> Page:
    """The whole lead of the base in place of the present one."""
    for claim in before.lead:
        now = _with_sources(now, before, claim)
    first, last = _lead_lines(now)
    lines = list(now.lines)
    lines[first:last] = ["", *before.lead_text.split("\n"), ""]
    return with_lines(now, lines)


def _lead_lines(shown: Page) -> tuple[int, int]:
    first = next((h.line for h in shown.headings if h.level == 1), shown.body_line - 1)
    return first, shown.sections[0].line - 1 if shown.sections else len(shown.lines)
