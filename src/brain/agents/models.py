"""From a role to a model that can be asked, on any provider or server that speaks OpenAI's API; never another one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeVar, cast

from brain.agents.roles import Cast, Role, cast_of
from brain.config import Config, key_from_environment
from brain.errors import ConfigError

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings

T = TypeVar("T")
CONTEXT_TOKENS = 32_000  # of a model nobody knows anything about
LOOPS = {Role.DREAM, Role.RECALL, Role.ANSWER}  # roles whose conversation grows; the others ask once
NO_KEY = "none"  # some clients insist on a key where a server wants none
_VARIABLE = re.compile(r"`([A-Z][A-Z0-9_]{3,})`")


def model_for(config: Config, role: str) -> Model:
    """The model of a role: distil, dream, verify, recall, answer or judge.

    Raises ConfigError when none is set, its key's variable is not set (the variable is named), or nobody knows it.
    """
    found = cast_of(config, role)
    if found is None:
        raise ConfigError(
            f"no model is set for {role}",
            hint=f'write [models] default = "provider:name" in .brain/config.toml, or {role} = …, or set BRAIN_MODEL',
        )
    return model_of(found)


def model_of(found: Cast) -> Model:
    """The model behind a name and an address. Raises ConfigError."""
    from pydantic_ai.exceptions import UserError
    from pydantic_ai.models import infer_model
    from pydantic_ai.providers import infer_provider

    key = key_of(found)
    name = _at_server(found.model) if found.base_url else found.model

    def provider(provider_name: str) -> Any:
        return _provider(provider_name, found.base_url, key)

    try:
        if found.base_url or key:
            return infer_model(name, provider)
        return infer_model(name, infer_provider)
    except UserError as error:
        raise _explained(found, str(error)) from error
    except ImportError as error:
        provider_name = name.partition(":")[0]
        raise ConfigError(
            f"{found.model!r} (models for {found.role}) needs a package that is not installed: {error}",
            hint=f"pip install 'pydantic-ai-slim[{provider_name}]'",
        ) from error


def key_of(found: Cast) -> str | None:
    """The key in the variable that the settings name; None when they name none. Raises ConfigError when not set."""
    if not found.key:
        return None
    key = key_from_environment(found.key)
    if key is None:
        raise ConfigError(
            f"{found.key} is not set: it is to hold the key for {found.model!r} ({found.role}, {found.why})",
            hint=f"export {found.key}=…, or use another engine: --engine extractive",
        )
    return key


def missing_key(found: Cast) -> str | None:
    """Why a role's model cannot be asked, in short, naming the variable that is not set; None when it can."""
    try:
        model_of(found)
    except ConfigError as error:
        head, unset, _ = error.message.partition(" is not set: ")
        return f"{head} is not set" if unset else error.message
    return None


def settings_for(config: Config, role: str) -> ModelSettings:
    """What goes with every request of a role: time, length, and no retries but those of the ledger."""
    from pydantic_ai.settings import CacheConfig, ModelSettings

    found = cast_of(config, role)
    settings = ModelSettings(timeout=config.models.timeout, max_retries=0)
    # what stays the same comes first in every prompt, so that providers find it in their caches
    settings["cache"] = True if Role(role) in LOOPS else CacheConfig(messages=False)
    if found and found.max_tokens:
        settings["max_tokens"] = found.max_tokens
    return settings


def context_tokens(config: Config, role: str, model: Model) -> int:
    """How many tokens a prompt to this model may hold, by the settings, else as known of it, else a careful guess."""
    found = cast_of(config, role)
    known = model.profile.get("context_window")
    return (found.context if found else 0) or (known if isinstance(known, int) else 0) or CONTEXT_TOKENS


def shaped(config: Config, model: Model, kind: type[T], *, tools: bool = False) -> Any:
    """An agent's `output_type` for structured output of one kind, in the way `models.output` says.

    `auto` takes a JSON schema kept by the server where the server is one's own, else a tool call; a tool call as well
    where the agent has `tools`, since many servers hold every answer to the schema and so allow no other call.
    """
    from pydantic_ai import NativeOutput, PromptedOutput, ToolOutput

    mode = config.models.output
    if mode == "auto":
        own_server = bool(config.models.base_url or any(one.base_url for one in config.models.roles.values()))
        mode = "native" if own_server and not tools and model.profile.get("supports_json_schema_output") else "tool"
    if mode == "native":
        return NativeOutput(kind)
    return PromptedOutput(kind) if mode == "prompted" else ToolOutput(kind)


def _at_server(name: str) -> str:
    """A model's name at a server of one's own: without a provider it is one that speaks OpenAI's chat API."""
    from pydantic_ai.providers import infer_provider_class

    provider, _, rest = name.partition(":")
    if provider == "openai" and rest:
        return f"openai-chat:{rest}"  # what servers other than OpenAI's speak
    try:
        infer_provider_class(provider)
    except (ValueError, ImportError):
        return f"openai-chat:{name}"  # "qwen3:8b" is a name, too
    return name if rest else f"openai-chat:{name}"


def _provider(name: str, base_url: str, key: str | None) -> Any:
    from pydantic_ai.providers import infer_provider_class

    given: dict[str, str] = {}
    if base_url:  # no variable is read for an address of one's own: a key goes only where it was meant to go
        given = {"base_url": base_url, "api_key": key or NO_KEY}
    elif key:
        given = {"api_key": key}
    try:
        return cast(Any, infer_provider_class(name))(**given)
    except TypeError as error:
        raise ConfigError(
            f"models.base_url and models.key do not go with {name}: {error}", hint="set its own variables"
        ) from error
    except ValueError as error:
        raise ConfigError(f"nobody knows the provider {name!r}: {error}", hint="docs/models.md lists them") from error


def _explained(found: Cast, said: str) -> ConfigError:
    variables = _VARIABLE.findall(said)
    if "environment variable" in said and variables:
        return ConfigError(
            f"{variables[0]} is not set: {found.model!r} ({found.role}, {found.why}) needs it",
            hint=f"export {variables[0]}=…, or use another engine: --engine extractive",
        )
    return ConfigError(f"{found.model!r} ({found.role}, {found.why}): {said}", hint="docs/models.md")
