"""The shape of the package: imports run downhill and never in a circle, modules are small and say what they are for."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "brain"
ROOMS = [  # a room may import rooms of the lines above its own, never a neighbour on the same line
    {"errors", "types"},
    {"text", "language", "secrets", "html"},
    {"settings"},
    {"config", "git"},
    {"tree"},
    {"rules", "corpus", "connectors", "ingest", "hosts"},
    {"distil", "sync"},
    {"dream", "explore", "workset", "export"},
    {"agents"},
    {"engines", "near", "capture"},
    {"status", "far"},
    {"doctor", "lines", "mending", "noting", "adopt"},
    {"forgetting", "redacting"},
    {"facade"},
    {"brain"},
    {"tools"},
    {"serve", "bench"},
    {"demo", "improve"},
    {"cli"},
]
LEVEL = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}
FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "service", "factory", "misc"}


@cache
def modules() -> dict[str, Path]:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def imports(name: str) -> frozenset[str]:
    """The modules of this package that a module imports, anywhere in its text."""
    out = set()
    for node in ast.walk(ast.parse(modules()[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            out |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: relative import"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                out.add(full if full in modules() else node.module or "")
    return frozenset(target for target in out if target in modules() and target != name)


def room(name: str) -> str:
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else "brain"


def test_every_room_has_its_level() -> None:
    unknown = {room(name) for name in modules()} - set(LEVEL) - {"__main__"}
    assert not unknown, f"new rooms need a line in ROOMS: {sorted(unknown)}"


def test_the_table_of_rooms_in_the_document_is_the_one_held_here() -> None:
    text = (PACKAGE.parents[1] / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = text.partition("## Rooms")[2].partition("```text\n")[2].partition("```")[0]
    assert [set(line[:40].split()) for line in table.splitlines()] == ROOMS


def test_imports_run_downhill_only() -> None:
    uphill = [
        f"{name} → {target}"
        for name in modules()
        for target in imports(name)
        if room(name) != room(target) and room(name) != "__main__" and LEVEL[room(target)] >= LEVEL[room(name)]
    ]
    assert not uphill, "\n".join(uphill)


def test_no_import_circle() -> None:
    done: set[str] = set()

    def walk(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " → ".join((*trail[trail.index(name) :], name))
        if name not in done:
            for target in sorted(imports(name)):
                walk(target, (*trail, name))
            done.add(name)

    for name in modules():
        walk(name, ())


def test_only_config_sees_the_environment() -> None:
    for name, path in modules().items():
        if name == "brain.config":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "os":
                assert node.attr not in {"environ", "getenv"} or name == "brain.git", f"{name}: os.{node.attr}"


@pytest.mark.parametrize("name", sorted(modules()))
def test_a_module_says_what_it_is_for_and_stays_small(name: str) -> None:
    text = modules()[name].read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), f"{name}: no docstring"
    assert len(text.splitlines()) <= 400, f"{name}: split it"
    assert name.rsplit(".", 1)[-1] not in FORBIDDEN_NAMES


def test_test_modules_have_names_of_their_own() -> None:
    """pytest imports them by their bare name."""
    names = [path.name for path in (PACKAGE.parents[1] / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))
