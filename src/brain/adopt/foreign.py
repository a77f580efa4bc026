"""Markdown that was not written for memory, made into pages: each statement cites the lines of the file it stands in.

The file itself, redacted, becomes the evidence: it lies under `sessions/artifacts/adopted/`, named by its content, and
what is said there on nobody's word here is marked `^[external]`. Citations of sessions that memory has are kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from brain.adopt.blocks import Block, BlockKind, blocks, without_comments
from brain.adopt.grown import ADOPTED
from brain.adopt.kinds import folder_of, kind_of
from brain.adopt.pages import Line, Made, Piece, pieces, render
from brain.adopt.parcel import Offer, Parcel
from brain.adopt.returned import Document
from brain.adopt.targets import Targets
from brain.adopt.wording import Wording
from brain.distil.sentences import sentences
from brain.errors import FormatError
from brain.export.marks import footnotes
from brain.language import language_of
from brain.rules.text import relative_words
from brain.text import clip, is_slug, one_line, slugify
from brain.tree import cites, layout, markdown, page, uri
from brain.tree.uri import FileUri, SessionUri

WORDS = 60  # a paragraph longer than this becomes several statements
CODE_LINES = 30
_DEFINITION = re.compile(r' {0,3}\[cite:([1-9][0-9]{0,3})\]:[ \t]*<?(\S+?)>?(?:[ \t]+"[^"]*")?[ \t]*$')
_RENAMED = {
    "references": "Sources named", "sources": "Sources named", "citations": "Sources named", "history": "Earlier",
    "changelog": "Changes", "preferences": "Stated preferences", "corrections": "Stated corrections",
}  # fmt: skip
_NO_MARKUP = str.maketrans({"[": "(", "]": ")", "<": "‹", ">": "›", "`": "'", "|": "/", "^": " ", "\\": "/"})
"""What a title must not hold: it is a name, and stands where links and headings are looked for."""
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
_TAIL = {"open questions": "Open questions", "see also": "See also"}


@dataclass(slots=True, kw_only=True)
class Foreign:
    """The foreign documents of one folder together. `ids` are pages of memory's own among them, by path; `known` says
    whether memory has a session of that id."""

    documents: Mapping[str, Document]
    texts: Mapping[str, str]
    ids: Mapping[str, str]
    known: Callable[[str], bool]
    targets: Targets = field(default_factory=Targets)
    found: Parcel = field(default_factory=Parcel)

    def parcel(self) -> Parcel:
        named = self._named()
        for path, id in self.ids.items():
            self.targets.add(path, id)
        for path, one in self.documents.items():
            names = [title_of(one), *one.properties.list("aliases", "alias")]
            self.targets.add(path, named[path], names)
        for path, one in self.documents.items():
            self._document(path, one, named[path])
        return self.found

    def _named(self) -> dict[str, str]:
        """An id for every document; two that would share one are told apart by their folder, then by a number."""
        taken = set(self.ids.values())
        named: dict[str, str] = {}
        for path, one in self.documents.items():
            wanted = one.properties.text("id")
            kind, _ = kind_of(one.properties, path)
            if layout.page_id(layout.page_path(wanted)) != wanted or not is_slug(wanted.rpartition("/")[2]):
                wanted = f"{folder_of(kind)}/{slugify(title_of(one))}"
            if wanted in taken:
                parent = path.rpartition("/")[0].rpartition("/")[2]
                wanted = f"{folder_of(kind)}/{slugify(f'{title_of(one)} {parent}'.strip())}"
            number = 2
            base = wanted
            while wanted in taken:
                wanted, number = f"{base[:60]}-{number}", number + 1
            taken.add(wanted)
            named[path] = wanted
        return named

    def _document(self, path: str, one: Document, id: str) -> None:
        reading = _Page(path=path, document=one, id=id, targets=self.targets, known=self.known, text=self.texts[path])
        made = reading.made()
        pages = list(render(made)) if made else []
        for what, count in sorted(reading.lost.items()):
            self.found.lose(what, path, count)
        if not pages:
            self.found.lose("pages that say nothing", path)
            return
        self.found.files[f"{ADOPTED}{reading.stored}"] = self.texts[path].encode()
        for page_id, text in pages:
            numbered = _numbered(text, path)
            self.found.pages.append(Offer(id=page_id, text=numbered, origin=path, evidence=ADOPTED + reading.stored))


def _numbered(text: str, origin: str) -> str:
    """The page with its sources numbered; a line of the file is told by the file's own name."""

    def gloss(source: str) -> str:
        found = uri.parse(source)
        return f"{origin} · {found.anchor}" if isinstance(found, FileUri) else ""

    return cites.number_sources(page.parse(text), None, gloss).text


def title_of(one: Document) -> str:
    """A page's name: as its properties say, its first heading, else its file's name."""
    heading = re.search(r"(?m)^# +(.+?)[ #]*$", markdown.mask(one.body))
    name = one.path.rpartition("/")[2].rpartition(".")[0]
    told = one.properties.text("title", "name") or (one.body[heading.start(1) : heading.end(1)] if heading else "")
    plain = one_line(markdown.plain(re.sub(r"[*_=]{2,}", "", told))) or name
    return clip(plain.translate(_NO_MARKUP).strip(" #") or "Untitled", 80)


