"""Text to search terms: stemming by language, any script, any spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.corpus.search.analysis import query_terms, terms


@pytest.mark.parametrize(
    ("written", "asked", "language"),
    [
        ("We were deploying the ramps", "deploy ramp", "en"),
        ("les réunions préparées", "reunion preparee", "fr"),
        ("Die Besprechungen", "besprechung", "de"),
        ("naïve café", "naive cafe", "en"),
        ("parseConfigFile", "config", "en"),
        ("snake_case_name", "case", "en"),
        ("ＦＵＬＬ width", "full", "en"),
        ("来週は東京へ出張します", "東京 出張", "ja"),
        ("周五要跟实验室开会", "实验室", "zh"),
        ("서울에서 만났다", "서울", "ko"),
        ("Ми зустрілися у Києві з архітекторами", "архітектором", "uk"),
        ("встречались с архитекторами", "архитектор", "ru"),
        ("use Postgres 周五 please", "postgres 周五", "en"),
    ],
)
def test_one_spelling_finds_the_other(written: str, asked: str, language: str) -> None:
    held = set(terms(written, language))
    for group in query_terms(asked, [language]):
        assert held & set(group), f"{group} not in {held}"


def test_a_query_is_read_in_every_language_of_the_brain() -> None:
    (group,) = query_terms("réunions", ["en", "fr"])
    assert set(terms("réunion", "fr")) & set(group)


def test_stop_words_are_left_out_unless_nothing_else_is_left() -> None:
    assert query_terms("What is the ramp?", ["en"]) == (("ramp",),)
    assert query_terms("who is it", ["en"]) == (("who",), ("is",), ("it",))


@given(st.text())
def test_any_text_has_terms_and_never_spaces_in_them(text: str) -> None:
    for language in ("en", "ja", "uk", "xx"):
        assert not any(" " in term or not term for term in terms(text, language))
        query_terms(text, [language])
