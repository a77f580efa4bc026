"""Editing JSON and TOML that others wrote: what goes in comes out, and every other byte stays."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brain.errors import FormatError
from brain.hosts import json_edit, toml_edit
from brain.hosts.json_spans import parse

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
LEAVES = st.none() | st.booleans() | st.integers(-(10**18), 10**18) | st.floats(allow_nan=False) | WORDS
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4))
OBJECTS = st.dictionaries(WORDS, VALUES, max_size=5)
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
OURS: dict[str, object] = {"command": "/opt/brain", "args": ["mcp", "--memory", "/a b/ü"]}


class Writer:
    """Writes a value as JSON the way people do: with comments, in their own spacing, with commas too many."""

    def __init__(self, chance: Random, *, lenient: bool, newline: str) -> None:
        self.chance, self.lenient = chance, lenient
        self.spaces = ["", "", " ", "  ", "\t", newline, f"{newline}  "]
        if lenient:
            self.spaces += [f'// it\'s {{mine}}, "brain": 1{newline}', "/* [ } , */", f" // last{newline}    "]

    def space(self) -> str:
        return "".join(self.chance.choices(self.spaces, k=self.chance.randrange(3)))

    def write(self, value: object) -> str:
        if isinstance(value, dict):
            inside = [f"{self.space()}{self.text(key)}{self.space()}:{self.write(item)}" for key, item in value.items()]
            return self.space() + "{" + self.joined(inside) + "}" + self.space()
        if isinstance(value, list):
            return self.space() + "[" + self.joined([self.write(item) for item in value]) + "]" + self.space()
        return self.space() + self.text(value) + self.space()

    def text(self, value: object) -> str:
        return json.dumps(value, ensure_ascii=self.chance.random() < 0.5)

    def joined(self, parts: list[str]) -> str:
        extra = "," if parts and self.lenient and self.chance.random() < 0.5 else ""
        return ",".join(parts) + extra + self.space()


@st.composite
def documents(draw: Callable[[Any], Any], values: st.SearchStrategy[Any] = OBJECTS, strict: bool = False) -> str:
    """A document, spaced and commented by chance; the number that chance begins with is drawn."""
    chance = Random(draw(st.integers(0, 2**32)))
    lenient = not strict and draw(st.booleans())
    return Writer(chance, lenient=lenient, newline=draw(st.sampled_from(["\n", "\r\n"]))).write(draw(values))


def within(small: str, large: str) -> bool:
    """Whether every character of the one stands in the other, in the same order; space between things aside."""
    rest = iter("".join(large.split()))
    return all(letter in rest for letter in "".join(small.split()))


@given(documents(strict=True))
@settings(UNTIMED)
def test_what_json_reads_is_read_alike(text: str) -> None:
    assert parse(text).value == json.loads(text)


@given(st.text() | st.text("{}[]\"':,/*\\n \n1x-+.eu$", max_size=40))
@settings(UNTIMED)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        value = parse(text).value
    except FormatError:
        with pytest.raises(json.JSONDecodeError):
            json.loads(text)
    else:
        json.dumps(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{a: 1, $b_: 'it\\'s', 'c': [+1, .5, 0x1F,],}", {"a": 1, "$b_": "it's", "c": [1, 0.5, 31]}),
        ("// one\n{/* two */ } // three", {}),
        ('{"a": "\\ud83d\\ude00"}', {"a": "😀"}),
        ("{'a': 'one\\\ntwo'}", {"a": "onetwo"}),
    ],
)
def test_json5_is_read(text: str, value: object) -> None:
    assert parse(text).value == value


@pytest.mark.parametrize("text", ["{", '{"a" 1}', "{a: b}", '{"a": 1} x', "{/* }", '{"a": "b}', "[1 2]", "[" * 5000])
def test_what_is_broken_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse("\n\n" + text)
    assert caught.value.line >= 3


@given(documents())
@settings(UNTIMED, max_examples=200)
def test_a_member_goes_in_and_out_of_any_document(text: str) -> None:
    path = ("mcpServers €", "brain €")
    new = json_edit.put(text, path, OURS)
    old = parse(text).value
    assert isinstance(old, dict)
    assert parse(new).value == {**old, path[0]: {path[1]: OURS}}
    assert within(text, new)
    assert parse(json_edit.cut(new, path)).value == {**old, path[0]: {}}
    gone = json_edit.cut(new, path[:1])
    assert parse(gone).value == old
    assert within(gone, new)


@given(documents(st.fixed_dictionaries({"hooks": st.dictionaries(WORDS, st.lists(VALUES, max_size=4), max_size=3)})))
@settings(UNTIMED, max_examples=200)
def test_an_item_goes_in_and_out_of_any_list(text: str) -> None:
    old = parse(text).value
    assert isinstance(old, dict)
    assert isinstance(old["hooks"], dict)
    for event, before in old["hooks"].items():
        assert isinstance(before, list)
        new = json_edit.append(text, ("hooks", event), OURS)
        assert parse(new).value == {"hooks": {**old["hooks"], event: [*before, OURS]}}
        assert within(text, new)
        assert parse(json_edit.cut(new, ("hooks", event, len(before)))).value == old


@given(documents(), st.data())
@settings(UNTIMED, max_examples=200)
def test_any_part_can_be_cut_and_nothing_else_goes(text: str, data: st.DataObject) -> None:
    root = parse(text)
    assert isinstance(root.value, dict)
    if not root.value:
        return
    key = data.draw(st.sampled_from(sorted(root.value)))
    new = json_edit.cut(text, (key,))
    assert parse(new).value == {name: value for name, value in root.value.items() if name != key}
    assert within(new, text)
    for comment in ("it's {mine}", "/* [ } , */"):  # those outside of what goes stay
        inside = root.member(key)
        assert inside is not None
        assert new.count(comment) >= text.count(comment) - text[inside.start : inside.node.end].count(comment)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{}", '{"k": 1}'),
        ('{"a":1}', '{"a":1,"k":1}'),
        ('{ "a": 1 }', '{ "a": 1, "k": 1 }'),
        ('{\n    "a": 1\n}\n', '{\n    "a": 1,\n    "k": 1\n}\n'),
        ('{\n\t"a": 1, // why\n}', '{\n\t"a": 1, // why\n\t"k": 1,\n}'),
        ('{\r\n  "a": 1 // why\r\n}', '{\r\n  "a": 1, // why\r\n  "k": 1\r\n}'),
        ("{\n  // nothing yet\n}\n", '{\n  // nothing yet\n  "k": 1\n}\n'),
        ("", '{\n  "k": 1\n}\n'),
        ("  \n", '{\n  "k": 1\n}\n'),
    ],
)
def test_a_member_is_written_in_the_manner_of_the_file(text: str, wanted: str) -> None:
    assert json_edit.put(text, ("k",), 1) == wanted


@pytest.mark.parametrize(
    "text", ['{"a":1}', '{ "a": 1 }', '{\n  "a": 1 // why\n}\n', '{\r\n\t"a": [],\r\n}', '{\n  "a": 1,\n}']
)
def test_going_in_and_out_leaves_the_bytes_as_they_were(text: str) -> None:
    assert json_edit.cut(json_edit.put(text, ("k",), {"b": [1, 2]}), ("k",)) == text


def test_a_way_that_leads_through_something_else_is_refused() -> None:
    with pytest.raises(FormatError, match="mcpServers is no object"):
        json_edit.put('{"mcpServers": []}', ("mcpServers", "brain"), OURS)
    with pytest.raises(FormatError, match="hooks is no list"):
        json_edit.append('{"hooks": {}}', ("hooks",), OURS)


LINES = st.sampled_from(
    [
        "# [mcp_servers.brain] in a comment",
        "[mcp_servers.other]\ncommand = 'x' # why",
        '[mcp_servers.other2.env]\n# indented\n  A = "1"',
        '[profiles."a.b"]\ntext = """\n[mcp_servers.brain]\ncommand = 1\n"""',
        "[[products]]\nname = 'x'\n\n",
        "[tui]\nlist = [\n  [1, 2],\n]",
        "[projects.'/a b']\ntrust_level = 'trusted'",
    ]
)
PATH = ("mcp_servers", "brain")


@given(st.lists(LINES, max_size=6, unique=True), st.sampled_from(["\n", "\r\n"]), st.booleans())
@settings(UNTIMED)
def test_a_table_goes_in_and_out_of_any_toml(parts: list[str], newline: str, ends: bool) -> None:
    text = 'model = "x"\n' + "\n".join(parts) + ("\n" if ends else "")
    text = text.replace("\n", newline)
    new = toml_edit.put(text, PATH, OURS)
    old = tomllib.loads(text)
    assert tomllib.loads(new) == {**old, "mcp_servers": {**old.get("mcp_servers", {}), "brain": OURS}}
    assert new.startswith(text)
    assert toml_edit.put(new, PATH, OURS) == new
    assert tomllib.loads(toml_edit.cut(new, PATH)) == old


@given(st.lists(LINES, min_size=1, max_size=5, unique=True), st.integers(0, 5))
@settings(UNTIMED)
def test_a_table_between_others_goes_alone(parts: list[str], place: int) -> None:
    ours = "[mcp_servers.brain]\ncommand = 'b'\n[mcp_servers.brain.env]\nA = '1'\n"
    text = "\n".join([*parts[:place], ours, "# about the next", *parts[place:]]) + "\n"
    old = tomllib.loads(text)
    del old["mcp_servers"]["brain"]
    new = toml_edit.cut(text, PATH)
    assert {**tomllib.loads(new), "mcp_servers": 0} == {**old, "mcp_servers": 0}
    assert "# about the next" in new
    assert within(new, text)


@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers = { x = { command = 'y' } }\n",
        "mcp_servers.brain = { command = 'y' }\n",
        "a = \n",
        "mcp_servers = 1\n",
    ],
)
def test_toml_that_cannot_be_edited_safely_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        toml_edit.put(text, PATH, OURS)


@given(WORDS.filter(lambda word: word.isprintable()))
@settings(UNTIMED)
def test_any_printable_word_survives_in_toml(word: str) -> None:
    assert tomllib.loads(toml_edit.put("", PATH, {"command": word}))["mcp_servers"]["brain"]["command"] == word
