"""Printing what an id or a URI stands for: a page without its references, a note, a summary, turns behind a claim."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from brain.config import Config
from brain.errors import FormatError, NotFound, UsageError
from brain.explore.sources import Sources
from brain.text import normal_name
from brain.tree import frontmatter, layout, note, page
from brain.tree.files import FolderTree
from brain.tree.ids import SESSION, SNIPPET
from brain.tree.transcript import render_turn
from brain.tree.uri import SessionUri
from brain.types import Turn

_LINE = re.compile(r"\.md:\d+$")
_HIT = re.compile(r"(?:memory/)?sessions/(?:transcripts|summaries)/\S*-([0-9a-f]{8})\.md#(t\d+(?:-t\d+)?)")


def show(
    root: Path,
    what: str,
    *,
    cite: str | None = None,
    refs: bool = False,
    config: Config | None = None,
    tree: FolderTree | None = None,
) -> str:
    """The text of a page, note, summary, session, snippet or source.

    `what` is a page id, slug, title or alias, a note or snippet id, a session id or its first eight digits, a path of
    the tree, one with a line or turns as a search names them (`sessions/….md#t15`), or a source URI. `cite` (`cite:4`
    or `4`) shows what is behind that citation. `tree` is the folder as the one who asks may see it. Raises NotFound.
    """
    tree = tree or FolderTree(root)
    sources = Sources(root, config, tree)
    what = _LINE.sub(".md", what.strip())
    if cite is not None:
        return _cited(tree, sources, what, cite)
    if (hit := _HIT.fullmatch(what)) and (session := sources.session(hit[1])):
        what = f"session://{session}#{hit[2]}"
    if "://" in what:
        return source_text(sources, what)
    found = find_file(tree, what)
    if found is None and SNIPPET.fullmatch(what.removeprefix("^")):
        return _snippet(tree, what.removeprefix("^"))
    if found is None and (session := what if SESSION.fullmatch(what) else sources.session(what)):
        return source_text(sources, f"session://{session}")
    if found is None:
        raise NotFound(f"memory holds nothing named {what!r}", hint=f"brain search {what!r}")
    text = tree.read(found)
    return text if refs or not layout.page_id(found) else without_references(text)


def without_references(text: str) -> str:
    """A page's text up to its References, as a reader wants it."""
    return re.split(r"^## References[ \t]*$", text, maxsplit=1, flags=re.MULTILINE)[0].rstrip("\n") + "\n"


def source_text(sources: Sources, uri: str) -> str:
    """What a source URI stands for, turns with their heads. Raises FormatError, NotFound."""
    source = sources.parse(uri)
    if isinstance(source, SessionUri):
        return turns_text(sources.turns(source))
    return sources.text(source)


def turns_text(turns: Iterable[Turn]) -> str:
    """Turns as the transcript has them."""
    return "".join(map(render_turn, turns)).lstrip("\n")


def find_file(tree: FolderTree, what: str) -> str | None:
    """The path of a page, note or file by path, id, slug, title or alias; None when none, or several, are so named."""
    what = what.removeprefix("./").removeprefix("memory/").removesuffix(".md")
    for path in (what, f"{what}.md", layout.page_path(what), layout.note_path(what)):
        if layout.classify(path) not in {layout.FileClass.OTHER, layout.FileClass.STATE} and path in tree:
            return path
    pages = [path for path in FolderTree.paths(tree, "knowledge/") if layout.page_id(path)]  # names, seen or not
    bare = [path for path in pages if path.endswith(f"/{what}.md") and path in tree]
    if bare:
        return bare[0] if len(bare) == 1 else None
    wanted = normal_name(what)
    named = [path for path in pages if wanted and wanted in _names(tree, path)]
    return named[0] if len(named) == 1 else None


def _names(tree: FolderTree, path: str) -> set[str]:
    """Title and aliases of a page, without reading more of it than its frontmatter."""
    try:
        text = tree.read(path)
        meta, _, _ = frontmatter.parse(text[: text.find("\n---\n", 3) + 5], path)
    except (FormatError, NotFound):
        return set()
    title, aliases = meta.get("title", ""), meta.get("aliases", [])
    return {normal_name(name) for name in ([title] if isinstance(title, str) else title)} | {
        normal_name(name) for name in ([aliases] if isinstance(aliases, str) else aliases)
    }


def _cited(tree: FolderTree, sources: Sources, what: str, cite: str) -> str:
    path = find_file(tree, what)
    if path is None or not layout.page_id(path):
        raise NotFound(f"no page {what!r}", hint=f"brain search {what!r}")
    number = cite.strip("[]").removeprefix("cite:")
    if not number.isdigit():
        raise UsageError(f"not a citation: {cite!r}", hint=f"brain show {what} cite:1")
    reference = page.parse(tree.read(path), path).references.get(int(number))
    if reference is None:
        raise NotFound(f"page {what!r} has no citation {number}", hint=f"brain show {what} --refs")
    gloss = f' "{reference.gloss}"' if reference.gloss else ""
    return f"[cite:{number}]: {reference.uri}{gloss}\n\n{source_text(sources, reference.uri)}"


def _snippet(tree: FolderTree, snippet: str) -> str:
    for path in tree.paths("notes/"):
        text = tree.read(path)
        if f"^{snippet}" in text:
            for found in note.parse(text, path).snippets:
                if found.id == snippet:
                    return f"{path}:{found.line}\n{note.render_snippet(found)}\n"
    raise NotFound(f"no note line ^{snippet}")
