"""The memory agent without a model: it follows what it finds, stops for a reason, and says when memory has nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from harbour_memory import CABINET, IRIS, LONG, NEED, NOBODY, SECRET, START, SURVEY, Harbour, files, row, said, write
from hosts_memory import Told

from brain.corpus.local import LocalCorpus
from brain.explore.recall import Budget, Recall, Stop, recall
from brain.git import MAIN, Git
from brain.tree import layout, sessions, transcript
from brain.tree.files import FolderTree
from brain.tree.uri import SessionUri, parse
from brain.types import Transcript

HERE = Harbour.transcript


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Harbour:
    return write(tmp_path_factory.mktemp("harbour"), files())


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Harbour:
    """The same with a transcript of three thousand turns, a restricted page, and a restricted session."""
    return write(tmp_path_factory.mktemp("crowded"), files(long=True, secret=True))


@pytest.fixture
def corpus(harbour: Harbour) -> Iterator[LocalCorpus]:
    with harbour.corpus() as opened:
        yield opened


def test_an_answer_two_links_away_is_brought(corpus: LocalCorpus) -> None:
    found = recall(corpus, NEED)
    whys = {record.path: record.why for record in found.records}
    assert {HERE(SURVEY), HERE(IRIS), HERE(CABINET)} <= set(whys)
    assert "knowledge/entities/teal-cabinet.md" in whys
    assert whys[HERE(CABINET)].startswith("cited by knowledge/entities/teal-cabinet.md:")
    assert "knowledge/entities/iris-okafor.md" in whys


def test_one_round_finds_what_the_need_names_and_no_more(corpus: LocalCorpus) -> None:
    found = recall(corpus, NEED, Budget(rounds=1))
    paths = {record.path for record in found.records}
    assert HERE(SURVEY) in paths
    assert HERE(CABINET) not in paths
    assert found.stopped is Stop.BUDGET
    assert {step.round for step in found.steps} == {1}


def test_later_rounds_search_with_the_names_that_were_met(corpus: LocalCorpus) -> None:
    steps = recall(corpus, NEED).steps
    assert steps[0].query == NEED
    assert any(step.round == 2 and "Iris Okafor" in step.query for step in steps)
    assert any(step.round == 3 and "Teal cabinet" in step.query for step in steps)


def test_files_are_named_best_first_and_small_talk_stays_away(corpus: LocalCorpus) -> None:
    found = recall(corpus, NEED)
    scores = [record.score for record in found.records]
    assert scores == sorted(scores, reverse=True)
    assert not [record.path for record in found.records if "chat-" in record.path]


@pytest.mark.parametrize("files", [1, 2, 5])
def test_no_more_files_than_the_budget(corpus: LocalCorpus, files: int) -> None:
    found = recall(corpus, NEED, Budget(files=files))
    assert len(found.records) <= files
    assert any("survey" in record.path for record in found.records)


@pytest.mark.parametrize("searches", [1, 2, 4])
def test_no_more_searches_than_the_budget(corpus: LocalCorpus, searches: int) -> None:
    found = recall(corpus, NEED, Budget(searches=searches, rounds=9))
    assert len(found.steps) <= searches
    assert found.found


def test_it_is_satisfied_when_the_statements_hold_every_word_of_the_need(corpus: LocalCorpus) -> None:
    found = recall(corpus, "Iris Okafor calibrates reference weights", Budget(rounds=9, searches=40))
    assert found.stopped is Stop.SATISFIED
    assert max(step.round for step in found.steps) == 2


def test_it_stops_when_a_round_meets_no_new_file(tmp_path: Path) -> None:
    only = said("only", 0, "The sluice opens at six.")
    made = {layout.SESSION_INDEX: sessions.render_rows([row(only)]), HERE(only): transcript.render(only)}
    with write(tmp_path, made).corpus() as corpus:
        found = recall(corpus, "When does the sluice open, and who opens the sluice gate there?", Budget(rounds=5))
    assert found.found
    assert found.stopped is Stop.NOTHING_NEW
    assert [record.path for record in found.records] == [HERE(only)]


@pytest.mark.parametrize(
    "need", ["quantum chromodynamics homework", "Which violin strings did we order?", "猫の名前は？"]
)
def test_nothing_on_it_is_said_and_nothing_is_brought(corpus: LocalCorpus, need: str) -> None:
    found = recall(corpus, need)
    assert not found.found
    assert found.stopped is Stop.EMPTY
    assert (found.records, found.statements, found.passages) == ((), (), ())
    assert found.text() == "Memory has nothing on this.\n"
    assert len(found.steps) == 1, "there is nothing to follow"


def test_a_memory_without_a_session_has_nothing(tmp_path: Path) -> None:
    with write(tmp_path, {layout.AGENTS: "# This folder is a memory\n", layout.SESSION_INDEX: ""}).corpus() as corpus:
        assert not recall(corpus, NEED).found


def test_a_need_of_several_questions_is_met_when_one_of_them_is(corpus: LocalCorpus) -> None:
    found = recall(corpus, "What did the violin strings cost? Who looks after the tide gauges?")
    assert found.found
    assert HERE(SURVEY) in {record.path for record in found.records}


def asked_of(tmp_path: Path, *told: Transcript) -> Harbour:
    made = {layout.SESSION_INDEX: sessions.render_rows([row(one) for one in told])}
    return write(tmp_path, made | {HERE(one): transcript.render(one) for one in told})


def test_a_question_about_two_people_is_also_asked_of_each(tmp_path: Path) -> None:
    ada = said("ada", 0, "I rowed in the regatta.", by="Ada")
    ben = said("ben", 1, "My boat was second at the spring regatta.", by="Ben")
    with asked_of(tmp_path, ada, ben).corpus() as corpus:
        found = recall(corpus, "Have both Ada and Ben rowed in a regatta?")
    assert [step.query for step in found.steps if step.round == 1][1:] == [
        "Have Ada rowed in a regatta?", "Have Ben rowed in a regatta?",
    ]  # fmt: skip
    assert {record.path for record in found.records} == {HERE(ada), HERE(ben)}


def test_who_asks_for_a_kind_of_thing_gets_what_is_one(tmp_path: Path) -> None:
    band = said("band", 0, "The harbour orchestra plays on Mondays.")
    cello = said("cello", 1, "Mended the cello after the damp winter.")
    with asked_of(tmp_path, band, cello).corpus() as corpus:
        found = recall(corpus, "Which instruments does the harbour orchestra play?", Budget(rounds=1))
        other = recall(corpus, "Which harbour does the orchestra play in?", Budget(rounds=1))
    assert HERE(cello) in {record.path for record in found.records}
    assert HERE(cello) not in {record.path for record in other.records}


def test_what_only_comes_close_is_said_to_and_brings_half(told: Told) -> None:
    index = told.index()
    publish(told)
    with LocalCorpus(told.root, index) as corpus:
        found = recall(corpus, "Is the Sora City Lab director fond of baroque violin music?", Budget(files=4))
        plain = recall(corpus, "Who hosts us in Sendai?", Budget(files=4))
        stranger = recall(corpus, "Is the orchestra's director fond of baroque violin music?")
    assert (found.found, found.sure) == (True, False)
    assert found.text().startswith("Nothing in memory says this plainly; what comes nearest:\n- ")
    assert 0 < len(found.records) <= 2 < len(plain.records)
    assert not stranger.found, "memory knows no orchestra"
    assert plain.sure
    assert not plain.text().startswith("Nothing")


def test_by_words_alone_what_only_comes_close_is_nothing(corpus: LocalCorpus) -> None:
    assert not recall(corpus, "Which harbour gauges measure salinity in reefs?").found


def test_a_list_is_given_the_room_of_pages(corpus: LocalCorpus) -> None:
    several = recall(corpus, "Which gauges are used for the harbour survey?")
    task = recall(corpus, NEED)

    def pages_of(found: Recall) -> list[str]:
        return [record.path for record in found.records if record.path.startswith("knowledge/")]

    assert len(pages_of(several)) == 1 < len(pages_of(task))


def test_what_is_restricted_is_neither_said_nor_brought(crowded: Harbour) -> None:
    with crowded.corpus() as corpus:
        assert any(hit.session == SECRET.id for hit in corpus.search("gauges leased from Dunmore", 20))
        for need in (NEED, "Who leases the gauges of the harbour survey? What does Iris earn?"):
            found = recall(corpus, need)
            paths = {record.path for record in found.records}
            assert found.found
            assert not paths & {"knowledge/entities/dunmore.md", HERE(SECRET)}
            assert "Dunmore" not in found.text()
            assert "4100" not in found.text()


def test_memory_that_holds_only_what_is_restricted_has_nothing_to_say(crowded: Harbour) -> None:
    with crowded.corpus() as corpus:
        assert not recall(corpus, "Dunmore leases").found


def test_a_huge_transcript_is_named_by_its_turns(crowded: Harbour) -> None:
    with crowded.corpus() as corpus:
        found = recall(corpus, "Does a survey by boat need the pilot's leave?", Budget(transcript=100_000))
        assert HERE(LONG) not in {record.path for record in found.records}
        (passage,) = found.passages
        assert (passage.path, passage.size) == (HERE(LONG), len(corpus.read(HERE(LONG))))
        assert passage.uri.startswith(f"session://{LONG.id}#t")
        uri = parse(passage.uri)
        assert isinstance(uri, SessionUri)
        turns = uri.turns()
        assert set(range(2998, 3003)) <= set(turns)
        assert len(turns) <= 30
        whole = recall(corpus, "Does a survey by boat need the pilot's leave?", Budget(transcript=10_000_000))
        assert HERE(LONG) in {record.path for record in whole.records}
        assert whole.passages == ()


def test_statements_come_with_their_sources_and_day(corpus: LocalCorpus) -> None:
    found = recall(corpus, NEED)
    first = found.statements[0]
    assert first.sources
    assert all(source.startswith("session://") for told in found.statements for source in told.sources)
    line = found.text().splitlines()[0]
    assert f"{first.path}:{first.line}" in line
    assert f"<{first.sources[0]}>" in line
    read = recall(corpus, "When are the gauges read?").statements
    assert ("notes/work/gauges.md", START.date()) in {(told.path, told.day) for told in read}


def test_the_same_need_is_answered_alike(harbour: Harbour) -> None:
    with harbour.corpus() as one:
        first = recall(one, NEED)
    with harbour.corpus() as other:
        assert recall(other, NEED) == first


def test_with_meaning_what_is_unrelated_is_nothing_and_a_paraphrase_is_found(told: Told) -> None:
    index = told.index()
    publish(told)
    with LocalCorpus(told.root, index) as corpus:
        assert recall(corpus, "How should figures be sent to me?").found
        assert not recall(corpus, "What is the capital of Mongolia?").found


def publish(told: Told) -> None:
    """Make the folder's files the first commit of a brain."""
    tree = FolderTree(told.root)
    tracked: dict[str, bytes | None] = {p: tree.read_bytes(p) for p in tree.paths() if layout.is_tracked(p)}
    with Git.init(told.root) as git:
        commit = git.commit_files(None, tracked, "hosts", author=NOBODY, when=START)
        assert git.update_ref(MAIN, commit, None)
