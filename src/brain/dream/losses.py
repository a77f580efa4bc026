"""Claims that a run takes away or alters: where each went, as far as a program can see, else what the author says.

A claim may go because History tells what replaced it, because its line was brought up to date with new evidence,
because it stands on another page now, or because it is said elsewhere. Anything else needs a reason in report.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from brain.dream.checked import Removed
from brain.dream.report import WAYS, Reason, Report
from brain.rules import Context, claim_sha
from brain.rules.staging import lost_claims, successor
from brain.sync.manifest import Op, Operation, RemovedClaim, Why
from brain.text import clip, jaccard
from brain.tree.claims import Claim, ClaimKind
from brain.tree.layout import FileClass, page_id, page_path
from brain.tree.page import Page
from brain.types import Problem, Severity

ALIKE = 0.5
"""Share of common words from which two claims on the same evidence say the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A claim of the base that is gone or altered, and what explains it."""

    path: str
    claim: Claim
    removed: Removed
    line: int = 0


def losses(check: Context, report: Report) -> list[Loss]:
    """Every lost claim of the changed pages, explained or not."""
    around = _Around(check)
    found = []
    for path in (*check.of_class(FileClass.PAGE), *check.removed(FileClass.PAGE)):
        before, now = check.base_page(path), check.page(path)
        if before is None or (now is None and path in check.staged):
            continue  # a page that does not read is a problem of its own
        known = {c.raw for c in before.claims}
        for claim in lost_claims(check, path):
            after = successor(claim, before, now, known)
            why, to, by = _explained(claim, before, now, after, around, report)
            id = claim_sha(claim)[:8]
            removed = Removed(id=id, path=path, text=clip(claim.words, 120), why=why, to=to, by=by)
            found.append(Loss(path=path, claim=claim, removed=removed, line=after.line if after else 0))
    return found


def problems(found: Iterable[Loss]) -> Iterator[Problem]:
    """One for each loss that nothing explains."""
    for loss in found:
        if loss.removed.why is None:
            yield Problem(
                rule="STG002",
                severity=Severity.E,
                path=loss.path,
                line=loss.line,
                message=f"claim {loss.removed.id} of memory is gone or altered: {loss.removed.text!r}",
                fix=f"restore its line, tell it under History, or say in report.md: - {loss.removed.id} <{WAYS}>: why",
            )


def operations(check: Context, found: Iterable[Loss], report: Report) -> Iterator[Op]:
    """What the manifest says of each changed file, with the claims that went."""
    gone: dict[str, list[RemovedClaim]] = {}
    for loss in found:
        if loss.removed.why is not None:
            one = RemovedClaim(text_sha=claim_sha(loss.claim), why=loss.removed.why, to=loss.removed.to)
            gone.setdefault(loss.path, []).append(one)
    for path in check.changed:
        was, now = path in check.base, path in check.staged
        id = page_id(path) or path
        whole = report.pages.get(id) if was and not now else None
        kind = whole.op if whole else Operation.UPDATE if was and now else Operation.CREATE if now else Operation.DELETE
        yield Op(
            op=kind,
            path=path,
            to=page_path(whole.to) if whole and whole.to else None,
            reason=whole.reason if whole else "",
            note=report.notes.get(id, ""),
            cites_added=_added(check, path),
            claims_removed=tuple(gone.get(path, ())),
        )


def _added(check: Context, path: str) -> tuple[int, ...]:
    now, before = check.page(path), check.base_page(path)
    return tuple(sorted(set(now.references) - set(before.references if before else {}))) if now else ()


class _Around:
    """The claims of all changed pages, by their words, to see where one went."""

    def __init__(self, check: Context) -> None:
        self.check = check
        self.pages: dict[str, Page] = {}
        self.new: dict[str, set[str]] = {}
        for path in check.of_class(FileClass.PAGE):
            if page := check.page(path):
                self.pages[path] = page
                self.new[path] = {c.raw for c in check.new_claims(page)}

    def elsewhere(self, claim: Claim, uris: set[str], path: str) -> tuple[Why, str] | None:
        """The page that says the same: moved there in this run, or there already."""
        wanted = _words(claim)
        for other, page in self.pages.items():
            for one in page.claims:
                same = one.words == claim.words
                if other == path and one.raw == claim.raw:
                    continue
                if same or (uris and uris <= set(page.uris(one)) and jaccard(wanted, _words(one)) >= ALIKE):
                    moved = one.raw in self.new[other] and (other != path or same)
                    return (Why.MOVED if moved else Why.DUPLICATE), page.id
        return None


def _explained(
    claim: Claim, before: Page, now: Page | None, after: Claim | None, around: _Around, report: Report
) -> tuple[Why | None, str | None, str]:
    uris = set(before.uris(claim))
    if now is not None:
        if _told_in_history(claim, uris, before, now):
            return Why.SUPERSEDED, now.id, "program"
        if after is not None and set(now.uris(after)) - uris:
            return Why.SUPERSEDED, now.id, "program"
    if found := around.elsewhere(claim, uris, before.path):
        return (*found, "program")
    if claim.section == "Open questions" and now is not None:
        return Why.STALE, None, "program"  # asking otherwise, or no more, takes nothing away
    if now is not None and claim.kind is ClaimKind.LEAD and uris <= {u for c in now.claims for u in now.uris(c)}:
        return Why.DUPLICATE, now.id, "program"
    said = report.claims.get(claim_sha(claim)[:8])
    return _said(said, uris, around) if said else (None, None, "program")


def _said(said: Reason, uris: set[str], around: _Around) -> tuple[Why | None, str | None, str]:
    """The author's word; that a claim was moved is believed only when its evidence is on that page."""
    if said.why is Why.MOVED or (said.why is Why.SUPERSEDED and said.to):
        target = around.check.page(page_path(said.to)) if said.to else None
        if target is None or not uris & {u for c in target.claims for u in target.uris(c)}:
            return None, None, "author"
    return said.why, said.to, "author"


def _told_in_history(claim: Claim, uris: set[str], before: Page, now: Page) -> bool:
    """Whether a new line of History tells of this claim: on its evidence, or in its words."""
    known = {c.raw for c in before.claims}
    wanted = _words(claim)
    return claim.section != "History" and any(
        one.section == "History"
        and one.raw not in known
        and (uris & set(now.uris(one)))
        and jaccard(wanted, _words(one)) >= 0.15
        for one in now.claims
    )


def _words(claim: Claim) -> set[str]:
    return set(claim.words.casefold().split())


def explained(found: Iterable[Loss]) -> Mapping[str, int]:
    """How many claims went, by reason."""
    counted: dict[str, int] = {}
    for loss in found:
        if loss.removed.why:
            counted[loss.removed.why.value] = counted.get(loss.removed.why.value, 0) + 1
    return counted
