"""An Obsidian vault: pages with properties, links by path, sources as footnotes that open the turn, a coloured graph.

By Obsidian's help pages "Internal links", "Properties", "Aliases" and "Graph view" (2026-11): `aliases` and `tags` are
lists, links lead to a path from the vault's root and to a heading behind `#`, `.obsidian/graph.json` colours what a
search query finds. The title of a page is one of its aliases, so that it is found by name.
"""

from __future__ import annotations

import json

from brain.export import sittings
from brain.export.holdings import Holdings, Session
from brain.export.marks import LABEL, dressed, dressed_line
from brain.tree import frontmatter, markdown
from brain.tree.frontmatter import Value
from brain.tree.ids import format_time
from brain.tree.markdown import Wikilink, escape
from brain.tree.note import NO_DAY, NoteFile
from brain.tree.page import ORDER, Page, Reference

SESSIONS, ARTIFACTS = "references/sessions/", "references/artifacts/"
HOME = "Home.md"
RAW = ".raw"
_COLOURS = {
    "projects": 0xE0803C, "entities": 0x4C8DD6, "concepts": 0x58A55C, "learnings": 0xB36AE2, "notes": 0x9AA0A6,
    "references": 0x5F6368,
}  # fmt: skip
_FOLDERS = {"projects": "Projects", "entities": "Entities", "concepts": "Concepts", "learnings": "Learnings"}


def vault(held: Holdings) -> dict[str, bytes]:
    """The files of a vault, by path."""
    writing = _Vault(held)
    files = {f"{id}.md": writing.page(one) for id, one in held.pages.items()}
    files |= {f"{id}.md": writing.note(one) for id, one in held.notes.items()}
    files |= {f"{SESSIONS}{one.name}.md": writing.session(one) for one in held.sessions.values()}
    files[HOME] = writing.home()
    files |= settings()
    raw = {name: text.encode() for name, text in files.items()}
    return dict(sorted((raw | {artifact_path(name): data for name, data in held.files.items()}).items()))


def settings() -> dict[str, str]:
    """`.obsidian/`: what makes links and the graph work at the first opening. A folder that has them keeps its own."""
    groups = [{"query": f"path:{folder}/", "color": {"a": 1, "rgb": rgb}} for folder, rgb in _COLOURS.items()]
    graph = {"search": "-path:references/ -file:Home", "hideUnresolved": True, "showArrow": True, "colorGroups": groups}
    app = {"alwaysUpdateLinks": True, "newLinkFormat": "absolute", "useMarkdownLinks": False}
    types = {"created_at": "datetime", "updated_at": "datetime", "stale_after": "date", "pinned": "checkbox"}
    return {
        ".obsidian/graph.json": json.dumps(graph, indent=2) + "\n",
        ".obsidian/app.json": json.dumps(app, indent=2) + "\n",
        ".obsidian/types.json": json.dumps({"types": types}, indent=2) + "\n",
    }


def artifact_path(name: str) -> str:
    """Where a file that is cited lies; Markdown under another ending, as it is no page of the vault."""
    return f"{ARTIFACTS}{name}{RAW}" if name.lower().endswith(".md") else f"{ARTIFACTS}{name}"


def label_of(title: str) -> str:
    """A title as the words of a wikilink: nothing in it ends the link, or opens code that runs past it."""
    words = title.replace("`", "'").replace("\\", "/")
    return markdown.wikilink("x", words).removeprefix("[[x").removesuffix("]]").removeprefix("|")


class _Vault:
    def __init__(self, held: Holdings) -> None:
        self.held = held

    def page(self, shown: Page) -> str:
        values = dict(shown.meta)
        if shown.title and shown.title not in shown.aliases:
            values["aliases"] = [shown.title, *shown.aliases]
        return frontmatter.render(values, ORDER) + dressed(shown, self._link, self._definition)

    def note(self, file: NoteFile) -> str:
        values: dict[str, Value] = {"id": file.id, "type": "note", "title": file.title, "aliases": [file.title]}
        if file.updated_at:
            values["updated_at"] = format_time(file.updated_at)
        lines, notes = [], []
        for s in file.snippets:
            said = f" ^[{s.qualifier.value}]" if s.qualifier else ""
            lines.append(f"- {s.day or NO_DAY} · {dressed_line(s.text, self._link)}{said} [^{s.id}] ^{s.id}")
            notes.append(f"[^{s.id}]: {self._source(s.uri, '')}")
        head = frontmatter.render(values) + f"# {escape(file.title)}"
        return "\n".join([head, "", *lines, "", "## References", *notes, ""])

    def session(self, one: Session) -> str:
        values: dict[str, Value] = {"type": "session", "title": one.row.title, "aliases": [one.row.title]}
        return frontmatter.render(values | sittings.meta(one)) + sittings.body(one)

    def home(self) -> str:
        """A page to start from: every page by kind, with its description."""
        out = ["# Home"]
        for folder, name in _FOLDERS.items():
            inside = [(id, one) for id, one in self.held.pages.items() if id.startswith(f"{folder}/")]
            out += ["", f"## {name}"] if inside else []
            out += [f"- [[{id}|{label_of(one.title) or id}]] — {escape(one.description)}" for id, one in inside]
        if self.held.notes:
            out += ["", "## Notes", *(f"- [[{id}|{label_of(n.title) or id}]]" for id, n in self.held.notes.items())]
        return "\n".join([*out, ""])

    def _link(self, link: Wikilink) -> str:
        words = link.label or label_of(self.held.titles.get(link.target, "")) or link.target
        where = f"#{link.heading}" if link.heading else ""
        return f"[[{link.target}{where}|{words}]]"

    def _definition(self, reference: Reference) -> str:
        return f"[^{LABEL}{reference.number}]: {self._source(reference.uri, reference.gloss)}"

    def _source(self, source: str, gloss: str) -> str:
        """A footnote: a link to the turn where it came along, its words, and the source to the letter."""
        found = self.held.place(source)
        parts = []
        if found:
            name, turn = found
            parts.append(f"[[{SESSIONS}{name}#t{turn}|t{turn}]]" if turn else f"[[{artifact_path(name)}|file]]")
        if gloss:
            parts.append(escape(gloss))
        return " · ".join([*parts, f"`{source}`"])
