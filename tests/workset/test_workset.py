"""A working set is a few files of one commit: within its budget, read-only, grown on request, whole after a kill."""

from __future__ import annotations

import json
import stat
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from brain.config import Config
from brain.corpus.corpus import MemoryCorpus
from brain.errors import FormatError, NotFound, UsageError
from brain.tree import index, layout, note, page, sessions
from brain.tree.sessions import SessionRow
from brain.workset import manifest, workset
from brain.workset.manifest import Budget
from brain.workset.place import JOURNAL, NEXT, Place

DAY = datetime(2026, 7, 1, tzinfo=UTC)


def a_page(name: str, *, day: int = 0, status: str = "active", more: str = "", links: str = "") -> str:
    when = (DAY + timedelta(days=day)).strftime("%Y-%m-%dT00:00:00Z")
    title = name.rpartition("/")[2].title()
    return (
        f"---\nid: {name}\ntype: {layout.page_type(name)}\ntitle: {title}\n"
        f"description: What is known about {name}\nstatus: {status}\ncreated_at: {when}\nupdated_at: {when}\n"
        f"updated_by: dream/0.1\nnext_cite: 1\nlanguage: en\n{more}---\n# {title}\n\nSo. {links}\n"
    )


def files(count: int = 60, *, notes: int = 40) -> dict[str, bytes]:
    pages = {f"concepts/c{n:03}": a_page(f"concepts/c{n:03}", day=n) for n in range(count)}
    pages["entities/nadia"] = a_page("entities/nadia", status="dormant")
    pages["entities/vault"] = a_page("entities/vault", day=400, more="sensitivity: restricted\n")
    parsed = [page.parse(text, layout.page_path(name)) for name, text in pages.items()]
    rows = [
        SessionRow(id=f"{n:08x}-0000-5000-8000-000000000000", source="test", external_id=str(n), title=f"s{n}",
                   started_at=DAY + timedelta(days=n), turns=1,
                   summary=f"sessions/summaries/2026/2026-07-01-s{n}-{n:08x}.md")
        for n in range(30)
    ]  # fmt: skip
    snippets = (note.snippet("The lift runs until midnight.", f"session://{rows[0].id}#t1", day=DAY.date()),)
    out = {layout.page_path(name): text for name, text in pages.items()}
    out |= {row.summary: f"# {row.title}\n" for row in rows if row.summary}
    for n in range(notes):
        topic = "notes/preferences" if n == notes - 1 else "notes/facts"
        made = note.NoteFile(
            id=f"{topic}/n{n:03}", title=f"n{n}", updated_at=DAY + timedelta(days=n), snippets=snippets
        )
        out[layout.note_path(made.id)] = note.render(made)
    out |= {
        layout.AGENTS: "# This folder is a memory\n",
        layout.KNOWLEDGE_INDEX: index.compact_index(parsed, config()),
        layout.SESSION_INDEX: sessions.render_rows(rows),
        layout.SESSION_INDEX_MD: sessions.render_index_md(rows),
        layout.CONFIG: 'brain_format = 1\nowners = ["entities/nadia"]\n',
        layout.INSTRUCTIONS: "---\ntype: instructions\n---\n",
    }
    return {path: text.encode() for path, text in out.items()}


def config() -> Config:
    return Config.parse('brain_format = 1\nowners = ["entities/nadia"]\n')


@pytest.fixture
def corpus() -> MemoryCorpus:
    return MemoryCorpus(files())


def held(folder: Path) -> dict[str, bytes]:
    """What lies in the folder, without the set's own state."""
    found = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    own = {manifest.PLACE, ".brain/workset.lock"}
    return {name: path.read_bytes() for name, path in found.items() if name not in own}


def test_boot_brings_the_map_first_and_leaves_half_of_the_budget(corpus: MemoryCorpus, tmp_path: Path) -> None:
    budget = Budget(bytes=24_000, files=60)
    changed = workset.boot(corpus, tmp_path / "set", source="memory", budget=budget)
    found = held(tmp_path / "set")
    assert {layout.AGENTS, layout.KNOWLEDGE_INDEX, layout.SESSION_INDEX_MD} <= set(found)
    assert len(found) == changed.files <= 30
    assert sum(map(len, found.values())) == changed.size <= 12_000
    assert "knowledge/entities/nadia.md" in found, "the owner's page comes before fresher ones"
    assert "knowledge/concepts/c059.md" in found
    assert "knowledge/concepts/c000.md" not in found
    assert any(path.startswith("notes/preferences/") for path in found)
    assert any(path.startswith("sessions/summaries/") for path in found)


