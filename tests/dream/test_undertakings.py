"""Projects that nobody named: sessions that keep coming back to one matter (and those that do not)."""

from __future__ import annotations

from brain.dream.projects import said_name
from brain.dream.undertakings import matters, title_of, vocabulary

DIVES = [
    "I want to plan the reef survey. The tide table and the dive schedule for Askvoll are missing.",
    "The reef survey needs a tide table. Who has the dive schedule? The boat from Askvoll is booked.",
    "Send me the dive schedule of the reef survey, the tide table moved by a day at Askvoll.",
    "For the reef survey I changed the dive schedule, the tide table is fine.",
]
OTHER = [
    "How do I remove a red wine stain from a carpet?",
    "My sourdough starter smells of acetone.",
    "Write a limerick.",
]


def sessions(texts: list[str]) -> list[tuple[str, dict[str, str]]]:
    return [(f"s{number}", vocabulary([text])) for number, text in enumerate(texts)]


def test_sessions_that_share_telling_words_are_one_matter() -> None:
    talks = sessions([*DIVES[:2], *OTHER, *DIVES[2:]])
    (matter,) = matters(talks, {})
    assert matter.sessions == ["s0", "s1", "s5", "s6"]
    assert "dive schedule" in (title_of(matter) or "").lower() or "tide table" in (title_of(matter) or "").lower()


def test_single_questions_make_no_project() -> None:
    assert matters(sessions(OTHER), {}) == []


def test_later_session_joins_the_matter_through_its_page() -> None:
    page = "# Reef survey\n\n- The tide table and the dive schedule of the reef survey hang at Askvoll.\n"
    (matter,) = matters(sessions([DIVES[0], OTHER[0], DIVES[1]]), {"projects/reef-survey": page})
    assert (matter.page, matter.sessions) == ("projects/reef-survey", ["s0", "s2"])


def test_folder_takes_the_name_people_use() -> None:
    assert (
        said_name("harbour-survey", ["We start the Harbour depth survey.", "the harbour survey"])
        == "Harbour depth survey"
    )
    assert said_name("harbour-survey", ["nothing of the kind"]) is None
    assert said_name("brain", ["Brain is one word"]) is None
