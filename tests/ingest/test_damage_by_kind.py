"""What can be wrong with a file, by kind, over every format where it can be: what is whole is read, the rest told."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conformance import Case, Heard, cases, heard, lay_out, texts, transcripts
from foreign import Importing

from brain.ingest.choose import choose
from brain.ingest.raw import Skips
from brain.text import is_clean


def _several_lines(path: Path) -> bytes:
    """The bytes of a file of several lines; b"" for others (of one line that is cut nothing is left to know it by)."""
    data = path.read_bytes() if path.suffix == ".jsonl" else b""
    return data if data.count(b"\n") > 1 else b""


DATABASE = (".db", ".vscdb")
READ = [case for case in cases() if case.name != "page-in-another-language"]
WRITTEN = [case for case in READ if case.name not in ("database", "global")]
GROWING = [case for case in WRITTEN if any(map(_several_lines, case.folder.rglob("*.jsonl")))]
LINES = [case for case in WRITTEN if any(path.suffix == ".jsonl" for path in case.folder.rglob("*"))]
JSON = [case for case in WRITTEN if case.format not in ("aider", "dialogue") and case.name != "page"]


def read_anew(case: Case, to: Path, change: Callable[[bytes], bytes]) -> tuple[Heard, Skips]:
    """What is heard after every file of a case was changed."""
    for path in lay_out(case, to).rglob("*"):
        if path.is_file() and path.suffix not in DATABASE:
            path.write_bytes(change(path.read_bytes()))
    skips = Skips()
    return heard(to, skips), skips


@pytest.fixture
def plain(request: pytest.FixtureRequest, tmp_path: Path) -> Heard:
    """What is heard in the case of the test as it is."""
    return heard(lay_out(request.getfixturevalue("case"), tmp_path / "plain"))


@pytest.mark.parametrize("case", WRITTEN, ids=str)
@pytest.mark.parametrize("way", ["mark", "utf-16", "crlf", "nul behind"])
def test_marks_encodings_line_ends_and_nul_blocks_change_nothing(
    case: Case, way: str, plain: Heard, tmp_path: Path
) -> None:
    changes: dict[str, Callable[[bytes], bytes]] = {
        "mark": lambda data: codecs.BOM_UTF8 + data,
        "utf-16": lambda data: data.decode().encode("utf-16"),
        "crlf": lambda data: data.replace(b"\n", b"\r\n"),
        "nul behind": lambda data: data + b"\0" * 4096,
    }
    found, skips = read_anew(case, tmp_path / "changed", changes[way])

    assert texts(found) == texts(plain)
    assert not skips.broken, skips.examples


@pytest.mark.parametrize("case", LINES, ids=str)
def test_blank_lines_cost_nothing_and_lines_that_are_no_record_only_themselves(
    case: Case, plain: Heard, tmp_path: Path
) -> None:
    odd = [b"", b"   ", b'{"cut": "in the mid', b'"a string"', b"[1, 2]", b"42", b"null", b"not json at all"]

    def change(data: bytes) -> bytes:
        lines = data.splitlines()
        return b"\n".join([*lines[:1], *odd, *lines[1:]]) + b"\n"

    lay_out(case, tmp_path / "changed")
    files = [path for path in transcripts(tmp_path / "changed") if path.suffix == ".jsonl"]
    for path in files:
        path.write_bytes(change(path.read_bytes()))
    skips = Skips()
    found = heard(tmp_path / "changed", skips)

    assert texts(found) == texts(plain)
    assert sum(skips.broken.values()) == 6 * len(files)
    assert any("line 4" in example for example in skips.examples)


@pytest.mark.parametrize("case", LINES, ids=str)
def test_a_line_cut_in_mid_file_hides_nothing_behind_it(case: Case, plain: Heard, tmp_path: Path) -> None:
    lay_out(case, tmp_path / "changed")
    for path in transcripts(tmp_path / "changed"):
        lines = path.read_bytes().splitlines()
        if path.suffix == ".jsonl" and len(lines) > 2:
            at = len(lines) // 2
            path.write_bytes(b"\n".join([*lines[:at], lines[at][: len(lines[at]) // 2], *lines[at + 1 :]]) + b"\n")
            skips = Skips()
            found = heard(tmp_path / "changed", skips)
            assert skips.broken == {"line is not JSON": 1}
            assert set(texts(plain)) & set(_of_lines(lines[at + 1 :], plain)) <= set(texts(found))
            path.write_bytes(b"\n".join(lines) + b"\n")


def _of_lines(lines: list[bytes], plain: Heard) -> list[str]:
    """The texts that stand in these lines word for word, and in no line before."""
    rest = b"\n".join(lines).decode()
    return [text for text in texts(plain) if json.dumps(text, ensure_ascii=False)[1:-1] in rest and len(text) > 12]


@pytest.mark.parametrize("case", GROWING, ids=str)
def test_a_last_line_that_is_still_being_written_is_read_when_it_is_whole(
    case: Case, brain: Importing, tmp_path: Path
) -> None:
    whole = heard(lay_out(case, tmp_path / "plain"))
    lay_out(case, brain.source)
    files = {path: data for path in transcripts(brain.source) if (data := _several_lines(path))}
    for path, data in files.items():
        path.write_bytes(data.rstrip(b"\n")[:-7])

    first = brain.take()
    for path, data in files.items():
        path.write_bytes(data)
    second = brain.take()

    assert first.exit_code == 1
    assert first.skips.broken == {"last line is cut off (is it still being written?)": len(files)}
    assert second.exit_code == 0, second.problems
    stored = sorted(turn.text for one in brain.stored() for turn in one.turns)
    assert set(texts(whole)) <= {text.strip() for text in stored} | set(stored)
    assert brain.take().turns == 0


@pytest.mark.parametrize("case", JSON, ids=str)
def test_a_file_that_ends_early_says_so_and_the_whole_one_completes_it(
    case: Case, brain: Importing, plain: Heard
) -> None:
    lay_out(case, brain.source)
    files = {path: path.read_bytes() for path in transcripts(brain.source)}
    for path, data in files.items():
        if path.suffix != ".jsonl":
            path.write_bytes(data[: len(data) * 3 // 5])
    cut = any(path.suffix != ".jsonl" for path in files)

    first = brain.take(*files)
    before = {turn.text for one in brain.stored() for turn in one.turns}
    for path, data in files.items():
        path.write_bytes(data)
    second = brain.take()

    assert first.exit_code == (1 if cut else 0)
    assert before <= set(texts(plain))
    assert second.exit_code == 0, second.problems
    assert {turn.text for one in brain.stored() for turn in one.turns} == set(texts(plain))


@pytest.mark.parametrize("case", [case for case in JSON if case.format != "ai-studio"], ids=str)
def test_an_item_that_is_not_json_does_not_stop_those_behind_it(case: Case, tmp_path: Path) -> None:
    lay_out(case, tmp_path / "changed")
    for path in transcripts(tmp_path / "changed"):
        items = json.loads(path.read_text("utf-8")) if path.suffix == ".json" else {}
        if not isinstance(items, list) or len(items) < 2:
            continue
        whole = heard(tmp_path / "changed")
        path.write_text(f'[{json.dumps(items[0])}, {{"bad": tru}}, ' + json.dumps(items[1:])[1:], "utf-8")
        skips = Skips()
        assert texts(heard(tmp_path / "changed", skips)) == texts(whole)
        assert skips.broken == {"item is not JSON": 1}


@pytest.mark.parametrize("case", JSON, ids=str)
def test_surrogates_separators_and_control_characters_are_stored_clean(case: Case, brain: Importing) -> None:
    lay_out(case, brain.source)
    for path in transcripts(brain.source):
        path.write_text(path.read_text("utf-8").replace('?"', '\\ud800\\u2028\\u0000\\ue200\\u202e?"'), "utf-8")

    report = brain.take()

    assert report.exit_code == 0, report.problems
    assert brain.stored()
    assert all(is_clean(path.read_text("utf-8")) for path in brain.files())
    assert brain.take().turns == 0


@pytest.mark.parametrize("case", LINES, ids=str)
def test_a_line_of_many_megabytes_is_one_item(case: Case, plain: Heard, tmp_path: Path) -> None:
    lay_out(case, tmp_path / "changed")
    files = [path for path in transcripts(tmp_path / "changed") if path.suffix == ".jsonl"]
    for path in files:
        lines = path.read_bytes().splitlines()
        lines.insert(1, json.dumps({"type": "picture", "data": "QUJD" * 2_000_000}).encode())
        path.write_bytes(b"\n".join(lines) + b"\n")
    skips = Skips()

    assert texts(heard(tmp_path / "changed", skips)) == texts(plain)
    assert sum(skips.broken.values()) + sum(skips.left_out.values()) >= len(files)


@pytest.mark.parametrize("case", GROWING, ids=str)
def test_a_file_that_grows_while_it_is_read_is_read_and_then_read_on(case: Case, brain: Importing) -> None:
    lay_out(case, brain.source)
    files = {path: data for path in transcripts(brain.source) if (data := _several_lines(path))}
    for path, data in files.items():
        path.write_bytes(b"".join(data.splitlines(keepends=True)[:-1]))
    for choice in choose(list(files), inside=brain.root)[0]:
        for raw in choice.format.read(choice.path, Skips()):
            for _ in raw.turns:
                if choice.path.stat().st_size < len(files[choice.path]):
                    choice.path.write_bytes(files[choice.path])

    report = brain.take()

    assert report.exit_code == 0, report.problems
    assert all(path.read_bytes() == data for path, data in files.items() if len(data.splitlines()) > 2)


@pytest.mark.parametrize("case", READ, ids=str)
def test_a_file_that_is_empty_or_of_nothing_but_damage_is_no_success(case: Case, brain: Importing) -> None:
    lay_out(case, brain.source)
    for path in transcripts(brain.source):
        data = path.read_bytes()
        for left in (b"", b"\0" * 512, data[:17]):
            path.write_bytes(left)
            report = brain.take(path)
            assert report.exit_code == 1
            assert any(str(path) in problem for problem in report.problems), report.problems
        path.write_bytes(data)
    assert not brain.files()
