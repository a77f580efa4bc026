"""Replay: questions somebody really asked are asked again of the same memory, with its wiki and without, day by day."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lived import Lived
from typer.testing import CliRunner

from brain.agents.sandbox import missing
from brain.bench.answered import parse
from brain.bench.arms import arm_of
from brain.bench.asked import Kind
from brain.bench.replay import FOLDER, series
from brain.bench.replay import kept as keeping
from brain.bench.replay.history import history
from brain.bench.replay.kept import Kept, Question
from brain.bench.replay.replaying import Replayed, foresee, leaves, replay
from brain.bench.replay.sampling import Sample, sample
from brain.bench.replay.states import held_out, prepared, states
from brain.bench.study import By, Reading
from brain.cli.app import app
from brain.config import Config
from brain.errors import FormatError, NotFound
from brain.tree.sessions import SessionRow, parse_rows, render_rows

Living = Callable[..., Lived]
A = "assistant"
NOW = datetime(2026, 5, 20, 9, tzinfo=UTC)
SERVER = "Where do we host the staging server?"
KILN = "What is the budget for the kiln project?"
CELLO = "Who plays the cello in the harbour orchestra?"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the lived memory is kept, so that it is lived once."""
    return tmp_path_factory.mktemp("whole") / "memory"


@pytest.fixture
def lived(live: Living, whole: Path) -> Lived:
    """Eleven days of a memory in four nights: facts, a change, questions about them, a later change."""
    if not whole.exists():
        shutil.copytree(_days(live("Mara", at="first")).root, whole, symlinks=True)
    memory = live("Mara")
    shutil.rmtree(memory.root)
    shutil.copytree(whole, memory.root, symlinks=True)
    return memory


def _days(memory: Lived) -> Lived:
    memory.claude(1, "We host the staging server at Hetzner.", (A, "Noted."),
                  "My brother Piet plays the cello in the harbour orchestra.", (A, "Lovely."))  # fmt: skip
    memory.night()
    memory.claude(2, "The budget for the kiln project is 480 euros.", (A, "Fine."))
    memory.claude(3, "The staging server is hosted by Scaleway from today on.", (A, "Understood."))
    memory.night()
    memory.claude(6, SERVER, (A, "The staging server is at Scaleway since Sunday."), "Thanks, that's it.", (A, "Good."))
    memory.claude(7, KILN, (A, "The budget for the kiln project is 480 euros."), "Draft the order then.", (A, "Done."))
    memory.night()
    memory.claude(8, "How many eggs does a Dutch baby need?", (A, "Three eggs."))
    memory.claude(9, "Which instrument does my brother Piet play?", (A, "Piet plays the violin."),
                  "No, he plays the cello.", (A, "Sorry."))  # fmt: skip
    memory.claude(10, "The staging server is hosted by Infomaniak from today on.", (A, "OK."))
    memory.claude(11, CELLO, (A, "Your brother Piet plays the cello there."))
    memory.night()
    return memory


def drawn(lived: Lived, **more: int) -> Sample:
    return sample(lived.root, now=NOW, **more)


def taken(lived: Lived) -> Kept:
    kept = drawn(lived).kept
    keeping.save(lived.root, kept)
    return kept


def by_text(kept: Kept) -> dict[str, Question]:
    return {one.text: one for one in kept.questions}


def on(lived: Lived, day: int = 20) -> Replayed:
    return replay(lived.root, reading=Reading(), now=datetime(2026, 5, day, 9, tzinfo=UTC))


def session_of(lived: Lived, words: str) -> str:
    return next(one.id for one in lived.transcripts() if any(words in turn.text for turn in one.turns))


# -- which questions


def test_questions_whose_answer_was_told_in_earlier_sessions_are_found_with_it(lived: Lived) -> None:
    found = by_text(drawn(lived).kept)
    assert {text: one.answer for text, one in found.items()} == {
        SERVER: "Scaleway", KILN: "480 euros", CELLO: "Piet",
    }  # fmt: skip
    assert found[KILN].kind is Kind.NUMBER
    assert found[SERVER].stale == ("Hetzner",)
    assert (found[SERVER].confirmed, found[KILN].confirmed) == (True, False)


def test_the_evidence_of_a_question_lies_in_sessions_before_it(lived: Lived) -> None:
    times = {one.id: {turn.number: turn.time for turn in one.turns} for one in lived.transcripts()}
    for one in drawn(lived).kept.questions:
        for uri in one.evidence:
            session, turn = re.fullmatch(r"session://(.+)#t(\d+)", uri).groups()  # type: ignore[union-attr]
            said = times[session][int(turn)]
            assert session != one.session
            assert said is not None
            assert said < one.asked_at
    turns = {one.id: {turn.number: turn.text for turn in one.turns} for one in lived.transcripts()}
    (uri,) = by_text(drawn(lived).kept)[SERVER].evidence
    assert "Scaleway" in turns[uri[10:46]][int(uri.partition("#t")[2])]


