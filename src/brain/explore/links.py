"""The edges of a page: what it links to, what links to it, and the evidence it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from brain.config import Config
from brain.errors import FormatError, NotFound
from brain.explore.show import find_file
from brain.explore.sources import Sources
from brain.tree import layout, markdown, page
from brain.tree.files import FolderTree


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """One wikilink. `page` is the other end: a page id, or for backlinks the path of a note or summary.

    `said` is the line it stands in, without markup; `exists` is False where a link leads nowhere.
    """

    page: str
    title: str
    line: int
    said: str
    exists: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One source of the page, with how often it is cited. `exists` is False where it leads nowhere."""

    number: int
    uri: str
    gloss: str
    used: int
    exists: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    page: str
    title: str
    out: tuple[Edge, ...]
    back: tuple[Edge, ...]
    evidence: tuple[Evidence, ...]

    def lines(self) -> Iterator[str]:
        """For a person, grouped by direction."""
        yield f"{self.page} — {self.title}"
        for head, edges in (("links to", self.out), ("linked from", self.back)):
            yield f"{head}: {len(edges)}"
            for edge in edges:
                yield f"  {edge.page} — {edge.title}" + ("" if edge.exists else " (missing)")
        yield f"evidence: {len(self.evidence)}"
        for source in self.evidence:
            gloss = f' "{source.gloss}"' if source.gloss else ""
            yield f"  [cite:{source.number}] ×{source.used} {source.uri}{gloss}" + (
                "" if source.exists else " (missing)"
            )


def links(root: Path, what: str, *, config: Config | None = None, tree: FolderTree | None = None) -> Links:
    """The edges of the page with that id, slug, title or alias, in the folder or as `tree` sees it. Raises NotFound."""
    tree = tree or FolderTree(root)
    path = find_file(tree, what)
    own = layout.page_id(path) if path else None
    if path is None or own is None:
        raise NotFound(f"no page {what!r}", hint=f"brain search {what!r}")
    found = page.parse(tree.read(path), path)
    return Links(
        page=own,
        title=found.title,
        out=tuple(_out(tree, found)),
        back=tuple(_back(tree, own)),
        evidence=tuple(_evidence(Sources(root, config, tree), found)),
    )


def _out(tree: FolderTree, found: page.Page) -> Iterator[Edge]:
    seen = set()
    for link in page.links(found):
        if link.target in seen:
            continue
        seen.add(link.target)
        target = find_file(tree, link.target)
        title = _title(tree, target) if target else link.label or link.target
        name = (layout.page_id(target) if target else None) or link.target
        said = markdown.plain(found.lines[link.line - 1].lstrip("- "))
        yield Edge(page=name, title=title, line=link.line, said=said, exists=target is not None)


def _back(tree: FolderTree, own: str) -> Iterator[Edge]:
    slug = own.rpartition("/")[2]
    for under in ("knowledge/", "notes/", "sessions/summaries/"):
        for path in tree.holding(under, f"[[{own}".encode(), f"[[{slug}".encode()):
            if path == layout.page_path(own) or layout.is_generated(path):
                continue
            text = tree.read(path)
            for link in markdown.links_in(text):
                if link.target in {own, slug}:
                    said = markdown.plain(text.split("\n")[link.line - 1].lstrip("- "))
                    name = layout.page_id(path) or path
                    yield Edge(page=name, title=_title(tree, path), line=link.line, said=said)
                    break


def _evidence(sources: Sources, found: page.Page) -> Iterator[Evidence]:
    used: dict[int, int] = {}
    for marker in found.markers():
        if marker.number is not None:
            used[marker.number] = used.get(marker.number, 0) + 1
    for number, reference in sorted(found.references.items()):
        yield Evidence(
            number=number,
            uri=reference.uri,
            gloss=reference.gloss,
            used=used.get(number, 0),
            exists=sources.exists(reference.uri),
        )


def _title(tree: FolderTree, path: str) -> str:
    try:
        return page.parse(tree.read(path), path).get("title") or path
    except FormatError:
        return path
