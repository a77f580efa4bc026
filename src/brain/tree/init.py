"""The files of an empty brain."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from brain.config import Config
from brain.text import one_line, slugify
from brain.tree import agents_md, frontmatter, layout, log
from brain.tree.ids import format_time
from brain.tree.index import compact_index
from brain.tree.sessions import render_index_md

UNTRACKED = (
    "/sessions/transcripts/", "/sessions/artifacts/",
    "/.brain/*", "!/.brain/config.toml", "!/.brain/instructions.md", "!/.brain/deletions.jsonl",
)  # fmt: skip


def owner_id(name: str) -> str:
    """The page id of an owner: `Nadia` → `entities/nadia`."""
    return f"entities/{slugify(name)}"


def empty_brain(
    *, now: datetime, owners: Sequence[str] = (), tz: str = "UTC", language: str = "en", by: str = "human:owner"
) -> dict[str, str]:
    """Text by path. `owners` are names of people; the tree is valid as it is."""
    settings = config_toml(owners=owners, tz=tz, language=language)
    return {
        layout.AGENTS: agents_md.render(),
        layout.CONFIG: settings,
        layout.INSTRUCTIONS: instructions_md(now, by),
        layout.DELETIONS: "",
        layout.GITIGNORE: "".join(f"{line}\n" for line in UNTRACKED),
        layout.GITATTRIBUTES: gitattributes(),
        layout.KNOWLEDGE_INDEX: compact_index([], Config.parse(settings)),
        layout.LOG: log.EMPTY,
        layout.SESSION_INDEX: "",
        layout.SESSION_INDEX_MD: render_index_md([]),
    }


def config_toml(*, owners: Sequence[str] = (), tz: str = "UTC", language: str = "en") -> str:
    """`.brain/config.toml` with the values that differ from the defaults, the others shown as comments."""
    names = {owner_id(name): one_line(name) for name in owners}
    table = "".join(f"{_quote(page)} = {_quote(name)}\n" for page, name in names.items())
    return (
        "# Settings of this brain. A line that starts with # shows a default.\n"
        f"brain_format = 1\nowners = [{', '.join(map(_quote, names))}]\n"
        f"tz = {_quote(tz)}\nlanguage = {_quote(language)}\n"
        "# tags = []\n" + (f"\n[names]\n{table}" if table else "") + "\n[index]\n# max_tokens = 2500\n"
        '\n[run]\n# engine = ""\n# max_pages = 200\n# max_cost_usd = 0.0\n# max_minutes = 0.0\n'
        '\n[models]\n# default = ""\n'
        '\n[privacy]\n# hint_days = 30\n# default_sensitivity = "normal"\n# redact_allow = []\n'
        '\n[git]\n# track_transcripts = false\n# remote = ""\n'
        '\n[search]\n# embedder = "minilm"\n'
        '\n[watch]\n# folders = []\n# dream = ""\n'
        "\n[hooks]\n# inject = true\n"
        '\n# [connectors.google-calendar]\n# kind = "calendar"\n# path = "~/calendars/work.ics"\n'
        "# owner_authoritative = true\n# allow = []\n"
    )


def instructions_md(now: datetime, by: str = "human:owner") -> str:
    """`.brain/instructions.md` before anybody gave an instruction."""
    head = frontmatter.render(
        {"type": "instructions", "version": "1", "updated_at": format_time(now), "updated_by": by}
    )
    return head + (
        "# Standing instructions\n\n"
        "Written by people only. One bullet an instruction, `- SI-001: …`; an id is never used again.\n\n"
        "## Scope\n\n## Always\n\n## Never record\n\n## Style\n\n## Stop\n"
    )


def gitattributes() -> str:
    """Line ends kept, generated files never merged."""
    generated = [*sorted(layout.GENERATED), "knowledge/log-*.md"]
    return "* text eol=lf\n" + "".join(f"{path} merge=brain-gen\n" for path in generated)


def _quote(s: str) -> str:
    return json.dumps(s, ensure_ascii=False)
