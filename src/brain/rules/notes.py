# ruff: noqa: E501 — examples and messages read better unwrapped
"""NOT: one snippet a line, each with its one source and an id of its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain

from brain.errors import FormatError
from brain.rules.context import Context
from brain.rules.rule import Found, graph_rule
from brain.text import count_words
from brain.tree import markdown, uri
from brain.tree.layout import FileClass, classify
from brain.tree.note import MAX_LINES
from brain.types import Severity

_NAME = re.compile(r" \^(n[0-9a-z]{8})$", re.ASCII | re.MULTILINE)


@graph_rule("NOT001", "E/W")
def snippet_form(check: Context) -> Iterator[Found]:
    """A note line is `- <day> · <sentence> <one source> ^<id>`, at most 40 words (W above), its id used nowhere else (†).

    Bad:
        === notes/preferences/figures.md
        - 2026-06-21 · Wants figures as PDF, not PNG. ^n4k7q2m9a
    Good:
        === notes/preferences/figures.md
        - 2026-06-21 · Wants figures as PDF, not PNG. <session://1eaf53d4-09e0-5823-bb96-c8662f582708#t5> ^n4k7q2m9a
    """
    seen: dict[str, tuple[str, int]] = {}
    changed = set(check.changed)
    files = [path for path in check.staged.paths("notes/") if classify(path) is FileClass.NOTE]
    names = {path: _NAME.findall(check.text(path) or "") for path in files}
    often = {name for name, count in Counter(chain.from_iterable(names.values())).items() if count > 1}
    for path in files:
        if path not in changed and often.isdisjoint(names[path]):
            continue  # reading every line of thousands of files takes a second
        notes = check.note(path)
        if notes is None:
            continue
        for snippet in notes.snippets:
            first = seen.setdefault(snippet.id, (path, snippet.line))
            if first != (path, snippet.line):
                yield Found(
                    f"the id {snippet.id} is that of {first[0]}:{first[1]}",
                    path=path,
                    line=snippet.line,
                    fix="run brain fmt, or remove one",
                )
        if path not in changed:
            continue
        for foreign in notes.foreign:
            if foreign.text.strip():
                yield Found(
                    "the line is no snippet",
                    path=path,
                    line=foreign.line,
                    fix="- <day or -> · <sentence> <session://…#t3> ^n<8 letters>",
                )
        if len(notes.snippets) > MAX_LINES:
            yield Found(
                f"the file has {len(notes.snippets)} snippets, more than {MAX_LINES}",
                path=path,
                line=1,
                fix="split it by subtopic",
            )
        for snippet in notes.snippets:
            yield from _snippet(check, path, snippet.line, snippet.text, snippet.uri)


def _snippet(check: Context, path: str, line: int, text: str, source: str) -> Iterator[Found]:
    words = count_words(markdown.plain(text))
    if words > check.config.limits.snippet_words:
        yield Found(
            f"the snippet has {words} words, more than {check.config.limits.snippet_words}",
            path=path,
            line=line,
            fix="one fact a line",
            severity=Severity.W,
        )
    try:
        if str(uri.parse(source)) != source:
            yield Found("the source is not in canonical form", path=path, line=line, fix=str(uri.parse(source)))
    except FormatError as error:
        yield Found(error.reason, path=path, line=line, fix="<session://<id>#t3>")
    if "<session://" in text or markdown.CITE.search(markdown.mask_inline(text)):
        yield Found("the snippet has more than one source", path=path, line=line, fix="one source a line")
    for link in markdown.links_in(text):
        if link.target.startswith("notes/"):
            yield Found("a note links to a note", path=path, line=line, fix="link to pages only")
