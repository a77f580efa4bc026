"""One module a data set; each reads its files into conversations and questions (`dialogue.py`), or into accounts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from brain.bench.datasets import beam, locomo, locomo_labels, longmemeval, realmem
from brain.bench.datasets.dialogue import Conversation
from brain.bench.datasets.parts import part_of
from brain.bench.plan import Dataset, Part
from brain.errors import UsageError

_LOADERS = {
    Dataset.LOCOMO: locomo.load,
    Dataset.LONGMEMEVAL: longmemeval.load,
    Dataset.REALMEM: realmem.load,
    Dataset.BEAM: beam.load,
}


def load(
    dataset: Dataset, path: Path, part: Part = Part.ALL, *, corrections: Path | None = None
) -> Iterator[Conversation]:
    """The conversations of one part of a data set, with its labels mended by `corrections`.

    Raises NotFound, FormatError, and UsageError for personas, whose files go through the importer, and for corrections
    of a data set that has none.
    """
    if dataset not in _LOADERS:
        raise UsageError(
            "personas are transcript files of hosts, to be imported", hint="brain bench run personas --data FOLDER"
        )
    found: Iterable[Conversation] = _LOADERS[dataset](path)
    if corrections is not None:
        if dataset is not Dataset.LOCOMO:
            raise UsageError(f"there are label corrections for LoCoMo only, not for {dataset.value}")
        found = locomo_labels.corrected(found, corrections)
    for conversation in found:
        if part in (Part.ALL, part_of(conversation)):
            yield conversation
