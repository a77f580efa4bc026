"""What a rule is: a pure function with an id, whose docstring says what it wants, with a bad and a good example.

The examples are run by the tests and printed in docs/rules.md. Their notation: frontmatter keys, a lead and sections
that take the place of those of a standard page; `=== <path>` begins another file (see tests/rules/rule_examples.py).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from brain.types import Severity

if TYPE_CHECKING:
    from brain.rules.context import Context
    from brain.tree.page import Page


class Scope(StrEnum):
    """What a rule is called with: each changed path, each changed page, or once with the whole run or graph."""

    PATH = "path"
    PAGE = "page"
    RUN = "run"  # the change as a whole
    GRAPH = "graph"  # the tree as a whole (†)


@dataclass(frozen=True, slots=True)
class Found:
    """One thing a rule found, before the runner adds rule and place. `path` only when it is not the file checked."""

    message: str
    line: int = 0
    fix: str | None = None
    path: str | None = None
    severity: Severity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """`severities` names all it may give, the usual one first."""

    id: str
    severities: tuple[Severity, ...]
    scope: Scope
    title: str
    bad: str
    good: str
    run: Callable[..., Iterable[Found]]

    @property
    def severity(self) -> Severity:
        return self.severities[0]


RULES: dict[str, Rule] = {}
"""Every rule by id, filled as the modules of this package are imported."""

_BLOCKS = re.compile(r"\A(?P<title>.*?)\n\s*\n?Bad:\n(?P<bad>.*?)\n\s*Good:\n(?P<good>.*)\Z", re.S)

PathRule = Callable[[str, "Context"], Iterable[Found]]
PageRule = Callable[["Page", "Context"], Iterable[Found]]
RunRule = Callable[["Context"], Iterable[Found]]
R = TypeVar("R", bound=Callable[..., Iterable[Found]])


def _register(id: str, severity: str, scope: Scope, function: Callable[..., Iterable[Found]]) -> None:
    doc = inspect.cleandoc(function.__doc__ or "")
    match = _BLOCKS.match(doc)
    if match is None:
        raise TypeError(f"rule {id} needs a docstring with Bad: and Good: examples")
    if id in RULES:
        raise TypeError(f"rule {id} stands twice")
    RULES[id] = Rule(
        id=id,
        severities=tuple(Severity(s) for s in severity.split("/")),
        scope=scope,
        title=" ".join(match["title"].split()),
        bad=inspect.cleandoc(match["bad"]),
        good=inspect.cleandoc(match["good"]),
        run=function,
    )


def path_rule(id: str, severity: str = "E") -> Callable[[PathRule], PathRule]:
    """Called once for every changed path."""
    return _decorator(id, severity, Scope.PATH)


def page_rule(id: str, severity: str = "E") -> Callable[[PageRule], PageRule]:
    """Called for every changed page whose frontmatter reads."""
    return _decorator(id, severity, Scope.PAGE)


def run_rule(id: str, severity: str = "E") -> Callable[[RunRule], RunRule]:
    """Called once, about the change as a whole."""
    return _decorator(id, severity, Scope.RUN)


def graph_rule(id: str, severity: str = "E") -> Callable[[RunRule], RunRule]:
    """Called once, about the whole staged tree (†)."""
    return _decorator(id, severity, Scope.GRAPH)


def _decorator(id: str, severity: str, scope: Scope) -> Callable[[R], R]:
    def decorate(function: R) -> R:
        _register(id, severity, scope, function)
        return function

    return decorate
