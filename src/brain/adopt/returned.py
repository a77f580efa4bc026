"""What a brain exported, read back to the letter: pages, notes and sessions of its bundles, vaults and JSON Lines.

A document says itself whose it is: a bundle's page has `brain`, a vault's page its id and numbers. What was not written
for memory is for `foreign`.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from brain.adopt.parcel import Offer, Parcel, Sitting
from brain.adopt.properties import Properties
from brain.errors import BrainError, FormatError
from brain.export import sittings
from brain.export.marks import anchor, edited, footnotes, marks, number_of, plain_link_text
from brain.export.obsidian import label_of
from brain.export.okf import RAW
from brain.text import one_line
from brain.tree import cites, frontmatter, layout, markdown, note, summary, uri
from brain.tree.frontmatter import Value
from brain.tree.ids import SNIPPET, parse_day, parse_time
from brain.tree.note import NoteFile, Snippet
from brain.tree.page import ORDER, Reference
from brain.types import Qualifier, Role, Transcript, Trust, Turn

ARTIFACTS = "references/artifacts/"
_LINK = re.compile(r"\[((?:[^\[\]\\\n]|\\.)*)\]\((/[^()\s#]+\.md)(#[^()\s]*)?\)")
_SOURCE = re.compile(r"(?:\[\[[^\]\n]*\]\](?: · |$))?(?:(.*) · )?`([^`\n]+)`")
_SNIPPET = re.compile(
    r"- (\d{4}-\d{2}-\d{2}|-) · (.*?)(?: \^\[([a-z]+)\])? \[\^(n[0-9a-z]{8})\](?: \^n[0-9a-z]{8})?", re.ASCII
)
_HEADING = re.compile(r"(?m)^#{1,3} (.+?)[ #]*$")


@dataclass(slots=True, kw_only=True)
class Document:
    """A Markdown file of a folder: its path there, its properties and its body, redacted."""

    path: str
    properties: Properties
    body: str

    @property
    def is_bundled(self) -> bool:
        return bool(self.properties.map("brain").get("id"))

    @property
    def id(self) -> str:
        """The id of one of memory's own pages or notes, empty for anything else."""
        known = self.properties.map("brain").get("id") or self.properties.values.get("id")
        if not isinstance(known, str):
            return ""
        numbered = self.is_bundled or "next_cite" in self.properties.values
        if known.startswith("notes/"):
            ours = self.is_bundled or self.properties.text("type") == "note"
            return known if ours and layout.note_id(layout.note_path(known)) else ""
        return known if numbered and layout.page_id(layout.page_path(known)) else ""

    @property
    def is_session(self) -> bool:
        return self.properties.text("type").lower() == "session" and bool(self.properties.text("session"))


