"""The examples in the docstrings of the room are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import brain.ingest
import brain.ingest.formats

MODULES = sorted(
    module.name
    for package in (brain.ingest, brain.ingest.formats)
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