@dataclass(slots=True, kw_only=True)
class _Page:
    """One document on its way to a page."""

    path: str
    document: Document
    id: str
    targets: Targets
    known: Callable[[str], bool]
    text: str
    lost: Counter[str] = field(default_factory=Counter)

    @property
    def stored(self) -> str:
        """The name under which the file is kept: by what it is called and what it holds."""
        name = self.path.rpartition("/")[2].rpartition(".")[0]
        return f"{slugify(name, 48)}-{sha256(self.text.encode()).hexdigest()[:12]}.md"

    def made(self) -> Made | None:
        one, properties = self.document, self.document.properties
        body, comments = without_comments(one.body)
        self.lost["comments"] += comments
        body, sources = self._sources(body)
        language = properties.text("language", "lang")
        language = language if _LANGUAGE.fullmatch(language) else language_of(body[:4000])
        words = Wording(target=lambda target: self.targets.find(target, self.path), lost=self.lost)
        found = pieces()
        title = title_of(one)
        for block in blocks(body):
            self._block(block, found, words, sources, language, title)
        for first, last, note in self._named_sources():
            found.section("Sources named")
            found.add(Line(text=markdown.escape(note), uris=(self._lines(first, last),)))
        if not found.lines and not (said := properties.text("description", "summary")):
            return None
        if not found.lines:
            found.add(Line(text=markdown.escape(said), uris=(self._lines(1, max(1, properties.lines)),)))
        kind, entity = kind_of(properties, self.path)
        folder = self.id.partition("/")[0]
        kind = layout.DIR_TYPES.get(folder, kind)
        return Made(
            id=self.id, title=title, kind=kind, entity=entity or "other", language=language, properties=properties,
            pieces=found, origin=self.path, lost=self.lost,
        )  # fmt: skip

    # -- what stands in it

    def _block(
        self, block: Block, found: Piece, words: Wording, sources: Mapping[int, str], language: str, title: str
    ) -> None:
        match block.kind:
            case BlockKind.LOST:
                self.lost[block.text] += 1
            case BlockKind.CODE if block.text.count("\n") >= CODE_LINES:
                self.lost[f"code blocks of more than {CODE_LINES} lines"] += 1
            case BlockKind.CODE:
                found.code(block.text)
            case BlockKind.HEADING:
                self._heading(block, found, words, title)
            case _:
                most = WORDS if block.kind is not BlockKind.ITEM else 0
                for said in words.line(block.text, most=most):
                    self._said(said, block, found, words, sources, language)

    def _heading(self, block: Block, found: Piece, words: Wording, title: str) -> None:
        said = clip(markdown.plain(" ".join(words.line(block.text))), 80)
        if block.level == 1 and said == title and not found.lines:
            return
        if not said:
            return
        if block.level <= 2:
            found.section(_TAIL.get(said.lower()) or _RENAMED.get(said.lower()) or said)
        else:
            found.group(said)

    def _said(
        self, said: str, block: Block, found: Piece, words: Wording, sources: Mapping[int, str], language: str
    ) -> None:
        kept = [sources[n] for n in dict.fromkeys(words.cites) if n in sources]
        gone = len(set(words.cites)) - len(kept)
        self.lost["citations of what memory does not have"] += gone
        qualifiers = tuple(dict.fromkeys(words.qualifiers))
        if block.kind is BlockKind.QUOTE:
            said = quoted(said)
        elif relative_words(said, language):
            said = " ".join(quoted(one) if relative_words(one, language) else one for one in sentences(said))
        if not kept:
            kept = [self._lines(block.first, block.last)]
            qualifiers = tuple(q for q in qualifiers if q == "inferred") or ("external",)
        found.add(
            Line(text=said, uris=tuple(kept), qualifiers=qualifiers, depth=block.level if block.level > 1 else 1,
                 linked=words.linked)
        )  # fmt: skip

    def _lines(self, first: int, last: int) -> str:
        """The source that lines of the body are, in lines of the file."""
        before = self.document.properties.lines
        first, last = first + before, max(first, last) + before
        return str(FileUri("artifacts", f"{ADOPTED}{self.stored}", f"L{first}" + (f"-L{last}" if last > first else "")))

    # -- what it rests on

    def _sources(self, body: str) -> tuple[str, dict[int, str]]:
        """The body without its definitions, and the sources among them that memory has, by number."""
        lines = body.split("\n")
        found: dict[int, str] = {}
        for at, line in enumerate(lines):
            if match := _DEFINITION.match(line):
                lines[at] = ""
                if (source := self._known(match[2])) is not None:
                    found[int(match[1])] = source
        self.notes = [(note.line, note.words) for note in footnotes(lines, markdown.mask("\n".join(lines)).split("\n"))]
        for number, _ in self.notes:
            lines[number - 1] = ""
        return "\n".join(lines), found

    def _known(self, text: str) -> str | None:
        try:
            source = uri.parse(text)
        except FormatError:
            return None
        return str(source) if isinstance(source, SessionUri) and self.known(source.session) else None

    def _named_sources(self) -> Iterable[tuple[int, int, str]]:
        """What footnotes and the sources of a bundle name, with the lines to cite, counted from the body's first."""
        for number, words in self.notes:
            if words.strip():
                yield number, number, one_line(markdown.plain(re.sub(r"\[([^\]]*)\]\(([^)\s]+)\)", r"\1 (\2)", words)))
        for source in self.document.properties.maps("sources"):
            resource, title = str(source.get("resource", "")), str(source.get("title", ""))
            if resource or title:
                yield 1 - self.document.properties.lines, 0, " — ".join(part for part in (title, resource) if part)

    notes: list[tuple[int, str]] = field(default_factory=list)


def quoted(text: str) -> str:
    """A statement as the file's own words: what moves with the day, or was quoted there, is not said by memory."""
    bare = re.sub(r'[“”"„«»]', "'", text).strip()
    return f'"{bare}"'
