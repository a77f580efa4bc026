"""The deletion log (format §11): tombstones that bar evidence, ids and the very words of what was forgotten."""

from __future__ import annotations

import hmac
import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from hashlib import sha256

from brain.config import secret_key
from brain.errors import FormatError
from brain.text import words
from brain.tree import markdown, uri
from brain.tree.ids import format_time, parse_time

SHINGLE = 8
_ID = re.compile(r"del_[0-7][0-9A-HJKMNP-TV-Z]{25}")
_HMAC = re.compile(r"[0-9a-f]{16,64}")
_LISTS = ("evidence", "pages", "snippets", "subjects", "claim_hmac")
_KNOWN = {*_LISTS, "id", "at", "by", "reason", "effect", "purge", "replacement", "restores", "until"}

# Words that carry no content, left out before hashing. Frozen: a change here would unhash every stored claim.
_EMPTY_WORDS = """
a an the and or but of to in on at by for from with as is are was were be been it its this that these those he she
they his her their i me my we our you your not no do does did has have had le la les un une des du de et en dans sur
pour avec est au aux der die das ein eine und im den dem von zu mit ist el los las y con por para es que и в на с не
что это к по за из у і й та з до
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())


class Effect(StrEnum):
    SUPPRESS = "suppress"
    PURGE = "purge"
    CORRECT = "correct"
    RESTORE = "restore"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """One deletion. Under `purge`, `pages` and `subjects` hold HMACs in place of ids."""

    id: str
    at: datetime
    by: str
    effect: Effect
    reason: str = ""
    evidence: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    snippets: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    claim_hmac: tuple[str, ...] = ()
    purge: tuple[tuple[str, str], ...] = ()
    replacement: str | None = None
    restores: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deletions:
    """The log as it stands: every tombstone by id in order, later lines merged in, restored ones not live."""

    tombstones: tuple[Tombstone, ...] = ()
    key: bytes | None = field(default=None, repr=False)

    @property
    def live(self) -> tuple[Tombstone, ...]:
        restored = {t.restores for t in self.tombstones if t.effect is Effect.RESTORE}
        return tuple(t for t in self.tombstones if t.effect is not Effect.RESTORE and t.id not in restored)

    @property
    def newest(self) -> str | None:
        """Id of the last line of the log; what `deletions_through` of a run must be at sync."""
        return self.tombstones[-1].id if self.tombstones else None

    def bars(self, source: uri.SourceUri, subject: str | None = None) -> Tombstone | None:
        """The tombstone that forbids this evidence for this subject (a page id), if any.

        A tombstone without subjects bars the evidence for everything.
        """
        for tombstone in self.live:
            if tombstone.subjects and (subject is None or not self._named(subject, tombstone.subjects)):
                continue
            if any(overlaps(source, other) for other in _parsed(tombstone.evidence)):
                return tombstone
        return None

    def bars_id(self, page_or_snippet: str) -> Tombstone | None:
        """The tombstone under which a page id, note id or snippet id was deleted."""
        for tombstone in self.live:
            if tombstone.effect is Effect.CORRECT:
                continue
            if page_or_snippet in tombstone.snippets or self._named(page_or_snippet, tombstone.pages):
                return tombstone
        return None

    def recalls(self, text: str, said: date | None = None) -> tuple[Tombstone, float] | None:
        """The tombstone whose words a text repeats, with the share repeated: 1.0 = the same claim. Needs the key.

        What was said on a later day than the deletion, as `said` tells, is new: nobody asked to forget that.
        """
        if self.key is None or not any(t.claim_hmac for t in self.live):
            return None
        whole, parts = claim_hmac(self.key, text), set(shingle_hmacs(self.key, text))
        best: tuple[Tombstone, float] | None = None
        for tombstone in self.live:
            if said is not None and said > tombstone.at.date():
                continue
            hashes = set(tombstone.claim_hmac)
            if whole in hashes:
                return tombstone, 1.0
            share = len(parts & hashes) / len(parts) if parts else 0.0
            if share and (best is None or share > best[1]):
                best = (tombstone, share)
        return best

    def _named(self, name: str, stored: Sequence[str]) -> bool:
        return name in stored or (self.key is not None and name_hmac(self.key, name) in stored)


def parse(text: str, path: str = ".brain/deletions.jsonl", key: bytes | None = None) -> Deletions:
    """Read the log; a later line with the same id updates its fields. Raises FormatError with the line."""
    merged: dict[str, dict[str, object]] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            raw = json.loads(line)
            if not isinstance(raw, dict):
                raise ValueError("not an object")
            known = str(raw.get("id", ""))
            if not _ID.fullmatch(known):
                raise ValueError(f"id {known!r} is not del_<ULID>")
            if unknown := sorted(set(raw) - _KNOWN):
                raise ValueError(f"unknown key {unknown[0]!r}")
            entry = {**merged.get(known, {}), **raw}
            _tombstone(entry)
            merged[known] = entry
        except (ValueError, TypeError, KeyError, FormatError) as error:
            raise FormatError(f"not a tombstone: {error}", path=path, line=number) from error
    return Deletions(tombstones=tuple(_tombstone(entry) for entry in merged.values()), key=key)


def read(text: str, path: str = ".brain/deletions.jsonl") -> Deletions:
    """The log with the user's key, by which words that were forgotten are known again. Raises FormatError."""
    return parse(text, path, key=forgetting_key()) if text.strip() else Deletions()


