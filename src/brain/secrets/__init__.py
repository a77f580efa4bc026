"""Secrets in text: keys, tokens, passwords, cards, account numbers, found fast enough to run on every byte stored.

    >>> text = "export GITHUB_TOKEN=ghp_" + "a1B2" * 9
    >>> [(s.kind, text[s.start:s.end][:4]) for s in find_secrets(text)]
    [('github-token', 'ghp_')]

Redaction at import and rule SEC001 both stand on `find_secrets`. detect-secrets was measured first (all 27 plugins:
1 MB/s, 0.2 s to import, ten thousand entropy alarms in 0.4 MB of transcripts), so the detectors are our own and
detect-secrets serves the tests as an oracle. The speed comes from anchors: `str.find` for the few letters a secret must
hold, and a regular expression only there.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from itertools import chain

from brain.secrets.assignments import find_assigned
from brain.secrets.blobs import find_blobs
from brain.secrets.commands import find_in_commands
from brain.secrets.numbers import find_numbers
from brain.secrets.prose import find_spoken
from brain.secrets.reading import Reading
from brain.secrets.secret import Secret
from brain.secrets.tokens import find_tokens
from brain.secrets.veils import find_veiled

__all__ = ["KINDS", "Secret", "find_secrets"]

KINDS = (
    "private-key", "jwt", "url-password", "password", "passphrase", "pin", "api-key", "token", "secret", "bearer-token",
    "basic-auth", "cookie", "password-hash", "card", "card-code", "iban", "passport", "national-id", "encoded-secret",
    "high-entropy",
)  # fmt: skip
"""Kinds beside the vendors' own (`github-token`, `aws-access-key`, …, see tokens.py)."""


def find_secrets(text: str, *, allow: Container[str] = (), entropy: bool = True) -> list[Secret]:
    """Every secret in `text`, by start, never overlapping; a span covers the secret alone, not its label.

    `allow` holds strings that are known to be harmless. `entropy=False` leaves out what only looks random.
    """
    reading = Reading(text)
    found = _unnested(
        chain(
            _read(reading),
            find_blobs(text, entropy, _plain) if reading.longest >= 24 else (),
            find_veiled(reading, _plain, _tokens, _numbers),
        )
    )
    return [secret for secret in found if text[secret.start : secret.end] not in allow]


def _plain(text: str) -> Iterator[Secret]:
    """What can be read in a text as it stands."""
    return _read(Reading(text))


def _read(reading: Reading) -> Iterator[Secret]:
    yield from find_tokens(reading)
    yield from find_assigned(reading)
    yield from find_in_commands(reading)
    yield from find_spoken(reading)
    yield from find_numbers(reading)


def _tokens(text: str) -> Iterator[Secret]:
    return find_tokens(Reading(text))


def _numbers(text: str) -> Iterator[Secret]:
    return find_numbers(Reading(text))


def _unnested(secrets: Iterable[Secret]) -> Iterator[Secret]:
    """Of spans that overlap, the union, named by the first detector to find one (the most specific come first)."""
    ranked = sorted(enumerate(secrets), key=lambda pair: (pair[1].start, pair[0]))
    current: tuple[int, Secret] | None = None
    for rank, secret in ranked:
        if current is None:
            current = (rank, secret)
        elif secret.start < current[1].end:
            best = min(current, (rank, secret), key=lambda pair: pair[0])
            end = max(current[1].end, secret.end)
            current = (best[0], Secret(kind=best[1].kind, start=current[1].start, end=end))
        else:
            yield current[1]
            current = (rank, secret)
    if current is not None:
        yield current[1]
