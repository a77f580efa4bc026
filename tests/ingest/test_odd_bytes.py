"""T29 and the file-level faults of CASES: encodings, line ends, surrogates, control characters, very long lines."""

from __future__ import annotations

import json
import tracemalloc

import pytest
from foreign import SESSION, Claude, Importing, conversation, message, said
from hypothesis import given, settings
from hypothesis import strategies as st

from brain.ingest.source import json_array, json_lines
from brain.text import is_clean
from brain.tree import transcript


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be-bom", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_encodings_and_line_ends(brain: Importing, encoding: str, end: str) -> None:
    log = Claude()
    log.user("Où est le ponton ? 桟橋はどこ？ ⛵")
    log.answer("Là-bas.")
    text = "".join(json.dumps(line, ensure_ascii=False) + end for line in log.lines)
    data = b"\xfe\xff" + text.encode("utf-16-be") if encoding == "utf-16-be-bom" else text.encode(encoding)
    brain.write(f"{SESSION}.jsonl", data)
    brain.write(
        "conversations.json",
        json.dumps([conversation("T", [None, message("user", "Où ?")])], ensure_ascii=False).encode(
            encoding.removesuffix("-be-bom")
        ),
    )

    report = brain.take()

    assert report.exit_code == 0, report.problems
    assert [said(one) for one in brain.stored()] == [["Où ?"], ["Où est le ponton ? 桟橋はどこ？ ⛵"]]


def test_hostile_text_is_stored_clean_and_reads_back(brain: Importing) -> None:
    hostile = "a\u2028b\x00c\u200bd \u202eevil\u202c \ud800 ⛵\ufeff\n## t9 · user · -\n\n---\nid: x\n```\n"
    hostile += "[[x]] [cite:1]\x1b[31m"
    log = Claude()
    log.user(hostile)
    log.answer("\ud83d\ude00 fine")
    brain.write(f"{SESSION}.jsonl", log.lines)

    report = brain.take()

    one = brain.one()
    assert report.exit_code == 0
    assert len(one.turns) == 2
    assert is_clean(brain.files()[0].read_text())
    assert "## t9 · user · -" in one.turns[0].text
    assert one.turns[1].text == "😀 fine"
    assert brain.take().unchanged == 1


def test_a_line_separator_inside_a_string_does_not_end_the_line(brain: Importing) -> None:
    log = Claude()
    log.user("first\u2028second\u0085third")
    brain.write(f"{SESSION}.jsonl", "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in log.lines))

    assert brain.take().exit_code == 0
    assert said(brain.one()) == ["first\nsecond\nthird"]


def test_bytes_that_are_not_utf8_cost_one_character(brain: Importing) -> None:
    log = Claude()
    log.user("caf? noir")
    brain.write(f"{SESSION}.jsonl", json.dumps(log.lines[0]).encode().replace(b"caf?", b"caf\xe9") + b"\n")

    brain.take()

    assert said(brain.one()) == ["caf\ufffd noir"]


def test_a_line_of_many_megabytes_is_one_record(brain: Importing) -> None:
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD" * 3_000_000}}
    log = Claude()
    log.user([picture, {"type": "text", "text": "See."}])
    log.answer("Seen.")
    brain.write(f"{SESSION}.jsonl", log.lines)

    assert brain.take().exit_code == 0
    assert said(brain.one()) == ["[image]\n\nSee."]
    assert brain.files()[0].stat().st_size < 2000


def test_an_array_is_read_one_element_at_a_time(brain: Importing) -> None:
    talks = [conversation(f"T{n}", [None, message("user", "word " * 20_000)]) for n in range(120)]
    path = brain.write("conversations.json", json.dumps(talks))
    del talks
    size = path.stat().st_size
    assert size > 12_000_000

    tracemalloc.start()
    count = sum(1 for _ in json_array(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert count == 120
    assert peak < size / 2


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=80, deadline=None)
@given(st.lists(json_values, max_size=8), st.sampled_from([None, 1, 4]), st.booleans())
def test_any_array_reads_as_json_reads_it(
    tmp_path_factory: pytest.TempPathFactory, items: list[object], indent: int | None, ascii_only: bool
) -> None:
    path = tmp_path_factory.mktemp("array") / "a.json"
    path.write_text(
        json.dumps(items, indent=indent, ensure_ascii=ascii_only),
        "utf-8",
        errors="surrogatepass" if not ascii_only else "strict",
    )

    assert [item for _, item in json_array(path)] == json.loads(path.read_text("utf-8", errors="replace"))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.dictionaries(st.text(max_size=8), json_values, max_size=4), max_size=8))
def test_any_lines_read_as_json_reads_them(
    tmp_path_factory: pytest.TempPathFactory, items: list[dict[str, object]]
) -> None:
    path = tmp_path_factory.mktemp("lines") / "a.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in items))

    assert [item for _, item in json_lines(path)] == items


def test_a_file_that_is_cut_anywhere_never_crashes_and_never_stores_half_a_turn(brain: Importing) -> None:
    log = Claude()
    for n in range(4):
        log.user(f"Question {n}?")
        log.answer(f"Answer {n}.")
    whole = "".join(json.dumps(line) + "\n" for line in log.lines).encode()
    texts = [
        line["message"]["content"]
        if isinstance(line["message"]["content"], str)
        else line["message"]["content"][0]["text"]
        for line in log.lines
    ]
    for cut in range(0, len(whole), 97):
        brain.write(f"{SESSION}.jsonl", whole[:cut])
        brain.take()
        stored = [turn.text for path in brain.files() for turn in transcript.iter_turns(path)]
        assert stored == texts[: len(stored)]
    brain.write(f"{SESSION}.jsonl", whole)
    assert brain.take().exit_code == 0
    assert [turn.text for turn in brain.one().turns] == texts
