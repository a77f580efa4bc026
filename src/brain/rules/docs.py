"""docs/rules.md, the table of all rules with their examples, from their docstrings: `python -m brain.rules.docs`."""

from __future__ import annotations

import sys

from brain.rules.families import FAMILIES, ordered
from brain.rules.rule import Rule, Scope
from brain.types import Severity

INTRO = """# Rules

Written by `python -m brain.rules.docs`; a test holds it to the code. Every rule is a pure function whose docstring has
a bad and a good example, and these are its test.

**E** blocks sync, **W** is recorded, **A** is mended by `brain fmt`. † looks at the whole tree, the others at what
changed. In the examples, frontmatter keys and sections take the place of those of a standard page; `=== <path>` begins
another file.
"""


def table() -> str:
    """The whole document."""
    out = [INTRO]
    for module in FAMILIES:
        rules = [rule for rule in ordered() if rule.run.__module__ == module.__name__]
        out += [f"## {(module.__doc__ or '').strip().removesuffix('.')}\n", "| id | | what it wants |", "|---|---|---|"]
        out += [f"| [{r.id}](#{r.id.lower()}) | {_severity(r)} | {_title(r)} |" for r in rules]
        out.append("")
        for rule in rules:
            out += [f"### {rule.id}\n", f"```text\nbad:\n{_indented(rule.bad)}\n\ngood:\n{_indented(rule.good)}\n```\n"]
    return "\n".join(out)


def _title(rule: Rule) -> str:
    return rule.title.replace(" (†).", ".").replace("|", "\\|")


def _severity(rule: Rule) -> str:
    names = "/".join(s.value for s in rule.severities if isinstance(s, Severity))
    return f"{names} †" if rule.scope is Scope.GRAPH else names


def _indented(example: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in example.split("\n"))


if __name__ == "__main__":
    sys.stdout.write(table())