def forgetting_key() -> bytes:
    """The user's key, outside of every tree, under which the words of what was forgotten are hashed."""
    return secret_key("forgetting")


def render(tombstone: Tombstone) -> str:
    """One line of the log, without the newline; empty fields left out."""
    out: dict[str, object] = {
        "id": tombstone.id, "at": format_time(tombstone.at), "by": tombstone.by,
        "reason": tombstone.reason, "effect": tombstone.effect.value,
    }  # fmt: skip
    out |= {name: list(value) for name in _LISTS if (value := getattr(tombstone, name))}
    out |= {name: value for name in ("replacement", "restores") if (value := getattr(tombstone, name))}
    if tombstone.purge:
        out["purge"] = dict(tombstone.purge)
    return json.dumps(out, ensure_ascii=False, separators=(",", ":"))


def _tombstone(raw: dict[str, object]) -> Tombstone:
    def strings(name: str) -> tuple[str, ...]:
        value = raw.get(name) or []
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise ValueError(f"{name} must be a list of strings")
        return tuple(value)

    for source in strings("evidence"):
        uri.parse(source)
    if bad := [h for h in strings("claim_hmac") if not _HMAC.fullmatch(h)]:
        raise ValueError(f"claim_hmac {bad[0]!r} is not hexadecimal")
    effect = Effect(str(raw["effect"]))
    if effect is Effect.RESTORE and not raw.get("restores"):
        raise ValueError("restore needs restores")
    purge = raw.get("purge") or {}
    if not isinstance(purge, dict):
        raise ValueError("purge must be an object")
    return Tombstone(
        id=str(raw["id"]),
        at=parse_time(str(raw["at"])),
        by=str(raw["by"]),
        effect=effect,
        reason=str(raw.get("reason") or ""),
        evidence=strings("evidence"),
        pages=strings("pages"),
        snippets=strings("snippets"),
        subjects=strings("subjects"),
        claim_hmac=strings("claim_hmac"),
        purge=tuple((str(k), str(v)) for k, v in purge.items()),
        replacement=str(raw["replacement"]) if raw.get("replacement") else None,
        restores=str(raw["restores"]) if raw.get("restores") else None,
    )


def overlaps(a: uri.SourceUri, b: uri.SourceUri) -> bool:
    """Whether two sources share evidence: a turn, a file, a snapshot. A URI without ranges is the whole of it."""
    if isinstance(a, uri.SessionUri) and isinstance(b, uri.SessionUri):
        if a.session != b.session:
            return False
        if not a.ranges or not b.ranges:
            return True
        return any(x <= d and c <= y for x, y in a.ranges for c, d in b.ranges)
    if isinstance(a, uri.FileUri) and isinstance(b, uri.FileUri):
        return (a.root, a.path) == (b.root, b.path)
    if isinstance(a, uri.ConnectorUri) and isinstance(b, uri.ConnectorUri):
        return a.name == b.name and (a.sha == b.sha or (bool(a.query) and a.query == b.query))
    return False


def _parsed(sources: Iterable[str]) -> list[uri.SourceUri]:
    return [uri.parse(source) for source in sources]


def content_words(text: str) -> list[str]:
    """The words of a claim that are hashed, in order: folded, without links, cites, punctuation and empty words."""
    said = markdown.plain(re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+", "", text).replace("**", ""))
    return [w for w in words(unicodedata.normalize("NFKC", said)) if w not in _EMPTY]


def claim_hmac(key: bytes, text: str) -> str:
    """HMAC-SHA256 of a claim's content words, sorted: the same claim in another order hashes the same."""
    return _digest(key, " ".join(sorted(content_words(text))))


def shingle_hmacs(key: bytes, text: str) -> list[str]:
    """HMACs of each run of eight content words, in the order of the text; none for a shorter claim."""
    kept = content_words(text)
    return [_digest(key, " ".join(kept[i : i + SHINGLE])) for i in range(len(kept) - SHINGLE + 1)]


def name_hmac(key: bytes, name: str) -> str:
    """What stands for a page or subject id in a purge."""
    return _digest(key, f"id:{name}")


def _digest(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode("utf-8"), sha256).hexdigest()
