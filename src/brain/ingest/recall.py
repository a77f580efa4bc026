"""Memory that came back: blocks recalled into a prompt, our own index and pages, answers of memory tools.

Mined again they would feed on themselves (one wrong fact, restated in every session), so none of it is stored as
anybody's words: inside a message it is cut out, a tool result that is nothing else becomes a one-line stub.
"""

from __future__ import annotations

import re

from brain.ingest.markup import close_of, code_ranges

_WHOSE = (
    r"recalled|relevant|retrieved|related|user|long[-_ ]?term|stored|past|agent|session|core|saved|brain|mem0|zep"
    r"|supermemory|hindsight|openclaw|letta|claude[-_ ]?mem|auto"
)
_NAMES = (
    rf"(?:(?:{_WHOSE})[-_ ]?)?memor(?:y|ies)(?:[-_ ](?:context|block|blocks|recall|index))?|recall(?:ed)?"
    r"|mem[-_ ]context|claude[-_ ]mem[-_ ]context|supermemory[-_ ]context|past[-_ ]conversations|facts|entities"
)
_TAG = re.compile(rf"<(?P<tag>{_NAMES})(?:\s[^<>]{{0,300}})?>", re.IGNORECASE)
_GENERIC = re.compile(r"facts|entities|recall|memory|memories", re.IGNORECASE)  # common words: cut only when closed
_HEADING = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*|\*\*|\[)?"
    r"(?:(?:here are|these are|below are|you have|i have|the following are)[^\n:]{0,40})?"
    r"(?:(?:relevant|recalled|retrieved|related|user(?:'s)?|stored|long[- ]term|past|saved|existing)[ \t]+){1,3}"
    r"(?:memory|memories|memory context|facts from memory)(?:[ \t]+[^\n:]{0,60})?"
    r"(?:\*\*[ \t]*:?|:(?:\*\*)?|\]|(?<=(?i:memories)))[ \t]*\n(?=[ \t]*\n?[ \t]*(?:[-*•+]|\d{1,3}[.)])[ \t])",
    re.IGNORECASE | re.MULTILINE,
)
_LIST_LINE = re.compile(
    r"[ \t]*(?:[-*•+]|\d{1,3}[.)])[ \t][^\n]*(?:\n(?:[ \t]{2,}[^\n]+)?)*|[ \t]*\n(?=[ \t]*(?:[-*•+]|\d{1,3}[.)])[ \t])"
)
_INDEX = re.compile(r"<!--\s*brain-index v\d")
_INDEX_LINE = re.compile(
    r"\s*$|<!--|# Brain index\s*$|Read a page:|## (?:Profile|Projects|Entities|Concepts|Learnings|Pinned)\b"
    r"|[a-z0-9]+(?:[-/][a-z0-9]+)* — .*|\(\+\d+ .*\)\s*$"
)
_INDEX_END = re.compile(r"<!--\s*/\s*brain-index[^>]*-->|<!--\s*end brain-index[^>]*-->")
_OURS = re.compile(
    r"^(?:\d+[\t→])?\s*(?:next_cite: \d+|type: (?:session_summary|transcript))\s*$"
    r"|^(?:\S+?[:-](?:\d+[:-])?)?\[cite:\d+\]: (?:session|file|connector)://"
    r"|<session://[0-9a-f-]{36}#t\d[^>]*>\s*\^n[0-9a-z]{8}"
    r"|<!--\s*brain-index v\d",
    re.MULTILINE,
)
_FRONTMATTER = re.compile(
    r"^---[ \t]*\n(?=(?:[a-z_-]+:[^\n]*\n)*?"
    r"type: (?:entity|concept|project|learning|note|session_summary|transcript)\b)"
    r"(?:[^\n]*\n){1,40}?---[ \t]*$",
    re.MULTILINE,
)
_TITLE = re.compile(r"#{1,3} [^\n]*")
_PAGE_PART = re.compile(r"\[cite:\d+\]|(?:session|connector)://\S|\^n[0-9a-z]{8}\b|^next_cite: \d+", re.MULTILINE)


def strip_memory(text: str) -> tuple[str, int]:
    """The text without blocks that a memory system put there, and how many there were."""
    count = 0
    if "<" in text:
        text, count = _strip_tags(text)
        if "brain-index" in text:
            text, more = _strip_index(text)
            count += more
    if "emor" in text:
        text, more = _strip_lists(text)
        count += more
    return text, count


