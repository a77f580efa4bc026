"""The compact index (format §6): the whole wiki in one block for an agent's first message, within a token budget."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import sha256

from brain.config import Config
from brain.text import clip, est_tokens, one_line
from brain.tree.ids import format_day
from brain.tree.layout import TYPE_DIRS
from brain.tree.page import Page, link_targets

TITLE = "# Brain index"
GUIDE = (
    "Read a page: cat memory/knowledge/<id>.md · verify a claim: brain show '<source URI>' · "
    "not listed ≠ unknown: grep, or ask the memory agent."
)
SECTIONS = ("project", "entity", "concept", "learning")
HEADS = {"project": "Projects", "entity": "Entities", "concept": "Concepts", "learning": "Learnings"}
TYPE_WEIGHT = {"project": 1.0, "entity": 0.6, "learning": 0.4, "concept": 0.2}
HUBS_ABOVE = 400
PROFILE = "Profile"


def tree_hash(pages: Iterable[Page]) -> str:
    """Seven hex digits over ids and texts of all pages: which state of the wiki an index was made from."""
    whole = sha256()
    for page in sorted(pages, key=lambda p: p.id):
        whole.update(f"{page.id}\0".encode("utf-8", "replace"))
        whole.update(sha256(page.text.encode("utf-8", "replace")).digest())
    return whole.hexdigest()[:7]


def index_line(page: Page) -> str:
    """`<id> — <description> · <day of the last update>`"""
    day = f" · {format_day(page.updated_at)}" if page.updated_at else ""
    return f"{page.id} — {one_line(page.description)}{day}"


def inbound_links(pages: Iterable[Page]) -> Counter[str]:
    """For each page id, how many other pages link to it."""
    counts: Counter[str] = Counter()
    for page in pages:
        counts.update({target for target in link_targets(page) if target != page.id})
    return counts


def score(page: Page, inbound: int, newest: datetime | None) -> float:
    """3·[active] + 2·exp(−age in days/30) + ln(1 + inbound) + weight of the type; age against the newest page."""
    fresh = 0.0
    if page.updated_at and newest:
        fresh = 2 * math.exp(-max((newest - page.updated_at).total_seconds(), 0) / 86400 / 30)
    active = 3.0 if page.status == "active" else 0.0
    return active + fresh + math.log1p(inbound) + TYPE_WEIGHT.get(page.type, 0.0)


def compact_index(pages: Iterable[Page], config: Config, topic: str | None = None) -> str:
    """The text of `knowledge/index.md`, the same bytes for the same pages and budget.

    `topic` lists only one kind (`projects`), or the pages with one tag, with the whole budget for them.
    """
    every = sorted(pages, key=lambda p: p.id)
    listable = [p for p in every if p.sensitivity != "restricted" and p.status != "superseded"]
    if topic is not None:
        listable = [p for p in listable if topic in (p.id.partition("/")[0], p.type, *p.tags)]
    inbound = inbound_links(every)
    newest = max((p.updated_at for p in every if p.updated_at), default=None)
    owners = {o: n for n, o in enumerate(config.owners)}
    profile = [p for p in listable if p.id in owners or p.pinned]
    profile.sort(key=lambda p: (owners.get(p.id, len(owners)), p.id))
    hubs = len(listable) > HUBS_ABOVE
    ranked = sorted(
        (p for p in listable if p not in profile),
        key=lambda p: (-inbound[p.id] if hubs else 0, -score(p, inbound[p.id], newest), p.id),
    )
    draft = _Draft(listable, tree_hash(every), len(every), config)
    draft.add_profile(profile)
    for page in ranked:
        draft.add(page)
    return draft.text()


class _Draft:
    """An index being filled until its budget of tokens and lines is used up."""

    def __init__(self, listable: Sequence[Page], tree: str, total: int, config: Config) -> None:
        self.listable = listable
        self.tree = tree
        self.total = total
        self.config = config
        self.profile: list[str] = []
        self.in_profile: set[str] = set()
        self.shown: dict[str, dict[str, str]] = {kind: {} for kind in SECTIONS}
        self.used = 0
        self.rows = 0
        # Room for the head, one heading and one line of what is left out for each section, whatever gets shown.
        frame = f"{self._head(self.total, 9999, 9999)}\n{TITLE}\n{GUIDE}\n"
        frame += f"\n## {PROFILE}\n" + "".join(f"\n## {HEADS[k]}\n{self._more(k, 9999, 9999)}\n" for k in SECTIONS)
        self.frame = len(frame.encode())
        self.frame_rows = frame.count("\n")

    def add_profile(self, pages: Iterable[Page]) -> None:
        limit = self.config.index.profile_tokens
        spent = 0
        for page in pages:
            line = index_line(page)
            room = int((limit - spent) * 3.5) - 1
            if est_tokens(line + "\n") > limit - spent and not self.profile:
                line = _clip_bytes(line, room)  # the owner's line always stands, cut if it must be
            if est_tokens(line + "\n") <= limit - spent and self._take(line):
                spent += est_tokens(line + "\n")
                self.profile.append(line)
                self.in_profile.add(page.id)

    def add(self, page: Page) -> None:
        line = index_line(page)
        if page.type in self.shown and self._take(line):
            self.shown[page.type][page.id] = line

    def text(self) -> str:
        body = f"{TITLE}\n{GUIDE}\n"
        if self.profile:
            body += f"\n## {PROFILE}\n" + "".join(f"{line}\n" for line in self.profile)
        for kind in SECTIONS:
            lines = [line for _, line in sorted(self.shown[kind].items())]
            left = [
                p for p in self.listable
                if p.type == kind and p.id not in self.shown[kind] and p.id not in self.in_profile
            ]  # fmt: skip
            if not lines and not left:
                continue
            body += f"\n## {HEADS[kind]}\n" + "".join(f"{line}\n" for line in lines)
            if left:
                body += self._more(kind, len(left), sum(p.status != "active" for p in left)) + "\n"
        count = len(self.in_profile) + sum(len(lines) for lines in self.shown.values())
        est = 0
        while True:  # the head holds the estimate of the text it is part of
            whole = f"{self._head(self.total, count, est)}\n{body}"
            if (now := est_tokens(whole)) == est:
                return whole
            est = now

    def _take(self, line: str) -> bool:
        size = len(line.encode()) + 1
        fits = math.ceil((self.frame + self.used + size) / 3.5) <= self.config.index.max_tokens
        if not fits or self.frame_rows + self.rows + 1 > self.config.index.max_lines:
            return False
        self.used += size
        self.rows += 1
        return True

    def _head(self, total: int, shown: int, est: int) -> str:
        budget = self.config.index.max_tokens
        return f"<!-- brain-index v1 tree={self.tree} pages={total} shown={shown} budget={budget} est={est} -->"

    def _more(self, kind: str, left: int, quiet: int) -> str:
        what = "dormant or done" if quiet == left else "more"
        return f"(+{left} {what}: ls memory/knowledge/{TYPE_DIRS[kind]})"


def _clip_bytes(line: str, limit: int) -> str:
    size = len(line)
    while size and len(clip(line, size).encode()) > limit:
        size -= 1
    return clip(line, size)
