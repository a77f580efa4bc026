"""Mail: mbox and Maildir as the standard library writes them; charsets, parts and attachments; nothing is changed."""

from __future__ import annotations

import mailbox
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outside import mail, reading

from brain.config import Connector
from brain.connectors import Connectors
from brain.connectors.letters import head_of, record_of
from brain.errors import BrainError, NotFound

UTC = ZoneInfo("UTC")


def at(tmp_path: Path, path: Path) -> Connectors:
    return reading(tmp_path, post=Connector(kind="mail", path=str(path)))


def in_mbox(tmp_path: Path, *letters: bytes) -> Path:
    box = mailbox.mbox(tmp_path / "post.mbox")
    for letter in letters:
        box.add(letter)
    box.close()
    return tmp_path / "post.mbox"


def test_an_mbox_is_listed_newest_first_and_read_word_for_word(tmp_path: Path) -> None:
    box = in_mbox(
        tmp_path,
        mail("Slots", "Two slots: 12 and 19 October.\nFrom here it is ten minutes.\n\nFrom the station too."),
        mail("Résumé", "Later.", day="Tue, 4 Aug 2026 10:00:00 +0900", id="m2@sora-lab.example"),
    )
    before = sha256(box.read_bytes()).hexdigest()
    source = at(tmp_path, box)
    assert [(entry.id, entry.title) for entry in source.list("post")] == [
        ("m2@sora-lab.example", "Résumé"), ("m1@sora-lab.example", "Slots"),
    ]  # fmt: skip
    record = source.read("post", "m1@sora-lab.example")
    assert record.field("from") == "Mai Aoyama <mai@sora-lab.example>"
    assert record.field("sent") == "2026-08-03 02:12 (Europe/Paris)"
    assert "Two slots: 12 and 19 October." in record.text
    assert "the station too." in record.text
    assert sha256(box.read_bytes()).hexdigest() == before


def test_a_maildir_is_read_where_it_lies(tmp_path: Path) -> None:
    box = mailbox.Maildir(tmp_path / "box")
    box.add(mail("Slots", "Two slots."))
    seen = mailbox.MaildirMessage(mail("Seen", "Old.", id="m3@x.example"))
    seen.set_subdir("cur")
    box.add(seen)
    (tmp_path / "box" / "tmp" / "half").write_bytes(mail("Half", "Being written.", id="m4@x.example"))
    before = sorted(path.as_posix() for path in (tmp_path / "box").rglob("*"))
    source = at(tmp_path, tmp_path / "box")
    assert sorted(entry.title for entry in source.list("post")) == ["Seen", "Slots"]
    assert source.read("post", "m1@sora-lab.example").text == "Two slots."
    assert sorted(path.as_posix() for path in (tmp_path / "box").rglob("*")) == before


def test_a_folder_of_saved_mails_is_a_mailbox(tmp_path: Path) -> None:
    (tmp_path / "saved").mkdir()
    (tmp_path / "saved" / "a.eml").write_bytes(mail("Slots", "Two slots."))
    assert [entry.title for entry in at(tmp_path, tmp_path / "saved").list("post")] == ["Slots"]


def test_encoded_words_and_charsets_are_read(tmp_path: Path) -> None:
    raw = (
        b"From: =?ISO-2022-JP?B?GyRCQERMbhsoQg==?= <a@b.example>\n"
        b"Subject: =?utf-8?q?R=C3=A9union_?=\n =?utf-8?b?w6A=?= Kyoto\n"
        b"Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n"
        b"L'h=F4te vient.\n"
    )
    record = record_of(raw, UTC)
    assert record.title == "Réunion à Kyoto"
    assert record.text == "L'hôte vient."
    assert record.field("from").endswith("<a@b.example>")
    assert "=?" not in record.field("from")
    assert record.day == ""
    unknown = record_of(b"Subject: x\nContent-Type: text/plain; charset=klingon\n\nna\xc3\xafve\n", UTC)
    assert unknown.text == "naïve"


def test_plain_text_goes_before_the_web_page_and_attachments_are_listed(tmp_path: Path) -> None:
    message = EmailMessage()
    message["Subject"], message["From"], message["Message-ID"] = "Plan", "kenji@coop.example", "<p@coop.example>"
    message.set_content("The plain words.")
    message.add_alternative("<html><body><p>The page.</p></body></html>", subtype="html")
    message.add_attachment(b"%PDF-1.7", maintype="application", subtype="pdf", filename="plan ü.pdf")
    record = record_of(message.as_bytes(), UTC)
    assert record.text == "The plain words."
    assert record.field("attached") == "plan ü.pdf (application/pdf, 8 bytes)"


def test_a_web_page_alone_is_read_as_a_person_sees_it() -> None:
    page = (
        b"<html><head><title>t</title><style>p{}</style></head><body><p>Hello&nbsp;Nadia,</p>"
        b"<script>x()</script><div>see you</div></body></html>"
    )
    record = record_of(b"Subject: x\nContent-Type: text/html\n\n" + page, UTC)
    assert record.text == "Hello Nadia,\n\nsee you"


def test_a_huge_mail_is_cut_and_says_so(tmp_path: Path) -> None:
    box = in_mbox(tmp_path, mail("Huge", "word " * 1_200_000), mail("Small", "Here.", id="s@x.example"))
    source = at(tmp_path, box)
    record = source.read("post", "m1@sora-lab.example")
    assert len(record.text) < 101_000
    assert record.text.endswith("[cut here: the rest was not kept]")
    assert source.read("post", "s@x.example").text == "Here."


def test_parts_in_parts_without_end_do_not_end_us() -> None:
    depth = 3_000
    head = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(depth))
    assert record_of(b"Subject: deep\n" + head + b"\nbottom\n", UTC).title == "deep"


def test_mails_of_one_id_are_one(tmp_path: Path) -> None:
    box = in_mbox(tmp_path, mail("Slots", "Two."), mail("Slots", "Two."))
    assert len(list(at(tmp_path, box).list("post"))) == 1


def test_search_reads_the_words_of_mails(tmp_path: Path) -> None:
    box = in_mbox(tmp_path, mail("Slots", "The venue is step-free."), mail("Other", "Nothing.", id="o@x.example"))
    source = at(tmp_path, box)
    assert [entry.title for entry in source.search("post", "venue step-free")] == ["Slots"]
    assert source.search("post", "budget") == []


def test_what_is_no_mailbox_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.mbox").write_text("hello", "utf-8")
    standing = at(tmp_path, tmp_path / "x.mbox").check("post")
    assert not standing.ok
    assert "no mbox" in standing.what
    with pytest.raises(NotFound):
        at(tmp_path, in_mbox(tmp_path, mail("a", "b"))).read("post", "nobody@x.example")
    with pytest.raises(BrainError, match="post"):
        at(tmp_path, tmp_path / "absent").search("post", "x")


def test_an_empty_mailbox_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "x.mbox").write_bytes(b"")
    assert at(tmp_path, tmp_path / "x.mbox").check("post").what == "0 mails"


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=600))
def test_no_bytes_break_the_reading_of_mail(data: bytes) -> None:
    for raw in (
        data,
        b"Subject: " + data,
        b"Content-Type: multipart/mixed; boundary=x\nFrom: " + data + b"\n\n--x\n" + data,
    ):
        record = record_of(raw, UTC)
        assert record.id
        assert head_of(raw, UTC).subject
