"""One user with an assistant: what they tell inside requests, what answers leave, what is only talk about the talk."""

from __future__ import annotations

import pytest

from brain.distil import DistilContext, facts
from brain.distil.answers import MOST_A_TURN
from brain.distil.sentences import MAX_WORDS, word_count
from brain.distil.summary import summarise
from brain.rules.verify import verify
from brain.tree.summary import Outcome
from brain.types import FactKind, Qualifier, Transcript

from .conftest import Say

NADIA = DistilContext(owners=("Nadia",))


def texts(transcript: Transcript, context: DistilContext = NADIA) -> list[str]:
    return [f.text for f in facts(transcript, context=context)]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "I'm planning a trip to Oslo in May 2027 with my sister, can you suggest a quiet hotel?",
            "Nadia is planning a trip to Oslo in May 2027 with their sister.",
        ),
        (
            "I've been using oak chips in the smoker since March, what's the difference between them and logs?",
            "Nadia has been using oak chips in the smoker since March.",
        ),
        (
            "I bought a Corvo 3 bike for $740 yesterday - is that a fair price?",
            "Nadia bought a Corvo 3 bike for $740 on 2026-06-09.",
        ),
        ("Je pars à Lyon en mai avec ma sœur, tu connais un hôtel calme ?", "Je pars à Lyon en mai avec ma sœur."),
        ("来月京都に三日間行く予定ですが、おすすめのホテルはありますか？", "京都に三日間行く予定です。"),
        ("下个月我要和妹妹去成都，你有什么推荐吗？", "我要和妹妹去成都"),
    ],
)
def test_a_request_gives_up_the_statement_in_front_of_it(say: Say, said: str, kept: str) -> None:
    found = texts(say(("user", said)))
    assert len(found) == 1
    assert kept in found[0]


@pytest.mark.parametrize(
    "said",
    [
        "I was thinking, would it be possible to swap the two tasks on Wednesday?",
        "Before I start calculating, I wanted to ask - what if there is money left?",
        "What is the best way to sort 300 photos from my Corvo camera",
        "No more excuses, no more delays.",
        "I already told you about this twice, we discussed the Oslo list yesterday.",
        "I distinctly remember uploading that file for Corvo.",
        "The WhatsApp plan sounds absolutely perfect for Corvo.",
        "That Corvo outline is exactly what I need.",
        "Like another task on Monday evening.",
    ],
)
def test_talk_about_the_talk_is_no_fact(say: Say, said: str) -> None:
    assert texts(say(("assistant", "Here it is."), ("user", said))) == []


def test_a_text_handed_over_is_not_the_users_word(say: Say) -> None:
    letter = (
        "Please correct the following letter: I have worked as a nurse in Bergen for ten years. "
        "I live with my two sons and I love the night shift."
    )
    brief = (
        "Write a landing page for a roofing company in Tromsø. The page should name the warranty of 20 years. "
        "Additionally, the page should show three roofs."
    )
    scene = (
        "The lighthouse keeper was old. He climbed 214 steps each night and lit the lamp, and the sea was black. "
        "Nobody had come since Tuesday, and the boat with the letters was late. He thought of Marit, who left in 1911. "
        "The gulls were quiet, and the wind came from the north. He sat down, took the book and wrote the hour in it."
    )
    for text in (letter, brief, scene):
        assert texts(say(("user", text))) == []


def test_what_a_user_tells_beside_a_task_stays(say: Say) -> None:
    found = texts(say(("user", "Write a short bio for me. I run a ceramics studio in Bergen with two apprentices.")))
    assert found == ["Nadia runs a ceramics studio in Bergen with two apprentices."]


def test_a_list_of_amounts_that_was_asked_for_stays(say: Say) -> None:
    transcript = say(
        ("assistant", "Which fixed costs do you have?"),
        ("user", "Here they are:\n- Rent of the studio: 900 euros a month\n- Kiln power: 140 euros a month"),
    )
    found = " ".join(texts(transcript))
    assert "900" in found
    assert "140" in found


