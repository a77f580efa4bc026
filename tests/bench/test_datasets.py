"""Data sets are read by their conventions; what is malformed is named with its file and place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from made import beam, written
from made import locomo as locomo_data
from made import longmemeval as longmemeval_data
from made import realmem as realmem_data

from brain.bench import datasets
from brain.bench.asked import Kind
from brain.bench.datasets.dialogue import Conversation
from brain.bench.plan import Dataset, Part
from brain.errors import FormatError, NotFound, UsageError

DIALOGUES = [dataset for dataset in Dataset if dataset is not Dataset.PERSONAS]


def read(dataset: Dataset, path: Path, part: Part = Part.ALL) -> list[Conversation]:
    return list(datasets.load(dataset, path, part))


def test_locomo_reads_malformed_evidence_ids_and_drops_those_that_name_no_turn(tmp_path: Path) -> None:
    first = read(Dataset.LOCOMO, written(tmp_path)["locomo"])[0]
    by_category = {question.category: question for question in first.questions}
    assert by_category["multi-hop"].evidence == ((1, 1), (2, 2))
    assert by_category["temporal"].evidence == ((2, 1),)
    assert by_category["temporal"].answer == "2023"
    assert by_category["open-domain"].sessions == ()
    assert by_category["adversarial"].answer is None


def test_locomo_keeps_captions_as_text_and_passes_over_a_date_without_a_session(tmp_path: Path) -> None:
    first = read(Dataset.LOCOMO, written(tmp_path)["locomo"])[0]
    assert [session.number for session in first.sessions] == [1, 2]
    assert first.sessions[0].turns[2].text == "Look at this:\n[image: a photo of a lighthouse]"
    started = first.sessions[0].started_at
    assert started is not None
    assert started.isoformat() == "2023-05-08T13:56:00+00:00"


@pytest.mark.parametrize("variant", ["oracle", "s"])
def test_longmemeval_reads_lists_and_packed_lines_alike(tmp_path: Path, variant: str) -> None:
    answered, abstained, repeated = read(Dataset.LONGMEMEVAL, written(tmp_path)[variant])
    assert answered.questions[0].sessions == (2,)
    assert answered.questions[0].evidence == ((2, 1),)
    assert (abstained.questions[0].sessions, abstained.questions[0].answer) == ((), None)
    assert repeated.questions[0].sessions == (1,)
    assert repeated.questions[0].answer == "3"
    assert len({repeated.session_id(session.number) for session in repeated.sessions}) == 3


def test_longmemeval_counts_as_past_what_is_of_the_same_day(tmp_path: Path) -> None:
    answered = read(Dataset.LONGMEMEVAL, written(tmp_path)["s"])[0]
    assert answered.seen_by(answered.questions[0]) == {1, 2}


def test_realmem_counts_only_sessions_before_the_query_and_gives_memories_their_turn(tmp_path: Path) -> None:
    (persona,) = read(Dataset.REALMEM, written(tmp_path)["realmem"])
    (question,) = persona.questions
    assert persona.owners == ("Tove Dahl",)
    assert persona.seen_by(question) == {1}
    assert question.sessions == (1,)
    assert question.evidence == ((1, 1),)


def test_the_parts_of_a_data_set_share_nothing_and_are_the_same_in_every_variant(tmp_path: Path) -> None:
    files = written(tmp_path)
    assert [one.id for one in read(Dataset.LOCOMO, files["locomo"], Part.TUNE)] == ["conv-26"]
    assert [one.id for one in read(Dataset.LOCOMO, files["locomo"], Part.HELD_OUT)] == ["conv-99"]
    for part in (Part.TUNE, Part.HELD_OUT):
        oracle, long = (read(Dataset.LONGMEMEVAL, files[name], part) for name in ("oracle", "s"))
        assert [one.id for one in oracle] == [one.id for one in long]


def test_beam_reads_its_folders_and_its_rows_alike(tmp_path: Path) -> None:
    folder = beam(tmp_path)
    (chat,) = read(Dataset.BEAM, folder)
    (row,) = read(Dataset.BEAM, folder / "rows.jsonl")
    assert row == chat == read(Dataset.BEAM, folder / "7")[0]
    assert [len(session.turns) for session in chat.sessions] == [2, 2]
    assert chat.sessions[0].turns[0].text == "My sprint ends on March 29."
    assert str(chat.sessions[1].started_at) == "2024-04-02 00:00:00+00:00"


def test_beam_binds_questions_to_messages_and_takes_what_is_to_be_stated_for_an_answer(tmp_path: Path) -> None:
    (chat,) = read(Dataset.BEAM, beam(tmp_path))
    extracted, updated, abstained = chat.questions
    assert (extracted.evidence, extracted.accepts, extracted.kind) == (((1, 1),), ("March 29",), Kind.DATE)
    assert (updated.evidence, updated.accepts, updated.kind) == (((2, 1), (2, 2)), ("165 commits",), Kind.NUMBER)
    assert (abstained.answer, abstained.kind, abstained.evidence) == (None, Kind.NONE, ())


def test_label_corrections_mend_answers_and_evidence_and_refuse_other_data(tmp_path: Path) -> None:
    data, audit = written(tmp_path)["locomo"], tmp_path / "audit.json"
    mended = {"question_id": "locomo_0_qa2", "question": "What does Ada's photo show?", "category": 4,
              "error_type": "WRONG_CITATION", "golden_answer": "a lighthouse", "correct_answer": "a tower, a lake",
              "correct_evidence": ["D1:1"]}  # fmt: skip
    audit.write_text(json.dumps([mended]))
    plain = read(Dataset.LOCOMO, data)[0]
    first = next(datasets.load(Dataset.LOCOMO, data, corrections=audit))
    question = first.questions[2]
    assert (question.answer, question.kind, question.evidence) == ("a tower, a lake", Kind.LIST, ((1, 1),))
    assert first.questions[:2] == plain.questions[:2]
    audit.write_text(json.dumps([mended | {"question": "Something else?"}]))
    with pytest.raises(FormatError, match="corrections are of other data"):
        next(datasets.load(Dataset.LOCOMO, data, corrections=audit))
    with pytest.raises(UsageError, match="for LoCoMo only"):
        next(datasets.load(Dataset.REALMEM, data, corrections=audit))


def test_answers_have_kinds_and_accepted_forms(tmp_path: Path) -> None:
    first, *_ = read(Dataset.LOCOMO, written(tmp_path)["locomo"])
    kinds = {question.category: question.kind for question in first.questions}
    assert kinds["temporal"] is Kind.DATE
    assert kinds["adversarial"] is Kind.NONE
    item = longmemeval_data()[0] | {"answer": "7 days. 8 days (with the last one) is also acceptable."}
    (tmp_path / "one.json").write_text(json.dumps([item]))
    (question,) = read(Dataset.LONGMEMEVAL, tmp_path / "one.json")[0].questions
    assert (question.answer, question.accepts, question.kind) == ("7 days", ("8 days",), Kind.NUMBER)


def _without(data: Any, key: str) -> Any:
    return {name: value for name, value in data.items() if name != key}


BROKEN: list[tuple[Dataset, Callable[[], Any], str]] = [
    (Dataset.LOCOMO, lambda: {"sample_id": "x"}, "a list of samples was expected, not dict"),
    (Dataset.LOCOMO, lambda: [locomo_data()[0], {"sample_id": "x"}], "sample 2: 'conversation' is missing"),
    (Dataset.LOCOMO, lambda: [locomo_data()[0] | {"qa": [{"question": "?", "category": 9}]}], "sample 1: 9 is missing"),
    (Dataset.LONGMEMEVAL, lambda: [_without(longmemeval_data()[0], "haystack_dates")], "item 1: 'haystack_dates'"),
    (Dataset.LONGMEMEVAL, lambda: [longmemeval_data()[0] | {"question_date": "May"}], "item 1: not enough values"),
    (
        Dataset.LONGMEMEVAL,
        lambda: [longmemeval_data()[0] | {"haystack_dates": []}],
        "item 1: zip() argument 2 is shorter",
    ),
    (Dataset.LONGMEMEVAL, lambda: {"question_id": "q"}, "a list of questions was expected, not dict"),
    (Dataset.REALMEM, lambda: _without(realmem_data(), "dialogues"), "'dialogues' is missing"),
    (Dataset.REALMEM, lambda: {"dialogues": [{"session_uuid": "a"}]}, "'dialogue_turns' is missing"),
]


@pytest.mark.parametrize(("dataset", "data", "said"), BROKEN)
def test_what_is_malformed_is_named(tmp_path: Path, dataset: Dataset, data: Callable[[], Any], said: str) -> None:
    file = tmp_path / "broken.json"
    file.write_text(json.dumps(data()))
    with pytest.raises(FormatError) as error:
        read(dataset, file)
    assert "broken.json" in error.value.message
    assert said in error.value.message


@pytest.mark.parametrize("dataset", DIALOGUES)
def test_text_that_is_no_json_is_named_by_line(tmp_path: Path, dataset: Dataset) -> None:
    file = tmp_path / "broken.json"
    file.write_text('[\n{"a": 1},\n{"a"')
    with pytest.raises(FormatError, match=r"broken\.json:3: no JSON"):
        read(dataset, file)


def test_a_packed_file_that_is_cut_off_is_named(tmp_path: Path) -> None:
    file = written(tmp_path)["s"]
    file.write_bytes(file.read_bytes()[:40])
    with pytest.raises(FormatError, match="cut off"):
        read(Dataset.LONGMEMEVAL, file)


@pytest.mark.parametrize("dataset", DIALOGUES)
def test_a_file_that_is_not_there_says_how_to_name_it(tmp_path: Path, dataset: Dataset) -> None:
    with pytest.raises(NotFound) as error:
        read(dataset, tmp_path / "none.json")
    assert error.value.hint == "name it with --data"
