"""Slack exports: names for ids, threads, events of a channel, programs that write, a day a session."""

from __future__ import annotations

import json
from typing import Any

from foreign import Importing, shape

from brain.types import Role, Trust

USERS = [
    {"id": "U1INES", "name": "ines", "profile": {"real_name": "Inès Abgrall", "email": "ines@example.org"}},
    {"id": "U2TAM", "name": "tamar", "real_name": "Tamar Lev"},
]


def note(user: str | None, text: str, ts: str, **more: Any) -> dict[str, Any]:
    return {"type": "message", **({"user": user} if user else {}), "text": text, "ts": ts, **more}


def test_a_channels_day_is_a_session_of_people_with_names(brain: Importing) -> None:
    brain.write("users.json", json.dumps(USERS))
    brain.write("channels.json", json.dumps([{"id": "C1", "name": "tide-room", "members": ["U1INES"]}]))
    day = [
        note("U1INES", "<@U1INES> has joined", "1773478700.000100", subtype="channel_join"),
        note(
            "U2TAM",
            "Ready, <@U1INES>? See <https://example.org/t?x=1|the table> &amp; <#C1|tide-room>",
            "1773478800.000200",
        ),
        note("U1INES", "Anchor up.", "1773478900.000300"),
        note("U1INES", "Yes!", "1773479000.000400", thread_ts="1773478800.000200"),
        note(None, "", "1773479100.000500", bot_id="B1", username="tidebot", attachments=[{"fallback": "High 06:12"}]),
        note("U9GONE", "Who am I?", "1773479200.000600", files=[{"name": "me.png"}]),
        note("U1INES", "", "1773479300.000700"),
        "odd",
    ]
    brain.write("tide-room/2026-03-14.json", json.dumps(day))
    brain.write("tide-room/2026-03-15.json", json.dumps([note("U1INES", "Next day.", "1773565200.000100")]))

    report = brain.take()

    first, second = brain.stored()
    assert (first.external_id, second.external_id) == ("tide-room/2026-03-14", "tide-room/2026-03-15")
    assert first.participants == ("Tamar Lev", "Inès Abgrall", "tidebot", "U9GONE")
    assert [(turn.name, turn.text) for turn in first.turns] == [
        ("Tamar Lev", "Ready, @Inès Abgrall? See [the table](https://example.org/t?x=1) & #tide-room"),
        ("Inès Abgrall", "Yes!"),
        ("Inès Abgrall", "Anchor up."),
        ("tidebot", "High 06:12"),
        ("U9GONE", "Who am I?\n[file: me.png]"),
    ]
    bot = first.turns[3]
    assert (bot.role, bot.trust) == (Role.TOOL, Trust.EXTERNAL)
    assert first.turns[0].time
    assert first.turns[0].time.isoformat() == "2026-03-14T09:00:00+00:00"
    assert report.skips.left_out == {"event of the channel": 1, "empty message": 1, "not a transcript": 2}
    assert report.skips.broken == {"not a message": 1}
    assert "ines@example.org" not in brain.text()


def test_a_longer_export_adds_days_and_changes_none(brain: Importing) -> None:
    brain.write("dm/2026-03-14.json", json.dumps([note("U1", "One.", "1773478800.000200")]))
    brain.take()
    brain.write("dm/2026-03-15.json", json.dumps([note("U1", "Two.", "1773565200.000200")]))

    report = brain.take()

    assert (report.new, report.unchanged) == (1, 1)
    assert [shape(one) for one in brain.stored()] == [[("user", "One.")], [("user", "Two.")]]


def test_messages_without_a_time_keep_their_place(brain: Importing) -> None:
    day = [note("U1", "One.", "1773478800.000200"), {"type": "message", "user": "U1", "text": "Two."}]
    brain.write("dm/2026-03-14.json", json.dumps(day))

    brain.take()

    assert [(turn.text, turn.time is None) for turn in brain.one().turns] == [("One.", False), ("Two.", True)]
