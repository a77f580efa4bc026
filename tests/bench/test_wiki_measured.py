"""`brain bench wiki`: what it prints and records, that it changes nothing, and what it must know to measure more."""

from __future__ import annotations

import json
from pathlib import Path

import dreamed
import pytest
from typer.testing import CliRunner

from brain.bench.accounts import Account
from brain.bench.loading import Source
from brain.bench.plan import Dataset
from brain.bench.quality.drift import in_steps
from brain.bench.quality.growth import Growth, Point, growth
from brain.bench.quality.measure import Measure, added
from brain.bench.quality.record import Measured, Quality, parse, render
from brain.bench.quality.study import Plan, of_account
from brain.brain import Brain
from brain.cli.app import app
from brain.errors import FormatError, NotABrain, UsageError


@pytest.fixture(autouse=True)
def own_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("BRAIN_STATE", str(tmp_path / "state"))
    monkeypatch.delenv("BRAIN_MEMORY", raising=False)


def account(tmp_path: Path) -> Account:
    return Source(dataset=Dataset.PERSONAS, data=dreamed.persona(tmp_path / "personas")).account("p01")


def test_a_memory_is_measured_and_not_changed(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    chat = tmp_path / "talk.md"
    chat.write_text("Title: Boats\nDate: 2026-03-02\nID: t1\n\n**User:** I live in Dovre. I bought a red kayak.\n")
    Brain.init(root, owner="Ada Berg")
    with Brain.open(root, background="no") as brain:
        brain.import_([chat])
        brain.dream(engine="extractive")
    before = contents(root)
    shown = CliRunner().invoke(app, ["bench", "wiki", "--memory", str(root), "--out", str(tmp_path / "record.json")])
    assert shown.exit_code == 0, shown.output
    assert "| claims without cites | none | 0 |" in shown.stdout
    assert "1 session" in shown.stdout
    assert contents(root) == before
    record = json.loads((tmp_path / "record.json").read_text("utf-8"))
    assert record["quality_format"] == 1
    assert {one["name"] for one in record["all"]["measures"]} >= {
        "dead links",
        "duplicate subjects",
        "pages in the index",
    }
    assert str(tmp_path) not in json.dumps(record)


def contents(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_accounts_of_a_data_set_with_planted_updates_a_forget_and_many_steps(tmp_path: Path) -> None:
    data = dreamed.persona(tmp_path / "personas")
    asked = ["bench", "wiki", "personas", "--data", str(data), "--steps", "3", "--processes", "1", "--json"]
    shown = CliRunner().invoke(app, asked)
    assert shown.exit_code == 0, shown.output
    record = json.loads(shown.stdout)
    found = {one["name"]: one for one in record["all"]["measures"]}
    assert (found["planted updates told"]["count"], found["planted updates told"]["of"]) == (2, 2)
    assert (found["residue after forget"]["count"], found["residue after forget"]["of"]) == (0, 2)
    assert found["claims of small steps in one big step"]["of"] > 10
    assert record["plan"] == {"dataset": "personas", "part": "all", "limit": None, "every": 7, "engine": "extractive",
                              "steps": 3, "forget": True}  # fmt: skip
    assert record["accounts"][0]["growth"]["sessions"] == 4


def test_of_a_licensed_data_set_no_text_is_in_the_record(tmp_path: Path) -> None:
    data = dreamed.locomo(tmp_path / "chat.json")
    file = json.loads(data.read_text("utf-8"))
    plan = Plan(source=Source(dataset=Dataset.LOCOMO, data=data), steps=0, processes=1)
    measured = of_account(plan, tmp_path / "cache", file[0]["sample_id"])
    assert measured["cited claims held"].of > 5
    assert not any(one.examples for one in measured.measures)
    with pytest.raises(KeyError):
        measured["stale claims"]  # nothing was planted


def test_small_steps_end_where_one_step_does(tmp_path: Path) -> None:
    one = account(tmp_path)
    small, big = (in_steps(one, one.states[-1], steps) for steps in (3, 1))
    assert [len(state.inputs) for state in small.states] == [1, 3, 4]
    assert [len(state.inputs) for state in big.states] == [4]
    assert len(in_steps(one, one.states[-1], 30).states) == 4  # no more steps than there is to bring in


def test_a_wiki_that_stops_growing_shows_in_its_second_half() -> None:
    steps = [Point(sessions=n, pages=1, tokens=min(n, 6) * 100) for n in range(1, 13)]
    found = growth(steps)
    assert (found.first_half, found.second_half, found.a_session) == (100.0, 0.0, 50.0)
    assert growth([]).a_session is None


def test_measures_add_up_by_name() -> None:
    some = [Measure(name="a", count=1, of=2), Measure(name="b", count=0, of=0, bad=True)]
    (a, b) = added([some, some])
    assert (a.count, a.of, a.share, a.flaws) == (2, 4, 0.5, 2)
    assert (b.share, b.flaws) == (None, 0)


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    def said(*asked: str) -> BaseException | None:
        return CliRunner().invoke(app, ["bench", "wiki", *asked]).exception

    assert isinstance(said("personas"), UsageError)
    assert isinstance(said("--data", str(tmp_path)), UsageError)
    assert isinstance(said("--memory", str(tmp_path / "none")), NotABrain)


def quality(dead: int, held: int, *, stale: int | None = None) -> Quality:
    """A record of two accounts; what is said goes to the first."""
    measures = [Measure(name="dead links", count=dead, of=20, bad=True, examples=("a <b> leads nowhere",) * bool(dead)),
                Measure(name="cited claims held", count=held, of=40)]  # fmt: skip
    if stale is not None:
        measures.append(Measure(name="stale claims", count=stale, of=8, bad=True))
    grown = Growth(sessions=10, tokens=400, first_half=50.0, second_half=30.0)
    other = Measure(name="dead links", count=1, of=10, bad=True)
    return Quality(
        brain="0.1.0", plan={"dataset": "personas", "engine": "extractive", "every": 7, "steps": 30}, files={}, code={},
        accounts=(
            Measured(account="p01", growth=grown, measures=tuple(measures), remarks=("a file was left out",)),
            Measured(account="p02", growth=Growth(sessions=0, tokens=0), measures=(other,)),
        ),
    )  # fmt: skip


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    one = quality(2, 39, stale=0)
    assert parse(render(one)) == one
    for bad in ("{}", "[]", '{"quality_format": 1}', render(one).replace('"quality_format": 1', '"quality_format": 2')):
        with pytest.raises(FormatError):
            parse(bad)


def test_records_of_wikis_are_reported_side_by_side_and_compared(tmp_path: Path) -> None:
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    before.write_text(render(quality(4, 39)), "utf-8")
    after.write_text(render(quality(2, 39, stale=6)), "utf-8")
    shown = CliRunner().invoke(app, ["bench", "report", str(before), str(after)])
    assert shown.exit_code == 0, shown.output
    assert "| measure | wanted | before | after |" in shown.stdout
    assert "| dead links | none | 5/30 (16.7 %) | 3/30 (10.0 %) |" in shown.stdout
    assert "| stale claims | none | – | 6/8 (75.0 %) |" in shown.stdout
    assert "| … in the second half |  | 30 | 30 |" in shown.stdout
    assert "- p01: a file was left out" in shown.stdout
    page = tmp_path / "page.html"
    assert CliRunner().invoke(app, ["bench", "report", str(after), "--as", "html", "--out", str(page)]).exit_code == 0
    html = page.read_text("utf-8")
    assert "<td>3/30 (10.0 %)</td>" in html
    assert "a &lt;b&gt; leads nowhere" in html
    assert "after, 1: 0.9" in html  # of the links, nine of ten are as wanted
    held = CliRunner().invoke(app, ["bench", "compare", str(before), str(after)])
    assert held.exit_code == 0, held.output
    assert "| dead links | none | 5/30 (16.7 %) | 3/30 (10.0 %) | −6.7 | 1 | 0 |" in held.stdout
    assert "| cited claims held | all | 39/40 (97.5 %) | 39/40 (97.5 %) | ±0.0 | 0 | 0 |" in held.stdout
    as_json = json.loads(CliRunner().invoke(app, ["bench", "report", str(after), "--json"]).stdout)
    assert as_json["after"]["measures"][0]["count"] == 3


def test_records_of_two_kinds_are_not_mixed(tmp_path: Path) -> None:
    wiki, answers = tmp_path / "wiki.json", tmp_path / "answers.json"
    wiki.write_text(render(quality(0, 40)), "utf-8")
    head: dict[str, object] = dict.fromkeys(("brain", "started", "embedder"), "") | {
        "seconds": 0.0,
        "remarks": [],
        "sessions": [],
    }
    empty: dict[str, object] = {
        "plan": {},
        "arms": {},
        "files": {},
        "code": {},
        "weights": {},
        "accounts": [],
        "results": [],
    }
    answers.write_text(json.dumps({"answered_format": 1} | head | empty), "utf-8")
    for command in ("report", "compare"):
        refused = CliRunner().invoke(app, ["bench", command, str(wiki), str(answers)]).exception
        assert isinstance(refused, UsageError), command
    assert isinstance(CliRunner().invoke(app, ["bench", "report", str(answers), str(answers)]).exception, UsageError)
