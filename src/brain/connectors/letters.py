"""Mail as bytes to what a person reads of it: who, when, the words, and a list of what was attached."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.errors import MessageError
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.policy import compat32
from email.utils import getaddresses, parsedate_to_datetime
from hashlib import sha256
from zoneinfo import ZoneInfo

from brain.connectors.kind import TEXT
from brain.connectors.tidy import decoded, fields, tidy
from brain.html import html_text
from brain.text import one_line
from brain.tree.snapshot import Record

PARTS = 200
"""Parts of one mail that are looked at."""

PEOPLE = 30
_ENCODED = re.compile(r"=\?([^?\s]{1,40})\?([bBqQ])\?([^?]*)\?=")


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The head of a mail. `id` is its Message-ID, else a hash of its head; people are `(name, address)`."""

    id: str
    subject: str
    day: str = ""
    time: str = ""
    sender: tuple[str, str] = ("", "")
    to: tuple[tuple[str, str], ...] = ()


def head_of(data: bytes, zone: ZoneInfo) -> Head:
    """The head of a mail; never fails: what does not read is empty."""
    raw = data[:65_536].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    message = BytesHeaderParser(policy=compat32).parsebytes(raw + b"\n\n")
    sent = _date(_raw(message, "Date"))
    local = sent.astimezone(zone) if sent else None
    senders = _people(message, "From")
    return Head(
        id=_id(message, raw),
        subject=_words(_raw(message, "Subject"))[:300] or "(no subject)",
        day=f"{local:%Y-%m-%d}" if local else "",
        time=f"{local:%Y-%m-%d %H:%M} ({zone.key})" if local else "",
        sender=senders[0] if senders else ("", ""),
        to=tuple(_people(message, "To") + _people(message, "Cc"))[:PEOPLE],
    )


def record_of(data: bytes, zone: ZoneInfo, id: str | None = None) -> Record:
    """A whole mail as a record."""
    head = head_of(data, zone)
    text, attached = body_of(data)
    return Record(
        kind="mail",
        id=id or head.id,
        title=head.subject,
        day=head.day,
        text=tidy(text, TEXT),
        fields=fields(
            ("from", shown(head.sender)),
            ("to", ", ".join(map(shown, head.to))),
            ("sent", head.time),
            ("attached", ", ".join(attached)),
        ),
    )


def body_of(data: bytes) -> tuple[str, list[str]]:
    """The words of a mail, plain text before web page, and its attachments as `name (type, size)`."""
    try:
        message = BytesParser(policy=compat32).parsebytes(data)
        parts = _leaves(message)
    except (MessageError, ValueError, LookupError, RecursionError):
        return decoded(data.partition(b"\n\n")[2]), []
    plain: list[str] = []
    pages: list[str] = []
    attached: list[str] = []
    for part in parts:
        kind = part.get_content_type()
        content = part.get_payload(decode=True)
        content = content if isinstance(content, bytes) else b""
        name = _filename(part)
        disposition = str(part.get("Content-Disposition") or "").strip().lower()
        if name or disposition.startswith("attachment") or not kind.startswith("text/"):
            attached.append(f"{name or 'unnamed'} ({kind}, {len(content):,} bytes)")
        elif kind == "text/html":
            pages.append(html_text(decoded(content, _charset(part))))
        else:
            plain.append(decoded(content, _charset(part)))
    words = "\n\n".join(text.strip() for text in plain if text.strip())
    return words or "\n\n".join(pages), attached


def shown(person: tuple[str, str]) -> str:
    name, address = person
    return f"{name} <{address}>" if name and name != address else address or name


def _leaves(message: Message) -> list[Message]:
    """Parts that hold something, outer first, without recursion; a mail inside a mail counts as one part."""
    out: list[Message] = []
    waiting: list[Message] = [message]
    while waiting and len(out) < PARTS:
        part = waiting.pop(0)
        payload = part.get_payload()
        if part.get_content_maintype() == "multipart" and isinstance(payload, list):
            waiting[:0] = [one for one in payload if isinstance(one, Message)]
        else:
            out.append(part)
    return out


def _charset(part: Message) -> str | None:
    try:
        return part.get_content_charset()
    except (LookupError, ValueError, UnicodeError):
        return None


def _filename(part: Message) -> str:
    try:
        return _words(part.get_filename())[:200]
    except (LookupError, ValueError, TypeError, UnicodeError):
        return "unnamed"


def _people(message: Message, name: str) -> list[tuple[str, str]]:
    try:
        pairs = getaddresses([_raw(message, name)[:10_000]])
    except (ValueError, IndexError, TypeError):
        return []
    return [(_words(called)[:200], one_line(address)[:200]) for called, address in pairs if address or called][:PEOPLE]


def _words(value: object) -> str:
    """A header value with its encoded words read, whatever charset they claim to be in."""
    import base64
    import binascii
    import quopri

    def read(match: re.Match[str]) -> str:
        charset, how, text = match[1].partition("*")[0], match[2].upper(), match[3]
        try:
            data = (
                base64.b64decode(text + "=" * (-len(text) % 4))
                if how == "B"
                else quopri.decodestring(text.replace("_", " ").encode("latin-1", "replace"))
            )
        except (binascii.Error, ValueError):
            return text
        return decoded(data, charset)

    text = re.sub(r"(\?=)[ \t\r\n]+(=\?)", r"\1\2", str(value or "")[:20_000])
    return one_line(_ENCODED.sub(read, text))


def _raw(message: Message, name: str) -> str:
    """A header as it is written, its bytes as text; several of one name are joined."""
    values = [str(value) for key, value in message.raw_items() if key.lower() == name.lower()]
    return ", ".join(decoded(value.encode("utf-8", "surrogateescape")) for value in values)


def _date(value: object) -> datetime | None:
    try:
        found = parsedate_to_datetime(str(value)) if value else None
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if found is None or not 1970 <= found.year <= 2200:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _id(message: Message, raw: bytes) -> str:
    given = one_line(_raw(message, "Message-ID")).strip("<> ")[:300]
    return given if given and " " not in given else f"sha-{sha256(raw).hexdigest()[:24]}"