@dataclass(slots=True, kw_only=True)
class Returning:
    """The documents of one export together: links are read against the titles and headings of all of them."""

    documents: Mapping[str, Document]
    ids: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path, one in self.documents.items():
            if one.id:
                self.ids[path] = one.id
                self.titles[one.id] = one.properties.text("title")

    def parcel(self) -> Parcel:
        found = Parcel()
        for path, one in self.documents.items():
            try:
                if one.is_session:
                    found.sittings.append(self._session(one))
                elif one.id.startswith("notes/"):
                    found.notes.append(self._note(one))
                elif one.id:
                    found.pages.append(Offer(id=one.id, text=self._page(one), origin=path))
            except (BrainError, ValueError) as error:
                found.lose(f"documents of memory that do not read ({error})", path)
        return found

    # -- one document

    def _page(self, one: Document) -> str:
        values = self._meta(one)
        return frontmatter.render(values, ORDER) + self._undressed(one)

    def _meta(self, one: Document) -> dict[str, Value]:
        own = one.properties.map("brain") if one.is_bundled else one.properties.values
        values: dict[str, Value] = {}
        for key, value in own.items():
            if isinstance(value, str):
                values[key] = value
            elif isinstance(value, list):
                values[key] = [item for item in value if isinstance(item, str)]
        title = one.properties.text("title")
        values |= {"type": layout.page_type(one.id) or "", "title": title}
        values["description"] = one.properties.text("description")
        if one.is_bundled:
            if tags := one.properties.list("tags"):
                values["tags"] = tags
        elif title in (names := [str(name) for name in values.get("aliases", []) or ()]):
            names.remove(title)
            values["aliases"] = names
        return {key: value for key, value in values.items() if value or key not in ("aliases", "tags")}

    def _undressed(self, one: Document) -> str:
        lines = one.body.split("\n")
        masked = markdown.mask(one.body).split("\n")
        known = self._references(one, lines, masked)
        written = {note.line: number_of(note.label) for note in footnotes(lines, masked)}
        for at, hidden in enumerate(masked):
            number = written.get(at + 1)
            if number is not None and number in known:
                ref = known[number]
                lines[at] = cites.definition(number, ref.uri, ref.gloss)
            elif not hidden.startswith("# "):
                lines[at] = self._line(lines[at], hidden, known, bundled=one.is_bundled)
        return "\n".join(lines)

    def _line(self, line: str, hidden: str, known: Mapping[int, Reference], *, bundled: bool) -> str:
        found = []
        for match in marks(hidden):
            number = number_of(match[1])
            if number is not None and number in known:
                found.append((match.start(), match.end(), f"[cite:{number}]"))
        return edited(line, [*found, *self._links(line, hidden, bundled=bundled)])

    def _links(self, line: str, hidden: str, *, bundled: bool) -> Iterator[tuple[int, int, str]]:
        """Links to pages in memory's form: a bundle has Markdown links, a vault wikilinks with the page's title."""
        for match in markdown.unescaped(_LINK, hidden) if bundled else ():
            if target := self.ids.get(unquote(match[2]).lstrip("/")):
                words = line[match.start(1) : match.end(1)]
                same = plain_link_text(words) == one_line(self.titles.get(target, ""))
                label = None if same else words
                yield match.start(), match.end(), self._wikilink(target, unquote((match[3] or "")[1:]), label)
        for link in markdown.links_in(line, hidden) if not bundled else ():
            if link.target in self.titles and link.label == label_of(self.titles[link.target]):
                yield link.start, link.end, self._wikilink(link.target, link.heading or "", None)

    def _wikilink(self, target: str, heading: str, label: str | None) -> str:
        if heading:
            text = next((one.body for one in self.documents.values() if one.id == target), "")
            heading = next((h for h in _HEADING.findall(text) if anchor(h) == heading), heading)
        return f"[[{target}{f'#{heading}' if heading else ''}{f'|{label}' if label else ''}]]"

    def _references(self, one: Document, lines: list[str], masked: list[str]) -> dict[int, Reference]:
        found: dict[int, Reference] = {}
        for source in one.properties.maps("sources"):
            number = number_of(str(source.get("id", "")))
            if number is not None and isinstance(source.get("uri"), str):
                found[number] = Reference(number=number, uri=str(source["uri"]), gloss=str(source.get("title", "")))
        for written in footnotes(lines, masked):
            number = number_of(written.label)
            words = lines[written.line - 1].partition("]:")[2].strip()
            if number is not None and number not in found and (match := _SOURCE.fullmatch(words)):
                found[number] = Reference(number=number, uri=match[2], gloss=markdown.plain(match[1] or ""))
        return found

    def _note(self, one: Document) -> NoteFile:
        sources = {str(s.get("id")): str(s.get("uri")) for s in one.properties.maps("sources")}
        lines = one.body.split("\n")
        for written in footnotes(lines, lines):
            if (match := _SOURCE.fullmatch(written.words.strip())) and SNIPPET.fullmatch(written.label):
                sources.setdefault(written.label, match[2])
        found = []
        for line in lines:
            match = _SNIPPET.fullmatch(line)
            if match and match[4] in sources:
                hidden = markdown.mask_inline(match[2])
                found.append(
                    Snippet(
                        day=None if match[1] == note.NO_DAY else parse_day(match[1]),
                        text=edited(match[2], self._links(match[2], hidden, bundled=one.is_bundled)),
                        uri=uri.canonical(sources[match[4]]),
                        id=match[4],
                        qualifier=Qualifier(match[3]) if match[3] else None,
                    )
                )
        own = one.properties.map("brain") if one.is_bundled else one.properties.values
        when = own.get("updated_at")
        return NoteFile(
            id=one.id,
            title=one.properties.text("title"),
            updated_at=parse_time(when) if isinstance(when, str) and when else None,
            snippets=tuple(found),
        )

    def _session(self, one: Document) -> Sitting:
        values: dict[str, Value] = {
            key: [str(item) for item in value] if isinstance(value, list) else str(value)
            for key, value in one.properties.values.items()
        }
        title = one.properties.text("title")
        head, told, count = sittings.parse(values, one.body, title, one.path)
        return Sitting(
            head=head, count=count, summary=told, ended_at=one.properties.text("ended_at"),
            sensitivity=one.properties.text("sensitivity") or "normal",
        )  # fmt: skip


