"""Distilling and verifying over HTTP against a server on this machine: both ways of answering, overflow, restarts."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from loopback import Answer, Body, Loopback, Refusal, asked, serving
from pydantic_ai import models
from room import START, Room
from scripted import distilled, note, session, verdict

from brain.agents.distiller import ModelDistiller
from brain.agents.ledger import Ledger
from brain.agents.verifier import ModelVerifier
from brain.config import Config
from brain.distil import DistilContext
from brain.dream.run import dream
from brain.dream.verification import Asked, Asks, Cited, Question, examine
from brain.errors import ModelFailed
from brain.types import Role, Turn

NADIA = DistilContext(owners=("Nadia",))
TALK = session(("user", "I moved to Lyon last week."), ("assistant", "Noted."), ("user", "I prefer figures as PDF."))
GOOD = distilled(
    note("Nadia moved to Lyon last week.", 1, date_phrase="last week"),
    note("Nadia prefers figures as PDF.", 3, kind="preference"),
    paragraph="Nadia moved to Lyon.",
)


@pytest.fixture(autouse=True)
def _really() -> Iterator[None]:
    with models.override_allow_model_requests(True):
        yield


def settings(url: str, *more: str) -> Config:
    return Config.parse("\n".join(['[models]\ndefault = "local"', f'base_url = "{url}"', "retries = 0", *more]))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize("stream", ["false", "true"])
def test_a_session_is_distilled_over_http(stream: str) -> None:
    with serving(lambda _: GOOD) as server:
        ledger = Ledger(None, "r", config=settings(server.url, f"stream = {stream}"))
        found = ModelDistiller(ledger).distil(TALK, 1, NADIA)
        assert [fact.text for fact in found.facts] == [
            "Nadia moved to Lyon in the week of 2026-06-01.",
            "Nadia prefers figures as PDF.",
        ]
        (body,) = server.bodies
        assert bool(body.get("stream")) is (stream == "true")
        assert body["response_format"]["type"] == "json_schema"
        assert "tools" not in body
        assert "Noted" in str(body["response_format"]["json_schema"]["schema"])
        assert (ledger.totals.input, ledger.totals.output) == (100, 50)


@pytest.mark.parametrize("stream", ["false", "true"])
def test_claims_are_verified_over_http(stream: str) -> None:
    def judge(body: Body) -> Answer:
        return {"verdicts": [verdict(1), verdict(2, "unsupported", "SEM001")]}

    cited = (Cited(uri="session://x#t1", turn=Turn(number=1, role=Role.USER, text="I moved to Lyon.")),)
    questions = tuple(
        Question(path="knowledge/entities/nadia.md", claim=claim, asks=Asks.NEW, line=line, evidence=cited)
        for line, claim in ((9, "Nadia relocated to Lyon."), (10, "Nadia owns a boat."))
    )
    with serving(judge) as server:
        ledger = Ledger(None, "r", config=settings(server.url, f"stream = {stream}"))
        found = examine(Asked(questions=questions), ModelVerifier(ledger))
    assert [(p.rule, p.line) for p in found.problems] == [("SEM001", 10)]


def test_a_prompt_that_overflows_is_cut_in_two() -> None:
    def small(body: Body) -> Answer:
        new = asked(body).partition("# New")[2]
        if "[t1]" in new and "[t3]" in new:
            return Refusal(400, "the request exceeds the available context size (512 tokens), try increasing it")
        if "[t1]" in new:
            return distilled(note("Nadia moved to Lyon last week.", 1))
        return distilled(note("Nadia prefers figures as PDF.", 3, kind="preference"))

    with serving(small) as server:
        found = ModelDistiller(Ledger(None, "r", config=settings(server.url))).distil(TALK, 1, NADIA)
        assert [fact.first_turn for fact in found.facts] == [1, 3]
        assert len(server.bodies) == 3


def test_a_server_that_is_away_is_an_error_that_says_so() -> None:
    config = settings(f"http://127.0.0.1:{free_port()}/v1")
    with pytest.raises(ModelFailed, match="cannot be reached"):
        ModelDistiller(Ledger(None, "r", config=config)).distil(TALK, 1, NADIA)


def test_a_server_that_comes_back_is_asked_again() -> None:
    answers: list[Answer] = [Refusal(503, "Loading model"), Refusal(500, "oops"), GOOD]

    with serving(lambda _: answers.pop(0)) as server:
        config = settings(server.url).parse(f'[models]\ndefault = "local"\nbase_url = "{server.url}"\nretries = 2\n')
        found = ModelDistiller(Ledger(None, "r", config=config)).distil(TALK, 1, NADIA)
        assert len(found.facts) == 2
        assert len(server.bodies) == 3


def test_a_night_whose_server_dies_keeps_what_was_read_and_the_next_night_does_the_rest(tmp_path: Path) -> None:
    room = Room(tmp_path, "Nadia")
    for number in range(1, 6):
        room.say(number, f"I visited stop {number} with the team.", "I prefer figures as PDF.")
    port = free_port()
    server: Loopback

    def dies(body: Body) -> Answer:
        if len(server.bodies) == 3:
            return Refusal(503, "shutting down")
        return distilled(note("Nadia prefers figures as PDF.", 2, kind="preference"), paragraph="A visit.")

    def night() -> tuple[int, dict[str, str]]:
        config = settings(f"http://127.0.0.1:{port}/v1")
        distiller = ModelDistiller(Ledger(None, "r", config=config))
        result = dream(room.root, room.config, now=START + timedelta(days=28), distiller=distiller)
        return result.exit_code, result.failed

    server = Loopback(dies, port)
    code, failed = night()
    server.stop()
    assert code == 1
    assert len(failed) == 1
    code, failed = night()
    assert (code, len(failed)) == (1, 1)
    with serving(lambda _: distilled(note("Nadia prefers figures as PDF.", 2, kind="preference")), port):
        assert night() == (0, {})
    assert "attached_through: 2" in "".join(
        p.read_text("utf-8") for p in (tmp_path / "sessions/summaries").rglob("*.md")
    )


def test_after_two_sessions_without_a_server_the_rest_is_not_tried(tmp_path: Path) -> None:
    room = Room(tmp_path, "Nadia")
    for number in range(1, 6):
        room.say(number, f"I visited stop {number} with the team.")
    with serving(lambda _: Refusal(503, "overloaded")) as server:
        distiller = ModelDistiller(Ledger(None, "r", config=settings(server.url)))
        result = dream(room.root, room.config, now=START + timedelta(days=28), distiller=distiller)
        assert len(server.bodies) == 2
    assert len(result.failed) == 5
    assert sum(why.startswith("not read:") for why in result.failed.values()) == 3
    assert not result.applied


def test_prompted_output_works_where_no_schema_is_kept() -> None:
    with serving(lambda _: GOOD) as server:
        config = settings(server.url, 'output = "prompted"')
        found = ModelDistiller(Ledger(None, "r", config=config)).distil(TALK, 1, NADIA)
        assert len(found.facts) == 2
        assert "first_turn" in asked(server.bodies[0])


def test_the_command_names_the_session_that_failed_and_ends_with_one(tmp_path: Path) -> None:
    """The whole way: settings in config.toml, `brain distil`, a server, exit code, JSON."""
    room = Room(tmp_path / "memory", "Nadia")
    bad = room.say(1, "I prefer tea over coffee.")
    room.say(2, "I prefer figures as PDF.")

    def answer(body: Body) -> Answer:
        return "sorry, no" if "tea over" in asked(body) else distilled(note("Nadia prefers figures as PDF.", 1))

    with serving(answer) as server:
        place = room.root / ".brain/config.toml"
        lines = ["[models]", 'distil = "local"', f'base_url = "{server.url}"', "retries = 0"]
        kept = [line for line in place.read_text("utf-8").splitlines() if not line.startswith("[models]")]
        place.write_text("\n".join([*kept, *lines, ""]), "utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "brain", "distil", "--json", "--memory", str(room.root)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 1, done.stderr
    told = json.loads(done.stdout)
    assert list(told["failed"]) == [bad]
    assert "3 calls" in done.stderr or "4 calls" in done.stderr
    assert "PDF" in "".join(path.read_text("utf-8") for path in (room.root / "notes").rglob("*.md"))
