"""Written-down conversations: every shape of marker, names whole, times as given, code never mistaken for speech."""

from __future__ import annotations

from pathlib import Path

import pytest
from foreign import FIXTURES, Importing, said, shape

from brain.config import Config
from brain.types import Role, Transcript, Trust


def taken(brain: Importing, name: str) -> Transcript:
    report = brain.take(FIXTURES / "dialogue" / name)
    assert report.exit_code == 0, report.problems
    return brain.one()


def test_a_group_chat_keeps_every_name_apart(brain: Importing) -> None:
    """T09: "Jean-Luc" and "Jean" are two people."""
    one = taken(brain, "group-chat.md")

    assert [(turn.name, turn.role, turn.trust) for turn in one.turns] == [
        ("Jean-Luc", Role.USER, None),
        ("Jean", Role.USER, None),
        ("Ōe Kenji", Role.USER, None),
        ("Jean-Luc", Role.USER, None),
    ]
    assert one.participants == ("Jean-Luc", "Jean", "Ōe Kenji")
    assert (
        one.turns[1].text
        == "Great, I will bring the anchor.\nIt is heavy: 12 kg.\n\n```\nUser: this line is code, not a speaker\n```"
    )
    assert [turn.time.isoformat() for turn in one.turns if turn.time] == [
        "2023-05-08T13:56:00+00:00",
        "2023-05-08T13:58:00+00:00",
        "2023-05-09T08:00:00+00:00",
        "2023-05-09T08:01:00+00:00",
    ]
    assert one.title == "Boat trip"


def test_local_times_are_read_in_the_brains_zone(brain: Importing) -> None:
    brain.take(FIXTURES / "dialogue" / "group-chat.md", config=Config(tz="Asia/Tokyo"))

    first = brain.one().turns[0].time
    assert first is not None
    assert first.isoformat() == "2023-05-08T04:56:00+00:00"
    assert brain.one().started_at is not None
    assert str(brain.one().started_at).startswith("2023-05-08")


def test_where_an_owner_is_known_the_others_are_not_owners(brain: Importing) -> None:
    brain.take(FIXTURES / "dialogue" / "group-chat.md", config=Config(owners=("entities/jean-luc",)))

    assert [turn.trust for turn in brain.one().turns] == [None, Trust.EXTERNAL, Trust.EXTERNAL, None]


def test_me_and_other_people(brain: Importing) -> None:
    brain.write("chat.txt", "Me: I moved to Lyon.\nTom: I prefer Paris.\nMe: Why?\nTom: The river.\n")

    brain.take()

    assert [(turn.name, turn.trusted_as) for turn in brain.one().turns] == [
        (None, Trust.OWNER),
        ("Tom", Trust.EXTERNAL),
        (None, Trust.OWNER),
        ("Tom", Trust.EXTERNAL),
    ]


def test_a_named_assistant_is_an_assistant(brain: Importing) -> None:
    brain.write("chat.txt", "User: Hello.\nAria: Hi, how can I help?\nUser: Sing.\nAria: La.\n")

    brain.take()

    assert [(turn.role, turn.name) for turn in brain.one().turns][:2] == [(Role.USER, None), (Role.ASSISTANT, "Aria")]


def test_one_shape_of_marker_rules_a_file(brain: Importing) -> None:
    one = taken(brain, "assistant-bold.md")

    assert shape(one) == [
        ("user", "What grows in shade?"),
        ("assistant", "Ferns.\n\n## Response\n\nThis heading is part of the answer."),
        ("user", "Thanks. Note: I hate hostas."),
    ]
    assert one.title == "Planning a garden"


def test_prompt_and_response_headings(brain: Importing) -> None:
    one = taken(brain, "prompts.md")

    assert said(one) == ["Please fix the roof: it leaks.", "And the gutter?"]
    assert said(one, Role.ASSISTANT) == ["Use tar.\n\n- **Name:** not a speaker\n- **Other:** neither"]


def test_plain_prefixes_with_a_header(brain: Importing) -> None:
    one = taken(brain, "plain.txt")

    assert shape(one) == [
        ("user", "What is for dinner?"),
        ("assistant", "Pasta.\nWith sage."),
        ("user", "Je préfère le riz."),
    ]
    assert one.title == "Dinner"
    assert one.started_at is not None
    assert one.started_at.date().isoformat() == "2023-05-08"
    assert [turn.time for turn in one.turns] == [None, None, None]


def test_messenger_exports_read_dates_only_where_something_tells_day_from_month(brain: Importing) -> None:
    one = taken(brain, "whatsapp.txt")

    assert [turn.time.isoformat() for turn in one.turns if turn.time] == [
        "2023-05-08T13:56:00+00:00",
        "2023-05-25T21:00:00+00:00",
        "2023-05-25T21:05:00+00:00",
    ]
    assert [turn.name for turn in one.turns] == ["Marta Núñez", "Tom", "Tom"]
    assert one.turns[2].text == "bring: bread"


def test_a_date_that_reads_two_ways_is_no_date(brain: Importing) -> None:
    """T06: unknown stays unknown."""
    brain.write("chat.txt", "08/05/2023, 13:56 - Marta: hi\n08/05/2023, 13:57 - Tom: hello\n")

    report = brain.take()

    assert [turn.time for turn in brain.one().turns] == [None, None]
    assert report.skips.left_out == {"time that reads two ways (day or month first)": 2}


def test_specstory_pages(brain: Importing) -> None:
    one = taken(brain, "specstory.md")

    assert [(turn.role.value, turn.name) for turn in one.turns] == [
        ("user", None),
        ("assistant", None),
        ("tool", "Bash"),
        ("assistant", None),
    ]
    assert one.external_id == "11111111-aaaa-bbbb-cccc-000000000001"
    assert one.turns[2].text == "```text\nUser: ok 3 passed\n```"
    assert one.turns[3].text == "All green."
    assert one.title == "Run the tests."


