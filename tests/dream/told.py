"""Facts made by hand, as distilling would make them."""

from __future__ import annotations

from datetime import date

from brain.types import Fact, FactKind, Qualifier, Subject, SubjectKind


def session(number: int) -> str:
    return f"{number:08x}-0000-5000-8000-000000000000"


def person(name: str, *aliases: str) -> Subject:
    return Subject(name=name, kind=SubjectKind.PERSON, aliases=aliases)


def project(name: str) -> Subject:
    return Subject(name=name, kind=SubjectKind.PROJECT)


def org(name: str) -> Subject:
    return Subject(name=name, kind=SubjectKind.ORG)


def fact(
    text: str,
    *about: Subject,
    kind: FactKind = FactKind.FACT,
    at: int = 1,
    turn: int = 1,
    attribute: str | None = None,
    value: str | None = None,
    weight: float = 0.6,
    qualifier: Qualifier | None = None,
    language: str = "en",
) -> Fact:
    """A fact said in session `at`, on day `at` of May 2026."""
    return Fact(
        session=session(at),
        first_turn=turn,
        last_turn=turn,
        text=text,
        kind=kind,
        day=date(2026, 5, at),
        qualifier=qualifier,
        speaker=about[0].name if about else None,
        about=about,
        attribute=attribute,
        value=value,
        language=language,
        weight=weight,
    )
