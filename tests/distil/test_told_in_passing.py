"""What a user tells an assistant without being asked: short, in passing, in several languages, and whole."""

from __future__ import annotations

import pytest

from brain.distil import DistilContext, facts
from brain.types import Fact, FactKind, Transcript

from .conftest import Say


def noted(transcript: Transcript, language: str = "en") -> list[Fact]:
    return facts(transcript, context=DistilContext(owners=("Ines",), language=language))


@pytest.mark.parametrize(
    "said",
    [
        "Purchasing signed off.",
        "The lathe is out of order.",
        "Bolts for the crane: 84 €.",
        "My weaving class is on hold, the teacher is brilliant.",
        "What solved the damp in the cellar was a second fan.",
    ],
)
def test_a_turn_that_only_tells_is_noted_though_no_cue_knows_it(say: Say, said: str) -> None:
    found = noted(say(("assistant", "Measure twice."), ("user", said)))
    assert [f.first_turn for f in found] == [2]


@pytest.mark.parametrize(
    ("said", "language", "holds"),
    [
        ("So you know: the kiln takes 40 pots.", "en", "The kiln takes 40 pots."),
        ("Before I forget, Rasmus runs the foundry.", "en", "Rasmus runs the foundry."),
        ("Nebenbei gesagt: Der Ofen fasst vierzig Töpfe.", "de", "Der Ofen fasst vierzig Töpfe."),
        ("Au fait : le four prend quarante pots.", "fr", "Le four prend quarante pots."),
        ("Por cierto: el horno tiene cuarenta plazas.", "es", "El horno tiene cuarenta plazas."),
        ("До речі: у печі сорок місць.", "uk", "У печі сорок місць."),
        ("Кстати: в печи сорок мест.", "ru", "В печи сорок мест."),
        ("ちなみに、窯には四十個入ります。", "ja", "窯には四十個入ります。"),
        ("顺便说一下，窑里能放四十个罐子。", "zh", "窑里能放四十个罐子。"),
    ],
)
def test_what_is_announced_is_noted_without_its_announcement(say: Say, said: str, language: str, holds: str) -> None:
    assert [f.text for f in noted(say(("assistant", "…"), ("user", said)), language)] == [holds]


def test_an_announcement_may_be_a_sentence_of_its_own_and_courtesies_are_left_out(say: Say) -> None:
    said = "Side note. The tower clock is eleven minutes slow. Does that change anything for you? Anyway, back to it."
    assert [f.text for f in noted(say(("user", said)))] == ["The tower clock is eleven minutes slow."]


def test_a_few_words_are_read_in_the_language_that_is_spoken(say: Say) -> None:
    for closer in ("¿Te cambia algo?", "Por si acaso."):
        said = say(
            ("assistant", "Mide dos veces y corta una, que es más barato."), ("user", f"En Lerma dan uvas. {closer}")
        )
        assert [f.text for f in noted(said)] == ["En Lerma dan uvas."]


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("I need to run, let's leave it here.", "en"),
        ("excel formula to count blue cells", "en"),
        ("Shorter sentences please.", "en"),
        ("Great, I'll try it and report back.", "en"),
        ("Hmm, let me think about that.", "en"),
        ("Me voy, luego más.", "es"),
        ("cómo quito tinta de una camisa", "es"),
        ("Ich muss los, bis später.", "de"),
        ("出かけます、また後で。", "ja"),
        ("Біжу, потім договоримо.", "uk"),
    ],
)
def test_farewells_searches_and_words_about_the_talk_are_still_nothing(say: Say, said: str, language: str) -> None:
    assert noted(say(("assistant", "Measure twice and cut once."), ("user", said)), language) == []


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("Please round to full crowns when you send quotes.", "en"),
        ("In everything you draft for the guild I use first names, nothing more.", "en"),
        ("One more thing. Sort the orders by weight for me.", "en"),
        ("Lieber eine Liste, bitte so schicken.", "de"),
        ("Une liste plutôt, s'il te plaît.", "fr"),
        ("航空券は窓側でお願いします。", "ja"),
    ],
)
def test_a_wish_for_later_is_a_preference_though_it_is_asked_like_a_task(say: Say, said: str, language: str) -> None:
    assert [f.kind for f in noted(say(("user", said)), language)] == [FactKind.PREFERENCE]


STEPS = "After a spill: close the valve, then warn the people next door, then put sand on it, then sweep it up"


