"""Deleted is deleted (T10, T11): absent from every surface, not learned again, lifted only when nothing was erased."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from lived import Lived

from brain.errors import NotFound, UsageError
from brain.tree import deletions, transcript

TRIP = (
    "I am planning the Trondheim trip with Marco Bellini, he drives the van.",
    ("assistant", "Noted: Marco Bellini drives."),
    "Marco Bellini is allergic to penicillin, so we carry his tablets.",
    ("assistant", "I will remember the tablets."),
)
WORK = (
    "My thesis is due on 2026-09-30.",
    ("assistant", "Noted."),
    "For the thesis I always send figures as PDF, never PNG.",
    ("assistant", "PDF it is."),
)
AGAIN = (
    "Marco Bellini fixed the van's gearbox on Saturday.",
    ("assistant", "Good to hear."),
    "Please keep the thesis figures in greyscale.",
    ("assistant", "Greyscale, all right."),
)


@pytest.fixture
def mara(live) -> Lived:  # type: ignore[no-untyped-def]
    mind: Lived = live("Mara")
    mind.claude(2, *TRIP, name="trip")
    mind.claude(3, *WORK, name="work")
    mind.claude(9, *AGAIN, name="again")
    mind.night()
    assert "penicillin" in everything(mind)
    return mind


def everything(mind: Lived, *, git: bool = False) -> str:
    """Every byte under the memory folder, as text; with `git`, every object of its history too."""
    files = [p for p in mind.root.rglob("*") if p.is_file() and ".git" not in p.relative_to(mind.root).parts]
    files = [p for p in files if ".brain/forgotten" not in p.as_posix()]
    found = [_read(p).decode("utf-8", "replace") for p in files]
    found += [p.as_posix() for p in files]
    if git:
        names = run(mind, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
        found += [run(mind, "cat-file", "-p", name) for name in names]
    return "\n".join(found).casefold()


def _read(place: Path) -> bytes:
    """A file, nothing of one that SQLite took away as its last connection was closed."""
    try:
        return place.read_bytes()
    except FileNotFoundError:
        return b""


def run(mind: Lived, *words: str) -> str:
    done = subprocess.run(["git", "-C", mind.root, *words], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def session(mind: Lived, words: str) -> str:
    """The id of the session whose transcript holds some words."""
    (place,) = [p for p in (mind.root / "sessions/transcripts").rglob("*.md") if words in p.read_text("utf-8")]
    return transcript.read_head(place).id


def found(mind: Lived, query: str) -> str:
    return "\n".join(hit.text for hit in mind.brain.search(query, k=20)).casefold()


def test_a_forgotten_session_is_gone_from_every_surface_and_stays_gone(mara: Lived) -> None:
    told = mara.brain.forget(session(mara, "penicillin"))
    assert told.sessions
    assert told.claims
    assert "penicillin" not in everything(mara)
    assert "penicillin" not in found(mara, "penicillin allergy")
    assert "gearbox" in everything(mara)
    assert mara.errors() == []
    before = run(mara, "rev-parse", "main")
    assert mara.dream().exit_code == 0
    mara.brain.reindex()
    assert run(mara, "rev-parse", "main") == before
    assert "penicillin" not in everything(mara)


def test_importing_it_again_does_not_bring_it_back(mara: Lived) -> None:
    mara.brain.forget(session(mara, "penicillin"))
    for state in (mara.root / ".brain/index").iterdir():
        shutil.rmtree(state) if state.is_dir() else state.unlink()
    mara.claude(2, *TRIP, "And Marco Bellini takes his penicillin card.", name="trip")
    mara.night()
    assert "penicillin" not in everything(mara)


def test_turns_go_and_the_rest_of_their_session_stays(mara: Lived) -> None:
    whole = session(mara, "penicillin")
    told = mara.brain.forget(f"{whole[:8]}#t3-t4")
    assert told.turns == 2
    assert "penicillin" not in everything(mara)
    assert "tablets" not in everything(mara)
    assert "drives the van" in everything(mara)
    row = next(row for row in mara.brain.sessions() if row.id == whole)
    assert row.turns == 4
    assert mara.errors() == []


def test_turns_that_were_forgotten_are_not_imported_again(mara: Lived) -> None:
    whole = session(mara, "penicillin")
    mara.brain.forget(f"{whole[:8]}#t3-t4")
    for state in (mara.root / ".brain/index").iterdir():
        shutil.rmtree(state) if state.is_dir() else state.unlink()
    mara.claude(2, *TRIP, "The van needs new tyres before we leave.", name="trip")
    mara.night()
    assert "penicillin" not in everything(mara)
    assert "tyres" in everything(mara)
    assert next(row for row in mara.brain.sessions() if row.id == whole).turns == 5


def test_a_term_stands_nowhere_in_any_case_or_form(mara: Lived) -> None:
    told = mara.brain.forget(terms=["marco bellini"])
    assert told.turns >= 3
    assert "bellini" not in everything(mara)
    assert "thesis" in everything(mara)
    assert mara.errors() == []
    mara.night()
    assert "bellini" not in everything(mara)


def test_a_page_goes_with_what_others_say_of_it_and_links_to_it_become_words(mara: Lived) -> None:
    id = next(one for one in mara.pages() if "marco" in one)
    told = mara.brain.forget(id)
    assert told.pages_deleted == (f"knowledge/{id}.md",)
    assert f"[[{id}" not in everything(mara)
    assert mara.errors() == []
    mara.night()
    assert id not in mara.pages()


def test_a_dry_run_says_what_would_go_and_writes_nothing(mara: Lived) -> None:
    before = {p: p.read_bytes() for p in mara.root.rglob("*") if p.is_file() and "index/" not in p.as_posix()}
    would = mara.brain.forget(terms=["penicillin"], dry_run=True)
    after = {p: p.read_bytes() for p in mara.root.rglob("*") if p.is_file() and "index/" not in p.as_posix()}
    assert before == after
    assert would.dry_run
    told = mara.brain.forget(terms=["penicillin"])
    assert (told.turns, told.claims, told.pages_changed) == (would.turns, would.claims, would.pages_changed)


def test_lifted_it_comes_back_and_is_learned_again(mara: Lived) -> None:
    before = everything(mara)
    told = mara.brain.forget(session(mara, "penicillin"))
    mara.brain.restore_forgotten(told.id)
    mara.night()
    assert "penicillin" in everything(mara)
    assert before.count("penicillin") <= everything(mara).count("penicillin") + 2
    assert not (mara.root / ".brain/forgotten" / told.id).exists()
    with pytest.raises(NotFound, match="no deletion"):
        mara.brain.restore_forgotten(told.id)


@pytest.mark.parametrize("what", ["session", "term"])
def test_a_purge_leaves_nothing_on_disk_or_in_history(mara: Lived, what: str) -> None:
    assert "penicillin" in everything(mara, git=True)
    targets = [session(mara, "penicillin")] if what == "session" else []
    told = mara.brain.forget(*targets, terms=["penicillin"] if what == "term" else [], purge=True)
    assert told.purged
    assert "penicillin" not in everything(mara, git=True)
    assert "gearbox" in everything(mara, git=True)
    assert run(mara, "fsck", "--full") is not None
    assert mara.errors() == []
    log = deletions.parse(mara.read(".brain/deletions.jsonl"))
    assert dict(log.tombstones[0].purge) == {"tree": "done", "transcript": "done", "history": "done"}
    with pytest.raises(NotFound, match="erased"):
        mara.brain.restore_forgotten(told.id)
    mara.night()
    assert "penicillin" not in everything(mara, git=True)


def test_a_purge_takes_the_copies_that_an_earlier_deletion_kept(mara: Lived) -> None:
    hidden = session(mara, "penicillin")
    mara.brain.forget(f"{hidden[:8]}#t3")
    kept = [p for p in (mara.root / ".brain/forgotten").rglob("*.md") if "penicillin" in p.read_text("utf-8")]
    assert kept
    mara.brain.forget(hidden, purge=True)
    assert not [p for p in (mara.root / ".brain").rglob("*") if p.is_file() and b"penicillin" in p.read_bytes()]


def test_what_a_kill_left_undone_is_finished_by_the_next_command(mara: Lived) -> None:
    whole = session(mara, "penicillin")
    row = next(row for row in mara.brain.sessions() if row.id == whole)
    left = mara.read(row.transcript)
    mara.brain.forget(whole)
    (mara.root / row.transcript).write_text(left, "utf-8")  # as if killed between the commit and the files
    with mara.brain as brain:
        brain.doctor(fix=True)
    assert "penicillin" not in everything(mara)


def test_what_is_said_anew_after_a_deletion_is_learned(mara: Lived) -> None:
    mara.brain.forget(terms=["penicillin"])
    mara.claude(70, "Marco Bellini is allergic to penicillin after all, the doctor wrote.", name="new")
    mara.now = mara.now.replace(year=2027)
    mara.night()
    assert "penicillin" in everything(mara)


def test_what_another_session_says_too_stays(live) -> None:  # type: ignore[no-untyped-def]
    mind: Lived = live("Mara")
    mind.claude(2, "My sister Ilse lives in Bergen.", name="one")
    mind.claude(5, "My sister Ilse lives in Bergen.", "She has a blue boat.", name="two")
    mind.night()
    mind.brain.forget(session(mind, "blue boat"))
    assert "bergen" in everything(mind)
    assert "blue boat" not in everything(mind)
    assert mind.errors() == []


@pytest.mark.parametrize("target", ["entities/nobody", "00000000", "nzzzzzzzz", "1eaf53d4#t1"])
def test_what_is_not_there_is_named_and_nothing_changes(mara: Lived, target: str) -> None:
    before = run(mara, "rev-parse", "main")
    with pytest.raises(NotFound):
        mara.brain.forget(target)
    assert run(mara, "rev-parse", "main") == before


def test_nothing_and_nearly_nothing_cannot_be_meant(mara: Lived) -> None:
    with pytest.raises(UsageError, match="nothing is named"):
        mara.brain.forget()
    with pytest.raises(UsageError, match="too short"):
        mara.brain.forget(terms=["a"])


def test_by_command(mara: Lived) -> None:
    done = mara.typed("forget", "--term", "penicillin", "--memory", str(mara.root), "--json")
    assert done.returncode == 0, done.stderr
    assert '"dry_run": false' in done.stdout
    assert "penicillin" not in everything(mara)
    missing = mara.typed("forget", "entities/nobody", "--memory", str(mara.root))
    assert missing.returncode != 0
    assert "entities/nobody" in missing.stderr


def test_all_is_deleted_not_the_first_page_of_it(live) -> None:  # type: ignore[no-untyped-def]
    mind: Lived = live("Mara")
    for day in range(1, 13):
        mind.claude(day, *(f"Note {n} of day {day}: the Quillfeather files moved to shelf {n}." for n in range(12)))
    mind.take()
    told = mind.brain.forget(terms=["Quillfeather"])
    assert told.turns == 144
    assert "quillfeather" not in everything(mind)


def test_the_copies_are_the_owners_alone(mara: Lived) -> None:
    mara.brain.forget(session(mara, "penicillin"))
    for place in (mara.root / ".brain/forgotten").rglob("*"):
        assert place.stat().st_mode & 0o077 == 0, Path(place)
