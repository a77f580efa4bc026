# ruff: noqa: E501 — pages are shown as they stand
"""`brain fmt` mends everything of severity A, numbers the authoring form, and a second run changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_examples import NADIA_TEXT, S1, SPRINT, SPRINT_TEXT, Case, build, standard

from brain.rules import RULES, TreeEvidence, fmt
from brain.tree.files import MemoryTree
from brain.types import Severity

FIXABLE = [rule.id for rule in RULES.values() if Severity.A in rule.severities]

AUTHORED = f"""---
type: project
id: projects/new
title: New page
description: A page written by an author who does not count cites
status: active
language: en
tags: [travel, accessibility]
---
# New page

The sprint is led by [[Nadia]]. [cite:session://1eaf53d4#t1]

## Facts

- The host is Sora City Lab [cite:session://1eaf53d4#t3; session://{S1}#t5].
- Figures go out as PDF, not PNG. [cite:session://1eaf53d4#t5]
- In code `[cite:9]` and `[[Nadia]]` are words. [cite:session://1eaf53d4#t3-t4]
"""

FORMATTED = f"""---
id: projects/new
type: project
title: New page
description: A page written by an author who does not count cites
status: active
created_at: 2026-08-06T09:00:00Z
updated_at: 2026-08-06T09:00:00Z
updated_by: human:nadia
next_cite: 5
language: en
tags: [accessibility, travel]
---
# New page

The sprint is led by [[entities/nadia|Nadia]]. [cite:1]

## Facts

- The host is Sora City Lab. [cite:2] [cite:3]
- Figures go out as PDF, not PNG. [cite:3]
- In code `[cite:9]` and `[[Nadia]]` are words. [cite:4]

## References
[cite:1]: session://{S1}#t1 "2026-06-21 · user: Let's plan the sprint: wayfinding prototypes with partners, I lead it."
[cite:2]: session://{S1}#t3 "2026-06-21 · user: The host of the Kyoto part is Sora City Lab, near the river; the host…"
[cite:3]: session://{S1}#t5 "2026-06-21 · user: I want figures as PDF, not PNG: figures go out as PDF, not PNG. Is the…"
[cite:4]: session://{S1}#t3-t4 "2026-06-21 · user: The host of the Kyoto part is Sora City Lab, near the river; the host…"
"""


def formatted(files: dict[str, str], path: str) -> str:
    tree = MemoryTree(files)
    return fmt(tree, [path], evidence=TreeEvidence(tree), stamp=("2026-08-06T09:00:00Z", "human:nadia")).get(
        path, files[path]
    )


def test_sources_written_inline_become_numbers_with_glosses() -> None:
    path = "knowledge/projects/new.md"
    files = {**standard(), path: AUTHORED}
    assert formatted(files, path) == FORMATTED
    assert formatted({**files, path: FORMATTED}, path) == FORMATTED


def test_a_formatted_page_has_no_problem() -> None:
    case = Case()
    case.staged["knowledge/projects/new.md"] = FORMATTED.replace("human:nadia", "dream/0.1").replace(
        "T09:00:00Z", "T08:00:00Z"
    )
    assert [p for p in case.problems() if p.severity is not Severity.W] == []


@pytest.mark.parametrize("name", FIXABLE)
def test_what_severity_a_names_is_mended(name: str) -> None:
    case = build(RULES[name].bad)
    mended = fmt(MemoryTree(case.staged))
    case.staged |= mended
    assert [p for p in case.problems() if p.severity is Severity.A] == []
    assert fmt(MemoryTree(case.staged)) == {}


def test_the_standard_brain_is_left_alone() -> None:
    assert fmt(MemoryTree(standard())) == {}


def test_unused_and_unsorted_definitions_are_mended_and_nothing_is_renumbered() -> None:
    text = SPRINT_TEXT.replace("next_cite: 3", "next_cite: 9").replace(
        "## References\n\n",
        f"- The venue has a ramp. [cite:7]\n\n## References\n\n[cite:7]: session://{S1.upper()}#t5,t3,t4\n[cite:4]: session://{S1}#t1\n",
    )
    new = formatted({**standard(), SPRINT: text}, SPRINT)
    assert [line for line in new.splitlines() if line.startswith("[cite:")] == [
        f'[cite:1]: session://{S1}#t3 "2026-06-21 · user names hosts"',
        f'[cite:2]: session://{S1}#t5 "2026-06-21 · user on figures"',
        f'[cite:7]: session://{S1}#t3-t5 "2026-06-21 · user: The host of the Kyoto part is Sora City Lab, near the river; the host…"',
    ]
    assert "next_cite: 9" in new


def test_untouched_lines_stay_byte_for_byte() -> None:
    odd = NADIA_TEXT.replace("## Facts\n\n", "##   Facts ##\n*  Two  spaces   stay. [cite:1]\n\n")
    assert formatted({**standard(), "knowledge/entities/nadia.md": odd}, "knowledge/entities/nadia.md") == odd


def test_an_unknown_session_stays_for_the_author_to_see() -> None:
    text = SPRINT_TEXT.replace("PNG. [cite:2]", "PNG. [cite:2] [cite:session://deadbeef#t1]")
    assert "[cite:session://deadbeef#t1]" in formatted({**standard(), SPRINT: text}, SPRINT)


def test_superseded_targets_are_rewritten_one_hop_further() -> None:
    old = "---\nid: projects/old-sprint\ntype: project\ntitle: Old sprint\ndescription: Where the sprint was before it was merged\nstatus: superseded\nnext_cite: 1\nlanguage: en\nsuperseded_by: projects/sprint\n---\n# Old sprint\n\nSee [[projects/sprint]].\n"
    text = NADIA_TEXT.replace("Nadia plans it", "Nadia plans [[projects/old-sprint|it]] and [[old-sprint]]")
    files = {**standard(), "knowledge/projects/old-sprint.md": old, "knowledge/entities/nadia.md": text}
    assert "Nadia plans [[projects/sprint|it]] and [[projects/sprint]] with" in formatted(
        files, "knowledge/entities/nadia.md"
    )


PIECES = st.sampled_from(
    [
        "- ",
        "The host ",
        "[cite:1]",
        "[cite:2]",
        " ",
        "\n",
        "^[assistant]",
        "`[cite:1]`",
        "[cite:session://1eaf53d4#t5]",
        "[[Nadia]]",
        "[[nadia|x]]",
        ".",
        "| a | b [cite:1] |\n",
        "## Facts\n",
        "### x\n",
        "```\n",
        "  - ",
        "é",
        "\u200b",
        "\t",
        "**L** — ",
        "\\[[x]]",
        "[cite:07]",
        "日本",
        "<b>",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=24).map("".join))
def test_fmt_is_idempotent_over_hostile_bodies(body: str) -> None:
    files = {**standard(), SPRINT: SPRINT_TEXT.replace("- Figures go out as PDF, not PNG. [cite:2]\n", body + "\n")}
    once = formatted(files, SPRINT)
    assert formatted({**files, SPRINT: once}, SPRINT) == once
