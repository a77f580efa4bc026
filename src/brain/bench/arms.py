"""Arms: the same accounts and questions with one thing changed, by name or setting by setting.

    >>> arm_of("no-wiki").off, arm_of("fewer", ["index.max_tokens=1500"]).settings
    (('wiki',), {'index.max_tokens': 1500})

A surface that is off is taken out of a copy of the brain, so nothing that reads it can know of it: search, recall, ask
and a shell alike. What is on stays byte for byte. Only what an arm changes about filling compiles anything anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from brain.bench.changes import parse_change
from brain.errors import UsageError

SURFACES = ("wiki", "notes", "summaries")
"""What can be taken out of a brain."""

BY_MODEL = ("index", "search")
"""What can be kept from an agent: the map in its first message; asking the memory agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """What one arm changes. `off` are surfaces, `kept_from` what the agent does not get, `context` is `memory`, `full`
    (every transcript before the reader, no memory) or `none`; `engine` compiles, `every` is days a dream."""

    name: str
    off: tuple[str, ...] = ()
    kept_from: tuple[str, ...] = ()
    context: str = "memory"
    engine: str | None = None
    every: int | None = None
    settings: Mapping[str, object] = field(default_factory=dict)

    @property
    def has_map(self) -> bool:
        """Whether an agent's first message has the map of the wiki."""
        return "index" not in self.kept_from and "wiki" not in self.off

    @property
    def by_model(self) -> bool:
        """Whether only a reader that is an agent can tell this arm from another."""
        return bool(self.kept_from) or self.context == "full"

    def json(self) -> dict[str, object]:
        """What it changes, for a record."""
        said: dict[str, object] = {"off": list(self.off), "kept_from": list(self.kept_from), "context": self.context}
        said |= {"engine": self.engine, "every": self.every, "settings": dict(self.settings)}
        return {name: value for name, value in said.items() if value not in ([], None, {}, "memory")}


NAMED = {
    arm.name: arm
    for arm in (
        Arm(name="wiki"),
        Arm(name="no-wiki", off=("wiki",)),
        Arm(name="no-notes", off=("notes",)),
        Arm(name="no-summaries", off=("summaries",)),
        Arm(name="transcripts", off=SURFACES),
        Arm(name="no-index", kept_from=("index",)),
        Arm(name="no-search", kept_from=("search",)),
        Arm(name="full-context", context="full"),
        Arm(name="no-memory", context="none"),
        Arm(name="one-dream", every=0),
        Arm(name="again"),
    )
}
"""`wiki` is memory as it is; `again` is the same once more, for the noise floor."""


def arm_of(name: str, changes: Iterable[str] = ()) -> Arm:
    """A named arm, or one that settings make: `NAME` and `KEY=VALUE`s. A name may add what is off: `mine:no-notes`.

    The keys `engine` and `every` are who compiles and how often; any other is one of the config file. Raises
    UsageError, with the names there are.
    """
    own, _, base = name.partition(":")
    settings = dict(map(parse_change, changes))
    start = NAMED.get(base or own)
    if start is None and (base or not settings):
        raise UsageError(f"no arm {base or own!r}", hint=f"known: {', '.join(NAMED)}; or --arm NAME --set KEY=VALUE")
    arm = replace(start or NAMED["wiki"], name=own)
    engine, every = settings.pop("engine", None), settings.pop("every", None)
    if every is not None and (not isinstance(every, int) or every < 0):
        raise UsageError(f"every = {every!r} is no number of days", hint="--set every=7")
    return replace(
        arm,
        settings={**arm.settings, **settings},
        engine=str(engine) if engine is not None else arm.engine,
        every=arm.every if every is None else every,
    )


def of_json(name: str, raw: Mapping[str, object]) -> Arm:
    """An arm from what a record or an export says of it."""
    known = {**raw}
    for lists in ("off", "kept_from"):
        value = known.get(lists)
        known[lists] = tuple(map(str, value)) if isinstance(value, list) else ()
    return Arm(name=name, **known)  # type: ignore[arg-type]
