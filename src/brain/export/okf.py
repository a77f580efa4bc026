"""An Open Knowledge Format 0.2 bundle: a folder of concepts with provenance, trust and lifecycle in their frontmatter.

By the specification, `okf/SPEC.md` of GoogleCloudPlatform/knowledge-catalog as of 2026-08-21: pages are concepts (§4),
their sources stand in `sources` and are cited by footnotes (§5.1), who wrote and who confirmed them in `generated` and
`verified` (§5.2), links lead from the bundle's root (§6.1), evidence lies in `references/` (§6.3), `index.md` and
`log.md` have the form of §8 and §9. What the format has no key for is kept under `brain`, so that a bundle comes back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from brain.export import sittings
from brain.export.holdings import Holdings, Session
from brain.export.marks import LABEL, anchor, dressed, dressed_line, link_text
from brain.text import clip, counted, one_line
from brain.tree.frontmatter import render_line
from brain.tree.ids import format_time
from brain.tree.markdown import Wikilink, escape, plain
from brain.tree.note import NO_DAY, NoteFile
from brain.tree.page import ORDER, Page, Reference

VERSION = "0.2"
TYPES = {"entity": "Entity", "concept": "Concept", "project": "Project", "learning": "Learning"}
SESSIONS, ARTIFACTS = "references/sessions/", "references/artifacts/"
RAW = ".raw"
"""What is put behind the name of an artifact in Markdown: a bundle's `.md` files are concepts."""

_RESERVED = frozenset({"index", "log"})
_SAID = frozenset({"type", "title", "description", "tags"})
_SIGNS = {"+": "Creation", "~": "Update", "−": "Removal"}
_FOLDERS = ("projects", "entities", "concepts", "learnings", "notes", "references")
_CONTROL = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")


def bundle(held: Holdings) -> dict[str, bytes]:
    """The files of a bundle, by path."""
    writing = _Bundle(held)
    files = {path(id): writing.page(one) for id, one in held.pages.items()}
    files |= {path(id): writing.note(one) for id, one in held.notes.items()}
    files |= {f"{SESSIONS}{one.name}.md": writing.session(one) for one in held.sessions.values()}
    files |= writing.indexes(files)
    if held.log:
        files["log.md"] = writing.log()
    raw = {name: text.encode() for name, text in files.items()}
    return dict(sorted((raw | {artifact_path(name): data for name, data in held.files.items()}).items()))


def path(id: str) -> str:
    """Where a page or note lies: by its id, but for the two names that the format keeps for itself."""
    name = id.rpartition("/")[2]
    return f"{id}-page.md" if name in _RESERVED else f"{id}.md"


def artifact_path(name: str) -> str:
    """Where a file that is cited lies."""
    return f"{ARTIFACTS}{name}{RAW}" if name.lower().endswith(".md") else f"{ARTIFACTS}{name}"