def test_a_restricted_page_is_never_preloaded(corpus: MemoryCorpus, tmp_path: Path) -> None:
    workset.boot(corpus, tmp_path / "set", source="memory", budget=Budget(bytes=10**7, files=1000))
    assert "knowledge/entities/vault.md" not in held(tmp_path / "set")


def test_every_file_has_its_reason_and_hash_and_is_read_only(corpus: MemoryCorpus, tmp_path: Path) -> None:
    workset.boot(corpus, tmp_path / "set", source="memory")
    raw = json.loads((tmp_path / "set" / manifest.PLACE).read_text())
    assert raw["commit"] == corpus.commit()
    assert {row["path"] for row in raw["files"]} == set(held(tmp_path / "set"))
    assert all(row["why"] and len(row["sha256"]) == 64 for row in raw["files"])
    assert workset.status(tmp_path / "set", corpus).altered == ()
    for path in (tmp_path / "set" / "knowledge").rglob("*"):
        assert not path.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH), path


def test_add_is_of_the_sets_own_commit_even_when_memory_moved_on(corpus: MemoryCorpus, tmp_path: Path) -> None:
    workset.boot(corpus, tmp_path / "set", source="memory", budget=Budget(bytes=30_000, files=60))
    old = corpus.read("knowledge/concepts/c000.md")
    corpus.put({"knowledge/concepts/c000.md": old.replace(b"So.", b"Changed.")}, message="a change")
    changed = workset.add(
        corpus, tmp_path / "set", {"knowledge/concepts/c000.md": "recall: lifts", "knowledge/x.md": ""}
    )
    assert changed.added == ("knowledge/concepts/c000.md",)
    assert changed.absent == ("knowledge/x.md",)
    assert held(tmp_path / "set")["knowledge/concepts/c000.md"] == old
    assert manifest.load(tmp_path / "set").files["knowledge/concepts/c000.md"].why == "recall: lifts"
    assert not workset.status(tmp_path / "set", corpus).current


def test_add_refuses_by_name_what_is_over_the_budget(corpus: MemoryCorpus, tmp_path: Path) -> None:
    workset.boot(corpus, tmp_path / "set", source="memory", budget=Budget(bytes=24_000, files=40))
    every = list(corpus.paths("knowledge/concepts/"))
    changed = workset.add(corpus, tmp_path / "set", every)
    assert changed.refused
    assert changed.files <= 40
    assert set(changed.added) | set(changed.kept) | set(changed.refused) == set(every)


def test_refresh_moves_the_whole_set_and_drops_what_is_gone(corpus: MemoryCorpus, tmp_path: Path) -> None:
    workset.boot(corpus, tmp_path / "set", source="memory")
    before = held(tmp_path / "set")
    after = {path: data for path, data in files().items() if path != "knowledge/concepts/c059.md"}
    after["knowledge/concepts/c058.md"] = before["knowledge/concepts/c058.md"].replace(b"So.", b"So it is.")
    corpus.publish(after)
    changed = workset.refresh(corpus, tmp_path / "set")
    assert changed.added == ("knowledge/concepts/c058.md",)
    assert changed.dropped == ("knowledge/concepts/c059.md",)
    now = held(tmp_path / "set")
    assert set(now) == set(before) - {"knowledge/concepts/c059.md"}
    assert now == {path: after[path] for path in now}
    assert workset.status(tmp_path / "set", corpus).current


def test_refresh_mends_what_somebody_changed_or_removed(corpus: MemoryCorpus, tmp_path: Path) -> None:
    workset.boot(corpus, tmp_path / "set", source="memory")
    spoilt, lost = tmp_path / "set" / layout.AGENTS, tmp_path / "set" / "knowledge/concepts/c059.md"
    spoilt.chmod(0o600)
    spoilt.write_text("obey me")
    lost.parent.chmod(0o700)
    lost.unlink()
    seen = workset.status(tmp_path / "set")
    assert (seen.altered, seen.missing) == ((layout.AGENTS,), ("knowledge/concepts/c059.md",))
    workset.refresh(corpus, tmp_path / "set")
    seen = workset.status(tmp_path / "set")
    assert (seen.altered, seen.missing) == ((), ())


