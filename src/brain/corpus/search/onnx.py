"""Models in a folder of this machine: `model.onnx` (or `onnx/model.onnx`) beside `tokenizer.json`.

An embedder's vector is its output `sentence_embedding` when it has one; else the mean of the last hidden states, or the
first of them when `1_Pooling/config.json` says so. A cross-encoder gives one number for a query and a text.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from brain.corpus.search.checked import sha256_of
from brain.corpus.search.meaning import EmbedderUnavailable

if TYPE_CHECKING:
    import numpy as np
    import onnxruntime  # type: ignore[import-untyped]
    import tokenizers
    from numpy.typing import NDArray

MAX_PIECES = 512  # of a text, unless the tokenizer's own settings say less


@dataclass(frozen=True)
class Model:
    """A folder's network and tokenizer, loaded at first use. Texts go through one by one, without padding."""

    folder: Path
    threads: int = 1

    @classmethod
    def at(cls, setting: str, folder: str, threads: int) -> Model:
        """Raises EmbedderUnavailable when something is missing."""
        if not folder:
            raise EmbedderUnavailable(
                f"{setting}_folder is not set", hint="a folder with model.onnx and tokenizer.json"
            )
        model = cls(Path(folder).expanduser(), max(1, min(threads, 2)))
        for missing in (file for file in (model.weights, model.folder / "tokenizer.json") if not file.is_file()):
            raise EmbedderUnavailable(f"{str(missing)!r}, which {setting}_folder needs, is not there")
        try:
            import onnxruntime  # noqa: F401  (a missing runtime is found here, not in mid-search)
            import tokenizers  # noqa: F401
        except ImportError as error:
            raise EmbedderUnavailable(
                f"{error.name} is not installed", hint="pip install onnxruntime tokenizers"
            ) from error
        return model

    @property
    def weights(self) -> Path:
        inner = self.folder / "onnx" / "model.onnx"
        return inner if inner.is_file() else self.folder / "model.onnx"

    @cached_property
    def session(self) -> onnxruntime.InferenceSession:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        try:
            return onnxruntime.InferenceSession(str(self.weights), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime has no common base for what it raises
            raise EmbedderUnavailable(f"{str(self.weights)!r} does not load: {error}") from error

    @cached_property
    def tokenizer(self) -> tokenizers.Tokenizer:
        from tokenizers import Tokenizer

        file = self.folder / "tokenizer.json"
        try:
            tokenizer = Tokenizer.from_file(str(file))
        except Exception as error:  # nor has tokenizers
            raise EmbedderUnavailable(f"{str(file)!r} does not load: {error}") from error
        tokenizer.no_padding()
        tokenizer.enable_truncation(self._longest())
        return tokenizer

    def _longest(self) -> int:
        length = _settings(self.folder / "tokenizer_config.json").get("model_max_length")
        return min(int(length), MAX_PIECES) if isinstance(length, int | float) and length >= 8 else MAX_PIECES

    def run(self, text: str, second: str | None = None) -> dict[str, NDArray[np.float32]]:
        """Every output of the network for one text or pair, by name."""
        import numpy as np

        made = self.tokenizer.encode(text, second)
        every = {"input_ids": made.ids, "attention_mask": made.attention_mask, "token_type_ids": made.type_ids}
        wanted = {one.name for one in self.session.get_inputs()}
        feed = {name: np.array([values], np.int64) for name, values in every.items() if name in wanted}
        names = [one.name for one in self.session.get_outputs()]
        return dict(zip(names, self.session.run(names, feed), strict=True))


@dataclass(frozen=True)
class FolderEmbedder:
    """A sentence embedder."""

    model: Model
    query_prefix: str = ""
    text_prefix: str = ""

    @cached_property
    def id(self) -> str:
        prefix = f" {self.text_prefix.strip()}" if self.text_prefix else ""
        return f"{self.model.folder.name} {sha256_of(self.model.weights)[:12]}{prefix}"

    @cached_property
    def dimensions(self) -> int:
        return int(self._row("dimensions").shape[0])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._rows([self.text_prefix + text for text in texts])

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        return self._rows([self.query_prefix + query for query in queries])

    def _rows(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        return np.stack([self._row(text) for text in texts]) if texts else np.zeros((0, self.dimensions), np.float32)

    def _row(self, text: str) -> NDArray[np.float32]:
        import numpy as np

        outputs = self.model.run(text)
        found = outputs.get("sentence_embedding", next(iter(outputs.values())))[0]
        if found.ndim == 2:
            found = found[0] if self._takes_the_first else found.mean(axis=0)
        row = np.asarray(found, np.float32)
        return row / max(float(np.linalg.norm(row)), 1e-9)

    @cached_property
    def _takes_the_first(self) -> bool:
        return _settings(self.model.folder / "1_Pooling" / "config.json").get("pooling_mode_cls_token") is True


@dataclass(frozen=True)
class CrossEncoder:
    """A reranker."""

    model: Model

    @classmethod
    def open(cls, folder: str, threads: int) -> CrossEncoder:
        return cls(Model.at("search.reranker", folder, threads))

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        return [float(next(iter(self.model.run(query, text).values())).reshape(-1)[-1]) for text in texts]


def _settings(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
