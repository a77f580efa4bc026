"""Secrets out of everything that is stored, before the first byte is written.

A secret becomes `‹redacted:KIND:hash6›`. The six hex digits are a keyed hash, so the same secret is the same
placeholder in every session of this machine and says nothing without the key, which lies outside of the tree.
"""

from __future__ import annotations

import hmac
import re
from collections import Counter
from collections.abc import Callable, Container, Iterator
from hashlib import sha256

from brain.config import secret_key
from brain.secrets import Secret, find_secrets

PLACEHOLDER = re.compile(r"‹redacted:([a-z0-9-]+):[0-9a-f]{6}›")


class Redactor:
    """Redacts texts with one key and counts what it found, by kind."""

    def __init__(self, key: bytes, allow: Container[str] = ()) -> None:
        self._key = key
        self._allow = allow
        self.counts: Counter[str] = Counter()

    def redact(self, text: str) -> str:
        """The text with each secret replaced. Idempotent: a placeholder is no secret."""
        out: list[str] = []
        at = 0
        for secret, placeholder in self.found(text):
            out += [text[at : secret.start], placeholder]
            at = secret.end
            self.counts[secret.kind] += 1
        return "".join(out) + text[at:] if out else text

    def found(self, text: str) -> Iterator[tuple[Secret, str]]:
        """Each secret in a text, with the placeholder it becomes."""
        for secret in find_secrets(text, allow=self._allow):
            if not _in_placeholder(text, secret.start, secret.end):
                yield secret, self._placeholder(secret.kind, text[secret.start : secret.end])

    def _placeholder(self, kind: str, secret: str) -> str:
        digest = hmac.new(self._key, secret.encode("utf-8", "surrogatepass"), sha256).hexdigest()
        return f"‹redacted:{kind}:{digest[:6]}›"


def redacting(allow: Container[str] = ()) -> Callable[[str], str]:
    """Redaction with this machine's key, which is read, or made, when the first text comes."""
    made: list[Redactor] = []

    def redact(text: str) -> str:
        if not made:
            made.append(Redactor(secret_key("redaction"), allow))
        return made[0].redact(text)

    return redact


def redact(text: str, key: bytes) -> tuple[str, Counter[str]]:
    """One text redacted, and how many secrets of each kind it held."""
    redactor = Redactor(key)
    return redactor.redact(text), redactor.counts


def without_hashes(text: str) -> str:
    """The text as it compares between machines: the same secret under two keys reads the same."""
    return PLACEHOLDER.sub(r"‹redacted:\1›", text) if "‹redacted:" in text else text


def _in_placeholder(text: str, start: int, end: int) -> bool:
    return any(
        match.start() <= start and end <= match.end()
        for match in PLACEHOLDER.finditer(text, max(0, start - 80), end + 80)
    )
