# ruff: noqa: E501 — examples and messages read better unwrapped
"""FM: frontmatter reads, is complete, says what the path says, and keeps its owners' keys."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from brain.errors import FormatError
from brain.rules.context import Context
from brain.rules.rule import Found, graph_rule, page_rule, path_rule
from brain.text import is_slug, normal_name
from brain.tree import frontmatter, note, page, summary
from brain.tree.ids import ACTOR, parse_day, parse_time
from brain.tree.layout import FileClass, classify, note_id, page_id, page_type
from brain.tree.page import LISTS, Page, Status
from brain.types import Severity

REQUIRED = (
    "id",
    "type",
    "title",
    "description",
    "status",
    "created_at",
    "updated_at",
    "updated_by",
    "next_cite",
    "language",
)
SYNC_OWNED = frozenset({"created_at", "updated_at", "updated_by"})
ENTITY_KINDS = frozenset({"person", "org", "place", "product", "account", "tool", "event", "other"})
SENSITIVITY = frozenset({"normal", "private", "restricted"})
_SCHEMAS = {
    FileClass.PAGE: (page.ORDER, REQUIRED),
    FileClass.NOTE: (note.ORDER, ("id", "type", "title")),
    FileClass.SUMMARY: (summary.ORDER, ("id", "type", "title", "source", "turns", "through_turn", "attached_through", "transcript_sha256", "outcome")),
}  # fmt: skip
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?")


def _meta(path: str, check: Context) -> frontmatter.Map | None:
    text = check.text(path)
    if text is None or classify(path) not in _SCHEMAS:
        return None
    try:
        return frontmatter.parse(text, path)[0]
    except FormatError:
        return None


def key_line(text: str | None, key: str) -> int:
    """The file line of a frontmatter key, 1 when it is not there."""
    for number, line in enumerate((text or "").split("\n")[:60], start=1):
        if line.startswith(f"{key}:"):
            return number
        if number > 1 and line == "---":
            break
    return 1


@path_rule("FM001")
def reads(path: str, check: Context) -> Iterator[Found]:
    """Frontmatter is present, closed and in the YAML subset: one map, no duplicate keys, anchors or tags.

    Bad:
        === knowledge/entities/aiko.md
        ---
        id: entities/aiko
        id: entities/aiko
        ---
        # Aiko
    Good:
        === knowledge/entities/aiko.md
        # Aiko
    """
    text = check.text(path)
    if text is None or classify(path) not in _SCHEMAS:
        return
    try:
        frontmatter.parse(text, path)
    except FormatError as error:
        yield Found(error.reason, line=error.line or 1, fix="open with ---, one `key: value` a line, close with ---")


@path_rule("FM002")
def complete(path: str, check: Context) -> Iterator[Found]:
    """Every required key is there, and none that the format does not know except `x-…`.

    Bad:
        ~description
        mood: cheerful
    Good:
        x-mood: cheerful
    """
    meta = _meta(path, check)
    if meta is None:
        return
    order, required = _SCHEMAS[classify(path)]
    text = check.text(path)
    for key in required:
        if not meta.get(key) and not (key in SYNC_OWNED and check.by_run):
            fix = "run brain fmt" if key in SYNC_OWNED else f"add `{key}: …`"
            yield Found(f"the key {key!r} is missing or empty", line=key_line(text, key), fix=fix)
    if meta.get("type") == "entity" and not meta.get("entity_kind"):
        yield Found(
            "an entity needs entity_kind", fix=f"add `entity_kind:` with one of {', '.join(sorted(ENTITY_KINDS))}"
        )
    for key in meta:
        if key not in order and not key.startswith("x-"):
            yield Found(f"the key {key!r} is unknown", line=key_line(text, key), fix=f"remove it or call it x-{key}")


@path_rule("FM003")
def says_its_place(path: str, check: Context) -> Iterator[Found]:
    """`id` equals the path and `type` the directory.

    Bad:
        id: projects/other-sprint
    Good:
        id: projects/sprint
    """
    meta = _meta(path, check)
    kind = classify(path)
    if meta is None or kind is FileClass.SUMMARY:
        if meta is not None and meta.get("type") not in (None, "", "session_summary"):
            yield Found(f"type {meta['type']!r} is not session_summary", line=key_line(check.text(path), "type"))
        return
    wanted = page_id(path) or note_id(path) or ""
    said = meta.get("id")
    if said and said != wanted:
        yield Found(f"id {said!r} does not match the path", line=key_line(check.text(path), "id"), fix=f"id: {wanted}")
    type_wanted = page_type(wanted) if kind is FileClass.PAGE else "note"
    if meta.get("type") and meta["type"] != type_wanted:
        yield Found(
            f"type {meta['type']!r} does not match the directory",
            line=key_line(check.text(path), "type"),
            fix=f"type: {type_wanted}",
        )


@page_rule("FM004")
def valid_values(shown: Page, check: Context) -> Iterator[Found]:
    """Values keep their kinds and limits: title to 80, description 20–160, known status, times in order and not ahead of now.

    Bad:
        status: blooming
    Good:
        status: dormant
    """
    for key, message, fix in (*_texts(shown), *_words(shown), *_times(shown, check), *_lists(shown)):
        yield Found(message, line=key_line(shown.text, key), fix=fix)


def _texts(shown: Page) -> Iterator[tuple[str, str, str]]:
    for key, value in shown.meta.items():
        if isinstance(value, list) and key not in LISTS and not key.startswith("x-"):
            yield key, f"{key} is a list, not text", f"write {key}: … on one line"
        if isinstance(value, str) and "\n" in value:
            yield key, f"{key} has more than one line", f"write {key} on one line"
    if len(shown.title) > 80:
        yield "title", f"the title has {len(shown.title)} characters, more than 80", "shorten it, here and in the H1"
    if shown.description and not 20 <= len(shown.description) <= 160:
        yield (
            "description",
            f"the description has {len(shown.description)} characters, not 20 to 160",
            "say what it is and how it stands",
        )


def _words(shown: Page) -> Iterator[tuple[str, str, str]]:
    for key, allowed in (
        ("status", set(Status)), ("entity_kind", ENTITY_KINDS), ("sensitivity", SENSITIVITY), ("pinned", {"true", "false"}),
    ):  # fmt: skip
        value = shown.get(key)
        if value and value not in allowed:
            yield key, f"{key} {value!r} is not one of {', '.join(sorted(allowed))}", f"choose one of them for {key}"
    if (value := shown.language) and not _LANGUAGE.fullmatch(value):
        yield "language", f"language {value!r} is no BCP-47 tag", "write language: en"
    number = shown.get("next_cite")
    if number and not (number.isascii() and number.isdigit() and int(number) >= 1):
        yield "next_cite", f"next_cite {number!r} is no number from 1", f"next_cite: {shown.next_cite}"
    if (actor := shown.get("updated_by")) and not ACTOR.fullmatch(actor):
        yield "updated_by", f"updated_by {actor!r} is no actor", "write human:<id>, dream/<version> or process:<name>"


def _times(shown: Page, check: Context) -> Iterator[tuple[str, str, str]]:
    for key, read in (("created_at", parse_time), ("updated_at", parse_time), ("stale_after", parse_day)):
        if value := shown.get(key):
            try:
                read(value)
            except FormatError as error:
                yield key, error.reason, "run brain fmt"
    for entry in shown.get_list("verified"):
        actor, _, at = entry.partition(" ")
        try:
            parse_time(at)
        except FormatError:
            at = ""
        if not at or not ACTOR.fullmatch(actor):
            yield "verified", f"verified {entry!r} is not `<actor> <time>`", "write human:nadia 2026-08-06T07:51:00Z"
    made, changed = shown.created_at, shown.updated_at
    if made and changed and made > changed:
        yield "updated_at", "updated_at is before created_at", "let sync set both"
    if changed and changed > check.now:
        yield "updated_at", "updated_at is later than now", "let sync set it"


def _lists(shown: Page) -> Iterator[tuple[str, str, str]]:
    for key, limit in (("aliases", 10), ("tags", 8)):
        if len(shown.get_list(key)) > limit:
            yield key, f"{len(shown.get_list(key))} {key}, more than {limit}", f"keep the {limit} most used"
    for key in LISTS:
        if isinstance(shown.meta.get(key), str) and shown.get(key):
            yield key, f"{key} is no list", f"{key}: [{shown.get(key)}]"
    for tag in shown.tags:
        if not is_slug(tag):
            yield "tags", f"tag {tag!r} is no slug", "use a-z, 0-9 and single hyphens"


@graph_rule("FM005", "E/W")
def unique_names(check: Context) -> Iterator[Found]:
    """No two pages share an id or a title; a shared alias is a warning (†).

    Bad:
        === knowledge/entities/nadia-b.md
        # Nadia
    Good:
        === knowledge/entities/nadia-b.md
        # Nadia Berger
    """
    ids: dict[str, str] = {}
    titles: dict[str, str] = {}
    aliases: dict[str, list[str]] = defaultdict(list)
    for facts in check.graph.pages.values():
        if facts.said_id:
            first = ids.setdefault(facts.said_id, facts.path)
            if first != facts.path and facts.said_id != facts.id:
                yield Found(
                    f"the id {facts.said_id!r} belongs to {first}", path=facts.path, line=2, fix=f"id: {facts.id}"
                )
        if facts.superseded_by:
            continue
        if facts.title:
            first = titles.setdefault(normal_name(facts.title), facts.path)
            if first != facts.path:
                yield Found(
                    f"the title {facts.title!r} is that of {first}", path=facts.path, line=key_line(check.text(facts.path), "title"),
                    fix="merge the two pages, or give this one a title that tells it apart",
                )  # fmt: skip
        for alias in facts.aliases:
            aliases[normal_name(alias)].append(facts.path)
    for name, paths in aliases.items():
        owner = titles.get(name)
        others = [p for p in dict.fromkeys(paths) if p != (owner or paths[0])]
        for path in others:
            yield Found(
                f"the alias {name!r} is also a name of {owner or paths[0]}", path=path, severity=Severity.W,
                line=key_line(check.text(path), "aliases"), fix="merge the pages or drop the alias",
            )  # fmt: skip


@graph_rule("FM006")
def superseded_leads_on(check: Context) -> Iterator[Found]:
    """`superseded_by` stands if and only if the status is superseded; its target exists and leads nowhere back (†).

    Bad:
        superseded_by: projects/unknown
    Good:
        superseded_by: entities/nadia
        status: superseded
    """
    pages = check.graph.pages
    for facts in pages.values():
        line = key_line(check.text(facts.path), "superseded_by") if facts.superseded_by else 1
        if (facts.status == "superseded") != bool(facts.superseded_by):
            missing = (
                "superseded_by is missing"
                if facts.status == "superseded"
                else "superseded_by without status: superseded"
            )
            yield Found(missing, path=facts.path, line=line, fix="set both or neither")
        elif facts.superseded_by and facts.superseded_by not in pages:
            yield Found(
                f"{facts.superseded_by!r} does not exist", path=facts.path, line=line, fix="name an existing page id"
            )
        elif facts.superseded_by:
            seen = {facts.id}
            step: str | None = facts.superseded_by
            while step and step in pages and step not in seen:
                seen.add(step)
                step = pages[step].superseded_by
            if step in seen:
                yield Found(
                    "superseded_by runs in a circle", path=facts.path, line=line, fix="keep one page as the living one"
                )


@page_rule("FM007")
def owned_keys_kept(shown: Page, check: Context) -> Iterator[Found]:
    """A run leaves `created_at` and `pinned` as they were; `updated_at` and `updated_by` change only together and forward.

    Bad:
        === manifest
        {"ops": [{"op": "update", "path": "knowledge/projects/sprint.md"}]}
        === knowledge/projects/sprint.md
        created_at: 2026-01-01T00:00:00Z
    Good:
        === manifest
        {"ops": [{"op": "update", "path": "knowledge/projects/sprint.md"}]}
        === knowledge/projects/sprint.md
        updated_at: 2026-08-06T08:00:00Z
    """
    before = check.base_page(shown.path)
    if before is None or not check.by_run:
        return
    for key, owner in (("created_at", "sync"), ("pinned", "a person")):
        if shown.get(key) != before.get(key) and (shown.get(key) or key == "pinned"):
            yield Found(
                f"{key} belongs to {owner} and was changed",
                line=key_line(shown.text, key),
                fix=f"{key}: {before.get(key)}",
            )
    now, then = shown.updated_at, before.updated_at
    if now and then and now < then:
        yield Found("updated_at went back", line=key_line(shown.text, "updated_at"), fix="let sync set it")
    if shown.get("updated_by") and shown.get("updated_by") != before.get("updated_by") and now == then:
        yield Found(
            "updated_by changed without updated_at", line=key_line(shown.text, "updated_by"), fix="let sync set both"
        )


@page_rule("FM008", "A")
def normal_form(shown: Page, check: Context) -> Iterator[Found]:
    """Keys stand in the order of the format, lists are sorted, times and days in their one form. `brain fmt` does it.

    Bad:
        tags: [travel, accessibility]
    Good:
        tags: [accessibility, travel]
    """
    wanted = frontmatter.render(normal_meta(shown.meta), page.ORDER)
    if not shown.text.startswith(wanted):
        line = next(
            (n for n, (a, b) in enumerate(zip(shown.lines, wanted.split("\n"), strict=False), start=1) if a != b), 1
        )
        yield Found("the frontmatter is not in its normal form", line=line, fix="run brain fmt")


_LOOSE_DAY = re.compile(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})")
_LOOSE_TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2})(?::([0-9]{2})(?:\.[0-9]+)?)?(?:Z|\+00:00| ?UTC)?"
)


def normal_meta(meta: Mapping[str, frontmatter.Value]) -> frontmatter.Map:
    """Frontmatter as `brain fmt` leaves it: lists sorted and without doubles, days and times written the one way."""
    out: frontmatter.Map = {}
    for key, value in meta.items():
        if key in LISTS:
            items = [value] if isinstance(value, str) else value
            out[key] = sorted(dict.fromkeys(i for i in items if i), key=lambda s: (s.casefold(), s))
        elif isinstance(value, str) and key in ("created_at", "updated_at") and (match := _LOOSE_TIME.fullmatch(value)):
            out[key] = f"{match[1]}T{match[2]}:{match[3] or '00'}Z"
        elif isinstance(value, str) and key == "stale_after" and (match := _LOOSE_DAY.fullmatch(value)):
            out[key] = f"{match[1]}-{int(match[2]):02d}-{int(match[3]):02d}"
        else:
            out[key] = value
    return {key: value for key, value in out.items() if value != [] or key not in LISTS}
