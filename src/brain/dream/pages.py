"""Phase four: the pages themselves. Each gets its new claims, loses what they replace, and says anew how it stands.

A page is touched only where its evidence changed: lines nobody has news of stay byte for byte, and a page without news
is not written at all. What does not fit the limits of the format stays in the notes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from brain.dream import answers, draft, supersede
from brain.dream.days import over_on
from brain.dream.draft import Line, body_claims, said_days
from brain.dream.entries import (
    are_twins,
    frontmatter_of,
    glosses,
    in_order,
    line_of,
    said_of,
)
from brain.dream.lead import Theme
from brain.dream.likeness import adds_nothing
from brain.dream.limits import CLAIMS, OTHER_CLAIMS, Room, least_worth, trimmed
from brain.dream.opening import Opening, not_in
from brain.dream.place import Placement
from brain.dream.roles import is_role
from brain.dream.split import Moved, without_empty_head
from brain.dream.steps import is_intent, told_once
from brain.dream.subjects import MAX_ALIASES, Head, type_of
from brain.dream.worth import worth
from brain.rules import claim_sha
from brain.sync.manifest import Op, Operation, RemovedClaim, Why
from brain.text import counted
from brain.tree import edit, markdown
from brain.tree.claims import Claim
from brain.tree.page import Page, links

LEAST, LEAST_NAMED = 3, 2
"""Statements that make a page, and those that make one of a project or of somebody whose part is told."""
SEE_ALSO = 5
MET_OFTEN = 3


@dataclass(slots=True)
class Written:
    """A page as it should be now, and what was done to it."""

    page: Page
    op: Op
    added: int = 0
    retired: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The lines a new page will have, the values that were replaced before it was made, and the sources in which
    somebody set out to tell its workflow."""

    lines: list[Line]
    past: list[supersede.Past]
    origin: tuple[str, ...] = ()

    def is_worth_a_page(self, head: Head) -> bool:
        """Three statements at least, one of which says something; two about a project, or about somebody whose part
        in the owner's life one of them tells (a host, a contact, a sister)."""
        weights = [line.weight for line in self.lines]
        named = head.kind == "project" or (
            type_of(head.kind) == "entity"
            and any(is_role(markdown.plain(line.text), head.names, line.label) for line in self.lines)
        )
        return len(weights) >= (LEAST_NAMED if named else LEAST) and sum(weights) >= 1.1 and max(weights) >= 0.55


