"""Strategies for text that tries to be taken for structure: any Unicode, markup, odd bytes."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import strategies as st

FRAGMENTS = [
    "## t3", "## t3 · user · -", "\\## t12 · tool · 2026-06-21T09:14:03Z", "## Summary", "# Title", "---", "***",
    "[[projects/x]]", "[[entities/y|Label]]", "[[Not An Id#Head]]", "![[z]]", "[cite:1]", "[cite:0]", "[cite:",
    "[cite:1]: session://x", "[cite:session://1eaf53d4#t3]", "^[assistant]", "^[", "`", "``", "```", "~~~", "```py",
    "- ", "* ", "1. ", "- [x] ", "> ", "| a | b |", "|---|---|", "    ", "\t", "\n", "\n\n", " ", "\\", "**", "**B** —",
    "<b>", "<!--", "-->", "<session://x#t1> ^n12345678", " ^n12345678", "(t1-t3)", " · ", "=", "===", "key: value",
    "café", "Київ", "京都", "한국", "नमस्ते", "👩‍🔬", "e\u0301", "\r", "\r\n", "\u2028", "\x00", "\x1b[0m", "\u202e",
    "\u200b", "\ufeff", "\u200d", "\ud83d", "\ude00", "\uffff", "\x85", "\x0c", "'", '"', "{", "}", "%", "#", "&", ": ",
]  # fmt: skip

any_char = st.characters()  # lone surrogates included
hostile = st.one_of(
    st.text(any_char, max_size=60),
    st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join),
    st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(any_char, max_size=8)), max_size=12).map("".join),
)
times = st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(2200, 1, 1)).map(
    lambda t: t.replace(microsecond=0, tzinfo=UTC)
)
session_ids = st.uuids().map(str)
