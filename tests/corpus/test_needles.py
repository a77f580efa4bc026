"""What a text must hold to match: never more than that, or phrases about time would be passed over."""

from __future__ import annotations

import re
import tomllib
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain.corpus.search.needles import all_needles, lowered, may_hold, needles

WORDS = tomllib.loads(resources.files("brain.corpus.search").joinpath("data", "when.toml").read_text("utf-8"))
KEYS = [(language, key) for language, words in WORDS.items() for key in words if key not in ("spaced", "anchor")]


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ("days?", ("day",)),
        ("(?:la )?semaine (?:dernière|passée)", ("semaine",)),
        ("this week|next weekend", ("week",)),
        ("l['’]an(?:née)?", ("an",)),
        ("(?:a|b)", None),
        ("x*y{2}", None),
        ("(?:un(?:e|s)?)+ jours", ("jours",)),
        (r"\w+ ago", ("ago",)),
        ("été", ("été",)),
    ],
)
def test_the_letters_that_a_pattern_cannot_do_without(pattern: str, wanted: tuple[str, ...] | None) -> None:
    assert needles(pattern) == wanted


@pytest.mark.parametrize(("language", "key"), KEYS)
def test_whatever_matches_holds_one(language: str, key: str) -> None:
    value = WORDS[language][key]
    forms = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else [value]
    wanted = all_needles(forms)

    @settings(max_examples=40, deadline=None, database=None)
    @given(st.one_of([st.from_regex(re.compile(form, re.IGNORECASE), fullmatch=True) for form in forms]))
    def matches(text: str) -> None:
        assert may_hold(lowered(text), wanted)

    matches()


def test_letters_that_are_the_same_without_regard_to_case() -> None:
    for letters, text in (("kasino", "\u212aA\u017fINO"), ("istanbul", "\u0130STANBUL"), ("istanbul", "\u0131stanbul")):
        assert re.fullmatch(letters, text, re.IGNORECASE)
        assert may_hold(lowered(text), needles(letters))
