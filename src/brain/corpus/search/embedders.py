"""Which embedder the settings name, and how one that served before is opened again while another takes its place."""

from __future__ import annotations

import json
from dataclasses import replace

from brain.config import SearchConfig
from brain.corpus.search.endpoint import Endpoint, EndpointEmbedder
from brain.corpus.search.meaning import Embedder, EmbedderUnavailable, open_embedder
from brain.corpus.search.onnx import FolderEmbedder, Model

_SPEC = ("embedder", "embedder_url", "embedder_model", "embedder_key", "embedder_folder", "query_prefix", "text_prefix")


def configured(config: SearchConfig) -> Embedder:
    """Raises EmbedderUnavailable, saying why and what would help."""
    if config.embedder == "endpoint":
        if not config.embedder_model:
            raise EmbedderUnavailable("search.embedder_model is not set", hint='embedder_model = "MODEL" in [search]')
        endpoint = Endpoint.of("search.embedder", config.embedder_url, config.embedder_key)
        return EndpointEmbedder(endpoint, config.embedder_model, config.query_prefix, config.text_prefix)
    if config.embedder == "onnx":
        model = Model.at("search.embedder", config.embedder_folder, config.threads)
        return FolderEmbedder(model, config.query_prefix, config.text_prefix)
    return open_embedder(config.embedder, config.threads)


def spec_of(config: SearchConfig) -> str:
    """What `reopened` needs, as JSON. It holds the name of a key's variable, not the key."""
    values = {name: getattr(config, name) for name in _SPEC}
    return json.dumps({name: value for name, value in values.items() if value}, sort_keys=True)


def reopened(spec: str, config: SearchConfig) -> Embedder:
    """The embedder of a spec. Raises EmbedderUnavailable."""
    try:
        values = json.loads(spec)
    except ValueError:
        values = {}
    if not isinstance(values, dict) or not values:
        raise EmbedderUnavailable("how the earlier embedder was opened is not known")
    said = {name: str(values.get(name, "")) for name in _SPEC}
    return configured(
        replace(
            config, embedder=said["embedder"], embedder_url=said["embedder_url"], embedder_model=said["embedder_model"],
            embedder_key=said["embedder_key"], embedder_folder=said["embedder_folder"],
            query_prefix=said["query_prefix"], text_prefix=said["text_prefix"],
        )
    )  # fmt: skip
