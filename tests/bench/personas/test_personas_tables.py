"""The tables behind the personas: every row can be said and asked, and every host writes what an import reads."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from brain.bench.personas import facts
from brain.bench.personas.banks import Bank, fill, language, languages, slots_in, works
from brain.bench.personas.chance import Chance
from brain.bench.personas.labour import Labour
from brain.bench.personas.leaks import holds, leaks, plain
from brain.bench.personas.ledger import Persona, Session, Turn
from brain.bench.personas.lives import persona
from brain.bench.personas.talk import Writer
from brain.bench.personas.values import Maker, day_value, number_value
from brain.bench.personas.writing import HOSTS
from brain.errors import FormatError
from brain.ingest.choose import choose
from brain.ingest.raw import RawTurn, Skips
from brain.types import Role

SAID = ("lead", "trail", "ack", "against", "stay", "fine", "rival", "inject", "claim", "between", "greet", "askback",
        "steer", "done", "page", "trap", "context", "status")  # fmt: skip
KINDS = ("undertaking", "fact", "did", "held", "reported", "made", "tried", "change", "prefer", "event", "flow", "rule",
         "sum", "list", "role", "cal", "meet", "moved", "mail", "job", "line", "run")  # fmt: skip


def _at_work(work: Bank) -> Persona:
    """Some persona of a profession."""
    return next(one for one in (persona(1, number) for number in range(1, 60)) if one.work.name == work.name)


@pytest.mark.parametrize("work", works(), ids=lambda work: work.name)
def test_every_profession_has_rows_of_every_kind_and_all_can_be_drawn(work: Bank) -> None:
    assert [kind for kind in KINDS if not work.of(kind)] == []
    assert len(work.of("undertaking")) >= 6
    assert list(facts.check(work)) == []
    who = _at_work(work)
    for kind in facts.KINDS:
        for row in work.of(kind):
            draw = facts.Drawing(who, Chance(1, row.place), Maker(Chance(2), who.tongue, who.start))
            for fact in facts.KINDS[kind](draw, row, who.tongue):
                assert fact.mentions
                assert fact.asks
                for ask in fact.asks:
                    fill(ask, {"n": "3", "d": "x", "done": "x", **fact.slots})


@pytest.mark.parametrize("code", languages())
def test_every_language_says_what_any_conversation_needs(code: str) -> None:
    bank = language(code)
    assert [kind for kind in SAID if not bank.said(kind)] == []
    assert list(facts.check(bank)) == []
    assert {row.columns[0] for row in bank.of("narrate")} == {"read", "run", "edit", "grep", "fetch"}
    assert len(bank.listed("months")) == 12
    offsets = [int(row.columns[0]) for row in bank.of("when")]
    assert min(offsets) < 0 < max(offsets)
    assert len(bank.listed("given")) >= 8
    assert len(bank.listed("family")) >= 8


def _slots_of(bank: Bank) -> Iterator[tuple[str, frozenset[str]]]:
    for task in bank.tasks:
        for text in (task.title, *task.asks, *task.replies, *(part for pair in task.more for part in pair)):
            yield text, slots_in(text)
    for kind in ("quick", "beat", "close", "job", "line", "run"):
        for row in bank.of(kind):
            for text in row.columns:
                yield text, slots_in(text)


@pytest.mark.parametrize("bank", [*works(), *map(language, languages())], ids=lambda bank: bank.name)
def test_every_slot_of_what_is_talked_about_is_filled(bank: Bank) -> None:
    who = persona(1, 1)
    session = Session(id="s", host="codex", kind="talk", start=datetime(2025, 1, 1, tzinfo=UTC), tongue="en", topic=0)
    known = {*Writer(who, Chance(1)).slots(session), "last", "list"}
    assert [(text, slots - known) for text, slots in _slots_of(bank) if slots - known] == []


def test_a_line_that_is_no_row_is_said_with_its_place(tmp_path: Path) -> None:
    from brain.bench.personas.banks import read

    table = tmp_path / "odd.txt"
    table.write_text("tongue: en\nthis is nothing\n")
    with pytest.raises(FormatError, match="odd:2"):
        read(table)
    table.write_text("? asked of nothing\n")
    with pytest.raises(FormatError, match="belongs to no task"):
        read(table)


def _session(host: str) -> Session:
    """A session with turns of every sort, two calls in a row among them."""
    start = datetime(2025, 3, 3, 10, tzinfo=UTC)
    made = [
        ("user", "Which glue holds?", "", {}),
        ("assistant", "Let me look.", "", {}),
        ("call", "", "read", {"file": "notes.md"}),
        ("result", "    1\thide glue\n    2\tfish glue", "read", {}),
        ("call", "", "run", {"command": "ls"}),
        ("result", "notes.md", "run", {}),
        ("call", "", "edit", {"file": "notes.md", "old": "hide glue", "new": "bone glue"}),
        ("result", "The file notes.md has been updated.", "edit", {}),
        ("call", "", "grep", {"pattern": "glue"}),
        ("result", "notes.md:1:bone glue", "grep", {}),
        ("call", "", "fetch", {"url": "https://guide.example/1"}),
        ("result", "A page says: casein.", "fetch", {}),
        ("assistant", "Bone glue.", "", {}),
        ("assistant", "- one\n- two", "", {}),
        ("user", "Grüße, 了解, дякую!", "", {}),
        ("assistant", "Gladly.", "", {}),
    ]
    turns = [
        Turn(role=role, text=text, tool=tool, arguments=arguments, at=start + timedelta(seconds=7 * at))
        for at, (role, text, tool, arguments) in enumerate(made)
        if host != "dialogue" or role in ("user", "assistant")
    ]
    id = Chance("host", host).uuid()
    return Session(id=id, host=host, kind="work", start=start, tongue="en", topic=0, title="Glue", turns=turns)


_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "call": Role.ASSISTANT, "result": Role.TOOL}


@pytest.mark.parametrize("host", sorted(HOSTS))
def test_what_a_host_writes_is_read_turn_by_turn_by_its_importer(host: str, tmp_path: Path) -> None:
    for seed in range(6):  # branches, drafts and repeated messages come by chance
        place = tmp_path / str(seed)
        session = _session(host)
        HOSTS[host](place, persona(1, 1), [session], Chance(seed))
        choices, skipped = choose([place], inside=tmp_path / "none")
        assert skipped == []
        skips = Skips()
        read: list[RawTurn] = []
        for choice in choices:
            assert choice.format.name == host
            for raw in choice.format.read(choice.path, skips):
                turns = list(raw.turns)
                assert raw.external_id == session.id or turns == []
                read += turns
        assert not skips.broken
        assert [turn.role for turn in read] == [_ROLES[turn.role] for turn in session.turns]
        for got, wanted in zip(read, session.turns, strict=True):
            assert got.time == wanted.at or wanted.role not in ("user", "assistant")
            assert wanted.text in got.text
            if wanted.role == "call":
                assert next(iter(wanted.arguments.values())) in got.text.replace("\\n", "\n")


def test_files_stay_the_same_from_one_session_to_the_next() -> None:
    labour = Labour(Writer(persona(1, 1), Chance(3)))
    before = {name: list(lines) for name, lines in labour.files.items()}
    start = datetime(2025, 3, 3, 10, tzinfo=ZoneInfo("UTC"))
    for number in range(3):
        at = start + timedelta(days=number)
        session = Session(
            id=str(number), host="codex", kind="work", start=at, tongue=labour.persona.tongue, topic=0
        )  # fmt: skip
        labour.write(session)
        edits = [turn.arguments for turn in session.turns if turn.tool == "edit" and turn.role == "call"]
        for edit in edits:
            assert edit["old"] != edit["new"]
            assert any(edit["old"] in lines for lines in before.values())
            before[edit["file"]][before[edit["file"]].index(edit["old"])] = edit["new"]
    assert all(sorted(before[name]) == sorted(lines) for name, lines in labour.files.items())


@pytest.mark.parametrize(
    ("text", "form", "there"),
    [
        ("the box is at 44 % today", "44 %", True),
        ("the box is at 44 % today", "44", True),
        ("the box is at 144 % today", "44", False),
        ("version 1.44.2", "44", False),
        ("at 4.4 mm", "4.4", True),
        ("レンジャクを7羽数えました", "7羽", True),
        ("rupture", "rupt", False),
        ("it was Captain, of course", "captain", True),
    ],
)
def test_a_value_is_held_by_a_text_only_as_a_word_of_its_own(text: str, form: str, there: bool) -> None:
    assert holds(plain(text), form) is there


def test_a_leak_is_the_answer_beside_words_of_the_question() -> None:
    turns = {
        "s": [plain("The cat is Juniper."), plain("Juniper berries for the sauce."), plain("Our animal: Juniper.")]
    }
    found = list(leaks("What is our animal called?", ["Juniper"], turns, frozenset({("s", 1)})))
    assert found == [("s", 3)]


def test_values_have_every_form_in_which_they_may_be_answered() -> None:
    assert number_value(3.5, "mm", "de").shown == "3,5 mm"
    assert {"3.5", "3,5", "3.5 mm"} <= set(number_value(3.5, "mm", "de").all)
    assert number_value(12_000, "€", "en").shown == "12,000 €"
    day = day_value(date(2025, 3, 9), "en")
    assert day.answer == "2025-03-09"
    assert {"9 March", "March 9, 2025", "09.03.2025"} <= set(day.all)
    assert day_value(date(2025, 3, 9), "ja").shown == "3月9日"
    with pytest.raises(FormatError, match="no 3 values left"):
        Maker(Chance(1), "en", date(2025, 1, 1)).draw("red; green", 3)
