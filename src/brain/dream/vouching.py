"""Whether a record from outside bears out a claim that rests on other grounds: by the same test as its own turns."""

from __future__ import annotations

import re
from collections.abc import Iterable

from brain.dream.ground import Ground
from brain.rules import verify
from brain.tree.claims import Claim
from brain.tree.page import Page
from brain.tree.snapshot import Record, readable
from brain.types import Qualifier, Role, Trust, Turn

_HARD = re.compile(r"\b\d{4}-\d\d-\d\d\b|[\w.+-]+@[\w-]+\.[\w.]+|\b\d[\d.,:]*\b|\b[0-9a-f]{7,40}\b|\bv\d+\.\d+")
_STAMP = re.compile(r"\((?:as of|before|about|after|week of) [^)]*\)")


def is_worth_checking(claim: Claim) -> bool:
    """Whether a claim holds something that can be looked up: a date, a number, an address, a version, a commit."""
    return bool(_HARD.search(_STAMP.sub("", claim.words)))


def vouch(claim: Claim, ground: Ground, page: Page, records: Iterable[Record]) -> Record | None:
    """The first record that says what the claim says, in full."""
    if not is_worth_checking(claim):
        return None
    said = _STAMP.sub("", claim.words).strip()
    for record in records:
        turn = Turn(number=1, role=Role.TOOL, text=readable(record), trust=Trust.EXTERNAL)
        names = (page.title, *page.aliases)
        if verify(said, [turn], qualifier=Qualifier.EXTERNAL, owners=ground.owners, subjects=names).ok:
            return record
    return None
