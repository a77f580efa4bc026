"""What an agent opened is seen: turns whose words came back, and files; a page that cites a turn is not the turn."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from chat_server import Payload, serving
from nights import Call, Player, sh

from brain import Brain
from brain.agents.answerer import Answerer
from brain.agents.citing import Citing
from brain.agents.ledger import Ledger
from brain.agents.openings import Place
from brain.agents.sandbox import missing
from brain.agents.trace import Used, opened
from brain.bench.accounts import Account
from brain.bench.arms import arm_of
from brain.bench.asked import Asked
from brain.bench.changes import applied
from brain.bench.desk import Clock, Desk
from brain.bench.readers.agent import AgentReader
from brain.explore.answer import Answer
from brain.tree import transcript

QUESTION = "Who hosts the team in Kyoto?"
PAGE = "knowledge/entities/sora-city-lab.md"
HOST = Call(
    "final_result",
    {"statements": [{"text": "Sora City Lab hosts it.", "cites": ["entities/sora-city-lab cite:1"]}], "missing": ""},
)


@pytest.fixture
def place(nadia: Brain, tmp_path: Path) -> Iterator[Place]:
    with nadia.near() as near:
        folder = tmp_path / "set" / "tree"
        near.boot(folder)
        yield Place(root=nadia.root, config=nadia.config, corpus=near.corpus, folder=folder, today=date(2026, 10, 20))


def traced(place: Place, *steps: Call) -> Answer:
    return Answerer(Ledger(None, "test", config=place.config), model=Player(*steps, HOST).model).answer(place, QUESTION)


def test_the_turns_behind_a_citation_are_opened_by_show_and_not_by_reading_the_page(place: Place) -> None:
    shown = traced(place, Call("show", {"what": "entities/sora-city-lab", "cite": 1}))
    assert re.fullmatch(r"session://[0-9a-f-]{36}#t\d+(?:-t\d+)?", shown.opened[0])
    read = traced(place, Call("show", {"what": "entities/sora-city-lab"}))
    assert read.opened == (PAGE,)


def test_recall_opens_the_turns_it_tells_word_for_word(place: Place) -> None:
    citing = Citing(place.root, place.config)
    uri = traced(place, Call("show", {"what": "entities/sora-city-lab", "cite": 1})).opened[0]
    told = f"- It was so. (2026-06-18) — sessions/transcripts/2026/x.md:9 <{uri}>\n- So it is. — {PAGE}:12 <{uri}>\n"
    recalled = Used(tool="recall", args={"need": "x"}, result=told)
    assert opened([recalled, recalled], citing, place.folder) == (uri, PAGE)
    assert PAGE in traced(place, Call("recall", {"need": QUESTION})).opened


@pytest.mark.skipif(missing() is not None, reason="needs bubblewrap 0.8 or later")
def test_a_shell_opens_the_turns_whose_lines_it_prints(place: Place) -> None:
    found = traced(
        place, Call("recall", {"need": QUESTION}), sh("cat sessions/transcripts/*/*.md | head -40"), sh(f"cat {PAGE}")
    )
    assert PAGE in found.opened
    assert any(re.match(r"session://[0-9a-f-]{36}(?:#t\d+)?$", uri) for uri in found.opened)


def test_one_line_of_a_transcript_is_that_turn_and_all_of_it_is_the_session(place: Place) -> None:
    with_files = traced(place, Call("recall", {"need": QUESTION}))
    assert with_files.found
    file = next(iter(sorted(place.folder.rglob("sessions/transcripts/**/*.md"))))
    held = transcript.read(file)
    long = next(turn for turn in held.turns if len(turn.text.splitlines()[0]) > 40)
    path, citing = file.relative_to(place.folder).as_posix(), Citing(place.root, place.config)
    line = f"{path}:9:{long.text.splitlines()[0]}"
    grepped = Used(tool="run_command", args={"command": "grep -rn x sessions"}, result=line)
    assert opened([grepped], citing, place.folder) == (f"session://{held.id}#t{long.number}",)
    whole = Used(tool="run_command", args={"command": f"cat {path}"}, result=file.read_text("utf-8"))
    assert opened([whole], citing, place.folder) == (f"session://{held.id}",)
    failed = Used(tool="show", args={"what": "nothing"}, result="error: nothing is called so")
    assert opened([failed], citing, place.folder) == ()


def asking(nadia: Brain, arm: str, url: str) -> Desk:
    """A desk at Nadia's brain whose answers come from a server on this machine."""
    changes = ["models.answer=local", f"models.base_url={url}", "models.retries=0"]
    made = arm_of(arm, changes)
    config = applied(nadia.config, (nadia.root / ".brain" / "config.toml").read_text("utf-8"), made.settings)
    account = Account(id="nadia", source="made", inputs=(), states=())
    clock = Clock(nadia._clock())
    return Desk(arm=made, account=account, brain=Brain(nadia.root, config, clock=clock), clock=clock, evening=clock.now)


def said(payload: Payload) -> str:
    """Everything a request put before the model."""
    return str(payload["messages"])


def given(nadia: Brain, arm: str) -> tuple[str, str]:
    """The answer of a model that says what it was told to, and what it was told."""
    reply: dict[str, object] = {"statements": [], "missing": "Memory does not say."}

    def answer(payload: Payload) -> str | list[tuple[str, dict[str, object]]]:
        names = [tool["function"]["name"] for tool in payload.get("tools", ())]
        final = [name for name in names if "final" in name]
        return [(final[0], reply)] if final else json.dumps(reply)

    with serving(local=answer) as server:
        found = AgentReader().answer(
            asking(nadia, arm, server.url), Asked(id="q", account="nadia", text=QUESTION, category="x")
        )
        (first, *_) = server.asked
    assert not found.found
    assert found.use.calls == 1
    assert found.use.tokens_in == 100
    return found.text, said(first[1])


def test_a_model_reads_as_in_use_and_an_arm_keeps_the_map_from_it(nadia: Brain) -> None:
    text, told = given(nadia, "wiki")
    assert text == "Memory does not say."
    assert "entities/sora-city-lab — " in told
    assert "entities/sora-city-lab — " not in given(nadia, "no-index")[1]


def test_the_whole_context_has_every_session_and_no_memory_none(nadia: Brain) -> None:
    whole, nothing = (given(nadia, arm)[1] for arm in ("full-context", "no-memory"))
    for row in nadia.sessions():
        assert row.id in whole
        assert row.id not in nothing
    assert QUESTION in nothing
