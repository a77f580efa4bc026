"""`brain fmt`: everything a program can mend, so that authors write sentences and sources and no more.

Idempotent: a second run changes nothing. Only files that are asked for are touched, and only where a rule of severity A
(or the authoring form of sources) has something to say; all other lines stay byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress

from brain.errors import FormatError, NotFound
from brain.rules.citations import is_scattered
from brain.rules.context import parse_uri
from brain.rules.evidence import Evidence, TreeEvidence
from brain.rules.frontmatter import normal_meta
from brain.rules.graph import Graph
from brain.rules.links import rewritten
from brain.text import clean, clip, one_line
from brain.tree import cites, frontmatter, markdown, page, sessions, uri
from brain.tree.claims import Claim, ClaimKind
from brain.tree.files import Tree
from brain.tree.ids import format_day, turns_text
from brain.tree.layout import SESSION_INDEX, FileClass, classify
from brain.tree.page import Page, Reference

_WRITTEN = frozenset({FileClass.PAGE, FileClass.NOTE, FileClass.SUMMARY})
_GLOSS = 72
_TOUCHING = re.compile(r"\](?=\[cite:)")
_MARKUP = re.compile(r"[\"\\`<>\[\]]")
_BLANKS = re.compile(r"[ \t]+(?=\n)")


def fmt(
    tree: Tree,
    paths: Iterable[str] | None = None,
    *,
    evidence: Evidence | None = None,
    stamp: tuple[str, str] | None = None,
) -> dict[str, str]:
    """New texts, by path, of the files among `paths` (None = all) that are not in their normal form.

    `evidence` gives the words for glosses (default: the tree's own transcripts). `stamp` is the time and actor that
    fill missing `created_at`, `updated_at` and `updated_by`; without it they stay missing. A page that does not read,
    or whose sources do not resolve, keeps what cannot be mended: rules say so.
    """
    wanted = sorted(tree.paths() if paths is None else set(paths))
    evidence = evidence or TreeEvidence(tree)
    graph: Graph | None = None
    resolve = _resolver(tree)
    out: dict[str, str] = {}
    for path in wanted:
        if classify(path) not in _WRITTEN:
            continue
        try:
            text = tree.read(path)
        except (NotFound, FormatError):
            continue
        new = tidy(text)
        if classify(path) is FileClass.PAGE:
            graph = graph or Graph.of(tree, lambda p: _read(tree, p))
            new = fmt_page(new, path, graph=graph, resolve=resolve, gloss=lambda u: gloss(u, evidence), stamp=stamp)
        if new != text:
            out[path] = new
    return out


def tidy(text: str) -> str:
    """Allowed code points, LF, NFC, no blanks at line ends, one newline at the end."""
    cleaned = _BLANKS.sub("", clean(text))
    return cleaned.rstrip("\n ") + "\n" if cleaned.strip() else cleaned


def fmt_page(
    text: str,
    path: str,
    *,
    graph: Graph,
    resolve: Callable[[str], str | None],
    gloss: Callable[[str], str],
    stamp: tuple[str, str] | None = None,
) -> str:
    """One page in its normal form; the text as it was when its frontmatter does not read."""
    try:
        shown = page.parse(text, path)
    except FormatError:
        return text
    shown = _links(shown, graph)
    shown = _separate(shown)
    shown = _gather(shown)
    with suppress(FormatError):  # CIT001 and CIT006 name the source that does not parse
        shown = cites.number_sources(shown, resolve, gloss)
    shown = _references(shown, gloss)
    return _meta(shown, stamp)


def gloss(source: str, evidence: Evidence) -> str:
    """Day, speaker and first words of the first cited turn: `2026-06-21 · user: Kyoto is hosted by…`."""
    found = parse_uri(source)
    if isinstance(found, uri.SessionUri):
        row = evidence.row(found.session)
        first = found.ranges[0][0] if found.ranges else 1
        turns = evidence.turns(found.session, first, first)
        if turns:
            turn = turns[0]
            day = turn.time or (row.started_at if row else None)
            said = clip(one_line(_MARKUP.sub(" ", turn.text)), _GLOSS)
            name = one_line(_MARKUP.sub(" ", turn.name or "")) or turn.role.value
            head = " · ".join(part for part in (format_day(day) if day else "", name) if part)
            return f"{head}: {said}" if said else head
        if row:
            return " · ".join(
                p
                for p in (format_day(row.started_at) if row.started_at else "", one_line(row.title), turns_text(first))
                if p
            )
    if isinstance(found, uri.FileUri):
        return found.path.rpartition("/")[2]
    if isinstance(found, uri.ConnectorUri):
        return " · ".join([found.at[:10], found.name, *(v for k, v in found.query if k in ("q", "id"))])
    return ""


def _links(shown: Page, graph: Graph) -> Page:
    body = _body(shown)
    return _with_body(shown, markdown.rewrite_links(body, lambda link: rewritten(link, graph)))


def _separate(shown: Page) -> Page:
    """A space between markers that touch, outside code."""
    if not any(_TOUCHING.search(hidden) for hidden in shown.masked):
        return shown
    lines = list(shown.lines)
    for number, hidden in enumerate(shown.masked, start=shown.body_line):
        for match in reversed(list(_TOUCHING.finditer(hidden))):
            line = lines[number - 1]
            lines[number - 1] = f"{line[: match.end()]} {line[match.end() :]}"
    return page.parse("\n".join(lines), shown.path)


def _gather(shown: Page) -> Page:
    """Markers from inside an item or row to its end, behind its full stop and its qualifiers."""
    lines = list(shown.lines)
    for claim in shown.claims:
        if claim.line == claim.end and is_scattered(claim):
            lines[claim.line - 1] = _gathered(lines[claim.line - 1], claim)
    return page.parse("\n".join(lines), shown.path) if tuple(lines) != shown.lines else shown


def _gathered(line: str, claim: Claim) -> str:
    bar = " |" if claim.kind is ClaimKind.ROW and line.rstrip().endswith("|") else ""
    whole = line.rstrip().removesuffix("|").rstrip() if bar else line.rstrip()
    hidden = markdown.mask_inline(whole)
    tail: list[str] = []
    quals: list[str] = []
    for pattern, kept in ((markdown.CITE, tail), (markdown.QUALIFIER, quals)):
        for match in reversed(list(markdown.unescaped(pattern, hidden))):
            kept.insert(0, whole[match.start() : match.end()])
            before = (
                whole[: match.start()].rstrip(" ")
                if whole[match.end() :].lstrip(" ")[:1] in ("", *".,;:!?…。！？")
                else whole[: match.start()]
            )
            whole = before + (
                whole[match.end() :].lstrip(" ")
                if before.endswith(" ") or whole[match.end() :].lstrip(" ")[:1] in ".,;:!?…。！？"
                else whole[match.end() :]
            )
            hidden = markdown.mask_inline(whole)
    return " ".join([whole.rstrip(), *dict.fromkeys(quals), *dict.fromkeys(tail)]) + bar


def _references(shown: Page, words: Callable[[str], str]) -> Page:
    """Definitions canonical, ascending, used, each with a gloss; nothing is renumbered."""
    if not shown.definitions or shown.stray:
        return shown
    used = shown.cites()
    kept: dict[int, Reference] = {}
    for reference in shown.definitions:
        if reference.number in kept:
            return shown  # CIT003 asks the author which one is meant
        if reference.number in used:
            source = parse_uri(reference.uri)
            canonical = str(source) if source else reference.uri
            kept[reference.number] = Reference(
                number=reference.number, uri=canonical, gloss=reference.gloss or words(canonical)
            )
    wanted = [kept[number] for number in sorted(kept)]
    now = [(r.number, r.uri, r.gloss) for r in shown.definitions]
    return shown if now == [(r.number, r.uri, r.gloss) for r in wanted] else cites.set_references(shown, wanted)


def _meta(shown: Page, stamp: tuple[str, str] | None) -> str:
    values = normal_meta(shown.meta)
    if stamp:
        time, actor = stamp
        for key, value in (("created_at", time), ("updated_at", time), ("updated_by", actor)):
            values.setdefault(key, value)
    said = values.get("next_cite", "")
    if not (isinstance(said, str) and said.isascii() and said.isdigit()) or int(said) < shown.next_cite:
        values["next_cite"] = str(shown.next_cite)
    return frontmatter.render(values, page.ORDER) + _body(shown)


def _body(shown: Page) -> str:
    return "\n".join(shown.lines[shown.body_line - 1 :])


def _with_body(shown: Page, body: str) -> Page:
    head = "\n".join(shown.lines[: shown.body_line - 1])
    text = f"{head}\n{body}"
    return shown if text == shown.text else page.parse(text, shown.path)


def _resolver(tree: Tree) -> Callable[[str], str | None]:
    """Session ids by their first digits, when only one begins so."""
    known: list[str] | None = None

    def resolve(start: str) -> str | None:
        nonlocal known
        if known is None:
            try:
                known = [row.id for row in sessions.parse_rows(tree.read(SESSION_INDEX))]
            except (NotFound, FormatError):
                known = []
        found = [name for name in known if name.startswith(start)]
        return found[0] if len(found) == 1 else None

    return resolve


def _read(tree: Tree, path: str) -> str | None:
    try:
        return tree.read(path)
    except (NotFound, FormatError):
        return None
