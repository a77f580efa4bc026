"""Settings of one brain: `.brain/config.toml`, then `BRAIN_*` variables. The only module that sees the environment."""

from __future__ import annotations

import os
import re
import secrets
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar, cast
from zoneinfo import ZoneInfo

from brain.errors import ConfigError, NotABrain
from brain.settings import Connector as Connector
from brain.settings import GitConfig, HooksConfig, Limits, ModelsConfig, Privacy, RunConfig, Server, WatchConfig
from brain.settings import IndexConfig as IndexConfig
from brain.settings import Price as Price
from brain.settings import SearchConfig as SearchConfig

BRAIN_FORMAT = 1
FILE = ".brain/config.toml"
KEY_BYTES = 32
S = TypeVar("S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All settings. `owners` are page ids; `names` gives an owner's name before the page exists."""

    brain_format: int = BRAIN_FORMAT
    owners: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    tz: str = "UTC"
    language: str = "en"
    tokenizer: str = ""
    sources: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    roots: Mapping[str, str] = field(default_factory=dict)
    connectors: Mapping[str, Connector] = field(default_factory=dict)
    index: IndexConfig = field(default_factory=IndexConfig)
    limits: Limits = field(default_factory=Limits)
    run: RunConfig = field(default_factory=RunConfig)
    privacy: Privacy = field(default_factory=Privacy)
    git: GitConfig = field(default_factory=GitConfig)
    models: ModelsConfig = field(default_factory=ModelsConfig)
    search: SearchConfig = field(default_factory=SearchConfig)
    watch: WatchConfig = field(default_factory=WatchConfig)
    hooks: HooksConfig = field(default_factory=HooksConfig)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.tz)

    @property
    def authoritative(self) -> tuple[str, ...]:
        """The connectors that hold the owners' own books."""
        return tuple(name for name, one in self.connectors.items() if one.owner_authoritative)

    @property
    def state(self) -> Path:
        """The user's folder for keys, outside of every tree."""
        return state_home()

    @property
    def owner_names(self) -> tuple[str, ...]:
        """What the owners are called: as configured, else read from their page ids."""
        return tuple(self.names.get(o) or o.rpartition("/")[2].replace("-", " ").title() for o in self.owners)

    @classmethod
    def load(cls, root: Path, environ: Mapping[str, str] | None = None) -> Config:
        """The settings of the brain at `root`. Raises NotABrain without a config file, ConfigError on a bad value."""
        place = root / FILE
        try:
            text = place.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            raise NotABrain(f"no brain at {str(root)!r}", hint=f"brain init {root}") from None
        except UnicodeDecodeError as error:
            raise ConfigError(f"{FILE} is not UTF-8: {error.reason}") from error
        return cls.parse(text, os.environ if environ is None else environ)

    @classmethod
    def parse(cls, text: str, environ: Mapping[str, str] | None = None) -> Config:
        """The settings written in a TOML text. Raises ConfigError."""
        try:
            raw = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(f"{FILE} does not read: {error}") from error
        config = _read(cls, raw, "", environ or {})
        _check(config)
        return config


def settings_from_environment() -> Config:
    """The settings outside any brain: what `BRAIN_*` variables say. Raises ConfigError."""
    return Config.parse("", os.environ)


TABLES: Mapping[str, type] = {"connectors": Connector, "models.roles": Server, "models.prices": Price}
VARIABLES = {"models.default": "BRAIN_MODEL"}


def token_from_environment() -> str | None:
    """BRAIN_TOKEN: what a brain server asks for."""
    return os.environ.get("BRAIN_TOKEN") or None


def key_from_environment(name: str) -> str | None:
    """The key in the variable that a setting names; None when it is not set or empty."""
    return os.environ.get(name) or None


def environment_for_command(root: Path, run_id: str, programs: Path) -> dict[str, str]:
    """What a foreign agent's command sees: ours, with its run, this memory, and `brain` among its programs."""
    path = os.pathsep.join((str(programs), os.environ.get("PATH", os.defpath)))
    return {**os.environ, "PATH": path, "BRAIN_RUN": run_id, "BRAIN_MEMORY": str(root)}


def run_from_environment() -> str | None:
    """The run that the agent which called us works in, as BRAIN_RUN says."""
    return os.environ.get("BRAIN_RUN") or None


def memory_from_environment() -> Path | None:
    """The memory folder that BRAIN_MEMORY names."""
    value = os.environ.get("BRAIN_MEMORY")
    return Path(value) if value else None


def folder_from_environment(name: str) -> Path | None:
    """The folder that a variable of another program names, such as CODEX_HOME; None when it is not set or empty."""
    value = os.environ.get(name)
    return Path(value).expanduser() if value else None


def state_home() -> Path:
    """The user's folder for what must not lie in a memory tree: keys. BRAIN_STATE, else $XDG_STATE_HOME/brain."""
    if named := os.environ.get("BRAIN_STATE"):
        return Path(named)
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "brain"


def cache_home() -> Path:
    """The user's folder for what may be deleted any time. BRAIN_CACHE, else $XDG_CACHE_HOME/brain."""
    if named := os.environ.get("BRAIN_CACHE"):
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "brain"


