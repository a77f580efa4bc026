"""Settings changed for one arm: `key=value` as on the command line, and the text of a brain's config file with them.

>>> parse_change("index.max_tokens=1500")
('index.max_tokens', 1500)
>>> print(changed('tz = "UTC"', {"index.max_tokens": 1500}), end="")
tz = "UTC"
<BLANKLINE>
[index]
max_tokens = 1500
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass, replace
from typing import Any

from brain.config import Config
from brain.errors import ConfigError, UsageError

READING = ("search.", "models.answer", "models.recall", "models.judge", "models.roles.answer", "models.roles.recall")
"""Settings that nothing but reading looks at: a change of them compiles nothing anew."""

THINKING = ("search.", "models.")
"""The same where no model compiles."""


def parse_change(text: str) -> tuple[str, object]:
    """A key and its value; a value that is no TOML is a string. Raises UsageError for one without `=`."""
    key, mark, value = text.partition("=")
    if not mark or not key.strip():
        raise UsageError(f"--set {text!r} is not KEY=VALUE", hint="--set index.max_tokens=1500")
    try:
        return key.strip(), tomllib.loads(f"value = {value.strip()}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()


def at_filling(changes: Mapping[str, object], *, by_model: bool) -> dict[str, object]:
    """The changes that a brain is filled under."""
    passed = READING if by_model else THINKING
    return {key: value for key, value in changes.items() if not key.startswith(passed)}


def changed(settings: str, changes: Mapping[str, object]) -> str:
    """The text of a config file with some keys set. Raises ConfigError when what comes of it does not read."""
    tables: dict[str, Any] = tomllib.loads(settings)
    for key, value in sorted(changes.items()):
        *path, name = key.split(".")
        table = tables
        for step in path:
            table = table.setdefault(step, {})
            if not isinstance(table, dict):
                raise ConfigError(f"{key}: {step!r} is no table of the settings")
        table[name] = value
    text = "\n".join(_lines("", tables)) + "\n"
    Config.parse(text)
    return text.lstrip("\n")


def applied(config: Config, settings: str, changes: Mapping[str, object]) -> Config:
    """The settings in use with some keys set; `settings` is the text they were read from."""
    parsed = Config.parse(changed(settings, changes))
    for key in changes:
        table, _, rest = key.partition(".")
        new = getattr(parsed, table)
        if rest and is_dataclass(new) and not isinstance(new, type):
            name = rest.partition(".")[0]
            new = replace(getattr(config, table), **{name: getattr(new, name)})
        config = replace(config, **{table: new})
    return config


def _lines(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
    if name and plain:
        yield from ("", f"[{name}]")
    for key, value in plain.items():
        yield f"{_key(key)} = {_value(value)}"
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _lines(f"{name}.{_key(key)}" if name else _key(key), value)


def _key(key: str) -> str:
    bare = key.replace("-", "").replace("_", "").isalnum() and key.isascii()
    return key if bare else json.dumps(key, ensure_ascii=False)


def _value(value: object) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False)
