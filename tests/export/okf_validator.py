"""Is a folder a conformant Open Knowledge Format 0.2 bundle? Written from the specification, apart from the exporter.

§11: every concept has frontmatter that is YAML with a type; `index.md` and `log.md` have the form of §8 and §9. Beyond
that, what §5 and §6 say producers should do: sources with a resource, footnotes that name one, actors, instants with an
offset, links that lead somewhere.
"""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import yaml
from markdown_it import MarkdownIt

RESERVED = {"index.md", "log.md"}
ACTOR = re.compile(r"human:\S+|process:\S+|[^\s/:]+/\S+")
ENTRY = re.compile(r"\* \[(?:[^\]\\]|\\.)+\]\([^()\s]+\)(?: - .+)?")


def problems(bundle: Path) -> list[str]:
    """Everything that is wrong, one line each."""
    found: list[str] = []
    for file in sorted(bundle.rglob("*.md")):
        name = file.relative_to(bundle).as_posix()
        check = {"index.md": index, "log.md": log}.get(file.name, concept)
        found += [f"{name}: {why}" for why in check(bundle, name, file.read_bytes().decode("utf-8"))]
    return found


def parts(text: str) -> tuple[dict[str, Any] | None, str]:
    match = re.match(r"---\n(.*?\n)?---\n", text, re.DOTALL)
    if not match:
        return None, text
    values = yaml.safe_load(match[1] or "")
    return (values if isinstance(values, dict) else None), text[match.end() :]


def concept(bundle: Path, name: str, text: str) -> list[str]:
    values, body = parts(text)
    if values is None:
        return ["no frontmatter that is a YAML mapping"]
    found = [] if isinstance(values.get("type"), str) and values["type"].strip() else ["no type"]
    found += [f"status {values['status']!r}"] if values.get("status", "stable") not in STATUS else []
    ids = set()
    for source in values.get("sources", []):
        ids.add(source.get("id"))
        resource = source.get("resource")
        if not resource:
            found.append(f"a source without resource: {source}")
        elif resource.startswith("/") and not leads(bundle, resource):
            found.append(f"resource {resource} leads nowhere")
    events = [values.get("generated"), *values.get("verified", [])]
    found += [f"actor {one['by']!r}" for one in events if one and not ACTOR.fullmatch(one["by"])]
    stamps = [one["at"] for one in events if one and "at" in one] + [values.get("stale_after")]
    found += [f"no instant with an offset: {one!r}" for one in stamps if one is not None and not instant(one)]
    if values.get("type") in ("Entity", "Concept", "Project", "Learning", "Note"):
        used = set(re.findall(r"(?<!\\)\[\^([\w-]+)\](?!:)", without_code(body)))
        found += [f"footnote {label!r} is no source" for label in sorted(used - ids)]
        found += links(bundle, name, body)
    return found


STATUS = {"draft", "stable", "deprecated"}


def index(bundle: Path, name: str, text: str) -> list[str]:
    values, body = parts(text)
    found = []
    if values is not None and (name != "index.md" or set(values) != {"okf_version"}):
        found.append("frontmatter in an index")
    if name == "index.md" and (values or {}).get("okf_version") != "0.2":
        found.append("no okf_version")
    lines = [line for line in body.split("\n") if line.strip()]
    if not lines or not lines[0].startswith("# "):
        found.append("no section")
    found += [f"not an entry: {line!r}" for line in lines if not line.startswith("# ") and not ENTRY.fullmatch(line)]
    return found + links(bundle, name, body)


def log(bundle: Path, name: str, text: str) -> list[str]:
    days = re.findall(r"(?m)^## (.*)$", text)
    found = [f"not a day: {day!r}" for day in days if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", day)]
    return found + (["not newest first"] if days != sorted(days, reverse=True) else []) + links(bundle, name, text)


def links(bundle: Path, name: str, body: str) -> list[str]:
    """Links of a body that lead to no file of the bundle."""
    found = []
    body = re.sub(r"(?m)^\[\^[\w-]+\]: ", "* ", body)  # CommonMark knows no footnotes
    for token in MarkdownIt("commonmark").parse(body):
        for child in token.children or ():
            if child.type == "link_open":
                to = str(child.attrGet("href"))
                base = "/" if to.startswith("/") else f"/{name.rpartition('/')[0]}/"
                if "://" not in to and not leads(bundle, base + to.lstrip("/")):
                    found.append(f"the link {to} leads nowhere")
    return found


def leads(bundle: Path, resource: str) -> bool:
    path, _, anchor = unquote(resource).lstrip("/").partition("#")
    place = bundle / path
    if not place.is_file():
        return False
    return (
        not anchor
        or re.search(rf"(?mi)^#+ {re.escape(anchor.replace('-', ' '))}$", place.read_text("utf-8")) is not None
    )


def instant(value: object) -> bool:
    made = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    return made.tzinfo is not None


def without_code(body: str) -> str:
    return re.sub(r"(`+)(?:.|\n)*?\1", "", body)
