"""A dreamed wiki is spoilt in one way at a time: the measure meant for it says so, and said nothing of it before."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import dreamed
import pytest

from brain.bench.loading import Source
from brain.bench.plan import Dataset
from brain.bench.quality import drift, residue, updates
from brain.bench.quality.study import Plan, as_it_is, of_account
from brain.bench.quality.tree import Wiki
from brain.tree import uri

CITES = re.compile(r"(?: \[cite:\d+\])+")
CITED = re.compile(r"(?m)^(?!\[cite:).*\S(?: \[cite:\d+\])+$")


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One brain of a person, one of two who chat; dreamed as in use."""
    folder = tmp_path_factory.mktemp("dreamed")
    dreamed.persona(folder / "personas")
    dreamed.locomo(folder / "chat.json")
    with pytest.MonkeyPatch.context() as environ:
        environ.setenv("BRAIN_STATE", str(folder / "state"))
        for dataset, data in ((Dataset.PERSONAS, folder / "personas"), (Dataset.LOCOMO, folder / "chat.json")):
            plan = Plan(source=Source(dataset=dataset, data=data), steps=0, forget=False, processes=1)
            (name,) = plan.source.names()
            of_account(plan, folder / "cache", name)
    found = {path.name.partition("-")[0]: path / "state-0" for path in (folder / "cache" / "accounts").iterdir()}
    return {"person": found["p01"], "chat": found["conv"]}


