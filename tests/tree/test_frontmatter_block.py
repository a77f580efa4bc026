"""Frontmatter: what is written reads back as the same strings, here and in a full YAML reader."""

from __future__ import annotations

import pytest
import yaml
from hostile_text import hostile
from hypothesis import given
from hypothesis import strategies as st

from brain.errors import FormatError
from brain.text import clean
from brain.tree import frontmatter

words = hostile.map(clean)
keys = st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True)
maps = st.dictionaries(keys, st.one_of(words, st.lists(words, max_size=4)), max_size=5)


@given(maps, words)
def test_it_reads_back(values: dict[str, str | list[str]], body: str) -> None:
    text = frontmatter.render(values) + body
    found, rest, line = frontmatter.parse(text)
    assert (found, rest) == (values, body)
    assert text.split("\n")[line - 1 :] == body.split("\n")
    assert frontmatter.render(found) + rest == text


@given(maps)
def test_a_full_yaml_reader_sees_the_same(values: dict[str, str | list[str]]) -> None:
    block = frontmatter.render(values).removeprefix("---\n").removesuffix("---\n")
    assert (yaml.load(block, Loader=yaml.BaseLoader) or {}) == values


@given(st.lists(st.tuples(keys, st.one_of(words, st.sampled_from(["[a, b]", "[]", "x: y", "'q'", "a #b", "- a"])))))
def test_the_fast_way_agrees_with_yaml(rows: list[tuple[str, str]]) -> None:
    block = "\n".join(f"{key}: {value.replace(chr(10), ' ')}" for key, value in rows)
    try:
        found = frontmatter.parse_block(block)
    except FormatError:
        return
    assert found == (yaml.load(block, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)) or {})


def test_no_value_changes_its_type() -> None:
    text = "---\nlanguage: no\nday: 2026-08-06\ncount: 012\nempty:\nlist: [yes, 1.0]\n---\n"
    found, _, _ = frontmatter.parse(text)
    assert found == {"language": "no", "day": "2026-08-06", "count": "012", "empty": "", "list": ["yes", "1.0"]}


def test_block_lists_and_quotes_of_people_are_read() -> None:
    found, _, _ = frontmatter.parse(
        "---\ntags:\n  - a\n  - 'b c'\ntitle: 'It''s'\n# comment\nlong: >-\n  x\n  y\n---\n"
    )
    assert found == {"tags": ["a", "b c"], "title": "It's", "long": "x y"}


@pytest.mark.parametrize(
    ("block", "line", "reason"),
    [
        ("a: 1\na: 2", 3, "stands twice"),
        ('a: "1"\na: 2', 3, "stands twice"),
        ("a: &x 1", 2, "anchors"),
        ("a: !!int 1", 2, "anchors and tags"),
        ("a: {b: c}", 2, "no nesting"),
        ("a: [[b]]", 2, "no nesting"),
        ("just text", 2, "map"),
        ("a: 'open", 2, "frontmatter"),
        ("1a: x", 2, "not a key"),
    ],
)
def test_what_the_subset_leaves_out_is_refused(block: str, line: int, reason: str) -> None:
    with pytest.raises(FormatError, match=reason) as told:
        frontmatter.parse(f"---\n{block}\n---\n", "p.md")
    assert (told.value.path, told.value.line) == ("p.md", line)
