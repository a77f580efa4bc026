# ruff: noqa: E501 — examples and messages read better unwrapped
"""QUA: who stands behind a claim is said, and right."""

from __future__ import annotations

from collections.abc import Iterator

from brain.rules.context import Context, qualifier
from brain.rules.rule import Found, page_rule
from brain.rules.speaker import speaker_problem
from brain.tree import uri
from brain.tree.claims import Claim
from brain.tree.page import UNCITED, Page
from brain.types import Qualifier, Trust

_OWNED = frozenset({"Preferences", "Corrections"})


def trusts(shown: Page, claim: Claim, check: Context) -> list[Trust]:
    """The trust class of each piece of evidence of a claim; what does not resolve gives none."""
    found: list[Trust] = []
    for source in check.sources(shown, claim):
        if isinstance(source, uri.ConnectorUri):
            connector = check.config.connectors.get(source.name)
            found.append(Trust.TOOL if connector and connector.owner_authoritative else Trust.EXTERNAL)
        elif isinstance(source, uri.FileUri):
            found.append(Trust.TOOL if source.root == "artifacts" else Trust.EXTERNAL)
        else:
            found += [turn.trusted_as for turn in check.turns([source])]
    return found


@page_rule("QUA001")
def speaker_is_marked(shown: Page, check: Context) -> Iterator[Found]:
    """What only the assistant said is `^[assistant]`, what only outside content says `^[external]` (or both `^[inferred]`).

    Bad:
        ## Facts
        - The prototypes could be carried in two cases. [cite:session://1eaf53d4-09e0-5823-bb96-c8662f582708#t4]
    Good:
        ## Facts
        - The prototypes could be carried in two cases. ^[assistant] [cite:session://1eaf53d4-09e0-5823-bb96-c8662f582708#t4]
    """
    if shown.superseded_by:
        return
    for claim in shown.claims:
        if claim.section in UNCITED or not claim.is_cited:
            continue
        if why := speaker_problem(qualifier(claim), trusts(shown, claim, check)):
            yield Found(why, line=claim.line, fix="add the qualifier before the cites")


@page_rule("QUA002")
def owner_said_it(shown: Page, check: Context) -> Iterator[Found]:
    """Preferences and Corrections rest on a turn of the user.

    Bad:
        ## Preferences
        - Figures go out as PDF. ^[assistant] [cite:session://1eaf53d4-09e0-5823-bb96-c8662f582708#t6]
    Good:
        ## Preferences
        - Figures go out as PDF. [cite:session://1eaf53d4-09e0-5823-bb96-c8662f582708#t5]
    """
    for claim in shown.claims:
        if claim.section in _OWNED and claim.is_cited:
            kinds = trusts(shown, claim, check)
            if kinds and Trust.OWNER not in kinds:
                yield Found(
                    f"a claim under {claim.section} cites no turn of the user",
                    line=claim.line,
                    fix="cite the user's words, or move the claim to Facts",
                )


@page_rule("QUA003")
def qualifier_known(shown: Page, check: Context) -> Iterator[Found]:
    """Qualifiers are those of the format; `^[disputed]` has two cites and a line under Open questions.

    Bad:
        ## Facts
        - The venue is step-free. ^[rumour] [cite:1]
    Good:
        ## Facts
        - The venue is step-free. ^[disputed] [cite:1] [cite:2]
        ## Open questions
        - Is the venue step-free? [cite:1] [cite:2]
    """
    asked = shown.section("Open questions")
    for claim in shown.claims:
        for name in claim.qualifiers:
            if name not in set(Qualifier):
                yield Found(
                    f"^[{name}] is no qualifier",
                    line=claim.line,
                    fix=f"one of {', '.join(f'^[{q.value}]' for q in Qualifier)}",
                )
        if Qualifier.DISPUTED in claim.qualifiers:
            if len(claim.cites) + len(claim.sources) < 2:
                yield Found("^[disputed] with fewer than two cites", line=claim.line, fix="cite both sides")
            if not asked or not asked.claims:
                yield Found(
                    "^[disputed] without a line under Open questions",
                    line=claim.line,
                    fix="ask there what is to be settled",
                )
