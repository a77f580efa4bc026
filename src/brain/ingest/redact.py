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


_REMEMBERED = 256
_ROUNDS = 4
_TELLING = frozenset({"password", "passphrase", "api-key", "token", "secret", "url-password", "bearer-token"})
"""Kinds that only what stands around them tells: said again without it, they would pass."""


class Redactor:
    """Redacts texts with one key and counts what it found, by kind.

    What one text told it to be a password or key is known in the texts after it too, where it may stand alone.
    """

    def __init__(self, key: bytes, allow: Container[str] = ()) -> None:
        self._key = key
        self._allow = allow
        self.counts: Counter[str] = Counter()
        self._known: dict[str, str] = {}

    def redact(self, text: str) -> str:
        """The text with each secret replaced. Idempotent: a placeholder is no secret."""
        for _ in range(_ROUNDS):
            out: list[str] = []
            at = 0
            for secret, placeholder in self.found(text):
                out += [text[at : secret.start], placeholder]
                at = secret.end
                self.counts[secret.kind] += 1
            if not out:
                break
            text = "".join(out) + text[at:]  # what stands beside a placeholder may read differently now
        return text

    def told(self, text: str) -> str:
        """As `redact`, for what is only told: it counts nothing."""
        counted = self.counts.copy()
        text = self.redact(text)
        self.counts.clear()
        self.counts.update(counted)
        return text

    def found(self, text: str) -> Iterator[tuple[Secret, str]]:
        """Each secret in a text, with the placeholder it becomes."""
        found = [
            secret
            for secret in find_secrets(text, allow=self._allow)
            if not _in_placeholder(text, secret.start, secret.end)
        ]
        for secret in found:
            value = text[secret.start : secret.end]
            if secret.kind in _TELLING and 8 <= len(value) <= 128 and _is_own(value) and len(self._known) < _REMEMBERED:
                self._known.setdefault(value, secret.kind)
        if self._known:
            found = sorted([*found, *self._again(text, found)], key=lambda one: one.start)
        for secret in found:
            yield secret, self._placeholder(secret.kind, text[secret.start : secret.end])

    def _again(self, text: str, found: list[Secret]) -> Iterator[Secret]:
        """What was found before, where nothing around it tells what it is."""
        taken = [(secret.start, secret.end) for secret in found]
        for value, kind in self._known.items():
            at = text.find(value)
            while at >= 0:
                end = at + len(value)
                alone = not text[at - 1 : at].isalnum() and not text[end : end + 1].isalnum()
                if alone and not any(start < end and at < stop for start, stop in taken):
                    taken.append((at, end))
                    yield Secret(kind=kind, start=at, end=end)
                at = text.find(value, end)

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


def _is_own(value: str) -> bool:
    """Is it unlike all that is said otherwise: of letters and digits, and in no placeholder?"""
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value) and "redacted" not in value


def _in_placeholder(text: str, start: int, end: int) -> bool:
    return any(
        match.start() <= start and end <= match.end()
        for match in PLACEHOLDER.finditer(text, max(0, start - 80), end + 80)
    )