def test_what_was_new_that_day_and_what_the_user_put_right_are_left_out_and_counted(lived: Lived) -> None:
    assert drawn(lived).left == {
        "new that day: no earlier session holds the answer": 1,
        "the user put the answer right": 1,
    }


def test_the_same_seed_draws_the_same_and_another_seed_another_sample(lived: Lived) -> None:
    assert drawn(lived, most=1, seed=3) == drawn(lived, most=1, seed=3)
    assert len({drawn(lived, most=1, seed=seed).kept.questions for seed in range(8)}) > 1
    assert drawn(lived, days=12).found == 1  # asked since the 8th


def test_nothing_of_a_restricted_session_is_a_question_or_evidence(lived: Lived) -> None:
    index = lived.root / "sessions/index.jsonl"
    told = session_of(lived, "The budget for the kiln project is 480 euros.")
    asked = session_of(lived, CELLO)
    rows = parse_rows(index.read_text("utf-8"))
    sealed = [_sealed(row) if row.id in (told, asked) else row for row in rows]
    index.write_text(render_rows(sealed), "utf-8")
    found = drawn(lived)
    assert set(by_text(found.kept)) == {SERVER}
    assert found.sessions == {"restricted": 2}


def _sealed(row: SessionRow) -> SessionRow:
    return replace(row, sensitivity="restricted")


def test_an_answer_with_a_secret_in_it_is_never_kept(live: Living) -> None:
    memory = live("Mara")
    secret = "ghp_" + "a1B2c3D4e" * 4
    memory.claude(1, f"The deploy token of the harbour site is {secret}", (A, "Noted."))
    memory.claude(2, "What is the deploy token of the harbour site?", (A, f"The deploy token is {secret}."))
    memory.claude(3, "The gate of the harbour site is painted green.", (A, "Noted."))
    memory.claude(4, "Which colour is the gate of the harbour site painted?", (A, "The gate is green."))
    memory.night()
    kept = taken(memory)
    assert [one.answer for one in kept.questions] == ["green"]
    assert secret not in (memory.root / keeping.QUESTIONS).read_text("utf-8")


def test_an_answer_that_was_out_of_date_when_it_was_given_is_not_taken_for_right(live: Living) -> None:
    memory = live("Mara")
    memory.claude(1, "The port of the staging database is 5433.", (A, "Noted."))
    memory.claude(2, "The port of the staging database is 6001.", (A, "Noted."))
    memory.claude(3, "Which port does the staging database have?", (A, "It has 5433."))
    memory.night()
    found = drawn(memory)
    assert found.kept.questions == ()
    assert found.left == {"something newer had been said when it was asked": 1}


# -- matched states


def test_the_session_it_was_asked_in_and_later_ones_on_the_matter_are_held_out(lived: Lived) -> None:
    told = history(lived.root)
    question = by_text(taken(lived))[SERVER]
    away = held_out(question, told)
    assert f"session://{question.session}" in away
    assert f"session://{session_of(lived, 'Infomaniak')}" in away
    for words in ("Hetzner", "hosted by Scaleway", "Dutch baby", "The budget for the kiln"):
        assert not any(session_of(lived, words) in uri for uri in away)


def test_no_state_takes_the_evidence_of_a_question_it_is_asked(live: Living) -> None:
    """The session one question was asked in tells the answer of another."""
    memory = live("Mara")
    memory.claude(1, "The budget for the kiln project is 480 euros.", (A, "Noted."))
    memory.claude(2, KILN, (A, "The budget is 480 euros."), "The gate of the harbour is painted green.", (A, "Noted."))
    memory.claude(3, "Which colour is the harbour gate painted?", (A, "The harbour gate is green."))
    memory.night()
    kept = taken(memory)
    assert len(kept.questions) == 2
    made = states(kept.questions, history(memory.root))
    assert len(made) == 2
    for state in made:
        for one in state.questions:
            assert not any(uri.partition("#")[0] in state.held_out for uri in one.evidence)


