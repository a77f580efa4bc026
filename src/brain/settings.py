"""What can be set in one brain, with its default: each class is a table of `.brain/config.toml`. Read by `config`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexConfig:
    """The compact index. Budgets in estimated tokens; `max_tokens` 600 to 4,000."""

    max_tokens: int = 2500
    profile_tokens: int = 300
    max_lines: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Size of a page without References (format §4.8)."""

    soft_words: int = 600
    soft_claims: int = 25
    hard_words: int = 1500
    hard_claims: int = 60
    hard_tokens: int = 2500
    claim_words: int = 60
    snippet_words: int = 40
    file_bytes: int = 65536
    log_entries: int = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """Who does the thinking, and what one run may use up; 0 = no limit.

    `engine`: `extractive`, `model` or `command`; empty means a model for every role that `[models]` names one for, else
    extractive. `command` is the agent's command line for that engine. `unsandboxed` lets agents run without bubblewrap.
    """

    engine: str = ""
    command: str = ""
    unsandboxed: bool = False
    max_pages: int = 200
    max_cost_usd: float = 0.0
    max_minutes: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Privacy:
    hint_days: int = 30
    default_sensitivity: str = "normal"
    redact_allow: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GitConfig:
    track_transcripts: bool = False
    remote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchConfig:
    """`embedder`: `minilm`, `none`, `endpoint` (an OpenAI-compatible server) or `onnx` (a folder); `reranker`: `none`,
    `endpoint` or `onnx`. Keys are given by the name of the variable that holds them, never themselves. Prefixes are
    what some models want before a text. `reranked` hits are looked at again. `background`: vectors are
    made by a process of its own, which commands that wrote something start."""

    embedder: str = "minilm"
    embedder_url: str = ""
    embedder_model: str = ""
    embedder_key: str = ""
    embedder_folder: str = ""
    query_prefix: str = ""
    text_prefix: str = ""
    reranker: str = "none"
    reranker_url: str = ""
    reranker_model: str = ""
    reranker_key: str = ""
    reranker_folder: str = ""
    reranked: int = 40
    threads: int = 1
    background: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Connector:
    """A read-only outside source that Dream may probe: its `kind`, and where it is as `path`, `url` or `command`.

    `allow` narrows what is read (files, folders, paths) or names tools that may be called. `environment` are the names
    of variables a server may see, `token` the name of the one that holds what an address asks for; `timeout` seconds.
    """

    mode: str = "read"
    kind: str = ""
    path: str = ""
    url: str = ""
    command: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    owner_authoritative: bool = False
    environment: tuple[str, ...] = ()
    token: str = ""
    timeout: float = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a model costs, in US dollars a million tokens; `cached` is input that the provider had in its cache."""

    input: float = 0.0
    output: float = 0.0
    cached: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where the model of one role is asked, if not as all others: an address, and the NAME of its key's variable."""

    base_url: str = ""
    key: str = ""
    max_tokens: int = 0
    context: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsConfig:
    """Which model plays which role, as `provider:name`. Empty means: as the role before it says, in the end `default`.

    `base_url` is a server that speaks OpenAI's API; `key` the NAME of the variable that holds its key, never the key.
    `timeout` is seconds a request; `retries` how often a request is sent again when the server is away; `max_tokens`
    what one answer may be long (0 = as the provider has it); `context` what the model takes (0 = as known of it).
    `output` is how structured answers are asked for: `auto`, `native` (a JSON schema), `tool` or `prompted`.
    """

    default: str = ""
    distil: str = ""
    dream: str = ""
    verify: str = ""
    recall: str = ""
    answer: str = ""
    judge: str = ""
    base_url: str = ""
    key: str = ""
    timeout: float = 300.0
    retries: int = 3
    max_tokens: int = 0
    context: int = 0
    stream: bool = False
    output: str = "auto"
    roles: Mapping[str, Server] = field(default_factory=dict)
    prices: Mapping[str, Price] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchConfig:
    """`brain watch`: the `hosts` whose session folders are watched where they are, and `folders` beside them.

    `settle`: seconds a file must be quiet before it is read. `poll`: seconds between looks, for drives that report no
    changes; 0 = the system reports them. `dream`: a time of day, `03:30`, at which a dream runs; empty means never.
    """

    hosts: tuple[str, ...] = ("claude-code", "codex", "cursor", "gemini", "opencode", "openclaw")
    folders: tuple[str, ...] = ()
    settle: float = 5.0
    poll: float = 0.0
    dream: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HooksConfig:
    """`brain hook`: `inject` the compact index into sessions that begin, in at most `max_tokens`.

    `settle`: seconds without another turn before a session that goes on is captured.
    """

    inject: bool = True
    max_tokens: int = 2500
    settle: float = 20.0
