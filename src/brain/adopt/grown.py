"""A page that was adopted before, from a file that has more by now: what is new is added, nothing is taken away."""

from __future__ import annotations

import re
from collections.abc import Callable

from brain.errors import BrainError
from brain.tree import edit, page, uri
from brain.tree.claims import Claim, ClaimKind
from brain.tree.page import Page
from brain.tree.uri import FileUri

ADOPTED = "adopted/"
"""Where the files that adopted pages rest on lie, under `sessions/artifacts/`."""


_LABELLED = re.compile(r"\[\[([^\[\]|#\n]+)(#[^\[\]|\n]*)?\|([^\[\]\n]+)\]\]")


def alike(old: str, new: str, title: Callable[[str], str]) -> bool:
    """Whether two pages differ in nothing but links that say, or do not say, the title of the page they lead to.

    A link of a bundle reads as that title either way, so what comes back from one cannot tell. `title` of a page's id.
    """

    def bare(text: str) -> str:
        return _LABELLED.sub(
            lambda link: f"[[{link[1]}{link[2] or ''}]]" if link[3] == title(link[1]) else link[0], text
        )

    return old == new or bare(old) == bare(new)


def grown(old: str, new: str, path: str) -> str | None:
    """The page with what the newer reading of its file says beside; None when it is no page of an earlier adoption."""
    try:
        before, after = page.parse(old, path), page.parse(new, path)
    except BrainError:
        return None
    if not _adopted(before, before.claims) or not _adopted(after, after.claims):
        return None
    known = {claim.words for claim in before.claims}
    made = before
    for claim in after.claims:
        if claim.kind is ClaimKind.ITEM and claim.words not in known and claim.is_cited:
            made = edit.add_claim(
                made, claim.section, claim.text, label=claim.label, qualifier=claim.qualifiers or None,
                uris=after.uris(claim), group=claim.group,
            )  # fmt: skip
    return made.text


def _adopted(shown: Page, claims: tuple[Claim, ...]) -> bool:
    """Whether some claim of a page rests on an adopted file."""
    for claim in claims:
        for source in shown.uris(claim):
            try:
                found = uri.parse(source)
            except BrainError:
                continue
            if isinstance(found, FileUri) and found.root == "artifacts" and found.path.startswith(ADOPTED):
                return True
    return False
