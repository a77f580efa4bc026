"""What a run's proposal leaves open: every changed claim that code can neither pass nor fail, with its evidence.

Claim by claim: the turns it cites are tested by `rules.verify`, later turns by `rules.overrides`, what was removed is
looked for elsewhere. What these settle is not asked; the rest becomes a `Question` with a bounded neighbourhood.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from brain.dream.neighbourhood import CLOSE, Neighbourhood, meaning, share
from brain.dream.orient import parse_instructions
from brain.dream.verification import Asked, Asks, Cited, Near, Question
from brain.rules.context import Context, qualifier
from brain.rules.later import overrides
from brain.rules.qualifiers import trusts
from brain.rules.speaker import speaker_problem
from brain.rules.staging import claim_sha, lost_claims, successor
from brain.rules.verify import SURE, verify
from brain.text import clip, jaccard, shingles
from brain.tree.claims import Claim
from brain.tree.layout import INSTRUCTIONS, FileClass, classify
from brain.tree.page import UNCITED, Page
from brain.types import Problem, Qualifier, Severity, Trust, Turn

DRIFT = 5
"""Untouched claims that a run looks at again (SEM011)."""

SAME = 0.8
"""Likeness from which a removed claim counts as standing elsewhere."""

_TURN = 1_200
_EVIDENCE = 8
"""Turns shown of what a claim cites, and characters of each."""

_BODY = 40
_HARD = frozenset({"code", "quote"})
"""What must stand in the evidence to the letter: its absence is no matter of judgement."""


def ask(check: Context, *, seed: str = "", drift: int = DRIFT) -> Asked:
    """The questions a proposal raises, after code has settled what it can. Deterministic for one `seed` (the run id).

    `check` is the context that the rules are run with; sources must be numbered (`fmt`).
    """
    return _Asking(check=check, seed=seed, drift=drift).all()


@dataclass(slots=True, kw_only=True)
class _Asking:
    check: Context
    seed: str
    drift: int
    settled: int = 0
    questions: list[Question] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    near: Neighbourhood = field(init=False)

    def __post_init__(self) -> None:
        manifest = self.check.manifest
        inputs = manifest.inputs.sessions if manifest is not None else ()
        self.near = Neighbourhood(self.check, {one.id: (one.from_turn, one.to_turn) for one in inputs})

    def all(self) -> Asked:
        pages = [path for path in self.check.of_class(FileClass.PAGE) if self.check.differs(path)]
        for path in pages:
            if shown := self.check.page(path):
                self._changed(shown)
                self._head(shown)
        for path in (*pages, *(p for p in self.check.removed(FileClass.PAGE))):
            self._removed(path)
        self._drift()
        return Asked(
            questions=tuple(self.questions),
            standing=self._standing(),
            settled=self.settled,
            problems=tuple(self.problems),
        )

    # -- new and changed claims

    def _changed(self, shown: Page) -> None:
        before = self.check.base_page(shown.path)
        known = {claim.raw for claim in before.claims} if before else set()
        lost = lost_claims(self.check, shown.path)
        was: dict[int, str] = {}
        for old in lost:
            after = successor(old, before, shown, known) if before else None
            if after is not None:
                was.setdefault(after.line, old.words)
        told: dict[tuple[str, tuple[str, ...], str], int] = {}
        for claim in self.check.new_claims(shown):
            if claim.section in UNCITED or not claim.is_cited:
                continue
            same = (claim.text, tuple(shown.uris(claim)), was.get(claim.line, ""))
            asked = len(self.questions)
            if same in told:  # asked of another line already
                self._also(told[same], claim)
                continue
            self._claim(shown, claim, Asks.CHANGED if claim.line in was else Asks.NEW, was.get(claim.line, ""))
            if len(self.questions) > asked:
                told[same] = asked

    def _also(self, asked: int, claim: Claim) -> None:
        one = self.questions[asked]
        self.questions[asked] = replace(one, claim=claim.words, also=(*one.also, claim.line))

    def _claim(self, shown: Page, claim: Claim, asks: Asks, was: str = "") -> None:
        sources = self.check.sources(shown, claim)
        turns = self.check.turns(sources)
        said_by = qualifier(claim)
        owners, names = self.check.owners, self.check.names(shown)
        verdict = verify(claim.raw, turns, qualifier=said_by, owners=owners, subjects=names)
        if why := speaker_problem(said_by, trusts(shown, claim, self.check)):
            self._fail("SEM002", shown, claim, why)
            return
        if not turns:
            self._fail("SEM001", shown, claim, verdict.why)
            return
        if said_by is not Qualifier.INFERRED and any(one.kind in _HARD for one in verdict.missing):
            self._fail("SEM001", shown, claim, verdict.why)
            return
        later = self.near.later(shown, claim, sources)
        against = overrides(claim.raw, later, subjects=names, owners=owners)
        around = self.near.claims(shown, claim)
        sure = verdict.ok and not verdict.missing and verdict.coverage >= SURE and said_by is not Qualifier.INFERRED
        if sure and not was and not against and not any(close >= CLOSE for close, _ in around):
            self.settled += 1
            return
        doubts = ([] if verdict.ok else [verdict.why]) + [one.why for one in against[:1]]
        self.questions.append(
            self._question(
                shown, claim, asks,
                was=was, doubt="; ".join(doubts), near=(*(one for _, one in around), *self._told(later)),
            )
        )  # fmt: skip

    def _fail(self, rule: str, shown: Page, claim: Claim, why: str) -> None:
        self.problems.append(
            Problem(
                rule=rule,
                severity=Severity.E,
                path=shown.path,
                line=claim.line,
                message=f"{clip(claim.words, 120)!r}: {why}",
                fix="write only what the cited turns say, or take the claim out",
            )
        )

    def _told(self, later: Sequence[Turn]) -> Iterator[Near]:
        for turn in later:
            yield Near(where=f"said later, {self.near.where(turn)}", text=clip(" ".join(turn.text.split()), 240))

    def _question(
        self,
        shown: Page,
        claim: Claim,
        asks: Asks,
        *,
        was: str = "",
        reason: str = "",
        doubt: str = "",
        near: tuple[Near, ...] = (),
    ) -> Question:
        return Question(
            path=shown.path,
            claim=claim.words,
            asks=asks,
            line=0 if asks is Asks.REMOVED else claim.line,
            qualifier=qualifier(claim),
            subject=shown.title,
            section=claim.section,
            evidence=self._evidence(shown, claim),
            was=was,
            reason=reason,
            doubt=doubt,
            near=near,
        )

    def _evidence(self, shown: Page, claim: Claim) -> tuple[Cited, ...]:
        found = [
            Cited(uri=str(source), turn=_clipped(turn))
            for source in self.check.sources(shown, claim)
            for turn in self.check.turns([source])
        ]
        return tuple(found[:_EVIDENCE])

    # -- lead, description and status

    def _head(self, shown: Page) -> None:
        before = self.check.base_page(shown.path)
        if before is not None and _head_of(before) == _head_of(shown):
            return
        body = [claim for claim in shown.claims if claim.section and claim.section not in ("Changelog", "See also")]
        if not body:
            return
        if _repeats(shown, body) and shown.status == (before.status if before else "active"):
            self.settled += 1
            return
        self.questions.append(
            Question(
                path=shown.path,
                claim=_head_of(shown),
                asks=Asks.PAGE,
                line=shown.lead[0].line if shown.lead else 0,
                subject=shown.title,
                was=_head_of(before) if before else "",
                near=tuple(Near(where=claim.section, text=claim.words) for claim in body[:_BODY]),
            )
        )

    # -- what is gone

    def _removed(self, path: str) -> None:
        before, now = self.check.base_page(path), self.check.page(path)
        if before is None:
            return
        known = {claim.raw for claim in before.claims}
        for claim in lost_claims(self.check, path):
            if claim.section in ("Open questions",) or (now and successor(claim, before, now, known)):
                continue  # a changed claim is asked with what it was
            removed = self._reason(claim)
            if self._stands_elsewhere(claim) or self._is_forgotten(before, claim):
                self.settled += 1
            elif not removed:
                self.problems.append(_loss(path, claim, "it is gone without a reason"))
            else:
                reason = f"{removed[0]}{f', to {removed[1]}' if removed[1] else ''}"
                replaced = [c for c in self.check.new_claims(now) if c.section not in UNCITED] if now else []
                near = tuple(Near(where=f"new on {path}", text=one.words) for one in replaced[:6])
                self.questions.append(self._question(before, claim, Asks.REMOVED, reason=reason, near=near))

    def _reason(self, claim: Claim) -> tuple[str, str] | None:
        manifest = self.check.manifest
        for op in manifest.ops if manifest is not None else ():
            for one in op.claims_removed:
                if one.text_sha == claim_sha(claim):
                    return str(one.why), one.to or ""
        return None

    def _stands_elsewhere(self, claim: Claim) -> bool:
        """Whether the staged wiki says the same on a page this run touched: moved, in History, or told twice before."""
        wanted = shingles(claim.words, 2)
        return any(
            claim.words in other.words or jaccard(wanted, shingles(other.words, 2)) >= SAME
            for path in self.check.of_class(FileClass.PAGE)
            if (page := self.check.page(path))
            for other in page.claims
            if share(meaning(claim.words), meaning(other.words)) >= SAME
        )

    def _is_forgotten(self, before: Page, claim: Claim) -> bool:
        return any(self.check.deletions.bars(source) for source in self.check.sources(before, claim))

    # -- the rest

    def _drift(self) -> None:
        """A few claims that nobody touched, tested again: reported, never a reason to refuse a run."""
        chance = random.Random(self.seed)
        paths = sorted(path for path in self.check.staged.paths("knowledge/") if classify(path) is FileClass.PAGE)
        found: list[tuple[Page, Claim]] = []
        for path in chance.sample(paths, min(len(paths), 3 * self.drift)):
            shown, before = self.check.page(path), self.check.base_page(path)
            if shown and before:
                untouched = {claim.raw for claim in before.claims}
                found += [
                    (shown, claim)
                    for claim in shown.claims
                    if claim.raw in untouched and claim.is_cited and claim.section not in UNCITED
                ]
        for shown, claim in chance.sample(found, min(len(found), self.drift)):
            turns = self.check.turns(self.check.sources(shown, claim))
            verdict = verify(
                claim.raw, turns, qualifier=qualifier(claim), owners=self.check.owners, subjects=self.check.names(shown)
            )
            if not verdict.ok:
                self.questions.append(self._question(shown, claim, Asks.DRIFT, doubt=verdict.why))

    def _standing(self) -> tuple[str, ...]:
        text = self.check.base_text(INSTRUCTIONS)
        found = parse_instructions(text) if text else None
        if found is None:
            return ()
        never = [f"Never record: {one.text}" for one in found.never]
        return (
            *never,
            *(f"Always: {one.text}" for one in found.always),
            *(f"Style: {one.text}" for one in found.style),
        )


def _loss(path: str, claim: Claim, why: str) -> Problem:
    return Problem(
        rule="SEM006",
        severity=Severity.E,
        path=path,
        message=f"removed: {clip(claim.words, 120)!r}: {why}",
        fix="put the claim back byte for byte, or name why it went in claims_removed",
    )


def _head_of(shown: Page) -> str:
    return f"description: {shown.description} | status: {shown.status} | lead: {' '.join(c.words for c in shown.lead)}"


def _repeats(shown: Page, body: Sequence[Claim]) -> bool:
    """Whether lead and description say nothing that the body does not say in the same words."""
    texts = {claim.text for claim in body}
    held = frozenset[str]().union(*(meaning(claim.words) for claim in body))
    return all(claim.text in texts for claim in shown.lead) and share(meaning(shown.description), held) >= SURE


def _clipped(turn: Turn) -> Turn:
    if turn.trusted_as is Trust.EXTERNAL or len(turn.text) > _TURN:
        return replace(turn, text=clip(turn.text, _TURN))
    return turn