def secret_key(name: str) -> bytes:
    """A key of the user, `<state>/<name>.key`: 32 bytes or more, made at first use, readable by the user alone.

    When it is lost a new one is made, and hashes made with the old one match nothing.
    """
    place = state_home() / f"{name}.key"
    try:
        key = place.read_bytes()
    except FileNotFoundError:
        key = secrets.token_bytes(KEY_BYTES)
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = place.with_name(f".{name}.{os.getpid()}")
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(key)
        try:
            os.link(fresh, place)  # whole or not at all; another process may be first
        except FileExistsError:
            key = place.read_bytes()
        finally:
            fresh.unlink()
    if len(key) < KEY_BYTES:
        raise ConfigError(f"the key file {str(place)!r} is shorter than {KEY_BYTES} bytes", hint=f"rm {place}")
    return key


def _read(cls: type[S], raw: Mapping[str, object], prefix: str, environ: Mapping[str, str]) -> S:
    """One table as a dataclass: each value must have the type of the field's default."""
    default = cast(Any, cls())
    known = {f.name for f in fields(default)}
    if unknown := sorted(k for k in raw if k not in known and not k.startswith("x-")):
        raise ConfigError(f"{FILE}: unknown key {prefix + unknown[0]!r}", hint=f"known: {', '.join(sorted(known))}")
    values: dict[str, object] = {}
    for f in fields(default):
        current = getattr(default, f.name)
        name = prefix + f.name
        variable = VARIABLES.get(name) or "BRAIN_" + name.upper().replace(".", "_")
        if isinstance(current, str | int | float) and variable in environ:
            values[f.name] = _from_text(environ[variable], current, variable)
        elif hasattr(current, "__dataclass_fields__"):
            values[f.name] = _read(type(current), _table(raw.get(f.name, {}), name), f"{name}.", environ)
        elif f.name in raw:
            values[f.name] = _typed(raw[f.name], current, name)
    return cls(**values)


def _typed(value: object, default: object, name: str) -> object:
    if kind := TABLES.get(name):
        return {k: _read(kind, _table(v, f"{name}.{k}"), f"{name}.{k}.", {}) for k, v in _table(value, name).items()}
    if isinstance(default, tuple) and isinstance(value, list) and all(isinstance(v, str) for v in value):
        return tuple(value)
    if isinstance(default, dict) and all(isinstance(v, str) for v in _table(value, name).values()):
        return value
    if isinstance(default, float) and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if type(value) is type(default):
        return value
    wanted = {tuple: "a list of strings", dict: "a table of strings", str: "a string", bool: "true or false"}
    raise ConfigError(f"{FILE}: {name} = {value!r} is not {wanted.get(type(default), 'a number')}")


def _from_text(text: str, default: str | int | float, variable: str) -> object:
    if isinstance(default, bool):
        if text.lower() in {"1", "true", "yes", "0", "false", "no"}:
            return text.lower() in {"1", "true", "yes"}
    elif isinstance(default, str):
        return text
    else:
        try:
            return type(default)(text)
        except ValueError:
            pass
    raise ConfigError(f"{variable} = {text!r} is not {'true or false' if isinstance(default, bool) else 'a number'}")


def _table(value: object, name: str) -> Mapping[str, object]:
    if isinstance(value, dict):
        return value
    raise ConfigError(f"{FILE}: {name} = {value!r} is not a table")


def _check(config: Config) -> None:
    if config.brain_format != BRAIN_FORMAT:
        raise ConfigError(f"brain_format {config.brain_format} is not {BRAIN_FORMAT}, the format this version writes")
    if not 600 <= config.index.max_tokens <= 4000:
        raise ConfigError(f"index.max_tokens = {config.index.max_tokens} is not between 600 and 4000")
    if config.privacy.default_sensitivity not in {"normal", "private", "restricted"}:
        raise ConfigError(
            f"privacy.default_sensitivity = {config.privacy.default_sensitivity!r} is not normal, private or restricted"
        )
    if config.run.engine not in {"", "extractive", "model", "command"}:
        raise ConfigError(f"run.engine = {config.run.engine!r} is not extractive, model or command")
    if config.models.output not in {"auto", "native", "tool", "prompted"}:
        raise ConfigError(f"models.output = {config.models.output!r} is not auto, native, tool or prompted")
    roles = {"distil", "dream", "verify", "recall", "answer", "judge"}
    if unknown := sorted(set(config.models.roles) - roles):
        raise ConfigError(f"models.roles.{unknown[0]}: no such role", hint=f"known: {', '.join(sorted(roles))}")
    if config.watch.dream and not re.fullmatch(r"(?:[01]\d|2[0-3]):[0-5]\d", config.watch.dream):
        raise ConfigError(f"watch.dream = {config.watch.dream!r} is no time of day; write 03:30, or nothing for never")
    for name, connector in config.connectors.items():
        if connector.mode != "read":
            raise ConfigError(f"connectors.{name}.mode = {connector.mode!r}: connectors only read")
    try:
        ZoneInfo(config.tz)
    except (ValueError, OSError, KeyError) as error:
        raise ConfigError(f"tz = {config.tz!r} is no time zone; write Europe/Paris") from error
