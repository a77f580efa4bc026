"""First person becomes a named third person, or is refused when that is not safe."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.distil.person import dated_past, third_person


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("I like tea and hate coffee.", "Nadia likes tea and hates coffee."),
        ("I'm happy that I was there.", "Nadia is happy that they were there."),
        ("My sister Emily lives in Denver.", "Nadia's sister Emily lives in Denver."),
        ("My husband and I went to Rome.", "Nadia's husband and Nadia went to Rome."),
        ("I'd love to go, but I don't have time.", "Nadia would love to go, but doesn't have time."),
        ("I'd been there before.", "Nadia had been there before."),
        ("I saw him.", "Nadia saw him."),
        ("I found it.", "Nadia found it."),
        ("I study law.", "Nadia studies law."),
        ("I watch and play football.", "Nadia watches and plays football."),
        ("I always apply sunscreen.", "Nadia always applies sunscreen."),
        ("I prefer PDF, not PNG.", "Nadia prefers PDF, not PNG."),
        ("I think I'll go because I need rest.", "Nadia thinks they will go because they need rest."),
        ("For me, painting is calm.", "For Nadia, painting is calm."),
        ("We decided that it's fine.", "Nadia and others decided that it's fine."),
        ('I said "I am done" to Tom.', 'Nadia said "I am done" to Tom.'),
    ],
)
def test_rewrites(said: str, written: str) -> None:
    assert third_person(said, "Nadia") == written


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("I'll send you the recipe.", "Nadia will send Maria the recipe."),
        ("I hope you like it.", "Nadia hopes Maria likes it."),
        ("I think your talk was short.", "Nadia thinks Maria's talk was short."),
    ],
)
def test_the_other_person_is_named_too(said: str, written: str) -> None:
    assert third_person(said, "Nadia", "Maria") == written


@pytest.mark.parametrize(
    "said",
    ["I put it in the fridge.", "Do I need a visa?", "I can be me there.", "I told you that.", "Let's go, I say."],
)
def test_refuses_what_it_cannot_be_sure_of(said: str) -> None:
    assert third_person(said, "Nadia") is None


def test_the_team_is_one() -> None:
    assert third_person("We arrive on Saturday and our host is Sora.", "Nadia", group="the team") == (
        "The team arrives on Saturday and their host is Sora."
    )


def test_a_definite_date_wants_the_simple_past() -> None:
    assert dated_past("Nadia has moved to Lyon on 2026-06-09.", "Nadia") == "Nadia moved to Lyon on 2026-06-09."
    assert dated_past("Nadia has been ill.", "Nadia") == "Nadia has been ill."


@given(st.text(max_size=300))
def test_any_text_is_handled(text: str) -> None:
    third_person(text, "Nadia", "Maria")
