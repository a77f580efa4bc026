"""What is code and what is an edge, and foreign words that must be neither (case T27)."""

from __future__ import annotations

import pytest
from hostile_text import FRAGMENTS, hostile
from hypothesis import example, given
from hypothesis import strategies as st

from brain.text import one_line
from brain.tree import markdown

BITS = [
    "`", "``", "```", "~~~", "\n", "\n\n", "    ", "\t", "- ", "> ", "[[a/b]]", "[cite:1]", "\\", "a", "b c", "|",
    "|---|", "| a | `b` |", "# ", "<", '<a href="', '">', "[x]: y", "![", "](u)", "[", "]", "*", "1. ", "=", "---", "é",
]  # fmt: skip
markup = st.lists(st.sampled_from(BITS), max_size=14).map("".join)


@given(st.one_of(markup, hostile))
@example("\r\r\r\r0")
@example("![| a | `b` |](u)")
def test_the_short_ways_agree_with_the_parser(s: str) -> None:
    assert markdown.mask(s) == markdown.mask_by_parser(s)


@given(st.one_of(markup, hostile))
def test_a_mask_has_the_same_length_and_lines(s: str) -> None:
    masked = markdown.mask(s)
    assert len(masked) == len(s)
    assert [len(line) for line in masked.split("\n")] == [len(line) for line in s.split("\n")]


@pytest.mark.parametrize(
    "code",
    [
        "```\n[[projects/x]] [cite:1]\n```",
        "~~~md\n[[projects/x]]\n\n[cite:1]\n~~~",
        "Use `[[projects/x]]` and `[cite:1]`.",
        "- item\n\n  ```\n  [[projects/x]] [cite:1]\n  ```",
        "para\n\n    [[projects/x]] [cite:1]",
        "``a ` [[projects/x]] [cite:1] ``",
        "a `code\nspan [[projects/x]] [cite:1]` b",
        "| `[[projects/x]]` | `[cite:1]` |\n|---|---|\n| `[[projects/x]]` | x |",
        r"\[[projects/x]] and \[cite:1] and [\[projects/x]]",
    ],
)
def test_edges_in_code_or_escaped_are_none(code: str) -> None:
    assert markdown.links_in(code) == []
    assert markdown.markers_in(code) == []


def test_edges_beside_code_are_found_with_their_lines() -> None:
    text = "`[[a/b]]` then [[projects/x#Status|the `x` one]] [cite:4]\n\n- [[Some Title]] [cite:session://1eaf53d4#t3; file://artifacts/a] [cite:04]"  # noqa: E501
    first, second = markdown.links_in(text)
    assert (first.target, first.heading, first.label, first.line, first.valid) == (
        "projects/x",
        "Status",
        "the `x` one",
        1,
        True,
    )
    assert (second.target, second.line, second.valid) == ("Some Title", 3, False)
    assert text[second.start : second.end] == "[[Some Title]]"
    one, two, three = markdown.markers_in(text)
    assert (one.number, one.line) == (4, 1)
    assert two.sources == ("session://1eaf53d4#t3", "file://artifacts/a")
    assert (three.number, three.sources, three.raw) == (None, (), "[cite:04]")


@given(hostile)
def test_escaped_words_are_words_and_nothing_else(s: str) -> None:
    safe = markdown.escape(s)
    line = f"- {safe} [cite:7]"
    assert "\n" not in safe
    assert markdown.links_in(line) == []
    assert [m.number for m in markdown.markers_in(line)] == [7]
    assert not list(markdown.unescaped(markdown.QUALIFIER, markdown.mask(line)))
    assert markdown.plain(safe) == one_line(s)
    assert markdown.escape(markdown.plain(safe)) == safe


@given(st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.sampled_from(BITS)), max_size=10).map("".join))
def test_escaped_words_are_one_paragraph_to_the_parser(s: str) -> None:
    safe = markdown.escape(s)
    if not safe:
        return
    from markdown_it import MarkdownIt

    kinds = [t.type for t in MarkdownIt("commonmark").enable("table").parse(f"- {safe} [cite:7]\n")]
    assert kinds == [
        "bullet_list_open", "list_item_open", "paragraph_open", "inline", "paragraph_close", "list_item_close",
        "bullet_list_close",
    ]  # fmt: skip


def test_ordinary_words_are_left_alone() -> None:
    for s in (
        "Wants figures as PDF, not PNG.",
        "It's 5 * 3 = 15 [sic] (50%) a_b",
        "Use `git log` daily",
        "C:\\x is 3 < 4",
    ):
        assert markdown.escape(s) == s


def test_plain_words_of_a_claim() -> None:
    said = r"Kyoto: [[entities/sora|Sora *Lab*]]; Sendai: [[entities/sapphir-mobility]]. ^[inferred] [cite:1] \[x]"
    assert markdown.plain(said) == "Kyoto: Sora *Lab*; Sendai: sapphir mobility. [x]"
    assert markdown.plain("[[a/b]]", {"a/b": "The B"}) == "The B"


def test_links_are_rewritten_in_place() -> None:
    text = "See [[sora]] and `[[sora]]`, [[sora|S]]."

    def full(link: markdown.Wikilink) -> str | None:
        return markdown.wikilink("entities/sora", link.label) if link.target == "sora" else None

    assert markdown.rewrite_links(text, full) == "See [[entities/sora]] and `[[sora]]`, [[entities/sora|S]]."
    assert markdown.wikilink("a/b", "x]]|y") == "[[a/b|x y]]"
