"""Gemini in Google Takeout: rows newest first, no conversations, zones by name, pages in other languages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from foreign import Importing, said, shape

ROW = """<div class="outer-cell mdl-cell"><div class="mdl-grid">
<div class="header-cell mdl-cell"><p class="mdl-typography--title">Gemini Apps<br></p></div>
<div class="content-cell mdl-cell mdl-typography--body-1">{asked}<br>{when}<br>{answer}</div>
<div class="content-cell mdl-cell mdl-typography--body-1 mdl-typography--text-right"></div>
<div class="content-cell mdl-cell mdl-typography--caption"><b>Products:</b><br>&emsp;Gemini Apps<br></div>
</div></div>"""


def row(title: str, time: str, answer: str = "<p>Yes.</p>", **more: Any) -> dict[str, Any]:
    return {
        "header": "Gemini Apps",
        "title": title,
        "time": time,
        "products": ["Gemini Apps"],
        "safeHtmlItem": [{"html": answer}],
        **more,
    }


def page(*rows: tuple[str, str, str]) -> str:
    cells = "\n".join(ROW.format(asked=asked, when=when, answer=answer) for asked, when, answer in rows)
    return (
        f'<html><head><title>My Activity History</title></head><body><div class="mdl-grid">{cells}</div></body></html>'
    )


def test_rows_become_sessions_by_the_time_between_them(brain: Importing) -> None:
    rows = [
        row("Used an extension", "2026-08-18T12:00:00Z"),
        row("Prompted Evening talk", "2026-08-18T19:00:00Z", imageFile="x.webp"),
        row("Prompted And the boom?", "2026-08-18T10:05:00Z", "<p>Five <b>metres</b>.</p><script>alert(1)</script>"),
        row("Prompted How tall is the mast?", "2026-08-18T10:00:00Z", "<p>Fourteen.</p><pre>14 m</pre>"),
        {**row("Prompted tides", "2026-08-18T09:59:00Z"), "header": "Search", "products": ["Search"]},
    ]
    brain.write("Takeout/My Activity/Gemini Apps/MyActivity.json", json.dumps(rows))

    report = brain.take()

    morning, evening = brain.stored()
    assert shape(morning) == [
        ("user", "How tall is the mast?"),
        ("assistant", "Fourteen.\n\n```\n14 m\n```"),
        ("user", "And the boom?"),
        ("assistant", "Five metres."),
    ]
    assert said(evening) == ["Evening talk\n\n[1 file]"]
    assert report.skips.left_out == {"activity that is no prompt": 1, "activity of another product": 1}
    assert "alert" not in brain.text()


def test_a_later_export_adds_to_the_last_session_and_changes_no_other(brain: Importing) -> None:
    rows = [row("Prompted One", "2026-08-18T10:00:00Z")]
    brain.write("MyActivity.json", json.dumps(rows))
    brain.take()
    rows = [row("Prompted Three", "2026-08-19T10:00:00Z"), row("Prompted Two", "2026-08-18T10:10:00Z"), *rows]
    brain.write("MyActivity.json", json.dumps(rows))

    report = brain.take()

    assert (report.new, report.grown) == (1, 1)
    assert [said(one) for one in brain.stored()] == [["One", "Two"], ["Three"]]


@pytest.mark.parametrize(
    ("when", "utc"),
    [
        ("Jan 1, 2026, 10:00:00\u202fAM CET", "09:00"),
        ("Jan 1, 2026, 10:00:00\u202fAM GMT+5:30", "04:30"),
        ("Jan 1, 2026, 10:00:00\u202fAM GMT+5", "05:00"),
        ("Jan 1, 2026, 10:00:00\u202fPM PST", "06:00"),
        ("Jan 1, 2026, 10:00:00 AM UTC", "10:00"),
    ],
)
def test_zones_of_the_page_are_understood(brain: Importing, when: str, utc: str) -> None:
    """I30: a zone written GMT+5 is not UTC."""
    brain.write("MyActivity.html", page(("Prompted&nbsp;Tide?<br>Second line", when, "<p>High.</p>")))

    report = brain.take()

    turn = brain.one().turns[0]
    assert report.exit_code == 0
    assert (turn.text, turn.time and turn.time.strftime("%H:%M")) == ("Tide?\nSecond line", utc)


def test_a_page_in_another_language_is_refused_with_a_word(brain: Importing) -> None:
    brain.write(
        "MyActivity.html",
        page(
            ("Pokyn&nbsp;Jak vysoký je stěžeň?", "1. 1. 2026 10:00:00 SEČ", "<p>Čtrnáct metrů.</p>"),
            ("Prompted&nbsp;In English", "Jan 1, 2026, 10:00:00 AM UTC", "<p>Fine.</p>"),
        ),
    )

    report = brain.take()

    assert said(brain.one()) == ["In English"]
    assert report.exit_code == 1
    assert any("English" in problem for problem in report.problems)