class _Bundle:
    def __init__(self, held: Holdings) -> None:
        self.held = held

    # -- concepts

    def page(self, shown: Page) -> str:
        own = {key: value for key, value in shown.meta.items() if key not in _SAID}
        front: list[tuple[str, object]] = [
            ("type", TYPES.get(shown.type, shown.type or "Page")),
            ("title", shown.title),
            ("description", shown.description),
        ]
        if shown.tags:
            front.append(("tags", list(shown.tags)))
        front.append(("status", "deprecated" if shown.superseded_by else "stable"))
        front += [("stale_after", f"{shown.stale_after.isoformat()}T00:00:00Z")] if shown.stale_after else []
        by, at = shown.get("updated_by"), shown.get("updated_at")
        if by:
            front.append(("generated", {"by": by, "at": at} if at else {"by": by}))
        if verified := [_event(line) for line in shown.get_list("verified")]:
            front.append(("verified", verified))
        if sources := [self._source(f"{LABEL}{d.number}", d.uri, d.gloss) for d in shown.references.values()]:
            front.append(("sources", sources))
        front.append(("brain", {key: own[key] for key in (*ORDER, *sorted(own)) if key in own}))
        return _front(front) + dressed(shown, self._link, self._definition)

    def note(self, file: NoteFile) -> str:
        front: list[tuple[str, object]] = [("type", "Note"), ("title", file.title)]
        when = format_time(file.updated_at) if file.updated_at else ""
        front.append(("sources", [self._source(s.id, s.uri, "") for s in file.snippets]))
        front.append(("brain", {"id": file.id, "updated_at": when} if when else {"id": file.id}))
        lines = []
        for s in file.snippets:
            said = f" ^[{s.qualifier.value}]" if s.qualifier else ""
            lines.append(f"- {s.day or NO_DAY} · {dressed_line(s.text, self._link)}{said} [^{s.id}]")
        notes = [f"[^{s.id}]: {self._place(s.uri, s.uri)}" for s in file.snippets]
        return "\n".join([_front(front) + f"# {escape(file.title)}", "", *lines, "", "## References", *notes, ""])

    def session(self, one: Session) -> str:
        told = one.summary.summary if one.summary else ""
        front: list[tuple[str, object]] = [("type", "Session"), ("title", one.row.title)]
        front += [("description", clip(plain(told), 160))] if told else []
        return _front([*front, *sittings.meta(one).items()]) + sittings.body(one)

    # -- edges

    def _link(self, link: Wikilink) -> str:
        title = self.held.titles.get(link.target, link.target)
        words = link.label if link.label else link_text(title)
        where = f"#{quote(anchor(link.heading))}" if link.heading else ""
        return f"[{words}](/{path(link.target)}{where})"

    def _definition(self, reference: Reference) -> str:
        words = reference.gloss or reference.uri
        return f"[^{LABEL}{reference.number}]: {self._place(reference.uri, words)}"

    def _place(self, source: str, words: str) -> str:
        """A footnote: its words, as a link where the evidence came along."""
        where = self._resource(source)
        return f"[{link_text(words)}]({where})" if where.startswith("/") else escape(words)

    def _resource(self, source: str) -> str:
        found = self.held.place(source)
        if found is None:
            return source
        name, turn = found
        return f"/{SESSIONS}{name}.md#t{turn}" if turn else f"/{quote(artifact_path(name))}"

    def _source(self, id: str, source: str, gloss: str) -> dict[str, str]:
        entry = {"id": id, "resource": self._resource(source), "uri": source}
        return entry | {"title": gloss} if gloss else entry

    # -- what the format reserves

    def indexes(self, files: Mapping[str, str]) -> dict[str, str]:
        """`index.md` of the root and of every folder of concepts."""
        folders: dict[str, list[tuple[str, str, str]]] = {}
        for id, one in self.held.pages.items():
            folders.setdefault(id.rpartition("/")[0], []).append((path(id), one.title, one.description))
        for id, file in self.held.notes.items():
            lines = counted(len(file.snippets), "line")
            folders.setdefault(id.rpartition("/")[0], []).append((path(id), file.title, lines))
        for sat in self.held.sessions.values():
            about = plain(sat.summary.summary) if sat.summary else ""
            folders.setdefault(SESSIONS.rstrip("/"), []).append(
                (f"{SESSIONS}{sat.name}.md", sat.row.title, clip(about, 160))
            )
        out = {f"{folder}/index.md": _listing(folder, entries) for folder, entries in folders.items()}
        tops = [top for top in _FOLDERS if any(name.startswith(f"{top}/") for name in files)]
        rows = []
        for top in tops:
            inside = sorted(folder for folder in folders if folder == top or folder.startswith(f"{top}/"))
            for folder in inside:
                count = len(folders[folder])
                rows.append(f"* [{folder}]({folder}/index.md) - {counted(count, 'concept')}")
        root = "# Folders\n\n" + "".join(f"{row}\n" for row in rows)
        return out | {"index.md": f'---\nokf_version: "{VERSION}"\n---\n\n{root}'}

    def log(self) -> str:
        """`log.md`: newest first, by day."""
        out, day = ["# Log"], ""
        for entry in self.held.log:
            here = format_time(entry.at)[:10]
            if here != day:
                out += ["", f"## {here}"]
                day = here
            for change in entry.pages:
                title = link_text(self.held.titles.get(change.page, change.page))
                note = f" — {escape(change.note)}" if change.note else ""
                out.append(f"* **{_SIGNS[change.sign]}**: [{title}](/{path(change.page)}){note}")
        return "\n".join([*out, ""])


def _listing(folder: str, entries: Sequence[tuple[str, str, str]]) -> str:
    rows = []
    for name, title, about in sorted(entries):
        tail = f" - {escape(about)}" if about else ""
        rows.append(f"* [{link_text(title or name)}]({quote(name.rpartition('/')[2])}){tail}\n")
    heading = folder.rpartition("/")[2].replace("-", " ").capitalize()
    return f"# {heading}\n\n{''.join(rows)}"


def _event(line: str) -> dict[str, str]:
    """`human:nadia 2026-08-06T07:51:00Z` as one verification event."""
    by, _, at = one_line(line).partition(" ")
    return {"by": by, "at": at} if at else {"by": by}


def _front(values: Sequence[tuple[str, object]]) -> str:
    lines = []
    for key, value in values:
        if isinstance(value, str):
            lines.append(render_line(key, value))
        elif isinstance(value, dict):
            lines.append(f"{key}: {_flow(value)}")
        elif isinstance(value, list) and all(isinstance(item, str) for item in value):
            lines.append(render_line(key, value))
        elif isinstance(value, list):
            lines += [f"{key}:", *(f"  - {_flow(item)}" for item in value)]
    return "---\n" + "".join(f"{line}\n" for line in lines) + "---\n"


def _flow(value: object) -> str:
    """JSON, which is YAML; the few characters that YAML reads otherwise are escaped."""
    return _CONTROL.sub(lambda m: f"\\u{ord(m.group()):04x}", json.dumps(value, ensure_ascii=False))