def test_openers_and_tails_are_cut(say: Say) -> None:
    assert texts(say(("user", "However, as I mentioned earlier, my budget is 400 euros, if that helps."))) == [
        "Nadia's budget is 400 euros."
    ]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("I want to classify the 300 letters as private or official before June.", FactKind.PLAN),
        ("I'm hoping to find an app that will help me with 40 invoices a month.", FactKind.PLAN),
        ("I loved Hawaii when I went with my family in April 2024.", FactKind.PREFERENCE),
        ("My agents get a fixed amount of 500 kroner for each new customer.", FactKind.STATE),
        ("I got a new dog bed from Corvo for 60 euros.", FactKind.EVENT),
        ("Yesterday I recorded a song with my friend Alex at Corvo Studio.", FactKind.EVENT),
    ],
)
def test_a_cue_word_alone_makes_no_kind(say: Say, said: str, kind: FactKind) -> None:
    found = [f for f in facts(say(("user", said)), context=NADIA) if "'s friend" not in f.text]
    assert [f.kind for f in found] == [kind], [(f.kind, f.text) for f in found]


def test_the_us_is_a_country(say: Say) -> None:
    assert texts(say(("user", "I want to stay in the US for four years."))) == [
        "Nadia wants to stay in the US for four years."
    ]


PLAN = """Here is your plan:

### Week 1: Base
- **Monday:** Easy run: 5 km
- **Wednesday:** Hill repeats: 6 x 200 m
- **Sunday:** Long run: 12 km

Let me know how it feels!"""


def test_a_plan_an_assistant_gave_is_noted_as_its_own(say: Say) -> None:
    transcript = say(("user", "Make me a running plan for the Bergen half marathon."), ("assistant", PLAN))
    found = facts(transcript, context=NADIA)
    assert [(f.text, f.qualifier, f.last_turn) for f in found] == [
        (
            'The assistant on "Week 1: Base": Monday: Easy run: 5 km; Wednesday: Hill repeats: 6 x 200 m; '
            "Sunday: Long run: 12 km.",
            Qualifier.ASSISTANT,
            2,
        )
    ]


def test_what_an_assistant_set_up_worked_out_or_picked_is_noted(say: Say) -> None:
    done = say(
        ("user", "Put the pottery class on Friday."),
        ("assistant", "Sure! I've added the pottery class to your calendar for Friday at 18:30. Anything else?"),
    )
    assert "added the pottery class" in texts(done)[-1]
    cost = say(("user", "What do the tiles cost?"), ("assistant", "With 12 m² of tiles the total comes to 348 euros."))
    assert "348 euros" in texts(cost)[-1]
    pick = say(
        ("user", "Which one is best for an anniversary?"),
        ("assistant", "For an anniversary I would recommend Corvino."),
    )
    assert "Corvino" in texts(pick)[-1]
    assert all(f.qualifier is Qualifier.ASSISTANT for t in (done, cost, pick) for f in facts(t, context=NADIA)[-1:])


def test_general_advice_of_an_assistant_is_no_note(say: Say) -> None:
    advice = "\n".join(
        ["Here are some tips:"]
        + [
            f"{i}. **{h}**: {h.lower()} whenever it suits."
            for i, h in enumerate(("Stay calm", "Ask around", "Plan ahead"))
        ]
    )
    transcript = say(("user", "How do I get better at small talk?"), ("assistant", advice))
    assert texts(transcript) == []


def test_the_notes_of_an_answer_are_few_short_and_supported(say: Say) -> None:
    long = "\n\n".join(
        f"### Day {d}\n" + "\n".join(f"- Stop {d}{i}: museum number {i}, {i} hours" for i in range(9))
        for d in range(12)
    )
    transcript = say(("user", "Show me the itinerary for Norway."), ("assistant", long))
    found = facts(transcript, context=NADIA)
    assert 0 < len(found) <= MOST_A_TURN
    for fact in found:
        assert word_count(fact.text) <= MAX_WORDS
        turns = transcript.turns[fact.first_turn - 1 : fact.last_turn]
        assert verify(fact.text, turns, qualifier=fact.qualifier).ok


def test_a_summary_says_what_was_asked_and_what_came_of_it(say: Say) -> None:
    transcript = say(
        ("user", "Hi there! Hope you're well. Can you find a date for the pottery class in Bergen?"),
        ("assistant", "I've added the pottery class in Bergen to your calendar for Friday at 18:30."),
        ("user", "Perfect, thanks!"),
    )
    summary = summarise(transcript, facts(transcript, context=NADIA), NADIA)
    assert summary.summary.startswith('Nadia asked: "Can you find a date for the pottery class in Bergen?"')
    assert "18:30" in summary.summary
    assert summary.outcome is Outcome.DONE
    assert word_count(summary.summary) <= 90
