"""Deterministic verification: what counts as supported, and what later turns override."""

# ruff: noqa: E501 — one case a line
from __future__ import annotations

from datetime import UTC, datetime

import pytest

from brain.rules.later import overrides
from brain.rules.missing import missing
from brain.rules.verify import Support, verify
from brain.types import Qualifier, Role, Trust, Turn

SAID = datetime(2026, 6, 10, 9, 0, tzinfo=UTC)  # a Wednesday


def turn(
    text: str,
    name: str | None = "Nadia",
    number: int = 3,
    role: Role = Role.USER,
    time: datetime | None = SAID,
    trust: Trust | None = None,
) -> Turn:
    return Turn(number=number, role=role, text=text, name=name, time=time, trust=trust)


SUPPORTED = [
    ("Nadia moved to Lyon.", "I moved to Lyon."),
    ("Nadia moved to Lyon on 2026-06-05.", "I moved to Lyon last Friday!"),
    ("Nadia moved to Lyon on 2026-06-09.", "Yesterday I moved to Lyon, finally."),
    ("Nadia went to the Kyoto workshop in the week of 2026-06-01.", "Last week I went to the Kyoto workshop."),
    ("Nadia wants figures as PDF, not PNG.", "Please send figures as PDF, never PNG."),
    ("Nadia wants figures as PDF, not PNG. [cite:3]", "I want figures as PDF, not PNG"),
    ("- **Deliverables** — figures go out as PDF, not PNG. [cite:4]", "From now on the figures go out as PDF, not PNG."),
    ("Nadia adopted two dogs in May 2026.", "We adopted 2 dogs last month."),
    ("Nadia has 2 dogs.", "I have two dogs: Miso and Yuzu."),
    ("Nadia's sister Emily lives in Lyon.", "My sister Emily lives in Lyon."),
    ("Emily is Nadia's sister.", "My sister Emily called."),
    ("The budget is 1,200.50 euros.", "Budget: 1 200,50 euros, all in"),
    ('Nadia: "We moved last week." (week of 2026-06-01)', "We moved last week."),
    ("The deadline is 2026-07-03.", "The deadline is July 3rd."),
    ("Nadia started running about 2023.", "I started running 3 years ago"),
    ("Nadia a déménagé à Lyon le 2026-06-09.", "Hier j'ai déménagé à Lyon."),
    ("Надія переїхала до Києва 2026-06-09.", "Вчора переїхала до Києва, Надія вже там"),
    ("2026-06-09去了京都出差。", "我昨天去了京都出差。"),
    ("2026-06-12に仙台へ出張する。", "明後日に仙台へ出張する予定です。"),
    ("Asked \"Which city?\", Nadia said: \"Kyoto it is.\"", "Which city? Kyoto it is."),
    ("Nadia plans to visit Sendai in July 2026.", "I'm going to visit Sendai next month."),
    ("Sora City Lab hosts the team in Kyoto.", "Sora City Lab hosts us in Kyoto."),
    ("Alhamdulillah, the son of Nadia is much better.", "Alhamdulillah, my son is much better."),
    ("The code of the form is 1234-56.", "the code of the form is 1234-56"),
    ("Write to [[entities/ana|Ana]] at ana@example.org.", "you can write to Ana at ana@example.org"),
]  # fmt: skip

REFUSED = [
    ("Nadia moved to Kyoto.", "I moved to Lyon.", Support.UNSUPPORTED),
    ("Nadia moved to Lyon on 2026-05-05.", "I moved to Lyon last Friday!", Support.UNSUPPORTED),
    ("The budget is 1300 euros.", "The budget is 1200 euros.", Support.UNSUPPORTED),
    ("Nadia likes PNG figures.", "I don't like PNG figures.", Support.CONTRADICTED),
    ("Nadia does not eat fish.", "I eat fish every day.", Support.CONTRADICTED),
    ("Nadia will join the Kyoto team.", "Should I join the Kyoto team?", Support.UNSUPPORTED),
    ("Nadia moves to Lyon.", "Maybe I move to Lyon.", Support.PARTIAL),
    ("Nadia moved to Lyon.", "I will move to Lyon.", Support.PARTIAL),
    ("Kenji moved to Lyon.", "I moved to Lyon.", Support.UNSUPPORTED),
    ("Write to ana@example.org.", "write to ana@example.com", Support.UNSUPPORTED),
    ('Nadia said "the venue is step free".', "The venue has two steps at the door.", Support.UNSUPPORTED),
    ("The audit found broken tactile paving near the river.", "We had lunch.", Support.UNSUPPORTED),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "text"), SUPPORTED)
def test_what_the_turn_says_is_supported(claim: str, text: str) -> None:
    verdict = verify(claim, [turn(text)])
    assert verdict.support is Support.SUPPORTED, verdict


@pytest.mark.parametrize(("claim", "text", "support"), REFUSED)
def test_what_the_turn_does_not_say_is_refused_with_the_reason(claim: str, text: str, support: Support) -> None:
    verdict = verify(claim, [turn(text)])
    assert (
        verdict.support in (support, Support.UNSUPPORTED) if support is Support.PARTIAL else verdict.support is support
    ), verdict
    assert not verdict.ok
    assert verdict.why


