"""What stood on an owner's page for want of a better one goes to its subject's page once that is made."""

from __future__ import annotations

from brain.dream.draft import body_claims
from brain.tree.claims import Claim
from brain.tree.page import Page


def handed_over(page: Page, made: Page, human: frozenset[str]) -> list[Claim]:
    """The claims of `page` that the page just `made` says too, in the same words and on the same sources.

    None where `page` says nothing else that could open it: values of others ("Ana: works on") cannot. Lines that a
    person wrote (`human`) and values under a label stay: a label is closed where it stands.
    """
    there = {(claim.words, frozenset(made.uris(claim))) for claim in [*made.lead, *body_claims(made)]}
    own = body_claims(page)
    found = [
        claim
        for claim in own
        if claim.is_cited
        and claim.label is None
        and page.lines[claim.line - 1] not in human
        and (claim.words, frozenset(page.uris(claim))) in there
    ]
    left = [claim for claim in own if claim not in found and ":" not in (claim.label or "")]
    return found if left else []
