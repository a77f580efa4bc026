"""What passes between data set, reader and judge: a question with its gold, what was given back, how it was judged.

Asked(id="p07-q3", account="p07", text="Which format do I want figures in?", category="preference", answer="PDF")
Given(text="Figures go out as PDF.", cites=("session://…#t3",), opened=("session://…#t3",), found=True)
Judgement(correct=True, score=1.0, how="holds the answer")
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Kind(StrEnum):
    """How an answer is compared."""

    TEXT = "text"
    DATE = "date"  # a day, month or year, by value
    NUMBER = "number"  # by value, with its unit where both have one
    LIST = "list"  # as a set of items
    PREFERENCE = "preference"  # the wanted thing is in the answer, and none of `must_not`
    NONE = "none"  # memory does not hold it: the right answer says so


@dataclass(frozen=True, slots=True, kw_only=True)
class Forget:
    """What is forgotten before the question is asked: whole sessions by the names of their source, or terms."""

    sessions: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with all a judge needs.

    `answer` is None where the right answer is that memory does not hold one; `accepts` are other right forms, `stale`
    values that were right once, `must_not` what a right answer never holds. `evidence` are the gold
    sources as URIs, `session://<id>#t<n>` or `connector://<name>/<record>`; all of them together bear the answer.
    """

    id: str
    account: str
    text: str
    category: str
    kind: Kind = Kind.TEXT
    answer: str | None = None
    accepts: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    asked_at: datetime | None = None
    forget: Forget | None = None

    @property
    def right(self) -> tuple[str, ...]:
        """Every form that counts as the answer, the first one first."""
        return (self.answer, *self.accepts) if self.answer is not None else self.accepts


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """What an answer took. `tokens_in` and `tokens_out` are a model's, `read` the tokens of memory that were put before
    the reader (by the project's estimate of a token), `cost` US dollars or None where no price is known."""

    tokens_in: int = 0
    tokens_out: int = 0
    read: int = 0
    calls: int = 0
    cost: float | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a reader gave back. `found` is False where it says that memory holds nothing.

    `cites` are the sources behind the answer, `opened` every source its trace opened (turns, records; a whole
    transcript or record as its URI without a fragment), in order, both as URIs; `unresolved` are citations that lead
    nowhere. `error` says why there is no answer.
    """

    text: str = ""
    found: bool = True
    cites: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()
    use: Use = field(default_factory=Use)
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """How an answer was judged. `correct` and `score` (0 to 1) are None where it could not be: counted, never guessed.

    `f1` is the token F1 against the nearest right form, None where there is none. `stale` is True where an outdated
    value was given and the newest was not. `how` names the comparison that settled it.
    """

    correct: bool | None
    score: float | None
    how: str
    f1: float | None = None
    stale: bool = False
