"""The record of a run: one JSON, of what was measured on which accounts by which code; and the table a person reads.

    {"quality_format": 1, "brain": "0.1.0", "plan": {"dataset": "personas", "steps": 30, …}, "files": {…}, "code": {…},
     "all": {"measures": [{"name": "dead links", "count": 0, "of": 118, "share": 0.0}, …], …}, "accounts": [{…}, …]}

Of data sets with a licence of their own no text is in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from brain.bench.quality.growth import Growth
from brain.bench.quality.measure import Measure, added
from brain.errors import FormatError
from brain.text import counted

FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one account's wiki gave; `account` is empty for a brain of one's own."""

    account: str
    growth: Growth
    measures: tuple[Measure, ...]
    remarks: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Measure:
        """A measure by its name. Raises KeyError where there was no ground for it."""
        return next((one for one in self.measures if one.name == name), None) or _none(name)

    def json(self) -> dict[str, object]:
        return {
            "account": self.account,
            "measures": [_json(one) for one in self.measures],
            "growth": _growth(self.growth),
            "remarks": list(self.remarks),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """A whole run, with all it depends on."""

    brain: str
    plan: Mapping[str, object]
    files: Mapping[str, str]
    code: Mapping[str, str]
    accounts: tuple[Measured, ...]
    started: str = ""
    seconds: float = 0.0

    @property
    def all(self) -> Measured:
        """The accounts added up; halves of growth are means over the accounts that have them."""
        return Measured(
            account="all",
            measures=added(one.measures for one in self.accounts),
            growth=Growth(
                sessions=sum(one.growth.sessions for one in self.accounts),
                tokens=sum(one.growth.tokens for one in self.accounts),
                first_half=_mean([one.growth.first_half for one in self.accounts]),
                second_half=_mean([one.growth.second_half for one in self.accounts]),
            ),
        )

    def json(self) -> dict[str, object]:
        return {
            "quality_format": FORMAT,
            "brain": self.brain,
            "started": self.started,
            "seconds": self.seconds,
            "plan": dict(self.plan),
            "files": dict(self.files),
            "code": dict(self.code),
            "all": self.all.json(),
            "accounts": [one.json() for one in self.accounts],
        }


def render(record: Quality) -> str:
    return json.dumps(record.json(), ensure_ascii=False, indent=1) + "\n"


def parse(text: str, path: str = "") -> Quality:
    """Read what `render` wrote; what is added up there is added up anew. Raises FormatError."""
    try:
        held = json.loads(text)
        if held["quality_format"] != FORMAT:
            raise FormatError(f"a record of format {held['quality_format']}, this is {FORMAT}", path=path)
        return Quality(
            **{name: held[name] for name in ("brain", "started", "plan", "files", "code")},
            seconds=float(held["seconds"]),
            accounts=tuple(_measured(one) for one in held["accounts"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"no record of a wiki: {error}", path=path) from None


def table(record: Quality, *, examples: bool = False) -> Iterator[str]:
    """Lines of Markdown: a row a measure, all accounts added up; with `examples` what the flaws are, below."""
    whole = record.all
    yield "| measure | wanted | count | of | share |"
    yield "|---|---|---|---|---|"
    for one in whole.measures:
        share = "–" if one.share is None else f"{one.share:.1%}"
        yield f"| {one.name} | {'none' if one.bad else 'all'} | {one.count} | {one.of} | {share} |"
    yield ""
    yield grown(whole.growth)
    for one in whole.measures if examples else ():
        if one.flaws and one.examples:
            yield f"\n{one.name}:"
            yield from (f"  {example}" for example in one.examples)


def grown(of: Growth) -> str:
    """How the wiki grew, in a line."""
    if not of.sessions or of.a_session is None:
        return "no sessions"
    said = f"{of.tokens} tokens of wiki from {counted(of.sessions, 'session')}, {of.a_session:.0f} a session"
    if of.first_half is None or of.second_half is None:
        return said
    return f"{said}: {of.first_half:.0f} in the first half of them, {of.second_half:.0f} in the second"


def _json(one: Measure) -> dict[str, object]:
    share = None if one.share is None else round(one.share, 4)
    said = {"name": one.name, "count": one.count, "of": one.of, "share": share, "wanted": "none" if one.bad else "all"}
    return {**said, "examples": list(one.examples)} if one.examples else said


def _measured(raw: Mapping[str, Any]) -> Measured:
    grown = raw["growth"]
    return Measured(
        account=str(raw["account"]),
        growth=Growth(**{name: grown[name] for name in ("sessions", "tokens", "first_half", "second_half")}),
        measures=tuple(
            Measure(
                name=str(one["name"]),
                count=int(one["count"]),
                of=int(one["of"]),
                bad=one["wanted"] == "none",
                examples=tuple(one.get("examples", ())),
            )
            for one in raw["measures"]
        ),
        remarks=tuple(raw["remarks"]),
    )


def _growth(of: Growth) -> dict[str, object]:
    figures = {"a_session": of.a_session, "first_half": of.first_half, "second_half": of.second_half}
    rounded = {name: None if value is None else round(value, 1) for name, value in figures.items()}
    return {"sessions": of.sessions, "tokens": of.tokens, **rounded}


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _none(name: str) -> Measure:
    raise KeyError(name)