def test_a_state_is_the_brain_as_it_is_without_what_is_held_out_and_its_arms_differ_in_the_wiki_only(
    lived: Lived,
) -> None:
    before = lived.files()
    kept = taken(lived)
    told = history(lived.root)
    (state,) = states(kept.questions, told)
    with prepared(lived.root, state, NOW) as place:
        whole, less = place(arm_of("wiki")), place(arm_of("no-wiki"))
        text = "".join(path.read_text("utf-8", "replace") for path in _visible(whole))
        assert "Infomaniak" not in text
        assert "Scaleway" in text
        assert list((whole / "knowledge").rglob("*.md"))
        assert not list((less / "knowledge").rglob("*.md"))
        for kind in ("notes", "sessions/transcripts", "sessions/summaries"):
            assert _under(whole, kind) == _under(less, kind)
        assert not (whole / FOLDER).exists()
        assert not (whole / ".brain/forgotten").exists()
    assert not whole.exists()
    assert lived.files() == before


def _visible(root: Path) -> list[Path]:
    every = (path for path in root.rglob("*.md") if path.is_file())
    return [path for path in every if path.relative_to(root).parts[0] not in (".git", ".brain")]


def _under(root: Path, kind: str) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted((root / kind).rglob("*.md"))}


# -- a day, and the series


def test_a_day_asks_every_question_with_the_wiki_and_without_and_is_written_down(lived: Lived) -> None:
    kept = taken(lived)
    done = on(lived)
    assert [(arm, len(done.record.of(arm))) for arm in series.ARMS] == [("wiki", 3), ("no-wiki", 3)]
    right = {one.question: one.judgement.correct for one in done.record.of("wiki")}
    assert right[by_text(kept)[KILN].id]
    accuracy, recall = done.day.value("wiki", "accuracy"), done.day.value("wiki", "reached")
    assert accuracy is not None
    assert recall is not None
    assert accuracy.mean == pytest.approx(sum(bool(one) for one in right.values()) / 3)
    assert recall.mean == 1.0
    currency = done.day.value("wiki", "currency")
    assert currency is not None
    assert currency.n == 1  # the server is the one that changed
    answers = " ".join(one.given.text for one in done.record.results)
    assert "Infomaniak" not in answers
    assert done.day.commit == lived.head[:12]
    assert parse((lived.root / keeping.LAST).read_text("utf-8")) == done.record


def test_the_series_has_a_line_a_day_and_a_second_run_takes_the_place_of_the_first(lived: Lived) -> None:
    taken(lived)
    on(lived, 20)
    on(lived, 20)
    on(lived, 21)
    lines = (lived.root / keeping.SERIES).read_text("utf-8").splitlines()
    assert [json.loads(line)["day"] for line in lines] == ["2026-05-20", "2026-05-21"]
    assert "kiln" not in "".join(lines)
    days = series.load(lived.root)
    assert series.add(lived.root, days[-1]) == days
    assert list(series.table(days))[-1].startswith("2026-05-21       3")
    page = (lived.root / keeping.CHART).read_text("utf-8")
    assert page.count("<circle") == 2 * 2 * 3  # days, arms, measures
    assert not re.search(r"<script|https?://(?!www\.w3\.org)|src=|url\(", page)
    assert "kiln" not in page


def test_what_it_keeps_is_for_the_owner_alone_and_not_under_git(lived: Lived) -> None:
    taken(lived)
    on(lived)
    folder = lived.root / FOLDER
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    assert lived.git("status", "--porcelain") == ""
    assert lived.errors() == []


@pytest.mark.skipif(missing() is not None, reason=f"no sandbox on this machine: {missing()}")
def test_a_day_on_which_nobody_could_answer_is_no_day_of_the_series(lived: Lived) -> None:
    taken(lived)
    said = lived.typed("bench", "replay", "run", "--reader", "command", "--command", "/nowhere/agent")
    assert said.returncode == 1
    assert "go to /nowhere/agent" in said.stderr
    assert "without an answer" in said.stderr
    assert series.load(lived.root) == []
    assert not list(series.table([]))


def test_what_memory_does_not_say_is_not_scored_as_right(lived: Lived) -> None:
    kept = taken(lived)
    lost = Kept(
        questions=tuple(_rewritten(one) for one in kept.questions), seed=kept.seed, taken_at=kept.taken_at
    )  # fmt: skip
    keeping.save(lived.root, lost)
    day = on(lived).day
    for arm in series.ARMS:
        accuracy = day.value(arm, "accuracy")
        assert accuracy is not None
        assert accuracy.mean == 0.0


def _rewritten(one: Question) -> Question:
    return replace(one, answer="Zanzibar", kind=Kind.TEXT, stale=())


# -- what is forgotten, and what leaves


