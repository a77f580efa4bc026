"""What is no secret is left alone: numbers, hashes, ids and code that look like one, and real conversations."""

# ruff: noqa: E501 — made-up lines read better unbroken

from __future__ import annotations

import base64
import json
import os
import random
import uuid
from collections import Counter
from collections.abc import Iterator
from hashlib import md5, sha1, sha256, sha512
from pathlib import Path
from typing import Any

import pytest

from brain.secrets import find_secrets

CHANCE = random.Random(8)


def harmless() -> Iterator[str]:
    """Made-up lines of the kinds that transcripts are full of."""
    for number in range(40):
        data = str(number).encode()
        yield f"commit {sha1(data).hexdigest()} by Ines, tree {sha1(data + b't').hexdigest()[:12]}"
        yield f'image sha256:{sha256(data).hexdigest()} and etag "{md5(data).hexdigest()}"'
        yield f"integrity: sha512-{base64.b64encode(sha512(data).digest()).decode()}"
        yield f"session {uuid.UUID(int=CHANCE.getrandbits(128), version=4)} of run {uuid.UUID(int=CHANCE.getrandbits(128))}"
        yield f"ISBN 978-3-16-{CHANCE.randint(100000, 999999)}-{CHANCE.randint(0, 9)}, ISSN 0317-8471, DOI 10.1000/xyz{number}"
        yield f"order no. {CHANCE.randint(10**11, 10**12 - 1)}, parcel 1Z{CHANCE.randint(10**15, 10**16 - 1)}, invoice 2026-{number:05d}"
        yield f"tel. +49 30 {CHANCE.randint(10**6, 10**7)}, {CHANCE.randint(1_600_000_000_000, 1_800_000_000_000)} ms"
        yield f"data:image/png;base64,{base64.b64encode(CHANCE.randbytes(300)).decode()}"
        yield f"toolu_01{''.join(CHANCE.choices('abcdefghjkmnpqrstuvwxyzABCDEFGH23456789', k=22))} call_{md5(data).hexdigest()[:24]}"
        yield f"src/app/components/Page{number}/index.test.tsx:{number}:7 in renderWithProviders2({number})"
        yield f"the password must have {number} characters; reset your password under /account/reset?page={number}"
        yield f"max_tokens={number * 100}, token_count: {number}, tokens per second {number}.5, key: item-{number}"
        yield f"api_key = os.environ[\"KEY_{number}\"]; password = getpass(); secret = config.get('secret')"
        yield f"lat 48.{CHANCE.randint(10**6, 10**7)}, lon 2.{CHANCE.randint(10**6, 10**7)}, v1.{number}.0-beta.{number}+build.{number}"
        yield f"https://example.org/w/{md5(data).hexdigest()}/view?id={sha1(data).hexdigest()}&page={number}#s{number}"


def test_numbers_hashes_ids_and_code_are_no_secrets() -> None:
    told = [(secret.kind, line[secret.start : secret.end]) for line in harmless() for secret in find_secrets(line)]
    assert told == []


@pytest.mark.skipif(
    not os.environ.get("BRAIN_TEST_DATA"), reason="set BRAIN_TEST_DATA to a folder with samples/ to run this"
)
def test_samples_of_real_tools_hold_next_to_none() -> None:
    """False positives over every sample file: at most one in a million characters, of those that nobody planted."""
    found: Counter[str] = Counter()
    characters = 0
    for file in sorted((Path(os.environ["BRAIN_TEST_DATA"]) / "samples").rglob("*")):
        if file.is_file() and file.suffix in (".json", ".jsonl", ".md", ".html"):
            for text in _texts(file):
                characters += len(text)
                found.update(secret.kind for secret in find_secrets(text))
    assert characters > 500_000
    assert sum(found.values()) <= 1 + characters / 1_000_000, found


def _texts(file: Path) -> Iterator[str]:
    text = file.read_text("utf-8", "replace")
    for piece in text.split("\n") if file.suffix == ".jsonl" else [text]:
        try:
            yield from _strings(json.loads(piece))
        except ValueError:
            yield piece


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)
