"""The accounts of a data set, by name: loaded where they are needed, once a process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import file_digest
from itertools import islice
from pathlib import Path

from brain.bench import datasets
from brain.bench.accounts import Account, of_conversation
from brain.bench.datasets import personas
from brain.bench.datasets.dialogue import Conversation
from brain.bench.plan import Dataset, Part
from brain.errors import NotFound


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Which accounts: of which data set, where it is, `limit` at most. `corrections` is a file of mended labels."""

    dataset: Dataset
    data: Path
    part: Part = Part.ALL
    limit: int | None = None
    corrections: Path | None = None

    def names(self) -> list[str]:
        """The accounts' ids. Raises NotFound, FormatError."""
        if self.dataset is Dataset.PERSONAS:
            return personas.names(self.data)[: self.limit]
        return list(_conversations(self))

    def account(self, name: str) -> Account:
        """Raises NotFound, FormatError."""
        if self.dataset is Dataset.PERSONAS:
            return personas.load(self.data, name)
        found = _conversations(self).get(name)
        if found is None:
            raise NotFound(f"{self.dataset.value} has no account {name!r}")
        return of_conversation(found)

    @property
    def licensed(self) -> bool:
        """Whether its text is somebody's, which no record may hold."""
        return self.dataset is not Dataset.PERSONAS

    def files(self) -> dict[str, str]:
        """SHA-256 of its files by name; of personas the list, which has those of the persons."""
        found = sorted(self.data.glob("*.json")) if self.data.is_dir() else [self.data]
        hashes = {}
        for file in [*found, *([self.corrections] if self.corrections else ())]:
            with file.open("rb") as content:
                hashes[file.name] = file_digest(content, "sha256").hexdigest()
        return hashes


@lru_cache(maxsize=2)
def _conversations(source: Source) -> Mapping[str, Conversation]:
    found = datasets.load(source.dataset, source.data, source.part, corrections=source.corrections)
    return {one.id: one for one in islice(found, source.limit)}
