"""One HTML file to read and search memory offline: no network, nothing that runs but its own script.

Every page, session and cited file is an `<article>`; without a script all of them stand one below the other and their
links still work. Words of memory are escaped or rendered with HTML off, links lead inside or to http(s) alone, and the
content security policy allows the one style and the one script whose hashes it names.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from brain.export.holdings import Holdings, Session
from brain.export.marks import anchor, dressed, dressed_line, edited, link_text
from brain.text import counted
from brain.tree import frontmatter, markdown, snapshot, summary
from brain.tree.ids import format_day, format_time
from brain.tree.markdown import Wikilink, plain
from brain.tree.note import NoteFile
from brain.tree.page import Page, Reference

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

KINDS = {
    "projects": "Projects", "entities": "Entities", "concepts": "Concepts", "learnings": "Learnings", "notes": "Notes",
    "sessions": "Sessions", "files": "Files",
}  # fmt: skip
_SAID = {
    "assistant": "the assistant said or did it", "external": "from outside: web, mail, a document",
    "inferred": "concluded, not said", "image": "read from a picture", "disputed": "sources disagree",
}  # fmt: skip
_STATIC = Path(__file__).with_name("static")
_WEB = ("https://", "http://", "mailto:")
_EMPTY = "<p>There is nothing here.</p>"


def document(held: Holdings) -> str:
    """The file."""
    style, script = (_STATIC / "brain.css").read_text("utf-8"), (_STATIC / "brain.js").read_text("utf-8")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'; "
        "form-action 'none'"
    )
    writing = _Writing(held)
    articles = "\n".join(writing.articles())
    day = held.newest[:10]
    return f"""<!doctype html>
