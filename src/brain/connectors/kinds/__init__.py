"""Kinds of connectors: one file a kind. Adding one is adding a module here that has a `KIND`; nothing else names it."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from brain.connectors.kind import Kind


@cache
def kinds() -> tuple[Kind, ...]:
    """Every kind in this folder, by name."""
    found = []
    for module in pkgutil.iter_modules(__path__):
        one = getattr(importlib.import_module(f"{__name__}.{module.name}"), "KIND", None)
        if one is not None:
            found.append(one)
    return tuple(sorted(found, key=lambda one: str(one.name)))
