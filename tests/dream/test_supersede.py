"""A newer value replaces the older one of the same subject and attribute, and nothing else (T08)."""

from __future__ import annotations

from brain.dream import supersede
from brain.dream.draft import Line
from brain.dream.supersede import Standing
from brain.tree.claims import Claim


def line(
    label: str | None, text: str, value: str | None = None, *, said: str = "2026-05-02", subject: str = "Ana"
) -> Line:
    return Line(head="Facts", label=label, text=text, value=value, said=said, subject=subject)


def claim(label: str, text: str, at: int) -> Claim:
    return Claim(label=label, text=text, line=at, end=at)


ANA = claim("Ana: works on", "Ana works on the Harbour survey.", 1)
BEN = claim("Ben: works on", "Ben works on the Harbour survey.", 2)
SAID = {1: "2026-05-01", 2: "2026-05-01"}


def test_only_the_claim_of_the_same_subject_closes() -> None:
    news = line("Ana: works on", "Ana moved to the Reef map.", "Reef map")
    assert supersede.against(news, [BEN, ANA], SAID) is ANA


def test_leaving_closes_what_was_left_and_only_for_the_one_who_left() -> None:
    news = line("Ben: works at", "Ben left the Harbour survey.", "", subject="Ben")
    assert supersede.against(news, [ANA, BEN], SAID) is BEN
    elsewhere = line("Ben: works at", "Ben left Nordkart.", "", subject="Ben")
    assert supersede.against(elsewhere, [ANA, BEN], SAID) is Standing.NEW


def test_same_value_again_changes_nothing() -> None:
    again = line("Ana: works on", "Ana is still on the Harbour survey.", "Harbour survey")
    assert supersede.against(again, [ANA], SAID) is Standing.SAME


def test_older_news_does_not_replace_newer() -> None:
    late = line("Ana: works on", "Ana works on the Delta chart.", "Delta chart", said="2026-04-01")
    assert supersede.against(late, [ANA], SAID) is Standing.STALE


def test_batch_keeps_the_last_value_and_remembers_the_others() -> None:
    lines = [line("Lives in", f"Ana lives in {city}.", city) for city in ("Oslo", "Bergen", "Turku")]
    current, past = supersede.among([*lines, line(None, "Ana has a boat.")])
    assert [one.value for one in current] == ["Turku", None]
    assert [(one.old.value, one.new.value) for one in past] == [("Oslo", "Bergen"), ("Bergen", "Turku")]


def test_history_says_what_was_and_when_the_news_came() -> None:
    text = supersede.history_line(
        "Ana lives in Oslo (as of 2026-05-01).", line("Lives in", "Ana moved to Bergen.", "Bergen")
    )
    assert text == "Ana lives in Oslo (as of 2026-05-01); replaced on 2026-05-02: Ana moved to Bergen."
