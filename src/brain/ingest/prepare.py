"""From a raw turn to a turn that may be stored: cleaned, redacted, its zone known, long output and files set aside."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from zoneinfo import ZoneInfo

from brain.ingest.raw import RawFile, RawSession, RawTurn, Skips
from brain.ingest.redact import Redactor
from brain.text import clean, clip, normal_name, one_line, slugify
from brain.tree.ids import session_id
from brain.tree.layout import ARTIFACTS
from brain.tree.uri import FileUri
from brain.types import ROLE_TRUST, Role, Transcript, Trust, Turn

MAX_OUTPUT = 4096
"""Bytes of tool output a turn holds; longer output goes to an artifact and the turn keeps its head and tail."""

_HEAD, _TAIL = 2200, 1200
_TOOL_ID = re.compile(r"(?:toolu|srvtoolu|call|fc|msg)_[A-Za-z0-9]{1,64}")
_EXTENSIONS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "application/pdf": "pdf",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """A file to write beside the transcript, named by a hash of its content: written twice, it is there once."""

    path: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A turn as it will be stored (number 0 until it has one), with the artifacts it points to."""

    turn: Turn
    artifacts: tuple[Artifact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparing:
    """What preparing needs to know: how to redact, the zone of naive times, the owners' slugs and names."""

    redactor: Redactor
    zone: ZoneInfo
    owners: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    _lines: dict[str, str] = field(default_factory=dict, init=False)  # names and ids come back in every turn

    def head(self, raw: RawSession) -> Transcript:
        """The session without its turns; title and start may still be unknown ("" and None)."""
        external = self._line(raw.external_id) or "unnamed"
        return Transcript(
            id=session_id(raw.source, external),
            source=raw.source,
            external_id=external,
            title=self.title(raw.title) if raw.title else "",
            started_at=self.time(raw.started_at),
            cwd=self._line(raw.cwd) if raw.cwd else None,
            participants=tuple(dict.fromkeys(self._line(name) for name in raw.participants if name.strip())),
        )

    def title(self, text: str) -> str:
        line = next((line for line in map(one_line, text[:4000].splitlines()) if line.strip("#*_-`> ")), "")
        return clip(self.redactor.redact(line).lstrip("# "), 80)

    def turns(self, raw: RawSession, session: str, skips: Skips) -> Iterator[Prepared]:
        """The session's turns, each ready to store. Turns that are empty once cleaned are counted."""
        outsiders = self._outsiders(raw.participants)
        for turn in raw.turns:
            prepared = self._turn(turn, session, outsiders)
            if prepared is None:
                skips.leave("empty message")
            else:
                yield prepared

    def time(self, time: datetime | None) -> datetime | None:
        if time is None:
            return None
        try:
            aware = time if time.tzinfo else time.replace(tzinfo=self.zone)
            return aware.astimezone(UTC).replace(microsecond=0)
        except (OverflowError, ValueError):
            return None

    def _turn(self, raw: RawTurn, session: str, outsiders: frozenset[str]) -> Prepared | None:
        text = self.redactor.redact(clean(raw.text)).strip("\n")
        if not text.strip() and not raw.files:
            return None
        artifacts = [_file(file, session, self.redactor) for file in raw.files]
        if raw.role is Role.TOOL and len(text) * 4 > MAX_OUTPUT and len(text.encode()) > MAX_OUTPUT:
            whole = text.encode()
            artifacts.insert(0, _artifact(whole + b"\n", session, "txt"))
            text = shorten(text, len(whole))
        trust = raw.trust
        if trust is None and raw.role is Role.USER and raw.name and normal_name(raw.name) in outsiders:
            trust = Trust.EXTERNAL
        turn = Turn(
            number=0,
            role=raw.role,
            text=text,
            time=self.time(raw.time),
            name=clip(self._line(raw.name), 120) or None if raw.name else None,
            call=self._line(raw.call) or None if raw.call else None,
            trust=None if trust is ROLE_TRUST[raw.role] else trust,
            attach=tuple(str(FileUri("artifacts", item.path.removeprefix(ARTIFACTS))) for item in artifacts),
        )
        return Prepared(turn=turn, artifacts=tuple(artifacts))

    def _outsiders(self, participants: Iterable[str]) -> frozenset[str]:
        """Names of those who do not own this memory, where its owners are known and one of them takes part."""
        names = list(participants)
        mine = {normal_name(name) for name in names if self._owns(name)}
        return frozenset(map(normal_name, names)) - mine if mine else frozenset()

    def _owns(self, name: str) -> bool:
        slug, plain = slugify(name), normal_name(name)
        named = {normal_name(owner) for owner in self.names}
        return plain in named or any(owner in (slug, slug.split("-")[0]) for owner in self.owners)

    def _line(self, text: str) -> str:
        if _TOOL_ID.fullmatch(text):
            return text
        if text not in self._lines:
            if len(self._lines) > 4096:
                self._lines.clear()
            self._lines[text] = self.redactor.redact(one_line(text))
        return self._lines[text]


def shorten(text: str, size: int) -> str:
    """Head and tail of a long output, whole lines where there are any, with the count of what lies between."""
    head, tail = text[:_HEAD], text[-_TAIL:]
    head = head[: head.rfind("\n")] if "\n" in head[_HEAD // 2 :] else head
    tail = tail[tail.find("\n") + 1 :] if "\n" in tail[: _TAIL // 2] else tail
    return f"{head}\n[… {size} bytes in all, the whole in the attached file …]\n{tail}"


def _file(file: RawFile, session: str, redactor: Redactor) -> Artifact:
    """A file that came with a message; one that is text without the secrets in it."""
    media = file.media.split(";")[0].strip().lower()
    guessed = _EXTENSIONS.get(media) or (mimetypes.guess_extension(media) or ".bin").lstrip(".")
    return _artifact(_without_secrets(file.data, redactor), session, guessed)


def _without_secrets(data: bytes, redactor: Redactor) -> bytes:
    if b"\0" in data[:8192]:
        return data
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return data
    redacted = redactor.redact(text)
    return data if redacted is text else redacted.encode("utf-8")


def _artifact(data: bytes, session: str, extension: str) -> Artifact:
    return Artifact(path=f"{ARTIFACTS}{session}/{sha256(data).hexdigest()[:16]}.{extension}", data=data)
