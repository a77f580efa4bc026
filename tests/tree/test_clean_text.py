"""Cleaning, slugs, words and likeness over any Unicode (cases T26, T29)."""

from __future__ import annotations

import unicodedata

import pytest
from hostile_text import any_char, hostile
from hypothesis import given
from hypothesis import strategies as st

from brain import text


@given(st.one_of(hostile, st.text(any_char)))
def test_clean_text_holds_nothing_forbidden_and_stays_as_it_is(s: str) -> None:
    cleaned = text.clean(s)
    assert text.clean(cleaned) == cleaned
    assert text.forbidden(cleaned) == []
    assert unicodedata.is_normalized("NFC", cleaned)
    cleaned.encode("utf-8")


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("a\r\nb\rc\u2028d\x85e", "a\nb\nc\nd\ne"),
        ("\ufeffstart\x00 and\x1b end", "start and end"),
        ("pair \ud83d\ude00, half \ud83d!", "pair 😀, half \ufffd!"),
        ("e\u0301tude", "étude"),
        ("left\u202eright\u200b", "leftright"),
        ("ig\U000e0041nore", "ignore"),
        ("👩\u200d🔬", "👩🔬"),
        ("tab\tkept\n", "tab\tkept\n"),
    ],
)
def test_odd_bytes(raw: str, kept: str) -> None:
    assert text.clean(raw) == kept


def test_forbidden_says_where() -> None:
    assert text.forbidden("a\u202eb\x00") == [(1, "U+202E"), (3, "U+0000")]


TITLES = [
    "Київ", "Киев", "Поездка в Киото", "Поїздка до Кіото", "東京", "京都", "東京都", "北京", "会议记录", "會議記錄",
    "서울", "부산", "नमस्ते", "Ελλάδα", "القاهرة", "🎉", "🎊", "🎉🎉", "👩🔬", "…", "", "Привет world", "Привіт world",
    "con", "NUL", "x" * 70, "x" * 71, "Reise nach Köln", "Kyoto: plan & budget", "C", "C++", "C#", "readme",
]  # fmt: skip


def test_distinct_titles_of_other_scripts_never_share_a_slug() -> None:
    slugs = [text.slugify(title) for title in TITLES]
    assert len({s.casefold() for s in slugs}) == len(TITLES)
    assert all(text.is_slug(s) for s in slugs)


@given(hostile, st.integers(min_value=10, max_value=64))
def test_every_title_has_a_slug_of_the_format(title: str, limit: int) -> None:
    slug = text.slugify(title, limit)
    assert text.is_slug(slug, limit)
    assert slug == text.slugify(title, limit)
    assert slug.split("-")[0] not in {"con", "nul", "prn", "aux"} or "-" in slug


@given(
    st.text(st.characters(whitelist_categories=["Lo"]), min_size=1),
    st.text(st.characters(whitelist_categories=["Lo"]), min_size=1),
)
def test_two_titles_without_latin_letters_never_meet(a: str, b: str) -> None:
    same = text.normal_name(a) == text.normal_name(b)
    assert (text.slugify(a) == text.slugify(b)) == same


def test_plain_latin_titles_keep_their_words() -> None:
    assert text.slugify("Japan universal design sprint") == "japan-universal-design-sprint"
    assert text.slugify("Zoë's Café — étude no 3") == "zoes-cafe-etude-no-3"
    assert text.slugify("Ольга").startswith("olga-")


def test_words_of_any_script() -> None:
    assert text.words("Sora City Lab, don’t!") == ["sora", "city", "lab", "don't"]
    assert text.words("東京都へ行く") == ["東京", "京都", "都へ", "へ行", "行く"]
    assert text.words("東") == ["東"]
    assert text.words("मेरा नाम") == ["मेरा", "नाम"]
    assert text.words("서울 여행") == ["서울", "여행"]
    assert text.count_words("Meet at 京都駅前 at 10:30") == 7
    assert text.words("") == []


@given(hostile)
def test_a_text_is_like_itself(s: str) -> None:
    shingles = text.shingles(s)
    assert text.jaccard(shingles, shingles) == (1.0 if text.words(s) else 0.0)


def test_estimate_is_bytes_by_three_and_a_half_rounded_up() -> None:
    assert [text.est_tokens(s) for s in ("", "a", "abcdefg", "abcdefgh", "京都")] == [0, 1, 2, 3, 2]


@given(hostile, st.integers(min_value=1, max_value=40))
def test_clip_stays_within_its_limit(s: str, limit: int) -> None:
    clipped = text.clip(s, limit)
    assert len(clipped) <= limit
    assert clipped == s or clipped.endswith("…")


def test_names_compare_folded_with_hyphens_kept() -> None:
    assert text.normal_name("  Jean-Luc\u00a0 PICARD ") == "jean-luc picard"
    assert text.normal_name("Jean-Luc") != text.normal_name("Jean Luc")
    assert text.normal_name("Ｋｙｏｔｏ") == "kyoto"