<html lang="{escape(writing.language)}">
<head>
<meta charset="utf-8">
<meta name="generator" content="brain">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Memory</title>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#main">To the text</a>
<nav aria-label="Pages">
<div class="bar"><a class="home" href="#home">Memory</a>
<button id="theme" type="button" title="Light or dark (t)" aria-label="Light or dark">◐</button></div>
<input id="search" type="search" placeholder="Search ( / )" aria-label="Search" autocomplete="off" spellcheck="false">
<p id="count" role="status" aria-live="polite"></p>
<ul id="results" hidden></ul>
<div id="contents">
{writing.contents()}</div>
</nav>
<main id="main" tabindex="-1">
<article id="home" data-title="Memory"><h1>Memory</h1>
<p>{writing.counted()}{f" The newest page is of {escape(day)}." if day else ""}</p>
{writing.home() or _EMPTY}
<p class="keys"><kbd>/</kbd> search · <kbd>↓</kbd> <kbd>↑</kbd> results · <kbd>Enter</kbd> open ·
<kbd>Esc</kbd> back to the text · <kbd>h</kbd> home · <kbd>t</kbd> light or dark</p></article>
{articles}
</main>
<script>{script}</script>
</body>
</html>
"""


class _Writing:
    def __init__(self, held: Holdings) -> None:
        self.held = held
        tongues = [one.language for one in held.pages.values() if one.language]
        self.language = max(sorted(set(tongues)), key=tongues.count, default="en")

    # -- around the articles

    def counted(self) -> str:
        held = self.held
        return (
            f"{counted(len(held.pages), 'page')}, {counted(len(held.notes), 'note file')}, "
            f"{counted(len(held.sessions), 'session')}."
        )

    def contents(self) -> str:
        """The list of all articles by kind."""
        rows: dict[str, list[tuple[str, str]]] = {}
        for id, one in self.held.pages.items():
            rows.setdefault(id.partition("/")[0], []).append((f"p/{id}", one.title or id))
        for id, file in self.held.notes.items():
            rows.setdefault("notes", []).append((f"n/{id}", file.title or id))
        for session in reversed(self.held.sessions.values()):
            day = f"{format_day(session.row.started_at)} · " if session.row.started_at else ""
            rows.setdefault("sessions", []).append((f"t/{session.name}", f"{day}{session.row.title}"))
        for name, data in self.held.files.items():
            rows.setdefault("files", []).append((f"f/{name}", _titled(name, data)[0]))
        out = []
        for kind, title in KINDS.items():
            items = "".join(
                f'<li><a href="#{escape(to)}">{escape(words)}</a></li>\n' for to, words in rows.get(kind, [])
            )
            opened = "" if kind in ("notes", "sessions", "files") else " open"
            if items:
                out.append(f"<details{opened}><summary>{title}</summary><ul>\n{items}</ul></details>\n")
        return "".join(out)

    def home(self) -> str:
        rows = [
            f'<li><a href="#p/{escape(id)}">{escape(one.title or id)}</a> — {escape(one.description)}</li>\n'
            for id, one in self.held.pages.items()
            if one.status == "active" and not one.superseded_by
        ]
        return f"<ul>\n{''.join(rows)}</ul>" if rows else ""

    def articles(self) -> Iterator[str]:
        for id, one in self.held.pages.items():
            yield self.page(id, one)
        for id, file in self.held.notes.items():
            yield self.note(id, file)
        for session in self.held.sessions.values():
            yield self.session(session)
        for name, data in self.held.files.items():
            yield self.file(name, data)

    # -- one article

    def page(self, id: str, one: Page) -> str:
        prefix = f"p/{id}"
        body = dressed(one, self._link, lambda _: "", self._marker(one, prefix))
        section = one.section("References")
        lines = body.split("\n")
        if section:
            del lines[section.line - one.body_line : section.end - one.body_line + 1]
        said = [one.type, one.entity_kind, one.status if one.status != "active" else "", *one.tags]
        when = f"as of {one.get('updated_at')[:10]}" if one.get("updated_at") else ""
        facts = " · ".join(escape(part) for part in [*said, when] if part)
        inner = rendered("\n".join(self._qualified(lines)), prefix)
        return _article(prefix, one.title or id, f'<p class="facts">{facts}</p>\n{inner}{self._sources(one, prefix)}')

    def note(self, id: str, file: NoteFile) -> str:
        rows = []
        for s in file.snippets:
            line = f"- {s.day or '–'} · {dressed_line(s.text, self._link)}"
            line += f" ^[{s.qualifier.value}]" if s.qualifier else ""
            rows.append(f"{line} [source]({self._where(s.uri) or '#n/' + id})")
        inner = rendered("\n".join(self._qualified(rows)), f"n/{id}")
        return _article(f"n/{id}", file.title or id, f"<h1>{escape(file.title or id)}</h1>\n{inner}")

    def session(self, one: Session) -> str:
        prefix = f"t/{one.name}"
        told = frontmatter.parse(summary.render(one.summary))[1] if one.summary else ""
        told = "\n".join(dressed_line(line, self._link) for line in told.split("\n"))
        turns, last = [], 0
        for turn in one.turns:
            gap = "" if turn.number == last + 1 else '<p class="gap">…</p>\n'
            last = turn.number
            head = [f"t{turn.number}", turn.name or turn.role.value, format_time(turn.time) if turn.time else ""]
            turns.append(
                f'{gap}<section class="turn {turn.role.value}" id="{escape(prefix)}/t{turn.number}" tabindex="-1">'
                f"<h3>{' · '.join(escape(part) for part in head if part)}</h3>"
                f'<div class="said">{escape(turn.text)}</div></section>\n'
            )
        title = one.row.title or one.row.id
        facts = f'<p class="facts">{escape(one.head.source)} · {one.row.turns} turns, {len(one.turns)} of them here</p>'
        inner = f"<h1>{escape(title)}</h1>\n{facts}\n{rendered(told, prefix)}<h2>Turns</h2>\n{''.join(turns)}"
        return _article(prefix, title, inner)

    def file(self, name: str, data: bytes) -> str:
        title, text = _titled(name, data)
        shown = f'<div class="said">{escape(text)}</div>' if "\0" not in text else "<p>Not text.</p>"
        return _article(f"f/{name}", title, f"<h1>{escape(title)}</h1>\n{shown}")

    # -- edges

    def _link(self, link: Wikilink) -> str:
        words = plain(link.label) if link.label else self.held.titles.get(link.target, link.target)
        heading = f"/{anchor(link.heading)}" if link.heading else ""
        return f"[{link_text(words)}](<#p/{link.target}{heading}>)"

    def _marker(self, one: Page, prefix: str) -> Callable[[int], str]:
        known = one.references

        def mark(number: int) -> str:
            return f"[{number}](<{self._where(known[number].uri) or f'#{prefix}/source-{number}'}>)"

        return mark

    def _where(self, source: str) -> str | None:
        found = self.held.place(source)
        if found is None:
            return None
        name, turn = found
        return f"#t/{name}/t{turn}" if turn else f"#f/{name}"

    def _sources(self, one: Page, prefix: str) -> str:
        rows = [self._source(ref, prefix) for _, ref in sorted(one.references.items())]
        return f'<section class="sources"><h2>Sources</h2>\n<ul>{"".join(rows)}</ul></section>\n' if rows else ""

    def _source(self, ref: Reference, prefix: str) -> str:
        where, words = self._where(ref.uri), escape(ref.gloss or ref.uri)
        shown = f'<a class="to" href="{escape(where)}">{words}</a>' if where else f"<span>{words}</span>"
        id = f"{prefix}/source-{ref.number}"
        return f'<li id="{escape(id)}" tabindex="-1"><b>{ref.number}</b> {shown} <code>{escape(ref.uri)}</code></li>\n'

    @staticmethod
    def _qualified(lines: Sequence[str]) -> Iterator[str]:
        """Lines with `^[external]` as a link that the renderer makes a mark of."""
        masked = markdown.mask("\n".join(lines)).split("\n")
        for line, hidden in zip(lines, masked, strict=True):
            found = [(m.start(), m.end(), f"[{m[1]}](<#q/{m[1]}>)")
                     for m in markdown.unescaped(markdown.QUALIFIER, hidden) if m[1] in _SAID]  # fmt: skip
            yield edited(line, found)


def _titled(name: str, data: bytes) -> tuple[str, str]:
    """A cited file's name and text; a snapshot of an outside source by its title, as a person reads it."""
    text = data.decode("utf-8", "replace")
    found = snapshot.parse(text)
    return (found.record.title or name, snapshot.shown(text)) if found else (name.rpartition("/")[2], text)