@dataclass(slots=True)
class Pen:
    """Writes the pages of one run. `room` is what they may grow by, `dropped` counts claims left out, by reason."""

    opening: Opening
    room: Room
    day: str
    run_id: str
    language: str = "en"

    @property
    def dropped(self) -> Counter[str]:
        return self.room.dropped

    # A page from nothing

    def plan(self, head: Head, placements: Sequence[Placement]) -> Plan:
        """What a new page would hold, before any of it is written."""
        said = self._told_once(self._distinct(in_order(placements), []), [])
        current, past = supersede.among(self.checked(head, said))
        current, answered = answers.answered(current)
        origin = tuple(one.uri for one in placements if one.head == "How it works" and is_intent(one.text))
        return Plan(lines=self.room.fitting(current, head), past=[*past, *answered], origin=origin[:1])

    def create(
        self,
        head: Head,
        plan: Plan,
        placements: Sequence[Placement],
        met: dict[str, int],
        themes: Sequence[Theme] = (),
        sources: Mapping[str, str] | None = None,
    ) -> Written:
        """The page a plan makes."""
        lines, past = plan.lines, plan.past
        lead = self.opening.lead(head, [said_of(line) for line in lines], themes, plan.origin)
        done: set[str] = set()
        said = self.opening.statements(lead, head, done)
        ordered = sorted(lines if head.kind == "learning" else not_in(lead, lines), key=lambda line: line.when)
        linked = [replace(line, text=self._words(line, head, done)) for line in ordered]
        page = draft.write_new(frontmatter_of(head, lead, placements, self.language), said, linked)
        for item in past[-edit.HISTORY_LINES :]:
            how = "answered" if item.old.head == "Open questions" else "replaced"
            words = supersede.history_line(markdown.plain(item.old.text), item.new, page.language, how)
            both = tuple(dict.fromkeys((*item.old.uris, *item.new.uris)))
            page = edit.add_claim(page, "History", words, uris=both, glosses=glosses(placements))
        note = f"created from {counted(len(lines), 'statement')}"
        page = draft.finish(page, {**glosses(placements), **(sources or {})})
        page = self._finish(head, page, placements, met, note)
        return Written(
            page=page,
            op=Op(op=Operation.CREATE, path=page.path, reason="subject earned a page", note=note),
            added=len(lines),
        )

    # A page that stands

    def update(
        self, head: Head, base: Page, placements: Sequence[Placement], met: dict[str, int], moved: Moved | None = None
    ) -> Written | None:
        """The page with these facts on it, without what was moved to a page of its own; None when nothing changes."""
        page, placements = moved.page if moved else base, in_order(placements)
        removed = list(moved.removed) if moved else []
        added = retired = 0
        most = CLAIMS.get(head.kind, OTHER_CLAIMS)
        sources = glosses(placements)
        done = {link.target for link in links(page)}
        human = self.opening.human(page.path)
        known = [*page.lead, *body_claims(page)]
        for line in self.checked(head, self._told_once(self._distinct(placements, known), known)):
            old = self._replaced(line, page)
            if isinstance(old, Claim) and _is_kept(old, line, page, human):
                self.dropped["older than what a person wrote"] += 1
                continue
            if isinstance(old, Claim):
                removed.append(RemovedClaim(text_sha=claim_sha(old), why=Why.SUPERSEDED))
                words = supersede.history_line(markdown.plain(old.text), line, page.language)
                page = edit.retire_claim(page, old, words, uris=line.uris, glosses=sources)
                retired += 1
            elif old is not supersede.Standing.NEW:
                self.dropped[
                    "known already" if old is supersede.Standing.SAME else "older than what the page says"
                ] += 1
                continue
            elif line.weight < least_worth(len(body_claims(page)) / most):
                self.dropped["not worth a line"] += 1
                continue
            elif not self.room.fits(page, line, most):
                self.dropped["page full"] += 1
                continue
            page = draft.finish(draft.insert(page, replace(line, text=self._words(line, head, done))), sources)
            added += 1
            page, answered = self._answered(page, line, sources)
            removed += answered
        if page is base:
            return None
        page = self._with_past_plans(page)
        page, lead_changed = self.opening.restate(head, base, page)
        removed += [RemovedClaim(text_sha=claim_sha(claim), why=Why.SUPERSEDED) for claim in base.lead if lead_changed]
        page = trimmed(page)
        removed += _fallen(base, page)
        if moved:
            page = edit.add_see_also(page, moved.to.removeprefix("knowledge/").removesuffix(".md"))
        note = _note(added, retired) or "moved an area of life to a page of its own"
        page = self._finish(head, page, placements, met, note)
        fresh = tuple(sorted(set(page.references) - set(base.references)))
        op = Op(
            op=Operation.SPLIT if moved else Operation.UPDATE,
            path=page.path,
            to=moved.to if moved else None,
            reason="outgrew its page" if moved else "new turns",
            note=note,
            cites_added=fresh,
            claims_removed=tuple(removed),
        )
        return Written(page=page, op=op, added=added, retired=retired)

    def _answered(self, page: Page, line: Line, sources: dict[str, str]) -> tuple[Page, list[RemovedClaim]]:
        """Open questions that a new line speaks to move to History, with the answer."""
        section = page.section("Open questions")
        gone: list[RemovedClaim] = []
        for question in section.claims if section and line.head != "Open questions" else ():
            asked = markdown.plain(question.text)
            if answers.answers(line, asked):
                words = supersede.history_line(asked, line, page.language, "answered")
                page = edit.retire_claim(page, question, words, uris=line.uris, glosses=sources)
                gone.append(RemovedClaim(text_sha=claim_sha(question), why=Why.SUPERSEDED))
        return page, gone

    def _words(self, line: Line, head: Head, done: set[str]) -> str:
        """A claim as it is written: its links made, the wrong words of a correction left to History."""
        return self.opening.linker.link(supersede.without_wrong(line.text), head.id, done)

    def _replaced(self, line: Line, page: Page) -> Claim | supersede.Standing:
        """The claim this line takes the place of: by correction or by label."""
        claims, said = body_claims(page), said_days(page)
        if (wrong := supersede.put_right(line, claims)) is not None:
            return wrong
        return supersede.against(line, claims, said)

    def close(self, head: Head, page: Page, label: str, placement: Placement) -> Written | None:
        """Close a claim about a subject whose news went elsewhere, on the page where it was put down, lead included."""
        line = replace(line_of(placement), label=label)
        old = supersede.against(line, body_claims(page), said_days(page))
        return self._closed(head, page, old, line, placement) if isinstance(old, Claim) else None

    def renew(self, head: Head, page: Page, old: Claim, placement: Placement, *, stands: bool) -> Written | None:
        """Close a claim that news take the place of; the news too are written here unless they stand elsewhere.

        None when the news' own turns do not carry them."""
        lines = self.checked(head, [placement])
        return self._closed(head, page, old, lines[0], placement, put=not stands) if lines else None

    def _closed(
        self, head: Head, page: Page, old: Claim, line: Line, placement: Placement, *, put: bool = False
    ) -> Written:
        base, sources = page, glosses([placement])
        opened = f"{line.label}: {line.text}" if line.label and line.value is None else line.text
        words = supersede.history_line(markdown.plain(old.words), replace(line, text=opened), page.language)
        alone = old in base.lead
        if alone:
            both = tuple(dict.fromkeys((*base.uris(old), *line.uris)))
            page = edit.add_claim(page, "History", words, uris=both, glosses=sources)
        else:
            page = edit.retire_claim(page, old, words, uris=line.uris, glosses=sources)
        if put:
            done = {link.target for link in links(page)}
            page = draft.finish(draft.insert(page, replace(line, text=self._words(line, head, done))), sources)
        elif old.group:
            page = without_empty_head(page, old.group)
        page, lead_changed = self.opening.restate(head, base, page, markdown.plain(old.text) if alone else "")
        gone = (*(() if alone else (old,)), *(base.lead if lead_changed else ()))
        removed = tuple(RemovedClaim(text_sha=claim_sha(claim), why=Why.SUPERSEDED) for claim in gone)
        page = trimmed(draft.finish(page, sources))
        removed += tuple(_fallen(base, page))
        note = _note(int(put), 1)
        if not any(self.run_id[:8] in claim.text for claim in page.claims if claim.section == "Changelog"):
            page = edit.add_changelog(page, date.fromisoformat(self.day), self.run_id, note)
        return Written(
            page=page,
            op=Op(
                op=Operation.UPDATE,
                path=page.path,
                reason="news of what it says",
                note=note,
                cites_added=tuple(sorted(set(page.references) - set(base.references))),
                claims_removed=removed,
            ),
            added=int(put),
            retired=1,
        )

    def hand_over(self, head: Head, page: Page, claims: Sequence[Claim], to: str) -> Written:
        """Claims that the page at the path `to` says from now on leave this one, which leads there."""
        base = page
        for claim in claims:
            page = edit.remove_claim(page, claim)
        for group in dict.fromkeys(claim.group for claim in claims if claim.group):
            page = without_empty_head(page, group)
        removed = [RemovedClaim(text_sha=claim_sha(claim), why=Why.MOVED, to=to) for claim in claims]
        page, lead_changed = self.opening.restate(head, base, page)
        removed += [RemovedClaim(text_sha=claim_sha(claim), why=Why.SUPERSEDED) for claim in base.lead if lead_changed]
        page = draft.finish(edit.add_see_also(page, to.removeprefix("knowledge/").removesuffix(".md")), {})
        note = f"gave {counted(len(claims), 'statement')} to the page of their subject"
        if not any(self.run_id[:8] in claim.text for claim in page.claims if claim.section == "Changelog"):
            page = edit.add_changelog(page, date.fromisoformat(self.day), self.run_id, note)
        op = Op(
            op=Operation.UPDATE,
            path=page.path,
            reason="subject earned a page",
            note=note,
            claims_removed=tuple(removed),
        )
        return Written(page=page, op=op)

    def _with_past_plans(self, page: Page) -> Page:
        """Plans whose day is past are what was planned: they stand under Timeline, their words unchanged."""
        for head in ("Plans", "Status"):
            while (section := page.section(head)) and (
                claim := next((c for c in section.claims if self._is_past(head, markdown.plain(c.text), c.label)), None)
            ):
                page = draft.shift(page, claim, "Timeline")
        return page

    def _is_past(self, head: str, text: str, label: str | None) -> bool:
        """Whether a plan, or a deadline among the values of a project, is for a day that is past."""
        planned = head == "Plans" or (head == "Status" and bool(label) and "deadline" in (label or "").lower())
        return planned and "" < over_on(text) < self.day

    # Both

    def _told_once(self, placements: list[Placement], known: Sequence[Claim]) -> list[Placement]:
        """Workflows without what counts their steps once more."""
        steps = [placement for placement in placements if placement.head == "How it works"]
        kept = told_once([one.text for one in steps], [c.text for c in known if c.section == "How it works"])
        twice = {id(one) for one, keep in zip(steps, kept, strict=True) if not keep}
        self.dropped["said twice"] += len(twice)
        return [placement for placement in placements if id(placement) not in twice]

    def _finish(self, head: Head, page: Page, placements: Sequence[Placement], met: dict[str, int], note: str) -> Page:
        page = draft.finish(page, glosses(placements))
        aliases = set(head.aliases) - {head.title}
        if aliases - set(page.aliases):
            page = edit.set_meta(page, "aliases", sorted({*page.aliases, *aliases})[:MAX_ALIASES])
        linked = {link.target for link in links(page)}
        often = sorted(
            (id for id in met if met[id] >= MET_OFTEN and id not in linked), key=lambda page: (-met[page], page)
        )
        if not linked and not often:
            often = sorted(met, key=lambda page: (-met[page], page))[:1] or self._owners_but(head.id)[:1]
        section = page.section("See also")
        for id in often[: max(0, SEE_ALSO - len(section.claims if section else ()))]:
            page = edit.add_see_also(page, id)
        return edit.add_changelog(page, date.fromisoformat(self.day), self.run_id, note)

    def checked(self, head: Head, placements: Iterable[Placement]) -> list[Line]:
        """Placements as lines, those left out that their own turns do not carry."""
        out = []
        for placement in placements:
            line = line_of(placement)
            if self._is_past(line.head, markdown.plain(line.text), line.label):
                line = replace(line, head="Timeline")
            if why := self.opening.check(line.text, line.uris, line.qualifier, head):
                self.dropped[why] += 1
            else:
                out.append(line)
        return out

    def _distinct(self, placements: Sequence[Placement], claims: Sequence[Claim]) -> list[Placement]:
        """Placements that say something new: not what the page holds, and of two alike the one that weighs more."""
        known = [markdown.plain(claim.text) for claim in claims]
        kept: list[Placement] = []
        for placement in placements:
            if placement.label is None and any(adds_nothing(placement.text, text) for text in known):
                self.dropped["known already"] += 1
                continue
            twin = next((at for at, other in enumerate(kept) if are_twins(placement, other)), None)
            if twin is None:
                kept.append(placement)
                continue
            self.dropped["said twice"] += 1
            if worth(placement.fact) > worth(kept[twin].fact):
                kept[twin] = placement
        return kept

    def _owners_but(self, page: str) -> list[str]:
        return [owner for owner in sorted(self.opening.owners) if owner != page and owner in self.opening.linker]


def _is_kept(old: Claim, line: Line, page: Page, human: frozenset[str]) -> bool:
    """Whether a person's own line stands against this one: only a newer turn of the user replaces it."""
    if page.lines[old.line - 1] not in human:
        return False
    return line.qualifier is not None or line.said <= said_days(page).get(old.line, "")


def _fallen(base: Page, page: Page) -> list[RemovedClaim]:
    """History lines that fell out because newer ones came in."""
    section = base.section("History")
    still = {claim.raw for claim in page.claims if claim.section == "History"}
    return [
        RemovedClaim(text_sha=claim_sha(claim), why=Why.STALE)
        for claim in (section.claims if section else ())
        if claim.raw not in still
    ]


def _note(added: int, retired: int) -> str:
    parts = [f"added {counted(added, 'statement')}"] if added else []
    return ", ".join([*parts, *([f"{retired} replaced"] if retired else [])])