def test_forgetting_a_session_takes_the_questions_that_rest_on_it_at_once(lived: Lived) -> None:
    taken(lived)
    on(lived)
    lived.brain.forget(session_of(lived, "The budget for the kiln project is 480 euros."))
    text = (lived.root / keeping.QUESTIONS).read_text("utf-8")
    assert "kiln" not in text
    assert not (lived.root / keeping.LAST).exists()
    lived.brain.forget(terms=["Piet", "seed"])  # the head of the file says "seed" too
    assert "Piet" not in (lived.root / keeping.QUESTIONS).read_text("utf-8")
    assert list(by_text(keeping.load(lived.root))) == [SERVER]


def test_a_question_whose_evidence_is_gone_is_dropped_by_the_next_run(lived: Lived) -> None:
    kept = taken(lived)
    lived.brain.forget(session_of(lived, "The budget for the kiln project is 480 euros."))
    keeping.save(lived.root, kept)  # as a copy from before would be
    assert foresee(lived.root).gone == 1
    assert on(lived).gone == 1
    assert KILN not in by_text(keeping.load(lived.root))


def test_before_anything_would_leave_the_machine_it_is_said(live: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = live("Mara")
    config = Config.load(memory.root)
    assert leaves(config, Reading()) == []
    assert leaves(config, Reading(by=By.COMMAND, command="agent -p"))[0].endswith("go to agent, wherever it sends them")
    monkeypatch.setenv("BRAIN_MODEL", "openai:small")
    assert "openai:small" in leaves(Config.load(memory.root), Reading(by=By.MODEL))[0]


# -- by hand


def test_nothing_is_kept_without_a_yes(lived: Lived) -> None:
    listed = lived.typed("bench", "replay", "sample", "--days", "2000")
    assert listed.returncode == 0, listed.stderr
    assert SERVER in listed.stdout
    assert "no longer Hetzner" in listed.stdout
    assert "nothing was written" in listed.stderr
    assert not (lived.root / FOLDER).exists()
    one = by_text(drawn(lived).kept)[CELLO].id
    said = lived.typed("bench", "replay", "sample", "--days", "2000", "--without", one, "--yes", "--json")
    assert json.loads(said.stdout)["kept"] is True
    assert set(by_text(keeping.load(lived.root))) == {SERVER, KILN}
    again = lived.typed("bench", "replay", "sample", "--days", "2000", "--yes")
    assert again.returncode == 2
    assert "--anew" in again.stderr


def test_run_and_show_print_the_series(lived: Lived) -> None:
    runner = CliRunner()
    none = lived.typed("bench", "replay", "run")
    assert none.returncode != 0
    assert "brain bench replay sample" in none.stderr
    taken(lived)
    foreseen = runner.invoke(app, ["bench", "replay", "run", "--memory", str(lived.root), "--dry-run", "--json"])
    assert json.loads(foreseen.stdout)["questions"] == 3
    assert not (lived.root / keeping.SERIES).exists()
    ran = runner.invoke(app, ["bench", "replay", "run", "--memory", str(lived.root)])
    assert ran.exit_code == 0, ran.stderr
    assert "read by extractive, 120 tokens" in ran.stdout
    shown = runner.invoke(app, ["bench", "replay", "show", "--memory", str(lived.root), "--json"])
    (day,) = json.loads(shown.stdout)
    assert day["arms"]["wiki"]["accuracy"]["n"] == 3


@pytest.mark.parametrize(
    ("timer", "lines"),
    [
        ("cron", ["5 4 * * * umask 077; "]),
        ("systemd", ["OnCalendar=*-*-* 04:05:00", "ExecStart="]),
        ("launchd", ["<integer>4</integer>", "<string>replay</string>"]),
    ],
)
def test_a_schedule_is_printed_and_not_installed(live: Living, timer: str, lines: list[str]) -> None:
    memory = live("Mara")
    said = CliRunner().invoke(
        app, ["bench", "replay", "schedule", "--for", timer, "--at", "04:05", "--memory", str(memory.root)]
    )
    assert said.exit_code == 0, said.stderr
    assert all(line in said.stdout for line in lines)
    assert str(memory.root) in said.stdout
    assert "nothing was installed" in said.stderr


def test_a_file_that_does_not_read_is_named_with_its_line(live: Living) -> None:
    memory = live("Mara")
    with pytest.raises(NotFound, match="no questions"):
        keeping.load(memory.root)
    keeping.save(memory.root, Kept(questions=(), seed=1, taken_at=NOW - timedelta(days=1)))
    with (memory.root / keeping.QUESTIONS).open("a", encoding="utf-8") as file:
        file.write('{"id": "x"}\n')
    with pytest.raises(FormatError) as error:
        keeping.load(memory.root)
    assert error.value.line == 2
    (memory.root / keeping.SERIES).write_text("[]\n", "utf-8")
    with pytest.raises(FormatError, match="no day of a replay"):
        series.load(memory.root)
