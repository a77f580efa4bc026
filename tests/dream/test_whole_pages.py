"""Pages that go as a whole in an open run: merged, renamed, redirected; and what the day table says of a night."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from room import START, Room

from brain.dream import daytable, report
from brain.dream.open import OpenRun
from brain.sync.manifest import Agent, Operation, Why
from brain.types import Role, Turn

NOW = START + timedelta(days=28)
HEAD = "---\ntitle: {title}\ndescription: {title}, who runs the build farm\nentity_kind: person\n---\n# {title}\n\n"


class Wei:
    """A memory with two pages about one person, and a run open over one more session."""

    def __init__(self, room: Room) -> None:
        self.room = room
        one = room.say(1, "Wei Zhang runs the build farm.", "Wei fixed the cache.", "Wei Zhang plays the cello.")[:8]
        first = self.open(NOW)
        self.write(
            first, "wei-zhang", "Wei Zhang", one, "Wei Zhang runs the build farm.", 1, "Wei Zhang plays the cello.", 3
        )
        self.write(first, "wei", "Wei", one, "Wei fixed the cache.", 2, "Wei fixed the cache.", 2)
        assert first.check().ok, list(first.check().lines())
        first.close()
        self.two = room.say(2, "The cat sleeps.")[:8]
        self.run = self.open(NOW + timedelta(days=1))
        self.tell(f"{self.two} nothing: the cat")

    def open(self, now: datetime) -> OpenRun:
        agent = Agent(name="by-hand", version="0.1")
        found = OpenRun.open(self.room.git, self.room.config, now=now, agent=agent, trigger="by-hand", by_hand=True)
        assert found is not None
        return found

    def write(self, run: OpenRun, slug: str, title: str, session: str, lead: str, a: int, fact: str, b: int) -> None:
        place = run.tree / f"knowledge/entities/{slug}.md"
        place.parent.mkdir(exist_ok=True)
        text = f"{lead} [cite:session://{session}#t{a}]\n\n## Facts\n- {fact} [cite:session://{session}#t{b}]\n"
        place.write_text(HEAD.format(title=title) + text, "utf-8")

    def page(self, slug: str) -> Path:
        return self.run.tree / f"knowledge/entities/{slug}.md"

    def tell(self, line: str) -> None:
        with self.run.report.open("a", encoding="utf-8") as file:
            file.write(f"- {line}\n")

    def take_over(self) -> None:
        """The claims of the one page stand on the other, with their source."""
        session = self.run.orientation.rows
        one = next(id for id in session if not id.startswith(self.two))[:8]
        text = self.page("wei-zhang").read_text("utf-8")
        line = f"- Wei fixed the cache. [cite:session://{one}#t2]"
        text = text.replace("## Facts\n", f"## Facts\n{line}\n").replace(
            "next_cite: 3\n", "next_cite: 3\naliases: [Wei]\n"
        )
        self.page("wei-zhang").write_text(text, "utf-8")


@pytest.fixture
def wei(tmp_path: Path) -> Iterator[Wei]:
    room = Room(tmp_path / "memory", "Mara")
    yield Wei(room)
    room.git.close()


def test_page_is_merged_into_another_without_loss(wei: Wei) -> None:
    wei.take_over()
    wei.page("wei").unlink()
    wei.tell("merge entities/wei into entities/wei-zhang: the same person")
    checked = wei.run.check()
    assert checked.ok, list(checked.lines())
    assert {one.why for one in checked.removed} <= {Why.MOVED, Why.DUPLICATE}
    result = wei.run.close()
    assert result.applied
    assert wei.room.pages() == ["entities/wei-zhang"]
    assert "fixed the cache" in wei.room.page("entities/wei-zhang")


def test_merge_that_would_lose_a_claim_is_given_back(wei: Wei) -> None:
    wei.page("wei").unlink()
    wei.tell("merge entities/wei into entities/wei-zhang: the same person")
    assert "STG002" in {problem.rule for problem in wei.run.check().broken}
    wei.run.close()
    assert wei.room.pages() == ["entities/wei", "entities/wei-zhang"]
    assert "fixed the cache" in wei.room.page("entities/wei")


def test_old_name_may_stay_as_a_redirect(wei: Wei) -> None:
    wei.take_over()
    wei.page("wei").write_text(
        "---\ntitle: Wei\ndescription: Redirect to the page of Wei Zhang\nentity_kind: person\nstatus: superseded\n"
        "superseded_by: entities/wei-zhang\n---\n# Wei\n\nMoved to [[entities/wei-zhang]].\n",
        "utf-8",
    )
    checked = wei.run.check()
    assert checked.ok, list(checked.lines())
    assert wei.run.close().applied
    assert "superseded_by: entities/wei-zhang" in wei.room.page("entities/wei")


def test_page_is_renamed(wei: Wei) -> None:
    text = wei.page("wei").read_text("utf-8").replace("id: entities/wei\n", "").replace("Wei\n", "Wei of infra\n")
    wei.page("wei-of-infra").write_text(text, "utf-8")
    wei.page("wei").unlink()
    wei.tell("rename entities/wei to entities/wei-of-infra: two people are called Wei")
    checked = wei.run.check()
    assert checked.ok, list(checked.lines())
    assert wei.run.close().applied
    assert wei.room.pages() == ["entities/wei-of-infra", "entities/wei-zhang"]


def test_report_reads_what_its_blank_form_shows() -> None:
    text = report.blank("01K2A9QX") + (
        "- 3fa91c02 duplicate to projects/survey: said there\n- 1eaf53d4 later: too long\n"
        "- merge entities/wei into entities/wei-zhang: one person\n"
        "- projects/survey: deadline moved\nA line for people.\n"
    )
    found = report.parse(text)
    assert found.problems == ()
    assert (found.claims["3fa91c02"].why, found.claims["3fa91c02"].to) == (Why.DUPLICATE, "projects/survey")
    assert found.later == {"1eaf53d4": "too long"}
    assert found.pages["entities/wei"].op is Operation.MERGE
    assert found.notes == {"projects/survey": "deadline moved"}


def test_turns_after_midnight_belong_to_the_evening_before() -> None:
    zone = ZoneInfo("Europe/Paris")
    evening = datetime(2026, 5, 8, 23, 30, tzinfo=zone)
    turns = [
        Turn(
            number=n,
            role=Role.USER,
            text="See you on Friday.",
            time=(evening + timedelta(minutes=40 * n - 40)).astimezone(UTC),
        )
        for n in range(1, 4)
    ]
    (held,) = daytable.held_on(turns, zone)
    told = "\n".join(daytable.lines([held]))
    assert "t1-t3 said on Friday 2026-05-08 (turns after midnight still belong to this day)" in told
    assert "Fri 2026-05-01" in told
    assert "this weekend = 2026-05-09 and 2026-05-10" in told


def test_session_without_times_gets_no_days() -> None:
    (held,) = daytable.held_on([Turn(number=1, role=Role.USER, text="Yesterday.")], ZoneInfo("UTC"))
    assert "Do not turn relative words into dates" in "\n".join(daytable.lines([held]))
