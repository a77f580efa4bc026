"""Pages as read: the outline, claims with their cites, references, links; bytes kept whatever stands there."""

from __future__ import annotations

import pytest
from hostile_text import hostile
from hypothesis import example, given

from brain.errors import FormatError
from brain.text import clean
from brain.tree import page
from brain.tree.claims import ClaimKind

S = "session://1eaf53d4-09e0-5823-bb96-c8662f582708"
PAGE = f"""---
id: projects/atlas
type: project
title: Atlas
description: "Atlas of steps: two cities, draft due in May"
status: active
created_at: 2026-06-21T04:10:00Z
updated_at: 2026-08-06T07:51:00Z
updated_by: dream/0.3
next_cite: 17
language: en
aliases: [The Atlas, "Steps, all"]
tags: [maps]
---
# Atlas

An atlas of public steps. [cite:1] It covers Lyon
and Sendai (as of 2026-08-06). ^[assistant] [cite:1] [cite:2]. The rest is open.

## Status
- **Draft** — due on 2026-05-04; see [[concepts/step-count|the `count`]]. [cite:2]
  - Lyon first, as `[[not/a-link]] [cite:9]` shows,
    now. ^[external] [cite:3] [cite:4]
- **Owner:** [[entities/nadia]] [cite:1]

| City | Steps |
|---|---|
| Lyon | 412 [cite:3] |
| Sendai | 98 |

```
## References
- [[entities/fake]] [cite:8]
```

### Print
1. A3, folded ^[inferred] [cite:{S}#t3; file://artifacts/x] [cite:04]

A paragraph with a source. [cite:4]

## See also
- [[concepts/step-count]] — how steps are counted

## References
[cite:1]: {S}#t1-t2 "2026-06-21 · \\"atlas\\" named"
[cite:2]: {S}#t3
[cite:3]: file://artifacts/a.csv#L1-L3 "counts"
[cite:4]: {S}#t9
not a definition
"""


def test_an_outline_is_read() -> None:
    p = page.parse(PAGE, "knowledge/projects/atlas.md")
    assert (p.id, p.type, p.title, p.status, p.next_cite) == ("projects/atlas", "project", "Atlas", "active", 17)
    assert p.aliases == ("The Atlas", "Steps, all")
    assert p.h1 == "Atlas"
    assert [s.heading for s in p.sections] == ["Status", "See also", "References"]
    assert [(h.level, h.text) for h in p.headings][:3] == [(1, "Atlas"), (2, "Status"), (3, "Print")]
    assert p.lines[p.sections[0].line - 1] == "## Status"
    assert p.lead_text.startswith("An atlas")
    assert p.lead_text.endswith("open.")
    assert p.stray == ((49, "not a definition"),)


def test_claims_know_their_words_sources_and_place() -> None:
    p = page.parse(PAGE)
    rows = [(c.kind, c.section, c.group, c.depth, c.label, c.text, c.qualifiers, c.cites) for c in p.claims]
    lead, item, row, prose = ClaimKind.LEAD, ClaimKind.ITEM, ClaimKind.ROW, ClaimKind.PROSE
    assert rows == [
        (lead, "", None, 0, None, "An atlas of public steps.", (), (1,)),
        (lead, "", None, 0, None, "It covers Lyon and Sendai (as of 2026-08-06).", ("assistant",), (1, 2)),
        (lead, "", None, 0, None, "The rest is open.", (), ()),
        (item, "Status", None, 1, "Draft", "due on 2026-05-04; see [[concepts/step-count|the `count`]].", (), (2,)),
        (item, "Status", None, 2, None, "Lyon first, as `[[not/a-link]] [cite:9]` shows, now.", ("external",), (3, 4)),
        (item, "Status", None, 1, "Owner", "[[entities/nadia]]", (), (1,)),
        (row, "Status", None, 0, None, "Lyon | 412", (), (3,)),
        (row, "Status", None, 0, None, "Sendai | 98", (), ()),
        (item, "Status", "Print", 1, None, "A3, folded", ("inferred",), ()),
        (prose, "Status", "Print", 0, None, "A paragraph with a source.", (), (4,)),
        (item, "See also", None, 1, None, "[[concepts/step-count]] — how steps are counted", (), ()),
    ]  # fmt: skip
    printed = p.claims[8]
    assert printed.sources == (f"{S}#t3", "file://artifacts/x")
    assert printed.malformed == ("[cite:04]",)
    draft, lyon = p.claims[3], p.claims[4]
    assert p.lines[draft.line - 1] == draft.raw
    assert (lyon.end - lyon.line, "\n".join(p.lines[lyon.line - 1 : lyon.end])) == (1, lyon.raw)
    assert draft.words == "Draft: due on 2026-05-04; see the `count`."
    assert p.uris(lyon) == ["file://artifacts/a.csv#L1-L3", f"{S}#t9"]


def test_references_and_edges() -> None:
    p = page.parse(PAGE)
    assert sorted(p.references) == [1, 2, 3, 4]
    assert p.references[1].gloss == '2026-06-21 · "atlas" named'
    assert p.numbers[f"{S}#t9"] == 4
    assert p.cites() == {1, 2, 3, 4}
    assert [(w.target, p.lines[w.line - 1][w.start : w.end]) for w in page.links(p)] == [
        ("concepts/step-count", "[[concepts/step-count|the `count`]]"),
        ("entities/nadia", "[[entities/nadia]]"),
        ("concepts/step-count", "[[concepts/step-count]]"),
    ]


@given(hostile)
@example("[cite:1]:0")
def test_whatever_a_body_holds_its_bytes_are_kept(body: str) -> None:
    text = "---\nid: concepts/x\n---\n" + body
    p = page.parse(text)
    assert page.render(p) == text
    for claim in p.claims:
        block = "\n".join(p.lines[claim.line - 1 : claim.end])
        assert " ".join(claim.raw.split()) in " ".join(block.split())
        assert all(n in p.cites() for n in claim.cites)
    assert p.next_cite > max([0, *p.cites(), *p.references])
    page.links(p)


@given(hostile)
def test_frontmatter_reads_or_says_why(block: str) -> None:
    try:
        p = page.parse(f"---\n{clean(block)}\n---\n# X\n", "x.md")
    except FormatError as told:
        where = (told.path, told.line > 0)
    else:
        where = (p.path, p.text.endswith("# X\n"))
    assert where == ("x.md", True)


@pytest.mark.parametrize(
    "text",
    ["", "# No frontmatter\n", "---\nid: a\n", "---\nid: a\nid: b\n---\n", "---\n- a\n---\n", "---\nid: &x a\n---\n"],
)
def test_broken_frontmatter_is_an_error(text: str) -> None:
    with pytest.raises(FormatError):
        page.parse(text, "knowledge/entities/x.md")