def test_aider_histories_hold_many_sessions(brain: Importing) -> None:
    report = brain.take(FIXTURES / "dialogue" / ".aider.chat.history.md")

    assert report.new == 2
    first, second = sorted(brain.stored(), key=lambda one: str(one.started_at))
    assert said(first) == ["add a retry to the webhook\nand log it"]
    assert said(first, Role.ASSISTANT) == ["I will add both.\n\n#### Step 1\n\nWrap the call."]
    assert said(second, Role.TOOL) == []
    assert "rename hook to bell" in "".join(said(second) + said(second, Role.SYSTEM))


def test_other_scripts(brain: Importing) -> None:
    one = taken(brain, "chinese.txt")

    assert said(one) == ["你好，我在京都。", "订一家素食餐厅。"]


def test_a_manual_is_not_a_chat(brain: Importing) -> None:
    report = brain.take(FIXTURES / "dialogue" / "not-a-chat.md")

    assert report.exit_code == 1
    assert report.new == 0
    assert "no line says who speaks" in report.problems[0]


@pytest.mark.parametrize(
    "content",
    [
        "2026-01-01 10:00:00 INFO: server started\n2026-01-01 10:00:01 ERROR: disk is full now\n",
        "[2026-01-01 10:00:00] production.ERROR: disk is full\n[2026-01-01 10:00:01] production.INFO: all is well\n",
        "[2026-01-01 10:00:00] nginx: started the server\n[2026-01-01 10:00:01] nginx: stopped the server\n",
        "Monday: gym in the morning\nTuesday: rest all day\nWednesday: gym in the evening\n",
        "**Owner:** Ana\n**Due:** May\n\n**Owner:** Tom\n**Due:** June\n",
        "Chapter: one\nVerse: two\nChapter: three\nVerse: four\n",
        "# Shopping\n\nFruit: apples and pears\nMilk: two litres\n",
        "def f():\n    return 1\n",
    ],
)
def test_logs_lists_and_code_are_no_chats(brain: Importing, content: str) -> None:
    brain.write("page.md", content)

    report = brain.take()

    assert (report.new, report.exit_code) == (0, 1)


def test_phone_numbers_and_nicknames_are_people(brain: Importing) -> None:
    brain.write(
        "chat.txt",
        "[2026-01-01 10:00] +33 6 12 34 56 78: hi all\n[2026-01-01 10:01] tom: hello\n[2026-01-01 10:02] ~ Ana: hey\n",
    )

    brain.take()

    assert [turn.name for turn in brain.one().turns] == ["+33 6 12 34 56 78", "tom", "~ Ana"]


def test_a_dialogue_that_grew_gets_only_its_new_turns(brain: Importing) -> None:
    brain.write("chat.md", "User: One.\n\nAssistant: Two.\n")
    brain.take()
    before = brain.files()[0].read_bytes()
    brain.write("chat.md", "User: One.\n\nAssistant: Two.\n\nUser: One.\n\nAssistant: Two.\n")

    report = brain.take()

    assert (report.grown, report.turns) == (1, 2)
    assert brain.files()[0].read_bytes().startswith(before)
    assert [text for _, text in shape(brain.one())] == ["One.", "Two.", "One.", "Two."]


@pytest.mark.parametrize(
    "content",
    [
        "#### You:\nHello\n\n#### ChatGPT:\nHi\n",
        "**You**\n\nHello\n\n**ChatGPT**\n\nHi\n",
        "### 👤 User\nHello\n### 🤖 Assistant\nHi\n",
        "User (2026-01-02 10:00): Hello\nAssistant (2026-01-02 10:01): Hi\n",
        "## Human\n\nHello\n\n## Claude\n\nHi\n",
        "You said:\nHello\n\nChatGPT said:\nHi\n",
        "__User:__ Hello\n\n__Assistant:__ Hi\n",
        "\ufeffUser: Hello\r\nAssistant: Hi\r\n",
        "ユーザー：Hello\nアシスタント：Hi\n",
    ],
)
def test_the_many_ways_to_write_two_speakers(brain: Importing, content: str) -> None:
    brain.write("chat.md", content)

    brain.take()

    assert shape(brain.one()) == [("user", "Hello"), ("assistant", "Hi")]


def test_a_page_in_another_encoding_reads(brain: Importing, tmp_path: Path) -> None:
    brain.write("a.txt", "User: Café crème?\nAssistant: Déjà là.\n".encode("cp1252"))
    brain.write("b.txt", "User: Naïve?\nAssistant: Oui.\n".encode("utf-16"))

    brain.take()

    assert [said(one) for one in brain.stored()] == [["Café crème?"], ["Naïve?"]]


@pytest.mark.parametrize(
    "line",
    [
        "4:04 pm on 20 January, 2023",
        "20 January 2023, 16:04",
        "Session 3 — 4:04 pm on 20 January, 2023",
        "# 2023-01-20 16:04",
    ],
)
def test_a_line_that_is_only_a_date_dates_the_conversation(brain: Importing, tmp_path: Path, line: str) -> None:
    chat = tmp_path / "chat.txt"
    chat.write_text(f"{line}\n\nGina: Hey Jon, anything new?\nJon: I lost my job yesterday.\nGina: Oh no.\n", "utf-8")
    report = brain.take(chat)
    assert report.exit_code == 0
    one = brain.one()
    assert one.started_at
    assert one.started_at.isoformat() == "2023-01-20T16:04:00+00:00"
    assert [(turn.name, turn.time) for turn in one.turns] == [("Gina", None), ("Jon", None), ("Gina", None)]
