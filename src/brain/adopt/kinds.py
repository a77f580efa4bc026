"""What a foreign page is about, by what it says of itself and the folder it lies in; a concept when nothing says."""

from __future__ import annotations

import re

from brain.adopt.properties import Properties
from brain.tree.layout import TYPE_DIRS

_ENTITIES = {
    "person": "person people persons contact contacts author user character friend colleague biography",
    "org": "org organisation organization company companies organisations organizations team vendor client customer",
    "place": "place places location locations city country venue",
    "product": "product products brand dataset table service api system model",
    "tool": "tool tools software library package app",
    "account": "account accounts",
    "event": "event events meeting meetings conference",
    "other": "entity entities",
}
_TYPES = {
    "project": "project projects goal goals initiative effort efforts undertaking epic",
    "learning": "learning learnings lesson lessons insight insights retro retrospective postmortem correction",
    "concept": "concept concepts topic topics idea ideas method term playbook reference metric policy guide note wiki",
}
_WORDS: dict[str, tuple[str, str]] = {
    **{word: ("entity", kind) for kind, words in _ENTITIES.items() for word in words.split()},
    **{word: (kind, "") for kind, words in _TYPES.items() for word in words.split()},
}


def kind_of(properties: Properties, path: str) -> tuple[str, str]:
    """The type of page, and for an entity its kind."""
    said = [properties.text(key) for key in ("semantic_type", "type", "category", "kind", "class")]
    told = properties.text("entity_kind").lower()
    for text in [*said, *properties.list("tags"), *reversed(path.split("/")[:-1])]:
        for word in re.findall(r"[a-z]+", text.lower()):
            if word in _WORDS:
                kind, entity = _WORDS[word]
                return kind, (told if told in _ENTITIES else entity) if kind == "entity" else ""
    return ("entity", told) if told in _ENTITIES else ("concept", "")


def folder_of(kind: str) -> str:
    return TYPE_DIRS[kind]
