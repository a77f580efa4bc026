"""Thousands of made-up secrets, as an attacker or a careless person leaves them: none is left after redaction."""

from __future__ import annotations

from collections import defaultdict

import pytest
from planted import FRAMES, KEYS, LABELLED, NUMBERS, Maker, Plant, plants, tokens

from brain.ingest.redact import Redactor
from brain.text import clean

PLANTS: defaultdict[str, list[Plant]] = defaultdict(list)
for _plant in plants():
    PLANTS[_plant.frame].append(_plant)


def test_the_suite_is_as_large_as_it_says() -> None:
    """At least 300 secrets of 40 kinds are asked for."""
    everything = [plant for found in PLANTS.values() for plant in found]
    assert len({plant.text for plant in everything}) >= 4_000
    assert len({plant.kind for plant in everything}) >= 100
    assert len(tokens(Maker())) >= 95
    assert len(FRAMES) + len(LABELLED) + len(NUMBERS) + len(KEYS) >= 250


@pytest.mark.parametrize("frame", list(PLANTS))
def test_nothing_of_a_planted_secret_is_left(frame: str) -> None:
    redactor = Redactor(b"k" * 32)
    left = []
    for plant in PLANTS[frame]:
        text = redactor.redact(clean(plant.text))
        if any(trace in text for trace in plant.traces) or "‹redacted:" not in text:
            left.append((plant.kind, text))
        elif redactor.redact(text) != text:
            left.append((plant.kind, "redacted again: " + redactor.redact(text)))
    assert left == []