def _article(id: str, title: str, inner: str) -> str:
    return f'<article id="{escape(id)}" data-title="{escape(title)}">\n{inner}</article>'


def rendered(text: str, prefix: str) -> str:
    """Markdown as HTML that holds nothing but what Markdown can say; headings get ids under `prefix`."""
    parser = _parser()
    tokens = parser.parse(text)
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag != "h1":
            token.attrSet("id", f"{prefix}/{anchor(plain(tokens[at + 1].content))}")
        for child in token.children or ():
            _tame(child)
    return str(parser.renderer.render(tokens, parser.options, {}))


def _tame(token: Token) -> None:
    """Links lead inside or to the web, and say so; what cannot lead anywhere is words."""
    if token.type != "link_open":
        return
    to = str(token.attrGet("href") or "")
    token.attrs = {}
    if to.startswith("#q/") and to[3:] in _SAID:
        token.attrs = {"class": "said-by", "title": _SAID[to[3:]]}
    elif re.match(r"#[tf]/|#.*/source-\d+$", to):
        token.attrs = {"class": "cite", "href": to}
    elif to.startswith("#"):
        token.attrs = {"href": to}
    elif to.lower().startswith(_WEB):
        token.attrs = {"href": to, "rel": "noopener noreferrer nofollow", "class": "out"}


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
