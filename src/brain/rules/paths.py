"""PTH: where files may lie and what bytes they may hold."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator

from brain.rules.context import Context, executable_or_linked
from brain.rules.rule import Found, graph_rule, path_rule
from brain.text import forbidden, normal_name
from brain.tree.layout import FileClass, classify, is_generated

_UNSIZED = {FileClass.TRANSCRIPT, FileClass.ARTIFACT, FileClass.STATE, FileClass.CONTROL}


@path_rule("PTH001")
def allowed_path(path: str, check: Context) -> Iterator[Found]:
    """The path is one the format knows, its slugs are valid, it is NFC and at most 200 bytes.

    Bad:
        === knowledge/people/Aiko.md
        # Aiko
    Good:
        === knowledge/entities/aiko.md
        # Aiko
    """
    if path not in check.staged or _unsafe(path):
        return
    if len(path.encode("utf-8", "surrogatepass")) > 200:
        yield Found("the path is longer than 200 bytes", fix="shorten the slug")
    elif unicodedata.normalize("NFC", path) != path:
        yield Found("the path is not in normal form NFC", fix=unicodedata.normalize("NFC", path))
    elif classify(path) in (FileClass.OTHER, FileClass.STATE):
        yield Found(
            f"{path!r} is no place of the format",
            fix="knowledge/{entities,concepts,projects,learnings}/<slug>.md, notes/<topic>/<slug>.md or "
            "sessions/summaries/<year>/<stem>.md, slugs of a-z, 0-9 and single hyphens, at most 64 long",
        )


def _unsafe(path: str) -> str | None:
    parts = path.split("/")
    if path.startswith(("/", "\\")) or (len(path) > 1 and path[1] == ":"):
        return "is absolute"
    if ".." in parts or "" in parts or "\\" in path:
        return "leaves its folder or is not normal"
    if classify(path) in (FileClass.CONTROL, FileClass.STATE):
        return None
    return "is hidden" if any(part.startswith(".") for part in parts) else None


@path_rule("PTH002")
def plain_file(path: str, check: Context) -> Iterator[Found]:
    """A plain file: no link, device or executable bit, not hidden, no `..`, not absolute.

    Bad:
        === knowledge/entities/.aiko.md
        # Aiko
    Good:
        === knowledge/entities/aiko.md
        # Aiko
    """
    if path not in check.staged and executable_or_linked(check.staged, path) is None:
        return
    wrong = _unsafe(path) or executable_or_linked(check.staged, path)
    if wrong:
        yield Found(f"the file {wrong}", fix="keep a regular file with mode 0600 at a visible path inside the tree")


@graph_rule("PTH003")
def no_collision(check: Context) -> Iterator[Found]:
    """No two paths are one on a file system that folds case or compatibility forms (†).

    Bad:
        === sessions/artifacts/1eaf53d4-09e0-5823-bb96-c8662f582708/Plan.txt
        a
        === sessions/artifacts/1eaf53d4-09e0-5823-bb96-c8662f582708/plan.txt
        b
    Good:
        === sessions/artifacts/1eaf53d4-09e0-5823-bb96-c8662f582708/plan-1.txt
        a
        === sessions/artifacts/1eaf53d4-09e0-5823-bb96-c8662f582708/plan-2.txt
        b
    """
    folded: dict[str, list[str]] = defaultdict(list)
    for path in check.staged.paths():
        key = path if path.isascii() and path == path.lower() else normal_name(path)
        folded[key].append(path)
    for same in folded.values():
        for other in same[1:]:
            yield Found(f"the path is the same as {same[0]!r} on some file systems", path=other, fix="rename one")


@path_rule("PTH004")
def readable_bytes(path: str, check: Context) -> Iterator[Found]:
    """Valid UTF-8 in normal form, LF, a final newline, no forbidden code points, at most 64 KiB.

    Bad:
        ## Facts
        - The host is Sora\\u202e City Lab. [cite:1]
    Good:
        ## Facts
        - The host is Sora City Lab. [cite:1]
    """
    kind = classify(path)
    if path not in check.staged or kind in _UNSIZED:
        return
    text = check.text(path)
    if text is None:
        yield Found("the file is not UTF-8", fix="save it as UTF-8 without BOM")
        return
    limit = check.config.limits.file_bytes
    if (
        not is_generated(path)
        and len(text) * 4 > limit
        and (size := len(text.encode("utf-8", "surrogatepass"))) > limit
    ):
        yield Found(f"the file has {size} bytes, more than {limit}", fix="split it by subject")
    bad = forbidden(text)
    for at, name in bad[:5]:
        yield Found(
            f"{name} is not allowed in files of the tree", line=text.count("\n", 0, at) + 1, fix="run brain fmt"
        )
    if not bad and unicodedata.normalize("NFC", text) != text:
        yield Found("the text is not in normal form NFC", fix="run brain fmt")
    if text and not text.endswith("\n"):
        yield Found("the last line has no newline", line=text.count("\n") + 1, fix="run brain fmt")
