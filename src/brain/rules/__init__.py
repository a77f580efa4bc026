"""Deterministic validation (format §14): one pure function a rule, its docstring holding a bad and a good example.

`check` runs them over a proposed tree: file rules on what changed, graph rules (†) on the whole. `fmt` mends what a
program can mend. `verify` tests a claim against its turns, `overrides` looks for later turns that speak against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from brain.config import Config
from brain.rules.context import Commit, Context
from brain.rules.evidence import Evidence, TreeEvidence
from brain.rules.families import ordered
from brain.rules.fmt import fmt
from brain.rules.git import CommitDraft
from brain.rules.later import Override, overrides
from brain.rules.rule import RULES, Found, Rule, Scope
from brain.rules.staging import claim_sha
from brain.rules.verify import Support, Verdict, verify
from brain.tree.deletions import Deletions
from brain.tree.files import Tree
from brain.tree.layout import FileClass
from brain.types import Problem, Severity

__all__ = [
    "RULES", "CommitDraft", "Context", "Evidence", "Override", "Rule", "Support", "TreeEvidence", "Verdict",
    "check", "claim_sha", "errors", "fmt", "ordered", "overrides", "run", "verify",
]  # fmt: skip


def check(
    staged: Tree,
    base: Tree,
    *,
    config: Config,
    evidence: Evidence,
    deletions: Deletions,
    now: datetime,
    manifest: Any = None,
    changed: Iterable[str] | None = None,
    kind: str = "human",
    commit: Commit | None = None,
    human_lines: Mapping[str, Iterable[str]] | None = None,
    override: bool = False,
    regenerated: bool = False,
    only: Iterable[str] | None = None,
) -> list[Problem]:
    """Every problem of a proposed tree, by path, line and rule. Sync needs none of severity E.

    `changed` are the paths that file rules look at, None = every path of both trees; give it, cost follows it.
    `only` limits the run to rules by id. The other arguments are those of `Context`.
    """
    context = Context(
        staged, base, config=config, evidence=evidence, deletions=deletions, now=now, manifest=manifest,
        changed=changed, kind=kind, commit=commit, human_lines=human_lines, override=override, regenerated=regenerated,
    )  # fmt: skip
    return run(context, only)


def run(context: Context, only: Iterable[str] | None = None) -> list[Problem]:
    """The rules over one context."""
    wanted = set(RULES if only is None else only)
    found: list[Problem] = []
    for rule in ordered():
        if rule.id in wanted:
            found += [_problem(rule, path, one) for path, one in _apply(rule, context)]
    unique = dict.fromkeys(found)
    return sorted(unique, key=lambda p: (p.path, p.line, p.rule, p.message))


def errors(problems: Iterable[Problem]) -> list[Problem]:
    """Those that block sync."""
    return [p for p in problems if p.severity is Severity.E]


def _apply(rule: Rule, context: Context) -> Iterator[tuple[str, Found]]:
    match rule.scope:
        case Scope.PATH:
            for path in context.changed:
                yield from ((path, one) for one in rule.run(path, context))
        case Scope.PAGE:
            for path in context.of_class(FileClass.PAGE):
                if page := context.page(path):
                    yield from ((path, one) for one in rule.run(page, context))
        case Scope.RUN | Scope.GRAPH:
            yield from (("", one) for one in rule.run(context))


def _problem(rule: Rule, path: str, found: Found) -> Problem:
    return Problem(
        rule=rule.id,
        severity=found.severity or rule.severity,
        path=path if found.path is None else found.path,
        line=found.line,
        message=found.message if not found.fix else f"{found.message}; {found.fix}",
        fix=found.fix,
    )
