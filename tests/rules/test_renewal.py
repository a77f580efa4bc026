"""What takes the place of what: a later statement renews an earlier one of the same matter, and nothing else."""

from __future__ import annotations

import pytest

from brain.rules.renewal import Matter
from brain.rules.values import values

WRITER = ("Runa Feldt",)


def renews(old: str, new: str, *, wish: bool = False, told: str = "2026-03-01") -> bool:
    earlier = Matter.of(old, day=told, but=WRITER)
    return Matter.of(new, day="2026-06-01", said=new, but=WRITER).renews(earlier, wish=wish)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The spare key is with Ottilie Brandt, downstairs.", "The spare key went from Ottilie Brandt to Joost Pell."),
        ("The freeze of Heidelerche is on 3 June.", "The freeze of Heidelerche slipped from 3 June to 9 June."),
        ("Code freeze Heidelerche: 3 June.", "Not 3 June but 9 June for the Heidelerche freeze."),
        ("I work from home on Tuesday.", "From next week my day at home is Monday, not Tuesday any more."),
        ("We'd publish the sensor driver under MIT.", "Legal wants the sensor driver under MPL-2.0, not MIT."),
        ("Lesehalle geht am 24. Oktober live.", "Lesehalle nicht am 24. Oktober, sondern am 16. Dezember."),
        ("Das Budget von Nordlicht ist 41.000 €.", "Nordlicht hat statt 41.000 € jetzt 59.000 €."),
        ("Bereitschaft für Speicher hat Ida Lorenz.", "Ida Lorenz ist krank, Jan Wulff übernimmt bei Speicher."),
        ("Ida Lorenz runs Speicher when I am off.", "Jan Wulff takes Speicher over from Ida Lorenz."),
        ("The budget of the yard is 34,000 £.", "The yard is cut to 20,000 £ from 34,000 £."),
        ("Ціна книжки — 260 грн.", "Ціну книжки змінено з 260 грн на 330 грн."),
        ("Le budget du Carnet est de 1140 €.", "On passe de 1140 € à 740 € pour le Carnet."),
        ("La llave la tiene Urbano Sanz.", "La llave la guarda ahora Zoila Prieto, ya no Urbano Sanz."),
        ("Ціна «Жук» — 260 грн.", "Ціну «Жук» змінено, було 260 грн, стало 330 грн."),
        ("窯の手伝いは七瀬拓海さんです。", "七瀬拓海さんが辞めたので窯は倉科梢さんが手伝います。"),
        ("水瀬の代金は168,000円です。", "水瀬は168,000円から304,000円に改めました。"),
        ("Runa Feldt has started learning Danish.", "Runa Feldt gave up Danish and switched to Polish."),
    ],
)
def test_the_former_value_is_named_beside_the_new_one(old: str, new: str) -> None:
    assert renews(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The rent is 900 € a month.", "The rent went up to 950 € a month."),
        ("We meet on Tuesdays at 10:00.", "Our meeting is now on Thursdays at 10:00."),
        ("Counsel in Pellworm is Orla Dietz.", "New counsel for Pellworm, Tobias Rahn."),
        ("The mill trip: 10 September.", "The mill trip is now really on 5 October."),
        ("Le second pour Vendanges, c'est Yann Morel.", "Pour Vendanges, mon second devient Nina Perrot."),
        ("Los documentos, en PDF.", "He cambiado de idea: documentos en DOCX."),
    ],
)
def test_another_value_of_the_same_matter_with_a_word_of_change(old: str, new: str) -> None:
    assert renews(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The dentist is on Monday at 9:00.", "Now the car service is on Friday at 10:00."),
        ("Runa Feldt has read Solaris, for the book club.", "Scrap what I said about files, it's PDF for all I read."),
        ("Runa Feldt has four pages of notes from a meeting.", "Runa Feldt has now read Dune, for the book club."),
        ("I live in Berlin with my two cats.", "I moved to Munich last week, not far from Berlin."),
        ("The corridor lights of Quiet Nights go down at 23:10.", "The corridor lights of Wing Move now go at 21:50."),
        ("The trailer of the valley campaign: 180 €.", "From 540 € we went to 960 € in the valley campaign."),
        ("The survey in Pellworm cost 244 £.", "After the survey Pellworm is worth 14,700 £."),
        ("The newspaper wrote about the show on 2026-02-27.", "Since 2026-05-20 Ines Vance now helps with the show."),
        ("Der Kunde sagt, der Tisch aus Ulme knarrt.", "Der Kunde sagt jetzt, die Küchenfront knarrt."),
        ("Tobias left 9 comments on the change to the radio.", "Tobias now left 44 comments on the power rail change."),
        ("Ana Berg has sixty guests and hates fuss.", "New question: Ben Ode has sixty guests and hates fuss."),
        ("真柴綾乃さんの送別会で三分話すことになりました。", "倉科隼人さんの送別会で三分話すことになりました。"),
        ("My sister lives in Berlin.", "I now live in Lisbon."),
        ("Das Bild von Ida Lorenz ist fertig.", "Das Bild von Ida Lorenz hängt jetzt bei Jan Wulff."),
        ("Ida Lorenz has the long letter.", "The long letter to Ana Berg from Ida Lorenz is now with Jan Wulff."),
        ("The letter of Ida Lorenz is long.", "The letter from Ida Lorenz is now with Jan Wulff."),
        ("We have 5 boats at the pier.", "We have 5 boats at the pier now."),
    ],
)
def test_what_is_about_something_else_or_says_the_same_renews_nothing(old: str, new: str) -> None:
    assert not renews(old, new)


