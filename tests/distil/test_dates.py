"""Relative words become dates counted from the turn's own time (T05), and never without one (T06)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.distil.dates import absolute, days_said
from brain.types import Role, Turn

WEDNESDAY = date(2026, 6, 10)


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("I moved to Lyon last week.", "I moved to Lyon in the week of 2026-06-01."),
        ("Yesterday was great!", "2026-06-09 was great!"),
        ("I went hiking yesterday with Tom.", "I went hiking on 2026-06-09 with Tom."),
        ("Last Friday I met Ana.", "On 2026-06-05 I met Ana."),
        ("Last Fri I met Ana.", "On 2026-06-05 I met Ana."),
        ("We met on Friday.", "We met on 2026-06-05."),
        ("I will send it by Friday.", "I will send it by 2026-06-12."),
        ("The review is next Friday.", "The review is on 2026-06-19."),
        ("Two weekends ago I went camping.", "On the weekend of 2026-05-30 I went camping."),
        ("I saw it a few weeks ago.", "I saw it a few weeks before 2026-06-10."),
        ("I saw it a week ago.", "I saw it about 2026-06-03."),
        ("I recently adopted a cat.", "I adopted a cat (shortly before 2026-06-10)."),
        ("I'm currently reading Dune.", "I'm reading Dune."),
        ("The week before 9 June we met.", "The week before 2026-06-09 we met."),
        ("Yesterday's meeting ran long.", "the 2026-06-09 meeting ran long."),
        ("I'm going to visit my sister next month.", "I'm going to visit my sister in July 2026."),
        ("I painted it last year!", "I painted it in 2025!"),
        ("Since last summer I run.", "Since the summer of 2025 I run."),
        ("I was there 3 years ago.", "I was there about 2023."),
        ("It will start in two weeks.", "It will start in the week of 2026-06-22."),
        ("I'll book by Friday 26 June.", "I'll book by 2026-06-26."),
        ("I meet Sora on Monday 12 October at 10:00.", "I meet Sora on 2026-10-12 at 10:00."),
        ("Mai arrives in Kyoto on the 11th.", "Mai arrives in Kyoto on 2026-06-11."),
        ("Two weeks ago today the van broke down.", "On 2026-05-27 the van broke down."),
        ("Today a month ago I opened it.", "On 2026-05-10 I opened it."),
        ("It broke today, and two weeks ago too.", "It broke on 2026-06-10, and in the week of 2026-05-25 too."),
        ("I'm off to the gym tonight.", "I'm off to the gym on the evening of 2026-06-10."),
    ],
)
def test_english_phrases(said: str, written: str) -> None:
    assert absolute(said, WEDNESDAY, "en").text == written


@pytest.mark.parametrize(
    "said",
    [
        "No checklist for now, the list is right.",
        "My birthday is on March 3.",
        "The deadline is 12 May.",
        "The ground floor is being renovated, so we can't stay in September.",
        "We go there every Friday.",
        "It may rain in a few minutes.",
        "The second part was fun.",
    ],
)
def test_what_is_not_sure_stays_as_said(said: str) -> None:
    assert absolute(said, WEDNESDAY, "en").text == said


@pytest.mark.parametrize(
    ("language", "said", "written"),
    [
        ("fr", "Le comité se réunit demain.", "Le comité se réunit le 2026-06-11."),
        ("fr", "J'ai déménagé la semaine dernière.", "J'ai déménagé la semaine du 2026-06-01."),
        ("fr", "Il y a trois jours, j'ai vu Ana.", "Le 2026-06-07, j'ai vu Ana."),
        ("uk", "Минулого тижня я переїхала.", "У тиждень від 2026-06-01 я переїхала."),
        ("uk", "Два дні тому ми зустрілися.", "2026-06-08 ми зустрілися."),
        ("zh", "我上周搬到了里昂。", "我2026-06-01那一周搬到了里昂。"),
        ("zh", "上周五开会。", "2026-06-05开会。"),
        ("ja", "先週リヨンに引っ越しました。", "2026-06-01の週リヨンに引っ越しました。"),
        ("ja", "来週の金曜日に会議があります。", "2026-06-19に会議があります。"),
        ("de", "Gestern war ich krank.", "Am 2026-06-09 war ich krank."),
        ("es", "Ayer llegué.", "El 2026-06-09 llegué."),
        ("ru", "Вчера я приехал.", "2026-06-09 я приехал."),
        ("es", "Se averió hoy hace dos semanas, en el puerto.", "Se averió el 2026-05-27, en el puerto."),
        ("de", "Heute vor zwei Wochen ging er kaputt.", "Am 2026-05-27 ging er kaputt."),
        ("ja", "昨日44冊に貼りました。", "2026-06-09 44冊に貼りました。"),
        ("ja", "最近はテーブル席です。", "2026-06-10頃はテーブル席です。"),
        ("it", "Ieri sono andato a Roma.", "2026-06-09 sono andato a Roma."),
        ("ko", "어제 서울에 갔어요.", "2026-06-09 서울에 갔어요."),
    ],
)
def test_other_languages(language: str, said: str, written: str) -> None:
    assert absolute(said, WEDNESDAY, language).text == written


def test_a_phrase_with_no_place_for_a_date_keeps_its_words_and_gives_the_date_aside() -> None:
    dated = absolute("Last week's demo failed.", WEDNESDAY, "en")
    assert (dated.text, dated.safe, dated.remark) == ("Last week's demo failed.", False, "week of 2026-06-01")


@given(
    st.sampled_from(
        ["yesterday", "last week", "two weeks ago", "next Friday", "in March", "recently", "soon", "tonight"]
    )
)
def test_without_a_time_no_date_is_made(phrase: str) -> None:
    dated = absolute(f"I went there {phrase}.", None, "en")
    assert dated.text == f"I went there {phrase}."
    assert dated.remark == ""


@given(
    st.text(max_size=200),
    st.dates(date(1, 1, 1), date(9999, 12, 31)),
    st.sampled_from(["en", "fr", "uk", "zh", "ja", "xx"]),
)
def test_any_text_on_any_day_is_handled(text: str, day: date, language: str) -> None:
    assert isinstance(absolute(text, day, language).text, str)


def _turns(*times: datetime) -> tuple[Turn, ...]:
    return tuple(Turn(number=i + 1, role=Role.USER, text="x", time=t) for i, t in enumerate(times))


def test_a_session_past_midnight_stays_on_its_evening() -> None:
    evening = datetime(2026, 6, 10, 23, 50, tzinfo=UTC)
    assert days_said(_turns(evening, evening + timedelta(minutes=40)), UTC) == [WEDNESDAY, WEDNESDAY]


def test_a_session_begun_after_midnight_is_on_its_own_day() -> None:
    assert days_said(_turns(datetime(2026, 6, 10, 0, 30, tzinfo=UTC)), UTC) == [WEDNESDAY]


def test_the_day_is_the_speakers() -> None:
    assert days_said(_turns(datetime(2026, 6, 9, 20, 0, tzinfo=UTC)), ZoneInfo("Asia/Tokyo")) == [WEDNESDAY]
