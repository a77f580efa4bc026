"""How a page opens, and what the index says of it."""

from __future__ import annotations

from brain.dream.lead import Lead, Said, Theme
from brain.dream.standing import compose

DAY = "2026-05-01"


def said(text: str, head: str = "Facts", *, label: str | None = None, when: str = DAY) -> Said:
    return Said(head=head, text=text, label=label, when=when, uris=(f"session://s#t{len(text)}",))


def lead(title: str, type: str, kind: str, *claims: Said, people: tuple[str, ...] = ()) -> Lead:
    made = compose(title, [title, title.split(" ")[0]], type, kind, claims, people=people)
    assert made is not None
    return made


def test_a_person_is_who_they_are_to_others_not_what_they_said_one_day() -> None:
    made = lead(
        "Ida Holm",
        "entity",
        "person",
        said("Ida Holm says berth 4, the crane runs until nine, and it's 400 m to the gate, flat."),
        said("Ida told Mara on the phone on 2026-05-02, two boats were sold.", "Interactions"),
        said("Mara's contact at the port is Ida Holm."),
    )
    assert made.text == "Ida Holm is Mara's contact at the port."
    assert made.description == "Mara's contact at the port"


def test_an_organisation_is_what_it_is_then_its_part() -> None:
    made = lead(
        "Atelier Nord",
        "entity",
        "org",
        said("Atelier Nord recruited six people."),
        said("Atelier Nord is a design studio near the fjord."),
        said("Atelier Nord hosts the team in Oslo."),
    )
    assert made.text == "Atelier Nord is a design studio near the fjord. It hosts the team in Oslo."
    assert made.description == "Design studio near the fjord; hosts the team in Oslo"


def test_a_role_told_of_somebody_else_is_turned_round() -> None:
    made = lead("Atelier Nord", "entity", "org", said("In Oslo the team's host is Atelier Nord."))
    assert made.text == "Atelier Nord is the team's host in Oslo."


def test_every_sentence_of_a_lead_has_its_own_sources() -> None:
    made = lead(
        "Ida Holm", "entity", "person", said("Ida leads the dives."), said("Ida prefers small boats.", "Preferences")
    )
    assert [sentence.text for sentence in made.sentences] == ["Ida Holm leads the dives.", "Ida prefers small boats."]
    assert len({sentence.uris for sentence in made.sentences}) == 2


def test_a_method_says_whose_it_is_in_how_many_steps_and_its_rule() -> None:
    steps = [
        "First Mara walks the quay.",
        "Then Mara marks every ring.",
        "The divers come last.",
        "The log must be kept.",
    ]
    claims = [said(text, "How it works") for text in [*steps, "A quay passes when no ring is loose."]]
    made = lead("Quay audit", "concept", "concept", *claims)
    assert made.sentences[0].text == f"How Mara runs a quay audit, in four steps (as of {DAY})."
    assert made.sentences[0].inferred
    assert made.description == "How Mara runs a quay audit, in four steps; a quay passes when no ring is loose"


def test_a_project_is_defined_before_its_newest_date_and_names_keep_their_capital() -> None:
    made = lead(
        "Harbour survey",
        "project",
        "project",
        said(
            "The Oslo stay moved to June: the team arrives on 2026-06-10.",
            "Status",
            label="Oslo stay",
            when="2026-06-10",
        ),
        said("The Harbour survey is ten days of soundings with the port.", "Facts"),
        said("Ida leads the dives.", "Status", label="Ida: leads"),
    )
    assert made.text == (
        "The Harbour survey is ten days of soundings with the port. "
        "The Oslo stay moved to June: the team arrives on 2026-06-10."
    )
    assert made.description.endswith("; the Oslo stay moved to June: the team arrives on 2026-06-10")


def test_a_topic_opens_with_what_lasts_of_it_for_each() -> None:
    made = lead(
        "Pottery",
        "concept",
        "concept",
        said("Ida went to a pottery fair on 2026-05-03.", "Timeline", when="2026-05-03"),
        said("Ida loves pottery with blue glazes.", "Preferences"),
        said("Noor sold a pottery lamp on 2026-05-04.", "Timeline", when="2026-05-04"),
        said("Noor teaches pottery to children.", "Facts"),
        people=("Ida", "Noor"),
    )
    assert made.text == "Ida loves pottery with blue glazes. Noor teaches pottery to children."


def test_an_owner_of_whom_nothing_lasts_is_told_by_topics_alone() -> None:
    claims = [said("Ida went to a fair on 2026-05-03.", when="2026-05-03")]
    themes = [Theme(title="Pottery", uri="session://s#t1"), Theme(title="LGBTQ", uri="session://s#t2")]
    made = compose("Ida", ["Ida"], "entity", "person", claims, themes=themes)
    assert made is not None
    assert made.text == "Ida talks most of pottery and LGBTQ."


def test_lessons_open_with_what_worked_and_what_failed() -> None:
    made = lead(
        "Lessons on Harbour survey",
        "learning",
        "learning",
        said("svg-cut keeps the depth labels, inkcut does not; Mara lost a day to it.", "Works"),
        said("The float gauge failed after two hours in swell.", "Fails"),
    )
    assert (
        made.description
        == "svg-cut keeps the depth labels, inkcut does not; the float gauge failed after two hours in swell"
    )
