"""Days come from the turn's own time, or stay unknown."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from lived import LATER, Lived, talk

Living = Callable[..., Lived]
DAY = re.compile(r"\b(?:19|20)\d\d-\d\d(?:-\d\d)?\b|\b(?:19|20)\d\d\b")


def test_relative_days_are_resolved_from_the_turns_own_time(live: Living) -> None:
    """T05: chats of May 2026 read in a far later year: yesterday, last week, next Friday, two languages, a midnight."""
    mara = live("Mara", now=LATER.replace(year=2031))
    mara.claude(
        13,  # a Wednesday
        "Yesterday I visited the harbour museum in Bergen.",
        ("assistant", "Nice."),
        "Last week I bought a used kayak from Olav.",
        "I'm flying to Tromsø next Friday for the lidar course.",
        "Three years ago I broke my left arm in Bodø.",
    )
    mara.claude(14, "Hier j'ai visité le phare de Stavern avec Odile.", name="fr")
    mara.claude(15, "昨天我在卑尔根买了一艘旧皮划艇。", name="zh")

    mara.night()

    texts = [one.text for one in mara.snippets()]

    def said(word: str) -> str:
        return next(text for text in texts if word in text)

    assert "2026-05-12" in said("museum")
    assert "2026-05-04" in said("Olav")
    assert re.search(r"2026-05-(?:15|22)", said("lidar course"))
    assert "2023" in said("arm")
    assert "2026-05-13" in said("phare")
    assert "2026-05-14" in said("皮划艇")
    assert "2031" not in "\n".join([*texts, *(line for page in mara.pages() for line in mara.claims(page))])
    unquoted = re.sub(r'"[^"]*"', "", mara.wiki())
    assert not re.search(r"\b(?:yesterday|last week|next Friday|hier)\b|昨天", unquoted, re.IGNORECASE)


def test_evening_in_the_owners_zone_counts_from_that_day(live: Living) -> None:
    """T05, same kind: 00:30 in Tokyo is the day before in UTC; "today" is Tokyo's day."""
    aya = live("Aya", tz="Asia/Tokyo")
    path = aya.claude(10, "Today I signed the lease for the studio in Kamakura.", ("assistant", "Good."))
    path.write_text(path.read_text("utf-8").replace("2026-05-10T09:", "2026-05-10T23:"), "utf-8")

    aya.night()

    lease = next(one for one in aya.snippets() if "lease" in one.text)
    assert "2026-05-11" in f"{lease.day} {lease.text}"
    assert "2026-05-10" not in lease.text


@pytest.mark.parametrize("format", ["chatgpt", "claude-code", "dialogue", "openai"])
def test_without_a_time_the_day_stays_unknown(live: Living, format: str) -> None:
    """T06: no time anywhere in the source: no statement, summary or page of it has a day that was made up."""
    mara = live("Mara")
    said = "Yesterday I bought a used kayak from Olav, and last week we decided to hire the boat Tern."
    more = "I live in Oslo and I want maps as SVG, not PNG."
    if format == "chatgpt":
        mara.chatgpt(talk(None, None, said, ("assistant", "Fine."), more))
    elif format == "claude-code":
        mara.claude(1, said, ("assistant", "Fine."), more, timed=False)
    elif format == "dialogue":
        mara.write("kayak.md", f"**User:** {said}\n\n**Assistant:** Fine.\n\n**User:** {more}\n")
    else:
        body = f'[{{"role": "user", "content": "{said}"}}, {{"role": "assistant", "content": "Fine."}}, '
        mara.write("api.json", body + f'{{"role": "user", "content": "{more}"}}]')

    mara.night()

    assert [turn.time for one in mara.transcripts() for turn in one.turns] == [None] * 3
    assert [one.day for one in mara.snippets()] == [None] * len(mara.snippets())
    assert any("SVG" in one.text for one in mara.snippets())
    for text in [one.text for one in mara.snippets()]:
        assert not DAY.search(text), text
    for page in mara.pages():
        for line in mara.claims(page):
            assert not DAY.search(line), line
    head = mara.summaries().split("## Summary")[0]
    assert "started_at: 20" not in head
    assert not DAY.search(mara.summaries().split("## Summary")[1])