def test_without_a_word_of_change_both_stand() -> None:
    assert not renews("The rent is 900 € a month.", "The rent is 950 € a month.")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Give me a short list when you compare things.", "Change for comparisons: a diagram please."),
        ("When you write minutes, use initials only.", "Use surnames in minutes from now on."),
        ("Für Durchsichten will ich einen Zweig.", "Bei Durchsichten künftig Vorschläge als Text."),
        ("比較するときは一段落にしてください。", "比較は今後、表で。"),
    ],
)
def test_a_wish_for_the_same_is_renewed_among_wishes_only(old: str, new: str) -> None:
    assert renews(old, new, wish=True)
    assert not renews(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The corridor lights of Quiet Nights go down at ten.", "Lights of Wing Move go down at nine now."),
        ("Send the weekly report to Ana Berg on Fridays.", "Send the weekly report as PDF from now on."),
        ("Keep answers short.", "Keep boats in the shed from now on."),
    ],
)
def test_a_wish_about_another_thing_or_another_side_of_it_stands_beside(old: str, new: str) -> None:
    assert not renews(old, new, wish=True)


def test_liking_something_else_too_ends_no_liking() -> None:
    assert not renews("Runa loves painting lakes.", "Lately Runa loves painting boats instead.", wish=True)


def test_a_day_that_was_over_when_it_was_told_moves_no_more() -> None:
    assert not renews("The mill trip was on 2026-02-10.", "The mill trip is now on 2026-09-01.")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("at 9 pm, at 21h30 and at 21.45 Uhr", [("time", "21:00"), ("time", "21:30"), ("time", "21:45")]),
        ("3 June, 3. Juni, le 3 juin, 3 червня, 6月3日", [("day", "06-03")] * 5),
        ("1.140 €, 1,140 €, 1 140 euros", [("amount €", "1140")] * 3),
        ("1 200,50 € and $1,200.50", [("amount €", "1200.5"), ("amount $", "1200.5")]),
        ("le jeudi, am Donnerstag, 木曜日", [("weekday", "3")] * 3),
        ("on 5 May 2026 or 2026-05-05 (as of 2026-04-01)", [("day", "2026-05-05")] * 2),
        ("asked Ana Berg for the PDF", [("name", "ana berg"), ("code", "pdf")]),
    ],
)
def test_values_have_one_spelling(text: str, found: list[tuple[str, str]]) -> None:
    assert [(one.kind, one.form) for one in values(text)] == found


def test_a_value_is_former_where_its_own_text_says_so() -> None:
    told = values("From 3 June to 9 June; Ida Lorenz left, Jan Wulff stays.")
    assert [(one.form, one.old) for one in told] == [
        ("06-03", True),
        ("06-09", False),
        ("ida lorenz", True),
        ("jan wulff", False),
    ]