def is_memory_text(text: str) -> bool:
    """Does this text come out of a Brain memory tree (page, note, summary, transcript or index)?"""
    return ("cite" in text or "session" in text or "brain-index" in text) and _OURS.search(text) is not None


def strip_pages(text: str) -> tuple[str, int]:
    """A message without what is quoted from a Brain page or note; the words around it stay."""
    if not is_memory_text(text):
        return text, 0
    count = 0
    while head := _FRONTMATTER.search(text):
        following = _FRONTMATTER.search(text, head.end())
        end = head.end()
        for mention in _PAGE_PART.finditer(text, head.end(), following.start() if following else len(text)):
            end = text.find("\n", mention.end()) % (len(text) + 1)
        text = text[: head.start()] + text[end:]
        count += 1
    paragraphs = re.split(r"(\n[ \t]*\n)", text)
    kept: list[str] = []
    for part in paragraphs:
        if not _PAGE_PART.search(part):
            kept.append(part)
            continue
        count += 1
        while kept and (not kept[-1].strip() or _TITLE.fullmatch(kept[-1].strip())):
            kept.pop()  # the heading it stood under
    return "".join(kept), count


def _strip_tags(text: str) -> tuple[str, int]:
    out: list[str] = []
    at = count = 0
    code: list[tuple[int, int]] | None = None
    while match := _TAG.search(text, at):
        if code is None:
            code = code_ranges(text)
        end = close_of(text, match.end(), match["tag"])
        if (
            _GENERIC.fullmatch(match["tag"])
            and match["tag"].lower() in ("facts", "entities")
            and not match["tag"].isupper()
        ):
            out.append(text[at : match.end()])  # only memory services write these in capitals
            at = match.end()
            continue
        quoted = any(start <= match.start() < stop for start, stop in code)
        if quoted or (end is None and (_GENERIC.fullmatch(match["tag"]) or not _opens_line(text, match.start()))):
            out.append(text[at : match.end()])
            at = match.end()
            continue
        out.append(text[at : match.start()])
        at = end[1] if end else len(text)
        count += 1
    return "".join(out) + text[at:], count


def _opens_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()


def _strip_index(text: str) -> tuple[str, int]:
    """Cut our index block: from its comment to its end mark, else to the first line an index cannot have."""
    count = 0
    while match := _INDEX.search(text):
        start = text.rfind("\n", 0, match.start()) + 1
        start = match.start() if text[start : match.start()].strip() else start
        mark = _INDEX_END.search(text, match.start())
        end = mark.end() if mark else start
        if not mark:
            for line in text[start:].splitlines(keepends=True):
                if end > start and not _INDEX_LINE.match(line):
                    break
                end += len(line)
        text = text[:start] + text[end:]
        count += 1
    return text, count


def _strip_lists(text: str) -> tuple[str, int]:
    """Cut lists under a heading such as "Relevant memories:" or "## User memories"."""
    count = at = 0
    while match := _HEADING.search(text, at):
        end = match.end()
        while (line := _LIST_LINE.match(text, end)) and line.end() > end:
            end = line.end()
        if end == match.end():
            at = end
            continue
        text = text[: match.start()] + text[end:]
        at = match.start()
        count += 1
    return text, count


_MEMORY_TOOL = re.compile(
    r"(?:^|__|\.|_|:)(?:brain|mem0|openmemory|supermemory|zep|graphiti|hindsight|letta|basic[-_]memory|claude[-_]mem|mem[-_]search|"
    r"memory)(?:__|\.|_|:|$)|(?:search|recall|retrieve|get|list|read|query)[-_ ]?(?:node_)?memor(?:y|ies)",
    re.IGNORECASE,
)
_MEMORY_COMMAND = re.compile(
    r"(?:^|[;&|(\n]\s*|\"|')(?:\S*/)?brain\s+(?:--?\S+\s+)*(?:ask|search|show|index|links|status|log|diff|dream|distil|preload)\b"
    r"|\bmemory/(?:knowledge|notes|sessions|AGENTS\.md)\b"
)


def reads_memory(tool: str, arguments: str) -> bool:
    """Does this tool call read memory, so that its result must not be learned from again?

    >>> reads_memory("Bash", '{"command": "brain ask \\'who is Mai?\\'"}')
    True
    """
    if _MEMORY_TOOL.search(tool):
        return True
    return ("brain" in arguments or "memory/" in arguments) and _MEMORY_COMMAND.search(arguments) is not None


def stub(text: str) -> str:
    return f"[recalled memory, {len(text)} characters, not kept]"
