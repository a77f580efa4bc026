"""Word search: BM25 by tantivy over terms that `analysis.py` made; it holds ids and terms, no text.

Two of them serve a brain: one for turns, one for the wiki (pages, notes, summaries), so that a one-line claim is not
measured against the length of a pasted log.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tantivy

HEAP = 64_000_000  # bytes the one writing thread may use; tantivy's minimum is 15 MB


class Words:
    """A folder of terms. Writers are one at a time (the caller holds the lock); a reader sees it as it was opened."""

    def __init__(self, folder: Path) -> None:
        import tantivy

        self._tantivy = tantivy
        schema = tantivy.SchemaBuilder()
        schema.add_unsigned_field("id", indexed=True, fast=True)
        schema.add_text_field("terms", tokenizer_name="whitespace", index_option="freq")
        self._schema = schema.build()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._index = tantivy.Index(self._schema, str(folder))

    def add(self, documents: Iterable[tuple[int, Sequence[str]]]) -> int:
        """Add (id, terms) pairs in one commit; returns how many."""
        writer = self._index.writer(HEAP, 1)
        count = 0
        for doc, terms in documents:
            document = self._tantivy.Document()
            document.add_unsigned("id", doc)
            document.add_text("terms", " ".join(terms))
            writer.add_document(document)
            count += 1
        writer.commit()
        writer.wait_merging_threads()
        return count

    def remove(self, ids: Iterable[int], *, from_id: int | None = None) -> None:
        """Delete documents in place, and every one with an id of at least `from_id` (left by a run that died)."""
        writer = self._index.writer(HEAP, 1)
        for doc in ids:
            writer.delete_documents_by_term("id", doc)
        if from_id is not None:
            tail = self._tantivy.Query.range_query(
                self._schema, "id", self._tantivy.FieldType.Unsigned, lower_bound=from_id, use_inverted_index=True
            )
            writer.delete_documents_by_query(tail)
        writer.commit()
        writer.wait_merging_threads()

    def search(self, groups: Sequence[Sequence[str]], limit: int) -> tuple[list[int], list[float]]:
        """Ids and BM25 scores of the best documents that hold any group; a group counts by its best term."""
        searcher = self._index.searcher()
        if not groups or searcher.num_docs == 0:
            return [], []
        hits = searcher.search(self._query(groups), limit=min(limit, searcher.num_docs), count=False).hits
        ids = searcher.fast_field_values("id", [address for _, address in hits])
        return [int(doc) for doc in ids if doc is not None], [score for score, _ in hits]

    def _query(self, groups: Sequence[Sequence[str]]) -> tantivy.Query:
        query, occur = self._tantivy.Query, self._tantivy.Occur
        parts = []
        for group in groups:
            terms = [query.term_query(self._schema, "terms", term, index_option="freq") for term in group]
            parts.append((occur.Should, terms[0] if len(terms) == 1 else query.disjunction_max_query(terms)))
        return query.boolean_query(parts)

    def count(self) -> int:
        return int(self._index.searcher().num_docs)

    def frequency(self, group: Sequence[str]) -> int:
        """How many documents hold one of the terms; deleted ones may count until they are merged away."""
        searcher = self._index.searcher()
        return max((int(searcher.doc_freq("terms", term)) for term in group), default=0)
