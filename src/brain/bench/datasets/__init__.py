"""One module a public data set; each reads its file into conversations and questions (`dialogue.py`)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from brain.bench.datasets import locomo, longmemeval, realmem
from brain.bench.datasets.dialogue import Conversation
from brain.bench.datasets.parts import part_of
from brain.bench.plan import Dataset, Part

_LOADERS = {Dataset.LOCOMO: locomo.load, Dataset.LONGMEMEVAL: longmemeval.load, Dataset.REALMEM: realmem.load}


def load(dataset: Dataset, path: Path, part: Part = Part.ALL) -> Iterator[Conversation]:
    """The conversations of one part of a data set. Raises NotFound, FormatError."""
    for conversation in _LOADERS[dataset](path):
        if part in (Part.ALL, part_of(conversation)):
            yield conversation
