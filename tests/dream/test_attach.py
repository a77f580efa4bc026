"""Which facts earn which pages, and where each one lives."""

from __future__ import annotations

from collections.abc import Sequence

from told import fact, org, person, project

from brain.dream.attach import Attacher, Attachment
from brain.dream.subjects import Directory, Head
from brain.types import Fact, FactKind, Subject, SubjectKind

ME = "entities/mara-quist"


class Notes:
    """Earlier notes kept in a list."""

    def __init__(self, notes: Sequence[Fact], cited: Sequence[str]) -> None:
        self.notes, self.known = notes, cited

    def recall(self, names: Sequence[str]) -> list[Fact]:
        return [note for note in self.notes if any(name.lower() in note.text.lower() for name in names)]

    def cited(self, fact: Fact) -> bool:
        return fact.text in self.known

    def labelled(self, labels: Sequence[str]) -> dict[str, list[str]]:
        return {}

    def body(self, page: str) -> str:
        return ""

    def saying(self, parts: Sequence[str]) -> dict[str, list[str]]:
        return {}


def attach(
    facts: Sequence[Fact], notes: Sequence[Fact] = (), *, cited: Sequence[str] = ()
) -> tuple[Attachment, Directory]:
    directory = Directory()
    directory.add(Head(id=ME, title="Mara Quist", kind="person"))
    return Attacher(directory, Notes(notes, cited), owners=frozenset({ME})).attach(facts), directory


def texts(found: Attachment, page: str) -> list[str]:
    return [placement.text for placement in found.placements.get(page, [])]


def test_one_colleague_under_three_names_gets_one_page() -> None:
    facts = [
        fact("Wei Zhang runs the build farm.", person("Wei Zhang"), at=1),
        fact("Zhang Wei (张伟) asked for a review.", person("Zhang Wei (张伟)"), at=2),
        fact("Wei from infra fixed the cache.", person("Wei from infra"), at=2),
    ]
    found, directory = attach(facts)
    assert found.earned == ["entities/wei-zhang"]
    assert len(found.placements["entities/wei-zhang"]) == 3
    assert {"张伟", "Wei from infra"} <= set(directory.heads["entities/wei-zhang"].aliases)


def test_hyphenated_name_and_its_half_are_two_people() -> None:
    facts = [
        fact(f"{name} {did}.", person(name), at=at)
        for at in (1, 2)
        for name in ("Jean-Luc", "Jean")
        for did in ("came", "left")
    ]
    found, _ = attach(facts)
    assert sorted(found.earned) == ["entities/jean", "entities/jean-luc"]


def test_single_mention_earns_no_page_and_stays_in_notes() -> None:
    found, _ = attach([fact("Ravi called.", person("Ravi"))])
    assert (found.earned, [one.text for one in found.unplaced]) == ([], ["Ravi called."])


def test_subject_that_comes_back_brings_its_earlier_notes() -> None:
    note = fact("Ravi Menon leads the lab in Pune.", at=1)
    found, _ = attach([fact("Ravi Menon sent the survey.", person("Ravi Menon"), at=4)], notes=[note])
    assert texts(found, "entities/ravi-menon") == ["Ravi Menon sent the survey.", "Ravi Menon leads the lab in Pune."]


def test_note_that_a_page_holds_already_moves_for_a_person_and_stays_for_a_thing() -> None:
    harbour = Subject(name="Port Vell", kind=SubjectKind.PLACE)
    notes = [fact("Port Vell has nine piers.", at=1), fact("Port Vell closes at ten.", at=2)]
    found, _ = attach([fact("Port Vell was dredged.", harbour, at=4)], notes=notes, cited=[notes[0].text])
    assert texts(found, "entities/port-vell") == ["Port Vell was dredged.", "Port Vell closes at ten."]
    lead = fact("Ravi Menon leads the lab in Pune.", at=1)
    found, _ = attach([fact("Ravi Menon sent it.", person("Ravi Menon"), at=4)], notes=[lead], cited=[lead.text])
    assert texts(found, "entities/ravi-menon") == ["Ravi Menon sent it.", lead.text]


def test_work_goes_to_the_project_and_preference_to_the_user() -> None:
    me, sprint = person("Mara Quist"), project("Harbour survey")
    facts = [
        fact("Mara Quist chose lidar for the harbour survey.", me, sprint, kind=FactKind.DECISION, at=1),
        fact("Mara Quist measured pier 4.", me, sprint, kind=FactKind.EVENT, at=2),
        fact("Mara Quist wants maps as SVG.", me, sprint, kind=FactKind.PREFERENCE, at=2),
    ]
    found, _ = attach(facts)
    assert [(one.head, one.text) for one in found.placements["projects/harbour-survey"]] == [
        ("Decisions", "Mara Quist chose lidar for the harbour survey."),
        ("Timeline", "Mara Quist measured pier 4 (before 2026-05-02)."),
    ]
    assert [one.head for one in found.placements[ME]] == ["Preferences"]


def test_topic_that_comes_back_over_sessions_becomes_a_concept() -> None:
    me = person("Mara Quist")
    said = [
        "went to a pottery class",
        "made a bowl in the pottery class",
        "loves pottery",
        "fired a vase at pottery",
        "showed a cup from pottery",
        "sold a plate she made in pottery",
        "taught pottery to a neighbour",
    ]
    facts = [fact(f"Mara Quist {what}.", me, kind=FactKind.EVENT, at=at) for at, what in enumerate(said, start=1)]
    other = [fact(f"Mara Quist bought a {thing}.", me, kind=FactKind.EVENT, at=9) for thing in ("lamp", "rug")]
    found, directory = attach([*facts, *other])
    assert found.earned == ["concepts/pottery"]
    assert directory.heads["concepts/pottery"].title == "Pottery"
    assert len(found.placements["concepts/pottery"]) == 7
    assert len(found.placements[ME]) == 2


def test_lessons_gather_on_a_learning_page_by_subject() -> None:
    tool = project("Harbour survey")
    facts = [
        fact("Pinning the datum fixed the drift in the harbour survey.", tool, kind=FactKind.WORKED, at=1),
        fact("Averaging the tides failed in the harbour survey.", tool, kind=FactKind.FAILED, at=2),
        fact("The float gauge does not hold in swell, the radar does.", tool, kind=FactKind.FAILED, at=2),
    ]
    found, _ = attach(facts)
    assert [one.head for one in found.placements["learnings/lessons-on-harbour-survey"]] == ["Works", "Fails", "Fails"]


def test_two_titles_with_one_slug_get_two_pages() -> None:
    facts = [fact(f"{name} grew.", org(name), at=at) for at in (1, 2) for name in ("C-Lab", "C Lab.")]
    found, _ = attach([*facts, fact("C-Lab moved.", org("C-Lab"), at=3)])
    assert len(set(found.earned)) == len(found.earned)
