"""A brain behind a server, for reading: search, show, recall and working sets, with nothing of it on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from pydantic import TypeAdapter, ValidationError

from brain.corpus.corpus import Corpus
from brain.corpus.remote import RemoteCorpus
from brain.errors import RemoteError
from brain.explore.recall import Budget, Recall
from brain.near import Near
from brain.types import Hit, Surface

_RECALL = TypeAdapter(Recall)


class FarBrain:
    """What of `Brain` an agent in a sandbox needs, over HTTP. `token` is the server's."""

    def __init__(self, address: str, *, token: str | None) -> None:
        self.corpus = RemoteCorpus(address, token=token)

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        surfaces: Sequence[Surface] = (),
        since: date | None = None,
        until: date | None = None,
        speaker: str | None = None,
        project: str | None = None,
    ) -> list[Hit]:
        """As `Brain.search`."""
        return self.corpus.search(
            query, k, surfaces=surfaces, since=since, until=until, speaker=speaker, project=project
        )

    def show(self, what: str, *, cite: str | None = None, refs: bool = False) -> str:
        """As `Brain.show`."""
        return self.corpus.show(what, cite=cite, refs=refs)

    def near(self) -> Near:
        """Recall and working sets; the searching of a recall is done by the server, in one request."""
        return Near(corpus=self.corpus, source=self.corpus.address, agent=self._recall)

    def close(self) -> None:
        self.corpus.close()

    def _recall(self, corpus: Corpus, need: str, budget: Budget) -> Recall:
        raw = self.corpus.recall(need, files=budget.files, searches=budget.searches)
        try:
            return _RECALL.validate_python(raw)
        except ValidationError as error:
            raise RemoteError(f"{self.corpus.address} answered something that is no recall") from error