def test_several_agents_add_at_once_and_nothing_is_lost(corpus: MemoryCorpus, tmp_path: Path) -> None:
    workset.boot(corpus, tmp_path / "set", source="memory", budget=Budget(bytes=10**6, files=200))
    started = threading.Barrier(6)
    every = list(corpus.paths("notes/")) + list(corpus.paths("sessions/summaries/"))

    def agent(number: int) -> None:
        started.wait()
        for path in every[number::6]:
            workset.add(corpus, tmp_path / "set", [path])

    threads = [threading.Thread(target=agent, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(every) <= set(held(tmp_path / "set"))
    seen = workset.status(tmp_path / "set", corpus)
    assert (seen.altered, seen.missing, seen.current) == ((), (), True)


def test_a_change_that_was_killed_after_its_journal_is_finished_by_the_next(
    corpus: MemoryCorpus, tmp_path: Path
) -> None:
    folder = tmp_path / "set"
    workset.boot(corpus, folder, source="memory", budget=Budget(bytes=30_000, files=60))
    place, before = Place(folder), manifest.load(folder)
    data = corpus.read("knowledge/concepts/c001.md")
    stopped: list[str] = []

    class Killed(Exception):
        pass

    class Dying(Place):
        def _finish(self) -> None:
            if (folder / JOURNAL).exists() and not stopped:
                stopped.append("here")
                raise Killed

            super()._finish()

    new = manifest.Manifest(
        source="memory", commit=before.commit, budget=before.budget,
        files={**before.files, "knowledge/concepts/c001.md": manifest.Held(sha256="0" * 64, size=len(data), why="x")},
    )  # fmt: skip
    with pytest.raises(Killed), Dying(folder).writing():
        Dying(folder).change(new, {"knowledge/concepts/c001.md": data})
    assert manifest.load(folder) == before, "until it is finished, the set is the old one"
    with place.writing():
        pass
    assert manifest.load(folder) == new
    assert (folder / "knowledge/concepts/c001.md").read_bytes() == data
    assert not (folder / JOURNAL).exists()
    assert not (folder / NEXT).exists()


@pytest.mark.parametrize(
    "path", ["../x", "/etc/passwd", ".git/config", ".brain/workset.json", "a/../../b", ".brain/lock"]
)
def test_a_set_holds_nothing_outside_of_itself(corpus: MemoryCorpus, tmp_path: Path, path: str) -> None:
    workset.boot(corpus, tmp_path / "set", source="memory")
    with pytest.raises(FormatError):
        workset.add(corpus, tmp_path / "set", [path])


def test_boot_does_not_take_a_folder_that_is_somebodys(corpus: MemoryCorpus, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"letter\.txt"):
        workset.boot(corpus, tmp_path, source="memory")
    assert (tmp_path / "letter.txt").read_text() == "mine"


def test_a_broken_manifest_names_its_file_and_the_way_out(corpus: MemoryCorpus, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no working set"):
        workset.status(tmp_path / "none")
    workset.boot(corpus, tmp_path / "set", source="memory")
    (tmp_path / "set" / manifest.PLACE).write_text('{"workset_format": 1}')
    with pytest.raises(FormatError, match=r"workset\.json") as broken:
        workset.status(tmp_path / "set")
    assert broken.value.hint == "brain workset boot DIR"
    workset.boot(corpus, tmp_path / "set", source="memory")
    assert workset.status(tmp_path / "set", corpus).current


def test_a_dry_run_says_what_would_come_and_writes_nothing(tmp_path: Path) -> None:
    there = MemoryCorpus(files())
    folder = tmp_path / "set"

    budget = Budget(bytes=24_000, files=60)
    foreseen = workset.boot(there, folder, source="/brain", budget=budget, dry_run=True)
    assert not folder.exists()
    made = workset.boot(there, folder, source="/brain", budget=budget)
    assert (foreseen.added, foreseen.size) == (made.added, made.size)

    before = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    absent = next(path for path in there.paths("knowledge/concepts/") if not (folder / path).exists())
    assert workset.add(there, folder, [absent], dry_run=True).added == (absent,)
    there.put({layout.page_path("concepts/c001"): a_page("concepts/c001", day=500).encode()}, message="later")
    assert workset.refresh(there, folder, dry_run=True).commit != made.commit
    assert manifest.load(folder).commit == made.commit
    assert sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file()) == before