@pytest.fixture
def spoilt(roots: dict[str, Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(roots["person"], tmp_path / "memory", symlinks=True))


@pytest.fixture
def chat(roots: dict[str, Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(roots["chat"], tmp_path / "memory", symlinks=True))


def planted(root: Path) -> list[updates.Update]:
    return updates.of_ledger(next(root.parents[3].glob("personas/p01/ledger.json")))


def flaws(root: Path, known: list[updates.Update] | None = None) -> dict[str, int]:
    wiki = Wiki(root)
    return {one.name: one.flaws for one in (*as_it_is(wiki), *(updates.measures(wiki, known) if known else ()))}


def worse(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    """What has more flaws than before, and how many more."""
    return {name: count - before[name] for name, count in after.items() if count > before[name]}


def rewrite(root: Path, change: Callable[[str], str], *names: str) -> None:
    """Change what pages say, all of them or those named; their References stay."""
    for path in sorted((root / "knowledge").glob("*/*.md")):
        if not names or path.stem in names:
            body, mark, references = path.read_text("utf-8").partition("\n## References")
            path.write_text(change(body) + mark + references, "utf-8")


def test_a_dreamed_wiki_has_none_of_the_flaws(roots: dict[str, Path]) -> None:
    person = flaws(roots["person"], planted(roots["person"]))
    assert {name: count for name, count in person.items() if count} == {}
    assert not any(flaws(roots["chat"]).values())
    measured = {one.name: one.of for one in as_it_is(Wiki(roots["person"]))}
    assert measured["claims without cites"] > 10
    assert measured["claims by another speaker"] > 3
    assert {one.name: one.of for one in updates.measures(Wiki(roots["person"]), planted(roots["person"]))} == {
        "planted updates told": 2,
        "told updates with the newest value": 2,
        "stale claims": 4,
        "stale claims that say no day": 4,
    }


def test_half_of_the_cites_dropped(roots: dict[str, Path], spoilt: Path) -> None:
    lines = [0]

    def drop(match: re.Match[str]) -> str:
        lines[0] += 1
        return CITES.sub("", match[0]) if lines[0] % 2 else match[0]

    rewrite(spoilt, lambda body: CITED.sub(drop, body))
    found = worse(flaws(roots["person"]), flaws(spoilt))
    assert set(found) == {"claims without cites"}
    assert lines[0] // 2 <= found["claims without cites"] <= lines[0] // 2 + 1


def test_cites_that_lead_to_other_turns(roots: dict[str, Path], chat: Path) -> None:
    for path in (chat / "knowledge").glob("*/*.md"):
        text = path.read_text("utf-8")
        sources = re.findall(r"(?m)^\[cite:\d+\]: (\S+)", text)
        heads = [f"[cite:{number}]: " for number in range(1, len(sources) + 1)]
        for head, old, new in zip(heads, sources, [*sources[1:], sources[0]], strict=True):
            text = text.replace(f"{head}{old} ", f"{head}{new} ")
        path.write_text(text, "utf-8")
    found = worse(flaws(roots["chat"]), flaws(chat))
    assert set(found) <= {"cited claims held", "cited claims in the words of their turns"}
    assert found["cited claims in the words of their turns"] >= 5


def test_a_cite_that_leads_nowhere(roots: dict[str, Path], spoilt: Path) -> None:
    path = spoilt / "knowledge" / "entities" / "maren-dahl.md"
    path.write_text(re.sub(r"#t\d+ ", "#t99 ", path.read_text("utf-8"), count=1), "utf-8")
    found = worse(flaws(roots["person"]), flaws(spoilt))
    assert found == {"citations that lead somewhere": 2}  # in the lead and under Relationship


def test_a_cite_without_its_definition(roots: dict[str, Path], spoilt: Path) -> None:
    path = spoilt / "knowledge" / "entities" / "maren-dahl.md"
    path.write_text(re.sub(r"(?m)^\[cite:2\]: .*\n", "", path.read_text("utf-8")), "utf-8")
    found = worse(flaws(roots["person"]), flaws(spoilt))
    assert found["citations that lead somewhere"] == 1


def test_an_older_value_kept_in_place_of_the_newest(roots: dict[str, Path], spoilt: Path) -> None:
    known = planted(roots["person"])
    old = {one.claim.raw: update for one, update in updates.replaced(Wiki(spoilt), known)}
    assert len(old) == 4

    def put_back(body: str) -> str:
        for raw, update in old.items():
            body = body.replace(raw, raw.replace(update.newest, update.values[0]))
        return body

    rewrite(spoilt, put_back)
    found = worse(flaws(roots["person"], known), flaws(spoilt, known))
    assert found["stale claims"] == 4
    assert found["told updates with the newest value"] == 2
    assert "claims without cites" not in found


def test_an_older_value_beside_the_newest_is_stale_unless_it_stands_in_history(
    roots: dict[str, Path], spoilt: Path
) -> None:
    known = planted(roots["person"])
    rewrite(spoilt, lambda body: body.replace("\n## History\n", "\n## Once\n"))
    found = worse(flaws(roots["person"], known), flaws(spoilt, known))
    assert found == {}  # a line of History gives both values: it says what is so now
    rewrite(spoilt, lambda body: re.sub(r"; replaced on [^\[]*", ". ", body))
    found = worse(flaws(roots["person"], known), flaws(spoilt, known))
    assert found == {"stale claims": 2}


def test_without_a_ledger_questions_tell_what_was_replaced(roots: dict[str, Path], spoilt: Path) -> None:
    (update,) = updates.of_questions(
        Source(dataset=Dataset.PERSONAS, data=next(roots["person"].parents[3].glob("personas")))
        .account("p01")
        .questions
    )
    assert (update.values, update.newest) == (("Oslo", "Bergen"), "Bergen")
    assert not any(one.flaws for one in updates.measures(Wiki(spoilt), [update]))
    rewrite(spoilt, lambda body: body.replace("moved to Bergen", "lives in Oslo"))
    found = {one.name: one.flaws for one in updates.measures(Wiki(spoilt), [update])}
    assert found["stale claims"] == 2


def test_the_qualifier_of_an_assistants_claim_removed(roots: dict[str, Path], spoilt: Path) -> None:
    path = spoilt / "knowledge" / "entities" / "maren-dahl.md"
    session = next(row.id for row in Wiki(spoilt).rows if row.external_id == "tour-1")
    claim = "- A good sum for two kayaks. ^[assistant] [cite:90]\n"
    text = path.read_text("utf-8").replace("## Facts\n", f"## Facts\n{claim}")
    path.write_text(f'{text.rstrip()}\n[cite:90]: {uri.turns_uri(session, 4)} "2026-03-02"\n', "utf-8")
    assert worse(flaws(roots["person"]), flaws(spoilt)) == {}
    rewrite(spoilt, lambda body: body.replace(" ^[assistant]", ""))
    assert worse(flaws(roots["person"]), flaws(spoilt)) == {"claims with a wrong qualifier": 1}


def test_what_the_user_said_put_down_as_an_assistants(roots: dict[str, Path], spoilt: Path) -> None:
    rewrite(spoilt, lambda body: re.sub(r"because it is stable( \([^()]*\))?\.", r"\g<0> ^[assistant]", body))
    assert worse(flaws(roots["person"]), flaws(spoilt)) == {"claims with a wrong qualifier": 1}


def test_the_name_of_the_other_speaker(roots: dict[str, Path], chat: Path) -> None:
    rewrite(chat, lambda body: re.sub(r"(?m)^(- (?:\*\*\w+\*\* — )?)Ada ", r"\1Lin ", body), "ada")
    found = worse(flaws(roots["chat"]), flaws(chat))
    assert found == {"claims by another speaker": 3}


def test_a_dead_link(roots: dict[str, Path], spoilt: Path) -> None:
    rewrite(spoilt, lambda body: body.replace("[[entities/ada-berg|Ada]]", "[[entities/ada-bergen|Ada]]"))
    found = worse(flaws(roots["person"]), flaws(spoilt))
    assert found["dead links"] == 1
    assert set(found) <= {"dead links", "pages no page leads to", "orphan pages"}  # it was the only link


def test_an_orphan_page_that_the_index_does_not_know(roots: dict[str, Path], spoilt: Path) -> None:
    page = (spoilt / "knowledge" / "entities" / "maren-dahl.md").read_text("utf-8")
    lonely = re.sub(r"(?s)# Maren Dahl\n.*?(?=\n## Changelog)", "# Reef map\n\nA map. [cite:2]\n", page)
    lonely = lonely.replace("maren-dahl", "reef-map").replace("title: Maren Dahl", "title: Reef map")
    (spoilt / "knowledge" / "entities" / "reef-map.md").write_text(lonely, "utf-8")
    found = worse(flaws(roots["person"]), flaws(spoilt))
    assert found == {"orphan pages": 1, "pages no page leads to": 1, "pages in the index": 1}


@pytest.mark.parametrize("title", ["Dahl, Maren", "The Maren Dahls"])
def test_a_second_page_of_the_same_name(roots: dict[str, Path], spoilt: Path, title: str) -> None:
    twin(spoilt, title)
    found = worse(flaws(roots["person"]), flaws(spoilt))
    assert found["duplicate subjects"] == 1


def test_a_second_page_with_the_same_claims_under_another_name(roots: dict[str, Path], spoilt: Path) -> None:
    twin(spoilt, "Family")
    found = worse(flaws(roots["person"]), flaws(spoilt))
    assert found["duplicate subjects"] == 1


def twin(root: Path, title: str) -> None:
    page = (root / "knowledge" / "entities" / "maren-dahl.md").read_text("utf-8")
    page = page.replace("title: Maren Dahl", f"title: {title}").replace("# Maren Dahl", f"# {title}")
    (root / "knowledge" / "entities" / "twin.md").write_text(page.replace("maren-dahl", "twin"), "utf-8")


def test_a_page_that_is_gone_and_stays_in_the_index(roots: dict[str, Path], spoilt: Path) -> None:
    (spoilt / "knowledge" / "entities" / "maren-dahl.md").unlink()
    found = worse(flaws(roots["person"]), flaws(spoilt))
    assert found["lines of the index without a page"] == 1


def test_a_wiki_that_lost_a_page_has_less_in_common_with_itself(roots: dict[str, Path], spoilt: Path) -> None:
    whole = Wiki(roots["person"])
    assert not any(one.flaws for one in drift.measures(whole, Wiki(spoilt)))
    (spoilt / "knowledge" / "entities" / "maren-dahl.md").unlink()
    found = {one.name: one.flaws for one in drift.measures(whole, Wiki(spoilt)) if one.flaws}
    assert found["pages of small steps in one big step"] == 1
    assert found["claims of small steps in one big step"] >= 1
    assert not any("one big step in small" in name for name in found)


def test_what_was_forgotten_and_stands_somewhere_all_the_same(roots: dict[str, Path], spoilt: Path) -> None:
    session = next(row.id for row in Wiki(spoilt).rows if row.external_id == "secret-1")
    wanted = residue.Wanted(sessions=(session,), words=("Utsira Bay",))
    there = {one.partition(": ")[0] for one in residue.found(spoilt, wanted)}
    assert {path.partition("/")[0] for path in there} == {".brain", "knowledge", "notes", "sessions"}
    source = Source(dataset=Dataset.PERSONAS, data=next(roots["person"].parents[3].glob("personas")))
    account = source.account("p01")
    (left, back) = residue.measures(account, account.states[-1], spoilt, "extractive")
    assert (left.count, left.of, back.count) == (0, 2, 0)
