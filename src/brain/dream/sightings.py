"""What a record from outside may say on a page: its own words and days, quoted, never more.

An event says when and where it is, a mail or commit whose address it was sent from, a signature what it says, a tag
when it was made. Everything else that sources hold serves to confirm what is known, and for agents to read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from brain.connectors import Entry
from brain.rules.security import reads_as_instruction
from brain.text import clip, normal_name, one_line
from brain.tree.snapshot import Record

TITLE, WHERE = 120, 60
CALENDAR = "Calendar"
"""The label of lines that an event made."""

_FROM = re.compile(
    r"^(?:from|author): (?P<name>[^<>\n]{2,80}?) <(?P<address>[^<>\s]+@[^<>\s]+\.[a-z]{2,})>$", re.M | re.I
)
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_LINK = re.compile(r"https?://|www\.|‹redacted:", re.IGNORECASE)
_SIGNATURE = re.compile(r"^-- ?\n(?P<lines>(?:.*\n?){1,6})", re.MULTILINE)
_ROBOT = re.compile(r"no-?reply|do-?not-?reply|notifications?@|mailer-daemon|bounce", re.IGNORECASE)
_HEADS = {"project": "Timeline", "concept": "Timeline"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """What one record says of a subject. `slot` is what it is the present value of: the record itself, or a label;
    `value` the word in it that another value would speak against; `gone` that the source took it back."""

    slot: str
    record: Record
    head: str
    label: str
    text: str
    when: str
    title: str = ""
    value: str = ""
    gone: bool = False

    @property
    def of_record(self) -> bool:
        """Whether it stands for its record, and not for a label that other records may fill."""
        return self.slot.startswith("record:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """One name as mails or commits carry it: its addresses, each with its entries, oldest first."""

    name: str
    entries: dict[str, list[Entry]]


def of_event(record: Record, kind: str) -> Sighting | None:
    """An event as a line of a page about its subject; None when its words are not fit to be quoted."""
    title = quoted(record.title, TITLE)
    when, where = record.field("when"), quoted(record.field("where"), WHERE)
    if not title or not when or record.title == "(no title)":
        return None
    parts = [f'"{title}", {when}', record.field("repeats"), where, record.field("status")]
    return Sighting(
        slot=f"record:{record.id}",
        record=record,
        head=_HEADS.get(kind, "Interactions"),
        label=CALENDAR,
        text=", ".join(part for part in parts if part) + ".",
        when=record.day,
        title=title,
        value="" if record.field("repeats") else record.day,
        gone=record.field("status") == "cancelled",
    )


def of_address(record: Record, address: str) -> Sighting:
    """Whose address it is, by a mail or commit sent from it."""
    return Sighting(
        slot="E-mail", record=record, head="Facts", label="E-mail", text=f"{address} (as of {record.day}).",
        when=record.day, value=address,
    )  # fmt: skip


def of_signature(record: Record, name: str) -> Sighting | None:
    """What stands under a name in the signature of a mail; None without one that can be quoted."""
    match = _SIGNATURE.search(record.text)
    lines = [line.strip() for line in match["lines"].splitlines() if line.strip()] if match else []
    if len(lines) < 2 or normal_name(lines[0]) != normal_name(name):
        return None
    said = quoted(lines[1], 80)
    if not said or _ADDRESS.search(said) or sum(ch.isdigit() for ch in said) > 4:
        return None
    return Sighting(
        slot="Signature", record=record, head="Facts", label="Signature", text=f'"{said}" (as of {record.day}).',
        when=record.day, value=said,
    )  # fmt: skip


def of_tag(record: Record, kind: str) -> Sighting | None:
    """The newest tag of a repository, on the page of what it holds."""
    name = quoted(record.title, 60)
    if not name:
        return None
    head = "Status" if kind == "project" else "Facts"
    return Sighting(
        slot="Newest tag", record=record, head=head, label="Newest tag", text=f"{name}, made on {record.day}.",
        when=record.day, value=name,
    )  # fmt: skip


def identities(entries: Iterable[Entry]) -> dict[str, Identity]:
    """By folded name, who wrote the mails or commits, and from which addresses. Machines are left out."""
    found: dict[str, Identity] = {}
    for entry in sorted(entries, key=lambda entry: (entry.day, entry.id)):
        match = _FROM.search(entry.text)
        if match is None or _ROBOT.search(match["address"]) or not entry.day:
            continue
        name = one_line(match["name"])
        known = found.setdefault(normal_name(name), Identity(name=name, entries={}))
        known.entries.setdefault(match["address"].lower(), []).append(entry)
    return found


def addresses_in(text: str) -> list[str]:
    return [address.lower().rstrip(".") for address in _ADDRESS.findall(text)]


def quoted(words: str, most: int) -> str:
    """Words from outside as they may stand between quotation marks; "" when they hold a link, something that was
    redacted, or what could be read as an instruction."""
    text = clip(one_line(words).replace('"', "'"), most)
    return "" if not text or unfit(text) else text


def unfit(text: str) -> bool:
    return bool(_LINK.search(text)) or reads_as_instruction(text)


def newest(records: Sequence[Sighting], most: int) -> list[Sighting]:
    """The ones about the latest days, in order of time."""
    ranked = sorted(records, key=lambda one: (one.when, one.slot), reverse=True)[:most]
    return sorted(ranked, key=lambda one: (one.when, one.slot))
