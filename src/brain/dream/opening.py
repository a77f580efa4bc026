"""The opening of a page: its lead and description as its claims give them, and anew when these change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from brain.dream.draft import Line
from brain.dream.entries import lead_alone, said_on, themes_on
from brain.dream.lead import Lead, Said, Theme
from brain.dream.likeness import same
from brain.dream.links import Linker
from brain.dream.standing import alone as last_resort
from brain.dream.standing import compose
from brain.dream.subjects import Head, type_of
from brain.tree import edit, markdown
from brain.tree.page import Page
from brain.types import Qualifier

FEW = 4
"""Lines of a page on which what the lead says is not said again."""

Check = Callable[[str, Sequence[str], Qualifier | None, Head], str | None]
"""Why a claim's sources do not carry it (text, URIs, qualifier, the page's head); None when they do."""


@dataclass(slots=True)
class Opening:
    """Writes leads and descriptions; those that a person wrote stay."""

    linker: Linker
    owners: dict[str, str]
    check: Check
    human: Callable[[str], frozenset[str]]
    english: bool = True

    def restate(self, head: Head, base: Page, page: Page, gone: str = "") -> tuple[Page, bool]:
        """Lead and description anew, unless a person wrote them: then they are not what the base's claims give.

        `gone` is a sentence that stood in the lead alone and holds no longer.
        """
        if any(base.lines[claim.line - 1] in self.human(base.path) for claim in base.lead):
            return page, False
        themes = themes_on(base)
        alone = lead_alone(base)
        first = next((claim for claim in base.lead if claim.qualifiers), None)
        origin = base.uris(first) if first else ()
        before = self.lead(head, said_on(base, alone), themes, origin)
        left = [one for one in alone if not gone or not same(one.text, gone)]
        after = self.lead(head, said_on(page, left), themes, origin)
        if before == after:
            return page, False
        changed = not base.lead or markdown.plain(" ".join(claim.text for claim in base.lead)) == before.text
        if changed:
            page = edit.set_lead(page, self.statements(after, head, set()))
        if base.description == before.description:
            page = edit.set_description(page, after.description)
        return page, changed

    def statements(self, lead: Lead, head: Head, done: set[str]) -> list[edit.Statement]:
        """The sentences of a lead as they are written, each with its sources."""
        inferred = Qualifier.INFERRED.value
        return [
            edit.Statement(
                text=self.linker.link(markdown.escape(one.text), head.id, done),
                qualifier=inferred if one.inferred else None,
                uris=one.uris,
            )
            for one in lead.sentences
        ]

    def lead(self, head: Head, said: Sequence[Said], themes: Sequence[Theme], origin: Sequence[str] = ()) -> Lead:
        """The lead that the claims give, each clause carried by its own sources; in the end one claim alone."""
        names = [head.title, *head.aliases]
        owners = [name for id, name in sorted(self.owners.items()) if id != head.id]
        several = len(self.owners) > 1
        people = [name for name in owners if several and any(one.text.startswith(name) for one in said)]
        lead = compose(
            head.title,
            names,
            type_of(head.kind),
            head.kind,
            said,
            people=people,
            themes=themes,
            origin=origin,
            english=self.english,
            carries=lambda text, uris, inferred: (
                self.check(text, uris, Qualifier.INFERRED if inferred else None, head) is None
            ),
        )
        return lead or last_resort(head.title, head.kind, names, said)


def not_in(lead: Lead, lines: Sequence[Line]) -> list[Line]:
    """The lines of a short page without those that its lead says already; what a newer value may replace stays."""
    said = [sentence.text for sentence in lead.sentences if not sentence.inferred]
    again = [line for line in lines if not line.label and any(same(markdown.plain(line.text), one) for one in said)]
    if len(lines) > FEW or len(again) == len(lines):
        return list(lines)
    return [line for line in lines if line not in again]
