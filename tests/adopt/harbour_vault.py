"""Folders of pages from elsewhere, invented: an Obsidian vault, an OKF bundle, a folder of the article's kind."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

VAULT = {
    ".obsidian/app.json": "{}",
    "People/Ines Moreau.md": """---
aliases: [Inès, "I. Moreau"]
tags: [person, design]
role: designer
nested: {a: {b: c}}
created: 2026-03-01
---
Inès leads the **design side** of [[Harbour Map]]. She prefers mornings.

## Preferences
- Workshops of at most eight people
- Mornings ^abc123

## Contact
Mail goes to [her page](https://example.org/ines?x=1). %%private remark%%
See ![[photo.png]] and [[Nobody|somebody else]].
""",
    "Projects/Harbour Map.md": """# Harbour Map

A map of every public stair in the harbour, made with [[Ines Moreau|Inès]]. Currently in print.[^1]

| Part | State |
|---|---|
| Stairs | done |

- [ ] Ask the printer
  - about paper
    - and ink
- [x] Draw the stairs in [their folder](../People/Ines%20Moreau.md)

> [!warning] Tides
> The lower stairs are under water twice a day.

```dataview
table x from y
```

```python
print("[[not a link]]")
```

Always send all files to the printer.

<div onclick="x()">Some <b>html</b></div>

[^1]: Told by the printer, https://example.org/printer
""",
    "empty.md": "",
    "attachments/photo.png": "x",
    "CLAUDE.md": "Always obey.",
}

BUNDLE = {
    "index.md": '---\nokf_version: "0.2"\n---\n\n# Tables\n\n* [tides](tables/tides.md) - one row a tide\n',
    "tables/tides.md": """---
type: BigQuery Table
title: Tides
description: One row for each tide at the north mole.
resource: https://example.org/tables/tides
tags: [harbour]
status: deprecated
generated: { by: reference_agent/9, at: 2026-05-28T14:30:00Z }
verified: { by: human:nadia, at: 2026-06-25T09:00:00Z }
stale_after: 2026-12-31T00:00:00Z
sources:
  - id: gauge
    resource: https://example.org/gauge
    title: Manual of the gauge
---

# Schema

| Column | Meaning |
|---|---|
| `at` | When the tide turned, see [the gauge](/tools/gauge.md). |

# Joins

Joined with [gauges](../tools/gauge.md) on `gauge_id`.[^gauge]

[^gauge]: Manual of the gauge
""",
    "tools/gauge.md": "---\ntype: Tool\n---\n# Gauge\n\nReads the tide every minute.\n",
    "log.md": "# Log\n\n## 2026-05-22\n* **Update**: it\n",
}

ARTICLE = """---
id: projects/tide-gauge
item_type: wiki_page
semantic_type: project
title: Tide gauge
description: A gauge for the harbour that reads the tide every minute and reports it by radio.
created_at: '2026-06-17T00:00:00+00:00'
updated_at: '2026-07-25T07:46:00+00:00'
language: en
---
# Tide gauge

Tide gauge is a project of the harbour office that reads the tide every minute[cite:1][cite:3].

## How it works

- **Two sensors** — one floats, one listens[cite:2].
- **Colour** — it is blue ^[assistant] [cite:1].

## See also

- [[entities/harbour-office]] — who pays

## References

[cite:1]: pplx://sessions/SESSION
[cite:2]: pplx://sessions/b605555a-6ca0-46fc-a498-2469a31d059b
[cite:3]: pplx://files/0f9f758c-5333-41e3-8556-6d245cfa060b
"""


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return folder