def artifact_of(path: str) -> str:
    """The artifact that a file of an export is, empty for any other file."""
    if not path.startswith(ARTIFACTS):
        return ""
    name = path.removeprefix(ARTIFACTS)
    return name.removesuffix(RAW) if name.lower().endswith(f".md{RAW}") else name


def from_lines(lines: Iterator[str], place: str, redact: Callable[[str], str]) -> Parcel:
    """What a JSON Lines export holds. A line that does not read is lost, and named."""
    found = Parcel()
    turns: dict[str, list[Turn]] = {}
    heads: dict[str, dict[str, object]] = {}
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
            kind = record.get("kind")
            if kind == "page":
                found.pages.append(Offer(id=str(record["id"]), text=redact(record["text"]), origin=f"{place}:{number}"))
            elif kind == "note":
                found.notes.append(note.parse(redact(record["text"]), f"{place}:{number}"))
            elif kind == "session":
                heads[record["id"]] = record
            elif kind == "turn":
                turns.setdefault(record["session"], []).append(_turn(record, redact))
            elif kind == "file":
                data = record["text"].encode() if "text" in record else b64decode(record["base64"], validate=True)
                found.files[str(record["path"])] = data
            elif kind != "brain":
                found.lose("lines of an unknown kind", f"{place}:{number}")
        except (BrainError, ValueError, KeyError, TypeError, AttributeError) as error:
            found.lose(f"lines that do not read ({type(error).__name__})", f"{place}:{number}")
    for id, record in heads.items():
        try:
            found.sittings.append(_sitting(record, turns.get(id, []), redact))
        except (BrainError, ValueError, KeyError, TypeError) as error:
            found.lose(f"sessions that do not read ({error})", f"{place}: {id}")
    return found


def _turn(record: Mapping[str, object], redact: Callable[[str], str]) -> Turn:
    def text(key: str) -> str | None:
        value = record.get(key)
        return redact(str(value)) if value is not None else None

    attach = record.get("attach")
    return Turn(
        number=int(str(record["number"])),
        role=Role(str(record["role"])),
        text=redact(str(record["text"])),
        time=parse_time(str(record["time"])) if record.get("time") else None,
        name=text("name"),
        call=text("call"),
        trust=Trust(str(record["trust"])) if record.get("trust") else None,
        redacted=text("redacted"),
        attach=tuple(str(item) for item in attach) if isinstance(attach, list) else (),
    )


def _sitting(record: Mapping[str, object], turns: list[Turn], redact: Callable[[str], str]) -> Sitting:
    told = record.get("summary")
    people = record.get("participants")
    numbers = [turn.number for turn in turns]
    if numbers != sorted(set(numbers)):
        raise FormatError("turns are not in order")
    head = Transcript(
        id=str(record["id"]),
        source=str(record["source"]),
        external_id=str(record["external_id"]),
        title=redact(str(record["title"])),
        started_at=parse_time(str(record["started_at"])) if record.get("started_at") else None,
        participants=tuple(redact(str(name)) for name in people) if isinstance(people, list) else (),
        turns=tuple(turns),
    )
    return Sitting(
        head=head,
        count=max(int(str(record.get("turns", 0))), numbers[-1] if numbers else 0),
        summary=summary.parse(redact(told)) if isinstance(told, str) else None,
        ended_at=str(record.get("ended_at") or ""),
        sensitivity=str(record.get("sensitivity") or "normal"),
    )