def test_the_assistants_idea_needs_its_qualifier_unless_the_user_agreed() -> None:
    idea = turn("You could book the Sapphir hotel in Sendai.", name=None, role=Role.ASSISTANT)
    claim = "The Sapphir hotel in Sendai could be booked."
    assert not verify(claim, [idea]).ok
    assert verify(claim, [idea], qualifier=Qualifier.ASSISTANT).ok
    assert verify(claim, [idea, turn("Yes, do that.", number=4)]).ok
    aside = turn("And what about the weather there?", number=4)
    assert "^[assistant]" in verify(claim, [idea, aside]).why


def test_a_list_of_the_assistant_that_the_user_calls_right_is_the_users() -> None:
    listed = turn("1. Photograph the signs. 2. Walk the route. 3. Note the steps.", name=None, role=Role.ASSISTANT)
    claim = "Wayfinding audit, steps 1-3: (1) Photograph the signs. (2) Walk the route. (3) Note the steps."
    assert verify(claim, [listed, turn("Wayfinding audit: the list is right.", number=4)]).ok


def test_outside_content_needs_its_qualifier() -> None:
    page = turn("Sapphir Mobility is a cooperative in Sendai.", name=None, role=Role.TOOL, trust=Trust.EXTERNAL)
    claim = "Sapphir Mobility is a cooperative in Sendai."
    assert not verify(claim, [page]).ok
    assert verify(claim, [page], qualifier=Qualifier.EXTERNAL).ok


def test_a_turn_without_a_time_supports_no_relative_date() -> None:
    assert [
        m.kind for m in missing("Nadia moved to Lyon on 2026-06-09.", [turn("Yesterday I moved to Lyon.", time=None)])
    ] == ["date"]


def test_jean_is_not_jean_luc() -> None:
    assert not verify("Jean-Luc moved to Lyon.", [turn("I moved to Lyon.", name="Jean")]).ok
    assert verify("Jean-Luc moved to Lyon.", [turn("I moved to Lyon.", name="Jean-Luc")]).ok


LATER = [
    # claim, subjects, later turn, speaks against it
    ("Aiko works on the Harbour project.", ["Aiko"], "Aiko moved to the Lantern project.", True),
    ("Aiko works on the Harbour project.", ["Aiko"], "Ben left the Harbour project.", False),
    ("Aiko works on the Harbour project.", ["Aiko"], "Aiko left Harbour on Monday.", True),
    ("Ben works on the Lantern project.", ["Ben"], "Aiko moved to the Harbour project.", False),
    ("Nadia lives in Lyon.", ["Nadia"], "I moved to Grenoble.", True),
    ("Nadia lives in Lyon.", ["Nadia"], "I had lunch in Grenoble.", False),
    ("The deadline of the sprint report is 2026-07-03.", ["sprint report"], "The sprint report deadline is now 2026-07-10.", True),
    ("The deadline of the sprint report is 2026-07-03.", ["sprint report"], "The sprint report deadline is 2026-07-10.", True),
    ("Nadia wants figures as PDF.", ["Nadia"], "From now on I want figures as SVG instead.", True),
    ("Nadia wants figures as PDF.", ["Nadia"], "I want lunch.", False),
    ("Nadia habite à Lyon.", ["Nadia"], "J'ai déménagé, j'habite maintenant à Grenoble.", True),
    ("Aiko works on the Harbour project.", ["Aiko"], "Is Aiko moving to Lantern now?", False),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "subjects", "text", "against"), LATER)
def test_t08_only_the_same_subject_and_attribute_is_overridden(
    claim: str, subjects: list[str], text: str, against: bool
) -> None:
    found = overrides(claim, [turn(text, number=9)], subjects=subjects)
    assert bool(found) is against, found


def test_what_is_told_ahead_of_a_request_is_told() -> None:
    turn = Turn(number=1, role=Role.USER, text="I'm starting a chess league at my office, do you have any tips?")
    assert verify("Mara is starting a chess league at their office.", [turn], owners=("Mara",)).ok
    french = Turn(number=1, role=Role.USER, text="Je pars à Lyon en mai avec ma sœur, tu connais un hôtel calme ?")
    assert verify('Mara : "Je pars à Lyon en mai avec ma sœur."', [french], owners=("Mara",)).ok
    only = Turn(number=1, role=Role.USER, text="Is there a chess league at the office in Bergen?")
    assert not verify("There is a chess league at the office in Bergen.", [only], owners=("Mara",)).ok


def test_a_relation_named_beside_a_plan_holds() -> None:
    turn = Turn(
        number=1, role=Role.USER, text="I'm thinking of getting a recorder for jam sessions with my friend Alex."
    )
    assert verify("Alex is Mara's friend.", [turn], owners=("Mara",)).ok
    assert not verify("Mara got a recorder for jam sessions.", [turn], owners=("Mara",)).ok


def test_the_parts_of_a_list_are_looked_for_one_by_one() -> None:
    names = ("Bakeri Nord", "Kaffe Sol", "Galleri Fjell", "Teater Havn", "Museum Skog", "Park Elv")
    text = "\n\n".join(
        f"{i}. {n}: a calm place. It opens late. Locals like it. Bring cash." for i, n in enumerate(names)
    )
    turn = Turn(number=2, role=Role.ASSISTANT, text=text)
    claim = "The assistant listed: " + "; ".join(names) + "."
    assert verify(claim, [turn], qualifier=Qualifier.ASSISTANT).ok
    wrong = "The assistant listed: Opera Vest; Kino Oslo; Strand Sola; Bakeri Nord."
    assert not verify(wrong, [turn], qualifier=Qualifier.ASSISTANT).ok
