# ruff: noqa: E501 — examples and messages read better unwrapped
"""The wiki as a graph: names and links of every page, read lightly so that thousands of pages take a fraction of a second."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from brain.errors import FormatError
from brain.text import normal_name
from brain.tree import frontmatter, markdown
from brain.tree.files import Tree
from brain.tree.layout import page_id
from brain.tree.markdown import Wikilink


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFacts:
    """What the graph knows of one page; `id` is its path's. `readable` is False when the frontmatter does not read."""

    id: str
    path: str
    said_id: str = ""
    title: str = ""
    aliases: tuple[str, ...] = ()
    status: str = ""
    superseded_by: str | None = None
    links: tuple[Wikilink, ...] = ()
    readable: bool = True


class Graph:
    """Pages by id, in order of path."""

    def __init__(self, pages: Mapping[str, PageFacts]) -> None:
        self.pages = pages

    @classmethod
    def of(cls, tree: Tree, read: Callable[[str], str | None]) -> Graph:
        found: dict[str, PageFacts] = {}
        for path in tree.paths("knowledge/"):
            name = page_id(path)
            text = read(path) if name else None
            if name and text is not None:
                found[name] = _facts(path, name, text)
        return cls(found)

    @cached_property
    def by_slug(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for name in self.pages:
            found[name.rpartition("/")[2]].append(name)
        return found

    @cached_property
    def by_name(self) -> dict[str, list[str]]:
        """Ids by folded title and alias; superseded pages give no names."""
        found: dict[str, list[str]] = defaultdict(list)
        for name, facts in self.pages.items():
            if facts.superseded_by:
                continue
            for called in dict.fromkeys(normal_name(n) for n in (facts.title, *facts.aliases) if n):
                found[called].append(name)
        return found

    @cached_property
    def inbound(self) -> dict[str, list[tuple[str, int]]]:
        """Page id → (id, line) of the links that lead to it."""
        found: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for name, facts in self.pages.items():
            for link in facts.links:
                target = self.resolve(link.target)
                if target:
                    found[target].append((name, link.line))
        return found

    def resolve(self, target: str) -> str | None:
        """The id a link target means: the id itself, a slug or a name that only one page has (format §5.1)."""
        if target in self.pages:
            return target
        slugs = self.by_slug.get(target, [])
        if len(slugs) == 1:
            return slugs[0]
        called = self.by_name.get(normal_name(target), [])
        return called[0] if len(called) == 1 else None

    def final(self, name: str) -> str:
        """The page that stands for a superseded one, one hop further; the page itself otherwise."""
        facts = self.pages.get(name)
        onward = facts.superseded_by if facts else None
        return onward if onward and onward in self.pages else name

    def nearest(self, target: str) -> str | None:
        """An existing id that a wrong target was probably meant to be."""
        slug = target.rpartition("/")[2].removesuffix(".md")
        exact = self.by_slug.get(slug, []) or self.by_name.get(normal_name(slug.replace("-", " ")), [])
        if exact:
            return exact[0]
        parts = {p for p in slug.split("-") if len(p) > 2}
        scored = sorted(
            ((len(parts & set(name.rpartition("/")[2].split("-"))), name) for name in self.pages),
            key=lambda s: (-s[0], s[1]),
        )
        return scored[0][1] if scored and scored[0][0] > 0 else None


@lru_cache(maxsize=32768)
def _facts(path: str, name: str, text: str) -> PageFacts:
    try:
        meta, body, first = frontmatter.parse(text, path)
    except FormatError:
        return PageFacts(id=name, path=path, readable=False)

    def one(key: str) -> str:
        value = meta.get(key, "")
        return value if isinstance(value, str) else ""

    aliases = meta.get("aliases", [])
    links = markdown.links_in(body) if "[[" in body else []
    return PageFacts(
        id=name,
        path=path,
        said_id=one("id"),
        title=one("title"),
        aliases=(aliases,) if isinstance(aliases, str) else tuple(aliases),
        status=one("status"),
        superseded_by=one("superseded_by") or None,
        links=tuple(
            Wikilink(
                target=w.target, label=w.label, heading=w.heading, line=w.line + first - 1, start=w.start, end=w.end
            )
            for w in links
        ),
    )
