"""What stands alone on a page, and what does not."""

from __future__ import annotations

import pytest
from told import fact, person

from brain.dream.clear import dangles, unclear
from brain.dream.worth import condensed
from brain.types import Fact, FactKind

MARA = person("Mara")


def said(text: str, kind: FactKind = FactKind.FACT) -> Fact:
    return fact(text, MARA, kind=kind)


@pytest.mark.parametrize(
    "text",
    [
        "Mara painted it after they visited the harbour.",
        "Mara has had them for 3 years and they bring her joy.",
        "Mara loves watching them swim in the evening.",
        "It made Mara think of the sea.",
        'Mara: "It reminds me of the boat I had."',
        'Mara: "Thankfully, they enjoyed the lighthouse."',
        "Mara saw another at the market and had to buy it.",
        "Mara has been one because the harbour closed.",
        "Three times a week; it keeps Mara on track.",
        "Mara sent a few more in the week of 2026-05-04.",
        "Was super nervous when Mara gave the talk.",
        "Painted Mara's boat in the week of 2026-05-04.",
        "Twelve pages is too long, the limit is nine.",
    ],
)
def test_words_that_point_outside_themselves_are_no_claim(text: str) -> None:
    assert unclear(said(text)) == "points outside itself"


@pytest.mark.parametrize(
    "text",
    [
        "Mara got a cat and named it Tuft.",
        "Mara fixed the winch and painted it blue.",
        "Mara made it to the final of the regatta on 2026-05-03.",
        "Mara finds it hard to sleep on boats.",
        "The limit of the report is nine pages.",
        "This year Mara sails to Bergen.",
        "Ida Holm gave her sister the boat.",
    ],
)
def test_sentences_that_name_what_they_speak_of_stand(text: str) -> None:
    assert unclear(said(text)) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Mara needs to write to the harbour office.", "said for the moment"),
        ("Mara needs the depth plan for the east basin.", "said for the moment"),
        ("survey/raw.csv from the port won't open.", "said for the moment"),
        ("Mara still has to tell Ida, so Mara will write to her on 2026-05-05.", "said for the moment"),
        ('Asked "Shall we move both?", Mara said: "We move."', "an exchange"),
        ('Mara: "No, even does not work, Oslo is six days."', "an exchange"),
        ("Mara made a tart on 2026-05-09; any favourite when it comes to tarts?", None),
        ("Since Mara and Ida last spoke, some big things have happened.", "says nothing"),
    ],
)
def test_tasks_of_the_moment_and_exchanges_stay_in_notes(text: str, why: str | None) -> None:
    assert unclear(said(text)) == why


def test_a_step_of_a_workflow_may_point_at_the_step_before() -> None:
    assert unclear(said("Then Mara walks it again with the plan.", FactKind.WORKFLOW)) is None


def test_chatter_before_a_statement_is_cut_and_names_of_tools_keep_their_case() -> None:
    assert (
        condensed("Crazy thing happened - Mara won the regatta on 2026-05-03.") == "Mara won the regatta on 2026-05-03."
    )
    assert condensed("Whoa Ida, Mara won the regatta.") == "Mara won the regatta."
    assert condensed("Mara made a tart; got any favourites?") == "Mara made a tart."
    assert (
        condensed('Ida : "Et les cartes sont effacées après 90 jours."')
        == 'Ida : "Les cartes sont effacées après 90 jours."'
    )
    assert condensed("rsvg-convert keeps the labels.") == "rsvg-convert keeps the labels."


def test_possessives_are_no_pointers() -> None:
    assert not dangles("Mara told her sister about the boat.")
