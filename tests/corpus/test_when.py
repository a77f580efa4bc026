"""When a query asks about: phrases of seven languages as days, and documents of those days before others."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from written import USER, put_note, put_page, put_session, session

from brain.config import Config
from brain.corpus.search.index import SearchIndex
from brain.corpus.search.when import Anchor, Span, read, said

NOW = date(2026, 6, 10)  # a Wednesday
WORDS_ONLY = Config.parse('[search]\nembedder = "none"\n')
LAST_WEEK = Span(date(2026, 6, 1), date(2026, 6, 7))
MARCH = Span(date(2026, 3, 1), date(2026, 3, 31))
SPRING = Span(date(2026, 3, 1), date(2026, 5, 31))
THREE_DAYS = Span(date(2026, 6, 7), date(2026, 6, 7))
SINCE_JUNE = Span(date(2026, 6, 1), None)


@pytest.mark.parametrize(
    ("query", "span"),
    [
        ("What did I decide in March?", MARCH),
        ("What did we plant last spring?", SPRING),
        ("What did I buy last week?", LAST_WEEK),
        ("What has changed since June?", SINCE_JUNE),
        ("What did I do three days ago?", THREE_DAYS),
        ("Where was I in 2024?", Span(date(2024, 1, 1), date(2024, 12, 31))),
        ("What did we say on 5 May 2025?", Span(date(2025, 5, 5), date(2025, 5, 5))),
        ("What did we say on May 5, 2025?", Span(date(2025, 5, 5), date(2025, 5, 5))),
        ("Who called last Monday?", Span(date(2026, 6, 8), date(2026, 6, 8))),
        ("What was open before June?", Span(None, date(2026, 5, 31))),
        ("What was new after 2024?", Span(date(2025, 1, 1), None)),
        ("costs from March to May", SPRING),
        ("notes of 2026-03", MARCH),
        ("in the last two months", Span(date(2026, 4, 1), NOW)),
        ("winter 2024", Span(date(2024, 12, 1), date(2025, 2, 28))),
        ("Qu'ai-je acheté la semaine dernière ?", LAST_WEEK),
        ("ce qu'on a décidé en mars", MARCH),
        ("au printemps dernier", SPRING),
        ("il y a trois jours", THREE_DAYS),
        ("depuis juin", SINCE_JUNE),
        ("Was habe ich letzte Woche gekauft?", LAST_WEEK),
        ("im März", MARCH),
        ("im letzten Frühling", SPRING),
        ("vor drei Tagen", THREE_DAYS),
        ("seit Juni", SINCE_JUNE),
        ("¿Qué compré la semana pasada?", LAST_WEEK),
        ("en marzo", MARCH),
        ("la primavera pasada", SPRING),
        ("hace tres días", THREE_DAYS),
        ("desde junio", SINCE_JUNE),
        ("Що я купив минулого тижня?", LAST_WEEK),
        ("у березні", MARCH),
        ("навесні", SPRING),
        ("три дні тому", THREE_DAYS),
        ("з червня", SINCE_JUNE),
        ("上周我买了什么", LAST_WEEK),
        ("三月我们决定了什么", MARCH),
        ("今年春天", SPRING),
        ("三天前", THREE_DAYS),
        ("6月以来", SINCE_JUNE),
        ("先週何を買った", LAST_WEEK),
        ("3月に決めたこと", MARCH),
        ("去年の春", Span(date(2025, 3, 1), date(2025, 5, 31))),
        ("3日前", THREE_DAYS),
        ("6月から", SINCE_JUNE),
    ],
)
def test_a_time_is_read_from_the_day_it_is_asked_on(query: str, span: Span) -> None:
    assert read(query, NOW).spans == (span,)


def test_a_bare_month_is_the_one_that_was_and_the_one_that_is_near() -> None:
    both = read("Where do I stay in September?", NOW).spans
    assert both == (
        Span(date(2025, 9, 1), date(2025, 9, 30)),
        Span(date(2026, 9, 1), date(2026, 9, 30)),
    )
    assert read("Where did I stay last September?", NOW).spans == both[:1]


@pytest.mark.parametrize("text", ["May I ask?", "we march on", "Have you seen it before?", "it costs 2024 or 1.2024"])
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    found = read(text, NOW)
    assert not found or text.startswith("it costs")
    assert not any(span.first and span.first.month == 5 for span in found.spans)


@pytest.mark.parametrize(
    ("query", "anchor"),
    [
        ("What did I book before the Kyoto trip?", Anchor("before", "the Kyoto trip")),
        ("After we moved to Berlin, what changed?", Anchor("after", "we moved to Berlin")),
        ("avant le voyage à Kyoto", Anchor("before", "le voyage à Kyoto")),
        ("vor der Reise nach Kyoto", Anchor("before", "der Reise nach Kyoto")),
        ("antes del viaje a Kioto", Anchor("before", "viaje a Kioto")),
        ("перед поїздкою до Києва", Anchor("before", "поїздкою до Києва")),
        ("京都之旅之前", Anchor("before", "京都之旅")),
        ("京都旅行の前に何を予約した", Anchor("before", "京都旅行")),
    ],
)
def test_an_event_may_stand_for_its_day(query: str, anchor: Anchor) -> None:
    assert read(query, NOW).anchor == anchor


def test_a_document_speaks_of_the_days_it_names() -> None:
    assert said("Back from the coast last week, tired", NOW, "en") == LAST_WEEK
    assert said("The trip is on 2026-09-14", None, "en") == Span(date(2026, 9, 14), date(2026, 9, 14))
    assert said("We went last week", None, "en") is None


@given(st.text(max_size=200), st.dates())
def test_any_text_on_any_day_is_read(text: str, day: date) -> None:
    for span in read(f"{text} last winter {text} 3月 {text} three years ago", day).spans:
        assert span.first is None or span.last is None or span.first <= span.last


def test_what_was_said_in_the_time_asked_for_comes_first(tmp_path: Path) -> None:
    for name, day in (("a", date(2025, 3, 9)), ("b", date(2026, 3, 9)), ("c", date(2026, 6, 3))):
        put_session(tmp_path, session(name, day, [(USER, f"the ramp is steep, {name}")], title="ramps"))
    index = SearchIndex(tmp_path, WORDS_ONLY)
    index.update()

    def first(query: str) -> str:
        return index.search(query, 1, now=NOW)[0].text[-1]

    assert (first("ramp in March"), first("ramp last week"), first("ramp last year")) == ("b", "c", "a")
    assert (first("ramp before June"), first("la ramp en mars 2025")) == ("b", "a")
    assert len(index.search("ramp in March", now=NOW)) == 3  # others count less, they are not gone


def test_what_a_text_speaks_of_counts_as_its_time(tmp_path: Path) -> None:
    put_session(tmp_path, session("a", date(2026, 6, 3), [(USER, "the ramp was fine")]))
    told = session("b", date(2026, 5, 20), [(USER, "back in March 2026 the ramp broke")])
    put_session(tmp_path, told)
    body = f"A ramp.\n\n## Facts\n- Built on 2024-10-02.[cite:1]\n\n## References\n[cite:1]: session://{told.id}#t1\n"
    put_page(tmp_path, "entities/ramp", "Ramp", body)
    index = SearchIndex(tmp_path, WORDS_ONLY)
    index.update()
    assert index.search("ramp in March", 1, now=NOW)[0].session == told.id
    assert "2024" in index.search("ramp in autumn 2024", 1, now=NOW)[0].text


def test_before_an_event_is_before_its_day(tmp_path: Path) -> None:
    for name, day in (("early", date(2026, 1, 5)), ("late", date(2026, 5, 5))):
        put_session(tmp_path, session(name, day, [(USER, f"I booked a hotel {name}")], title="bookings"))
    trip = session("trip", date(2026, 3, 20), [(USER, "We are in Kyoto now, the trip began today")])
    put_session(tmp_path, trip)
    put_note(
        tmp_path, "facts/trips", (date(2026, 3, 20), "The Kyoto trip began on 2026-03-20.", f"session://{trip.id}#t1")
    )
    index = SearchIndex(tmp_path, WORDS_ONLY)
    index.update()
    found = index.find("which hotel did I book before the Kyoto trip?", 10, now=NOW)
    assert found.question.when.spans == (Span(None, date(2026, 3, 19)),)
    hotels = [hit.text for hit in found.hits if "hotel" in hit.text]
    assert hotels[0] == "I booked a hotel early"
    later = [hit.text for hit in index.search("which hotel did I book after the Kyoto trip?", now=NOW)]
    assert next(text for text in later if "hotel" in text) == "I booked a hotel late"
