"""Do the cited turns hold what new claims say? Tested by code for every new claim, whoever wrote it (format §15).

A claim whose turns do not hold it, or say the opposite, is refused; one that they hold in part is named. A verifier,
when there is one, judges in place of that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from brain.dream.questions import ask
from brain.dream.verification import Asked, Examined, Question, Verifier, examine
from brain.errors import BudgetExceeded
from brain.rules import Context, Support, Verdict, verify
from brain.rules.context import qualifier
from brain.rules.scene import Scene
from brain.rules.wording import label_of, plain
from brain.text import clip
from brain.tree.claims import Claim
from brain.tree.layout import FileClass
from brain.tree.page import UNCITED, Page
from brain.types import Problem, Severity, Turn

REFUSED = frozenset({Support.UNSUPPORTED, Support.CONTRADICTED})
_CITE = "write what these turns say in their words, cite the turns that say it, or take the claim out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """`verified` of `tested` new claims are held by their turns. `left`: sessions whose claims nobody judged, why."""

    problems: tuple[Problem, ...] = ()
    tested: int = 0
    verified: int = 0
    left: dict[str, str] = field(default_factory=dict)

    @property
    def told(self) -> str:
        """As a commit's trailer says it."""
        return f"{self.verified}/{self.tested}"


def holding(check: Context, verifier: Verifier | None, *, seed: str = "") -> Held:
    """Test every new claim: by code alone, or with what code leaves open put to `verifier`."""
    asked = ask(check, seed=seed)
    examined = _examined(asked, verifier)
    problems = list(examined.problems)
    known = {(p.path, p.line) for p in problems if p.severity is Severity.E}
    tested = verified = 0
    for shown, claim in _new(check):
        tested += 1
        found = None if verifier else _by_code(check, shown, claim)
        refused = (shown.path, claim.line) in known
        if found and not refused:
            problems.append(found)
            refused = found.severity is Severity.E
        verified += not refused
    return Held(problems=tuple(problems), tested=tested, verified=verified, left=examined.left)


def _examined(asked: Asked, verifier: Verifier | None) -> Examined:
    """Nothing unexamined passes: when the budget ends here, what is left to ask counts as not held."""
    try:
        return examine(asked, verifier)
    except BudgetExceeded:
        return examine(asked, _Silent())


class _Silent:
    """A verifier that has no verdicts."""

    name = "none"
    model: str | None = None

    def judge(self, questions: Sequence[Question], standing: Sequence[str] = ()) -> Sequence[None]:
        return [None for _ in questions]


def _new(check: Context) -> Iterator[tuple[Page, Claim]]:
    for path in check.of_class(FileClass.PAGE):
        shown = check.page(path)
        for claim in check.new_claims(shown) if shown else ():
            if claim.section not in UNCITED and claim.is_cited and shown:
                yield shown, claim


def _by_code(check: Context, shown: Page, claim: Claim) -> Problem | None:
    if _said_before(check.base_page(shown.path), shown, claim):
        return None
    turns = check.turns(check.sources(shown, claim))
    owners, names = check.owners, check.names(shown)
    verdict = verify(claim.raw, turns, qualifier=qualifier(claim), owners=owners, subjects=names)
    if verdict.ok:
        return None
    absent = _absent(claim, turns, (*owners, *names))
    if not absent and verdict.support is Support.PARTIAL and verdict.why.startswith("only "):
        return None  # all words are there, if not near each other
    return _problem(shown, claim, verdict, absent)


def _said_before(before: Page | None, shown: Page, claim: Claim) -> bool:
    """Whether the page said the same on the same evidence already: a claim that moved within it."""
    sources = set(shown.uris(claim))
    return before is not None and any(
        one.words == claim.words and set(before.uris(one)) <= sources and one.is_cited for one in before.claims
    )


def _absent(claim: Claim, turns: Sequence[Turn], given: Sequence[str]) -> list[str]:
    """The words of a claim that its turns hold in no form: what an author looks at again."""
    prose = plain(claim.raw)
    scene = Scene(prose, label_of(claim.raw), turns, given)
    held = {word for hits in scene.hits for word in hits}
    return [word for word in scene.wanted if word not in held]


def _problem(shown: Page, claim: Claim, verdict: Verdict, absent: Sequence[str]) -> Problem:
    refused = verdict.support in REFUSED
    words = f"; not in the cited turns: {', '.join(absent)}" if absent and verdict.why.startswith("only ") else ""
    return Problem(
        rule="SEM001",
        severity=Severity.E if refused else Severity.W,
        path=shown.path,
        line=claim.line,
        message=f"{clip(claim.words, 100)!r} is {verdict.support.value}: {verdict.why}{words}",
        fix=_CITE if refused else "keep it if they say this in other words",
    )
