"""The index through its door: found at once, in step with the files, the same after a rebuild, alive after a kill."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pytest
from written import ASSISTANT, USER, put, put_note, put_page, put_session, put_summary, session

from brain.config import Config
from brain.corpus.search.catalogue import writing
from brain.corpus.search.index import SearchIndex
from brain.corpus.search.question import read
from brain.errors import IndexBroken, LockHeld
from brain.types import Hit, Surface

JUNE, JULY = date(2026, 6, 21), date(2026, 7, 2)
WORDS_ONLY = Config.parse('[search]\nembedder = "none"\n')


def opened(root: Path) -> SearchIndex:
    """By words alone: the rules of keeping an index do not depend on vectors."""
    return SearchIndex(root, WORDS_ONLY)


def texts(hits: list[Hit]) -> list[str]:
    return [hit.text for hit in hits]


def test_a_turn_is_found_at_once_by_its_words(tmp_path: Path) -> None:
    of = session("a", JUNE, [(USER, "The minibus needs a ramp"), (ASSISTANT, "I will ask the rental firm")])
    path = put_session(tmp_path, of)
    index = opened(tmp_path)
    assert index.update().added == 2
    (hit, *_) = index.search("ramps for a minibus")
    assert (hit.surface, hit.path, hit.uri, hit.first_turn, hit.day) == (
        Surface.TURN,
        path,
        f"session://{of.id}#t1",
        1,
        JUNE,
    )


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("来週は東京へ出張します", "東京 出張"),
        ("周五要跟天空城实验室开会", "实验室 开会"),
        ("Наступного тижня зустріч у Києві", "зустріч Києві"),
        ("Je préfère les figures en PDF", "préférer figures"),
        ("🚲 locked at the station", "station"),
    ],
)
def test_text_of_any_script_is_found(tmp_path: Path, text: str, query: str) -> None:
    others = ["The weather is fine", "明日は晴れです", "Погода гарна", "今天天气很好"]
    put_session(tmp_path, session("a", JUNE, [(USER, one) for one in [*others, text]]))
    index = opened(tmp_path)
    index.update()
    assert texts(index.search(query, 1)) == [text]


def test_filters_by_surface_day_speaker_and_session(tmp_path: Path) -> None:
    a = session("a", JUNE, [(USER, "ramp one", "Ann Lee"), (USER, "ramp two", "Ben")])
    b = session("b", JULY, [(USER, "ramp three", "Ann Lee"), (ASSISTANT, "ramp four")])
    undated = session("c", None, [(USER, "ramp five")])
    for one in (a, b, undated):
        put_session(tmp_path, one)
    put_note(tmp_path, "facts/ramps", (JULY, "A ramp is 90 cm wide.", f"session://{b.id}#t1"))
    index = opened(tmp_path)
    index.update()
    assert {h.surface for h in index.search("ramp", surfaces=[Surface.NOTE])} == {Surface.NOTE}
    turns = [Surface.TURN]
    assert set(texts(index.search("ramp", surfaces=turns, since=JULY))) == {"ramp three", "ramp four"}
    assert set(texts(index.search("ramp", surfaces=turns, until=JUNE))) == {"ramp one", "ramp two"}
    assert set(texts(index.search("ramp", surfaces=turns, speaker="Ann Lee"))) == {"ramp one", "ramp three"}
    assert texts(index.search("ramp", surfaces=turns, speaker="assistant")) == ["ramp four"]
    assert set(texts(index.search("ramp", surfaces=turns, session=b.id))) == {"ramp three", "ramp four"}
    assert index.search("ramp", speaker="Nobody") == []


def test_deleted_edited_and_grown_files_are_followed(tmp_path: Path) -> None:
    gone = put_session(tmp_path, session("a", JUNE, [(USER, "the secret zebra")]))
    put_session(tmp_path, session("b", JUNE, [(USER, "doors")]))
    page = put_page(tmp_path, "concepts/doors", "Doors", "Doors are wide.\n\n## References\n")
    index = opened(tmp_path)
    index.update()
    assert index.search("zebra", 1)[0].text == "the secret zebra"
    (tmp_path / gone).unlink()
    put_session(tmp_path, session("b", JUNE, [(USER, "doors"), (USER, "and a giraffe")]))
    put_page(tmp_path, "concepts/doors", "Doors", "Doors are narrow.\n\n## References\n")
    report = index.update()
    assert (report.added, report.removed) == (2, 2)
    assert all("zebra" not in text for text in texts(index.search("zebra")))
    assert index.search("giraffe", 1)[0].text == "and a giraffe"
    assert [h.path for h in index.search("narrow", 1, surfaces=[Surface.PAGE])] == [page]
    assert "wide" not in index.search("wide", surfaces=[Surface.PAGE])[0].text
    assert index.update().files == 0


def test_what_was_deleted_leaves_no_bytes_in_the_index(tmp_path: Path) -> None:
    gone = put_session(tmp_path, session("a", JUNE, [(USER, "the zyzzyva password")]))
    put_session(tmp_path, session("b", JUNE, [(USER, "doors")]))
    index = opened(tmp_path)
    index.update()
    (tmp_path / gone).unlink()
    index.update()
    index.close()
    left = b"".join(file.read_bytes() for file in index.folder.rglob("*") if file.is_file() and "-wal" not in file.name)
    assert b"zyzzyva" not in left


def test_incremental_updates_give_what_a_rebuild_gives(tmp_path: Path) -> None:
    chance = random.Random(7)
    vocabulary = ["ramp", "door", "sprint", "kyoto", "sendai", "figure", "pdf", "lab", "host", "minibus", "audit"]
    index = opened(tmp_path)

    def sentence() -> str:
        return " ".join(chance.choice(vocabulary) for _ in range(chance.randint(2, 12)))

    alive: dict[str, list[str]] = {}
    for step in range(14):
        name = f"s{chance.randint(0, 6)}"
        alive.setdefault(name, []).extend(sentence() for _ in range(chance.randint(1, 4)))
        put_session(tmp_path, session(name, JUNE, [(USER, said) for said in alive[name]]))
        put_page(
            tmp_path,
            f"concepts/c{chance.randint(0, 3)}",
            "C",
            f"{sentence()}.\n\n## Facts\n- {sentence()}\n\n## References\n",
        )
        if step % 5 == 4:
            for file in list((tmp_path / "sessions").rglob("*.md"))[:1]:
                alive.pop(file.stem.split("-")[3], None)
                file.unlink()
        index.update()
    queries = [" ".join(chance.sample(vocabulary, 2)) for _ in range(25)]
    grown = [index.find(query, 20).hits for query in queries]
    assert index.rebuild().message is None
    assert [index.find(query, 20).hits for query in queries] == grown
    fresh = SearchIndex(tmp_path, WORDS_ONLY)
    index.close()
    shutil.rmtree(index.folder)
    fresh.update()
    assert [fresh.find(query, 20).hits for query in queries] == grown


def test_an_index_of_another_version_is_rebuilt_and_says_so(tmp_path: Path) -> None:
    put_session(tmp_path, session("a", JUNE, [(USER, "ramp")]))
    index = opened(tmp_path)
    index.update()
    index.close()
    with sqlite3.connect(index.folder / "catalogue.sqlite") as db:
        db.execute("UPDATE meta SET value = 'old' WHERE key = 'schema'")
    db.close()
    with pytest.raises(IndexBroken, match="another version"):
        index.search("ramp")
    assert "rebuilt" in (index.update().message or "")
    assert texts(index.search("ramp")) == ["ramp"]


def test_a_damaged_catalogue_is_rebuilt_and_says_so(tmp_path: Path) -> None:
    put_session(tmp_path, session("a", JUNE, [(USER, "ramp")]))
    index = opened(tmp_path)
    index.update()
    index.close()
    for file in index.folder.glob("catalogue.sqlite-*"):
        file.unlink()
    (index.folder / "catalogue.sqlite").write_bytes(b"not a database" * 100)
    assert "rebuilt" in (index.update().message or "")
    assert texts(index.search("ramp")) == ["ramp"]


def test_a_file_that_breaks_its_format_is_named_and_the_rest_is_found(tmp_path: Path) -> None:
    put_session(tmp_path, session("a", JUNE, [(USER, "ramp")]))
    bad = put(tmp_path, "knowledge/concepts/bad.md", "no frontmatter at all\n")
    index = opened(tmp_path)
    assert [path for path, _ in index.update().problems] == [bad]
    assert [path for path, _ in index.update().problems] == [bad]  # as long as it is so
    assert texts(index.search("ramp")) == ["ramp"]


def test_searching_before_the_first_update_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(IndexBroken) as error:
        opened(tmp_path).search("ramp")
    assert error.value.hint == "brain reindex"


def test_words_alone_are_said_plainly(tmp_path: Path) -> None:
    put_session(tmp_path, session("a", JUNE, [(USER, "ramp")]))
    index = opened(tmp_path)
    index.update()
    found = index.find("ramp")
    assert not found.meaning
    assert "words alone" in (found.remark or "")


def test_one_writer_at_a_time_and_readers_do_not_wait(tmp_path: Path) -> None:
    put_session(tmp_path, session("a", JUNE, [(USER, "ramp")]))
    index = opened(tmp_path)
    index.update()
    with writing(index.folder):
        with pytest.raises(LockHeld), writing(index.folder, wait=0.05):
            pass
        assert texts(SearchIndex(tmp_path, WORDS_ONLY).search("ramp")) == ["ramp"]


def test_another_process_sees_what_one_has_indexed(tmp_path: Path) -> None:
    put_session(tmp_path, session("a", JUNE, [(USER, "ramp")]))
    reader, writer = opened(tmp_path), opened(tmp_path)
    writer.update()
    assert texts(reader.search("ramp")) == ["ramp"]
    put_session(tmp_path, session("b", JULY, [(USER, "a second ramp")]))
    writer.update()
    assert set(texts(reader.search("ramp"))) == {"ramp", "a second ramp"}
    writer.rebuild()
    assert set(texts(reader.search("ramp"))) == {"ramp", "a second ramp"}


_UPDATE = """
import sys
from pathlib import Path
from brain.config import Config
from brain.corpus.search import upkeep
from brain.corpus.search.index import SearchIndex
from brain.corpus.search.question import read
upkeep.BATCH = 40
print("started", flush=True)
SearchIndex(Path(sys.argv[1]), Config.parse('[search]\\nembedder = "none"\\n')).update()
"""


def test_a_kill_while_indexing_loses_nothing(tmp_path: Path) -> None:
    for n in range(12):
        said = [(USER, f"ramp {n} {turn} " + "door lift stairs " * 20) for turn in range(60)]
        put_session(tmp_path, session(f"s{n}", JUNE, said))
    chance = random.Random(3)
    for round_ in range(6):
        run = subprocess.Popen([sys.executable, "-c", _UPDATE, str(tmp_path)], stdout=subprocess.PIPE)
        assert run.stdout is not None
        run.stdout.readline()
        time.sleep(chance.random() * 0.5)
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
        run.stdout.close()
        put_session(
            tmp_path, session(f"s{round_}", JUNE, [(USER, f"ramp grown {round_} {turn}") for turn in range(80)])
        )
    index = opened(tmp_path)
    index.update()
    queries = ["ramp 3 17", "grown 2 40", "door lift", "stairs 11"]
    after = [index.find(query, 15).hits for query in queries]
    index.rebuild()
    assert [index.find(query, 15).hits for query in queries] == after
    assert index.status().documents[Surface.TURN] == 6 * 80 + 6 * 60


def test_a_long_query_is_also_compared_by_its_sentences() -> None:
    long = read("Hi there, good morning to you. The ramp for the minibus is too steep. Thanks!")
    assert long.sentences == ("Hi there, good morning to you.", "The ramp for the minibus is too steep.")
    assert read("Is the ramp for the minibus too steep?").sentences == ()


def test_what_is_recent_counts_more_when_the_day_is_known(tmp_path: Path) -> None:
    for name, day in (("old", date(2025, 1, 1)), ("new", JULY), ("later", date(2026, 9, 1))):
        put_session(tmp_path, session(name, day, [(USER, "ramp")], title="a ramp"))
    index = opened(tmp_path)
    index.update()
    assert index.search("ramp", 1, now=date(2026, 7, 3))[0].day == JULY
    assert len({hit.score for hit in index.search("ramp")}) == 1


def test_a_project_is_its_page_what_links_to_it_and_its_sessions(tmp_path: Path) -> None:
    named = session("named", JUNE, [(USER, "ramp of the sprint")])
    cited = session("cited", JUNE, [(USER, "ramp that its page cites")])
    other = session("other", JUNE, [(USER, "ramp of something else")])
    for one in (named, cited, other):
        put_session(tmp_path, one)
    put_summary(tmp_path, named, "A ramp was drawn.", {}, projects=("projects/sprint",))
    put_note(tmp_path, "work/ramps", (JUNE, "A ramp is drawn.", f"session://{named.id}#t1"))
    put_note(tmp_path, "work/others", (JUNE, "A ramp is sold.", f"session://{other.id}#t1"))
    cites = f"[cite:1]\n\n## References\n[cite:1]: session://{cited.id}#t1\n"
    put_page(tmp_path, "projects/sprint", "Sprint", f"A ramp in two weeks.{cites}")
    put_page(tmp_path, "entities/ann", "Ann", "Ann builds the ramp for [[projects/sprint]].\n\n## References\n")
    put_page(tmp_path, "entities/ben", "Ben", "Ben sells a ramp.\n\n## References\n")
    index = opened(tmp_path)
    index.update()
    wanted = {
        "ramp of the sprint", "ramp that its page cites", "named. A ramp was drawn.", "A ramp is drawn.",
        "A ramp in two weeks.", "Ann builds the ramp for sprint.",
    }  # fmt: skip
    for name in ("projects/sprint", "sprint"):
        assert set(texts(index.search("ramp", 20, project=name))) == wanted
    assert index.search("ramp", project="projects/nothing") == []


def test_a_filter_reaches_what_is_rare_in_a_large_brain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brain.corpus.search.finding.NARROWED", 50)
    monkeypatch.setattr("brain.corpus.search.finding.BEST", 5)
    monkeypatch.setattr("brain.corpus.search.finding.CANDIDATES", 20)
    for n in range(20):
        put_session(tmp_path, session(f"s{n}", JUNE, [(USER, f"ramp ramp ramp {turn}") for turn in range(5)]))
    put_session(tmp_path, session("rare", JULY, [(USER, "a long tale in which some ramp is met at last")]))
    index = opened(tmp_path)
    index.update()
    assert len(index.search("ramp", since=JULY)) == 1


def test_a_list_is_taken_from_several_sessions(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        put_session(tmp_path, session(name, JUNE, [(USER, f"we built a ramp {turn}") for turn in range(6)]))
    index = opened(tmp_path)
    index.update()
    together = {hit.session for hit in index.find("ramp", 3, weights={"words": 1.0}).hits}
    apart = {hit.session for hit in index.find("ramp", 3, weights={"words": 1.0, "spread": 0.3}).hits}
    assert (len(together), len(apart)) == (1, 3)
