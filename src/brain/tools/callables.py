"""Memory's tools as plain functions and as data, for any framework.

    search, recall, read, links, status, note = functions(brain)     callables with types and docstrings
    client.responses.create(…, tools=schemas(brain, "responses"))    JSON schemas in the form an API wants
    call(brain, "search", '{"query": "harbour"}')                    the answer to a call, as text

They answer in text whatever happens, an error too, so that an agent can go on.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from brain.errors import BrainError, NotFound
from brain.text import clip
from brain.tools.verbs import NAMES, Open, Verbs, said

if TYPE_CHECKING:
    from brain.brain import Brain

Function = Callable[..., str]
Form = Literal["openai", "responses", "anthropic"]
"""Whose API takes the schemas: OpenAI's chat completions (and the like), its responses, Anthropic's messages."""


def functions(brain: Brain | Open | Verbs, names: Sequence[str] = NAMES) -> list[Function]:
    """The tools named, as functions that return text. They may be called from any thread, and are answered in turn.

    `brain` may be a function that opens it: it is then opened when the first tool is called.
    """
    verbs = brain if isinstance(brain, Verbs) else Verbs(brain)
    return [_in_text(getattr(verbs, name)) for name in names]


def schemas(brain: Brain | Open | Verbs, form: Form = "openai", names: Sequence[str] = NAMES) -> list[dict[str, Any]]:
    """The tools named as an API takes them: name, description, and a JSON schema of the arguments."""
    return [_schema(function, form) for function in functions(brain, names)]


def call(brain: Brain | Open | Verbs, name: str, arguments: str | Mapping[str, Any] = "{}") -> str:
    """What the tool answers to these arguments, which may be JSON as a model wrote it; an error as text."""
    try:
        if name not in NAMES:
            raise NotFound(f"there is no tool {name!r}", hint=f"one of {', '.join(NAMES)}")
        (function,) = functions(brain, [name])
        raw = json.loads(arguments or "{}") if isinstance(arguments, str) else dict(arguments)
        given = arguments_of(function).model_validate(raw)
    except BrainError as error:
        return f"error: {said(error)}"
    except ValidationError as error:
        return f"error: {_faults(function, error)}"
    except ValueError as error:
        return f"error: {name}: the arguments are no JSON object: {error}"
    return function(**{field: getattr(given, field) for field in given.model_fields_set})


def faults(function: Function, arguments: Mapping[str, Any]) -> str | None:
    """What is wrong with a tool's arguments, in a sentence that ends with those it takes; None when nothing is."""
    try:
        arguments_of(function).model_validate(dict(arguments))
    except ValidationError as error:
        return _faults(function, error)
    return None


def _faults(function: Function, error: ValidationError) -> str:
    """Each fault by its argument: `read: 'what' is missing, there is no 'path'; it takes what, lines (optional)`."""
    told = []
    for one in error.errors():
        name = ".".join(map(str, one["loc"])) or "arguments"
        if one["type"] == "missing":
            told.append(f"{name!r} is missing")
        elif one["type"] == "extra_forbidden":
            told.append(f"there is no {name!r}")
        else:
            told.append(f"{name!r} {one['msg'].removeprefix('Input ')}, not {clip(repr(one['input']), 60)}")
    fields = arguments_of(function).model_fields
    takes = ", ".join(name if field.is_required() else f"{name} (optional)" for name, field in fields.items())
    return f"{function.__name__}: {', '.join(told)}; it takes {takes or 'no arguments'}"


def arguments_of(function: Function) -> type[BaseModel]:
    """The arguments of a tool as a model: types, bounds and descriptions from its signature."""
    hints = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {
        name: (hints[name], ... if parameter.default is inspect.Parameter.empty else parameter.default)
        for name, parameter in inspect.signature(function).parameters.items()
    }
    return create_model(function.__name__, __config__=ConfigDict(extra="forbid"), **fields)


def _schema(function: Function, form: Form) -> dict[str, Any]:
    schema = arguments_of(function).model_json_schema()
    schema.pop("title", None)
    for one in schema.get("properties", {}).values():
        one.pop("title", None)
    told = {"name": function.__name__, "description": inspect.getdoc(function) or ""}
    if form == "anthropic":
        return {**told, "input_schema": schema}
    whole = {**told, "parameters": schema}
    return {"type": "function", **whole} if form == "responses" else {"type": "function", "function": whole}


def _in_text(verb: Function) -> Function:
    @wraps(verb)
    def answer(*args: Any, **kwargs: Any) -> str:
        try:
            return verb(*args, **kwargs)
        except BrainError as error:
            return f"error: {said(error)}"

    return answer