@pytest.mark.parametrize(
    ("said", "language", "last"),
    [
        (f"{STEPS}.", "en", "sweep it up"),
        ("Nach dem Guss: Form abkühlen, dann klopfen, dann bürsten, dann wiegen.", "de", "wiegen"),
        ("Après la coulée : refroidir, puis frapper, ensuite brosser, enfin peser.", "fr", "peser"),
        ("Tras la colada: enfriar, luego golpear, después cepillar, por último pesar.", "es", "pesar"),
        ("Після лиття: остудити, потім постукати, далі почистити, нарешті зважити.", "uk", "зважити"),
        ("鋳込みの後は必ず、冷ます、それから叩く、それから磨く、それから量る。", "ja", "量る"),
    ],
)
def test_steps_told_in_one_sentence_stay_in_one_note(say: Say, said: str, language: str, last: str) -> None:
    (found,) = noted(say(("user", said)), language)
    assert found.kind is FactKind.WORKFLOW
    assert last in found.text


def test_steps_too_many_for_one_note_are_numbered_on_under_the_same_head(say: Say) -> None:
    more = f"{STEPS} into the red bin, then write it into the log, then call the depot to fetch the bin before noon."
    first, second = (f.text for f in noted(say(("user", more))))
    assert first.startswith("After a spill: (1) close the valve; (2) warn the people next door;")
    assert second.startswith("After a spill: (")
    assert "call the depot to fetch the bin before noon" in second


def test_a_numbered_list_of_steps_is_one_note_and_the_list_of_a_task_is_none(say: Say) -> None:
    told = "When a member leaves, I do this:\n1. stop the fee\n2. take back the key\n3. free the locker"
    assert [f.text for f in noted(say(("user", told)))] == [
        "When a member leaves, I do this: (1) stop the fee; (2) take back the key; (3) free the locker."
    ]
    task = "Write a page with these steps:\n1. stop the fee\n2. take back the key\n3. free the locker"
    assert noted(say(("user", task))) == []


@pytest.mark.parametrize(
    ("said", "language", "day"),
    [
        ("The inspector comes three weeks from today.", "en", "2026-07-01"),
        ("The boiler burst exactly two weeks ago.", "en", "2026-05-27"),
        ("Der Vertrag endet heute in vierzehn Tagen.", "de", "2026-06-24"),
        ("Die Prüfung ist in genau drei Wochen.", "de", "2026-07-01"),
        ("El piano llega de hoy en tres semanas.", "es", "2026-07-01"),
        ("Рояль привезуть рівно за два тижні.", "uk", "2026-06-24"),
        ("Договір підписали п'ять днів тому.", "uk", "2026-06-05"),
        ("Рояль привезут ровно через две недели.", "ru", "2026-06-24"),
    ],
)
def test_weeks_counted_from_a_day_name_the_day(say: Say, said: str, language: str, day: str) -> None:
    assert [day in f.text for f in noted(say(("user", said)), language)] == [True]


def test_a_german_day_is_no_end_of_a_sentence(say: Say) -> None:
    assert [f.text for f in noted(say(("user", "Die Halle öffnet am 19. März wieder.")), "de")] == [
        "Die Halle öffnet am 19. März wieder."
    ]


def test_a_figure_that_a_run_printed_alone_is_noted_and_listings_are_not(say: Say) -> None:
    run = say(
        ("user", "Run the linter."),
        ("tool:Bash", "lint warnings in the gate module: 14"),
        ("tool:Bash", "280 src/gate.py"),
        ("tool:Bash", "2 passed\n7 skipped"),
        ("tool:Bash", "Output too large. Full output saved to: /tmp/gate81.txt"),
        ("tool:Bash", "Wrote the answer to gate81.txt"),
        ("tool:Read", "warnings in the yard module: 3"),
        cwd="/home/ines/harbour",
    )
    assert [f.text for f in noted(run)] == ['Output of Bash: "Lint warnings in the gate module: 14".']


def test_an_aside_in_a_project_is_not_about_the_project_unless_it_says_we(say: Say) -> None:
    def about(said: str) -> list[str]:
        (found,) = noted(say(("user", said), cwd="/home/ines/harbour"))
        return [s.name for s in found.about]

    assert "harbour" not in about("By the way, the cat food was 49 €.")
    assert "harbour" in about("By the way, the crane for us was 4,900 €.")


def test_a_brief_answer_without_number_or_name_is_not_noted(say: Say) -> None:
    def answers(said: str) -> list[str]:
        return [f.text for f in noted(say(("user", "How do I store the tar brushes?"), ("assistant", said)))]

    assert answers("Wrap them well. Then hang them up.") == []
    assert answers("Wrap them and hang them at 12 degrees.") != []
